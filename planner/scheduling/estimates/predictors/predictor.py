"""The interface of a predictor of run times.

A predictor sees what was known of a job at its submission, and its run time once it has ended. A
method that needs true run times earlier is an oracle; an ``Oracle`` makes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scenarios.job_logs.job_log import JobLog

Integers = NDArray[np.int64]
Rows = NDArray[np.intp]
Codes = NDArray[np.int32]


class Known(NamedTuple):
    """Facts known of each job at submission; arrays of shape ``(jobs,)``, in that order.

    Attributes
    ----------
    submit_s
        Submit time [s].
    processors
        How many it runs on.
    requested_s
        Requested run time [s].
    user, group, queue
        Codes; any integers.
    """

    submit_s: Integers
    processors: Integers
    requested_s: Integers
    user: Codes
    group: Codes
    queue: Codes


class Predicting(Protocol):
    """One pass over a log, from its first submission on."""

    def predict(self, rows: Rows) -> Integers:
        """Run times [s] of jobs that are being submitted, in order; from 1 to the request.

        A request below 1 s counts as 1 s. A job that is submitted again may be predicted again.
        """
        ...

    def learn(self, rows: Rows, run_s: Integers) -> None:
        """Take in run times [s] of jobs that have ended since, in the order of their ends."""
        ...


class RunTimePredictor(Protocol):
    """Predicts run times without looking ahead of the time."""

    @property
    def name(self) -> str:
        """On the command line."""
        ...

    def begin(self, known: Known, seed: int = 0) -> Predicting:
        """Begin a pass over a log; the same seed gives the same predictions.

        A predictor must not use jobs that are not submitted yet.
        """
        ...


class Oracle(Protocol):
    """Make an object with a predictor's interface that knows the run times in advance."""

    def __call__(self, run_s: Integers) -> RunTimePredictor:
        """For jobs of these run times [s], shape ``(jobs,)``."""
        ...


def known_of(log: JobLog) -> Known:
    """Return what is known of the jobs of a log at submission."""
    requested = np.maximum(log.requested_s, 1)
    return Known(log.submit_s, log.processors, requested, log.user, log.group, log.queue)


def joint_codes(*columns: NDArray[np.integer]) -> Integers:
    """One code from 0 on for each combination of values, in one row or more."""
    joint = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        values, codes = np.unique(column, return_inverse=True)
        # Codes are made dense behind each column, so that the product never leaves 64 bits.
        joint = np.unique(joint * max(len(values), 1) + codes, return_inverse=True)[1]
    return joint.astype(np.int64)
