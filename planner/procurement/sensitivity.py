"""What the decision hangs on: one input at a time, and many at once by chance.

Prices, power above idle and performance of each node type are uncertain by a stated half width.
The *kept* decision buys the same nodes, or as many of each, in proportion, as then still fit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from planner.procurement.checker import violations
from planner.procurement.given import at_best
from planner.procurement.heuristics import fits, ranking, repair
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan
from planner.procurement.problem import (
    UNLIMITED,
    Floats,
    Offer,
    Problem,
    Tier,
    nodes_in_a_rack,
)
from planner.procurement.worth import changed_limit


@dataclass(frozen=True)
class Bar:
    """One input, lowered and raised.

    Attributes
    ----------
    score_low, score_high
        Optimal score with the input lowered and raised; ``None`` where none was found.
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
    """How the decision stands under many draws of all uncertain inputs.

    Attributes
    ----------
    same_types
        Share of draws in which the optimum buys the same node types and the kept decision breaks
        no rule: the decision stands.
    broken
        Share in which the kept decision breaks a rule, although some plan breaks none.
    without_plan
        Share in which no plan was found at all.
    regrets
        Of the other draws, the fraction of the optimal score that the kept decision gives up,
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        plain["regret_mean"] = float(np.mean(self.regrets)) if self.regrets else 0.0
        plain["regret_p95"] = float(np.quantile(self.regrets, 0.95)) if self.regrets else 0.0
        return plain


@dataclass(frozen=True)
class Uncertainty:
    """Half widths of what is uncertain, as fractions."""

    price: float
    power: float
    performance: float


def repriced(problem: Problem, factors: Floats) -> Problem:
    """Prices multiplied per offer."""
    offers = tuple(
        replace(offer, tiers=tuple(replace(t, price=t.price * float(factor)) for t in offer.tiers))
        for offer, factor in zip(problem.offers, factors, strict=True)
    )
    return replace(problem, offers=offers)


def repowered(problem: Problem, factors: Floats) -> Problem:
    """Power above idle multiplied per offer, in peak, caps and draw alike."""
    idle = np.array([offer.idle_w for offer in problem.offers])
    offers = tuple(
        _peaking(offer, offer.idle_w + (offer.peak_w - offer.idle_w) * float(factor), problem)
        for offer, factor in zip(problem.offers, factors, strict=True)
    )
    modes = tuple(
        replace(
            mode,
            node_w=float(idle[mode.offer] + (mode.node_w - idle[mode.offer]) * factors[mode.offer]),
        )
        for mode in problem.modes
    )
    base = idle[problem.mode_offer][:, None]
    drawn = base + (problem.drawn_w - base) * factors[problem.mode_offer][:, None]
    return replace(problem, offers=offers, modes=modes, drawn_w=drawn)


def _peaking(offer: Offer, peak_w: float, problem: Problem) -> Offer:
    """The offer with another peak: racks then carry fewer or more, and if none, none is sold."""
    fit = nodes_in_a_rack(offer.rack_room, problem.rack_w, peak_w)
    if fit == 0:
        none = Tier(1, 0, offer.tiers[0].price)
        return replace(offer, peak_w=peak_w, tiers=(none,), nodes_per_rack=offer.rack_room)
    return replace(offer, peak_w=peak_w, nodes_per_rack=fit)


def rerated(problem: Problem, factors: Floats) -> Problem:
    """Performance multiplied per offer; times to solution divided."""
    merit = problem.merit * factors[problem.mode_offer][:, None]
    capabilities = tuple(
        replace(
            each,
            partitions=tuple(
                replace(o, time_s=o.time_s / float(factors[problem.modes[o.mode].offer]))
                for o in each.partitions
            ),
        )
        for each in problem.capabilities
    )
    return replace(problem, merit=merit, capabilities=capabilities)


def keep(optimiser: Optimiser, plan: Plan) -> Plan:
    """The decision kept: the same nodes, or the same mix of as many as still fit."""
    nodes = list(plan.nodes)
    problem, lay = optimiser.problem, optimiser.layout
    if not fits(problem, lay, nodes):
        bought = [slot for slot in ranking(problem, lay, "money") if nodes[slot]]
        nodes = [min(a, b) for a, b in zip(repair(problem, lay, nodes, bought), nodes, strict=True)]
    return at_best(optimiser, optimiser.evaluate(nodes, "kept"))


def tornado(optimiser: Optimiser, base: Outcome, widths: Uncertainty) -> list[Bar]:
    """Every input lowered and raised by its half width, widest bar first."""
    if base.plan is None:
        return []
    bars = [
        _bar(optimiser, base.plan, name, width, change)
        for name, width, change in _parameters(optimiser.problem, base.plan, widths)
    ]
    return sorted(bars, key=lambda bar: (-bar.swing, bar.parameter))


Change = Callable[[Problem, float], Problem]


def _parameters(
    problem: Problem, plan: Plan, widths: Uncertainty
) -> list[tuple[str, float, Change]]:
    found: list[tuple[str, float, Change]] = []
    for name in ("it_power_w", "capital", "racks", "operating"):
        limit = getattr(problem.limits, name)
        if limit < UNLIMITED:
            found.append((name, 0.1, _limit_changed(name, limit)))
    for each in plan.purchases:
        for kind, width, change in (
            ("price", widths.price, repriced),
            ("power", widths.power, repowered),
            ("performance", widths.performance, rerated),
        ):
            if width > 0:
                found.append((f"{kind} of {each.name}", width, _one(each.offer, change)))
    return found


def _limit_changed(name: str, limit: float) -> Change:
    return lambda problem, step: changed_limit(problem, name, limit * (1 + step))


def _one(place: int, change: Callable[[Problem, Floats], Problem]) -> Change:
    def changed(problem: Problem, step: float) -> Problem:
        factors = np.ones(len(problem.offers))
        factors[place] += step
        return change(problem, factors)

    return changed


def _bar(optimiser: Optimiser, plan: Plan, name: str, width: float, change: Change) -> Bar:
    scores: list[float | None] = []
    kept: list[float | None] = []
    moved = False
    for step in (-width, width):
        other = optimiser.variant(change(optimiser.problem, step), gap=SENSITIVITY_GAP)
        held = keep(other, plan)
        outcome = other.solve(method="what if")
        best = outcome.plan
        scores.append(None if best is None else best.score)
        kept.append(None if violations(other.problem, held) else held.score)
        moved |= best is not None and types_of(best) != types_of(plan)
        other.close_unless(optimiser)
    return Bar(name, width, scores[0], scores[1], kept[0], kept[1], moved)


SENSITIVITY_GAP = 5e-4


def types_of(plan: Plan) -> frozenset[str]:
    """Names of the node types that a plan buys."""
    return frozenset(each.name for each in plan.purchases)


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
        held = keep(other, plan)
        best = other.solve(method="draw").plan
        sound = not violations(other.problem, held)
        other.close_unless(optimiser)
        if best is None and not sound:
            without += 1
            continue
        top = max(each.score for each in (best, held if sound else None) if each is not None)
        scores.append(top)
        if sound:
            regrets.append(1 - held.score / top)
            same += best is None or types_of(best) == types_of(plan)
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
    return rerated(repowered(repriced(problem, price), power), speed)


def quantiles(values: Sequence[float]) -> tuple[float, float, float]:
    """Median, 90th and 99th percentile."""
    low, middle, high = np.quantile(values, [0.5, 0.9, 0.99])
    return float(low), float(middle), float(high)
