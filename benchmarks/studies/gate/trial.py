"""The gate on the paper's six applications, each left out together with a rank count.

    python -m benchmarks.studies.gate.trial [SYSTEM [FIRST_SEED [SEEDS [LAW]]]]

prints the table of docs/evidence/gate.md for one system (``tangram-two-node``) and its campaigns
from a seed on (0, ten of them). Each gate decides on pairs of an application and a rank count that
it does not know.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.studies.gate.charges import charged, probe_share, shared_makespan
from benchmarks.studies.gate.probing import (
    GateRule,
    ProbedPairs,
    ProbingGate,
    learn_with_probes,
)
from benchmarks.studies.gate.simulated import Campaign, six_applications
from planner.sharing_nodes.tangram.gates import GATES, Lesson
from planner.sharing_nodes.tangram.metrics import Floats
from planner.sharing_nodes.tangram.splits import Fold, leave_application_and_rank_out
from scenarios.simulated.oversubscription import LAWS

LIMIT = 1.10
OTHERS = ("Tangram", "all co-located", "oracle")


@dataclass(frozen=True)
class Kind:
    """A gate of ours: what it may do before and after it admits a pair."""

    name: str
    probes: bool
    watch: bool


KINDS = (
    Kind("with probes and separation", probes=True, watch=True),
    Kind("with probes", probes=True, watch=False),
    Kind("profiles only", probes=False, watch=False),
)


@dataclass(frozen=True)
class GateDecision:
    """A gate's decision on one pair.

    Attributes
    ----------
    gate, seed, left_out, partner, ranks
        Which gate, which pair, and which application the gate did not know.
    decision
        ``share``, ``separated`` (shared until the end of the watch), ``wait`` or ``abstain``.
    charged
        Makespan with waiting, separation, watch and probes.
    probed
        Whether the pair was probed.
    """

    gate: str
    seed: int
    left_out: str
    partner: str
    ranks: int
    decision: str
    charged: float
    probed: bool = False


@dataclass(frozen=True, eq=False)
class RiskCurve:
    """Risk over coverage of a gate.

    Attributes
    ----------
    scores
        Scores of all pairs; lower ones are admitted first.
    shared, waiting
        Makespan of each pair if it is admitted, and if not, with all charges.
    best
        Makespan by the oracle.
    """

    scores: Floats
    shared: Floats
    waiting: Floats
    best: Floats

    def at(self, threshold: float) -> tuple[float, float, float]:
        """Share of pairs below a threshold, their share of the saving, and the worst makespan."""
        admitted = self.scores < threshold
        makespan = np.where(admitted, self.shared, self.waiting)
        gain = float(np.log(makespan).sum() / np.log(self.best).sum())
        return float(admitted.mean()), gain, float(makespan.max())

    def largest_safe_gain(self, limit: float) -> float:
        """The largest gain, in hindsight, with a worst makespan of at most the limit.

        A gate that probes and admits nothing saves nothing.
        """
        finite = np.unique(self.scores[np.isfinite(self.scores)])
        points = [self.at(float(threshold)) for threshold in [*finite, np.inf]]
        return max(0.0, *(gain for _, gain, worst in points if worst <= limit))


@dataclass(frozen=True, eq=False)
class Trial:
    """Decisions of all gates, seeds and pairs, and the risk curves of our gates by name."""

    decisions: Sequence[GateDecision]
    curves: dict[str, RiskCurve]

    def of(self, gate: str) -> list[GateDecision]:
        """Decisions of one gate."""
        return [decision for decision in self.decisions if decision.gate == gate]

    def row(self, gate: str) -> dict[str, float]:
        """Shares and sums over the decisions of one gate."""
        rows, oracle = self.of(gate), self.of("oracle")
        shared = [one for one in rows if one.decision in {"share", "separated"}]
        folds = len({(one.seed, one.left_out, one.ranks) for one in rows})
        logs, best = (sum(np.log(one.charged) for one in each) for each in (rows, oracle))
        return {
            "tested": len(rows),
            "coverage": len(shared) / len(rows),
            "gain": float(logs / best),
            "worst": max(one.charged for one in rows),
            "bad": sum(one.charged > LIMIT for one in shared),
            "abstained": sum(one.decision == "abstain" for one in rows) / len(rows),
            "separated": sum(one.decision == "separated" for one in rows),
            "probes": sum(one.probed for one in rows) / folds,
        }


def trial(
    system: str = "tangram-two-node",
    first_seed: int = 0,
    seeds: int = 10,
    *,
    level: float = 0.9,
    law: str = LAWS[0],
) -> Trial:
    """Decide on applications and rank counts that the gates do not know.

    Parameters
    ----------
    system
        ``"tangram-two-node"`` or ``"tangram-eight-node"``.
    first_seed, seeds
        Campaigns that are measured.
    level
        Level of the upper quantile of the makespan that must lie below the limit.
    law
        Law of shared cores.
    """
    rules = {True: GateRule(LIMIT, 2, level), False: GateRule(LIMIT, 0, level)}
    decisions, scores = list[GateDecision](), list[tuple[str, Floats, Floats, Floats]]()
    for seed in range(first_seed, first_seed + seeds):
        data = six_applications(system, seed, law=law)
        for fold in leave_application_and_rank_out(data.runs, seed):
            decisions += _others(data, fold, seed)
            gate = _gate(data, fold, rules[True])
            judged = {probes: _judged(data, fold, replace(gate, rule=rules[probes]))
                      for probes in rules}  # fmt: skip
            for kind in KINDS:
                pairs, rule = judged[kind.probes], rules[kind.probes]
                decisions += _decisions(data, fold, pairs, kind, rule, seed)
                scores.append((kind.name, *_curve_part(data, pairs, kind)))
    return Trial(decisions, {kind.name: _curve(kind.name, scores) for kind in KINDS})


def _gate(data: Campaign, fold: Fold, rule: GateRule) -> ProbingGate:
    probes = np.array([data.probe(int(row)) for row in fold.train])
    errors = probes - np.log(data.pairs.makespan[fold.train])
    return learn_with_probes(data.pairs, fold.train, rule, errors)


def _judged(data: Campaign, fold: Fold, gate: ProbingGate) -> ProbedPairs:
    cost = data.watch_s / float(data.serial_s[fold.train].mean())
    left_out = data.pairs.applications.index(fold.left_out)
    return gate.judge(left_out, fold.test, data.probe, cost)


def _decisions(
    data: Campaign, fold: Fold, pairs: ProbedPairs, kind: Kind, rule: GateRule, seed: int
) -> Iterator[GateDecision]:
    taken = charged(data, pairs, -rule.score, watch=kind.watch)
    for index, row in enumerate(pairs.rows):
        probed = bool(np.isin(row, pairs.probed))
        decision = "wait"
        if taken.admitted[index]:
            decision = "separated" if taken.separated[index] else "share"
        elif pairs.judged.abstains and not probed:
            decision = "abstain"
        yield GateDecision(
            kind.name, seed, fold.left_out, _partner(data, fold, row), int(data.pairs.ranks[row]),
            decision, float(taken.makespan[index]), probed,
        )  # fmt: skip


def _others(data: Campaign, fold: Fold, seed: int) -> Iterator[GateDecision]:
    """Gates without a distribution: Tangram, all pairs and the oracle."""
    lesson = Lesson(data.runs, fold.train, fold.test, grouped=True, seed=seed)
    for name in OTHERS:
        for row, admitted in zip(fold.test, GATES[name](lesson), strict=True):
            yield GateDecision(
                name, seed, fold.left_out, _partner(data, fold, row), int(data.pairs.ranks[row]),
                "share" if admitted else "wait",
                float(data.pairs.makespan[row]) if admitted else 1.0,
            )  # fmt: skip


def _partner(data: Campaign, fold: Fold, row: int) -> str:
    names = data.pairs.applications
    a, b = names[int(data.pairs.a[row])], names[int(data.pairs.b[row])]
    return b if a == fold.left_out else a


def _curve_part(data: Campaign, pairs: ProbedPairs, kind: Kind) -> tuple[Floats, Floats, Floats]:
    """Score, makespan if admitted and if not, and that of the oracle."""
    together = shared_makespan(data, pairs, watch=kind.watch)
    waiting = 1.0 + probe_share(data, pairs)
    best = np.minimum(data.pairs.makespan[pairs.rows], 1.0)
    return pairs.score, np.column_stack([together, waiting]), best


def _curve(name: str, parts: Sequence[tuple[str, Floats, Floats, Floats]]) -> RiskCurve:
    scores, makespans, best = (
        np.concatenate([part[index] for part in parts if part[0] == name]) for index in (1, 2, 3)
    )
    return RiskCurve(scores, makespans[:, 0], makespans[:, 1], best)


def table(result: Trial) -> Iterator[str]:
    """Yield the lines of a table of docs/evidence/gate.md."""
    yield (
        "| gate | pairs admitted | share of oracle's saving | worst pair | above 1.10 | abstained "
        "| probes per application |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|"
    for gate in (*(kind.name for kind in KINDS), *OTHERS):
        row = result.row(gate)
        gain = f"{100 * row['gain']:.0f}".replace("-", "\N{MINUS SIGN}")
        yield (
            f"| {gate} | {100 * row['coverage']:.0f} % | {gain} % | {row['worst']:.2f} | "
            f"{row['bad']:,} of {row['tested']:,} | {100 * row['abstained']:.0f} % | "
            f"{row['probes']:.1f} |"
        )


def main() -> None:
    """Print the table, the largest safe saving in hindsight, and the co-runs above the limit."""
    system, *numbers = sys.argv[1:4] or ["tangram-two-node"]
    law = sys.argv[4] if len(sys.argv) > 4 else LAWS[0]
    result = trial(system, *map(int, numbers), law=law)
    print("\n".join(table(result)))
    for gate, curve in result.curves.items():
        print(f"largest saving without a bad pair, {gate}: {curve.largest_safe_gain(LIMIT):.1%}")
    for one in result.of(KINDS[0].name):
        if one.charged > LIMIT:
            print(f"seed {one.seed}: {one.left_out} with {one.partner}, {one.charged:.2f}")


if __name__ == "__main__":
    main()
