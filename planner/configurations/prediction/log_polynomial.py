r"""The thesis's regression: a polynomial of degree two in logarithms.

.. math:: \log y = \sum_{i+j+k \le 2} b_{ijk} (\log n)^i (\log c)^j (\log p)^k

for y = run time and y = power, by ordinary least squares: 10 coefficients each. An input that
does not vary is left out (6 coefficients for two inputs, 3 for one). Logarithms are centred and
scaled first, which changes no prediction.

References
----------
Thesis, section 5.4.2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.configurations.prediction.model import (
    Counts,
    ModelPrediction,
    Watts,
    check,
    inputs,
    varying,
)
from scenarios.measurements.runs import Floats, Runs
from solvers.dense import one_thread

_COEFFICIENTS = {0: 1, 1: 3, 2: 6, 3: 10}


@dataclass(frozen=True, eq=False)
class FittedLogPolynomial:
    """Coefficients ``(terms, 2)`` for log time and log power."""

    used: NDArray[np.bool_]
    centre: Floats
    scale: Floats
    coefficients: Floats

    def predict(
        self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts
    ) -> ModelPrediction:
        """Predict time and power, without a spread."""
        logs = np.log(np.column_stack(inputs(nodes, cores_per_node, package_cap_w)))
        scaled = (logs[:, self.used] - self.centre) / self.scale
        time, power = np.exp(monomials(scaled) @ self.coefficients).T
        return ModelPrediction(time, power)


@dataclass(frozen=True)
class LogPolynomial:
    """The thesis's regression, before fitting."""

    name: str = "log-polynomial"
    least_configurations: int = 10

    @one_thread()
    def fit(self, runs: Runs) -> FittedLogPolynomial:
        """Fit by least squares on every run as it is given.

        Raises
        ------
        InputError
            Fewer configurations than coefficients.
        """
        columns = inputs(runs.nodes, runs.cores_per_node, runs.package_cap_w)
        used = varying(columns)
        check(runs, self.name, _COEFFICIENTS[int(used.sum())])
        logs = np.log(np.column_stack(columns))[:, used]
        centre, scale = logs.mean(axis=0), logs.std(axis=0)
        targets = np.log(np.column_stack((runs.time_s, runs.power_w)))
        coefficients = np.linalg.lstsq(monomials((logs - centre) / scale), targets)[0].astype(
            np.float64
        )
        return FittedLogPolynomial(used, centre, scale, coefficients)


def monomials(x: Floats) -> Floats:
    """Return all products of degree at most two of the columns, the constant first."""
    first, second = np.triu_indices(x.shape[1])
    return np.hstack((np.ones((len(x), 1)), x, x[:, first] * x[:, second]))
