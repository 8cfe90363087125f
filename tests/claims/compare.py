"""What `headroom compare` states, judged again from the answers of made-up methods.

Written from docs/compare.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from statistics import median
from typing import Any

import numpy as np

from planner.comparison.method import (
    ComparedDecision,
    Instance,
    Method,
    MethodAnswer,
    MethodKind,
)
from planner.comparison.outcomes import compare_all
from planner.comparison.study import ComparisonStudy
from planner.errors import PlanError
from solvers import Level, Status

LEAST = ComparedDecision("Sharing a power bound among jobs", "weighted time (s)", "jobs")
MOST = ComparedDecision("Which ranks share a node", "bytes between nodes", "ranks", minimised=False)
_SAME = 1e-9


@dataclass(frozen=True)
class Given:
    """What a method answers; ``value`` none: it finds no plan."""

    value: float | None
    bound: float | None = None
    status: Status = Status.FEASIBLE
    level: Level | None = None
    broken: str = ""


@dataclass(frozen=True, eq=False)
class Case:
    """Methods with their kinds, and for each instance what each of them answers."""

    methods: tuple[tuple[str, MethodKind], ...]
    answers: dict[tuple[str, int, int | None], tuple[Given, ...]]
    decision: ComparedDecision = LEAST
    settings: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def answer(self) -> ComparisonStudy:
        instances = [
            Instance(name, size, seed, tuple(
                Method(method, kind, _asked(given))
                for (method, kind), given in zip(self.methods, row, strict=True)
            ))
            for (name, size, seed), row in self.answers.items()
        ]  # fmt: skip
        return ComparisonStudy(self.decision, compare_all(self.decision, instances), self.settings)

    @property
    def every(self) -> int:
        return len(self.answers)

    def exact(self, method: str) -> bool:
        return dict(self.methods)[method] in (MethodKind.REFERENCE, MethodKind.ENGINE)

    @property
    def heuristics(self) -> list[str]:
        return [name for name, _ in self.methods if not self.exact(name)]

    def row(self, instance: str) -> dict[str, Given]:
        key = next(key for key in self.answers if key[0] == instance)
        return {name: given for (name, _), given in
                zip(self.methods, self.answers[key], strict=True)}  # fmt: skip

    @property
    def names(self) -> list[str]:
        return [name for name, _, _ in self.answers]

    def limit(self, instance: str) -> float | None:
        """The best limit of all methods."""
        bounds = [given.bound for given in self.row(instance).values()
                  if given.bound is not None and given.value is not None
                  and given.status in (Status.OPTIMAL, Status.FEASIBLE)]  # fmt: skip
        if not bounds:
            return None
        return max(bounds) if self.decision.minimised else min(bounds)

    def solved(self, method: str, instance: str) -> bool:
        given = self.row(instance)[method]
        return given.value is not None and not given.broken

    def gap(self, method: str, instance: str) -> float | None:
        given, limit = self.row(instance)[method], self.limit(instance)
        if given.value is None or given.broken or limit is None:
            return None
        scale = abs(limit) or abs(given.value)
        gap = abs(given.value - limit) / scale if scale else 0.0
        return gap if gap > _SAME else 0.0

    def gaps(self, method: str) -> list[float]:
        found = (self.gap(method, instance) for instance in self.names)
        return [gap for gap in found if gap is not None]

    def at_limit(self, method: str) -> bool:
        return self.gaps(method) == [0.0] * self.every

    def optimal(self, method: str, level: Level | None = None) -> int:
        """On how many instances it calls its plan optimal, under a certificate of this level."""
        return sum(
            given.value is not None and not given.broken and given.status is Status.OPTIMAL
            and level in (None, given.level)
            for given in (self.row(instance)[method] for instance in self.names)
        )  # fmt: skip

    @property
    def finished(self) -> list[str]:
        return [name for name, _ in self.methods
                if self.exact(name) and self.optimal(name) == self.every]  # fmt: skip

    @property
    def proving(self) -> list[str]:
        return [name for name in self.finished if self.optimal(name, Level.PROVED) == self.every]

    @property
    def best(self) -> str | None:
        """The best heuristic that has a gap: most plans, then median, then largest gap."""
        return self.first([name for name in self.heuristics if self.gaps(name)])

    def first(self, names: list[str]) -> str | None:
        if not names:
            return None
        return min(names, key=lambda name: (
            -sum(self.solved(name, each) for each in self.names),
            median(self.gaps(name)), max(self.gaps(name)), [n for n, _ in self.methods].index(name),
        ))  # fmt: skip

    def tied(self, method: str) -> int:
        """On how many instances no method has a better plan."""
        count = 0
        for instance in self.names:
            values = [given.value for name, given in self.row(instance).items()
                      if self.solved(name, instance) and given.value is not None]  # fmt: skip
            own = self.row(instance)[method].value
            if own is None or not self.solved(method, instance):
                continue
            best = min(values) if self.decision.minimised else max(values)
            count += abs(own - best) <= _SAME * max(abs(own), abs(best))
        return count

    def contradictions(self) -> list[tuple[str, str, float, str, float]]:
        found = []
        for instance in self.names:
            for name, plan in self.row(instance).items():
                for other, proof in self.row(instance).items():
                    if not self.solved(name, instance) or plan.value is None:
                        continue
                    if (
                        proof.bound is None
                        or proof.value is None
                        or (proof.status not in (Status.OPTIMAL, Status.FEASIBLE))
                    ):
                        continue
                    over = plan.value - proof.bound
                    better = over < 0 if self.decision.minimised else over > 0
                    scale = abs(proof.bound) or abs(plan.value)
                    if better and abs(over) / scale > _SAME:
                        found.append((instance, name, plan.value, other, proof.bound))
        return found


def _asked(given: Given) -> Callable[[], MethodAnswer]:
    def ask() -> MethodAnswer:
        if given.value is None:
            raise PlanError("no room")
        broken = (given.broken,) if given.broken else ()
        return MethodAnswer(given.value, given.status, given.level, given.bound, 3, broken)

    return ask


def sure(value: float, level: Level = Level.VERIFIED) -> Given:
    """A plan that its method calls optimal."""
    return Given(value, value, Status.OPTIMAL, level)


def rule(value: float | None) -> Given:
    """What a heuristic finds."""
    return Given(value)


CBC, HIGHS = ("reference (CBC)", MethodKind.REFERENCE), ("reference (HiGHS)", MethodKind.REFERENCE)
ENGINE, GREEDY = ("engine", MethodKind.ENGINE), ("greedy", MethodKind.HEURISTIC)
OWN, ROUNDING = ("my rule", MethodKind.OWN), ("LP rounding", MethodKind.ROUNDING)


def of(*rows: tuple[Given, ...]) -> dict[tuple[str, int, int | None], tuple[Given, ...]]:
    """Instances of sizes 2, 4, ... with seeds from 0."""
    return {(f"case {k}", 2 * k + 2, k): row for k, row in enumerate(rows)}


def one(*row: Given) -> dict[tuple[str, int, int | None], tuple[Given, ...]]:
    """A single instance without a seed."""
    return {("case", 3, None): row}


def cases() -> Iterator[Case]:
    """Comparisons at the edges."""
    proved = sure(10.0, Level.PROVED)
    yield Case((CBC, HIGHS, GREEDY), one(sure(10.0), sure(10.0), rule(10.0)))
    yield Case((CBC, ENGINE, GREEDY, OWN), one(sure(10.0), proved, rule(10.0), rule(14.0)))
    yield Case((CBC, HIGHS, GREEDY), of((sure(10.0), sure(10.0), rule(12.0)),
                                        (sure(8.0), sure(8.0), rule(8.0))))  # fmt: skip
    yield Case((ENGINE, GREEDY), one(proved, rule(11.0)), settings={"scenario": "x", "nodes": 3})
    yield Case((CBC, GREEDY), one(sure(10.0), rule(11.0)))
    loose = Given(12.0, 8.0, Status.FEASIBLE, Level.VERIFIED)
    yield Case((CBC, ENGINE, GREEDY), one(loose, Given(11.0, 10.0, Status.FEASIBLE, Level.PROVED),
                                          rule(15.0)))  # fmt: skip
    yield Case((CBC, GREEDY), one(sure(12.0), rule(11.0)))
    yield Case((CBC, GREEDY), one(sure(12.0), rule(13.0)), MOST)
    yield Case((CBC, ENGINE), one(sure(12.0), Given(5.0, broken="takes 3 nodes of 2")))
    yield Case((CBC, ENGINE), one(sure(12.0), sure(12.0)))
    yield Case((CBC, GREEDY), one(Given(12.0, 20.0, Status.UNKNOWN, Level.CLAIMED), rule(13.0)))
    yield Case((CBC, GREEDY), one(rule(None), rule(None)))
    yield Case((CBC, GREEDY), of((sure(12.0), rule(12.0)), (rule(None), rule(12.0))))
    yield Case((CBC, GREEDY), of((sure(12.0), rule(12.0)), (sure(9.0), rule(None))))
    yield Case((CBC, GREEDY), of((loose, rule(9.0)), (loose, rule(None))))
    yield Case((GREEDY, OWN), one(rule(3.0), rule(4.0)))


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    methods = [each for each in (CBC, HIGHS, ENGINE, ROUNDING, GREEDY, OWN)
               if rng.random() < 0.7] or [GREEDY]  # fmt: skip
    least = bool(rng.random() < 0.7)
    rows = [_random(rng, methods, least) for _ in range(int(rng.integers(1, 5)))]
    yield Case(tuple(methods), of(*rows) if len(rows) > 1 else one(*rows[0]),
               LEAST if least else MOST)  # fmt: skip


def _random(
    rng: np.random.Generator, methods: list[tuple[str, MethodKind]], least: bool
) -> tuple[Given, ...]:
    """Whole values near 10, so that many tie; some bounds are wrong, some plans missing."""
    found = []
    sign = 1 if least else -1
    for _, kind in methods:
        value = 10.0 + sign * float(rng.integers(0, 4))
        if rng.random() < 0.1:
            found.append(rule(None))
        elif kind not in (MethodKind.REFERENCE, MethodKind.ENGINE):
            found.append(rule(value))
        elif rng.random() < 0.7:
            found.append(sure(10.0, Level.PROVED if rng.random() < 0.5 else Level.VERIFIED))
        else:
            bound = 10.0 - sign * float(rng.integers(-1, 3))
            broken = "a rule" if rng.random() < 0.2 else ""
            found.append(Given(value, bound, Status.FEASIBLE, Level.CLAIMED, broken))
    return tuple(found)


def _same(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-15)


def _judged(case: Case, method: str, judged: Any) -> bool:
    return (*judged,) == (len(case.gaps(method)), case.every)


def _best(case: Case, method: str, judged: Any) -> bool:
    """That it is the best heuristic, where not every one is at the limit."""
    level = all(case.at_limit(name) for name in case.heuristics)
    return method == case.best and not level and _judged(case, method, judged)


def _closest(case: Case, method: str, gap: float, judged: Any) -> bool:
    known = [name for name, _ in case.methods if case.gaps(name)]
    same = _same(gap, max(case.gaps(method))) and _judged(case, method, judged)
    return case.best is None and method == case.first(known) and same


def _agree(case: Case, methods: Any, instances: int) -> bool:
    """That several call every plan optimal, with the same values up to their gap."""
    same = all(
        math.isclose(case.row(each)[methods[0]].value or 0, case.row(each)[name].value or 0,
                     rel_tol=1e-6)
        for each in case.names for name in methods
    )  # fmt: skip
    return [*methods] == case.finished and len(methods) > 1 and instances == case.every and same


def _contradicts(
    case: Case, least: bool, instance: str, method: str, value: str, bound: str, other: str
) -> bool:
    found = [(i, m, f"{v:.10g}", o, f"{b:.10g}") for i, m, v, o, b in case.contradictions()]
    return case.decision.minimised == least and (instance, method, value, other, bound) in found


def _where(case: Case, method: str, instance: str) -> bool:
    worst = max(gap for name in case.heuristics for gap in case.gaps(name))
    return method in case.heuristics and case.gap(method, instance) == worst


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, decision: decision == case.decision.title,
    "all-at-limit": lambda case, instances: (
        instances == case.every and all(case.at_limit(name) for name in case.heuristics)
        and bool(case.heuristics)
    ),
    "best-at-limit": lambda case, method, judged: (
        _best(case, method, judged) and max(case.gaps(method)) == 0
    ),
    "best-heuristic": lambda case, method, gap, judged: (
        _best(case, method, judged) and _same(gap, max(case.gaps(method))) and gap > 0
    ),
    "best-method": _closest,
    "no-limit": lambda case: (
        not any(case.gaps(name) for name, _ in case.methods)
        and any(case.solved(name, each) for name, _ in case.methods for each in case.names)
    ),
    "no-plan": lambda case: not any(
        case.solved(name, each) for name, _ in case.methods for each in case.names
    ),
    "at-odds": lambda case, part: (*part,) == (
        len({each[0] for each in case.contradictions()}), case.every
    ) and part[0] > 0,
    "agree-proved": lambda case, methods, instances, proving: (
        _agree(case, methods, instances) and [*proving] == case.proving and bool(proving)
    ),
    "agree": lambda case, methods, instances: (
        _agree(case, methods, instances) and not case.proving
    ),
    "alone-proved": lambda case, method: [method] == case.finished == case.proving,
    "alone": lambda case, method: [method] == case.finished and not case.proving,
    "none-optimal": lambda case: not case.finished,
    "sizes": lambda case, sizes: (*sizes,) == (
        min(size for _, size, _ in case.answers), max(size for _, size, _ in case.answers)
    ) and all(seed is None for _, _, seed in case.answers),
    "sizes-seeds": lambda case, sizes, seeds: (*sizes, *seeds) == (
        min(size for _, size, _ in case.answers), max(size for _, size, _ in case.answers),
        min(seed or 0 for _, _, seed in case.answers),
        max(seed or 0 for _, _, seed in case.answers),
    ),
    "where": _where,
    "by": lambda case, method: case.gaps(method) != [] and case.tied(method) == max(
        case.tied(name) for name in case.heuristics if case.gaps(name)
    ),
    "below-bound": lambda case, **values: _contradicts(case, True, **values),
    "above-bound": lambda case, **values: _contradicts(case, False, **values),
    "broken": lambda case, instance, method, why: (
        case.exact(method) and case.row(instance)[method].broken == why
    ),
    "one-instance": lambda case: case.every == 1,
    "report": lambda case: bool(case.contradictions()),
    "use-heuristic": lambda case, method: method == case.best and case.at_limit(method),
    "use-proved": lambda case, method: method == case.proving[0],
    "use-optimal": lambda case, method: method == case.finished[0] and not case.proving,
    "more-time": lambda case: not case.finished and case.best is not None and any(
        all(case.gap(name, each) != 0 and (
            given.status is not Status.OPTIMAL or case.gap(name, each) is None
        ) for name, given in case.row(each).items())
        for each in case.names
    ),
    "off": lambda case, methods: {*methods} == {
        name for name, _ in case.methods if max(case.gaps(name), default=0) > 0
    } and len({*methods}) == len(methods),
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""


def _optimal_on(case: Case, level: Level | None = None) -> int:
    return sum(
        any(given.status is Status.OPTIMAL and level in (None, given.level) and not given.broken
            and given.value is not None for given in case.row(each).values())
        for each in case.names
    )  # fmt: skip


FACTS: dict[str, Claim] = {
    "instances": lambda case, value: value == case.every,
    "at_limit": lambda case, value: {*value} == {
        name for name in case.heuristics if case.at_limit(name)
    } and len({*value}) == len(value),
    "largest_gap": lambda case, value: _same(
        value, max(gap for name in case.heuristics for gap in case.gaps(name))
    ),
    "best_plan": lambda case, value: (*value,) == (
        max(case.tied(name) for name in case.heuristics if case.gaps(name)), case.every
    ),
    "optimal": lambda case, value: (*value,) == (_optimal_on(case), case.every),
    "proved": lambda case, value: (*value,) == (_optimal_on(case, Level.PROVED), case.every),
    "minimised": lambda case, value: case.decision.minimised and value == case.decision.objective,
    "maximised": lambda case, value: (
        not case.decision.minimised and value == case.decision.objective
    ),
    "scenario": lambda case, value: value == case.settings["scenario"],
    "nodes": lambda case, value: value == str(case.settings["nodes"]),
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "below-bound": lambda case: bool(case.contradictions()) and case.decision.minimised,
    "above-bound": lambda case: bool(case.contradictions()) and not case.decision.minimised,
    "at-odds": lambda case: bool(case.contradictions()),
    "broken": lambda case: any(
        given.broken and case.exact(name)
        for instance in case.names for name, given in case.row(instance).items()
    ),
    "one-instance": lambda case: case.every == 1,
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""
FACTS_NEVER_HERE = {
    "gap", "node limit", "power bound (W)", "programs", "ranks per node", "seeds", "time limit (s)"
}  # fmt: skip
"""Settings, which a study repeats as they were given; cases here have none."""
