"""Where overprovisioning starts to pay, and the curves of figures 4.3 to 4.6.

Node counts are whole, so the speedup is a step function of the cost ratio and of the power
bound: both are enumerated, step by step. In r_p it is smooth and solved in closed form.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from planner.decimals import decimal
from planner.designs.overprovisioning import DesignCase, compare, mix_speedup, node_counts
from planner.designs.run_time import pieces, run_time, zero_crossing
from planner.errors import PlanError

MOST_STEPS = 500
"""Steps of a drawn curve; a larger machine's curve is sampled at as many of its steps."""

MOST_ENUMERATED = 50_000
"""Steps that a break-even point is looked for in; beyond it as many are sampled."""

MIX = "whole mix"
"""Name for the weighted geometric mean of all, used where an application's name is expected."""

Cases = tuple[DesignCase, ...]
"""One application's case, or those of a mix: same power, same money, same nodes."""

Parameter = Literal["cost_ratio", "power_bound_w", "performance_fraction"]


@dataclass(frozen=True)
class Step:
    """One step of a curve: the comparison holds for ``start <= parameter < end``.

    ``speedup`` is ``None`` where no run time is known; ``end`` of the last step is the end of
    the range that was looked at. If a curve has too many steps to draw, each step has the value at
    its middle.
    """

    start: float
    end: float
    nodes_worst_case: int | None
    nodes_overprovisioned: int | None
    speedup: float | None
    extrapolated: bool


@dataclass(frozen=True)
class PayingInterval:
    """A range of a parameter; ``end`` is ``None`` where it goes on for ever.

    ``ended_by`` says why it ends: overprovisioning is ``slower`` from there on (or pays, after a
    range in which it does not), no run time is known (``unknown``), or nothing further was looked
    at (``range``).
    """

    start: float
    end: float | None
    ended_by: Literal["slower", "unknown", "range"]


