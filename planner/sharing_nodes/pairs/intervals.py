"""How far the gain of a pair is known, from pairs that were measured more than once.

The spread of the logarithm of a relative speed is taken to be one for the whole table, pooled over
all repeated pairs: each pair for itself has too few measurements.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.replications.student import t_quantile
from planner.sharing_nodes.pairs.problem import PairingProblem
from scenarios.pairs.pair_table import Floats, PairTable

LEVEL = 0.95


@dataclass(frozen=True)
class Spread:
    """Pooled standard deviation of the logarithm of a relative speed.

    Attributes
    ----------
    deviation
        Standard deviation of one measurement.
    freedom
        Degrees of freedom: measurements of repeated pairs less one for each, both jobs counted.
    """

    deviation: float
    freedom: int

    def factor(self, measurements: Floats) -> Floats:
        """The lower end of the mean's 95 % interval over the mean."""
        width = t_quantile(LEVEL, self.freedom) * self.deviation
        result: Floats = np.exp(-width / np.sqrt(np.maximum(measurements, 1.0)))
        return result


def spread_of(table: PairTable) -> Spread | None:
    """The pooled spread; ``None`` where no pair was measured twice."""
    _, index, count = np.unique(table.pair_of, return_inverse=True, return_counts=True)
    freedom = 2 * int((count - 1).sum())
    if not freedom:
        return None
    squares = 0.0
    for speed in (table.speed_first, table.speed_second):
        logarithm = np.log(speed)
        mean = np.bincount(index, weights=logarithm) / count
        squares += float(((logarithm - mean[index]) ** 2).sum())
    return Spread(float(np.sqrt(squares / freedom)), freedom)


def lower_gain(table: PairTable, problem: PairingProblem, spread: Spread) -> Floats:
    """Gain of each pair of applications with both speeds at the lower end of their intervals."""
    size = len(table.names)
    count = np.zeros((size, size))
    np.add.at(count, (table.first, table.second), 1)
    count = np.maximum(count, count.T)
    known = {name: index for index, name in enumerate(table.names)}
    kinds = np.array([known[name] for name in dict.fromkeys(problem.names)], dtype=np.int64)
    factor = spread.factor(count)[np.ix_(kinds, kinds)]
    result: Floats = (problem.kind_gain + 1.0) * factor - 1.0
    return result
