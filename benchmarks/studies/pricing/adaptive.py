r"""Adaptive shutters: young and noisy jobs are measured more, until the price is precise enough.

Rule
    At age ``t`` the next gap is ``max(P_0, rate t)``: it grows with the age of the job.
Weights
    Each block stands for the time since the block before it. So the estimate is a mean over time
    for any gaps. A job that changes its behaviour late is still measured late.
Rate
    With gaps ``rate t`` the weights ``rate t / T`` give the variance ``s^2 rate / 2``, whenever the
    job ends. The price is known to within ``target`` at the level of ``z`` if
    ``2 z s sqrt(rate / 2) <= target perf``, so ``rate = (target perf / (z s))^2 / 2``. The variance
    of a block ``s^2`` and ``perf`` are those of the blocks so far: noisy jobs get shorter gaps.
Cost
    A job of run time ``T`` has about ``(1 + ln(T rate / P_0)) / rate`` blocks instead of
    ``T / P_0``: overhead falls nearly as ``1 / T``.

``python -m benchmarks.studies.pricing.adaptive`` prints the table of
docs/evidence/pricing-estimators.md. Simulated: stationary blocks of a job that keeps 90 % of its
speed, with noise of 6 %.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.formatting import duration
from planner.pricing.estimate import FEWEST, LEVEL, Estimate, unknown
from planner.pricing.overhead import Shutter, dilation
from planner.replications.student import t_quantile

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]

RUNS_S = (60.0, 600.0, 3_600.0, 36_000.0)
"""Run times of the table."""
PERF, NOISE = 0.9, 0.06
"""Normalised performance of its jobs, and noise of a block relative to it."""


@dataclass(frozen=True)
class AdaptiveRule:
    """When a job is measured again.

    Attributes
    ----------
    target
        Half-width of the interval of the price, relative to it.
    least_gap_us
        ``P_0``: gap while the job is young.
    first
        Blocks before any gap grows.
    level
        Confidence of the interval.
    """

    target: float = 0.03
    least_gap_us: float = 200_000.0
    first: int = 8
    level: float = LEVEL

    def __post_init__(self) -> None:
        if not 0 < self.target < 1:
            raise InputError(f"the target is {self.target:g}; give a share, such as 0.03")
        if self.least_gap_us <= 0 or self.first < FEWEST:
            raise InputError(f"give a gap above 0 and at least {FEWEST} first blocks")

    def next_gap_us(self, age_us: float, blocks: int, perf: float, variance: float) -> float:
        """Gap before the next block of a job.

        Parameters
        ----------
        age_us
            Time since the job began [us].
        blocks, perf, variance
            Blocks so far, their mean ratio, and the variance of one block.
        """
        if blocks < self.first:
            return self.least_gap_us
        quantile = t_quantile(self.level, blocks - 1)
        if variance <= 0:
            return max(self.least_gap_us, age_us)
        rate = 0.5 * (self.target * perf / quantile) ** 2 / variance
        return max(self.least_gap_us, min(rate, 1.0) * age_us)


def measured_rounds(rule: AdaptiveRule, ratios: Floats, time_us: Floats) -> Indices:
    """Which rounds the rule would measure, of all rounds of a dense schedule.

    Parameters
    ----------
    ratios
        Ratio of the block of each round, shape ``(rounds,)``.
    time_us
        Clock of each round since the job began.
    """
    chosen: list[int] = []
    total = square = 0.0
    due = -math.inf
    for round_, (value, time) in enumerate(zip(ratios.tolist(), time_us.tolist(), strict=True)):
        if time < due:
            continue
        chosen.append(round_)
        total, square = total + value, square + value**2
        count = len(chosen)
        mean = total / count
        variance = max(0.0, square / count - mean**2) * count / max(1, count - 1)
        due = time + rule.next_gap_us(time, count, mean, variance)
    return np.array(chosen, dtype=np.int64)


def weighted_estimate(
    ratios: Floats, time_us: Floats, end_us: float, level: float = LEVEL
) -> Estimate:
    """Mean over time of unevenly spaced blocks, with its interval.

    A block stands for the time from half-way to the block before it until half-way to the next;
    the first one from the start, the last one until the end. The variance is the sum of squared
    weights times the variance of a block.

    Parameters
    ----------
    ratios, time_us
        Ratios and times of the measured blocks, shape ``(blocks,)``.
    end_us
        Age at which the job ended.

    Raises
    ------
    InputError
        The blocks are not in the order of time.
    """
    count = len(ratios)
    if not count:
        return unknown(level)
    if (np.diff(time_us) < 0).any():
        raise InputError("the clock of the blocks goes backwards; leave such blocks out")
    edges = np.concatenate([[0.0], 0.5 * (time_us[1:] + time_us[:-1]), [max(end_us, time_us[-1])]])
    weight = np.diff(edges)
    weight = weight / weight.sum() if weight.sum() > 0 else np.full(count, 1 / count)
    perf = float(weight @ ratios)
    if count < FEWEST:
        return Estimate(perf, 0.0, max(1.0, perf), math.inf, count, count, level)
    single = float(((ratios - ratios.mean()) ** 2).sum() / (count - 1))
    variance = single * float((weight**2).sum())
    half = t_quantile(level, count - 1) * math.sqrt(variance)
    return Estimate(perf, max(0.0, perf - half), perf + half, variance, count, count, level)


@dataclass(frozen=True)
class AdaptiveRow:
    """A job with rounds at a fixed gap, and with rounds that grow apart with its age.

    Attributes
    ----------
    run_s
        Run time.
    fixed, adaptive
        Rounds in which the job runs alone.
    overhead_fixed, overhead_adaptive
        Overhead by equation 10, scaled by the rounds that are measured.
    half_width
        Half-width of the 95 % interval of the price with adaptive rounds, relative to the price.
    """

    run_s: float
    fixed: int
    adaptive: int
    overhead_fixed: float
    overhead_adaptive: float
    half_width: float


def adaptive_rows(
    runs_s: Sequence[float] = RUNS_S, noise: float = NOISE, seed: int = 0
) -> tuple[AdaptiveRow, ...]:
    """Compare both for jobs of one speed, on stationary blocks of independent noise."""
    rng, shutter = np.random.default_rng(seed), Shutter()
    rows = []
    for run_s in runs_s:
        rounds = math.ceil(run_s * shutter.blocks_per_s)
        time_us: Floats = np.arange(rounds, dtype=np.float64) * shutter.jobs * shutter.round_us
        ratios: Floats = PERF * (1 + rng.normal(0, noise, rounds))
        chosen = measured_rounds(AdaptiveRule(least_gap_us=shutter.gap_us), ratios, time_us)
        estimate = weighted_estimate(ratios[chosen], time_us[chosen], run_s * 1e6)
        fixed = dilation(shutter)
        rows.append(
            AdaptiveRow(
                run_s,
                rounds,
                len(chosen),
                fixed,
                fixed * len(chosen) / rounds,
                (estimate.high - estimate.low) / estimate.perf,
            )
        )
    return tuple(rows)


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| run time | fixed gap: rounds | overhead | adaptive: rounds | overhead | half-width |"
    yield "|---:|---:|---:|---:|---:|---:|"
    for row in adaptive_rows():
        yield (
            f"| {duration(row.run_s)} | {row.fixed:,} | {row.overhead_fixed:.3%} | "
            f"{row.adaptive:,} | {row.overhead_adaptive:.3%} | {row.half_width:.1%} |"
        ).replace("%", " %")


def main() -> None:
    """Print the table."""
    sys.stdout.writelines(f"{line}\n" for line in table())


if __name__ == "__main__":
    main()
