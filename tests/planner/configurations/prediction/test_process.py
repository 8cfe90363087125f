"""The processes against scikit-learn, against leaving out by hand, and against differences."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import ConstantKernel, Matern

from planner.configurations.prediction.process import Component, Posterior, PriorProcess, matern
from scenarios.measurements.runs import Floats

COMPONENTS = (
    Component((0.7, 1.3), (0.3, 0.2), (3.0, 3.0), 1.0),
    Component((np.inf, 0.4), (0.2, 0.1), (3.0, 3.0), 1.0),
)


def posterior(coefficients: int = 0, runs: int = 12) -> tuple[Posterior, Floats]:
    rng = np.random.default_rng(3)
    x, y = rng.uniform(0, 3, (runs, 2)), rng.normal(0, 0.3, (2, runs))
    slopes = rng.normal(size=(2, runs, coefficients))
    process = PriorProcess(x, slopes, np.full(coefficients, 0.5), COMPONENTS)
    return Posterior(process, y, np.zeros((2, runs))), rng.uniform(0, 3, (5, 2))


def test_without_a_law_it_is_the_process_of_scikit_learn() -> None:
    result, new = posterior()
    result._solve(result.logs)
    means, spreads = result.predict(new, np.zeros((2, 5, 0)))
    for output in range(2):
        amplitudes = [c.usual[output] ** 2 for c in COMPONENTS]
        noise = float(np.exp(2 * result.logs[output, -1]))
        kernel = ConstantKernel(amplitudes[0], "fixed") * Matern((0.7, 1.3), "fixed", nu=1.5)
        kernel += ConstantKernel(amplitudes[1], "fixed") * Matern((1e9, 0.4), "fixed", nu=1.5)
        theirs = GaussianProcessRegressor(kernel, alpha=noise + 1e-9, optimizer=None)
        theirs.fit(result.process.inputs, result.y[output])
        mean, spread = theirs.predict(new, return_std=True)
        np.testing.assert_allclose(means[output], mean, rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(spreads[output] ** 2, spread**2 + noise, rtol=1e-6)


def test_slopes_of_the_posterior_agree_with_differences() -> None:
    result, _ = posterior(coefficients=3)
    flat = result.logs.ravel() + 0.1
    _, slopes = result._minus_log_posterior(flat)
    for i in range(len(flat)):
        step = np.zeros(len(flat))
        step[i] = 1e-5
        up = result._minus_log_posterior(flat + step)[0]
        down = result._minus_log_posterior(flat - step)[0]
        assert slopes[i] == pytest.approx((up - down) / 2e-5, rel=1e-4, abs=1e-6)


def test_leaving_a_run_out_equals_fitting_without_it() -> None:
    result, _ = posterior(coefficients=2)
    result.y[0, 4] += 40.0
    far = result._judged()
    # a run of both outputs is left out of one: give the other infinite patience instead
    assert far[0, 4] > 0
    result._solve(result.logs)
    without = result.inverse.copy()
    keep = np.arange(24) != 4
    covariance = np.linalg.inv(without)
    weights = np.linalg.solve(covariance[np.ix_(keep, keep)], result.y.ravel()[keep])
    expected = result.y.ravel()[4] - covariance[4, keep] @ weights
    assert far[0, 4] == pytest.approx(expected**2, rel=1e-6)
    assert far[1, 4] >= 0.1**2  # a straggler in time is not believed in power


def test_coefficients_of_the_law_are_learnt_by_both_outputs() -> None:
    rng = np.random.default_rng(1)
    x, slopes = rng.uniform(0, 3, (30, 2)), rng.normal(size=(2, 30, 1))
    process = PriorProcess(x, slopes, np.ones(1), COMPONENTS)
    result = Posterior(process, 0.7 * slopes[:, :, 0], np.zeros((2, 30))).fit_scales()
    means, spreads = result.predict(np.array([[1.0, 1.0]]), np.array([[[2.0]], [[-1.0]]]))
    np.testing.assert_allclose(means[:, 0], [1.4, -0.7], atol=0.05)
    assert (spreads < 0.2).all()


def test_matern_by_hand() -> None:
    # distance 1 at scale 1, smoothness 3/2: (1 + sqrt 3) exp(-sqrt 3) = 0.4833577
    covariance = matern(np.array([[0.0, 7.0]]), np.array([[1.0, 9.0]]), (1.0, np.inf))
    assert covariance[0, 0] == pytest.approx(0.4833577, abs=1e-7)
