"""The marginal value of each resource: how a little more or less changes the score, for certain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import numpy as np

import solvers
from planner.procurement.checker import violations
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.problem import UNLIMITED, Problem
from planner.procurement.program import Program
from solvers import Result, Status
from solvers.portable import expm1

STEPS = (-0.05, -0.01, 0.01, 0.05)
_ROUNDING = 1e-9
_STEEPEST = 20.0  # of log S: a dual at the very edge of a requirement is practically infinite


class ScoreChange(StrEnum):
    """What is certain of a change."""

    CHANGES = "changes"
    CONTAINS_ZERO = "contains zero"
    NO_PLAN = "no plan"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class MarginalValue:
    """Effect of one resource, changed by a fraction.

    Attributes
    ----------
    change
        Fraction by which the limit changes; of racks, which come whole, the one that was made.
    low, high
        The optimal score changes by a fraction between these: from incumbents and bounds of
        both programs. ``None`` where there is no plan then, or none was found in time.
    score_change
        What is certain of it: that it is not zero, nothing, that no plan is left, or not even
        that, since the search ended early.
    by_dual, by_relaxation
        The change that the linear program's dual predicts: with all integers fixed where they
        are, so of the bought machine alone; and with none being whole, so of another machine.
    """

    resource: str
    change: float
    limit: float
    low: float | None
    high: float | None
    score_change: ScoreChange
    by_dual: float
    by_relaxation: float

    @property
    def certain(self) -> bool:
        """Whether the score certainly changes."""
        return self.score_change in (ScoreChange.CHANGES, ScoreChange.NO_PLAN)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def marginal_values(
    optimiser: Optimiser, base: Outcome, resources: tuple[str, ...], steps: tuple[float, ...]
) -> list[MarginalValue]:
    """The marginal value of each resource at each step, from programs that share their cuts.

    More of a resource never lowers the optimal score. So what is known of some limits bounds the
    score under those between or below them, and programs that this decides are not solved.
    """
    if base.plan is None or base.bound is None:
        return []
    fixed, free = dual_slopes(base), dual_slopes(base, integers_fixed=False)
    effects: list[MarginalValue] = []
    for name in resources:
        limit = getattr(optimiser.problem.limits, name)
        if limit == UNLIMITED:
            continue
        values = _values(name, limit, steps)
        outcomes = _outcomes(optimiser, base, name, [value for _, value in values])
        slopes = (fixed.get(name, 0.0) * limit, free.get(name, 0.0) * limit)
        for step, value in values:
            changed = changed_limit(optimiser.problem, name, value)
            effects.append(_marginal_value(name, step, changed, base, outcomes[value], slopes))
    return effects


def raising(effects: Sequence[MarginalValue]) -> frozenset[str]:
    """Resources whose smallest rise certainly raises the best score."""
    least: dict[str, MarginalValue] = {}
    for effect in sorted(effects, key=lambda effect: effect.change):
        if effect.change > 0:
            least.setdefault(effect.resource, effect)
    return frozenset(
        name
        for name, effect in least.items()
        if effect.score_change is ScoreChange.CHANGES and (effect.low or 0.0) > 0
    )


def _outcomes(
    optimiser: Optimiser, base: Outcome, name: str, values: list[float]
) -> dict[float, Outcome]:
    """The outcome under each limit, the largest changes first: they may decide the smaller."""
    limit = float(getattr(optimiser.problem.limits, name))
    solved = {limit: base}
    for value in sorted(values, key=lambda value: -abs(value - limit)):
        other = optimiser.variant(changed_limit(optimiser.problem, name, value))
        solved[value] = _decided(other, solved, value) or other.solve(
            incumbent=base.plan if value > limit else None, method="what if"
        )
    return solved


def _decided(optimiser: Optimiser, solved: dict[float, Outcome], value: float) -> Outcome | None:
    """The outcome that bounds of larger limits and plans of any limit decide, if they do.

    They decide where bound and plan differ by no more than the gap that is good enough. A plan
    above the bound would prove the bound wrong: then the program is solved by itself.
    """
    bounding = [o for limit, o in solved.items() if limit >= value and o.bound is not None]
    minimum = min(bounding, key=_bound, default=None)
    machines = {outcome.plan.nodes for outcome in solved.values() if outcome.plan is not None}
    plans = [optimiser.evaluate(nodes, "what if") for nodes in sorted(machines)]
    sound = [plan for plan in plans if not violations(optimiser.problem, plan)]
    best = max(sound, key=lambda plan: plan.objective, default=None)
    if best is None or minimum is None:
        return None
    gap = _bound(minimum) - best.objective
    if not -_ROUNDING <= gap <= optimiser.options.gap:
        return None
    bound = best.objective + max(gap, 0.0)
    return Outcome(best, Status.OPTIMAL, best.objective, bound, minimum.certificate, rounds=0)


def _bound(outcome: Outcome) -> float:
    return math.inf if outcome.bound is None else outcome.bound


def _values(name: str, limit: float, steps: tuple[float, ...]) -> list[tuple[float, float]]:
    """Changes to try, and the limits then; of racks at least one whole, and each number once."""
    if limit == 0:
        return []
    if name != "racks":
        return [(step, limit * (1 + step)) for step in steps]
    moved = [limit + math.copysign(max(1, round(limit * abs(step))), step) for step in steps]
    return [(value / limit - 1, value) for value in sorted({v for v in moved if v >= 0})]


def changed_limit(problem: Problem, name: str, value: float) -> Problem:
    """The problem with another amount of one resource; racks come whole."""
    return problem.limited(**{name: float(math.floor(value)) if name == "racks" else value})


def _marginal_value(
    name: str,
    step: float,
    changed: Problem,
    base: Outcome,
    outcome: Outcome,
    slopes: tuple[float, float],
) -> MarginalValue:
    limit = getattr(changed.limits, name)
    by_dual, by_relaxation = (expm1(min(slope * step, _STEEPEST)) for slope in slopes)
    if outcome.objective is None or outcome.bound is None or base.objective is None:
        none = outcome.status is Status.INFEASIBLE
        score_change = ScoreChange.NO_PLAN if none else ScoreChange.UNDECIDED
        return MarginalValue(name, step, limit, None, None, score_change, by_dual, by_relaxation)
    low = expm1(outcome.objective - (base.bound or base.objective))
    high = expm1(outcome.bound - base.objective)
    if step > 0:
        low = max(low, 0.0)  # more of a resource cannot hurt
    else:
        high = min(high, 0.0)
    low, high = min(low, high), max(low, high)  # rounding may cross them
    moves = low > _ROUNDING or high < -_ROUNDING
    score_change = ScoreChange.CHANGES if moves else ScoreChange.CONTAINS_ZERO
    return MarginalValue(name, step, limit, low, high, score_change, by_dual, by_relaxation)


def dual_slopes(base: Outcome, *, integers_fixed: bool = True) -> dict[str, float]:
    """Change of log S per unit of each resource, from the duals of the last program.

    Either with all integers fixed where the program put them, or with none being whole.
    """
    if base.last is None or base.last[1].x is None:
        return {}
    program, solution = base.last
    model = solution.model
    lower, upper = model.column_lower, model.column_upper
    if integers_fixed:
        whole = np.round(base.last[1].x)
        lower = np.where(model.is_integer, whole, lower)
        upper = np.where(model.is_integer, whole, upper)
    else:
        program = program.with_room()  # else the bounds on nodes, not the resources, would bind
        model = program.build.model()
        lower, upper = model.column_lower, model.column_upper
    fixed = model.changed(
        column_lower=lower,
        column_upper=upper,
        is_integer=np.zeros(model.columns, dtype=np.bool_),
    )
    linear = solvers.solve(fixed, proof="never")
    return {} if linear.duals is None else _slopes(program, linear)


def _slopes(program: Program, linear: Result) -> dict[str, float]:
    model = linear.model
    duals = linear.duals
    if duals is None:
        return {}
    pull = np.bincount(
        model.column_indices,
        weights=model.coefficients * duals[model.row_of_nonzero],
        minlength=model.columns,
    )
    return {
        name: max(0.0, -float(pull[column])) / program.problem.unit(name)
        for name, column in program.columns.limit.items()
    }
