"""What `headroom share` states, decided again by trying every choice.

Written from docs/sharing.md.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from planner.configurations.selection import Bound
from planner.configurations.sharing.own import SharingHeuristic
from planner.configurations.sharing.problem import Goal, SharedJob, SharingPlan, SharingProblem
from planner.configurations.sharing.share import Shared
from planner.configurations.sharing.study import SharingSettings, SharingStudy, study
from planner.configurations.table import table_of
from planner.errors import PlanError
from scenarios.measurements.runs import Measurements, Runs
from scenarios.remark import Remark
from solvers import Certificate, Level, Status
from tests.claims import readers_of_runs
from tests.claims.configure import TOY, Own, Row, Run, law, spoken, thrice
from tests.claims.values import always, same

_TINY = 1e-12


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer; ``certificate`` changes how sure the plan is."""

    tables: dict[str, list[Run]]
    bound: Bound
    nodes: int
    jobs: tuple[tuple[str, float], ...] = ()
    asked: SharingSettings = field(default_factory=SharingSettings)
    certificate: dict[str, Any] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()
    simulated: str = ""
    memory: bool = False
    own: tuple[SharingHeuristic, ...] = ()

    @cached_property
    def answer(self) -> SharingStudy:
        runs = {name: self._runs(name, rows) for name, rows in self.tables.items()}
        given = Measurements("folder/some.csv", "ab" * 32, runs, self.remarks, self.simulated)
        made = tuple(
            SharedJob(name, table_of(runs[name], self.asked.repetition), weight)
            for name, weight in self.wanted
        )
        problem = SharingProblem(made, self.bound, self.nodes)
        found = study(given, problem, self.asked, heuristics=self.own)
        if not self.certificate:
            return found
        old = found.plan.certificate
        assert old is not None
        weaker = replace(found.plan, certificate=replace(old, **self.certificate))
        return replace(found, shared=Shared(weaker, {}, found.shared.refused))

    def _runs(self, name: str, rows: list[Run]) -> Runs:
        n, c, p, t, w = (np.array(column) for column in zip(*rows, strict=True))
        numbers = np.array([rows[: at + 1].count(row) for at, row in enumerate(rows)])
        memory = np.zeros(len(rows)) if self.memory else None
        return Runs(name, n, c, p.astype(float), numbers, t.astype(float), w.astype(float), memory)

    @property
    def wanted(self) -> tuple[tuple[str, float], ...]:
        return self.jobs or tuple((name, 1.0) for name in self.tables)

    @property
    def bound_w(self) -> float:
        return self.bound.bound_w

    @property
    def usable_w(self) -> float:
        return round(self.bound_w * (1 - self.bound.guard), 9)

    @property
    def makespan(self) -> bool:
        return self.asked.goal == "makespan"

    @cached_property
    def choices(self) -> list[tuple[Row, ...]]:
        tables = [spoken(self.tables[name], self.asked.repetition) for name, _ in self.wanted]
        return list(itertools.product(*tables))

    def value(self, rows: Sequence[Row]) -> float:
        """The objective of a choice [s]."""
        if self.makespan:
            return max(row.time for row in rows)
        return sum(weight * row.time for (_, weight), row in zip(self.wanted, rows, strict=True))

    def least(self, *, power: bool = True, nodes: bool = True) -> float:
        """The least objective of any choice within these limits."""
        return min(
            self.value(rows) for rows in self.choices
            if (not power or sum(row.power for row in rows) <= self.usable_w * (1 + _TINY))
            and (not nodes or sum(row.key[0] for row in rows) <= self.nodes)
        )  # fmt: skip

    def rows(self, plan: SharingPlan) -> list[Row]:
        """The choices of a plan, with the times and powers of the table."""
        found = []
        for (name, _), one in zip(self.wanted, plan.configurations, strict=True):
            key = (one.nodes, one.cores_per_node, one.package_cap_w)
            table = spoken(self.tables[name], self.asked.repetition)
            found.append(next(row for row in table if row.key == key))
        return found

    @property
    def chosen(self) -> list[Row]:
        return self.rows(self.answer.plan)

    @property
    def power(self) -> float:
        return round(sum(row.power for row in self.chosen), 9)

    def repeated(self, at: int) -> list[tuple[float, float]]:
        """Time and power of every run of the choice of a job."""
        name, key = self.wanted[at][0], self.chosen[at].key
        return sorted(run[3:] for run in self.tables[name] if run[:3] == key)

    @property
    def most_w(self) -> float:
        return round(sum(max(power for _, power in self.repeated(at))
                         for at in range(len(self.wanted))), 9)  # fmt: skip

    def of_runs(self, pick: Callable[[list[float]], float]) -> float:
        """The objective if each job takes this of the times of its runs."""
        times = [pick([time for time, _ in self.repeated(at)]) for at in range(len(self.wanted))]
        return self.value([Row((0, 0, 0), time, 0) for time in times])

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(name for name, _ in self.wanted))

    def slow(self, name: str) -> list[Any]:
        return Own(self, name).slow  # type: ignore[arg-type]

    def socket(self, at: int) -> float:
        """Power of a socket of a job's choice over its cap."""
        row = self.chosen[at]
        return row.power / (row.key[0] * self.asked.sockets) / row.key[2]

    @property
    def limit(self) -> float | None:
        """The best limit that is proved for any plan."""
        plans = [self.answer.plan, *self.answer.shared.rules.values()]
        found = [plan.certificate.bound for plan in plans if plan.certificate is not None]
        known = [bound for bound in found if bound is not None]
        return max(known) if known else None

    @property
    def of_limit(self) -> Certificate:
        plans = [self.answer.plan, *self.answer.shared.rules.values()]
        return next(
            plan.certificate
            for plan in plans
            if plan.certificate is not None and plan.certificate.bound == self.limit
        )


