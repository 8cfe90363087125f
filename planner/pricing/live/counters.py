"""Counters of a live job: the processor's, or a progress counter that the job itself keeps.

Without a performance monitoring unit (PMU) nothing counts instructions. Then a job may count its
own progress, as 8 little-endian bytes in a file that it maps and increments.
"""

from __future__ import annotations

import contextlib
import math
import mmap
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from planner.errors import InputError
from planner.pricing.live import perf

_CALIBRATION_S = 0.05
_PATIENCE_S = 2.0


class Counters(Protocol):
    """Counts what one job does."""

    @property
    def meaning(self) -> str:
        """What the two numbers are."""

    def read(self) -> tuple[float, float]:
        """Instructions or progress, and cycles or time on a core; NaN where unreadable."""

    def close(self) -> None:
        """Stop counting."""


class PmuCounters:
    """Instructions and cycles in user mode, of all threads of a job.

    Raises
    ------
    InputError
        The machine has no PMU, or does not let this user read it.
    """

    meaning = "instructions and cycles in user mode (perf)"

    def __init__(self, pids: Sequence[int]) -> None:
        self._open = [perf.opened(event, pids) for event in (perf.INSTRUCTIONS, perf.CYCLES)]
        if None in self._open:
            self.close()
            message = "this machine does not count instructions for you"
            raise InputError(f"{message}; give each job a progress counter")

    def read(self) -> tuple[float, float]:
        """Counts since the job was attached."""
        result = [counter.read() if counter else math.nan for counter in self._open]
        return result[0], result[1]

    def close(self) -> None:
        """Close the events."""
        for counter in self._open:
            if counter is not None:
                counter.close()


class ProgressCounters:
    """A job's own counter over its time on a core.

    Progress is divided by its speed when the job was attached. So a reading near 1 is usual, and
    Algorithm 4's delta is a share of that speed. The price does not depend on the factor.

    Parameters
    ----------
    path
        File of at least 8 bytes: an unsigned little-endian number that the job increments.
    pids
        The job's processes.

    Raises
    ------
    InputError
        The file cannot be read, belongs to somebody else, or does not advance.
    """

    def __init__(self, path: Path, pids: Sequence[int]) -> None:
        self._map = _mapped(path)
        self._pids = tuple(pids)
        self._clock = perf.opened(perf.TASK_CLOCK, pids)
        clock = "task-clock (perf)" if self._clock else "time on a core (schedstat)"
        self.meaning = f"the job's progress counter, and {clock}"
        self._scale = 1.0
        try:
            self._scale = self._calibrated(path)
        except InputError:
            self.close()
            raise

    def read(self) -> tuple[float, float]:
        """Scaled progress, and nanoseconds on a core."""
        return self._progress() * self._scale, self._time_ns()

    def close(self) -> None:
        """Unmap the file."""
        self._map.close()
        if self._clock is not None:
            self._clock.close()

    def _calibrated(self, path: Path) -> float:
        """Nanoseconds on a core per step of progress."""
        until = time.monotonic() + _PATIENCE_S
        first, began = self._progress(), self._time_ns()
        while time.monotonic() < until:
            time.sleep(_CALIBRATION_S)
            steps, ns = self._progress() - first, self._time_ns() - began
            if steps > 0 and ns > 0:
                return ns / steps
        message = f"the progress counter {path} did not advance in {_PATIENCE_S:g} s"
        raise InputError(f"{message}; attach the job when it computes")

    def _progress(self) -> int:
        return int.from_bytes(self._map[:8], "little")

    def _time_ns(self) -> float:
        if self._clock is not None:
            return self._clock.read()
        return sum(_on_core_ns(pid) for pid in self._pids)


def _on_core_ns(pid: int) -> float:
    """Time that all threads of a process have had a core [ns]; NaN without the kernel's count."""
    result = [math.nan]
    with contextlib.suppress(OSError, ValueError):
        texts = [
            (path / "schedstat").read_text(encoding="ascii")
            for path in Path(f"/proc/{pid}/task").iterdir()
        ]
        result = [float(text.split()[0]) for text in texts]
    return sum(result)


def _mapped(path: Path) -> mmap.mmap:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        message = f"progress counter {path} cannot be read ({error.strerror})"
        raise InputError(f"{message}; let the job make it first") from None
    try:
        result = os.fstat(handle)
        if result.st_uid != os.getuid():
            raise InputError(f"progress counter {path} belongs to user {result.st_uid}, not to you")
        if result.st_size < 8:
            raise InputError(f"progress counter {path} has {result.st_size} bytes; it needs 8")
        return mmap.mmap(handle, 8, access=mmap.ACCESS_READ)
    except (OSError, ValueError):
        raise InputError(f"progress counter {path} is not a regular file; give a file") from None
    finally:
        os.close(handle)
