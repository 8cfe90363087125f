"""What several policies make of one log, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from planner.replications.batch_means import BATCHES, MeanInterval, batch_means
from planner.scheduling.simulation.by_partition import PartitionMeasures, by_partition
from planner.scheduling.simulation.comparison import PolicyComparison, compared
from planner.scheduling.simulation.recorded import Recorded, recorded

if TYPE_CHECKING:
    from planner.scheduling.simulation.explain import Explanation
    from planner.scheduling.simulation.measures import Measures
    from planner.scheduling.simulation.schedule import JobSchedule
    from planner.scheduling.simulation.settings import SimulationSettings
    from planner.scheduling.simulation.simulate import Simulation
    from planner.scheduling.simulation.trimming import Measured
    from planner.scheduling.violation import Violation
    from scenarios.job_logs.job_log import JobLog
    from scenarios.maui.settings import MauiConfiguration


@dataclass(frozen=True, eq=False, repr=False)
class SimulationResult:
    """A log, its schedules under several policies, and a comparison of these.

    Attributes
    ----------
    log
        The jobs.
    settings
        Machine and rules.
    simulations, measures
        One for each policy, in order.
    rules
        Description of each policy.
    explanations
        Explanation of one job's wait for each policy; empty if not requested.
    violations, rules_checked
        Violations that the checker found, ``None`` if not requested; policies whose own rules it
        knows. For the others it checked what holds for every schedule.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    window_s
        Period in which the report shows single jobs [s]; by default the busiest period.
    files
        Name and SHA-256 of the files that contain the policies.
    maui
        Configuration of the Maui-like scheduler; ``None`` if it is not simulated.
    """

    log: JobLog
    settings: SimulationSettings
    simulations: tuple[Simulation, ...]
    measures: tuple[Measures, ...]
    rules: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    violations: tuple[Violation, ...] | None = None
    rules_checked: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    window_s: tuple[int, int] | None = None
    files: tuple[tuple[str, str], ...] = ()
    maui: MauiConfiguration | None = None

    @cached_property
    def measured(self) -> Measured:
        """Which jobs are measured, in all schedules alike."""
        return self.settings.trim.of(self.simulations[0].schedule)

    @cached_property
    def counted(self) -> tuple[JobSchedule, ...]:
        """Return the measured jobs that started, for each schedule."""
        schedules = (simulation.schedule for simulation in self.simulations)
        return tuple(schedule.take(schedule.started & self.measured.jobs) for schedule in schedules)

    @cached_property
    def recorded(self) -> Recorded | None:
        """The schedule of these jobs in the log; ``None`` where it has no starts."""
        return recorded(self.log, self.simulations[0].schedule, self.measured)

    @property
    def rows(self) -> tuple[Measures, ...]:
        """The measures of each policy, and those of the record behind them."""
        return self.measures if self.recorded is None else (*self.measures, self.recorded.measures)

    @cached_property
    def molded(self) -> bool:
        """Whether some job ran on other processors than it requested, so waits do not compare."""
        return any((each.processors != each.asked_processors).any() for each in self.counted)

    @property
    def quantity(self) -> str:
        """What several policies are ranked by: waits, or turnarounds where jobs are molded."""
        return "turnaround" if self.molded and len(self.measures) > 1 else "wait"

    @property
    def means(self) -> dict[int, float]:
        """Mean by which each policy is ranked [s]; of those under which a job started."""
        spreads = {
            index: each.wait_s if self.quantity == "wait" else each.turnaround_s
            for index, each in enumerate(self.measures)
        }
        return {index: spread.mean for index, spread in spreads.items() if spread}

    @property
    def ranking(self) -> tuple[int, ...]:
        """Places of the policies under which a job started, the least mean first."""
        means = self.means
        return tuple(sorted(means, key=lambda index: (means[index], index)))

    @cached_property
    def comparisons(self) -> tuple[PolicyComparison, ...]:
        """Each other policy compared with the first; none if the log is too short."""
        return self._compared(tuple(range(len(self.simulations))))

    @cached_property
    def behind_best(self) -> tuple[PolicyComparison, ...]:
        """Each other policy compared with the best one, the next best first."""
        return self._compared(self.ranking)

    def _compared(self, places: tuple[int, ...]) -> tuple[PolicyComparison, ...]:
        simulations = [self.simulations[index] for index in places]
        return compared(simulations, self.measured, (self.quantity, "bounded_slowdown"))

    @property
    def lead(self) -> PolicyComparison | None:
        """The best two policies compared; ``None`` if the log is too short."""
        return next(iter(self.behind_best), None)

    @property
    def every_comparison(self) -> tuple[PolicyComparison, ...]:
        """Those with the first policy, and the lead where it is not among them."""
        named = {
            frozenset((comparison.first, comparison.second)) for comparison in self.comparisons
        }
        lead = self.lead
        if lead is None or frozenset((lead.first, lead.second)) in named:
            return self.comparisons
        return (*self.comparisons, lead)

    @cached_property
    def by_partition(self) -> tuple[PartitionMeasures, ...]:
        """Return measures by policy and partition; empty unless partitions have own machines."""
        return by_partition(self.settings.clusters, self.simulations, self.measured)

    @cached_property
    def mean_wait(self) -> MeanInterval | None:
        """The first policy's mean wait with its interval, if there are jobs enough."""
        waits = self.counted[0].wait_s
        return batch_means(waits) if len(waits) >= 2 * BATCHES else None
