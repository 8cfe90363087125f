r"""Many jobs under one power bound: one configuration each, nodes and watts shared.

Sets and parameters
    j in jobs          weight ``w_j``
    k in K_j           configurations of job j: time ``t_jk`` [s], power ``P_jk`` [W], nodes
                       ``n_jk``
    P, N               power bound [W], nodes of the machine
Variables
    x[j, k]            1 if job j runs as configuration k
Objective
    *weighted time*    minimise  sum_jk w_j t_jk x[j, k]
    *makespan*         minimise  max_j sum_k t_jk x[j, k], all jobs running at once
Constraints
    one                sum_k x[j, k] = 1 for every job
    watts              sum_jk P_jk x[j, k] <= P
    nodes              sum_jk n_jk x[j, k] <= N

Weighted time is a multiple-choice knapsack with two budgets, for :mod:`solvers.choice`. For the
makespan a deadline is bisected: with the configurations that meet it, the least power within the
nodes is a knapsack with one budget, and the deadline can be kept if that power is within the
bound. Deadlines proved impossible give the makespan's own bound. Of all choices that keep the best
deadline, one of least weighted time is returned.

References
----------
Thesis, chapter 5 (jobs under one bound, each from its table of configurations); there every job
gets a fair share and the question of an optimum is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from planner.configuration.selection import Bound
from planner.configuration.table import Configuration, ConfigurationTable
from planner.errors import InputError, PlanError
from scenarios.measurements import Floats, Indices
from solvers import Certificate, Status
from solvers.choice import Choice, ChoiceResult, solve_choice
from solvers.result import gaps

Goal = Literal["weighted time", "makespan"]

_BUDGETS = ("nodes", "watts")


@dataclass(frozen=True, eq=False)
class Job:
    """A job that may run as any configuration of its table."""

    name: str
    table: ConfigurationTable
    weight: float = 1.0


@dataclass(frozen=True, eq=False)
class Problem:
    """Jobs that run at once, on one machine under one bound.

    Raises
    ------
    InputError
        No jobs, no nodes, or a weight that is not above 0.
    """

    jobs: tuple[Job, ...]
    bound: Bound
    nodes: int

    def __post_init__(self) -> None:
        if not self.jobs:
            raise InputError("there are no jobs to share among; give one or more")
        if self.nodes < 1:
            raise InputError(f"a machine of {self.nodes} nodes; give one or more")
        for job in self.jobs:
            if not 0 < job.weight < np.inf:
                raise InputError(f"the weight of {job.name} is {job.weight:g}; give one above 0")


@dataclass(frozen=True, eq=False)
class Plan:
    """One configuration per job.

    Attributes
    ----------
    problem, goal
        What was asked.
    method
        How it was found.
    configurations
        One per job, in their order.
    certificate
        Of the goal's value; ``None`` for a rule of thumb.
    """

    problem: Problem
    goal: Goal
    method: str
    configurations: tuple[Configuration, ...]
    certificate: Certificate | None = None

    @property
    def weighted_time_s(self) -> float:
        """Sum of the jobs' times, each by its weight [s]."""
        pairs = zip(self.problem.jobs, self.configurations, strict=True)
        return sum(job.weight * found.time_s for job, found in pairs)

    @property
    def makespan_s(self) -> float:
        """Time until the last of them has ended [s]."""
        return max(found.time_s for found in self.configurations)

    @property
    def value(self) -> float:
        """What the goal minimises [s]."""
        return self.makespan_s if self.goal == "makespan" else self.weighted_time_s

    @property
    def power_w(self) -> float:
        """Power of all jobs together [W]."""
        return sum(found.power_w for found in self.configurations)

    @property
    def nodes(self) -> int:
        """Nodes of all jobs together."""
        return sum(found.nodes for found in self.configurations)

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
                {"name": job.name, "weight": job.weight} | found.to_dict() for job, found in jobs
            ],
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
        }


