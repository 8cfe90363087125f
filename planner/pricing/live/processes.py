"""Running processes: who they are, and signals that reach no other process.

A process identifier (pid) may be reused. So a process is known by its pid and its start time, and
signals go through a pidfd, which stands for one process for ever.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from dataclasses import dataclass
from pathlib import Path

from planner.errors import InputError

_PROC = Path("/proc")
_KERNEL_THREAD = 0x00200000
STOPPED = "Tt"


@dataclass(frozen=True)
class Facts:
    """What the kernel says of a process.

    Attributes
    ----------
    state
        One letter; ``T`` is stopped.
    parent
        Its parent's pid.
    flags
        The kernel's flags.
    start
        Start time in clock ticks since boot.
    """

    state: str
    parent: int
    flags: int
    start: int


def facts_of(pid: int) -> Facts | None:
    """Facts from ``/proc/PID/stat``; ``None`` if there is no such process."""
    try:
        text = (_PROC / str(pid) / "stat").read_text(encoding="ascii", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    fields = text.rpartition(")")[2].split()  # the name before it may hold anything
    return Facts(fields[0], int(fields[1]), int(fields[6]), int(fields[19]))


def has_ended(pid: int) -> bool:
    """Whether there is no such process, or only its exit status is left."""
    facts = facts_of(pid)
    return facts is None or facts.state in "ZX"


def owner_of(pid: int) -> int | None:
    """The real user identifier of a process; ``None`` if there is no such process."""
    try:
        text = (_PROC / str(pid) / "status").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    for line in text.splitlines():
        if line.startswith("Uid:"):
            return int(line.split()[1])
    return None


def ancestors(pid: int) -> set[int]:
    """A process and all processes above it."""
    result: set[int] = set()
    while pid > 0 and pid not in result:
        result.add(pid)
        facts = facts_of(pid)
        pid = facts.parent if facts else 0
    return result


class Process:
    """One process of the user that may be paused.

    Parameters
    ----------
    pid
        Its identifier.

    Raises
    ------
    InputError
        There is no such process, it belongs to somebody else or to the kernel, this program
        descends from it, or it is stopped already.
    """

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._handle = _handle(pid)
        facts = facts_of(pid)
        trouble = f"pid {pid} does not exist; give the pid of a running process"
        if facts is not None:
            self.start = facts.start
            trouble = _trouble(pid, facts)
        if trouble:
            self.close()
            raise InputError(trouble)

    def signal(self, number: signal.Signals) -> bool:
        """Send a signal; false if the process has ended."""
        try:
            if self._handle is not None:
                signal.pidfd_send_signal(self._handle, number)
            elif self._is_the_same():
                os.kill(self.pid, number)
            else:
                return False
        except ProcessLookupError:
            return False
        return True

    def exited(self) -> bool:
        """Whether it has ended, even if nobody has collected it yet."""
        if self._handle is not None:
            return bool(select.select([self._handle], [], [], 0)[0])
        facts = facts_of(self.pid)
        return facts is None or facts.start != self.start or facts.state in "ZX"

    def stopped(self) -> bool:
        """Whether it is stopped now, by whomever."""
        facts = facts_of(self.pid)
        return facts is not None and facts.start == self.start and facts.state in STOPPED

    def close(self) -> None:
        """Give the pidfd back."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def _is_the_same(self) -> bool:
        facts = facts_of(self.pid)
        return facts is not None and facts.start == self.start


def _handle(pid: int) -> int | None:
    """A pidfd; ``None`` where the kernel has none (before Linux 5.3), or the process has ended."""
    if not hasattr(os, "pidfd_open") or pid <= 0:
        return None
    with contextlib.suppress(OSError):
        return os.pidfd_open(pid)
    return None


def _trouble(pid: int, facts: Facts) -> str:
    """Why a process must not be paused; empty if it may be."""
    owner = owner_of(pid)
    if owner != os.getuid():
        return f"pid {pid} belongs to user {owner}, not to you; give pids of your own processes"
    if pid == 1 or facts.flags & _KERNEL_THREAD:
        return f"pid {pid} belongs to the system; give pids of your own jobs"
    if pid in ancestors(os.getpid()):
        return f"pid {pid} is this program or one that started it; pausing it would pause both"
    if facts.state in STOPPED:
        return f"pid {pid} is stopped already; continue it first (kill -CONT {pid})"
    if facts.state in "ZX":
        return f"pid {pid} has ended; give the pid of a running process"
    return ""
