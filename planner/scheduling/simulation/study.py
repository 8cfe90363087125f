"""One log under several policies, measured alike and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.answer import Answer
from planner.errors import InputError
from planner.scheduling.policies.conservative import Conservative
from planner.scheduling.simulation.clusters import as_one, simulate_clusters
from planner.scheduling.simulation.facts import study_of
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.recorded import IN_FILE, RECORDED
from planner.scheduling.simulation.result import SimulationResult
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.simulate import Simulation, simulate
from planner.study import Study
from solvers.compiled import interpreted

if TYPE_CHECKING:
    from planner.scheduling.policies.problem import Policy
    from scenarios.job_logs.job_log import JobLog
    from scenarios.maui.settings import MauiConfiguration


_NUMBERS = (
    "mean_wait_s", "p95_wait_s", "mean_bounded_slowdown", "utilisation", "makespan_s", "jobs",
    "jobs_rejected",
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False)
class SimulationStudy(SimulationResult, Answer):
    """A log, its schedules under several policies, and how these compare, ready to be shown.

    Its attributes are those of :class:`~planner.scheduling.simulation.result.SimulationResult`.
    """

    def _made(self) -> Study:
        return study_of(self)

    def numbers(self) -> dict[str, Any]:
        """Waits [s], bounded slowdown and utilisation under each policy (simulated)."""
        row: dict[str, Any] = {}
        for each in self.measures:
            plain = each.to_dict()
            row |= {f"{name}.{each.policy}": plain[name] for name in _NUMBERS}
        return row

    def solve_times(self) -> list[dict[str, Any]]:
        """Return how long each simulation took, which differs from run to run."""
        return [
            {"policy": each.schedule.policy, "simulation_seconds": each.seconds}
            for each in self.simulations
        ]


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

    with interpreted(_work(log, policies, settings)):
        simulations = tuple(_each_of(one, policies, workers))
    measured = settings.trim.of(simulations[0].schedule)
    measures = tuple(measure(simulation.schedule, measured) for simulation in simulations)
    rules = tuple(rule_of(policy) for policy in policies)
    return SimulationStudy(log, settings, simulations, measures, rules, maui=_maui(policies))


def _work(log: JobLog, policies: Sequence[Policy], settings: SimulationSettings) -> float:
    """Starts under all policies; more where jobs queue.

    As measured, looking through 500 jobs in the queue costs as much as a start, and the plans that
    conservative makes for 45 of them.
    """
    if len(log) == 0:
        return 0.0
    machine = settings.processors or log.machine_processors or log.processors.max()
    order = np.argsort(log.submit_s, kind="stable")
    submit_s, work = (
        log.submit_s[order].astype(float),
        (log.run_s * log.processors.astype(float))[order],
    )
    # First come, first served on a machine that any job can fill: when each begins.
    flow = np.cumsum(work) - work - machine * submit_s
    begin_s = submit_s + (flow - np.minimum.accumulate(flow)) / machine
    queued = np.arange(len(log)) - np.searchsorted(begin_s, submit_s, side="right")
    queued = np.maximum(queued, 0)
    planning = sum(isinstance(policy, Conservative) for policy in policies)
    looking = len(policies) * (1 + queued / 500).sum()
    return float(looking + planning * (queued**2 / 2000).sum())


def _each_of(
    one: Callable[[Policy], Simulation], policies: Sequence[Policy], workers: int
) -> Iterator[Simulation]:
    """Simulate under each policy, ``workers`` of them at a time, which keep this context."""
    if workers <= 1:
        yield from map(one, policies)
        return
    contexts = [copy_context() for _ in policies]
    with ThreadPoolExecutor(min(workers, len(policies))) as pool:
        yield from pool.map(lambda context, policy: context.run(one, policy), contexts, policies)


def _maui(policies: Sequence[Policy]) -> MauiConfiguration | None:
    """Return the configuration of the Maui-like scheduler among the policies."""
    from planner.scheduling.policies.maui import Maui
    from scenarios.maui.reader import bundled_maui

    found = [policy for policy in policies if isinstance(policy, Maui)]
    return (found[0].configuration or bundled_maui()) if found else None
