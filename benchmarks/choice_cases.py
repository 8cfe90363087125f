"""Multiple-choice knapsacks by seed: shaped like configurations of jobs, and adversarial."""

from __future__ import annotations

import csv
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solvers.choice import Choice
from tests.shared_data import RZMERL

NODES = np.arange(8, 65, 4)
CORES = np.arange(8, 17, 2)
CAPS_W = np.array([51, 65, 80, 95, 115])
ADVERSARIAL = ("equal ratio", "strongly correlated", "subset sum", "weakly correlated", "free")

_CHUNK = 5_000


def jobs(count: int, level: float, seed: int = 0) -> Choice:
    """Time of each configuration of each job under a bound of nodes and of watts.

    Time falls with diminishing returns in nodes, cores and cap, by exponents drawn per job, and
    by 3 % at random; watts follow cap and cores. Both budgets lie at ``level`` between the totals
    of the lightest and of the fastest configurations.
    """
    rng = np.random.default_rng(seed)
    nodes, cores, cap = (
        grid.ravel().astype(float) for grid in np.meshgrid(NODES, CORES, CAPS_W, indexing="ij")
    )
    items = len(nodes)
    time_s, weights = np.empty((count, items)), np.empty((count, items, 2))
    for first in range(0, count, _CHUNK):
        part = slice(first, min(first + _CHUNK, count))
        size = part.stop - first
        ranges = ((0.5, 1.0), (0.3, 1.0), (0.1, 0.6))
        a, b, c = (rng.uniform(low, high, (size, 1)) for low, high in ranges)
        time_s[part] = rng.lognormal(8, 1, (size, 1)) * nodes**-a * cores**-b * (cap / 115) ** -c
        time_s[part] *= rng.uniform(0.97, 1.03, (size, items))
        activity = rng.uniform(0.55, 1, (size, 1)) * (0.4 + 0.6 * cores / 16)
        node_w = 2 * cap * activity + rng.uniform(20, 60, (size, 1))
        weights[part, :, 0] = nodes
        weights[part, :, 1] = nodes * node_w * rng.uniform(0.99, 1.01, (size, items))
    return _choice(time_s, weights, level, time_s.argmin(axis=1))


def measured_mix(count: int, weights: Sequence[float], level: float, seed: int = 0) -> Choice:
    """Jobs of the measured applications, drawn by seed, each with one of some weights.

    Costs are weighted mean times of a configuration, budgets its nodes and the sum of its mean
    watts of packages and memory.
    """
    with RZMERL.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    runs: dict[str, dict[tuple[str, ...], list[tuple[float, float]]]] = {}
    for row in rows:
        key = row["nodes"], row["cores_per_node"], row["package_cap_w"]
        watts = float(row["package_power_w"]) + float(row["dram_power_w"])
        run = float(row["time_s"]), watts
        runs.setdefault(row["application"], {}).setdefault(key, []).append(run)
    tables = []
    for of_application in runs.values():
        means = np.array([np.mean(each, axis=0) for each in of_application.values()])
        nodes = np.array([float(key[0]) for key in of_application])
        tables.append((means[:, 0], np.column_stack((nodes, means[:, 1]))))
    rng = np.random.default_rng(seed)
    drawn, factor = rng.integers(0, len(tables), count), rng.choice(weights, count)
    # Summed one by one: stored answers hold for budgets of these bits.
    least = sum(np.array([use.min(axis=0) for _, use in tables])[drawn])
    useful = sum(np.array([use[time_s.argmin()] for time_s, use in tables])[drawn])
    budgets = least + level * (useful - least)
    return Choice.from_tables(tables, budgets, table=drawn, factor=factor)


def adversarial(kind: str, count: int, level: float, seed: int = 0) -> Choice:
    """Fifty items a class whose costs follow their weights."""
    rng = np.random.default_rng(seed)
    weights = np.empty((count, 50, 2))
    weights[:, :, 0] = 4 * rng.integers(2, 17, (count, 50))
    weights[:, :, 1] = weights[:, :, 0] * rng.uniform(100, 1000, (count, 50))
    value = {
        "equal ratio": 50 * weights[:, :, 0] + 0.1 * weights[:, :, 1],
        "strongly correlated": 50 * weights[:, :, 0] + 0.1 * weights[:, :, 1] + 1000,
        "subset sum": weights[:, :, 1].copy(),
        "weakly correlated": weights[:, :, 1] * rng.uniform(0.99, 1.01, (count, 50)),
        "free": rng.uniform(1, 1000, (count, 50)),
    }[kind]
    return _choice(-value, weights, level, value.argmax(axis=1))


def _choice(
    cost: NDArray[np.float64],
    weights: NDArray[np.float64],
    level: float,
    best: NDArray[np.int64],
) -> Choice:
    count, items = cost.shape
    least = weights.min(axis=1).sum(axis=0)
    useful = weights[np.arange(count), best].sum(axis=0)
    return Choice(
        np.arange(count + 1) * items,
        cost.ravel(),
        weights.reshape(-1, 2),
        least + level * (useful - least),
    )
