"""Results as JSON holds them: without noise in the last digits."""

from __future__ import annotations

import math
from typing import Any

DIGITS = 12
"""Significant digits that are written; what solvers leave behind them is noise."""


def tidy(value: Any) -> Any:
    """Round values to ``DIGITS`` significant digits, at any depth; no zero has a sign.

    Examples
    --------
    >>> tidy({"nodes": 99.99999999999999, "left": [-0.0, 3], "name": "a"})
    {'nodes': 100.0, 'left': [0.0, 3], 'name': 'a'}
    """
    if isinstance(value, dict):
        return {key: tidy(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [tidy(inner) for inner in value]
    if isinstance(value, float) and math.isfinite(value):
        return float(f"{value:.{DIGITS}g}") + 0.0
    return value
