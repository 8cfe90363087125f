"""Partition and mapping: engine, reference by CBC and reference by HiGHS, over the number of ranks.

The program is a stencil on a near-square grid, wrapped round at its edges, with 1 to 9 units a pair
and a tenth of all other pairs at 1 unit (seed 18); ranks are numbered at random. Nodes take 4
ranks. For the mapping they have 2 sockets of 2, and a unit costs 10 between nodes, 1 between
sockets. Seconds are of the processor, of this process and its solvers; ratios are to the engine,
which stops where it wants to. A method is left out once it has not finished within the limit.
It ends with an error if optima differ or a bound is above one.

    python benchmarks/bench_formulations_graphs.py [8 12 16 20 24 ...] [--seconds LIMIT]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from planner.errors import PlanError
from planner.formulations.mapping import map_ranks
from planner.formulations.partition import partition
from solvers.mapping import Mapping, Problem, solve
from solvers.mapping.warm import warm
from solvers.model.result import Status
from solvers.partition import BY_NAME, Graph, Partition, Request, equal_parts
from solvers.process.client import WORKER

NODE, SOCKET = 4, 2
SIZES = (8, 12, 16, 20, 24, 28, 32, 36, 40)
REFERENCES = ("cbc", "highs")
Asked = TypeVar("Asked", Request, Problem)


@dataclass(frozen=True)
class Row:
    """What one method found on one instance."""

    method: str
    value: float
    bound: float
    proved: bool
    nodes: int | None
    seconds: float


def main() -> None:
    """Print a row for each decision, size and method."""
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("sizes", nargs="*", type=int, default=SIZES)
    asks.add_argument("--seconds", type=float, default=60.0)
    arguments = asks.parse_args()
    warm()
    BY_NAME["portfolio"].partition(cut_up(program(20)))
    print(f"{'decision':<10} {'ranks':>5} {'method':<10} {'value':>7} {'bound':>9} "
          f"{'status':<9} {'nodes':>8} {'seconds':>8} {'ratio':>8}")  # fmt: skip
    compare("partition", arguments.sizes, arguments.seconds, cut_up, partitioned)
    compare("mapping", arguments.sizes, arguments.seconds, mapped_to, mapped)


def compare(
    decision: str,
    sizes: list[int],
    limit: float,
    ask: Callable[[Graph, float | None], Asked],
    answer: Callable[[Asked, str], Partition | Mapping],
) -> None:
    """All sizes, until no reference finishes."""
    remaining = list(REFERENCES)
    for count in sizes:
        graph = program(count)
        rows = [timed("engine", answer, ask(graph, None))]
        for solver in list(remaining):
            try:
                rows.append(timed(solver, answer, ask(graph, limit)))
            except PlanError as error:
                print(f"{decision:<10} {count:>5} {solver:<10} {error}")
            if rows[-1].method != solver or not rows[-1].proved:
                remaining.remove(solver)
        best = min(row.value for row in rows)
        for row in rows:
            agrees = not row.proved or math.isclose(row.value, best, rel_tol=1e-9)
            if not agrees or row.bound > best * (1 + 1e-9):
                raise SystemExit(f"{count} ranks: {row} against the least known, {best}")
            print(f"{decision:<10} {count:>5} {row.method:<10} {row.value:>7.0f} {row.bound:>9.1f} "
                  f"{'optimal' if row.proved else 'open':<9} {row.nodes or '-':>8} "
                  f"{row.seconds:>8.2f} {row.seconds / rows[0].seconds:>8.1f}")  # fmt: skip
        if not remaining:
            return


def program(count: int) -> Graph:
    """Communication of a stencil, with some noise, ranks in no order."""
    rng = np.random.default_rng([18, count])
    rows = next(r for r in range(math.isqrt(count), 0, -1) if count % r == 0)
    grid = rng.permutation(count).reshape(rows, -1)
    matrix = np.triu(rng.random((count, count)) < 0.1, 1).astype(float)
    for axis in (0, 1):
        near = np.roll(grid, 1, axis)
        matrix[grid.ravel(), near.ravel()] += rng.integers(1, 10, count)
    return Graph.from_matrix(matrix)


def cut_up(graph: Graph, limit: float | None = None) -> Request:
    """Nodes of 4."""
    return Request(graph, equal_parts(graph, NODE), time_limit_s=limit)


def mapped_to(graph: Graph, limit: float | None = None) -> Problem:
    """Nodes of 2 sockets of 2."""
    slots = np.arange(graph.vertices)
    far = Graph(graph.starts, graph.neighbours, graph.weights * 9)
    units = np.array([slots // NODE, slots // SOCKET])
    return Problem((far, graph), units, time_limit_s=limit)


def partitioned(request: Request, method: str) -> Partition:
    """Return the partition by the engine or by a reference."""
    if method == "engine":
        return BY_NAME["portfolio"].partition(request)
    return partition(request, solver=method)


def mapped(problem: Problem, method: str) -> Mapping:
    """Return the mapping by the engine or by a reference."""
    return solve(problem) if method == "engine" else map_ranks(problem, solver=method)


def timed(method: str, answer: Callable[[Asked, str], Partition | Mapping], request: Asked) -> Row:
    """Run once; seconds of the processor, those of solvers added."""
    began, before = time.process_time(), WORKER.cpu_s
    result = answer(request, method)
    seconds = time.process_time() - began + WORKER.cpu_s - before
    value = result.cut if isinstance(result, Partition) else result.total
    nodes = result.certificate.nodes if result.certificate else None
    return Row(method, value, result.bound, result.status is Status.OPTIMAL, nodes, seconds)


if __name__ == "__main__":
    main()
