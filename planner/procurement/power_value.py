"""More power in money: the further capital that has the effect of one stated step of IT power.

Nothing is scaled: the step that is named is the step that is solved. With V(P, C) the best score
under IT power P and capital C, a step s is worth the least m with V(P, C + m) >= V(P + s, C).
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from planner.procurement.columns import Freed, Goal
from planner.procurement.layout import layout
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan
from planner.procurement.problem import UNLIMITED, Problem
from planner.procurement.quantities import MOST_NODES, most_nodes
from solvers.portable import exp

SHARE = 0.01
"""Share of the limit that a step has at least."""

TOLERANCE = 1e-6
"""Scores that differ by this share have the same effect."""

_GAP = TOLERANCE / 2
_SLACK = TOLERANCE / 4  # of log S: what a plan may miss the score that is to be reached
_DIGITS = 3


class StepEffect(StrEnum):
    """What is known of a step of power."""

    NOTHING = "nothing"
    CAPITAL = "capital"
    BEYOND_CAPITAL = "beyond any capital"
    POWER_UNKNOWN = "power unknown"
    CAPITAL_UNKNOWN = "capital unknown"
    ENDLESS = "endless"


class StepPrice(StrEnum):
    """What a step of power costs, compared with further capital of the same effect."""

    LESS = "less"
    EQUAL = "equal"
    MORE = "more"
    UNDECIDED = "undecided"
    NOTHING = "nothing"
    BEYOND_CAPITAL = "beyond any capital"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class PowerValue:
    """The value of one step of IT power.

    Attributes
    ----------
    step_w, change
        The step, and its share of the limit.
    effect
        What is known of it. ``NOTHING``: the score rises by no more than :data:`TOLERANCE`.
        ``CAPITAL``: the interval below. ``BEYOND_CAPITAL``: with unlimited capital instead, the
        score is certainly lower. Otherwise the search ended early, or unlimited capital would buy
        endless nodes.
    capital_low, capital_high
        The further capital that raises the score as much lies between these.
    score_low, score_high
        Limits of the best score with the step.
    unlimited_low, unlimited_high
        Limits of the best score with unlimited capital instead, where no amount is enough.
    """

    step_w: float
    change: float
    effect: StepEffect
    capital_low: float | None = None
    capital_high: float | None = None
    score_low: float | None = None
    score_high: float | None = None
    unlimited_low: float | None = None
    unlimited_high: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)

    def against(self, price: float) -> StepPrice:
        """The price of the whole step, compared with further capital of the same effect."""
        if self.effect is StepEffect.NOTHING:
            return StepPrice.NOTHING
        if self.effect is StepEffect.BEYOND_CAPITAL:
            return StepPrice.BEYOND_CAPITAL
        low, high = self.capital_low, self.capital_high
        if self.effect is not StepEffect.CAPITAL or low is None or high is None:
            return StepPrice.UNKNOWN
        if all(math.isclose(end, price, rel_tol=TOLERANCE) for end in (low, high)):
            return StepPrice.EQUAL
        if price < low:
            return StepPrice.LESS
        return StepPrice.MORE if price > high else StepPrice.UNDECIDED


def step_of(problem: Problem, plan: Plan) -> float:
    """The step that is valued: the larger of 1 % of the limit and the power of one node.

    The node is that of the bought types with the highest power at work. The step is rounded up to
    three digits, so that it is printed as it is solved.
    """
    lay = layout(problem)
    step = SHARE * problem.limits.it_power_w
    for slot in np.flatnonzero(plan.nodes):
        at_work = lay.step_w[lay.mode_slot == slot].max(initial=0.0)
        step = max(step, float(lay.base_w[slot] + at_work))
    return _rounded_up(step)


def _rounded_up(watts: float) -> float:
    """Three digits, upwards.

    Examples
    --------
    >>> _rounded_up(20_456.5), _rounded_up(500.0), _rounded_up(0.01234)
    (20500.0, 500.0, 0.0124)
    """
    text = f"{watts:.{_DIGITS - 1}e}"
    if float(text) < watts * (1 - 1e-12):
        exponent = int(text.partition("e")[2]) - (_DIGITS - 1)
        return float(f"{round(float(text) / 10.0**exponent) + 1}e{exponent}")
    return float(text)


def power_value(optimiser: Optimiser, base: Outcome, plan: Plan) -> PowerValue | None:
    """The value of a step of IT power; ``None`` without a limit of power.

    Parameters
    ----------
    optimiser
        Of the problem as it is.
    base
        Its optimum, where the searches start.
    plan
        Whose nodes make the step.
    """
    problem = optimiser.problem
    if base.plan is None or not 0 < problem.limits.it_power_w < UNLIMITED:
        return None
    limit, step = problem.limits.it_power_w, step_of(problem, plan)
    more = optimiser.variant(problem.limited(it_power_w=limit + step), gap=_GAP).solve(
        incumbent=base.plan, method="what if"
    )
    value = PowerValue(step, step / limit, StepEffect.POWER_UNKNOWN)
    if more.objective is None or more.bound is None:
        return value
    value = replace(
        value,
        effect=StepEffect.CAPITAL_UNKNOWN,
        score_low=exp(more.objective),
        score_high=exp(more.bound),
    )
    unlimited = problem.limited(capital=UNLIMITED)
    if _endless(unlimited):
        return replace(value, effect=StepEffect.ENDLESS)
    return _in_money(optimiser, base.plan, value, more.objective, more.bound)


def _endless(problem: Problem) -> bool:
    """Whether some offer could be bought in more nodes than a program counts."""
    most = most_nodes(problem, layout(problem))
    pairs = zip(most, problem.offers, strict=True)
    return any(count >= MOST_NODES and offer.most > MOST_NODES for count, offer in pairs)


def _in_money(
    optimiser: Optimiser, start: Plan, value: PowerValue, reached: float, bound: float
) -> PowerValue:
    """The value, given that log S with the step lies between ``reached`` and ``bound``."""
    problem, enough = optimiser.problem, bound - TOLERANCE
    rich = optimiser.variant(problem.limited(capital=UNLIMITED), gap=_GAP).solve(
        incumbent=start,
        method="what if",
        stop=lambda found, _: found is not None and found >= enough,
    )
    if rich.objective is None or rich.plan is None or rich.bound is None:
        return value
    if rich.objective >= enough:
        low, high = _capital(optimiser, rich.plan, reached, enough)
        effect = StepEffect.CAPITAL if high > 0 else StepEffect.NOTHING
        return replace(value, effect=effect, capital_low=low, capital_high=high)
    if rich.bound < reached:
        return replace(
            value,
            effect=StepEffect.BEYOND_CAPITAL,
            unlimited_low=exp(rich.objective),
            unlimited_high=exp(rich.bound),
        )
    return value


def _capital(
    optimiser: Optimiser, rich: Plan, reached: float, enough: float
) -> tuple[float, float]:
    """Limits of the least further capital whose plan has at least a log S.

    Less than the first does not even give ``reached``; the second gives ``enough``, as ``rich``
    does. The two differ only where the score with the step is not known to the tolerance.
    """
    present = optimiser.problem.limits.capital
    if rich.bill.capital <= present:
        return 0.0, 0.0
    within = optimiser.variant(optimiser.problem.limited(capital=rich.bill.capital), gap=_GAP)
    low, high = 0.0, rich.bill.capital - present
    for floor in dict.fromkeys((reached, max(reached, enough))):
        outcome = within.solve(
            Goal.GIVEN,
            floor=floor,
            slack=_SLACK,
            freed={"capital": Freed(present, 1.0)},
            method="what if",
        )
        if floor == reached and outcome.bound is not None:
            low = max(0.0, outcome.bound - present)
        if outcome.plan is not None and outcome.plan.objective >= enough:
            high = min(high, max(0.0, outcome.plan.bill.capital - present))
            break
    return min(low, high), high
