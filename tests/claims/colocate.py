"""What `headroom colocate` states of a table of pairs, decided again by trying every pairing.

Written from docs/colocate.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.util import find_spec
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from planner.errors import PlanError
from planner.sharing_nodes.pairs import colocate
from planner.sharing_nodes.pairs.groups import GroupRules
from planner.sharing_nodes.pairs.memory import NodeMemory
from planner.sharing_nodes.pairs.settings import PairingSettings
from planner.sharing_nodes.pairs.study import ColocationStudy
from scenarios.pairs.needs import MemoryKind, Need
from scenarios.pairs.pair_table import PairTable
from scenarios.remark import Remark, remark
from solvers import Certificate
from solvers.matching import solve
from tests.claims.values import always, same
from tests.planner.sharing_nodes.pairs.cases import pairings

Speeds = tuple[str, str, float, float]
"""Two applications, and the relative speed of each next to the other."""
Pair = tuple[int, int]
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer; ``certificate`` changes how sure the plan is.

    Pairs that a library finds in place of its own are ``found``.
    """

    measured: tuple[Speeds, ...]
    wanted: tuple[str, ...] = ()
    asked: PairingSettings = field(default_factory=PairingSettings)
    certificate: dict[str, Any] = field(default_factory=dict)
    most_compared: int = 0
    remarks: tuple[Remark, ...] = ()
    found: tuple[Pair, ...] | None = None
    needs: dict[MemoryKind, dict[str, Need]] = field(default_factory=dict)

    @cached_property
    def answer(self) -> ColocationStudy:
        names = tuple(dict.fromkeys(name for a, b, *_ in self.measured for name in (a, b)))
        place = {name: at for at, name in enumerate(names)}
        rows = [(place[a], place[b], x, y) if place[a] <= place[b] else (place[b], place[a], y, x)
                for a, b, x, y in self.measured]  # fmt: skip
        first, second, x, y = (np.array(column) for column in zip(*rows, strict=True))
        table = PairTable("pairs.csv", "ab" * 32, names, first, second, x, y,
                          remarks=self.remarks, needs=self.needs)  # fmt: skip
        with pytest.MonkeyPatch.context() as patch:
            if self.most_compared:
                patch.setattr(colocate, "MOST_COMPARED", self.most_compared)
            if self.found is not None:
                pairs = np.array(self.found, dtype=np.int64).reshape(-1, 2)
                patch.setattr(solve, "found_by", lambda *_: pairs)
            found = colocate.study(table, self.wanted, self.asked)
        if not self.certificate:
            return found
        certificate = replace(found.matching.certificate, **self.certificate)
        return replace(found, matching=replace(found.matching, certificate=certificate))

    @property
    def names(self) -> tuple[str, ...]:
        every = dict.fromkeys(name for a, b, *_ in self.measured for name in (a, b))
        return self.wanted or tuple(every)

    def speeds(self, pair: Pair) -> tuple[float, float] | None:
        """Mean relative speeds of both jobs; none where they were not measured."""
        a, b = (self.names[job] for job in pair)
        found = [(x, y) if (one, other) == (a, b) else (y, x)
                 for one, other, x, y in self.measured if {one, other} == {a, b}]  # fmt: skip
        if not found:
            return self.guessed(pair)
        return (math.fsum(x for x, _ in found) / len(found),
                math.fsum(y for _, y in found) / len(found))  # fmt: skip

    @cached_property
    def fit(self) -> tuple[dict[tuple[str, str], float], float] | None:
        """Predicted speeds by penalised least squares, and the error of leaving out each speed.

        The logarithm of a speed is a mean, an effect of the job and one of its partner.
        """
        rows: dict[tuple[str, str], list[float]] = {}
        for a, b, x, y in self.measured:
            rows.setdefault((a, b), []).append(x)
            rows.setdefault((b, a), []).append(y)
        names = list(dict.fromkeys(name for pair in rows for name in pair))
        if len(rows) < 3:
            return None
        logs = np.log([math.fsum(each) / len(each) for each in rows.values()])
        mean = logs.mean()
        effects = np.array([[*(name == a for name in names), *(name == b for name in names)]
                            for a, b in rows], float)  # fmt: skip
        penalty = np.eye(2 * len(names))

        def fitted(chosen: Any) -> Any:
            left = np.vstack([effects[chosen], penalty])
            return np.linalg.lstsq(left, np.append(logs[chosen] - mean, 0 * penalty[0]))[0]

        out = [logs[row] - mean - effects[row] @ fitted(np.arange(len(logs)) != row)
               for row in range(len(logs))]  # fmt: skip
        job, partner = np.split(fitted(slice(None)), 2)
        speed = {(a, b): math.exp(mean + job[i] + partner[j])
                 for i, a in enumerate(names) for j, b in enumerate(names)}  # fmt: skip
        return speed, math.sqrt(np.mean(np.square(out)))

    def guessed(self, pair: Pair) -> tuple[float, float] | None:
        """The predicted speeds, if they are asked for."""
        if not self.asked.predict or self.fit is None:
            return None
        a, b = (self.names[job] for job in pair)
        return self.fit[0][a, b], self.fit[0][b, a]

    def group(self, jobs: Sequence[int]) -> list[float]:
        """Speeds of jobs on one node: the product of those with each other one."""
        pairs = [[(self.speeds((min(a, b), max(a, b))) or (math.nan,) * 2)[a > b]
                  for b in jobs if b != a] for a in jobs]  # fmt: skip
        return [math.prod(each) for each in pairs]

    def groupings(self, jobs: Sequence[int]) -> Iterator[list[list[float]]]:
        """Every way to put jobs on nodes by the rules: speeds of each shared node."""
        if not jobs:
            yield []
            return
        asked = self.asked
        assert asked.rules is not None
        for size in range(asked.rules.size):
            for others in combinations(jobs[1:], size):
                speeds = self.group((jobs[0], *others))
                gain = sum(speeds) - 1
                good = gain > 0 and gain >= asked.least_gain - _ROUNDING
                if size and not (good and min(speeds) >= asked.least_speed - _ROUNDING
                                 and self.fits((jobs[0], *others))):  # fmt: skip
                    continue
                for rest in self.groupings([job for job in jobs[1:] if job not in others]):
                    yield [*([speeds] if size else []), *rest]

    @cached_property
    def groups_gain(self) -> float:
        """The largest gain of any, of those that earn enough if the budget is balanced."""
        assert self.asked.rules is not None
        return max(
            math.fsum(sum(node) - 1 for node in nodes)
            for nodes in self.groupings(range(len(self.names)))
            if not self.asked.rules.balanced
            or math.fsum(sum(v**2 for v in node) - 1 for node in nodes) >= -_ROUNDING
        )

    def gain(self, pairs: Sequence[Pair]) -> float:
        return math.fsum(sum(self.speeds(pair) or (math.nan,)) - 1 for pair in pairs)

    def fits(self, jobs: Sequence[int]) -> bool:
        """Whether jobs fit in each memory of a node."""
        return all(
            math.fsum(memory.needs_gb[self.names[job]] for job in jobs)
            <= memory.node_gb * (1 + _ROUNDING)
            for memory in self.asked.memories
        )

    def node_gb(self, kind: str) -> float | None:
        return next((each.node_gb for each in self.asked.memories if each.kind == kind), None)

    def keeps(self, pair: Pair) -> bool:
        return self.within(pair) and self.fits(pair)

    def within(self, pair: Pair) -> bool:
        speeds = self.speeds(pair)
        if speeds is None:
            return False
        return sum(speeds) - 1 >= self.asked.least_gain - _ROUNDING and (
            min(speeds) >= self.asked.least_speed - _ROUNDING
        )

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return self.answer.plan.pairs

    def best(self, limit: float = math.inf) -> float:
        """The largest gain of any pairing in which no job is slower than the limit."""
        jobs = range(len(self.names))
        good = {pair for pair in ((a, b) for a in jobs for b in jobs if a < b)
                if self.keeps(pair) and self.slowdown([pair]) <= limit * (1 + 1e-12)}  # fmt: skip
        return max(self.gain(pairs) for pairs in pairings(jobs) if {*pairs} <= good)

    def slowdown(self, pairs: Sequence[Pair]) -> float:
        return max((1 / min(self.speeds(pair) or (1.0,)) for pair in pairs), default=1.0)

    @cached_property
    def excluded(self) -> dict[tuple[str, ...], tuple[float, float]]:
        """Speeds of pairs of applications that gain but break a limit."""
        return {
            tuple(sorted((self.names[a], self.names[b]))): speeds
            for a, b in combinations(range(len(self.names)), 2)
            if not self.within((a, b)) and (speeds := self.speeds((a, b))) is not None
            and sum(speeds) > 1
        }  # fmt: skip

    @cached_property
    def too_large(self) -> dict[tuple[str, ...], tuple[float, float]]:
        """Speeds of pairs of applications that gain within the limits but do not fit."""
        return {
            tuple(sorted((self.names[a], self.names[b]))): speeds
            for a, b in combinations(range(len(self.names)), 2)
            if self.within((a, b)) and not self.fits((a, b))
            and (speeds := self.speeds((a, b))) is not None and sum(speeds) > 1
        }  # fmt: skip

    @property
    def left_out(self) -> int:
        return len(self.excluded)

    def first_fit(self) -> list[Pair]:
        waiting: list[int] = []
        pairs = []
        for job in range(len(self.names)):
            fitting = [other for other in waiting
                       if self.keeps((other, job)) and self.gain([(other, job)]) > 0]  # fmt: skip
            if fitting:
                waiting.remove(fitting[0])
                pairs.append((fitting[0], job))
            else:
                waiting.append(job)
        return pairs

    @property
    def draws(self) -> list[list[Pair]]:
        source = np.random.default_rng(self.asked.seed)
        found = []
        for _ in range(self.asked.draws):
            order = source.permutation(len(self.names)).tolist()
            pairs = [(min(a, b), max(a, b)) for a, b in zip(order[::2], order[1::2], strict=False)]
            found.append([pair for pair in pairs if self.keeps(pair)])
        return found

    @property
    def proof(self) -> Certificate:
        return self.answer.matching.certificate

    @property
    def predicted(self) -> int:
        known = {frozenset((a, b)) for a, b, *_ in self.measured}
        return sum(frozenset(self.names[job] for job in pair) not in known for pair in self.pairs)

    @property
    def repeated(self) -> bool:
        names = [frozenset((a, b)) for a, b, *_ in self.measured]
        return len({*names}) < len(names)

    @property
    def useful(self) -> set[float]:
        """Slowdowns of the pairs that may share and gain."""
        jobs = range(len(self.names))
        return {self.slowdown([(a, b)]) for a in jobs for b in jobs
                if a < b and self.keeps((a, b)) and self.gain([(a, b)]) > 0}  # fmt: skip

    def step(self) -> tuple[float, float] | None:
        """The largest of twelve limits below the last at which the gain still differs."""
        most = self.slowdown(self.pairs)
        limits = np.array(sorted(each for each in self.useful if each <= most * (1 + 1e-12)))
        points: list[tuple[float, float]] = []
        for place in dict.fromkeys(np.linspace(0, len(limits) - 1, 12).round().astype(int)):
            share = self.best(limits[place]) / self.gain(self.pairs)
            if not points or share > points[-1][1] + 0.0005:
                points.append((limits[place], share))
        return points[-2] if len(points) > 1 else None


