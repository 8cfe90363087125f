"""Results as JSON and sheets hold them: without noise in the last digits, rows without nesting."""

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


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """One row without nesting: inner tables by dotted name, lists as text.

    Examples
    --------
    >>> flat({"plan": {"purchases": [{"name": "a", "vendor": "V", "nodes": 139, "cap_w": None}]}})
    {'plan.purchases': '139 x a (V)'}
    """
    flat_row: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat_row |= {
                f"{key}.{inner}": inner_value for inner, inner_value in flat(value).items()
            }
        elif isinstance(value, list | tuple):
            flat_row[key] = "; ".join(_text(inner_value) for inner_value in value)
        else:
            flat_row[key] = value
    return flat_row


def _text(value: Any) -> str:
    """Write one entry of a list: a number of something, a range with its name, or its parts."""
    if isinstance(value, list | tuple):
        if len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], int):
            return f"{value[1]} x {value[0]}"
        return " ".join(_text(part) for part in value)
    if not isinstance(value, dict):
        return f"{value:,}" if isinstance(value, int | float) else str(value)
    if {"name", "nodes"} <= value.keys():
        vendor = f" ({value['vendor']})" if value.get("vendor") else ""
        cap = f" at {value['cap_w']:g} W" if value.get("cap_w") else ""
        return f"{value['nodes']} x {value['name']}{vendor}{cap}"
    if {"from", "to", "name"} <= value.keys():
        return f"{value['name']} from {value['from']:.6g} to {value['to']:.6g}"
    if {"rule", "words"} <= value.keys():
        return str(value["words"])
    if value.keys() == {"resource", "amount"}:
        return f"{value['resource']} +{value['amount']:.12g}"
    return ", ".join(f"{key} {part}" for key, part in value.items() if part is not None)
