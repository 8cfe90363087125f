"""Cost, score and power of plans that no other found dominates."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from planner.formatting import money, power, power_unit
from planner.procurement.front import ParetoPoint
from planner.procurement.plan import Plan
from planner.procurement.study import ProcurementStudy
from reports.numbers import fixed
from reports.style import ORANGE, VERMILLION, Picture, draw

_SMALL, _LARGE = 26.0, 190.0
_NEAR = 9.0  # points of the page, of both directions together
_MOST_LABELS = 30
_SIDES = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1))
_DIAMOND = 10.0
"""From its middle to its corners."""
Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points of the page."""


def pictures(study: ProcurementStudy) -> list[Picture]:
    """One picture, if there is a front of at least two plans."""
    points = study.pareto
    if len(points) < 2:
        return []
    largest = max(point.it_power_w for point in points)
    listed = "; ".join(
        f"{point_index}: {money(p.capital, study.problem.prices.currency)}, {fixed(p.score, 3)}, "
        f"{power(p.it_power_w, like=largest)}{' (beyond a limit)' * bool(p.beyond)}"
        for point_index, p in enumerate(points, 1)
    )
    return [
        draw(
            "pareto", "10-pareto", finding(study),
            f"Capital, score and IT power of undominated plans. {listed}.", (6.8, 3.3),
            lambda figure: paint(figure, study),
        )
    ]  # fmt: skip


def source(study: ProcurementStudy) -> str:
    """What the numbers are, and that not every dot has one where there are many."""
    many = "; not every dot has one" if len(study.pareto) > _MOST_LABELS else ""
    return f"Numbers as in the table{many}."


def finding(study: ProcurementStudy) -> str:
    """How many plans keep the limits of the site, the best of them, and what more would bring."""
    high = max(study.pareto, key=lambda point: point.score)
    within = [point for point in study.pareto if not point.beyond]
    count = f"{len(study.pareto)} plans"
    if not within:
        return (
            f"None of {count} is within the limits of the site; the best scores {_of(study, high)}"
        )
    best = max(within, key=lambda point: point.score)
    if len(within) == len(study.pareto):
        return f"All {count} are within the limits of the site; the best scores {_of(study, best)}"
    return (
        f"The best plan within the limits of the site scores {_of(study, best)}; beyond them, "
        f"{_of(study, high)}"
    )


def _of(study: ProcurementStudy, point: ParetoPoint) -> str:
    largest = max(point.it_power_w for point in study.pareto)
    dearest = max(point.capital for point in study.pareto)
    capital = money(point.capital, study.problem.prices.currency, like=dearest)
    return f"{fixed(point.score, 2)} for {capital} at {power(point.it_power_w, like=largest)}"


def paint(figure: Figure, study: ProcurementStudy) -> None:
    """Dots with their numbers, and the decision."""
    axes = figure.subplots()
    points = study.pareto
    watts = [point.it_power_w for point in points]
    minimum, span = min(watts), (max(watts) - min(watts)) or 1.0
    unit, size = power_unit(watts)
    sizes = [_SMALL + (_LARGE - _SMALL) * (w - minimum) / span for w in watts]
    dots_drawn = axes.scatter(
        [p.capital / 1e6 for p in points], [p.score for p in points], s=sizes,
        c=[w / size for w in watts], cmap="cividis", zorder=3,
        linewidths=[1.6 if p.beyond else 0.6 for p in points],
        edgecolors=[VERMILLION if p.beyond else "black" for p in points],
    )  # fmt: skip
    if study.plan is not None:
        axes.plot(
            [study.plan.bill.capital / 1e6], [study.plan.score], "D", ms=13, color="none",
            markeredgecolor=ORANGE, markeredgewidth=2.0, zorder=4, label="the decision",
        )  # fmt: skip
    if any(p.beyond for p in points):
        axes.plot(
            [], [], "o", color="white", markeredgecolor=VERMILLION, markeredgewidth=1.6,
            label="beyond a limit of the site",
        )  # fmt: skip
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower right")
    axes.set_xlabel(f"capital (million {study.problem.prices.currency})")
    axes.set_ylabel("score S (reference machine = 1)")
    axes.margins(0.07)
    figure.colorbar(dots_drawn, ax=axes, label=f"IT power ({unit}); also by size")
    _number(figure, points, sizes, study.plan)


def _number(
    figure: Figure, points: tuple[ParetoPoint, ...], sizes: list[float], decided: Plan | None
) -> None:
    """Numbers as in the table, one label for points that lie on each other."""
    axes = figure.axes[0]
    figure.draw_without_rendering()  # places the axes, so that points have pixels
    scale = figure.dpi / 72
    dots = axes.transData.transform([(p.capital / 1e6, p.score) for p in points]) / scale
    boxes = [
        (x - r, y - r, x + r, y + r)
        for (x, y), r in zip(dots, (0.55 * s**0.5 for s in sizes), strict=True)
    ]
    frame = axes.get_window_extent()
    inside = (frame.x0 / scale, frame.y0 / scale, frame.x1 / scale, frame.y1 / scale)
    occupied = list(boxes)
    if decided is not None:
        (at,) = axes.transData.transform([(decided.bill.capital / 1e6, decided.score)]) / scale
        occupied.append((at[0] - _DIAMOND, at[1] - _DIAMOND, at[0] + _DIAMOND, at[1] + _DIAMOND))
    for group in _groups(dots)[:_MOST_LABELS]:
        label = ", ".join(str(index + 1) for index in group[:4]) + ("…" if len(group) > 4 else "")
        wide, high = 4.6 * len(label) + 2, 8.5
        x, y = dots[group[0]]
        reach = max(boxes[index][2] - dots[index][0] for index in group)
        spots = [
            (x + turn * (reach + gap + (wide / 2 if turn else 0)) - wide / 2,
             y + rise * (reach + gap + (high / 2 if rise else 0)) - high / 2)
            for gap in (1.0, 5.0, 10.0, 16.0)
            for turn, rise in _SIDES
        ]  # fmt: skip
        spot = min(
            spots, key=lambda at: _covered((*at, at[0] + wide, at[1] + high), occupied, inside)
        )
        occupied.append((*spot, spot[0] + wide, spot[1] + high))
        axes.annotate(
            label, (points[group[0]].capital / 1e6, points[group[0]].score),
            xytext=(spot[0] + wide / 2 - x, spot[1] + high / 2 - y), ha="center", va="center",
            textcoords="offset points", fontsize=8, zorder=5,
        )  # fmt: skip


def _covered(box: Box, occupied: list[Box], inside: Box) -> float:
    """Area that a label shares with dots and other labels, or has beyond the frame."""
    shared = sum(_overlap(box, other) for other in occupied)
    return shared + 3 * ((box[2] - box[0]) * (box[3] - box[1]) - _overlap(box, inside))


def _overlap(first: Box, other: Box) -> float:
    wide = min(first[2], other[2]) - max(first[0], other[0])
    high = min(first[3], other[3]) - max(first[1], other[1])
    return max(0.0, wide) * max(0.0, high)


def _groups(dots: NDArray[np.float64]) -> list[list[int]]:
    """Places of points that lie on each other, first one first."""
    groups: list[list[int]] = []
    for dot_index, dot in enumerate(dots):
        for group in groups:
            if float(np.abs(dot - dots[group[0]]).sum()) < _NEAR:
                group.append(dot_index)
                break
        else:
            groups.append([dot_index])
    return groups
