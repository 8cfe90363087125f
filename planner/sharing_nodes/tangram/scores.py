"""What a gate's decisions are worth: ratios of makespan and turnaround, and regret."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from planner.sharing_nodes.tangram.border import Border, learned_border
from planner.sharing_nodes.tangram.gates import GATES, Admitted, Gate, Lesson
from planner.sharing_nodes.tangram.metrics import Floats
from planner.sharing_nodes.tangram.pair_runs import PairRuns
from planner.sharing_nodes.tangram.splits import Rows, Split

RANDOM = "random, as many admitted"
BORDER = "one counter"
FIXED = "fixed rule"
_DECIDING: dict[str, Gate] = {**GATES, BORDER: learned_border}
"""Gates that can decide: those of Tangram, and a border of one counter to compare with them."""
DRAWS = 1000


@dataclass(frozen=True, eq=False)
class Decisions:
    """What a gate decided on rows that it did not know; what was left out, for each row."""

    rows: Rows
    admitted: Admitted
    left_out: tuple[str, ...]


@dataclass(frozen=True)
class GateScore:
    """A gate in one test.

    Attributes
    ----------
    test, gate
        Names.
    tested, admitted
        Co-runs that were decided, and those that share.
    makespan, makespan_max, makespan_min
        Geometric mean, largest and smallest ratio; a pair that does not share counts 1.
    low, high
        95 % interval of the geometric mean, by resampling pairs of applications; ``None`` for the
        random gate.
    arithmetic
        Arithmetic mean of the ratios: the change of the summed time, less 1, if all pairs take
        equally long one job after the other.
    turnaround, turnaround_max, turnaround_min
        The same of the turnaround.
    regret
        Geometric mean of the makespan over that of the oracle gate, less 1.
    worst_pair
        Applications and ranks of the admitted pair with the largest makespan; ``None`` for the
        random gate, and if a pair that does not share has it.
    """

    test: str
    gate: str
    tested: int
    admitted: int
    makespan: float
    low: float | None
    high: float | None
    makespan_max: float
    makespan_min: float
    arithmetic: float
    turnaround: float
    turnaround_max: float
    turnaround_min: float
    regret: float
    worst_pair: tuple[str, str, int] | None = None


@dataclass(frozen=True)
class LeftOutTest:
    """A gate on what one fold of a test left out.

    Attributes
    ----------
    left_out
        As people read it.
    tested, admitted
        Co-runs that were decided, and those that share.
    wrongly_admitted
        Admitted ones that are bad: by default those that do not gain.
    wrongly_refused
        Co-runs that would gain, and do not share.
    makespan, oracle, worst
        Geometric mean of the gate and of the oracle, and the gate's largest ratio.
    """

    left_out: str
    tested: int
    admitted: int
    wrongly_admitted: int
    wrongly_refused: int
    makespan: float
    oracle: float
    worst: float


def decide(runs: PairRuns, split: Split, gate: str, seed: int) -> Decisions:
    """Have a gate decide all test rows of a split, each time without knowing them."""
    rows, admitted, left_out = [], [], list[str]()
    for fold in split.folds(runs, seed):
        rows.append(fold.test)
        lesson = Lesson(runs, fold.train, fold.test, split.grouped, seed)
        admitted.append(_DECIDING[gate](lesson))
        left_out += [fold.left_out] * len(fold.test)
    return Decisions(np.concatenate(rows), np.concatenate(admitted), tuple(left_out))


def scores_of(
    runs: PairRuns, split: Split, seed: int, fixed: Border | None = None
) -> tuple[GateScore, ...]:
    """Every gate in one test, a random one that admits as many as Tangram, and a fixed rule."""
    decisions = {gate: decide(runs, split, gate, seed) for gate in _DECIDING}
    if fixed is not None:
        like = decisions["Tangram"]
        decisions[FIXED] = replace(like, admitted=fixed.admitted(runs.features[like.rows]))
    result = [score(runs, split.name, gate, one, seed) for gate, one in decisions.items()]
    result.insert(1, _random(runs, split.name, decisions["Tangram"]))
    return tuple(result)


def by_application(
    runs: PairRuns,
    split: Split,
    seed: int,
    gate: str = "Tangram",
    limit: float | None = None,
) -> tuple[LeftOutTest, ...]:
    """Return a gate on each fold of a test: with six applications the spread is large.

    Co-runs are bad whose makespan exceeds ``limit``.
    """
    bad = ~runs.gains if limit is None else runs.makespan > limit
    decided = decide(runs, split, gate, seed)
    names = np.array(decided.left_out)
    return tuple(
        _left_out(runs, bad, name, decided.rows[names == name], decided.admitted[names == name])
        for name in dict.fromkeys(decided.left_out)
    )


def _left_out(
    runs: PairRuns, bad: Admitted, name: str, rows: Rows, admitted: Admitted
) -> LeftOutTest:
    makespan = np.where(admitted, runs.makespan[rows], 1.0)
    return LeftOutTest(
        name,
        len(rows),
        int(admitted.sum()),
        int((admitted & bad[rows]).sum()),
        int((~admitted & runs.gains[rows]).sum()),
        geometric_mean(makespan),
        geometric_mean(np.minimum(runs.makespan[rows], 1.0)),
        float(makespan.max()),
    )


def score(runs: PairRuns, test: str, gate: str, decided: Decisions, seed: int) -> GateScore:
    """Score decisions by the measured co-runs."""
    makespan = np.where(decided.admitted, runs.makespan[decided.rows], 1.0)
    turnaround = np.where(decided.admitted, runs.turnaround[decided.rows], 1.0)
    low, high = _interval(np.log(makespan), runs.pair[decided.rows], seed)
    worst = int(makespan.argmax())
    return GateScore(
        test, gate, len(decided.rows), int(decided.admitted.sum()),
        geometric_mean(makespan), low, high, float(makespan.max()), float(makespan.min()),
        float(makespan.mean()), geometric_mean(turnaround), float(turnaround.max()),
        float(turnaround.min()), _regret(runs, decided.rows, float(np.log(makespan).mean())),
        runs.named(int(decided.rows[worst])) if decided.admitted[worst] else None,
    )  # fmt: skip


def _random(runs: PairRuns, test: str, like: Decisions) -> GateScore:
    """The mean over all random gates that admit as many: of logarithms, so no draw is needed."""
    share = float(like.admitted.mean())
    makespan, turnaround = runs.makespan[like.rows], runs.turnaround[like.rows]
    none, every = share == 0, share == 1
    mean = share * float(np.log(makespan).mean())
    most = [1.0 if none else float(one.max()) for one in (makespan, turnaround)]
    least = [1.0 if none else float(one.min()) for one in (makespan, turnaround)]
    if not every:
        most, least = [max(1.0, one) for one in most], [min(1.0, one) for one in least]
    return GateScore(
        test, RANDOM, len(like.rows), int(like.admitted.sum()),
        float(np.exp(mean)), None, None, most[0], least[0],
        1 + share * float(makespan.mean() - 1),
        float(np.exp(share * np.log(turnaround).mean())), most[1], least[1],
        _regret(runs, like.rows, mean),
    )  # fmt: skip


def geometric_mean(ratios: Floats) -> float:
    """Geometric mean of ratios above 0."""
    return float(np.exp(np.log(ratios).mean()))


def _regret(runs: PairRuns, rows: Rows, mean_log: float) -> float:
    best = float(np.log(np.minimum(1.0, runs.makespan[rows])).mean())
    return float(np.exp(mean_log - best) - 1)


def _interval(logs: Floats, groups: Rows, seed: int) -> tuple[float, float]:
    """95 % interval of the geometric mean: whole pairs are drawn, with all their rank counts."""
    _, which = np.unique(groups, return_inverse=True)
    sums, counts = np.bincount(which, weights=logs), np.bincount(which)
    drawn = np.random.default_rng(seed).integers(len(sums), size=(DRAWS, len(sums)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.exp(np.quantile(means, [0.025, 0.975]))
    return float(low), float(high)
