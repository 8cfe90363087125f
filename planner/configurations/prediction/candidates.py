"""Configurations that may be run, and why one is suggested."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.configurations.prediction.model import configuration_keys
from planner.configurations.table import ConfigurationTable
from scenarios.measurements.runs import Floats, Indices, Runs

ConfigurationKey = tuple[int, int, float]
"""Nodes, cores per node and cap of one package [W]."""

Reason = Literal["spread", "improve", "verify", "repeat"]


@dataclass(frozen=True, eq=False)
class CandidateConfigurations:
    """Configurations that may be run; arrays ``(candidates,)``, no configuration twice."""

    nodes: Indices
    cores_per_node: Indices
    package_cap_w: Floats

    def __len__(self) -> int:
        return len(self.nodes)

    def key(self, index: int) -> ConfigurationKey:
        """Return nodes, cores per node and cap of one candidate."""
        return (
            int(self.nodes[index]),
            int(self.cores_per_node[index]),
            float(self.package_cap_w[index]),
        )

    def points(self) -> Floats:
        """Return coordinates for distances: logarithm of nodes, cores, rank of the cap."""
        ranks = np.unique(self.package_cap_w, return_inverse=True)[1]
        return np.column_stack((np.log2(self.nodes), self.cores_per_node, ranks)).astype(float)

    def rows_of(self, runs: Runs) -> Indices:
        """Index of the configuration of each run; -1 where it is not a candidate."""
        rows = {self.key(i): i for i in range(len(self))}
        return np.array([rows.get(key, -1) for key in configuration_keys(runs)], dtype=np.int64)


def candidates_of(table: ConfigurationTable) -> CandidateConfigurations:
    """The configurations of a table, without their times and powers."""
    return CandidateConfigurations(table.nodes, table.cores_per_node, table.package_cap_w)


@dataclass(frozen=True)
class Suggestion:
    """A configuration to run next, and why; ``bound_w`` where it is for one bound."""

    nodes: int
    cores_per_node: int
    package_cap_w: float
    reason: Reason
    bound_w: float | None = None
    predicted_time_s: float | None = None
    predicted_power_w: float | None = None

    @property
    def key(self) -> ConfigurationKey:
        """Return nodes, cores per node and cap of the run."""
        return self.nodes, self.cores_per_node, self.package_cap_w
