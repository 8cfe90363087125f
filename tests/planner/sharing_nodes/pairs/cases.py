"""Small pairing problems of every kind, and brute force on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from planner.sharing_nodes.pairs.problem import PairingProblem

KINDS = ("random", "alike", "sparse", "copies", "slow", "faster")


def problem_from(speed: np.ndarray, kinds: Sequence[int] | None = None) -> PairingProblem:
    """Jobs of applications whose relative speeds are given."""
    kind = np.arange(len(speed)) if kinds is None else np.array(kinds, dtype=np.int64)
    own = np.stack([np.diag(speed)] * 2, axis=1)
    return PairingProblem(tuple(f"app-{k}" for k in kind.tolist()), kind, speed, own)


def drawn(number: int, most: int = 8) -> PairingProblem:
    """One case; the kinds take turns."""
    rng = np.random.default_rng([21, number])
    which, jobs = KINDS[number % len(KINDS)], int(rng.integers(1, most + 1))
    count = max(1, jobs // 2) if which == "copies" else jobs
    speed = rng.uniform(0.4, 1.0, (count, count))
    if which == "alike":
        speed = rng.choice([0.5, 0.6, 0.75], (count, count))
    if which == "sparse":
        hole = rng.random((count, count)) < 0.5
        speed[hole | hole.T] = np.nan
    if which == "slow":
        speed = rng.uniform(0.2, 0.7, (count, count))
    if which == "faster":
        speed = rng.uniform(0.8, 1.3, (count, count))
    return problem_from(speed, rng.integers(0, count, jobs).tolist() if which == "copies" else None)


def pairings(jobs: Sequence[int]) -> Iterator[tuple[tuple[int, int], ...]]:
    """Every way to pair some of the jobs."""
    if not jobs:
        yield ()
        return
    first, *rest = jobs
    yield from pairings(rest)
    for other in rest:
        for further in pairings([job for job in rest if job != other]):
            yield ((first, other), *further)


def gain_of(problem: PairingProblem, pairs: Sequence[tuple[int, int]]) -> float:
    """From the definition; NaN where a pair was not measured."""
    return math.fsum(sum(problem.speeds(a, b)) - 1.0 for a, b in pairs)


def best_gain(problem: PairingProblem) -> float:
    """By trying all."""
    gains = (gain_of(problem, pairs) for pairs in pairings(range(problem.jobs)))
    return max(gain for gain in gains if not math.isnan(gain))
