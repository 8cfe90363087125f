"""The ranks of a small program as a graph, grouped by node: which edges are cut."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch

from planner.formatting import plural
from planner.placement.study import PlacementStudy
from planner.placement.summary import COSTS
from reports.style import BLUE, GREY, VERMILLION, Picture, draw
from scenarios.communication.matrix import Floats

MOST_RANKS = 24
"""That a reader can still tell apart."""

_RANK, _APART, _MARGIN, _GAP, _LABEL = 0.4, 1.35, 0.25, 1.0, 0.8
"""Radius of a rank, distance of two on a node, room around them, between nodes and for names."""
_WIDEST, _FINEST = 3.2, 1.0
_LONGEST = 12
_SIDE_IN = 3.1
_SWEEPS = 20
_HULL = "#EEF3F7"

Edge = tuple[int, int, float]


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


def pictures(study: PlacementStudy) -> list[Picture]:
    """One picture of a small program whose ranks exchange anything."""
    if study.graph.vertices > MOST_RANKS or study.comparison == "silent":
        return []
    groups = "; ".join(
        f"{host}: {', '.join(map(str, ranks))}"
        for host, ranks in zip(study.layout.hosts, study.placement.groups, strict=True)
    )
    return [
        draw("graph", "05-graph", finding(study), f"Ranks of each node as placed. {groups}.",
             (6.8, _SIDE_IN + 0.45), lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: PlacementStudy) -> str:
    """How many pairs are cut."""
    edges = _edges(study)
    now, before = (
        sum(part[u] != part[v] for u, v, _ in edges) for part in (_as_placed(study), _order(study))
    )
    pairs = f"{now} of {plural(len(edges), 'pair')} of ranks that communicate"
    verb = "is" if now == 1 else "are"
    lighter = study.placement.partition.cut < study.placement.rank_order
    rest = "" if study.in_order else f", {before} with the default mapping"
    if now == before and lighter:
        rest = ": the same number as with the default mapping, but lighter pairs"
    return f"As placed, {pairs} {verb} on different nodes{rest}"


def source(study: PlacementStudy) -> str:
    """What circles and lines mean."""
    return (
        "Large circles are nodes, small circles ranks. Wider lines have more "
        f"{COSTS[study.placement.costs.weight]}; dashed lines cross between nodes."
    )


def paint(figure: Figure, study: PlacementStudy) -> None:
    """Ranks grouped by node: in their order and as placed; once where both are the same."""
    parts = {"default mapping": _order(study), "as placed": _as_placed(study)}
    if study.in_order:
        del parts["default mapping"]
    panels = figure.subplots(1, len(parts), squeeze=False)[0]
    edges = _edges(study)
    for axes, (title, part) in zip(panels, parts.items(), strict=True):
        _graph(axes, study, part, edges)
        apart = sum(weight for u, v, weight in edges if part[u] != part[v])
        axes.set_title(f"{title}: {study.shown(apart)} between nodes")
    heaviest = study.shown(max((weight for *_, weight in edges), key=abs))
    handles = [
        Line2D([], [], color=BLUE, lw=2, label="within a node"),
        Line2D([], [], color=VERMILLION, lw=2, ls=(0, (4, 1.5)), label="between nodes"),
        Line2D([], [], color=GREY, lw=_WIDEST, label=f"widest: {heaviest}"),
    ]
    if study.graph.has_negative:
        handles.append(
            Line2D([], [], color=GREY, lw=1.2, ls=":", label="better on different nodes")
        )
    figure.legend(handles=handles, loc="outside upper left", ncols=4, handlelength=2.4)


def places(part: list[int], edges: list[Edge]) -> Places:
    """Nodes on a circle and the ranks of each on a smaller one, so that heavy edges are short."""
    groups = [[rank for rank, own in enumerate(part) if own == node] for node in sorted({*part})]
    largest = max(map(len, groups))
    radius = _ring(largest, _APART) + _RANK + _MARGIN
    ring = _ring(len(groups), 2 * radius + _GAP)
    start = np.pi / 2 + (np.pi / len(groups) if len(groups) % 2 == 0 and len(groups) > 2 else 0)
    centres = _circle(len(groups), ring, start)
    between = np.zeros((len(groups), len(groups)))
    for u, v, weight in edges:
        between[part[u], part[v]] += abs(weight)
    centres = centres[_settled(between + between.T, centres, [list(range(len(groups)))])]
    spots = np.zeros((len(part), 2))
    for node, ranks in enumerate(groups):
        out = float(np.arctan2(*centres[node][::-1])) + np.pi / max(1, len(ranks))
        spots[ranks] = centres[node] + _circle(len(ranks), _ring(len(ranks), _APART), out)
    weights = np.zeros((len(part), len(part)))
    for u, v, weight in edges:
        weights[u, v] = weights[v, u] = abs(weight)
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


def _graph(axes: Axes, study: PlacementStudy, part: list[int], edges: list[Edge]) -> None:
    positions = places(part, edges)
    low, high = (
        positions.nodes.min(axis=0) - positions.radius,
        positions.nodes.max(axis=0) + positions.radius,
    )
    point = _SIDE_IN * 72 / (float((high - low).max()) + 2 * _LABEL)
    for node, centre in enumerate(positions.nodes):
        axes.add_patch(
            Circle(tuple(centre.tolist()), positions.radius, facecolor=_HULL, edgecolor=GREY,
                   linewidth=0.8, zorder=1)
        )  # fmt: skip
        far = float(np.linalg.norm(centre))
        outwards = centre / far if far else np.array([0.0, 1.0])
        x, y = centre + (positions.radius + _LABEL / 2) * outwards
        axes.text(x, y, str(study.layout.hosts[node])[:_LONGEST], ha=_side(outwards[0]),
                  va="center", fontsize=max(4.5, min(8.0, 0.45 * point)), color="#333333",
                  zorder=8)  # fmt: skip
    heaviest = max(abs(weight) for *_, weight in edges)
    for u, v, weight in sorted(edges, key=lambda edge: abs(edge[2])):
        _edge(axes, positions, (u, v), weight / heaviest, cut=part[u] != part[v])
    for rank, (x, y) in enumerate(positions.ranks.tolist()):
        axes.add_patch(
            Circle((x, y), _RANK, facecolor="white", edgecolor="#222222", linewidth=0.9, zorder=6)
        )
        axes.text(x, y, str(rank), ha="center", va="center_baseline", zorder=7,
                  fontsize=min(9.0, 0.48 * point))  # fmt: skip
    axes.set(
        xlim=(low[0] - _LABEL, high[0] + _LABEL),
        ylim=(low[1] - _LABEL, high[1] + _LABEL),
        aspect="equal",
    )
    axes.set_axis_off()


def _side(outwards: float) -> str:
    """Return the alignment of a label outside its node."""
    return "center" if abs(outwards) < 0.5 else "left" if outwards > 0 else "right"


def _edge(axes: Axes, positions: Places, ends: tuple[int, int], share: float, *, cut: bool) -> None:
    """Straight within a node; curved towards the middle between two."""
    start, end = positions.ranks[list(ends)]
    turn = start[0] * end[1] - start[1] * end[0]
    bend = 0.0 if not cut else (0.12 if turn >= 0 else -0.12)
    lines = ":" if share < 0 else (0, (4, 1.5)) if cut else "-"
    axes.add_patch(
        FancyArrowPatch(
            tuple(start.tolist()), tuple(end.tolist()), arrowstyle="-", shrinkA=0, shrinkB=0,
            connectionstyle=f"arc3,rad={bend}", color=VERMILLION if cut else BLUE,
            linewidth=_FINEST + (_WIDEST - _FINEST) * abs(share), linestyle=lines,
            alpha=0.6 + 0.35 * abs(share), zorder=4 if cut else 3,
        )
    )  # fmt: skip


def _ring(count: int, apart: float) -> float:
    """Return the radius of a circle on which ``count`` points are this far apart."""
    return 0.0 if count == 1 else apart / (2 * float(np.sin(np.pi / count)))


def _circle(count: int, radius: float, start: float) -> Floats:
    angle = start - 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def _edges(study: PlacementStudy) -> list[Edge]:
    graph = study.graph
    rows = zip(graph.tails.tolist(), graph.neighbours.tolist(), graph.weights.tolist(), strict=True)
    return [(u, v, weight) for u, v, weight in rows if u < v]


def _order(study: PlacementStudy) -> list[int]:
    return [int(node) for node in study.order_part]


def _as_placed(study: PlacementStudy) -> list[int]:
    return [int(node) for node in study.placement.partition.part]
