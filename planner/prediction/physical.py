r"""Run time and power from how a power-capped node works, fitted robustly.

A node with :math:`c` active cores under a cap of :math:`p` per package runs at
:math:`x = f / f_\text{base}`: under a cap the largest :math:`x \le 1` at which its packages keep
to it, without one the turbo bin of :math:`c`. With :math:`\nu = n/n_0`, :math:`\kappa = c/8`:

.. math::
   T_\text{run} &= W \nu^{-a} \left[ (1-m)\,\kappa^{-b}/x
       + m\,\kappa^{-1} (1 + (c/c_s)^{k}) + s\,\nu^{a}/x \right] \\
   T_\text{talk} &= W q\, \nu^{e_n} \kappa^{e_c} / x_\text{talk}^{\xi} \\
   P_\text{run} &= P_0 (1 + h\,[\text{turbo}]) + u\,\kappa^{d} x^{\gamma}, \quad
   P_\text{talk} = P_0 (1 + h\,[\text{turbo}]) + r\,u\,\kappa^{d} x_\text{talk}^{\gamma} \\
   P &= n\,(T_\text{run} P_\text{run} + T_\text{talk} P_\text{talk}) / T
       + n\,(d_0 + d_1\,W \nu^{-a} / T)

Memory is saturated from about :math:`c_s` cores on and suffers from more where :math:`k > 1`. A
part of the run talks and draws less. Each coefficient has a range and a wide prior, so that few
runs suffice and what no run tells stays at a usual value; this is what keeps predictions outside
the measured ranges sane. Residuals of the logarithms count in full up to a few per cent and
then ever less (:math:`\log(1 + r^2)`), for one run in ten may be a straggler.

References
----------
Thesis, section 2.1 (equations 2.1 and 2.2: power and frequency), 3.3 (caps, turbo) and 3.4 (memory
contention). The law itself is ours.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from planner.prediction.model import Counts, Prediction, Watts, check, inputs
from planner.prediction.processor import E5_2690, Processor
from scenarios.measurements import Floats, Runs

_COEFFICIENTS = (
    # name, usual value, spread of the prior, least, most
    ("log_work", 0.0, 3.0, -12.0, 12.0),
    ("parallel_nodes", 1.0, 0.05, 0.7, 1.3),
    ("parallel_cores", 1.0, 0.05, 0.7, 1.3),
    ("memory", 0.2, 0.3, 0.0, 0.95),
    ("log_saturation", 2.5, 0.5, 0.7, 4.5),
    ("contention", 1.5, 1.0, 0.5, 6.0),
    ("log_serial", -5.0, 1.5, -9.0, 0.0),
    ("log_talk", -4.0, 2.0, -9.0, 2.0),
    ("talk_nodes", 0.0, 0.5, -1.0, 2.0),
    ("talk_cores", 0.0, 0.4, -1.0, 1.5),
    ("talk_frequency", 0.7, 0.4, 0.0, 1.5),
    ("log_idle", 3.85, 0.3, 2.0, 5.0),
    ("turbo_idle", 0.3, 0.2, 0.0, 1.0),
    ("log_dynamic", 3.9, 0.4, 1.5, 5.5),
    ("dynamic_cores", 0.9, 0.15, 0.3, 1.3),
    ("exponent", 2.0, 0.4, 1.0, 3.5),
    ("log_cap", -0.01, 0.01, -0.1, 0.05),
    ("talk_power", 0.5, 0.3, 0.0, 1.3),
    ("memory_idle", 1.5, 0.5, -1.0, 4.0),
    ("log_memory_power", 1.5, 1.0, -2.0, 4.0),
)
_NAMES = tuple(row[0] for row in _COEFFICIENTS)
_USUAL, _SPREAD, _LEAST, _MOST = (np.array([r[i] for r in _COEFFICIENTS]) for i in range(1, 5))
_CORES = 8.0
_TIME_UNIT, _POWER_UNIT = 0.02, 0.01
_TURN = 1.5


@dataclass(frozen=True, eq=False)
class Law:
    """The equations above, for one processor and a reference node count.

    Coefficients are arrays ``(..., coefficients)``; what comes out is ``(..., runs)``.
    """

    processor: Processor
    nodes: float

    def evaluate(self, theta: Floats, n: Floats, c: Floats, p: Floats) -> dict[str, Floats]:
        """Time, package power and all power [s, W], and the frequency ratio."""
        k = {name: theta[..., i, None] for i, name in enumerate(_NAMES)}
        nu, kappa = n / self.nodes, c / _CORES
        turbo = self.processor.turbo(p)
        highest = self.processor.highest_ratio(c, p)
        idle = np.exp(k["log_idle"]) * (1 + k["turbo_idle"] * turbo)
        dynamic = np.exp(k["log_dynamic"]) * kappa ** k["dynamic_cores"]
        cap = np.where(turbo > 0, np.inf, p * self.processor.sockets * np.exp(k["log_cap"]))
        x = self._frequency(cap, idle, dynamic, k["exponent"], highest)
        work = np.exp(k["log_work"])
        share = work * nu ** -k["parallel_nodes"]
        memory = (1 + (c / np.exp(k["log_saturation"])) ** k["contention"]) / kappa
        run = share * (
            (1 - k["memory"]) * kappa ** -k["parallel_cores"] / x + k["memory"] * memory
        ) + work * np.exp(k["log_serial"]) / x
        talk = work * np.exp(k["log_talk"]) * nu ** k["talk_nodes"] * kappa ** k["talk_cores"]
        quiet = k["talk_power"] * dynamic
        x_talk = self._frequency(cap, idle, quiet, k["exponent"], highest)
        talk = talk * x_talk ** -k["talk_frequency"]
        time = run + talk
        p_run = np.minimum(idle + dynamic * x ** k["exponent"], cap)
        p_talk = np.minimum(idle + quiet * x_talk ** k["exponent"], cap)
        package = n * (run * p_run + talk * p_talk) / time
        dram = n * (np.exp(k["memory_idle"]) + np.exp(k["log_memory_power"]) * share / time)
        return {"time": time, "package": package, "power": package + dram, "frequency": x}

    def _frequency(
        self, cap: Floats, idle: Floats, dynamic: Floats, exponent: Floats, highest: Floats
    ) -> Floats:
        lowest = self.processor.least_ghz / self.processor.base_ghz
        room = np.maximum(cap - idle, 1e-9) / np.maximum(dynamic, 1e-9)
        return np.clip(np.minimum(room, 1e6) ** (1 / exponent), lowest, highest)


@dataclass(frozen=True, eq=False)
class FittedPhysical:
    """The law with its coefficients, in the order of the module's table."""

    law: Law
    theta: Floats
    covariance: Floats
    residual: tuple[float, float]

    def predict(self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts) -> Prediction:
        """Time and power, with the spread of the coefficients and of what they leave."""
        columns = inputs(nodes, cores_per_node, package_cap_w)
        found = self.law.evaluate(self.theta, *columns)
        spreads = np.sqrt(self.variances(*columns) + np.square(self.residual)[:, None])
        return Prediction(found["time"], found["power"], *spreads)

    def variances(self, n: Floats, c: Floats, p: Floats) -> Floats:
        """Of log time and log power, from the coefficients alone; shape ``(2, configurations)``."""
        step = 1e-5
        moved = self.law.evaluate(self.theta + step * np.eye(len(self.theta)), n, c, p)
        here = self.law.evaluate(self.theta, n, c, p)
        slopes = [np.log(moved[k] / here[k]) / step for k in ("time", "power")]
        return np.stack([np.einsum("ir,ij,jr->r", s, self.covariance, s) for s in slopes])

    def evaluate(self, n: Floats, c: Floats, p: Floats) -> dict[str, Floats]:
        """What :meth:`Law.evaluate` says."""
        return self.law.evaluate(self.theta, n, c, p)

    def coefficients(self) -> dict[str, float]:
        """By name."""
        return dict(zip(_NAMES, self.theta.tolist(), strict=True))


