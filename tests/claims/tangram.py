"""What gates on a simulated system state, scored again pair by pair from the co-runs.

Written from docs/colocate.md and the paper. Whom a gate admits is taken as given, from the gate
itself; what follows for the times is not. Some scores are made by hand, for ties and losses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

import numpy as np
from scipy.stats import t as student

from planner.sharing_nodes.tangram.evaluate import tangram
from planner.sharing_nodes.tangram.pair_runs import PairRuns, pair_runs
from planner.sharing_nodes.tangram.printed import TABLE_II
from planner.sharing_nodes.tangram.scores import decide
from planner.sharing_nodes.tangram.splits import SPLITS
from planner.sharing_nodes.tangram.study import TangramStudy
from scenarios.simulated.oversubscription import (
    LAWS,
    SYSTEMS,
    measured_co_runs,
    synthetic_applications,
    under,
)
from tests.claims.values import always, same

LEARN = ("one counter", "logistic", "Tangram")
SHOWN = ("Tangram", "logistic", "one counter", "fixed rule", "all co-located", "oracle")
_PAPER = ("CV", "(I)", "(II)")
_COUNTERS = ("cpu_intensity", "memory_intensity", "io_intensity")


Pair = tuple[str, str, int]


@dataclass(frozen=True)
class Score:
    """A gate in one test and one seed."""

    tested: int
    admitted: int
    makespan: float
    worst: float
    turnaround: float
    arithmetic: float
    worst_pair: Pair | None = None


Scores = dict[tuple[str, str], Sequence[Score]]


@dataclass(frozen=True, eq=False)
class Case:
    """A study with the scores that it must rest on, and the co-runs of its first seed."""

    answer: TangramStudy
    scores: Scores
    campaigns: tuple[PairRuns, ...]
    tests: tuple[str, ...]
    paper: bool = True
    law: str = "slowest-rank"
    other: Case | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def runs(self) -> PairRuns:
        return self.campaigns[0]

    @property
    def strictest(self) -> str:
        return self.tests[-1]

    def mean(self, gate: str, test: str = "") -> float:
        return fmean(one.makespan for one in self.scores[test or self.strictest, gate])

    def arithmetic(self, gate: str) -> float:
        return fmean(one.arithmetic for one in self.scores[self.strictest, gate])

    def regret(self, gate: str, test: str) -> float:
        both = zip(self.scores[test, gate], self.scores[test, "oracle"], strict=True)
        return fmean(one.makespan / best.makespan - 1 for one, best in both)

    def worst(self, gate: str, test: str = "") -> float:
        return max(one.worst for one in self.scores[test or self.strictest, gate])

    @cached_property
    def gains(self) -> list[bool]:
        return [ratio < 1 for ratio in self.runs.makespan.tolist()]

    @cached_property
    def sums(self) -> list[list[float]]:
        """The three counters of each co-run, of both jobs together."""
        return _sums(self.runs)

    @cached_property
    def rule(self) -> Rule | None:
        """The rule in hindsight."""
        return _best_rule(self.sums, self.gains)

    @property
    def shares(self) -> list[bool]:
        """Whether the rule in hindsight shares each co-run."""
        return self.shared_by_rule(self.runs)

    def shared_by_rule(self, runs: PairRuns) -> list[bool]:
        """Whether the rule of the first seed shares each co-run of a seed."""
        return [self.rule is not None and self.rule.shares(row) for row in _sums(runs)]

    def shared(self, campaigns: Sequence[PairRuns]) -> tuple[int, int]:
        """Co-runs of the unseen seeds that the rule shares: those that gain, and all."""
        makespan = [ratio for runs in campaigns[1:]
                    for ratio, shares in zip(runs.makespan, self.shared_by_rule(runs), strict=True)
                    if shares]  # fmt: skip
        return sum(ratio < 1 for ratio in makespan), len(makespan)

    @property
    def always_shared(self) -> list[str]:
        """Applications of which every pair is shared in every seed, if that describes the rule."""
        first, *others = [self.always_shared_in(runs) for runs in self.campaigns]
        return first if all(each == first for each in others) else []

    def always_shared_in(self, runs: PairRuns) -> list[str]:
        pairs = [{a, b} for a, b in zip(runs.a.tolist(), runs.b.tolist(), strict=True)]
        shared = self.shared_by_rule(runs)
        found = {number for number in range(len(runs.applications)) if all(
            shares for pair, shares in zip(pairs, shared, strict=True) if number in pair
        )}  # fmt: skip
        described = shared == [bool(pair & found) for pair in pairs]
        few = len(found) <= len(runs.applications) / 2
        return [runs.applications[one] for one in sorted(found)] if described and few else []

    def right(self, counter: int, value: float, *, above: bool) -> int:
        """Co-runs that a border of one counter decides right."""
        return sum(((row[counter] > value) if above else (row[counter] < value)) == gains
                   for row, gains in zip(self.sums, self.gains, strict=True))  # fmt: skip

    @cached_property
    def most_right_by_counter(self) -> list[int]:
        """The most that any border of each counter decides right, other than all or none."""
        found = []
        for counter in range(3):
            values = sorted({row[counter] for row in self.sums})
            found.append(max((
                self.right(counter, (low + high) / 2, above=above)
                for low, high in pairwise(values) for above in (True, False)
            ), default=0))  # fmt: skip
        return found

    @property
    def most_right(self) -> int:
        return max(self.most_right_by_counter)

    @property
    def statements(self) -> dict[str, Any]:
        """What is said about a law, in the order of the table."""
        *others, io = self.most_right_by_counter
        of, better = len(self.gains), "logistic" if self.logistic_is_better else "Tangram"
        return {
            "every-pair": (self.mean("all co-located") - 1, self.arithmetic("all co-located") - 1),
            "gate-every": self.paired("Tangram", "all co-located"),
            "gate-logistic": self.paired("Tangram", "logistic"),
            "rule-gate": self.paired("one counter", better),
            "gate-worst": max(self.worst("Tangram", test) for test in self.tests),
            "io-right": (io, of),
            "other-right": (max(others), of),
            "gain": (sum(self.gains), of),
        }

    @property
    def by_law(self) -> list[Case]:
        return [each for each in (self, self.other) if each is not None]

    @property
    def doubtful(self) -> list[str]:
        """Laws with another choice, or one that saves less than sharing every pair."""
        return [
            each.law
            for each in self.by_law
            if each.chosen != self.chosen or each.mean("all co-located") < each.mean(each.chosen)
        ]

    def worst_of(self, gate: str) -> tuple[int, Pair | None]:
        """Seed and pair of the longest makespan of a gate, the first of several."""
        found = [(score.worst, seed, score.worst_pair) for test in self.tests
                 for seed, score in enumerate(self.scores[test, gate])]  # fmt: skip
        longest = max(worst for worst, *_ in found)
        return next((seed, pair) for worst, seed, pair in found if worst == longest)

    def difference(self, gate: str) -> tuple[float, float] | None:
        """95 % interval against the gate of the answer, paired over seeds."""
        return None if gate == self.chosen else self.paired(gate, self.chosen)

    def paired(self, gate: str, against: str) -> tuple[float, float] | None:
        own, others = (self.scores.get((self.strictest, each), ()) for each in (gate, against))
        logs = [math.log(one.makespan / other.makespan)
                for one, other in zip(own, others, strict=bool(own))]  # fmt: skip
        if len(logs) < 2:
            return None
        half = float(student.ppf(0.975, len(logs) - 1)) * stdev(logs) / math.sqrt(len(logs))
        return math.expm1(fmean(logs) - half), math.expm1(fmean(logs) + half)

    @property
    def tied(self) -> list[str]:
        """The choice of a law, and gates that seeds do not tell apart from it, if there are any."""
        intervals = {gate: self.difference(gate) for gate in SHOWN[:-1]}
        found = [gate for gate, ends in intervals.items() if ends and ends[0] <= 0 <= ends[1]]
        return [self.chosen, *found] if found else []

    def sum_loses(self, gate: str) -> bool:
        """Whether a gate gains in the geometric mean and loses in the arithmetic one."""
        return self.arithmetic(gate) > 1 > self.mean(gate)

    @property
    def turnarounds(self) -> tuple[list[float], list[float]]:
        """Mean turnarounds of Tangram's gate, in the paper and here."""
        rows = [row for row in self.printed if row[:2] == ("Tangram", "turnaround")]
        return sorted(row[2] for row in rows), sorted(row[3] for row in rows)

    @property
    def gains_turnaround(self) -> bool:
        printed, ours = self.turnarounds
        return bool(printed) and ours[0] < 1 <= printed[-1]

    def under(self, law: str) -> Case | None:
        return {each.law: each for each in self.by_law}.get(law)

    @property
    def one_kind(self) -> bool:
        return all(self.gains) or not any(self.gains)

    @property
    def logistic_is_better(self) -> bool:
        ours, other = (round(self.mean(gate), 3) for gate in ("logistic", "Tangram"))
        return ours < min(1, other) and self.worst("logistic") <= self.worst("Tangram")

    @property
    def rule_is_best(self) -> bool:
        other = "logistic" if self.logistic_is_better else "Tangram"
        mean = round(self.mean("one counter"), 3)
        return (
            not self.one_kind
            and mean < 1
            and mean <= round(self.mean(other), 3)
            and self.worst("one counter") <= self.worst(other)
        )

    @property
    def chosen(self) -> str:
        if self.rule_is_best:
            return "one counter"
        return "logistic" if self.logistic_is_better else "Tangram"

    @property
    def another_better(self) -> list[str]:
        """Tests in which another of the three has a smaller mean, in three decimals."""
        return [
            test for test in self.tests
            if any(round(self.mean(gate, test), 3) < round(self.mean(self.chosen, test), 3)
                   for gate in LEARN)
        ]  # fmt: skip

    @property
    def idle(self) -> list[str]:
        return [test for test in self.tests
                if sum(one.admitted for one in self.scores[test, "Tangram"]) == 0]  # fmt: skip

    @property
    def printed(self) -> list[tuple[str, str, float, float]]:
        """Gate, measure, mean of the paper and mean here."""
        found = []
        for (nodes, test, gate), row in TABLE_II.items() if self.paper else ():
            if nodes == self.answer.nodes and test in self.tests:
                scores = self.scores[test, gate]
                found.append((gate, "makespan", row[0], fmean(one.makespan for one in scores)))
                found.append((gate, "turnaround", row[3], fmean(one.turnaround for one in scores)))
        return found

    @property
    def other_side(self) -> int:
        return sum(printed < 1 < ours or ours < 1 < printed for *_, printed, ours in self.printed)

    def admitted(self, gate: str) -> tuple[int, int]:
        scores = self.scores[self.strictest, gate]
        return sum(one.admitted for one in scores), sum(one.tested for one in scores)

    def off(self, gate: str) -> float:
        """Largest difference of a mean makespan from the paper."""
        return max(abs(ours - printed) for name, measure, printed, ours in self.printed
                   if (name, measure) == (gate, "makespan"))  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """A counter by its number, whether pairs above the value share, and the value."""

    counter: int
    above: bool
    value: float

    def shares(self, sums: Sequence[float]) -> bool:
        return sums[self.counter] > self.value if self.above else sums[self.counter] < self.value


