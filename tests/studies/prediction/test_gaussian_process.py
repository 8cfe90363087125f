"""The process without a law, on what the models of the command are tested with."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.prediction.gaussian_process import GaussianProcess
from planner.configurations.prediction.training import Training
from planner.errors import InputError
from tests.planner.configurations.prediction.samples import simulated
from tests.planner.configurations.prediction.test_corrected import off, sample

pytestmark = pytest.mark.slow
MODEL = GaussianProcess()


@pytest.mark.parametrize(
    ("nodes", "cores", "caps"),
    [((16,), None, None), (None, (8,), None), (None, None, (80.0,))],
    ids=["one node count", "one core count", "one cap"],
)
def test_an_input_that_does_not_vary_is_no_obstacle(
    nodes: tuple[int, ...] | None, cores: tuple[int, ...] | None, caps: tuple[float, ...] | None
) -> None:
    runs = simulated("LU-MZ")
    columns = ((runs.nodes, nodes), (runs.cores_per_node, cores), (runs.package_cap_w, caps))
    chosen = [np.isin(column, kept) for column, kept in columns if kept is not None]
    runs = runs.take(np.logical_and.reduce(chosen))
    time, power = off(MODEL, runs, runs)
    assert time < 0.03
    assert power < 0.06


def test_too_few_configurations_are_counted() -> None:
    with pytest.raises(InputError, match=r"gaussian-process needs 6 different .* the file has 3"):
        MODEL.fit(sample(simulated("LU-MZ"), Training(3), 1))


def test_predictions_are_finite_and_positive_far_outside() -> None:
    fitted = MODEL.fit(sample(simulated("SP-MZ"), Training(30), 4))
    prediction = fitted.predict([1, 64, 1000], [1, 16, 24], [20.0, 115.0, 300.0])
    for values in (prediction.time_s, prediction.power_w):
        assert np.isfinite(values).all()
        assert (values > 0).all()
