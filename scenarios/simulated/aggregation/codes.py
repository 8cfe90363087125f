"""Codes that run on the simulated node: drawn ones to train on, and others to test on."""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

import numpy as np

from scenarios.simulated.aggregation.hardware import FOLDER
from scenarios.simulated.sampling import log_uniform
from solvers.portable import exp, power

TEST_CODES = ("lu", "bt", "sp", "ft", "cg", "mg")
TRAINING_CODES = 12
PROBLEM_SETS = (0.4, 0.7, 1.0, 1.6)
"""Working sets of a training code's problem sets over that of its middle one."""


@dataclass(frozen=True)
class Code:
    """What one task of a code asks of the node.

    Attributes
    ----------
    name, problem
        Names of the code and of its problem set.
    tasks
        MPI tasks of the run.
    core_cpi
        Cycles per instruction while the second-level cache answers at once.
    l2_per_instruction
        Requests to the second-level cache.
    misses_least, misses_most
        Lines from memory per instruction where the working set fits and where it does not.
    working_set_mb
        Data that a task uses again and again.
    shared
        Share of it that tasks of one die have in common.
    overlap_of_misses
        Misses in flight at once.
    heat
        Heat of a core while it computes, over the most.
    memory_gb
        Main memory of a task.
    instructions, iterations
        Instructions of a task in an iteration; iterations of the run.
    pattern
        Who talks to whom: ``grid``, ``torus``, ``hypercube`` or ``all``.
    messages
        Bytes and count per iteration of the messages to each partner.
    overlap
        Share of an iteration's computation during which messages may already travel.
    """

    name: str
    problem: str
    tasks: int
    core_cpi: float
    l2_per_instruction: float
    misses_least: float
    misses_most: float
    working_set_mb: float
    shared: float
    overlap_of_misses: float
    heat: float
    memory_gb: float
    instructions: float
    iterations: int
    pattern: str
    messages: tuple[tuple[float, float], ...]
    overlap: float


@cache
def _stored() -> MappingProxyType[str, Code]:
    document = tomllib.loads((FOLDER / "codes.toml").read_text(encoding="utf-8"))
    codes = {}
    for name, table in document.items():
        messages = tuple((size, count) for size, count in table.pop("messages"))
        codes[name] = Code(name=name, problem="D", tasks=16, messages=messages, **table)
    return MappingProxyType(codes)


def npb_code(name: str, tasks: int = 16, seed: int | None = None) -> Code:
    """Find a test code, in strong scaling over tasks.

    With more tasks each has a smaller part: instructions, memory, working set and long messages
    (those beyond 4 KB, by the surface of the part) shrink; short messages keep their size.

    Parameters
    ----------
    seed
        Draws the code anew within some 10 % of each stored number: another input or compiler.
        None for the stored numbers.

    Raises
    ------
    ValueError
        There is no code of that name, or ``tasks`` is not a power of two of at least 4.
    """
    known = _stored()
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
        raise ValueError(f"no test code is named {name!r}; {hint}")
    if tasks < 4 or tasks & (tasks - 1):
        raise ValueError(f"the number of ranks is {tasks}; give a power of two of at least 4")
    code = known[name] if seed is None else _varied(known[name], seed)
    part = 16 / tasks
    surface = part if code.pattern == "hypercube" else power(part, 2 / 3)
    if code.pattern == "all":
        surface = part * part
    return replace(
        code,
        tasks=tasks,
        working_set_mb=code.working_set_mb * part,
        memory_gb=code.memory_gb * part,
        instructions=code.instructions * part,
        messages=tuple((s * surface if s > 4e3 else s, n) for s, n in code.messages),
    )


def _varied(code: Code, seed: int) -> Code:
    """Return the code with its computing numbers drawn anew around the stored ones."""
    key = TEST_CODES.index(code.name)
    drawn = np.clip(np.random.default_rng([seed, key]).standard_normal(7), -2, 2)
    factor = exp(0.1 * drawn).tolist()
    return replace(
        code,
        core_cpi=code.core_cpi * power(factor[0], 0.4),
        l2_per_instruction=code.l2_per_instruction * factor[1],
        misses_least=code.misses_least * factor[2],
        misses_most=code.misses_most * factor[2],
        working_set_mb=code.working_set_mb * factor[3],
        shared=code.shared * factor[4],
        instructions=code.instructions * factor[5],
        overlap=code.overlap * factor[6],
    )


def training_codes(seed: int) -> tuple[Code, ...]:
    """Draw twelve codes, each with four problem sets.

    Their numbers are spread over wide ranges (log-uniform where they span more than a factor of
    four) that hold those of the test codes without being drawn around them.
    """
    rng = np.random.default_rng(seed)
    codes = []
    for number in range(1, TRAINING_CODES + 1):
        least = log_uniform(rng, 2e-4, 6e-3)
        code = Code(
            name=f"training-{number:02}",
            problem="",
            tasks=16,
            core_cpi=rng.uniform(0.36, 0.72),
            l2_per_instruction=log_uniform(rng, 0.008, 0.08),
            misses_least=least,
            misses_most=least * rng.uniform(1.5, 6.5),
            working_set_mb=log_uniform(rng, 1.0, 9.0),
            shared=rng.uniform(0.0, 0.45),
            overlap_of_misses=rng.uniform(3.0, 5.5),
            heat=rng.uniform(0.4, 1.0),
            memory_gb=0.5,
            instructions=1e10,
            iterations=100,
            pattern="grid",
            messages=((1e4, 1.0),),
            overlap=0.5,
        )
        for times in PROBLEM_SETS:
            size = code.working_set_mb * times
            codes.append(replace(code, problem=f"x{times:g}", working_set_mb=size))
    return tuple(codes)
