"""What claims share: numbers that two ways of computing must agree on, and what is always said."""

from __future__ import annotations

import math
from typing import Any


def same(one: float | None, other: float | None) -> bool:
    """Whether two values are equal but for rounding, or both unknown."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def always(_case: Any) -> bool:
    """The claim of a kind without a condition: every study states it, which its check asserts."""
    return True