def _sums(runs: PairRuns) -> list[list[float]]:
    one, other = runs.profile_a.tolist(), runs.profile_b.tolist()
    return [[a + b for a, b in zip(*pair, strict=True)] for pair in zip(one, other, strict=True)]


def _best_rule(sums: Sequence[Sequence[float]], gains: Sequence[bool]) -> Rule | None:
    """The rule with most right decisions, the first of several; none if all gain or all lose."""
    best, most = None, -1
    for counter in range(3) if len({*gains}) == 2 else ():
        values = sorted({row[counter] for row in sums})
        for above in (True, False):
            for low, high in pairwise(values):
                rule = Rule(counter, above, _digits(low, high))
                right = sum(rule.shares(row) == gain for row, gain in zip(sums, gains, strict=True))
                if right > most:
                    best, most = rule, right
    return best


def _digits(low: float, high: float) -> float:
    """The middle of two values in as few digits as there is room for."""
    middle = (low + high) / 2
    digits = (float(f"{middle:.{places}g}") for places in (1, 2, 3, 4))
    return next((each for each in digits if low < each < high), middle)


def counted(campaigns: Sequence[PairRuns], tests: Sequence[str], rule: Rule | None) -> Scores:
    """The scores of each test, pair by pair, from the decisions of each gate and a fixed rule."""
    found: Scores = {}
    for split in (split for split in SPLITS if split.name in tests):
        for gate in SHOWN if rule is not None else (each for each in SHOWN if each != "fixed rule"):
            scores = []
            for seed, runs in enumerate(campaigns):
                if gate == "fixed rule" and rule is not None:
                    sums = _sums(runs)
                    rows = [(row, rule.shares(sums[row])) for fold in split.folds(runs, seed)
                            for row in fold.test.tolist()]  # fmt: skip
                else:
                    decided = decide(runs, split, gate, seed)
                    rows = [*zip(decided.rows.tolist(), decided.admitted.tolist(), strict=True)]
                times = [float(runs.makespan[row]) if shares else 1.0 for row, shares in rows]
                turns = [float(runs.turnaround[row]) if shares else 1.0 for row, shares in rows]
                scores.append(Score(
                    len(rows), sum(shares for _, shares in rows),
                    math.exp(fmean(map(math.log, times))), max(times),
                    math.exp(fmean(map(math.log, turns))), fmean(times),
                    _worst_pair(runs, rows, times),
                ))  # fmt: skip
            found[split.name, gate] = scores
    return found


