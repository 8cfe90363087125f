"""Running sums of a job's measurements: everything that a price needs, as whole numbers.

A block is what one round says of one job: before, during and after. It is added once, when it is
written. So Algorithm 4's filter is applied to each block as the paper says, and the sums of the
blocks that it kept give exactly its result.

Notes
-----
Window means are rounded to 2e-6 IPC. Then 0.5(before + after) is a whole number of millionths,
and no sum depends on the order of its terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.pricing.accounts.units import (
    MOST_IPC,
    ipc_units,
    is_ipc,
    product_units,
    rounded_quotient,
)
from planner.pricing.controller import PLACEBO, Round
from planner.pricing.machine import Floats

MOMENTS = (
    "count", "co", "during", "co_co", "during_during", "co_during", "ratio", "ratio_ratio",
)  # fmt: skip
"""Sums over blocks; ``co`` is 0.5(before + after), ``ratio`` is co / during. Millionths, and
products in 1e-9."""
FILTERS = ("all", "filtered", "symmetric")
"""Which blocks: all; those that Algorithm 4 keeps; those with |before - after| < delta."""
KINDS = ("shutter", "placebo")
"""Blocks in which the job ran alone; blocks of shutters that paused nobody."""
GROUPS = tuple(f"{kind}_{kept}" for kind in KINDS for kept in FILTERS)
TIMES = ("shared_us", "lone_us", "gap_us")
"""Time on the node with other jobs, alone, and without a log [us]."""
COUNTS = ("missing_windows", "zero_counters", "clock_backwards")
"""Blocks without one of their windows; windows whose counters give no IPC; steps back in time."""
COMPANY = ("company_count", "company_co", "company_co_co")
"""Sums of 0.5(before + after) over every round, also those in which another job ran alone."""
COLUMNS = (
    *TIMES,
    *COUNTS,
    *COMPANY,
    *(f"{group}_{moment}" for group in GROUPS for moment in MOMENTS),
)
PLACE = {name: place for place, name in enumerate(COLUMNS)}
OTHER, OWN, ANY = range(3)
"""Kinds of a round for one job: another job ran alone, it ran alone itself, or nobody paused."""

Sums = list[int]


def empty() -> Sums:
    """Sums of nothing."""
    return [0] * len(COLUMNS)


def add_to(total: Sums, part: Sequence[int]) -> None:
    """Add sums to others in place."""
    for place, value in enumerate(part):
        total[place] += value


@dataclass(frozen=True)
class Sample:
    """What one round says of one job.

    Attributes
    ----------
    kind
        ``OTHER``, ``OWN`` or ``ANY``.
    instructions, cycles
        ``(3, K)``, NaN where nothing was measured.
    """

    kind: int
    instructions: Floats
    cycles: Floats


def sample_of(measured: Round, job: int) -> Sample:
    """A job's part of a round."""
    column = measured.jobs.index(job)
    kinds = {PLACEBO: ANY, job: OWN}
    return Sample(
        kinds.get(measured.shuttered, OTHER),
        measured.instructions[:, :, column],
        measured.cycles[:, :, column],
    )


def add_sample(sums: Sums, sample: Sample, delta_units: int) -> None:
    """Add one round to a job's sums.

    Parameters
    ----------
    sums
        Changed in place.
    sample
        The job's part of the round.
    delta_units
        Algorithm 4's delta in millionths.

    Notes
    -----
    A window's mean is over those of its K measurements that give an IPC. Without any, the window
    is missing; a block that misses a window is counted and left out.

    References
    ----------
    POPPA, Algorithm 4.
    """
    before, during, after = (
        _mean(sums, sample, window, wanted=sample.kind != OTHER or window != 1)
        for window in range(3)
    )
    if before is not None and after is not None:
        co = (before + after) // 2
        sums[_COMPANY] += 1
        sums[_COMPANY + 1] += co
        sums[_COMPANY + 2] += product_units(co, co)
    if sample.kind == OTHER:
        return
    if before is None or during is None or after is None:
        sums[_MISSING] += 1
        return
    _add_block(sums, sample.kind, before, during, after, delta_units)


def _mean(sums: Sums, sample: Sample, window: int, *, wanted: bool) -> int | None:
    """Mean IPC of one window in millionths; ``None`` where nothing gives an IPC."""
    if not wanted:
        return None
    found = []
    pairs = zip(sample.instructions[window].tolist(), sample.cycles[window].tolist(), strict=True)
    for instructions, cycles in pairs:
        if is_ipc(instructions, cycles):
            found.append(instructions / cycles)
        elif not np.isnan(instructions):
            sums[_ZERO] += 1
    if not found:
        return None
    return ipc_units(sum(found) / len(found)) or None


def _add_block(sums: Sums, kind: int, before: int, during: int, after: int, delta: int) -> None:
    co = (before + after) // 2
    if co > MOST_IPC * during:  # the job did next to nothing while it ran alone
        sums[_ZERO] += 1
        sums[_MISSING] += 1
        return
    ratio = rounded_quotient(co * 1_000_000, during)
    terms = (
        1, co, during, product_units(co, co), product_units(during, during),
        product_units(co, during), ratio, product_units(ratio, ratio),
    )  # fmt: skip
    steady = abs(before - after) < delta
    kept = (True, steady and before < during and after < during, steady)
    first = _PLACEBO if kind == ANY else _SHUTTER
    for place, wanted in enumerate(kept):
        if wanted:
            start = first + place * len(MOMENTS)
            for offset, term in enumerate(terms):
                sums[start + offset] += term


_ZERO, _MISSING = PLACE["zero_counters"], PLACE["missing_windows"]
_COMPANY = PLACE["company_count"]
_SHUTTER, _PLACEBO = PLACE["shutter_all_count"], PLACE["placebo_all_count"]
