"""Figures of a learned gate: mean and worst makespan by test, and where the bad pairs lie."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from planner.formatting import percent, plural
from planner.sharing_nodes.tangram.border import best_border
from planner.sharing_nodes.tangram.scores import BORDER
from planner.sharing_nodes.tangram.study import TangramStudy
from reports.style import Picture, draw, look, plain_log_labels, rows_high

_SHOWN = ("Tangram", "logistic", BORDER, "all co-located", "oracle")
_MARKERS = "osv^D"
_LABELS = {
    "Tangram": "Tangram's gate",
    "logistic": "logistic regression",
    BORDER: "one counter",
    "all co-located": "all pairs share",
    "oracle": "oracle: knows all co-runs",
}
_LINES = {1: "axvline", 2: "axhline"}
"""How a border of a counter is drawn, by its number."""
_ROWS = 1.4
"""Height of a test, in rows."""
_STEP = 0.17
"""Distance of two gates in a test."""


def pictures(study: TangramStudy) -> list[Picture]:
    """Makespan by test and gate; and all pairs over memory and I/O."""
    tests = [split.name for split in study.splits]
    text = "; ".join(
        f"{test}: " + ", ".join(f"{gate} {study.mean(test, gate):.2f}" for gate in _SHOWN)
        for test in tests
    )
    return [
        draw("scores", "01-makespan", _finding(study),
             f"Mean makespan relative to one job after the other, simulated. {text}.",
             (6.8, rows_high(round(_ROWS * len(tests)))), partial(_draw_tests, study=study)),
        draw("pairs", "02-pairs", _where(study),
             "Co-runs of the first seed by sums of memory and I/O intensity; simulated.",
             (6.8, 3.3), partial(_draw_pairs, study=study)),
    ]  # fmt: skip


def _finding(study: TangramStudy) -> str:
    test, unknown = study.splits[-1].name, study.splits[-1].meaning
    ours, best = study.mean(test, "Tangram"), study.mean(test, "oracle")
    if best >= 1:
        return "No pair gains, so no gate can save time"
    gain_share = np.log(ours) / np.log(best)
    if gain_share <= 0:
        return f"If it does not know {unknown}, the gate saves nothing"
    simple = study.mean(test, "logistic")
    other = f", logistic regression {percent(np.log(simple) / np.log(best))}" if simple < 1 else ""
    border = study.mean(test, BORDER)
    if border < 1:
        other += f", one counter {percent(np.log(border) / np.log(best))}"
    return f"Tangram achieves {percent(gain_share)} of the oracle's saving{other} (strictest test)"


def _where(study: TangramStudy) -> str:
    gains = int(study.runs.gains.sum())
    return (
        f"{gains:,} of {plural(len(study.runs), 'co-run')} finish sooner than one after the other"
    )


def _draw_tests(figure: Figure, study: TangramStudy) -> None:
    left, right = figure.subplots(1, 2, sharey=True)
    tests = [split.name for split in study.splits][::-1]
    for number, gate in enumerate(_SHOWN):
        seeds = [study.scores(test, gate) for test in tests]
        means = [study.mean(test, gate) for test in tests]
        worst = [max(one.makespan_max for one in seed) for seed in seeds]
        style = {"linestyle": "", "marker": _MARKERS[number], "color": look(number)[0],
                 "markersize": 5}  # fmt: skip
        heights = np.arange(len(tests)) + _STEP * ((len(_SHOWN) - 1) / 2 - number)
        left.plot(means, heights, label=_LABELS[gate], **style)
        right.plot(worst, heights, label=_LABELS[gate], **style)
    for axes, label in (
        (left, "mean makespan (below 1: time saved)"),
        (right, "worst makespan (1: one after the other)"),
    ):
        axes.axvline(1, color="0.4", linewidth=1, linestyle=":")
        axes.grid(visible=False, axis="y")
        for between in range(1, len(tests)):
            axes.axhline(between - 0.5, color="0.85", linewidth=0.6)
        axes.set_xlabel(label)
    right.set_xscale("log")
    plain_log_labels(right.xaxis)
    meaning = {split.name: split.meaning for split in study.splits}
    left.set_yticks(range(len(tests)), [meaning[test] for test in tests])
    left.set_ylabel("unknown to the gate")
    figure.legend(*left.get_legend_handles_labels(), loc="outside upper center", ncols=3)


def _draw_pairs(figure: Figure, study: TangramStudy) -> None:
    axes: Axes = figure.subplots()
    runs = study.runs
    gains = runs.gains
    kinds = ((gains, "o", "sooner together"), (~gains, "x", "later together"))
    for number, (rows, marker, label) in enumerate(kinds):
        x, y = runs.features[rows, 1], runs.features[rows, 2]
        axes.plot(x, y, marker, color=look(number)[0], label=label, markersize=5)
    index = int(np.argmax(runs.makespan))
    misses = runs.features[:, 1]
    left = misses[index] > (misses.min() + misses.max()) / 2  # the label stays within the axes
    axes.annotate(
        f"longest: {runs.makespan[index]:.1f} times",
        (runs.features[index, 1], runs.features[index, 2]),
        textcoords="offset points",
        xytext=(-26 if left else 26, 30),
        ha="right" if left else "left",
        zorder=1.5,  # over the border, below the pairs
        bbox={"boxstyle": "square,pad=0.15", "facecolor": "white", "edgecolor": "none"},
        fontsize=8,
        arrowprops={"arrowstyle": "-", "color": "0.3", "linewidth": 0.8, "shrinkB": 3},
    )
    border = best_border(runs)
    if border is not None and border.feature in _LINES and gains.any() and not gains.all():
        line = getattr(axes, _LINES[border.feature])
        line(border.value, color="0.4", linewidth=1, linestyle="--", zorder=1,
             label=f"{border.value:g}: pairs {border.side} it should share")  # fmt: skip
    axes.set_xlabel("cache misses per 1,000 instructions, sum of both jobs")
    axes.set_ylabel("I/O intensity, sum of both jobs\n(0: none; 2: both only wait)")
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=3)
