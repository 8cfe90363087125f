"""Tables of predicted times and powers, for who cannot measure every configuration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.configuration.table import ConfigurationTable
from planner.errors import InputError
from planner.prediction.candidates import Candidates
from planner.prediction.model import Model
from scenarios.measurements import Floats, Runs

_MOST = 100_000


@dataclass(frozen=True)
class Grid:
    """What to choose among: every combination; an empty axis takes the measured values.

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

    def of(self, runs: Runs) -> Candidates:
        """All combinations, in the order of a table.

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
        return Candidates(n.astype(np.int64), c.astype(np.int64), p)


def predicted_table(runs: Runs, model: Model, grid: Candidates) -> ConfigurationTable:
    """Fit a model to runs and predict every candidate.

    Raises
    ------
    InputError
        Too few configurations were measured; says how many are needed.
    """
    fitted = model.fit(runs)
    found = fitted.predict(grid.nodes, grid.cores_per_node, grid.package_cap_w)
    columns = (grid.nodes, grid.cores_per_node, grid.package_cap_w)
    return ConfigurationTable(runs.application, *columns, found.time_s, found.power_w)


def _axis(name: str, given: Sequence[float], measured: NDArray[Any]) -> Floats:
    values = np.unique(np.asarray(given or measured, dtype=np.float64))
    if not (values > 0).all() or not np.isfinite(values).all():
        raise InputError(f"{name} of the grid hold {values.min():g}; give numbers above 0")
    return values
