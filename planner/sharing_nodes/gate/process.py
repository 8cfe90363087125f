r"""A Gaussian process of the logarithm of makespans, with an effect of each application.

Model
    Row ``r`` holds the pair ``(a, b)``. Its inputs ``x_r`` are the sums and the absolute
    differences of both jobs' counters, each in standard deviations over the training rows. They do
    not depend on the order of the jobs. The logarithm of the makespan is normal with a constant
    mean and the covariance

    .. math:: K_{rs} = v_1 \frac{x_r \cdot x_s}{d} + v_2 M(|x_r - x_s| / \ell)
              + v_3 \frac{m_r \cdot m_s}{2} + v_4 [\text{same pair}]
              + (\sigma^2 + \rho_r^2) [r = s]

    with the Matern function ``M`` (3/2) and ``m_r`` the number of jobs of each application. The
    third term covers effects that all pairs of an application share and no counter shows. So a
    probing run of one pair improves the predictions of the others.
Noise
    Run times vary, above all those with I/O: ``rho_r^2`` comes from earlier solo runs
    (:func:`~planner.sharing_nodes.gate.inputs.run_variance`).
Fit
    Amplitudes, length and noise maximise the posterior under normal priors of their logarithms.
    :data:`PRIOR` lists the priors, which were set before any result.

References
----------
C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, 2006, equations 2.23
to 2.25 and 5.8.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.sharing_nodes.gate.distribution import Distribution
from planner.sharing_nodes.gate.inputs import GatePairs, Rows
from planner.sharing_nodes.tangram.metrics import Floats
from solvers.dense import one_thread

PRIOR = (
    ("linear", 0.1, 1.5),
    ("smooth", 0.1, 1.5),
    ("length", 2.0, 0.7),
    ("application", 0.03, 1.5),
    ("pair", 0.01, 1.5),
    ("noise", 0.01, 1.5),
)
"""Median and standard deviation of the logarithm of each number; variances but for the length."""
_JITTER = 1e-9


@dataclass(frozen=True, eq=False)
class Scale:
    """Turns counters of both jobs into inputs."""

    centre: Floats
    width: Floats

    def inputs(self, pairs: GatePairs, rows: Rows) -> Floats:
        """Sums and absolute differences, and the rank count: (rows, inputs)."""
        a = (_columns(pairs, pairs.profile_a)[rows] - self.centre) / self.width
        b = (_columns(pairs, pairs.profile_b)[rows] - self.centre) / self.width
        ranks = a[:, -1:]
        return np.hstack([(a + b)[:, :-1] / np.sqrt(2), np.abs(a - b)[:, :-1] / np.sqrt(2), ranks])


@dataclass(frozen=True, eq=False)
class Fitted:
    """A process that knows the makespans of some rows."""

    pairs: GatePairs
    rows: Rows
    scale: Scale
    numbers: Floats
    mean: float
    factor: Floats
    weights: Floats

    @one_thread("scipy.linalg")
    def predict(self, rows: Rows) -> Distribution:
        """Joint distribution of the logarithms at other rows."""
        from scipy.linalg import cho_solve

        x = self.scale.inputs(self.pairs, rows)
        known = self.scale.inputs(self.pairs, self.rows)
        cross = _covariance(self.pairs, rows, self.rows, x, known, self.numbers)
        own = _covariance(self.pairs, rows, rows, x, x, self.numbers)
        covariance = own - cross @ cho_solve((self.factor, True), cross.T)
        noise = self.numbers[5] + self.pairs.run_variance[rows]
        return Distribution(self.mean + cross @ self.weights, covariance, noise)


@one_thread("scipy.linalg", "scipy.optimize")
def fit(pairs: GatePairs, rows: Rows) -> Fitted:
    """Fit the process to measured rows."""
    scale = _scale(pairs, rows)
    x, y = scale.inputs(pairs, rows), np.log(pairs.makespan[rows])
    parts, runs = _between(pairs, rows, rows, x, x), pairs.run_variance[rows]
    numbers = _maximised(parts, y, runs)
    mean, factor, weights = _solved(parts, y, runs, numbers)
    return Fitted(pairs, rows, scale, numbers, mean, factor, weights)


def _columns(pairs: GatePairs, profile: Floats) -> Floats:
    return np.column_stack([profile, np.log(np.maximum(pairs.ranks, 1))])


def _scale(pairs: GatePairs, rows: Rows) -> Scale:
    both = np.vstack(
        [_columns(pairs, profile)[rows] for profile in (pairs.profile_a, pairs.profile_b)]
    )
    width = both.std(axis=0)
    return Scale(both.mean(axis=0), np.where(width > 1e-12, width, 1.0))


Parts = tuple[Floats, Floats, Floats, Floats]


def _between(pairs: GatePairs, rows: Rows, others: Rows, x: Floats, y: Floats) -> Parts:
    """Inner products, distances, shared applications, and whether the pair is the same."""
    from scipy.spatial.distance import cdist

    low = np.minimum(pairs.a, pairs.b), np.maximum(pairs.a, pairs.b)
    same = (low[0][rows][:, None] == low[0][others]) & (low[1][rows][:, None] == low[1][others])
    shared = pairs.membership(rows) @ pairs.membership(others).T / 2
    return x @ y.T / x.shape[1], cdist(x, y), shared, same.astype(float)


def _added(parts: Parts, numbers: Floats) -> Floats:
    inner, distance, shared, same = parts
    far = np.sqrt(3.0) * distance / numbers[2]
    smooth = (1.0 + far) * np.exp(-far)
    return np.asarray(
        numbers[0] * inner + numbers[1] * smooth + numbers[3] * shared + numbers[4] * same
    )


def _covariance(
    pairs: GatePairs, rows: Rows, others: Rows, x: Floats, y: Floats, numbers: Floats
) -> Floats:
    return _added(_between(pairs, rows, others, x, y), numbers)


def _solved(parts: Parts, y: Floats, runs: Floats, numbers: Floats) -> tuple[float, Floats, Floats]:
    """Mean by generalised least squares, Cholesky factor, and weights of the training rows."""
    from scipy.linalg import cho_solve, cholesky

    matrix = _added(parts, numbers) + np.diag(numbers[5] + runs + _JITTER)
    factor = cholesky(matrix, lower=True, check_finite=False)
    ones = cho_solve((factor, True), np.ones(len(y)), check_finite=False)
    mean = float(ones @ y / ones.sum())
    return mean, factor, cho_solve((factor, True), y - mean, check_finite=False)


def _maximised(parts: Parts, y: Floats, runs: Floats) -> Floats:
    """Numbers of the largest posterior."""
    from scipy.optimize import minimize

    median = np.log([row[1] for row in PRIOR])
    spread = np.array([row[2] for row in PRIOR])

    def loss(logs: Floats) -> float:
        mean, factor, weights = _solved(parts, y, runs, np.exp(logs))
        likelihood = 0.5 * (y - mean) @ weights + np.log(np.diag(factor)).sum()
        return float(likelihood + 0.5 * (((logs - median) / spread) ** 2).sum())

    bounds = [(m - 4 * s, m + 4 * s) for m, s in zip(median, spread, strict=True)]
    result = minimize(loss, median, method="L-BFGS-B", bounds=bounds, options={"maxiter": 60})
    return np.asarray(np.exp(result.x))
