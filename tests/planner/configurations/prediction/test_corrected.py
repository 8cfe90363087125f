"""The corrected model: cliffs learnt, stragglers doubted, errors on simulated applications."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from planner.configurations.prediction.corrected import Corrected
from planner.configurations.prediction.families import MODELS
from planner.configurations.prediction.model import Model
from planner.configurations.prediction.training import Training
from planner.configurations.table import table_of
from planner.errors import InputError
from scenarios.measurements.runs import Floats, Runs
from tests.planner.configurations.prediction.samples import grid_runs, simulated


def off(model: Model, trained: Runs, truth: Runs) -> tuple[float, float]:
    """Median errors of time and power."""
    table = table_of(truth)
    fitted = model.fit(trained)
    prediction = fitted.predict(table.nodes, table.cores_per_node, table.package_cap_w)
    time = np.median(np.abs(np.log(prediction.time_s / table.time_s)))
    return float(time), float(np.median(np.abs(np.log(prediction.power_w / table.power_w))))


def sample(runs: Runs, training: Training, seed: int) -> Runs:
    return runs.take(training.rows(runs, np.random.default_rng(seed)))


@pytest.mark.parametrize("name", ["SPhot", "SP-MZ", "LU-MZ"])
@pytest.mark.parametrize("training", [Training(46), Training(137, "runs")], ids=str)
def test_errors_on_simulated_applications(name: str, training: Training) -> None:
    runs = simulated(name)
    errors = [off(Corrected(), sample(runs, training, seed), runs) for seed in range(2)]
    time, power = np.mean(errors, axis=0)
    assert time < 0.02
    assert power < 0.01


def cliff(n: Floats, c: Floats, p: Floats) -> Floats:
    product: Floats = 4000 / n / c * np.where(c == 16, 2.2, 1.0) * (p / 51) ** -0.05
    return product


def power(n: Floats, c: Floats, p: Floats) -> Floats:
    return n * np.minimum(45 + 5 * c, 2 * p)


def test_a_core_count_that_is_slow_everywhere_is_learnt() -> None:
    runs = grid_runs(cliff, power, cores=(4, 6, 8, 10, 12, 14, 16))
    fitted = Corrected().fit(sample(runs, Training(45), 1))
    prediction = fitted.predict([28, 28], [14, 16], [80.0, 80.0])
    expected = cliff(np.array([28.0, 28.0]), np.array([14.0, 16.0]), np.array([80.0, 80.0]))
    np.testing.assert_allclose(prediction.time_s, expected, rtol=0.1)


def test_a_run_that_is_slow_alone_is_not_believed() -> None:
    runs = grid_runs(cliff, power, cores=(4, 6, 8, 10, 12, 14, 16))
    slow = 77
    times = runs.time_s.copy()
    times[slow] *= 1.85
    fitted = Corrected().fit(replace(runs, time_s=times))
    prediction = fitted.predict(runs.nodes, runs.cores_per_node, runs.package_cap_w)
    assert prediction.time_s[slow] == pytest.approx(runs.time_s[slow], rel=0.03)


@pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
@pytest.mark.parametrize(
    ("nodes", "cores", "caps"),
    [
        ((16,), (4, 8, 12, 16), (51.0, 65.0, 80.0, 95.0, 115.0)),
        ((8, 16, 32), (8,), (51.0, 65.0, 80.0, 95.0, 115.0)),
        ((8, 12, 16, 24, 32), (4, 8, 12, 16), (80.0,)),
    ],
    ids=["one node count", "one core count", "one cap"],
)
def test_an_input_that_does_not_vary_is_no_obstacle(
    model: Model, nodes: tuple[int, ...], cores: tuple[int, ...], caps: tuple[float, ...]
) -> None:
    runs = simulated("LU-MZ")
    chosen = np.isin(runs.nodes, nodes) & np.isin(runs.cores_per_node, cores)
    runs = runs.take(chosen & np.isin(runs.package_cap_w, caps))
    time, power = off(model, runs, runs)
    assert time < 0.03
    assert power < 0.06


@pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
def test_too_few_configurations_are_counted(model: Model) -> None:
    runs = sample(simulated("LU-MZ"), Training(3), 1)
    with pytest.raises(InputError, match=r"needs \d+ different .* the file has 3"):
        model.fit(runs)


@pytest.mark.parametrize("model", MODELS.values(), ids=list(MODELS))
def test_predictions_are_finite_and_positive_far_outside(model: Model) -> None:
    fitted = model.fit(sample(simulated("SP-MZ"), Training(30), 4))
    prediction = fitted.predict([1, 64, 1000], [1, 16, 24], [20.0, 115.0, 300.0])
    for values in (prediction.time_s, prediction.power_w):
        assert np.isfinite(values).all()
        assert (values > 0).all()


def test_the_order_of_runs_changes_nothing() -> None:
    runs = sample(simulated("LU-MZ"), Training(20), 1)
    turned = runs.take(np.random.default_rng(0).permutation(len(runs)))
    first, second = (Corrected().fit(r).predict([20], [10], [65.0]) for r in (runs, turned))
    assert first.time_s[0] == pytest.approx(second.time_s[0], rel=1e-9)


def test_spread_grows_away_from_the_runs() -> None:
    fitted = Corrected().fit(sample(simulated("LU-MZ"), Training(30), 1))
    near, far = fitted.predict(20, 10, 80.0), fitted.predict(500, 2, 30.0)
    assert near.time_spread is not None
    assert far.time_spread is not None
    assert far.time_spread[0] > 3 * near.time_spread[0]


def test_runs_without_memory_power_are_fitted_too() -> None:
    runs = replace(sample(simulated("LU-MZ"), Training(30), 1), dram_power_w=None)
    prediction = Corrected().fit(runs).predict(runs.nodes, runs.cores_per_node, runs.package_cap_w)
    assert np.median(np.abs(np.log(prediction.power_w / runs.package_power_w))) < 0.01
