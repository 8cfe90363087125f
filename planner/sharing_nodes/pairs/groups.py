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
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError, PlanError, TooLargeError
from planner.formatting import plural, telling
from planner.sharing_nodes.pairs.problem import PairingProblem
from scenarios.formatting import nearest, short
from scenarios.pairs.pair_table import Floats, Indices
from solvers.matching.groups import Groups, choose
from solvers.model.result import Certificate

SIZES = (2, 3, 4)
MOST_GROUPS = 6_000_000
"""Predicted at once: all groups of up to four of 107 kinds of jobs, or up to three of 328."""


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

    @cached_property
    def speeds(self) -> tuple[tuple[float, ...], ...]:
        """Predicted relative speeds of the jobs of each group."""
        return tuple(speeds_of(self.problem, group) for group in self.groups)

    @cached_property
    def alone(self) -> tuple[int, ...]:
        """Jobs that share with nobody."""
        taken = {job for group in self.groups for job in group}
        return tuple(job for job in range(self.problem.jobs) if job not in taken)

    @property
    def gain(self) -> float:
        """Sum of the predicted gains."""
        return math.fsum(sum(speeds) - 1.0 for speeds in self.speeds)

    @property
    def max_slowdown(self) -> float:
        """Largest predicted slowdown."""
        return 1.0 / min((min(speeds) for speeds in self.speeds), default=1.0)


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

    Jobs of one application (and one owner, where owners have floors) are a kind. What is decided is
    how often each multiset of kinds is a group: equal jobs are alike.

    Raises
    ------
    InputError
        Rules that do not fit the jobs.
    PlanError
        No choice keeps to the rules, or none was found in time.
    """
    rules.check(problem.jobs)
    kinds = _kinds(problem, rules)
    members, speeds = predicted(problem, kinds, rules.size)
    result = choose(
        _program(rules, kinds, members, speeds), solver=solver, time_limit_s=time_limit_s
    )
    if result.groups is None:
        status = result.certificate.status
        raise PlanError(
            f"no choice of groups meets the floors and the budget ({status}); lower a floor"
        )
    jobs = [iter(jobs) for jobs in kinds]
    plan = (
        tuple(sorted(next(jobs[kind]) for kind in group if kind >= 0))
        for group in members[result.groups].tolist()
    )
    return GroupPlan(problem, rules, tuple(sorted(plan)), result.certificate)


def _kinds(problem: PairingProblem, rules: GroupRules) -> list[list[int]]:
    """Jobs that may change places, by kind.

    Two jobs of one application may run at different speeds: then owners with floors care which of
    their jobs is the earlier one, and each job is a kind of its own.
    """
    uneven = (problem.own[:, 0] != problem.own[:, 1]) & np.isfinite(problem.own).all(axis=1)
    kinds: dict[tuple[int, str, int], list[int]] = {}
    for job, application in enumerate(problem.kind.tolist()):
        owner = rules.users[job] if rules.floors else ""
        single = job if rules.floors and uneven[application] else -1
        kinds.setdefault((application, owner, single), []).append(job)
    return list(kinds.values())


def predicted(
    problem: PairingProblem, kinds: Sequence[Sequence[int]], size: int
) -> tuple[Indices, Floats]:
    """All multisets of kinds that gain and keep the limits: members and speeds.

    Behind the last member there are -1 and 0.

    Raises
    ------
    TooLargeError
        There are too many.
    """
    total = sum(math.comb(len(kinds) + k - 1, k) for k in range(2, size + 1))
    if total > MOST_GROUPS:
        raise TooLargeError(
            f"{len(kinds)} kinds of jobs have {total:,} groups of up to {size}, more than "
            f"{MOST_GROUPS:,}; give fewer jobs or smaller groups"
        )
    most = np.array([len(jobs) for jobs in kinds])
    applications = problem.kind[[jobs[0] for jobs in kinds]]
    earlier, later = _kind_speeds(problem, applications)
    selected: list[tuple[Indices, Floats]] = []
    for k in range(2, size + 1):
        each = combinations_with_replacement(range(len(kinds)), k)
        members = np.fromiter(chain.from_iterable(each), dtype=np.int64).reshape(-1, k)
        members = members[_available(members, most)]
        speeds = np.ones(members.shape)
        for i in range(k):
            for j in range(k):
                if i != j:
                    with_other = earlier if i < j else later
                    speeds[:, i] *= with_other[members[:, i], members[:, j]]
        gain = speeds.sum(axis=1) - 1.0
        good = (gain > 0) & problem.within_limits(gain, speeds.min(axis=1))
        good &= problem.fits(applications[members])
        filled = ((0, 0), (0, size - k))
        selected.append((np.pad(members[good], filled, constant_values=-1),
                     np.pad(speeds[good], filled)))  # fmt: skip
    return np.concatenate([m for m, _ in selected]), np.concatenate([s for _, s in selected])


def _available(members: Indices, most: Indices) -> NDArray[np.bool_]:
    """Which multisets take no more jobs of a kind than there are."""
    fits = np.ones(len(members), dtype=np.bool_)
    for column in members.T:
        fits &= (members == column[:, None]).sum(axis=1) <= most[column]
    return fits


def _kind_speeds(problem: PairingProblem, of: Indices) -> tuple[Floats, Floats]:
    """Relative speed of the row's job with the column's, if it is the earlier one, and if not.

    It is 0 where the pair was not measured.
    """
    speed = np.nan_to_num(problem.speed, nan=0.0)[np.ix_(of, of)]
    own = np.nan_to_num(problem.own, nan=0.0)[of]
    same = np.equal.outer(of, of)
    return np.where(same, own[:, :1], speed), np.where(same, own[:, 1:], speed)


def _program(
    rules: GroupRules,
    kinds: Sequence[Sequence[int]],
    members: Indices,
    speeds: Floats,
) -> Groups:
    rows, lower = [], []
    inside = members >= 0
    owners = np.array([*(rules.users[jobs[0]] for jobs in kinds if rules.users), ""], dtype=object)
    for user, floor in rules.floors.items():
        loss = np.where((owners[members] == user) & inside, speeds - 1.0, 0.0).sum(axis=1)
        rows.append(loss)
        lower.append((floor - 1.0) * rules.users.count(user))
    if rules.balanced:
        rows.append((speeds**2).sum(axis=1) - 1.0)
        lower.append(0.0)
    return Groups(
        np.array([len(jobs) for jobs in kinds]),
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
    errors += [f"job {job} is in two groups" for job, n in sorted(Counter(jobs).items()) if n > 1]
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
        elif not problem.fits(problem.kind[list(group)]):
            errors.append(f"the group {group} needs more memory than a node has")
        speeds.update(zip(group, own, strict=True))
        income += sum(speed**2 for speed in own) - 1.0
    for user, floor in rules.floors.items():
        mine = [speeds[job] for job, owner in enumerate(rules.users) if owner == user]
        if sum(mine) < floor * len(mine) - tolerance:
            errors.append(f"{user} has a mean speed of {sum(mine) / len(mine):.4f}, below {floor}")
    if rules.balanced and income < -tolerance:
        errors.append(f"the shared nodes earn {telling(-income)} nodes less than with one job each")
    return errors
