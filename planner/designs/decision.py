"""The decision between the two designs, and the changes that would reverse it."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import Any

from planner.designs.break_even import BreakEven, PayingInterval
from planner.designs.overprovisioning import (
    DesignCase,
    DesignComparison,
    compare,
    mix_speedup,
    other_speed_ratio,
)
from planner.designs.phrases import Design, decision_text, reversal_text
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
    turns_with_racks
        Whether buying whole racks at the given prices would change it; not in the JSON file.
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
    turns_with_racks: bool = False

    @property
    def narrow(self) -> bool:
        """Whether the speedup of the mix is close to 1."""
        return is_narrow(self.mix_speedup)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        del plain["turns_with_racks"]
        keys = {"headline": "sentence", "reversal_note": "caveat"}
        plain["gaining"], plain["losing"] = list(self.gaining), list(self.losing)
        return {keys.get(name, name): value for name, value in plain.items()}


NARROW = 0.02
"""A decision by less than this fraction is called narrow."""


def is_narrow(mix: float) -> bool:
    """Whether the faster design is faster by less than :data:`NARROW`."""
    return max(mix, 1 / mix) - 1 < NARROW


def decide(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    names: tuple[str, str],
) -> DesignDecision:
    """Choose by the mix's geometric mean.

    Parameters
    ----------
    cases, comparisons
        One each per application.
    names
        Titles of the high-end and the older node type.
    """
    mix = mix_speedup(comparisons)
    design: Design = "overprovisioned" if mix > 1 else "worst-case"
    other = other_speed_ratio(cases[0]).speed_ratio
    other_mix = _other_mix(cases)
    turns = other_mix is not None and (other_mix > 1) != (mix > 1)
    mix_by_racks = _mix_by_racks(cases)
    turns_by_racks = mix_by_racks is not None and (mix_by_racks > 1) != (mix > 1)
    return DesignDecision(
        design=design,
        headline=decision_text(design, comparisons, names, mix),
        reversal_note=reversal_text(
            other, narrow=is_narrow(mix), by_reading=turns, by_racks=turns_by_racks
        ),
        mix_speedup=mix,
        gaining=tuple(c.application for c in comparisons if c.beneficial),
        losing=tuple(c.application for c in comparisons if not c.beneficial),
        other_reading=other,
        other_reading_mix_speedup=other_mix,
        turns_with_reading=turns,
        turns_with_racks=turns_by_racks,
    )


def _other_mix(cases: tuple[DesignCase, ...]) -> float | None:
    """The mix's speedup under the other reading of "faster by r_p", if it has one."""
    try:
        return mix_speedup(tuple(compare(other_speed_ratio(case)) for case in cases))
    except PlanError:
        return None


def _mix_by_racks(cases: tuple[DesignCase, ...]) -> float | None:
    """The mix's speedup if nodes were bought rack by rack, where the cost ratio was given."""
    if cases[0].racks is None or cases[0].cost_ratio is None:
        return None
    try:
        return mix_speedup(tuple(compare(replace(case, cost_ratio=None)) for case in cases))
    except PlanError:
        return None


@dataclass(frozen=True)
class Turning:
    """One change that would reverse the decision for one application."""

    application: str
    change: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def turning_points(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    break_evens: tuple[BreakEven, ...],
    mix: BreakEven | None,
) -> tuple[Turning, ...]:
    """List what would reverse each decision, that of the mix first, one input at a time."""
    points = [
        (case, comparison.beneficial, even)
        for case, comparison, even in zip(cases, comparisons, break_evens, strict=True)
    ]
    if mix is not None:
        points.insert(0, (cases[0], mix_speedup(comparisons) > 1, mix))
    ratio = comparisons[0].cost_ratio
    return tuple(
        Turning(even.application, change)
        for case, beneficial, even in points
        for change in (
            *_by_performance(case, even, beneficial=beneficial),
            *_by_cost_ratio(ratio, comparisons[0], even),
            *_by_power(case, even),
        )
    )


def _by_performance(case: DesignCase, even: BreakEven, *, beneficial: bool) -> list[str]:
    fraction, now = even.performance_fraction, f"(now {case.performance_fraction:g})"
    if beneficial:
        return [f"high-end nodes faster by r_p of at least {rounded_up(fraction, 4)} {now}"]
    if fraction <= 0:
        return []
    return [f"high-end nodes faster by r_p below {rounded_down(fraction, 4)} {now}"]


def _by_cost_ratio(ratio: float, comparison: DesignComparison, even: BreakEven) -> list[str]:
    if not even.cost_ratio_pays:
        never = f"not known to be faster with up to {comparison.node_limit:,} older nodes"
        return [f"no cost ratio: {never}"]
    below, above = around(even.cost_ratio_pays, ratio, 1.0)
    now, changes = f"(now {ratio:.4g})", []
    if below is not None:
        changes.append(f"a cost ratio below {rounded_down(below, 3)} {now}")
    if above is not None:
        changes.append(f"a cost ratio of at least {rounded_up(above, 3)} {now}")
    return changes


def _by_power(case: DesignCase, even: BreakEven) -> list[str]:
    bound = case.power_bound_w
    below, above = around(even.power_bound_pays_w, bound, even.power_range_w[0])
    decimals = 0 if bound >= 100 else 3
    now, changes = f"(now {bound:,.{decimals}f} W)", []
    if below is not None:
        changes.append(f"a power bound below {rounded_down(below, decimals)} W {now}")
    if above is not None:
        changes.append(f"a power bound of at least {rounded_up(above, decimals)} W {now}")
    return changes


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
