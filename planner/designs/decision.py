"""The decision between the two designs, and the changes that would reverse it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from typing import Any, Literal

from planner.designs.break_even import (
    BreakEven,
    Cases,
    Parameter,
    PayingInterval,
    sensitivity_row,
)
from planner.designs.overprovisioning import (
    DesignCase,
    DesignComparison,
    compare,
    mix_speedup,
    other_speed_ratio,
)
from planner.designs.phrases import Design, choice, decision_text, reversal_text
from planner.designs.racks import RackPrices
from planner.designs.readings import Reading
from planner.errors import PlanError


@dataclass(frozen=True)
class DesignDecision:
    """Which of the two designs to buy for the whole mix.

    Attributes
    ----------
    headline, reversal_note
        The decision, and which small changes reverse it (empty if none).
    mix_speedup
        Weighted geometric mean of the applications' speedups; above 1: overprovisioned.
    gaining, losing
        Applications that are faster and slower on the overprovisioned design.
    other_reading_mix_speedup
        The same under the other reading of "faster by r_p" (``None`` if it is not available).
    turns_with_reading
        Whether that would change the decision.
    readings
        Other readings of the inputs with their effects; not in the JSON file.
    """

    design: Design
    headline: str
    reversal_note: str
    mix_speedup: float
    gaining: tuple[str, ...]
    losing: tuple[str, ...]
    other_reading: str
    other_reading_mix_speedup: float | None
    turns_with_reading: bool
    readings: tuple[Reading, ...] = ()

    @property
    def narrow(self) -> bool:
        """Whether the speedup of the mix is close to 1."""
        return is_narrow(self.mix_speedup)

    @property
    def clear(self) -> bool:
        """Whether some other reading of the inputs confirms the decision, or none exists."""
        return choice(self.mix_speedup, self.readings) != "no clear winner"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        del plain["readings"]
        keys = {"headline": "sentence", "reversal_note": "caveat"}
        plain["gaining"], plain["losing"] = list(self.gaining), list(self.losing)
        return {keys.get(name, name): value for name, value in plain.items()}


NARROW = 0.02
"""A decision by less than this fraction is called narrow."""

_SAME_RATIO = 0.0005
"""Cost ratios that differ by less are shown alike."""


def is_narrow(mix: float) -> bool:
    """Whether the faster design is faster by less than :data:`NARROW`."""
    return max(mix, 1 / mix) - 1 < NARROW


def decide(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    names: tuple[str, str],
    prices: tuple[Fraction, Fraction] | None = None,
) -> DesignDecision:
    """Choose by the mix's geometric mean.

    Parameters
    ----------
    cases, comparisons
        One each per application.
    names
        Titles of the high-end and the older node type.
    prices
        Prices of one node of each type, if both are given.
    """
    mix = mix_speedup(comparisons)
    design: Design = "overprovisioned" if mix > 1 else "worst-case"
    other = other_speed_ratio(cases[0]).speed_ratio
    other_mix = _other_mix(cases)
    turns = other_mix is not None and (other_mix > 1) != (mix > 1)
    readings = _readings(cases, comparisons, prices)
    return DesignDecision(
        design=design,
        headline=decision_text(design, comparisons, names, mix, readings=readings),
        reversal_note=reversal_text(readings, cases[0], comparisons, narrow=is_narrow(mix)),
        mix_speedup=mix,
        gaining=tuple(c.application for c in comparisons if c.beneficial),
        losing=tuple(c.application for c in comparisons if not c.beneficial),
        other_reading=other,
        other_reading_mix_speedup=other_mix,
        turns_with_reading=turns,
        readings=readings,
    )


def with_reading(
    decision: DesignDecision,
    reading: Reading,
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    names: tuple[str, str],
) -> DesignDecision:
    """Return the same decision with one more reading of its inputs, and its texts renewed."""
    readings, mix = (*decision.readings, reading), decision.mix_speedup
    return replace(
        decision,
        headline=decision_text(decision.design, comparisons, names, mix, readings=readings),
        reversal_note=reversal_text(readings, cases[0], comparisons, narrow=is_narrow(mix)),
        readings=readings,
    )


def _other_mix(cases: tuple[DesignCase, ...]) -> float | None:
    """The mix's speedup under the other reading of "faster by r_p", if it has one."""
    try:
        return mix_speedup(tuple(compare(other_speed_ratio(case)) for case in cases))
    except PlanError:
        return None


