"""Bytes by what two ranks share: a bar for the order of ranks, and one as placed."""

from __future__ import annotations

from matplotlib.figure import Figure
from matplotlib.patches import Patch

from planner.formatting import percent
from planner.placement.study import PlacementStudy
from planner.placement.summary import amount
from reports.placement.summary import axis
from reports.style import Picture, draw, look

_KNOWN = {
    "network": "the network only",
    "node": "the node",
    "pack": "the socket (pack)",
    "die": "the die",
    "numa": "the NUMA domain (numa)",
    "group": "the group",
}


def level_name(name: str) -> str:
    """A level in words.

    Examples
    --------
    >>> level_name("l2"), level_name("pack")
    ('the L2 cache', 'the socket (pack)')
    """
    return _KNOWN.get(name, f"the {name.upper()} cache")


def pictures(study: PlacementStudy) -> list[Picture]:
    """One picture, where nodes have levels."""
    if not study.placement.hierarchical or study.comparison == "silent":
        return []
    text = "; ".join(
        f"{row.level}: {amount(row.bytes_rank_order, 'B')} with the default mapping, "
        f"{amount(row.bytes, 'B')} as placed"
        for row in study.placement.by_level
    )
    return [
        draw("levels", "04-levels", finding(study), f"Bytes by level. {text}.", (6.8, 1.75),
             lambda figure: paint(figure, study))
    ]  # fmt: skip


def finding(study: PlacementStudy) -> str:
    """How much stays at the innermost level."""
    rows = study.placement.by_level
    total = sum(row.bytes for row in rows)
    if not total:
        return "No bytes are exchanged"
    out, out_before, inner, inner_before = (
        percent(part / total, places=1)
        for row in (rows[0], rows[-1])
        for part in (row.bytes, row.bytes_rank_order)
    )
    return (
        f"{out} of the bytes leave their node and {inner} stay within "
        f"{level_name(rows[-1].level)}; with the default mapping {out_before} and {inner_before}"
    )


def paint(figure: Figure, study: PlacementStudy) -> None:
    """Two stacked bars, the innermost level first."""
    axes = figure.subplots()
    handles = []
    rows = list(reversed(study.placement.by_level))
    before, now = [row.bytes_rank_order for row in rows], [row.bytes for row in rows]
    for height, widths in enumerate((before, now)):
        start = 0.0
        for index, width in enumerate(widths):
            colour, hatch = look(index)
            axes.barh(height, width, left=start, color=colour, hatch=hatch, edgecolor="white",
                      linewidth=0.5, height=0.62)  # fmt: skip
            start += width
    for index, row in enumerate(rows):
        colour, hatch = look(index)
        if not (row.bytes or row.bytes_rank_order):
            continue
        name = level_name(row.level)
        handles.append(Patch(facecolor=colour, hatch=hatch, edgecolor="white", label=name))
    axes.set_yticks((0, 1), ("default mapping", "as placed"))
    axes.invert_yaxis()
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_formatter(axis("B"))
    axes.set_xlabel("bytes by innermost level shared")
    figure.legend(handles=handles, loc="outside upper left", ncols=4, handlelength=1.6)
