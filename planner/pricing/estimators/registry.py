"""The built-in estimators by name."""

from __future__ import annotations

from planner.errors import InputError
from planner.pricing.estimators.block_ratios import BlockRatios
from planner.pricing.estimators.estimator import SpeedEstimator
from planner.pricing.estimators.placebo import PlaceboCorrected
from planner.pricing.estimators.ratio_of_means import Algorithm4, Unfiltered
from planner.pricing.estimators.shrinkage import Shrinkage
from planner.pricing.estimators.spin import SpinCorrected
from planner.pricing.estimators.symmetric import SymmetricFilter
from scenarios.formatting import nearest

ESTIMATORS: dict[str, SpeedEstimator] = {
    each.name: each
    for each in (
        Algorithm4(),
        Unfiltered(),
        BlockRatios(),
        SymmetricFilter(),
        PlaceboCorrected(),
        SpinCorrected(),
        Shrinkage(),
    )
}
"""All estimators; the paper's come first."""


def find_estimator(name: str) -> SpeedEstimator:
    """The estimator of a name.

    Raises
    ------
    InputError
        There is none.
    """
    if name not in ESTIMATORS:
        raise InputError(f"estimator {name!r} is unknown; {nearest(name, list(ESTIMATORS))}")
    return ESTIMATORS[name]
