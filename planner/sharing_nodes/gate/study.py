"""Decisions of a certified gate on own applications, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planner.command_row import command_row
from planner.formatting import percent, plural, spanned
from planner.sharing_nodes.gate.gate import JudgedPairs, LearnedGate
from planner.sharing_nodes.gate.inputs import GatePairs
from planner.sharing_nodes.gate.own_data import Basis, Digests
from planner.sharing_nodes.gate.probes import probe_values
from planner.sharing_nodes.gate.risk import Certified, CoRuns
from planner.sharing_nodes.tangram.metrics import Floats
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Column, Table

_FEW = 40
_LISTED_PROBES = 2
_LISTED_STEPS = 3
_NAMED = 5
_WIDE = 20.0
"""Largest over smallest time from which run times may be seconds per step of different codes."""
_BASES = {"job": "run times of jobs", "step": "seconds per step or iteration"}
_LARGEST_LOG = log(1e6)
"""A prediction of a million times as long, or as short, is none."""
PROBE_COST = 0.04
"""Time of a probe over that of a pair one after the other: 10 s of two jobs of 2 minutes."""
PROBE_ERROR = 0.02
"""Standard deviation of the log makespan that a probe shows, over that of the runs."""
PROBE_LEVEL = 0.9
"""Level of the quantile that must lie below the limit when probes are valued."""


@dataclass(frozen=True, eq=False, repr=False)
class GateStudy(TabledStudy):
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
    command: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        return "Which new applications may share cores?"

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
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """Digests of the tables, and the command."""
        digests = ((f"SHA-256 of {name}", digest) for name, digest in self.digests)
        return (*digests, command_row(self.command))

    @property
    def admitted(self) -> int:
        """Pairs of new and reference applications that may share."""
        return sum(int(one.admitted(self.certificate.threshold).sum()) for one in self.judged)

    @property
    def headline(self) -> str:
        """How many pairs may share, and with which guarantee."""
        alpha, pairs = percent(self.certificate.alpha), sum(len(one.rows) for one in self.judged)
        if not self.certificate.possible:
            return (
                f"No pair may share: {plural(len(self.calibration), 'calibration application')} "
                f"cannot certify a mean rate of {alpha} bad co-runs per application."
            )
        if not self.judged:
            return (
                "Nothing to decide: every application in the profiles has been measured in a pair."
            )
        if not self.admitted:
            return (
                f"None of {plural(pairs, 'pair')} may share: none is expected to be both safe and "
                "faster."
            )
        return (
            f"{self.admitted:,} of {plural(pairs, 'pair')} may share. Bad share of an "
            f"application's co-runs: at most {alpha} as a mean over new applications (certified). "
            f"Bad share of all co-runs: {self._among_co_runs()} (not certified)."
        )

    def _among_co_runs(self) -> str:
        """The rate among co-runs, as calibration applications had it."""
        counted, rate = self.co_runs, self.co_runs.rate
        if rate is None:
            return "unknown"
        return f"{percent(rate)}, {counted.bad:,} of {counted.number:,} in calibration"

    @property
    def confidence(self) -> str:
        """What the guarantee rests on."""
        return (
            f"Bad: more than {self.limit:.2f} times as long as one job after the other. The mean "
            f"is certified by {plural(len(self.calibration), 'calibration application')}, if new "
            "ones come from the same distribution. An application without a co-run counts as 0, so "
            "the share of all co-runs may be higher."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What limits the guarantee."""
        result, count = self.certificate, len(self.calibration)
        lines = []
        if not result.possible:
            needed = ceil(1 / result.alpha - 1e-9) - 1
            lines.append(
                f"{plural(count, 'calibration application')} cannot certify a rate below "
                f"{percent(result.least_alpha, places=1)}. Measure {needed}, or accept a higher "
                "rate."
            )
        elif count < _FEW:
            lines.append(
                f"The gate has only {plural(count, 'calibration application')}, so the rate at a "
                "single site may be far from the average."
            )
        if self.basis == "job" and self.time_ratio > _WIDE:
            lines.append(
                f"The largest time is {self.time_ratio:,.0f} times the smallest. If the times are "
                "seconds per step or iteration, give basis = 'step' (--basis step)."
            )
        once = [self._name(one) for one in self.calibration if len(one.rows) == 1]
        if once:
            lines.append(f"Measured with only one reference application: {', '.join(once[:5])}.")
        makespans = self.pairs.makespan[self.gate.fitted.rows]
        if (makespans < 1).all() or (makespans >= 1).all():
            which = "saves" if (makespans < 1).all() else "loses"
            lines.append(
                f"Every co-run that the gate learned from {which} time. Measure others, so that it "
                "can compare."
            )
        return tuple(lines)

    @property
    def explanation(self) -> Explanation:
        """From whom the gate abstains, which rate is possible, and what to test next."""
        unlike = [self._name(one) for one in self.judged if one.abstains]
        shared = [one.mean[one.admitted(self.certificate.threshold)] for one in self.judged]
        medians = np.exp(np.concatenate([*shared, np.empty(0)]))
        count = len(self.calibration)
        return Explanation(
            reasons=[*_expected(medians), *_abstained(unlike)],
            limits=(
                (
                    f"{plural(count, 'calibration application')} can certify a mean rate per "
                    "application of at least "
                    f"{percent(self.certificate.least_alpha, places=1)}."
                ),
            ),
            next_steps=[
                f"Run {probe['application']} with {probe['partner']} for a short test: the "
                f"expected saving is {percent(probe['value'])}."
                for probe in list(self._probes())[:_LISTED_STEPS]
            ],
        )

    @property
    def shown(self) -> tuple[Table, ...]:
        """Decisions, probes, the certificate, calibration."""
        return (
            Table("decisions", "Which new application may share with which reference application?",
                  _DECISIONS, list(self._decisions())),
            Table("probes", "Most valuable short test runs of each new application", _PROBES,
                  list(self._probes())),
            Table("certificate", "Bad co-runs: certified mean per application, and rate of all "
                  "co-runs (not certified)", _CERTIFICATE,
                  [self._certificate()]),
            Table("calibration", "Calibration applications, judged as if they were new",
                  _CALIBRATION, list(self._calibration())),
        )  # fmt: skip

    def _name(self, one: JudgedPairs) -> str:
        """The application of a judgement: the one that is not a reference."""
        a, b = int(self.pairs.a[one.rows[0]]), int(self.pairs.b[one.rows[0]])
        return self.pairs.applications[b if a in self.references.tolist() else a]

    def _partner(self, one: JudgedPairs, row: int) -> str:
        names = self.pairs.applications
        a, b = names[int(self.pairs.a[row])], names[int(self.pairs.b[row])]
        return b if a == self._name(one) else a

    def _decisions(self) -> Iterator[dict[str, Any]]:
        for one in self.judged:
            admitted = one.admitted(self.certificate.threshold)
            for index, row in enumerate(one.rows):
                other = "abstain" if one.abstains else "wait"
                yield {
                    "application": self._name(one),
                    "partner": self._partner(one, row),
                    "decision": "share" if admitted[index] else other,
                    "median": _median(float(one.mean[index])),
                    "spread": float(one.spread[index]),
                    "novelty": one.novelty if np.isfinite(one.novelty) else None,
                }

    def _probes(self) -> Iterator[dict[str, Any]]:
        score = NormalDist().inv_cdf(PROBE_LEVEL)
        for one in self.judged:
            now = self.gate.fitted.predict(one.rows)
            value = probe_values(now, PROBE_ERROR**2, PROBE_COST, score, self.gate.log_limit)
            for index in np.argsort(-value, kind="stable")[:_LISTED_PROBES]:
                if value[index] > 0:
                    yield {
                        "application": self._name(one),
                        "partner": self._partner(one, int(one.rows[index])),
                        "value": float(value[index]),
                    }

    def _certificate(self) -> dict[str, Any]:
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

    def _calibration(self) -> Iterator[dict[str, Any]]:
        for one in self.calibration:
            admitted = one.admitted(self.certificate.threshold)
            makespan = self.pairs.makespan[one.rows]
            yield {
                "application": self._name(one),
                "pairs": len(one.rows),
                "admitted": int(admitted.sum()),
                "bad": int((admitted & (makespan > self.limit)).sum()),
                "novelty": one.novelty if np.isfinite(one.novelty) else None,
            }


