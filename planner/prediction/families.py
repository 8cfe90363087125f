"""The families of models, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from planner.prediction.corrected import Corrected
from planner.prediction.gaussian_process import GaussianProcess
from planner.prediction.log_polynomial import LogPolynomial
from planner.prediction.model import Model
from planner.prediction.physical import Physical

MODELS: Mapping[str, Model] = MappingProxyType(
    {model.name: model for model in (LogPolynomial(), Physical(), GaussianProcess(), Corrected())}
)
