"""Measurement campaigns on the simulated cluster: repeated runs, with all that disturbs them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from scenarios.measurements.runs import Runs
from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.configurations import checked
from scenarios.simulated.law import NoiseFreeRuns, outcome
from scenarios.simulated.machine import Floats
from scenarios.simulated.parallel import loads
from scenarios.simulated.phases import Indices
from solvers.portable import exp

Grid = tuple[ArrayLike, ArrayLike, ArrayLike]
Allocation = Literal["random", "first"]

LONGEST_DRAW = 20.0
"""Longest draw of the scatter: the tails are heavy, not endless."""


def campaign(
    cluster: SimulatedCluster,
    application: Application,
    grid: Grid,
    repetitions: int,
    seed: int,
    allocation: Allocation = "random",
) -> Runs:
    """Measure configurations repeatedly.

    Each run gets nodes of its own, drawn without replacement, or the cluster's first. One in three
    large allocations of full nodes has a slow node, which takes 1.85 times as long for its part.
    Time and power scatter from run to run, with heavy tails.

    Parameters
    ----------
    grid
        Nodes, cores per node and package caps [W], which broadcast together:
        `scenarios.simulated.grid` gives the thesis's.
    repetitions
        Runs of each configuration.
    seed
        Seed of allocations, slow nodes and scatter; the same seed gives the same runs.
    allocation
        ``"random"`` nodes, or always the ``"first"`` ones, which are those of `truth`.

    Returns
    -------
    Runs
        Configuration by configuration, repetition 1, 2, ... of each.

    Raises
    ------
    ValueError
        No repetitions, or a configuration that the cluster does not have.

    References
    ----------
    Patki (2015), 3.2: at least three runs of each configuration.
    """
    if repetitions < 1:
        raise ValueError(f"repetitions = {repetitions}; each configuration runs at least once")
    nodes, cores, caps = checked(cluster, *grid)
    n, c = np.repeat(nodes, repetitions), np.repeat(cores, repetitions)
    p = np.repeat(caps, repetitions)
    chosen, scatter = np.random.default_rng(seed).spawn(2)
    runs = NoiseFreeRuns(*(np.empty(len(n)) for _ in range(3)))
    for count in np.unique(n):
        rows = np.flatnonzero(n == count)
        chosen_nodes = chosen.random((len(rows), cluster.nodes)).argsort(axis=1, kind="stable")[
            :, :count
        ]
        order = (
            chosen_nodes if allocation == "random" else np.tile(np.arange(count), (len(rows), 1))
        )
        outcome = _run(cluster, application, order, c[rows], p[rows], chosen)
        runs.time_s[rows] = outcome.time_s
        runs.package_power_w[rows] = outcome.package_power_w
        runs.dram_power_w[rows] = outcome.dram_power_w
    noise = cluster.machine.noise
    tails = np.array([[noise.time_tail], [noise.power_tail], [noise.power_tail]])
    draws = np.clip(scatter.standard_t(tails, (3, len(n))), -LONGEST_DRAW, LONGEST_DRAW)
    return Runs(
        application=application.name,
        nodes=n,
        cores_per_node=c,
        package_cap_w=p,
        repetition=np.tile(np.arange(1, repetitions + 1), len(n) // repetitions),
        time_s=runs.time_s * exp(noise.time * draws[0]),
        package_power_w=runs.package_power_w * exp(noise.power * draws[1]),
        dram_power_w=runs.dram_power_w * exp(noise.power * draws[2]),
    )


def calibration(
    cluster: SimulatedCluster,
    application: Application,
    configuration: tuple[int, float],
    repetitions: int,
    seed: int,
) -> Floats:
    """Measure the package power of every node in runs of one node: the median of each [W].

    Parameters
    ----------
    configuration
        Cores and package cap [W], the same for all nodes.
    repetitions
        Runs of each node; each scatters like a run of a campaign.
    seed
        Seed of the scatter; same seed, same runs.

    Raises
    ------
    ValueError
        No repetitions, or a configuration that the cluster does not have.

    References
    ----------
    Patki (2015), section 7.3.1: processors differ in power efficiency.
    """
    if repetitions < 1:
        raise ValueError(f"repetitions = {repetitions}; each node runs at least once")
    _, cores, caps_w = checked(cluster, 1, *configuration)
    shape, rng = (cluster.nodes, repetitions), np.random.default_rng(seed)
    order, ones = np.arange(cluster.nodes)[:, None], np.ones(cluster.nodes)
    outcome = _run(cluster, application, order, np.repeat(cores, cluster.nodes), caps_w * ones, rng)
    noise = cluster.machine.noise
    draws = np.clip(rng.standard_t(noise.power_tail, shape), -LONGEST_DRAW, LONGEST_DRAW)
    measured = outcome.package_power_w[:, None] * exp(noise.power * draws)
    return np.asarray(np.median(measured, axis=1))


def _run(
    cluster: SimulatedCluster,
    application: Application,
    order: Indices,
    cores: Indices,
    caps_w: Floats,
    rng: np.random.Generator,
) -> NoiseFreeRuns:
    """Return runs on equally many nodes, ``order`` of shape ``(runs, nodes)``; some are slow."""
    noise = cluster.machine.noise
    nodes = order.shape[1]
    leakage = cluster.leakage[order].reshape(len(cores), nodes * SOCKETS)
    prone = (cores >= noise.straggler_cores) & (nodes >= noise.straggler_nodes)
    straggles = prone & (rng.random(len(cores)) < noise.straggler_share)
    slow = rng.integers(nodes, size=len(cores))
    work = np.tile(loads(application, nodes), (len(cores), 1))
    work[straggles, slow[straggles]] *= noise.straggler_slowdown
    return outcome(
        cluster.machine,
        application,
        nodes,
        cores,
        np.repeat(caps_w[:, None], nodes * SOCKETS, axis=1),
        leakage,
        np.repeat(work, SOCKETS, axis=1),
    )
