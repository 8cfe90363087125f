"""A Maui-like scheduler: iterations, weighted priorities, fairshare, throttles, backfilling.

Each iteration has nine stages: (1) the clock goes on, (2) new jobs are read, (3) throttles decide
which are considered, (4) running jobs go on, (5) jobs end, at their estimate at the latest, (6)
priorities are computed, (7) jobs are taken in their order, (8) those that can start (9) start.

    Priority = sum over components c of w_c * (sum over subcomponents s of w_cs * v_cs)

References
----------
Smith, Hammond and Jarvis (2011). The effect of an application performance modelling tool. UKPEW,
section 4. Jackson, Snell and Clement (2001). Core algorithms of the Maui scheduler. JSSPP.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import PlanError
from planner.scheduling.policies.fairshare import nothing_used
from planner.scheduling.policies.maui_loop import advance
from planner.scheduling.policies.maui_order import LONG_QUEUE, ROOM, nobody_ordered
from planner.scheduling.policies.maui_state import (
    NONE,
    MauiParts,
    MauiRecords,
    MauiRules,
    MauiState,
    nobody_queued,
    nothing_recorded,
)
from planner.scheduling.policies.plan import empty_plan
from planner.scheduling.policies.predicted import STEPS_S
from planner.scheduling.policies.problem import (
    Integers,
    SchedulingProblem,
    Starts,
    refuse_predictions,
)
from planner.scheduling.policies.running import MachineNow, nothing_running
from scenarios.maui.reader import bundled_maui
from scenarios.maui.settings import PARTIES, Party

if TYPE_CHECKING:
    from scenarios.maui.settings import MauiConfiguration

Overrun = Literal["kill", "extend"]


@dataclass(frozen=True)
class Overruns:
    """Strategy for a job that runs longer than an estimate below its request.

    Attributes
    ----------
    then
        With ``kill``, the scheduler ends the job and submits it again at once, to run from its
        beginning. With ``extend``, the job continues with a longer estimate. This is the first
        estimate plus 1, 5, 15, 30 minutes, 1, 2, 5, 10, 20, 50, 100 hours at the first, second, ...
        time.
    factor
        Factor on the estimate of a killed job, at most to the request; ``inf``: to the request.
    """

    then: Overrun = "kill"
    factor: float = 2.0


@dataclass(frozen=True)
class Maui:
    """A Maui-like scheduler; without a configuration the bundled one."""

    configuration: MauiConfiguration | None = None
    name: str = "maui"

    def schedule(self, problem: SchedulingProblem) -> Starts:
        """Start every job.

        Raises
        ------
        PlanError
            Predictions, outages or reservations are requested; or a throttle lets a job never run.
        """
        refuse_predictions(problem, self.name)
        if problem.unavailable:
            raise PlanError("maui does not plan around outages or reservations; remove them")
        configuration = self.configuration or bundled_maui()
        run = MauiRun(problem, configuration, problem.jobs.estimate.copy())
        run.advance()
        return Starts(run.records.start, problem.jobs.run)


class MauiRun:
    """A run of the scheduler, which can pause at a time and continue.

    Parameters
    ----------
    problem
        The jobs; ``estimate`` is the request, the longest time that a job may run.
    configuration
        Rules of the scheduler.
    planned_s
        Estimates for planning [s]; shape ``(jobs,)``. An estimate below the run time grows when the
        job exceeds it, up to the request. Other estimates may be above the request.
    overruns
        Strategy for jobs that exceed their estimates.
    """

    def __init__(
        self,
        problem: SchedulingProblem,
        configuration: MauiConfiguration,
        planned_s: Integers,
        overruns: Overruns | None = None,
    ) -> None:
        overruns = overruns or Overruns()
        count = len(problem.jobs.submit)
        self.rules = _rules(problem, configuration, overruns)
        _refuse_jobs_that_never_run(problem, self.rules)
        self.records: MauiRecords = nothing_recorded(planned_s, self.rules.most_jobs)
        kinds = len(self.rules.share)
        parties = int(self.rules.shared_by.max(initial=-1)) + 1
        fairshare = configuration.fairshare
        usage = nothing_used(kinds, parties, fairshare.windows, fairshare.decay)
        ordered = count if self.rules.long_queue < NONE else 0
        accounts = int(self.rules.account.max(initial=-1)) + 1
        # A start looks at each job of one block in each account, and else at blocks alone.
        room = ROOM if accounts > 1 else 4 * ROOM
        self._parts = MauiParts(
            problem.jobs,
            self.rules,
            nothing_running(count, problem.processors),
            empty_plan(count if self.rules.reservations > 1 else 0),
            nobody_queued(count),
            nobody_ordered(ordered, accounts, room),
            usage,
            self.records,
        )
        now = MachineNow(problem.processors, 0, 0, 0)
        # One iteration before 0, so that the first one can read jobs submitted at 0 s.
        self.state = MauiState(now, -self.rules.iteration, 0, 0, 0, 0, 0, self.rules.window_s, NONE)

    def plan_with(self, rows: NDArray[np.intp], planned_s: Integers) -> None:
        """Give jobs that have not been read other estimates [s], as at the beginning.

        Raises
        ------
        PlanError
            One of them has been read: it may be running by its old estimate.
        """
        if len(rows) and rows.min() < self.state.arrived:
            raise PlanError("the estimate of a job cannot change after submission; set it before")
        self.records.planned[rows] = planned_s
        self.records.first[rows] = planned_s

    def ended_since(self, count: int) -> NDArray[np.int32]:
        """Return the jobs that have ended, in order of their ends, without the first ``count``."""
        return self.records.ended[count : self.state.ended]

    def advance(self, until_s: int = NONE) -> None:
        """Go through the iterations before a time."""
        self.state = advance(self._parts, self.state, until_s)


def names_without_jobs(configuration: MauiConfiguration, problem: SchedulingProblem) -> list[str]:
    """Users, groups and queues that a configuration names and no job is of, as "user ann"."""
    jobs = []
    for kind in PARTIES:
        named = {*getattr(configuration.priority.credential, kind)}
        named |= {*getattr(configuration.fairshare, kind)}
        named |= {
            throttle.name
            for throttle in configuration.throttles
            if throttle.of == kind and throttle.name
        }
        jobs += [f"{kind} {name}" for name in sorted(named - {*_names(problem, kind)})]
    return jobs


def _rules(
    problem: SchedulingProblem, configuration: MauiConfiguration, overruns: Overruns
) -> MauiRules:
    priority, backfill = configuration.priority, configuration.backfill
    service, resource, shares = priority.service, priority.resource, priority.fairshare
    weights = {kind: shares.weight * getattr(shares, kind) for kind in PARTIES}
    # Use of a kind without a weight changes no priority, so its windows are not kept.
    shared = [kind for kind in PARTIES if weights[kind] != 0]
    # What no wait, use or overtaking changes is summed once, not at each iteration.
    fixed = resource.weight * resource.processors * problem.jobs.processors.astype(np.float64)
    for kind in PARTIES:
        by_name: dict[str, float] = getattr(priority.credential, kind)
        if by_name and priority.credential.weight != 0:
            fixed += (
                priority.credential.weight * _by_name(problem, kind, by_name)[_party(problem, kind)]
            )
    for kind in shared:
        # v = target - share: the paper says "difference"; with this sign low use gives priority.
        targets: dict[str, float] = getattr(configuration.fairshare, kind)
        if targets:
            fixed += weights[kind] * _by_name(problem, kind, targets)[_party(problem, kind)]
    limited = [kind for kind in PARTIES if any(t.of == kind for t in configuration.throttles)]
    return MauiRules(
        problem.processors,
        configuration.iteration_s,
        backfill.reservations,
        NONE if backfill.depth is None else backfill.depth,
        backfill.policy != "none",
        backfill.policy == "best-fit",
        service.weight * service.queue_time,
        service.weight * service.expansion_factor,
        service.weight * service.bypass,
        resource.weight * resource.wall_time,
        fixed,
        np.array([weights[kind] for kind in shared], np.float64),
        _codes(problem, shared),
        configuration.fairshare.window_s,
        LONG_QUEUE if _keeps_order(configuration) else NONE,
        _accounts(_codes(problem, shared)),
        _codes(problem, limited),
        _limits(problem, configuration, limited, "max_jobs"),
        _limits(problem, configuration, limited, "max_processors"),
        _limits(problem, configuration, limited, "max_idle_jobs"),
        overruns.then == "extend",
        overruns.factor,
        np.array(STEPS_S, np.int64),
    )


def _keeps_order(configuration: MauiConfiguration) -> bool:
    service, backfill = configuration.priority.service, configuration.backfill
    # Expansion factors grow at different speeds, and a negative weight of overtakings lets a job
    # fall behind one that was not overtaken. The rest is what a pass without a sorted queue can do.
    return (
        service.weight * service.expansion_factor == 0
        and service.weight * service.bypass >= 0
        and backfill.depth is None
        and backfill.reservations <= 1
        and backfill.policy != "best-fit"
    )


def _accounts(shared_by: NDArray[np.int32]) -> NDArray[np.int32]:
    account = np.zeros(shared_by.shape[1], np.int64)
    for kind, row in enumerate(shared_by):
        pair = account * (int(row.max(initial=0)) + 1) + row
        account = np.unique(pair, return_inverse=True)[1] if kind > 0 else pair
    return account.astype(np.int32)


def _party(problem: SchedulingProblem, kind: Party) -> NDArray[np.int32]:
    parties = {"user": problem.user, "group": problem.group, "queue": problem.queue}[kind]
    return np.zeros(len(problem.user), np.int32) if parties is None else parties


def _codes(problem: SchedulingProblem, kinds: Sequence[Party]) -> NDArray[np.int32]:
    rows = [_party(problem, kind) for kind in kinds]
    shape = (len(kinds), len(problem.user))
    return np.ascontiguousarray(rows, np.int32).reshape(shape)


def _names(problem: SchedulingProblem, kind: Party) -> list[str]:
    parties = int(_party(problem, kind).max(initial=-1)) + 1
    names = problem.names.get(kind, ())
    return [names[code] if code < len(names) else str(code) for code in range(parties)]


def _by_name(
    problem: SchedulingProblem, kind: Party, values: dict[str, float]
) -> NDArray[np.float64]:
    return np.array([values.get(name, 0.0) for name in _names(problem, kind)] or [0.0])


def _limits(
    problem: SchedulingProblem, configuration: MauiConfiguration, kinds: Sequence[Party], limit: str
) -> NDArray[np.int64]:
    """Limits by kind and party: its own, or else that of each."""
    widest = max((len(_names(problem, kind)) for kind in kinds), default=0)
    limits = np.full((len(kinds), max(widest, 1)), NONE, np.int64)
    for row, kind in enumerate(kinds):
        own = {t.name: getattr(t, limit) for t in configuration.throttles if t.of == kind}
        for column, name in enumerate(_names(problem, kind)):
            # A party's own throttle replaces the general one wholly, even if it lacks this limit.
            bound = own.get(name, own.get(None))
            if bound is not None:
                limits[row, column] = bound
    return limits


def _refuse_jobs_that_never_run(problem: SchedulingProblem, rules: MauiRules) -> None:
    # No other limit holds a job back for ever: they are at least 1, and the jobs that count end.
    for codes, limits in zip(rules.limited_by, rules.most_processors, strict=True):
        stuck = np.flatnonzero(problem.jobs.processors > limits[codes])
        if len(stuck):
            requested, limit = problem.jobs.processors[stuck[0]], limits[codes[stuck[0]]]
            jobs = f"{len(stuck):,} job{'s' if len(stuck) > 1 else ''}"
            raise PlanError(
                f"{jobs} would never run: their throttle allows fewer processors at once "
                f"than they request, the first {limit:,} of {requested:,}; raise max_processors, "
                "or remove these jobs"
            )
