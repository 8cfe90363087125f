"""Regret against the number of runs: chosen one after the other, or drawn at random.

Each strategy spends a budget of single runs for one bound and names a configuration. It is scored
against the true optimum within the bound, without a guard: what is kept free is a strategy's own
loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.configurations.prediction.candidates import ConfigurationKey, candidates_of
from planner.configurations.prediction.compare import PredictionCase, decide, least_time, over_bound
from planner.configurations.prediction.model import Model, configuration_keys
from planner.configurations.prediction.sequential import Design, Measure, SequentialOutcome
from planner.configurations.prediction.training import Training
from planner.configurations.table import groups
from planner.errors import InputError
from scenarios.measurements.runs import Runs

Strategy = Callable[[PredictionCase, float, int, np.random.Generator], int | None]
"""Case, bound [W], runs to spend and randomness; row of the table of truth, or no answer."""


@dataclass(frozen=True)
class CurvePoint:
    """One strategy with one budget, over all bounds and seeds.

    Attributes
    ----------
    application, strategy, runs
        Who, how, and with how many runs.
    regret_median, regret_mean, regret_high
        True time chosen over least true time within the bound, less 1; ``high`` is the 90th
        percentile. ``None`` where there was no answer at all.
    violations, worst_excess
        Share of the answers whose true power exceeds the bound, and by how much at most.
    no_answer
        Share of decisions without an answer.
    decisions
        How many: bounds times seeds.
    """

    application: str
    strategy: str
    runs: int
    regret_median: float | None
    regret_mean: float | None
    regret_high: float | None
    violations: float
    worst_excess: float
    no_answer: float
    decisions: int


def replay(runs: Runs, rng: np.random.Generator) -> Measure:
    """Return a function that measures by drawing one of the recorded runs of a configuration."""
    recorded = {configuration_keys(runs)[group[0]]: group for group in groups(runs)}

    def measure(key: ConfigurationKey) -> Runs:
        return runs.take(rng.choice(recorded[key], 1))

    return measure


def sequential(design: Design) -> Strategy:
    """Runs chosen one after the other."""

    def strategy(
        case: PredictionCase, bound_w: float, budget: int, rng: np.random.Generator
    ) -> int | None:
        outcome = design.run(replay(case.runs, rng), candidates_of(case.truth), (bound_w,), budget)
        return _chosen_row(case, outcome)

    return strategy


def random_runs(model: Model, guard: float) -> Strategy:
    """Single runs drawn at random, and what the model predicts to be best; nothing verified."""

    def strategy(
        case: PredictionCase, bound_w: float, budget: int, rng: np.random.Generator
    ) -> int | None:
        try:
            fitted = model.fit(case.runs.take(Training(budget, "runs").rows(case.runs, rng)))
        except InputError:  # fewer configurations than the model needs: no answer
            return None
        truth = case.truth
        runs = fitted.predict(truth.nodes, truth.cores_per_node, truth.package_cap_w)
        return decide(runs.time_s, runs.power_w, bound_w, guard)

    return strategy


def best_of_random(
    case: PredictionCase, bound_w: float, budget: int, rng: np.random.Generator
) -> int | None:
    """Single runs drawn at random, and the fastest that kept to the bound; no model."""
    runs = case.runs.take(Training(budget, "runs").rows(case.runs, rng))
    best = decide(runs.time_s, runs.power_w, bound_w)
    return (
        None
        if best is None
        else configuration_keys(case.truth).index(configuration_keys(runs)[best])
    )


def verified(design: Design) -> Strategy:
    """Single runs drawn at random, but for the verifications at the end."""

    def strategy(
        case: PredictionCase, bound_w: float, budget: int, rng: np.random.Generator
    ) -> int | None:
        checks = min(design.verifications, budget - 1)
        rows = Training(budget - checks, "runs").rows(case.runs, rng)
        outcome = design.run(
            replay(case.runs, rng),
            candidates_of(case.truth),
            (bound_w,),
            checks,
            case.runs.take(rows),
        )
        return _chosen_row(case, outcome)

    return strategy


def _chosen_row(case: PredictionCase, outcome: SequentialOutcome) -> int | None:
    """Row of the table of truth that a design chose for its one bound."""
    chosen = outcome.chosen[0]
    if chosen is None:
        return None
    key = (chosen.nodes, chosen.cores_per_node, chosen.package_cap_w)
    return configuration_keys(case.truth).index(key)


def curves(
    case: PredictionCase,
    strategies: Mapping[str, Strategy],
    budgets: Sequence[int],
    seeds: Iterable[int],
) -> tuple[CurvePoint, ...]:
    """Evaluate every strategy with every budget, for each bound of the case and each seed."""
    repeated_seeds = tuple(seeds)
    return tuple(
        _point(case, name, strategy, budget, repeated_seeds)
        for name, strategy in strategies.items()
        for budget in budgets
    )


def _point(
    case: PredictionCase, name: str, strategy: Strategy, budget: int, seeds: Sequence[int]
) -> CurvePoint:
    regrets, excesses, total = [], [], 0
    for seed in seeds:
        for index, bound in enumerate(case.bounds_w):
            total += 1
            row = strategy(case, bound, budget, np.random.default_rng((seed, index)))
            if row is None:
                continue
            regrets.append(float(case.truth.time_s[row]) / least_time(case.truth, bound, 0.0) - 1)
            excesses.append(float(case.truth.power_w[row]) / bound - 1)
    answered = bool(regrets)
    return CurvePoint(
        case.truth.application,
        name,
        budget,
        regret_median=float(np.median(regrets)) if answered else None,
        regret_mean=float(np.mean(regrets)) if answered else None,
        regret_high=float(np.quantile(regrets, 0.9)) if answered else None,
        **over_bound(excesses),
        no_answer=1 - len(regrets) / total,
        decisions=total,
    )
