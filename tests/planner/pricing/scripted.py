"""A machine for tests whose every number can be worked out by hand.

Each job runs at its IPC alone times ``share`` while another job runs. A microsecond has 1,000
cycles. Every call is written down.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from planner.pricing.execution import QueuedJob
from planner.pricing.machine import Floats

CYCLES_PER_US = 1000.0


@dataclass
class ScriptedJob:
    ipc: float = 1.0
    share: float = 0.8
    work_us: float = float("inf")
    paused: bool = False
    counters: Floats = field(default_factory=lambda: np.zeros(2))

    @property
    def runs(self) -> bool:
        return not self.paused and self.work_us > 0


class ScriptedMachine:
    """Meets ``Machine`` and ``Host``; ``script`` gives the job of a queued name."""

    def __init__(
        self,
        *jobs: ScriptedJob,
        script: Callable[[str], ScriptedJob] | None = None,
        cores: int = 16,
    ) -> None:
        self._jobs = dict(enumerate(jobs))
        self._next = len(jobs)
        self._script = script
        self.cores = cores
        self.clock_us = 0.0
        self.calls: list[str] = []

    @property
    def jobs(self) -> Sequence[int]:
        return tuple(self._jobs)

    def job(self, number: int) -> ScriptedJob:
        return self._jobs[number]

    def arrive(self, job: ScriptedJob) -> int:
        self._jobs[self._next] = job
        self._next += 1
        return self._next - 1

    def launch(self, job: QueuedJob) -> int:
        assert self._script is not None
        self.calls.append(f"launch {job.name}")
        return self.arrive(self._script(job.name))

    def release(self, job: int) -> None:
        self.calls.append(f"release {job}")
        del self._jobs[job]

    def finished(self, job: int) -> bool:
        return self._jobs[job].work_us <= 0

    def pause(self, job: int) -> None:
        self.calls.append(f"pause {job}")
        self._jobs[job].paused = True

    def resume(self, job: int) -> None:
        self.calls.append(f"resume {job}")
        self._jobs[job].paused = False

    def sleep_us(self, us: float) -> None:
        self.calls.append(f"sleep {us:g}")
        running = [job for job in self._jobs.values() if job.runs]
        for job in running:
            step = min(us, job.work_us)
            speed = job.ipc * (job.share if len(running) > 1 else 1.0)
            job.counters += CYCLES_PER_US * step * np.array([speed, 1.0])
            job.work_us -= step
        self.clock_us += us

    def read(self) -> tuple[Floats, Floats]:
        self.calls.append("read")
        result = np.array([job.counters for job in self._jobs.values()]).reshape(-1, 2)
        return result[:, 0].copy(), result[:, 1].copy()
