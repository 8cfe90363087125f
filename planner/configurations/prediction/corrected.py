"""The physical model, corrected by Gaussian processes fitted to its residuals.

The residuals of the law are seldom noise. One core count is slow on any number of nodes. One node
count suits the partition of the problem. A node with all cores in use is much slower. So the sum
has one process of cores alone with jumps, a smooth one, one of nodes, and one of both. A small
process covers everything, with the frequency that the law sees: caps that do not bind are equal.

The fastest run of each configuration counts. A slow outlier is isolated. So a run far slower than
predicted is doubted from the start only if its nearest runs, with as many cores, are faster.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from planner.configurations.prediction.law import SPREAD, PerformanceLaw
from planner.configurations.prediction.model import Counts, ModelPrediction, Watts, check, inputs
from planner.configurations.prediction.physical import Physical
from planner.configurations.prediction.process import Component, Posterior, PriorProcess
from planner.configurations.table import groups
from scenarios.measurements.runs import Floats, Runs

_ANY = np.inf

COMPONENTS = (
    # inputs: log2 nodes, cores by two, log of the frequency ratio, turbo
    Component((_ANY, 0.3, _ANY, _ANY), (0.01, 0.005), (1.5, 0.3), 1.5),
    Component((_ANY, 1.5, _ANY, _ANY), (0.01, 0.005), (0.3, 0.1), 1.0),
    Component((0.05, _ANY, _ANY, _ANY), (0.01, 0.003), (0.3, 0.1), 1.0),
    Component((1.0, 0.5, _ANY, _ANY), (0.01, 0.004), (1.0, 0.2), 1.5),
    Component((1.0, 1.0, 0.1, 1.0), (0.01, 0.004), (0.06, 0.04), 1.0),
)
_SLOW, _NEAREST = 0.2, 5


@dataclass(frozen=True, eq=False)
class FittedCorrected:
    """The fitted law and the Gaussian processes that were fitted to its residuals."""

    law: PerformanceLaw
    theta: Floats
    posterior: Posterior

    def predict(
        self, nodes: Counts, cores_per_node: Counts, package_cap_w: Watts
    ) -> ModelPrediction:
        """Predict time and power, with the spread of another run."""
        columns = inputs(nodes, cores_per_node, package_cap_w)
        values, slopes = self.law.slopes(self.theta, *columns)
        means, spreads = self.posterior.predict(
            features(self.law, columns, values["frequency"]), slopes
        )
        time, power = values["time"] * np.exp(means[0]), values["power"] * np.exp(means[1])
        return ModelPrediction(time, power, *spreads)


@dataclass(frozen=True)
class Corrected:
    """The physical law plus Gaussian processes of its residuals, before fitting.

    See :class:`~planner.configurations.prediction.physical.Physical` for the fields.
    """

    physical: Physical = field(default_factory=lambda: Physical(starts=2))
    name: str = "physical+process"
    least_configurations: int = 4

    def fit(self, runs: Runs) -> FittedCorrected:
        """Fit the law first, then the processes.

        Raises
        ------
        InputError
            Fewer than four configurations.
        """
        check(runs, self.name, self.least_configurations)
        fastest = runs.take(np.array([group[0] for group in groups(runs)]))
        base = self.physical.fit(fastest)
        columns = inputs(fastest.nodes, fastest.cores_per_node, fastest.package_cap_w)
        values, slopes = base.law.slopes(base.theta, *columns)
        x = features(base.law, columns, values["frequency"])
        y = np.stack(
            (np.log(fastest.time_s / values["time"]), np.log(fastest.power_w / values["power"]))
        )
        process = PriorProcess(x, slopes, np.minimum(SPREAD**2, 1.0), COMPONENTS)
        posterior = Posterior(process, y, _alone(x, y[0])).fit_scales()
        return FittedCorrected(base.law, base.theta, posterior)


def features(
    law: PerformanceLaw, columns: tuple[Floats, Floats, Floats], frequency: Floats
) -> Floats:
    """Inputs of the processes, one row per configuration."""
    n, c, p = columns
    return np.column_stack((np.log2(n), c / 2, np.log(frequency), law.processor.turbo(p)))


def _alone(x: Floats, slower: Floats) -> Floats:
    """Extra variances ``(2, runs)`` of runs far slower than the nearest of as many cores."""
    far = np.zeros((2, len(x)))
    for run in np.flatnonzero(slower > _SLOW):
        apart = np.abs(x - x[run])
        away = apart[:, 0] + 0.3 * apart[:, 2]
        away[apart[:, 1] > 0] = np.inf
        away[run] = np.inf
        near = np.argsort(away, kind="stable")[:_NEAREST]
        near = near[np.isfinite(away[near])]
        usual = float(np.median(slower[near])) if len(near) else 0.0
        if slower[run] - usual > _SLOW:
            far[:, run] = (slower[run] - usual) ** 2, 0.1**2
    return far
