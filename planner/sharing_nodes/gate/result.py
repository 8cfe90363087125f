"""Decisions of a certified gate on own applications, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import log
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.sharing_nodes.gate.gate import JudgedPairs, LearnedGate
from planner.sharing_nodes.gate.inputs import GatePairs
from planner.sharing_nodes.gate.own_data import Basis, Digests
from planner.sharing_nodes.gate.probes import probe_values
from planner.sharing_nodes.gate.risk import Certified, CoRuns
from planner.sharing_nodes.gate.tested import GateTests, by_gate
from planner.sharing_nodes.tangram.metrics import Floats

_BASES = {"job": "run times of jobs", "step": "seconds per step or iteration"}
_LISTED_PROBES = 2
_LARGEST_LOG = log(1e6)
"""A prediction of a million times as long, or as short, is none."""
PROBE_COST = 0.04
"""Time of a probe over that of a pair one after the other: 10 s of two jobs of 2 minutes."""
PROBE_ERROR = 0.02
"""Standard deviation of the log makespan that a probe shows, over that of the runs."""
PROBE_LEVEL = 0.9
"""Level of the quantile that must lie below the limit when probes are valued."""


@dataclass(frozen=True, eq=False, repr=False)
class GateResult:
    """Which new applications may share cores with reference applications.

    Attributes
    ----------
    pairs
        Measured pairs, and those of new applications.
    gate
        What it learned.
    references
        Numbers of the reference applications.
    calibration
        Judgements of the calibration applications, as if they were new.
    certificate
        The threshold with its guarantee.
    co_runs
        Co-runs of each calibration application at the threshold that the others certify: an
        estimate for new applications, without a guarantee.
    judged
        Judgements of the new applications.
    limit
        A co-run whose makespan exceeds it is bad.
    basis
        What the measured times are.
    time_ratio
        Largest measured time over the smallest.
    digests
        Names of the files that were read, and their SHA-256.
    tested
        Gates on each measured application without its co-runs, if they are tested.
    command
        Words of the command; empty from Python.
    """

    pairs: GatePairs
    gate: LearnedGate
    references: NDArray[np.int64]
    calibration: Sequence[JudgedPairs]
    certificate: Certified
    co_runs: CoRuns
    judged: Sequence[JudgedPairs]
    limit: float
    basis: Basis = "job"
    time_ratio: float = 1.0
    digests: Digests = ()
    tested: GateTests = field(default_factory=dict)
    command: tuple[str, ...] = ()

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was decided, by name."""
        return {
            "alpha": self.certificate.alpha,
            "limit": self.limit,
            "basis": _BASES[self.basis],
            "references": ", ".join(
                self.pairs.applications[reference] for reference in self.references
            ),
            "calibration_applications": len(self.calibration),
            "new_applications": len(self.judged),
        }

    @property
    def admitted(self) -> int:
        """Pairs of new and reference applications that may share."""
        return sum(int(one.admitted(self.certificate.threshold).sum()) for one in self.judged)

    @property
    def medians(self) -> Floats:
        """Predicted makespans of the admitted pairs, medians."""
        shared = [one.mean[one.admitted(self.certificate.threshold)] for one in self.judged]
        result: Floats = np.exp(np.concatenate([*shared, np.empty(0)]))
        return result

    def name_of(self, one: JudgedPairs) -> str:
        """The application of a judgement: the one that is not a reference."""
        a, b = int(self.pairs.a[one.rows[0]]), int(self.pairs.b[one.rows[0]])
        return self.pairs.applications[b if a in self.references.tolist() else a]

    def partner_of(self, one: JudgedPairs, row: int) -> str:
        """The reference application of a pair."""
        names = self.pairs.applications
        a, b = names[int(self.pairs.a[row])], names[int(self.pairs.b[row])]
        return b if a == self.name_of(one) else a

    def decisions(self) -> Iterator[dict[str, Any]]:
        """Each new application with each reference application."""
        for one in self.judged:
            admitted = one.admitted(self.certificate.threshold)
            for index, row in enumerate(one.rows):
                other = "abstain" if one.abstains else "wait"
                yield {
                    "application": self.name_of(one),
                    "partner": self.partner_of(one, row),
                    "decision": "share" if admitted[index] else other,
                    "median": _median(float(one.mean[index])),
                    "spread": float(one.spread[index]),
                    "novelty": one.novelty if np.isfinite(one.novelty) else None,
                }

    def probes(self) -> Iterator[dict[str, Any]]:
        """The most valuable short test runs of each new application that may share at all."""
        score = NormalDist().inv_cdf(PROBE_LEVEL)
        for one in self.judged if self.certificate.possible else ():
            if one.abstains:
                continue
            now = self.gate.fitted.predict(one.rows)
            value = probe_values(now, PROBE_ERROR**2, PROBE_COST, score, self.gate.log_limit)
            for index in np.argsort(-value, kind="stable")[:_LISTED_PROBES]:
                if value[index] > 0:
                    yield {
                        "application": self.name_of(one),
                        "partner": self.partner_of(one, int(one.rows[index])),
                        "value": float(value[index]),
                    }

    def certificate_row(self) -> dict[str, Any]:
        """The certificate, and the rate of all co-runs."""
        result = self.certificate
        shared = [one.admitted(result.threshold) for one in self.calibration]
        left_out = self.co_runs
        return {
            "alpha": result.alpha,
            "least_alpha": result.least_alpha,
            "possible": result.possible,
            "loss": result.loss,
            "level": _level(result.threshold) if self.certificate.possible else None,
            "rate_per_application": left_out.mean_share,
            "rate_among_co_runs": left_out.rate,
            "left_out_co_runs": left_out.number,
            "left_out_bad": left_out.bad,
            "co_runs": int(sum(one.sum() for one in shared)),
            "pairs": int(sum(len(one) for one in shared)),
        }

    def tested_rows(self) -> list[dict[str, Any]]:
        """Each tested gate over all measured applications."""
        return [*by_gate(self.tested)]

    def calibration_rows(self) -> Iterator[dict[str, Any]]:
        """Calibration applications, judged as if they were new."""
        for one in self.calibration:
            admitted = one.admitted(self.certificate.threshold)
            makespan = self.pairs.makespan[one.rows]
            yield {
                "application": self.name_of(one),
                "pairs": len(one.rows),
                "admitted": int(admitted.sum()),
                "bad": int((admitted & (makespan > self.limit)).sum()),
                "novelty": one.novelty if np.isfinite(one.novelty) else None,
            }


def _median(mean: float) -> float | None:
    """The median makespan; ``None`` where counters are so strange that it has no meaning."""
    return float(np.exp(mean)) if abs(mean) < _LARGEST_LOG else None


def _level(threshold: float) -> float:
    """Quantile that has to lie below the limit at a threshold."""
    from scipy.special import ndtr

    return float(ndtr(-threshold))
