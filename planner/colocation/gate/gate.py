"""The gate: what it learned, and how it judges the pairs of a new application."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import log
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from planner.colocation.gate.distribution import Distribution
from planner.colocation.gate.inputs import GatePairs, Rows
from planner.colocation.gate.novelty import novelty
from planner.colocation.gate.probes import probe_values
from planner.colocation.gate.process import Fitted, fit
from planner.colocation.tangram.metrics import Floats

Probe = Callable[[int], float]
"""Log makespan that a short probing run of a row shows."""
LEAST_PROBE_ERROR = 0.02


@dataclass(frozen=True)
class GateRule:
    """How a gate decides: sharing should save time, and is hardly ever bad.

    A pair is admitted if the median of its makespan lies below 1 and an upper quantile below the
    limit.

    Attributes
    ----------
    limit
        A co-run whose makespan exceeds it is bad.
    probes
        Most probing runs of a new application.
    level
        Level of the upper quantile that must lie below the limit without a certificate; probes are
        planned for it.
    """

    limit: float = 1.10
    probes: int = 2
    level: float = 0.9

    @property
    def log_limit(self) -> float:
        """Logarithm of the limit."""
        return log(self.limit)

    @property
    def score(self) -> float:
        """Normal score of the level."""
        return NormalDist().inv_cdf(self.level)


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
    probed
        Rows that were probed.
    limit
        Logarithm of the largest good makespan.
    """

    rows: Rows
    mean: Floats
    spread: Floats
    novelty: float
    probed: Rows
    limit: float

    @property
    def abstains(self) -> bool:
        """Whether the application is unlike any seen before."""
        return self.novelty > 1

    @property
    def score(self) -> Floats:
        """``(mean - limit) / spread``: below ``-z``, quantile ``z`` lies below the limit.

        Infinite where a pair is never admitted: its median log makespan is not below 0; or the
        gate abstains, since the application is unlike any seen before and this pair not probed.
        """
        unseen = self.abstains & ~np.isin(self.rows, self.probed)
        out = unseen | (self.mean >= 0)
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
    rule
        How it decides.
    probe_variance
        Variance of the error of a probe.
    """

    fitted: Fitted
    known: Floats
    rule: GateRule
    probe_variance: float = 0.0

    def judge(
        self, application: int, rows: Rows, probe: Probe | None = None, cost: float = 0.0
    ) -> JudgedPairs:
        """Judge pairs of one application that was not known to the gate.

        Parameters
        ----------
        application
            Its number.
        rows
            The pairs.
        probe
            Makes a probing run; without it none is made.
        cost
            Time of a probe over that of a pair one after the other.
        """
        strange = novelty(self.known, self.fitted.pairs.profiles[application])
        now, probed = self.fitted.predict(rows), list[int]()
        if probe is not None:
            now, probed = self._probed(now, rows, probe, cost)
        return JudgedPairs(
            rows, now.mean, now.spread, strange, np.array(probed, dtype=np.intp),
            self.rule.log_limit,
        )  # fmt: skip

    def _probed(
        self, now: Distribution, rows: Rows, probe: Probe, cost: float
    ) -> tuple[Distribution, list[int]]:
        """Probe while a further probe is worth more than it costs."""
        probed, score = list[int](), self.rule.score
        for _ in range(min(self.rule.probes, len(rows))):
            worth = probe_values(now, self.probe_variance, cost, score, self.rule.log_limit)
            worth[np.isin(rows, probed)] = -np.inf
            best = int(np.argmax(worth))
            if worth[best] <= 0:
                break
            now = now.after(best, probe(int(rows[best])), self.probe_variance)
            probed.append(int(rows[best]))
        return now, probed


def learn(
    pairs: GatePairs, rows: Rows, rule: GateRule, probe_errors: Floats | None = None
) -> LearnedGate:
    """Learn from measured pairs.

    Parameters
    ----------
    pairs
        All pairs.
    rows
        Those with a measured makespan from which the gate may learn.
    rule
        How it decides.
    probe_errors
        Logarithms of makespans by probes less those measured, on rows that it learns from. Their
        median size, less the variance of runs, gives the variance of a probe: a few bad co-runs are
        off by much more, but far on the same side of the limit.
    """
    known = np.unique(np.concatenate([pairs.a[rows], pairs.b[rows]]))
    variance = LEAST_PROBE_ERROR**2
    if probe_errors is not None and len(probe_errors):
        squared = (1.4826 * float(np.median(np.abs(probe_errors)))) ** 2
        variance = max(variance, squared - float(np.median(pairs.run_variance[rows])))
    return LearnedGate(fit(pairs, rows), pairs.profiles[known], rule, variance)