def _worst_pair(runs: PairRuns, rows: Sequence[tuple[int, bool]], times: Sequence[float]) -> Any:
    row, shares = rows[times.index(max(times))]
    a, b = (runs.applications[each[row]] for each in (runs.a, runs.b))
    return (a, b, int(runs.ranks[row])) if shares else None


@cache
def simulated(
    system: int, tests: tuple[str, ...], seeds: int, synthetic: int = 0, law: str = "slowest-rank"
) -> Case:
    """A study that is simulated."""
    if law == "both":
        one, two = (simulated(system, tests, seeds, synthetic, each) for each in LAWS)
        answer = tangram(SYSTEMS[system].name, seeds=seeds, tests=tests, synthetic=synthetic)
        two = replace(two, scores=counted(two.campaigns, two.tests, one.rule))
        return replace(one, answer=answer, other=two)
    chosen = under(SYSTEMS[system], law)
    campaigns = [
        pair_runs(measured_co_runs(
            chosen, seed, *([synthetic_applications(synthetic, seed)] if synthetic else [])
        ))
        for seed in range(seeds)
    ]  # fmt: skip
    answer = tangram(chosen.name, seeds=seeds, tests=tests, synthetic=synthetic, law=law)
    names = tuple(split.name for split in SPLITS if split.name in tests)
    rule = _best_rule(_sums(campaigns[0]), campaigns[0].gains.tolist())
    scores = counted(campaigns, names, rule)
    return Case(answer, scores, tuple(campaigns), names, not synthetic, law)


