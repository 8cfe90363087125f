"""Programs that find a matching of greatest weight; their word is checked by dual values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from solvers.matching.weights import Weights
from solvers.model.milp import Indices

Engine = Literal["auto", "networkx", "rustworkx", "built-in"]
ENGINES: tuple[Engine, ...] = ("auto", "networkx", "rustworkx", "built-in")

_MOST_NETWORKX, _MOST_RUSTWORKX = 100, 500
"""Most vertices for which they run by default: each then takes a second or two."""


def chosen(engine: Engine, vertices: int) -> Engine:
    """The engine that ``auto`` stands for: rustworkx where it is installed, else networkx.

    Both are for graphs that they do in seconds; above, the built-in one is.

    Raises
    ------
    ValueError
        Unknown, or not installed.
    """
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}; choose one of {', '.join(ENGINES)}")
    fast = find_spec("rustworkx") is not None
    if engine == "rustworkx" and not fast:
        raise ValueError("rustworkx is not installed; install the extra fast, or choose networkx")
    if engine != "auto":
        return engine
    if vertices > (_MOST_RUSTWORKX if fast else _MOST_NETWORKX):
        return "built-in"
    return "rustworkx" if fast else "networkx"


def found_by(engine: Engine, weights: Weights) -> Indices:
    """Pairs, shape ``(pairs, 2)``, ascending."""
    whole = np.triu(weights.whole)
    first, second = np.nonzero(whole)
    edges = zip(first.tolist(), second.tolist(), whole[first, second].tolist(), strict=True)
    pairs = _FINDERS[engine](weights.vertices, edges)
    return np.array(sorted((min(a, b), max(a, b)) for a, b in pairs), dtype=np.int64).reshape(-1, 2)


def _networkx(_: int, edges: Iterable[tuple[int, int, int]]) -> Iterable[tuple[int, int]]:
    import networkx as nx

    graph: Any = nx.Graph()
    graph.add_weighted_edges_from(edges)
    pairs: set[tuple[int, int]] = nx.max_weight_matching(graph)
    return pairs


def _rustworkx(count: int, edges: Iterable[tuple[int, int, int]]) -> Iterable[tuple[int, int]]:
    import rustworkx

    graph: Any = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(count))
    graph.add_edges_from(list(edges))
    pairs: set[tuple[int, int]] = rustworkx.max_weight_matching(graph, weight_fn=_itself)
    return pairs


def _itself(weight: int) -> int:
    return weight


_FINDERS: dict[str, Callable[..., Iterable[tuple[int, int]]]] = {
    "networkx": _networkx,
    "rustworkx": _rustworkx,
}
