"""Where the money of a lifetime goes."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.formatting import capitalised, money, percent
from planner.procurement.study import ProcurementStudy
from reports.style import BLUE, Picture, draw


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if there is a plan."""
    if study.cost is None:
        return []
    parts = present_values(study)
    currency, total = study.cost.currency, study.cost.total_cost
    name, largest = max(parts, key=lambda part: part[1])
    energy = dict(parts)["energy"]
    title = (
        f"{capitalised(name)} is {percent(largest / total)} of the "
        f"{money(total, currency)} spent over {study.cost.lifetime_years:g} years"
    )
    title += f", energy {percent(energy / total)}" if name != "energy" else ""
    listed = "; ".join(f"{name} {money(value, currency)}" for name, value in parts)
    return [
        draw(
            "life_cost", "04-life-cost", title,
            f"Bars of present values: {listed}; in all {money(total, currency)}.",
            (6.8, 1.65), lambda figure: _paint(figure, parts, currency),
        )
    ]  # fmt: skip


def present_values(study: ProcurementStudy) -> list[tuple[str, float]]:
    """Capital, and the present value of each kind of operation."""
    cost, years = study.cost, study.problem.prices.annuity
    if cost is None:
        return []
    return [
        ("capital", cost.capital),
        ("maintenance", years * cost.maintenance_per_year),
        ("staff", years * cost.staff_per_year),
        ("energy", years * cost.energy_cost_per_year),
    ]


def _paint(figure: Figure, parts: list[tuple[str, float]], currency: str) -> None:
    axes = figure.subplots()
    total, largest = sum(value for _, value in parts), max(value for _, value in parts)
    axes.barh(range(len(parts)), [value / 1e6 for _, value in parts], color=BLUE, height=0.62)
    for row, (_, value) in enumerate(parts):
        axes.annotate(
            f"{money(value, currency)} ({percent(value / total)})", (value / 1e6, row),
            xytext=(5, 0), textcoords="offset points", va="center", fontsize=8,
        )  # fmt: skip
    axes.set_yticks(range(len(parts)), [name for name, _ in parts])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.3 * largest / 1e6)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(f"present value (million {currency})")
