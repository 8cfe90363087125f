"""Models and designs on measured runs: errors, decisions, verified decisions, and runs needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.configurations.prediction.candidates import candidates_of
from planner.configurations.prediction.chosen import CHOSEN, PredictionChoice
from planner.configurations.prediction.compare import (
    Errors,
    ModelDecisions,
    PredictionCase,
    least_time,
    over_bound,
)
from planner.configurations.prediction.curves import (
    CurvePoint,
    Strategy,
    best_of_random,
    random_runs,
    replay,
    sequential,
    verified,
)
from planner.configurations.prediction.log_polynomial import LogPolynomial
from planner.configurations.prediction.model import configuration_keys
from planner.configurations.prediction.sequential import Design
from planner.configurations.prediction.training import Training


@dataclass(frozen=True)
class VerifiedAtBound:
    """Verified decisions at one bound, mean over training sets.

    Attributes
    ----------
    bound_w
        The bound [W].
    regret_band
        True time chosen over the least within the bound less the design's margin, less 1: what
        the design itself loses.
    margin_price
        That least time over the least within the whole bound, less 1.
    regret
        Both together: against the least time within the whole bound.
    """

    bound_w: float
    regret_band: float
    margin_price: float
    regret: float


@dataclass(frozen=True)
class Verified:
    """Decisions of the chosen design after training and verification runs at every bound.

    Attributes
    ----------
    application, training
        What was learnt, from what.
    runs
        Verification runs, mean over training sets.
    regret_mean, regret_median, regret_most
        Against the true optimum within the bound.
    regret_band_mean
        Against the true optimum within the bound less the design's margin.
    at_bounds
        The same at each bound that had an answer.
    violations, worst_excess, no_answer, decisions
        As in :class:`~planner.configurations.prediction.curves.CurvePoint`.
    """

    application: str
    training: str
    runs: float
    regret_mean: float | None
    regret_median: float | None
    regret_most: float | None
    regret_band_mean: float | None
    at_bounds: tuple[VerifiedAtBound, ...]
    violations: float
    worst_excess: float
    no_answer: float
    decisions: int


@dataclass(frozen=True)
class PredictionStudy:
    """Errors, decisions, verified decisions and needed runs, with their seeds.

    Attributes
    ----------
    errors, decisions, verified, curves
        The rows.
    seeds
        Seed of each training set.
    curve_seeds
        Seeds of the curves, one for each sample of runs and of repetitions.
    """

    errors: tuple[Errors, ...]
    decisions: tuple[ModelDecisions, ...]
    verified: tuple[Verified, ...]
    curves: tuple[CurvePoint, ...]
    seeds: tuple[int, ...]
    curve_seeds: tuple[int, ...]

    @property
    def applications(self) -> tuple[str, ...]:
        """Return the applications that were learnt, in order."""
        return tuple(dict.fromkeys(row.application for row in self.errors))


TABLES = ("errors", "decisions", "verified", "curves")


def joined(parts: Sequence[PredictionStudy]) -> PredictionStudy:
    """Studies of several applications with the same seeds as one, in order."""
    rows: dict[str, Any] = {
        name: tuple(row for part in parts for row in getattr(part, name)) for name in TABLES
    }
    return replace(parts[0], **rows)


def strategies(choice: PredictionChoice = CHOSEN) -> dict[str, Strategy]:
    """Return the ways to spend runs, by name."""
    return {
        "sequential": sequential(choice.design),
        "random, verified": verified(choice.design),
        "random, chosen model": random_runs(choice.model, choice.guard),
        "random, log-polynomial": random_runs(LogPolynomial(), choice.guard),
        "random, no model": best_of_random,
    }


def verify(
    case: PredictionCase, training: Training, seeds: Sequence[int], design: Design
) -> Verified:
    """Train, then verify at every bound of the case in turn."""
    regrets: list[float] = []
    banded: list[float] = []
    excesses: list[float] = []
    spent: list[int] = []
    at_bounds: dict[float, list[tuple[float, float]]] = {}
    candidates = candidates_of(case.truth)
    rows_of = {key: row for row, key in enumerate(configuration_keys(case.truth))}
    for seed in seeds:
        rng = np.random.default_rng(seed)
        trained = case.runs.take(training.rows(case.runs, rng))
        budget = design.verifications * len(case.bounds_w)
        outcome = design.run(replay(case.runs, rng), candidates, case.bounds_w, budget, trained)
        spent.append(len(outcome.reasons))
        for bound, chosen in zip(case.bounds_w, outcome.chosen, strict=True):
            if chosen is None:
                continue
            row = rows_of[chosen.nodes, chosen.cores_per_node, chosen.package_cap_w]
            time = float(case.truth.time_s[row])
            regrets.append(time / least_time(case.truth, bound, 0.0) - 1)
            banded.append(time / least_time(case.truth, bound, design.margin) - 1)
            at_bounds.setdefault(bound, []).append((banded[-1], regrets[-1]))
            excesses.append(float(case.truth.power_w[row]) / bound - 1)
    total = len(seeds) * len(case.bounds_w)
    return Verified(
        case.truth.application,
        str(training),
        runs=float(np.mean(spent)),
        regret_mean=float(np.mean(regrets)) if regrets else None,
        regret_median=float(np.median(regrets)) if regrets else None,
        regret_most=max(regrets, default=None),
        regret_band_mean=float(np.mean(banded)) if banded else None,
        at_bounds=tuple(_at_bound(case, design, *entry) for entry in at_bounds.items()),
        **over_bound(excesses),
        no_answer=1 - len(regrets) / total,
        decisions=total,
    )


def _at_bound(
    case: PredictionCase, design: Design, bound_w: float, regrets: Sequence[tuple[float, float]]
) -> VerifiedAtBound:
    banded, regret = np.mean(np.array(regrets), axis=0).tolist()
    guarded = least_time(case.truth, bound_w, design.margin)
    return VerifiedAtBound(
        bound_w, banded, guarded / least_time(case.truth, bound_w, 0.0) - 1, regret
    )