def made(case: Case, given: Callable[[str, str, int, Score], Score]) -> Case:
    """A study whose scores are by hand: from test, gate, seed and the score that was simulated."""
    scores: Scores = {
        (test, gate): [given(test, gate, seed, one) for seed, one in enumerate(found)]
        for (test, gate), found in case.scores.items()
    }
    by_seed = tuple(
        tuple(
            one if (one.test, one.gate) not in scores else replace(
                one, tested=(new := scores[one.test, one.gate][seed]).tested,
                admitted=new.admitted, makespan=new.makespan, makespan_max=new.worst,
                turnaround=new.turnaround, arithmetic=new.arithmetic, worst_pair=new.worst_pair,
                regret=new.makespan / scores[one.test, "oracle"][seed].makespan - 1,
            )
            for one in found
        )
        for seed, found in enumerate(case.answer.by_seed)
    )  # fmt: skip
    return replace(case, answer=replace(case.answer, by_seed=by_seed), scores=scores)


def timed(case: Case, makespan: Any) -> Case:
    """A study whose co-runs take other times; its scores stay."""
    times = np.broadcast_to(np.asarray(makespan, float), case.runs.makespan.shape)
    return _with_seed(case, 0, replace(case.runs, makespan=times))


def _with_seed(case: Case, seed: int, runs: PairRuns) -> Case:
    """A study with other co-runs of a seed."""
    campaigns = (*case.campaigns[:seed], runs, *case.campaigns[seed + 1 :])
    return replace(case, answer=replace(case.answer, campaigns=campaigns), campaigns=campaigns)


