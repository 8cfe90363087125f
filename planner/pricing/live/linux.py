"""A Linux machine as the Controller sees it: jobs are processes of this user."""

from __future__ import annotations

import contextlib
import math
import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from planner.errors import InputError
from planner.pricing.execution import JobGoneError, QueuedJob
from planner.pricing.live.counters import Counters, PmuCounters, ProgressCounters
from planner.pricing.live.guard import Guard
from planner.pricing.live.pausing import CgroupPauser, Pauser, SignalPauser, pids_in
from planner.pricing.live.processes import Process, has_ended
from planner.pricing.machine import Floats

_REAL_TIME = tuple(getattr(os, name) for name in ("SCHED_FIFO", "SCHED_RR") if hasattr(os, name))
_DEADLINE = 6


@dataclass(frozen=True)
class Target:
    """Where a job's processes are.

    Attributes
    ----------
    pids
        Running processes to attach to.
    cgroup
        The job's cgroup of version 2, to be frozen; without it each process gets signals.
    progress
        File of the job's progress counter; ``None`` where the processor counts.
    """

    pids: tuple[int, ...] = ()
    cgroup: Path | None = None
    progress: Path | None = None


@dataclass
class _Attached:
    processes: list[Process]
    pauser: Pauser
    counters: Counters
    child: subprocess.Popen[bytes] | None = None
    cgroup: Path | None = None
    paused: bool = False
    last: tuple[float, float] = field(default=(0.0, 0.0))

    def exited(self) -> bool:
        if self.child is not None:
            self.child.poll()
        if self.cgroup is not None and self.cgroup.is_dir():
            return not pids_in(self.cgroup)
        return all(process.exited() for process in self.processes)


class LinuxMachine:
    """Pauses, resumes and reads processes of this user; every pause is known to the watchdog.

    Parameters
    ----------
    guard
        The watchdog.
    targets
        Where each job's processes are, by the job's name.
    cores
        Cores that jobs may have; by default those that this program may use.

    Raises
    ------
    InputError
        This program runs under a real-time policy.
    """

    def __init__(self, guard: Guard, targets: Mapping[str, Target], cores: int = 0) -> None:
        refuse_real_time()
        self.cores = cores or len(os.sched_getaffinity(0))
        self.longest_pause_us = 0.0
        self.exited_while_paused = 0
        self.meanings: dict[str, str] = {}
        """What the counters of each job count, by the job's name."""
        self.overlong_pauses = 0
        self._guard = guard
        self._targets = targets
        self._attached: dict[int, _Attached] = {}
        self._next = 0
        self._paused_at = math.nan
        self._began = time.time() - time.monotonic()

    @property
    def jobs(self) -> Sequence[int]:
        """Numbers of attached jobs."""
        return tuple(self._attached)

    @property
    def clock_us(self) -> float:
        """Time of day when the program began, and monotonic time since [us]."""
        return 1e6 * (self._began + time.monotonic())

    def launch(self, job: QueuedJob) -> int:
        """Attach to a job's processes, or start its command.

        Raises
        ------
        JobGoneError
            None of its processes exists.
        InputError
            A process is missing or is not ours, or nothing counts for it. It is left as it was.
        """
        target = self._targets.get(job.name, Target())
        if _is_gone(target):
            message = f"job {job.name} has ended: pid {target.pids[0]} does not exist"
            raise JobGoneError(f"{message}; give the pid of a running process")
        child = _started(job) if not target.pids else None
        pids = target.pids or ((child.pid,) if child else ())
        try:
            attached = _attach(target, pids, child)
        except BaseException:
            if child is not None:
                child.kill()
                child.wait()
            raise
        self._attached[self._next] = attached
        self.meanings[job.name] = attached.counters.meaning
        self._next += 1
        self._name_targets()
        return self._next - 1

    def release(self, job: int) -> None:
        """Forget a job: everything of it runs, and its counters are closed."""
        self.resume(job)
        attached = self._attached.pop(job)
        attached.counters.close()
        for process in attached.processes:
            process.close()
        if attached.child is not None:
            attached.child.poll()
        self._name_targets()

    def finished(self, job: int) -> bool:
        """Whether all processes of a job have ended."""
        return self._attached[job].exited()

    def pause(self, job: int) -> None:
        """Notify the watchdog, and stop a job."""
        self._guard.pausing()
        if math.isnan(self._paused_at):
            self._paused_at = time.monotonic()
        self._attached[job].paused = True
        self._attached[job].pauser.pause()

    def resume(self, job: int) -> None:
        """Let a job continue; notify the watchdog when no job is paused."""
        attached = self._attached[job]
        if not attached.paused:
            return
        attached.pauser.resume()
        attached.paused = False
        self.exited_while_paused += attached.exited()
        if not any(job.paused for job in self._attached.values()):
            pause_us = 1e6 * (time.monotonic() - self._paused_at)
            self.longest_pause_us = max(self.longest_pause_us, pause_us)
            self.overlong_pauses += pause_us > 1e6 * self._guard.limit_s
            self._paused_at = math.nan
            self._guard.resumed()

    def sleep_us(self, us: float) -> None:
        """Wait."""
        time.sleep(us / 1e6)

    def read(self) -> tuple[Floats, Floats]:
        """Counters of each job; NaN where a job has ended, or the watchdog may have resumed it."""
        late = time.monotonic() - self._paused_at > self._guard.limit_s
        result = np.array(
            [_reading(job, late=late) for job in self._attached.values()], dtype=np.float64
        ).reshape(-1, 2)
        return result[:, 0], result[:, 1]

    def close(self) -> None:
        """Let everything continue and end the watchdog."""
        for job in self.jobs:
            self.release(job)
        self._guard.close()

    def _name_targets(self) -> None:
        self._guard.watch([t for job in self._attached.values() for t in job.pauser.targets()])


