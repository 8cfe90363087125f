"""Limited processes that answer many requests: starting one for each mutant would take too long.

A process that a mutant breaks is replaced; the reader sees that it broke, as it would.
"""

from __future__ import annotations

import importlib
import json
import os
import signal
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from scenarios.tables.cell_references import Limits
from scenarios.tables.spreadsheet_child import limit_itself


def address_space() -> int:
    """Bytes that this process has."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Server:
    """A forked process that answers requests of one module under its limits."""

    def __init__(self, module: str, limits: Limits) -> None:
        ours, self.requests = os.pipe()
        self.answers, theirs = os.pipe()
        self.pid = os.fork()
        if not self.pid:
            os.close(self.requests)
            os.close(self.answers)
            _serve(module, limits, ours, theirs)
        os.close(ours)
        os.close(theirs)

    def ask(self, request: bytes) -> bytes | None:
        """The answer; ``None`` if the process broke."""
        _write(self.requests, request)
        return _read(self.answers)

    def close(self) -> int:
        """End it; the status with which it ended."""
        os.close(self.requests)
        os.close(self.answers)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _serve(module: str, limits: Limits, requests: int, answers: int) -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        reader = importlib.import_module(module)
        unlimited = 1 << 30  # each request has a timer of its own
        limit_itself(os.getppid(), limits.memory_bytes + address_space(), unlimited)
        while (request := _read(requests)) is not None:
            signal.setitimer(signal.ITIMER_PROF, limits.cpu_s)
            _write(answers, reader.answer(request, limits))
            signal.setitimer(signal.ITIMER_PROF, 0)
    finally:
        os._exit(1)


def _write(handle: int, data: bytes) -> None:
    data = struct.pack("<I", len(data)) + data
    while data:
        data = data[os.write(handle, data) :]


def _read(handle: int) -> bytes | None:
    size = _exactly(handle, 4)
    return None if size is None else _exactly(handle, struct.unpack("<I", size)[0])


def _exactly(handle: int, much: int) -> bytes | None:
    data = b""
    while len(data) < much:
        more = os.read(handle, much - len(data))
        if not more:
            return None
        data += more
    return data


_SERVERS: dict[tuple[str, Limits], Server] = {}


class Shared:
    """What :mod:`scenarios.tables.limited_child` needs of a process that it starts."""

    def __init__(self, command: Sequence[str], **_streams: Any) -> None:
        given = json.loads(command[-1])
        self._module = command[-2]
        self._limits = Limits(**{**given, "forms": tuple(given["forms"])})
        self.returncode = 0
        self.pid = os.getpid()

    def __enter__(self) -> Self:
        """The process."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left to close."""

    def communicate(self, request: bytes, timeout: float) -> tuple[bytes, bytes]:
        """The answer; the process limits its processor time itself."""
        del timeout
        key = self._module, self._limits
        if key not in _SERVERS:
            _SERVERS[key] = Server(*key)
        answer = _SERVERS[key].ask(request)
        if answer is None:
            self.returncode = _SERVERS.pop(key).close()
        return answer or b"", b""

    def poll(self) -> int:
        """The status; the reader need not end the process."""
        return self.returncode
