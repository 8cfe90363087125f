"""The settings of a simulation: the machine, the rules, and the jobs that are measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from planner.scheduling.simulation.trimming import (
    Measured,
    all_measured,
    trim_by_mser,
    trim_by_share,
)

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import EventOrder, Unavailable
    from planner.scheduling.simulation.schedule import JobSchedule
    from planner.scheduling.simulation.simulate import Estimates


@dataclass(frozen=True)
class Trim:
    """Which jobs are measured; all of them are simulated.

    Attributes
    ----------
    warm_up
        Share of the jobs left out at the beginning; ``None``: as MSER-5 finds it.
    cool_down
        Share left out at the end.
    """

    warm_up: float | None = 0.0
    cool_down: float = 0.0

    def of(self, schedule: JobSchedule) -> Measured:
        """The measured jobs of a schedule."""
        if self.warm_up is None:
            return trim_by_mser(schedule, cool_down=self.cool_down)
        if self.warm_up == 0 and self.cool_down == 0:
            return all_measured(schedule)
        return trim_by_share(schedule, self.warm_up, self.cool_down)


@dataclass(frozen=True, eq=False)
class SimulationSettings:
    """The machine and the rules.

    Attributes
    ----------
    processors, node_processors, event_order, estimates, unavailable
        As for ``hr.simulation.simulate``.
    trim
        Which jobs are measured.
    clusters
        Processors by partition, where each has a machine of its own.
    """

    processors: int | None = None
    node_processors: int = 1
    event_order: EventOrder = "reference"
    estimates: Estimates | None = None
    unavailable: tuple[Unavailable, ...] = ()
    trim: Trim = Trim()
    clusters: Mapping[str, int] = field(default_factory=dict)
