"""The whole space of configurations: one line each over nodes, cores, cap, time and power.

References
----------
Thesis, Figure 3.6, there as a radar chart.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.study import ConfigurationStudy
from planner.configurations.table import Configuration
from planner.formatting import clipped, seconds, watts
from reports.configuration.summary import answers, bound, titled
from reports.style import BLUE, GREEN, GREY, SKY, VERMILLION, Picture, draw, file_name
from solvers.portable import ten_to_the

_AXES = ("nodes", "cores\nper node", "package\ncap (W)", "time (s)", "power (W)")
_FIELDS = ("nodes", "cores_per_node", "package_cap_w", "time_s", "power_w")
_MEASURED = 3
"""From this axis on values are measured, before it they are chosen."""
_MOST_VECTORS = 1200
_MOST_TICKS = 14
_NEAR_SHOWN = 40
_FAN = 0.018
"""Share of an axis by which lines at one value are moved apart."""
Scale = tuple[float, float, bool]
"""Least, largest and whether logarithmic, of an axis."""
Scales = list[Scale]


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """One picture per application."""
    return [
        draw(
            f"space {answer.application}",
            file_name(f"space {number} {answer.application}", 2),
            titled(answer, finding(answer)),
            _alternative(answer),
            (6.8, 3.3 if len(study.answers) == 1 else 2.75),
            lambda figure, answer=answer: paint(figure, answer),  # type: ignore[misc]
        )
        for number, answer in enumerate(answers(study), 1)
        if len(answer.table) > 1
    ]


def finding(answer: ConfigurationAnswer) -> str:
    """How the best differs from packed-max."""
    best, packed = answer.best, answer.packed_max
    whose = f"The best configuration of {clipped(answer.application)}"
    under = f"under {bound(answer.question.bound.bound_w)}"
    if packed is None:
        return f"{whose} {under} is {best}; packed-max does not fit"
    parts = [
        f"{word} {phrase}"
        for word, phrase in (
            (_word(best.nodes, packed.nodes, "more", "fewer"), "nodes"),
            (_word(best.cores_per_node, packed.cores_per_node, "more", "fewer"), "cores per node"),
            (_word(best.package_cap_w, packed.package_cap_w, "a higher", "a lower"), "cap"),
        )
        if word
    ]
    if not parts:
        return f"{whose} {under} is packed-max"
    took = parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
    return f"{whose} {under} has {took} than packed-max"


def _word(new: float, old: float, more: str, fewer: str) -> str:
    return "" if new == old else more if new > old else fewer


def _alternative(answer: ConfigurationAnswer) -> str:
    inside = int(answer.question.bound.holds(answer.table.charged_w).sum())
    packed = answer.packed_max
    packed_words = "" if packed is None else f"; packed-max {_described(packed)}"
    return (
        f"{len(answer.table):,} configurations over nodes, cores per node, cap, time and power, "
        f"{inside:,} within the bound, {len(answer.near_optimal)} of them near-optimal. "
        f"Best {_described(answer.best)}{packed_words}."
    )


def _described(configuration: Configuration) -> str:
    return f"{configuration}: {seconds(configuration.time_s)}, {watts(configuration.power_w)}"


def paint(figure: Figure, answer: ConfigurationAnswer) -> None:
    """Faint lines for all, stronger ones within the bound, the best and packed-max on top."""
    axes = figure.subplots()
    table = answer.table
    values = np.column_stack([getattr(table, field) for field in _FIELDS]).astype(float)
    scales = [_scale(values[:, axis], axis) for axis in range(len(_FIELDS))]
    heights = _heights(values, scales)
    inside = answer.question.bound.holds(table.charged_w)
    fanned = _fanned(heights, table.time_s)
    crowd = max(0.02, min(0.6, 40 / len(table)))
    _lines(axes, fanned[~inside], GREY, 0.4, crowd, 1)
    _lines(axes, fanned[inside], SKY, 0.5, min(0.9, 2.5 * crowd), 2)
    near = [near_one.configuration for near_one in answer.near_optimal[1 : _NEAR_SHOWN + 1]]
    if near:
        _lines(axes, _heights(_rows(near), scales), GREEN, 1.2, 0.9, 3)
    handles = _highlights(axes, answer, scales)
    _frame(axes, values, scales)
    _bound_mark(axes, answer.question.bound.bound_w, scales[-1])
    figure.legend(
        handles=[
            *handles,
            *([_near_key(answer)] if near else []),
            Line2D([], [], color=SKY, lw=1.2, label="within the bound"),
            *([] if inside.all() else [_over_key()]),
        ],
        loc="outside upper left", ncols=5, handlelength=2.2, columnspacing=1.2, fontsize=7.5,
    )  # fmt: skip


def _over_key() -> Line2D:
    return Line2D([], [], color=GREY, lw=1.0, alpha=0.5, label="over the bound")


def _near_key(answer: ConfigurationAnswer) -> Line2D:
    label = f"within {100 * answer.question.tolerance:.3g} % of the best"
    if len(answer.near_optimal) > _NEAR_SHOWN + 1:
        label = f"the {_NEAR_SHOWN} fastest {label}"
    return Line2D([], [], color=GREEN, lw=1.2, label=label)


def _fanned(heights: NDArray[np.float64], times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chosen values a little apart, the fastest lowest, so that equal ones do not hide others."""
    rank = np.empty(len(times))
    rank[np.argsort(times, kind="stable")] = np.linspace(-_FAN, _FAN, len(times))
    apart = heights.copy()
    apart[:, :_MEASURED] += rank[:, np.newaxis]
    return apart


