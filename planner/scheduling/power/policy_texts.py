"""What each built-in power-aware policy does, in words: for the help and the report.

It imports nothing slow, because ``headroom schedule --help`` shows it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from planner.scheduling.power.ilp.naming import Family, IlpName, SolverName, ilp_name

_ADAPTIVE = "as adaptive, but "

POLICY_TEXTS = {
    "traditional": "all cores of the requested nodes, without power caps; fewer nodes if the bound "
    "requires it",
    "traditional-conservative": "as traditional, but every waiting job has a reserved start, not "
    "only the first",
    "naive": "the fastest configuration within the job's fair share of the bound",
    "adaptive": "the fastest configuration within the fair share; if not free, the fastest that "
    "fits and meets the requested time",
    "adaptive-PERCENT": f"{_ADAPTIVE}accepts run times up to PERCENT % above the requested time",
    "adaptive-any": f"{_ADAPTIVE}accepts any run time",
    "adaptive-conservative": f"{_ADAPTIVE}every waiting job has a reserved start, not only the "
    "first",
    "adaptive-best-fit": f"{_ADAPTIVE}of the jobs that may overtake, the one that leaves least "
    "power unused starts",
    "adaptive-lending": f"{_ADAPTIVE}lends unallocated power to running jobs until a waiting job "
    "needs it",
    "adaptive-lending-measured": "as adaptive-lending, but also lends charged power that jobs do "
    "not draw",
    "adaptive-efficient": f"{_ADAPTIVE}prefers the nodes that drew least power in a calibration, "
    "if there was one",
    "self-tuning": "switches between traditional and adaptive by load and queue; tuned on other "
    "synthetic logs",
    "ilp-SOLVER": "an integer program chooses which jobs start now, and how, within their "
    "requested times; SOLVER is engine, highs or cbc",
    "ilp-reserved-SOLVER": "as ilp-SOLVER, but the first waiting job has a reserved start, so that "
    "no job waits for ever",
    "ilp-slots-SOLVER": "an integer program plans the queue in slots of time, within requested "
    "times; SOLVER is highs or cbc",
    "ilp-...-PERCENT": "the same with run times up to PERCENT % above the requested time",
    "ilp-...-any": "the same with any run time",
    "ilp-...-unfair": "the same without fair shares; always the last suffix",
}
"""Policies by name, or by pattern: ``PERCENT`` is a number, ``SOLVER`` a solver of programs."""

OWN = "a policy of your own, read from a file"

_SOLVERS: dict[SolverName, str] = {
    "engine": "Headroom's own engine",
    "highs": "HiGHS",
    "cbc": "CBC",
}
_TASKS: dict[Family, str] = {
    "knapsack": "starts jobs with the largest total speed-up",
    "reserved": "starts jobs with the largest total speed-up and reserves a start for the first "
    "waiting job",
    "slots": "plans the queue in slots of time for the shortest total turnaround",
}
_BASE = re.compile(r"as ([a-z-]+)(?=,)")
_PERCENT = re.compile(r"adaptive-([0-9]+)")


def policy_text(name: str) -> str:
    """Return what one policy does, without a full stop.

    Examples
    --------
    >>> policy_text("adaptive-20")
    'as adaptive, but accepts run times up to 20 % above the requested time'
    >>> policy_text("ilp-highs-unfair")
    'an integer program (HiGHS) starts jobs with the largest total speed-up, without fair shares, \
within the requested times'
    >>> policy_text("shortest-first")
    'a policy of your own, read from a file'
    """
    if name in POLICY_TEXTS:
        return POLICY_TEXTS[name]
    if threshold := _PERCENT.fullmatch(name):
        return POLICY_TEXTS["adaptive-PERCENT"].replace("PERCENT", threshold[1])
    if program := ilp_name(name):
        limit = "within the fair shares" if program.fair_share else "without fair shares"
        task = f"{_TASKS[program.family]}, {limit}"
        return f"an integer program ({_SOLVERS[program.solver]}) {task}, {_times(program)}"
    return OWN


def _times(program: IlpName) -> str:
    """Return which run times a program accepts."""
    if program.threshold is None:
        return "with any run time"
    if not program.threshold:
        return "within the requested times"
    return f"within {100 * program.threshold:g} % above the requested times"


def policy_texts(names: Sequence[str]) -> dict[str, str]:
    """Return what each of several policies does; what one is compared with is explained, too.

    Examples
    --------
    >>> policy_texts(["adaptive", "adaptive-any"])["adaptive-any"]
    'as adaptive, but accepts any run time'
    """
    return {name: _explained(name, names) for name in names}


def _explained(name: str, names: Sequence[str]) -> str:
    """Return what a policy does, with the text of its base where that is not in the list."""
    text = policy_text(name)
    base = _BASE.match(text)
    if base is None or base[1] in names:
        return text
    return f"as {base[1]} ({_explained(base[1], names)}){text[base.end() :]}"
