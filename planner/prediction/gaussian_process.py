"""Gaussian processes of the logarithms, on top of another model or of a constant.

What a model leaves unexplained is seldom noise: one core count is slow on any number of nodes,
one node count suits the partition of the problem. A sum of processes learns that: one of cores,
one of nodes, one of both, and one of all inputs together with the frequency that the physical
model sees (so caps that do not bind are one and the same to it). Only the amplitudes and the
noise are fitted, by marginal likelihood; a handful of numbers, for there are few runs.

Stragglers are slower, never faster, and far: a run whose time lies far above what the others say of it
(leave-one-out residual above three standard deviations) gets its own residual as noise, and the
process is fitted again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from planner.prediction.model import Counts, Prediction, Watts, check, inputs
from planner.prediction.physical import FittedPhysical, Physical
from scenarios.measurements import Floats, Runs


@dataclass(frozen=True)
class PhysicalProcess:
    """Physical model plus a Gaussian process of what it leaves."""

    physical: Physical = field(default_factory=Physical)
    scales: tuple[float, ...] = (1.0, 1.0, 0.1, 1.0)
    name: str = "physical + Gaussian process"
    least_configurations: int = 4
    kind: str = "additive"

    def fit(self, runs: Runs) -> Any:
        base = self.physical.fit(runs)
        n, c, p = inputs(runs.nodes, runs.cores_per_node, runs.package_cap_w)
        x = features(base, n, c, p)
        q = base.predict(n, c, p)
        rt = np.log(runs.time_s / q.time_s)
        rp = np.log(runs.power_w / q.power_w)
        return FittedProcess(base, one(x, rt, self, 0.1), one(x, rp, self, 0.1))


def features(base: FittedPhysical, n: Floats, c: Floats, p: Floats) -> Floats:
    x = base.evaluate(n, c, p)["frequency"]
    return np.column_stack((np.log2(n), c / 2, np.log(x) , base.law.processor.turbo(p)))


@dataclass
class FittedProcess:
    base: Any
    time: Any
    power: Any

    def predict(self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts) -> Prediction:
        n, c, p = inputs(nodes, cores_per_node, package_cap_w)
        q = self.base.predict(n, c, p)
        x = features(self.base, n, c, p)
        vt, vp = self.base.variances(n, c, p)
        mt, st = self.time.predict(x, return_std=True)
        mp, sp = self.power.predict(x, return_std=True)
        return Prediction(q.time_s * np.exp(mt), q.power_w * np.exp(mp), np.sqrt(st**2+vt), np.sqrt(sp**2+vp))


def one(x: Floats, r: Floats, m: PhysicalProcess, big: float) -> Any:
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, Matern, WhiteKernel

    far = 1e3
    ln, lc, lx, lt = m.scales

    def amp(v: float) -> Any:
        return ConstantKernel(v * v, (1e-6, 0.04))

    def k(*s: float) -> Any:
        return Matern(np.array(s), "fixed", nu=1.5)

    if m.kind == "additive":
        kernel = (
            amp(0.02) * k(far, lc, far, far)
            + amp(0.02) * k(ln, far, far, far)
            + amp(0.02) * k(ln, lc, far, far)
            + amp(0.02) * k(ln, lc, lx, lt)
            + WhiteKernel(1e-4, (1e-6, 1e-2))
        )
    elif m.kind == "two":
        kernel = (
            amp(0.02) * k(ln, lc, far, far)
            + amp(0.02) * k(ln, lc, lx, lt)
            + WhiteKernel(1e-4, (1e-6, 1e-2))
        )
    else:
        kernel = amp(0.02) * Matern(np.array(m.scales), (0.2, 1e2), nu=1.5) + WhiteKernel(1e-4, (1e-6, 1e-2))
    alpha = np.where(np.abs(r) > 0.25, r**2, 1e-8)
    g = GaussianProcessRegressor(kernel, alpha=alpha)
    g.fit(x, r)
    for _ in range(1):
        K = g.L_ @ g.L_.T
        inv = np.linalg.inv(K)
        loo = g.alpha_ / np.diag(inv)
        z = loo * np.sqrt(np.diag(inv))
        out = (np.abs(z) > 3) & (alpha < 1e-6)
        if not out.any():
            break
        alpha = np.where(out, loo**2, alpha)
        g = GaussianProcessRegressor(g.kernel_, alpha=alpha).fit(x, r)
    return g
