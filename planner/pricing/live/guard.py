"""The live program's side of the watchdog: starts it before any pause, and reports every pause."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from planner.errors import InputError
from planner.pricing.live import watchdog
from planner.pricing.live.processes import facts_of

_START_S = 20.0


class Guard:
    """A running watchdog.

    Parameters
    ----------
    limit_s
        Longest pause: after it the watchdog resumes everything.
    end_s
        Hard end on the monotonic clock.
    grace_s
        How long after it the program may take to write its log.

    Raises
    ------
    InputError
        It could not be started. Nothing is paused then.
    """

    def __init__(self, limit_s: float, end_s: float, grace_s: float = 10.0) -> None:
        self.limit_s, self.end_s, self.grace_s = limit_s, end_s, grace_s
        self._paused = False
        try:
            self._child = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(watchdog.__file__))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise InputError(
                f"no watchdog could be started ({error.strerror}); try again"
            ) from None
        self.watch([])

    @property
    def pid(self) -> int:
        """The watchdog's pid."""
        return self._child.pid

    def watch(self, targets: Sequence[dict[str, Any]]) -> None:
        """Name what may be paused from now on, and wait until the watchdog knows it.

        Raises
        ------
        InputError
            The watchdog is gone.
        """
        own = facts_of(os.getpid())
        program = {"pid": os.getpid(), "start": own.start if own else 0}
        values = {"limit_s": self.limit_s, "end_s": self.end_s, "grace_s": self.grace_s}
        self._send(json.dumps({**values, "program": program, "targets": list(targets)}).encode())
        if (
            self._child.stdout is None
            or not select.select([self._child.stdout], [], [], _START_S)[0]
        ):
            raise InputError(
                "the watchdog does not answer; no job is paused without it; start again"
            )
        if self._child.stdout.readline() != b"ready\n":
            raise InputError("the watchdog is gone; no job is paused without it; start again")

    def pausing(self) -> None:
        """Tell the watchdog before anything is paused; it must be alive.

        Raises
        ------
        InputError
            The watchdog is gone.
        """
        if not self._paused:
            self._send(b"P")
            self._paused = True

    def resumed(self) -> None:
        """Tell the watchdog that everything runs."""
        if self._paused:
            self._paused = False
            self._send(b"R")

    def close(self) -> None:
        """End the watchdog; everything runs."""
        try:
            self._send(b"E")
        except InputError:
            pass
        finally:
            for stream in (self._child.stdin, self._child.stdout):
                if stream is not None:
                    stream.close()
            self._child.wait(_START_S)

    def _send(self, line: bytes) -> None:
        if self._child.stdin is None:
            raise InputError("the watchdog has no input; no job is paused without it; start again")
        left = line + b"\n"
        try:
            while left:  # a signal may cut a long line short
                left = left[os.write(self._child.stdin.fileno(), left) :]
        except (BrokenPipeError, ValueError):
            raise InputError(
                "the watchdog is gone; no job is paused without it; start again"
            ) from None
