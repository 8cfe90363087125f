"""Published numbers compared with ours, and whether they agree within rounding."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from planner.decimals import decimal
from planner.designs.overprovisioning import DesignComparison, mix_speedup
from planner.designs.readings import Reading
from planner.errors import PlanError
from scenarios.model.scenario import Printed


@dataclass(frozen=True)
class PrintedDesignRow:
    """One printed number compared with ours.

    Attributes
    ----------
    agrees
        Whether they differ by no more than the printed rounding.
    """

    quantity: str
    printed: float
    ours: float
    difference: float
    tolerance: float
    agrees: bool
    source: str
    note: str


def compare_printed(
    printed: tuple[Printed, ...], results: dict[str, Any]
) -> tuple[PrintedDesignRow, ...]:
    """Look every printed quantity up in the results.

    Raises
    ------
    PlanError
        A quantity that no result has; the message lists the nearest.
    """
    computed = dict(_quantities(results, ""))
    rows = []
    for number, entry in enumerate(printed, start=1):
        if entry.quantity not in computed:
            close = difflib.get_close_matches(entry.quantity, computed, n=3, cutoff=0.4)
            hint = f"nearest: {', '.join(close)}" if close else "plan.json has all names"
            raise PlanError(
                f"printed[{number}].quantity = {entry.quantity!r} is not a result; {hint}"
            )
        ours = computed[entry.quantity]
        off = abs(decimal(ours) - decimal(entry.value))
        rows.append(
            PrintedDesignRow(
                entry.quantity,
                entry.value,
                ours,
                ours - entry.value,
                entry.tolerance,
                off <= decimal(entry.tolerance) + decimal(1e-9) * abs(decimal(entry.value)),
                entry.source,
                entry.note,
            )
        )
    return tuple(rows)


def published_reading(
    printed: tuple[PrintedDesignRow, ...], comparisons: tuple[DesignComparison, ...]
) -> Reading | None:
    """The decision by the published speedups; ``None`` unless every application has a good one."""
    values = {row.quantity: row.printed for row in printed}
    speedups = [values.get(f"overprovisioning.{c.application}.speedup", 0.0) for c in comparisons]
    if not comparisons or min(speedups) <= 0:
        return None
    mix = mix_speedup(
        tuple(replace(c, speedup=s) for c, s in zip(comparisons, speedups, strict=True))
    )
    reverses = (mix > 1) != (mix_speedup(comparisons) > 1)
    count = comparisons[0].nodes_worst_case
    return Reading("published", None, count, None, mix, reverses, measured=None)


def _quantities(value: Any, path: str) -> Iterator[tuple[str, float]]:
    """Every number of a nested result with its dotted path; lists go by application or index."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int | float):
        yield path, float(value)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _quantities(inner, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            name = inner.get("application", index) if isinstance(inner, dict) else index
            yield from _quantities(inner, f"{path}.{name}")
