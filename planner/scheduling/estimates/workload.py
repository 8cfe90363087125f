"""A log on a machine, and its users in the order in which they adopt a tool.

The users are put in a random order. The first fifth are the sampled users, whose queue times are
reported. At an uptake of u, the first share u of the users use the tool. So a larger uptake adds
users and removes none, and at 20 % exactly the sampled users use the tool.

References
----------
Smith, Hammond and Jarvis (2011), section 5: 24, 47 and 93 users of the three logs.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import Known
from planner.scheduling.policies.problem import SchedulingProblem
from planner.scheduling.simulation.simulate import problem_of
from scenarios.job_logs.job_log import MISSING, JobLog

SEED_GROUP = 0.2


@dataclass(frozen=True, eq=False)
class EstimateWorkload:
    """Jobs that fit a machine.

    Attributes
    ----------
    log
        The jobs that are simulated.
    problem
        These jobs as a scheduling problem, with their requests as estimates.
    rejected
        Number of jobs that are larger than the machine; they are not simulated.
    seed_group
        Share of the users whose queue times are reported (the sampled users).
    """

    log: JobLog
    problem: SchedulingProblem
    rejected: int
    seed_group: float = SEED_GROUP

    @property
    def users(self) -> int:
        """How many users there are; jobs that nobody is known for count as one user's."""
        return len(self.present)

    @property
    def nameless(self) -> int:
        """Jobs of which the log does not say whose they are."""
        return int((self.log.user == MISSING).sum())

    @cached_property
    def present(self) -> NDArray[np.int32]:
        """The users who have jobs."""
        return np.unique(self.problem.user)

    @cached_property
    def known(self) -> Known:
        """What a predictor sees of the jobs."""
        jobs, log = self.problem.jobs, self.log
        return Known(
            jobs.submit, jobs.processors, jobs.estimate, self.problem.user, log.group, log.queue
        )

    def tool_users(self, seed: int, uptake: float) -> NDArray[np.bool_]:
        """Return whether a job is of a user of the tool, shape ``(jobs,)``."""
        order = np.random.default_rng(seed).permutation(self.present)
        uses = np.zeros(int(self.present.max(initial=0)) + 1, np.bool_)
        uses[order[: self.group_size(uptake)]] = True
        jobs: NDArray[np.bool_] = uses[self.problem.user]
        return jobs

    def group_size(self, share: float) -> int:
        """Users in such a share of them, at least one of a share above 0."""
        return max(round(share * self.users), int(share > 0))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the jobs, the machine and the names that a configuration may speak of."""
        digest = hashlib.sha256(f"{self.problem.processors} {self.seed_group!r}".encode())
        for array in (
            *self.problem.jobs,
            self.problem.user,
            self.problem.group,
            self.problem.queue,
        ):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(repr(sorted(self.problem.names.items())).encode())
        return digest.hexdigest()


def workload_of(
    log: JobLog, processors: int | None = None, seed_group: float = SEED_GROUP
) -> EstimateWorkload:
    """The jobs of a log that fit a machine.

    Parameters
    ----------
    log
        The jobs.
    processors
        Processors of the machine; by default what the log says.
    seed_group
        Share of the users whose queue times are reported, above 0.

    Raises
    ------
    InputError
        No job fits the machine, or its size is not known; a share outside 0 to 1.
    """
    if not 0 < seed_group <= 1:
        raise InputError(
            f"a share of sampled users of {seed_group:g} is out of range; give above 0, at most 1"
        )
    problem, fits = problem_of(log, processors)
    if not fits.any():
        raise InputError(
            f"no job of {log.name} fits {problem.processors:,} processors; give a log with jobs, "
            "or more processors"
        )
    return EstimateWorkload(log.take(fits), problem, int((~fits).sum()), seed_group)
