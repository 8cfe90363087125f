"""Blocks of one stationary phase with known speed and noise, to try estimators on."""

from __future__ import annotations

import numpy as np

from planner.pricing.samples import AFTER, BEFORE, DURING, Blocks


def iid_blocks(
    rng: np.random.Generator,
    perf: float,
    sigma: float,
    blocks: int,
    *,
    placebo: int = 0,
    repeats: int = 1,
    solo_ipc: float = 1.0,
) -> Blocks:
    """Synthetic blocks of one stationary phase with independent normal noise.

    Parameters
    ----------
    perf
        True normalised performance, ``T_solo / T_co``.
    sigma
        Noise of a window's mean, relative to its level.
    blocks, placebo
        Blocks in which the job runs alone, and placebo blocks after them.
    repeats
        ``K``; each sample has ``sqrt(K)`` times the noise.
    """
    total = blocks + placebo
    is_placebo = np.arange(total) >= blocks
    level = np.full((total, 3), perf)
    level[:blocks, DURING] = 1.0
    noise = rng.normal(0.0, sigma * np.sqrt(repeats), (total, 3, repeats))
    ipc = solo_ipc * level[:, :, None] * (1 + noise)
    return Blocks(
        ipc[:, BEFORE],
        ipc[:, DURING],
        ipc[:, AFTER],
        is_placebo,
        np.arange(total, dtype=np.float64) * 209_600.0,
        np.full((total, 3), np.nan),
    )
