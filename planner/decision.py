"""The decision in one sentence, and how easily it would turn."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal

from planner.break_even import BreakEven
from planner.errors import PlanError
from planner.overprovisioning import (
    Comparison,
    DesignCase,
    compare,
    mix_speedup,
    other_speed_ratio,
)

Design = Literal["worst-case", "overprovisioned"]


@dataclass(frozen=True)
class Decision:
    """Which of the two designs to buy for the whole mix.

    Attributes
    ----------
    mix_speedup
        Weighted geometric mean of the applications' speedups; above 1: overprovisioned.
    gaining, losing
        Applications that are faster and slower on the overprovisioned design.
    other_reading_mix_speedup
        The same under the other reading of "faster by r_p" (``None`` if it cannot be had).
    turns_with_reading
        Whether that would change the decision.
    """

    design: Design
    sentence: str
    mix_speedup: float
    gaining: tuple[str, ...]
    losing: tuple[str, ...]
    other_reading: str
    other_reading_mix_speedup: float | None
    turns_with_reading: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        plain = asdict(self)
        plain["gaining"], plain["losing"] = list(self.gaining), list(self.losing)
        return plain


def decide(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[Comparison, ...],
    names: tuple[str, str],
) -> Decision:
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
    other = [other_speed_ratio(case) for case in cases]
    try:
        other_mix: float | None = mix_speedup(tuple(compare(case) for case in other))
    except PlanError:
        other_mix = None
    gaining = tuple(c.application for c in comparisons if c.beneficial)
    losing = tuple(c.application for c in comparisons if not c.beneficial)
    return Decision(
        design=design,
        sentence=_sentence(design, comparisons, names, mix),
        mix_speedup=mix,
        gaining=gaining,
        losing=losing,
        other_reading=other[0].speed_ratio,
        other_reading_mix_speedup=other_mix,
        turns_with_reading=other_mix is not None and (other_mix > 1) != (mix > 1),
    )


def _sentence(
    design: Design, comparisons: tuple[Comparison, ...], names: tuple[str, str], mix: float
) -> str:
    first = comparisons[0]
    high_end = f"{first.nodes_worst_case} x {names[0]}"
    older = f"{first.nodes_overprovisioned} x {names[1]}"
    bought, left = (older, high_end) if design == "overprovisioned" else (high_end, older)
    faster = max(mix, 1 / mix) - 1
    if len(comparisons) == 1:
        mixture = f"{first.application} runs"
    else:
        mixture = f"the mix of {len(comparisons)} applications runs"
    text = f"Buy {bought} rather than {left}: {mixture} {percent(faster)} faster"
    if len(comparisons) > 1:
        text += " (geometric mean)"
        exceptions = [c for c in comparisons if c.beneficial != (design == "overprovisioned")]
        if exceptions:
            listed = _join([f"{c.application} ({percent(_gain(c))})" for c in exceptions])
            text += f", although {listed} would gain from the other design"
    return text + "."


def _gain(comparison: Comparison) -> float:
    return max(comparison.speedup, 1 / comparison.speedup) - 1


def percent(fraction: float) -> str:
    """A fraction in per cent with a sensible number of digits.

    Examples
    --------
    >>> percent(0.00466), percent(0.221)
    ('0.5 %', '22 %')
    """
    return f"{100 * fraction:.0f} %" if fraction >= 0.0995 else f"{100 * fraction:.1f} %"


def _join(words: list[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


@dataclass(frozen=True)
class Turning:
    """One change that would turn the verdict for one application."""

    application: str
    change: str

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def turning_points(
    cases: tuple[DesignCase, ...],
    comparisons: tuple[Comparison, ...],
    break_evens: tuple[BreakEven, ...],
) -> tuple[Turning, ...]:
    """What would change each application's verdict, one input at a time."""
    return tuple(
        Turning(case.application, change)
        for case, comparison, even in zip(cases, comparisons, break_evens, strict=True)
        for change in _changes(case, comparison, even)
    )


def _changes(case: DesignCase, comparison: Comparison, even: BreakEven) -> list[str]:
    fraction, now = even.performance_fraction, case.performance_fraction
    ratio = f"(now {comparison.cost_ratio:.4g})"
    if comparison.beneficial:
        changes = [f"high-end nodes faster by r_p of at least {fraction:.4f} (now {now:g})"]
        here = [i for i in even.cost_ratio_pays if i.start <= comparison.cost_ratio]
        if here and here[-1].start > 1:
            changes.append(f"a cost ratio below {_up(here[-1].start)} {ratio}")
        return changes
    changes = []
    if fraction > 0:
        changes.append(f"high-end nodes faster by r_p below {fraction:.4f} (now {now:g})")
    above = [i.start for i in even.cost_ratio_pays if i.start > comparison.cost_ratio]
    if above:
        changes.append(f"a cost ratio of at least {_up(above[0])} {ratio}")
    else:
        changes.append("no cost ratio: the power bound limits the older nodes first")
    return changes


def _up(ratio: float) -> str:
    """A threshold rounded up, so that the shown value is on the right side of it."""
    return f"{math.ceil(ratio * 1000 - 1e-6) / 1000:.3f}"
