"""A log cut into weeks, and laid out anew from them at the same weekday and time of day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from scenarios.job_logs.job_log import Integers, JobLog

DAY_S = 86_400
WEEK_S = 7 * DAY_S
FEWEST = 3
"""Whole weeks, or else days, that a log needs at least before its periods can be exchanged."""


class Laid(NamedTuple):
    """Jobs in order of submission within each slot.

    Attributes
    ----------
    rows
        Which jobs of the log, shape ``(laid,)``; one may be there often.
    submit_s
        When they are submitted now [s].
    slot
        In which period.
    """

    rows: Integers
    submit_s: Integers
    slot: Integers


@dataclass(frozen=True, eq=False)
class Periods:
    """The weeks of a log, or its days where it is too short, counted from its first submission.

    Attributes
    ----------
    length_s
        Length of a period [s].
    whole
        How many the log's submissions cover wholly.
    rest_s
        How far they reach into the one behind [s].
    first
        First job of each period, the last not whole one, and the end; shape ``(whole + 2,)``.
    submit_s
        Submit times of the log's jobs [s].
    """

    length_s: int
    whole: int
    rest_s: int
    first: Integers
    submit_s: Integers

    @property
    def word(self) -> str:
        """What a period is called."""
        return "week" if self.length_s == WEEK_S else "day"

    def laid(self, donors: Sequence[int] | Integers) -> Laid:
        """The jobs of a period in each slot, moved by whole periods.

        What is in the last slot behind the whole ones is cut where the log ends.
        """
        rows, shifts, slots = [], [], []
        for slot, donor in enumerate(donors):
            begin, end = int(self.first[donor]), int(self.first[donor + 1])
            if slot == self.whole and donor != slot:
                start = int(self.submit_s[0]) + int(donor) * self.length_s
                last = start + self.rest_s
                end = begin + int(np.searchsorted(self.submit_s[begin:end], last, side="right"))
            rows.append(np.arange(begin, end))
            shifts.append(np.full(end - begin, (slot - int(donor)) * self.length_s))
            slots.append(np.full(end - begin, slot))
        taken = np.concatenate(rows).astype(np.int64)
        moved = self.submit_s[taken] + np.concatenate(shifts).astype(np.int64)
        return Laid(taken, moved, np.concatenate(slots).astype(np.int64))


def periods_of(log: JobLog) -> Periods | None:
    """The log's weeks, or days where it has fewer than three whole weeks; ``None``: too short."""
    if not len(log):
        return None
    submit = log.submit_s
    span = int(submit[-1] - submit[0])
    length = WEEK_S if span // WEEK_S >= FEWEST else DAY_S
    whole = span // length
    if whole < FEWEST:
        return None
    edges = int(submit[0]) + length * np.arange(whole + 1)
    first = np.append(np.searchsorted(submit, edges, side="left"), len(submit))
    return Periods(length, whole, span - whole * length, first.astype(np.int64), submit)


def own(periods: Periods) -> Integers:
    """Every period in its own slot: the log as it is."""
    return np.arange(periods.whole + 1)


def work_by_period(periods: Periods, log: JobLog) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Processor-seconds submitted in each whole period."""
    work = log.processors.astype(float) * log.run_s
    total = np.concatenate([[0.0], np.cumsum(work)])
    return np.diff(total[periods.first])[: periods.whole]
