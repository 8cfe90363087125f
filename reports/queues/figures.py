"""Figures of a queue with shared nodes: ratios of waits with their intervals, and who gains."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.sharing_nodes.queue_gains.study import SEARCH, QueueStudy
from planner.sharing_nodes.queues.replications import MeasureChange
from reports.style import Picture, draw, look, plain_log_labels, rows_high

_QUANTITIES = (
    ("mean_wait_s", "mean wait"),
    ("mean_turnaround_s", "mean turnaround"),
    ("mean_bounded_slowdown", "mean bounded slowdown"),
    ("energy_kwh", "energy"),
)
_MARKERS = "os^Dvp"
_LEAST, _MOST = 0.1, 10.0
"""Ratios between which the axis may reach; intervals go on beyond it."""
_ROOM = 1.15
_NARROW = 3.0
_SHIFT = 0.012
"""Distance of two rules at one load, as a share of the axis."""


def pictures(study: QueueStudy) -> list[Picture]:
    """Return ratios by rule with intervals; with several loads, ratios of waits over the load."""
    result = [
        draw("waits", "01-ratios", _finding(study),
             "Ratios relative to EASY on whole nodes, with 95 % intervals, at the first load; "
             "simulated. The axis ends at ratios of 0.1 and 10; longer intervals go on.",
             (6.8, rows_high(2 * len(_QUANTITIES)) + 0.6), partial(_draw_ratios, study=study)),
    ]  # fmt: skip
    if len(study.results) > 1:
        result.append(
            draw("loads", "02-loads", "Mean wait relative to whole nodes, by offered load",
                 "Ratio of mean waits to EASY on whole nodes, with 95 % intervals; simulated.",
                 (6.4, 3.4), partial(_draw_loads, study=study)),
        )  # fmt: skip
    return result


def _finding(study: QueueStudy) -> str:
    wait = study.first.change(SEARCH, "mean_wait_s")
    if wait.ratio is None or wait.low is None or wait.high is None:
        return "Wait, turnaround, slowdown and energy with shared nodes, relative to whole nodes"
    if wait.low <= 1 <= wait.high:
        return (
            "With partner search, mean wait may be unchanged: its 95 % interval includes a ratio "
            "of 1"
        )
    return f"With shared nodes, mean wait is {wait.ratio:.2f} times that on whole nodes"


def _bars(change: MeasureChange) -> tuple[float, float, float]:
    """Return the ratio, and the lengths of its bars; NaN where a value is 0."""
    if change.ratio is None or change.low is None or change.high is None:
        return float("nan"), 0.0, 0.0
    return change.ratio, change.ratio - change.low, change.high - change.ratio


def _reach(study: QueueStudy, rules: Sequence[str]) -> tuple[float, float]:
    """Smallest and largest ratio of the axis: all means, and the intervals up to 10 times."""
    changes = [study.first.change(rule, name) for rule in rules for name, _ in _QUANTITIES]
    known = [change for change in changes if change.ratio and change.low and change.high]
    low = min((change.low or 1.0 for change in known), default=1.0)
    high = max((change.high or 1.0 for change in known), default=1.0)
    ratios = [change.ratio or 1.0 for change in known]
    least = min(1.0, max(low, _LEAST), *ratios)
    most = max(1.0, min(high, _MOST), *ratios)
    return least / _ROOM, most * _ROOM


def _draw_ratios(figure: Figure, study: QueueStudy) -> None:
    axes: Axes = figure.subplots()
    rules = study.first.rules
    positions = np.arange(len(_QUANTITIES))[::-1]
    for number, rule in enumerate(rules):
        bars = np.array([_bars(study.first.change(rule, name)) for name, _ in _QUANTITIES])
        axes.errorbar(
            bars[:, 0],
            positions + _height(number, len(rules)),
            xerr=bars[:, 1:].T,
            linestyle="",
            marker=_MARKERS[number % len(_MARKERS)],
            color=look(number)[0],
            label=rule,
        )
    limits = _reach(study, rules)
    cut = _draw_arrows(axes, study, limits)
    axes.axvline(1, color="0.4", linewidth=1, linestyle=":")
    axes.set_yticks(positions, [text for _, text in _QUANTITIES])
    if limits[1] > _NARROW * limits[0]:  # else a logarithmic axis would have no labels
        axes.set_xscale("log")
        plain_log_labels(axes.xaxis)
    axes.set_xlim(*limits)
    beyond = "; arrow: the interval goes on" if cut else ""
    axes.set_xlabel(f"ratio to whole nodes, geometric mean over mappings (left of 1: less{beyond})")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3)


def _height(number: int, rules: int) -> float:
    """Return where a rule lies around the position of its measure."""
    return 0.3 - 0.6 * number / max(rules - 1, 1)


def _draw_arrows(axes: Axes, study: QueueStudy, limits: tuple[float, float]) -> bool:
    """Mark intervals that go on beyond the axis; return whether there are any."""
    cut = False
    for number, rule in enumerate(study.first.rules):
        for row, (name, _) in enumerate(_QUANTITIES):
            change = study.first.change(rule, name)
            y = len(_QUANTITIES) - 1 - row + _height(number, len(study.first.rules))
            low, high = change.low or limits[0], change.high or limits[1]
            for outside, x, marker in ((low < limits[0], limits[0], "<"),
                                       (high > limits[1], limits[1], ">")):  # fmt: skip
                if outside:
                    axes.plot(x, y, marker, color=look(number)[0], markersize=6, clip_on=False)
                    cut = True
    return cut


def _draw_loads(figure: Figure, study: QueueStudy) -> None:
    axes: Axes = figure.subplots()
    loads = [result.load for result in study.results]
    for number, rule in enumerate(study.first.rules):
        bars = np.array([_bars(result.change(rule, "mean_wait_s")) for result in study.results])
        shift = _SHIFT * (max(loads) - min(loads)) * (number - (len(study.first.rules) - 1) / 2)
        axes.errorbar(
            [load + shift for load in loads],
            bars[:, 0],
            yerr=bars[:, 1:].T,
            marker=_MARKERS[number % len(_MARKERS)],
            color=look(number)[0],
            label=rule,
        )
    axes.axhline(1, color="0.4", linewidth=1, linestyle=":")
    axes.set_xlabel("offered load")
    axes.set_ylabel("mean wait relative to whole nodes")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
