"""Numbers read off the simulated machine as the thesis reads them off the real one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scenarios.simulated.applications import Application
from scenarios.simulated.cluster import SOCKETS, SimulatedCluster
from scenarios.simulated.configurations import Configuration, grid
from scenarios.simulated.law import NoiseFreeRuns, outcome, truth
from scenarios.simulated.machine import Floats
from scenarios.simulated.parallel import loads

Form = Literal["packed-max", "packed-min", "spread-max", "spread-min"]
FORMS: tuple[Form, ...] = ("packed-max", "packed-min", "spread-max", "spread-min")


@dataclass(frozen=True, eq=False)
class Table:
    """Time and power of every configuration of a grid, arrays of one length.

    ``power_w`` is what counts against a bound: packages and memory for class C, packages for D.
    """

    nodes: NDArray[np.int64]
    cores: NDArray[np.int64]
    caps_w: Floats
    time_s: Floats
    power_w: Floats

    def configuration(self, row: int) -> Configuration:
        """Nodes, cores per node and cap of a row."""
        return int(self.nodes[row]), int(self.cores[row]), float(self.caps_w[row])


class Readings:
    """Times and powers of one cluster, computed once each."""

    def __init__(self, cluster: SimulatedCluster, applications: Mapping[str, Application]) -> None:
        self.cluster = cluster
        self.applications = applications
        self._single: dict[tuple[str, Configuration], NoiseFreeRuns] = {}
        self._tables: dict[str, Table] = {}

    def one(self, name: str, nodes: int, cores: int, cap_w: float) -> NoiseFreeRuns:
        """Return one configuration, of the grid or not."""
        key = (name, (nodes, cores, float(cap_w)))
        if key not in self._single:
            self._single[key] = truth(self.cluster, self.applications[name], nodes, cores, cap_w)
        return self._single[key]

    def time_s(self, name: str, nodes: int, cores: int, cap_w: float) -> float:
        """Time of a configuration [s]."""
        return float(self.one(name, nodes, cores, cap_w).time_s[0])

    def power_w(self, name: str, nodes: int, cores: int, cap_w: float) -> float:
        """Power of a configuration, packages and memory [W]."""
        return float(self.one(name, nodes, cores, cap_w).power_w[0])

    def package_w(self, name: str, nodes: int, cores: int, cap_w: float) -> float:
        """Package power of a socket, on average [W]."""
        return float(self.one(name, nodes, cores, cap_w).package_power_w[0]) / (SOCKETS * nodes)

    def dram_w(self, name: str, nodes: int, cores: int, cap_w: float) -> float:
        """Memory power of a socket, on average [W]."""
        return float(self.one(name, nodes, cores, cap_w).dram_power_w[0]) / (SOCKETS * nodes)

    def straggling_s(self, name: str, nodes: int, cores: int, cap_w: float) -> float:
        """Time of a configuration on an allocation whose first node straggles [s]."""
        machine, application = self.cluster.machine, self.applications[name]
        load = loads(application, nodes).copy()
        load[0] *= machine.noise.straggler_slowdown
        result = outcome(
            machine,
            application,
            nodes,
            np.array([cores]),
            np.full((1, nodes * SOCKETS), float(cap_w)),
            self.cluster.leakage[:nodes].reshape(1, -1),
            np.repeat(load, SOCKETS)[None, :],
        )
        return float(result.time_s[0])

    def table(self, name: str) -> Table:
        """Return every configuration of the measured grid."""
        if name not in self._tables:
            application = self.applications[name]
            nodes, cores, caps = grid(application.problem)
            runs = truth(self.cluster, application, nodes, cores, caps)
            # class D was measured without memory (5.4.1)
            power = runs.power_w if application.problem == "C" else runs.package_power_w
            self._tables[name] = Table(nodes, cores, caps, runs.time_s, power)
        return self._tables[name]

    def best(self, name: str, bound_w: float) -> Configuration:
        """Fastest configuration of the grid whose power keeps the bound.

        Raises
        ------
        ValueError
            No configuration keeps it.
        """
        table = self.table(name)
        fits = table.power_w <= bound_w
        if not fits.any():
            raise ValueError(f"{name}: no configuration keeps {bound_w:g} W; raise the bound")
        time = np.where(fits, table.time_s, np.inf)
        return table.configuration(int(time.argmin()))

    def canonical(self, name: str, form: Form, bound_w: float) -> Configuration:
        """Return one of the four canonical configurations (3.4.1).

        Packed fills a node before the next; spread uses the fewest cores of each. Both take as
        many nodes as the bound allows, and stop there: (32x4,115) is the spread-max of unlimited
        power.

        Raises
        ------
        ValueError
            No node count keeps the bound.
        """
        shape, level = form.split("-")
        table = self.table(name)
        cores = table.cores.max() if shape == "packed" else table.cores.min()
        cap = table.caps_w.max() if level == "max" else table.caps_w.min()
        fits = (table.cores == cores) & (table.caps_w == cap) & (table.power_w <= bound_w)
        if not fits.any():
            raise ValueError(f"{name} {form}: no node count keeps {bound_w:g} W; raise the bound")
        return table.configuration(int(np.where(fits, table.nodes, 0).argmax()))

    def fastest_s(self, name: str, bound_w: float, forms: Sequence[Form] = FORMS) -> float:
        """Time of the fastest canonical configuration, or of the fastest of some [s]."""
        return min(self.time_s(name, *self.canonical(name, form, bound_w)) for form in forms)

    def speedup(self, name: str, bound_w: float, over: Form = "packed-max") -> float:
        """Time of a canonical configuration over that of the best one, under one bound."""
        slow = self.time_s(name, *self.canonical(name, over, bound_w))
        return slow / self.time_s(name, *self.best(name, bound_w))

    def ratio(self, name: str, slow: Form, fast: Form, bound_w: float) -> float:
        """Time of one canonical configuration over that of another, under one bound."""
        times = [self.time_s(name, *self.canonical(name, form, bound_w)) for form in (slow, fast)]
        return times[0] / times[1]
