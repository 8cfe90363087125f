"""Sensitivity of the decision: one input at a time, and many at once at random.

Each input of :mod:`planner.procurement.varied` is uncertain by a stated half width.
The *kept* decision buys the same nodes, or proportionally fewer of each if not all fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from planner.procurement.checker import violations
from planner.procurement.given import at_best
from planner.procurement.heuristics import fits, ranking, repair
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from planner.procurement.varied import (
    Uncertainty,
    Varied,
    figures_with_width,
    refigured,
    repowered,
    repriced,
    rerated,
    uncertain_inputs,
)
from scenarios.model.scenario import Scenario


@dataclass(frozen=True)
class Bar:
    """One input, lowered and raised.

    Attributes
    ----------
    score_low, score_high
        Best score found with the input lowered and raised, never below that of the decision kept;
        ``None`` where no plan was found.
    kept_low, kept_high
        Score of the decision kept; ``None`` where it then breaks a rule.
    types_change
        Whether the optimum then buys other node types.
    """

    parameter: str
    change: float
    score_low: float | None
    score_high: float | None
    kept_low: float | None
    kept_high: float | None
    types_change: bool

    @property
    def swing(self) -> float:
        """Width of the bar."""
        scores = [s for s in (self.score_low, self.score_high) if s is not None]
        return abs(scores[-1] - scores[0]) if len(scores) == 2 else math.inf

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class MonteCarlo:
    """How often the decision holds under many draws of all uncertain inputs.

    Attributes
    ----------
    same_types
        Share of draws in which the decision holds: the kept decision breaks no rule, and every
        better plan found buys the same node types.
    broken
        Share of draws in which the kept decision breaks a rule, although some plan breaks none.
    without_plan
        Share of draws in which no plan was found at all.
    regrets
        Fractions of the optimal score that the kept decision loses where it breaks no rule,
        ascending.
    scores
        Optimal score of each draw that has a plan.
    """

    draws: int
    seed: int
    same_types: float
    broken: float
    without_plan: float
    regrets: tuple[float, ...]
    scores: tuple[float, ...]
    price: float
    power: float
    performance: float

    @property
    def holds_interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share of draws in which the decision holds."""
        z, n, p = 1.96, self.draws, self.same_types
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
        # In exact numbers the share lies within: at 0 and 1 it is an end.
        return max(0.0, min(p, middle - half)), min(1.0, max(p, middle + half))

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        plain["regret_mean"] = float(np.mean(self.regrets)) if self.regrets else 0.0
        plain["regret_p95"] = float(np.quantile(self.regrets, 0.95)) if self.regrets else 0.0
        return plain


def keep(optimiser: Optimiser, plan: Plan) -> Plan:
    """The decision kept: the same nodes, or the same mix of as many as still fit."""
    nodes = list(plan.nodes)
    problem, lay = optimiser.problem, optimiser.layout
    if not fits(problem, lay, nodes) and problem.packages:
        nodes = [0] * lay.slots  # a package cannot shrink: the decision is broken
    elif not fits(problem, lay, nodes):
        bought = [slot for slot in ranking(problem, lay, "money") if nodes[slot]]
        nodes = [min(a, b) for a, b in zip(repair(problem, lay, nodes, bought), nodes, strict=True)]
    return at_best(optimiser, optimiser.evaluate(nodes, "kept"))


def tornado(
    optimiser: Optimiser, base: Outcome, widths: Uncertainty, scenario: Scenario | None = None
) -> list[Bar]:
    """Every input lowered and raised by its half width, widest bar first.

    ``scenario`` gives the inputs that the problem's arrays no longer tell apart.
    """
    if base.plan is None:
        return []
    varied = uncertain_inputs(optimiser.problem, widths, scenario)
    bars = [_bar(optimiser, base.plan, varied_input) for varied_input in varied]
    return sorted(bars, key=lambda bar: (-bar.swing, bar.parameter))


def _bar(optimiser: Optimiser, plan: Plan, varied: Varied) -> Bar:
    scores: list[float | None] = []
    kept_scores: list[float | None] = []
    moved = False
    for step in (-varied.width, varied.width):
        changed = varied.changed(optimiser.problem, step)
        other = optimiser.variant(changed, gap=SENSITIVITY_GAP)
        kept_plan = keep(other, plan)
        sound = not violations(other.problem, kept_plan)
        best_plan = other.solve(method="what if", incumbent=kept_plan if sound else None).plan
        best = better(
            best_plan, kept_plan if sound else None
        )  # the gap may hide that kept is as good
        scores.append(None if best is None else best.score)
        kept_scores.append(kept_plan.score if sound else None)
        moved |= best is not None and types_of(best) != types_of(plan)
        other.close_unless(optimiser)
    return Bar(
        varied.name, varied.width, scores[0], scores[1], kept_scores[0], kept_scores[1], moved
    )


def better(found_plan: Plan | None, kept_plan: Plan | None) -> Plan | None:
    """The better of a plan that was found and the decision kept; of equals the latter."""
    plans = [plan for plan in (kept_plan, found_plan) if plan is not None]
    return max(plans, key=lambda plan: plan.objective, default=None)


SENSITIVITY_GAP = 5e-4


def types_of(plan: Plan) -> frozenset[str]:
    """Names of the node types and packages that a plan buys."""
    packages = {bill.package.name for bill in plan.bill.packages.values()}
    return frozenset(purchase.name for purchase in plan.purchases) | packages


def monte_carlo(
    optimiser: Optimiser,
    base: Outcome,
    widths: Uncertainty,
    *,
    draws: int,
    seed: int,
    progress: Callable[[str], None] = lambda _: None,
) -> MonteCarlo | None:
    """Draw all uncertain inputs at once, uniformly and independently per node type."""
    plan = base.plan
    if plan is None:
        return None
    generator = np.random.default_rng(seed)
    regrets, scores = [], []
    same = broken = without = 0
    for draw in range(draws):
        progress(f"draw {draw + 1}/{draws}")
        other = optimiser.variant(_drawn(optimiser.problem, widths, generator), gap=SENSITIVITY_GAP)
        kept_plan = keep(other, plan)
        best = other.solve(method="draw").plan
        sound = not violations(other.problem, kept_plan)
        other.close_unless(optimiser)
        if best is None and not sound:
            without += 1
            continue
        top = better(best, kept_plan if sound else None)
        if top is None:
            continue
        scores.append(top.score)
        if sound:
            regrets.append(1 - kept_plan.score / top.score)
            same += top is kept_plan or types_of(top) == types_of(plan)
        else:
            broken += 1
    return MonteCarlo(
        draws, seed, same / draws, broken / draws, without / draws, tuple(sorted(regrets)),
        tuple(scores), widths.price, widths.power, widths.performance,
    )  # fmt: skip


def _drawn(problem: Problem, widths: Uncertainty, generator: np.random.Generator) -> Problem:
    count = len(problem.offers)
    price, power, speed = (
        generator.uniform(1 - width, 1 + width, count)
        for width in (widths.price, widths.power, widths.performance)
    )
    other = rerated(repowered(repriced(problem, price), power), speed)
    figures = figures_with_width(problem)
    widths_of = [each.figure.half_width or 0.0 for each in figures]
    drawn = [float(generator.uniform(1 - width, 1 + width)) for width in widths_of]
    return refigured(other, list(zip(figures, drawn, strict=True)))
