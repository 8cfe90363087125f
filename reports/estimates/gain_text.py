"""Gains, seeds and tools as people read them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from planner.formatting import DASH, given, percent, plural
from planner.replications.spread import SeedSpread
from planner.scheduling.estimates.gain_text import mean_wait, seeds, times
from planner.scheduling.estimates.result import Measure
from planner.scheduling.estimates.study import EstimateStudy

BOOK = "estimate.xlsx"
NOUNS: dict[Measure, str] = {"mean_s": "mean wait", "max_s": "longest wait"}


def number_or_none(value: float | None) -> float | None:
    """A number, or ``None`` where there is none or it is NaN."""
    return None if value is None or math.isnan(value) else value


def exact_gain(study: EstimateStudy) -> float:
    """Return what exact estimates for all gain all jobs; NaN where nobody waits without them."""
    return study.gain_of(study.exact)


def change(gain: float | None, shorter: str = "shorter", longer: str = "longer") -> str:
    """A gain without a sign that could be overlooked.

    Examples
    --------
    >>> change(0.123), change(-0.05), change(0.0), change(-46.9), change(None)
    ('12 % shorter', '5.0 % longer', 'no different', '48 times as long', 'not known')
    """
    gain = number_or_none(gain)
    if gain is None:
        return "not known"
    if gain <= -1:
        return f"{times(1 - gain)} times as long"
    much = percent(abs(gain))
    return "no different" if much == "0 %" else f"{much} {shorter if gain > 0 else longer}"


def makes(gain: float | None, subject: str = "it", *, many: bool = False) -> str:
    """Return what somebody does to a queue time.

    Examples
    --------
    >>> makes(0.12, "the wait"), makes(0.0, many=True), makes(-3.0, many=True)
    ('makes the wait 12 % shorter', 'leave it as it is', 'make it 4.0 times as long')
    """
    text = change(gain)
    if text == "no different":
        return f"leave{'' if many else 's'} {subject} as it is"
    return f"make{'' if many else 's'} {subject} {text}"


def between(gains: Sequence[float]) -> str:
    """From the least gain to the most.

    Examples
    --------
    >>> between([0.2, 0.1]), between([-0.02, 0.1]), between([0.1])
    ('10 % to 20 % shorter', '2.0 % longer to 10 % shorter', '10 % shorter')
    """
    low, high = change(min(gains)), change(max(gains))
    if low == high:
        return low
    for ending in (" shorter", " longer"):
        if low.endswith(ending) and high.endswith(ending):
            return f"{low.removesuffix(ending)} to {high}"
    return f"{low} to {high}"


def in_table(gain: float | None) -> str:
    """A gain in a cell of a table, with its sign; a huge loss as a ratio.

    Examples
    --------
    >>> in_table(0.123), in_table(-0.99), in_table(-1.33), in_table(-46.9)
    ('+12 %', '−99 %', '2.3 × as long', '48 × as long')
    """  # noqa: RUF002 - a minus and a times sign
    gain = number_or_none(gain)
    if gain is None:
        return DASH
    return percent(gain, signed=True) if gain > -1 else f"{times(1 - gain)} × as long"  # noqa: RUF001


def ends(spread: SeedSpread | None) -> str:
    """Least and most over seeds, for a table."""
    if spread is None or spread.seeds < 2:
        return DASH
    low, high = in_table(spread.least), in_table(spread.most)
    if low == high:
        return low
    times = " × as long"  # noqa: RUF001
    return f"{low.removesuffix(times) if high.endswith(times) else low} to {high}"


def ranges(gains: Sequence[str], spreads: Sequence[SeedSpread | None]) -> list[str]:
    """Least and most over seeds for each row of a table; dashes if they tell nothing more."""
    texts = [ends(spread) for spread in spreads]
    same = all(text in (DASH, gain) for text, gain in zip(texts, gains, strict=True))
    return [DASH for _ in texts] if same else texts


def over(study: EstimateStudy) -> str:
    """Say over how many seeds a mean is taken, or name the only seed; nothing where none matters.

    The text begins with a comma.
    """
    many = len(set(study.settings.seeds))
    if study.one_user:
        return ""
    return f", on average over {plural(many, 'seed')}" if many > 1 else f", for {seeds(study)}"


def compared(study: EstimateStudy) -> str:
    """Return what the tool is compared with."""
    if study.everybody_sampled:
        return "compared with no tool"
    return "compared with the same users without the tool"


def whose(study: EstimateStudy, measure: Measure) -> str:
    """Return whose queue time it is: that of the sampled users, or of all jobs."""
    return mean_wait(study, NOUNS[measure])


def bound(error: float) -> str:
    """A largest error in words.

    Examples
    --------
    >>> bound(0.0), bound(0.25)
    ('exact estimates', 'estimates within 25 %')
    """
    return "exact estimates" if error == 0 else f"estimates within {given(error)}"


def signs(text: str) -> str:
    """Minus signs for hyphens before numbers, and none before nothing.

    Examples
    --------
    >>> signs("by -3.7 % (-13 to -0.0, run-time)")
    'by −3.7 % (−13 to 0.0, run-time)'
    """  # noqa: RUF002 - a minus sign
    plain = re.sub(r"(?<![\w-])-(?=0\.0+(?!\d))", "", text)
    return re.sub(r"(?<![\w-])-(?=\d)", "−", plain)  # noqa: RUF001
