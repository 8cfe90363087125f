"""A simple prediction of pairs that were not measured, from how sensitive and how heavy a job is.

The logarithm of the relative speed of ``a`` with ``b`` is taken as ``mean + sensitivity_a +
pressure_b``, fitted to all measured pairs by least squares with a penalty of one pair's weight,
which draws what few pairs tell towards the mean. A pair is predicted only where both applications
were measured with somebody. The error is that of leaving out one measured speed at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.pairs.problem import PairingProblem, problem_of
from scenarios.pairs.pair_table import Floats, PairTable
from solvers.dense import one_thread

MOST = 1_000
"""Applications; the fit inverts a matrix of twice as many rows."""

_PENALTY = 1.0


@dataclass(frozen=True, eq=False)
class SpeedPrediction:
    """Relative speeds by applications, where they can be predicted; NaN elsewhere.

    Attributes
    ----------
    speed
        Shape ``(applications, applications)``, of the row's application with the column's.
    error
        Root mean square error of the logarithm of a speed that is left out.
    """

    speed: Floats
    error: float

    @property
    def gain(self) -> Floats:
        """Predicted gain of each pair of applications."""
        result: Floats = self.speed + self.speed.T - 1.0
        return result


def predict_for(table: PairTable, problem: PairingProblem) -> SpeedPrediction | None:
    """Fit all measured pairs of a table, and predict for the applications of a problem.

    ``None`` where fewer than two pairs were measured, or for more than 1,000 applications.
    """
    if len(table.names) > MOST:
        return None
    result = predict(problem_of(table))
    if result is None:
        return None
    place = {name: index for index, name in enumerate(table.names)}
    kinds = [place[name] for name in dict.fromkeys(problem.names)]
    return SpeedPrediction(result.speed[np.ix_(kinds, kinds)], result.error)


@one_thread()
def predict(problem: PairingProblem) -> SpeedPrediction | None:
    """Fit the measured pairs of a problem; ``None`` where fewer than two were measured."""
    logarithm = np.log(problem.speed)
    known = np.isfinite(logarithm)
    count = len(logarithm)
    if known.sum() < 3:
        return None
    mean = float(logarithm[known].mean())
    centred = np.where(known, logarithm - mean, 0.0)
    normal = np.zeros((2 * count, 2 * count))
    normal[:count, count:] = known
    normal[count:, :count] = known.T
    normal[np.diag_indices(2 * count)] = [*known.sum(axis=1), *known.sum(axis=0)]
    normal[np.diag_indices(2 * count)] += _PENALTY
    inverse = np.linalg.inv(normal)
    fitted = inverse @ np.concatenate([centred.sum(axis=1), centred.sum(axis=0)])
    guess = mean + fitted[:count, None] + fitted[None, count:]
    diagonal = np.diag(inverse)
    leverage = diagonal[:count, None] + diagonal[None, count:] + 2 * inverse[:count, count:]
    left_out = (logarithm - guess)[known] / (1.0 - leverage[known])
    seen = known.sum(axis=1) > 0
    speed = np.where(seen[:, None] & seen[None, :], np.exp(guess), np.nan)
    return SpeedPrediction(speed, float(np.sqrt(np.mean(left_out**2))))


def filled(
    problem: PairingProblem, prediction: SpeedPrediction
) -> tuple[PairingProblem, NDArray[np.bool_]]:
    """The problem with predicted pairs where none was measured, and which pairs those are."""
    missing = ~np.isfinite(problem.kind_gain) & np.isfinite(prediction.speed)
    speed = np.where(missing, prediction.speed, problem.speed)
    own = np.diag(prediction.speed)[:, None]
    new = np.diag(missing)[:, None]
    return replace(problem, speed=speed, own=np.where(new, own, problem.own)), missing
