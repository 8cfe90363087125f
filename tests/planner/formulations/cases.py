"""Random tables of configurations and bounds, degenerate ones among them, by seed."""

from __future__ import annotations

import numpy as np

from planner.configurations.selection import Bound
from planner.configurations.table import ConfigurationTable
from tests.sizes import few

KINDS = 8
CASES = 200


def solvers_of(seed: int) -> tuple[str, ...]:
    """Both solvers where every case runs; in ``make test`` one of them in turn."""
    both = ("cbc", "highs")
    one = seed.bit_count() % 2  # goes with no kind of case
    return both if few(CASES) == CASES else both[one : one + 1]


def random_table(rng: np.random.Generator, kind: int, most: int = 12) -> ConfigurationTable:
    """Kind 1 is full of ties, 2 one configuration, 3 equal ones, 4 partly predicted."""
    count = 1 if kind == 2 else int(rng.integers(2, most + 1))
    nodes = rng.integers(1, 9, count)
    cores = rng.integers(4, 17, count)
    caps = np.arange(count, dtype=float) + 51
    power = np.round(nodes * rng.uniform(50, 150, count), 2)
    time = np.round(3000 / power * rng.uniform(1, 3, count), 3)
    if kind == 1:
        power = 100 * rng.integers(1, 4, count).astype(np.float64)
        time = rng.integers(1, 4, count).astype(np.float64)
    if kind == 3:
        power, time = np.full(count, power[0]), np.full(count, time[0])
    predicted = rng.random(count) < 0.5 if kind == 4 else None
    guard = 0.05 if kind == 4 else 0.0
    return ConfigurationTable("random", nodes, cores, caps, time, power, predicted, guard)


def random_bound(rng: np.random.Generator, kind: int, table: ConfigurationTable) -> Bound:
    """Kind 5 is exactly a power, 6 a ten-millionth of a watt below one, 7 below all of them."""
    power = table.charged_w
    some = float(power[int(rng.integers(len(power)))])
    if kind == 5:
        return Bound(some)
    if kind == 6:
        return Bound(some - 1e-7)
    if kind == 7:
        return Bound(0.9 * float(power.min()))
    low, high = float(power.min()), float(power.max())
    return Bound(float(rng.uniform(0.95 * low, 1.1 * high)), float(rng.choice([0.0, 0.03])))
