"""Which nodes exchange most, and which large pairs of ranks are on different nodes."""

from __future__ import annotations

from planner.formatting import percent, plural
from planner.placement.study import PlacementStudy
from planner.placement.summary import shown_alike
from planner.placement.tables import MOST_ROWS
from reports.blocks import Block, Drawn, Page, figures, grid, partly, text
from reports.compact import compact
from reports.grid import Table, table
from reports.placement.figures.nodes import finding
from reports.placement.summary import BOOK

_MOST = 12
_TWO = 2
_SEVERAL = 4
"""Nodes from which their traffic is drawn."""


def page(study: PlacementStudy, drawn: Drawn) -> Page | None:
    """Curves, pairs of nodes, pairs of ranks; nothing where there is one node."""
    if study.nodes < 2 or study.comparison == "silent":
        return None
    if not len(study.node_pairs):
        return Page("Which nodes exchange most?", "None: no two nodes exchange messages.", ())
    source = "The nodes are sorted for each mapping separately."
    title = "Traffic of each node with all others"
    blocks: list[Block] = [
        *(figures(drawn, "nodes", source, title=title) if study.nodes >= _SEVERAL else ()),
        *_node_pairs(study),
        *compact(
            _rank_table(study),
            _partly("Heaviest pairs of ranks on different nodes", len(study.cut_pairs)),
            keep=("Rank", "On node"),
        ),
    ]
    return Page("Which nodes exchange most?", f"{_answer(study)}.", tuple(blocks))


def _answer(study: PlacementStudy) -> str:
    """The busiest node; where only two nodes exchange messages, these and what they exchange."""
    if study.nodes > _TWO:
        return finding(study) if len(study.node_pairs) > 1 else _only_pair(study)
    placed = study.placement
    cut, order = shown_alike(placed, placed.partition.cut, placed.rank_order)
    if cut == order:
        return f"Both equally: they exchange {cut}, as with the default mapping"
    return f"Both equally: they exchange {cut}, against {order} with the default mapping"


def _only_pair(study: PlacementStudy) -> str:
    """The two nodes that exchange everything that is exchanged between nodes."""
    ((low, high, weight),) = study.node_pairs.rows(1)
    numbers = study.placement.nodes.numbers
    return f"Only nodes {numbers[low]:,} and {numbers[high]:,}: they exchange {study.shown(weight)}"


def _partly(caption: str, total: int) -> str:
    if total <= _MOST:
        return caption
    if total <= MOST_ROWS:
        return partly(caption, _MOST, total, BOOK)
    return f"{caption}: {_MOST} of {total:,}, {MOST_ROWS:,} in {BOOK}"


def _spread(study: PlacementStudy) -> str:
    nodes = study.nodes
    possible = nodes * (nodes - 1) // 2
    pairs = len(study.node_pairs)
    verb = "exchanges" if pairs == 1 else "exchange"
    return (
        f"{pairs:,} of {plural(possible, 'pair')} of nodes {verb} messages. Nodes at the top of "
        "the table benefit most from a common switch; switches are not modelled here."
    )


def _node_pairs(study: PlacementStudy) -> list[Block]:
    """The pairs of nodes with the most traffic; the answer names a single one."""
    pairs = len(study.node_pairs)
    if pairs < 2:
        return []
    caption = _partly("Pairs of nodes with the most traffic", pairs)
    return [text(_spread(study)), grid(_node_table(study), caption)]


def _node_table(study: PlacementStudy) -> Table:
    hosts, numbers = study.layout.hosts, study.placement.nodes.numbers
    named = not study.layout.placeholders
    rows = [
        (
            f"{numbers[low]:,}",
            f"{numbers[high]:,}",
            *((hosts[low], hosts[high]) if named else ()),
            study.shown(weight),
            _share(study, weight),
        )
        for low, high, weight in study.node_pairs.rows(_MOST)
    ]
    columns = (
        ("Node", True), ("Node", True), *((("Host", False), ("Host", False)) if named else ()),
        ("Between them", True), ("Share of inter-node traffic", True),
    )  # fmt: skip
    return table(columns, (0.6, 0.6, *((1.2, 1.2) if named else ()), 1.1, 1.2), rows)


def _rank_table(study: PlacementStudy) -> Table:
    part = study.placement.nodes.numbers[study.placement.partition.part]
    rows = [
        (f"{low:,}", f"{high:,}", f"{part[low]:,}", f"{part[high]:,}", study.shown(weight),
         _share(study, weight))
        for low, high, weight in study.cut_pairs.rows(_MOST)
    ]  # fmt: skip
    columns = (
        ("Rank", True), ("Rank", True), ("On node", True), ("On node", True),
        ("Between them", True), ("Share of inter-node traffic", True),
    )  # fmt: skip
    return table(columns, (0.7, 0.7, 0.8, 0.8, 1.1, 1.3), rows)


def _share(study: PlacementStudy, weight: float) -> str:
    cut = study.placement.partition.cut
    return percent(weight / cut) if cut > 0 and not study.graph.has_negative else "–"  # noqa: RUF001
