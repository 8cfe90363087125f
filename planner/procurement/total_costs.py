"""What the total costs of the plan and of the award contain, part by part, to the cent.

The award counts the packages alone, all their nodes at peak power for the utilisation. The plan
has the whole site, and nodes as they run: some idle, some under power caps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from scenarios.package_bill import package_bill

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult


def total_costs(result: ProcurementResult) -> list[dict[str, Any]]:
    """Present values of the parts, and what the plan has more; the parts sum to both totals.

    Empty where no award, no budget or no power of awarded nodes is known, or the plan may buy more
    than packages.
    """
    plan, cost, prices = result.plan, result.cost, result.problem.prices
    if not result.awarded or plan is None or cost is None or result.problem.free_offers:
        return []
    from planner.award import operation  # needed by tenders with a scheme alone
    from planner.award.together import net_price

    sold = [each for each in result.scenario.packages if each.name in result.awarded]
    bills, bought = [package_bill(each) for each in sold], [*plan.bill.packages.values()]
    if not operation.has_total_cost(result.scenario, [*bills, *bought]):
        return []
    of_award, at_peak = (operation.cost_parts(result.scenario, each) for each in (bills, bought))
    sold_w = math.fsum(float(each.watts) for each in bought)
    site_w = result.problem.fixed_w + plan.bill.fabric_w - sold_w
    per_w = prices.annuity * prices.energy_per_w(prices.expected_energy_price)
    of_plan: dict[str, Fraction | float] = {
        "price": cost.hardware,
        "installation": cost.installation,
        "fixed outlay": cost.fixed_capital,
        "maintenance": prices.annuity * cost.maintenance_per_year,
        "staff": prices.annuity * cost.staff_per_year,
        "fixed energy": per_w * site_w,
        "peak energy": at_peak["energy"],
    }
    of_plan["running"] = Fraction(cost.total_cost) - _sum(of_plan)
    mine = _in_cents(of_plan)
    theirs = _in_cents({
        "price": net_price(result.scenario, bills), "maintenance": of_award["maintenance"],
        "peak energy": of_award["energy"],
    })  # fmt: skip
    return [
        {"part": name, "plan": paid / 100, "award": other / 100, "difference": (paid - other) / 100}
        for name, paid in mine.items()
        for other in [theirs.get(name, 0)]
        if paid or other
    ]


def _in_cents(parts: Mapping[str, Fraction | float]) -> dict[str, int]:
    """Parts in cents; the last one that is not 0 takes what rounding leaves of their sum."""
    cents = {name: _cents(amount) for name, amount in parts.items()}
    last = next((name for name in reversed(cents) if cents[name]), "price")
    return cents | {last: cents[last] + _cents(_sum(parts)) - sum(cents.values())}


def _sum(parts: Mapping[str, Fraction | float]) -> Fraction:
    return sum((Fraction(each) for each in parts.values()), Fraction(0))


def _cents(amount: Fraction | float) -> int:
    return math.floor(Fraction(amount) * 100 + Fraction(1, 2))
