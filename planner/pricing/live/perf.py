"""Counters of the kernel's ``perf_event_open``: instructions, cycles and task-clock of a process.

A counter counts one thread and the threads that it starts later. So one is opened for each thread
that a process has when it is attached.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

_CALL = {"x86_64": 298, "aarch64": 241, "ppc64le": 319, "s390x": 331}
_HARDWARE, _SOFTWARE = 0, 1
CYCLES, INSTRUCTIONS, TASK_CLOCK = (_HARDWARE, 0), (_HARDWARE, 1), (_SOFTWARE, 1)
_ATTRIBUTE_BYTES = 128
_INHERIT, _EXCLUDE_KERNEL, _EXCLUDE_HYPERVISOR = 1 << 1, 1 << 5, 1 << 6
_TIMES = 3  # time enabled and time running follow the value
_CLOSE_ON_EXEC = 8


@dataclass(frozen=True)
class EventCounter:
    """One counter over the threads of some processes.

    Attributes
    ----------
    handles
        One open event for each thread.
    """

    handles: tuple[int, ...]

    def read(self) -> float:
        """What was counted so far; where the kernel took turns, scaled to the whole time."""
        return sum(_value(os.read(handle, 24)) for handle in self.handles)

    def close(self) -> None:
        """Stop counting."""
        for handle in self.handles:
            os.close(handle)


def opened(event: tuple[int, int], pids: Iterable[int]) -> EventCounter | None:
    """A counter of an event over processes; ``None`` where the machine does not count it."""
    handles: list[int] = []
    for thread in (thread for pid in pids for thread in threads_of(pid)):
        handle = _open(event, thread)
        if handle is None:
            EventCounter(tuple(handles)).close()
            return None
        handles.append(handle)
    return EventCounter(tuple(handles)) if handles else None


def threads_of(pid: int) -> list[int]:
    """Threads that a process has now; none if it has ended."""
    try:
        return sorted(int(path.name) for path in Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []


def _open(event: tuple[int, int], thread: int) -> int | None:
    number = _CALL.get(platform.machine())
    if number is None:
        return None
    attribute = bytearray(_ATTRIBUTE_BYTES)
    kind, which = event
    struct.pack_into("<IIQQQQ", attribute, 0, kind, len(attribute), which, 0, 0, _TIMES)
    struct.pack_into("<Q", attribute, 40, _INHERIT | _EXCLUDE_KERNEL | _EXCLUDE_HYPERVISOR)
    library = ctypes.CDLL(None, use_errno=True)
    handle = library.syscall(number, bytes(attribute), thread, -1, -1, _CLOSE_ON_EXEC)
    return int(handle) if handle >= 0 else None


def _value(data: bytes) -> float:
    value, enabled, running = struct.unpack("<QQQ", data)
    return value * enabled / running if 0 < running < enabled else float(value)
