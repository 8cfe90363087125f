"""Named algebra against bare arrays: building the program of a multiple choice, in one run.

Both build the same model: classes of 375 items (binary), one row a class and two budgets. Seconds
are of the processor, the least of several builds. It ends with an error if the models differ, or
if the algebra takes more than 1.2 times as long as the arrays on the largest size.

    python benchmarks/bench_expressions.py
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from solvers import Milp, MilpBuilder
from solvers.model.expressions import AlgebraicModel
from solvers.model.milp import Floats

ITEMS = 375
CLASSES = (10, 100, 1_000, 4_000)
MOST = 1.2
BUILDS = 9


def by_arrays(cost: Floats, weights: Floats, classes: int) -> Milp:
    """Triplets by hand."""
    build = MilpBuilder()
    group = np.repeat(np.arange(classes), ITEMS)
    x = build.add_columns(len(cost), cost=cost, upper=1.0, integer=True)
    ones = np.ones(classes)
    build.add_rows(group, x, np.ones(len(cost)), lower=ones, upper=ones)
    for row in weights:
        build.add_rows(np.zeros(len(cost), dtype=np.int64), x, row, upper=classes)
    return build.model()


def by_algebra(cost: Floats, weights: Floats, classes: int) -> Milp:
    """The same as algebra, with names."""
    m = AlgebraicModel()
    group = np.repeat(np.arange(classes), ITEMS)
    x = m.variables("x", len(cost), cost=cost, upper=1.0, integer=True)
    m.add("one", x.sum_by(group, classes).equals(1.0))
    for number, row in enumerate(weights):
        m.add(f"budget_{number}", row @ x <= float(classes))
    return m.model()


def seconds(build: Callable[[], Milp]) -> float:
    """Least processor time of some builds."""
    times = []
    for _ in range(BUILDS):
        began = time.process_time()
        build()
        times.append(time.process_time() - began)
    return min(times)


def main() -> None:
    """Print a row for each size."""
    ratio = 0.0
    print("| classes x items | arrays | named algebra | ratio |")
    print("|---|---:|---:|---:|")
    for classes in CLASSES:
        rng = np.random.default_rng(classes)
        cost, weights = rng.random(classes * ITEMS), rng.random((2, classes * ITEMS))
        if by_arrays(cost, weights, classes).digest != by_algebra(cost, weights, classes).digest:
            raise SystemExit("failed: the models differ")
        plain = seconds(lambda: by_arrays(cost, weights, classes))  # noqa: B023 - called here
        named = seconds(lambda: by_algebra(cost, weights, classes))  # noqa: B023 - called here
        ratio = named / plain
        print(
            f"| {classes:,} x {ITEMS} | {1e3 * plain:.1f} ms | {1e3 * named:.1f} ms | {ratio:.2f} |"
        )
    if ratio > MOST:
        raise SystemExit(f"failed: {ratio:.2f} times the arrays, above {MOST}")


if __name__ == "__main__":
    main()
