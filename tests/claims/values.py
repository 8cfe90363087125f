"""Numbers that two ways of computing must agree on."""

from __future__ import annotations

import math


def same(one: float | None, other: float | None) -> bool:
    """Whether two values are equal but for rounding, or both unknown."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