def flat(case: Case, seed: int = 0) -> Case:
    """A study whose jobs have equal counters in a seed."""
    ones = np.ones_like(case.campaigns[seed].profile_a)
    runs = replace(case.campaigns[seed], profile_a=ones, profile_b=ones)
    return _with_seed(case, seed, runs)


@cache
def played() -> tuple[Case, ...]:
    """Studies that are simulated, once."""
    return (
        simulated(0, ("(I)",), 2),
        simulated(1, ("CV", "(II)"), 2, law="both"),
        simulated(0, ("(I)", "leave-app-out"), 1, 3, "idle-cycles"),
    )


def cases() -> Iterator[Case]:
    """Studies at the edges."""
    one, two, _ = played()
    yield from played()
    yield timed(one, 0.5)
    yield timed(one, 1.0)
    yield timed(one, 2.0)
    yield flat(one)
    yield flat(one, 1)
    yield timed(one, one.runs.makespan[::-1])
    yield made(one, lambda _test, _gate, _seed, score: Score(score.tested, 0, 1.0, 1.0, 1.0, 1.0))
    yield made(two, lambda _test, gate, _seed, score: replace(
        score, makespan={"Tangram": 0.9, "logistic": 0.8, "one counter": 1.1}.get(gate, 1.2),
        worst=1.3,
    ))  # fmt: skip


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    given = partial(_drawn, rng)
    case = made(played()[seed % 3], given)
    order = rng.permutation(len(case.runs))
    yield timed(case, case.runs.makespan[order]) if rng.random() < 0.5 else case


_MEANS = (0.5, 0.8, 0.8004, 0.801, 0.9996, 1.0, 1.2, 2.5)


def _drawn(rng: Any, _test: str, _gate: str, _seed: int, _score: Score) -> Score:
    """A random score, often equal to others in three decimals."""
    tested = int(rng.choice([1, 63, 20_000]))
    return Score(
        tested, int(rng.integers(0, tested + 1)), float(rng.choice(_MEANS)),
        float(rng.choice([1.0, 1.0, 1.3, 17.0])), float(rng.choice(_MEANS)),
        float(rng.choice(_MEANS)),
    )  # fmt: skip


def _rule(case: Case, counter: str, side: str, value: float) -> bool:
    """Whether a border decides as many co-runs right as any, and has few digits."""
    number, above = _COUNTERS.index(counter), {"above": True, "below": False}[side]
    right = case.right(number, value, above=above)
    return right == case.most_right > 0 and _short(case, number, value)


def _rule_between(case: Case, counter: str, low: float, high: float) -> bool:
    """Whether the border of the rule is between these two neighbours."""
    rule = case.rule
    values = sorted({row[_COUNTERS.index(counter)] for row in case.sums})
    return (low, high) in pairwise(values) and rule is not None and low < rule.value < high


