"""What ``headroom aggregate --patterns`` lists: ways to occupy a node, for measuring it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from planner.cli.answer import Printing, tell
from planner.cli.edges import table_of

if TYPE_CHECKING:
    from scenarios.aggregation.task_layout import Layout

_NODE = re.compile(r"(\d{1,2})\s*[xX,]\s*(\d{1,2})\s*[xX,]\s*(\d{1,2})", re.ASCII)
_MOST_PARTS = 16


def read_node(text: str) -> Layout:
    """Processors x dies of each x cores of each.

    Raises
    ------
    click.BadParameter
        Anything else.
    """
    from scenarios.aggregation.task_layout import Layout

    matched = _NODE.fullmatch(text.strip())
    parts = [int(group) for group in matched.groups()] if matched else [0]
    if not all(1 <= part <= _MOST_PARTS for part in parts):
        raise click.BadParameter(
            f"{text!r}: give sockets x dies per socket x cores per die, each 1 to {_MOST_PARTS}, "
            "for example 2x1x4",
            param_hint="--patterns",
        )
    return Layout(*parts)


def listed(node: Layout) -> list[dict[str, Any]]:
    """Return a row for each pattern.

    Raises
    ------
    InputError
        The node has too few.
    """
    from planner.aggregation.patterns import patterns, sampled
    from planner.aggregation.used_cores import numbers

    under = sampled(node)
    return [
        {
            "pattern": pattern.id,
            "processors": pattern.layout.processors,
            "dies": pattern.layout.dies,
            "cores": pattern.layout.cores,
            "tasks_per_node": pattern.tasks,
            "core_numbers": [*numbers(pattern.layout, node)],
            "sampled": pattern.id in under,
        }
        for pattern in patterns(node)
    ]


def show_patterns(text: str, printing: Printing) -> None:
    """Print them."""
    rows = listed(read_node(text))
    tell(printing, lambda: {"patterns": rows}, lambda: _lines(rows))


def _lines(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield (
        "Layout: sockets x dies x cores used. Cores are counted from 0 through the node, die by "
        "die and socket by socket."
    )
    headings = ("pattern", "layout", "ranks per node", "cores", "samples.csv")
    cells = [
        (
            str(row["pattern"]),
            f"{row['processors']} x {row['dies']} x {row['cores']}",
            str(row["tasks_per_node"]),
            ",".join(map(str, row["core_numbers"])),
            "program runs here" if row["sampled"] else "",
        )
        for row in rows
    ]
    yield table_of(headings, cells)
