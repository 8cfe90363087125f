"""Predict by a quantile of the shares of their requests that the last similar jobs used.

Similar jobs have the same user, processors and requested time. If too few of these have ended, all
jobs of the user count; if these are too few, all jobs. With n ended jobs, the prediction is the
k-th shortest share times the request, rounded up, where k = ceil((n + 1) quantile). If these jobs
and the new one are exchangeable, it is too short with probability at most 1 - quantile. That needs
n >= quantile / (1 - quantile) jobs, 19 for 0.95. With fewer, the prediction is the request.

Defaults
--------
These were chosen before any log was scored. With 0.95, one job in twenty runs longer than
predicted. With a window of 100 jobs, five of them are above the quantile, and a change of habit is
soon forgotten.

References
----------
David and Nagaraja (2003). Order statistics, section 7.1, for the k-th of n values as a limit of the
next value. Smith, Foster and Taylor (1998). Predicting application run times using historical
information. JSSPP, for templates of similar jobs; they use the mean and its interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Known,
    Predicting,
    Rows,
    joint_codes,
)
from planner.scheduling.policies.compiled import compiled, compiled_entry

Floats = NDArray[np.float64]

ROUNDING = 1 - 1e-12
"""So that a share times the request it was a share of is not rounded up by a second."""


@dataclass(frozen=True)
class Quantile:
    """Predict by a quantile of the shares of their requests that the last similar jobs used.

    Attributes
    ----------
    quantile
        Above 0 and below 1. At most the share 1 - quantile of the jobs should exceed their
        predictions.
    window
        Number of the last ended jobs of a kind that count.
    least
        Number of jobs that must have ended; ``None``: as many as the quantile needs. With fewer
        jobs than the quantile needs, the longest share counts.
    """

    quantile: float = 0.95
    window: int = 100
    least: int | None = None
    name: str = "quantile"

    def __post_init__(self) -> None:
        if not 0 < self.quantile < 1:
            raise InputError(f"a quantile of {self.quantile} is not between 0 and 1; give 0.95")
        if not 1 <= self.needed <= self.window:
            raise InputError(
                f"of a window of {self.window} jobs {self.needed} cannot have ended; give a window "
                f"of at least {max(self.needed, 1)}, or another least number from 1 on"
            )

    @property
    def needed(self) -> int:
        """How many jobs of a kind must have ended."""
        enough = math.ceil(self.quantile / (1 - self.quantile) * ROUNDING)
        return enough if self.least is None else self.least

    def begin(self, known: Known, seed: int = 0) -> Predicting:  # noqa: ARG002 - nothing is drawn
        """A pass over a log."""
        alike = joint_codes(known.user, known.processors, known.requested_s)
        user = joint_codes(known.user)
        kinds = np.column_stack((alike, user, np.zeros_like(user)))
        # One numbering of all kinds: similar jobs, then users, then everybody.
        kinds[:, 1] += alike.max(initial=0) + 1
        kinds[:, 2] = kinds[:, 1].max(initial=0) + 1
        # No kind needs more places than it has jobs.
        room = np.minimum(np.bincount(kinds.ravel()), self.window)
        filled = np.zeros((len(room), 3), np.int64)
        filled[1:, 0] = np.cumsum(room)[:-1]
        filled[:, 1] = room
        shares = np.empty((2, int(room.sum())))
        requested = np.maximum(known.requested_s, 1)
        return _Pass(requested, kinds, filled, shares, self.quantile * ROUNDING, self.needed)


@dataclass(frozen=True, eq=False)
class _Pass:
    """The last shares of each kind.

    Attributes
    ----------
    kinds
        The kinds a job belongs to, the narrowest first; shape ``(jobs, 3)``.
    filled
        First place, room, and number of ended jobs of each kind; shape ``(kinds, 3)``.
    shares
        In order of the ends, the oldest overwritten; and sorted. Shape ``(2, places)``.
    """

    requested_s: Integers
    kinds: Integers
    filled: Integers
    shares: Floats
    quantile: float
    needed: int

    def predict(self, rows: Rows) -> Integers:
        predicted = np.empty(len(rows), np.int64)
        arrays = (self.requested_s, self.kinds, self.filled, self.shares)
        _predict(rows, *arrays, self.quantile, self.needed, predicted)
        return predicted

    def learn(self, rows: Rows, run_s: Integers) -> None:
        _learn(rows, run_s, self.requested_s, self.kinds, self.filled, self.shares)


@compiled_entry
def _predict(
    rows: Rows,
    requested: Integers,
    kinds: Integers,
    filled: Integers,
    shares: Floats,
    quantile: float,
    needed: int,
    predicted: Integers,
) -> None:
    # The narrowest kind with enough ended jobs decides; without one the request stays.
    for i in range(len(rows)):
        job = rows[i]
        predicted[i] = requested[job]
        for level in range(kinds.shape[1]):
            kind = kinds[job, level]
            count = min(filled[kind, 1], filled[kind, 2])
            if count < needed:
                continue
            # David and Nagaraja (2003), section 7.1; with too few jobs the longest share counts.
            rank = min(math.ceil((count + 1) * quantile), count)
            share = shares[1, filled[kind, 0] + rank - 1] * ROUNDING
            predicted[i] = max(1, min(math.ceil(share * requested[job]), requested[job]))
            break


@compiled_entry
def _learn(
    rows: Rows,
    run_s: Integers,
    requested: Integers,
    kinds: Integers,
    filled: Integers,
    shares: Floats,
) -> None:
    # Row 0 is a ring in the order of ends, row 1 holds the same shares sorted. In a full ring the
    # oldest share gives its place to the new one in both.
    for i in range(len(rows)):
        job = rows[i]
        share = run_s[i] / requested[job]
        for level in range(kinds.shape[1]):
            kind = kinds[job, level]
            first, room, ended = filled[kind, 0], filled[kind, 1], filled[kind, 2]
            oldest = first + ended % room
            if ended < room:
                index = first + ended
            else:
                index = first
                # Equality is exact: both rows hold the same number, so the search ends.
                while shares[1, index] != shares[0, oldest]:
                    index += 1
            shares[0, oldest] = share
            _put(shares, share, index, first, first + min(ended, room - 1))
            filled[kind, 2] = ended + 1


@compiled
def _put(shares: Floats, share: float, index: int, first: int, last: int) -> None:
    """Sort a share in, in place of the one there."""
    # All others are sorted, so the new share moves to one side only.
    while index > first and shares[1, index - 1] > share:
        shares[1, index] = shares[1, index - 1]
        index -= 1
    while index < last and shares[1, index + 1] < share:
        shares[1, index] = shares[1, index + 1]
        index += 1
    shares[1, index] = share
