"""Tables of predicted times and powers, where not every configuration can be measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.configurations.prediction.candidates import CandidateConfigurations
from planner.configurations.prediction.model import FittedModel, Model
from planner.configurations.table import (
    DEFAULT_REPETITION,
    ConfigurationTable,
    Repetition,
    representative_runs,
    table_of,
)
from planner.errors import InputError
from planner.finding import Finding, finding
from scenarios.measurements.runs import Floats, Runs

_MOST = 100_000
_POOR_FIT = 0.1
"""A model whose median error on its own runs is above this value is not trusted."""


@dataclass(frozen=True)
class Grid:
    """The grid of candidate configurations; an empty axis takes the measured values.

    Attributes
    ----------
    nodes, cores_per_node
        Counts.
    caps_w
        Package caps [W].
    """

    nodes: tuple[int, ...] = ()
    cores_per_node: tuple[int, ...] = ()
    caps_w: tuple[float, ...] = ()

    def of(self, runs: Runs) -> CandidateConfigurations:
        """Return all combinations of the axes, in the order of a table.

        Raises
        ------
        InputError
            A value that is not above 0, or more combinations than can be looked at.
        """
        axes = (
            _axis("nodes", self.nodes, runs.nodes),
            _axis("cores", self.cores_per_node, runs.cores_per_node),
            _axis("caps", self.caps_w, runs.package_cap_w),
        )
        count = int(np.prod([float(len(axis)) for axis in axes]))
        if count > _MOST:
            raise InputError(f"the grid has {count:,} configurations; give at most {_MOST:,}")
        n, c, p = (axis.ravel() for axis in np.meshgrid(*axes, indexing="ij"))
        return CandidateConfigurations(n.astype(np.int64), c.astype(np.int64), p)


@dataclass(frozen=True)
class OfSpoken:
    """A model that is fitted to the representative run of each configuration."""

    model: Model
    repetition: Repetition

    @property
    def name(self) -> str:
        """Return the model's own value."""
        return self.model.name

    @property
    def least_configurations(self) -> int:
        """Return the model's own value."""
        return self.model.least_configurations

    def fit(self, runs: Runs) -> FittedModel:
        """Fit the model to the representative runs."""
        return self.model.fit(representative_runs(runs, self.repetition))


def predicted_table(
    runs: Runs,
    model: Model,
    grid: CandidateConfigurations,
    repetition: Repetition = DEFAULT_REPETITION,
    guard: float = 0.0,
) -> tuple[ConfigurationTable, tuple[Finding, ...]]:
    """Fit a model to the runs that speak for their configurations, and predict what was not run.

    A candidate that was run has its measured time and power. ``guard`` is the share of a bound
    that the other candidates leave free.

    Returns
    -------
    table, findings
        What is doubtful: a model that does not even fit the runs that it was given, and candidates
        beyond them.

    Raises
    ------
    InputError
        Too few configurations were measured; says how many are needed.
    """
    fitted = OfSpoken(model, repetition).fit(runs)
    predictions = fitted.predict(grid.nodes, grid.cores_per_node, grid.package_cap_w)
    columns = (grid.nodes, grid.cores_per_node, grid.package_cap_w)
    measured = table_of(runs, repetition)
    rows, is_measured = _measured(measured, grid)
    table = ConfigurationTable(
        runs.application,
        *columns,
        np.where(is_measured, measured.time_s[rows], predictions.time_s),
        np.where(is_measured, measured.power_w[rows], predictions.power_w),
        ~is_measured,
        guard,
    )
    return table, (*_misfit(measured, model.name, fitted), *_beyond(runs, grid))


def _measured(
    measured: ConfigurationTable, grid: CandidateConfigurations
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Find each candidate's row in the table of measurements, and whether there is one."""
    keys = zip(measured.nodes, measured.cores_per_node, measured.package_cap_w, strict=True)
    rows = {tuple(map(float, key)): row for row, key in enumerate(keys)}
    requested = zip(grid.nodes, grid.cores_per_node, grid.package_cap_w, strict=True)
    indices = np.array([rows.get(tuple(map(float, key)), -1) for key in requested], dtype=np.int64)
    return indices, indices >= 0


def _misfit(measured: ConfigurationTable, name: str, fitted: FittedModel) -> Iterator[Finding]:
    """Warn if the model is far from the configurations that it was fitted to."""
    predictions = fitted.predict(measured.nodes, measured.cores_per_node, measured.package_cap_w)
    time = float(np.median(np.abs(predictions.time_s / measured.time_s - 1)))
    power = float(np.median(np.abs(predictions.power_w / measured.power_w - 1)))
    if max(time, power) > _POOR_FIT:
        yield finding(
            "risk", "misfit", model=(name, "model"), application=(measured.application, "text"),
            time=(time, "share"), power=(power, "share"),
        )  # fmt: skip


def _beyond(runs: Runs, grid: CandidateConfigurations) -> Iterator[Finding]:
    """Warn of axes of the grid that reach beyond the measured range."""
    axes = {
        "nodes": (grid.nodes, runs.nodes),
        "cores": (grid.cores_per_node, runs.cores_per_node),
        "caps": (grid.package_cap_w, runs.package_cap_w),
    }
    for name, (values, measured) in axes.items():
        if values.min() < measured.min() or values.max() > measured.max():
            ends = ((float(values.min()), float(values.max())), "interval:number")
            ran = ((float(measured.min()), float(measured.max())), "interval:number")
            yield finding(
                "risk", "beyond", application=(runs.application, "text"), axis=(name, "axis"),
                grid=ends, measured=ran,
            )  # fmt: skip


def _axis(name: str, requested: Sequence[float], measured: NDArray[Any]) -> Floats:
    values = np.unique(np.asarray(requested or measured, dtype=np.float64))
    if not (values > 0).all() or not np.isfinite(values).all():
        raise InputError(f"--grid: {name} contain {values.min():g}; give numbers above 0")
    return values