@dataclass(frozen=True)
class BreakEven:
    """Where the two designs are equally fast, one parameter at a time.

    Attributes
    ----------
    application
        Its name, or :data:`MIX`: then all speedups are weighted geometric means.
    nodes
        Smallest count of older nodes that beats the worst-case design; its cost is ignored
        (``None`` for a mix, or if there is none).
    cost_ratio
        Smallest r_c at which overprovisioning pays; ``None`` if the node limit forbids it.
    cost_ratio_pays, power_bound_pays_w
        All ranges in which it pays.
    cost_ratio_loses, power_bound_loses_w
        All ranges in which it does not; not in the JSON file.
    power_range_w
        The range of power bounds that was looked at.
    performance_fraction
        r_p at which both are equally fast: below it overprovisioning pays. Negative: never.
    zero_time_nodes
        Node count at which the continued run time would be zero.
    """

    application: str
    nodes: int | None
    cost_ratio: float | None
    cost_ratio_pays: tuple[PayingInterval, ...]
    power_bound_pays_w: tuple[PayingInterval, ...]
    power_range_w: tuple[float, float]
    performance_fraction: float
    zero_time_nodes: float | None
    cost_ratio_loses: tuple[PayingInterval, ...] = ()
    power_bound_loses_w: tuple[PayingInterval, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        del plain["cost_ratio_loses"], plain["power_bound_loses_w"]
        return plain


@dataclass(frozen=True)
class Curves:
    """The three curves of one figure, 4.3 to 4.6; ``performance`` holds (r_p, speedup)."""

    application: str
    cost_ratio: tuple[Step, ...]
    power_bound_w: tuple[Step, ...]
    performance: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class SensitivityRow:
    """One changed input, everything else as given; ``reason`` says why there is no answer."""

    application: str
    parameter: Parameter
    value: float
    nodes_worst_case: int | None
    nodes_overprovisioned: int | None
    speedup: float | None
    beneficial: bool | None
    extrapolated: bool
    reason: str = ""


@dataclass(frozen=True)
class _Point:
    """The two designs at one value of a parameter, with the speedup of the mix."""

    nodes_worst_case: int
    nodes_overprovisioned: int
    speedup: float
    extrapolated: bool


def sensitivity_row(cases: Cases, name: str, parameter: Parameter, value: float) -> SensitivityRow:
    """The comparison at one value of one input, of one application or of a mix."""
    point = _at(cases, parameter, value)
    if isinstance(point, str):
        return SensitivityRow(
            name, parameter, value, None, None, None, None, extrapolated=False, reason=point
        )
    return SensitivityRow(name, parameter, value, beneficial=point.speedup > 1, **vars(point))


def cost_ratio_steps(cases: Cases, end: float, *, limit: int = MOST_ENUMERATED) -> tuple[Step, ...]:
    """The speed-up over r_c from 1 to ``end``: one step per whole node, at most ``limit`` steps."""
    worst_case = node_counts(replace(cases[0], cost_ratio=1.0)).worst_case
    last = max(worst_case, math.floor(worst_case * decimal(end)))
    stride = (last - worst_case) // limit + 1
    edges = [Fraction(nodes, worst_case) for nodes in range(worst_case, last + 1, stride)]
    return _steps(cases, "cost_ratio", edges, decimal(end))


def power_steps(
    cases: Cases, start: float, end: float, *, limit: int = MOST_ENUMERATED
) -> tuple[Step, ...]:
    """The speedup over P_sys: a step wherever one more node of either type can be powered."""
    low, high = decimal(start), decimal(end)
    edges = {low}
    for power in (decimal(cases[0].high_end_peak_w), decimal(cases[0].older_idle_w)):
        first, last = math.floor(low / power) + 1, math.ceil(high / power)
        stride = max(1, (last - first) // limit)
        edges.update(count * power for count in range(first, last, stride))
    return _steps(cases, "power_bound_w", _thinned(sorted(edges), limit), high)


def performance_curve(case: DesignCase, fractions: tuple[float, ...]) -> list[tuple[float, float]]:
    """Compute the speedup over r_p."""
    points = [(r, _at((case,), "performance_fraction", r)) for r in fractions]
    return [(r, point.speedup) for r, point in points if isinstance(point, _Point)]


def curves(case: DesignCase) -> Curves:
    """All three curves: r_c from 1 to 2.5, P_sys from 60 to 140 %, r_p from 0 to 50 %."""
    bound = case.power_bound_w
    low = min(max(0.6 * bound, case.high_end_peak_w), bound)
    return Curves(
        case.application,
        cost_ratio_steps((case,), max(2.5, 1.2 * (case.cost_ratio or 1.0)), limit=MOST_STEPS),
        power_steps((case,), low, 1.4 * bound, limit=MOST_STEPS),
        tuple(performance_curve(case, tuple(step / 100 for step in range(51)))),
    )


def break_even(cases: Cases, name: str) -> BreakEven:
    """Find every break-even of one application, or of a mix.

    In r_p, with ``R`` the geometric mean of ``t(n_wc) / t(n_ovp)``, both on older nodes:
    ``(1 - r_p) R = 1`` gives ``r_p = 1 - 1/R``; under the other reading ``r_p = R - 1``.
    """
    comparisons = tuple(compare(case) for case in cases)
    first, case = comparisons[0], cases[0]
    bound, limit = case.power_bound_w, first.node_limit
    ratio_steps = cost_ratio_steps(cases, float(Fraction(limit + 1, first.nodes_worst_case)))
    ratio_pays = _ranges(ratio_steps, pays=True, endless=True)
    low = min(max(case.high_end_peak_w, 0.5 * bound), bound)
    high = 2.0 * bound
    power = power_steps(cases, low, high)
    gain = mix_speedup(comparisons) / case.time_factor
    zeros = [zero for case in cases if (zero := zero_crossing(case.time)) is not None]
    return BreakEven(
        application=name,
        nodes=_fewest_nodes(case, first.time_worst_case_s) if len(cases) == 1 else None,
        cost_ratio=ratio_pays[0].start if ratio_pays else None,
        cost_ratio_pays=ratio_pays,
        power_bound_pays_w=_ranges(power, pays=True, endless=False),
        power_range_w=(low, high),
        performance_fraction=1 - 1 / gain if case.speed_ratio == "1 - r_p" else gain - 1,
        zero_time_nodes=min(zeros, default=None),
        cost_ratio_loses=_ranges(ratio_steps, pays=False, endless=True),
        power_bound_loses_w=_ranges(power, pays=False, endless=False),
    )


def _fewest_nodes(case: DesignCase, to_beat_s: float) -> int | None:
    """Smallest node count faster than the worst-case design, up to a hundred fold range."""
    most_nodes = 100 * case.time.measured_nodes[1]
    for piece in pieces(case.time, case.outside, most_nodes):
        nodes = piece.first
        if piece.slope < 0:
            nodes = max(nodes, math.floor((to_beat_s - piece.intercept) / piece.slope) - 1)
        for candidate in range(nodes, min(nodes + 4, piece.last + 1)):
            if run_time(case.time, candidate, case.outside).time_s < to_beat_s:
                return candidate
    return None


def _thinned(edges: list[Fraction], limit: int) -> list[Fraction]:
    """Evenly chosen edges where there are too many to draw; the first one always."""
    if len(edges) <= limit:
        return edges
    return [edges[index * len(edges) // limit] for index in range(limit)]


def _steps(
    cases: Cases, parameter: Parameter, edges: list[Fraction], end: Fraction
) -> tuple[Step, ...]:
    steps = []
    for start, stop in zip(edges, [*edges[1:], end], strict=True):
        if start >= stop:
            continue
        middle = float((start + stop) / 2)  # any point of a step; safe from rounding at its edge
        point = _at(cases, parameter, middle)
        if isinstance(point, str):
            steps.append(Step(float(start), float(stop), None, None, None, extrapolated=False))
            continue
        steps.append(Step(float(start), float(stop), **vars(point)))
    return tuple(steps)


def _ranges(steps: tuple[Step, ...], *, pays: bool, endless: bool) -> tuple[PayingInterval, ...]:
    """Join neighbouring steps in which overprovisioning pays, or does not, into intervals."""
    joined: list[PayingInterval] = []
    for index, step in enumerate(steps):
        if step.speedup is None or (step.speedup > 1) is not pays:
            continue
        last = index == len(steps) - 1
        end = None if endless and last else step.end
        if last:
            ended_by: Literal["slower", "unknown", "range"] = "range"
        else:
            ended_by = "unknown" if steps[index + 1].speedup is None else "slower"
        if joined and joined[-1].end == step.start:
            joined[-1] = PayingInterval(joined[-1].start, end, ended_by)
        else:
            joined.append(PayingInterval(step.start, end, ended_by))
    return tuple(joined)


def _at(cases: Cases, parameter: Parameter, value: float) -> _Point | str:
    """Compare with one input changed, or say why there is no comparison."""
    changes: dict[str, Any] = {parameter: value}
    try:
        comparisons = tuple(compare(replace(case, **changes)) for case in cases)
    except PlanError as error:
        return str(error)
    speedup = comparisons[0].speedup if len(comparisons) == 1 else mix_speedup(comparisons)
    first = comparisons[0]
    return _Point(
        first.nodes_worst_case,
        first.nodes_overprovisioned,
        speedup,
        any(comparison.extrapolated for comparison in comparisons),
    )
