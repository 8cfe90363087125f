"""Decisions of the gate on applications that it does not know, ready to be shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import NormalDist
from typing import Any

import numpy as np

from planner.colocation.gate.gate import GateRule
from planner.colocation.gate.risk import least_alpha
from planner.colocation.gate.trial_tables import tables_of
from planner.colocation.tangram.metrics import Floats
from planner.command_row import command_row
from planner.formatting import percent, plural
from planner.study import Explanation, TabledStudy
from planner.table import Table

OURS = "with probes and separation"
PROBES = "with probes"
LEVELS = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
ALPHAS = (0.05, 0.10, 0.20)
_OTHERS = ("Tangram", "all co-located")
_NAMES = {
    "Tangram": "Tangram (the published gate, without a limit)",
    "all co-located": "Every pair shares",
}
_RATE = 0.10
TARGET = 0.5
"""Share of the oracle's saving that a safe gate should keep."""


@dataclass(frozen=True)
class GateDecision:
    """A gate's decision on one pair.

    Attributes
    ----------
    gate
        Its name.
    seed, left_out, partner, ranks
        Which pair, and which application the gate did not know.
    decision
        ``share``, ``separated`` (shared until the end of the watch), ``wait`` or ``abstain``.
    measured
        Makespan of the co-run.
    charged
        Makespan with waiting, separation, watch and probes.
    probed
        Whether the pair was probed.
    median, upper
        Median and upper quantile of the predicted makespan; ``None`` for gates that predict none.
    novelty
        Distance to the known applications; above 1 the gate abstains.
    """

    gate: str
    seed: int
    left_out: str
    partner: str
    ranks: int
    decision: str
    measured: float
    charged: float
    probed: bool = False
    median: float | None = None
    upper: float | None = None
    novelty: float | None = None


@dataclass(frozen=True, eq=False)
class RiskPoint:
    """What a gate does at one threshold: shares of pairs and of the oracle's saving."""

    coverage: float
    gain: float
    worst: float
    bad: float


@dataclass(frozen=True, eq=False)
class RiskCurve:
    """Risk over coverage of a gate.

    Attributes
    ----------
    gate
        Its name.
    scores
        Scores of all pairs; lower ones are admitted first.
    shared, waiting
        Makespan of each pair if it is admitted, and if not, with all charges.
    best
        Makespan by the oracle.
    """

    gate: str
    scores: Floats
    shared: Floats
    waiting: Floats
    best: Floats

    def at(self, threshold: float, limit: float) -> RiskPoint:
        """Coverage and risk where scores below the threshold are admitted."""
        admitted = self.scores < threshold
        makespan = np.where(admitted, self.shared, self.waiting)
        best = float(np.log(self.best).sum())
        gain = float(np.log(makespan).sum()) / best if best < 0 else 0.0
        bad = float((self.shared[admitted] > limit).mean()) if admitted.any() else 0.0
        return RiskPoint(float(admitted.mean()), gain, float(makespan.max()), bad)

    def points(self, limit: float) -> tuple[RiskPoint, ...]:
        """One for each number of admitted pairs, from none."""
        finite = np.unique(self.scores[np.isfinite(self.scores)])
        return tuple(self.at(float(threshold), limit) for threshold in [*finite, np.inf])

    def largest_safe_gain(self, limit: float) -> float:
        """The largest gain, in hindsight, with a worst makespan of at most the limit."""
        return max((one.gain for one in self.points(limit) if one.worst <= limit), default=0.0)


