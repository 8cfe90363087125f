"""The configurations of one application: one time and one power each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scenarios.measurements import Floats, Indices, Runs

Repetition = Literal["best", "median", "worst"]
"""Which repetition of a configuration speaks for it."""


@dataclass(frozen=True)
class Configuration:
    """Nodes x cores per node, and the cap of one package: ``(n x c, p)`` of the thesis.

    Attributes
    ----------
    nodes, cores_per_node
        Counts.
    package_cap_w
        Cap of one package (socket) [W].
    time_s
        Run time [s].
    power_w
        What it draws: packages of all its nodes, and memory where it was measured [W].
    """

    nodes: int
    cores_per_node: int
    package_cap_w: float
    time_s: float
    power_w: float

    def __str__(self) -> str:
        return f"({self.nodes} x {self.cores_per_node}, {self.package_cap_w:g} W)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "nodes": self.nodes,
            "cores_per_node": self.cores_per_node,
            "package_cap_w": self.package_cap_w,
            "time_s": self.time_s,
            "power_w": self.power_w,
        }


@dataclass(frozen=True, eq=False)
class ConfigurationTable:
    """All configurations of one application, sorted by nodes, cores and cap.

    Attributes
    ----------
    application
        Its name.
    nodes, cores_per_node, package_cap_w, time_s, power_w
        As in :class:`Configuration`; each of shape ``(configurations,)``, read-only.
    """

    application: str
    nodes: Indices
    cores_per_node: Indices
    package_cap_w: Floats
    time_s: Floats
    power_w: Floats

    def __post_init__(self) -> None:
        order = np.lexsort((self.package_cap_w, self.cores_per_node, self.nodes))
        for name in ("nodes", "cores_per_node", "package_cap_w", "time_s", "power_w"):
            array = np.asarray(getattr(self, name))[order]
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.time_s)

    def row(self, index: int) -> Configuration:
        """One configuration."""
        return Configuration(
            int(self.nodes[index]),
            int(self.cores_per_node[index]),
            float(self.package_cap_w[index]),
            float(self.time_s[index]),
            float(self.power_w[index]),
        )

    def rows(self, indices: NDArray[np.integer[Any]]) -> tuple[Configuration, ...]:
        """Several configurations."""
        return tuple(self.row(int(index)) for index in indices)

    def take(self, rows: NDArray[Any]) -> ConfigurationTable:
        """Some of the configurations, by index or mask."""
        return ConfigurationTable(
            self.application,
            self.nodes[rows],
            self.cores_per_node[rows],
            self.package_cap_w[rows],
            self.time_s[rows],
            self.power_w[rows],
        )


def groups(runs: Runs) -> list[Indices]:
    """Indices of the runs of each configuration, in the order of the table.

    Within a configuration the fastest run comes first, of equally fast ones that of least power.
    """
    configuration = (runs.package_cap_w, runs.cores_per_node, runs.nodes)
    order = np.lexsort((runs.power_w, runs.time_s, *configuration))
    keys = np.column_stack(
        (runs.nodes[order], runs.cores_per_node[order], runs.package_cap_w[order])
    )
    starts = np.flatnonzero(np.r_[True, (np.diff(keys, axis=0) != 0).any(axis=1)])
    return np.split(order, starts[1:])


def table_of(runs: Runs, repetition: Repetition = "best") -> ConfigurationTable:
    """One row per configuration.

    Parameters
    ----------
    runs
        Measured runs, repetitions and all.
    repetition
        ``best``: time and power of the fastest run, as in the thesis (Table 4.2). ``median``: the
        medians of both. ``worst``: the longest time and the largest power, for who must not be
        surprised.

    References
    ----------
    Thesis, section 3.2 (three repetitions of each configuration) and Table 4.2.
    """
    found = groups(runs)
    first = np.array([group[0] for group in found])
    chosen = _STATISTICS[repetition]
    times, powers = chosen(runs, found)
    return ConfigurationTable(
        runs.application,
        runs.nodes[first],
        runs.cores_per_node[first],
        runs.package_cap_w[first],
        times,
        powers,
    )


def _best(runs: Runs, found: list[Indices]) -> tuple[Floats, Floats]:
    first = np.array([group[0] for group in found])
    return runs.time_s[first], runs.power_w[first]


def _median(runs: Runs, found: list[Indices]) -> tuple[Floats, Floats]:
    power = runs.power_w
    times = [float(np.median(runs.time_s[group])) for group in found]
    return np.array(times), np.array([float(np.median(power[group])) for group in found])


def _worst(runs: Runs, found: list[Indices]) -> tuple[Floats, Floats]:
    power = runs.power_w
    times = [float(runs.time_s[group].max()) for group in found]
    return np.array(times), np.array([float(power[group].max()) for group in found])


_STATISTICS: Mapping[Repetition, Callable[[Runs, list[Indices]], tuple[Floats, Floats]]] = {
    "best": _best,
    "median": _median,
    "worst": _worst,
}
