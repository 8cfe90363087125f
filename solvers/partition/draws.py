"""Random numbers for compiled loops, from a state of one word that the caller owns.

Numba's own generators take seconds to compile, and its global one has no seed to hand down.

References
----------
Vigna, ACM Trans. Math. Software 42 (2016), ``xorshift64*``.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from solvers.compiled import compiled, compiled_entry, counted_entry
from solvers.model.milp import Indices

Stream = NDArray[np.uint64]
"""State of a generator, shape ``(1,)``, never zero."""

_ROOT_HALF, _LN2 = 0.7071067811865476, 0.6931471805599453


def stream(rng: np.random.Generator) -> Stream:
    """Begin a stream of its own from a generator."""
    return rng.integers(1, 1 << 63, 1, dtype=np.uint64)


@compiled
def word(state: Stream) -> int:
    """Draw 32 bits."""
    # Shifts and factor of Vigna. The upper half is used: the lowest bits are the least random.
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return int((x * np.uint64(2685821657736338717)) >> np.uint64(32))


@compiled_entry
def below(state: Stream, count: int) -> int:
    """Draw one of ``0 .. count - 1``; counts are far below 2^32, so all are nearly as likely."""
    # Multiply and shift (Lemire 2019, without rejection): 32 bits times 31 bits fit int64.
    return (word(state) * count) >> 32


@compiled_entry
def log_of_share(state: Stream) -> float:
    """Draw the logarithm of a number from above 0 up to 1, to nine digits, alike on all processors.

    With ``s = (m - 1) / (m + 1)`` the logarithm of the mantissa ``m`` is ``2 atanh(s)``.
    """
    # One is added to the word, since the logarithm of 0 would accept every swap.
    mantissa, exponent = math.frexp((word(state) + 1.0) / 4294967296.0)
    if mantissa < _ROOT_HALF:
        mantissa, exponent = 2.0 * mantissa, exponent - 1
    s = (mantissa - 1.0) / (mantissa + 1.0)
    z = s * s
    rest = z * (1 / 3 + z * (1 / 5 + z * (1 / 7 + z * (1 / 9 + z / 11))))
    return exponent * _LN2 + 2.0 * s * (1.0 + rest)


@counted_entry
def permutation(state: Stream, count: int) -> Indices:
    """Draw an order of ``0 .. count - 1``."""
    # The shuffle of Fisher and Yates in the form of Durstenfeld (1964).
    order = np.arange(count)
    for last in range(count - 1, 0, -1):
        other = below(state, last + 1)
        order[last], order[other] = order[other], order[last]
    return order
