"""Algorithm 4 line by line, and sums of blocks: what the arrays are compared with."""

from __future__ import annotations

import numpy as np

from planner.pricing.filtered import DELTA, kept_blocks
from planner.pricing.samples import AFTER, BEFORE, DURING, Blocks, Floats
from planner.pricing.sums import PairSums, Sums


def literal_prediction(
    blocks: list[tuple[list[float], list[float], list[float]]], delta: float = DELTA
) -> float:
    """Algorithm 4 line by line, over plain lists."""
    together = alone = 0.0
    selected_blocks = 0
    for before, during, after in blocks:
        b, d, a = (sum(each) / len(each) for each in (before, during, after))
        if abs(b - a) < delta and b < d and a < d:
            together += 0.5 * (b + a)
            alone += d
            selected_blocks += 1
    if selected_blocks == 0:
        for before, during, after in blocks:
            b, d, a = (sum(each) / len(each) for each in (before, during, after))
            together += 0.5 * (b + a)
            alone += d
    return together / alone if alone else 1.0


def sums_of(*jobs: Blocks) -> Sums:
    """Sums of the real blocks of each job."""
    means = [blocks.real.means for blocks in jobs]
    ratios = [_together(each) / each[:, DURING] for each in means]
    return Sums(
        _pair_sums(means),
        _pair_sums([each[kept_blocks(each)] for each in means]),
        np.array([each.sum() for each in ratios]),
        np.array([(each**2).sum() for each in ratios]),
    )


def _pair_sums(jobs: list[Floats]) -> PairSums:
    pairs = [(_together(each), each[:, DURING]) for each in jobs]
    rows = [(len(m), m.sum(), d.sum(), m @ m, d @ d, m @ d) for m, d in pairs]
    return PairSums(*np.array(rows, dtype=np.float64).T)


def _together(means: Floats) -> Floats:
    result: Floats = 0.5 * (means[:, BEFORE] + means[:, AFTER])
    return result
