"""Tsafrir's prediction: the mean of the run times of the user's last two jobs that have ended.

The mean is cut to whole seconds and at most the request; while fewer than two have ended the
request is used. No parameters. ``planner.scheduling.policies.predicted`` makes the same predictions
inside its loop, and corrects them.

References
----------
Tsafrir, Etsion and Feitelson (2007). Backfilling using system-generated predictions rather than
user runtime estimates. IEEE TPDS 18(6), section 3.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Known,
    Predicting,
    Rows,
    joint_codes,
)
from planner.scheduling.policies.compiled import compiled_entry

NONE = -1
"""Run time of a job that there has not been."""


@dataclass(frozen=True)
class LastTwo:
    """The mean of the user's last two ended jobs, at most the request."""

    name: str = "last-two"

    def begin(self, known: Known, seed: int = 0) -> Predicting:  # noqa: ARG002 - nothing is drawn
        """A pass over a log."""
        user = joint_codes(known.user)
        last = np.full((int(user.max(initial=0)) + 1, 2), NONE, np.int64)
        return _Pass(np.maximum(known.requested_s, 1), user, last)


@dataclass(frozen=True, eq=False)
class _Pass:
    """``last``: run times of each user's last ended job and of the one before [s]."""

    requested_s: Integers
    user: Integers
    last: Integers

    def predict(self, rows: Rows) -> Integers:
        predicted = np.empty(len(rows), np.int64)
        _predict(rows, self.requested_s, self.user, self.last, predicted)
        return predicted

    def learn(self, rows: Rows, run_s: Integers) -> None:
        _learn(rows, run_s, self.user, self.last)


@compiled_entry
def _predict(
    rows: Rows, requested: Integers, user: Integers, last: Integers, predicted: Integers
) -> None:
    # A user's second end fills the second place; until then the request stays.
    for i in range(len(rows)):
        job = rows[i]
        by = user[job]
        predicted[i] = requested[job]
        if last[by, 1] >= 0:
            predicted[i] = max(1, min((last[by, 0] + last[by, 1]) // 2, requested[job]))


@compiled_entry
def _learn(rows: Rows, run_s: Integers, user: Integers, last: Integers) -> None:
    # In the order of ends: the later one is the last.
    for i in range(len(rows)):
        by = user[rows[i]]
        last[by, 1] = last[by, 0]
        last[by, 0] = run_s[i]