def _short(case: Case, counter: int, value: float) -> bool:
    """Whether no border between the same two co-runs has fewer digits."""
    values = [row[counter] for row in case.sums]
    low = max(each for each in values if each < value)
    high = min(each for each in values if each > value)
    return value == _digits(low, high)


def _traced(case: Case, law: str, pair: Pair, seed: int) -> bool:
    """Whether a law's worst pair of the gate of the answer is this one."""
    found = case.under(law)
    return found is not None and (seed, pair) == found.worst_of(case.chosen)


def _headline(case: Case, changes: Sequence[float], laws: Sequence[str], test: str) -> bool:
    return test == case.strictest and _by_law(
        case, lambda each: each.mean(case.chosen) - 1, *zip(laws, changes, strict=True)
    )


def _by_law(case: Case, value: Callable[[Case], float], *given: tuple[str, float]) -> bool:
    """Whether values of all laws, in their order, are given with the names of the laws."""
    return [law for law, _ in given] == [each.law for each in case.by_law] and all(
        same(number, value(each)) for (_, number), each in zip(given, case.by_law, strict=True)
    )


def _names(found: Sequence[str], expected: list[str]) -> bool:
    return [*found] == expected and bool(expected)


def _may_lose(case: Case) -> bool:
    """Whether the gate of the answer admits a pair that loses under a law."""
    return any(each.worst(case.chosen, test) > 1 for each in case.by_law for test in each.tests)


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, system: system == f"{('two', 'eight')[case.answer.nodes > 2]}-node "
    "system",
    "answer": lambda case, gate, **scored: gate == case.chosen and _headline(case, **scored),
    "share": lambda case, counter, side, value, **scored: (
        case.rule_is_best and not case.always_shared
        and _rule(case, counter, side, value) and _headline(case, **scored)
    ),
    "share-pairs": lambda case, pairs, counter, side, value, **scored: (
        case.rule_is_best and _names(pairs, case.always_shared)
        and _rule(case, counter, side, value) and _headline(case, **scored)
    ),
    "one-law": lambda case, law: case.other is None and law == case.law,
    "choice-by-law": lambda case, law, gate, change, every: (
        law in case.doubtful and gate == (found := case.under(law)).chosen
        and same(change, found.mean(gate) - 1) and same(every, found.mean("all co-located") - 1)
    ),
    "summed": lambda case, law, gates, changes: (
        case.under(law) is not None and (*gates,) == (case.chosen, "all co-located")
        and all(same(change, case.under(law).arithmetic(gate) - 1)
                for gate, change in zip(gates, changes, strict=True))
        and case.under(law).sum_loses(case.chosen)
    ),
    "tie": lambda case, law, gates: (
        (found := case.under(law)) is not None and _names(gates, found.tied)
    ),
    "misses": lambda case, miss, law, other, other_law, worst, other_worst, printed: (
        _by_law(case, lambda each: max(each.off("Tangram"), each.off("all co-located")),
                (law, miss), (other_law, other))
        and _by_law(case, lambda each: max(each.worst("Tangram", test) for test in _PAPER
                                           if test in each.tests),
                    (law, worst), (other_law, other_worst))
        and same(printed, max(TABLE_II[case.answer.nodes, test, "Tangram"][1]
                              for test in _PAPER if test in case.tests))
    ),
    "turnaround": lambda case, law, ours, printed: (
        law == case.law and all(map(same, (*printed, *ours), (
            end for found in case.turnarounds for end in (found[0], found[-1])
        )))
    ),
    "simulated": lambda case, seeds, runs, applications, pairs, ranks: (
        seeds == len(case.scores[case.strictest, "Tangram"])
        and runs == len(case.gains) == pairs * len(ranks)
        and [*ranks] == sorted({*case.runs.ranks.tolist()})
        and applications == len({*case.runs.a.tolist(), *case.runs.b.tolist()})
    ),
    "strictest": lambda case, test: test == case.tests[-1],
    "faster": lambda case, gate, decisions: (
        gate == case.chosen and (*decisions,) == case.admitted("oracle")
    ),
    "rule": lambda case, law, **rule: law == case.law and _rule(case, **rule),
    "of-law": lambda case, law: case.under(law) is not None,
    "traced": lambda case, law, a, b, ranks, seed: _traced(case, law, (a, b, ranks), seed),
    "few-applications": lambda case, applications, least: (
        applications == len({*case.runs.a.tolist(), *case.runs.b.tolist()})
        and same(least, 1 / (applications + 1))
    ),
    "easy-tests": lambda case, tests: _names(
        tests, [name for name in case.tests if name in {"CV", "(I)"}]
    ),
    "another-better": lambda case, gate, tests: (
        gate == case.chosen and _names(tests, case.another_better)
    ),
    "other-side": lambda case, means, law: (
        (found := case.under(law)) is not None
        and (*means,) == (found.other_side, len(case.printed)) and means[0] > 0
    ),
    "idle": lambda case, tests: _names(tests, case.idle),
    "all-gain": lambda case: all(case.gains),
    "none-gain": lambda case: not any(case.gains),
    "try-rule": lambda case, counter, alike: (
        case.rule_is_best and _rule_between(case, counter, *alike)
    ),
    "guarantee": _may_lose,
    "real-nodes": always,
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "admitted": lambda case, value: (*value,) == case.admitted(case.chosen),
    "anywhere": lambda case, value: same(
        value, max(case.worst(case.chosen, test) for test in case.tests)
    ),
    "range": lambda case, value: all(map(same, value, (
        pick(one.makespan - 1 for one in case.scores[case.strictest, case.chosen])
        for pick in (min, max)
    ))),
    "anywhere_other": lambda case, value: same(
        value, max(case.other.worst(case.chosen, test) for test in case.tests)
    ),
    "shared": lambda case, value: (*value,) == case.shared(case.campaigns),
    "shared_other": lambda case, value: (*value,) == case.shared(case.other.campaigns),
    "off": lambda case, value: same(value, case.off("Tangram")),
    "off_all": lambda case, value: same(value, case.off("all co-located")),
    "off_other": lambda case, value: same(value, case.other.off("Tangram")),
    "off_all_other": lambda case, value: same(value, case.other.off("all co-located")),
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "easy-tests": lambda case: not {"CV", "(I)"}.isdisjoint(case.tests),
    "another-better": lambda case: bool(case.another_better),
    "answer": lambda case: not case.rule_is_best or case.rule is None,
    "one-law": lambda case: case.other is None,
    "choice-by-law": lambda case: bool(case.doubtful),
    "tie": lambda case: any(each.tied for each in case.by_law),
    "summed": lambda case: any(each.sum_loses(case.chosen) for each in case.by_law),
    "misses": lambda case: case.other is not None and bool(case.printed),
    "turnaround": lambda case: case.gains_turnaround,
    "other-side": lambda case: (
        case.other_side > 0 or (case.other is not None and case.other.other_side > 0)
    ),
    "idle": lambda case: bool(case.idle),
    "all-gain": lambda case: all(case.gains),
    "none-gain": lambda case: not any(case.gains),
    "try-rule": lambda case: case.rule_is_best and bool(case.most_right),
    "guarantee": _may_lose,
}
"""When these kinds are due: they are stated then, and only then."""


