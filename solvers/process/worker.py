"""The child process in which every solver runs.

It answers requests over one pipe and holds a second one, the lifeline, whose other end only the
parent has. When the parent ends, however it ends, the lifeline closes: the worker then kills
CBC, removes its temporary folders and leaves. Interrupts go to the parent alone.
"""

from __future__ import annotations

import importlib
import math
import os
import resource
import sys
import threading
import time
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from solvers.backends import private_folder
from solvers.backends.protocol import Claim, Limits
from solvers.model.milp import Floats, Milp


def solve(backend: str, model: Milp, limits: Limits, start: Floats | None) -> Claim:
    """Run one back end."""
    claim: Claim = importlib.import_module(f"solvers.backends.{backend}").solve(
        model, limits, start
    )
    return claim


def prove(
    model: Milp, starts: list[Floats], node_limit: int, time_limit_s: float | None, gap: float
) -> Any:
    """Run the exact branch and bound."""
    from solvers.proofs import branching as proof

    return proof.prove(model, starts, node_limit=node_limit, time_limit_s=time_limit_s, gap=gap)


class _Sessions:
    """Models kept loaded between requests, for hot changes."""

    def __init__(self) -> None:
        self._open: dict[int, tuple[Any, bool]] = {}  # with whether there are whole numbers

    def load(self, key: int, model: Milp) -> None:
        from solvers.backends import highs

        self._open[key] = highs.load(model), bool(model.is_integer.any())

    def run(
        self,
        key: int,
        limits: Limits,
        start: Floats | None,
        changes: Sequence[tuple[Any, ...]] = (),
    ) -> Claim:
        """Make the changes of some columns, each by a method of HiGHS; then solve."""
        from solvers.backends import highs

        engine, is_mip = self._open[key]
        for change, columns, *values in changes:
            getattr(engine, change)(len(columns), columns, *values)
        return highs.run(engine, limits, start, is_mip=is_mip)

    def drop(self, key: int) -> None:
        self._open.pop(key, None)


def serve(requests: Connection) -> None:
    """Answer requests until the pipe closes."""
    sessions = _Sessions()
    handlers: dict[str, Callable[..., Any]] = {
        "solve": solve,
        "prove": prove,
        "load": sessions.load,
        "run": sessions.run,
        "drop": sessions.drop,
    }
    while True:
        try:
            name, arguments, cpu_limit_s = requests.recv()
        except (EOFError, ConnectionError):  # reset: the parent died with an answer unread
            return
        began = _cpu_s()
        _limit_cpu(cpu_limit_s)
        try:
            answer: tuple[str, Any] = "done", handlers[name](*arguments)
        except Exception as error:
            answer = "failed", f"{type(error).__name__}: {error}"
        cpu = _cpu_s() - began
        requests.send((*answer, cpu))


_SOFT, _HARD = resource.getrlimit(resource.RLIMIT_CPU)


def _limit_cpu(seconds: float | None) -> None:
    """Have the system end this process, and CBC, after further CPU time; never above its own."""
    soft = _SOFT
    if seconds is not None:
        until = math.ceil(time.process_time() + seconds)
        soft = until if soft == resource.RLIM_INFINITY else min(soft, until)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, _HARD))


def _cpu_s() -> float:
    """CPU seconds of this process and of the solvers that it started, to the microsecond."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def _watch(lifeline: int, folder: Path) -> None:
    os.read(lifeline, 1)  # returns only when the parent's end is closed
    cbc = sys.modules.get("solvers.backends.cbc")
    if cbc is not None:
        cbc.stop_all()
    private_folder.remove_folder(folder)
    os._exit(1)


def main() -> None:
    """Entry point of the child: ``worker.py REQUEST_FD LIFELINE_FD FOLDER``.

    A back end that needs files makes this folder, and removes it.
    """
    requests, lifeline, folder = int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3])
    private_folder.ASSIGNED = folder
    threading.Thread(target=_watch, args=(lifeline, folder), daemon=True).start()
    serve(Connection(requests))
