"""The shared node, in literal Python: what a measuring program meets.

The compiled loop of `play` must give the same numbers. Any Controller can drive this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scenarios.simulated.shared_node.applications import SharedApplication
from scenarios.simulated.shared_node.demand import Floats, InterferenceLaw
from scenarios.simulated.shared_node.law import CacheAndBandwidth
from scenarios.simulated.shared_node.occurrences import seeds_of
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.tables import constants_of, table_of, width_of

_NOTHING = 1e-9
"""Share of the cache that is not worth a fetch."""
_MASK = (1 << 64) - 1


def uniform(seed: int, number: int) -> float:
    """Return the number in [0, 1) of a seed and a position, by splitmix64."""
    z = (seed + (number + 1) * 0x9E3779B97F4A7C15) & _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return float((z ^ (z >> 31)) >> 11) * 2.0**-53


@dataclass
class _Job:
    """One job: where it is, how fast it goes, and its counters.

    Rates are per microsecond of time: progress in microseconds alone, instructions and waiting in
    those of one rank per cycle.
    """

    application: SharedApplication
    seed: int
    stride: int
    phase: int = 0
    occurrence: int = 0
    done: int = 0
    runs: int = 0
    left_us: float = 0.0
    waiting_share: float = 0.0
    paused: bool = False
    finished: bool = False
    resident: float = 0.0
    equilibrium: float = 0.0
    fetch_left: float = 0.0
    fetches: bool = False
    rate: float = 0.0
    instruction_rate: float = 0.0
    waiting_rate: float = 0.0
    fetch_rate: float = 0.0
    instructions: float = 0.0
    cycles: float = 0.0
    waiting: float = 0.0
    progress_us: float = 0.0
    end_us: float = float("nan")

    @property
    def runs_now(self) -> bool:
        return not self.paused and not self.finished

    def begin_occurrence(self) -> None:
        """Draw the length and the waiting share of the phase that begins."""
        own = self.application
        first = uniform(self.seed, 2 * self.occurrence)
        second = uniform(self.seed, 2 * self.occurrence + 1)
        spread = 1.0 + own.length_spread * (2.0 * first - 1.0)
        self.left_us = 1e3 * own.phases[self.phase].solo_ms * spread
        self.waiting_share = own.waiting_share * (1.0 + own.waiting_spread * (2.0 * second - 1.0))


class SharedNode:
    """A node on which two to four jobs run, one is paused at will, and counters are read.

    Parameters
    ----------
    applications
        One job of each, in this order; the same application may appear again.
    settings, law
        The node, and the law of interference.
    seed
        Seed of the noise and of the occurrences of phases.
    job_seeds
        Seeds of the occurrences of each job's phases, instead of those that follow from ``seed``.
    """

    def __init__(
        self,
        applications: Sequence[SharedApplication],
        settings: NodeSettings | None = None,
        law: InterferenceLaw | None = None,
        seed: int = 0,
        job_seeds: Sequence[int] | None = None,
    ) -> None:
        settings = NodeSettings() if settings is None else settings
        law = CacheAndBandwidth() if law is None else law
        self._constants = constants_of(settings, len(applications), law)
        self._width = width_of(settings, len(applications))
        self._scale = law.bandwidth_scale
        self._table = table_of(tuple(applications), law, self._width)
        self._rng = np.random.default_rng(seed)
        self._jobs: list[_Job] = []
        stride = 1
        seeds = seeds_of(seed, len(applications)) if job_seeds is None else job_seeds
        for application, own in zip(applications, seeds, strict=True):
            self._jobs.append(_Job(application, own, stride))
            stride *= len(application.phases) + 1
        self._clock_us = 0.0
        self._fetched = 0.0
        self._free = 1.0
        self._combination = 0
        self._reported = np.zeros((3, len(applications)))
        self._last = np.zeros((3, len(applications)))
        for job in self._jobs:
            job.begin_occurrence()
            job.resident = 1.0
        self._running_changed()

    @property
    def jobs(self) -> Sequence[int]:
        """Numbers of the jobs, from 0."""
        return range(len(self._jobs))

    @property
    def clock_us(self) -> float:
        """Time since the beginning [us]."""
        return self._clock_us

    def finished(self, job: int) -> bool:
        """Whether a job has left; if jobs restart, whether all have completed their iterations."""
        if self._constants.restart:
            return all(job.runs >= self._constants.iterations for job in self._jobs)
        return self._jobs[job].finished

    def iterations(self, job: int) -> int:
        """Runs that a job has completed."""
        return self._jobs[job].runs

    def end_us(self, job: int) -> float:
        """When a job completed its last required run [us]; NaN before."""
        return self._jobs[job].end_us

    def progress_us(self, job: int) -> float:
        """Work that a job has done, in time alone at the reference width [us]; for scoring."""
        return self._jobs[job].progress_us

    def pause(self, job: int) -> None:
        """Stop a job; the signals take time, at whose end it stops."""
        self._advance(self._constants.signal_us, measuring=True)
        if not self._jobs[job].paused:
            self._evict()
            self._jobs[job].paused = True
            self._running_changed()

    def resume(self, job: int) -> None:
        """Let a job continue; the signals take time, at whose end it continues."""
        self._advance(self._constants.signal_us, measuring=True)
        if self._jobs[job].paused:
            self._evict()
            self._jobs[job].paused = False
            self._running_changed()

    def sleep_us(self, us: float) -> None:
        """Let time pass.

        Raises
        ------
        ValueError
            Less than 0 us, or no number.
        """
        if not 0 <= us < float("inf"):
            raise ValueError(f"us = {us}; give 0 or more")
        self._advance(us, measuring=False)

    def read(self) -> tuple[Floats, Floats]:
        """Instructions and cycles of each job so far, over its ranks, with noise.

        What was counted since the last reading is multiplied by a factor around 1. So the noise of
        a window does not depend on its length.
        """
        running = sum(job.runs_now for job in self._jobs)
        self._advance(self._constants.read_us * running, measuring=True)
        constants = self._constants
        for index, job in enumerate(self._jobs):
            draws = [float(self._rng.standard_normal()) for _ in range(3)]
            cycles = job.cycles - self._last[1, index]
            self._reported[0, index] += (job.instructions - self._last[0, index]) * (
                1.0 + constants.noise * draws[0]
            )
            self._reported[1, index] += cycles * (1.0 + constants.noise * draws[1])
            waiting = (job.waiting - self._last[2, index]) + (
                constants.sampler_noise * draws[2]
            ) * cycles
            self._reported[2, index] += min(max(waiting, 0.0), cycles)
            self._last[:, index] = job.instructions, job.cycles, job.waiting
        return self._reported[0].copy(), self._reported[1].copy()

    def waiting_cycles(self) -> Floats:
        """Cycles in which ranks waited in MPI, at the last reading, as a sampler saw them."""
        return np.array(self._reported[2])

    def _advance(self, us: float, *, measuring: bool) -> None:
        """Let time pass until ``us`` are over, from event to event."""
        remaining_us = us
        while remaining_us > 0.0:
            speed = self._speed(measuring=measuring)
            step = remaining_us
            for job in self._jobs:
                if job.runs_now:
                    step = min(step, job.left_us / (job.rate * speed))
                    if job.fetch_left > 0.0:
                        step = min(step, job.fetch_left / (job.fetch_rate * speed))
            self._pass(step, speed)
            remaining_us = remaining_us - step if step < remaining_us else 0.0
            self._events()

    def _speed(self, *, measuring: bool) -> float:
        """Part of its speed that a job keeps while the measuring program works."""
        running = sum(job.runs_now for job in self._jobs)
        if measuring and self._constants.crowded and running == len(self._jobs):
            return 1.0 - 1.0 / running
        return 1.0

    def _pass(self, step: float, speed: float) -> None:
        """Count what happens in a step without an event inside."""
        self._clock_us += step
        per_us = self._constants.cycles_per_us
        for index, job in enumerate(self._jobs):
            if not job.runs_now:
                continue
            own = step * speed
            idle = step - own
            until = job.left_us / (job.rate * speed)
            job.left_us = 0.0 if until <= step else job.left_us - job.rate * own
            job.progress_us += job.rate * own
            job.instructions += per_us * (
                job.instruction_rate * own + job.application.polling_ipc * idle
            )
            job.waiting += per_us * (job.waiting_rate * own + idle)
            job.cycles += per_us * step
            traffic = float(self._table[self._combination, index]["traffic"])
            self._fetched += traffic * (own * self._constants.fills_per_us)
            if job.fetch_left > 0.0:
                until = job.fetch_left / (job.fetch_rate * speed)
                got = job.fetch_left if until <= step else job.fetch_rate * own
                job.fetch_left -= got
                job.resident += got

    def _events(self) -> None:
        """Begin the next phases, and end jobs, where a phase is over."""
        moved = ended = False
        for job in self._jobs:
            if job.runs_now and job.left_us <= 0.0:
                ended = self._next_phase(job, ended=ended)
                moved = True
            elif job.runs_now and job.fetches and job.fetch_left <= 0.0:
                moved = True
        if ended:
            self._evict()
            self._running_changed()
        elif moved:
            self._refresh(set_changed=False)

    def _next_phase(self, job: _Job, *, ended: bool) -> bool:
        """Go on to the next phase; whether a job has left the node."""
        job.occurrence += 1
        job.done += 1
        job.phase = (job.phase + 1) % len(job.application.phases)
        if job.done == job.application.cycles * len(job.application.phases):
            job.done = 0
            job.runs += 1
            if job.runs == self._constants.iterations:
                job.end_us = self._clock_us
                if not self._constants.restart:
                    job.finished = True
                    job.resident = 0.0
                    return True
        job.begin_occurrence()
        return ended

    def _evict(self) -> None:
        """Take from paused jobs what running jobs have fetched beyond the free lines."""
        held = 0.0
        for job in self._jobs:
            if job.paused:
                held += job.resident
        lost = min(max(self._fetched - self._free, 0.0), held)
        if lost > 0.0:
            for job in self._jobs:
                if job.paused:
                    job.resident *= 1.0 - lost / held

    def _running_changed(self) -> None:
        """Find the new combination after a job was paused, continued or left."""
        self._refresh(set_changed=True)
        self._fetched = 0.0
        held = 0.0
        for job in self._jobs:
            held += job.resident
        self._free = max(0.0, 1.0 - held)

    def _refresh(self, *, set_changed: bool) -> None:
        """Look up the law for the present phases, and set the rates of all jobs."""
        self._combination = 0
        for job in self._jobs:
            if job.runs_now:
                self._combination += job.stride * (job.phase + 1)
        for index, job in enumerate(self._jobs):
            if job.runs_now:
                self._set_rates(index, job, set_changed=set_changed)

    def _set_rates(self, index: int, job: _Job, *, set_changed: bool) -> None:
        """Rates of one job, from the stretch of its computing part."""
        constants = self._constants
        answer = self._table[self._combination, index]
        phase = job.application.phases[job.phase]
        stretch = float(answer["stretch"])
        job.equilibrium = float(answer["resident"])
        may_fetch = job.fetch_left > 0.0 or (set_changed and constants.refill)
        missing = max(job.equilibrium - job.resident, 0.0) if may_fetch else 0.0
        job.fetches = missing > _NOTHING and phase.bandwidth_share > 0.0
        job.fetch_left = missing if job.fetches else 0.0
        misses = 1.0
        if job.fetches:
            whole = self._width * min(phase.llc_share, 1.0)
            middle = float(np.sqrt(whole / (0.5 * (job.resident + job.equilibrium))))
            end = float(np.sqrt(whole / job.equilibrium))
            latency = float(answer["latency"])
            stretch += phase.stall_share * (constants.miss_scale * (middle - end) * latency)
            misses = 1.0 + constants.miss_scale * (middle - 1.0)
        else:
            job.resident = job.equilibrium
        transfer = job.waiting_share * (1.0 - job.application.imbalance_share)
        time = (1.0 - transfer) * stretch + transfer
        average = stretch
        if stretch > 1.0:
            average = 1.0 + (1.0 - constants.uneven) * (stretch - 1.0)
        waits = time - (1.0 - job.waiting_share) * average
        job.rate = 1.0 / time
        job.waiting_rate = job.rate * waits
        job.instruction_rate = job.rate * (
            (1.0 - job.waiting_share) * phase.ipc + job.application.polling_ipc * waits
        )
        job.fetch_rate = (self._width * self._scale * phase.bandwidth_share) * misses
        job.fetch_rate *= job.rate * constants.fills_per_us