FOUR: tuple[Speeds, ...] = (
    ("a", "b", 0.82, 0.95), ("a", "c", 0.73, 0.9), ("a", "d", 0.64, 0.99), ("b", "c", 0.77, 0.8),
    ("b", "d", 0.68, 0.8), ("c", "d", 0.6, 0.71),
)  # fmt: skip
FREE = PairingSettings(least_gain=0, least_speed=0)
_REPEATED = remark("pairs-repeated", pairs=(1, "pair"))


def cases() -> Iterator[Case]:
    """Tables at the edges."""
    for seed in (42, 43):  # no pair that is chosen is predicted, and one is
        yield from drawn(seed)
    yield Case(FOUR, asked=FREE)
    yield Case(FOUR, asked=replace(FREE, rules=GroupRules(size=3, balanced=True), seed=3))
    yield Case(FOUR, ("a", "b", "b", "c", "d"), PairingSettings(draws=7, share=0.5))
    yield Case((("x", "y", 0.9, 0.8),))
    yield Case((("x", "y", 0.4, 0.5),), asked=FREE)
    for node_gb in (60, 90, 110):  # no pair fits, some, all
        memory = NodeMemory(node_gb=node_gb, needs_gb={"a": 50, "b": 40, "c": 30, "d": 60})
        yield Case(FOUR, asked=replace(FREE, memories=(memory,), rules=GroupRules(size=3)))
    yield Case(FOUR, asked=replace(FREE, rules=GroupRules(size=2)))
    gpus = NodeMemory(kind="GPU memory", node_gb=80, needs_gb={"a": 80, "b": 0, "c": 40, "d": 0.5})
    yield Case(FOUR, ("a", "b", "c", "c", "d"), replace(FREE, memories=(memory, gpus)))
    need = {"a": Need(50, "pairs.csv:2")}
    yield Case(FOUR, asked=replace(FREE, memories=(gpus,)), needs={"memory": need})
    yield Case(FOUR, asked=FREE, needs={"memory": need, "GPU memory": need})
    yield Case(FOUR, asked=replace(FREE, memories=(gpus,)), needs={"GPU memory": need})
    yield Case((("x", "y", 0.9, 0.7),))  # breaks a limit
    yield Case((("cfd", "cfd", 0.6, 0.4), ("cfd", "io", 0.924, 0.9517)), ("cfd",) * 3 + ("io",))
    yield Case((("x", "y", 0.99, 0.7), ("x", "z", 0.8, 0.76)))  # x with y gains more
    yield Case((("x", "x", 0.9, 0.8), ("x", "y", 0.7, 0.9)), ("x", "x", "y", "x"), FREE)
    yield Case((*FOUR, ("b", "a", 0.9, 0.8)), asked=FREE, remarks=(_REPEATED,))
    for pairs in ((), ((0, 1), (1, 2)), ((0, 3), (1, 2)), ((0, 1), (2, 3))):
        yield Case(FOUR, asked=FREE, found=pairs)
    yield Case(FOUR, asked=FREE, most_compared=3)
    yield Case(FOUR, asked=FREE, certificate={"gap_relative": 1e-6, "bound": 1.3})
    yield Case(FOUR, asked=FREE, certificate={"gap_relative": None, "bound": None})
    yield Case((("x", "y", 0.4, 0.5),), certificate={"gap_relative": None, "bound": None})
    yield Case((*FOUR[:4], ("c", "d", 0.6, 0.71)), ("a", "b", "c", "d", "d"),
               replace(FREE, predict=True))  # fmt: skip
    yield Case((("x", "y", 0.9, 0.8), ("z", "w", 0.9, 0.8)), asked=replace(FREE, predict=True))
    yield Case((("x", "y", 0.9, 0.8), ("y", "z", 0.6, 0.8), ("x", "z", 0.9, 0.95)), ("x", "y", "z"))


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    names = [f"app {k}" for k in range(int(rng.integers(2, 6)))]
    rows = [
        (a, b, float(rng.choice([0.5, 0.7, 0.85, 0.95, 1.0])), float(rng.uniform(0.3, 1.1)))
        for at, a in enumerate(names) for b in names[at:]
        for _ in range(int(rng.choice([0, 1, 1, 2])))
    ] or [(names[0], names[1], 0.9, 0.9)]  # fmt: skip
    known = [*dict.fromkeys(name for a, b, *_ in rows for name in (a, b))]
    jobs = tuple(str(each) for each in rng.choice(known, int(rng.integers(1, 7))))
    asked = PairingSettings(
        share=float(rng.choice([0.9, 0.995])), least_gain=float(rng.choice([0, 0.05, 0.3])),
        least_speed=float(rng.choice([0, 0.5, 0.8])), draws=int(rng.integers(1, 20)),
        seed=seed, predict=bool(rng.random() < 0.3),
    )  # fmt: skip
    case = Case(tuple(rows), jobs, asked)
    try:
        _ = case.answer
    except PlanError:
        return
    yield case


