"""A small graph whose vertices are in groups: which edges are within one and which between two.

Special, since no other kind shows single pairs; above 24 vertices nobody could tell them apart.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch
from numpy.typing import NDArray

from planner.formatting import clipped_apart
from reports.colours import BLUE, GREY, VERMILLION
from reports.figures.drawn import Drawn

Floats = NDArray[np.float64]
Edge = tuple[int, int, float]
_RANK, _APART, _MARGIN, _GAP, _LABEL = 0.4, 1.35, 0.25, 1.0, 0.8
"""Radius of a vertex, distance of two in a group, room around them, between groups, for names."""
_WIDEST, _FINEST, _LONGEST, _SIDE_IN, _SWEEPS = 3.2, 1.0, 12, 3.1, 20
_HULL = "#EEF3F7"


class Places(NamedTuple):
    """Where everything is drawn.

    Attributes
    ----------
    ranks
        Shape ``(ranks, 2)``.
    nodes
        Centres, shape ``(nodes, 2)``.
    radius
        Radius of each node.
    """

    ranks: Floats
    nodes: Floats
    radius: float


def size(_data: Drawn) -> tuple[float, float]:
    """Width and height [inches]."""
    return 6.8, _SIDE_IN + 0.45


def paint(canvas: Canvas, data: Drawn) -> None:
    """The vertices by their groups: by default and as placed; once where both are the same."""
    parts = [[int(row[key]) for row in data.dots] for key in ("default", "placed")]
    hosts = [{row[key]: str(row[f"{key}_host"]) for row in data.dots}
             for key in ("default", "placed")]  # fmt: skip
    shown = [1] if parts[0] == parts[1] else [0, 1]
    figure, mapping = data.figure, [*data.texts.words("mapping").values()]
    edges = [(int(row[figure.x]), int(row[figure.across]), float(row[figure.y[0]]))
             for row in data.rows]  # fmt: skip
    panels = canvas.subplots(1, len(shown), squeeze=False)[0]
    for axes, index in zip(panels, shown, strict=True):
        _graph(axes, parts[index], hosts[index], edges)
        axes.set_title(mapping[index])
    heaviest = data.text(figure.y[0], max((weight for *_, weight in edges), key=abs))
    handles = [
        Line2D([], [], color=BLUE, lw=2, label=data.limit("within")),
        Line2D([], [], color=VERMILLION, lw=2, ls=(0, (4, 1.5)), label=data.limit("between")),
        Line2D([], [], color=GREY, lw=_WIDEST, label=data.limit("widest").format(value=heaviest)),
    ]
    if any(weight < 0 for *_, weight in edges):
        label = data.limit("better_apart")
        handles.append(Line2D([], [], color=GREY, lw=1.2, ls=":", label=label))
    canvas.legend(handles=handles, loc="outside upper left", ncols=4, handlelength=2.4)


def places(part: list[int], edges: list[Edge]) -> Places:
    """Groups on a circle and the vertices of each on a smaller one: heavy edges are short."""
    groups = [[rank for rank, own in enumerate(part) if own == node] for node in sorted({*part})]
    index = {node: place for place, node in enumerate(sorted({*part}))}
    radius = _ring(max(map(len, groups)), _APART) + _RANK + _MARGIN
    ring = _ring(len(groups), 2 * radius + _GAP)
    start = np.pi / 2 + (np.pi / len(groups) if len(groups) % 2 == 0 and len(groups) > 2 else 0)
    between, weights = np.zeros((len(groups),) * 2), np.zeros((len(part),) * 2)
    for u, v, weight in edges:
        between[index[part[u]], index[part[v]]] += abs(weight)
        weights[u, v] = weights[v, u] = abs(weight)
    centres = _circle(len(groups), ring, start)
    centres = centres[_settled(between + between.T, centres, [list(range(len(groups)))])]
    spots = np.zeros((len(part), 2))
    for place, ranks in enumerate(groups):
        out = float(np.arctan2(*centres[place][::-1])) + np.pi / max(1, len(ranks))
        spots[ranks] = centres[place] + _circle(len(ranks), _ring(len(ranks), _APART), out)
    return Places(spots[_settled(weights, spots, groups)], centres, radius)


def _settled(weights: Floats, spots: Floats, groups: list[list[int]]) -> list[int]:
    """Spot of each thing: swaps within groups while they shorten what is drawn, by weight."""
    far = np.linalg.norm(spots[:, None] - spots[None, :], axis=2)
    at = list(range(len(spots)))
    for _ in range(_SWEEPS):
        before = list(at)
        for a, b in (pair for group in groups for pair in combinations(group, 2)):
            swapped = list(at)
            swapped[a], swapped[b] = at[b], at[a]
            gain = sum(
                float(weights[end] @ (far[at[end], at] - far[swapped[end], swapped]))
                for end in (a, b)
            )
            if gain > 1e-9 * float(weights.sum()):
                at = swapped
        if at == before:
            break
    return at


def _graph(axes: Axes, part: list[int], hosts: dict[int, str], edges: list[Edge]) -> None:
    spots = places(part, edges)
    low, high = spots.nodes.min(axis=0) - spots.radius, spots.nodes.max(axis=0) + spots.radius
    point = _SIDE_IN * 72 / (float((high - low).max()) + 2 * _LABEL)
    drawn = sorted({*part})
    names = dict(zip(drawn, clipped_apart([hosts[node] for node in drawn], _LONGEST), strict=True))
    for node, centre in zip(drawn, spots.nodes, strict=True):
        axes.add_patch(Circle(tuple(centre.tolist()), spots.radius, facecolor=_HULL,
                              edgecolor=GREY, linewidth=0.8, zorder=1))  # fmt: skip
        far = float(np.linalg.norm(centre))
        outwards = centre / far if far else np.array([0.0, 1.0])
        x, y = centre + (spots.radius + _LABEL / 2) * outwards
        side = "center" if abs(outwards[0]) < 0.5 else "left" if outwards[0] > 0 else "right"
        axes.text(x, y, names[node], ha=side, va="center", zorder=8,
                  fontsize=max(4.5, min(8.0, 0.45 * point)), color="#333333")  # fmt: skip
    heaviest = max(abs(weight) for *_, weight in edges)
    for u, v, weight in sorted(edges, key=lambda edge: abs(edge[2])):
        _edge(axes, spots, (u, v), weight / heaviest, cut=part[u] != part[v])
    for rank, (x, y) in enumerate(spots.ranks.tolist()):
        axes.add_patch(Circle((x, y), _RANK, facecolor="white", edgecolor="#222222",
                              linewidth=0.9, zorder=6))  # fmt: skip
        axes.text(x, y, str(rank), ha="center", va="center_baseline", zorder=7,
                  fontsize=min(9.0, 0.48 * point))  # fmt: skip
    axes.set(xlim=(low[0] - _LABEL, high[0] + _LABEL), ylim=(low[1] - _LABEL, high[1] + _LABEL),
             aspect="equal")  # fmt: skip
    axes.set_axis_off()


def _edge(axes: Axes, spots: Places, ends: tuple[int, int], share: float, *, cut: bool) -> None:
    """Straight within a group; curved towards the middle between two."""
    start, end = spots.ranks[list(ends)]
    bend = 0.0 if not cut else 0.12 if start[0] * end[1] - start[1] * end[0] >= 0 else -0.12
    axes.add_patch(
        FancyArrowPatch(
            tuple(start.tolist()), tuple(end.tolist()), arrowstyle="-", shrinkA=0, shrinkB=0,
            connectionstyle=f"arc3,rad={bend}", color=VERMILLION if cut else BLUE,
            linewidth=_FINEST + (_WIDEST - _FINEST) * abs(share), alpha=0.6 + 0.35 * abs(share),
            linestyle=":" if share < 0 else (0, (4, 1.5)) if cut else "-", zorder=4 if cut else 3,
        )
    )  # fmt: skip


def _ring(count: int, apart: float) -> float:
    """Return the radius of a circle on which ``count`` points are this far apart."""
    return 0.0 if count == 1 else apart / (2 * float(np.sin(np.pi / count)))


def _circle(count: int, radius: float, start: float) -> Floats:
    angle = start - 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])
