"""The thesis's regression: exact on its own form, and how many configurations it needs."""

from __future__ import annotations

import numpy as np
import pytest

from planner.configurations.prediction.log_polynomial import LogPolynomial, monomials
from planner.errors import InputError
from scenarios.measurements.runs import Floats
from tests.planner.configurations.prediction.samples import grid_runs


def time(n: Floats, c: Floats, p: Floats) -> Floats:
    curved = 0.1 * np.log(n) ** 2 - 0.05 * np.log(c) * np.log(p)
    product: Floats = 3000 / n / c**0.8 * (p / 100) ** -0.5 * np.exp(curved)
    return product


def power(n: Floats, c: Floats, p: Floats) -> Floats:
    return n * c**0.6 * p**0.4


def test_ten_monomials_by_hand() -> None:
    # 1; x y z; xx xy xz yy yz zz at (2, 3, 5)
    assert monomials(np.array([[2.0, 3.0, 5.0]])).tolist() == [[1, 2, 3, 5, 4, 6, 10, 9, 15, 25]]


def test_its_own_form_is_predicted_exactly_even_outside() -> None:
    runs = grid_runs(time, power)
    rows = np.random.default_rng(1).permutation(len(runs))[:30]
    prediction = LogPolynomial().fit(runs.take(rows)).predict([10, 64], [6, 2], [60.0, 130.0])
    columns = np.array([10.0, 64.0]), np.array([6.0, 2.0]), np.array([60.0, 130.0])
    np.testing.assert_allclose(prediction.time_s, time(*columns), rtol=1e-8)
    np.testing.assert_allclose(prediction.power_w, power(*columns), rtol=1e-8)
    assert prediction.time_spread is None


def test_nine_configurations_are_too_few_and_the_message_counts_them() -> None:
    runs = grid_runs(time, power)
    rows = np.random.default_rng(1).permutation(len(runs))
    with pytest.raises(InputError, match=r"needs 10 .* the file has 9; measure more"):
        LogPolynomial().fit(runs.take(rows[:9]))
    LogPolynomial().fit(runs.take(rows[:10]))


def test_repetitions_are_no_further_configurations() -> None:
    runs = grid_runs(time, power)
    rows = np.random.default_rng(1).permutation(len(runs))
    with pytest.raises(InputError, match="the file has 9"):
        LogPolynomial().fit(runs.take(np.repeat(rows[:9], 3)))


def test_one_node_count_leaves_nodes_out_and_needs_six() -> None:
    runs = grid_runs(time, power, nodes=(16,))
    rows = np.random.default_rng(1).permutation(len(runs))
    with pytest.raises(InputError, match=r"needs 6 .* the file has 5"):
        LogPolynomial().fit(runs.take(rows[:5]))
    prediction = LogPolynomial().fit(runs.take(rows[:12])).predict(16, 10, 70.0)
    one = np.array([16.0]), np.array([10.0]), np.array([70.0])
    np.testing.assert_allclose(prediction.time_s, time(*one), rtol=1e-8)


def test_a_time_of_zero_is_refused_with_its_run() -> None:
    runs = grid_runs(lambda n, c, p: np.where(n == 12, 0.0, time(n, c, p)), power)
    with pytest.raises(InputError, match=r"time_s = 0 in run 21 .*correct or remove them"):
        LogPolynomial().fit(runs)