def _pairs_of(case: Case, a: str, b: str) -> list[int]:
    """Co-runs of two applications."""
    names = case.runs.applications
    return [row for row, pair in enumerate(zip(case.runs.a, case.runs.b, strict=True))
            if {names[pair[0]], names[pair[1]]} == {a, b}]  # fmt: skip


def _mean_of(runs: PairRuns, rows: Sequence[int]) -> float:
    return math.exp(fmean(math.log(runs.makespan[row]) for row in rows))


def _cell(case: Case, row: Mapping[str, Any]) -> bool:
    rows = _pairs_of(case, row["a"], row["b"])
    return row["shares"] == all(case.shares[one] for one in rows) and all(
        same(row[each.law], _mean_of(each.runs, rows) - 1) for each in case.by_law
    )


def _fixed(case: Case, row: Mapping[str, Any]) -> bool:
    each = next(each for each in case.by_law if each.law == row["law"])
    ratios = [ratio for runs in each.campaigns[1:] for ratio in runs.makespan.tolist()]
    gain, of = case.shared(each.campaigns)
    refused = sum(ratio < 1 for ratio in ratios) - gain
    scores = each.scores[each.strictest, "fixed rule"][1:]
    means = [one.makespan for one in scores]
    return (
        (*row["shared"],) == (gain, of)
        and (*row["refused"],) == (refused, len(ratios) - of)
        and same(row["worst"], max(one.worst for one in scores))
        and same(row["makespan"], fmean(means))
        and same(row["least"], min(means))
        and same(row["most"], max(means))
    )


