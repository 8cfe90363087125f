"""The live program: measures running jobs for a limited time and writes a log."""

from __future__ import annotations

import contextlib
import signal
import sqlite3
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from planner.errors import InputError
from planner.pricing.accounts.log import MeasurementLog
from planner.pricing.accounts.policies import POLICIES
from planner.pricing.accounts.schema import errors_of, opened
from planner.pricing.controller import Controller
from planner.pricing.execution import CentralQueue, Node, QueuedJob
from planner.pricing.live.guard import Guard
from planner.pricing.live.linux import LinuxMachine, Target, refuse_real_time
from planner.pricing.monitoring import Monitor, Refusal
from planner.pricing.overhead import Shutter
from scenarios.formatting import nearest

_LONGEST_FLUSH_S = 3600.0
_LONGEST_RUN_S = 366 * 86_400.0


@dataclass(frozen=True)
class LiveJob:
    """A job that runs on this machine.

    Attributes
    ----------
    job
        Name, user, cores and rate; its command is started if the target has no pids.
    target
        Its processes, cgroup and progress counter.
    """

    job: QueuedJob
    target: Target = field(default_factory=Target)


@dataclass(frozen=True)
class LiveSettings:
    """What the live program does.

    Attributes
    ----------
    log
        A pricing log that exists, with accounts of the users.
    jobs
        Jobs to measure. They wait in the central queue while the node is full.
    run_s
        Hard end [s]: the program ends after it, and the watchdog ends it if it does not.
    shutter
        S, P and K; ``jobs`` in it is the most jobs that share the node.
    watchdog_s
        Longest pause [s]; after it the watchdog resumes everything.
    placebo_every
        One round in ``placebo_every`` pauses no job; 0 for none.
    flush_s
        How often sums are written [s]; a kill loses at most the measurements of this time.
    policy
        Prices the jobs.
    node
        Number of this node in the log.
    cores
        Cores that jobs may have together; 0: those that this program may use.
    """

    log: Path
    jobs: tuple[LiveJob, ...]
    run_s: float
    shutter: Shutter = field(default_factory=Shutter)
    watchdog_s: float = 1.0
    placebo_every: int = 0
    flush_s: float = 60.0
    policy: str = "poppa"
    node: int = 0
    cores: int = 0

    def __post_init__(self) -> None:
        """Refuse what could leave jobs paused or run for ever."""
        if not 0 < self.run_s <= _LONGEST_RUN_S:
            raise InputError(f"run_s is {self.run_s:g}; give a hard end above 0 s, at most a year")
        longest_s = self.shutter.window_us / 1e6
        if not longest_s < self.watchdog_s <= 60:
            message = f"watchdog_s is {self.watchdog_s:g}; one pause takes {longest_s:g} s"
            raise InputError(f"{message}: give more than that and at most 60 s")
        if self.placebo_every < 0 or self.placebo_every == 1:
            message = f"placebo_every is {self.placebo_every}; 0 is never, 2 is every other round"
            raise InputError(message)
        if not 0 <= self.flush_s <= _LONGEST_FLUSH_S:
            message = f"flush_s is {self.flush_s:g}; give 0 (after every round) to"
            raise InputError(f"{message} {_LONGEST_FLUSH_S:g} s")
        if self.policy not in POLICIES:
            remedy = nearest(self.policy, [*POLICIES])
            raise InputError(f"policy {self.policy!r} is unknown; {remedy}")


