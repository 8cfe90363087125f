"""One log under several policies, measured alike and compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.scheduling.simulation import summary
from planner.scheduling.simulation.clusters import as_one, simulate_clusters
from planner.scheduling.simulation.comparison import compared
from planner.scheduling.simulation.log_warnings import log_warnings
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.overload import overloads
from planner.scheduling.simulation.recorded import IN_FILE, RECORDED
from planner.scheduling.simulation.result import SimulationResult
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.simulate import Simulation, simulate
from planner.scheduling.simulation.tables import tables
from planner.scheduling.simulation.wait_text import jobs, source
from planner.worded_study import Study

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from scenarios.job_logs.job_log import JobLog
    from scenarios.maui.settings import MauiConfiguration


@dataclass(frozen=True, eq=False, repr=False)
class SimulationStudy(SimulationResult, Study):
    """A log, what several policies make of it, and how they compare, ready to be shown.

    Its attributes are those of :class:`~planner.scheduling.simulation.result.SimulationResult`.
    """

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        return summary.headline(self)

    @property
    def confidence(self) -> str:
        """Whether it may be chance."""
        return summary.confidence(self)

    @property
    def findings(self) -> tuple[str, ...]:
        """What else was found, a sentence each."""
        return tuple(summary.findings(self))

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the figures must know."""
        messages = log_warnings(
            self.log, given=self.settings.processors, clusters=self.settings.clusters
        )
        rejected = self.simulations[0].schedule.rejected
        if rejected:
            number, why = next(iter(rejected.items()))
            verb = "is" if len(rejected) == 1 else "are"
            messages.append(f"{jobs(len(rejected))} {verb} rejected: job {number} {why}")
        if not self.measured.settled:
            messages.append("MSER-5 found no end of the warm-up in the first half of the jobs")
        messages += overloads(self)
        messages += summary.molded(self)
        messages += summary.starving(self)
        messages += self.recorded.warnings if self.recorded else ()
        messages += [each.too_short for each in self.every_comparison if each.too_short]
        return tuple(messages)

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table by its name, as rows of plain values; empty ones are left out."""
        return {name: rows for name, rows in tables(self).items() if rows}

    def to_dict(self, *, timed: bool = False) -> dict[str, Any]:
        """Plain values for JSON: a flat object for one policy.

        ``timed`` adds to each policy what its simulation took, which no two runs share.
        """
        flat = [plain.to_dict() for plain in self.measures]
        for plain, simulation in zip(flat, self.simulations, strict=True):
            if timed:
                plain["simulation_seconds"] = simulation.seconds
            else:
                del plain["simulation_seconds"]
        schedule = self.simulations[0].schedule
        tail: dict[str, Any] = {
            "log": self.log.name,
            "sha256": self.log.sha256,
            "source": source(self.log),
            "machine_processors": schedule.machine_processors,
            "counts": dict(self.log.counts),
            "rejected": {str(job): why for job, why in schedule.rejected.items()},
            "summary": " ".join((self.headline, *self.findings, self.confidence)),
            "warnings": list(self.warnings),
        }
        if self.by_partition:
            tail["partitions"] = [partition.to_dict() for partition in self.by_partition]
        if self.recorded:
            tail["recorded"] = self.recorded.to_dict()
        if self.files:
            tail["files"] = dict(self.files)
        if self.explanations:
            tail["explanations"] = [
                {"policy": measures.policy} | explanation.to_dict()
                for measures, explanation in zip(self.measures, self.explanations, strict=True)
            ]
        if self.violations is not None:
            tail["checked"] = self.checked
            tail["violations"] = [asdict(violation) for violation in self.violations]
        if len(flat) == 1:
            return flat[0] | tail
        comparisons = [comparison.to_dict() for comparison in self.comparisons]
        return {"policies": flat, "comparisons": comparisons} | tail


def study(
    log: JobLog,
    policies: Sequence[Policy],
    settings: SimulationSettings | None = None,
    *,
    workers: int = 1,
    replayed: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> SimulationStudy:
    """Simulate a log under each policy; ``workers`` of them at a time.

    The first policy's schedule determines the measured jobs, for all policies. If ``replayed`` is
    true, the user's own policies are replayed, to check that they use no foreknowledge.

    Raises
    ------
    InputError
        There is no policy, or one is listed twice; or as
        :func:`~planner.scheduling.simulation.simulate.simulate`.
    PlanError
        As :func:`~planner.scheduling.simulation.simulate.simulate`.
    """
    settings = settings or SimulationSettings()
    from planner.scheduling.policies.rules import rule_of

    names = [policy.name for policy in policies]
    if not names or len(set(names)) < len(names):
        raise InputError(f"policies {', '.join(names) or 'none'}: give one or more, each once")
    for name in (RECORDED, IN_FILE):
        if name in names:
            raise InputError(f"rename the policy {name!r}: the log's own schedule has this name")

    def one(policy: Policy) -> Simulation:
        progress(policy.name)
        rules: dict[str, Any] = {
            "node_processors": settings.node_processors,
            "event_order": settings.event_order,
            "estimates": settings.estimates,
            "unavailable": settings.unavailable,
            "replayed": replayed,
        }
        if settings.clusters:
            return as_one(log, simulate_clusters(log, policy, settings.clusters, **rules))
        return simulate(log, policy, processors=settings.processors, **rules)

    with ThreadPoolExecutor(max(1, min(workers, len(names)))) as pool:
        simulations = tuple(pool.map(one, policies))
    measured = settings.trim.of(simulations[0].schedule)
    measures = tuple(measure(simulation.schedule, measured) for simulation in simulations)
    rules = tuple(rule_of(policy) for policy in policies)
    comparisons = compared(simulations, measured)
    return SimulationStudy(
        log, settings, simulations, measures, comparisons, rules, maui=_maui(policies)
    )


def _maui(policies: Sequence[Policy]) -> MauiConfiguration | None:
    """Return the configuration of the Maui-like scheduler among the policies."""
    from planner.scheduling.policies.maui import Maui
    from scenarios.maui.reader import bundled_maui

    found = [policy for policy in policies if isinstance(policy, Maui)]
    return (found[0].configuration or bundled_maui()) if found else None