def _readings(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    prices: tuple[Fraction, Fraction] | None,
) -> tuple[Reading, ...]:
    """The other readings that have an answer, each with one input changed."""
    ratio, racks = comparisons[0].cost_ratio, cases[0].racks
    readings = [_reading("faster by", tuple(map(other_speed_ratio, cases)), comparisons, None)]
    if prices is not None:
        alone = RackPrices(1, Fraction(0), *prices)
        bought = tuple(replace(case, cost_ratio=None, racks=alone) for case in cases)
        price_ratio = float(prices[0] / prices[1])
        readings.append(_reading("node prices", bought, comparisons, price_ratio))
    if racks is not None and cases[0].cost_ratio is not None:
        bought = tuple(replace(case, cost_ratio=None) for case in cases)
        readings.append(_reading("whole racks", bought, comparisons, None))
    return tuple(
        reading
        for reading in readings
        if reading is not None
        and (
            reading.kind == "faster by"
            or reading.cost_ratio is None
            or abs(reading.cost_ratio - ratio) > _SAME_RATIO
        )
    )


def _reading(
    kind: Literal["faster by", "node prices", "whole racks"],
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    cost_ratio: float | None,
) -> Reading | None:
    """Compare under another reading; ``None`` where it has no answer."""
    try:
        read = tuple(compare(case) for case in cases)
    except PlanError:
        return None
    mix = mix_speedup(read)
    return Reading(
        kind,
        read[0].cost_ratio if cost_ratio is None else cost_ratio,
        read[0].nodes_worst_case,
        read[0].nodes_overprovisioned,
        mix,
        (mix > 1) != (mix_speedup(comparisons) > 1),
        all({c.worst_case_origin, c.overprovisioned_origin} == {"measured"} for c in read),
    )


@dataclass(frozen=True)
class Turning:
    """One change that would reverse the decision for one application.

    Attributes
    ----------
    parameter, threshold
        The changed input, and from which value on; not in the JSON file.
    extrapolated
        Whether run times at the threshold were extrapolated; not in the JSON file.
    """

    application: str
    change: str
    parameter: Parameter
    threshold: str
    extrapolated: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {"application": self.application, "change": self.change}


def turning_points(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    break_evens: tuple[BreakEven, ...],
    mix: BreakEven | None,
) -> tuple[Turning, ...]:
    """List what would reverse each decision, that of the mix first, one input at a time."""
    points: list[tuple[Cases, bool, BreakEven]] = [
        ((case,), comparison.beneficial, even)
        for case, comparison, even in zip(cases, comparisons, break_evens, strict=True)
    ]
    if mix is not None:
        points.insert(0, (cases, mix_speedup(comparisons) > 1, mix))
    ratio = comparisons[0].cost_ratio
    return tuple(
        Turning(even.application, change, parameter, threshold,
                _extrapolated(group, parameter, value))
        for group, beneficial, even in points
        for change, parameter, threshold, value in (
            *_by_performance(group[0], even, beneficial=beneficial),
            *_by_cost_ratio(ratio, comparisons[0], even),
            *_by_power(group[0], even),
        )
    )  # fmt: skip


def _extrapolated(cases: Cases, parameter: Parameter, value: float | None) -> bool:
    """Return whether run times at one value of an input are extrapolated."""
    if value is None:
        return False
    return sensitivity_row(cases, "", parameter, value).extrapolated