def refuse_real_time() -> None:
    """A real-time program could starve the jobs that it starts and the machine they run on.

    Raises
    ------
    InputError
        This program runs under a real-time policy.
    """
    policy = os.sched_getscheduler(0) & ~getattr(os, "SCHED_RESET_ON_FORK", 0)
    if policy in {*_REAL_TIME, _DEADLINE}:
        message = "this program runs under a real-time policy and would be a parent of jobs"
        raise InputError(f"{message}; start it under the normal one (chrt --other 0)")


def _is_gone(target: Target) -> bool:
    if target.cgroup is not None and target.cgroup.is_dir() and pids_in(target.cgroup):
        return False
    return bool(target.pids) and all(has_ended(pid) for pid in target.pids)


def _started(job: QueuedJob) -> subprocess.Popen[bytes]:
    if not job.command:
        raise InputError(f"job {job.name} has neither pids nor a command; give one of them")
    try:
        return subprocess.Popen(job.command, stdin=subprocess.DEVNULL, start_new_session=True)
    except OSError as error:
        message = f"job {job.name}: {job.command[0]} cannot be started ({error.strerror})"
        raise InputError(f"{message}; check its path and rights") from None


def _attach(
    target: Target, pids: Sequence[int], child: subprocess.Popen[bytes] | None
) -> _Attached:
    """Open processes, pauser and counters; all are closed again if one fails."""
    with contextlib.ExitStack() as undo:
        processes = []
        for pid in pids:
            process = Process(pid)
            undo.callback(process.close)
            processes.append(process)
        pauser = _pauser(target, processes)
        counters: Counters
        if target.progress is None:
            counters = PmuCounters(pids)
        else:
            counters = ProgressCounters(target.progress, pids)
        undo.pop_all()
    return _Attached(processes, pauser, counters, child, target.cgroup)


def _pauser(target: Target, processes: Sequence[Process]) -> Pauser:
    if target.cgroup is None:
        return SignalPauser(processes)
    outside = {process.pid for process in processes} - pids_in(target.cgroup)
    if outside:
        message = f"pid {min(outside)} is not in {target.cgroup}"
        raise InputError(f"{message}; move the job's processes there first")
    return CgroupPauser(target.cgroup)


def _reading(attached: _Attached, *, late: bool) -> tuple[float, float]:
    if late or attached.exited():
        return math.nan, math.nan
    try:
        attached.last = attached.counters.read()
    except (OSError, ValueError):
        return math.nan, math.nan
    return attached.last
