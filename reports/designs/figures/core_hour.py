"""What a year of the machine costs, part by part."""

from __future__ import annotations

from functools import partial

from matplotlib.figure import Figure

from planner.designs.core_hour import CoreHourCost
from planner.designs.phrases import TEMPLATES
from planner.designs.study import DesignStudy
from planner.phrases import phrase
from reports.language import Language
from reports.numbers import fixed, shown
from reports.style import BLUE, GREEN, ORANGE, PURPLE, Picture, draw

_t = partial(phrase, TEMPLATES)


def pictures(study: DesignStudy) -> list[Picture]:
    """One picture, if a cost per core-hour was asked for."""
    cost = study.core_hour
    if cost is None:
        return []
    language = study.scenario.language
    parts = _parts(cost, language)
    name, largest = max(parts, key=lambda part: part[1])
    share = fixed(100 * largest / cost.total_per_year, 0)
    title = _t(language, "largest cost", part=name, share=share, machine=cost.machine)
    listed = "; ".join(f"{n} {shown(v)} {cost.currency}" for n, v in parts)
    alternative = _t(language, "costs", listed=listed, total=shown(cost.total_per_year))
    return [
        draw(
            "core_hour",
            "10-cost-per-year",
            title,
            alternative,
            (6.6, 2.9),
            lambda f: _paint(f, cost, language),
        )
    ]


def _parts(cost: CoreHourCost, language: Language) -> list[tuple[str, float]]:
    return [
        (_t(language, "acquisition"), cost.acquisition_per_year),
        (_t(language, "maintenance"), cost.maintenance_per_year),
        (_t(language, "energy"), cost.energy_per_year),
        (_t(language, "staff"), cost.staff_per_year),
    ]


def _paint(figure: Figure, cost: CoreHourCost, language: Language) -> None:
    axes = figure.subplots()
    parts = _parts(cost, language)
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
    axes.set_xlabel(_t(language, "cost axis", currency=cost.currency))