def _basis(case: Case, basis: str) -> bool:
    return basis == ("predicted" if case.asked.predict else "measured")


def _within(case: Case, within: str) -> bool:
    return within == ("memory" if case.asked.memories else "limits")


def _optimal(case: Case, basis: str, within: str, gain: float) -> bool:
    right = same(gain, case.gain(case.pairs)) and math.isclose(gain, case.best(), rel_tol=1e-9)
    return right and _basis(case, basis) and _within(case, within) and bool(case.pairs)


def _near(case: Case, basis: str, within: str, gain: float, bound: float) -> bool:
    right = (
        _within(case, within) and same(gain, case.gain(case.pairs)) and bound == case.proof.bound
    )
    return right and bound >= case.best() * (1 - 1e-12) and _basis(case, basis)


def _alone(case: Case) -> list[str]:
    paired = {job for pair in case.pairs for job in pair}
    return [name for job, name in enumerate(case.names) if job not in paired]


def _shared(case: Case, nodes: int, more: float, slowdown: float) -> bool:
    """Nodes that are shared, their mean gain, and the slowest job."""
    mean = case.gain(case.pairs) / len(case.pairs)
    return (nodes == len(case.pairs) and same(more, mean)
            and same(slowdown, case.slowdown(case.pairs)))  # fmt: skip


