"""The study on a simulated application, and on measured synthetic codes where they are at hand."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.compare import PredictionCase, compare, quantile_bounds
from planner.configurations.prediction.families import MODELS
from planner.configurations.prediction.study import TABLES, study
from planner.configurations.prediction.training import Training
from planner.configurations.table import table_of
from scenarios.measurements.runs import Runs
from tests.planner.configurations.prediction.samples import simulated
from tests.shared_data import RZMERL, needs_data

CODES = ("SM", "NSM", "NSC")


def test_what_was_chosen_is_a_known_family() -> None:
    assert MODELS[CHOSEN.model.name] == CHOSEN.model
    assert CHOSEN.design.model == CHOSEN.model


@pytest.mark.slow
def test_a_study_of_a_simulated_application() -> None:
    studied = study(
        {"SP-MZ": simulated("SP-MZ")},
        (1, 2),
        bounds_w=(2500.0, 4000.0, 5500.0),
        trainings=(Training(46),),
        budgets=(12,),
        curve_seeds=(1,),
        guards=(0.0, 0.03),
    )
    assert [row.model for row in studied.errors] == list(MODELS)
    assert len(studied.decisions) == 8
    assert len(studied.curves) == 5
    ours = {row.guard: row for row in studied.decisions if row.model == CHOSEN.model.name}
    assert ours[0.03].violations <= 0.2
    assert ours[0.03].regret_mean is not None
    assert ours[0.03].regret_mean < 0.04
    thesis = next(row for row in studied.errors if row.model == "log-polynomial")
    best = next(row for row in studied.errors if row.model == CHOSEN.model.name)
    assert best.time_median < 0.02 < thesis.time_median
    assert best.power_median < 0.01 < thesis.power_median
    verified = studied.verified[0]
    assert verified.runs <= 9
    assert verified.regret_mean is not None
    assert verified.regret_mean < 0.03
    assert verified.worst_excess < 0.01
    text = json.dumps(studied.to_dict())
    assert "NaN" not in text
    plain = json.loads(text)
    assert set(plain) == {*TABLES, "seeds", "curve_seeds"}
    assert (plain["seeds"], plain["curve_seeds"]) == ([1, 2], [1])


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
        case = PredictionCase(runs, truth, quantile_bounds(truth))
        comparison = compare(case, models, Training(30), range(4), (CHOSEN.guard,))
        thesis, ours = comparison.errors
        assert comparison.decisions[1].violations == 0.0 < comparison.decisions[0].violations
        assert ours.time_median < 0.025
        assert ours.power_median < 0.012
        assert ours.time_median < 0.6 * thesis.time_median
        assert ours.power_median < 0.3 * thesis.power_median
