"""What a monitor of two jobs on the same cores sees in their first seconds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Watched:
    """Counters of two jobs in rounds of three windows: together, one job alone, together.

    Attributes
    ----------
    watch_s, window_s
        Length of the watch and of a window [s]. The other job is paused for one window per round.
    instructions, cycles
        Increments over each window, NaN where the job was paused, shape ``(rounds, 3, 1, 2)``.
        Cycles are those of the window's time, on a core or not: a job that shares its cores also
        waits for them.
    waiting
        Sampled share of a window's cycles in which ranks waited in MPI, shape ``(rounds, 3, 2)``.
    shuttered
        The job that ran alone in each round, 0 or 1.
    time_us
        Clock at the beginning of each round [us].
    """

    watch_s: float
    window_s: float
    instructions: Floats
    cycles: Floats
    waiting: Floats
    shuttered: NDArray[np.int64]
    time_us: Floats

    @property
    def paused_s(self) -> float:
        """Time for which one of the jobs is paused, over the whole watch [s]."""
        return self.window_s * len(self.shuttered)
