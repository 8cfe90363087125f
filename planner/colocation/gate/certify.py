"""Certify a gate: judge calibration applications as if they were new, and choose its threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.colocation.gate.gate import JudgedPairs
from planner.colocation.gate.risk import Certified, certified_threshold
from planner.colocation.tangram.metrics import Floats


def certified(
    judged: Sequence[JudgedPairs], makespans: Sequence[Floats], limit: float, alpha: float
) -> Certified:
    """The largest threshold that keeps the share of bad co-runs of a new application.

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
    scores = [one.score for one in judged]
    units = [np.full(len(one.rows), number) for number, one in enumerate(judged)]
    bad = np.concatenate(makespans) > limit
    return certified_threshold(np.concatenate(scores), bad, np.concatenate(units), alpha)


def bad_share(makespan: Floats, admitted: NDArray[np.bool_], limit: float) -> float:
    """Share of an application's co-runs that are bad; 0 without a co-run."""
    together = makespan[admitted]
    return float((together > limit).mean()) if len(together) else 0.0
