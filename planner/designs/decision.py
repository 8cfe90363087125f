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
    """Values of one input that would reverse the decision for one application, or the mix.

    Attributes
    ----------
    parameter, side, threshold
        The changed input, and ``below`` or ``from`` which value on; rounded to the side on which
        the result is reversed.
    limit
        The other end of these values, rounded likewise; ``None`` where they have none.
    extrapolated, limit_extrapolated
        Whether run times at the threshold, and at the other end, were extrapolated.
    """

    application: str
    parameter: Parameter
    side: Literal["below", "from"]
    threshold: float
    limit: float | None = None
    extrapolated: bool = False
    limit_extrapolated: bool = False


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
    turns: list[Turning] = []
    for group, beneficial, even in points:
        inputs: tuple[tuple[Parameter, float, int, tuple[PayingInterval, ...]], ...] = (
            ("performance_fraction", cases[0].performance_fraction, 4,
             _by_performance(even, beneficial=beneficial)),
            ("cost_ratio", ratio, 3,
             even.cost_ratio_loses if beneficial else even.cost_ratio_pays),
            ("power_bound_w", bound, 0 if bound >= _WHOLE_W else 3,
             even.power_bound_loses_w if beneficial else even.power_bound_pays_w),
        )  # fmt: skip
        for parameter, now, decimals, reversing in inputs:
            turns += _turns(group, even.application, parameter, decimals, around(reversing, now))
    return tuple(turns)


Nearest = tuple[PayingInterval | None, PayingInterval | None]


def _turns(
    cases: Cases, name: str, parameter: Parameter, decimals: int, nearest: Nearest
) -> Iterator[Turning]:
    """The values of one input that reverse the result, below and above the present one."""
    scale, least = 10**decimals, _LEAST[parameter]
    for is_above, there in zip((False, True), nearest, strict=True):
        if there is None:
            continue
        first = least if there.start <= least else math.ceil(there.start * scale - _NOISE) / scale
        end = None if there.end is None else math.floor(there.end * scale + _NOISE) / scale
        if end is not None and first >= end:
            continue  # too few values to be shown
        last = end * _JUST_BELOW if end is not None else _far(parameter, first)
        guessed = tuple(
            sensitivity_row(cases, "", parameter, value).extrapolated for value in (first, last)
        )
        if is_above:
            yield Turning(name, parameter, "from", first, end, *guessed)
        elif end is not None:
            start = first if first > least else None
            yield Turning(name, parameter, "below", end, start, *guessed[::-1])


def _far(parameter: Parameter, value: float) -> float:
    """A value above which node counts change no more."""
    return _ENDLESS if parameter == "cost_ratio" else value


_NOISE = 1e-6
"""What a threshold may be off, in its last digit that is shown."""
_LEAST: dict[Parameter, float] = {
    "performance_fraction": 0.0,
    "cost_ratio": 1.0,
    "power_bound_w": 0.0,
}
"""No input is below these, so that a threshold there reverses nothing."""
_JUST_BELOW = 1 - 1e-9
_ENDLESS = 1e6
"""A cost ratio at which money buys more nodes than any power bound carries."""
_WHOLE_W = 100
"""Power bounds from here on are shown without decimals [W]."""


def _by_performance(even: BreakEven, *, beneficial: bool) -> tuple[PayingInterval, ...]:
    """Every r_p at which the result is reversed."""
    fraction = even.performance_fraction
    if beneficial:
        return (PayingInterval(fraction, None, "range"),)
    return (PayingInterval(0.0, fraction, "slower"),) if fraction > 0 else ()


def around(reversing: tuple[PayingInterval, ...], now: float) -> Nearest:
    """The nearest values below the present one, and above it, that reverse the result."""
    below = [each for each in reversing if each.end is not None and each.end <= now]
    above = [each for each in reversing if each.start > now]
    return (below[-1] if below else None), (above[0] if above else None)
