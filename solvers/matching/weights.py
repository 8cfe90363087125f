"""Weights of pairs of vertices as whole numbers, and what that rounding can hide."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from solvers.model.milp import Floats, Indices

Whole = NDArray[np.int64]

_BITS = 44
"""Bits of the largest weight: duals of a few times its size stay far below 2^63."""


@dataclass(frozen=True, eq=False)
class Weights:
    """A graph whose vertices are to be paired.

    Attributes
    ----------
    weight
        Symmetric, shape ``(vertices, vertices)``; a pair of weight 0 or less is never chosen, so 0
        also stands for a pair that may not be. The diagonal does not count.
    """

    weight: Floats

    def __post_init__(self) -> None:
        weight = self.weight
        if weight.ndim != 2 or weight.shape[0] != weight.shape[1]:
            raise ValueError(f"weights of shape {weight.shape}; give a square matrix")
        if not np.isfinite(weight).all():
            raise ValueError("a weight is not finite; give 0 for a pair that may not be")
        if not np.array_equal(weight, weight.T):
            raise ValueError("weights are not symmetric; a pair has one weight")

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.weight)

    @cached_property
    def largest(self) -> float:
        """Largest weight off the diagonal, 0 if none is above."""
        if self.vertices < 2:
            return 0.0
        inside = ~np.eye(self.vertices, dtype=np.bool_)
        return max(0.0, float(self.weight.max(initial=0.0, where=inside)))

    @cached_property
    def exponent(self) -> int:
        """Whole weights are weights times 2 to this power, rounded to even numbers."""
        return _BITS - math.frexp(self.largest)[1] if self.largest else 0

    @cached_property
    def whole(self) -> Whole:
        """Rounded weights, even, at least 0; 0 on the diagonal. Shape as ``weight``."""
        scaled = self.whole_of(self.weight)
        np.fill_diagonal(scaled, 0)
        return scaled

    def whole_of(self, weight: Floats) -> Whole:
        """Other weights in the same unit, rounded alike."""
        halves = np.ldexp(np.maximum(weight, 0.0), self.exponent - 1)
        return np.asarray(2 * np.rint(halves).astype(np.int64))

    def pair_weight(self, pairs: Indices) -> float:
        """Sum of the true weights of pairs, shape ``(pairs, 2)``."""
        return math.fsum(self.weight[pairs[:, 0], pairs[:, 1]].tolist())

    @property
    def rounding(self) -> float:
        """By how much the true weight of any matching can exceed that of its whole weights."""
        if not self.largest:
            return 0.0
        return (self.vertices // 2) * math.ldexp(1.0, -self.exponent)

    def from_whole(self, doubled: int) -> float:
        """Twice a sum of whole weights, in the unit of the weights, rounded up."""
        return math.nextafter(math.ldexp(doubled, -self.exponent - 1), math.inf)
