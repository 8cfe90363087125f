"""Two ways to pause a job: a signal to each process, or its cgroup's freezer."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from planner.errors import InputError
from planner.pricing.live.processes import Process


class Pauser(Protocol):
    """Pauses and resumes one job."""

    def pause(self) -> None:
        """Stop all of the job."""

    def resume(self) -> None:
        """Let all of the job continue."""

    def targets(self) -> list[dict[str, Any]]:
        """What the watchdog resumes, in its terms."""


class SignalPauser:
    """SIGSTOP and SIGCONT to each process of a job.

    A process that somebody else has stopped is left alone in that round.
    """

    def __init__(self, processes: Sequence[Process]) -> None:
        self._processes = processes
        self._paused: list[Process] = []

    def pause(self) -> None:
        """Stop each process that runs."""
        for process in self._processes:
            if not process.stopped():
                self._paused.append(process)
                process.signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let each process continue that was stopped here."""
        for process in self._paused:
            process.signal(signal.SIGCONT)
        self._paused.clear()

    def targets(self) -> list[dict[str, Any]]:
        """Pids with their start times."""
        return [{"pid": process.pid, "start": process.start} for process in self._processes]


class CgroupPauser:
    """The freezer of a cgroup of version 2: it also stops processes that the job starts later.

    Parameters
    ----------
    folder
        The job's cgroup.

    Raises
    ------
    InputError
        The folder is not a cgroup of version 2, is not writable, or holds this program.
    """

    def __init__(self, folder: Path) -> None:
        self._freeze = folder / "cgroup.freeze"
        self._folder = folder
        if not self._freeze.is_file() or not os.access(self._freeze, os.W_OK):
            message = f"{folder} has no cgroup.freeze that you may write"
            raise InputError(f"{message}; give a cgroup of version 2 that is yours, or use signals")
        if os.getpid() in pids_in(folder):
            raise InputError(f"{folder} holds this program; give the cgroup of the job alone")
        if self._freeze.read_text(encoding="ascii").strip() == "1":
            raise InputError(f"{folder} is frozen already; write 0 to {self._freeze} first")

    def pause(self) -> None:
        """Freeze the cgroup; a cgroup that is gone has ended."""
        self._write("1")

    def resume(self) -> None:
        """Thaw the cgroup."""
        self._write("0")

    def targets(self) -> list[dict[str, Any]]:
        """The cgroup's folder."""
        return [{"cgroup": str(self._folder.absolute())}]

    def _write(self, value: str) -> None:
        try:
            self._freeze.write_text(value, encoding="ascii")
        except (FileNotFoundError, ProcessLookupError, OSError) as error:
            if self._folder.is_dir() and self._freeze.exists():
                message = f"{self._freeze} cannot be written ({error})"
                raise InputError(f"{message}; check its rights") from None


def pids_in(folder: Path) -> set[int]:
    """Pids of a cgroup and of those below it."""
    result: set[int] = set()
    for path in folder.rglob("cgroup.procs"):
        try:
            result |= {int(pid) for pid in path.read_text(encoding="ascii").split()}
        except OSError:  # gone meanwhile
            continue
    return result
