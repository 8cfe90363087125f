"""Who exchanges how much with whom: in the order of ranks, and node by node as placed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator, NullLocator, StrMethodFormatter

from planner.formatting import percent, plural
from planner.placement.study import PlacementStudy
from planner.placement.summary import CROSS, amount, shown_alike
from planner.placement.traffic import cells, ranks_per_cell
from reports.placement.summary import axis
from reports.style import VERMILLION, Picture, draw
from scenarios.communication.matrix import Floats, Integers

_PIXELS = 1024
"""Least number of pixels in a row: cells stay sharp at every scale of the figure."""
_MOST_SQUARES = 64
"""Nodes of which each has its square."""
_MOST_LINES = 32
_LEAST_SPAN = 10.0
"""Least ratio between the ends of the scale, so that nearly equal weights look alike."""
_MOST_NAMED = 20
"""Ranks of which each has its number."""
_MOST_TICKS = 8
_MOST_WRITTEN = 6
"""Cells in a row up to which each has its weight."""
_DARK = 0.45
"""Share of the scale from which on a cell is dark."""


@dataclass(frozen=True, eq=False)
class Panels:
    """Both matrices.

    Attributes
    ----------
    before, after
        What two cells exchange; shape ``(cells, cells)``.
    per_cell
        Ranks of a cell.
    ends
        Ranks up to the end of each node, from 0; shape ``(nodes + 1,)``.
    unit
        ``B`` or ``messages``.
    inner
        The same as ``ends`` for the first level within nodes; empty without one.
    shares
        Share of what is exchanged that crosses between nodes, before and after.
    """

    before: Floats
    after: Floats
    per_cell: int
    ends: Integers
    unit: str
    inner: Integers
    shares: tuple[float, float]


def pictures(study: PlacementStudy) -> list[Picture]:
    """One picture, where anything is exchanged."""
    if not study.placement.communication.pairs:
        return []
    placed = study.placement
    text = (
        f"{plural(placed.graph.vertices, 'rank')} on {plural(study.nodes, 'node')}. Between "
        f"nodes: {study.shown(placed.rank_order)} with the default mapping, "
        f"{study.shown(placed.partition.cut)} as placed; {study.shown(study.graph.total)} in all."
    )
    return [
        draw("matrix", "01-matrix", finding(study), text, (6.8, 3.45),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: PlacementStudy) -> str:
    """How much less crosses between nodes."""
    placed = study.placement
    cut, order = shown_alike(placed, placed.partition.cut, placed.rank_order)
    if cut == order:
        return f"Traffic between nodes does not change: {order}, as with the default mapping"
    words = CROSS[placed.costs.weight]
    return f"As placed, {cut} {words}, against {order} with the default mapping"


def panels(study: PlacementStudy) -> Panels:
    """The matrices that are shown: of messages where these were grouped, else of bytes."""
    communication = study.placement.communication
    sizes = study.placement.nodes.tasks
    weight, unit = communication.bytes, "B"
    by_messages = study.placement.costs.weight == "messages" or not weight.any()
    if by_messages and communication.messages is not None:
        weight, unit = communication.messages, "messages"
    per_cell = ranks_per_cell(sizes)
    before, after = (
        cells(communication.low, communication.high, weight, order, per_cell)
        for order in (np.arange(communication.ranks), study.as_placed)
    )
    parts = (study.order_part, study.placement.partition.part)
    apart = [
        float(weight[part[communication.low] != part[communication.high]].sum()) for part in parts
    ]
    shares = (apart[0] / float(weight.sum()), apart[1] / float(weight.sum()))
    return Panels(
        before,
        after,
        per_cell,
        np.concatenate(([0], np.cumsum(sizes))),
        unit,
        _inner(study),
        shares,
    )


def _inner(study: PlacementStudy) -> Integers:
    """Where units of the first level within nodes begin, by slots."""
    if not study.placement.hierarchical:
        return np.empty(0, dtype=np.int64)
    units = study.placement.nodes.units[1]
    return np.flatnonzero(np.r_[True, np.diff(units) > 0, True])


def source(study: PlacementStudy) -> str:
    """What lines and cells mean."""
    pair = panels(study)
    nodes, step = len(pair.ends) - 1, _step(pair)
    lines = "Squares are nodes" if nodes <= _MOST_SQUARES else ""
    if step > 1:
        lines += f"{', lines' if lines else 'Lines'} after every {step} of {nodes:,} nodes"
    if _inner_shown(pair):
        lines += f"; dotted: {study.placement.nodes.names[0]}"
    lines += "."
    shown = "Bytes" if pair.unit == "B" else "Messages"
    if pair.per_cell == 1:
        return f"{shown} that two ranks exchange in both directions; white: none. {lines}"
    return (
        f"{shown} that two groups of {pair.per_cell:,} ranks exchange in both directions "
        "(diagonal: "
        f"within one group); white: none. {lines}"
    )


def paint(figure: Figure, study: PlacementStudy) -> None:
    """Two matrices with one scale."""
    pair = panels(study)
    there = np.concatenate([values[values > 0] for values in (pair.before, pair.after)])
    low, high = float(there.min()), float(there.max())
    norm = LogNorm(min(low, high / _LEAST_SPAN), high)
    left, right = figure.subplots(1, 2)
    for axes, matrix, words, share in zip(
        (left, right), (pair.before, pair.after), ("default mapping", "as placed"), pair.shares,
        strict=True,
    ):  # fmt: skip
        drawn = _matrix(axes, matrix, pair, norm)
        if len(matrix) <= _MOST_WRITTEN:
            _write(axes, matrix, pair, norm)
        _lines(axes, pair)
        axes.set_title(f"{words}: {percent(share, places=1)} between nodes")
    _rank_ticks(left, np.arange(int(pair.ends[-1])))
    if pair.ends[-1] <= _MOST_NAMED:
        _rank_ticks(right, study.as_placed)
    else:
        _node_ticks(right, pair)
    left.set_ylabel("rank")
    bar = figure.colorbar(drawn, ax=[left, right], shrink=0.75, pad=0.015, aspect=28)
    bar.ax.yaxis.set_minor_locator(NullLocator())
    bar.set_ticks(_scale(norm))
    bar.ax.yaxis.set_major_formatter(axis(pair.unit))
    bar.ax.tick_params(labelsize=8)
    bar.outline.set_linewidth(0.5)


def _scale(norm: LogNorm) -> list[float]:
    """Both ends, and powers of ten that are not too near to them."""
    low, high = np.log10([float(norm.vmin or 1.0), float(norm.vmax or 1.0)])
    near = 0.12 * (high - low)
    step = max(1, round((high - low) / 6))
    inner = [each for each in range(int(np.ceil(low)), int(high) + 1, step)
             if low + near <= each <= high - near]  # fmt: skip
    return [float(norm.vmin or 1.0), *(10.0**each for each in inner), float(norm.vmax or 1.0)]


def _matrix(axes: Axes, matrix: Floats, panels: Panels, norm: LogNorm) -> Any:
    """Cells as blocks of equal pixels: scaling an image of few pixels would blur them."""
    each = -(-_PIXELS // len(matrix))
    shown = np.ma.masked_less_equal(np.kron(matrix, np.ones((each, each))), 0.0)
    side = len(matrix) * panels.per_cell
    drawn = axes.imshow(shown, cmap=_colours(), norm=norm, extent=(0, side, side, 0),
                        interpolation="none")  # fmt: skip
    ranks = int(panels.ends[-1])
    axes.set(xlim=(0, ranks), ylim=(ranks, 0))
    axes.grid(visible=False)
    axes.xaxis.tick_top()
    axes.tick_params(labelsize=8, length=2)
    for spine in axes.spines.values():
        spine.set(visible=True, linewidth=0.6)
    return drawn


def _write(axes: Axes, matrix: Floats, panels: Panels, norm: LogNorm) -> None:
    """Write what two cells exchange into the field of both."""
    for (row, column), value in np.ndenumerate(matrix):
        if value > 0:
            text = amount(float(value), panels.unit, 3).removesuffix(" messages")
            at = ((column + 0.5) * panels.per_cell, (row + 0.5) * panels.per_cell)
            colour = "white" if float(norm(value)) > _DARK else "black"
            axes.annotate(text, at, ha="center", va="center", fontsize=8, color=colour)


def _colours() -> Colormap:
    """Light is little: even to the eye, in print without colour too; white is left for nothing."""
    part = colormaps["viridis_r"](np.linspace(0.08, 1, 256))
    return LinearSegmentedColormap.from_list("viridis_r_dark", part).with_extremes(bad="white")


def _inner_shown(panels: Panels) -> bool:
    return 1 < len(panels.inner) <= _MOST_SQUARES + 1


def _step(panels: Panels) -> int:
    """Every how many nodes a line is drawn."""
    nodes, step = len(panels.ends) - 1, 1
    while nodes / step > _MOST_LINES:
        step *= 2
    return step


def _lines(axes: Axes, panels: Panels) -> None:
    step, nodes = _step(panels), len(panels.ends) - 1
    for end in panels.ends[step:-1:step].tolist():
        axes.axhline(end, color="#A8A8A8", linewidth=0.35, zorder=2)
        axes.axvline(end, color="#A8A8A8", linewidth=0.35, zorder=2)
    if nodes > _MOST_SQUARES:
        return
    width = 1.1 if nodes <= _MOST_LINES else 0.5
    _squares(axes, panels.ends, width, "-")
    if _inner_shown(panels):
        _squares(axes, panels.inner, 0.9, ":")


def _squares(axes: Axes, ends: Integers, width: float, dashes: str) -> None:
    for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
        side = end - begin
        axes.add_patch(
            Rectangle((begin, begin), side, side, fill=False, edgecolor=VERMILLION,
                      linewidth=width, linestyle=dashes, zorder=3)
        )  # fmt: skip


def _rank_ticks(axes: Axes, ranks: Integers) -> None:
    """Each rank by its number where there is room, else round ones."""
    if len(ranks) > _MOST_NAMED:
        for one in (axes.xaxis, axes.yaxis):
            one.set_major_locator(MaxNLocator(_MOST_TICKS - 2, integer=True))
            one.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        return
    places = np.arange(len(ranks)) + 0.5
    names = [str(rank) for rank in ranks.tolist()]
    axes.set_xticks(places, names, fontsize=8, rotation=0 if len(ranks) <= 8 else 90)
    axes.set_yticks(places, names, fontsize=8)


def _node_ticks(axes: Axes, panels: Panels) -> None:
    """Where some nodes begin."""
    nodes = len(panels.ends) - 1
    step = max(1, -(-nodes // _MOST_TICKS))
    shown = list(range(0, nodes, step))
    places = [float(panels.ends[node] + panels.ends[node + 1]) / 2 for node in shown]
    axes.set_xticks(places, [f"{node:,}" for node in shown])
    axes.set_yticks(places, [f"{node:,}" for node in shown])
    axes.set_ylabel("node", labelpad=1)