@dataclass(frozen=True, eq=False, repr=False)
class GateTrial(TabledStudy):
    """The gate where an application and a rank count are unknown.

    Attributes
    ----------
    system
        Its name, as people read it.
    count, seeds
        Number of applications, and of campaigns.
    rule
        How the gate decides.
    watch_s
        Length of a probe and of a watch [s].
    applications
        Names.
    decisions
        Decisions of all gates, seeds and pairs.
    curves
        Risk curves of our gates.
    first_seed
        Seed of the first campaign.
    command
        Words of the command; empty from Python.
    """

    system: str
    count: int
    seeds: int
    rule: GateRule
    watch_s: float
    applications: tuple[str, ...]
    decisions: Sequence[GateDecision]
    curves: Sequence[RiskCurve]
    first_seed: int = 0
    command: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        return f"Which jobs may share cores? A gate that limits the worst co-run ({self.system})"

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        return {
            "system": self.system,
            "applications": ", ".join(self.applications),
            "limit": self.rule.limit,
            "level": self.rule.level,
            "most_probes": self.rule.probes,
            "watch_s": self.watch_s,
            "seeds": self.seeds,
            "first_seed": self.first_seed,
        }

    @property
    def provenance(self) -> tuple[tuple[str, str], ...]:
        """The command."""
        return (command_row(self.command),)

    def curve(self, gate: str = OURS) -> RiskCurve:
        """Risk over coverage of a gate of ours."""
        return next(one for one in self.curves if one.gate == gate)

    @property
    def point(self) -> RiskPoint:
        """Our gate at its level."""
        return self.curve().at(-self.rule.score, self.rule.limit)

    @property
    def headline(self) -> str:
        """Worst makespan and gain of the gate at its level."""
        result, limit = self.point, self.rule.limit
        if not result.coverage:
            return "The gate admits no pair, so it saves no time."
        holds = "within" if result.worst <= limit else "above"
        makespan = next(row for row in self._gates() if row["gate"] == OURS)["makespan"]
        if makespan >= 1:
            saved = f"The gate costs {percent(makespan - 1)} of the time"
        else:
            share = percent(max(0.0, result.gain))
            saved = (
                f"The gate saves {percent(1 - makespan)} of the time, {share} of what an oracle "
                "saves"
            )
        return (
            f"{saved}; the worst pair, with all costs of the gate, takes {result.worst:.2f} times "
            f"as long, {holds} the limit of {limit:.2f}."
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        return (
            f"Simulated, {plural(self.seeds, 'seed')}: each application is tested as unknown, at "
            "an unknown rank count. Times include all costs of the gate. No real node was "
            "measured. The oracle knows every co-run in advance."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What limits the figures."""
        least = least_alpha(self.count - 1, memberships=2)
        few = (
            "The limit on makespan rests on a prediction, not a guarantee. With "
            f"{plural(self.count - 1, 'known application')} (one of {self.count} is always "
            "unknown), measured with each other, no rate of excess below "
            f"{percent(least)} can be guaranteed."
        )
        model = (
            "The simulated system may be wrong: one number was fitted to a paper, and its "
            "applications are assumed. The report of the same command without --limit lists the "
            "parameters, and compares results with the paper."
        )
        lines = [few, model]
        if not self.point.coverage:
            lines.append(
                "Lower the quantile (the probability with which the limit must hold), or allow "
                "more probes, to admit pairs."
            )
        gate, gain = self.safest
        bad = sum(decision.charged > self.rule.limit for decision in self.of(OURS))
        if bad:
            lines.append(
                f"{bad:,} of {plural(len(self.of(OURS)), 'pair')} "
                f"{'exceeds' if bad == 1 else 'exceed'} the limit. In hindsight, the largest "
                f"saving without such a pair, by any threshold, is {percent(gain)} of the "
                f"oracle's ({gate})."
            )
        elif self.point.gain < TARGET:
            lines.append(
                f"The saving is below {percent(TARGET)} of the oracle's. In hindsight, the largest "
                f"within the limit, by any threshold, is {percent(gain)} ({gate})."
            )
        return tuple(lines)

    @property
    def explanation(self) -> Explanation:
        """What the gate admits, other gates, and how often the limit holds."""
        ours = next(row for row in self._gates() if row["gate"] == OURS)
        others = [row for row in self._gates() if row["gate"] in _OTHERS]
        kept = self._seeds_within_limit()
        return Explanation(
            reasons=(
                (
                    "A gate decides before the start whether two jobs share cores. This one "
                    "predicts the makespan: the time until both end, relative to one after the "
                    "other."
                ),
                (
                    f"It admits a pair that should save time, and keeps within "
                    f"{self.rule.limit:.2f} with a probability of {percent(self.rule.level)}."
                ),
                (
                    f"It admits {percent(ours['coverage'])} of the pairs; the oracle admits "
                    f"{percent(self._coverage('oracle'))}."
                ),
                (
                    f"It makes {ours['probes']:.1f} short test runs (probes) per unknown "
                    f"application. {_abstains(ours['abstained'])}"
                ),
                (
                    "It watches each co-run at its start, and ends it if the measured speeds show "
                    "a loss (separation)."
                ),
            ),
            alternatives=[
                f"{_NAMES[row['gate']]}: {_saved(row['makespan'])}; {row['bad']:,} of "
                f"{plural(row['tested'], 'pair')} above the limit; the worst takes "
                f"{row['worst']:.2f} times as long."
                for row in others
            ],
            robustness=(
                ("One seed shows no spread; run more seeds.",)
                if self.seeds == 1
                else (f"No pair exceeds the limit in {kept} of {self.seeds} seeds.",)
            ),
            assumptions=("Real applications are as different as the tested ones.",),
            next_steps=(
                *self._without_separation(),
                (
                    f"Measure {ceil(1 / _RATE - 1e-9) - 1} applications with fixed partners, to "
                    f"certify that on average over applications at most {percent(_RATE)} of their "
                    "co-runs exceed the limit."
                ),
            ),
        )

    def _without_separation(self) -> Iterator[str]:
        """Yield what watching co-runs cost, where it did not pay; its benefit, only if seen."""
        rows = {row["gate"]: row for row in self._gates()}
        ours, probes = rows[OURS], rows.get(PROBES, rows[OURS])
        if probes["makespan"] >= ours["makespan"] or probes["worst"] > ours["worst"]:
            return
        saved = [percent(1 - row["makespan"], places=1) for row in (ours, probes)]
        cost = (
            f"With the watch, the gate saves {saved[0]} of the time instead of {saved[1]}"
            if ours["makespan"] < 1 and saved[0] != saved[1]
            else "The watch takes time"
        )
        if not ours["separated"]:
            where = "this seed" if self.seeds == 1 else f"{self.seeds} seeds"
            yield (
                f"No co-run was ended in {where}, so the benefit of watching is untested. {cost}. "
                "Run more seeds before you drop it."
            )
        else:
            yield (
                f"Watching ended {plural(ours['separated'], 'co-run')} and did not pay here. "
                f"{cost}; the worst pair takes no less time. Test this on your nodes before you "
                "drop it."
            )

    def _coverage(self, gate: str) -> float:
        return next(float(row["coverage"]) for row in self._gates() if row["gate"] == gate)

    def _seeds_within_limit(self) -> int:
        """Seeds in which our gate lets no pair exceed the limit."""
        worst: dict[int, float] = {}
        for decision in self.of(OURS):
            worst[decision.seed] = max(worst.get(decision.seed, 0.0), decision.charged)
        return sum(makespan <= self.rule.limit for makespan in worst.values())

    @property
    def best_level(self) -> tuple[float, RiskPoint] | None:
        """The shown level at which our gate saves most with no pair above the limit, if any."""
        curve, limit = self.curve(), self.rule.limit
        points = [(level, curve.at(_threshold(level), limit)) for level in self._levels]
        safe = [one for one in points if one[1].worst <= limit and one[1].gain > 0]
        return max(safe, key=lambda one: (one[1].gain, one[0]), default=None)

    def within_quantile(self, *, shared: bool = False) -> tuple[int, int]:
        """Pairs whose makespan is at most its predicted upper quantile, and all pairs.

        Parameters
        ----------
        shared
            Count only pairs that the gate admits.
        """
        rows = [
            one
            for one in self.of(OURS)
            if one.upper is not None and (not shared or one.decision in {"share", "separated"})
        ]
        return sum(one.measured <= (one.upper or 0.0) for one in rows), len(rows)

    @property
    def furthest_above(self) -> GateDecision | None:
        """The pair that is furthest above its predicted upper quantile; none if all are within."""
        above = [one for one in self.of(OURS) if one.upper and one.measured > one.upper]
        return max(above, key=lambda one: one.measured / (one.upper or 1.0), default=None)

    @property
    def safest(self) -> tuple[str, float]:
        """The gate of ours with the largest gain within the limit, in hindsight, and this gain."""
        gains = {one.gate: one.largest_safe_gain(self.rule.limit) for one in self.curves}
        best = max(gains, key=lambda gate: gains[gate])
        return best, max(0.0, gains[best])

    @property
    def shown(self) -> tuple[Table, ...]:
        """Gates, risk over coverage, applications, certificates, decisions."""
        return tables_of(
            self.seeds,
            self.rule.level,
            list(self._gates()),
            list(self._risk()),
            list(self._safe()),
            list(self._left_out()),
            list(self._certificates()),
            [
                decision
                for decision in self.decisions
                if decision.gate == OURS and decision.seed == self.first_seed
            ],
        )

    def of(self, gate: str) -> list[GateDecision]:
        """Decisions of one gate."""
        return [decision for decision in self.decisions if decision.gate == gate]

    def _gates(self) -> Iterator[dict[str, Any]]:
        best = sum(np.log(decision.charged) for decision in self.of("oracle"))
        names = {OURS: None} | dict.fromkeys(decision.gate for decision in self.decisions)
        for gate in names:
            rows = self.of(gate)
            yield {"gate": gate, **_sums(rows, best, self.rule.limit)}

    def _left_out(self) -> Iterator[dict[str, Any]]:
        for name in self.applications:
            rows = [decision for decision in self.of(OURS) if decision.left_out == name]
            oracle = [decision for decision in self.of("oracle") if decision.left_out == name]
            best = sum(np.log(decision.charged) for decision in oracle)
            yield {"left_out": name, **_sums(rows, best, self.rule.limit)}

    def _risk(self) -> Iterator[dict[str, Any]]:
        for curve in self.curves:
            for level in self._levels:
                point = curve.at(_threshold(level), self.rule.limit)
                admitted = round(point.coverage * len(curve.scores))
                yield {"gate": curve.gate, "level": level, "admitted": admitted, **vars(point)}

    @property
    def _levels(self) -> list[float]:
        return sorted({*LEVELS, self.rule.level})

    def _safe(self) -> Iterator[dict[str, Any]]:
        for curve in self.curves:
            gain = curve.largest_safe_gain(self.rule.limit)
            yield {"gate": curve.gate, "gain": gain, "limit": self.rule.limit}

    def _certificates(self) -> Iterator[dict[str, Any]]:
        for alpha in ALPHAS:
            yield {
                "alpha": alpha,
                "least": least_alpha(self.count - 1),
                "possible": alpha >= least_alpha(self.count - 1),
                "needed": ceil(1 / alpha - 1e-9) - 1,
                "needed_among": ceil(2 / alpha - 1e-9) - 1,
            }


def _saved(makespan: float) -> str:
    """What a gate saves or costs."""
    if makespan >= 1:
        return f"costs {percent(makespan - 1)} of the time"
    return f"saves {percent(1 - makespan)} of the time"


def _abstains(share: float) -> str:
    """From how many pairs the gate abstains, and why."""
    if not share:
        return "It abstains from no pair."
    return (
        f"It abstains from {percent(share)} of the pairs: their application is unlike all known "
        "ones, so they wait."
    )


def _threshold(level: float) -> float:
    """Score below which a pair is admitted at a level."""
    return -NormalDist().inv_cdf(level)


def _sums(rows: Sequence[GateDecision], best: float, limit: float) -> dict[str, Any]:
    """Shares and sums over decisions."""
    shared = [row for row in rows if row.decision in {"share", "separated"}]
    logs = [float(np.log(row.charged)) for row in rows]
    folds = len({(row.seed, row.left_out, row.ranks) for row in rows})
    return {
        "tested": len(rows),
        "coverage": len(shared) / len(rows),
        "abstained": sum(row.decision == "abstain" for row in rows) / len(rows),
        "separated": sum(row.decision == "separated" for row in rows),
        "probes": sum(row.probed for row in rows) / folds,
        "makespan": float(np.exp(np.mean(logs))),
        "worst": max(row.charged for row in rows),
        "bad": sum(one.charged > limit for one in shared),
        "gain": sum(logs) / best if best < 0 else 0.0,
    }