def _learned(case: Case, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the rules are those of the folds of the strictest test, learned again."""
    expected = []
    split = next(split for split in SPLITS if split.name == case.strictest)
    for each in case.by_law:
        rules = [
            _best_rule([_sums(runs)[row] for row in fold.train], runs.gains[fold.train].tolist())
            for seed, runs in enumerate(each.campaigns)
            for fold in split.folds(runs, seed)
        ]
        sides = {(rule.counter, rule.above) for rule in rules if rule is not None}
        for counter, above in sides:
            values = [
                rule.value
                for rule in rules
                if rule is not None and (rule.counter, rule.above) == (counter, above)
            ]
            expected.append((each.law, _COUNTERS[counter], "above" if above else "below",
                             (len(values), len(rules)), min(values), max(values)))  # fmt: skip
    keys = ("law", "counter", "side", "folds", "least", "most")
    return sorted(expected) == sorted(
        tuple(tuple(row[key]) if key == "folds" else row[key] for key in keys) for row in rows
    )


def _gate(case: Case, row: Mapping[str, Any]) -> bool:
    means = [one.makespan for one in case.scores[case.strictest, row["gate"]]]
    difference = case.difference(row["gate"])
    if (row["difference"] is None) != (difference is None):
        return False
    return (
        same(row["makespan"], fmean(means))
        and same(row["arithmetic"], case.arithmetic(row["gate"]))
        and same(row["worst"], case.worst(row["gate"]))
        and same(row["least"], min(means)) and same(row["most"], max(means))
        and all(map(same, row["difference"] or (), difference or ()))
    )  # fmt: skip


def _laws(case: Case, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the rows are the statements that have a value, with that of each law."""
    by_law = dict(zip(("first", "second"), (each.statements for each in case.by_law), strict=True))
    due = [name for name, value in by_law["first"].items() if value is not None]
    return [row["statement"] for row in rows] == due and all(
        np.allclose(row[key], values[row["statement"]], rtol=1e-9, atol=1e-12)
        for row in rows for key, values in by_law.items()
    )  # fmt: skip


TABLES: dict[str, Claim] = {
    "gates": lambda case, rows: (
        {row["gate"] for row in rows}
        == {gate for gate in SHOWN if (case.strictest, gate) in case.scores}
        and all(_gate(case, row) for row in rows)
    ),
    "matrix": lambda case, rows: (
        len(rows) == len(case.runs.applications) ** 2 and all(_cell(case, row) for row in rows)
    ),
    "fixed rule": lambda case, rows: (
        len(rows) == len(case.by_law) and all(_fixed(case, row) for row in rows)
    ),
    "learned rules": _learned,
    "laws": _laws,
    "gates by law": lambda case, rows: all(
        same(row[f"{key}makespan"], each.mean(row["gate"]))
        and same(row[f"{key}arithmetic"], each.arithmetic(row["gate"]))
        and same(row[f"{key}worst"], each.worst(row["gate"]))
        for row in rows
        for key, each in zip(("", "other_"), case.by_law, strict=True)
    ),
    "drawn": lambda case, rows: all(
        same(row["regret"], case.regret(row["gate"], row["test"])) for row in rows
    ),
}
"""Whether the rows of a table are true, from its case."""
