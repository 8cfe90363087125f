"""The result of a sizing: the log, the level, and the smallest machine that keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from planner.scheduling.sizing.growth import LogGrowth

if TYPE_CHECKING:
    from planner.scheduling.simulation.settings import SimulationSettings
    from planner.scheduling.sizing.growth import Grown
    from planner.scheduling.sizing.level import ServiceLevel
    from planner.scheduling.sizing.periods import Periods
    from planner.scheduling.sizing.resampled_weeks import Resampled
    from planner.scheduling.sizing.sizing import Bounds, Sizing
    from scenarios.job_logs.job_log import JobLog

RESAMPLES = 20


@dataclass(frozen=True)
class SizeFor:
    """The settings of a sizing.

    Attributes
    ----------
    level
        Service level that all jobs together must meet.
    growth
        Factor and method of the growth of the log's work.
    resamples
        Number of logs of resampled weeks that are sized too.
    seed
        Seed of the growth and of the resampling.
    """

    level: ServiceLevel
    growth: LogGrowth = field(default_factory=LogGrowth)
    resamples: int = RESAMPLES
    seed: int = 0


@dataclass(frozen=True, eq=False, repr=False)
class SizingResult:
    """A log that grows, and the smallest machine that meets a service level for it.

    Attributes
    ----------
    log, grown
        The log as read or generated, and the grown log that is simulated.
    settings, rules
        Level, growth and seed; nodes, order of events, estimates, and the choice of measured jobs.
    bounds
        Range of sizes of the search.
    periods
        The log's weeks; ``None`` if it is too short.
    alike
        Lag-1 autocorrelation of the work of whole weeks.
    sizings
        One for each policy, in order.
    resampled
        Sizes for logs of resampled weeks, one for each policy; empty without resampling.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    files
        Name and SHA-256 of the files that contain the policies.
    """

    log: JobLog
    grown: Grown
    settings: SizeFor
    rules: SimulationSettings
    bounds: Bounds
    periods: Periods | None
    alike: float | None
    sizings: tuple[Sizing, ...]
    resampled: tuple[Resampled, ...]
    command: tuple[str, ...] = ()
    files: tuple[tuple[str, str], ...] = ()

    @property
    def answered(self) -> bool:
        """Whether each policy has a size."""
        return all(sizing.nodes is not None for sizing in self.sizings)

    @property
    def capacity(self) -> float | None:
        """Processors of the first policy's answer over those of the log's own machine."""
        answer, machine = self.sizings[0].answer, self.log.machine_processors
        return None if answer is None or not machine else answer.processors / machine

    def is_open(self, index: int) -> bool:
        """Whether more than one resampled log in twenty has no answer under a policy."""
        return bool(self.resampled) and self.resampled[index].high is None

    def planned(self, index: int) -> int | None:
        """Nodes to plan for under a policy: for the log, and for 95 % of the resampled logs.

        Those for the log alone if the interval of the resampled logs is open above.
        """
        nodes = self.sizings[index].nodes
        high = self.resampled[index].high if self.resampled else None
        return nodes if nodes is None or high is None else max(nodes, high)

    @property
    def ranking(self) -> tuple[int, ...]:
        """Places of the policies with an answer, the smallest size to plan for first."""
        sizes = {
            index: (self.is_open(index), size, sizing.nodes, index)
            for index, sizing in enumerate(self.sizings)
            if (size := self.planned(index)) is not None
        }
        return tuple(sorted(sizes, key=sizes.__getitem__))
