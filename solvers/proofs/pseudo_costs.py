"""Which column to branch on: the one whose two children are expected to raise the bound most.

References
----------
Achterberg, Koch and Martin, *Branching rules revisited*, Operations Research Letters 33 (2005):
pseudo-costs and the product of both expected gains.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from solvers.model.milp import Floats

_INTEGRAL = 1e-6
_LEAST_GAIN = 1e-9


class PseudoCosts:
    """Gains of the bound per unit that a column moved, down and up; a choice proves nothing."""

    def __init__(self, columns: int) -> None:
        self._gains = np.zeros((2, columns))
        self._counts = np.zeros((2, columns), dtype=np.int64)
        self._all = [0.0, 0.0]
        self._many = [0, 0]

    def learn(self, column: int, up: bool, distance: float, gain: float) -> None:  # noqa: FBT001
        """Take in by how much a child's bound is above its parent's."""
        if distance <= _INTEGRAL or not math.isfinite(gain):
            return
        rate, side = max(gain, 0.0) / distance, int(up)
        self._gains[side, column] += rate
        self._counts[side, column] += 1
        self._all[side] += rate
        self._many[side] += 1

    def choose(self, x: Floats, free: NDArray[np.bool_]) -> int | None:
        """The fractional column with the largest product of expected gains; ``None`` without one.

        A column that was never branched on counts as the mean of all; before the first, the column
        farthest from a whole number is chosen.
        """
        whole = np.floor(x)
        above = np.where(free, x - whole, 0.0)
        fractional = np.minimum(above, 1.0 - above) > _INTEGRAL
        if not fractional.any():
            return None
        scores = np.ones(len(x))
        for side, distance in ((0, above), (1, 1.0 - above)):
            # Over the mean of all, so that the unit of the objective does not matter.
            mean = self._all[side] / max(self._many[side], 1) or 1.0
            counts = self._counts[side]
            rates = np.where(counts > 0, self._gains[side] / np.maximum(counts, 1) / mean, 1.0)
            scores *= np.maximum(rates * distance, _LEAST_GAIN)
        return int(np.where(fractional, scores, -1.0).argmax())
