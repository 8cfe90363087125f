"""What a run-time predictor of your own gets and returns."""

from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Known,
    Predicting,
    Rows,
    RunTimePredictor,
)

__all__ = ["Integers", "Known", "Predicting", "Rows", "RunTimePredictor"]
