"""What is not measured: predicted pairs, and the pairs to measure next."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.pairs.prediction import SpeedPrediction
from planner.sharing_nodes.pairs.to_measure import Probe


@dataclass(frozen=True, eq=False)
class Guesses:
    """Predictions of a study.

    Attributes
    ----------
    used
        Whether predicted pairs may be chosen.
    predicted
        Which pairs of applications were predicted for that, ``(applications, applications)``.
    prediction
        ``None`` where too little was measured for one.
    probes
        Pairs to measure next.
    """

    used: bool
    predicted: NDArray[np.bool_]
    prediction: SpeedPrediction | None
    probes: tuple[Probe, ...]
