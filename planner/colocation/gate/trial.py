"""The gate on the paper's six applications, each left out together with a rank count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from planner.colocation.gate.charges import charged, probe_share, shared_makespan
from planner.colocation.gate.gate import GateRule, JudgedPairs, LearnedGate, learn
from planner.colocation.gate.simulated import Campaign, six_applications
from planner.colocation.gate.trial_study import GateDecision, GateTrial, RiskCurve
from planner.colocation.tangram.evaluate import chosen_system
from planner.colocation.tangram.gates import GATES, Lesson
from planner.colocation.tangram.metrics import Floats
from planner.colocation.tangram.splits import Fold, leave_application_and_rank_out
from planner.errors import InputError
from planner.plain_numbers import seeded

DEFAULT_SEEDS = 3
DEFAULT_LEVEL = 0.9
DEFAULT_PROBES = 2
LEAST_WATCH_S, MOST_WATCH_S = 1.0, 60.0
OTHERS = {"Tangram": "Tangram", "all co-located": "all co-located", "oracle": "oracle"}


@dataclass(frozen=True)
class Kind:
    """A gate of ours: what it may do before and after it admits a pair."""

    name: str
    probes: bool
    watch: bool


KINDS = (
    Kind("profiles only", probes=False, watch=False),
    Kind("with probes", probes=True, watch=False),
    Kind("with probes and separation", probes=True, watch=True),
)


@seeded
def gate_trial(
    system: str = "tangram-two-node",
    *,
    seeds: int = DEFAULT_SEEDS,
    limit: float = 1.10,
    level: float = DEFAULT_LEVEL,
    probes: int = DEFAULT_PROBES,
    watch_s: float = 10.0,
    first_seed: int = 0,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> GateTrial:
    """Decide on applications and rank counts that the gate does not know, and score it.

    Parameters
    ----------
    system
        ``"tangram-two-node"`` or ``"tangram-eight-node"``.
    seeds
        Campaigns that are measured, from ``first_seed`` on.
    limit
        A co-run is bad if its makespan, over one job after the other, exceeds it.
    level
        Level of the upper quantile of the makespan that must lie below the limit, from 0.5 to below
        1.
    probes
        Most probing runs of a new application.
    watch_s
        Length of a probing run, and of the watch after which jobs are separated [s].
    first_seed
        Seed of the first campaign; other campaigns show how much the figures vary.
    progress
        Called with the number of finished seeds, and of all.

    Raises
    ------
    InputError
        There is no such system, or a number is out of its range.
    """
    _check(seeds, first_seed, limit, level, probes, watch_s)
    chosen = chosen_system(system)
    rules = {True: GateRule(limit, probes, level), False: GateRule(limit, 0, level)}
    decisions, scores = list[GateDecision](), list[tuple[str, Floats, Floats, Floats]]()
    for done, seed in enumerate(range(first_seed, first_seed + seeds), 1):
        data = six_applications(chosen.name, seed, watch_s)
        for fold in leave_application_and_rank_out(data.runs, seed):
            decisions += _others(data, fold, seed)
            gate = _gate(data, fold, rules[True])
            for with_probes, rule in rules.items():
                judged = _judged(data, fold, replace(gate, rule=rule))
                kinds = [kind for kind in KINDS if kind.probes == with_probes]
                for kind in kinds:
                    decisions += _decisions(data, fold, judged, kind, rule, seed)
                    scores.append((kind.name, *_curve_part(data, judged, kind)))
        progress(done, seeds)
    best = np.concatenate([part[3] for part in scores if part[0] == KINDS[0].name])
    curves = tuple(_curve(kind.name, scores, best) for kind in KINDS)
    return GateTrial(
        chosen.label, len(data.pairs.applications), seeds, rules[True], watch_s,
        data.pairs.applications, tuple(decisions), curves, first_seed,
    )  # fmt: skip


def _check(
    seeds: int, first_seed: int, limit: float, level: float, probes: int, watch_s: float
) -> None:
    if seeds < 1:
        raise InputError(f"seeds = {seeds}; give at least 1")
    if first_seed < 0:
        raise InputError(f"first_seed = {first_seed}; give 0 or more")
    if not 1 <= limit < float("inf"):
        raise InputError(f"limit = {limit:g}; give 1 (no time lost) or more, such as 1.1")
    if not 0.5 <= level < 1:
        raise InputError(f"level = {level:g}; give an upper quantile from 0.5 to below 1")
    if probes < 0:
        raise InputError(f"probes = {probes}; give 0 or more")
    if not LEAST_WATCH_S <= watch_s <= MOST_WATCH_S:
        raise InputError(
            f"watch_s = {watch_s:g}; give {LEAST_WATCH_S:g} to {MOST_WATCH_S:g} s, as jobs of the "
            "simulated systems run for about 120 s"
        )


def _gate(data: Campaign, fold: Fold, rule: GateRule) -> LearnedGate:
    probes = np.array([data.probe(int(row)) for row in fold.train])
    return learn(data.pairs, fold.train, rule, probes - np.log(data.pairs.makespan[fold.train]))


def _judged(data: Campaign, fold: Fold, gate: LearnedGate) -> JudgedPairs:
    cost = data.watch_s / float(data.serial_s[fold.train].mean())
    left_out = data.pairs.applications.index(fold.left_out)
    return gate.judge(left_out, fold.test, data.probe, cost)


def _decisions(
    data: Campaign, fold: Fold, judged: JudgedPairs, kind: Kind, rule: GateRule, seed: int
) -> Iterator[GateDecision]:
    taken = charged(data, judged, -rule.score, watch=kind.watch)
    upper = np.exp(judged.mean + rule.score * judged.spread)
    for index, row in enumerate(judged.rows):
        probed = bool(np.isin(row, judged.probed))
        decision = "wait"
        if taken.admitted[index]:
            decision = "separated" if taken.separated[index] else "share"
        elif judged.abstains and not probed:
            decision = "abstain"
        yield GateDecision(
            kind.name, seed, fold.left_out, _partner(data, fold, row), int(data.pairs.ranks[row]),
            decision, float(data.pairs.makespan[row]), float(taken.makespan[index]), probed,
            float(np.exp(judged.mean[index])), float(upper[index]), judged.novelty,
        )  # fmt: skip


def _others(data: Campaign, fold: Fold, seed: int) -> Iterator[GateDecision]:
    """Gates without a distribution: Tangram, all pairs and the oracle."""
    lesson = Lesson(data.runs, fold.train, fold.test, grouped=True, seed=seed)
    for name, gate in OTHERS.items():
        for row, admitted in zip(fold.test, GATES[gate](lesson), strict=True):
            makespan = float(data.pairs.makespan[row])
            yield GateDecision(
                name, seed, fold.left_out, _partner(data, fold, row), int(data.pairs.ranks[row]),
                "share" if admitted else "wait", measured=makespan,
                charged=makespan if admitted else 1.0,
            )  # fmt: skip


def _partner(data: Campaign, fold: Fold, row: int) -> str:
    names = data.pairs.applications
    a, b = names[int(data.pairs.a[row])], names[int(data.pairs.b[row])]
    return b if a == fold.left_out else a


def _curve_part(data: Campaign, judged: JudgedPairs, kind: Kind) -> tuple[Floats, Floats, Floats]:
    """Score, makespan if admitted and if not, and that of the oracle."""
    share = probe_share(data, judged)
    together = shared_makespan(data, judged, watch=kind.watch)
    best = np.minimum(data.pairs.makespan[judged.rows], 1.0)
    return judged.score, np.column_stack([together, 1.0 + share]), best


def _curve(
    name: str, parts: Sequence[tuple[str, Floats, Floats, Floats]], best: Floats
) -> RiskCurve:
    own = [part for part in parts if part[0] == name]
    scores = np.concatenate([part[1] for part in own])
    makespans = np.concatenate([part[2] for part in own])
    return RiskCurve(name, scores, makespans[:, 0], makespans[:, 1], best)
