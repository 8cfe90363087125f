"""Predictors that users write: every prediction is checked before it is planned with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Known,
    Predicting,
    Rows,
    RunTimePredictor,
)
from planner.sealed import sealed, sealed_array


@dataclass(frozen=True)
class Checked:
    """A user's own predictor, whose predictions must lie between 1 s and the request."""

    predictor: RunTimePredictor

    @property
    def name(self) -> str:
        """Its own name."""
        return self.predictor.name

    def begin(self, known: Known, seed: int = 0) -> Predicting:
        """A pass over a log."""
        requested = np.maximum(known.requested_s, 1)
        return _Pass(self.name, self.predictor.begin(sealed(known), seed), requested)


@dataclass(frozen=True, eq=False)
class _Pass:
    name: str
    inner: Predicting
    requested_s: Integers

    def predict(self, rows: Rows) -> Integers:
        predicted = np.asarray(self.inner.predict(sealed_array(rows)))
        if predicted.shape != rows.shape or predicted.dtype.kind not in "iu":
            raise InputError(
                f"{self.name} predicts {predicted.dtype} of shape {predicted.shape}; return whole "
                f"seconds of shape {rows.shape}"
            )
        outside = (predicted < 1) | (predicted > self.requested_s[rows])
        for row in np.flatnonzero(outside)[:1].tolist():
            raise InputError(
                f"{self.name} predicts {predicted[row]} s in row {rows[row]}, where "
                f"{self.requested_s[rows[row]]} s are requested; predict from 1 s to the request"
            )
        return predicted.astype(np.int64)

    def learn(self, rows: Rows, run_s: Integers) -> None:
        self.inner.learn(sealed_array(rows), sealed_array(run_s))
