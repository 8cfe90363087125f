"""Numbers read off the simulated machine as the thesis reads them off the real one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.law import Truth, truth

Configuration = tuple[int, int, float]

CAPS_W = (51.0, 65.0, 80.0, 95.0, 115.0)
GRIDS = {
    "C": (tuple(range(8, 33, 2)), tuple(range(4, 17, 2)), CAPS_W),
    "D": (tuple(range(8, 65, 4)), tuple(range(8, 17, 2)), CAPS_W),
}


def grid(problem: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes, cores per node and caps of the thesis's measurements, for class C or D."""
    axes = np.meshgrid(*GRIDS[problem], indexing="ij")
    nodes, cores, caps = (axis.ravel() for axis in axes)
    return nodes.astype(np.int64), cores.astype(np.int64), caps.astype(np.float64)


class Readings:
    """Times and powers of one cluster, computed once each."""

    def __init__(self, cluster: SimulatedCluster, applications: Mapping[str, Application]) -> None:
        self.cluster = cluster
        self.applications = applications
        self._single: dict[tuple[str, Configuration], Truth] = {}
        self._tables: dict[str, dict[Configuration, tuple[float, float]]] = {}

    def _one(self, name: str, configuration: Configuration) -> Truth:
        key = (name, configuration)
        if key not in self._single:
            application = self.applications[name]
            self._single[key] = truth(self.cluster, application, *configuration)
        return self._single[key]

    def time_s(self, name: str, *configuration: float) -> float:
        """Time of a configuration [s]."""
        return float(self._one(name, _key(configuration)).time_s[0])

    def power_w(self, name: str, *configuration: float) -> float:
        """Power of a configuration, packages and memory [W]."""
        return float(self._one(name, _key(configuration)).power_w[0])

    def package_w(self, name: str, *configuration: float) -> float:
        """Package power of a socket on average [W]."""
        sockets = SOCKETS * configuration[0]
        return float(self._one(name, _key(configuration)).package_power_w[0] / sockets)

    def dram_w(self, name: str, *configuration: float) -> float:
        """Memory power of a socket on average [W]."""
        sockets = SOCKETS * configuration[0]
        return float(self._one(name, _key(configuration)).dram_power_w[0] / sockets)

    def table(self, name: str) -> dict[Configuration, tuple[float, float]]:
        """Time [s] and power [W] of every configuration of the measured grid."""
        if name not in self._tables:
            application = self.applications[name]
            nodes, cores, caps = grid(application.problem)
            found = truth(self.cluster, application, nodes, cores, caps)
            keys = zip(nodes.tolist(), cores.tolist(), caps.tolist(), strict=True)
            pairs = zip(found.time_s.tolist(), found.power_w.tolist(), strict=True)
            self._tables[name] = dict(zip(keys, pairs, strict=True))
        return self._tables[name]

    def best(self, name: str, bound_w: float) -> Configuration:
        """Fastest configuration of the grid whose power keeps the bound."""
        table = self.table(name)
        return min((k for k, (_, w) in table.items() if w <= bound_w), key=lambda k: table[k][0])

    def canonical(self, name: str, form: str, bound_w: float) -> Configuration:
        """One of the four canonical configurations (3.4.1): packed or spread, max or min.

        Packed fills a node before the next; spread uses the fewest cores of each. Both take as
        many nodes as the bound allows, and stop there: (32x4,115) is the spread-max of unlimited
        power.
        """
        shape, level = form.split("-")
        table = self.table(name)
        cap = max(k[2] for k in table) if level == "max" else min(k[2] for k in table)
        fits = [k for k, (_, w) in table.items() if k[2] == cap and w <= bound_w]
        cores = (max if shape == "packed" else min)(k[1] for k in table)
        return max(k for k in fits if k[1] == cores)

    def seconds(self, name: str, configuration: Configuration) -> float:
        """Time of a configuration of the grid [s]."""
        return self.table(name)[configuration][0]


def _key(configuration: tuple[float, ...]) -> Configuration:
    nodes, cores, cap = configuration
    return int(nodes), int(cores), float(cap)
