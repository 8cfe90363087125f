"""What overprovisioning gains over the other power regimes, and between which ends that lies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.procurement.outcome import Outcome
from planner.procurement.problem import Regime
from solvers.portable import expm1


@dataclass(frozen=True)
class Gain:
    """A gain as a fraction, and the interval in which it certainly lies."""

    low: float
    value: float
    high: float

    @property
    def sign(self) -> int:
        """1 for a certain gain, -1 for a certain loss, else 0."""
        return (self.low > 0) - (self.high < 0)


def gain(regimes: Mapping[Regime, Outcome], than: Regime) -> Gain | None:
    """What overprovisioning gains over another regime; ``None`` where either has no plan."""
    if {"overprovisioned", than} - regimes.keys():
        return None
    ours, theirs = regimes["overprovisioned"], regimes[than]
    if ours.plan is None or theirs.plan is None:
        return None
    ours_at_most = _bound(ours)
    return Gain(
        expm1(ours.plan.objective - _bound(theirs)),
        expm1(ours.plan.objective - theirs.plan.objective),
        expm1(ours_at_most - theirs.plan.objective),
    )


def _bound(outcome: Outcome) -> float:
    return math.inf if outcome.bound is None else outcome.bound


def gains_in_json(regimes: Mapping[Regime, Outcome]) -> list[dict[str, Any]]:
    """The gain over each other regime with the interval in which it certainly lies, as fractions.

    A regime without a plan has no gain, and one without a bound no upper end: ``None``.
    """
    gains = {than: gain(regimes, than) for than in regimes if than != "overprovisioned"}
    return [
        {"over": than, **{end: _finite(regime_gain, end) for end in ("low", "value", "high")}}
        for than, regime_gain in gains.items()
    ]


def _finite(regime_gain: Gain | None, end: str) -> float | None:
    value = None if regime_gain is None else float(getattr(regime_gain, end))
    return value if value is None or math.isfinite(value) else None
