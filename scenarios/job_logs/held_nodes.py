"""How many nodes a job held by a table's columns of nodes, to be compared with its cores."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from scenarios.host_list import number_of_hosts
from scenarios.job_logs.cell_values import is_unknown
from scenarios.job_logs.unused import key

BELOW_NODES = "fewer cores than nodes"

_HEADINGS = {
    *["nodes", "nnodes", "allocnodes", "numnodes", "nodecount", "nodecnt", "nodect"],
    *["nodelist", "hostlist", "hosts", "nodenames", "execnodes", "alloctres", "tresalloc"],
}
_TRES_NODES = re.compile(r"(?:^|,)(?:node|4)=([0-9]{1,9})(?:,|$)")


def node_columns(headings: Sequence[str]) -> tuple[int, ...]:
    """Places of the columns that count or name the nodes that a job held."""
    return tuple(index for index, heading in enumerate(headings) if key(heading) in _HEADINGS)


def held_nodes(cells: Iterable[str]) -> int:
    """The most nodes that a cell counts or names; 0 where none does.

    Examples
    --------
    >>> held_nodes(["2", "n[01-04]"]), held_nodes(["cpu=4,node=2"]), held_nodes(["", "Unknown"])
    (4, 2, 0)
    """
    return max((_nodes(text) for text in cells if not is_unknown(text)), default=0)


def _nodes(text: str) -> int:
    if "=" in text:
        found = _TRES_NODES.search(text)
        return int(found[1]) if found else 0
    return number_of_hosts(text)