def _slowest_pair(case: Case, a: str, b: str, slowdown: float) -> bool:
    named = {tuple(sorted(case.names[job] for job in pair))
             for pair in case.pairs if same(case.slowdown([pair]), slowdown)}  # fmt: skip
    return same(slowdown, case.slowdown(case.pairs)) and tuple(sorted((a, b))) in named


def _attractive(case: Case) -> bool:
    """Whether an excluded pair gains more than a chosen one."""
    least = min((case.gain([pair]) for pair in case.pairs), default=math.inf)
    return any(sum(speeds) - 1 > least for speeds in case.excluded.values())


def _excluded(case: Case, a: str, b: str, gain: float, speed: float, least: float) -> bool:
    speeds = case.excluded[tuple(sorted((a, b)))]
    return (
        same(gain, sum(speeds) - 1)
        and same(gain, max(map(sum, case.excluded.values())) - 1)
        and same(speed, min(speeds))
        and speed < least == case.asked.least_speed
        and _attractive(case)
    )


def _measure(case: Case, a: str, b: str, most: float) -> bool:
    """Whether such a pair at its best adds at most so much; prices of jobs are the solver's."""
    known = any({a, b} == {x, y} for x, y, *_ in case.measured)
    listed = (a, b, most) in {(p.a, p.b, p.could_add) for p in case.answer.guesses.probes}
    if known or not listed or case.fit is None:
        return False
    speed, error = case.fit
    gain = (speed[a, b] + speed[b, a]) * math.exp(error) - 1
    jobs = range(len(case.names))
    added = [
        gain + case.gain([pair for pair in pairs if pair != new]) - case.best()
        for new in combinations(jobs, 2) if {case.names[job] for job in new} == {a, b}
        for pairs in pairings(jobs)
        if new in pairs and all(case.keeps(pair) for pair in pairs if pair != new)
    ]  # fmt: skip
    return most > 0 and max(added) <= most + _ROUNDING


