"""Communication from a graph of networkx; the way back is ``Communication.to_networkx``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from scenarios.communication.matrix import Communication, Directed, joined
from scenarios.communication.records import named
from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import short

if TYPE_CHECKING:
    import networkx as nx

_MOST_FAULTS = 100


def communication_of(graph: nx.Graph[Any]) -> Communication:
    """Read who exchanges how much with whom from a graph of networkx.

    Ranks are the nodes in the order of their labels: node i of ``sorted(graph)`` is rank i. The
    bytes of a pair are the ``weight`` of its edge. An edge without one counts 1, as in networkx.
    Both directions of a ``DiGraph`` add up, and so do parallel edges. An edge from a node to itself
    is what the rank sends to itself, which no placement changes. An edge of weight 0 is left out.
    If all edges have ``messages``, these are known too.

    Parameters
    ----------
    graph
        ``Graph``, ``DiGraph`` or their multigraphs; ``graph.graph["name"]`` is the name.

    Raises
    ------
    ScenarioError
        There is no node, labels cannot be sorted, or a weight is not a finite number of at least 0.

    Examples
    --------
    >>> import networkx as nx
    >>> found = communication_of(nx.Graph([("b", "a", {"weight": 8}), ("b", "c")]))
    >>> found.ranks, found.low.tolist(), found.high.tolist(), found.bytes.tolist()
    (3, [0, 1], [1, 2], [8.0, 1.0])
    """
    name = str(graph.graph.get("name") or "graph")
    labels = _sorted_labels(graph, name)
    rank = {label: index for index, label in enumerate(labels)}
    edges = list(graph.edges(data=True))
    counted = bool(edges) and all("messages" in about for _, _, about in edges)
    weights = _numbers(edges, "weight", name)
    ends = np.array([(rank[u], rank[v]) for u, v, _ in edges], np.int64).reshape(-1, 2)
    return joined(
        name,
        len(labels),
        Directed(
            ends[:, 0], ends[:, 1], weights, _numbers(edges, "messages", name) if counted else None
        ),
        directions=graph.is_directed(),
        form="networkx",
        remarks=named(labels, name),
    )


def _sorted_labels(graph: nx.Graph[Any], name: str) -> list[Any]:
    if not len(graph):
        raise ScenarioError([Fault(name, 0, "", "the graph has no nodes; add one for each rank")])
    try:
        return sorted(graph)
    except TypeError:
        kinds = ", ".join(sorted({type(label).__name__ for label in graph}))
        message = (
            f"node labels ({kinds}) cannot be sorted into ranks; relabel the nodes with "
            "networkx.convert_node_labels_to_integers(graph)"
        )
        raise ScenarioError([Fault(name, 0, "", message)]) from None


def _numbers(
    edges: list[tuple[Any, Any, dict[str, Any]]], key: str, name: str
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    faults, result = [], []
    for u, v, about in edges:
        value = about.get(key, 1)
        number = isinstance(value, int | float | np.integer | np.floating)
        if number and not isinstance(value, bool) and 0 <= value < math.inf:
            result.append(float(value))
        else:
            where = f"edge ({short(u)}, {short(v)})"
            message = f"{key} is {short(value)}; give a finite number of at least 0"
            faults.append(Fault(name, 0, where, message))
    if faults:
        raise ScenarioError(faults[:_MOST_FAULTS])
    return np.array(result, dtype=np.float64)
