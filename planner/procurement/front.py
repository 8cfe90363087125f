"""The front of capital, score and IT power, within the limits of the site and beyond them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from planner.procurement.budget_power_grid import FACTORS, better_of
from planner.procurement.optimise import Optimiser
from planner.procurement.plan import Plan
from planner.procurement.problem import Limits
from planner.procurement.used import beyond, used


@dataclass(frozen=True)
class ParetoPoint:
    """A plan that no other found is as good as in capital, score and IT power at once.

    Attributes
    ----------
    used
        How much of each resource it takes, by the resource's name.
    beyond
        Limits of the site that it passes: such a plan needs another site or budget.
    """

    capital: float
    total_cost: float
    score: float
    it_power_w: float
    purchases: tuple[tuple[str, int], ...]
    used: tuple[tuple[str, float], ...] = ()
    beyond: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        plain["used"] = dict(self.used)
        return plain


def moved(limits: Limits, money: float, power: float) -> Limits:
    """Limits of one point of the grid.

    Capital and IT power move both ways. Only where they grow, the operating budget grows with the
    capital, and liquid and air cooling with the power: below, the site has what it has. Rack
    places, quantities on offer and all requirements stay.
    """
    return replace(
        limits,
        capital=limits.capital * money,
        operating=limits.operating * max(1.0, money),
        it_power_w=limits.it_power_w * power,
        liquid_w=limits.liquid_w * max(1.0, power),
        air_w=limits.air_w * max(1.0, power),
    )


def pareto(
    optimiser: Optimiser,
    factors: Sequence[float] = FACTORS,
    gap: float = 1e-3,
    progress: Callable[[str], None] = lambda _: None,
    decided: Plan | None = None,
) -> list[ParetoPoint]:
    """The best plans for less and more money and power, by capital.

    A plan for less money and power is carried over as the first incumbent of more; ``decided`` is
    the plan within the limits as they are.
    """
    problem, best = optimiser.problem, dict[tuple[int, int], Plan | None]()
    for i, money in enumerate(factors):
        for j, power in enumerate(factors):
            progress(f"front {i * len(factors) + j + 1}/{len(factors) ** 2}")
            start = better_of(best.get((i - 1, j)), best.get((i, j - 1)))
            if money >= 1 and power >= 1:
                start = better_of(decided, start)
            at = replace(problem, limits=moved(problem.limits, money, power))
            outcome = optimiser.variant(at, gap=gap).solve(incumbent=start, method="front")
            best[i, j] = outcome.plan
    plans = [plan for plan in best.values() if plan is not None]
    return front(plans, gap, problem.limits)


def front(plans: Sequence[Plan], within: float, limits: Limits | None = None) -> list[ParetoPoint]:
    """Plans that no other plan matches or beats in capital, score and power at once.

    Scores within ``within``, the gap to which they were solved, count as equal. Between two such
    plans, the one for less money is kept; at equal money, the one for less power. A plan that
    exceeds a limit does not replace a plan that keeps it.
    """
    limits = Limits() if limits is None else limits
    selected: list[Plan] = []
    for plan in sorted(plans, key=lambda p: (p.bill.capital, p.it_power_w, -p.score)):
        if not any(_as_good(other, plan, within, limits) for other in selected):
            selected.append(plan)
    return [
        ParetoPoint(
            plan.bill.capital, plan.total_cost, plan.score, plan.it_power_w,
            tuple((purchase.name, purchase.nodes) for purchase in plan.purchases),
            tuple(used(plan).items()), beyond(plan, limits),
        )
        for plan in selected
    ]  # fmt: skip


def _as_good(other: Plan, plan: Plan, within: float, limits: Limits) -> bool:
    return (
        other.bill.capital <= plan.bill.capital
        and other.it_power_w <= plan.it_power_w
        and other.score >= plan.score * (1 - within)
        and set(beyond(other, limits)) <= set(beyond(plan, limits))
    )
