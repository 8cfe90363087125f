"""Blocks: what the measuring loop saw of one job, three windows at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

PLACEBO = -1
"""Instead of the job that runs alone: a round in which no job was paused."""
BEFORE, DURING, AFTER = 0, 1, 2


@dataclass(frozen=True, eq=False)
class Blocks:
    """Rounds in which a job ran alone, and placebo rounds in which no job was paused.

    Attributes
    ----------
    before, during, after
        Instructions per cycle of the windows, shape ``(blocks, K)``.
    is_placebo
        Whether no job was paused, shape ``(blocks,)``.
    time_us
        Clock at the beginning of the round, shape ``(blocks,)``.
    waiting
        Sampled share of cycles in which the job waited, in the windows before, during and after,
        shape ``(blocks, 3)``; NaN where nothing was sampled.
    dropped
        Rounds that were left out: a window is missing, its counters did not advance, or the clock
        went backwards.
    """

    before: Floats
    during: Floats
    after: Floats
    is_placebo: Flags
    time_us: Floats
    waiting: Floats
    dropped: int = 0

    def __post_init__(self) -> None:
        if not self.before.shape == self.during.shape == self.after.shape:
            raise InputError("windows before, during and after have unequal numbers of samples")

    def __len__(self) -> int:
        return len(self.before)

    @cached_property
    def means(self) -> Floats:
        """Mean IPC before, during and after, shape ``(blocks, 3)``."""
        stacked = np.stack([self.before, self.during, self.after], axis=1)
        mean: Floats = stacked.mean(axis=2)
        return mean

    @cached_property
    def real(self) -> Blocks:
        """Blocks in which the other jobs were paused."""
        return self.chosen(~self.is_placebo)

    @cached_property
    def placebo(self) -> Blocks:
        """Blocks in which no job was paused."""
        return self.chosen(self.is_placebo)

    def chosen(self, keep: NDArray[np.bool_] | NDArray[np.intp]) -> Blocks:
        """Some of the blocks."""
        return Blocks(
            self.before[keep],
            self.during[keep],
            self.after[keep],
            self.is_placebo[keep],
            self.time_us[keep],
            self.waiting[keep],
            self.dropped,
        )


def blocks_of(
    instructions: Floats,
    cycles: Floats,
    shuttered: Integers,
    time_us: Floats,
    job: int,
    waiting: Floats | None = None,
) -> Blocks:
    """Blocks of one job, out of the windows of all jobs of a node.

    A window has ``K`` samples; those that are missing or did not advance are left out. A round
    without any sample in one of its windows is dropped and counted. So is a round whose clock is
    not later than that of all rounds before it.

    Parameters
    ----------
    instructions, cycles
        Increments over each sample, NaN where the job was paused, shape ``(rounds, 3, K, jobs)``.
    shuttered
        Which job ran alone, or :data:`PLACEBO`, shape ``(rounds,)``.
    time_us
        Clock at the beginning of each round, shape ``(rounds,)``.
    job
        Position of the job.
    waiting
        Sampled waiting shares, shape ``(rounds, 3, jobs)``.
    """
    rounds = np.flatnonzero((shuttered == job) | (shuttered == PLACEBO))
    counted = instructions[rounds, :, :, job]
    clocks = cycles[rounds, :, :, job]
    usable = np.isfinite(counted) & np.isfinite(clocks) & (counted > 0) & (clocks > 0)
    latest = np.maximum.accumulate(np.concatenate([[-np.inf], time_us]))[:-1]
    whole = np.all(usable.any(axis=2), axis=1) & (time_us > latest)[rounds]
    rates = np.where(usable, counted, 0) / np.where(usable, clocks, 1)
    mean = rates.sum(axis=2) / np.maximum(usable.sum(axis=2), 1)
    filled = np.where(usable, rates, mean[:, :, None])[whole]
    shares = np.full((len(rounds), 3), np.nan) if waiting is None else waiting[rounds, :, job]
    return Blocks(
        filled[:, BEFORE],
        filled[:, DURING],
        filled[:, AFTER],
        (shuttered[rounds] == PLACEBO)[whole],
        time_us[rounds][whole].astype(np.float64),
        shares[whole],
        int(len(rounds) - whole.sum()),
    )
