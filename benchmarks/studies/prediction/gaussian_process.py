"""A Gaussian process of the logarithms from scikit-learn: no law, one length scale per input.

Inputs: logarithms of nodes, cores and cap, turbo as a category of its own; on top of a linear
trend in these. Inputs that do not vary are left out. The fastest run of each configuration counts.
Only the fitted noise limits the effect of slow outliers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.configurations.prediction.model import Counts, ModelPrediction, Watts, check, inputs
from planner.configurations.prediction.processor import E5_2670
from planner.configurations.table import groups
from scenarios.measurements.runs import Floats, Runs
from solvers.dense import one_thread


@dataclass(frozen=True, eq=False)
class FittedGaussianProcess:
    """Trend and two processes of scikit-learn, for log time and log power."""

    used: NDArray[np.bool_]
    trend: Floats
    processes: tuple[Any, Any]

    @one_thread("sklearn.gaussian_process")
    def predict(
        self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts
    ) -> ModelPrediction:
        """Predict time and power, with the spread of another run."""
        columns = inputs(nodes, cores_per_node, package_cap_w)
        x = _features(*columns)[:, self.used]
        trends = _with_constant(x) @ self.trend
        outputs = [process.predict(x, return_std=True) for process in self.processes]
        means = [trends[:, o] + outputs[o][0] for o in range(2)]
        return ModelPrediction(np.exp(means[0]), np.exp(means[1]), outputs[0][1], outputs[1][1])


@dataclass(frozen=True)
class GaussianProcess:
    """A Gaussian process on a linear trend, before fitting."""

    name: str = "gaussian-process"
    least_configurations: int = 6

    @one_thread("sklearn.gaussian_process")
    def fit(self, runs: Runs) -> FittedGaussianProcess:
        """Fit the trend by least squares, length scales and noise by marginal likelihood.

        Raises
        ------
        InputError
            Fewer than six configurations.
        """
        check(runs, self.name, self.least_configurations)
        fastest = runs.take(np.array([group[0] for group in groups(runs)]))
        columns = inputs(fastest.nodes, fastest.cores_per_node, fastest.package_cap_w)
        x = _features(*columns)
        used = np.ptp(x, axis=0) > 0
        x = x[:, used]
        y = np.log(np.column_stack((fastest.time_s, fastest.power_w)))
        trend = np.linalg.lstsq(_with_constant(x), y)[0].astype(np.float64)
        residuals = y - _with_constant(x) @ trend
        processes = (_process(x, residuals[:, 0]), _process(x, residuals[:, 1]))
        return FittedGaussianProcess(used, trend, processes)


def _features(n: Floats, c: Floats, p: Floats) -> Floats:
    return np.column_stack((np.log2(n), np.log2(c), np.log2(p), E5_2670.turbo(p)))


def _with_constant(x: Floats) -> Floats:
    return np.column_stack((np.ones(len(x)), x))


def _process(x: Floats, y: Floats) -> Any:
    import warnings

    from sklearn.exceptions import ConvergenceWarning
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import ConstantKernel, Matern, WhiteKernel

    kernel = ConstantKernel(0.01, (1e-5, 10.0)) * Matern(
        np.ones(x.shape[1]), (0.1, 100.0), nu=2.5
    ) + WhiteKernel(1e-4, (1e-7, 0.1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a length scale at its limit is fine
        return GaussianProcessRegressor(kernel).fit(x, y)