def _highlights(axes: Axes, answer: ConfigurationAnswer, scales: Scales) -> list[Line2D]:
    packed = answer.packed_max
    chosen: list[tuple[str, Configuration, dict[str, Any]]] = []
    if packed is not None and packed != answer.best:
        look: dict[str, Any] = {
            "color": VERMILLION,
            "linestyle": (0, (4, 2)),
            "marker": "v",
            "lw": 2.0,
        }
        chosen.append(("packed-max", packed, look))
    label = "best" if packed != answer.best else "best = packed-max"
    chosen.append((label, answer.best, {"color": BLUE, "marker": "D", "lw": 2.4}))
    handles = []
    for text, configuration, style in chosen:
        height = _heights(_rows([configuration]), scales)[0]
        (line,) = axes.plot([*range(len(_FIELDS))], height, ms=5, markeredgecolor="white", zorder=5,
                            label=text, **style)  # fmt: skip
        handles.append(line)
    return handles[::-1]


def _rows(configurations: list[Configuration]) -> NDArray[np.float64]:
    return np.array(
        [[getattr(configuration, field) for field in _FIELDS] for configuration in configurations],
        dtype=float,
    )


def _scale(column: NDArray[np.float64], axis: int) -> Scale:
    low, high = float(column.min()), float(column.max())
    return low, high, axis == _MEASURED and high > 8 * low


def _heights(values: NDArray[np.float64], scales: Scales) -> NDArray[np.float64]:
    """Return the position of each value on its axis, from 0 to 1; 0.5 if all are equal."""
    columns = []
    for column, (low, high, logarithmic) in zip(values.T, scales, strict=True):
        if high <= low:
            columns.append(np.full(len(column), 0.5))
        elif logarithmic:
            columns.append(np.log(column / low) / np.log(high / low))
        else:
            columns.append((column - low) / (high - low))
    return np.column_stack(columns)


def _lines(
    axes: Axes, heights: NDArray[np.float64], colour: str, width: float, alpha: float, order: int
) -> None:
    if not len(heights):
        return
    positions = np.broadcast_to(np.arange(len(_FIELDS)), heights.shape)
    lines = LineCollection(
        list(np.stack((positions, heights), axis=2)), colors=colour, linewidths=width, alpha=alpha,
        zorder=order,
    )  # fmt: skip
    lines.set_rasterized(len(heights) > _MOST_VECTORS)
    axes.add_collection(lines)


def _frame(axes: Axes, values: NDArray[np.float64], scales: Scales) -> None:
    """Five vertical axes with their own ticks."""
    axes.set_xlim(-0.35, len(_FIELDS) - 0.75)
    axes.set_ylim(-0.05, 1.05)
    axes.set_yticks([])
    axes.grid(visible=False)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xticks(range(len(_FIELDS)), _AXES)
    axes.tick_params(axis="x", length=0, pad=6)
    for axis, scale in enumerate(scales):
        axes.vlines(axis, 0, 1, color="black", linewidth=0.8, zorder=4)
        ticks = _ticks(values[:, axis], axis, scale)
        for tick, height in zip(ticks, _tick_heights(ticks, scale), strict=True):
            axes.annotate(
                f"{tick:,.6g}", (axis, height), xytext=(-4, 0), textcoords="offset points",
                ha="right", va="center", fontsize=7, zorder=6,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
            )  # fmt: skip


def _ticks(column: NDArray[np.float64], axis: int, scale: Scale) -> list[float]:
    """Every value where they were chosen and are few; round ones where they were measured."""
    low, high, logarithmic = scale
    distinct = [float(value) for value in np.unique(column)]
    if len(distinct) == 1:
        return [float(f"{distinct[0]:.4g}")] if axis >= _MEASURED else distinct
    if axis < _MEASURED and len(distinct) <= _MOST_TICKS:
        return _apart(distinct, scale)
    if logarithmic:
        steps = [b * ten_to_the(e) for e in range(-9, 13) for b in (1, 2, 3, 5, 7)]
        return _apart([step for step in steps if low <= step <= high], scale)
    return [float(tick) for tick in MaxNLocator(7).tick_values(low, high) if low <= tick <= high]


def _apart(ticks: list[float], scale: Scale) -> list[float]:
    """Return the ticks that do not touch the one below."""
    selected: list[float] = []
    for tick, height in zip(ticks, _tick_heights(ticks, scale), strict=True):
        if not selected or height - _tick_heights(selected[-1:], scale)[0] >= 0.055:
            selected.append(tick)
    return selected


def _tick_heights(ticks: list[float], scale: Scale) -> NDArray[np.float64]:
    return _heights(np.array([[tick] for tick in ticks], dtype=float), [scale])[:, 0]


def _bound_mark(axes: Axes, bound_w: float, scale: Scale) -> None:
    low, high, _ = scale
    if not low < bound_w < high:
        return
    height = (bound_w - low) / (high - low)
    position = len(_FIELDS) - 1
    axes.hlines(height, position - 0.05, position + 0.12, color="black", linewidth=2, zorder=6)
    axes.annotate(
        "bound", (position + 0.12, height), xytext=(2, 0), textcoords="offset points", va="center",
        fontsize=7, annotation_clip=False,
    )  # fmt: skip
