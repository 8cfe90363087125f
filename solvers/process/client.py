"""The parent's side of the worker: start it, ask it, end it."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import threading
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from solvers.backends.private_folder import fresh_path, remove_abandoned, remove_folder

GRACE_S = 15.0
"""A worker that is this much later than its time limit (times 1.5) is ended."""

_START = (
    "import sys; sys.path[:0] = [sys.argv.pop(1)]; from solvers.process.worker import main; main()"
)


class SolverError(RuntimeError):
    """The solver process failed or could not be started; the message says how."""


class Worker:
    """One child process. Safe to use from several threads, one request at a time.

    Attributes
    ----------
    cpu_s
        CPU seconds of all requests so far.
    generation
        Which child is running, counted from 1: what an earlier one held is gone.
    """

    def __init__(self) -> None:
        self.generation = 0
        self._lock = threading.Lock()
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._requests: Connection | None = None
        self._lifeline: int = -1
        self._folder: Path | None = None
        self.cpu_s = 0.0

    def ask(
        self,
        name: str,
        *arguments: Any,
        time_limit_s: float | None = None,
        cpu_limit_s: float | None = None,
    ) -> Any:
        """Send one request and wait for its answer.

        ``time_limit_s`` is what the solver was given; a worker that does not answer well after
        it is ended and ``TimeoutError`` raised. ``cpu_limit_s`` is the CPU time after which the
        system ends the worker: no load of the machine changes what it reaches.

        Raises
        ------
        SolverError
            The request failed in the child, or the child died.
        TimeoutError
            The outer time limit or the limit of CPU time was reached.
        """
        with self._lock:
            requests = self._connection()
            patience = None if time_limit_s is None else 1.5 * time_limit_s + GRACE_S
            try:
                requests.send((name, arguments, cpu_limit_s))
                answered = patience is None or requests.poll(patience)
                kind, answer, cpu = requests.recv() if answered else ("late", None, 0.0)
            except (EOFError, ConnectionError) as error:
                process = self._process
                self._end()
                if process is not None and process.returncode == -signal.SIGXCPU:
                    message = "the solver reached its limit of CPU time"
                    raise TimeoutError(message) from error
                message = "the solver process died; was it killed or out of memory?"
                raise SolverError(message) from error
            except BaseException:  # an interrupt leaves no solver behind
                self._end()
                raise
            self.cpu_s += cpu
            if kind == "late":
                self._end()
                raise TimeoutError(f"the solver did not answer within {patience:.0f} s")
            if kind == "failed":
                raise SolverError(answer)
            return answer

    def close(self) -> None:
        """End the child, if this process started one."""
        with self._lock:
            self._end()

    def alive(self) -> bool:
        """Whether a child of this process is running."""
        return (
            self._process is not None
            and self._process.poll() is None
            and self._owner == os.getpid()
        )

    def _connection(self) -> Connection:
        if self._requests is None or not self.alive():
            self._end()
            self._begin()
        if self._requests is None:
            raise SolverError("the solver process could not be started")
        return self._requests

    def _begin(self) -> None:
        temporary = Path(tempfile.gettempdir())
        remove_abandoned(temporary)
        self._folder = fresh_path(temporary)
        ours, theirs = Pipe()
        read_end, self._lifeline = os.pipe()
        command = [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])]
        self._process = subprocess.Popen(
            [*command, str(theirs.fileno()), str(read_end), str(self._folder)],
            pass_fds=(theirs.fileno(), read_end),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # HiGHS prints there at times, even with output off
            start_new_session=True,  # Ctrl-C goes to the parent, which then ends the child
        )
        theirs.close()
        os.close(read_end)
        self._requests, self._owner = ours, os.getpid()
        self.generation += 1

    def _end(self) -> None:
        """Kill the child and its descendants (its process group), and clean up after it."""
        process, self._process = self._process, None
        self._forget()
        if process is None or self._owner != os.getpid():
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if self._folder is not None:
            remove_folder(self._folder)

    def _forget(self) -> None:
        """Close this process's ends of both pipes."""
        if self._requests is not None:
            self._requests.close()
            self._requests = None
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1

    def leave_to_parent(self) -> None:
        """After a fork: the child process of the parent is none of ours, nor is its lock."""
        self._lock = threading.Lock()
        if self._process is not None:
            self._process.returncode = 0  # not ours to wait for, so no warning when it is dropped
            self._process = None
        self._forget()
        self.generation += 1


WORKER = Worker()
"""The worker that everybody shares."""

atexit.register(WORKER.close)
os.register_at_fork(after_in_child=WORKER.leave_to_parent)
