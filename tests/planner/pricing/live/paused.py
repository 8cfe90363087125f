"""A program for tests: it pauses a process under a watchdog, says so, and never resumes it.

python -m tests.planner.pricing.live.paused PID LIMIT_S END_S
"""

from __future__ import annotations

import sys
import time

from planner.pricing.live.guard import Guard
from planner.pricing.live.pausing import SignalPauser
from planner.pricing.live.processes import Process


def main(pid: int, limit_s: float, run_s: float) -> None:
    pauser = SignalPauser([Process(pid)])
    guard = Guard(limit_s, time.monotonic() + run_s, grace_s=0.1)
    guard.watch(pauser.targets())
    guard.pausing()
    pauser.pause()
    sys.stdout.write(f"{guard.pid}\n")
    sys.stdout.flush()
    time.sleep(600)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
