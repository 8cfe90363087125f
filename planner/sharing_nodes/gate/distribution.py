"""The joint distribution of log makespans that have not been measured."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from planner.sharing_nodes.tangram.metrics import Floats


@dataclass(frozen=True, eq=False)
class Distribution:
    """Normal distribution of the logarithms of makespans of some pairs.

    Attributes
    ----------
    mean
        Shape (rows,).
    covariance
        Covariance of what repeated runs of a pair share: (rows, rows).
    noise
        Variance of a run on top of it: (rows,).
    """

    mean: Floats
    covariance: Floats
    noise: Floats

    @property
    def spread(self) -> Floats:
        """Standard deviation of one run."""
        return np.sqrt(np.maximum(np.diag(self.covariance), 0.0) + self.noise)

    def after(self, row: int, value: float, variance: float) -> Distribution:
        """The distribution once a row was seen to be ``value``, with an error of ``variance``."""
        gain = self.covariance[:, row] / (self.covariance[row, row] + variance)
        return Distribution(
            self.mean + gain * (value - self.mean[row]),
            self.covariance - np.outer(gain, self.covariance[row]),
            self.noise,
        )

    def moved_by(self, row: int, variance: float) -> Floats:
        """Standard deviation by which seeing a row would move each mean."""
        total = self.covariance[row, row] + variance
        return np.asarray(self.covariance[:, row] / sqrt(total))
