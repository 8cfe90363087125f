"""The Controller: Algorithms 1 to 3 of the paper, repaired, line by line.

One round measures all jobs, pauses all but one and measures that one, measures all again, and
waits. The paper's letters: S is the length of a measurement, P the gap between rounds, K the number
of measurements in a row, A the active jobs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from planner.pricing.machine import Floats, MeasuredMachine, WaitingSampler
from planner.pricing.overhead import Shutter
from planner.pricing.samples import PLACEBO


@dataclass(frozen=True)
class Round:
    """What one round of the shutter measured.

    Attributes
    ----------
    number
        Rounds of this Controller before it.
    time_us
        The node's clock when the round began [us].
    end_us
        The same when its last measurement ended; the gap follows.
    shuttered
        The job that ran alone, or ``PLACEBO``.
    jobs
        Numbers of the active jobs.
    instructions, cycles
        Differences of the counters, ``(3, K, jobs)``; the first axis is before, during, after. NaN
        where a job was paused, had ended, or could not be read.
    waiting
        Sampled share of cycles in which the job waited in MPI, ``(3, jobs)``; NaN without a
        sampler.
    """

    number: int
    time_us: float
    end_us: float
    shuttered: int
    jobs: tuple[int, ...]
    instructions: Floats
    cycles: Floats
    waiting: Floats


def never(_round: int) -> bool:
    """No round is a placebo, as in the paper."""
    return False


class Controller:
    """Runs the shutter on a machine.

    Parameters
    ----------
    machine
        The node.
    shutter
        S, P, K and the loop; its number of jobs and base cost are not used here.
    placebo
        Whether the round with a given number pauses no job. A placebo takes no job's turn.

    Notes
    -----
    Departures from the printed algorithms: a lone job needs no shutter; j is reduced modulo |A|
    before it is used, since |A| changes; K rows of NaN per paused job keep the columns aligned.
    """

    def __init__(
        self,
        machine: MeasuredMachine,
        shutter: Shutter | None = None,
        placebo: Callable[[int], bool] = never,
    ) -> None:
        self.machine = machine
        self.shutter = Shutter() if shutter is None else shutter
        self.rounds = 0
        self._placebo = placebo
        self._turn = 0

    def active(self) -> tuple[int, ...]:
        """A: the jobs that have not ended."""
        return tuple(job for job in self.machine.jobs if not self.machine.finished(job))

    def run(self) -> Iterator[Round]:
        """Algorithm 3, until nobody is active: each round, after its measurements.

        The gap passes when the next round is wanted. So a caller may log a round, launch and end
        jobs in between.
        """
        while self.active():
            measured = self.step()
            if measured is not None:
                yield measured
            self.machine.sleep_us(self.shutter.gap_us)

    def step(self) -> Round | None:
        """Lines 3 to 7 of Algorithm 3, without the gap; ``None`` where fewer than two jobs run."""
        jobs = self.active()
        if len(jobs) < 2:
            return None
        placebo = self._placebo(self.rounds)
        index = self._turn % len(jobs)
        alone = None if placebo else jobs[index]
        began = self.machine.clock_us
        windows = [
            self._around(jobs),
            self._shutter_core(alone, jobs) if alone is not None else self._measure(jobs, jobs),
            self._around(jobs),
        ]
        if not placebo:
            self._turn = (index + 1) % len(jobs)
        self.rounds += 1
        return Round(
            self.rounds - 1,
            began,
            self.machine.clock_us,
            PLACEBO if alone is None else alone,
            jobs,
            np.stack([window[0] for window in windows]),
            np.stack([window[1] for window in windows]),
            np.stack([_share(window[2], window[1]) for window in windows]),
        )

    def _around(self, jobs: Sequence[int]) -> Floats:
        """The window before or after: all jobs at once, or one after another."""
        if not self.shutter.literal:
            return self._measure(jobs, jobs)
        parts = [self._measure([job], jobs) for job in jobs]
        return np.stack([parts[index][:, :, index] for index in range(len(jobs))], axis=2)

    def _measure(self, measured: Sequence[int], jobs: Sequence[int]) -> Floats:
        """Algorithm 1: counters over K rows, ``(3, K, jobs)``; NaN for who is not measured."""
        rows = []
        wanted = np.isin(jobs, measured)
        for _ in range(self.shutter.repeats):
            first = self._counters(jobs)
            self.machine.sleep_us(self.shutter.measure_us)
            rows.append(np.where(wanted, self._counters(jobs) - first, np.nan))
        return np.stack(rows, axis=1)

    def _shutter_core(self, alone: int, jobs: Sequence[int]) -> Floats:
        """Run algorithm 2; all jobs continue afterwards, even after an error."""
        others = [job for job in jobs if job != alone]
        with contextlib.ExitStack() as resumed:
            for job in reversed(others):
                resumed.callback(self.machine.resume, job)
            for job in others:
                self.machine.pause(job)
            return self._measure([alone], jobs)

    def _counters(self, jobs: Sequence[int]) -> Floats:
        """Instructions, cycles and waiting cycles of some jobs, ``(3, jobs)``."""
        instructions, cycles = self.machine.read()
        waiting = (
            self.machine.waiting_cycles()
            if isinstance(self.machine, WaitingSampler)
            else np.full(len(cycles), np.nan)
        )
        places = {job: index for index, job in enumerate(self.machine.jobs)}
        counters = np.full((3, len(jobs)), np.nan)
        for column, job in enumerate(jobs):
            if job in places:
                place = places[job]
                counters[:, column] = instructions[place], cycles[place], waiting[place]
        return counters


def _share(waiting: Floats, cycles: Floats) -> Floats:
    """Waiting cycles over cycles of a window's K measurements; NaN where there are no cycles."""
    total = cycles.sum(axis=0)
    share: Floats = waiting.sum(axis=0) / np.where(total > 0, total, np.nan)
    return share
