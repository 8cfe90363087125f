"""Applications of the simulated cluster; in this package only this module uses the hidden law.

A policy sees the job details table that this module makes, never the true values. There are no slow
outliers, neither in measured runs nor in jobs. The true values of a job have none, so a table with
outliers would mislead.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from planner.configurations.prediction.candidates import CandidateConfigurations
from planner.configurations.table import ConfigurationTable
from planner.errors import InputError
from planner.scheduling.power.inputs.details import measured_table, model_table, training_count
from planner.scheduling.power.problem import Charge, Floats, Integers
from scenarios.measurements.runs import Runs
from scenarios.model.schedule import ScheduleDetails
from scenarios.simulated import Application, PerNode, SimulatedCluster, campaign, grid, per_node
from scenarios.simulated import truth as law_of_typical
from scenarios.simulated.campaign import LONGEST_DRAW
from scenarios.simulated.configurations import GRIDS
from solvers.portable import exp

MOST_EVERY = 512
"""Nodes of a cluster up to which every node count is measured: time grows with their square."""


@dataclass(frozen=True, eq=False)
class SimulatedSubject:
    """An application on a simulated cluster.

    Attributes
    ----------
    application
        With the class of its input.
    cluster
        Its nodes, and the scatter of its runs; see :func:`simulated_cluster`.
    charge
        What counts against the bound.
    rows
        The configurations, in the order of a table.
    typical
        Whether the nodes are typical ones, all alike to the scheduler.
    """

    application: Application
    cluster: SimulatedCluster
    charge: Charge
    rows: CandidateConfigurations
    typical: bool

    @property
    def name(self) -> str:
        """Name of the application."""
        return self.application.name

    def known_table(
        self, settings: ScheduleDetails, rng: np.random.Generator
    ) -> ConfigurationTable:
        """Measure all configurations, or a share of them for a model; the truth for an oracle."""
        if settings.method == "oracle":
            return self.truth()
        if settings.method == "measured":
            runs = self._measured(self.rows, settings, rng)
            return measured_table(runs, self.charge, settings.repetition)
        count = training_count(len(self.rows), settings.training_share)
        sampled = np.sort(rng.choice(len(self.rows), count, replace=False))
        runs = self._measured(_taken(self.rows, sampled), settings, rng)
        guard, repetition = settings.guard, settings.repetition
        return model_table(runs, self.rows, self.charge, guard=guard, repetition=repetition)

    def truth(self) -> ConfigurationTable:
        """Give the law's time and power on typical nodes, without scatter."""
        typical = SimulatedCluster.typical(self.cluster.nodes, self.cluster.machine)
        rows = self.rows
        true = law_of_typical(
            typical, self.application, rows.nodes, rows.cores_per_node, rows.package_cap_w
        )
        power_w = true.package_power_w if self.charge == "package" else true.power_w
        columns = (rows.nodes, rows.cores_per_node, rows.package_cap_w)
        return ConfigurationTable(self.name, *columns, true.time_s, power_w)

    def law(self, rows: CandidateConfigurations) -> PerNode:
        """Give true time and power of rows for every node of the cluster."""
        columns = (rows.nodes, rows.cores_per_node, rows.package_cap_w)
        memory = self.charge == "node"
        return per_node(self.cluster, self.application, *columns, memory=memory)

    def _measured(
        self, rows: CandidateConfigurations, settings: ScheduleDetails, rng: np.random.Generator
    ) -> Runs:
        return campaign(
            self.cluster,
            self.application,
            (rows.nodes, rows.cores_per_node, rows.package_cap_w),
            settings.repetitions,
            int(rng.integers(2**63)),
            "first" if self.typical else "random",
        )


def simulated_cluster(
    nodes: int, seed: int, *, variability: bool = True, noise: bool = True
) -> SimulatedCluster:
    """Build a simulated cluster without slow outliers, whose runs scatter only with ``noise``.

    Parameters
    ----------
    seed
        Seed of the sockets' variability; without ``variability`` all sockets are typical.
    """
    built = SimulatedCluster.build(nodes, seed) if variability else SimulatedCluster.typical(nodes)
    scatter = replace(built.machine.noise, straggler_share=0.0)
    if not noise:
        scatter = replace(scatter, time=0.0, power=0.0)
    return replace(built, machine=replace(built.machine, noise=scatter))


def simulated_rows(
    application: Application, nodes: int, *, every: bool = False
) -> CandidateConfigurations:
    """Return configurations of an application for a cluster, in the order of a table.

    Parameters
    ----------
    every
        Every node count from 1 on, with the cores and caps of class D; by default the grid of the
        thesis for the class of the input.

    Raises
    ------
    InputError
        The cluster is smaller than the smallest node count of the grid, or too large for every
        node count.
    """
    if every:
        if nodes > MOST_EVERY:
            raise InputError(
                f"node_counts = 'every' on {nodes:,} nodes gives {nodes * 25:,} configurations of "
                f"{application.name}; give at most {MOST_EVERY} nodes, or node_counts = 'thesis'"
            )
        _, cores, caps = GRIDS["D"]
        axes = np.meshgrid(np.arange(1, nodes + 1), cores, caps, indexing="ij")
        n, c, p = (axis.ravel() for axis in axes)
        return CandidateConfigurations(n.astype(np.int64), c.astype(np.int64), p.astype(np.float64))
    rows = CandidateConfigurations(*grid(application.problem))
    fitting = np.flatnonzero(rows.nodes <= nodes)
    if not len(fitting):
        raise InputError(
            f"{application.name}: the thesis measured from {rows.nodes.min()} nodes on, and the "
            f"cluster has {nodes}; set node_counts = 'every' in [schedule.details]"
        )
    return _taken(rows, fitting)


def scatter(cluster: SimulatedCluster, jobs: int, seed: np.random.SeedSequence) -> Floats:
    """Return factors of time and of power of jobs, from run to run; shape ``(2, jobs)``.

    The law of a campaign's runs: log-t, cut off where a campaign cuts it.
    """
    noise = cluster.machine.noise
    tails = np.array([[noise.time_tail], [noise.power_tail]])
    scale = np.array([[noise.time], [noise.power]])
    draws = np.clip(
        np.random.default_rng(seed).standard_t(tails, (2, jobs)), -LONGEST_DRAW, LONGEST_DRAW
    )
    return exp(scale * draws)


def _taken(rows: CandidateConfigurations, index: Integers) -> CandidateConfigurations:
    return CandidateConfigurations(
        rows.nodes[index], rows.cores_per_node[index], rows.package_cap_w[index]
    )
