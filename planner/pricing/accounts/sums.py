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

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.errors import InputError
from planner.pricing.accounts.units import (
    ipc_units,
    is_ipc,
    product_units,
    rounded_quotient,
)
from planner.pricing.controller import Round
from planner.pricing.machine import Floats
from planner.pricing.samples import AFTER, BEFORE, DURING, PLACEBO
from scenarios.formatting import short

MOMENTS = (
    "count", "co", "during", "co_co", "during_during", "co_during", "ratio", "ratio_ratio",
    "pairs", "pairs_pairs",
)  # fmt: skip
"""Sums over blocks, in millionths, and of products in 1e-9: ``co`` is 0.5(before + after),
``ratio`` is co / during, ``pairs`` the mean ratio of windows that should be alike, both ways round:
before and after of a shutter, neighbours of a placebo."""
FILTERS = ("all", "filtered", "steady")
"""Which blocks: all; those that Algorithm 4 keeps; those whose sides differ little."""
KINDS = ("shutter", "placebo")
"""Blocks in which the job ran alone; blocks of shutters that paused nobody."""
GROUPS = tuple(f"{kind}_{blocks}" for kind in KINDS for blocks in FILTERS)
TIMES = ("shared_us", "lone_us", "gap_us")
"""Time on the node with other jobs, alone, and without a log [us]."""
COUNTS = ("missing_windows", "zero_counters", "clock_backwards")
"""Blocks without one of their windows; measurements whose counters give no IPC; steps back."""
COMPANY = ("company_count", "company_co", "company_co_co")
"""Sums of 0.5(before + after) over every round, also those in which another job ran alone."""
WAITING = tuple(
    f"waiting_{where}_{moment}"
    for where in ("together", "alone")
    for moment in ("count", "sum", "square")
)
"""Sums of sampled waiting shares over windows together and alone."""
COLUMNS = (
    *TIMES,
    *COUNTS,
    *COMPANY,
    *WAITING,
    *(f"{group}_{moment}" for group in GROUPS for moment in MOMENTS),
)
PLACE = {name: index for index, name in enumerate(COLUMNS)}
OTHER, OWN, NOBODY = range(3)
"""Kinds of a round for one job: another job ran alone, it did itself, nobody was paused."""
_UNIT = 1_000_000
_MOST_RATIO = 1000

Sums = list[int]


def empty() -> Sums:
    """Sums of nothing."""
    return [0] * len(COLUMNS)


def add_to(total: Sums, part: Sequence[int]) -> None:
    """Add sums to others in place."""
    for index, value in enumerate(part):
        total[index] += value


@dataclass(frozen=True)
class SummationRule:
    """When a block is kept, in whole numbers.

    Attributes
    ----------
    delta
        Algorithm 4's largest difference before and after, in millionths of IPC.
    side_width
        Largest difference for ``steady``, in millionths of the mean.
    """

    delta: int
    side_width: int


@dataclass(frozen=True)
class JobSample:
    """What one round says of one job.

    Attributes
    ----------
    kind
        ``OTHER``, ``OWN`` or ``NOBODY``.
    instructions, cycles
        ``(3, K)``, NaN where nothing was measured.
    waiting
        Sampled waiting shares, ``(3,)``, NaN without a sampler.
    """

    kind: int
    instructions: Floats
    cycles: Floats
    waiting: Floats


def sample_of(measured: Round, job: int) -> JobSample:
    """A job's part of a round."""
    column = measured.jobs.index(job)
    kinds = {PLACEBO: NOBODY, job: OWN}
    return JobSample(
        kinds.get(measured.shuttered, OTHER),
        measured.instructions[:, :, column],
        measured.cycles[:, :, column],
        measured.waiting[:, column],
    )


def checked_sample(sample: JobSample) -> JobSample:
    """A sample with arrays of the right shapes.

    Raises
    ------
    InputError
        It has another type, kind or shape.
    """
    if not isinstance(sample, JobSample):
        raise InputError(f"sample = {short(sample)} is not a JobSample; give JobSample(...)")
    if sample.kind not in (OTHER, OWN, NOBODY):
        raise InputError(f"kind of a sample = {short(sample.kind)}; give OTHER, OWN or NOBODY")
    try:
        instructions, cycles, waiting = (
            np.asarray(each, dtype=np.float64)
            for each in (sample.instructions, sample.cycles, sample.waiting)
        )
    except (TypeError, ValueError):
        message = "instructions, cycles and waiting of a sample are not all arrays of numbers"
        raise InputError(f"{message}; give NaN where nothing was measured") from None
    shape = instructions.shape
    if len(shape) != 2 or shape[0] != 3 or 0 in shape or cycles.shape != shape:
        message = f"a sample has {shape} instructions and {cycles.shape} cycles"
        raise InputError(f"{message}; give (3, K) of both: before, alone, after")
    if waiting.shape != (3,):
        raise InputError(f"a sample has {waiting.shape} waiting shares; give (3,), NaN if unknown")
    return JobSample(int(sample.kind), instructions, cycles, waiting)


