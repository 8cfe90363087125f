"""An oracle, no predictor: estimates whose error shrinks with each run of the same kind.

It stands for the paper's outlook, models that are refined over repeated runs, and sees the true run
time. A kind is a user's jobs on as many processors. While no job of the kind has ended, there is
nothing to make a model of, and the request is used: the cost of a first run. After n have ended the
estimate is never too short and at most first_error / sqrt(n) too long, relative to the run time.
That the error falls with the root of n is an assumption of ours: the paper gives no law.

Within its bound e the run time is rounded up to the next (1 + e)^k, k = 0, 1, ..., in whole
seconds, so that estimates come in classes as its tool makes them; for want of a grid in the paper,
a geometric one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Known,
    Predicting,
    Rows,
    joint_codes,
)
from planner.scheduling.policies.compiled import compiled, compiled_entry


@dataclass(frozen=True, eq=False)
class RefiningOracle:
    """Bounded errors that shrink with the root of the ended runs of a kind.

    Attributes
    ----------
    run_s
        True run times [s] of the jobs, shape ``(jobs,)``.
    first_error
        Bound after the first ended run, relative to the run time; at least 0. By default 1: at most
        twice as long, the largest error of the paper's study.
    """

    run_s: Integers
    first_error: float = 1.0
    name: str = "refining"

    def __post_init__(self) -> None:
        if not (self.first_error >= 0 and math.isfinite(self.first_error)):
            raise InputError(f"a first error of {self.first_error} is not 0 or more; give 1")

    def begin(self, known: Known, seed: int = 0) -> Predicting:  # noqa: ARG002 - nothing is drawn
        """A pass over a log.

        Raises
        ------
        InputError
            There are other jobs than run times.
        """
        if len(self.run_s) != len(known.submit_s):
            raise InputError(
                f"{len(self.run_s):,} run times are not those of {len(known.submit_s):,} jobs; "
                "make the oracle from the same log"
            )
        kind = joint_codes(known.user, known.processors)
        ended = np.zeros(int(kind.max(initial=0)) + 1, np.int64)
        return _Pass(np.maximum(known.requested_s, 1), self.run_s, kind, ended, self.first_error)


@dataclass(frozen=True, eq=False)
class _Pass:
    requested_s: Integers
    run_s: Integers
    kind: Integers
    ended: Integers
    first_error: float

    def predict(self, rows: Rows) -> Integers:
        estimates = np.empty(len(rows), np.int64)
        arrays = (self.requested_s, self.run_s, self.kind, self.ended)
        _estimate(rows, *arrays, self.first_error, estimates)
        return estimates

    def learn(self, rows: Rows, run_s: Integers) -> None:  # noqa: ARG002 - it knew them
        np.add.at(self.ended, self.kind[rows], 1)


@compiled_entry
def _estimate(
    rows: Rows,
    requested: Integers,
    run_s: Integers,
    kind: Integers,
    ended: Integers,
    first_error: float,
    estimates: Integers,
) -> None:
    # A kind without an ended run has no model yet, so its request stays.
    for i in range(len(rows)):
        job = rows[i]
        estimates[i] = requested[job]
        count = ended[kind[job]]
        if count > 0:
            rounded = _rounded_up(run_s[job], first_error / math.sqrt(count))
            estimates[i] = max(1, min(rounded, requested[job]))


@compiled
def _rounded_up(run: int, error: float) -> int:
    """Round up to the next power of 1 + error in whole seconds; the relative error is limited."""
    if run <= 1 or error <= 0:
        return run
    # The slack keeps a run that is a power of 1 + e in its own class.
    power = math.ceil(math.log(run) / math.log1p(error) - 1e-9)
    edge = math.floor(math.exp(power * math.log1p(error)) * (1 + 1e-9))
    # A rounded power must not pass the bound on the error.
    longest = math.floor(run * (1 + error))
    return int(max(run, min(edge, longest)))