def _rejected(case: Case) -> str:
    """Why pairs of a library are not taken."""
    jobs = [job for pair in case.found or () for job in pair]
    if len({*jobs}) < len(jobs):
        return "not a matching"
    less = case.found is not None and case.gain(case.found) < case.best() - _ROUNDING
    return "not optimal" if less else ""


def _unused(case: Case) -> list[str]:
    """Kinds of memory that the table gives, but nobody gives for a node."""
    return [kind for kind in case.needs if case.node_gb(kind) is None]


def _all_named(found: dict[tuple[str, ...], tuple[float, float]], pairs: Sequence[str]) -> bool:
    """Whether the named pairs of applications are those found, the largest gain first."""
    gains = {frozenset(pair): sum(speeds) for pair, speeds in found.items()}
    named = [frozenset(pair.split("+")) for pair in pairs]
    return (
        {*named} == gains.keys()
        and len(named) == len(gains)
        and all(gains[one] >= gains[other] - 1e-9 for one, other in pairwise(named))
    )


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": always,
    "share": lambda case, jobs, nodes, more, slowdown: (
        jobs == (2 * len(case.pairs), len(case.names)) and _shared(case, nodes, more, slowdown)
    ),
    "share-pair": lambda case, a, b, nodes, more, slowdown: (
        {tuple(sorted(case.names[job] for job in pair)) for pair in case.pairs}
        == {tuple(sorted((a, b)))} and _shared(case, nodes, more, slowdown)
    ),
    "alone-limits": lambda case: (
        case.best() == 0 and not case.pairs and case.left_out > 0 and not case.too_large
    ),
    "alone-memory": lambda case: (
        case.best() == 0 and not case.pairs and len(case.too_large) > 0
    ),
    "alone": lambda case, basis: (
        case.best() == 0 and not case.pairs and case.left_out + len(case.too_large) == 0
        and _basis(case, basis)
    ),
    "optimal": _optimal,
    "near": _near,
    "unproved": lambda case: case.certificate.get("bound", 0) is None,
    "left-out": lambda case, pairs, gain, speed: (
        _all_named(case.excluded, pairs)
        and (gain, speed) == (case.asked.least_gain, case.asked.least_speed)
    ),
    "too-large": lambda case, pairs: _all_named(case.too_large, pairs),
    "work": lambda case, nodes, work: (
        nodes == len(case.pairs)
        and same(work, math.fsum(sum(case.speeds(p) or ()) for p in case.pairs))
    ),
    "freed": lambda case, nodes: nodes == len(case.pairs),
    "each-gains": lambda case, least: same(least, min(case.gain([pair]) for pair in case.pairs)),
    "first-fit": lambda case, gain, own, slowdown: (
        same(gain, case.gain(case.first_fit())) and same(own, case.gain(case.pairs))
        and same(slowdown, case.slowdown(case.first_fit()))
    ),
    "random-pairs": lambda case, gain, own, slowdown: (
        same(gain, math.fsum(map(case.gain, case.draws)) / len(case.draws))
        and same(own, case.gain(case.pairs)) and same(slowdown, max(map(case.slowdown, case.draws)))
    ),
    "next-limit": lambda case, limit, share: (
        (step := case.step()) is not None and 0 <= limit - step[0] < 0.001
        and limit == round(limit, 3) and same(share, step[1])
    ),
    "as-measured": always,
    "limits-kept": lambda case, gain, speed: (
        (gain, speed) == (case.asked.least_gain, case.asked.least_speed) and case.left_out == 0
    ),
    "gain-means": lambda case, gain, more: (
        gain == more and same(gain, max(
            sum(case.speeds(pair) or (1.0,)) - 1 for pair in case.pairs
        ))
    ),
    "jobs-take": lambda case, mean, most: (
        same(mean, np.mean([1 / speed for pair in case.pairs for speed in case.speeds(pair) or ()]))
        and same(most, case.slowdown(case.pairs))
    ),
    "pairs-repeated": lambda case, pairs: (
        remark("pairs-repeated", pairs=(pairs, "pair")) in case.remarks
    ),
    "rejected": lambda case, engine, why: (
        engine == ("rustworkx" if find_spec("rustworkx") else "networkx")
        and why == _rejected(case) != ""
    ),
    "predicted": lambda case, pairs, error: (
        (*pairs,) == (case.predicted, len(case.pairs))
        and case.fit is not None and same(error, math.exp(case.fit[1]) - 1)
    ),
    "too-many": lambda case, jobs, parts: (
        jobs == len(case.names) > (case.most_compared or colocate.MOST_COMPARED)
        and parts == ("bottleneck", "limits", *(("next",) if jobs > 6_000 else ()))
        and not case.answer.frontier
    ),
    "no-prediction": lambda case: case.asked.predict and case.predicted == 0,
    "groups-predicted": lambda case: case.asked.rules.size > 2,
    "memory-unused": lambda case, memories: [*memories] == _unused(case),
    "measured-once-pairs": lambda case: not case.repeated,
    "measure": _measure,
    "tell-users": lambda case: bool(case.pairs) and case.slowdown(case.pairs) > 1,
    "slower": lambda case, slowdown: same(slowdown, case.slowdown(case.pairs)),
    "alone-each": lambda case, names: (
        sorted(names) == sorted(_alone(case)) != []
        and all(case.names.count(name) == 1 for name in names)
    ),
    "compare": lambda case: case.best() > 0,
    "slowest-pair": _slowest_pair,
    "applications-alone": lambda case, names, jobs: (
        {*zip(names, jobs, strict=True)} == {*Counter(_alone(case)).items()} != set()
    ),
    "excluded": _excluded,
    "one-limit": lambda case, limit, share: (
        0 <= limit - (least := min(case.useful)) < 0.001 and limit == round(limit, 3)
        and same(share, case.best(least) / case.gain(case.pairs)) and case.step() is None
    ),
    "ways": lambda case, gain, first, random: (
        same(gain, case.gain(case.pairs)) and same(first, case.gain(case.first_fit()))
        and same(random, math.fsum(map(case.gain, case.draws)) / len(case.draws))
    ),
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "gain": lambda case, value: same(value, case.gain(case.pairs)),
    "nodes": lambda case, value: value == len(case.names) - len(case.pairs),
    "alone": lambda case, value: value == len(case.names) - 2 * len(case.pairs),
    "least_gain": lambda case, value: value == case.asked.least_gain,
    "least_speed": lambda case, value: value == case.asked.least_speed,
    "node_memory": lambda case, value: value == case.node_gb("memory"),
    "node_gpu_memory": lambda case, value: value == case.node_gb("GPU memory"),
    "share": lambda case, value: value == case.asked.share,
    "draws": lambda case, value: value == case.asked.draws,
    "seed": lambda case, value: value == case.asked.seed,
    "unmeasured": lambda case, value: value == ("predicted" if case.asked.predict else "never"),
    "size": lambda case, value: value == case.asked.rules.size,
    "balanced": lambda case, value: value is case.asked.rules.balanced,
    "solver": lambda case, value: value == case.asked.solver,
    "groups_gain": lambda case, value: math.isclose(value, case.groups_gain, rel_tol=1e-9),
    "groups_status": lambda case, value: value == "optimal",
    "jobs": lambda case, value: value == len(case.names),
    "applications": lambda case, value: value == len({*case.names}),
    "measured_pairs": lambda case, value: (
        value == len({frozenset((a, b)) for a, b, *_ in case.measured})
    ),
    "groups_gap": lambda case, value: 0 <= value == case.answer.groups.certificate.gap_relative,
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "left-out": lambda case: case.left_out > 0,
    "too-large": lambda case: len(case.too_large) > 0,
    "predicted": lambda case: case.predicted > 0,
    "groups-predicted": lambda case: case.asked.rules is not None and case.asked.rules.size > 2,
    "measured-once-pairs": lambda case: (
        bool(case.pairs) and not case.asked.predict and not case.repeated
    ),
    "memory-unused": lambda case: _unused(case) != [],
    "unproved": lambda case: case.certificate.get("bound", 0) is None,
    "pairs-repeated": lambda case: bool(case.remarks),
    "rejected": lambda case: bool(_rejected(case)),
    "compare": lambda case: case.best() > 0,
    "excluded": _attractive,
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""
