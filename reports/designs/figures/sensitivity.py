"""Figures 4.3 to 4.6 of the thesis, recomputed: speedup over r_c, P_sys and r_p."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from planner.designs.break_even import BreakEven, Curves, Step
from planner.designs.decision import around, rounded_down, rounded_up
from planner.designs.overprovisioning import DesignCase, DesignComparison
from planner.designs.phrases import faster
from planner.designs.study import DesignStudy
from planner.formatting import clipped, spanned
from reports.numbers import fixed, shown
from reports.style import (
    BLUE,
    ORANGE,
    VERMILLION,
    Picture,
    break_even_line,
    draw,
    file_name,
    in_groups,
)

Row = tuple[DesignCase, DesignComparison, BreakEven, Curves]
"""What one application's panels show."""
_MOST_ROWS = 4
_AXES = ("cost ratio", "power bound (kW)", "high-end nodes faster by")
_TOP = 4.0  # speedups above this are cut: there the straight line runs to zero


def pictures(study: DesignStudy) -> list[Picture]:
    """One picture of a few applications, a row of three panels each."""
    parts = list(
        zip(study.cases, study.overprovisioning, study.break_even, study.curves, strict=True)
    )
    groups = in_groups(parts, _MOST_ROWS)
    return [_picture(number, group) for number, group in enumerate(groups, start=2)]


def _picture(number: int, rows: Sequence[Row]) -> Picture:
    alternative = " ".join(
        _described(*row) + f" {finding(comparison, even)}."
        for row in rows
        for _, comparison, even, _ in (row,)
    )
    return draw(
        "sensitivity",
        file_name("sensitivity" if number == 2 else f"sensitivity {number - 1}", 2),
        _title(rows),
        alternative,
        (7.2, 0.75 + 1.4 * len(rows)),
        lambda figure: paint(figure, rows),
    )


def _title(rows: Sequence[Row]) -> str:
    """State how many applications could be faster with the other design."""
    turning = sum("reverses" in finding(comparison, even) for _, comparison, even, _ in rows)
    of = f"{turning} of {len(rows)} applications" if len(rows) > 1 else rows[0][0].application
    if not turning:
        which = "any application" if len(rows) > 1 else of
        return f"No other cost ratio or node speed reverses the result of {which}"
    return f"Another cost ratio or node speed reverses the result of {of}"


def _described(
    case: DesignCase, comparison: DesignComparison, even: BreakEven, curves: Curves
) -> str:
    ratios = [s.speedup for s in curves.cost_ratio if s.speedup is not None]
    powers = [s.speedup for s in curves.power_bound_w if s.speedup is not None]
    return (
        f"Three panels for {case.application}. Over the cost ratio from 1 the speedup runs from "
        f"{_ends(ratios)}; over the power bound from {_ends(powers)}; over r_p from 0 to 0.5 it "
        f"falls through 1 at {fixed(even.performance_fraction, 3)}. Now: cost ratio "
        f"{shown(comparison.cost_ratio)}, {shown(case.power_bound_w, unit='W')}, r_p "
        f"{shown(case.performance_fraction)}, speedup {fixed(comparison.speedup, 3)}."
    )


def finding(comparison: DesignComparison, even: BreakEven) -> str:
    """What the figure shows, as its title."""
    text = f"{comparison.application}: "
    if faster(comparison.speedup) == "equally fast":
        text += "both designs are equally fast"
    else:
        design = "overprovisioned" if comparison.beneficial else "worst-case"
        text += f"the {design} design is {faster(comparison.speedup)}"
    below, above = around(even.cost_ratio_pays, comparison.cost_ratio, 1.0)
    turns = []
    if below is not None:
        turns.append(f"a cost ratio below {rounded_down(below, 3)}")
    if above is not None:
        turns.append(f"a cost ratio of at least {rounded_up(above, 3)}")
    if comparison.beneficial:
        turns.append(f"r_p of at least {rounded_up(100 * even.performance_fraction, 2)} %")
    elif even.performance_fraction > 0:
        turns.append(f"r_p below {rounded_down(100 * even.performance_fraction, 2)} %")
    return f"{text}; the result reverses with {' or '.join(turns)}" if turns else text


def _ends(values: Sequence[float]) -> str:
    if not values:
        return "nothing known"
    return spanned(fixed(values[0], 2), fixed(values[-1], 2))


def paint(figure: Figure, rows: Sequence[Row]) -> None:
    """Draw a row for each application; inputs and the legend appear once."""
    panels = figure.subplots(len(rows), 3, sharey="row", squeeze=False)
    crossed = [_row(tuple(axes), *row) for axes, row in zip(panels, rows, strict=True)]
    for axes, label in zip(panels[-1], _AXES, strict=True):
        axes.set_xlabel(label)
    for axes in panels[:-1].flatten():
        axes.tick_params(labelbottom=False)
    steps = [step for *_, curves in rows for step in (*curves.cost_ratio, *curves.power_bound_w)]
    _legend(figure, crossed=any(crossed), extrapolated=any(step.extrapolated for step in steps))


