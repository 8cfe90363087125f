"""Where the money of a lifetime goes."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.formatting import capitalised, money, percent
from planner.procurement.study import ProcurementStudy
from reports.style import Picture, draw, look


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
            f"One stacked bar of present values: {listed}; in all {money(total, currency)}.",
            (6.8, 1.85), lambda figure: _paint(figure, parts, currency),
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
    total, left_edge = sum(value for _, value in parts), 0.0
    for part_index, (name, value) in enumerate(parts):
        colour, hatch = look(part_index)
        label = f"{name} {money(value, currency)} ({percent(value / total)})"
        axes.barh(0, value / 1e6, left=left_edge / 1e6, color=colour, hatch=hatch, height=0.6,
                  edgecolor="white", label=label)  # fmt: skip
        left_edge += value
    axes.set_yticks([])
    axes.set_ylim(-0.4, 0.4)
    axes.set_xlim(0, total / 1e6)
    axes.grid(visible=False)
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(f"present value (million {currency})")
    figure.legend(loc="outside upper left", ncols=2, fontsize=8)
