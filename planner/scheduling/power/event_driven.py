"""A base class for power-aware policies that react to events: ILP schedulers and users' own.

Such a policy sees requests, the job details table and what runs; it never sees a true run time
before the job has ended, nor a true power. It names jobs and the configuration of each; every
answer is checked in every pass.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from planner.scheduling.power.problem import JobDetails


@dataclass(frozen=True, slots=True, eq=False)
class PowerJob:
    """A job as it is known when it is submitted.

    Attributes
    ----------
    id
        From 0 on, in order of submission.
    application
        Index into the job details table.
    nodes
        Requested nodes, ``n_req``.
    requested_ms
        Requested time, ``t_req`` [ms].
    fair_share_mw
        Its share of the bound, ``P_job`` [mW].
    submit_ms
        Submit time [ms].
    """

    id: int
    application: int
    nodes: int
    requested_ms: int
    fair_share_mw: int
    submit_ms: int


@dataclass(frozen=True, slots=True, eq=False)
class RunningJob:
    """A job that runs: its configuration, charge and the end by the job details table.

    An expected end in the past means that the job takes longer than its row says.
    """

    job: PowerJob
    row: int
    nodes: int
    charge_mw: int
    start_ms: int
    expected_end_ms: int


@dataclass(frozen=True, slots=True)
class PowerMoment:
    """What a power-aware scheduler sees in a pass.

    Attributes
    ----------
    time_ms
        Now [ms].
    nodes, free_nodes
        Of the cluster, and those that no job uses.
    bound_mw, free_mw
        What all running jobs may be charged together, and what is left of it [mW].
    waiting
        Jobs that wait, in order of submission.
    running
        Jobs that run, by expected end, the earliest first. What is in use when the log begins is
        not a job: it is in ``occupied``.
    occupied
        ``(end_ms, nodes, charge_mw)`` of what was in use when the log began and still is.
    details
        The job details table.
    """

    time_ms: int
    nodes: int
    free_nodes: int
    bound_mw: int
    free_mw: int
    waiting: tuple[PowerJob, ...]
    running: tuple[RunningJob, ...]
    occupied: tuple[tuple[int, int, int], ...]
    details: JobDetails


class Choice(NamedTuple):
    """A job that starts now, and the row of its configuration."""

    job: PowerJob
    row: int


class PowerEventDriven(Protocol):
    """A policy that is called at each submission and each end, and says which jobs start now.

    Derive from this class, write :meth:`decide`, and set ``name``. Each simulation uses a fresh
    copy of the object, so that what it keeps on ``self`` begins anew.
    """

    @property
    def name(self) -> str:
        """Name in tables; by default the name of the class."""
        return type(self).__name__

    @abstractmethod
    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        """Return the jobs that start now, of those that wait, each with its configuration."""
        ...
