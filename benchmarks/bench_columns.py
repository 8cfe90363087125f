"""Bounds of partitions by all connected sets: gap before and after, and processor time.

For each matrix of bytes or messages among ranks (CSV, row = source) and each size of nodes: the gap
of the portfolio without the bound by columns and with it. Time is that of this process and of the
solver's, in rulers: one is 20 million additions in a Python function on this machine.

    python benchmarks/bench_columns.py FOLDER [--ranks 64] [--sizes 4 8 16]
"""

from __future__ import annotations

import argparse
import math
import time
from pathlib import Path
from unittest.mock import patch

import numpy as np

from solvers.mapping.warm import warm
from solvers.partition import BY_NAME, Graph, Partition, Request, equal_parts, violations
from solvers.process.client import WORKER


def main() -> None:
    asks = argparse.ArgumentParser(description=__doc__)
    asks.add_argument("folder", type=Path)
    asks.add_argument("--ranks", type=int, default=64)
    asks.add_argument("--sizes", type=int, nargs="*", default=[4, 8, 16])
    arguments = asks.parse_args()
    warm()
    unit = min(ruler() for _ in range(3))
    print(f"ruler: {unit:.2f} s")
    for path in sorted(arguments.folder.glob(f"*.{arguments.ranks}.*.csv")):
        if path.name.endswith(".sizes.csv"):
            continue
        sent = np.loadtxt(path, delimiter=",")
        np.fill_diagonal(sent, 0.0)
        graph = Graph.from_matrix(sent)
        for size in arguments.sizes:
            with patch("solvers.partition.portfolio.by_columns", return_value=-math.inf):
                before, without_s = timed(graph, size)
            after, with_s = timed(graph, size)
            if after.bound < min(before.bound, after.cut):
                raise SystemExit(f"failed: the bound of {path.name} / {size} became weaker")
            print(
                f"{path.name} / {size}: gap {before.gap:.2%} before, {after.gap:.2%} after "
                f"({after.status.value}); rulers {without_s / unit:.1f}, {with_s / unit:.1f}",
                flush=True,
            )


def timed(graph: Graph, size: int) -> tuple[Partition, float]:
    """Answer of the portfolio, checked, and its processor seconds."""
    request = Request(graph, equal_parts(graph, size))
    began, solver = time.process_time(), WORKER.cpu_s
    answer = BY_NAME["portfolio"].partition(request)
    seconds = time.process_time() - began + WORKER.cpu_s - solver
    faults = violations(graph, answer, request.capacities.tolist())
    if faults:
        raise SystemExit(f"failed: {faults[0]}")
    return answer, seconds


def ruler() -> float:
    """Processor seconds of 20 million additions."""
    began, total = time.process_time(), 0
    for number in range(20_000_000):
        total += number
    return time.process_time() - began


if __name__ == "__main__":
    main()
