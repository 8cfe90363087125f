"""The whole grid of budget and power: what overprovisioning gains where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.procurement.optimise import Optimiser
from planner.procurement.plan import Plan
from planner.procurement.problem import Limits, Regime
from solvers import Status
from solvers.portable import exp

FACTORS = (0.5, 0.625, 0.75, 0.875, 1.0, 1.125, 1.25, 1.5)


@dataclass(frozen=True)
class Cell:
    """One budget and one power bound.

    Attributes
    ----------
    score, bound
        Per regime: score of the best plan found, and its proven limit; 0 and ``None`` where there
        is no plan.
    """

    capital: float
    it_power_w: float
    score: dict[str, float]
    bound: dict[str, float | None]
    plan: Plan | None

    @property
    def gain(self) -> float | None:
        """What overprovisioning gains over worst-case provisioning, as a fraction."""
        worst = self.score["worst-case"]
        return self.score["overprovisioned"] / worst - 1 if worst > 0 else None

    @property
    def gain_over_static(self) -> float | None:
        """What overprovisioning gains over one cap per type."""
        static = self.score["static"]
        return self.score["overprovisioned"] / static - 1 if static > 0 else None

    @property
    def gain_interval(self) -> tuple[float, float] | None:
        """What overprovisioning certainly gains over worst-case provisioning: low, high."""
        scores = self.score["overprovisioned"], self.score["worst-case"]
        bounds = self.bound["overprovisioned"], self.bound["worst-case"]
        if min(scores) <= 0 or bounds[0] is None or bounds[1] is None:
            return None
        return scores[0] / bounds[1] - 1, bounds[0] / scores[1] - 1

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        certain = self.gain_interval
        return {
            "gain_low": None if certain is None else certain[0],
            "gain_high": None if certain is None else certain[1],
            "capital": self.capital,
            "it_power_w": self.it_power_w,
            **{f"score_{name}": value for name, value in self.score.items()},
            **{f"bound_{name}": value for name, value in self.bound.items()},
            "gain": self.gain,
            "gain_over_static": self.gain_over_static,
        }


def grid_cells(
    optimisers: dict[Regime, Optimiser],
    factors: Sequence[float] = FACTORS,
    gap: float = 1e-3,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Cell]:
    """Solve every regime over the grid of budget and power factors.

    The operating budget moves with the capital, liquid and air cooling with the power.
    A plan for less money and power is carried over as the first incumbent of more. Every
    worst-case plan is a statically capped one, and every statically capped plan an overprovisioned
    one: where the outer two meet within the gap, the one between needs no solving.
    """
    limits = optimisers["overprovisioned"].problem.limits
    best: dict[tuple[str, int, int], Plan | None] = {}
    cells = []
    for i, money in enumerate(factors):
        for j, power in enumerate(factors):
            progress(f"grid {i * len(factors) + j + 1}/{len(factors) ** 2}")
            score: dict[str, float] = {}
            bound: dict[str, float | None] = {}
            site = scaled(limits, money, power)
            for name in _OUTER_FIRST:
                if name == "static" and _meet(score, bound, gap):
                    score[name], bound[name] = score["worst-case"], bound["overprovisioned"]
                    continue
                optimiser = optimisers[name]
                problem = replace(optimiser.problem, limits=site)
                start = better_of(best.get((name, i - 1, j)), best.get((name, i, j - 1)))
                outcome = optimiser.variant(problem, gap=gap).solve(
                    incumbent=start, method=f"{name} grid"
                )
                best[name, i, j] = outcome.plan
                score[name] = outcome.plan.score if outcome.plan else 0.0
                bound[name] = _bound(outcome.bound, outcome.status)
            plan = best["overprovisioned", i, j]
            cells.append(Cell(site.capital, site.it_power_w, score, bound, plan))
    return cells


_OUTER_FIRST: tuple[Regime, ...] = ("worst-case", "overprovisioned", "static")


def _meet(score: dict[str, float], bound: dict[str, float | None], gap: float) -> bool:
    """Whether the limit of overprovisioning is within the gap of the worst-case score.

    No regime in between can then be distinguished from worst-case provisioning.
    """
    maximum = bound["overprovisioned"]
    return maximum is not None and 0 < maximum <= score["worst-case"] * (1 + gap)


def _bound(bound: float | None, status: Status) -> float | None:
    return None if bound is None or status is Status.INFEASIBLE else exp(bound)


def scaled(limits: Limits, money: float, power: float) -> Limits:
    """More or less of all money, once and per year, and of all power, with its cooling."""
    return replace(
        limits,
        capital=limits.capital * money,
        operating=limits.operating * money,
        it_power_w=limits.it_power_w * power,
        liquid_w=limits.liquid_w * power,
        air_w=limits.air_w * power,
    )


def better_of(*plans: Plan | None) -> Plan | None:
    """The best of the plans that there are."""
    available = (plan for plan in plans if plan is not None)
    return max(available, key=lambda plan: plan.objective, default=None)
