"""The live program on given processes, for tests that kill it; time stands for instructions.

python -m tests.planner.pricing.live.measuring LOG PID...
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from planner.pricing.accounts.units import SU
from planner.pricing.execution import QueuedJob
from planner.pricing.live import linux
from planner.pricing.live.linux import Target
from planner.pricing.live.run import LiveJob, LiveSettings, run_live
from planner.pricing.overhead import Shutter


class Clock:
    """Counts time instead of instructions, where no job needs to compute."""

    meaning = "time"

    def __init__(self, _pids: Sequence[int]) -> None:
        pass

    def read(self) -> tuple[float, float]:
        now = float(time.monotonic_ns())
        return now, now

    def close(self) -> None:
        pass


def job(name: str, *command: str, cores: int = 1, user: str = "ann") -> QueuedJob:
    return QueuedJob(name, user, cores, 16, SU, command=command)


def main(log: Path, pids: Sequence[int]) -> None:
    setattr(linux, "PmuCounters", Clock)  # noqa: B010 - a test's counters
    jobs = tuple(LiveJob(job(f"j{pid}"), Target((pid,))) for pid in pids)
    # Sums are written after each round, so that kills fall into transactions, too.
    run_live(LiveSettings(log, jobs, 600.0, Shutter(3_000, 1_000), flush_s=0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), [int(pid) for pid in sys.argv[2:]])