def share(
    problem: Problem,
    *,
    goal: Goal = "weighted time",
    method: str = "lagrangian",
    gap: float = 1e-6,
    time_limit_s: float | None = None,
    seed: int = 0,
) -> Plan:
    """Choose a configuration for every job.

    Parameters
    ----------
    goal
        What is minimised.
    method
        ``"equal shares"``: each job its best within an equal part of watts and nodes.
        ``"greedy"``: from the lightest configurations on, what saves most time per watt and node.
        ``"lagrangian"``, ``"highs"``, ``"cbc"``, ``"both"``: as in
        :func:`solvers.choice.solve_choice`.
    gap, time_limit_s, seed
        The same.

    Raises
    ------
    PlanError
        No choice keeps to the watts and the nodes; says by how much.
    InputError
        An unknown goal or method.
    """
    if goal not in get_args(Goal):
        raise InputError(f"unknown goal {goal!r}; choose one of {', '.join(get_args(Goal))}")
    if method == "equal shares":
        return _equal_shares(problem, goal)
    solve = _Solve(method, gap, time_limit_s, seed)
    return _makespan(problem, solve) if goal == "makespan" else _weighted_time(problem, solve)


def violations(plan: Plan) -> list[str]:
    """What is wrong with a plan, recomputed from its problem alone."""
    wrong = []
    problem = plan.problem
    if len(plan.configurations) != len(problem.jobs):
        return [f"{len(plan.configurations)} configurations for {len(problem.jobs)} jobs"]
    for job, found in zip(problem.jobs, plan.configurations, strict=True):
        table = job.table
        same = (
            (table.nodes == found.nodes)
            & (table.cores_per_node == found.cores_per_node)
            & (table.package_cap_w == found.package_cap_w)
            & (table.time_s == found.time_s)
            & (table.power_w == found.power_w)
        )
        if not same.any():
            wrong.append(f"{job.name}: {found} is not in its table")
    power, bound = plan.power_w, problem.bound.usable_w
    if power > bound * (1 + 1e-12):
        wrong.append(f"the jobs draw {power:,.6g} W, above {bound:,.6g} W")
    if plan.nodes > problem.nodes:
        wrong.append(f"the jobs take {plan.nodes} nodes of {problem.nodes}")
    return wrong


@dataclass(frozen=True)
class _Solve:
    """How choices are solved."""

    method: str
    gap: float
    time_limit_s: float | None
    seed: int

    def __call__(self, problem: Choice) -> ChoiceResult:
        try:
            return solve_choice(
                problem,
                method=self.method,
                gap=self.gap,
                time_limit_s=self.time_limit_s,
                seed=self.seed,
            )
        except ValueError as error:
            raise InputError(str(error)) from None


@dataclass(frozen=True, eq=False)
class _Stacked:
    """The tables of all jobs, one below the other.

    ``job`` is the job of each row; ``row`` its row in the job's table.
    """

    job: Indices
    row: Indices
    time_s: Floats
    power_w: Floats
    nodes: Floats
    weight: Floats

    def choice(
        self, keep: Indices, cost: Floats, weights: Floats, budgets: Sequence[float]
    ) -> Choice:
        """A choice among the kept rows; every job must have kept one."""
        jobs = int(self.job[-1]) + 1
        starts = np.searchsorted(self.job[keep], np.arange(jobs + 1))
        names = _BUDGETS[: len(budgets)]
        return Choice(
            starts, cost[keep], weights[keep], np.array(budgets), name="sharing", resources=names
        )


def _stacked(problem: Problem) -> _Stacked:
    sizes = [len(job.table) for job in problem.jobs]
    tables = [job.table for job in problem.jobs]
    return _Stacked(
        np.repeat(np.arange(len(sizes)), sizes),
        np.concatenate([np.arange(size) for size in sizes]),
        np.concatenate([table.time_s for table in tables]),
        np.concatenate([table.power_w for table in tables]),
        np.concatenate([table.nodes for table in tables]).astype(np.float64),
        np.repeat([job.weight for job in problem.jobs], sizes),
    )


def _weighted_time(problem: Problem, solve: _Solve) -> Plan:
    rows = _stacked(problem)
    every = np.arange(len(rows.job))
    found = solve(_both_budgets(problem, rows, every))
    if found.chosen is None:
        raise PlanError(_why_not(problem, found))
    return _plan(problem, "weighted time", solve, rows, every[found.chosen], found.certificate)