A: list[Run] = [(2, 16, 50.0, 10.0, 30.0), (4, 16, 51.0, 6.0, 60.0), (4, 16, 52.0, 5.0, 75.0)]
B: list[Run] = [(2, 16, 50.0, 20.0, 30.0), (4, 16, 51.0, 12.0, 40.0)]
SPAN = SharingSettings("makespan")
BEST = SharingSettings(repetition="best", sockets=1)


def cases() -> Iterator[Case]:
    """Requests at the edges."""
    both = {"a": A, "b": B}
    yield Case({"a": thrice(A, (1, 1), (1.02, 1)), "b": thrice(B, (1, 1), (1.02, 1.9))},
               Bound(100.0), 6, asked=BEST)  # fmt: skip
    yield Case(both, Bound(100.0), 6, asked=SPAN)
    yield Case(
        both, Bound(200.0), 8, asked=SPAN, simulated="a law", remarks=readers_of_runs.REMARKS
    )
    yield Case(both, Bound(100.0, 0.1), 6, (("a", 2.5), ("b", 1.0), ("a", 1.0)), memory=True)
    yield Case(both, Bound(100.0), 6, own=(hesitant,))
    yield Case({"a": A, "twin": A}, Bound(60.0), 4)  # both end last, and draw as much
    yield Case({"a": A}, Bound(75.0), 4)
    yield Case({"a": A}, Bound(1e6), 4)
    yield Case({"a": thrice(A, (1, 1), (1.01, 1), (1.02, 1.5))}, Bound(35.0), 4)
    yield Case({"a": A, "tight": [(3, 16, 50.0, 8.0, 60.0)]}, Bound(100.0), 6)
    yield Case(both, Bound(80.0), 6, asked=SharingSettings(method="both", time_limit_s=60.0))
    for method in ("highs", "cbc", "reference", "greedy", "equal shares"):
        yield Case(both, Bound(100.0), 8, asked=SharingSettings(method=method, gap=0.01, seed=3))
    weak = {"bound": 15.0, "status": Status.FEASIBLE, "level": Level.PROVED}
    yield Case(both, Bound(100.0), 6, certificate=weak)
    yield Case(both, Bound(100.0), 6, asked=SPAN, certificate=weak | {"bound": 5.0})
    yield Case(both, Bound(100.0), 6, (("a", 2.5), ("b", 1.0)), certificate=weak)
    near = {"bound": 22 * (1 - 1e-7), "status": Status.OPTIMAL, "level": Level.VERIFIED}
    yield Case(both, Bound(100.0), 6, certificate=near)
    yield Case(both, Bound(100.0), 6, certificate=weak | {"bound": None})
    hot = [(2, 16, 10.0, 10.0, 90.0), (4, 16, 10.0, 6.0, 200.0)]
    yield Case({"hot": hot, "b": [(2, 16, 150.0, 20.0, 30.0)]}, Bound(300.0), 6)
    wide = thrice(A, (1, 1), (1.3, 1.5), (1.35, 1))
    yield Case({"a": wide, "b": B}, Bound(105.0), 8)
    yield Case({"a": wide, "b": B}, Bound(70.0), 8, asked=BEST)
    slow = law(1.0, (2, 4), (1.0, 1.001, 1.002))
    slow[2] = (*slow[2][:3], slow[2][3] * 1.7, slow[2][4])
    yield Case({"law": slow, "b": B}, Bound(300.0), 6)


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    tables = {f"code {k}": _random(rng) for k in range(int(rng.integers(1, 4)))}
    jobs = tuple(
        (str(rng.choice([*tables])), float(rng.choice([1.0, 1.0, 2.0, 0.5])))
        for _ in range(int(rng.integers(1, 4)))
    )
    asked = SharingSettings(
        str(rng.choice(["weighted time", "makespan"])),  # type: ignore[arg-type]
        str(rng.choice(["lagrangian", "highs"])), seed=seed,
        repetition=str(rng.choice(["best", "median", "worst"])),  # type: ignore[arg-type]
        sockets=int(rng.integers(1, 3)),
    )  # fmt: skip
    bound = Bound(float(rng.choice([200.0, 500.0, 900.0])), float(rng.choice([0.0, 0.1])))
    case = Case(tables, bound, int(rng.integers(3, 12)), jobs, asked)
    try:
        _ = case.answer
    except PlanError:
        return
    yield case


