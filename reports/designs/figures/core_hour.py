"""What a year of the machine costs, part by part."""

from __future__ import annotations

from matplotlib.figure import Figure

from planner.designs.core_hour import CoreHourCost
from planner.designs.study import DesignStudy
from reports.numbers import fixed, shown
from reports.style import BLUE, GREEN, ORANGE, PURPLE, Picture, draw


def pictures(study: DesignStudy) -> list[Picture]:
    """One picture, if a cost per core-hour was asked for."""
    cost = study.core_hour
    if cost is None:
        return []
    parts = _parts(cost)
    name, largest = max(parts, key=lambda part: part[1])
    share = 100 * largest / cost.total_per_year
    title = f"{name} is {fixed(share, 0)} % of what a year of {cost.machine} costs"
    listed = "; ".join(f"{n} {shown(v)} {cost.currency}" for n, v in parts)
    alternative = f"Cost per year by part: {listed}; in all {shown(cost.total_per_year)}."
    return [
        draw(
            "core_hour",
            "10-cost-per-year",
            title,
            alternative,
            (6.6, 1.75),
            lambda f: _paint(f, cost),
        )
    ]


def _parts(cost: CoreHourCost) -> list[tuple[str, float]]:
    return [
        ("Acquisition", cost.acquisition_per_year),
        ("Maintenance and support", cost.maintenance_per_year),
        ("Power and cooling", cost.energy_per_year),
        ("Staff", cost.staff_per_year),
    ]


def _paint(figure: Figure, cost: CoreHourCost) -> None:
    axes = figure.subplots()
    parts = _parts(cost)
    values = [value / 1e6 for _, value in parts]
    colours = (BLUE, ORANGE, GREEN, PURPLE)
    bars = axes.barh(range(len(parts)), values, color=colours, hatch=("", "//", "..", "xx"),
                     edgecolor="white")  # fmt: skip
    labels = [f"{v:,.2f}  ({100 * v * 1e6 / cost.total_per_year:.1f} %)" for v in values]
    axes.bar_label(bars, labels, padding=4, fontsize=8)
    axes.set_yticks(range(len(parts)), [name for name, _ in parts])
    axes.invert_yaxis()
    axes.margins(x=0.18)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(f"million {cost.currency} per year")
