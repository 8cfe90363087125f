"""Tasks on cores of nested units: cost over all levels and seconds, against Scotch in the same run.

Scotch's ``scotch_gmap`` (Debian package scotch) maps to a tree of the same distances. Where it
gives a core to two tasks, the tasks too many go to the free cores by the same repair as everywhere,
and are counted. Ratios above 1: the rival costs more. Seconds are of the processor.

    python benchmarks/bench_mapping.py [16 128 1024 16384] [--seconds LIMIT]
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import tempfile
import time
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.partition_cases import SETS, named
from solvers.mapping import Problem, solve, total, violations
from solvers.mapping.warm import warm
from solvers.partition import Graph, Request
from solvers.partition.repair import repaired

BRANCHES = (2, 2, 2)
DISTANCES = (1000, 100, 10, 1)
INNER = int(np.prod(BRANCHES))
GMAP = "scotch_gmap"


def problem(graph: Graph, limit: float | None) -> Problem:
    """Nodes of two processors of two dies of two cores."""
    slots = np.arange(graph.vertices)
    units = np.array([slots // INNER, slots // (INNER // 2), slots // (INNER // 4)])
    graphs = tuple(
        Graph(graph.starts, graph.neighbours, graph.weights * (outer - inner))
        for outer, inner in pairwise(DISTANCES)
    )
    return Problem(graphs, units, time_limit_s=limit)


def by_scotch(graph: Graph) -> tuple[np.ndarray, float, int]:
    """Slot of each vertex, processor seconds, and how many shared a core before the repair."""
    nodes = graph.vertices // INNER
    with tempfile.TemporaryDirectory() as folder:
        source, target, out = (Path(folder) / name for name in ("g.grf", "t.tgt", "m.map"))
        lines = [f"0\n{graph.vertices}\t{len(graph.neighbours)}\n0\t010"]
        for vertex in range(graph.vertices):
            row = slice(int(graph.starts[vertex]), int(graph.starts[vertex + 1]))
            pairs = zip(graph.weights[row].tolist(), graph.neighbours[row].tolist(), strict=True)
            words = " ".join(f"{int(weight)} {other}" for weight, other in pairs)
            lines.append(f"{row.stop - row.start} {words}")
        source.write_text("\n".join(lines) + "\n")
        tree = " ".join(
            f"{count} {far}" for count, far in zip((nodes, *BRANCHES), DISTANCES, strict=True)
        )
        target.write_text(f"tleaf\n{1 + len(BRANCHES)} {tree}\n")
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(
            [GMAP, source, target, out, "-b0"], check=True, capture_output=True, timeout=600
        )
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        rows = np.loadtxt(out, skiprows=1, dtype=np.int64)
    part = np.empty(graph.vertices, dtype=np.int32)
    part[rows[:, 0]] = rows[:, 1]
    shared = graph.vertices - len(np.unique(part))
    request = Request(graph, np.ones(graph.vertices, dtype=np.int64))
    return repaired(request, part).astype(np.int64), seconds, shared


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("sets", nargs="*", default=["16", "128", "1024"], choices=[*SETS])
    asks.add_argument("--seconds", type=float, default=10.0)
    arguments = asks.parse_args()
    warm()
    ratios = []
    for title in dict.fromkeys(
        name for chosen_set in arguments.sets for name, _ in SETS[chosen_set]
    ):
        graph = named(title)
        if graph.vertices % INNER:
            continue
        asked_of_us = problem(graph, arguments.seconds)
        began = time.process_time()
        result = solve(asked_of_us)
        seconds = time.process_time() - began
        faults = violations(asked_of_us, result)
        if faults:
            raise SystemExit(f"failed: {title}: {faults[0]}")
        in_order = total(asked_of_us, np.arange(graph.vertices))
        line = (
            f"{title}: {result.total:g} ({result.method}, {seconds:.2f} s), "
            f"bound {result.bound:g}, over rank order {result.total / in_order:.3f}"
        )
        if shutil.which(GMAP):
            slot, theirs_s, shared = by_scotch(graph)
            theirs = total(asked_of_us, slot)
            ratios.append(theirs / result.total)
            line += f"; Scotch {theirs / result.total:.3f} ({theirs_s:.2f} s, {shared} repaired)"
        print(line, flush=True)
    if ratios:
        mean = float(np.exp(np.mean(np.log(ratios))))
        below = sum(ratio < 1 - 1e-9 for ratio in ratios)
        print(f"Scotch over ours: mean {mean:.3f} of {len(ratios)}, {below} below 1")


if __name__ == "__main__":
    main()
