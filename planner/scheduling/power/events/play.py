"""Run a log under a policy that reacts to events: the engine in plain Python.

Events are submissions and ends. At one instant, submissions come before ends. Submissions are in
job order. Ends are in order of starts; nodes in use when the log begins come first. Each event has
its own pass, if jobs wait. A job that ends at an instant, and was expected to end by then, frees
its nodes and watts before the first pass of the instant. Its own event is then only a pass. A job
that ends before its expected end frees them at its own event. A job that runs longer than expected
keeps them.

Rejected jobs have no events: jobs that no configuration can run, and jobs that the policy does not
accept. A change of phase is not an event either. It changes only the true power, which policies do
not see.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from time import perf_counter
from typing import Literal, Protocol

import numpy as np

from planner.errors import InputError, StalledError
from planner.formatting import plural
from planner.scheduling.power.acceptance import accepted, rounded_up
from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment, RunningJob
from planner.scheduling.power.events.node_pool import NodePool
from planner.scheduling.power.outcome import Placed, true_times_ms
from planner.scheduling.power.policy import PowerRun, SchedulerDecision
from planner.scheduling.power.problem import (
    MS,
    NEVER,
    Integers,
    JobDetails,
    Occupied,
    PowerProblem,
    PowerSchedule,
)
from planner.sealed import sealed

_LATEST = 1 << 62
"""After all events [ms]."""


class Decider(Protocol):
    """The interface of a policy that reacts to events, as the engine calls it."""

    kill: Literal["never", "deadline"]
    node_order: Sequence[int] | None

    @property
    def name(self) -> str:
        """Name in errors."""
        ...

    def decide(self, now: PowerMoment) -> Iterable[Choice]:
        """Return the jobs that start now."""
        ...

    def accepts(self, job: PowerJob, details: JobDetails, nodes: int, bound_mw: int) -> bool:
        """Return whether the policy ever starts a job."""
        ...

    def deadline_ms(self, job: PowerJob, row: int, details: JobDetails) -> int:
        """Return the time after its start at which a job is ended [ms]."""
        ...

    def decisions(self) -> Iterable[SchedulerDecision]:
        """Return the record of the decisions."""
        ...


def play(policy: Decider, problem: PowerProblem) -> PowerRun:
    """Run a log; the policy keeps what it notes on itself.

    Raises
    ------
    StalledError
        Jobs wait for ever.
    InputError
        A job is started that does not wait, does not fit or has another application's
        configuration; or ``node_order`` is not a permutation.
    """
    log = _Play(policy, problem)
    log.run()
    deadlines_ms = log.deadlines_ms() if policy.kill == "deadline" else None
    waiting, decisions = tuple(log.waiting), tuple(policy.decisions())
    run = PowerRun(log.schedule(), log.seconds, decisions, deadlines_ms, waiting)
    if waiting:
        raise StalledError(
            f"{policy.name} never starts the job of id {waiting[0]}: {len(waiting):,} "
            "wait, nothing runs, and no event will come; start a job whenever the empty "
            "cluster can run it within now.bound_mw",
            run,
        )
    return run


@dataclass(slots=True, eq=False)
class _Held:
    """Nodes and watts in use until a true end [ms]; expected ends of jobs may differ from it."""

    end_ms: int
    expected_end_ms: int
    nodes: tuple[int, ...]
    charge_mw: int
    use: RunningJob | Occupied


@dataclass(slots=True, eq=False)
class _Started:
    """A job that has started; it becomes a row of the schedule."""

    start_ms: int
    end_ms: int
    row: int
    nodes: tuple[int, ...]
    killed: bool
    deadline_ms: int


@dataclass(eq=False)
class _Play:
    """A log while it is simulated.

    ``ends`` is a heap by true end; ``running`` is ordered by expected ends. ``shown`` is the job
    details table that the policy gets: a copy, so that rows and watts are checked with the given
    one.
    """

    policy: Decider
    problem: PowerProblem
    arrivals: list[PowerJob] = field(init=False)
    pool: NodePool = field(init=False)
    free_mw: int = field(init=False)
    shown: JobDetails = field(init=False)
    arrived: int = 0
    begun: int = 0
    seconds: float = 0.0
    waiting: dict[int, PowerJob] = field(default_factory=dict)
    running: list[RunningJob] = field(default_factory=list)
    occupied: list[Occupied] = field(default_factory=list)
    ends: list[tuple[int, int, _Held]] = field(default_factory=list)
    started: dict[int, _Started] = field(default_factory=dict)

    def __post_init__(self) -> None:
        problem = self.problem
        self.shown = sealed(problem.details)
        self.arrivals = [job for job in _arrivals(problem) if self._accepts(job)]
        self.free_mw = problem.jobs_mw
        in_use = sum(use.nodes for use in problem.occupied)
        self.pool = NodePool(problem.nodes, self.policy.node_order, in_use)
        first = 0
        for use in problem.occupied:
            nodes = tuple(range(first, first + use.nodes))
            self._hold(_Held(use.end_ms, use.end_ms, nodes, use.charge_mw, use))
            self.occupied.append(use)
            first += use.nodes

    def _accepts(self, job: PowerJob) -> bool:
        problem = self.problem
        return self.policy.accepts(job, self.shown, problem.nodes, problem.jobs_mw)

    def run(self) -> None:
        while self.ends or self.arrived < len(self.arrivals):
            time_ms = min(self._next_end, self._next_submission)
            ending = list(self._ending(time_ms))
            # Expected ends are free in all passes of the instant, early ones from their own on.
            for held in ending:
                if held.expected_end_ms <= time_ms:
                    self._release(held)
            while self._next_submission == time_ms:
                self._submit()
                self._pass(time_ms)
            for held in ending:
                if held.expected_end_ms > time_ms:
                    self._release(held)
                self._pass(time_ms)

    @property
    def _next_end(self) -> int:
        return self.ends[0][0] if self.ends else _LATEST

    @property
    def _next_submission(self) -> int:
        remains = self.arrived < len(self.arrivals)
        return self.arrivals[self.arrived].submit_ms if remains else _LATEST

    def _ending(self, time_ms: int) -> Iterator[_Held]:
        while self._next_end == time_ms:
            yield heappop(self.ends)[2]

    def _submit(self) -> None:
        job = self.arrivals[self.arrived]
        self.arrived += 1
        self.waiting[job.id] = job

    def _hold(self, held: _Held) -> None:
        # Of equal ends the one that began first comes first, and nothing further is compared.
        heappush(self.ends, (held.end_ms, self.begun, held))
        self.begun += 1
        self.free_mw -= held.charge_mw

    def _release(self, held: _Held) -> None:
        self.pool.give_back(held.nodes)
        self.free_mw += held.charge_mw
        if isinstance(held.use, Occupied):
            self.occupied = [use for use in self.occupied if use is not held.use]
        else:
            self.running.remove(held.use)

    def _pass(self, time_ms: int) -> None:
        if not self.waiting:
            return
        moment = self._moment(time_ms)
        begin = perf_counter()
        # The whole answer before any start: a generator must not see the cluster change.
        choices = tuple(self.policy.decide(moment))
        self.seconds += perf_counter() - begin
        for choice in choices:
            self._start(*self._checked(choice, time_ms), time_ms)

    def _moment(self, time_ms: int) -> PowerMoment:
        problem = self.problem
        return PowerMoment(
            time_ms=time_ms,
            nodes=problem.nodes,
            free_nodes=len(self.pool),
            bound_mw=problem.jobs_mw,
            free_mw=self.free_mw,
            waiting=tuple(self.waiting.values()),
            running=tuple(self.running),
            occupied=tuple((use.end_ms, use.nodes, use.charge_mw) for use in self.occupied),
            details=self.shown,
        )

    def _checked(self, choice: object, time_ms: int) -> tuple[PowerJob, int]:
        """Return job and row of an answer."""
        job, row = _pair(choice, self.policy.name)
        event = f"{self.policy.name} starts the job of id {job.id} at {time_ms / MS:,.3f} s"
        # Identity: a job is a tuple, which a policy could build itself with other requests.
        if self.waiting.get(job.id) is not job:
            raise InputError(
                f"{event}, which does not wait then; return jobs of now.waiting, each once"
            )
        rows = self.problem.details.rows(job.application)
        if not rows.start <= row < rows.stop:
            raise InputError(
                f"{event} with row {row} of the job details table, where its application has rows "
                f"{rows.start} to {rows.stop - 1}; choose one of these"
            )
        self._check_room(row, event)
        return job, row

    def _check_room(self, row: int, event: str) -> None:
        nodes = int(self.problem.details.nodes[row])
        charge = int(self.problem.details.charge_mw[row])
        if nodes > len(self.pool):
            raise InputError(
                f"{event} on {plural(nodes, 'node')}, where {len(self.pool):,} of "
                f"{self.problem.nodes:,} are free; count what every start takes of now.free_nodes"
            )
        if charge > self.free_mw:
            raise InputError(
                f"{event} with {charge / MS:,.3f} W, where {self.free_mw / MS:,.3f} W of "
                f"{self.problem.jobs_mw / MS:,.3f} W are free; count what every start takes of "
                "now.free_mw"
            )

    def _start(self, job: PowerJob, row: int, time_ms: int) -> None:
        details = self.problem.details
        nodes = self.pool.take(int(details.nodes[row]))
        true_ms = self._true_ms(job, row, nodes)
        deadline_ms = _LATEST
        if self.policy.kill == "deadline":
            own_ms = int(self.policy.deadline_ms(job, row, self.shown))
            # A user's deadline may be any number: below 1 ms a job would end before it has begun.
            deadline_ms = min(max(own_ms, 1), _LATEST)
        end_ms = time_ms + min(true_ms, deadline_ms)
        expected_end_ms = time_ms + job.expected_ms(int(details.time_ms[row]))
        charge = int(details.charge_mw[row])
        use = RunningJob(job, row, len(nodes), charge, time_ms, expected_end_ms)
        del self.waiting[job.id]
        insort(self.running, use, key=lambda run: run.expected_end_ms)
        self._hold(_Held(end_ms, expected_end_ms, nodes, charge, use))
        self.started[job.id] = _Started(
            time_ms, end_ms, row, nodes, true_ms > deadline_ms, deadline_ms
        )

    def _true_ms(self, job: PowerJob, row: int, nodes: tuple[int, ...]) -> int:
        arrays = np.array([job.id]), np.array([row]), np.array([0, len(nodes)]), np.array(nodes)
        return int(true_times_ms(self.problem, Placed(*arrays))[0])

    def schedule(self) -> PowerSchedule:
        """Return what was decided and what happened."""
        problem = self.problem
        start, end, row = (np.full(len(problem.jobs), NEVER, np.int64) for _ in range(3))
        killed = np.zeros(len(problem.jobs), np.bool_)
        nodes: list[tuple[int, ...]] = [()] * len(problem.jobs)
        for job, run in self.started.items():
            start[job], end[job], row[job] = run.start_ms, run.end_ms, run.row
            killed[job], nodes[job] = run.killed, run.nodes
        node = np.array([node for job in nodes for node in job], np.int64)
        first = np.concatenate([[0], np.cumsum([len(job) for job in nodes], dtype=np.int64)])
        rounded = rounded_up(problem, row)
        none = np.empty((0, 3), np.int64)
        return PowerSchedule(start, end, row, first, node, rounded, killed, none)

    def deadlines_ms(self) -> Integers:
        """Return after how much time each job is ended [ms]."""
        deadlines_ms = np.full(len(self.problem.jobs), NEVER, np.int64)
        for job, run in self.started.items():
            deadlines_ms[job] = run.deadline_ms
        return deadlines_ms


def _arrivals(problem: PowerProblem) -> list[PowerJob]:
    """Return jobs that the cluster can run, in order of submission."""
    jobs, share = problem.jobs, problem.fair_share_mw
    columns = (jobs.application, jobs.nodes, jobs.requested_ms, share, jobs.submit_ms)
    rows = zip(*(column.tolist() for column in columns), jobs.time_scale.tolist(), strict=True)
    flags = accepted(problem).tolist()
    return [PowerJob(number, *row) for number, row in enumerate(rows) if flags[number]]


def _pair(choice: object, policy: str) -> tuple[PowerJob, int]:
    """Return job and row of a choice, which may be any object."""
    if isinstance(choice, tuple) and len(choice) == 2:
        job, row = choice
        if isinstance(job, PowerJob) and isinstance(row, int | np.integer):
            return job, int(row)
    raise InputError(
        f"{policy} returns {choice!r:.60}, which is not a choice; return Choice(job, row) for "
        "every job that starts"
    )
