"""The configurations of one application: one time and one power each."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from scenarios.measurements.runs import Floats, Indices, Runs

Repetition = Literal["median", "best", "worst"]
"""Which repetition of a configuration speaks for it; see :func:`table_of`."""

DEFAULT_REPETITION: Repetition = "median"
"""The fastest of several runs would promise what most runs do not reach."""


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
    predicted
        Whether time and power are a model's: it was never run.
    """

    nodes: int
    cores_per_node: int
    package_cap_w: float
    time_s: float
    power_w: float
    predicted: bool = False

    def __str__(self) -> str:
        return f"{self.short[:-1]}, predicted)" if self.predicted else self.short

    @property
    def short(self) -> str:
        """Return the name without the word that marks a prediction."""
        return f"({self.nodes} x {self.cores_per_node}, {self.package_cap_w:g} W)"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; ``predicted`` only where it is."""
        plain: dict[str, Any] = {
            "nodes": self.nodes,
            "cores_per_node": self.cores_per_node,
            "package_cap_w": self.package_cap_w,
            "time_s": self.time_s,
            "power_w": self.power_w,
        }
        return plain | ({"predicted": True} if self.predicted else {})


@dataclass(frozen=True, eq=False)
class ConfigurationTable:
    """All configurations of one application, sorted by nodes, cores and cap.

    Attributes
    ----------
    application
        Its name.
    nodes, cores_per_node, package_cap_w, time_s, power_w
        As in :class:`Configuration`; each of shape ``(configurations,)``, read-only.
    predicted
        Which of them are a model's predictions; ``None``: none of them.
    guard
        Share of a bound that a predicted configuration leaves free, since its power errs.
    """

    application: str
    nodes: Indices
    cores_per_node: Indices
    package_cap_w: Floats
    time_s: Floats
    power_w: Floats
    predicted: NDArray[np.bool_] | None = None
    guard: float = 0.0

    def __post_init__(self) -> None:
        order = np.lexsort((self.package_cap_w, self.cores_per_node, self.nodes))
        for name in ("nodes", "cores_per_node", "package_cap_w", "time_s", "power_w", "predicted"):
            values = getattr(self, name)
            if values is None:
                continue
            array = np.asarray(values)[order]
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __len__(self) -> int:
        return len(self.time_s)

    @property
    def charged_w(self) -> Floats:
        """Return the power that counts against a bound, of predictions with the guard [W]."""
        if self.predicted is None:
            return self.power_w
        return np.where(self.predicted, self.power_w / (1 - self.guard), self.power_w)

    def row(self, index: int) -> Configuration:
        """Return one configuration."""
        return Configuration(
            int(self.nodes[index]),
            int(self.cores_per_node[index]),
            float(self.package_cap_w[index]),
            float(self.time_s[index]),
            float(self.power_w[index]),
            self.predicted is not None and bool(self.predicted[index]),
        )

    def rows(self, indices: NDArray[np.integer[Any]]) -> tuple[Configuration, ...]:
        """Return several configurations."""
        return tuple(self.row(int(index)) for index in indices)

    def alike(self, configuration: Configuration) -> NDArray[np.bool_]:
        """Return which rows are this configuration, with its time and its power."""
        return np.asarray(
            (self.nodes == configuration.nodes)
            & (self.cores_per_node == configuration.cores_per_node)
            & (self.package_cap_w == configuration.package_cap_w)
            & (self.time_s == configuration.time_s)
            & (self.power_w == configuration.power_w)
        )

    def take(self, rows: NDArray[Any]) -> ConfigurationTable:
        """Return some of the configurations, by index or mask."""
        return ConfigurationTable(
            self.application,
            self.nodes[rows],
            self.cores_per_node[rows],
            self.package_cap_w[rows],
            self.time_s[rows],
            self.power_w[rows],
            None if self.predicted is None else self.predicted[rows],
            self.guard,
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


def median_run(group: Indices) -> int:
    """Index of the median run of a configuration, from its runs in the order of :func:`groups`.

    For an even number of runs, it is the slower of the two in the middle. So it is always an actual
    run with its own time and power. For two runs, it is the slower one.

    Examples
    --------
    >>> median_run(np.array([7, 4, 9])), median_run(np.array([7, 4, 9, 2]))
    (4, 9)
    """
    return int(group[len(group) // 2])


def table_of(runs: Runs, repetition: Repetition = DEFAULT_REPETITION) -> ConfigurationTable:
    """Make a table with one row per configuration.

    Parameters
    ----------
    runs
        Measured runs, repetitions and all.
    repetition
        ``median``: time and power of the median run, :func:`median_run`. ``best``: those of the
        fastest run, as in the thesis (Table 4.2). ``worst``: the longest time and the largest
        power, which need not be of one run.

    Returns
    -------
    ConfigurationTable
        One row per configuration, sorted by nodes, cores and cap.

    References
    ----------
    Thesis, section 3.2 (three repetitions of each configuration) and Table 4.2.
    """
    runs_chosen = representative_runs(runs, repetition)
    return ConfigurationTable(
        runs.application,
        runs_chosen.nodes,
        runs_chosen.cores_per_node,
        runs_chosen.package_cap_w,
        runs_chosen.time_s,
        runs_chosen.power_w,
    )


def representative_runs(runs: Runs, repetition: Repetition = DEFAULT_REPETITION) -> Runs:
    """Return one representative run of each configuration; see :func:`table_of`."""
    of_configuration = groups(runs)
    if repetition == "best":
        return runs.take(np.array([group[0] for group in of_configuration]))
    if repetition == "median":
        return runs.take(np.array([median_run(group) for group in of_configuration]))
    power = runs.power_w
    slowest = np.array([group[-1] for group in of_configuration])
    highest_power = np.array([group[int(power[group].argmax())] for group in of_configuration])
    return replace(runs.take(highest_power), time_s=runs.time_s[slowest])
