"""Which pairs to measure next: those that could change the pairing most.

The rule: take the predicted gain of a pair that was not measured, plus one error, minus the dual
values of its two jobs. The dual values are the shadow prices of both jobs in the matching that was
found. So only a pair above 0 can improve the matching, and by at most this value for each pair of
jobs. Odd sets are left out, which errs towards measuring. A pair that breaks a limit even one error
up, or does not fit on a node, is not listed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from planner.sharing_nodes.pairs.prediction import SpeedPrediction
from planner.sharing_nodes.pairs.problem import PairingProblem
from scenarios.pairs.pair_table import Floats
from solvers.matching.solve import Matched


@dataclass(frozen=True)
class Probe:
    """A pair that is worth measuring.

    Attributes
    ----------
    predicted_gain
        By the simple prediction.
    could_add
        What one such pair of jobs could add to the gain of the matching, one error up.
    """

    a: str
    b: str
    predicted_gain: float
    could_add: float


def probes(
    problem: PairingProblem, matching: Matched, prediction: SpeedPrediction | None, most: int
) -> tuple[Probe, ...]:
    """The pairs to measure next, the most useful one first.

    Parameters
    ----------
    problem
        With the measured pairs alone.
    """
    if prediction is None:
        return ()
    kinds = len(problem.speed)
    price = _least_prices(problem, matching)
    upper = (prediction.gain + 1.0) * np.exp(prediction.error) - 1.0
    value = upper - price[:, None] - price[None, :]
    slowest = np.minimum(prediction.speed, prediction.speed.T) * np.exp(prediction.error)
    excluded = np.isfinite(problem.kind_gain) | ~problem.within_limits(upper, slowest)
    excluded |= ~problem.kind_fits
    value[excluded | ~np.isfinite(value)] = -np.inf
    once = np.bincount(problem.kind, minlength=kinds) < 2
    value[np.diag_indices(kinds)] = np.where(once, -np.inf, np.diag(value))
    first, second = np.nonzero(np.triu(value > 1e-9))
    order = np.argsort(-value[first, second], kind="stable")[:most]
    name = {int(kind): job for kind, job in zip(problem.kind, problem.names, strict=True)}
    return tuple(
        Probe(name[a], name[b], float(prediction.gain[a, b]), float(value[a, b]))
        for a, b in zip(first[order].tolist(), second[order].tolist(), strict=True)
    )


def _least_prices(problem: PairingProblem, matching: Matched) -> Floats:
    """Least dual value of the jobs of each application, in nodes."""
    prices = np.array(matching.duals.vertex[: problem.jobs], dtype=np.float64)
    least_price = np.full(len(problem.speed), np.inf)
    np.minimum.at(least_price, problem.kind, np.ldexp(prices, -matching.exponent - 1))
    return least_price
