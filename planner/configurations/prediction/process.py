r"""Gaussian processes for two outputs at once, around a law with uncertain coefficients.

Logarithms of time and power less those of the law, :math:`y = (y_1, y_2)`, are normal with mean 0
and covariance

.. math:: K = G S G^T + \bigoplus_o \Big( \sum_j a_{oj}^2 M_j + \sigma_o^2 I \Big) + E

:math:`G`: slopes of the law by its coefficients, of prior variances :math:`S`, which both outputs
share. :math:`M_j`: Matern covariances (3/2) of the components. Amplitudes :math:`a` and noises
:math:`\sigma` have log-normal priors and maximise the posterior. :math:`E` is zero but for runs
that lie far from what all others say of them.

References
----------
M. C. Kennedy, A. O'Hagan, "Bayesian calibration of computer models", JRSS B 63(3), 2001: law plus
process. C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, 2006,
equations 2.23 to 2.26, 5.8 and 5.9 (posterior, likelihood and its slopes) and 5.12 (leave one
out).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scenarios.measurements.runs import Floats
from solvers.dense import one_thread

OUTPUTS = 2
_DOUBT = 3.5
"""Leave-one-out residuals beyond this number of standard deviations are not trusted."""

_NOISE, _NOISE_SPREAD, _NOISE_MOST = (0.007, 0.003), 0.6, (0.05, 0.03)


@dataclass(frozen=True)
class Component:
    """One Gaussian process of the sum.

    Attributes
    ----------
    scales
        Length scale by input; infinite if the input has no effect.
    usual, largest
        Amplitude for time and for power: median of the prior, and limit.
    spread
        Standard deviation of the logarithm of the amplitude.
    """

    scales: tuple[float, ...]
    usual: tuple[float, float]
    largest: tuple[float, float]
    spread: float


@dataclass(frozen=True, eq=False)
class PriorProcess:
    """The prior at some inputs, before anything is measured.

    Attributes
    ----------
    inputs
        Shape ``(runs, inputs)``.
    slopes
        Slopes of the law by its coefficients, shape ``(2, runs, coefficients)``.
    variances
        Prior variances of the coefficients.
    components
        Processes of the sum.
    """

    inputs: Floats
    slopes: Floats
    variances: Floats
    components: Sequence[Component]

    def between(self, inputs: Floats) -> Floats:
        """Matern covariances of unit amplitude: ``(components, rows, runs)``."""
        return np.stack([matern(inputs, self.inputs, c.scales) for c in self.components])


@dataclass(eq=False)
class Posterior:
    """A process that has seen ``y`` of shape ``(2, runs)``.

    ``far`` of the same shape is the extra variance of runs that are not trusted. :meth:`fit_scales`
    raises and lowers it.
    """

    process: PriorProcess
    y: Floats
    far: Floats
    logs: Floats = field(init=False)
    inverse: Floats = field(init=False)
    weights: Floats = field(init=False)

    def __post_init__(self) -> None:
        parts = self.process.components
        usual = np.array([[*(c.usual[o] for c in parts), _NOISE[o]] for o in range(OUTPUTS)])
        largest = np.array(
            [[*(c.largest[o] for c in parts), _NOISE_MOST[o]] for o in range(OUTPUTS)]
        )
        self._usual, self._largest = np.log(usual), np.log(largest)
        self._spread = np.array([[*(c.spread for c in parts), _NOISE_SPREAD]] * OUTPUTS)
        self._known = self.process.between(self.process.inputs)
        flat = self.process.slopes.reshape(self.y.size, -1)
        self._law = (flat * self.process.variances) @ flat.T
        self.logs = self._usual.copy()

    @one_thread("scipy.linalg", "scipy.optimize")
    def fit_scales(self, rounds: int = 4) -> Posterior:
        """Fit amplitudes and reweight outlying runs in turn, until the outliers stay."""
        for _ in range(rounds):
            self._fit()
            far = self._judged()
            if ((far > 0) == (self.far > 0)).all():
                break
            self.far = far
        self._solve(self.logs)
        return self

    @one_thread()
    def predict(self, inputs: Floats, slopes: Floats) -> tuple[Floats, Floats]:
        """Predict means and spreads ``(2, rows)`` of the residual to the law at new inputs."""
        rows, runs = len(inputs), self.y.shape[1]
        squares = np.exp(2 * self.logs)
        flat = slopes.reshape(OUTPUTS * rows, -1)
        law = self.process.slopes.reshape(OUTPUTS * runs, -1)
        cross = (flat * self.process.variances) @ law.T
        between = self.process.between(inputs)
        for o in range(OUTPUTS):
            block = np.tensordot(squares[o, :-1], between, 1)
            cross[o * rows : (o + 1) * rows, o * runs : (o + 1) * runs] += block
        prior = (flat**2 @ self.process.variances).reshape(OUTPUTS, rows)
        prior += squares.sum(axis=1)[:, None]
        explained = np.einsum("ij,ij->i", cross @ self.inverse, cross).reshape(OUTPUTS, rows)
        means = (cross @ self.weights).reshape(OUTPUTS, rows)
        return means, np.sqrt(np.maximum(prior - explained, 1e-10))

    def _fit(self) -> None:
        from scipy.optimize import minimize

        result = minimize(
            self._minus_log_posterior,
            self.logs.ravel(),
            jac=True,
            method="L-BFGS-B",
            bounds=list(zip(self._usual.ravel() - 3, self._largest.ravel(), strict=True)),
            options={"maxiter": 15, "ftol": 1e-4},
        )
        self.logs = result.x.reshape(self._usual.shape)

    def _solve(self, logs: Floats) -> float:
        """Inverse covariance and weights; half the logarithm of its determinant."""
        from scipy.linalg import cho_factor, cho_solve

        runs = self.y.shape[1]
        squares = np.exp(2 * logs)
        covariance = self._law.copy()
        for o in range(OUTPUTS):
            here = slice(o * runs, (o + 1) * runs)
            covariance[here, here] += np.tensordot(squares[o, :-1], self._known, 1)
        noise = np.repeat(squares[:, -1], runs) + self.far.ravel() + 1e-9
        covariance[np.diag_indices_from(covariance)] += noise
        factor = cho_factor(covariance, lower=True, check_finite=False)
        self.inverse = cho_solve(factor, np.eye(len(covariance)), check_finite=False)
        self.weights = self.inverse @ self.y.ravel()
        return float(np.log(np.diag(factor[0])).sum())

    def _minus_log_posterior(self, flat: Floats) -> tuple[float, Floats]:
        logs = flat.reshape(self._usual.shape)
        half = self._solve(logs)
        runs = self.y.shape[1]
        excess = self.inverse - np.outer(self.weights, self.weights)
        squares = np.exp(2 * logs)
        slopes = np.empty_like(logs)
        for o in range(OUTPUTS):
            here = slice(o * runs, (o + 1) * runs)
            block = excess[here, here]
            slopes[o, :-1] = squares[o, :-1] * np.tensordot(self._known, block, 2)
            slopes[o, -1] = squares[o, -1] * np.trace(block)
        off = (logs - self._usual) / self._spread
        value = 0.5 * float(self.y.ravel() @ self.weights) + half + 0.5 * float((off**2).sum())
        return value, (slopes + off / self._spread).ravel()

    def _judged(self) -> Floats:
        """Extra variances by leave-one-out residuals: the worst first, the others next time."""
        self._solve(self.logs)
        variance = (1 / np.diag(self.inverse)).reshape(self.y.shape)
        residual = self.weights.reshape(self.y.shape) * variance
        doubt = np.abs(residual) / np.sqrt(np.maximum(variance - self.far, 1e-12))
        now = (doubt > _DOUBT) & ((self.far > 0) | (doubt > 0.6 * doubt.max()))
        far = np.where(now, residual**2, 0.0)
        slow = now[0] & (residual[0] > 0.1)
        far[1, slow] = np.maximum(far[1, slow], 0.1**2)
        return far


def matern(first: Floats, second: Floats, scales: Sequence[float]) -> Floats:
    """Matern covariance of smoothness 3/2 and amplitude 1: ``(rows, rows)``."""
    gaps = (first[:, None, :] - second[None, :, :]) / np.array(scales)
    distance = np.sqrt(3 * (gaps**2).sum(axis=2))
    covariance: Floats = (1 + distance) * np.exp(-distance)
    return covariance
