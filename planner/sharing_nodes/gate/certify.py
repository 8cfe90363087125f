"""Certify a gate: judge calibration applications as if they were new, and choose its threshold."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.gate.risk import (
    Certified,
    CoRuns,
    certified_threshold,
    left_out_co_runs,
)
from planner.sharing_nodes.tangram.metrics import Floats


def certified(
    scores: Sequence[Floats], makespans: Sequence[Floats], limit: float, bad_share: float
) -> Certified:
    """The largest threshold that keeps the mean share of bad co-runs of new applications.

    Parameters
    ----------
    scores
        Scores of the pairs of each calibration application with the reference applications, judged
        without its co-runs.
    makespans
        Makespans of the same pairs if they are admitted, with all that a new application is charged
        too.
    limit
        A co-run whose makespan exceeds it is bad.
    bad_share
        Rate to keep.
    """
    return certified_threshold(*_with_units(scores, makespans, limit), bad_share)


def left_out(
    scores: Sequence[Floats], makespans: Sequence[Floats], limit: float, bad_share: float
) -> CoRuns:
    """Co-runs of each application at the threshold of the others; inputs as in `certified`."""
    return left_out_co_runs(*_with_units(scores, makespans, limit), bad_share)


def _with_units(
    scores: Sequence[Floats], makespans: Sequence[Floats], limit: float
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int64]]:
    """Score of each pair, whether it is bad, and the number of its application."""
    units = [np.full(len(one), number) for number, one in enumerate(scores)]
    return np.concatenate(scores), np.concatenate(makespans) > limit, np.concatenate(units)
