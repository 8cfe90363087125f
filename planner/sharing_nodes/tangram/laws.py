"""What holds under both laws of shared cores, and what depends on the law."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from planner.sharing_nodes.tangram.border import COUNTERS, IO, most_right
from planner.sharing_nodes.tangram.scores import BORDER

if TYPE_CHECKING:
    from planner.sharing_nodes.tangram.result import TangramResult

BOTH = "both"
"""The name of a request for both laws."""
ALL = "all co-located"


def _values(result: TangramResult) -> Iterator[tuple[str, str, Any]]:
    """Statement, unit and value under one law; scores are those of the strictest test."""
    test, runs = result.strictest, result.runs
    means = (result.mean(test, ALL) - 1, result.arithmetic(test, ALL) - 1)
    yield "every-pair", "change", means
    for name, gate, other in (
        ("gate-every", "Tangram", ALL),
        ("gate-logistic", "Tangram", "logistic"),
        ("rule-gate", BORDER, result.better_gate),
    ):
        yield name, "interval:change", result.paired(gate, other)
    yield "gate-worst", "factor", result.worst("Tangram")
    yield "io-right", "of:count", (most_right(runs, [IO]), len(runs))
    yield "other-right", "of:count", (most_right(runs, {*range(len(COUNTERS))} - {IO}), len(runs))
    yield "gain", "of:count", (int(runs.gains.sum()), len(runs))


def compared(result: TangramResult) -> Iterator[dict[str, Any]]:
    """The value of each statement under each law."""
    if result.other is None:
        return
    for (name, unit, first), (*_, second) in zip(
        _values(result), _values(result.other), strict=True
    ):
        if first is not None:
            yield {"statement": name, "first": first, "second": second, "unit": unit}


def gates_by_law(result: TangramResult, gates: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """Means and the worst makespan of gates in the strictest test, under each law."""
    other, test = result.other, result.strictest
    if other is None:
        return
    for gate in gates:
        yield {
            "gate": gate,
            "makespan": result.mean(test, gate),
            "arithmetic": result.arithmetic(test, gate),
            "worst": result.worst(gate, test),
            "other_makespan": other.mean(test, gate),
            "other_arithmetic": other.arithmetic(test, gate),
            "other_worst": other.worst(gate, test),
        }