def _both_budgets(problem: Problem, rows: _Stacked, keep: Indices) -> Choice:
    weights = np.column_stack((rows.nodes, rows.power_w))
    budgets = (float(problem.nodes), problem.bound.usable_w)
    return rows.choice(keep, rows.weight * rows.time_s, weights, budgets)


def _makespan(problem: Problem, solve: _Solve) -> Plan:
    """Bisect the deadlines that any configuration could just meet."""
    rows = _stacked(problem)
    firsts = np.searchsorted(rows.job, np.arange(len(problem.jobs)))
    possible = float(np.minimum.reduceat(rows.time_s, firsts).max())
    deadlines = np.unique(rows.time_s)
    deadlines = deadlines[deadlines >= possible]
    kept, refused = len(deadlines), -1  # the first deadline kept, the last proved impossible
    chosen: Indices | None = None
    last: ChoiceResult | None = None
    low, high = 0, len(deadlines) - 1
    while low <= high:
        middle = (low + high) // 2
        keep = np.flatnonzero(rows.time_s <= deadlines[middle])
        last = solve(rows.choice(keep, rows.power_w, rows.nodes[:, None], [float(problem.nodes)]))
        if last.chosen is not None and _within(rows.power_w[keep[last.chosen]], problem):
            kept, chosen, high = middle, keep[last.chosen], middle - 1
            continue
        impossible = last.status is Status.INFEASIBLE or (
            last.bound is not None and last.bound > problem.bound.usable_w
        )
        refused = max(refused, middle) if impossible else refused
        low = middle + 1
    if chosen is None or last is None:
        raise PlanError(
            _why_not(problem, solve(_both_budgets(problem, rows, np.arange(len(rows.job)))))
        )
    keep = np.flatnonzero(rows.time_s <= deadlines[kept])
    best = solve(_both_budgets(problem, rows, keep))
    if best.chosen is not None:
        chosen = keep[best.chosen]
    value = float(rows.time_s[chosen].max())
    bound = float(deadlines[refused + 1])
    return _plan(problem, "makespan", solve, rows, chosen, _deadline(last, value, bound, solve.gap))


def _within(power_w: Floats, problem: Problem) -> bool:
    return float(power_w.sum()) <= problem.bound.usable_w


def _deadline(last: ChoiceResult, value: float, bound: float, gap: float) -> Certificate:
    """The certificate of a makespan: its bound is the first deadline that was not refuted."""
    absolute, relative = gaps(value, bound)
    closed = relative is not None and relative <= gap
    return replace(
        last.certificate,
        status=Status.OPTIMAL if closed else Status.FEASIBLE,
        objective=value,
        bound=bound,
        gap_absolute=absolute,
        gap_relative=relative,
        model="makespan",
        notes=("the bound is the first deadline not proved impossible",),
    )


def _plan(
    problem: Problem,
    goal: Goal,
    solve: _Solve,
    rows: _Stacked,
    chosen: Indices,
    certificate: Certificate,
) -> Plan:
    found = tuple(
        job.table.row(int(rows.row[row])) for job, row in zip(problem.jobs, chosen, strict=True)
    )
    return Plan(problem, goal, solve.method, found, certificate)


def _equal_shares(problem: Problem, goal: Goal) -> Plan:
    """Each job its fastest within an equal part of watts and nodes."""
    watts = problem.bound.usable_w / len(problem.jobs)
    nodes = problem.nodes // len(problem.jobs)
    found = []
    for job in problem.jobs:
        table = job.table
        inside = np.flatnonzero((table.power_w <= watts) & (table.nodes <= nodes))
        if not len(inside):
            raise PlanError(
                f"{job.name} has no configuration within its equal share of {nodes} nodes and "
                f"{watts:,.6g} W"
            )
        order = np.lexsort((table.power_w[inside], table.time_s[inside]))
        found.append(table.row(int(inside[order[0]])))
    return Plan(problem, goal, "equal shares", tuple(found))


def _why_not(problem: Problem, found: ChoiceResult) -> str:
    if found.status is not Status.INFEASIBLE:
        return "no choice was found in time; give more of it"
    notes = "; ".join(found.certificate.notes)
    return (
        f"{len(problem.jobs)} jobs cannot run at once on {problem.nodes} nodes under "
        f"{problem.bound.usable_w:,.6g} W ({notes}); raise what is short, or run fewer at once"
    )
