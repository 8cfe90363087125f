"""Applications whose configurations a scheduler chooses among, and where their times are from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from planner.configurations.prediction.candidates import CandidateConfigurations, candidates_of
from planner.configurations.table import ConfigurationTable, Repetition
from planner.scheduling.power.inputs.details import measured_table, model_table, training_runs
from planner.scheduling.power.problem import Charge
from scenarios.measurements.runs import Runs
from scenarios.model.schedule import ScheduleDetails


class Subject(Protocol):
    """An application: what the scheduler is given of it, and its typical truth."""

    @property
    def name(self) -> str:
        """Name of the application."""
        ...

    def known_table(
        self, settings: ScheduleDetails, rng: np.random.Generator
    ) -> ConfigurationTable:
        """Give the rows of the job details table.

        Raises
        ------
        InputError
            Too few runs for a model, or no memory power where it counts.
        """
        ...

    def truth(self) -> ConfigurationTable:
        """Give true time and power on typical nodes, of the same rows."""
        ...


@dataclass(frozen=True, eq=False)
class MeasuredSubject:
    """An application with measured runs: what speaks for a configuration is its truth as well.

    Attributes
    ----------
    runs
        Measured runs of the application.
    charge
        What counts against the bound.
    repetition
        Which run speaks for a configuration.
    """

    runs: Runs
    charge: Charge
    repetition: Repetition

    @property
    def name(self) -> str:
        """Name of the application."""
        return self.runs.application

    def known_table(
        self, settings: ScheduleDetails, rng: np.random.Generator
    ) -> ConfigurationTable:
        """Give the measured configurations, or predictions of all of them."""
        if settings.method != "model":
            return self.truth()
        training = training_runs(self.runs, settings.training_share, rng)
        grid = candidates_of(self.truth())
        guard, repetition = settings.guard, self.repetition
        return model_table(training, grid, self.charge, guard=guard, repetition=repetition)

    def truth(self) -> ConfigurationTable:
        """Give what was measured."""
        return measured_table(self.runs, self.charge, self.repetition)


def listed_runs(
    name: str, rows: CandidateConfigurations, table: tuple[list[float], list[float]]
) -> Runs:
    """Return configurations with time [s] and charged power [W] as one run each."""
    time_s, power_w = table
    return Runs(
        application=name,
        nodes=rows.nodes,
        cores_per_node=rows.cores_per_node,
        package_cap_w=rows.package_cap_w,
        repetition=np.ones(len(rows), dtype=np.int64),
        time_s=np.array(time_s),
        package_power_w=np.array(power_w),
    )