@dataclass(frozen=True)
class LiveResult:
    """What the live program did. It says nothing about how accurate its figures are.

    Attributes
    ----------
    stopped_by
        ``jobs ended``, ``hard end``, ``signal``, or ``nothing to measure``: no job could be.
    seconds
        How long it ran.
    rounds
        Rounds of the shutter.
    counters
        What was counted for each job, by name.
    refusals
        Jobs that were not measured, and why.
    ended, running
        Names of jobs that ended and were priced, and of those that still run.
    booked
        Bookings that were made.
    longest_pause_us
        Longest time between the first pause of a shutter and its last resumption [us].
    overlong_pauses
        Pauses above the watchdog's limit; their windows are missing in the log.
    exited_while_paused
        Jobs that ended while they were paused.
    watchdog_s
        The watchdog's limit.
    """

    stopped_by: str
    seconds: float
    rounds: int
    counters: dict[str, str]
    refusals: tuple[Refusal, ...]
    ended: tuple[str, ...]
    running: tuple[str, ...]
    booked: int
    longest_pause_us: float
    overlong_pauses: int
    exited_while_paused: int
    watchdog_s: float


def run_live(settings: LiveSettings) -> LiveResult:
    """Measure jobs on this machine until they end, the hard end comes, or a signal asks to end.

    Every paused job continues in any case, at the latest ``watchdog_s`` after it was paused, even
    if this program is killed.

    Returns
    -------
    LiveResult
        The counter used, and what happened to each job.

    Raises
    ------
    InputError
        The system is not Linux, the log cannot be used, or the watchdog is gone.
    """
    if sys.platform != "linux":
        raise InputError(f"the live program needs Linux; this is {sys.platform}")
    refuse_real_time()
    with errors_of(settings.log), contextlib.closing(opened(settings.log)) as connection:
        return _run(settings, connection)


def _run(settings: LiveSettings, connection: sqlite3.Connection) -> LiveResult:
    began = time.monotonic()
    end_s = began + settings.run_s
    guard = Guard(settings.watchdog_s, end_s)
    targets = {job.job.name: job.target for job in settings.jobs}
    with contextlib.closing(LinuxMachine(guard, targets, settings.cores)) as machine:
        _refuse_crowd(settings, machine.cores)
        log = MeasurementLog(connection, settings.node, flush_us=round(1e6 * settings.flush_s))
        queue = CentralQueue(job.job for job in settings.jobs)
        node = Node(machine, queue, settings.shutter.jobs)
        every = settings.placebo_every
        controller = Controller(
            machine, settings.shutter, lambda number: every > 0 and number % every == every - 1
        )
        monitor = Monitor(node, controller, log, settings.policy)
        with _asked_to_end() as asked:
            monitor.run(lambda: bool(asked) or time.monotonic() >= end_s)
        late = time.monotonic() >= end_s
        stopped = "signal" if asked else "hard end" if late and node.running else "jobs ended"
        if not (machine.meanings or monitor.ended):
            stopped = "nothing to measure"
        return LiveResult(
            stopped,
            time.monotonic() - began,
            controller.rounds,
            dict(machine.meanings),
            tuple(monitor.refusals),
            tuple(monitor.ended),
            tuple(run.job.name for run in node.running if run.job),
            monitor.booked,
            machine.longest_pause_us,
            machine.overlong_pauses,
            machine.exited_while_paused,
            settings.watchdog_s,
        )


def _refuse_crowd(settings: LiveSettings, cores: int) -> None:
    """Jobs that run already cannot wait: without a place they would run unmeasured."""
    running = [job.job for job in settings.jobs if job.target.pids]
    together = sum(job.cores for job in running)
    if together > cores:
        raise InputError(
            f"the running jobs take {together} cores together, and this program may use {cores}; "
            "start it with all cores of the node, or measure fewer jobs"
        )
    if len(running) > settings.shutter.jobs:
        raise InputError(
            f"{len(running)} jobs run, and the shutter is for {settings.shutter.jobs}; set its jobs"
        )


@contextlib.contextmanager
def _asked_to_end() -> Iterator[list[int]]:
    """Signals that ask to end, which are collected instead of followed at once."""
    asked: list[int] = []

    def take(number: int, _frame: FrameType | None) -> None:
        asked.append(number)

    before = {}
    with contextlib.suppress(ValueError):  # only the main thread may
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            before[number] = signal.signal(number, take)
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
