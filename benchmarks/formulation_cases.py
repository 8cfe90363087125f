"""Problems of growing size for the reference formulations, by seed."""

from __future__ import annotations

import numpy as np

from planner.aggregation.patterns import patterns
from planner.aggregation.selection import Candidate
from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import SharedJob
from planner.configurations.sharing.problem import SharingProblem as Sharing
from planner.configurations.socket_caps import SocketCapsProblem as Sockets
from planner.configurations.table import ConfigurationTable
from planner.designs.overprovisioning import DesignCase
from scenarios.aggregation.task_layout import Layout
from scenarios.model.run_times import TableTime

CAPS_W = np.array([51.0, 65.0, 80.0, 95.0, 115.0])
CORES = np.arange(4, 17, 2)


def table(counts: int, seed: int = 0) -> ConfigurationTable:
    """``counts`` node counts x 7 cores per node x 5 caps; times scatter by 3 %."""
    rng = np.random.default_rng(seed)
    nodes, cores, caps = (
        grid.ravel()
        for grid in np.meshgrid(8 + 2 * np.arange(counts), CORES, CAPS_W, indexing="ij")
    )
    a, b, c = rng.uniform(0.5, 1.0), rng.uniform(0.3, 1.0), rng.uniform(0.1, 0.6)
    time = 1e4 * nodes**-a * cores**-b * (caps / 115) ** -c * rng.uniform(0.97, 1.03, len(nodes))
    power = nodes * (2 * caps * (0.4 + 0.6 * cores / 16) + 40) * rng.uniform(0.99, 1.01, len(nodes))
    return ConfigurationTable("made", nodes, cores, caps, np.round(time, 3), np.round(power, 2))


def bound(of: ConfigurationTable) -> Bound:
    """Return a quarter of the way from the least to the largest power."""
    return Bound(round(0.75 * float(of.power_w.min()) + 0.25 * float(of.power_w.max()), 2))


def sharing(jobs: int) -> Sharing:
    """Return jobs of 70 configurations each; a third of what their fastest configurations need."""
    tables = [table(2, seed) for seed in range(jobs)]
    fastest = [int(table.time_s.argmin()) for table in tables]
    watts = sum(float(t.power_w[k]) for t, k in zip(tables, fastest, strict=True))
    made = tuple(SharedJob(f"job {j}", table) for j, table in enumerate(tables))
    return Sharing(made, Bound(round(0.4 * watts, 2)), 9 * jobs)


def design(pieces: int) -> DesignCase:
    """Return a machine of 100 high-end nodes per piece of its falling run time."""
    nodes = 8 + 200 * np.arange(pieces + 1)
    times = 1e5 / nodes**0.8
    time = TableTime(
        kind="table", node_type="older", nodes=tuple(nodes.tolist()),
        time_s=tuple(np.round(times, 4).tolist()),
    )  # fmt: skip
    return DesignCase("made", time, 38_000.0 * pieces, 380.0, 180.0, 0.27, 1.7, outside="clamp")


def sockets(ranks: int, *, convex: bool, seed: int = 0) -> Sockets:
    """Nine caps; times by a power law of the cap, smooth (convex) or with 2 % of scatter."""
    rng = np.random.default_rng(seed)
    caps = np.tile(np.linspace(51.0, 110.0, 9), (ranks, 1))
    load = np.exp(0.1 * rng.standard_normal((ranks, 1)))
    times = 100 * load * (caps / 51) ** -rng.uniform(0.3, 0.7, (ranks, 1))
    if not convex:
        times *= np.exp(0.02 * rng.standard_normal(times.shape))
    return Sockets(caps, times, 65.0 * ranks)


def candidates(node: Layout, seed: int = 0) -> list[Candidate]:
    """Return every pattern of a node with a predicted slowdown and energy."""
    rng = np.random.default_rng(seed)
    groups = np.zeros((1, 1), dtype=np.int64)
    return [
        Candidate(
            pattern, groups, 1.0, 1.0, 0.0,
            0.0 if pattern.id == 1 else float(rng.uniform(-0.1, 0.3)), float(rng.uniform(1e3, 1e6)),
        )
        for pattern in patterns(node)
    ]  # fmt: skip
