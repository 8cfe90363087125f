"""Exact prices from sums: what a job pays, as a share of today's price L * C * T.

Every price is computed in whole numbers, from the log alone. The log never holds the time that a
job would have taken alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from planner.pricing.accounts.schema import LogSettings
from planner.pricing.accounts.sums import PLACE

NodeSums = Sequence[int]
"""A job's sums on one node, in the order of ``COLUMNS``."""
Estimate = Callable[[NodeSums, LogSettings], Fraction]
"""Performance relative to running alone, while the node was shared."""
Policy = Callable[[Sequence[NodeSums], LogSettings], Fraction]
"""Price as a share of L * C * T, from the job's sums on each of its nodes."""


def algorithm_4(sums: NodeSums, settings: LogSettings) -> Fraction:
    """The filtered prediction; without a block that passes, what the settings say.

    References
    ----------
    POPPA, Algorithm 4.
    """
    if sums[_FILTERED] > 0:
        return Fraction(sums[_FILTERED + 1], sums[_FILTERED + 2])
    return unfiltered(sums, settings) if settings.fallback == "unfiltered" else Fraction(1)


def unfiltered(sums: NodeSums, _settings: LogSettings) -> Fraction:
    """Mean IPC in company over mean IPC alone; 1 without a block.

    References
    ----------
    POPPA, equations 7 and 8.
    """
    return Fraction(sums[_ALL + 1], sums[_ALL + 2]) if sums[_ALL] else Fraction(1)


def mean_of_ratios(sums: NodeSums, _settings: LogSettings) -> Fraction:
    """Mean over blocks of IPC in company over IPC alone; 1 without a block.

    T_solo / T_co is the time average of this ratio.
    """
    return Fraction(sums[_ALL + 6], sums[_ALL] * 1_000_000) if sums[_ALL] else Fraction(1)


def whole_time(estimate: Estimate, sums: NodeSums, settings: LogSettings) -> Fraction:
    """Performance over the whole run: 1 while the job had the node for itself.

    Time in gaps of the log counts as the rest of the run does.
    """
    shared, lone = sums[_SHARED], sums[_LONE]
    performance = estimate(sums, settings)
    if shared + lone == 0:
        return performance
    return (shared * performance + lone) / (shared + lone)


def squared(estimate: Estimate) -> Policy:
    """The oracle's price with an estimate in place of T_solo / T_co: its square.

    A job on several nodes waits for the slowest one, so the least performance counts.

    References
    ----------
    POPPA, equation 4: T_solo is performance times T_co.
    """

    def share(nodes: Sequence[NodeSums], settings: LogSettings) -> Fraction:
        performance = min((whole_time(estimate, sums, settings) for sums in nodes), default=_ONE)
        return performance * performance

    return share


def state_of_practice(_nodes: Sequence[NodeSums], _settings: LogSettings) -> Fraction:
    """No discount, whatever happened.

    References
    ----------
    POPPA, equation 1.
    """
    return _ONE


_ONE = Fraction(1)
_SHARED, _LONE = PLACE["shared_us"], PLACE["lone_us"]
_FILTERED, _ALL = PLACE["shutter_filtered_count"], PLACE["shutter_all_count"]
POLICIES: Mapping[str, Policy] = {
    "state-of-practice": state_of_practice,
    "algorithm-4": squared(algorithm_4),
    "unfiltered": squared(unfiltered),
    "mean-of-ratios": squared(mean_of_ratios),
}
