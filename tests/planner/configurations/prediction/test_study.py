"""What was chosen, on measured synthetic codes where they are at hand."""

from __future__ import annotations

import csv

import numpy as np

from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.compare import PredictionCase, compare, quantile_bounds
from planner.configurations.prediction.families import MODELS
from planner.configurations.prediction.training import Training
from planner.configurations.table import table_of
from scenarios.measurements.runs import Runs
from tests.shared_data import RZMERL, needs_data

CODES = ("SM", "NSM", "NSC")
QUANTILES = tuple(0.1 * tenth for tenth in range(2, 10))


def test_what_was_chosen_is_a_known_family() -> None:
    assert MODELS[CHOSEN.model.name] == CHOSEN.model
    assert CHOSEN.design.model == CHOSEN.model


def measured() -> dict[str, Runs]:
    """Synthetic codes on several nodes; rows of other applications are dropped unread."""
    rows: dict[str, list[list[float]]] = {}
    with RZMERL.open(newline="", encoding="utf-8") as file:
        for application, *values in list(csv.reader(file))[1:]:
            if application in CODES and int(values[0]) > 1:
                rows.setdefault(application, []).append([float(value) for value in values])
    return {name: Runs(name, *np.array(values).T) for name, values in rows.items()}


@needs_data
def test_thirty_measured_configurations_predict_the_other_seventy_five() -> None:
    models = {name: MODELS[name] for name in ("log-polynomial", CHOSEN.model.name)}
    for runs in measured().values():
        truth = table_of(runs)
        case = PredictionCase(runs, truth, quantile_bounds(truth, QUANTILES))
        comparison = compare(case, models, Training(30), range(4), (CHOSEN.guard,))
        thesis, ours = comparison.errors
        assert comparison.decisions[1].violations == 0.0 < comparison.decisions[0].violations
        assert ours.time_median < 0.025
        assert ours.power_median < 0.012
        assert ours.time_median < 0.6 * thesis.time_median
        assert ours.power_median < 0.3 * thesis.power_median