def _random(rng: np.random.Generator) -> list[Run]:
    """A small table with whole times, so that many tie, and some repetitions."""
    rows = [TOY[int(at)] for at in rng.choice(len(TOY), rng.integers(1, 6), replace=False)]
    found: list[Run] = []
    for n, c, p, _, _ in rows:
        time, power = float(rng.integers(1, 30)), float(n * rng.integers(20, 120))
        found += [
            (n, c, p, time * float(slow), power * float(rng.choice([1, 1, 1.2])))
            for slow in rng.choice([1, 1, 1.01, 1.5], rng.integers(1, 4))
        ]
    return found


def _sure(case: Case, level: str) -> bool:
    return case.limit is not None and level == case.of_limit.level.value


def _above(case: Case, above: float, level: str) -> bool:
    limit = case.limit
    right = limit is not None and same(above, max(case.value(case.chosen) / limit - 1, 1e-5))
    truly = case.value(case.chosen) <= case.least() * (1 + above) * (1 + 1e-9)
    return right and truly and _sure(case, level)


def _proved(case: Case) -> bool:
    own = case.answer.plan.certificate
    return own is not None and own.status is Status.OPTIMAL


def _headline(case: Case, kind: str, jobs: int, value: float, bound: float,
              worse: Any = None) -> bool:  # fmt: skip
    """Of exact methods the value is also the least of all choices."""
    named = "makespan" if case.makespan else "sum" if _alike(case) else "weighted"
    exact = not _proved(case) or value <= case.least() * (1 + case.asked.gap) * (1 + 1e-9)
    right = same(value, case.value(case.chosen)) and named == kind
    others = _worse(case).values()
    told = not others if worse is None else _ends_are(worse, [*others])
    return exact and right and told and (jobs, bound) == (len(case.wanted), case.bound_w)


def _ends_are(pair: Any, values: list[float]) -> bool:
    return same(pair[0], min(values)) and same(pair[1], max(values))


def _alike(case: Case) -> bool:
    return all(weight == 1 for _, weight in case.wanted)


def _place(case: Case, application: str, configuration: str) -> int:
    """The first job of an application in a configuration."""
    return next(
        at
        for at, (name, _) in enumerate(case.wanted)
        if name == application and case.chosen[at].name == configuration
    )


