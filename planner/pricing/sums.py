r"""Running sums per job, from which estimates and prices follow exactly.

Sums of IPC together ``m``, of IPC alone ``d``, of their squares and product, of per-block ratios,
and of sampled waiting shares are enough for the ratios of means and for the mean of ratios, with
their intervals under independent blocks. Sums of two stretches of time add up. The estimator in
groups of one level needs the blocks themselves.

For a ratio of means ``r = sum m / sum d`` the variance is
``(sum m^2 - 2 r sum m d + r^2 sum d^2) / (n - 1) / n / mean(d)^2``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.pricing.estimate import FEWEST, LEVEL, check_level
from planner.pricing.filtered import DELTA, kept_blocks
from planner.pricing.samples import AFTER, BEFORE, DURING, Blocks

Floats = NDArray[np.float64]

MINUTE_US = 60e6


@dataclass(frozen=True, eq=False)
class PairSums:
    """Sums over blocks of IPC together ``m`` and alone ``d``; each array ``(jobs,)``."""

    blocks: Floats
    co: Floats
    solo: Floats
    co_co: Floats
    solo_solo: Floats
    co_solo: Floats


@dataclass(frozen=True, eq=False)
class Sums:
    """Sums of jobs, one row each.

    Attributes
    ----------
    every, kept
        Over all blocks, and over those that Algorithm 4 keeps.
    ratio, ratio_ratio
        Sum of per-block ratios and of their squares, shape ``(jobs,)``.
    waiting_co, waiting_solo
        Sum of sampled waiting shares, shape ``(jobs,)``; NaN where none were sampled.
    dropped
        Rounds that were left out, shape ``(jobs,)``.
    """

    every: PairSums
    kept: PairSums
    ratio: Floats
    ratio_ratio: Floats
    waiting_co: Floats
    waiting_solo: Floats
    dropped: Floats

    def __add__(self, other: Sums) -> Sums:
        """Sums of the same jobs over two stretches of time."""
        if len(self.ratio) != len(other.ratio):
            raise InputError(
                f"sums of {len(self.ratio)} and {len(other.ratio)} jobs cannot be added; give the "
                "same jobs in the same order"
            )
        names = [field.name for field in fields(self) if field.name not in ("every", "kept")]
        return Sums(
            _added(self.every, other.every),
            _added(self.kept, other.kept),
            **{name: getattr(self, name) + getattr(other, name) for name in names},
        )


@dataclass(frozen=True, eq=False)
class Estimates:
    """Estimates of many jobs; arrays ``(jobs,)`` as in :class:`~planner.pricing.estimate.Estimate`.

    Without blocks the estimate is 1 (no discount) with the interval from 0 to 1.
    """

    perf: Floats
    low: Floats
    high: Floats
    variance: Floats


def sums_of(blocks: Blocks, delta: float = DELTA) -> Sums:
    """Sums of the real blocks of one job."""
    return _by_row(blocks, np.zeros(len(blocks.real), dtype=np.int64), 1, delta)


def minute_sums(blocks: Blocks, delta: float = DELTA) -> tuple[NDArray[np.int64], Sums]:
    """Sums of one job, one row per minute that has blocks, and the minutes.

    Dropped rounds have no time; they count in the first row.
    """
    minute = (blocks.real.time_us // MINUTE_US).astype(np.int64)
    result, row = np.unique(minute, return_inverse=True)
    return result, _by_row(blocks, row.astype(np.int64), len(result), delta)


def total(rows: Sums) -> Sums:
    """All rows as one job: what the minutes of a job add up to."""
    names = [field.name for field in fields(rows) if field.name not in ("every", "kept")]
    return Sums(
        _summed(rows.every),
        _summed(rows.kept),
        **{name: getattr(rows, name).sum(keepdims=True) for name in names},
    )


def stacked(jobs: list[Sums]) -> Sums:
    """Sums of several jobs, one below the other."""
    names = [field.name for field in fields(jobs[0]) if field.name not in ("every", "kept")]
    return Sums(
        _stacked([job.every for job in jobs]),
        _stacked([job.kept for job in jobs]),
        **{name: np.concatenate([getattr(job, name) for job in jobs]) for name in names},
    )


def unfiltered_of(sums: Sums, level: float = LEVEL) -> Estimates:
    """Ratio of means over all blocks (equations 7 and 8)."""
    return _ratio(sums.every, level)


def algorithm4_of(sums: Sums, level: float = LEVEL) -> Estimates:
    """Algorithm 4; where no block was kept, the ratio over all blocks."""
    selected, every = _ratio(sums.kept, level), _ratio(sums.every, level)
    has = sums.kept.blocks > 0
    return Estimates(
        *(
            np.where(has, getattr(selected, field.name), getattr(every, field.name))
            for field in fields(Estimates)
        )
    )


def block_ratios_of(sums: Sums, level: float = LEVEL) -> Estimates:
    """Mean of per-block ratios."""
    count = np.maximum(sums.every.blocks, 1)
    perf = np.where(sums.every.blocks > 0, sums.ratio / count, 1.0)
    square = (sums.ratio_ratio / count - perf**2) * count / np.maximum(count - 1, 1)
    return _with_interval(perf, np.maximum(square, 0) / count, sums.every.blocks, level)


def spin_of(
    sums: Sums, polling_ipc: Floats, reading_share: float = 0.0, level: float = LEVEL
) -> Estimates:
    """Ratio of means of useful IPC, for any polling IPC; waiting shares are taken as exact.

    Where no shares were sampled nothing is taken off.
    """
    pair = sums.every
    count = np.maximum(pair.blocks, 1)
    together = np.nan_to_num(polling_ipc * sums.waiting_co / count)
    alone = np.nan_to_num(polling_ipc * sums.waiting_solo / count)
    scale = 1 / (1 - reading_share)
    shifted = PairSums(
        pair.blocks,
        scale * (pair.co - together * pair.blocks),
        pair.solo - alone * pair.blocks,
        scale**2 * (pair.co_co - 2 * together * pair.co + together**2 * pair.blocks),
        pair.solo_solo - 2 * alone * pair.solo + alone**2 * pair.blocks,
        scale
        * (pair.co_solo - together * pair.solo - alone * pair.co + together * alone * pair.blocks),
    )
    return _ratio(shifted, level)


def _by_row(blocks: Blocks, row: NDArray[np.int64], rows: int, delta: float) -> Sums:
    real = blocks.real
    means = real.means
    co, solo = 0.5 * (means[:, BEFORE] + means[:, AFTER]), means[:, DURING]
    selected = kept_blocks(means, delta)
    waiting_co = 0.5 * (real.waiting[:, BEFORE] + real.waiting[:, AFTER])

    def added(values: Floats) -> Floats:
        return np.bincount(row, values, rows).astype(np.float64)

    dropped = np.zeros(rows)
    dropped[:1] = blocks.dropped
    return Sums(
        _pair_sums(co, solo, row, rows),
        _pair_sums(co[selected], solo[selected], row[selected], rows),
        added(co / solo),
        added((co / solo) ** 2),
        added(waiting_co),
        added(real.waiting[:, DURING]),
        dropped,
    )


def _pair_sums(co: Floats, solo: Floats, row: NDArray[np.int64], rows: int) -> PairSums:
    pair_sums = (np.ones_like(co), co, solo, co * co, solo * solo, co * solo)
    return PairSums(*(np.bincount(row, values, rows).astype(np.float64) for values in pair_sums))


def _ratio(pair: PairSums, level: float) -> Estimates:
    count = np.maximum(pair.blocks, 1)
    below = np.where(pair.blocks > 0, pair.solo, 1.0)
    perf = np.where(pair.blocks > 0, pair.co / below, 1.0)
    squares = pair.co_co - 2 * perf * pair.co_solo + perf**2 * pair.solo_solo
    spread = np.maximum(squares, 0) / np.maximum(count - 1, 1)
    variance = spread / count / (below / count) ** 2
    return _with_interval(perf, variance, pair.blocks, level)


def _with_interval(perf: Floats, variance: Floats, blocks: Floats, level: float) -> Estimates:
    from scipy.special import stdtrit

    check_level(level)
    sure = blocks >= FEWEST
    half = stdtrit(np.maximum(blocks - 1, 1), 0.5 + level / 2) * np.sqrt(variance)
    return Estimates(
        perf,
        np.where(sure, np.maximum(perf - half, 0), 0.0),
        np.where(sure, perf + half, np.maximum(perf, 1.0)),
        np.where(sure, variance, np.inf),
    )


def _added(first: PairSums, second: PairSums) -> PairSums:
    return PairSums(
        *(getattr(first, field.name) + getattr(second, field.name) for field in fields(PairSums))
    )


def _summed(rows: PairSums) -> PairSums:
    return PairSums(*(getattr(rows, field.name).sum(keepdims=True) for field in fields(PairSums)))


def _stacked(jobs: list[PairSums]) -> PairSums:
    return PairSums(
        *(np.concatenate([getattr(job, field.name) for job in jobs]) for field in fields(PairSums))
    )
