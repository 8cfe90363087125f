"""The user's request, taken at its word: what every predictor is measured by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.scheduling.estimates.predictors.predictor import Integers, Known, Predicting, Rows


@dataclass(frozen=True)
class Requested:
    """The requested time."""

    name: str = "requested"

    def begin(self, known: Known, seed: int = 0) -> Predicting:  # noqa: ARG002 - nothing is drawn
        """A pass over a log."""
        return _Pass(np.maximum(known.requested_s, 1))


@dataclass(frozen=True, eq=False)
class _Pass:
    requested_s: Integers

    def predict(self, rows: Rows) -> Integers:
        predicted: Integers = self.requested_s[rows]
        return predicted

    def learn(self, rows: Rows, run_s: Integers) -> None:
        """Nothing is learnt."""
