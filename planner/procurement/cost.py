"""What a plan costs over its life: money, energy and carbon, in all and per unit of work."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from planner.procurement.at_work import nodes_at_work
from planner.procurement.bill import operating_per_year
from planner.procurement.plan import Plan
from planner.procurement.problem import HOURS_PER_YEAR, Problem


@dataclass(frozen=True)
class CostSummary:
    """Money in the scenario's currency; energy at the feed; carbon in tonnes of CO2 equivalent.

    Attributes
    ----------
    total_cost
        Capital and the present value of all operation: the total cost of ownership.
    per_core_hour
        Total cost over the core-hours used in the lifetime: those of nodes that run jobs.
    per_score_year
        Total cost over score times years: the price of a year of one reference machine's work.
    operating_per_year_expected, operating_per_year_highest
        Operating cost per year at the expected and at the highest energy price.
    """

    currency: str
    hardware: float
    installation: float
    fixed_capital: float
    capital: float
    maintenance_per_year: float
    staff_per_year: float
    energy_cost_per_year: float
    operating_per_year_expected: float
    operating_per_year_highest: float
    lifetime_years: float
    total_cost: float
    cores: int
    per_core_hour: float | None
    per_score_year: float | None
    energy_kwh_per_year: float
    carbon_t_per_year: float
    embodied_t: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def cost_summary(problem: Problem, plan: Plan) -> CostSummary:
    """Everything that a plan costs."""
    prices, bill = problem.prices, plan.bill
    kwh = plan.mean_it_w * prices.feed_per_it * HOURS_PER_YEAR / 1000
    offers = [problem.offers[lot.offer] for lot in plan.purchases]
    cores = sum(offer.cores * lot.nodes for offer, lot in zip(offers, plan.purchases, strict=True))
    used_cores = math.fsum(
        offer.cores * nodes_at_work(problem, plan, lot)
        for offer, lot in zip(offers, plan.purchases, strict=True)
    )
    used = used_cores * HOURS_PER_YEAR * prices.lifetime_years * prices.utilisation
    made = [
        (problem.offers[purchase.offer].embodied_kg, purchase.nodes) for purchase in plan.purchases
    ]
    stated = [(kg, nodes) for kg, nodes in made if kg is not None]
    highest = max(price for price, _ in prices.energy_prices)
    year = operating_per_year(problem, bill, plan.mean_it_w, prices.expected_energy_price)
    work = plan.score * prices.lifetime_years
    return CostSummary(
        currency=prices.currency,
        hardware=bill.hardware,
        installation=bill.installation,
        fixed_capital=prices.fixed_capital,
        capital=bill.capital,
        maintenance_per_year=bill.maintenance,
        staff_per_year=prices.staff,
        energy_cost_per_year=kwh * prices.expected_energy_price,
        operating_per_year_expected=year,
        operating_per_year_highest=operating_per_year(problem, bill, plan.mean_it_w, highest),
        lifetime_years=prices.lifetime_years,
        total_cost=plan.total_cost,
        cores=cores,
        per_core_hour=plan.total_cost / used if used else None,
        per_score_year=plan.total_cost / work if work > 0 else None,
        energy_kwh_per_year=kwh,
        carbon_t_per_year=kwh * prices.carbon_g_per_kwh / 1e6,
        embodied_t=sum(kg * nodes for kg, nodes in stated) / 1000
        if len(stated) == len(made)
        else None,
    )
