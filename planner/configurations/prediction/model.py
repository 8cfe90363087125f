"""The interface that every model of run time and power has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from planner.configurations.table import ConfigurationTable, groups
from planner.errors import InputError
from planner.finding import finding
from scenarios.measurements.runs import Floats, Indices, Runs

Counts = Indices | Sequence[int] | int
Watts = Floats | Sequence[float] | float


@dataclass(frozen=True, eq=False)
class ModelPrediction:
    """Predicted run time and power of some configurations; arrays ``(configurations,)``.

    Attributes
    ----------
    time_s
        Run time [s].
    power_w
        Packages, and memory where the training runs had it, over all nodes [W].
    time_spread, power_spread
        Standard deviation of the natural logarithm: 0.02 reads as 2 %. ``None`` where the model
        states none.
    """

    time_s: Floats
    power_w: Floats
    time_spread: Floats | None = None
    power_spread: Floats | None = None


class FittedModel(Protocol):
    """A model with its coefficients."""

    def predict(
        self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts
    ) -> ModelPrediction:
        """Predict time and power of configurations, measured or not."""


class Model(Protocol):
    """A family of models.

    Attributes
    ----------
    name
        As in tables.
    least_configurations
        Different configurations that it needs, where nodes, cores and cap all vary.
    """

    @property
    def name(self) -> str: ...  # noqa: D102

    @property
    def least_configurations(self) -> int: ...  # noqa: D102

    def fit(self, runs: Runs) -> FittedModel:
        """Fit the model to the runs.

        Raises
        ------
        InputError
            Too few configurations, or a run without a positive time and power.
        """


def configurations_of(runs: Runs) -> int:
    """Count the different configurations that were run."""
    return len(groups(runs))


def check(runs: Runs, model: str, needed: int) -> None:
    """Refuse runs that a model cannot be fitted to.

    Raises
    ------
    InputError
        Fewer than ``needed`` configurations; a time or power that is not positive and finite.
    """
    present = configurations_of(runs)
    if present < needed:
        text = (
            f"{runs.application}: {model} needs {needed} different configurations, but the file "
            f"has {present}; measure more, or choose a model that needs fewer"
        )
        stated = finding(
            "risk", "few-configurations", application=(runs.application, "text"),
            model=(model, "exact"), needed=(needed, "configuration"), present=(present, "count"),
        )  # fmt: skip
        raise InputError(text, stated)
    for name in ("time_s", "power_w"):
        values = getattr(runs, name)
        unusable = np.flatnonzero(~(np.isfinite(values) & (values > 0)))
        if len(unusable):
            raise InputError(
                f"{runs.application}: {name} = {values[unusable[0]]:g} in run {unusable[0] + 1} "
                f"({len(unusable)} such runs); correct or remove them: both must be above 0"
            )


def configuration_keys(table: Runs | ConfigurationTable) -> list[tuple[int, int, float]]:
    """Return nodes, cores per node and cap of each run or configuration."""
    columns = (table.nodes, table.cores_per_node, table.package_cap_w)
    return list(zip(*(column.tolist() for column in columns), strict=True))


def inputs(
    nodes: Counts, cores_per_node: Counts, package_cap_w: Watts
) -> tuple[Floats, Floats, Floats]:
    """Return the three columns as arrays of one length."""
    columns = (np.atleast_1d(np.asarray(v, float)) for v in (nodes, cores_per_node, package_cap_w))
    n, c, p = np.broadcast_arrays(*columns)
    return n, c, p


def varying(columns: Sequence[Floats]) -> NDArray[np.bool_]:
    """Return which inputs differ between runs; a constant input cannot be fitted."""
    return np.array([bool(np.ptp(column) > 0) for column in columns])
