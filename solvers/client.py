"""The parent's side of the worker: start it, ask it, end it."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
import tempfile
import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from solvers.worker import remove_folders

GRACE_S = 15.0
"""A worker that is this much later than its time limit (times 1.5) is ended."""

_START = "import sys; sys.path[:0] = [sys.argv.pop(1)]; from solvers.worker import main; main()"


class SolverError(RuntimeError):
    """The solver process failed or could not be started; the message says how."""


class Worker:
    """One child process. Safe to use from several threads, one request at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._requests: Connection | None = None
        self._lifeline: int = -1
        self.cpu_s = 0.0

    def ask(self, name: str, *arguments: Any, time_limit_s: float | None = None) -> Any:
        """Send one request and wait for its answer.

        ``time_limit_s`` is what the solver was given; a worker that does not answer well after
        it is ended and ``TimeoutError`` raised.

        Raises
        ------
        SolverError
            The request failed in the child, or the child died.
        TimeoutError
            The outer time limit was reached.
        """
        with self._lock:
            requests = self._connection()
            patience = None if time_limit_s is None else 1.5 * time_limit_s + GRACE_S
            try:
                requests.send((name, arguments))
                if not requests.poll(patience):
                    raise TimeoutError(f"the solver did not answer within {patience:.0f} s")
                kind, answer, cpu = requests.recv()
            except (EOFError, ConnectionError) as error:
                self._end()
                raise SolverError("the solver process died; was it killed or out of memory?") from error
            except BaseException:  # an interrupt leaves no solver behind
                self._end()
                raise
            self.cpu_s += cpu
            if kind == "failed":
                raise SolverError(answer)
            return answer

    def close(self) -> None:
        """End the child, if this process started one."""
        with self._lock:
            self._end()

    def _connection(self) -> Connection:
        alive = self._process is not None and self._process.poll() is None
        if self._requests is None or not alive or self._owner != os.getpid():
            self._end()
            self._begin()
        if self._requests is None:
            raise SolverError("the solver process could not be started")
        return self._requests

    def _begin(self) -> None:
        _clear_stale_folders()
        ours, theirs = Pipe()
        read_end, self._lifeline = os.pipe()
        command = [sys.executable, "-P", "-c", _START, str(Path(__file__).parent.parent)]
        self._process = subprocess.Popen(
            [*command, str(theirs.fileno()), str(read_end)],
            pass_fds=(theirs.fileno(), read_end),
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C goes to the parent, which then ends the child
        )
        theirs.close()
        os.close(read_end)
        self._requests, self._owner = ours, os.getpid()

    def _end(self) -> None:
        """Close the lifeline and wait; kill if that does not help."""
        process, self._process = self._process, None
        if self._requests is not None:
            self._requests.close()
            self._requests = None
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        if process is None or self._owner != os.getpid():
            return
        try:
            process.wait(timeout=2.0)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        remove_folders(process.pid)


def _clear_stale_folders() -> None:
    """Remove temporary folders whose worker no longer lives (both sides were killed at once)."""
    for folder in Path(tempfile.gettempdir()).glob("headroom-*-*"):
        owner = folder.name.split("-")[1]
        if owner.isdigit() and not _alive(int(owner)):
            remove_folders(int(owner))


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


WORKER = Worker()
"""The worker that everybody shares."""

atexit.register(WORKER.close)
