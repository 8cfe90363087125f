"""The Controller: Algorithms 1 to 3 of the paper, repaired, line by line.

One round measures all jobs, pauses all but one and measures that one, measures all again, and
waits. The letters are those of the paper: S is the length of a measurement, P the gap between
rounds, K the number of measurements in a row, A the active jobs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from planner.errors import InputError
from planner.pricing.machine import Floats, Machine

BEFORE, DURING, AFTER = range(3)
PLACEBO = -1
"""In place of a job's number: a shutter that pauses nobody."""


@dataclass(frozen=True)
class Shutter:
    """Settings of the shutter.

    Attributes
    ----------
    length_us
        S, the length of one measurement [us]; the paper chooses 3,200.
    gap_us
        P, the time between two rounds [us]; the paper's value is 200,000.
    measurements
        K, measurements in a row; 1, since the paper does not give its value.
    loop
        ``parallel``: all jobs are measured in the same window, as equation 9 counts. ``literal``:
        one job after another before and after, as the paper's algorithm is printed.
    """

    length_us: float = 3200.0
    gap_us: float = 200_000.0
    measurements: int = 1
    loop: Literal["parallel", "literal"] = "parallel"

    def __post_init__(self) -> None:
        """Refuse lengths and counts that no shutter can have."""
        if not 0 < self.length_us < np.inf:
            raise InputError(f"length_us = {self.length_us} is no length; give more than 0 us")
        if not 0 <= self.gap_us < np.inf:
            raise InputError(f"gap_us = {self.gap_us} is no gap; give 0 us or more")
        if self.measurements < 1:
            message = f"measurements = {self.measurements} is below 1; measure at least once"
            raise InputError(message)
        if self.loop not in {"parallel", "literal"}:
            raise InputError(f"loop = {self.loop!r} is unknown; give parallel or literal")

    def round_us(self, jobs: int) -> float:
        """Length of one round [us]: 3KS + P, and (2n + 1)KS + P in the literal loop.

        Examples
        --------
        >>> Shutter().round_us(2), Shutter(loop="literal").round_us(2)
        (209600.0, 216000.0)
        """
        windows = 3 if self.loop == "parallel" else 2 * jobs + 1
        return windows * self.measurements * self.length_us + self.gap_us


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
    """

    number: int
    time_us: float
    end_us: float
    shuttered: int
    jobs: tuple[int, ...]
    instructions: Floats
    cycles: Floats


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
        S, P, K and the loop.
    placebo
        Whether the round of a number pauses nobody. A placebo takes no job's turn.

    Notes
    -----
    Departures from the printed algorithms: a lone job needs no shutter; j is reduced modulo |A|
    before it is used, since |A| changes; K rows of NaN per paused job keep the columns aligned.
    """

    def __init__(
        self,
        machine: Machine,
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
        place = self._turn % len(jobs)
        alone = None if placebo else jobs[place]
        began = self.machine.clock_us
        windows = [
            self._around(jobs),
            self._shutter_core(alone, jobs) if alone is not None else self._measure(jobs, jobs),
            self._around(jobs),
        ]
        if not placebo:
            self._turn = (place + 1) % len(jobs)
        self.rounds += 1
        return Round(
            self.rounds - 1,
            began,
            self.machine.clock_us,
            PLACEBO if alone is None else alone,
            jobs,
            np.stack([instructions for instructions, _ in windows]),
            np.stack([cycles for _, cycles in windows]),
        )

    def _around(self, jobs: Sequence[int]) -> tuple[Floats, Floats]:
        """The window before or after: all jobs at once, or one after another."""
        if self.shutter.loop == "parallel":
            return self._measure(jobs, jobs)
        parts = [self._measure([job], jobs) for job in jobs]
        columns = range(len(jobs))
        return (
            np.stack([parts[column][0][:, column] for column in columns], axis=1),
            np.stack([parts[column][1][:, column] for column in columns], axis=1),
        )

    def _measure(self, measured: Sequence[int], jobs: Sequence[int]) -> tuple[Floats, Floats]:
        """Algorithm 1: K rows for ``jobs``, NaN for those that are not measured."""
        rows = []
        wanted = np.isin(jobs, measured)
        for _ in range(self.shutter.measurements):
            first = self._counters(jobs)
            self.machine.sleep_us(self.shutter.length_us)
            rows.append(np.where(wanted, self._counters(jobs) - first, np.nan))
        both = np.stack(rows)
        return both[:, 0], both[:, 1]

    def _shutter_core(self, alone: int, jobs: Sequence[int]) -> tuple[Floats, Floats]:
        """Algorithm 2; whatever happens, everybody continues."""
        others = [job for job in jobs if job != alone]
        try:
            for job in others:
                self.machine.pause(job)
            return self._measure([alone], jobs)
        finally:
            for job in others:
                self.machine.resume(job)

    def _counters(self, jobs: Sequence[int]) -> Floats:
        """Instructions and cycles of some jobs, ``(2, jobs)``."""
        instructions, cycles = self.machine.read()
        places = {job: place for place, job in enumerate(self.machine.jobs)}
        found = np.full((2, len(jobs)), np.nan)
        for column, job in enumerate(jobs):
            if job in places:
                found[:, column] = instructions[places[job]], cycles[places[job]]
        return found
