"""The published costs against the true objective, on random tables of times.

The true objective is the sum of the signed weights ``w = t_inter - t_intra`` of the pairs that are
parted. The published costs stand in for it: never below 0, so that any graph partitioner takes
them. Here Kernighan-Lin gets either, and the least of either is found exactly; every partition
is then valued by the true objective. How far one lies above the optimum is told as a share of the
sum of ``|w|``.

``python -m benchmarks.studies.placement.surrogate`` prints the tables of
docs/evidence/surrogate.md.

References
----------
Power-aware MPI task aggregation, section IV, equation 4.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.placement.costs import PairCosts, paper, signed
from planner.placement.message_times import PairTimes
from scenarios.communication.matrix import Floats, Integers
from solvers.partition.graph import Graph, cut
from solvers.partition.outcome import TOLERANCE
from solvers.partition.registry import BY_NAME
from solvers.partition.request import Request, equal_parts

SILENT = 0.4
LONGEST_US = 100.0
TABLES = 60
SEEDS = range(10)
SHAPES = ((10, 2), (12, 3), (16, 4))
UNITS_S: Mapping[str, float] = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}

Draw = Callable[[np.random.Generator, int], Floats]
DRAWS: Mapping[str, Draw] = {
    "even": lambda rng, count: rng.uniform(0.0, LONGEST_US, count),
    "skewed": lambda rng, count: rng.exponential(LONGEST_US / 2.0, count),
}
"""Times in microseconds: spread evenly, or many short and few long with the same mean."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """What partitions lose against the optimum of the true objective.

    Attributes
    ----------
    tasks, groups
        Of each table; groups are of one size.
    excess
        By method: value above the optimum over the sum of ``|w|``; shape ``(seeds, tables)``.
    other_groups
        By unit of time: whether the least published cost has other groups than in microseconds;
        shape ``(seeds, tables)``.
    """

    tasks: int
    groups: int
    excess: Mapping[str, Floats]
    other_groups: Mapping[str, np.ndarray]

    def optimal(self, method: str) -> Integers:
        """Return tables of each seed on which a method reaches the optimum; shape ``(seeds,)``."""
        reached: Integers = np.count_nonzero(self.excess[method] <= TOLERANCE, axis=1)
        return reached


def random_times(
    rng: np.random.Generator, tasks: int, *, draw: str = "even", silent: float = SILENT
) -> PairTimes:
    """Draw times within a node and between nodes, independent of one another.

    Parameters
    ----------
    draw
        One of ``DRAWS``.
    silent
        Chance that a pair exchanges nothing.
    """
    low, high = np.triu_indices(tasks, 1)
    talking = rng.random(len(low)) >= silent
    count = int(np.count_nonzero(talking))
    intra_us, inter_us = DRAWS[draw](rng, count), DRAWS[draw](rng, count)
    return PairTimes(tasks, low[talking], high[talking], intra_us, inter_us)


def compare(
    tasks: int,
    groups: int,
    *,
    seeds: Sequence[int] = SEEDS,
    tables: int = TABLES,
    draw: str = "even",
) -> Comparison:
    """Value the partitions of all methods on random tables."""
    rows = []
    for seed in seeds:
        streams = np.random.default_rng(seed).spawn(tables)
        rows.append([_one(random_times(rng, tasks, draw=draw), groups, seed) for rng in streams])
    return Comparison(
        tasks,
        groups,
        {name: _values(rows, 0, name) for name in rows[0][0][0]},
        {name: _values(rows, 1, name) for name in rows[0][0][1]},
    )


def _values(
    rows: list[list[tuple[dict[str, float], dict[str, bool]]]], at: int, name: str
) -> Floats:
    return np.array([[table[at][name] for table in row] for row in rows])


def _one(times: PairTimes, groups: int, seed: int) -> tuple[dict[str, float], dict[str, bool]]:
    """Excess by method, and which units of time lead to other groups than a microsecond."""
    size = times.ranks // groups
    true = _graph(signed(times))
    published = {
        unit: _graph(paper(times, size, unit_s=unit_s)) for unit, unit_s in UNITS_S.items()
    }
    least = {unit: _parts("dynamic", graph, size, seed) for unit, graph in published.items()}
    partitions = {
        "order of ranks": _parts("order", true, size, seed),
        "KL, paper's cost": _parts("kl", published["us"], size, seed),
        "KL, signed weights": _parts("kl", true, size, seed),
        "KL, signed weights, 10 starts": _parts("kl", true, size, seed, starts=10),
        **{f"least paper's cost, {unit}": part for unit, part in least.items()},
    }
    optimum = cut(true, _parts("dynamic", true, size, seed))
    scale = true.size or 1.0
    return (
        {name: (cut(true, part) - optimum) / scale for name, part in partitions.items()},
        {unit: not _same(part, least["us"]) for unit, part in least.items()},
    )


def _graph(costs: PairCosts) -> Graph:
    return Graph.from_edges(costs.ranks, costs.low, costs.high, costs.cost)


def _parts(method: str, graph: Graph, size: int, seed: int, *, starts: int = 1) -> np.ndarray:
    request = Request(graph, equal_parts(graph, size), seed=seed, starts=starts)
    return BY_NAME[method].partition(request).part


def _same(first: np.ndarray, second: np.ndarray) -> bool:
    """Return whether two partitions are one but for the names of the groups."""
    pairs = {(int(a), int(b)) for a, b in zip(first, second, strict=True)}
    return len(pairs) == len(set(first.tolist())) == len(set(second.tolist()))


def as_markdown(comparison: Comparison) -> Iterator[str]:
    """Yield lines of one table: optimal ones of each seed, and the excess over all tables."""
    seeds, tables = next(iter(comparison.excess.values())).shape
    title = f"{comparison.tasks} tasks in {comparison.groups} groups"
    yield f"| {title} | optimal of {tables} | median | worst |"
    yield "|---|---|---|---|"
    for name, excess in comparison.excess.items():
        reached = comparison.optimal(name)
        yield (
            f"| {name} | {reached.mean():.1f} ({reached.min()} to {reached.max()}) | "
            f"{np.median(excess):.1%} | {excess.max():.1%} |"
        )
    shares = [
        f"{unit}: {other.mean():.0%}"
        for unit, other in comparison.other_groups.items()
        if unit != "us"
    ]
    yield ""
    yield f"Other groups than in microseconds, of {seeds * tables} tables: {', '.join(shares)}."


def page(seeds: Sequence[int] = SEEDS) -> Iterator[str]:
    """Yield lines of all tables of docs/evidence/surrogate.md."""
    for draw in DRAWS:
        yield from ("", f"Times drawn {draw}:", "")
        for tasks, groups in SHAPES:
            yield from as_markdown(compare(tasks, groups, seeds=seeds, draw=draw))
            yield ""


if __name__ == "__main__":
    for line in page():
        sys.stdout.write(f"{line}\n")
