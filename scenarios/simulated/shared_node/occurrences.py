"""What an occurrence of a phase is like: the same in every run of a job, paused or not.

Two uniform numbers per occurrence come from the job's seed and the number of the occurrence, not
from a stream. So a job does the same work alone, with others, and under a shutter.

References
----------
The finaliser is that of splitmix64: Steele, Lea, Flood (2014), "Fast splittable pseudorandom number
generators".
"""

from __future__ import annotations

import numpy as np

from solvers.compiled import compiled

_U_STEP, _U_FIRST = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)
_U_SECOND = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)
_UNIT = 2.0**-53


@compiled
def uniform(seed: np.uint64, number: np.uint64) -> float:
    """Return a number in [0, 1) that belongs to a seed and a position."""
    z = seed + (number + np.uint64(1)) * _U_STEP
    z = (z ^ (z >> _U30)) * _U_FIRST
    z = (z ^ (z >> _U27)) * _U_SECOND
    return float((z ^ (z >> _U31)) >> _U11) * _UNIT


def seeds_of(seed: int, jobs: int) -> list[int]:
    """Seeds of the jobs of a node.

    Examples
    --------
    >>> seeds_of(0, 3)[:2] == seeds_of(0, 2)
    True
    """
    return [
        int(np.random.SeedSequence((seed, job)).generate_state(1, np.uint64)[0])
        for job in range(jobs)
    ]
