"""Runs for the tests: made from formulae, and from the simulated cluster."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from scenarios.measurements.runs import Floats, Runs
from scenarios.simulated import SimulatedCluster, campaign, find_application, grid

CAPS = (51.0, 65.0, 80.0, 95.0, 115.0)


def grid_runs(
    time: Callable[[Floats, Floats, Floats], Floats],
    power: Callable[[Floats, Floats, Floats], Floats],
    nodes: tuple[int, ...] = (8, 12, 16, 24, 32),
    cores: tuple[int, ...] = (4, 8, 12, 16),
    caps: tuple[float, ...] = CAPS,
) -> Runs:
    """One run of every configuration; memory draws a tenth of the packages' power."""
    axes = np.meshgrid(nodes, cores, caps, indexing="ij")
    n, c, p = (axis.ravel().astype(float) for axis in axes)
    total = power(n, c, p)
    return Runs(
        "formula",
        n.astype(int),
        c.astype(int),
        p,
        np.ones(len(n), dtype=int),
        time(n, c, p),
        total / 1.1,
        total - total / 1.1,
    )


@lru_cache
def simulated(name: str = "LU-MZ", seed: int = 3) -> Runs:
    """A campaign of three repetitions."""
    cluster = SimulatedCluster.build(162, seed=seed)
    return campaign(cluster, find_application(name, "C"), grid("C"), 3, seed=seed)
