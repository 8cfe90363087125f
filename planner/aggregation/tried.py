"""Runs of the program itself, which correct predictions and confirm a choice."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from planner.errors import InputError
from planner.plain_numbers import plain_float
from scenarios.formatting import short

if TYPE_CHECKING:
    from planner.aggregation.selection import Candidate

MOST_APART = 10.0
"""Largest ratio of run time and prediction: beyond it the seconds are not those of a whole run."""
_TEXT = re.compile(r"\s*([0-9]{1,6})\s*=([^,]*)(?:,([^,]*))?", re.ASCII)


class TriedRun(NamedTuple):
    """A run of the program under a pattern.

    Attributes
    ----------
    pattern
        Its number.
    time_s
        Seconds of the whole run, with all iterations, above 0.
    energy_j
        Joules of all its nodes over that time, above 0; None where not metered.
    """

    pattern: int
    time_s: float
    energy_j: float | None = None


def read_tried(text: str) -> TriedRun:
    """A run as the command line has it: ``6=412`` or ``6=412,980000``.

    Raises
    ------
    InputError
        Anything else.
    """
    matched = _TEXT.fullmatch(text)
    if matched is None:
        raise InputError(
            f"tried run {short(text)}: give PATTERN=SECONDS or PATTERN=SECONDS,JOULES, as 6=412"
        )
    pattern, *values = matched.groups()
    if not (values[0] or "").strip():
        raise InputError(
            f"tried run {short(text)}: the seconds of the whole run are missing; joules alone do "
            "not tell a slowdown"
        )
    try:
        numbers = [plain_float(value) for value in values if value is not None]
    except ValueError as error:
        raise InputError(f"tried run {short(text)}: {error}") from None
    return checked(TriedRun(int(pattern), *numbers))


def checked(run: TriedRun) -> TriedRun:
    """A run whose numbers are possible.

    Raises
    ------
    InputError
        A time or an energy that is not a number above 0.
    """
    for name, unit, value in (("time", "s", run.time_s), ("energy", "J", run.energy_j)):
        if value is None and name == "time":
            raise InputError(f"tried run of pattern {run.pattern}: has no time; give its seconds")
        if value is not None and not 0 < value < math.inf:
            raise InputError(
                f"tried run of pattern {run.pattern}: its {name} is {value:g} {unit}; give a "
                "number above 0"
            )
    return run


@dataclass(frozen=True)
class TriedPattern:
    """All runs under one pattern.

    Attributes
    ----------
    pattern
        Its number.
    times_s, energies_j
        Times and joules of whole runs, in the order in which they were given.
    """

    pattern: int
    times_s: tuple[float, ...]
    energies_j: tuple[float, ...]

    @property
    def time_s(self) -> float:
        """Mean of the runs."""
        return fmean(self.times_s)

    @property
    def energy_j(self) -> float | None:
        """Mean of the metered runs; None without one."""
        return fmean(self.energies_j) if self.energies_j else None

    @property
    def spread(self) -> float:
        """Longest over shortest time, less 1."""
        return max(self.times_s) / min(self.times_s) - 1


def by_pattern(
    runs: Iterable[TriedRun], candidates: Sequence[Candidate], iterations: int
) -> tuple[TriedPattern, ...]:
    """Runs by pattern, in the order of its number.

    Raises
    ------
    InputError
        A run under a pattern that is not predicted, or of a time that is far from its prediction.
    """
    known = {each.pattern.id: each.time_s * iterations for each in candidates}
    found: dict[int, list[TriedRun]] = {}
    for run in runs:
        if run.pattern not in known:
            raise InputError(
                f"tried run of pattern {run.pattern}: this pattern is not predicted; give one of "
                f"{', '.join(map(str, sorted(known)))}"
            )
        predicted_s = known[run.pattern]
        if not 1 / MOST_APART <= run.time_s / predicted_s <= MOST_APART:
            raise InputError(
                f"tried run of pattern {run.pattern}: its time is {run.time_s:.4g} s, its predicted"
                f" time {predicted_s:.4g} s; give the seconds of the whole run of {iterations} "
                "iterations, or correct program.csv"
            )
        found.setdefault(run.pattern, []).append(run)
    return tuple(
        TriedPattern(
            pattern,
            tuple(run.time_s for run in mine),
            tuple(run.energy_j for run in mine if run.energy_j is not None),
        )
        for pattern, mine in sorted(found.items())
    )
