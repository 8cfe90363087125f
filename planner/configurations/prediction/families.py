"""The families of models, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from planner.configurations.prediction.corrected import Corrected
from planner.configurations.prediction.log_polynomial import LogPolynomial
from planner.configurations.prediction.model import Model
from planner.configurations.prediction.physical import Physical
from planner.configurations.prediction.processor import E5_2670, Processor


def model_named(name: str, processor: Processor = E5_2670) -> Model:
    """Return one of the models, for another processor.

    Raises
    ------
    KeyError
        There is no such model.
    """
    model = MODELS[name]
    if isinstance(model, Corrected):
        return replace(model, physical=replace(model.physical, processor=processor))
    if isinstance(model, Physical):
        return replace(model, processor=processor)
    return model


def models_of(processor: Processor) -> Mapping[str, Model]:
    """Return all models, for another processor."""
    return {name: model_named(name, processor) for name in MODELS}


MODELS: Mapping[str, Model] = MappingProxyType(
    {model.name: model for model in (LogPolynomial(), Physical(), Corrected())}
)
