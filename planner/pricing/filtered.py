"""Algorithm 4: the predictor of POPPA, which keeps blocks that look like relieved contention.

A block is kept if its windows before and after differ by less than ``delta`` (in IPC) and both
lie below the window during the shutter. The paper prints the return inside the loop, which would
return after the first block; here it comes after the loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.pricing.samples import AFTER, BEFORE, DURING
from scenarios.formatting import short

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Fallback = Literal["unfiltered", "no-discount"]

DELTA = 0.05
"""Largest difference of IPC before and after (section 6.3)."""
FALLBACKS: tuple[Fallback, ...] = ("unfiltered", "no-discount")
"""What is returned where no block is kept, which the paper leaves open."""


@dataclass(frozen=True)
class Filter:
    """Settings of Algorithm 4.

    Attributes
    ----------
    delta
        Largest absolute difference of IPC between the windows before and after.
    fallback
        Result where no block is kept: the unfiltered ratio, or 1 (no discount).
    """

    delta: float = DELTA
    fallback: Fallback = "unfiltered"

    def __post_init__(self) -> None:
        delta: object = self.delta
        if not (isinstance(delta, Real) and 0 < float(delta) < np.inf):
            raise InputError(f"delta is {short(self.delta)}; give a difference of IPC above 0")
        if self.fallback not in FALLBACKS:
            raise InputError(
                f"fallback {self.fallback!r} is unknown; give {' or '.join(FALLBACKS)}"
            )


def kept_blocks(means: Floats, delta: float = DELTA) -> Flags:
    """Blocks that Algorithm 4 keeps; ``means`` has shape ``(blocks, 3)``.

    References
    ----------
    POPPA, Algorithm 4, line 3: ``|b - a| < delta and b < d and a < d``.
    """
    before, during, after = means[:, BEFORE], means[:, DURING], means[:, AFTER]
    blocks: Flags = (np.abs(before - after) < delta) & (before < during) & (after < during)
    return blocks


def unfiltered(means: Floats) -> float:
    """Mean IPC together over mean IPC alone (equations 7 and 8); 1 where there is no block."""
    if not len(means):
        return 1.0
    together = 0.5 * (means[:, BEFORE] + means[:, AFTER])
    return float(together.sum() / means[:, DURING].sum())


def filtered_prediction(means: Floats, settings: Filter | None = None) -> float:
    """Normalised performance ``1 - D`` by Algorithm 4.

    Parameters
    ----------
    means
        Mean IPC before, during and after, shape ``(blocks, 3)``.
    """
    settings = settings or Filter()
    blocks = kept_blocks(means, settings.delta)
    if blocks.any():
        return unfiltered(means[blocks])
    return unfiltered(means) if settings.fallback == "unfiltered" else 1.0