_Change = tuple[str, Parameter, str, float | None]
"""A change as a sentence, its parameter and its threshold, as text and as a number.

A threshold for "below" is a little less than the value at which the result reverses.
"""
_JUST_BELOW = 1 - 1e-9


def _by_performance(case: DesignCase, even: BreakEven, *, beneficial: bool) -> list[_Change]:
    fraction, now = even.performance_fraction, f"(now {case.performance_fraction:g})"
    if beneficial:
        change = f"high-end nodes faster by r_p of at least {rounded_up(fraction, 4)} {now}"
        threshold = f"at least {rounded_up(100 * fraction, 2)} %"
        return [(change, "performance_fraction", threshold, fraction)]
    if fraction <= 0:
        return []
    change = f"high-end nodes faster by r_p below {rounded_down(fraction, 4)} {now}"
    below = f"below {rounded_down(100 * fraction, 2)} %"
    return [(change, "performance_fraction", below, fraction * _JUST_BELOW)]


def _by_cost_ratio(ratio: float, comparison: DesignComparison, even: BreakEven) -> list[_Change]:
    if not even.cost_ratio_pays:
        never = f"not known to be faster with up to {comparison.node_limit:,} older nodes"
        return [(f"no cost ratio: {never}", "cost_ratio", "", None)]
    below, above = around(even.cost_ratio_pays, ratio, 1.0)
    thresholds = []
    if below is not None:
        thresholds.append((f"below {rounded_down(below, 3)}", below * _JUST_BELOW))
    if above is not None:
        thresholds.append((f"at least {rounded_up(above, 3)}", above))
    return [
        (_change("a cost ratio", threshold, f"{ratio:.4g}"), "cost_ratio", threshold, value)
        for threshold, value in thresholds
    ]


def _by_power(case: DesignCase, even: BreakEven) -> list[_Change]:
    bound = case.power_bound_w
    below, above = around(even.power_bound_pays_w, bound, even.power_range_w[0])
    decimals = 0 if bound >= 100 else 3
    thresholds = []
    if below is not None:
        thresholds.append((f"below {rounded_down(below, decimals)} W", below * _JUST_BELOW))
    if above is not None:
        thresholds.append((f"at least {rounded_up(above, decimals)} W", above))
    return [
        (_change("a power bound", limit, f"{bound:,.{decimals}f} W"), "power_bound_w", limit, value)
        for limit, value in thresholds
    ]


def _change(name: str, threshold: str, now: str) -> str:
    of = "of " if threshold.startswith("at least") else ""
    return f"{name} {of}{threshold} (now {now})"


def around(
    pays: tuple[PayingInterval, ...], now: float, lowest: float
) -> tuple[float | None, float | None]:
    """Return the nearest values below which, and from which on, the decision is reversed.

    Parameters
    ----------
    pays
        Where overprovisioning is faster.
    now
        The value at hand.
    lowest
        Where looking began: an interval from there has no known beginning.

    Returns
    -------
    below, above
        It turns below the first and from the second on; ``None`` where it is not known to.
    """
    for here in pays:
        if here.start <= now and (here.end is None or now < here.end):
            above = here.end if here.ended_by == "slower" else None
            return (here.start if here.start > lowest else None), above
    ends = [i.end for i in pays if i.end is not None and i.end <= now]
    starts = [i.start for i in pays if i.start > now]
    return (ends[-1] if ends else None), (starts[0] if starts else None)


def rounded_up(threshold: float, decimals: int) -> str:
    """A threshold for "at least", rounded so that what is shown is enough."""
    scale = 10**decimals
    return f"{math.ceil(threshold * scale - 1e-6) / scale:,.{decimals}f}"


def rounded_down(threshold: float, decimals: int) -> str:
    """A threshold for "below", rounded so that what is shown is little enough."""
    scale = 10**decimals
    return f"{math.floor(threshold * scale + 1e-6) / scale:,.{decimals}f}"
