"""One log under several policies, measured alike and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.simulation.batch_means import BATCHES, Interval, paired_difference
from planner.simulation.measures import Measures, measure
from planner.simulation.simulate import Estimates, Simulation, simulate
from planner.simulation.trimming import Measured, all_measured, trim_by_mser, trim_by_share

if TYPE_CHECKING:
    from planner.policies.task import EventOrder, Policy, Unavailable
    from planner.simulation.schedule import Schedule
    from scenarios.job_logs.job_log import JobLog

COMPARED = ("wait", "bounded_slowdown")


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

    def of(self, schedule: Schedule) -> Measured:
        """The measured jobs of a schedule."""
        if self.warm_up is None:
            return trim_by_mser(schedule, cool_down=self.cool_down)
        if self.warm_up == 0 and self.cool_down == 0:
            return all_measured(schedule)
        return trim_by_share(schedule, self.warm_up, self.cool_down)


@dataclass(frozen=True, eq=False)
class Asked:
    """The machine and the rules.

    Attributes
    ----------
    processors, node_processors, event_order, estimates, unavailable
        As for :func:`~planner.simulation.simulate.simulate`.
    trim
        Which jobs are measured.
    """

    processors: int | None = None
    node_processors: int = 1
    event_order: EventOrder = "reference"
    estimates: Estimates | None = None
    unavailable: tuple[Unavailable, ...] = ()
    trim: Trim = Trim()


@dataclass(frozen=True)
class Comparison:
    """How another policy differs from the first one, job by job.

    Attributes
    ----------
    first, second
        Policies.
    differences
        Mean of the second less the first, with its interval by batch means; by quantity.
    """

    first: str
    second: str
    differences: Mapping[str, Interval]

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        differences = {name: asdict(each) for name, each in self.differences.items()}
        return {"first": self.first, "second": self.second, "differences": differences}


@dataclass(frozen=True, eq=False)
class SimulationStudy:
    """A log, what several policies make of it, and how they compare.

    Attributes
    ----------
    log
        The jobs.
    asked
        Machine and rules.
    simulations, measures
        One each for every policy, in order.
    comparisons
        Of every policy with the first; none where the log is too short for batch means.
    """

    log: JobLog
    asked: Asked
    simulations: tuple[Simulation, ...]
    measures: tuple[Measures, ...]
    comparisons: tuple[Comparison, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        found = list(self.log.warnings)
        rejected = {len(each.schedule.rejected) for each in self.simulations}
        if max(rejected, default=0):
            found.append(f"{max(rejected):,} jobs are larger than the machine and were rejected")
        intervals = [i for c in self.comparisons for i in c.differences.values()]
        found += dict.fromkeys(each.warning for each in intervals if each.warning)
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: a flat object for one policy."""
        flat = [
            found.to_dict(simulation.seconds)
            for found, simulation in zip(self.measures, self.simulations, strict=True)
        ]
        log = {
            "log": self.log.name,
            "sha256": self.log.sha256,
            "machine_processors": self.simulations[0].schedule.machine_processors,
            "counts": dict(self.log.counts),
            "warnings": list(self.warnings),
        }
        if len(flat) == 1:
            return flat[0] | log
        comparisons = [each.to_dict() for each in self.comparisons]
        return {"policies": flat, "comparisons": comparisons} | log


def study(
    log: JobLog,
    policies: Sequence[Policy],
    asked: Asked | None = None,
    *,
    workers: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> SimulationStudy:
    """Play a log under each policy; ``workers`` of them at a time.

    The jobs that are measured are those of the first policy's schedule, for all alike.

    Raises
    ------
    InputError
        No policy, one twice, or as :func:`~planner.simulation.simulate.simulate`.
    PlanError
        As :func:`~planner.simulation.simulate.simulate`.
    """
    asked = asked or Asked()
    names = [policy.name for policy in policies]
    if not names or len(set(names)) < len(names):
        raise InputError(f"policies {', '.join(names) or 'none'}: give one or more, each once")

    def one(policy: Policy) -> Simulation:
        progress(policy.name)
        return simulate(
            log,
            policy,
            processors=asked.processors,
            node_processors=asked.node_processors,
            event_order=asked.event_order,
            estimates=asked.estimates,
            unavailable=asked.unavailable,
        )

    with ThreadPoolExecutor(max(1, min(workers, len(names)))) as pool:
        simulations = tuple(pool.map(one, policies))
    measured = asked.trim.of(simulations[0].schedule)
    measures = tuple(measure(each.schedule, measured) for each in simulations)
    return SimulationStudy(log, asked, simulations, measures, _compared(simulations, measured))


def _compared(simulations: Sequence[Simulation], measured: Measured) -> tuple[Comparison, ...]:
    first, *others = (each.schedule for each in simulations)
    if int((first.started & measured.jobs).sum()) < 2 * BATCHES:
        return ()
    return tuple(
        Comparison(
            first.policy,
            other.policy,
            {name: paired_difference(first, other, name, measured) for name in COMPARED},
        )
        for other in others
    )
