"""Totals that can be reached at all: multiples of a step, where weights or costs have one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from solvers.compiled import compiled_entry
from solvers.model.milp import Floats, Indices
from solvers.proofs.exact import decimal

_PLACES = 4
_LARGEST = 2.0**50


@dataclass(frozen=True)
class Lattice:
    """Every total is ``(offset + step * n) / unit`` for a whole ``n``."""

    offset: int
    step: int
    unit: int

    def floor(self, value: float) -> float:
        """Largest total of at most ``value``; ``value`` itself where numbers grow too large."""
        if not abs(value) * self.unit < _LARGEST or abs(self.offset) > _LARGEST:
            return value
        if self.step == 0:
            return self.offset / self.unit if self.offset <= value * self.unit else value
        whole = math.floor(Fraction(decimal(value)) * self.unit)
        return (self.offset + (whole - self.offset) // self.step * self.step) / self.unit

    def ceil(self, value: Decimal) -> Decimal:
        """Smallest total of at least ``value``."""
        steps = 0
        if self.step:
            steps = math.ceil((Fraction(value) * self.unit - self.offset) / self.step)
        return max(value, Decimal(self.offset + steps * self.step) / self.unit)


def lattice(starts: Indices, numbers: Floats) -> Lattice | None:
    """Lattice of the sums of one number per class, or ``None`` if there is no short decimal."""
    unit = 1
    for _ in range(_PLACES):
        fits, offset, step = differences(starts, numbers, float(unit))
        if fits:
            return Lattice(offset, step, unit)
        unit *= 10
    return None


@compiled_entry
def differences(starts: Indices, numbers: Floats, unit: float) -> tuple[bool, int, int]:
    """Sum of the first of each class and divisor of all differences, in units."""
    offset, divisor = 0, 0
    for j in range(len(starts) - 1):
        first = 0
        for k in range(starts[j], starts[j + 1]):
            # Division is correctly rounded: only doubles nearest to such decimals pass the test.
            scaled = round(numbers[k] * unit)
            if abs(scaled) > 1e12 or scaled / unit != numbers[k]:
                return False, 0, 0
            whole = int(scaled)
            if k == starts[j]:
                first = whole
                offset += whole
            else:
                # Euclid: an exchange of items shifts a total by a difference, a multiple of this.
                a, b = divisor, abs(whole - first)
                while b:
                    a, b = b, a % b
                divisor = a
    return True, offset, divisor
