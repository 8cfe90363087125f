"""How synthetic applications are sampled: independent streams, and log-uniform numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from solvers.portable import exp, log

T = TypeVar("T")


def sampled(
    count: int, seed: int, sample: Callable[[str, np.random.Generator], T]
) -> tuple[T, ...]:
    """Sample things called ``synthetic-01``, ...; those of a smaller count begin a larger one.

    Parameters
    ----------
    count
        Number of things; 0 or more.
    seed
        Seed of all draws.
    sample
        One thing from its name and its own generator of random numbers.

    Raises
    ------
    ValueError
        A negative count.
    """
    if count < 0:
        raise ValueError(f"count = {count}; give 0 or more")
    streams = np.random.SeedSequence(seed).spawn(count)
    return tuple(
        sample(f"synthetic-{number:02}", np.random.default_rng(stream))
        for number, stream in enumerate(streams, 1)
    )


def log_uniform(rng: np.random.Generator, low: float, high: float) -> float:
    """Sample a number whose logarithm is uniform between those of two positive limits.

    Examples
    --------
    >>> 2.0 <= log_uniform(np.random.default_rng(1), 2.0, 3.0) <= 3.0
    True
    """
    return float(exp(rng.uniform(log(low), log(high))))
