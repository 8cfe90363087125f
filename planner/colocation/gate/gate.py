"""The gate: what it learned, and how it judges the pairs of a new application."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.colocation.gate.distribution import Distribution
from planner.colocation.gate.inputs import Pairs, Rows
from planner.colocation.gate.novelty import novelty
from planner.colocation.gate.probes import probe_values
from planner.colocation.gate.process import Fitted, fit
from planner.colocation.tangram.metrics import Floats

Probe = Callable[[int], float]
"""Log makespan that a short probing run of a row shows."""
LEAST_PROBE_ERROR = 0.02


@dataclass(frozen=True)
class Rule:
    """How a gate decides.

    Attributes
    ----------
    limit
        A co-run whose makespan exceeds it is bad.
    probes
        Most probing runs of a new application.
    """

    limit: float = 1.10
    probes: int = 2


@dataclass(frozen=True, eq=False)
class Judged:
    """Pairs of one application as a gate judges them.

    Attributes
    ----------
    rows
        Which pairs.
    mean, spread
        Of the log makespan.
    novelty
        Distance to the known applications; the gate abstains above 1.
    probed
        Rows that were probed.
    """

    rows: Rows
    mean: Floats
    spread: Floats
    novelty: float
    probed: Rows

    @property
    def abstains(self) -> bool:
        """Whether the application is unlike any seen before."""
        return self.novelty > 1

    @property
    def score(self) -> Floats:
        """Mean over spread: below ``-z``, the quantile of normal score ``z`` is below 0.

        Infinite if the application is unlike any seen before.
        """
        return np.full(len(self.rows), np.inf) if self.abstains else self.mean / self.spread

    def admitted(self, threshold: float) -> NDArray[np.bool_]:
        """Whether each pair may share; never where the median log makespan is above 0."""
        return np.asarray(self.score < min(threshold, 0.0))


@dataclass(frozen=True, eq=False)
class Gate:
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
        Of the error of a probe.
    """

    fitted: Fitted
    known: Floats
    rule: Rule
    probe_variance: float = 0.0

    def judge(
        self, application: int, rows: Rows, probe: Probe | None = None, cost: float = 0.0
    ) -> Judged:
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
        if strange <= 1 and probe is not None:
            now, probed = self._probed(now, rows, probe, cost)
        return Judged(rows, now.mean, now.spread, strange, np.array(probed, dtype=np.intp))

    def _probed(
        self, now: Distribution, rows: Rows, probe: Probe, cost: float
    ) -> tuple[Distribution, list[int]]:
        """Probe while a further probe is worth more than it costs."""
        probed = list[int]()
        for _ in range(min(self.rule.probes, len(rows))):
            worth = probe_values(now, self.probe_variance, cost)
            worth[np.isin(rows, probed)] = -np.inf
            best = int(np.argmax(worth))
            if worth[best] <= 0:
                break
            now = now.after(best, probe(int(rows[best])), self.probe_variance)
            probed.append(int(rows[best]))
        return now, probed


def learn(pairs: Pairs, rows: Rows, rule: Rule, probe_errors: Floats | None = None) -> Gate:
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
        median size gives the variance of a probe: a few bad co-runs are off by much more, but far
        on the same side of the limit.
    """
    known = np.unique(np.concatenate([pairs.a[rows], pairs.b[rows]]))
    error = LEAST_PROBE_ERROR
    if probe_errors is not None and len(probe_errors):
        error = max(error, 1.4826 * float(np.median(np.abs(probe_errors))))
    return Gate(fit(pairs, rows), pairs.profiles[known], rule, error**2)
