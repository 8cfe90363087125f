r"""The law of a power-capped node, fitted robustly.

Each coefficient has a range and a wide prior. So few runs suffice, and a coefficient that no run
determines keeps a usual value. This keeps predictions outside the measured ranges plausible.
Residuals of the logarithms count in full up to a few per cent, and then less and less
(:math:`\log(1 + r^2)`): one run in ten may be a slow outlier. An input that does not vary
carries no information, and its coefficients do not change.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from planner.configurations.prediction.law import (
    LEAST,
    MOST,
    REFERENCE_CORES,
    SPREAD,
    USUAL,
    PerformanceLaw,
)
from planner.configurations.prediction.model import Counts, ModelPrediction, Watts, check, inputs
from planner.configurations.prediction.processor import E5_2670, Processor
from scenarios.measurements.runs import Floats, Runs
from solvers.dense import one_thread

_TIME_UNIT, _POWER_UNIT = 0.02, 0.01
_TURN = 1.5


@dataclass(frozen=True, eq=False)
class FittedPhysical:
    """The law with its coefficients, in the order of the module's table."""

    law: PerformanceLaw
    theta: Floats
    covariance: Floats
    residual: tuple[float, float]

    def predict(
        self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts
    ) -> ModelPrediction:
        """Predict time and power, with the spread of the coefficients and of the residuals."""
        columns = inputs(nodes, cores_per_node, package_cap_w)
        values, slopes = self.law.slopes(self.theta, *columns)
        variances = np.einsum("oij,jk,oik->oi", slopes, self.covariance, slopes)
        spreads = np.sqrt(variances + np.square(self.residual)[:, None])
        return ModelPrediction(values["time"], values["power"], *spreads)


@dataclass(frozen=True)
class Physical:
    """The law of a power-capped node, before fitting.

    Attributes
    ----------
    starts
        Starting points of the fit; the best end counts.
    seed
        Seed of the starting points after the first.
    """

    starts: int = 3
    seed: int = 1
    processor: Processor = field(default=E5_2670)
    name: str = "physical"
    least_configurations: int = 4

    def fit(self, runs: Runs) -> FittedPhysical:
        """Fit by robust least squares on the logarithms of time and power.

        Raises
        ------
        InputError
            Fewer than four configurations.
        """
        check(runs, self.name, self.least_configurations)
        n, c, p = inputs(runs.nodes, runs.cores_per_node, runs.package_cap_w)
        law = PerformanceLaw(self.processor, float(np.exp(np.log(n).mean())))
        fitting = _Fitting(law, n, c, p, runs)
        ends = [fitting.minimise(start) for start in fitting.starts(self.starts, self.seed)]
        theta = min(ends, key=lambda end: float(end.cost)).x
        return FittedPhysical(law, theta, *fitting.uncertainty(theta))


class _Fitting:
    """Residuals of one set of runs, and their slopes for all coefficients in one sweep."""

    def __init__(self, law: PerformanceLaw, n: Floats, c: Floats, p: Floats, runs: Runs) -> None:
        self.law, self.columns = law, (n, c, p)
        self.time, self.power = np.log(runs.time_s), np.log(runs.power_w)
        self.package = np.log(runs.package_power_w) if runs.dram_power_w is not None else None
        self.usual = USUAL.copy()
        scaled = runs.time_s * (n / law.nodes) * (c / REFERENCE_CORES)
        self.usual[0] = np.log(np.median(scaled))
        self.lower, self.upper = LEAST.copy(), MOST.copy()
        self.lower[0], self.upper[0] = self.usual[0] - 4, self.usual[0] + 4

    def residuals(self, theta: Floats) -> Floats:
        values = self.law.evaluate(theta, *self.columns)
        parts = [
            (self.time - np.log(values["time"])) / _TIME_UNIT,
            (self.power - np.log(values["power"])) / _POWER_UNIT,
        ]
        if self.package is not None:
            parts.append((self.package - np.log(values["package"])) / _POWER_UNIT)
        return np.concatenate([*parts, (theta - self.usual) / SPREAD], axis=-1)

    def slopes(self, theta: Floats) -> Floats:
        step = np.where(theta + 1e-6 > self.upper, -1e-6, 1e-6)
        moved = self.residuals(theta + np.diag(step))
        slopes: Floats = ((moved - self.residuals(theta)) / step[:, None]).T
        return slopes

    def starts(self, count: int, seed: int) -> list[Floats]:
        rng = np.random.default_rng(seed)
        random_starts = [
            self.usual + rng.normal(size=len(self.usual)) * SPREAD for _ in range(count - 1)
        ]
        return [
            np.clip(t, self.lower + 1e-6, self.upper - 1e-6) for t in (self.usual, *random_starts)
        ]

    @one_thread()
    def uncertainty(self, theta: Floats) -> tuple[Floats, tuple[float, float]]:
        """Covariance of the coefficients; robust scatter of log time and log power about them."""
        residuals, slopes = self.residuals(theta), self.slopes(theta)
        count = len(self.time)
        parts = (slice(0, count), slice(count, 2 * count))
        scatter = [max(1.0, 1.4826 * float(np.median(np.abs(residuals[p])))) for p in parts]
        scale = np.ones(len(residuals))
        scale[: -len(theta)] = scatter[1]
        scale[parts[0]] = scatter[0]
        weights = 1 / (1 + (residuals / (scale * _TURN)) ** 2) / scale**2
        covariance = np.linalg.inv((slopes.T * weights) @ slopes).astype(np.float64)
        return covariance, (scatter[0] * _TIME_UNIT, scatter[1] * _POWER_UNIT)

    @one_thread("scipy.optimize")
    def minimise(self, start: Floats) -> Any:
        from scipy.optimize import least_squares

        return least_squares(
            self.residuals,
            start,
            self.slopes,
            bounds=(self.lower, self.upper),
            loss="cauchy",
            f_scale=_TURN,
            max_nfev=60,
            ftol=1e-5,
            xtol=1e-5,
        )
