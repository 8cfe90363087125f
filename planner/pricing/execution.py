"""Execution Managers: each launches a job of the central queue and reports on it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from planner.errors import InputError
from planner.pricing.accounts.arguments import whole
from planner.pricing.machine import MeasuredMachine


@dataclass(frozen=True)
class QueuedJob:
    """A job that waits in the central queue.

    Attributes
    ----------
    name
        Unique name of the job; a booking is made once per name.
    user
        Who pays.
    cores
        Cores that the job needs on the node.
    charged_cores
        Cores that it pays for: whole-node multiples today, C of equation 1.
    rate
        L, the rate [micro-SU per core-hour].
    priority
        Larger goes first.
    submit_us
        When it was submitted [us]; earlier goes first among equal priorities.
    command
        What to run; a simulated node needs none.
    """

    name: str
    user: str
    cores: int
    charged_cores: int
    rate: int
    priority: float = 0.0
    submit_us: int = 0
    command: tuple[str, ...] = ()


class JobGoneError(InputError):
    """A job that should be measured has ended; the Monitor then ends it in the log."""


class Host(MeasuredMachine, Protocol):
    """A machine that can start jobs."""

    @property
    def cores(self) -> int:
        """Cores of the node."""

    def launch(self, job: QueuedJob) -> int:
        """Start a job with its PMC attached; its number on the machine.

        Raises
        ------
        JobGoneError
            It should run already, and has ended.
        InputError
            It cannot be started or measured.
        """

    def release(self, job: int) -> None:
        """Forget a job that has ended."""


class CentralQueue:
    """Jobs that wait, by priority, then submit time, then name."""

    def __init__(self, jobs: Iterable[QueuedJob] = ()) -> None:
        self._waiting: list[QueuedJob] = []
        for job in jobs:
            self.put(job)

    def __len__(self) -> int:
        """How many jobs wait."""
        return len(self._waiting)

    def put(self, job: QueuedJob) -> None:
        """Submit a job.

        Raises
        ------
        InputError
            The job needs no core, or one of its name waits already.
        """
        if whole(job.cores, f"job {job.name}: cores") < 1:
            raise InputError(f"job {job.name} needs {job.cores} cores; a job needs at least 1")
        if any(job.name == other.name for other in self._waiting):
            raise InputError(f"a job {job.name} waits already; give every job its own name")
        self._waiting.append(job)
        self._waiting.sort(key=lambda job: (-job.priority, job.submit_us, job.name))

    def take(self, free_cores: int) -> QueuedJob | None:
        """Remove the first job whose needs are met; ``None`` if there is none (first fit)."""
        for index, job in enumerate(self._waiting):
            if job.cores <= free_cores:
                return self._waiting.pop(index)
        return None

    def refuse(self, cores: int) -> list[QueuedJob]:
        """Remove and return the jobs that can never run on a node of ``cores`` cores."""
        refused = [job for job in self._waiting if job.cores > cores]
        self._waiting = [job for job in self._waiting if job.cores <= cores]
        return refused


@dataclass(eq=False)
class ExecutionManager:
    """Runs one job on one machine from launch to end.

    Attributes
    ----------
    host
        The machine.
    job
        The job.
    number
        The job's number on the machine.
    start_us, end_us
        When the job began and was seen to have ended, by the machine's clock.
    """

    host: Host
    job: QueuedJob
    number: int
    start_us: float
    end_us: float = 0.0

    def ended(self) -> bool:
        """Look at the job; its PMC is detached at its end, which is asked for no more."""
        if not self.host.finished(self.number):
            return False
        self.end_us = max(self.host.clock_us, self.start_us)
        self.host.release(self.number)
        return True


@dataclass
class Node:
    """The Execution Managers of one machine.

    Attributes
    ----------
    host
        The machine.
    queue
        The central queue, which several nodes may share.
    most_jobs
        n, how many jobs may share the node.
    """

    host: Host
    queue: CentralQueue
    most_jobs: int = 2
    running: list[ExecutionManager] = field(default_factory=list)

    def free_cores(self) -> int:
        """Cores that no running job has."""
        return self.host.cores - sum(run.job.cores for run in self.running)

    def collect(self) -> list[ExecutionManager]:
        """Execution Managers whose job has ended since the last call."""
        ended = [run for run in self.running if run.ended()]
        self.running = [run for run in self.running if run not in ended]
        return ended

    def launch(self, job: QueuedJob) -> ExecutionManager:
        """Start a job that was taken from the queue, with an Execution Manager of its own."""
        start_us = self.host.clock_us
        manager = ExecutionManager(self.host, job, self.host.launch(job), start_us)
        self.running.append(manager)
        return manager
