"""From the windows of all jobs of a node to the blocks, reading cost and times of one job."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from planner.pricing.overhead import Shutter
from planner.pricing.samples import PLACEBO, Blocks, Floats, Integers, blocks_of


class Windows(Protocol):
    """What a measuring loop saw of all jobs of a node.

    Shapes: ``instructions``, ``cycles`` and ``waiting`` (cycles that a sampler saw waiting)
    ``(rounds, 3, K, jobs)``, NaN where a job was paused; ``shuttered`` and ``time_us``
    ``(rounds,)``; ``end_us`` ``(jobs,)``.
    """

    @property
    def instructions(self) -> Floats:
        """Increments of instructions."""
        ...

    @property
    def cycles(self) -> Floats:
        """Increments of cycles."""
        ...

    @property
    def waiting(self) -> Floats:
        """Increments of cycles in which a sampler saw the job wait."""
        ...

    @property
    def shuttered(self) -> Integers:
        """The job that ran alone, or -1 for a placebo round."""
        ...

    @property
    def time_us(self) -> Floats:
        """Clock at the beginning of each round [us]."""
        ...

    @property
    def end_us(self) -> Floats:
        """When each job completed its last run [us]."""
        ...


def blocks_of_windows(windows: Windows, job: int) -> Blocks:
    """Blocks of one job of a simulated node, with its sampled waiting shares.

    A sampler counts in time. So its samples are divided by the mean cycles of all windows before,
    during or after. The noisy cycles of the same window are not used: noise in both IPC and share
    would look like a dependence of one on the other.
    """
    usable = np.isfinite(windows.cycles)
    count = np.maximum(usable.sum(axis=(0, 2, 3)), 1)
    length = np.maximum(np.where(usable, windows.cycles, 0).sum(axis=(0, 2, 3)) / count, 1.0)
    return blocks_of(
        windows.instructions,
        windows.cycles,
        windows.shuttered,
        windows.time_us,
        job,
        windows.waiting.mean(axis=2) / length[:, None],
    )


def reading_share(windows: Windows, shutter: Shutter, *, crowded: bool = True) -> float:
    """Share of a window together that reading counters takes from each job.

    The clock of placebo rounds shows what reading costs: they read all jobs twice in each of three
    windows, ``K`` times, and send no signal. Where the jobs take all cores (``crowded``), the
    measuring program delays each of the ``n`` jobs with equal probability. Without placebo rounds,
    real rounds take their place: they read all jobs ``4 K`` times, one job ``2 K`` times, and send
    signals, which the paper finds to be cheap.
    """
    length = np.diff(windows.time_us)
    placebo = windows.shuttered[:-1] == PLACEBO
    jobs = windows.cycles.shape[3]
    readings = np.where(placebo, 6.0, 4.0 + 2.0 / jobs) * shutter.repeats
    extra = length - 3 * shutter.window_us - shutter.gap_us
    chosen = placebo if placebo.any() else np.ones_like(placebo)
    if not crowded or not len(length):
        return 0.0
    reading = max(0.0, float(np.median((extra / readings)[chosen])))
    return float(reading / jobs / (shutter.measure_us + reading))


def times_of(
    windows: Windows, job: int, shutter: Shutter, iterations: int
) -> tuple[float, float, float]:
    """Run time, time paused and time alone of an average run of one job [s].

    Parameters
    ----------
    iterations
        Runs until ``end_us``.
    """
    shuttered = windows.shuttered[windows.time_us < windows.end_us[job]]
    scale = 1e-6 / iterations
    alone = float((shuttered == job).sum()) * shutter.window_us
    paused = float(((shuttered != job) & (shuttered != PLACEBO)).sum())
    return (
        float(windows.end_us[job]) * scale,
        paused * shutter.paused_us * scale,
        alone * scale,
    )