def add_sample(sums: Sums, sample: JobSample, rule: SummationRule) -> None:
    """Add one round to a job's sums.

    Parameters
    ----------
    sums
        Changed in place.
    sample
        The job's part of the round.
    rule
        Which blocks are kept.

    Notes
    -----
    A window's mean is over those of its K measurements that give an IPC. Without any, the window
    is missing; a block that misses a window is counted and left out.

    References
    ----------
    POPPA, Algorithm 4.
    """
    before = _mean(sums, sample, BEFORE)
    during = None if sample.kind == OTHER else _mean(sums, sample, DURING)
    after = _mean(sums, sample, AFTER)
    _add_waiting(sums, sample)
    if before and after:
        co = (before + after) // 2
        _add(sums, _COMPANY, (1, co, product_units(co, co)))
    if sample.kind == OTHER:
        return
    if not (before and during and after) or _is_absurd(before, during, after):
        sums[_MISSING] += 1
        return
    _add_block(sums, sample.kind, before, during, after, rule)


def _mean(sums: Sums, sample: JobSample, window: int) -> int:
    """Mean IPC of one window in millionths; 0 where nothing gives an IPC."""
    result = []
    pairs = zip(sample.instructions[window].tolist(), sample.cycles[window].tolist(), strict=True)
    for instructions, cycles in pairs:
        if is_ipc(instructions, cycles):
            result.append(instructions / cycles)
        elif not math.isnan(instructions):
            sums[_ZERO] += 1
    return ipc_units(sum(result) / len(result)) if result else 0


def _is_absurd(*windows: int) -> bool:
    """Whether the job did next to nothing in a window: ratios would leave the range of sums."""
    return max(windows) > _MOST_RATIO * min(windows)


def _add_block(
    sums: Sums, kind: int, before: int, during: int, after: int, rule: SummationRule
) -> None:
    co = (before + after) // 2
    ratio = rounded_quotient(co * _UNIT, during)
    if kind == OWN:
        pairs = _both_ways(before, after)
    else:
        pairs = (_both_ways(before, during) + _both_ways(after, during)) // 2
    terms = (
        1, co, during, product_units(co, co), product_units(during, during),
        product_units(co, during), ratio, product_units(ratio, ratio),
        pairs, product_units(pairs, pairs),
    )  # fmt: skip
    apart = abs(before - after)
    filtered = apart < rule.delta and before < during and after < during
    steady = apart * _UNIT <= rule.side_width * co
    first = _SHUTTER if kind == OWN else _PLACEBO
    for index, selected in enumerate((True, filtered, steady)):
        if selected:
            _add(sums, first + index * len(MOMENTS), terms)


def _both_ways(one: int, other: int) -> int:
    """Mean of x / y and y / x in millionths."""
    return rounded_quotient((one * one + other * other) * _UNIT, 2 * one * other)


def _add_waiting(sums: Sums, sample: JobSample) -> None:
    """Waiting shares of the windows in which the job ran."""
    for window, share in enumerate(sample.waiting.tolist()):
        alone = window == DURING and sample.kind == OWN
        if math.isfinite(share) and not (window == DURING and sample.kind == OTHER):
            part = round(min(max(share, 0.0), 1.0) * _UNIT)
            _add(sums, _ALONE if alone else _TOGETHER, (1, part, product_units(part, part)))


def _add(sums: Sums, place: int, terms: Sequence[int]) -> None:
    for offset, term in enumerate(terms):
        sums[place + offset] += term


def packed(sample: JobSample) -> bytes:
    """Raw samples as they are stored: instructions, cycles, waiting, as little-endian doubles."""
    parts = (sample.instructions.ravel(), sample.cycles.ravel(), sample.waiting)
    return np.concatenate(parts).astype("<f8").tobytes()


def unpacked(kind: int, stored: bytes) -> JobSample:
    """The sample of a stored row.

    Raises
    ------
    ValueError
        It has no length that a sample has.
    """
    values = np.frombuffer(stored, "<f8").astype(np.float64)
    if len(values) < 9 or (len(values) - 3) % 6:
        raise ValueError(f"{len(stored)} bytes are not a valid sample")
    both = values[:-3].reshape(2, 3, -1)
    return JobSample(kind, both[0], both[1], values[-3:])


_ZERO, _MISSING = PLACE["zero_counters"], PLACE["missing_windows"]
_COMPANY = PLACE["company_count"]
_TOGETHER, _ALONE = PLACE["waiting_together_count"], PLACE["waiting_alone_count"]
_SHUTTER, _PLACEBO = PLACE["shutter_all_count"], PLACE["placebo_all_count"]