def _row(
    panels: Sequence[Axes],
    case: DesignCase,
    comparison: DesignComparison,
    even: BreakEven,
    curves: Curves,
) -> bool:
    """Draw one application; return whether some curve crosses the line of equal run times."""
    cost_axes, middle, right = panels
    speedups = [
        s.speedup for s in (*curves.cost_ratio, *curves.power_bound_w) if s.speedup is not None
    ] + [value for _, value in curves.performance]
    low = min([0.9, *speedups])
    high = max([1.1, *(s for s in speedups if s <= _TOP)])
    cost_axes.set_ylim(low - 0.04 * (high - low), high + 0.08 * (high - low))
    _staircase(cost_axes, curves.cost_ratio)
    _staircase(middle, curves.power_bound_w)
    right.plot(*zip(*curves.performance, strict=True), color=BLUE, linewidth=1.6)
    for axes, now in (
        (cost_axes, comparison.cost_ratio),
        (middle, case.power_bound_w),
        (right, case.performance_fraction),
    ):
        break_even_line(axes)
        axes.plot([now], [comparison.speedup], "D", color=ORANGE, markeredgecolor="black", ms=5.5)
    cost_axes.set_title(clipped(case.application), loc="left", fontsize=9, parse_math=False)
    cost_axes.set_ylabel("speedup")
    middle.xaxis.set_major_formatter(lambda value, _: f"{value / 1000:g}")
    right.xaxis.set_major_formatter(lambda value, _: f"{100 * value:.0f} %")
    crossed = False
    if even.cost_ratio is not None and 1 < even.cost_ratio < cost_axes.get_xlim()[1]:
        _mark(cost_axes, even.cost_ratio, rounded_up(even.cost_ratio, 3))
        crossed = True
    for where, falling in _power_crossings(even, middle.get_xlim()):
        decimals = 0 if case.power_bound_w >= 100 else 3
        label = rounded_down(where, decimals) if falling else rounded_up(where, decimals)
        _mark(middle, where, f"{label} W", falling=falling)
        crossed = True
    if 0 < even.performance_fraction < 0.5:
        side = rounded_up if comparison.beneficial else rounded_down
        label = f"{side(100 * even.performance_fraction, 2)} %"
        _mark(right, even.performance_fraction, label, falling=True)
        crossed = True
    middle.xaxis.set_major_locator(MaxNLocator(4))
    return crossed


def _power_crossings(
    even: BreakEven, shown_range_w: tuple[float, float]
) -> list[tuple[float, bool]]:
    """Where the power curve crosses 1 inside the panel, and whether it falls there."""
    crossings = []
    for interval in even.power_bound_pays_w:
        if (
            shown_range_w[0] < interval.start < shown_range_w[1]
            and interval.start > even.power_range_w[0]
        ):
            crossings.append((interval.start, False))
        if (
            interval.end is not None
            and interval.ended_by == "slower"
            and interval.end < shown_range_w[1]
        ):
            crossings.append((interval.end, True))
    return crossings[:4]


def _legend(figure: Figure, *, crossed: bool, extrapolated: bool) -> None:
    """What the marks mean, once for all panels; only what is drawn."""
    kinds = [Line2D([], [], marker="D", color=ORANGE, markeredgecolor="black", ls="", label="now")]
    if crossed:
        kinds.append(
            Line2D([], [], marker="o", color="white", markeredgecolor=VERMILLION, ls="",
                   label="break-even")
        )  # fmt: skip
    kinds.append(Line2D([], [], color=VERMILLION, linestyle=(0, (5, 2)), label="equal run times"))
    if extrapolated:
        kinds.append(Line2D([], [], color=BLUE, linestyle=(0, (2, 1)), label="extrapolated"))
    figure.legend(handles=kinds, loc="outside upper right", ncols=4, handlelength=1.8)


def _staircase(axes: Axes, steps: Sequence[Step]) -> None:
    """Known steps as lines; extrapolated ones dashed on grey."""
    for dashed in (False, True):
        edges: list[float] = []
        values: list[float] = []
        for step in steps:
            applies = step.speedup is not None and step.extrapolated == dashed
            edges += [step.start, step.end]
            value = step.speedup if applies and step.speedup is not None else float("nan")
            values += [value, value]
        axes.plot(
            edges, values, color=BLUE, linewidth=1.6, linestyle=(0, (2, 1)) if dashed else "-"
        )
    outside = [step for step in steps if step.extrapolated]
    if outside:
        axes.axvspan(outside[0].start, outside[-1].end, color="#F0F0F0", zorder=0)
    if steps:
        axes.set_xlim(steps[0].start, steps[-1].end)


def _mark(axes: Axes, where: float, label: str, *, falling: bool = False) -> None:
    """The break-even point on the line at 1, its label where the curve is not."""
    axes.plot([where], [1.0], "o", color="white", markeredgecolor=VERMILLION, ms=5.5, zorder=4)
    offset, side = ((4, 5), "left") if falling else ((-3, 5), "right")
    axes.annotate(
        label, (where, 1.0), xytext=offset, textcoords="offset points", fontsize=8, ha=side
    )
