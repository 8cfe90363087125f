"""Each partition on its own machine: the measures of every policy, partition by partition."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from planner.scheduling.simulation.measures import Measures, measure
from planner.scheduling.simulation.trimming import Measured

if TYPE_CHECKING:
    from planner.scheduling.simulation.schedule import JobSchedule
    from planner.scheduling.simulation.simulate import Simulation


@dataclass(frozen=True, eq=False)
class PartitionMeasures:
    """Measures of the jobs of one partition under one policy.

    Attributes
    ----------
    partition
        Its name, or its number where the log has no names.
    processors
        Processors of its own machine.
    measures
        As of a whole schedule, of the same measured jobs.
    """

    partition: str
    processors: int
    measures: Measures

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON and workbooks."""
        own = {"partition": self.partition, "processors": self.processors}
        return own | self.measures.to_dict()


def by_partition(
    clusters: Mapping[str, int], simulations: Sequence[Simulation], measured: Measured
) -> tuple[PartitionMeasures, ...]:
    """One row for each policy and partition; none where one machine runs all jobs.

    Parameters
    ----------
    clusters
        Processors by partition; empty where one machine runs all jobs.
    simulations
        One for each policy, of the same jobs.
    measured
        Which of these jobs are measured.
    """
    if not clusters:
        return ()
    whole = simulations[0].schedule.number
    return tuple(
        PartitionMeasures(
            name, part.machine_processors, measure(part, _of_part(whole, measured, part))
        )
        for simulation in simulations
        for name, part in zip(clusters, simulation.parts, strict=True)
    )


def _of_part(whole: NDArray[np.int64], measured: Measured, part: JobSchedule) -> Measured:
    """The measured jobs of a partition, in the window of all."""
    order = np.argsort(whole, kind="stable")
    rows = order[np.searchsorted(whole[order], part.number)]
    return Measured(
        measured.jobs[rows], measured.start_s, measured.end_s, measured.rule, measured.settled
    )
