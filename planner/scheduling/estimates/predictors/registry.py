"""The predictors by name, and apart from them the oracles."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from planner.errors import InputError
from planner.parts import PartKind, load_part
from planner.scheduling.estimates.predictors.last_two import LastTwo
from planner.scheduling.estimates.predictors.predictor import Oracle, RunTimePredictor
from planner.scheduling.estimates.predictors.quantile import Quantile
from planner.scheduling.estimates.predictors.refining_oracle import RefiningOracle
from planner.scheduling.estimates.predictors.requested import Requested

_ALL: tuple[RunTimePredictor, ...] = (Requested(), LastTwo(), Quantile())

PREDICTOR: PartKind[RunTimePredictor] = PartKind("predictor", RunTimePredictor)

PREDICTORS: Mapping[str, RunTimePredictor] = MappingProxyType(
    {predictor.name: predictor for predictor in _ALL}
)

BY_USER = frozenset({"last-two", "quantile"})
"""Names of the predictors that learn from ended jobs of the same user."""

ORACLES: Mapping[str, Oracle] = MappingProxyType({"refining": RefiningOracle})
"""What needs true run times that nobody knows yet."""


def find_predictor(name: str) -> RunTimePredictor:
    """A predictor by its name or of the user's own, as :func:`planner.parts.load_part`.

    Raises
    ------
    InputError
        There is no such predictor, or it is an oracle.
    """
    if name in ORACLES:
        raise InputError(
            f"{name} is an oracle, which needs run times before they are known; take it as one, or "
            f"a predictor: {', '.join(PREDICTORS)}"
        )
    return load_part(name, PREDICTORS, PREDICTOR)
