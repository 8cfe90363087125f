"""A gate that probes new applications: short test runs, while a further one is worth its time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.gate.distribution import Distribution
from planner.sharing_nodes.gate.gate import JudgedPairs, LearnedGate, learn
from planner.sharing_nodes.gate.inputs import GatePairs, Rows
from planner.sharing_nodes.gate.probes import probe_values
from planner.sharing_nodes.gate.result import PROBE_ERROR
from planner.sharing_nodes.tangram.metrics import Floats

Probe = Callable[[int], float]
"""Log makespan that a short probing run of a row shows."""


@dataclass(frozen=True)
class GateRule:
    """How a gate decides: sharing should save time, and is hardly ever bad.

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
    def score(self) -> float:
        """Normal score of the level."""
        return NormalDist().inv_cdf(self.level)


@dataclass(frozen=True, eq=False)
class ProbedPairs:
    """Pairs of one application as a gate judges them after its probes.

    Attributes
    ----------
    judged
        The judgement; it abstains from all pairs of an application unlike any seen before.
    probed
        Rows that were probed: these are decided even so.
    """

    judged: JudgedPairs
    probed: Rows

    @property
    def rows(self) -> Rows:
        """Which pairs."""
        return self.judged.rows

    @property
    def score(self) -> Floats:
        """As of the judgement; infinite where a pair is never admitted."""
        decided = replace(self.judged, novelty=0.0).score
        return np.where(np.isin(self.rows, self.probed), decided, self.judged.score)

    def admitted(self, threshold: float) -> NDArray[np.bool_]:
        """Whether each pair may share."""
        return np.asarray(self.score < threshold)


@dataclass(frozen=True, eq=False)
class ProbingGate:
    """A gate that learned from measured pairs, and may probe.

    Attributes
    ----------
    gate
        What it learned.
    rule
        How it decides.
    probe_variance
        Variance of the error of a probe.
    """

    gate: LearnedGate
    rule: GateRule
    probe_variance: float

    def judge(
        self, application: int, rows: Rows, probe: Probe | None = None, cost: float = 0.0
    ) -> ProbedPairs:
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
        judged = self.gate.judge(application, rows)
        if probe is None:
            return ProbedPairs(judged, rows[:0])
        now, probed = self._probed(rows, probe, cost)
        return ProbedPairs(replace(judged, mean=now.mean, spread=now.spread), probed)

    def _probed(self, rows: Rows, probe: Probe, cost: float) -> tuple[Distribution, Rows]:
        """Probe while a further probe is worth more than it costs."""
        now, probed = self.gate.fitted.predict(rows), list[int]()
        score, limit = self.rule.score, self.gate.log_limit
        for _ in range(min(self.rule.probes, len(rows))):
            worth = probe_values(now, self.probe_variance, cost, score, limit)
            worth[np.isin(rows, probed)] = -np.inf
            best = int(np.argmax(worth))
            if worth[best] <= 0:
                break
            now = now.after(best, probe(int(rows[best])), self.probe_variance)
            probed.append(int(rows[best]))
        return now, np.array(probed, dtype=np.intp)


def learn_with_probes(
    pairs: GatePairs, rows: Rows, rule: GateRule, probe_errors: Floats
) -> ProbingGate:
    """Learn from measured pairs, some of which were probed too.

    Parameters
    ----------
    probe_errors
        Logarithms of makespans by probes less those measured, on rows that it learns from. Their
        median size, less the variance of runs, gives the variance of a probe: a few bad co-runs are
        off by much more, but far on the same side of the limit.
    """
    squared = (1.4826 * float(np.median(np.abs(probe_errors)))) ** 2
    variance = max(PROBE_ERROR**2, squared - float(np.median(pairs.run_variance[rows])))
    return ProbingGate(learn(pairs, rows, rule.limit), rule, variance)
