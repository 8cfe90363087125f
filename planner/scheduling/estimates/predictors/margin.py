"""Multiply the predictions of any predictor by a factor, so that fewer jobs exceed them."""

from __future__ import annotations

import math
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


def with_margin(predictor: RunTimePredictor, factor: float) -> RunTimePredictor:
    """Predictions times a factor above 0, rounded up, from 1 s to the request.

    Raises
    ------
    InputError
        The factor is not a number above 0.
    """
    if not (factor > 0 and math.isfinite(factor)):
        raise InputError(f"a margin of {factor} is not a factor above 0; give 1.5, for example")
    return _WithMargin(predictor, float(factor))


@dataclass(frozen=True)
class _WithMargin:
    predictor: RunTimePredictor
    factor: float

    @property
    def name(self) -> str:
        return f"{self.predictor.name} x {self.factor:g}"

    def begin(self, known: Known, seed: int = 0) -> Predicting:
        requested = np.maximum(known.requested_s, 1)
        return _Pass(self.predictor.begin(known, seed), self.factor, requested)


@dataclass(frozen=True, eq=False)
class _Pass:
    inner: Predicting
    factor: float
    requested_s: Integers

    def predict(self, rows: Rows) -> Integers:
        longer = np.ceil(self.inner.predict(rows) * self.factor)
        capped: Integers = np.clip(longer, 1, self.requested_s[rows]).astype(np.int64)
        return capped

    def learn(self, rows: Rows, run_s: Integers) -> None:
        self.inner.learn(rows, run_s)
