"""What it costs over its life."""

from __future__ import annotations

from planner.formatting import DASH, capitalised, given, money, percent
from planner.procurement.cost import CostSummary
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, figures, grid
from reports.grid import Table, table
from reports.numbers import fixed, shown
from reports.procurement.figures.life_cost import present_values
from reports.units import carbon, energy


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """Money, energy and carbon."""
    cost = study.cost
    if cost is None:
        return None
    answer = f"{money(cost.total_cost, cost.currency)} over {cost.lifetime_years:g} years"
    if cost.per_core_hour is not None:
        answer += f", {shown(cost.per_core_hour, 3)} {cost.currency} per used core-hour"
    answer += f"; {energy(cost.energy_kwh_per_year)} and {carbon(cost.carbon_t_per_year)} a year."
    interest = given(study.problem.prices.discount_rate)
    return Page(
        "What does it cost over its life?",
        answer,
        (
            *figures(pictures, "life_cost", f"Later years are discounted at {interest} a year."),
            grid(_parts(study, cost), "Total cost of ownership", small=True),
            grid(_per_unit(cost), "Per year and per unit of work", small=True),
        ),
    )


def _parts(study: ProcurementStudy, cost: CostSummary) -> Table:
    yearly = {
        "maintenance": cost.maintenance_per_year,
        "staff": cost.staff_per_year,
        "energy": cost.energy_cost_per_year,
    }
    year = cost.operating_per_year_expected
    rows = [
        (
            capitalised(name),
            money(yearly[name], cost.currency, like=year) if name in yearly else "once",
            money(value, cost.currency, like=cost.total_cost),
            percent(value / cost.total_cost, places=1),
        )
        for name, value in present_values(study)
    ]
    rows.append(
        (
            "Total cost of ownership",
            money(year, cost.currency, like=year),
            money(cost.total_cost, cost.currency, like=cost.total_cost),
            "100.0 %",
        )
    )
    columns = (("Part", False), ("A year", True), ("Present value", True), ("Share", True))
    return table(columns, (2, 1.2, 1.2, 0.8), rows)


def _per_unit(cost: CostSummary) -> Table:
    highest = cost.operating_per_year_highest
    rows = [
        *([("Operating cost a year at the highest energy price",
            money(highest, cost.currency, like=highest))]
          if highest != cost.operating_per_year_expected else []),
        ("Cores", f"{cost.cores:,}"),
        ("Cost per used core-hour", _price(cost.per_core_hour, cost.currency)),
        ("Cost of one unit of score for a year",
         DASH if cost.per_score_year is None
         else money(cost.per_score_year, cost.currency)),
        ("Energy a year at the feed", energy(cost.energy_kwh_per_year)),
        ("Carbon of that energy a year", carbon(cost.carbon_t_per_year)),
        ("Carbon of that energy over the life",
         carbon(cost.carbon_t_per_year * cost.lifetime_years)),
        ("Carbon of making the nodes",
         "not stated by every quote" if cost.embodied_t is None else carbon(cost.embodied_t)),
    ]  # fmt: skip
    return table((("Item", False), ("Value", True)), (2.4, 1), rows)


def _price(value: float | None, currency: str) -> str:
    return DASH if value is None else f"{fixed(value, 6)} {currency}"
