"""Run time of an application over the node count, and what happens where it was not measured."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from planner.decimals import decimal
from planner.errors import OutsideMeasuredError
from scenarios.model.run_times import LinearTime, TableTime

Outside = Literal["refuse", "clamp", "extrapolate"]
Origin = Literal["measured", "clamped", "extrapolated"]


@dataclass(frozen=True)
class RunTime:
    """A run time in seconds, in exact decimals, and where it comes from."""

    exact_s: Fraction
    origin: Origin

    @property
    def time_s(self) -> float:
        """The run time as a number."""
        return float(self.exact_s)


def run_time(model: LinearTime | TableTime, nodes: int, outside: Outside) -> RunTime:
    """Run time on ``nodes`` older nodes.

    Parameters
    ----------
    model
        Linear model or table. Between measured counts a table is joined by straight lines.
    nodes
        Node count, at least 1.
    outside
        Outside the measured range: ``refuse``, ``clamp`` (take the nearest measured count) or
        ``extrapolate`` (continue the line, of a table its last segment, while it is positive).

    Raises
    ------
    OutsideMeasuredError
        Refused, or the extrapolated time is not positive.

    References
    ----------
    Overprovisioning thesis, section 4.4.3 (linear workload scalability model {m, c}).
    """
    low, high = model.measured_nodes
    if low <= nodes <= high:
        return RunTime(_time(model, nodes), "measured")
    if outside == "refuse":
        raise OutsideMeasuredError(
            f"{nodes} nodes lie outside the measured range [{low}, {high}]; measure there, or set "
            "outside_measured to 'clamp' or 'extrapolate'"
        )
    if outside == "clamp":
        return RunTime(_time(model, min(max(nodes, low), high)), "clamped")
    time_s = _time(model, nodes)
    if time_s <= 0:
        raise OutsideMeasuredError(
            f"extrapolated to {nodes} nodes the run time would be {float(time_s):.4g} s; the "
            f"measured range ends at {high} nodes: measure there, or set outside_measured = 'clamp'"
        )
    return RunTime(time_s, "extrapolated")


@dataclass(frozen=True)
class Piece:
    """A straight piece of a run-time curve: ``slope x nodes + intercept`` from first to last."""

    first: int
    last: int
    slope: float
    intercept: float


def pieces(model: LinearTime | TableTime, outside: Outside, most_nodes: int) -> list[Piece]:
    """The curve from 1 to ``most_nodes`` nodes as straight pieces, where its run time is known.

    :func:`run_time` and the pieces agree at every node count; counts at which ``run_time``
    refuses are in no piece.
    """
    low, high = model.measured_nodes
    inner = _inner_pieces(model)
    if outside == "clamp":
        before, after = float(_time(model, low)), float(_time(model, high))
        inner = [Piece(1, low - 1, 0.0, before), *inner, Piece(high + 1, most_nodes, 0.0, after)]
    elif outside == "extrapolate":
        inner[0] = replace(inner[0], first=_first_positive(model, low))
        inner[-1] = replace(inner[-1], last=_last_positive(model, high, most_nodes))
    cut = [replace(piece, last=min(piece.last, most_nodes)) for piece in inner]
    return [piece for piece in cut if piece.first <= piece.last]


def _inner_pieces(model: LinearTime | TableTime) -> list[Piece]:
    low, high = model.measured_nodes
    if isinstance(model, LinearTime):
        return [Piece(low, high, model.slope_s_per_node, model.intercept_s)]
    if len(model.nodes) == 1:
        return [Piece(low, high, 0.0, model.time_s[0])]
    inner_pieces = []
    for index in range(len(model.nodes) - 1):
        slope, first = _segment(model, index)
        last = model.nodes[index + 1] - (index < len(model.nodes) - 2)
        intercept = decimal(model.time_s[index]) - slope * first
        inner_pieces.append(Piece(first, last, float(slope), float(intercept)))
    return inner_pieces


def _first_positive(model: LinearTime | TableTime, low: int) -> int:
    """Smallest node count at which the curve that is continued below ``low`` is positive."""
    if _time(model, 1) > 0:
        return 1
    slope = _time(model, 2) - _time(model, 1)
    return min(low, math.floor(2 - _time(model, 2) / slope) + 1)


def _last_positive(model: LinearTime | TableTime, high: int, most_nodes: int) -> int:
    """Largest node count up to ``most_nodes`` at which the continued curve is still positive."""
    zero = zero_crossing(model)
    if zero is None or zero > most_nodes:
        return max(high, most_nodes)
    last = math.ceil(zero)
    while last > high and _time(model, last) <= 0:
        last -= 1
    return last


def zero_crossing(model: LinearTime | TableTime) -> float | None:
    """Node count at which the continued curve reaches zero, if it falls."""
    if isinstance(model, TableTime):
        if len(model.nodes) == 1:
            return None
        slope, _ = _segment(model, len(model.nodes) - 2)
        if slope >= 0:
            return None
        return float(model.nodes[-1] - decimal(model.time_s[-1]) / slope)
    if model.slope_s_per_node >= 0:
        return None
    return -model.intercept_s / model.slope_s_per_node


def _time(model: LinearTime | TableTime, nodes: int) -> Fraction:
    if isinstance(model, LinearTime):
        return decimal(model.slope_s_per_node) * nodes + decimal(model.intercept_s)
    if len(model.nodes) == 1:
        return decimal(model.time_s[0])
    index = min(max(bisect_right(model.nodes, nodes) - 1, 0), len(model.nodes) - 2)
    slope, first = _segment(model, index)
    return decimal(model.time_s[index]) + slope * (nodes - first)


def _segment(table: TableTime, index: int) -> tuple[Fraction, int]:
    """Slope and first node count of one piece of the curve."""
    first, second = table.nodes[index], table.nodes[index + 1]
    rise = decimal(table.time_s[index + 1]) - decimal(table.time_s[index])
    return rise / (second - first), first
