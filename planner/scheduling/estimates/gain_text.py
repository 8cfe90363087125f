"""Gains in words: shares of a wait, and ratios where a share would be longer than the wait."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from planner.formatting import DASH, words

if TYPE_CHECKING:
    from planner.replications.spread import SeedSpread
    from planner.scheduling.estimates.result import EstimateResult


def times(ratio: float) -> str:
    """Return how many times as long, with two digits below 10.

    Examples
    --------
    >>> times(2.333), times(399.164)
    ('2.3', '399')
    """
    return f"{ratio:,.0f}" if ratio >= 9.95 else f"{ratio:.1f}"


def change(gain: float) -> str:
    """A gain of a wait; a loss of the whole wait or more is a ratio, never -39,816 %.

    Examples
    --------
    >>> change(0.123), change(-0.05), change(-398.164), change(-1e-9), change(float("nan"))
    ('12.3 % shorter', '5.0 % longer', '399 times as long', 'unchanged', 'unchanged')
    """
    if math.isnan(gain):
        return "unchanged"
    if gain <= -1:
        return f"{times(1 - gain)} times as long"
    much = f"{100 * abs(gain):.1f}"
    return "unchanged" if much == "0.0" else f"{much} % {'shorter' if gain > 0 else 'longer'}"


def between(spread: SeedSpread) -> str:
    """From the least gain to the most; a single text where the two read alike.

    Examples
    --------
    >>> from planner.replications.spread import spread
    >>> [between(spread(each)) for each in ((0.1, 0.2), (-3.0, 0.2), (0.1, 0.1))]
    ['10.0 % shorter to 20.0 % shorter', '4.0 times as long to 20.0 % shorter', '10.0 % shorter']
    """
    least, most = change(spread.least), change(spread.most)
    return least if least == most else f"{least} to {most}"


def with_ends(spread: SeedSpread) -> str:
    """The mean gain and its ends."""
    if change(spread.least) == change(spread.most):
        return f"{change(spread.mean)} in each" if spread.seeds > 1 else change(spread.mean)
    return f"{change(spread.mean)} ({between(spread)})"


def mean_wait(study: EstimateResult, wait: str = "mean wait") -> str:
    """Return whose wait the study reports; that of all jobs where all users are sampled."""
    return f"the {wait} of all jobs" if study.everybody_sampled else f"the sampled users' {wait}"


def in_table(gain: float) -> str:
    """A gain in a cell of a table, with its sign; a loss of the whole wait or more is a ratio.

    Examples
    --------
    >>> in_table(0.123), in_table(-0.5), in_table(-398.164), in_table(float("nan"))
    ('12.3 %', '-50.0 %', '399 x as long', '-')
    >>> in_table(-1e-9)
    '0.0 %'
    """
    if math.isnan(gain):
        return "-"
    text = f"{times(1 - gain)} x as long" if gain <= -1 else f"{100 * gain:.1f} %"
    return "0.0 %" if text == "-0.0 %" else text


def cell(spread: SeedSpread | None) -> str:
    """A mean gain with its deviation between seeds, in points or, of ratios, in times."""
    if spread is None:
        return "-"
    mean = in_table(spread.mean)
    if spread.deviation is None:
        return mean
    ratio = spread.mean <= -1
    return f"{mean} ({times(spread.deviation) if ratio else f'{100 * spread.deviation:,.1f}'})"


def seeds(study: EstimateResult) -> str:
    """Return the simulated seeds in words.

    Examples
    --------
    >>> from planner.scheduling.estimates.settings import EstimateSettings
    >>> from types import SimpleNamespace
    >>> settings = [EstimateSettings(seeds=s) for s in ((3,), (0, 1, 2), (4, 9))]
    >>> [seeds(SimpleNamespace(settings=some)) for some in settings]
    ['seed 3', 'seeds 0 to 2', 'seeds 4 and 9']
    """
    every = sorted(set(study.settings.seeds))
    if len(every) == 1:
        return f"seed {every[0]}"
    if len(every) > 2 and every == list(range(every[0], every[-1] + 1)):
        return f"seeds {every[0]} to {every[-1]}"
    return f"seeds {words([str(seed) for seed in every])}"


def deviation(spread: SeedSpread | None) -> str:
    """The deviation between seeds in percentage points; a dash of a single seed."""
    if spread is None or spread.deviation is None:
        return DASH
    if spread.deviation > 1:
        return "above 100"
    return f"{100 * spread.deviation:,.1f}"
