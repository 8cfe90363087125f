"""A base class for power-aware policies that react to events: ILP schedulers and users' own.

Such a policy sees requests, the job details table and what runs; it never sees a true run time
before the job has ended, nor a true power. It names jobs and the configuration of each; every
answer is checked in every pass.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Literal, Protocol

from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment, RunningJob
from planner.scheduling.power.policy import PowerRun, SchedulerDecision
from planner.scheduling.power.problem import JobDetails, PowerProblem

__all__ = ["Kill", "Choice", "PowerEventDriven", "PowerJob", "PowerMoment", "RunningJob"]

Kill = Literal["never", "deadline"]
"""``never``: a job runs to its end. ``deadline``: it is ended at its deadline."""


class PowerEventDriven(Protocol):
    """A policy that is called at each submission and each end, and says which jobs start now.

    Derive from this class, write :meth:`decide`, and set ``name``. Each simulation uses a fresh
    copy of the object, so that what it keeps on ``self`` begins anew.

    Attributes
    ----------
    kill
        Whether jobs are ended at their deadlines.
    node_order
        Nodes in order of preference, a permutation of all; a job gets the free ones that come
        first. By default in order of their numbers.
    """

    kill: Kill = "never"
    node_order: Sequence[int] | None = None

    @property
    def name(self) -> str:
        """Name in tables; by default the name of the class."""
        return type(self).__name__

    @abstractmethod
    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        """Return the jobs that start now, of those that wait, each with its configuration."""
        ...

    def accepts(self, job: PowerJob, details: JobDetails, nodes: int, bound_mw: int) -> bool:
        """Return whether the policy ever starts a job; one that it does not accept is rejected.

        By default it accepts all. Jobs that no configuration can run are rejected anyway.

        Parameters
        ----------
        nodes
            Nodes of the cluster.
        bound_mw
            What all running jobs may be charged together [mW].
        """
        del job, details, nodes, bound_mw
        return True

    def deadline_ms(self, job: PowerJob, row: int, details: JobDetails) -> int:
        """Return the time after its start at which a job is ended, if ``kill`` says so [ms].

        The longer of the requested time and the expected time of its configuration.

        References
        ----------
        Patki (2015), section 5.2: policies Naive and Adaptive; Algorithm 1.
        """
        return max(job.requested_ms, job.expected_ms(int(details.time_ms[row])))

    def decisions(self) -> Iterable[SchedulerDecision]:
        """Return the record of the decisions; by default there is none."""
        return ()

    def schedule(self, problem: PowerProblem) -> PowerRun:
        """Run the log.

        Raises
        ------
        InputError
            A job is started that does not wait, does not fit or has another application's
            configuration; jobs wait for ever; or ``node_order`` is not a permutation.
        """
        from planner.scheduling.power.events.play import play

        return play(deepcopy(self), problem)
