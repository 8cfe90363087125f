"""How well models predict: their errors, and what decisions by them cost.

References
----------
Thesis, Figures 5.4 and 5.5: quartiles of the errors of its regression.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from planner.configurations.prediction.findings import least_error, named
from planner.configurations.study import ConfigurationStudy
from planner.formatting import clipped, given, percent
from reports.configuration.summary import application_names
from reports.style import GREY, PALETTE, Picture, draw, in_groups

if TYPE_CHECKING:
    from planner.configurations.prediction.compare import Errors, ModelDecisions

MARKERS = "so^DvPX"
_LEAST = 1e-4
"""Errors below a hundredth of a per cent count as equal on the axis."""
_PANELS = 3
_NARROW = 0.01
"""Regrets up to this share are on a linear scale."""


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """Errors of all applications in one picture, decisions in one for every three."""
    prediction = study.prediction
    if prediction is None:
        return []
    names = application_names(study)
    errors = [row for row in prediction.errors if row.application in names]
    decisions = [row for row in prediction.decisions if row.application in names]
    groups = in_groups(names, _PANELS)
    height = 0.95 + 0.135 * len(errors) + 0.1 * len(names)
    return [
        draw("errors of models", "06-model-errors", least_error(prediction),
             _errors_described(errors), (6.8, height), lambda figure: paint_errors(figure, errors)),
        *(_decided(decisions, group, number) for number, group in enumerate(groups, 1)),
    ]  # fmt: skip


def _decided(every: Sequence[ModelDecisions], names: Sequence[str], number: int) -> Picture:
    rows = [row for row in every if row.application in names]
    file = "07-model-decisions" if number == 1 else f"07-model-decisions-{number}"
    text = "Mean regret and share of broken bounds: " + "; ".join(
        f"{clipped(row.application)}, {row.model}, guard {percent(row.guard)}: "
        f"{percent(row.regret_mean) if row.regret_mean is not None else 'no answer'}, "
        f"{percent(row.violations)}"
        for row in rows
    )
    return draw(
        "decisions of models", file, decisions_finding(rows), text, (6.8, 0.6 + 1.9 * len(names)),
        lambda figure: paint_decisions(figure, rows),
    )  # fmt: skip


def _errors_described(rows: Sequence[Errors]) -> str:
    return "Median error of time and of power: " + "; ".join(
        f"{clipped(row.application)}, {row.model}: {percent(row.time_median)}, "
        f"{percent(row.power_median)}"
        for row in rows
    )


def decisions_finding(rows: Sequence[ModelDecisions]) -> str:
    """How often bounds break at the least and at the largest guard."""
    low, high = min(row.guard for row in rows), max(row.guard for row in rows)
    ends = []
    for guard in dict.fromkeys((low, high)):
        shares = [row.violations for row in rows if row.guard == guard and row.no_answer < 1]
        name = "without a guard" if guard == 0 else f"with a guard of {given(guard)}"
        ends.append(f"{_span(shares)} {name}")
    return f"Model decisions that break the bound: {', '.join(ends)}"


def _span(shares: Sequence[float]) -> str:
    if not shares:
        return "unknown"
    low, high = percent(min(shares)), percent(max(shares))
    return low if low == high else f"{low} to {high}"


def paint_errors(figure: Figure, rows: Sequence[Errors]) -> None:
    """One line per model: marker at the median, thick to the third quartile, thin to the end."""
    panels = figure.subplots(1, 2, sharey=True)
    models = list(dict.fromkeys(row.model for row in rows))
    names = list(dict.fromkeys(row.application for row in rows))
    positions = [
        names.index(row.application) * (len(models) + 0.8) + models.index(row.model) for row in rows
    ]
    for axes, quantity in zip(panels, ("time", "power"), strict=True):
        for position, row in zip(positions, rows, strict=True):
            colour, marker = _look(models.index(row.model))
            values = (
                getattr(row, f"{quantity}_{name}") for name in ("median", "quartile_3", "most")
            )
            low, middle, high = (100 * max(value, _LEAST) for value in values)
            axes.plot([low, high], [position, position], color=colour, linewidth=0.9)
            axes.plot([low, middle], [position, position], color=colour, linewidth=3.2)
            axes.plot(high, position, "|", color=colour, ms=6)
            axes.plot(low, position, marker, color=colour, ms=5, markeredgecolor="black",
                      markeredgewidth=0.4, zorder=3)  # fmt: skip
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(subs=(1, 3)))
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.grid(visible=False, axis="y")
        axes.set_xlabel(f"error of {quantity} (%)")
    centres = [
        float(
            np.mean([p for p, row in zip(positions, rows, strict=True) if row.application == name])
        )
        for name in names
    ]
    panels[0].set_yticks(centres, [clipped(name, 18) for name in names], parse_math=False)
    for axes in panels:
        axes.tick_params(axis="y", length=0)
    panels[0].invert_yaxis()
    figure.legend(handles=_handles(models), loc="outside upper left", ncols=2, handlelength=1.6)


def paint_decisions(figure: Figure, rows: Sequence[ModelDecisions]) -> None:
    """Regret and broken bounds over the guard, a row of panels per application."""
    names = list(dict.fromkeys(row.application for row in rows))
    models = list(dict.fromkeys(row.model for row in rows))
    panels = figure.subplots(len(names), 2, squeeze=False)
    for name, (regret_axes, right) in zip(names, panels, strict=True):
        here = [row for row in rows if row.application == name]
        for number, model in enumerate(models):
            _decisions(
                regret_axes, right, [row for row in here if row.model == model], number, len(models)
            )
        prices = {row.guard: row.guard_price for row in here}
        regret_axes.plot([100 * guard for guard in prices],
                         [100 * price for price in prices.values()],
                         color=GREY, linestyle=(0, (1, 1.5)), marker="_", ms=9)  # fmt: skip
        percent_scale(regret_axes)
        top = max(10.0, 115 * max(row.violations for row in here))
        right.set_ylim(-0.03 * top, top)
        regret_axes.set_title(clipped(name, 40), loc="left", parse_math=False)
        regret_axes.set_ylabel("mean regret (%)")
        right.set_ylabel("over the bound (%)")
        for axes in (regret_axes, right):
            axes.set_xticks([100 * guard for guard in prices])
    for axes in panels[-1]:
        axes.set_xlabel("guard (% of the bound)")
    price = Line2D([], [], color=GREY, linestyle=(0, (1, 1.5)), marker="_", ms=9,
                   label="price of the guard")  # fmt: skip
    figure.legend(handles=[*_handles(models), price], loc="outside upper left", ncols=3,
                  handlelength=1.6)  # fmt: skip


def _decisions(
    regret_axes: Axes, right: Axes, rows: Sequence[ModelDecisions], number: int, models: int
) -> None:
    """One model; hollow markers: some decisions, at the upper edge all, have no answer."""
    colour, marker = _look(number)
    moved = 0.22 * (number - (models - 1) / 2)
    line: dict[str, Any] = {"color": colour, "marker": marker, "ms": 4.5, "linewidth": 1.1,
                            "markeredgecolor": "black", "markeredgewidth": 0.4}  # fmt: skip
    answered = [row for row in rows if row.regret_mean is not None]
    guards = [100 * row.guard + moved for row in answered]
    regret_axes.plot(guards, [100 * (row.regret_mean or 0.0) for row in answered], **line)
    right.plot(guards, [100 * row.violations for row in answered], **line)
    for guard, row in zip(guards, answered, strict=True):
        if row.regret_low is not None and row.regret_high is not None:
            ends = [100 * row.regret_low, 100 * row.regret_high]
            regret_axes.plot([guard, guard], ends, color=colour, linewidth=0.8, zorder=1)
    for row in rows:
        if row.regret_mean is not None and row.no_answer:
            regret_axes.plot(100 * row.guard + moved, 100 * row.regret_mean, marker, color=colour,
                             ms=4.5, markerfacecolor="white", zorder=4)  # fmt: skip
        if row.regret_mean is None:
            no_answer(regret_axes, 100 * row.guard + moved, colour, marker)


def no_answer(axes: Axes, x: float, colour: str, marker: str) -> None:
    """A hollow marker at the upper edge."""
    axes.plot(x, 1.0, marker, color=colour, ms=5, markerfacecolor="white", clip_on=False,
              transform=axes.get_xaxis_transform(), zorder=4)  # fmt: skip


def percent_scale(axes: Axes) -> None:
    """Regrets in per cent: linear up to 1 %, logarithmic beyond, on both sides of nothing."""
    axes.set_yscale("symlog", linthresh=100 * _NARROW, linscale=0.6)
    values = np.concatenate([np.asarray(line.get_ydata(), float) for line in axes.lines])
    if values.min() >= 0:
        axes.set_ylim(bottom=-0.2)
    low, high = axes.get_ylim()
    ticks = [
        sign * size for size in (0, 1, 3, 10, 30, 100, 300, 1000, 10_000) for sign in (-1, 1)
        if low <= sign * size <= max(high, 1.0) and (size or sign > 0)
    ]  # fmt: skip
    axes.set_yticks(ticks, [f"{tick:,g}".replace("-", "−") for tick in ticks])  # noqa: RUF001
    axes.set_yticks([], minor=True)
    axes.axhline(0, color="black", linewidth=0.6, zorder=0)


def _look(number: int) -> tuple[str, str]:
    return PALETTE[number % len(PALETTE)], MARKERS[number % len(MARKERS)]


def _handles(models: Sequence[str]) -> list[Line2D]:
    handles = []
    for number, model in enumerate(models):
        colour, marker = _look(number)
        handles.append(Line2D([], [], color=colour, marker=marker, ms=5, markeredgecolor="black",
                            markeredgewidth=0.4, linewidth=1.4, label=named(model)))  # fmt: skip
    return handles
