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
makespan, a deadline is bisected. With the configurations that meet it, the least power within the
nodes is a knapsack with one budget. The deadline can be kept if that power is within the bound.
Deadlines proved impossible give the makespan's own bound. Among all choices that keep the best
deadline, one of least weighted time is returned.

References
----------
Thesis, chapter 5 (jobs under one bound, each from its table of configurations); there every job
gets a fair share and the question of an optimum is left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.configurations.sharing.problem import Goal, SharingPlan, SharingProblem
from planner.errors import InputError, PlanError
from planner.finding import finding
from planner.formatting import enough, plural, watts
from scenarios.measurements.runs import Floats, Indices
from solvers import Certificate, Status
from solvers.choice import Choice, ChoiceResult, solve_choice
from solvers.model.result import gaps

_BUDGETS = ("nodes", "watts")


@dataclass(frozen=True)
class Solve:
    """How choices are solved: the arguments of :func:`solvers.choice.solve_choice`."""

    method: str
    gap: float
    time_limit_s: float | None
    seed: int

    def __call__(self, problem: Choice) -> ChoiceResult:
        """Solve one choice."""
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
    """The tables of all jobs, each once, one below the other.

    ``starts`` are the first rows of the tables, ``(tables + 1,)``; ``table`` is the table of each
    job, ``weight`` its weight.
    """

    starts: Indices
    time_s: Floats
    power_w: Floats
    nodes: Floats
    table: Indices
    weight: Floats

    def choice(
        self, keep: Indices, cost: Floats, weights: Floats, budgets: Sequence[float],
        factor: Floats | None = None,
    ) -> Choice:  # fmt: skip
        """A choice among the kept rows; every job must have kept one."""
        starts = np.searchsorted(keep, self.starts)
        factor = np.ones(len(self.table)) if factor is None else factor
        return Choice(
            np.r_[0, np.cumsum(np.diff(starts)[self.table])], cost[keep], weights[keep],
            np.array(budgets), name="sharing", resources=_BUDGETS[: len(budgets)],
            table=starts[self.table], factor=factor,
        )  # fmt: skip

    def least(self, numbers: Floats) -> Floats:
        """Least number of each job's rows, shape ``(jobs,)``."""
        return np.asarray(np.minimum.reduceat(numbers, self.starts[:-1])[self.table])


def _stacked(problem: SharingProblem) -> _Stacked:
    by_id = {id(job.table): job.table for job in problem.jobs}
    tables, index = list(by_id.values()), {key: place for place, key in enumerate(by_id)}
    return _Stacked(
        np.r_[0, np.cumsum([len(table) for table in tables])],
        np.concatenate([table.time_s for table in tables]),
        np.concatenate([table.power_w for table in tables]),
        np.concatenate([table.nodes for table in tables]).astype(np.float64),
        np.array([index[id(job.table)] for job in problem.jobs]),
        np.array([job.weight for job in problem.jobs], dtype=np.float64),
    )


def weighted_time(problem: SharingProblem, solve: Solve) -> SharingPlan:
    """Minimise the sum of weighted times."""
    rows = _stacked(problem)
    outcome = solve(_both_budgets(problem, rows, np.arange(len(rows.time_s))))
    if outcome.rows is None:
        raise _no_plan(problem, rows, solve)
    return _plan(problem, "weighted time", solve, rows, outcome.rows, outcome.certificate)


def _both_budgets(problem: SharingProblem, rows: _Stacked, keep: Indices) -> Choice:
    weights = np.column_stack((rows.nodes, rows.power_w))
    budgets = (float(problem.nodes), problem.bound.usable_w)
    return rows.choice(keep, rows.time_s, weights, budgets, rows.weight)


