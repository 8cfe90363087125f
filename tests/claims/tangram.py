"""What gates on a simulated system state, scored again pair by pair from the co-runs.

Written from docs/colocate.md and the paper. Whom a gate admits is taken as given, from the gate
itself; what follows for the times is not. Some scores are made by hand, for ties and losses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from itertools import pairwise
from statistics import fmean
from typing import Any

import numpy as np

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
_COUNTERS = ("cpu_intensity", "memory_intensity", "io_intensity")


@dataclass(frozen=True)
class Score:
    """A gate in one test and one seed."""

    tested: int
    admitted: int
    makespan: float
    worst: float
    turnaround: float


Scores = dict[tuple[str, str], Sequence[Score]]


@dataclass(frozen=True, eq=False)
class Case:
    """A study with the scores that it must rest on, and the co-runs of its first seed."""

    answer: TangramStudy
    scores: Scores
    runs: PairRuns
    tests: tuple[str, ...]
    paper: bool = True
    law: str = "slowest-rank"
    other: Case | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def strictest(self) -> str:
        return self.tests[-1]

    def mean(self, gate: str, test: str = "") -> float:
        return fmean(one.makespan for one in self.scores[test or self.strictest, gate])

    def worst(self, gate: str, test: str = "") -> float:
        return max(one.worst for one in self.scores[test or self.strictest, gate])

    @cached_property
    def gains(self) -> list[bool]:
        return [ratio < 1 for ratio in self.runs.makespan.tolist()]

    @cached_property
    def sums(self) -> list[list[float]]:
        """The three counters of each co-run, of both jobs together."""
        one, other = self.runs.profile_a.tolist(), self.runs.profile_b.tolist()
        return [[a + b for a, b in zip(*pair, strict=True)]
                for pair in zip(one, other, strict=True)]  # fmt: skip

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
    def statements(self) -> dict[str, bool]:
        """What is said about a law, in the order of the table."""
        gate, every = (round(self.mean(name), 3) for name in ("Tangram", "all co-located"))
        *others, io = self.most_right_by_counter
        return {
            "gate-gains": gate < 1,
            "all-gain": every < 1,
            "gate-beats-all": gate < every,
            "gate-loses": any(self.worst("Tangram", test) > 1 for test in self.tests),
            "one-counter": self.rule_is_best,
            "io-decides": io > max(others),
            "most-gain": sum(self.gains) > len(self.gains) / 2,
        }

    @property
    def under_both(self) -> list[str]:
        """Statements that are true under both laws."""
        return [name for name, holds in self.statements.items()
                if self.other is not None and holds and self.other.statements[name]]  # fmt: skip

    @property
    def under_one(self) -> list[str]:
        """Statements that are true under one of the two laws."""
        return [name for name, holds in self.statements.items()
                if self.other is not None and holds != self.other.statements[name]]  # fmt: skip

    def under(self, law: str) -> Case | None:
        return {each.law: each for each in (self, self.other) if each is not None}.get(law)

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

    def admitted(self, gate: str) -> float:
        scores = self.scores[self.strictest, gate]
        return sum(one.admitted for one in scores) / sum(one.tested for one in scores)

    def off(self, gate: str) -> float:
        """Largest difference of a mean makespan from the paper."""
        return max(abs(ours - printed) for name, measure, printed, ours in self.printed
                   if (name, measure) == (gate, "makespan"))  # fmt: skip


def counted(campaigns: Sequence[PairRuns], tests: Sequence[str]) -> Scores:
    """The scores of each test, pair by pair, from the decisions of each gate."""
    found: Scores = {}
    for split in (split for split in SPLITS if split.name in tests):
        for gate in (*LEARN, "all co-located", "oracle"):
            scores = []
            for seed, runs in enumerate(campaigns):
                decided = decide(runs, split, gate, seed)
                rows = [*zip(decided.rows.tolist(), decided.admitted.tolist(), strict=True)]
                times = [float(runs.makespan[row]) if shares else 1.0 for row, shares in rows]
                turns = [float(runs.turnaround[row]) if shares else 1.0 for row, shares in rows]
                scores.append(Score(
                    len(rows), sum(shares for _, shares in rows),
                    math.exp(fmean(map(math.log, times))), max(times),
                    math.exp(fmean(map(math.log, turns))),
                ))  # fmt: skip
            found[split.name, gate] = scores
    return found


@cache
def simulated(
    system: int, tests: tuple[str, ...], seeds: int, synthetic: int = 0, law: str = "slowest-rank"
) -> Case:
    """A study that is simulated."""
    if law == "both":
        one, two = (simulated(system, tests, seeds, synthetic, each) for each in LAWS)
        answer = tangram(SYSTEMS[system].name, seeds=seeds, tests=tests, synthetic=synthetic)
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
    scores = counted(campaigns, names)
    return Case(answer, scores, campaigns[0], names, paper=not synthetic, law=law)


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
                turnaround=new.turnaround,
            )
            for one in found
        )
        for seed, found in enumerate(case.answer.by_seed)
    )  # fmt: skip
    return replace(case, answer=replace(case.answer, by_seed=by_seed), scores=scores)


def timed(case: Case, makespan: Any) -> Case:
    """A study whose co-runs take other times; its scores stay."""
    times = np.broadcast_to(np.asarray(makespan, float), case.runs.makespan.shape)
    runs = replace(case.runs, makespan=times)
    return replace(case, answer=replace(case.answer, runs=runs), runs=runs)


def flat(case: Case) -> Case:
    """A study whose jobs have equal counters."""
    ones = np.ones_like(case.runs.profile_a)
    runs = replace(case.runs, profile_a=ones, profile_b=ones)
    return replace(case, answer=replace(case.answer, runs=runs), runs=runs)


@cache
def played() -> tuple[Case, ...]:
    """Studies that are simulated, once."""
    return (
        simulated(0, ("(I)",), 2),
        simulated(1, ("CV", "(II)"), 1, law="both"),
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
    yield timed(one, one.runs.makespan[::-1])
    yield made(one, lambda _test, _gate, _seed, score: Score(score.tested, 0, 1.0, 1.0, 1.0))
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
    )  # fmt: skip


def _rule(case: Case, counter: str, side: str, value: float) -> bool:
    """Whether a border decides as many co-runs right as any, and has few digits."""
    number, above = _COUNTERS.index(counter), {"above": True, "below": False}[side]
    right = case.right(number, value, above=above)
    return right == case.most_right > 0 and _short(case, number, value)


def _short(case: Case, counter: int, value: float) -> bool:
    """Whether no border between the same two co-runs has fewer digits."""
    values = [row[counter] for row in case.sums]
    low = max(each for each in values if each < value)
    high = min(each for each in values if each > value)
    middle = (low + high) / 2
    digits = (float(f"{middle:.{places}g}") for places in (1, 2, 3, 4))
    return value == next((each for each in digits if low < each < high), middle)


def _names(found: Sequence[str], expected: list[str]) -> bool:
    return [*found] == expected and bool(expected)


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, system: system == f"{('two', 'eight')[case.answer.nodes > 2]}-node "
    "system",
    "answer": lambda case, gate, change, worst, law: (
        gate == case.chosen and same(change, case.mean(gate) - 1)
        and same(worst, case.worst(gate)) and law == case.law and case.other is None
    ),
    "answers": lambda case, gate, change, law, other, other_law: (
        gate == case.chosen and same(change, case.mean(gate) - 1) and law == case.law
        and same(other, case.other.mean(gate) - 1) and other_law == case.other.law != law
    ),
    "both-laws": lambda case, statements: _names(statements, case.under_both),
    "one-law": lambda case, law: case.other is None and law == case.law,
    "one-law-only": lambda case, statements: _names(statements, case.under_one),
    "simulated": lambda case, seeds, runs, applications: (
        seeds == len(case.scores[case.strictest, "Tangram"])
        and runs == len(case.gains)
        and applications == len({*case.runs.a.tolist(), *case.runs.b.tolist()})
    ),
    "strictest": lambda case, test: test == case.tests[-1],
    "faster": lambda case, share: same(share, case.admitted("oracle")),
    "rule": _rule,
    "pair": lambda case, a, b: max(
        (ratio, -number, (case.runs.applications[one], case.runs.applications[two]))
        for number, (ratio, one, two) in enumerate(zip(
            case.runs.makespan.tolist(), case.runs.a, case.runs.b, strict=True
        ))
    )[2] == (a, b),
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
    "try-rule": lambda case, **rule: case.rule_is_best and _rule(case, **rule),
    "prefer-logistic": lambda case: (
        case.mean("logistic") < case.mean("Tangram")
        and case.worst("logistic") <= case.worst("Tangram")
    ),
    "guarantee": lambda case: max(case.worst(case.chosen, test) for test in case.tests) > 1,
    "real-nodes": always,
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "admitted": lambda case, value: same(value, case.admitted(case.chosen)),
    "anywhere": lambda case, value: same(
        value, max(case.worst(case.chosen, test) for test in case.tests)
    ),
    "range": lambda case, value: all(map(same, value, (
        pick(one.makespan - 1 for one in case.scores[case.strictest, case.chosen])
        for pick in (min, max)
    ))),
    "border": lambda case, value: (*value,) == (case.most_right, len(case.gains)),
    "gains": lambda case, value: (*value,) == (sum(case.gains), len(case.gains)),
    "longest": lambda case, value: value == max(case.runs.makespan),
    "off": lambda case, value: same(value, case.off("Tangram")),
    "off_all": lambda case, value: same(value, case.off("all co-located")),
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "easy-tests": lambda case: not {"CV", "(I)"}.isdisjoint(case.tests),
    "another-better": lambda case: bool(case.another_better),
    "both-laws": lambda case: bool(case.under_both),
    "one-law": lambda case: case.other is None,
    "one-law-only": lambda case: bool(case.under_one),
    "other-side": lambda case: (
        case.other_side > 0 or (case.other is not None and case.other.other_side > 0)
    ),
    "idle": lambda case: bool(case.idle),
    "all-gain": lambda case: all(case.gains),
    "none-gain": lambda case: not any(case.gains),
    "try-rule": lambda case: case.rule_is_best and bool(case.most_right),
    "prefer-logistic": lambda case: case.logistic_is_better,
    "guarantee": lambda case: max(case.worst(case.chosen, test) for test in case.tests) > 1,
}
"""When these kinds are due: they are stated then, and only then."""
