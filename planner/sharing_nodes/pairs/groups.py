"""Groups of up to four jobs on a node, predicted from pairs, with floors and a balanced budget.

Nobody measured groups. The prediction: with several others a job runs at the product of its
relative speeds with each of them. A group is predicted only where all its pairs were measured.

References
----------
Breslow et al. (SC 2013), equation 4: a fair price per node and second is the square of the relative
speed, 1 for a job alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from planner.errors import InputError, PlanError, TooLargeError
from planner.formatting import plural, telling
from planner.sharing_nodes.pairs.problem import PairingProblem
from scenarios.formatting import nearest, short
from scenarios.pairs.pair_table import Floats, Indices
from solvers.matching.groups import Groups, choose
from solvers.model.result import Certificate

SIZES = (2, 3, 4)
MOST_GROUPS = 6_000_000
"""Predicted at once: all groups of up to four of 110 jobs, or up to three of 330."""


@dataclass(frozen=True, kw_only=True)
class GroupRules:
    """What groups must keep to.

    Attributes
    ----------
    size
        Most jobs on a node.
    users
        Owner of each job; empty where nobody has a floor.
    floors
        Least mean relative speed of the jobs of a user, jobs alone counted as 1.
    balanced
        Whether the fair prices of all shared nodes together must be at least those of as many nodes
        with one job.
    """

    size: int = 3
    users: tuple[str, ...] = ()
    floors: Mapping[str, float] = field(default_factory=dict)
    balanced: bool = False

    def check(self, jobs: int) -> None:
        """Refuse rules that do not fit the jobs.

        Raises
        ------
        InputError
            A size, a number of users or a floor that cannot be.
        """
        if self.size not in SIZES:
            raise InputError(f"group size {self.size} is out of range; give a size from 2 to 4")
        if (self.users or self.floors) and len(self.users) != jobs:
            given = f"{plural(len(self.users), 'user')} for {plural(jobs, 'job')}"
            raise InputError(f"{given}; give one owner for each job")
        for user, floor in self.floors.items():
            if user not in self.users:
                remedy = nearest(user, sorted({*self.users}))
                raise InputError(f"--floor: {short(user)} owns no job; {remedy}")
            if not 0 <= floor <= 1:
                raise InputError(
                    f"--floor {user}={floor:g} is out of range; give a speed from 0 to 1"
                )


@dataclass(frozen=True, eq=False)
class GroupPlan:
    """Groups of jobs with their certificate: optimality is that of the predicted problem."""

    problem: PairingProblem
    rules: GroupRules
    groups: tuple[tuple[int, ...], ...]
    certificate: Certificate

    @property
    def alone(self) -> tuple[int, ...]:
        """Jobs that share with nobody."""
        taken = {job for group in self.groups for job in group}
        return tuple(job for job in range(self.problem.jobs) if job not in taken)

    @property
    def gain(self) -> float:
        """Sum of the predicted gains."""
        return math.fsum(sum(speeds_of(self.problem, group)) - 1.0 for group in self.groups)

    @property
    def max_slowdown(self) -> float:
        """Largest predicted slowdown."""
        speeds = [speed for group in self.groups for speed in speeds_of(self.problem, group)]
        return 1.0 / min(speeds, default=1.0)


def speeds_of(problem: PairingProblem, group: Sequence[int]) -> tuple[float, ...]:
    """Predicted relative speed of each job of a group.

    If two jobs run the same application, the earlier one has the first measured speed.
    """

    def with_other(job: int, other: int) -> float:
        return problem.speeds(min(job, other), max(job, other))[int(job > other)]

    return tuple(math.prod(with_other(job, other) for other in group if other != job)
                 for job in group)  # fmt: skip


def grouped(
    problem: PairingProblem,
    rules: GroupRules,
    *,
    solver: str = "highs",
    time_limit_s: float | None = None,
) -> GroupPlan:
    """Groups of greatest predicted gain.

    Raises
    ------
    InputError
        Rules that do not fit the jobs.
    PlanError
        No choice keeps to the rules, or none was found in time.
    """
    rules.check(problem.jobs)
    members, speeds = predicted(problem, rules.size)
    return grouped_on(problem, rules, members, speeds, solver=solver, time_limit_s=time_limit_s)


def grouped_on(
    problem: PairingProblem,
    rules: GroupRules,
    members: Indices,
    speeds: Floats,
    *,
    solver: str = "highs",
    time_limit_s: float | None = None,
) -> GroupPlan:
    """Groups of greatest gain among given ones, with given speeds.

    Parameters
    ----------
    members, speeds
        Jobs of each group and their relative speeds, ``(groups, rules.size)``; -1 and 0 behind the
        last job of a smaller group.

    Raises
    ------
    PlanError
        No choice keeps to the rules, or none was found in time.
    """
    groups = _program(problem, rules, members, speeds)
    result = choose(groups, solver=solver, time_limit_s=time_limit_s)
    if result.groups is None:
        status = result.certificate.status
        raise PlanError(
            f"no choice of groups meets the floors and the budget ({status}); lower a floor"
        )
    chosen = members[result.groups].tolist()
    plan = (tuple(job for job in group if job >= 0) for group in chosen)
    return GroupPlan(problem, rules, tuple(sorted(plan)), result.certificate)


def predicted(problem: PairingProblem, size: int) -> tuple[Indices, Floats]:
    """All groups that gain and keep the limits: members and speeds, -1 and 0 behind the last.

    Raises
    ------
    TooLargeError
        There are too many.
    """
    total = sum(math.comb(problem.jobs, k) for k in range(2, size + 1))
    if total > MOST_GROUPS:
        raise TooLargeError(
            f"{problem.jobs} jobs have {total:,} groups of up to {size}, more than "
            f"{MOST_GROUPS:,}; give fewer jobs or smaller groups"
        )
    speed = _job_speeds(problem)
    selected: list[tuple[Indices, Floats]] = []
    for k in range(2, size + 1):
        members = np.fromiter(
            (job for group in combinations(range(problem.jobs), k) for job in group),
            dtype=np.int64, count=k * math.comb(problem.jobs, k),
        ).reshape(-1, k)  # fmt: skip
        speeds = np.ones(members.shape)
        for i in range(k):
            for j in range(k):
                if i != j:
                    speeds[:, i] *= speed[members[:, i], members[:, j]]
        gain = speeds.sum(axis=1) - 1.0
        good = (gain > 0) & problem.within_limits(gain, speeds.min(axis=1))
        filled = ((0, 0), (0, size - k))
        selected.append((np.pad(members[good], filled, constant_values=-1),
                     np.pad(speeds[good], filled)))  # fmt: skip
    return np.concatenate([m for m, _ in selected]), np.concatenate([s for _, s in selected])


def _job_speeds(problem: PairingProblem) -> Floats:
    """Relative speed of the row's job with the column's; 0 where not measured."""
    speed = problem.of_jobs(np.nan_to_num(problem.speed, nan=0.0))
    same = np.equal.outer(problem.kind, problem.kind)
    own = np.nan_to_num(problem.own, nan=0.0)[problem.kind]
    upper = np.triu(np.ones_like(same), 1)
    speed = np.where(same & upper, own[:, :1], speed)
    job_speeds: Floats = np.where(same & ~upper, own[:, 1:], speed)
    return job_speeds


def _program(
    problem: PairingProblem, rules: GroupRules, members: Indices, speeds: Floats
) -> Groups:
    rows, lower = [], []
    inside = members >= 0
    owners = np.array([*rules.users, ""], dtype=object)
    for user, floor in rules.floors.items():
        loss = np.where((owners[members] == user) & inside, speeds - 1.0, 0.0).sum(axis=1)
        rows.append(loss)
        lower.append((floor - 1.0) * rules.users.count(user))
    if rules.balanced:
        rows.append((speeds**2).sum(axis=1) - 1.0)
        lower.append(0.0)
    return Groups(
        problem.jobs,
        members,
        speeds.sum(axis=1) - 1.0,
        np.array(rows, dtype=np.float64).reshape(len(rows), len(members)),
        np.array(lower, dtype=np.float64),
    )


def violations(plan: GroupPlan, *, tolerance: float = 1e-6) -> list[str]:
    """What is wrong with groups, from the problem and the rules alone."""
    problem, rules = plan.problem, plan.rules
    errors = []
    jobs = [job for group in plan.groups for job in group]
    errors += [f"job {job} is in two groups" for job in sorted({*jobs}) if jobs.count(job) > 1]
    speeds = dict.fromkeys(range(problem.jobs), 1.0)
    income = 0.0
    for group in plan.groups:
        if not 2 <= len(group) <= rules.size:
            errors.append(f"a group has {plural(len(group), 'job')}")
        own = speeds_of(problem, group)
        if not all(math.isfinite(speed) for speed in own):
            errors.append(f"a pair of the group {group} was not measured")
        elif not problem.within_limits(np.array(sum(own) - 1.0), np.array(min(own))):
            errors.append(f"the group {group} breaks a limit of the problem")
        speeds.update(zip(group, own, strict=True))
        income += sum(speed**2 for speed in own) - 1.0
    for user, floor in rules.floors.items():
        mine = [speeds[job] for job, owner in enumerate(rules.users) if owner == user]
        if sum(mine) < floor * len(mine) - tolerance:
            errors.append(f"{user} has a mean speed of {sum(mine) / len(mine):.4f}, below {floor}")
    if rules.balanced and income < -tolerance:
        errors.append(f"the shared nodes earn {telling(-income)} nodes less than with one job each")
    return errors
