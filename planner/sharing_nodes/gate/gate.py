"""The gate: what it learned, and how it judges the pairs of a new application."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.gate.inputs import GatePairs, Rows
from planner.sharing_nodes.gate.novelty import novelty
from planner.sharing_nodes.gate.process import Fitted, fit
from planner.sharing_nodes.tangram.metrics import Floats


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """Pairs of one application as a gate judges them.

    Attributes
    ----------
    rows
        Which pairs.
    mean, spread
        Mean and standard deviation of the log makespan.
    novelty
        Distance to the known applications; the gate abstains above 1.
    limit
        Logarithm of the largest good makespan.
    """

    rows: Rows
    mean: Floats
    spread: Floats
    novelty: float
    limit: float

    @property
    def abstains(self) -> bool:
        """Whether the application is unlike any seen before."""
        return self.novelty > 1

    @property
    def score(self) -> Floats:
        """``(mean - limit) / spread``: below ``-z``, quantile ``z`` lies below the limit.

        Infinite where a pair is never admitted: its median log makespan is not below 0, or the
        gate abstains.
        """
        out = self.abstains | (self.mean >= 0)
        return np.where(out, np.inf, (self.mean - self.limit) / self.spread)

    def admitted(self, threshold: float) -> NDArray[np.bool_]:
        """Whether each pair may share."""
        return np.asarray(self.score < threshold)


@dataclass(frozen=True, eq=False)
class LearnedGate:
    """A gate that learned from measured pairs of known applications.

    Attributes
    ----------
    fitted
        The distribution of the log makespan.
    known
        Profiles of the known applications.
    limit
        A co-run whose makespan exceeds it is bad.
    """

    fitted: Fitted
    known: Floats
    limit: float

    @property
    def log_limit(self) -> float:
        """Logarithm of the limit."""
        return log(self.limit)

    def judge(self, application: int, rows: Rows) -> JudgedPairs:
        """Judge pairs of one application, by number, that was not known to the gate."""
        strange = novelty(self.known, self.fitted.pairs.profiles[application])
        now = self.fitted.predict(rows)
        return JudgedPairs(rows, now.mean, now.spread, strange, self.log_limit)


def learn(pairs: GatePairs, rows: Rows, limit: float) -> LearnedGate:
    """Learn from measured pairs.

    Parameters
    ----------
    pairs
        All pairs.
    rows
        Those with a measured makespan from which the gate may learn.
    limit
        A co-run whose makespan exceeds it is bad.
    """
    known = np.unique(np.concatenate([pairs.a[rows], pairs.b[rows]]))
    return LearnedGate(fit(pairs, rows), pairs.profiles[known], limit)
