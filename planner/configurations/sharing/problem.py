"""Jobs that share nodes and watts, and what was chosen for them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from planner.configurations.selection import Bound
from planner.configurations.table import Configuration, ConfigurationTable
from planner.errors import InputError
from planner.formatting import power
from solvers import Certificate

Goal = Literal["weighted time", "makespan"]
_WEIGHTS = 1e-9, 1e9


@dataclass(frozen=True, eq=False)
class SharedJob:
    """A job that may run as any configuration of its table.

    Attributes
    ----------
    name
        Name of the job.
    table
        Its configurations.
    weight
        Weight of its run time in the weighted time, above 0.
    """

    name: str
    table: ConfigurationTable
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class SharingProblem:
    """Jobs that run at once, on one machine under one bound.

    Attributes
    ----------
    jobs
        The jobs; each gets one configuration.
    bound
        Power bound of all jobs together [W].
    nodes
        Nodes of the machine.

    Raises
    ------
    InputError
        No jobs, no nodes, or a weight that is not above 0.

    Examples
    --------
    >>> import headroom as hr
    >>> table = hr.problems.ConfigurationTable(
    ...     "a", nodes=[2, 4], cores_per_node=[16, 16], package_cap_w=[51.0, 51.0],
    ...     time_s=[10.0, 6.0], power_w=[30.0, 60.0],
    ... )
    >>> jobs = (hr.problems.SharedJob("one", table), hr.problems.SharedJob("two", table))
    >>> problem = hr.problems.SharingProblem(jobs, hr.problems.Bound(100), nodes=6)
    >>> hr.formulations.sharing.share(problem).weighted_time_s
    16.0
    """

    jobs: tuple[SharedJob, ...]
    bound: Bound
    nodes: int

    def __post_init__(self) -> None:
        if not self.jobs:
            raise InputError("there are no jobs; give at least one")
        if self.nodes < 1:
            raise InputError(f"the machine has {self.nodes} nodes; give at least one")
        for job in self.jobs:
            if not _WEIGHTS[0] <= job.weight <= _WEIGHTS[1]:
                raise InputError(
                    f"the weight of {job.name} is {job.weight:g}; give {_WEIGHTS[0]:g} to "
                    f"{_WEIGHTS[1]:g}"
                )

    @property
    def largest_power_w(self) -> float:
        """Return the power of all jobs in their configurations that draw most [W]."""
        return round(sum(float(job.table.power_w.max()) for job in self.jobs), 9)


@dataclass(frozen=True, eq=False)
class SharingPlan:
    """One configuration per job.

    Attributes
    ----------
    problem, goal
        Jobs, nodes and bound, and what is minimised.
    method
        How it was found.
    configurations
        One per job, in their order.
    certificate
        Certificate of the goal's value; ``None`` for a rule of thumb.
    within_deadline
        For a makespan: the certificate of the least weighted time among the choices that keep it.
    """

    problem: SharingProblem
    goal: Goal
    method: str
    configurations: tuple[Configuration, ...]
    certificate: Certificate | None = None
    within_deadline: Certificate | None = None

    @property
    def weighted_time_s(self) -> float:
        """Sum of the jobs' times, each by its weight [s]."""
        pairs = zip(self.problem.jobs, self.configurations, strict=True)
        return sum(job.weight * configuration.time_s for job, configuration in pairs)

    @property
    def makespan_s(self) -> float:
        """Time until the last of them has ended [s]."""
        return max(configuration.time_s for configuration in self.configurations)

    @property
    def value(self) -> float:
        """Return the value that the goal minimises [s]."""
        return self.makespan_s if self.goal == "makespan" else self.weighted_time_s

    @property
    def power_w(self) -> float:
        """Power of all jobs together [W]."""
        return round(sum(configuration.power_w for configuration in self.configurations), 9)

    @property
    def nodes(self) -> int:
        """Nodes of all jobs together."""
        return sum(configuration.nodes for configuration in self.configurations)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        jobs = zip(self.problem.jobs, self.configurations, strict=True)
        return {
            "goal": self.goal,
            "method": self.method,
            "weighted_time_s": self.weighted_time_s,
            "makespan_s": self.makespan_s,
            "power_w": self.power_w,
            "nodes": self.nodes,
            "jobs": [
                {"name": job.name, "weight": job.weight} | configuration.to_dict()
                for job, configuration in jobs
            ],
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
            "within_deadline": None
            if self.within_deadline is None
            else self.within_deadline.to_dict(),
        }


def violations(plan: SharingPlan) -> list[str]:
    """List what is wrong with a plan, recomputed from its problem alone."""
    problems = []
    problem = plan.problem
    if len(plan.configurations) != len(problem.jobs):
        return [f"{len(plan.configurations)} configurations for {len(problem.jobs)} jobs"]
    for job, configuration in zip(problem.jobs, plan.configurations, strict=True):
        if not job.table.alike(configuration).any():
            problems.append(f"{job.name}: {configuration} is not in its table")
    bound_w = problem.bound.usable_w
    if plan.power_w > bound_w:
        drawn, allowed = power(plan.power_w, "up"), power(bound_w, "down")
        problems.append(f"the jobs draw {drawn}, above {allowed}")
    if plan.nodes > problem.nodes:
        problems.append(
            f"the jobs need {plan.nodes:,} nodes, and the machine has {problem.nodes:,}"
        )
    return problems
