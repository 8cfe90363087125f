"""The problem of a scheduler of shared nodes, and the schedule that it answers with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.formatting import telling
from planner.sharing_nodes.queues.speeds import PPM, Floats, Integers, Speeds, millionths

__all__ = ["MS", "NEVER", "Floats", "Integers", "SharedJobs", "SharedProblem", "SharedSchedule"]

MS = 1000
"""Milliseconds of a second."""

NEVER = -1
"""Start, end or promise of a job that has none."""

_MOST_WORK = 1 << 61


@dataclass(frozen=True, eq=False)
class SharedJobs:
    """Jobs in order of submission; read-only arrays of shape ``(jobs,)``.

    Attributes
    ----------
    number
        As the log numbers them.
    submit_ms
        Submit times [ms].
    application
        Index into the speeds.
    nodes
        Whole nodes that the job requests.
    run_ms
        True run time alone on them, with all cores [ms]; no policy sees it. At least 1.
    requested_ms
        Requested time for such a run [ms]; at least 1.
    user
        Code of the user.

    Raises
    ------
    InputError
        Columns of different lengths, jobs out of order, or a value below the least one.
    """

    number: Integers
    submit_ms: Integers
    application: Integers
    nodes: Integers
    run_ms: Integers
    requested_ms: Integers
    user: Integers

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:
            array = np.array(getattr(self, name), dtype=np.int64)
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if len({len(getattr(self, name)) for name in self.__dataclass_fields__}) != 1:
            raise InputError("the jobs have columns of different lengths")
        if (np.diff(self.submit_ms) < 0).any():
            raise InputError("the jobs are not in order of submission; sort them by submit time")
        minima = {"submit_ms": 0, "application": 0, "nodes": 1, "run_ms": 1, "requested_ms": 1}
        for name, value in minima.items():
            self._refuse_below(name, value)

    def _refuse_below(self, name: str, minimum: int) -> None:
        low = np.flatnonzero(getattr(self, name) < minimum)
        if len(low):
            job = int(low[0])
            raise InputError(
                f"job {self.number[job]}: {name} = {getattr(self, name)[job]} is below {minimum}; "
                f"give at least {minimum} or leave the job out"
            )

    def __len__(self) -> int:
        return len(self.number)

    def take(self, rows: NDArray[np.intp] | NDArray[np.bool_]) -> SharedJobs:
        """Return some of the jobs, in their order."""
        return SharedJobs(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


@dataclass(frozen=True, eq=False)
class SharedProblem:
    """A log on a cluster whose nodes two jobs may share.

    Attributes
    ----------
    nodes
        Nodes of the cluster.
    jobs
        The jobs.
    speeds
        True speeds; policies decide on predicted ones.
    cores_per_node
        Cores of a node, an even number.
    halves_per_node
        Halves that a job takes for each whole node that it requests: 2 where each job of a pair has
        half of the cores, and 1 where both have all of them (oversubscription). Then a "half" is
        one of the two places for jobs on a node.

    Raises
    ------
    InputError
        No nodes, an odd number of cores, an application without speeds, or a run time that is too
        long to count.
    """

    nodes: int
    jobs: SharedJobs
    speeds: Speeds
    cores_per_node: int = 16
    halves_per_node: int = 2

    def __post_init__(self) -> None:
        if self.nodes < 1:
            raise InputError(f"nodes = {self.nodes}: a cluster has at least 1 node")
        if self.cores_per_node < 2 or self.cores_per_node % 2:
            raise InputError(
                f"cores_per_node = {self.cores_per_node}: two jobs share a node half and half; "
                "give an even number"
            )
        if self.halves_per_node not in (1, 2):
            raise InputError(
                f"halves_per_node = {self.halves_per_node} is unknown; give 2 for half of the "
                "cores each, or 1 for all cores together"
            )
        jobs = self.jobs
        if len(jobs) and jobs.application.max() >= len(self.speeds):
            raise InputError(
                f"a job has application {jobs.application.max()}, where the speeds name "
                f"{len(self.speeds)}; number them from 0"
            )
        longest = _MOST_WORK // int(max(millionths(self.speeds.full).max(), PPM))
        if len(jobs) and jobs.run_ms.max() > longest:
            raise InputError(
                f"a job runs for {telling(jobs.run_ms.max() / MS, 3)} s, which is too long to "
                "count in millionths of a millisecond; check the log"
            )

    @property
    def fits(self) -> NDArray[np.bool_]:
        """Jobs that the cluster can run; the others are rejected."""
        fitting: NDArray[np.bool_] = self.jobs.nodes <= self.nodes
        return fitting

    @property
    def work(self) -> Integers:
        """Work of each job [millionths of a millisecond at speed 1]."""
        work: Integers = self.jobs.run_ms * millionths(self.speeds.full)[self.jobs.application]
        return work


@dataclass(frozen=True, eq=False)
class SharedSchedule:
    """Decisions of a rule and their true outcome; arrays of shape ``(jobs,)``.

    Attributes
    ----------
    start_ms, end_ms
        True start and end [ms]; ``NEVER`` for a rejected job.
    split
        Nodes of which the job got half; another job may have the other half.
    node_first, node
        Nodes of job ``j`` are ``node[node_first[j]:node_first[j + 1]]``, from 0 on. Those of which
        it got half come first.
    expected_end_ms
        When the scheduler expected the job to end at the latest, as known at its start [ms].
    promised_ms
        Reservation that the job got when it first waited at the head of the queue [ms];
        ``NEVER`` for a job that never did.
    """

    start_ms: Integers
    end_ms: Integers
    split: Integers
    node_first: Integers
    node: Integers
    expected_end_ms: Integers
    promised_ms: Integers

    @property
    def runs(self) -> NDArray[np.bool_]:
        """Jobs that ran."""
        ran: NDArray[np.bool_] = self.start_ms != NEVER
        return ran

    @property
    def shared(self) -> NDArray[np.bool_]:
        """Jobs that got half of at least one node, with or without a partner on the other half."""
        halves: NDArray[np.bool_] = self.split > 0
        return halves

    @property
    def count(self) -> Integers:
        """Nodes, or nodes with half of each, that each job got."""
        return np.diff(self.node_first)