def _expected(medians: Floats) -> list[str]:
    """Return the range of predicted makespans of the admitted pairs."""
    if not len(medians):
        return []
    low, high = float(medians.min()), float(medians.max())
    times = f"{spanned(f'{low:.2f}', f'{high:.2f}')} times"
    return [f"The admitted pairs should take {times} as long as one job after the other (medians)."]


def _abstained(names: Sequence[str]) -> list[str]:
    """Return from how many applications the gate abstains, with the first names."""
    if not names:
        return []
    listed = ", ".join(names[:_NAMED]) + (", ..." if len(names) > _NAMED else "")
    count = plural(len(names), "application")
    return [f"The gate abstains from {count} unlike any measured: {listed}."]


def _median(mean: float) -> float | None:
    """The median makespan; ``None`` where counters are so strange that it has no meaning."""
    return float(np.exp(mean)) if abs(mean) < _LARGEST_LOG else None


def _level(threshold: float) -> float:
    """Quantile that has to lie below the limit at a threshold."""
    from scipy.special import ndtr

    return float(ndtr(-threshold))


def _two(value: float) -> str:
    return f"{value:.2f}"


_DECISIONS = (
    Column("application", "new application", width=1.6),
    Column("partner", "partner", width=1.4),
    Column("decision", "decision", width=1.2),
    Column("median", "predicted makespan", _two, number=True, width=1.4),
    Column("spread", "s.d. of its logarithm", _two, number=True, width=1.6),
    Column("novelty", "novelty", _two, number=True),
)
_PROBES = (
    Column("application", "new application", width=1.6),
    Column("partner", "partner", width=1.4),
    Column("value", "expected saving", percent, number=True, width=1.4),
)
_CERTIFICATE = (
    Column("alpha", "certified mean rate per application", percent, number=True, width=1.5),
    Column("least_alpha", "lowest possible", lambda value: percent(value, places=1), number=True),
    Column("possible", "possible", lambda value: "yes" if value else "no"),
    Column("loss", "mean loss in calibration", lambda value: percent(value, places=1), number=True,
           width=1.3),
    Column("rate_per_application", "mean rate per application, left out", percent, number=True,
           width=1.5),
    Column("rate_among_co_runs", "rate among all co-runs, left out", percent, number=True,
           width=1.5),
    Column("left_out_co_runs", "co-runs left out", number=True, shown=False),
    Column("left_out_bad", "bad co-runs left out", number=True, shown=False),
    Column("level", "certified quantile", lambda value: percent(value, places=1), number=True,
           width=1.3),
    Column("co_runs", "co-runs", number=True),
    Column("pairs", "pairs", number=True),
)  # fmt: skip
_CALIBRATION = (
    Column("application", "application", width=1.6),
    Column("pairs", "pairs", number=True),
    Column("admitted", "admitted", number=True),
    Column("bad", "above the limit", number=True, width=1.2),
    Column("novelty", "novelty", _two, number=True),
)
