"""A schedule: when each job started, on how many processors, until when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]

NEVER = -1
"""Start of a job that never started."""


@dataclass(frozen=True, eq=False)
class JobSchedule:
    """Jobs and their starts; arrays of shape ``(jobs,)``, in order of submission.

    Attributes
    ----------
    name
        Name of the log.
    policy, event_order, estimates
        By whose rules; empty for a schedule from elsewhere.
    estimate_s
        Run time that the policy planned with when the job was submitted [s]; ``None``: the
        requested time.
    machine_processors
        Processors of the machine.
    own_processors, own_run_s
        What each job requested, and its run time on these [s], where the policy let it run on
        others; ``None``: as ``processors`` and ``run_s``.
    number
        The jobs' numbers in the log.
    submit_s, start_s, run_s
        Submit time, start and time on the machine [s]. A killed job's run ends where it was killed;
        a rejected job's start is ``NEVER``.
    processors
        Processors of the machine that each job holds while it runs.
    requested_s
        Requested run time [s]; of a job that ran on other processors than it requested, scaled as
        its run.
    user
        Codes as in the log.
    killed
        Whether it was ended before its work was done.
    rejected
        Why a job was not accepted, by its number.
    """

    name: str
    machine_processors: int
    number: Integers
    submit_s: Integers
    start_s: Integers
    run_s: Integers
    processors: Integers
    requested_s: Integers
    user: NDArray[np.int32]
    killed: NDArray[np.bool_]
    rejected: Mapping[int, str] = field(default_factory=dict)
    policy: str = ""
    event_order: str = ""
    estimates: str = ""
    estimate_s: Integers | None = None
    own_processors: Integers | None = None
    own_run_s: Integers | None = None

    def __len__(self) -> int:
        return len(self.number)

    @cached_property
    def started(self) -> NDArray[np.bool_]:
        """Whether the job started."""
        started: NDArray[np.bool_] = self.start_s != NEVER
        return started

    @cached_property
    def end_s(self) -> Integers:
        """End [s]; ``NEVER`` without a start."""
        return np.where(self.started, self.start_s + self.run_s, NEVER)

    @cached_property
    def wait_s(self) -> Integers:
        """Wait [s]; ``NEVER`` without a start."""
        return np.where(self.started, self.start_s - self.submit_s, NEVER)

    @property
    def asked_processors(self) -> Integers:
        """Processors that each job requested, which need not be what it ran on."""
        return self.processors if self.own_processors is None else self.own_processors

    @property
    def asked_run_s(self) -> Integers:
        """Run time of each job on the processors that it requested [s]."""
        return self.run_s if self.own_run_s is None else self.own_run_s

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> JobSchedule:
        """Some of the jobs; the rejected ones stay listed. All of them are the schedule itself."""
        if rows.dtype == np.bool_ and rows.all():
            return self
        arrays = {
            column.name: getattr(self, column.name)[rows]
            for column in fields(self)
            if isinstance(getattr(self, column.name), np.ndarray)
        }
        return replace(self, **arrays)
