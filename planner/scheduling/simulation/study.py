"""One log under several policies, measured alike and compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.scheduling.simulation import verdict
from planner.scheduling.simulation.batch_means import (
    BATCHES,
    Interval,
    batch_means,
    paired_difference,
)
from planner.scheduling.simulation.by_partition import PartitionMeasures, by_partition
from planner.scheduling.simulation.clusters import as_one, simulate_clusters
from planner.scheduling.simulation.log_warnings import log_warnings
from planner.scheduling.simulation.measures import Measures, measure
from planner.scheduling.simulation.recorded import RECORDED, Recorded, recorded
from planner.scheduling.simulation.simulate import Estimates, Simulation, simulate
from planner.scheduling.simulation.tables import tables
from planner.scheduling.simulation.trimming import (
    Measured,
    all_measured,
    trim_by_mser,
    trim_by_share,
)
from planner.scheduling.simulation.wording import jobs, source
from planner.study import Study

if TYPE_CHECKING:
    from planner.scheduling.policies.task import EventOrder, Policy, Unavailable
    from planner.scheduling.simulation.checker_words import Violation
    from planner.scheduling.simulation.explain import Explanation
    from planner.scheduling.simulation.schedule import Schedule
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
        As for :func:`~planner.scheduling.simulation.simulate.simulate`.
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


@dataclass(frozen=True, eq=False, repr=False)
class SimulationStudy(Study):
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
    rules
        What each policy does, in words.
    explanations
        Why a job waited, by policy; none unless asked.
    violations, checked
        What the checker found; ``None`` unless asked. And what it looked for, in words.
    command
        Words of the command behind ``headroom``; empty for a study from Python.
    window_s
        From when to when single jobs are to be drawn [s]; else the busiest stretch.
    files
        Name and SHA-256 of the files that policies were read from.
    """

    log: JobLog
    asked: Asked
    simulations: tuple[Simulation, ...]
    measures: tuple[Measures, ...]
    comparisons: tuple[Comparison, ...]
    rules: tuple[str, ...] = ()
    explanations: tuple[Explanation, ...] = ()
    violations: tuple[Violation, ...] | None = None
    checked: str = ""
    command: tuple[str, ...] = ()
    window_s: tuple[int, int] | None = None
    files: tuple[tuple[str, str], ...] = ()

    @cached_property
    def measured(self) -> Measured:
        """Which jobs are measured, in all schedules alike."""
        return self.asked.trim.of(self.simulations[0].schedule)

    @cached_property
    def counted(self) -> tuple[Schedule, ...]:
        """Of each schedule the measured jobs that started."""
        schedules = (each.schedule for each in self.simulations)
        return tuple(each.take(each.started & self.measured.jobs) for each in schedules)

    @cached_property
    def recorded(self) -> Recorded | None:
        """What the machine really did with these jobs; ``None`` where the log has no starts."""
        return recorded(self.log, self.simulations[0].schedule, self.measured)

    @property
    def rows(self) -> tuple[Measures, ...]:
        """The measures of each policy, and those of the record behind them."""
        return self.measures if self.recorded is None else (*self.measures, self.recorded.measures)

    @property
    def ranking(self) -> tuple[int, ...]:
        """Places of the policies under which a job started, the least mean wait first."""
        waits = {k: each.wait_s.mean for k, each in enumerate(self.measures) if each.wait_s}
        return tuple(sorted(waits, key=lambda place: (waits[place], place)))

    @cached_property
    def lead(self) -> Comparison | None:
        """Of the policy under which jobs wait least with the next; ``None`` as for comparisons."""
        if len(self.ranking) < 2:
            return None
        pair = [self.simulations[place] for place in self.ranking[:2]]
        return next(iter(_compared(pair, self.measured)), None)

    @property
    def every_comparison(self) -> tuple[Comparison, ...]:
        """Those with the first policy, and the lead where it is not among them."""
        named = {frozenset((each.first, each.second)) for each in self.comparisons}
        lead = self.lead
        if lead is None or frozenset((lead.first, lead.second)) in named:
            return self.comparisons
        return (*self.comparisons, lead)

    @cached_property
    def by_partition(self) -> tuple[PartitionMeasures, ...]:
        """Of every policy and partition, where each has a machine of its own; else none."""
        return by_partition(self) if self.asked.clusters else ()

    @cached_property
    def mean_wait(self) -> Interval | None:
        """The first policy's mean wait with its interval, if there are jobs enough."""
        waits = self.counted[0].wait_s
        return batch_means(waits) if len(waits) >= 2 * BATCHES else None

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return verdict.sentence(self)

    @property
    def confidence(self) -> str:
        """Whether it may be chance."""
        return verdict.sureness(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        found = log_warnings(self.log, given=self.asked.processors, clusters=self.asked.clusters)
        rejected = self.simulations[0].schedule.rejected
        if rejected:
            number, why = next(iter(rejected.items()))
            verb = "is" if len(rejected) == 1 else "are"
            found.append(f"{jobs(len(rejected))} {verb} rejected: job {number} {why}")
        if not self.measured.settled:
            found.append("MSER-5 finds no end of the warm-up in the first half of the jobs")
        found += verdict.molded(self)
        found += verdict.starving(self)
        found += self.recorded.warnings if self.recorded else ()
        for each in self.every_comparison:
            warnings = {found.warning for found in each.differences.values() if found.warning}
            if warnings:
                found.append(f"{each.second} beside {each.first}: {max(warnings)}")
        return tuple(found)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        return {name: rows for name, rows in tables(self).items() if rows}

    def to_dict(self, *, timed: bool = False) -> dict[str, Any]:
        """Plain values for JSON: a flat object for one policy.

        ``timed`` adds to each policy what its simulation took, which no two runs share.
        """
        flat = [found.to_dict() for found in self.measures]
        for found, simulation in zip(flat, self.simulations, strict=True):
            if timed:
                found["simulation_seconds"] = simulation.seconds
            else:
                del found["simulation_seconds"]
        schedule = self.simulations[0].schedule
        tail: dict[str, Any] = {
            "log": self.log.name,
            "sha256": self.log.sha256,
            "source": source(self.log),
            "machine_processors": schedule.machine_processors,
            "counts": dict(self.log.counts),
            "rejected": {str(job): why for job, why in schedule.rejected.items()},
            "summary": f"{self.headline} {self.confidence}".strip(),
            "warnings": list(self.warnings),
        }
        if self.by_partition:
            tail["partitions"] = [each.to_dict() for each in self.by_partition]
        if self.recorded:
            tail["recorded"] = self.recorded.to_dict()
        if self.files:
            tail["files"] = dict(self.files)
        if self.explanations:
            tail["explanations"] = [
                {"policy": measures.policy} | each.to_dict()
                for measures, each in zip(self.measures, self.explanations, strict=True)
            ]
        if self.violations is not None:
            tail["checked"] = self.checked
            tail["violations"] = [asdict(each) for each in self.violations]
        if len(flat) == 1:
            return flat[0] | tail
        comparisons = [each.to_dict() for each in self.comparisons]
        return {"policies": flat, "comparisons": comparisons} | tail


def study(
    log: JobLog,
    policies: Sequence[Policy],
    asked: Asked | None = None,
    *,
    workers: int = 1,
    replayed: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> SimulationStudy:
    """Play a log under each policy; ``workers`` of them at a time.

    The jobs that are measured are those of the first policy's schedule, for all alike. Policies of
    the user's own are replayed, to see that they use no foreknowledge, unless ``replayed`` is
    false.

    Raises
    ------
    InputError
        No policy, one twice, or as :func:`~planner.scheduling.simulation.simulate.simulate`.
    PlanError
        As :func:`~planner.scheduling.simulation.simulate.simulate`.
    """
    asked = asked or Asked()
    from planner.scheduling.policies.rules import rule_of

    names = [policy.name for policy in policies]
    if not names or len(set(names)) < len(names):
        raise InputError(f"policies {', '.join(names) or 'none'}: give one or more, each once")
    if RECORDED in names:
        raise InputError(f"a policy may not be called {RECORDED}, as the log's own schedule is")

    def one(policy: Policy) -> Simulation:
        progress(policy.name)
        rules: dict[str, Any] = {
            "node_processors": asked.node_processors,
            "event_order": asked.event_order,
            "estimates": asked.estimates,
            "unavailable": asked.unavailable,
            "replayed": replayed,
        }
        if asked.clusters:
            return as_one(log, simulate_clusters(log, policy, asked.clusters, **rules))
        return simulate(log, policy, processors=asked.processors, **rules)

    with ThreadPoolExecutor(max(1, min(workers, len(names)))) as pool:
        simulations = tuple(pool.map(one, policies))
    measured = asked.trim.of(simulations[0].schedule)
    measures = tuple(measure(each.schedule, measured) for each in simulations)
    rules = tuple(rule_of(policy) for policy in policies)
    compared = _compared(simulations, measured)
    return SimulationStudy(log, asked, simulations, measures, compared, rules)


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
