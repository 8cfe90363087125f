"""How far repetitions of the same configuration lie apart."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from planner.configurations.repeats import Repeats, widest_spread
from planner.configurations.study import ConfigurationStudy
from planner.formatting import clipped, given, percent
from reports.style import BLUE, GREY, ORANGE, VERMILLION, Picture, draw, rows_high
from scenarios.measurements.spread import FLOOR

_MOST_ROWS = 7
_APART = 0.28
"""Points lie at most this far above and below the middle of their row, so that few coincide."""
_LEAST = 1e-4
"""Below a hundredth of a per cent two runs count as equal on the axis."""


def pictures(study: ConfigurationStudy) -> list[Picture]:
    """One picture, if anything was run more than once."""
    every = repeated(study)
    if not every:
        return []
    alternative = "How much slower the slowest run is than the fastest: " + "; ".join(
        f"{clipped(repeats.application)} median {percent(repeats.quantiles(0.5)[0])}, "
        f"largest {percent(repeats.quantiles(1.0)[0])}"
        for repeats in _widest(every)
    )
    return [
        draw("repetitions", "05-repetitions", widest_spread(every), alternative,
             (6.8, rows_high(len(_widest(every)), 0.42, 0.85)), lambda figure: paint(figure, every))
    ]  # fmt: skip


def repeated(study: ConfigurationStudy) -> list[Repeats]:
    """Applications with anything run more than once."""
    return [repeat for repeat in study.repeats if repeat.repeated]


def _widest(every: list[Repeats]) -> list[Repeats]:
    """Return the applications with the widest spread, as many as fit the figure."""
    order = sorted(range(len(every)), key=lambda index: -float(every[index].slowdown[-1]))
    return [every[index] for index in sorted(order[:_MOST_ROWS])]


def paint(figure: Figure, every: list[Repeats]) -> None:
    """A row for each application: a point for each configuration, and where most of them lie."""
    axes = figure.subplots()
    shown = _widest(every)
    random = np.random.default_rng(0)  # offsets without a pattern, the same in every drawing
    for row, repeats in enumerate(shown):
        spreads = 100 * np.maximum(repeats.slowdown, _LEAST)
        low, middle, high = np.quantile(spreads, (0.1, 0.5, 0.9))
        apart = random.uniform(-_APART, _APART, len(spreads))
        axes.plot(spreads, row + apart, ".", color=GREY, ms=3, alpha=0.6, zorder=2)
        axes.plot([low, high], [row, row], color=BLUE, linewidth=6, alpha=0.55,
                  solid_capstyle="butt", zorder=3)  # fmt: skip
        axes.plot([middle], [row], "D", color=ORANGE, ms=6, markeredgecolor="black", zorder=4)
    axes.axvline(100 * FLOOR, color=VERMILLION, linewidth=1.0, linestyle=(0, (5, 2)), zorder=1)
    names = [f"{clipped(repeats.application, 24)} ({repeats.repeated:,})" for repeats in shown]
    axes.set_yticks(range(len(shown)), names, parse_math=False)
    axes.set_ylim(len(shown) - 0.5, -0.5)
    axes.set_xscale("log")
    axes.set_xticks([0.01, 0.1, 1, 10, 100], ["≤ 0.01", "0.1", "1", "10", "100"])
    top = 100 * max(float(repeats.slowdown[-1]) for repeats in every)
    axes.set_xlim(0.009, max(20.0, 1.3 * top))
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("slowest run slower than fastest by (%)")
    figure.legend(handles=_keys(), loc="outside upper left", ncols=4, handlelength=1.8)


def _keys() -> list[Line2D]:
    return [
        Line2D([], [], color=GREY, marker=".", ls="", label="one configuration"),
        Line2D([], [], color=BLUE, linewidth=6, alpha=0.55, label="middle 80 %"),
        Line2D([], [], color=ORANGE, marker="D", ls="", markeredgecolor="black", label="median"),
        Line2D([], [], color=VERMILLION, ls=(0, (5, 2)), label=f"{given(FLOOR)} slower"),
    ]
