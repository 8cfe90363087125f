"""Settings of the study of estimates: uptakes, errors, seeds, predictors and other weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.parts import check_part, loaded_from, refuse_namesakes
from planner.scheduling.estimates.binning import LARGEST_ERROR
from planner.scheduling.estimates.cases import EstimateCase, case_of
from planner.scheduling.estimates.predictors.registry import ORACLES, PREDICTOR
from planner.scheduling.estimates.tools import (
    STRATEGIES,
    TOOLS,
    BoundedErrorOracle,
    PredictorTool,
    overruns_of,
)
from scenarios.formatting import nearest

if TYPE_CHECKING:
    from planner.scheduling.estimates.predictors.predictor import RunTimePredictor
    from scenarios.maui.settings import MauiConfiguration

NEVER_OUTLIVED = ("extend",)
TENTHS = tuple(k / 10 for k in range(11))
AS_GIVEN = "as given"
WEIGHTS = (
    ("service", "queue_time"),
    ("service", "bypass"),
    ("resource", "processors"),
    ("fairshare", "user"),
)
"""The preferences of Smith, Hammond and Jarvis (2011), whose weights are not published."""


@dataclass(frozen=True)
class EstimateSettings:
    """The settings of the study.

    Attributes
    ----------
    uptakes, errors
        Uptakes of the bounded-error oracle, as shares from 0 to 1, and its largest errors relative
        to the run time.
    seeds
        Seeds of the order of users.
    predictors, own, strategies
        Names of built-in predictors, the user's own predictors, and strategies for jobs that exceed
        a prediction. Each predictor is simulated with each strategy, and all users use it.
    margin
        Factor on all predictions.
    weights
        Whether each weight of the scheduler is also removed and multiplied by ten.
    """

    uptakes: tuple[float, ...] = TENTHS
    errors: tuple[float, ...] = TENTHS
    seeds: tuple[int, ...] = tuple(range(10))
    predictors: tuple[str, ...] = ("last-two", "quantile", "refining")
    strategies: tuple[str, ...] = ("extend", "request", "double")
    margin: float = 1.0
    weights: bool = True
    own: tuple[RunTimePredictor, ...] = ()

    def check(self) -> None:
        """Refuse settings that cannot be simulated.

        Raises
        ------
        InputError
            An uptake outside 0 to 1, an error below 0 or beyond reason, no seed, an unknown name.
        """
        for uptake in self.uptakes:
            if not 0 <= uptake <= 1:
                message = f"an uptake of {100 * uptake:g} % is not a share of the users"
                raise InputError(f"{message}; give 0 to 100")
        for error in self.errors:
            if not 0 <= error <= LARGEST_ERROR:
                message = f"a largest error of {100 * error:g} % is out of range"
                raise InputError(f"{message}; give 0 to {100 * LARGEST_ERROR:g}")
        if not self.seeds or not self.uptakes or not self.errors:
            raise InputError("the study has no uptake, no error or no seed; give one of each")
        for chosen, allowed, meaning in (
            (self.predictors, TOOLS, "predictor"),
            (self.strategies, tuple(STRATEGIES), "strategy"),
        ):
            for name in chosen:
                if name not in allowed:
                    raise InputError(
                        f"{meaning} {name!r} is unknown; {nearest(name, list(allowed))}"
                    )
        for predictor in self.own:
            check_part(predictor, PREDICTOR)
        refuse_namesakes([*TOOLS, *(predictor.name for predictor in self.own)], "predictor")

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; own predictors by their names, behind the others."""
        plain = {field.name: getattr(self, field.name) for field in fields(self)}
        own = tuple(predictor.name for predictor in plain.pop("own"))
        return plain | {"predictors": (*self.predictors, *own)}

    @property
    def predictor_tools(self) -> tuple[PredictorTool, ...]:
        """Each predictor with each strategy; what is never outlived needs none."""
        return tuple(
            PredictorTool(name, overruns_of(strategy), self.margin)
            for name in self.predictors
            for strategy in (NEVER_OUTLIVED if name in ORACLES else self.strategies)
        ) + tuple(
            PredictorTool(
                own.name, overruns_of(strategy), self.margin, own=own, own_sha256=_sha256(own)
            )
            for own in self.own
            for strategy in self.strategies
        )

    def oracle(self, error: float) -> BoundedErrorOracle:
        """The oracle of a largest error."""
        return BoundedErrorOracle(error)

    def cases(self, configurations: dict[str, MauiConfiguration]) -> Iterator[EstimateCase]:
        """All cases; the slow ones first, so that workers end together."""
        for tool in self.predictor_tools:
            yield case_of(tool, 1.0, 0)
        yield EstimateCase()
        yield case_of(self.oracle(0.0), 1.0, 0)
        for variant in configurations:
            yield EstimateCase(variant=variant)
            yield case_of(self.oracle(0.0), 1.0, 0, variant)
        for seed in self.seeds:
            for uptake in self.uptakes:
                for error in self.errors:
                    yield case_of(self.oracle(error), uptake, seed)


def _sha256(own: RunTimePredictor) -> str:
    """Return what tells a file's outcomes from those of another one."""
    loaded = loaded_from(own)
    return "" if loaded is None else loaded.sha256


def variants(configuration: MauiConfiguration, *, weights: bool) -> dict[str, MauiConfiguration]:
    """The configuration, and with each weight taken away and ten times as large."""
    variants = {AS_GIVEN: configuration}
    if not weights:
        return variants
    for component, name in WEIGHTS:
        group = getattr(configuration.priority, component)
        for factor, words in ((0.0, "without"), (10.0, "ten times")):
            value = getattr(group, name) * factor
            if value == getattr(group, name):
                continue
            changed = group.model_copy(update={name: value})
            priority = configuration.priority.model_copy(update={component: changed})
            variant = f"{words} {_SHORT[name]}"
            variants[variant] = configuration.model_copy(update={"priority": priority})
    return variants


def changed_weight(variant: str) -> str:
    """Return the name of the weight that a variant changes; empty if it changes none.

    Examples
    --------
    >>> changed_weight("ten times queue time"), changed_weight("as given")
    ('queue time', '')
    """
    return next((name for name in _SHORT.values() if variant.endswith(f" {name}")), "")


_SHORT = {
    "queue_time": "queue time",
    "bypass": "bypass",
    "processors": "processors",
    "user": "fairshare",
}
