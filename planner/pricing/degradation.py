"""Degradation and normalised performance of a job that shares its node: equations 3 to 8.

Normalised performance is ``T_solo / T_co`` and degradation is 1 less it. The paper prints
equations 6 and 7 upside down: with equal instructions, cycles alone over cycles together are IPC
together over IPC alone, and only this form is at most 1 for a job that is slowed down.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError

Floats = NDArray[np.float64]


def degradation(solo_s: float, co_s: float) -> float:
    """``D = 1 - T_solo / T_co``.

    References
    ----------
    POPPA, equations 3 and 5.

    Examples
    --------
    >>> round(degradation(1.0, 1.62), 4)
    0.3827
    """
    _refuse(solo_s, co_s, "run time")
    return 1 - solo_s / co_s


def perf_from_cycles(solo: float, co: float) -> float:
    """``Perf = 1 - D = Cyc_solo / Cyc_co`` (equation 5)."""
    _refuse(solo, co, "cycle count")
    return solo / co


def perf_from_ipc(co: float, solo: float) -> float:
    """``Perf = IPC_co / IPC_solo`` (equation 6, put right)."""
    _refuse(co, solo, "IPC")
    return co / solo


def perf_from_means(co: Floats, solo: Floats) -> float:
    """``Perf ~ mean(IPC_co) / mean(IPC_solo)`` (equations 7 and 8); NaN samples are left out.

    Raises
    ------
    InputError
        A side has no sample.
    """
    if not np.isfinite(co).any() or not np.isfinite(solo).any():
        raise InputError("a job has no IPC sample together or alone; measure at least one round")
    return perf_from_ipc(float(np.nanmean(co)), float(np.nanmean(solo)))


def slowdown(perf: float) -> float:
    """``T_co / T_solo``, the price under the state of practice relative to running alone."""
    return 1 / perf


def _refuse(first: float, second: float, what: str) -> None:
    for value in (first, second):
        if not np.isfinite(value) or value <= 0:
            raise InputError(f"a {what} of {value:g} is not above 0; leave such samples out")
