r"""The law of a power-capped node: run time and power of a configuration.

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
part of the run talks and draws less.

References
----------
Thesis, section 2.1 (equations 2.1 and 2.2: power and frequency), 3.3 (caps, turbo) and 3.4 (memory
contention). The law itself is ours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.configurations.prediction.processor import Processor
from scenarios.measurements.runs import Floats

COEFFICIENTS = (
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
NAMES = tuple(row[0] for row in COEFFICIENTS)
USUAL, SPREAD, LEAST, MOST = (np.array([r[i] for r in COEFFICIENTS]) for i in range(1, 5))
REFERENCE_CORES = 8.0


@dataclass(frozen=True, eq=False)
class PerformanceLaw:
    """The equations of the module, for one processor and a reference node count.

    Coefficients are arrays ``(..., coefficients)``; what comes out is ``(..., runs)``.
    """

    processor: Processor
    nodes: float

    @property
    def watts(self) -> float:
        """Return the factor on usual powers: the node's packages over two of 115 W."""
        return self.processor.sockets * self.processor.turbo_cap_w / 230.0

    def slopes(
        self, theta: Floats, n: Floats, c: Floats, p: Floats
    ) -> tuple[dict[str, Floats], Floats]:
        """Evaluate the law, with derivatives of log time and log power by the coefficients.

        Slopes have the shape ``(2, runs, coefficients)``.
        """
        step = 1e-5
        values = self.evaluate(theta, n, c, p)
        moved = self.evaluate(theta + step * np.eye(len(theta)), n, c, p)
        logs = [np.log(moved[name] / values[name]).T / step for name in ("time", "power")]
        return values, np.stack(logs)

    def evaluate(self, theta: Floats, n: Floats, c: Floats, p: Floats) -> dict[str, Floats]:
        """Time, package power and all power [s, W], and the frequency ratio."""
        k = {name: theta[..., i, None] for i, name in enumerate(NAMES)}
        nu, kappa = n / self.nodes, c / REFERENCE_CORES
        turbo = self.processor.turbo(p)
        highest = self.processor.highest_ratio(c, p)
        idle = self.watts * np.exp(k["log_idle"]) * (1 + k["turbo_idle"] * turbo)
        dynamic = self.watts * np.exp(k["log_dynamic"]) * kappa ** k["dynamic_cores"]
        cap = np.where(turbo > 0, np.inf, p * self.processor.sockets * np.exp(k["log_cap"]))
        x = self._frequency(cap, idle, dynamic, k["exponent"], highest)
        work = np.exp(k["log_work"])
        share = work * nu ** -k["parallel_nodes"]
        memory = (1 + (c / np.exp(k["log_saturation"])) ** k["contention"]) / kappa
        run = (
            share * ((1 - k["memory"]) * kappa ** -k["parallel_cores"] / x + k["memory"] * memory)
            + work * np.exp(k["log_serial"]) / x
        )
        talk = work * np.exp(k["log_talk"]) * nu ** k["talk_nodes"] * kappa ** k["talk_cores"]
        quiet = k["talk_power"] * dynamic
        x_talk = self._frequency(cap, idle, quiet, k["exponent"], highest)
        talk = talk * x_talk ** -k["talk_frequency"]
        time = run + talk
        p_run = np.minimum(idle + dynamic * x ** k["exponent"], cap)
        p_talk = np.minimum(idle + quiet * x_talk ** k["exponent"], cap)
        package = n * (run * p_run + talk * p_talk) / time
        traffic = np.exp(k["log_memory_power"]) * share / time
        dram = n * self.watts * (np.exp(k["memory_idle"]) + traffic)
        return {"time": time, "package": package, "power": package + dram, "frequency": x}

    def _frequency(
        self, cap: Floats, idle: Floats, dynamic: Floats, exponent: Floats, highest: Floats
    ) -> Floats:
        lowest = self.processor.least_ghz / self.processor.base_ghz
        room = np.maximum(cap - idle, 1e-9) / np.maximum(dynamic, 1e-9)
        return np.clip(np.minimum(room, 1e6) ** (1 / exponent), lowest, highest)