@dataclass(frozen=True)
class Physical:
    """The family.

    Attributes
    ----------
    starts
        Starting points of the fit; the best end counts.
    seed
        Of the starting points after the first.
    """

    starts: int = 3
    seed: int = 1
    processor: Processor = field(default=E5_2690)
    name: str = "physical"
    least_configurations: int = 4

    def fit(self, runs: Runs) -> FittedPhysical:
        """Robust least squares on the logarithms of time and power.

        Raises
        ------
        InputError
            Fewer than four configurations.
        """
        check(runs, self.name, self.least_configurations)
        n, c, p = inputs(runs.nodes, runs.cores_per_node, runs.package_cap_w)
        law = Law(self.processor, float(np.exp(np.log(n).mean())))
        fitting = _Fitting(law, n, c, p, runs)
        ends = [fitting.minimise(start) for start in fitting.starts(self.starts, self.seed)]
        theta = min(ends, key=lambda end: float(end.cost)).x
        return FittedPhysical(law, theta, *fitting.uncertainty(theta))


class _Fitting:
    """Residuals of one set of runs, and their slopes for all coefficients in one sweep."""

    def __init__(self, law: Law, n: Floats, c: Floats, p: Floats, runs: Runs) -> None:
        self.law, self.columns = law, (n, c, p)
        self.time, self.power = np.log(runs.time_s), np.log(runs.power_w)
        self.package = np.log(runs.package_power_w) if runs.dram_power_w is not None else None
        self.usual = _USUAL.copy()
        scaled = runs.time_s * (n / law.nodes) * (c / _CORES)
        self.usual[0] = np.log(np.median(scaled))
        self.least, self.most = _LEAST.copy(), _MOST.copy()
        self.least[0], self.most[0] = self.usual[0] - 4, self.usual[0] + 4

    def residuals(self, theta: Floats) -> Floats:
        found = self.law.evaluate(theta, *self.columns)
        parts = [
            (self.time - np.log(found["time"])) / _TIME_UNIT,
            (self.power - np.log(found["power"])) / _POWER_UNIT,
        ]
        if self.package is not None:
            parts.append((self.package - np.log(found["package"])) / _POWER_UNIT)
        return np.concatenate([*parts, (theta - self.usual) / _SPREAD], axis=-1)

    def slopes(self, theta: Floats) -> Floats:
        step = np.where(theta + 1e-6 > self.most, -1e-6, 1e-6)
        moved = self.residuals(theta + np.diag(step))
        slopes: Floats = ((moved - self.residuals(theta)) / step[:, None]).T
        return slopes

    def starts(self, count: int, seed: int) -> list[Floats]:
        rng = np.random.default_rng(seed)
        drawn = [self.usual + rng.normal(size=len(self.usual)) * _SPREAD for _ in range(count - 1)]
        return [np.clip(t, self.least + 1e-6, self.most - 1e-6) for t in (self.usual, *drawn)]

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
        covariance = np.linalg.inv((slopes.T * weights) @ slopes)
        return covariance, (scatter[0] * _TIME_UNIT, scatter[1] * _POWER_UNIT)

    def minimise(self, start: Floats) -> Any:
        from scipy.optimize import least_squares

        return least_squares(
            self.residuals,
            start,
            self.slopes,
            bounds=(self.least, self.most),
            loss="cauchy",
            f_scale=_TURN,
            max_nfev=60,
            ftol=1e-5,
            xtol=1e-5,
        )
