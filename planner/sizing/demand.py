"""What a sizing asks of a procurement: lines of a scenario for ``headroom plan``."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING

from planner.errors import InputError, PlanError
from planner.sizing.wording import drawn_words, factor, machine
from scenarios.files import written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from planner.sizing.study import SizingStudy


def demand_toml(study: SizingStudy) -> str:
    """The group ``[requirements]`` with ``capacity``: what is needed over the log's own machine.

    The first policy's answer; rounded up at the fourth decimal.

    Raises
    ------
    InputError
        The log does not say how large its machine is.
    PlanError
        No size keeps the level.
    """
    refuse_demand(study.log.machine_processors, study.log.name)
    sizing, capacity = study.sizings[0], study.capacity
    if sizing.answer is None or capacity is None:
        raise PlanError(f"no size keeps {study.asked.level.words}, so there is no demand to write")
    size = machine(sizing.answer, study.rules.node_processors)
    own = f"the {study.log.machine_processors:,} processors of the log's machine"
    grown = factor(study.asked.growth.factor)
    told = f"simulated under {sizing.policy}: {size} for {grown} times the work, beside {own}"
    command = shlex.join(("headroom", *study.command[:-2])) if study.command else "from Python"
    level = study.asked.level
    lines = [
        f"# {size} keep {level.words} for {study.log.name} under {sizing.policy}.",
        *(f"# {drawn_words(found, study)}" for found in study.resampled[:1]),
        "# [reference] must be the machine of the log: capacity is a multiple of its throughput.",
        "[requirements]",
        f"capacity = {math.ceil(capacity * 1e4 - 1e-6) / 1e4:.4f}",
        f"source = {_quoted(f'{told}; {command}')}",
    ]
    return "\n".join(_one_line(line) for line in lines) + "\n"


def refuse_demand(machine_processors: int | None, name: str) -> None:
    """Ask before simulating whether there is a machine to compare with."""
    if not machine_processors:
        raise InputError(
            f"{name} does not say how many processors its machine has, so that a demand has "
            "nothing to be a multiple of; give them (--processors)"
        )


def write_demand(study: SizingStudy, path: Path) -> None:
    """Write the lines to a file.

    Raises
    ------
    InputError, PlanError
        As :func:`demand_toml`, or the file cannot be written.
    """
    text = demand_toml(study)
    try:
        with written_whole(path) as stream:
            stream.write(text.encode())
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}; give another file") from None


def _one_line(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)


def _quoted(text: str) -> str:
    clean = _one_line(text)[:1500]
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'
