"""Models of run time and power, compared by their errors and by the decisions that they lead to.

The decision: the configuration of least predicted time among those whose predicted power is at
most ``bound (1 - guard)``. It is scored on a table of true times and powers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.configurations.prediction.model import Model, ModelPrediction, configuration_keys
from planner.configurations.prediction.training import Training
from planner.configurations.table import ConfigurationTable
from planner.errors import InputError
from scenarios.measurements.runs import Floats, Runs

GUARDS = (0.0, 0.01, 0.02, 0.03, 0.05)


@dataclass(frozen=True, eq=False)
class PredictionCase:
    """An application whose times and powers a model has to learn.

    Attributes
    ----------
    runs
        What may be trained on.
    truth
        The configurations to choose from, with their true time and power.
    bounds_w
        Power bounds [W].

    Raises
    ------
    InputError
        A bound that no configuration keeps to.
    """

    runs: Runs
    truth: ConfigurationTable
    bounds_w: tuple[float, ...]

    def __post_init__(self) -> None:
        least_w = float(self.truth.power_w.min())
        for bound in self.bounds_w:
            if bound < least_w:
                raise InputError(
                    f"{self.truth.application}: no configuration fits {bound:g} W; give at least "
                    f"{least_w:.0f} W"
                )


@dataclass(frozen=True)
class Errors:
    """Relative errors of a model on configurations that it was not trained on.

    Quantiles over configurations and training sets of ``|log(predicted / true)|``, which is the
    relative error where it is small.

    Attributes
    ----------
    application, model, training
        What was learnt, by what, from what.
    time_median, time_quartile_3, time_most, power_median, power_quartile_3, power_most
        Errors as fractions.
    power_short_most
        Largest amount by which power was predicted too low.
    """

    application: str
    model: str
    training: str
    time_median: float
    time_quartile_3: float
    time_most: float
    power_median: float
    power_quartile_3: float
    power_most: float
    power_short_most: float


@dataclass(frozen=True)
class ModelDecisions:
    """Regret and broken bounds of a model's decisions, over all bounds and training sets.

    Attributes
    ----------
    application, model, training, guard
        What was learnt, by what, from what, and the share of the bound kept free.
    regret_mean
        Mean of true time chosen over least true time within the same guarded bound, less 1.
    regret_low, regret_high
        Tenth and ninetieth percentile of that mean over training sets. ``None``, as the mean:
        there was no answer.
    regret_kept_mean
        The same mean over the decisions that keep to the bound; ``None``: none does.
    guard_price
        Mean of least true time within the guarded bound over that within the bound, less 1.
    violations
        Share of the answers whose true power exceeds the bound.
    worst_excess
        Largest excess over the bound, as a fraction of it.
    no_answer
        Share of decisions where nothing was predicted to keep to the guarded bound.
    decisions
        How many: bounds times training sets.
    """

    application: str
    model: str
    training: str
    guard: float
    regret_mean: float | None
    regret_low: float | None
    regret_high: float | None
    regret_kept_mean: float | None
    guard_price: float
    violations: float
    worst_excess: float
    no_answer: float
    decisions: int


@dataclass(frozen=True)
class ModelComparison:
    """Errors and decisions of every model, as rows of two tables."""

    errors: tuple[Errors, ...]
    decisions: tuple[ModelDecisions, ...]


def decide(time_s: Floats, power_w: Floats, bound_w: float, guard: float = 0.0) -> int | None:
    """Index of the fastest within ``bound (1 - guard)``; ``None`` where there is none."""
    allowed = np.flatnonzero(power_w <= bound_w * (1 - guard))
    return int(allowed[np.argmin(time_s[allowed])]) if len(allowed) else None


def compare(
    case: PredictionCase,
    models: Mapping[str, Model],
    training: Training,
    seeds: Iterable[int],
    guards: Sequence[float] = GUARDS,
) -> ModelComparison:
    """Compare all models on the same training sets, one per seed.

    Raises
    ------
    InputError
        More training asked for than there are runs, or too little for a model.
    """
    trained = [
        case.runs.take(training.rows(case.runs, np.random.default_rng(seed))) for seed in seeds
    ]
    truth = case.truth
    errors: list[Errors] = []
    decisions: list[ModelDecisions] = []
    for name, model in models.items():
        predictions = [
            model.fit(runs).predict(truth.nodes, truth.cores_per_node, truth.package_cap_w)
            for runs in trained
        ]
        errors.append(_errors(case, name, str(training), trained, predictions))
        decisions += [_decisions(case, name, str(training), predictions, guard) for guard in guards]
    return ModelComparison(tuple(errors), tuple(decisions))


def _unseen(truth: ConfigurationTable, trained: Runs) -> NDArray[np.bool_]:
    seen = set(configuration_keys(trained))
    return np.array([key not in seen for key in configuration_keys(truth)])


def _errors(
    case: PredictionCase,
    model: str,
    training: str,
    trained: Sequence[Runs],
    predictions: Sequence[ModelPrediction],
) -> Errors:
    truth = case.truth
    times, powers = [], []
    for runs, prediction in zip(trained, predictions, strict=True):
        unseen = _unseen(truth, runs)
        times.append(np.log(prediction.time_s / truth.time_s)[unseen])
        powers.append(np.log(prediction.power_w / truth.power_w)[unseen])
    of_time, of_power = np.concatenate(times), np.concatenate(powers)
    time, power = (
        [float(q) for q in np.quantile(np.abs(e), (0.5, 0.75, 1.0))] for e in (of_time, of_power)
    )
    return Errors(
        truth.application,
        model,
        training,
        time_median=time[0],
        time_quartile_3=time[1],
        time_most=time[2],
        power_median=power[0],
        power_quartile_3=power[1],
        power_most=power[2],
        power_short_most=float(max(0.0, -of_power.min())),
    )


def _decisions(
    case: PredictionCase,
    model: str,
    training: str,
    predictions: Sequence[ModelPrediction],
    guard: float,
) -> ModelDecisions:
    truth = case.truth
    per_set: list[float] = []
    regrets: list[float] = []
    decisions: list[float] = []
    excesses: list[float] = []
    for prediction in predictions:
        here = []
        for bound in case.bounds_w:
            chosen = decide(prediction.time_s, prediction.power_w, bound, guard)
            if chosen is None:
                continue
            regret = float(truth.time_s[chosen]) / least_time(truth, bound, guard) - 1
            excess = float(truth.power_w[chosen]) / bound - 1
            here.append(regret)
            excesses.append(excess)
            if excess <= 0:
                decisions.append(regret)
        regrets += here
        if here:
            per_set.append(float(np.mean(here)))
    total = len(predictions) * len(case.bounds_w)
    prices = [least_time(truth, b, guard) / least_time(truth, b, 0.0) - 1 for b in case.bounds_w]
    return ModelDecisions(
        truth.application,
        model,
        training,
        guard,
        regret_mean=float(np.mean(regrets)) if regrets else None,
        regret_low=float(np.quantile(per_set, 0.1)) if per_set else None,
        regret_high=float(np.quantile(per_set, 0.9)) if per_set else None,
        regret_kept_mean=float(np.mean(decisions)) if decisions else None,
        guard_price=float(np.mean(prices)),
        **over_bound(excesses),
        no_answer=1 - len(regrets) / total,
        decisions=total,
    )


def over_bound(excesses: Sequence[float]) -> dict[str, float]:
    """Share of the answers that exceed their bound, and the largest excess, of true power.

    Examples
    --------
    >>> over_bound([-0.1, 0.02])
    {'violations': 0.5, 'worst_excess': 0.02}
    """
    broken = float(np.mean([excess > 0 for excess in excesses])) if excesses else 0.0
    return {"violations": broken, "worst_excess": max([0.0, *excesses])}


def least_time(truth: ConfigurationTable, bound_w: float, guard: float) -> float:
    """True time of the true optimum within the guarded bound; infinite where there is none."""
    chosen = decide(truth.time_s, truth.power_w, bound_w, guard)
    return float(truth.time_s[chosen]) if chosen is not None else float("inf")


def quantile_bounds(truth: ConfigurationTable, quantiles: Sequence[float]) -> tuple[float, ...]:
    """Power bounds at quantiles of the power of the configurations [W]."""
    return tuple(np.quantile(truth.power_w, quantiles).tolist())
