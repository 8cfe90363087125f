"""Regret against the number of runs: chosen one after the other, or drawn at random.

Each strategy spends a budget of single runs for one bound and names a configuration. It is scored
against the true optimum within the bound, without a guard: what is kept free is a strategy's own
loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from planner.configurations.prediction.candidates import Place, candidates_of
from planner.configurations.prediction.compare import Case, decide, least_time, over_bound
from planner.configurations.prediction.model import Model, places
from planner.configurations.prediction.sequential import Design, Measure
from planner.configurations.prediction.training import Training
from planner.configurations.table import groups
from planner.errors import InputError
from scenarios.measurements.runs import Runs

Strategy = Callable[[Case, float, int, np.random.Generator], int | None]
"""Case, bound [W], runs to spend and randomness; row of the table of truth, or no answer."""


@dataclass(frozen=True)
class Point:
    """One strategy with one budget, over all bounds and seeds.

    Attributes
    ----------
    application, strategy, runs
        Who, how, and with how many runs.
    regret_median, regret_mean, regret_high
        Of true time chosen over least true time within the bound, less 1; ``high``: ninetieth
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

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return asdict(self)


def replay(runs: Runs, rng: np.random.Generator) -> Measure:
    """Measuring, as drawing one of the recorded runs of a configuration."""
    recorded = {places(runs)[group[0]]: group for group in groups(runs)}

    def measure(place: Place) -> Runs:
        return runs.take(rng.choice(recorded[place], 1))

    return measure


def sequential(design: Design) -> Strategy:
    """Runs chosen one after the other."""

    def strategy(case: Case, bound_w: float, budget: int, rng: np.random.Generator) -> int | None:
        found = design.run(replay(case.runs, rng), candidates_of(case.truth), (bound_w,), budget)
        chosen = found.chosen[0]
        if chosen is None:
            return None
        place = (chosen.nodes, chosen.cores_per_node, chosen.package_cap_w)
        return places(case.truth).index(place)

    return strategy


def random_runs(model: Model, guard: float) -> Strategy:
    """Single runs drawn at random, and what the model predicts to be best; nothing verified."""

    def strategy(case: Case, bound_w: float, budget: int, rng: np.random.Generator) -> int | None:
        try:
            fitted = model.fit(case.runs.take(Training(budget, "runs").rows(case.runs, rng)))
        except InputError:  # fewer configurations than the model needs: no answer
            return None
        truth = case.truth
        runs = fitted.predict(truth.nodes, truth.cores_per_node, truth.package_cap_w)
        return decide(runs.time_s, runs.power_w, bound_w, guard)

    return strategy


def best_of_random(case: Case, bound_w: float, budget: int, rng: np.random.Generator) -> int | None:
    """Single runs drawn at random, and the fastest that kept to the bound; no model."""
    runs = case.runs.take(Training(budget, "runs").rows(case.runs, rng))
    best = decide(runs.time_s, runs.power_w, bound_w)
    return None if best is None else places(case.truth).index(places(runs)[best])


def verified(design: Design) -> Strategy:
    """Single runs drawn at random, but for the verifications at the end."""

    def strategy(case: Case, bound_w: float, budget: int, rng: np.random.Generator) -> int | None:
        checks = min(design.verifications, budget - 1)
        rows = Training(budget - checks, "runs").rows(case.runs, rng)
        found = design.run(
            replay(case.runs, rng),
            candidates_of(case.truth),
            (bound_w,),
            checks,
            case.runs.take(rows),
        )
        chosen = found.chosen[0]
        if chosen is None:
            return None
        place = (chosen.nodes, chosen.cores_per_node, chosen.package_cap_w)
        return places(case.truth).index(place)

    return strategy


def curves(
    case: Case, strategies: Mapping[str, Strategy], budgets: Sequence[int], seeds: Iterable[int]
) -> tuple[Point, ...]:
    """Every strategy with every budget, for each bound of the case and each seed."""
    drawn = tuple(seeds)
    return tuple(
        _point(case, name, strategy, budget, drawn)
        for name, strategy in strategies.items()
        for budget in budgets
    )


def _point(case: Case, name: str, strategy: Strategy, budget: int, seeds: Sequence[int]) -> Point:
    regrets, excesses, total = [], [], 0
    for seed in seeds:
        for place, bound in enumerate(case.bounds_w):
            total += 1
            row = strategy(case, bound, budget, np.random.default_rng((seed, place)))
            if row is None:
                continue
            regrets.append(float(case.truth.time_s[row]) / least_time(case.truth, bound, 0.0) - 1)
            excesses.append(float(case.truth.power_w[row]) / bound - 1)
    answered = bool(regrets)
    return Point(
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
