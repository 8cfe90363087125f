"""What holds under both laws of shared cores, and what depends on the law."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from planner.sharing_nodes.tangram.border import best_border

if TYPE_CHECKING:
    from planner.sharing_nodes.tangram.result import TangramResult

BOTH = "both"
"""The name of a request for both laws."""
ALL = "all co-located"
_IO = 2


def _gains(result: TangramResult, gate: str) -> bool:
    return round(result.mean(result.strictest, gate), 3) < 1


def _beats_all(result: TangramResult) -> bool:
    means = [round(result.mean(result.strictest, gate), 3) for gate in ("Tangram", ALL)]
    return means[0] < means[1]


def _by_io(result: TangramResult) -> bool:
    border = best_border(result.runs)
    return border is not None and border.feature == _IO


STATEMENTS: dict[str, Callable[[TangramResult], bool]] = {
    "gate-gains": lambda result: _gains(result, "Tangram"),
    "all-gain": lambda result: _gains(result, ALL),
    "gate-beats-all": _beats_all,
    "gate-loses": lambda result: result.worst("Tangram") > 1,
    "one-counter": lambda result: result.border_is_best,
    "io-decides": _by_io,
    "most-gain": lambda result: 2 * int(result.runs.gains.sum()) > len(result.runs),
}
"""Statements about a system under one law; means are those of the strictest test."""


def compared(result: TangramResult) -> Iterator[dict[str, Any]]:
    """Whether each statement holds under each law."""
    if result.other is None:
        return
    for name, holds in STATEMENTS.items():
        yield {"statement": name, "first": holds(result), "second": holds(result.other)}


def gates_by_law(result: TangramResult, gates: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The mean and the worst makespan of gates in the strictest test, under each law."""
    other, test = result.other, result.strictest
    if other is None:
        return
    for gate in gates:
        yield {
            "gate": gate,
            "makespan": result.mean(test, gate),
            "worst": result.worst(gate, test),
            "other_makespan": other.mean(test, gate),
            "other_worst": other.worst(gate, test),
        }
