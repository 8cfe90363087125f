"""Partitions into exactly equal parts: cuts and seconds, against rivals in the same run.

Rivals fill parts only nearly; what they say goes through the same repair, and what that leaves is
what counts, with and without the same exchanges afterwards. Loops are warm. Every answer is
checked, none may lie below anybody's bound. Ratios above 1: the rival cuts more, or takes longer.

    python benchmarks/bench_partition.py [LARGEST] [--parts SIZE ...]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np
from partition_cases import chosen, geometric  # type: ignore[import-not-found]

from solvers.partition import BY_NAME, Graph, Partition, Request, cut, equal_parts, violations
from solvers.partition.graph import Parts, inner
from solvers.partition.kl import refine
from solvers.partition.metis import loose, small_integers
from solvers.partition.order import in_order
from solvers.partition.repair import repaired

NETWORKX_MOST = 1100
OURS = ("order", "kl", "multilevel", "portfolio")
Rival = Callable[[Request], Parts]


def by_networkx(request: Request) -> Parts:
    """Kernighan-Lin bisection of networkx, again and again; parts are a power of two."""
    part = np.zeros(request.graph.vertices, dtype=np.int32)
    pieces = [np.arange(request.graph.vertices)]
    while len(pieces) < request.parts:
        pieces = [half for piece in pieces for half in _halves(request.graph, piece)]
    for place, piece in enumerate(pieces):
        part[piece] = place
    return part


def _halves(graph: Graph, vertices: np.ndarray) -> Iterator[np.ndarray]:
    import networkx as nx

    piece = inner(graph, vertices)
    joined: Any = nx.Graph()
    joined.add_nodes_from(range(piece.vertices))
    joined.add_weighted_edges_from(
        zip(piece.tails.tolist(), piece.neighbours.tolist(), piece.weights.tolist(), strict=True)
    )
    for half in nx.community.kernighan_lin_bisection(joined, seed=1):
        yield vertices[sorted(half)]


def by_kahip(request: Request) -> Parts:
    import kahip

    graph = request.graph
    ones = [1] * graph.vertices
    _, part = kahip.kaffpa(
        ones,
        graph.starts.tolist(),
        small_integers(graph, 2**29).tolist(),
        graph.neighbours.tolist(),
        request.parts,
        0.0,
        True,  # noqa: FBT003 - its signature: quiet, seed, mode
        1,
        1,
    )
    return np.asarray(part, dtype=np.int32)


def by_mtkahypar(request: Request) -> Parts:
    import mtkahypar

    graph = request.graph
    once = graph.tails < graph.neighbours
    engine = mtkahypar.initialize(1)
    context = engine.context_from_preset(mtkahypar.PresetType.DEFAULT)
    context.set_partitioning_parameters(request.parts, 0.0, mtkahypar.Objective.CUT)
    made = engine.create_graph(
        context,
        graph.vertices,
        graph.edges,
        list(zip(graph.tails[once].tolist(), graph.neighbours[once].tolist(), strict=True)),
        [1] * graph.vertices,
        small_integers(graph, 2**29)[once].tolist(),
    )
    found = made.partition(context)
    return np.array([found.block_id(v) for v in range(graph.vertices)], dtype=np.int32)


def rivals(request: Request) -> Iterator[tuple[str, Rival]]:
    """Those that are installed and can answer."""
    power_of_two = request.parts & (request.parts - 1) == 0
    if request.graph.vertices <= NETWORKX_MOST and power_of_two:
        yield "networkx", by_networkx
    for module, rival in (("pymetis", loose), ("kahip", by_kahip), ("mtkahypar", by_mtkahypar)):
        if find_spec(module) is not None:
            yield module, rival


def timed(request: Request, name: str) -> tuple[Partition, float]:
    began = time.perf_counter()
    answer = BY_NAME[name].partition(request)
    seconds = time.perf_counter() - began
    faults = violations(request.graph, answer, request.capacities.tolist())
    if faults:
        raise SystemExit(f"failed: {name}: {faults[0]}")
    return answer, seconds


def show(title: str, graph: Graph, size: int) -> list[tuple[str, float]]:
    """Print one line; return the cuts of rivals relative to the portfolio's."""
    shown, best = [], None
    for name in OURS:
        request = Request(graph, equal_parts(graph, size), starts=2, time_limit_s=20.0)
        best, seconds = timed(request, name)
        shown.append(f"{name} {best.cut:g} ({seconds:.2f} s)")
    if best is None:
        raise SystemExit("failed: nothing ran")
    ratios = []
    for name, rival in rivals(request):
        began = time.perf_counter()
        part = repaired(request, rival(request))
        seconds = time.perf_counter() - began
        alone, after = cut(graph, part), cut(graph, refine(request, part))
        if after < best.bound - 1e-9 * graph.size:
            raise SystemExit(f"failed: {name} cuts {after}, below the bound {best.bound}")
        shown.append(f"{name} {alone:g}, exchanged {after:g} ({seconds:.2f} s)")
        ratios.append((name, max(alone, 1e-9) / max(best.cut, 1e-9)))
    gap = f"bound {best.bound:g}, gap {best.gap:.1%}"
    print(f"{title}, parts of {size}: {'; '.join(shown)}; {gap}", flush=True)
    return ratios


def same_start() -> None:
    """Kernighan-Lin against that of networkx from the same halves."""
    import networkx as nx

    ratios = []
    for seed in range(5):
        graph = geometric(256, seed)
        request = Request(graph, equal_parts(graph, 128))
        start = in_order(request, np.random.default_rng(seed).permutation(256))
        joined: Any = nx.Graph()
        joined.add_nodes_from(range(256))
        joined.add_weighted_edges_from(
            zip(
                graph.tails.tolist(), graph.neighbours.tolist(), graph.weights.tolist(), strict=True
            )
        )
        halves = [set(np.flatnonzero(start == side).tolist()) for side in (0, 1)]
        found = nx.community.kernighan_lin_bisection(joined, partition=halves, max_iter=1000)
        theirs = np.array([int(v in found[1]) for v in range(256)])
        ratios.append(cut(graph, theirs) / cut(graph, refine(request, start)))
    print(
        "Kernighan-Lin of networkx over ours from the same halves, geometric 256: "
        f"{', '.join(f'{ratio:.2f}' for ratio in ratios)}"
    )


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("largest", nargs="?", type=int, default=600)
    asks.add_argument("--parts", type=int, nargs="*", default=[2, 4, 8, 64])
    asked = asks.parse_args()
    warm = Request(geometric(100, 0), np.array([50, 50]), starts=1)
    for name in ("kl", "multilevel"):
        BY_NAME[name].partition(warm)
    BY_NAME["dynamic"].partition(Request(geometric(8, 0), np.array([4, 4])))
    ratios: dict[str, list[float]] = {}
    for title, graph in chosen(asked.largest):
        for size in asked.parts:
            if graph.vertices % size == 0 and graph.vertices > size:
                for name, ratio in show(title, graph, size):
                    ratios.setdefault(name, []).append(ratio)
    for name, values in ratios.items():
        mean = float(np.exp(np.mean(np.log(values))))
        below = sum(value < 1.0 - 1e-9 for value in values)
        print(f"{name} over portfolio: mean {mean:.3f} of {len(values)}, {below} below 1")
    same_start()


if __name__ == "__main__":
    main()
