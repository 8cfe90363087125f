"""Certify a gate: judge calibration applications as if they were new, and choose its threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.colocation.gate.gate import JudgedPairs
from planner.colocation.gate.risk import (
    Certified,
    CoRuns,
    certified_threshold,
    left_out_co_runs,
)
from planner.colocation.tangram.metrics import Floats


def certified(
    judged: Sequence[JudgedPairs], makespans: Sequence[Floats], limit: float, alpha: float
) -> Certified:
    """The largest threshold that keeps the mean share of bad co-runs of new applications.

    Parameters
    ----------
    judged
        The pairs of each calibration application with the reference applications, judged without
        its co-runs.
    makespans
        Makespans of the same pairs if they are admitted, with all that a new application is charged
        too.
    limit
        A co-run whose makespan exceeds it is bad.
    alpha
        Rate to keep.
    """
    return certified_threshold(*_as_scored(judged, makespans, limit), alpha)


def left_out(
    judged: Sequence[JudgedPairs], makespans: Sequence[Floats], limit: float, alpha: float
) -> CoRuns:
    """Co-runs of each application at the threshold of the others; inputs as in `certified`."""
    return left_out_co_runs(*_as_scored(judged, makespans, limit), alpha)


def _as_scored(
    judged: Sequence[JudgedPairs], makespans: Sequence[Floats], limit: float
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int64]]:
    """Score of each pair, whether it is bad, and the number of its application."""
    scores = [one.score for one in judged]
    units = [np.full(len(one.rows), number) for number, one in enumerate(judged)]
    return np.concatenate(scores), np.concatenate(makespans) > limit, np.concatenate(units)


def bad_share(makespan: Floats, admitted: NDArray[np.bool_], limit: float) -> float:
    """Share of an application's co-runs that are bad; 0 without a co-run."""
    together = makespan[admitted]
    return float((together > limit).mean()) if len(together) else 0.0
