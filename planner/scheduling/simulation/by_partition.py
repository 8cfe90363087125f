"""Each partition on its own machine: the measures of every policy, partition by partition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.scheduling.simulation.measures import Measures, measure
from planner.scheduling.simulation.trimming import Measured

if TYPE_CHECKING:
    from planner.scheduling.simulation.schedule import Schedule
    from planner.scheduling.simulation.study import SimulationStudy


@dataclass(frozen=True, eq=False)
class PartitionMeasures:
    """What one policy does to the jobs of one partition.

    Attributes
    ----------
    partition
        Its name, or its number where the log has no names.
    processors
        Of its own machine.
    measures
        As of a whole schedule, of the same measured jobs.
    """

    partition: str
    processors: int
    measures: Measures

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON and workbooks."""
        plain = self.measures.to_dict()
        del plain["simulation_seconds"]
        return {"partition": self.partition, "processors": self.processors} | plain


def by_partition(study: SimulationStudy) -> tuple[PartitionMeasures, ...]:
    """One row for each policy and partition; none where one machine runs all jobs."""
    names = tuple(study.asked.clusters)
    return tuple(
        PartitionMeasures(name, part.machine_processors, measure(part, _of_part(study, part)))
        for simulation in study.simulations
        for name, part in zip(names, simulation.parts, strict=True)
    )


def _of_part(study: SimulationStudy, part: Schedule) -> Measured:
    """The measured jobs of a partition, in the window of all."""
    whole, measured = study.simulations[0].schedule.number, study.measured
    order = np.argsort(whole, kind="stable")
    rows = order[np.searchsorted(whole[order], part.number)]
    return Measured(
        measured.jobs[rows], measured.start_s, measured.end_s, measured.rule, measured.settled
    )
