"""Other programs that partition graphs, behind one signature; what is not installed is left out.

They fill parts only nearly, or refuse. What they say goes through the repair of this project, which
is free of charge for them: it does not count in their time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from solvers.partition import Graph, Request
from solvers.partition.graph import Parts, inner
from solvers.partition.metis import small_integers

Rival = Callable[[Request, int], Parts]
"""Part of each vertex, sizes as they come, from a request and a seed."""

WEIGHTS = 2**29


def networkx_graph(graph: Graph) -> Any:
    """Copy of a graph for networkx."""
    import networkx as nx

    once = graph.tails < graph.neighbours
    made: Any = nx.Graph()
    made.add_nodes_from(range(graph.vertices))
    made.add_weighted_edges_from(
        zip(
            graph.tails[once].tolist(),
            graph.neighbours[once].tolist(),
            graph.weights[once].tolist(),
            strict=True,
        )
    )
    return made


def by_networkx(request: Request, seed: int) -> Parts:
    """Kernighan-Lin bisection of networkx, again and again; parts are a power of two."""
    part = np.zeros(request.graph.vertices, dtype=np.int32)
    pieces = [np.arange(request.graph.vertices)]
    while len(pieces) < request.parts:
        pieces = [half for piece in pieces for half in _halves(request.graph, piece, seed)]
    for number, piece in enumerate(pieces):
        part[piece] = number
    return part


def _halves(graph: Graph, vertices: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    import networkx as nx

    made = networkx_graph(inner(graph, vertices))
    for half in nx.community.kernighan_lin_bisection(made, seed=seed):
        yield vertices[sorted(half)]


def by_metis(*, recursive: bool) -> Rival:
    """METIS, by recursive bisection or by its k-way program."""

    def run(request: Request, seed: int) -> Parts:
        import pymetis

        graph = request.graph
        _, part = pymetis.part_graph(
            request.parts,
            xadj=graph.starts,
            adjncy=graph.neighbours,
            eweights=small_integers(graph, WEIGHTS),
            recursive=recursive,
            options=pymetis.Options(seed=seed, ufactor=1),
        )
        return np.asarray(part, dtype=np.int32)

    return run


def by_kahip(mode: str) -> Rival:
    """KaHIP with one of its configurations and no imbalance allowed."""

    def run(request: Request, seed: int) -> Parts:
        import kahip

        graph = request.graph
        _, part = kahip.kaffpa(
            [1] * graph.vertices,
            graph.starts.tolist(),
            small_integers(graph, WEIGHTS).tolist(),
            graph.neighbours.tolist(),
            request.parts,
            0.0,
            True,  # noqa: FBT003 - its signature: quiet, seed, mode
            seed,
            getattr(kahip, mode),
        )
        return np.asarray(part, dtype=np.int32)

    return run


def by_mtkahypar(preset: str) -> Rival:
    """Mt-KaHyPar with one of its configurations, on one thread."""

    def run(request: Request, seed: int) -> Parts:
        import mtkahypar

        graph = request.graph
        once = graph.tails < graph.neighbours
        engine = mtkahypar.initialize(1)
        mtkahypar.set_seed(seed)
        context = engine.context_from_preset(getattr(mtkahypar.PresetType, preset))
        context.set_partitioning_parameters(request.parts, 0.0, mtkahypar.Objective.CUT)
        made = engine.create_graph(
            context,
            graph.vertices,
            graph.edges,
            list(zip(graph.tails[once].tolist(), graph.neighbours[once].tolist(), strict=True)),
            [1] * graph.vertices,
            small_integers(graph, WEIGHTS)[once].tolist(),
        )
        result = made.partition(context)
        return np.array([result.block_id(v) for v in range(graph.vertices)], dtype=np.int32)

    return run


_KNOWN: tuple[tuple[str, str, Rival], ...] = (
    ("networkx", "networkx", by_networkx),
    ("metis recursive", "pymetis", by_metis(recursive=True)),
    ("metis k-way", "pymetis", by_metis(recursive=False)),
    ("kahip fast", "kahip", by_kahip("FAST")),
    ("kahip eco", "kahip", by_kahip("ECO")),
    ("kahip strong", "kahip", by_kahip("STRONG")),
    ("mtkahypar default", "mtkahypar", by_mtkahypar("DEFAULT")),
    ("mtkahypar quality", "mtkahypar", by_mtkahypar("HIGHEST_QUALITY")),
)

RIVALS = {name: rival for name, module, rival in _KNOWN if find_spec(module) is not None}
"""What is installed, by name."""
