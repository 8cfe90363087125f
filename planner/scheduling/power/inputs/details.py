"""The job details table from measured runs, or from a model that few runs train.

References
----------
Patki (2015), Table 5.3 and section 5.4.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from planner.configurations.prediction.candidates import CandidateConfigurations
from planner.configurations.prediction.log_polynomial import LogPolynomial
from planner.configurations.prediction.predicted import OfSpoken
from planner.configurations.prediction.training import Training
from planner.configurations.table import (
    DEFAULT_REPETITION,
    ConfigurationTable,
    Repetition,
    groups,
    table_of,
)
from planner.errors import InputError
from planner.scheduling.power.problem import MS, SLACK_MS, Charge, Floats, Integers, JobDetails
from scenarios.measurements.runs import Runs


def whole_thousandths(values: Floats) -> Integers:
    """Return seconds as ms, or watts as mW: rounded up, at least 1."""
    # Up: a charge must not be too low, and no run time may be 0.
    up = np.ceil(np.asarray(values, dtype=np.float64) * MS - SLACK_MS)
    return np.maximum(up, 1).astype(np.int64)


def details_of(tables: Sequence[ConfigurationTable], source: str, most_nodes: int) -> JobDetails:
    """Put tables of configurations together, those with more nodes than the cluster left out.

    Times and charges are rounded up to whole milliseconds and milliwatts.

    Raises
    ------
    InputError
        An application has no configuration that fits the cluster.
    """
    fitting = [table.take(table.nodes <= most_nodes) for table in tables]
    for table, whole in zip(fitting, tables, strict=True):
        if not len(table):
            fewest = f"its fewest nodes are {whole.nodes.min():,}" if len(whole) else "it has none"
            raise InputError(
                f"{table.application} has no configuration for a cluster of {most_nodes:,} nodes "
                f"({fewest}); give a larger cluster or leave the application out"
            )
    columns = {
        name: np.concatenate([np.empty(0), *(getattr(table, name) for table in fitting)])
        for name in ("nodes", "cores_per_node", "package_cap_w", "time_s", "charged_w")
    }
    return JobDetails(
        applications=tuple(table.application for table in fitting),
        first=np.cumsum([0, *map(len, fitting)]),
        nodes=columns["nodes"],
        cores_per_node=columns["cores_per_node"],
        package_cap_w=columns["package_cap_w"],
        time_ms=whole_thousandths(columns["time_s"]),
        charge_mw=whole_thousandths(columns["charged_w"]),
        source=source,
    )


def charged_runs(runs: Runs, charge: Charge) -> Runs:
    """Return the runs with the power that counts against the bound, and no other.

    Raises
    ------
    InputError
        Memory power counts and was not measured.
    """
    if charge == "package":
        return replace(runs, dram_power_w=None)
    if runs.dram_power_w is None:
        raise InputError(
            f"{runs.application}: charge = 'node' counts memory power, which was not measured; "
            "measure it, or set charge = 'package'"
        )
    return runs


def measured_table(
    runs: Runs, charge: Charge, repetition: Repetition = DEFAULT_REPETITION
) -> ConfigurationTable:
    """Return one row for each configuration that was run.

    Raises
    ------
    InputError
        Memory power counts and was not measured.
    """
    return table_of(charged_runs(runs, charge), repetition)


def training_count(configurations: int, share: float) -> int:
    """Return how many configurations a share of them is: rounded, at least 1."""
    return max(1, round(configurations * share))


def training_runs(runs: Runs, share: float, rng: np.random.Generator) -> Runs:
    """Return all runs of a random share of the configurations."""
    count = training_count(len(groups(runs)), share)
    return runs.take(Training(count).rows(runs, rng))


def model_table(
    training: Runs,
    grid: CandidateConfigurations,
    charge: Charge,
    *,
    guard: float = 0.0,
    repetition: Repetition = DEFAULT_REPETITION,
) -> ConfigurationTable:
    """Predict every row by a log-polynomial regression of degree two, those of training too.

    Parameters
    ----------
    training
        Runs that the regression is fitted to.
    grid
        The rows.
    guard
        Share of its charge that a row leaves free: the charge is predicted power / (1 - guard).

    Raises
    ------
    InputError
        Fewer configurations than coefficients: 10 where nodes, cores and cap all vary.

    References
    ----------
    Patki (2015), section 5.4.2.
    """
    fitted = OfSpoken(LogPolynomial(), repetition).fit(charged_runs(training, charge))
    predicted = fitted.predict(grid.nodes, grid.cores_per_node, grid.package_cap_w)
    return ConfigurationTable(
        training.application,
        grid.nodes,
        grid.cores_per_node,
        grid.package_cap_w,
        predicted.time_s,
        predicted.power_w,
        np.ones(len(grid), dtype=np.bool_),
        guard,
    )
