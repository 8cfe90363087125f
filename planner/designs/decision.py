"""The decision between the two designs, and the changes that would reverse it."""

from __future__ import annotations

import math
from collections.abc import Iterator
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
from planner.designs.racks import RackPrices
from planner.designs.readings import Reading
from planner.errors import PlanError

Design = Literal["worst-case", "overprovisioned"]
Choice = Literal["buy", "nearly equal", "no clear winner"]


@dataclass(frozen=True)
class DesignDecision:
    """Which of the two designs to buy for the whole mix.

    Attributes
    ----------
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
    mix_speedup: float
    gaining: tuple[str, ...]
    losing: tuple[str, ...]
    other_reading: str
    other_reading_mix_speedup: float | None
    turns_with_reading: bool
    readings: tuple[Reading, ...] = ()

    @property
    def ratio(self) -> float:
        """How much faster the faster design is: at least 1."""
        return max(self.mix_speedup, 1 / self.mix_speedup)

    @property
    def equal(self) -> bool:
        """Whether both designs are equally fast in the digits that are shown."""
        return round(self.ratio, 3) == 1

    @property
    def narrow(self) -> bool:
        """Whether the faster design is faster by less than :data:`NARROW`."""
        return self.ratio - 1 < NARROW

    @property
    def reversing(self) -> tuple[Reading, ...]:
        """The readings that reverse the decision."""
        return tuple(reading for reading in self.readings if reading.reverses)

    @property
    def choice(self) -> Choice:
        """How clear the decision is, given other readings of the inputs."""
        if len(self.readings) > 1 and self.reversing == self.readings:
            return "no clear winner"
        close = self.ratio - 1 < NEARLY_EQUAL and self.reversing
        return "nearly equal" if close else "buy"

    @property
    def clear(self) -> bool:
        """Whether some other reading of the inputs confirms the decision, or none exists."""
        return self.choice != "no clear winner"

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        del plain["readings"]
        return plain | {"gaining": list(self.gaining), "losing": list(self.losing)}


NARROW = 0.02
"""A decision by less than this fraction is called narrow."""

NEARLY_EQUAL = 0.01
"""A decision by less than this fraction that another reading reverses is not a clear decision."""

_SAME_RATIO = 0.0005
"""Cost ratios that differ by less are shown alike."""


def decide(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[DesignComparison, ...],
    prices: tuple[Fraction, Fraction] | None = None,
) -> DesignDecision:
    """Choose by the mix's geometric mean.

    Parameters
    ----------
    cases, comparisons
        One each per application.
    prices
        Prices of one node of each type, if both are given.
    """
    mix, other_mix = mix_speedup(comparisons), _other_mix(cases)
    return DesignDecision(
        design="overprovisioned" if mix > 1 else "worst-case",
        mix_speedup=mix,
        gaining=tuple(c.application for c in comparisons if c.beneficial),
        losing=tuple(c.application for c in comparisons if not c.beneficial),
        other_reading=other_speed_ratio(cases[0]).speed_ratio,
        other_reading_mix_speedup=other_mix,
        turns_with_reading=other_mix is not None and (other_mix > 1) != (mix > 1),
        readings=_readings(cases, comparisons, prices),
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
    readings = []
    other = tuple(map(other_speed_ratio, cases))
    if other[0].exact_time_factor != cases[0].exact_time_factor:
        readings.append(_reading("faster by", other, comparisons, None))
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
    """One change of one input that would reverse the decision for one application, or the mix.

    Attributes
    ----------
    parameter, side, threshold
        The changed input, and ``below`` or ``from`` which value on; rounded to the side on which
        the result is reversed.
    extrapolated
        Whether run times at the threshold were extrapolated.
    """

    application: str
    parameter: Parameter
    side: Literal["below", "from"]
    threshold: float
    extrapolated: bool = False

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
    points: list[tuple[Cases, bool, BreakEven]] = [
        ((case,), comparison.beneficial, even)
        for case, comparison, even in zip(cases, comparisons, break_evens, strict=True)
    ]
    if mix is not None:
        points.insert(0, (cases, mix_speedup(comparisons) > 1, mix))
    ratio, bound = comparisons[0].cost_ratio, cases[0].power_bound_w
    return tuple(
        turn
        for group, beneficial, even in points
        for parameter, decimals, (below, start) in (
            _of("performance_fraction", 4, _by_performance(even, beneficial=beneficial)),
            _of("cost_ratio", 3, around(even.cost_ratio_pays, ratio, 1.0)),
            _of("power_bound_w", 0 if bound >= _WHOLE_W else 3,
                around(even.power_bound_pays_w, bound, even.power_range_w[0])),
        )
        for turn in _turns(group, even.application, parameter, decimals, below, start)
    )  # fmt: skip


_Thresholds = tuple[float | None, float | None]


def _of(
    parameter: Parameter, decimals: int, values: _Thresholds
) -> tuple[Parameter, int, _Thresholds]:
    """A parameter with the decimals of its thresholds and with these: below, and from."""
    return parameter, decimals, values


def _turns(
    cases: Cases,
    name: str,
    parameter: Parameter,
    decimals: int,
    below: float | None,
    start: float | None,
) -> Iterator[Turning]:
    """The thresholds of one input."""
    scale = 10**decimals
    if below is not None:
        shown = math.floor(below * scale + _NOISE) / scale
        if shown > _LEAST[parameter]:
            outside = sensitivity_row(cases, "", parameter, below * _JUST_BELOW).extrapolated
            yield Turning(name, parameter, "below", shown, outside)
    if start is not None:
        outside = sensitivity_row(cases, "", parameter, start).extrapolated
        shown = math.ceil(start * scale - _NOISE) / scale
        yield Turning(name, parameter, "from", shown, outside)


_NOISE = 1e-6
"""What a threshold may be off, in its last digit that is shown."""
_LEAST: dict[Parameter, float] = {
    "performance_fraction": 0.0,
    "cost_ratio": 1.0,
    "power_bound_w": 0.0,
}
"""No input is below these, so that a threshold there reverses nothing."""
_JUST_BELOW = 1 - 1e-9
_WHOLE_W = 100
"""Power bounds from here on are shown without decimals [W]."""


def _by_performance(even: BreakEven, *, beneficial: bool) -> _Thresholds:
    """Below which r_p, or from which on, the result is reversed."""
    fraction = even.performance_fraction
    if beneficial:
        return None, fraction
    return (fraction if fraction > 0 else None), None


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
