"""Limited processes without the start of Python: one server forks a child for each request.

The server imports what :mod:`scenarios.spreadsheet_child` imports, and no more. Each child limits
itself as that program does, answers with the same code, and may break down in the same ways.
"""

from __future__ import annotations

import atexit
import json
import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from scenarios import spreadsheet_child

_SERVER = """
import importlib, json, os, struct, sys, types
folder = sys.argv[1]
package = types.ModuleType("scenarios")
package.__path__ = [folder]
sys.modules["scenarios"] = package
from scenarios.cell_references import Limits
from scenarios.spreadsheet_child import limit_itself
import python_calamine, pyarrow.parquet

def space():
    return int(open("/proc/self/statm").read().split()[0]) * os.sysconf("SC_PAGE_SIZE")

def reply(request, module, limits, handle):
    status = 1
    try:
        limit_itself(os.getppid(), limits["memory_bytes"] + space(), limits["cpu_s"])
        reader = importlib.import_module("scenarios." + module)
        found = reader.answer(request, Limits(**limits))
        with os.fdopen(handle, "wb") as stream:
            stream.write(found)
        status = 0
    finally:
        os._exit(status)

incoming, outgoing = sys.stdin.buffer, sys.stdout.buffer
for name in ("workbook", "measurement_parquet_answer"):
    importlib.import_module("scenarios." + name)
while head := incoming.read(8):
    size, words = struct.unpack("<II", head)
    module, limits = json.loads(incoming.read(words))
    request = incoming.read(size)
    out, inner = os.pipe()
    child = os.fork()
    if not child:
        reply(request, module, limits, inner)
    os.close(inner)
    with os.fdopen(out, "rb") as stream:
        answer = stream.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    outgoing.write(struct.pack("<Ii", len(answer), status) + answer)
    outgoing.flush()
"""


class Server:
    """The process that forks."""

    def __init__(self) -> None:
        folder = str(Path(spreadsheet_child.__file__).parent)
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", _SERVER, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        atexit.register(self.close)

    def close(self) -> None:
        """End it."""
        self._process.kill()
        self._process.communicate()

    def ask(self, module: str, limits: dict[str, Any], request: bytes) -> tuple[bytes, int]:
        """The answer of a child, and the status with which it ended."""
        to, back = self._process.stdin, self._process.stdout
        if to is None or back is None:
            raise BrokenPipeError
        words = json.dumps([module, limits]).encode()
        to.write(struct.pack("<II", len(request), len(words)) + words + request)
        to.flush()
        size, status = struct.unpack("<Ii", back.read(8))
        return back.read(size), status


class Forked:
    """What :mod:`scenarios.limited_child` needs of a process that it starts."""

    server: Server

    def __init__(self, command: Sequence[str], **_streams: Any) -> None:
        self._module, self._limits = command[-2], json.loads(command[-1])
        self.returncode: int | None = None
        self.pid = os.getpid()

    def __enter__(self) -> Self:
        """The process."""
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is left to close."""

    def communicate(self, request: bytes, timeout: float) -> tuple[bytes, bytes]:
        """The answer; the child limits its own processor time."""
        del timeout
        answer, self.returncode = self.server.ask(self._module, self._limits, request)
        return answer, b""

    def poll(self) -> int | None:
        """The status with which the child ended."""
        return self.returncode