def _socket(case: Case, application: str, configuration: str, power: float, cap: float) -> float:
    at = _place(case, application, configuration)
    share = case.socket(at)
    return share if cap == case.chosen[at].key[2] and same(power, share * cap) else math.nan


def _over(case: Case, application: str, configuration: str, bound: float, runs: Any,
          most: float) -> bool:  # fmt: skip
    powers = [power for _, power in case.repeated(_place(case, application, configuration))]
    above = (sum(power > case.bound_w * (1 + _TINY) for power in powers), len(powers))
    return bound == case.bound_w and (*runs,) == above and most == max(powers) and above[0] > 0


def _wide(case: Case, application: str, configuration: str, times: Any) -> bool:
    ran = [time for time, _ in case.repeated(_place(case, application, configuration))]
    return (*times,) == (min(ran), max(ran)) and max(ran) > 1.2 * min(ran)


def _fits_share(case: Case, application: str) -> bool:
    """Whether an application has a configuration within an equal part of nodes and watts."""
    part, nodes = case.usable_w / len(case.wanted), case.nodes // len(case.wanted)
    rows = spoken(case.tables[application], case.asked.repetition)
    return any(row.power <= part and row.key[0] <= nodes for row in rows)


def _no_equal_share(case: Case, rule: str, application: str, nodes: int, power: float) -> bool:
    share = (case.nodes // len(case.wanted), case.usable_w / len(case.wanted))
    return (
        rule == "equal shares"
        and nodes == share[0]
        and same(power, share[1])
        and not _fits_share(case, application)
    )


def hesitant(problem: SharingProblem, goal: Goal) -> SharingPlan:
    """A heuristic that finds no plan."""
    del problem, goal
    raise PlanError("not today")


def _methods(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Whether every method has a plan or a reason."""
    expected = {"equal shares": "no-equal-share", "greedy": "no-choice", "hesitant": "not today"}
    refused = case.answer.shared.refused
    return all(
        row["reason"] == (expected[row["method"]] if row["method"] in refused else None)
        for row in rows
    )


def _draws_most(case: Case, applications: Any, share: float) -> bool:
    power: dict[str, float] = {}
    for (name, _), row in zip(case.wanted, case.chosen, strict=True):
        power[name] = power.get(name, 0.0) + row.power
    most = max(power.values())
    tied = [name for name, each in power.items() if same(each, most)]
    return [*applications] == tied and same(share, most / case.bound_w)


def _worse(case: Case) -> dict[str, float]:
    """How much more each rule takes than the plan."""
    return {name: case.value(case.rows(rule)) / case.value(case.chosen) - 1
            for name, rule in case.answer.shared.rules.items()}  # fmt: skip


def _ends(case: Case, place: int) -> tuple[float, float]:
    """The fewest and the most nodes, or cores per node, of slow runs."""
    found = [key[place] for name in case.names for key, _ in case.slow(name)]
    return min(found), max(found)


def _binding(case: Case, limits: Any) -> bool:
    if case.answer.binding_limits is None:
        return [*limits] == ["unknown"]
    if not _proved(case) or case.asked.gap > 1e-6:
        return {*limits} <= {"power", "nodes", "none"}
    least = case.least() * (1 - 1e-6)
    alone = [name for name in ("power", "nodes") if case.least(**{name: False}) < least]
    free = case.least(power=False, nodes=False) < least
    return [*limits] == (alone or (["power", "nodes"] if free else ["none"]))


def _of_cap(case: Case, value: float, pick: Callable[..., float]) -> bool:
    return same(value, pick(case.socket(at) for at in range(len(case.wanted))))


def _minimised(case: Case, minimised: str) -> bool:
    named = "sum" if _alike(case) else "weighted"
    return minimised == ("makespan" if case.makespan else named)


def _used(case: Case, share: float, bound: float, nodes: Any) -> bool:
    used = sum(row.key[0] for row in case.chosen)
    return (bound, (*nodes,)) == (case.bound_w, (used, case.nodes)) and same(
        share, case.power / case.bound_w
    )


def _rule(case: Case, slower: Any = None, most: float = 0.0, *, rule: str, worse: float,
          minimised: str) -> bool:  # fmt: skip
    """A rule of thumb, and whose jobs it makes slower, by how much at most."""
    theirs = case.rows(case.answer.shared.rules[rule])
    ratios = [one.time / own.time for one, own in zip(theirs, case.chosen, strict=True)]
    named = sorted(zip(ratios, case.wanted, strict=True), key=lambda each: -each[0])
    names = [*dict.fromkeys(name for ratio, (name, _) in named if ratio > 1)]
    return (
        same(worse, _worse(case)[rule]) and _minimised(case, minimised)
        and [*(slower or ())] == names and (slower is None) == (not names)
        and same(most, max(0.0, max(ratios) - 1))
    )  # fmt: skip


def _worst(case: Case, power: float, bound: float, makespan: float) -> bool:
    slowest = max(case.repeated(at)[-1][0] for at in range(len(case.wanted)))
    return (power, bound, makespan) == (case.most_w, case.bound_w, slowest)


def _counts(case: Case, runs: int, configurations: int) -> bool:
    return (runs, configurations) == (
        sum(len(case.tables[name]) for name in case.names),
        sum(len({run[:3] for run in case.tables[name]}) for name in case.names),
    )


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, bound, nodes, jobs: (
        (bound, nodes, jobs) == (case.bound_w, case.nodes, len(case.wanted))
    ),
    **{
        kind: partial(_headline, kind=kind.partition("-")[0]) for kind in (
            "makespan", "makespan-compared", "sum", "sum-compared", "weighted", "weighted-compared"
        )
    },
    "unknown": lambda case: case.limit is None,
    "optimal": lambda case, level: (
        _sure(case, level) and same(case.value(case.chosen), case.least())
    ),
    "nearly": lambda case, above, level: _above(case, above, level) and _proved(case),
    "not-optimal": lambda case, above, level: _above(case, above, level) and not _proved(case),
    "within-makespan": lambda case, gap: case.makespan and gap >= 1e-5 and (
        gap == max(1e-5, case.answer.plan.within_deadline.gap_relative)
    ),
    "power": lambda case, power, bound: (power, bound) == (case.power, case.bound_w),
    "binding": lambda case, limits, **values: _binding(case, limits) and _used(case, **values),
    "ends-last": lambda case, applications, makespan: (
        makespan == max(row.time for row in case.chosen)
        and [*applications] == list(dict.fromkeys(
            name for (name, _), row in zip(case.wanted, case.chosen, strict=True)
            if row.time == makespan
        ))
    ),
    "rule": _rule,
    "rule-slower": _rule,
    "variation": lambda case, most: same(most, max(
        ran[-1][0] / ran[0][0] - 1
        for at in range(len(case.wanted)) if len(ran := case.repeated(at)) > 1
    )),
    "together": always,
    "alone": always,
    "mean-power": lambda case, counts: counts == ("memory" if case.memory else "packages"),
    "worst-time": lambda case, worse, minimised, **values: (
        not case.makespan and _minimised(case, minimised) and _worst(case, **values)
        and same(worse, case.of_runs(max) / case.value(case.chosen) - 1)
    ),
    "worst-makespan": lambda case, **values: case.makespan and _worst(case, **values),
    "from-runs": lambda case, **counts: case.simulated == "" and _counts(case, **counts),
    "from-simulated": lambda case, **counts: case.simulated != "" and _counts(case, **counts),
    "of": lambda case, application, configuration: (
        case.socket(_place(case, application, configuration))
        in {pick(case.socket(at) for at in range(len(case.wanted))) for pick in (min, max)}
    ),
    "measured-once": lambda case, applications: bool(applications) and [*applications] == [
        name for name in case.names
        if len(case.tables[name]) == len({run[:3] for run in case.tables[name]})
    ],
    "over-bound": _over,
    "wide": _wide,
    "limits-nothing": lambda case, bound, most: bound == case.bound_w and most < case.usable_w
    and same(most, max(sum(row.power for row in rows) for rows in case.choices)),
    "may-exceed": lambda case, most, bound: (
        bound == case.bound_w and most == case.most_w > bound
    ),
    "socket-low": lambda case, **values: _socket(case, **values) < 0.2,
    "socket-high": lambda case, **values: _socket(case, **values) > 1.1,
    "gap": lambda case, requested: requested == case.asked.gap and not _proved(case),
    "no-plan": lambda case, rule, why: (
        hesitant in case.own and (rule, why) == ("hesitant", "not today")
    ),
    "no-choice": lambda case, rule: rule == "greedy" and rule not in case.answer.shared.rules,
    "no-equal-share": _no_equal_share,
    "slow-runs": lambda case, runs, most: (
        (*runs,) == (
            sum(len(case.slow(name)) for name in case.names),
            sum(len([other for other in case.tables[name] if other[:3] == run[:3]]) > 1
                for name in case.names for run in case.tables[name]),
        )
        and same(most, max(ratio for name in case.names for _, ratio in case.slow(name)) - 1)
    ),
    "simulated": lambda case, source: source == case.simulated != "",
    "worst": lambda case: case.most_w > case.bound_w,
    "start": lambda case: bool(case.wanted),
    "repeat": lambda case: any(len(case.repeated(at)) == 1 for at in range(len(case.wanted))),
    "draws-most": _draws_most,
    "objectives": lambda case, minimised, methods, values: (
        _minimised(case, minimised) and [*methods] == ["plan", *case.answer.shared.rules]
        and same(values[0], case.value(case.chosen))
        and all(same(value / values[0] - 1, _worse(case)[name])
                for name, value in zip(methods[1:], values[1:], strict=True))
    ),
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "slow_runs": lambda case, value: (*value,) == (
        sum(len(case.slow(name)) for name in case.names),
        sum(len([other for other in case.tables[name] if other[:3] == run[:3]]) > 1
            for name in case.names for run in case.tables[name]),
    ),
    "slow_nodes": lambda case, value: (*value,) == _ends(case, 0),
    "slow_cores": lambda case, value: (*value,) == _ends(case, 1),
    "slow_jobs": lambda case, value: [*value] == [*dict.fromkeys(
        name for (name, _), row in zip(case.wanted, case.chosen, strict=True)
        if row.key in {key for key, _ in case.slow(name)}
    )],
    "run_once": lambda case, value: [*value] == [*dict.fromkeys(
        name for at, (name, _) in enumerate(case.wanted) if len(case.repeated(at)) == 1
    )],
    "least_of_cap": lambda case, value: _of_cap(case, value, min),
    "most_of_cap": lambda case, value: _of_cap(case, value, max),
    "goal": lambda case, value: value == case.asked.goal,
    "method": lambda case, value: value == case.asked.method,
    "bound": lambda case, value: value == case.bound_w,
    "guard": lambda case, value: value == case.bound.guard,
    "repetition": lambda case, value: value == case.asked.repetition,
    "counts": lambda case, value: value == ("memory" if case.memory else "packages"),
    "sockets": lambda case, value: value == case.asked.sockets,
    "proven_limit": lambda case, value: (
        value == case.limit and value <= case.least() * (1 + 1e-9)
    ),
    "gap": lambda case, value: value == case.asked.gap,
    "time_limit": lambda case, value: value == case.asked.time_limit_s,
    "seed": lambda case, value: value == case.asked.seed,
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    **readers_of_runs.DUE,
    "wide": lambda case: any(
        case.repeated(at)[-1][0] > 1.2 * case.repeated(at)[0][0] for at in range(len(case.wanted))
    ),
    "over-bound": lambda case: any(
        power > case.bound_w * (1 + _TINY)
        for at in range(len(case.wanted)) for _, power in case.repeated(at)
    ),
    "may-exceed": lambda case: case.most_w > case.bound_w,
    "worst": lambda case: case.most_w > case.bound_w,
    "power": always,
    "ends-last": lambda case: not case.makespan,
    "slow-runs": lambda case: any(case.slow(name) for name in case.names),
    "repeat": lambda case: any(len(case.repeated(at)) == 1 for at in range(len(case.wanted))),
    "simulated": lambda case: case.simulated != "",
    "unknown": lambda case: case.limit is None,
    "no-equal-share": lambda case: case.asked.method != "equal shares" and not all(
        _fits_share(case, name) for name, _ in case.wanted
    ),
    "no-plan": lambda case: hesitant in case.own,
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""

TABLES = {"methods": _methods}
"""Whether the rows of a table are those of the case."""
