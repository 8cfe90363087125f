"""The watchdog: a process of its own that resumes what the live program paused and left so.

It needs nothing but the standard library and is started as a file, so that no other module can fail
in it. It reads commands from its standard input:

- a line of JSON: time limit, hard end, grace after it, the program's pid, and the targets;
- ``P``: the program is about to pause; ``R``: everything runs again; ``E``: the program ends.

If ``R`` does not follow ``P`` within the limit, or the input ends (the program is gone, even by
kill -9), it resumes every target. It asks a program to end that has not ended within the grace, and
makes it end after the same time again.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import sys
import time
from pathlib import Path
from typing import Any

_REPEAT_S = 0.05
IGNORED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGPIPE")


def start_time(pid: int) -> int | None:
    """Start time of a process in clock ticks since boot; ``None`` if there is no such process."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return None
    return int(text.rpartition(")")[2].split()[19])


def resume(target: dict[str, Any]) -> None:
    """Resume a cgroup, or a process if it is still the same one."""
    with contextlib.suppress(OSError):
        if "cgroup" in target:
            Path(target["cgroup"], "cgroup.freeze").write_text("0", encoding="ascii")
            return
        pid = target["pid"]
        if hasattr(os, "pidfd_open"):
            handle = os.pidfd_open(pid)
            try:
                if start_time(pid) == target["start"]:
                    signal.pidfd_send_signal(handle, signal.SIGCONT)
            finally:
                os.close(handle)
        elif start_time(pid) == target["start"]:
            os.kill(pid, signal.SIGCONT)


class Watchdog:
    """State of the watchdog.

    Parameters
    ----------
    source
        File descriptor of the commands.
    """

    def __init__(self, source: int) -> None:
        self.source = source
        self.targets: list[dict[str, Any]] = []
        self.limit_s = 1.0
        self.end_s = float("inf")
        self.grace_s = 0.0
        self.program: dict[str, Any] | None = None
        self.paused_s: float | None = None
        self.rescues = 0
        self._buffer = b""
        self._done = False

    def run(self) -> None:
        """Watch until the program ends, one way or the other."""
        while not self._done:
            ready = select.select([self.source], [], [], self._wait_s())[0]
            data = os.read(self.source, 65536) if ready else None
            if data == b"":
                self._rescue()
                return
            self._take(data or b"")
            now = time.monotonic()
            if self.paused_s is not None and now >= self.paused_s + self.limit_s:
                self._rescue()
            if now >= self.end_s + self.grace_s:
                self._rescue()
                self._end_program(now)

    def _wait_s(self) -> float | None:
        """Seconds until something is due."""
        now = time.monotonic()
        due = self.end_s + self.grace_s
        if self.paused_s is not None:
            due = min(due, self.paused_s + self.limit_s)
        if due == float("inf"):
            return None
        return max(due - now, _REPEAT_S if due < now else 0.0)

    def _take(self, data: bytes) -> None:
        """Follow the commands that have come in whole."""
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            if line == b"P":
                self.paused_s = time.monotonic() if self.paused_s is None else self.paused_s
            elif line == b"R":
                self.paused_s = None
            elif line == b"E":
                self._done = True
            elif line:
                self._set(json.loads(line))

    def _set(self, given: dict[str, Any]) -> None:
        self.targets = given["targets"]
        self.limit_s, self.end_s = given["limit_s"], given["end_s"]
        self.grace_s = given["grace_s"]
        self.program = given["program"]
        with contextlib.suppress(OSError):  # the program may have gone meanwhile
            print("ready", flush=True)  # noqa: T201 - the program waits for it

    def _rescue(self) -> None:
        """Resume everything if the program has paused anything.

        It is repeated until the program says that everything runs: a program that was itself
        stopped may send its own signals late.
        """
        if self.paused_s is None:
            return
        self.rescues += 1
        for target in self.targets:
            resume(target)

    def _end_program(self, now: float) -> None:
        """Ask the program to end after its hard end; make it end soon after."""
        if self.program is None or start_time(self.program["pid"]) != self.program["start"]:
            self._done = True
            return
        late = now >= self.end_s + 2 * self.grace_s
        with contextlib.suppress(OSError):
            os.kill(self.program["pid"], signal.SIGKILL if late else signal.SIGTERM)


def main() -> None:
    """Watch the program at the other end of the standard input."""
    for name in IGNORED:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    Watchdog(sys.stdin.fileno()).run()


if __name__ == "__main__":
    main()
