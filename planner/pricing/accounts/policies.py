"""Prices from the log: what a job pays, as an exact share of today's price L * C * T.

The log never holds the time that a job would have taken alone, and no policy needs it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from planner.pricing.accounts.schema import LogSettings
from planner.pricing.accounts.sums import PLACE
from planner.pricing.estimators.estimator import Observation, SpeedEstimator
from planner.pricing.estimators.placebo import PlaceboCorrected
from planner.pricing.estimators.spin import SpinCorrected
from planner.pricing.estimators.symmetric import SymmetricFilter
from planner.pricing.samples import Blocks

NodeSums = Sequence[int]
"""A job's sums on one node, in the order of ``COLUMNS``."""


@dataclass(frozen=True)
class EndedJob:
    """A job that has ended, with everything that its price depends on.

    Attributes
    ----------
    job, name, user
        Number in the log, name, and who pays.
    cores
        C.
    rate
        L [micro-SU per core-hour].
    policy
        Name of its policy.
    time_us
        T_co, from start to end [us].
    nodes
        Sums on each of its nodes.
    blocks
        Its raw samples on a node, by the node's place in ``nodes``; raises ``InputError`` where
        the log holds sums only.
    """

    job: int
    name: str
    user: str
    cores: int
    rate: int
    policy: str
    time_us: int
    nodes: tuple[NodeSums, ...]
    blocks: Callable[[int], Blocks]


Estimate = Callable[[NodeSums, LogSettings], Fraction]
"""Performance relative to running alone, while the node was shared."""
Policy = Callable[[EndedJob, LogSettings], Fraction]
"""Price as a share of L * C * T."""


def algorithm_4(sums: NodeSums, settings: LogSettings) -> Fraction:
    """The filtered prediction; without a block that passes, what the settings say.

    References
    ----------
    POPPA, Algorithm 4.
    """
    if sums[_FILTERED] > 0:
        return Fraction(sums[_FILTERED + 1], sums[_FILTERED + 2])
    fallback = settings.filter.fallback
    return unfiltered(sums, settings) if fallback == "unfiltered" else Fraction(1)


def unfiltered(sums: NodeSums, _settings: LogSettings) -> Fraction:
    """Mean IPC in company over mean IPC alone; 1 without a block.

    References
    ----------
    POPPA, equations 7 and 8.
    """
    return Fraction(sums[_ALL + 1], sums[_ALL + 2]) if sums[_ALL] else Fraction(1)


def block_ratios(sums: NodeSums, _settings: LogSettings) -> Fraction:
    """Mean over blocks of IPC in company over IPC alone; 1 without a block.

    See Also
    --------
    planner.pricing.estimators.block_ratios : the same from samples, with an interval.
    """
    return Fraction(sums[_ALL + 6], sums[_ALL] * 1_000_000) if sums[_ALL] else Fraction(1)


def steady(sums: NodeSums, settings: LogSettings) -> Fraction:
    """Mean ratio over blocks whose sides differ little, without the bias of its denominators.

    Placebo blocks give the mean ratio of windows that are alike; without any, the sides of the
    blocks themselves do.
    """
    if sums[_STEADY] == 0:
        return block_ratios(sums, settings)
    alike = _STEADY_PLACEBO if sums[_STEADY_PLACEBO] else _STEADY
    return Fraction(sums[_STEADY + 6] * sums[alike], sums[_STEADY] * sums[alike + 8])


def whole_time(estimate: Estimate, sums: NodeSums, settings: LogSettings) -> Fraction:
    """Performance over the whole run: 1 while the job had the node for itself.

    Time in gaps of the log counts as the rest of the run does.
    """
    shared, lone = sums[PLACE["shared_us"]], sums[PLACE["lone_us"]]
    performance = estimate(sums, settings)
    if lone == 0:
        return performance
    whole = shared * performance.numerator + lone * performance.denominator
    return Fraction(whole, (shared + lone) * performance.denominator)


def squared(estimate: Estimate) -> Policy:
    """The oracle's price with an estimate in place of T_solo / T_co: its square.

    A job on several nodes waits for the slowest one, so the least performance counts.

    References
    ----------
    POPPA, equation 4: T_solo is performance times T_co.
    """

    def share(job: EndedJob, settings: LogSettings) -> Fraction:
        performance = min((whole_time(estimate, sums, settings) for sums in job.nodes), default=_1)
        return performance * performance

    return share


def sampled(estimator: SpeedEstimator, *, remove_bias: bool = True) -> Policy:
    """The price by any estimator, from raw samples.

    Parameters
    ----------
    estimator
        Sees the blocks of one job on one node.
    remove_bias
        Whether the variance of the estimate, which squaring adds to the price, is taken off.

    Returns
    -------
    Policy
        For ``settle`` and ``replay``.
    """

    def share(job: EndedJob, _settings: LogSettings) -> Fraction:
        found = []
        for place, sums in enumerate(job.nodes):
            shared = _shared(sums)
            if shared == 0:
                found.append((_1, _1))
                continue
            estimate = estimator.estimate(Observation(job.blocks(place)))
            performance = Fraction(estimate.perf) * shared + 1 - shared
            off = estimate.variance if remove_bias and math.isfinite(estimate.variance) else 0.0
            price = performance * performance - Fraction(off) * shared * shared
            found.append((performance, max(price, Fraction(0))))
        return min(found, default=(_1, _1))[1]

    return share


def state_of_practice(_job: EndedJob, _settings: LogSettings) -> Fraction:
    """No discount, in any case.

    References
    ----------
    POPPA, equation 1.
    """
    return _1


def _shared(sums: NodeSums) -> Fraction:
    """Share of the logged time in which other jobs were on the node; 1 where none is logged."""
    shared, lone = sums[PLACE["shared_us"]], sums[PLACE["lone_us"]]
    return Fraction(shared, shared + lone) if shared + lone else _1


_1 = Fraction(1)
_FILTERED, _ALL = PLACE["shutter_filtered_count"], PLACE["shutter_all_count"]
_STEADY, _STEADY_PLACEBO = PLACE["shutter_steady_count"], PLACE["placebo_steady_count"]
POLICIES: Mapping[str, Policy] = {
    "state-of-practice": state_of_practice,
    "poppa": squared(algorithm_4),
    "unfiltered": squared(unfiltered),
    "block-ratios": squared(block_ratios),
    "steady": squared(steady),
    "symmetric": sampled(SymmetricFilter()),
    "placebo": sampled(PlaceboCorrected()),
    "spin": sampled(SpinCorrected()),
}
"""Policies by name. A site may give further ones. A policy that changes needs a new name: the
replay computes what a name means now."""
FROM_RAW = ("symmetric", "placebo", "spin")
"""Those that need raw samples, not sums alone."""