def makespan(problem: SharingProblem, solve: Solve) -> SharingPlan:
    """Minimise the makespan by bisection over the deadlines that configurations just meet."""
    rows = _stacked(problem)
    possible = float(rows.least(rows.time_s).max())
    deadlines = np.unique(rows.time_s)
    deadlines = deadlines[deadlines >= possible]
    earliest, refused = len(deadlines), -1  # the first deadline kept, the last proved impossible
    chosen: Indices | None = None
    last: ChoiceResult | None = None
    refuting: ChoiceResult | None = None
    low, high = 0, len(deadlines) - 1
    while low <= high:
        middle = (low + high) // 2
        keep = np.flatnonzero(rows.time_s <= deadlines[middle])
        last = solve(rows.choice(keep, rows.power_w, rows.nodes[:, None], [float(problem.nodes)]))
        if last.rows is not None and _within(rows.power_w[keep[last.rows]], problem):
            earliest, chosen, high = middle, keep[last.rows], middle - 1
            continue
        impossible = last.status is Status.INFEASIBLE or (
            last.bound is not None and last.bound > problem.bound.usable_w
        )
        if impossible:  # later deadlines only: each is above the last that was not kept
            refused, refuting = middle, last
        low = middle + 1
    if chosen is None or last is None:
        raise _no_plan(problem, rows, solve)
    keep = np.flatnonzero(rows.time_s <= deadlines[earliest])
    best = solve(_both_budgets(problem, rows, keep))
    if best.rows is not None:
        chosen = keep[best.rows]
    value = float(rows.time_s[chosen].max())
    bound = float(deadlines[refused + 1])
    certificate = _deadline(refuting or last, value, bound, solve.gap)
    plan = _plan(problem, "makespan", solve, rows, chosen, certificate)
    return replace(plan, within_deadline=best.certificate)


def _within(power_w: Floats, problem: SharingProblem) -> bool:
    return round(float(power_w.sum()), 9) <= problem.bound.usable_w


def _deadline(shows: ChoiceResult, value: float, bound: float, gap: float) -> Certificate:
    """The certificate of a makespan: its bound is the first deadline that was not refuted.

    ``shows`` is the solve that refuted the one before, whose level is that of the bound.
    """
    absolute, relative = gaps(value, bound)
    closed = relative is not None and relative <= gap
    return replace(
        shows.certificate,
        status=Status.OPTIMAL if closed else Status.FEASIBLE,
        objective=value,
        max_violation=0.0,
        bound=bound,
        gap_absolute=absolute,
        gap_relative=relative,
        model="makespan",
        notes=(),
    )


def _plan(
    problem: SharingProblem,
    goal: Goal,
    solve: Solve,
    rows: _Stacked,
    chosen: Indices,
    certificate: Certificate,
) -> SharingPlan:
    places = (chosen - rows.starts[rows.table]).tolist()
    configurations = tuple(
        job.table.row(place) for job, place in zip(problem.jobs, places, strict=True)
    )
    return SharingPlan(problem, goal, solve.method, configurations, certificate)


def _no_plan(problem: SharingProblem, rows: _Stacked, solve: Solve) -> PlanError:
    """State which of nodes and watts are short, and by how much."""
    jobs, power_w = plural(len(problem.jobs), "job"), problem.bound.usable_w
    text = f"{jobs} cannot run at once on {plural(problem.nodes, 'node')} under {watts(power_w)}: "
    least_nodes = int(rows.least(rows.nodes).sum())
    least_w = round(float(rows.least(rows.power_w).sum()), 9)
    if least_nodes > problem.nodes:
        return PlanError(
            f"{text}they need at least {least_nodes:,} nodes. Add nodes, or run fewer jobs at once"
        )
    if least_w > power_w:
        enough_w = watts(enough(least_w, problem.bound.guard))
        return PlanError(
            f"{text}they draw at least {watts(least_w)}. Raise the bound to {enough_w}"
        )
    every = np.arange(len(rows.time_s))
    lean = solve(rows.choice(every, rows.power_w, rows.nodes[:, None], [float(problem.nodes)]))
    bound_w = lean.bound
    if bound_w is None or bound_w <= power_w:
        remedy = "" if solve.time_limit_s is None else "; raise --time-limit"
        text = f"{jobs}: {solve.method} found no choice that keeps both limits{remedy}"
        return PlanError(text, finding("risk", "no-choice"))
    enough_w = watts(enough(bound_w, problem.bound.guard))
    return PlanError(
        f"{text}on these nodes they draw at least {watts(bound_w)}. Raise the bound to {enough_w}, "
        f"or add nodes: with enough nodes {watts(least_w)} suffice"
    )
