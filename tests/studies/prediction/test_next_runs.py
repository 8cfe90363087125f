"""Chosen against random runs: pairs, intervals, and codes that differ from their application."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.prediction.next_runs import BUDGETS, Remembered, generated, paired, rows
from planner.configurations.prediction.log_polynomial import LogPolynomial


def test_the_interval_of_a_difference_is_over_seeds() -> None:
    """Means over bounds are 1, 2 and 3: 2 +- 4.303 x 1 / sqrt(3), Student's t of two degrees."""
    middle, half = paired(np.array([[0.0, 2.0], [2.0, 2.0], [2.0, 4.0]]))
    assert (middle, half) == pytest.approx((2.0, 4.3027 / 3**0.5), rel=1e-4)


def test_a_table_has_a_row_for_each_budget_and_for_all_applications_together() -> None:
    """Code a: chosen runs are 1 point better. Code b has two bounds, one 2 points worse."""
    better = np.zeros((2, len(BUDGETS), 2, 1))
    better[0] = 0.01
    worse = np.zeros((2, len(BUDGETS), 2, 2))
    worse[1, ..., 1] = 0.02
    lines = list(rows({"a": better, "b": worse}))
    assert len(lines) == 2 + 3 * len(BUDGETS)
    assert lines[2] == "| a | 8 | 1.0 | 0.0 | -1.0 (-1.0 to -1.0) |"
    assert lines[6] == "| b | 8 | 0.0 | 1.0 | 1.0 (1.0 to 1.0) |"
    assert lines[-1] == "| all | 24 | 0.3 | 0.7 | 0.3 (0.3 to 0.3) |"


def test_a_generated_code_has_six_bounds_that_some_configuration_keeps() -> None:
    case = generated(1)
    assert len(case.bounds_w) == 6
    assert len(case.truth) == 455
    assert case.runs.application == "BT-MZ 1"
    assert (case.truth.time_s != generated(9).truth.time_s).any()


def test_a_model_is_fitted_to_the_same_runs_once() -> None:
    model, runs = Remembered(LogPolynomial()), generated(1).runs.take(np.arange(0, 1365, 50))
    assert model.fit(runs) is model.fit(runs.take(np.arange(len(runs))))
    assert model.fit(runs) is not model.fit(runs.take(np.arange(len(runs) - 1)))
    assert len(model.fits) == 2
