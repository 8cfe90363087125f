"""What each node exchanges with the others: the busiest first, as placed and in rank order."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from planner.formatting import plural
from planner.placement.study import PlacementStudy
from planner.placement.summary import shown_alike
from reports.placement.summary import axis, counted_in
from reports.style import BLUE, ORANGE, Picture, draw
from scenarios.communication.matrix import Floats

_MOST_MARKED = 64


def pictures(study: PlacementStudy) -> list[Picture]:
    """One picture, where nodes exchange anything."""
    if study.nodes < 2 or study.comparison == "silent":
        return []
    _, placed = study.by_node
    _, order = study.by_node_in_order
    text = (
        f"Node with the most, median and least traffic: {_three(study, placed)} as placed; "
        f"{_three(study, order)} with the default mapping."
    )
    return [
        draw("nodes", "03-nodes", finding(study), text, (6.8, 2.5),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def _three(study: PlacementStudy, leaving: Floats) -> str:
    ends = (leaving.max(), float(np.median(leaving)), leaving.min())
    return ", ".join(study.shown(float(end)) for end in ends)


def finding(study: PlacementStudy) -> str:
    """What the busiest node has to do with others."""
    placed, order = shown_alike(
        study.placement,
        *(float(weights[1].max()) for weights in (study.by_node, study.by_node_in_order)),
    )
    if placed == order:
        return (
            f"The busiest of {plural(study.nodes, 'node')} exchanges {order} with others, as "
            "with the "
            "default mapping"
        )
    return (
        f"The busiest of {plural(study.nodes, 'node')} exchanges {placed} with others, against "
        f"{order} with the default mapping"
    )


def paint(figure: Figure, study: PlacementStudy) -> None:
    """Two descending curves."""
    axes = figure.subplots()
    few = study.nodes <= _MOST_MARKED
    for (_, leaving), colour, marker, dashes, words in (
        (study.by_node_in_order, BLUE, "o", "--", "default mapping"),
        (study.by_node, ORANGE, "D", "-", "as placed"),
    ):
        x = np.arange(1, len(leaving) + 1)
        (line,) = axes.plot(x, np.sort(leaving)[::-1], color=colour, linestyle=dashes, label=words)
        line.set(linewidth=1.3, marker=marker if few else "", markersize=4, markerfacecolor="white")
    if not study.graph.has_negative:
        most = max(float(weights[1].max()) for weights in (study.by_node, study.by_node_in_order))
        axes.set_ylim(0, 1.08 * most)
    axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.yaxis.set_major_formatter(axis(study.placement.costs.unit))
    axes.set_xlabel("nodes, sorted by traffic")
    axes.set_ylabel(f"{counted_in(study)}exchanged with other nodes")
    figure.legend(loc="outside upper left", ncols=2, handlelength=2.4)
