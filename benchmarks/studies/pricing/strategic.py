r"""What a user gains by gaming the measurement.

Four tactics are priced against an honest run of the same job, whose price is ``L C T perf^2``.

Polling all the time
    The job spins for the share ``x`` of its cycles with the IPC ``q`` (relative to its IPC alone).
    It runs ``1 / (1 - x)`` times as long, and a plain ratio sees
    ``((1 - x) r + x q) / ((1 - x) + x q)``, which is nearer to 1 than ``r``. The user loses.
Stalling only together
    The job notices that the others are paused, as its memory is faster, and wastes the share ``x``
    of its cycles at all other times. Its ratio is ``(1 - x) r + x q`` and it pays
    ``((1 - x) r + x q)^2 / (r^2 (1 - x))`` of the honest price: for ``q = 0`` exactly ``1 - x``.
    Waiting shares show the stall, but not which job causes it.
Phases as short as a window
    IPC alternates between two levels. Algorithm 4 keeps blocks whose window alone fell on the high
    level and whose sides fell on the low one.
Splitting
    A job of few blocks is split into parts. Squaring a noisier estimate raises the price, and the
    unbiased price does not. A part that is too short for any block pays the default.

``python -m benchmarks.studies.pricing.strategic`` prints the table of
docs/evidence/pricing-estimators.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.studies.pricing.stationary import iid_blocks
from planner.errors import InputError
from planner.pricing.estimators.estimator import Observation, SpeedEstimator
from planner.pricing.estimators.registry import find_estimator
from planner.pricing.overhead import Shutter
from planner.pricing.samples import Blocks, Floats

PERF = 0.9
"""Speed that the job of the table keeps."""


@dataclass(frozen=True)
class CheatingGain:
    """One tactic at one strength under one estimator.

    Attributes
    ----------
    tactic, estimator
        Names.
    strength
        Share of wasted cycles, length of a phase over that of a window, or number of parts.
    price
        Price relative to the honest job's under the same estimator; below 1 the user gains.
    run_time
        Run time relative to the honest job's.
    """

    tactic: str
    estimator: str
    strength: float
    price: float
    run_time: float


def polling_gain(perf: float, share: float, ipc: float, *, corrected: bool) -> CheatingGain:
    """Price of a job that spins all the time; ``corrected`` where spinning is taken off."""
    _check(perf, share)
    seen = ((1 - share) * perf + share * ipc) / ((1 - share) + share * ipc)
    ratio = perf if corrected else seen
    name = "spin" if corrected else "unfiltered"
    return CheatingGain("polling", name, share, ratio**2 / perf**2 / (1 - share), 1 / (1 - share))


def stalling_gain(perf: float, share: float, ipc: float, *, corrected: bool) -> CheatingGain:
    """Price of a job that wastes cycles except while it runs alone."""
    _check(perf, share)
    seen = (1 - share) * perf + (0.0 if corrected else share * ipc)
    name = "spin" if corrected else "unfiltered"
    return CheatingGain("stalling", name, share, seen**2 / perf**2 / (1 - share), 1 / (1 - share))


def alternating_blocks(
    rng: np.random.Generator,
    perf: float,
    phase_us: float,
    swing: float,
    shutter: Shutter,
    count: int,
    *,
    placebo: int = 0,
    sigma: float = 0.0,
) -> Blocks:
    """Blocks of a job whose IPC alternates between ``1 - swing`` and ``1 + swing`` of its mean.

    Each block begins at a random place of the job's period. Phases have ``phase_us`` of run time
    alone; together the job passes them at the speed ``perf``.
    """
    total = count + placebo
    is_placebo = np.arange(total) >= count
    window = shutter.window_us
    speed = np.full((total, 3), perf)
    speed[~is_placebo, 1] = 1.0
    start = rng.uniform(0, 2 * phase_us, total)
    edges = start[:, None] + np.concatenate(
        [np.zeros((total, 1)), np.cumsum(speed * window, axis=1)], axis=1
    )
    work = _work_until(edges, phase_us, swing)
    ipc = np.diff(work, axis=1) / window * (1 + rng.normal(0, sigma, (total, 3)))
    return Blocks(
        ipc[:, :1],
        ipc[:, 1:2],
        ipc[:, 2:],
        is_placebo,
        np.arange(total, dtype=np.float64) * shutter.round_us,
        np.full((total, 3), np.nan),
    )


def short_phase_gain(
    estimator: SpeedEstimator,
    perf: float,
    phase_windows: float,
    *,
    swing: float = 0.3,
    sigma: float = 0.02,
    count: int = 2_000,
    seed: int = 0,
) -> CheatingGain:
    """Price of a job that alternates, over that of the same job with one long phase."""
    _check(perf, 0.0)
    shutter = Shutter()
    rng = np.random.default_rng(seed)
    tricky = alternating_blocks(
        rng,
        perf,
        phase_windows * shutter.window_us,
        swing,
        shutter,
        count,
        placebo=count // 4,
        sigma=sigma,
    )
    plain = iid_blocks(rng, perf, sigma, count, placebo=count // 4)
    gamed, honest = (estimator.estimate(Observation(blocks)).perf for blocks in (tricky, plain))
    return CheatingGain("short phases", estimator.name, phase_windows, (gamed / honest) ** 2, 1.0)


def splitting_gain(
    perf: float, block_sd: float, blocks: int, parts: Sequence[int], *, unbiased: bool
) -> tuple[CheatingGain, ...]:
    """Mean price of a job in parts, each priced by its own share of the blocks.

    A part with less than one block pays without discount in the rounds that miss it.

    Parameters
    ----------
    block_sd
        Standard deviation of the ratio of one block.
    blocks
        Blocks of the whole job.
    parts
        Numbers of parts.
    """
    _check(perf, 0.0)
    name = "headroom" if unbiased else "poppa"
    whole = _mean_square(perf, block_sd, blocks, unbiased=unbiased)
    return tuple(
        CheatingGain(
            "splitting",
            name,
            count,
            _mean_square(perf, block_sd, blocks / count, unbiased=unbiased) / whole,
            1.0,
        )
        for count in parts
    )


def _mean_square(perf: float, block_sd: float, blocks: float, *, unbiased: bool) -> float:
    """Mean of ``perf_hat^2``, or of its unbiased estimate, which needs two blocks."""
    missed = max(0.0, 1 - blocks)
    several = max(blocks, 1.0)
    squared = perf**2 + (0.0 if unbiased and several >= 2 else block_sd**2 / several)
    return missed + (1 - missed) * squared


def _work_until(edges: Floats, phase_us: float, swing: float) -> Floats:
    """Instructions until a progress, in cycles of mean IPC 1: level 1 + swing, then 1 - swing."""
    whole, rest = np.divmod(edges, 2 * phase_us)
    high = np.minimum(rest, phase_us)
    work: Floats = whole * 2 * phase_us + rest + swing * (high - (rest - high))
    return work


def _check(perf: float, share: float) -> None:
    if not 0 < perf <= 1 or not 0 <= share < 1:
        raise InputError(
            f"normalised performance {perf:g} and a wasted share of {share:g} were given; the "
            "first lies above 0 up to 1, the second from 0 to below 1"
        )


def gains(perf: float = PERF) -> Iterator[CheatingGain]:
    """Yield each tactic at a few strengths, under POPPA's estimate and under Headroom's."""
    strengths = [(corrected, share) for corrected in (False, True) for share in (0.1, 0.3)]
    for corrected, share in strengths:
        yield polling_gain(perf, share, 1.5, corrected=corrected)
    for corrected, share in strengths:
        yield stalling_gain(perf, share, 0.0, corrected=corrected)
    for name in ("algorithm-4", "placebo", "block-ratios", "spin"):
        for windows in (0.25, 1.0, 4.0):
            yield short_phase_gain(find_estimator(name), perf, windows)
    for unbiased in (False, True):
        yield from splitting_gain(perf, 0.06, 100, (1, 10, 50, 100, 200), unbiased=unbiased)


def table() -> Iterator[str]:
    """Yield the lines of the table."""
    yield "| tactic | charged by | strength | price | run time |"
    yield "|---|---|---:|---:|---:|"
    for gain in gains():
        yield (
            f"| {gain.tactic} | `{gain.estimator}` | {gain.strength:g} | {gain.price:.1%} | "
            f"{gain.run_time:.1%} |"
        ).replace("%", " %")


def main() -> None:
    """Print the table."""
    sys.stdout.writelines(f"{line}\n" for line in table())


if __name__ == "__main__":
    main()
