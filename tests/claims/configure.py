"""What `headroom configure` states, decided again from the runs, one by one.

Written from docs/configure.md and sections 3 and 4.2 of the overprovisioning thesis.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from statistics import fmean, median
from typing import Any

import numpy as np

from planner.configurations.best_configuration import ConfigurationAnswer, Question
from planner.configurations.prediction.log_polynomial import LogPolynomial
from planner.configurations.prediction.predicted import Grid
from planner.configurations.prediction.study import PredictionStudy
from planner.configurations.provisioning import NodeMaximum
from planner.configurations.selection import Bound
from planner.configurations.study import ConfigurationStudy, study
from planner.errors import PlanError
from scenarios.measurements.runs import Measurements, Runs
from scenarios.remark import Remark
from tests.claims import readers_of_runs
from tests.claims.values import always, same

Run = tuple[int, int, float, float, float]
"""Nodes, cores per node, cap [W], time [s], power of all packages [W]."""
Key = tuple[int, int, float]
_TINY = 1e-12


@dataclass(frozen=True)
class Row:
    """A configuration as it counts."""

    key: Key
    time: float
    power: float
    predicted: bool = False

    @property
    def name(self) -> str:
        nodes, cores, cap = self.key
        return f"({nodes} x {cores}, {cap:g} W)"

    @property
    def rank(self) -> tuple[Any, ...]:
        """The fastest first; of equal ones the one of least power, then the smallest."""
        return self.time, self.power, self.key


def spoken(runs: list[Run], repetition: str) -> list[Row]:
    """Each configuration by the run that represents it."""
    found = []
    for key in sorted({run[:3] for run in runs}):
        own = sorted(run[3:] for run in runs if run[:3] == key)
        time, power = {"best": own[0], "median": own[len(own) // 2]}.get(
            repetition, (max(t for t, _ in own), max(w for _, w in own))
        )
        found.append(Row(key, time, power))
    return found


@dataclass(frozen=True)
class Own:
    """One application of a request."""

    case: Case
    name: str

    @property
    def runs(self) -> list[Run]:
        return self.case.tables[self.name]

    @cached_property
    def rows(self) -> list[Row]:
        measured = spoken(self.runs, self.case.asked.repetition)
        if self.case.grid is None:
            return measured
        ran = {row.key: row for row in measured}
        table = self.product.table  # times and powers of predictions are the model's
        every = [table.row(index) for index in range(len(table))]
        return [
            ran.get((one.nodes, one.cores_per_node, one.package_cap_w))
            or Row(
                (one.nodes, one.cores_per_node, one.package_cap_w), one.time_s, one.power_w, True
            )
            for one in every
        ]

    @property
    def product(self) -> ConfigurationAnswer:
        return next(a for a in self.case.answer.answers if a.application == self.name)

    def charged(self, row: Row) -> float:
        return row.power / (1 - self.case.asked.prediction_guard) if row.predicted else row.power

    def fits(self, row: Row, bound_w: float) -> bool:
        usable = round(bound_w * (1 - self.case.asked.bound.guard), 9)
        return self.charged(row) <= usable * (1 + _TINY)

    def inside(self, bound_w: float | None = None) -> list[Row]:
        bound_w = self.case.bound_w if bound_w is None else bound_w
        return sorted((row for row in self.rows if self.fits(row, bound_w)), key=lambda r: r.rank)

    @property
    def best(self) -> Row:
        return self.inside()[0]

    def grown(self, cores: int, cap: float, bound_w: float) -> Row | None:
        """Node by node, until a count would draw more than the bound."""
        last = None
        for row in (row for row in self.rows if row.key[1:] == (cores, cap)):
            if not self.fits(row, bound_w):
                break
            last = row
        return last

    def rule(self, name: str, bound_w: float | None = None) -> Row | None:
        bound_w = self.case.bound_w if bound_w is None else bound_w
        cores, caps = [row.key[1] for row in self.rows], [row.key[2] for row in self.rows]
        if name.startswith("worst"):
            usable = Fraction(str(round(bound_w * (1 - self.case.asked.bound.guard), 9)))
            node = self.case.asked.node
            rated = node.sockets * (Fraction(str(node.tdp_w)) + Fraction(str(node.dram_max_w)))
            fitting = [
                row
                for row in self.rows
                if row.key[1:] == (max(cores), max(caps)) and row.key[0] <= usable // rated
            ]
            return fitting[-1] if fitting else None
        packed, top = name.startswith("packed"), name.endswith("max")
        return self.grown(
            max(cores) if packed else min(cores), max(caps) if top else min(caps), bound_w
        )

    def why_no(self, rule: str) -> str:
        """Why a rule that has no configuration has none."""
        if rule.startswith("worst"):
            every = {row.key[1:] for row in self.rows}
            known = (max(cores for cores, _ in every), max(cap for _, cap in every)) in every
            return "over-rating" if known else "not-measured"
        return "over-bound" if self.rule(rule, math.inf) else "not-measured"

    def speedup(self, name: str, bound_w: float | None = None) -> float | None:
        """Of the best over a common choice."""
        other, inside = self.rule(name, bound_w), self.inside(bound_w)
        return None if other is None else other.time / inside[0].time

    @property
    def curve(self) -> dict[int, float]:
        """Best time on at most so many nodes."""
        found: dict[int, float] = {}
        least = math.inf
        for nodes in sorted({row.key[0] for row in self.inside()}):
            least = min(least, *(row.time for row in self.inside() if row.key[0] == nodes))
            found[nodes] = least
        return found

    def repeated(self, row: Row) -> list[tuple[float, float]]:
        return sorted(run[3:] for run in self.runs if run[:3] == row.key)

    def unsteady(self, row: Row | None) -> bool:
        own = self.repeated(row) if row is not None else []
        return bool(own) and own[-1][0] > 1.2 * own[0][0]

    @property
    def chosen(self) -> Row:
        name = self.case.asked.method
        if name in ("engine", "reference"):
            return self.best
        other = self.rule(name)
        assert other is not None
        return other

    @property
    def slow(self) -> list[tuple[Key, float]]:
        """Slow runs: beyond the first gap wider than usual; each with time over the best."""
        groups: dict[Key, list[float]] = {}
        for run in self.runs:
            groups.setdefault(run[:3], []).append(run[3])
        logs = [
            (key, math.log(time / min(times)))
            for key, times in groups.items()
            if len(times) > 1
            for time in times
        ]
        if not logs:
            return []
        second = [
            math.log(sorted(times)[1] / min(times)) for times in groups.values() if len(times) > 1
        ]
        middle = median(second)
        usual = max(
            math.log(1.05), middle + 6 * 1.4826 * median(abs(each - middle) for each in second)
        )
        steps = sorted(each for _, each in logs)
        gap = next((low for low, high in pairwise(steps) if high - low > usual), math.inf)
        return [(key, math.exp(each)) for key, each in logs if each > gap]

    @property
    def widths(self) -> list[float]:
        """Slowest over fastest run, less 1, of each configuration that was repeated."""
        own = [self.repeated(Row(key, 0, 0)) for key in sorted({run[:3] for run in self.runs})]
        return [times[-1][0] / times[0][0] - 1 for times in own if len(times) > 1]

    @property
    def socket(self) -> float | None:
        """Power of a socket of the chosen one over its cap."""
        own = [
            row
            for row in spoken(self.runs, self.case.asked.repetition)
            if row.key == self.chosen.key
        ]
        if not own or self.chosen.predicted:
            return None
        nodes, _, cap = self.chosen.key
        return own[0].power / (nodes * self.case.asked.node.sockets) / cap

    def lines(self) -> list[tuple[float, int, int, float, float]]:
        """Bound, node counts at the ends, slope and intercept of the line at each round bound."""
        found = []
        first = self.rated_nodes + 1
        counts = sorted({row.key[0] for row in self.rows})
        for at_bound in self.product.at_bounds:
            bound_w = at_bound.bound_w
            best: dict[int, float] = {}
            for row in self.inside(bound_w):
                best.setdefault(row.key[0], row.time)
            points = sorted((n, t) for n, t in best.items() if n >= first)
            if len(points) < 2:
                continue
            low, high = points[0][0], points[-1][0]
            if sum(low <= n <= high for n in counts) > 2:
                slope, intercept = np.polyfit([n for n, _ in points], [t for _, t in points], 1)
                found.append((bound_w, low, high, float(slope), float(intercept)))
        ends = Counter(line[1:3] for line in found)
        if not ends:
            return []
        most = max(ends, key=lambda pair: (ends[pair], pair[1] - pair[0]))
        return [line for line in found if line[1:3] == most]

    @property
    def rated_nodes(self) -> int:
        usable = Fraction(str(round(self.case.bound_w * (1 - self.case.asked.bound.guard), 9)))
        node = self.case.asked.node
        rated = node.sockets * (Fraction(str(node.tdp_w)) + Fraction(str(node.dram_max_w)))
        return int(usable // rated)


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    tables: dict[str, list[Run]]
    asked: Question
    grid: Grid | None = None
    weights: dict[str, float] = field(default_factory=dict)
    simulated: str = ""
    remarks: tuple[Remark, ...] = ()
    seeds: tuple[int, ...] = ()
    memory: bool = False

    @cached_property
    def answer(self) -> ConfigurationStudy:
        runs = {name: self._runs(name, rows) for name, rows in self.tables.items()}
        given = Measurements("folder/some.csv", "ab" * 32, runs, self.remarks, self.simulated)
        model = None if self.grid is None else LogPolynomial()
        found = study(given, self.asked, weights=self.weights, model=model, grid=self.grid)
        if self.seeds:
            found = replace(found, prediction=PredictionStudy((), (), (), (), self.seeds, (1,)))
        return found

    def _runs(self, name: str, rows: list[Run]) -> Runs:
        seen: Counter[Key] = Counter()
        numbers = []
        for row in rows:
            seen[row[:3]] += 1
            numbers.append(seen[row[:3]])
        n, c, p, t, w = (np.array(column) for column in zip(*rows, strict=True))
        memory = np.zeros(len(rows)) if self.memory else None
        return Runs(
            name, n, c, p.astype(float), np.array(numbers), t.astype(float), w.astype(float), memory
        )

    @property
    def bound_w(self) -> float:
        return self.asked.bound.bound_w

    @cached_property
    def own(self) -> list[Own]:
        return [Own(self, answer.application) for answer in self.answer.answers]

    def of(self, name: str) -> Own:
        return next(own for own in self.own if own.name == name)

    @property
    def first(self) -> Own:
        return self.own[0]

    @property
    def curve(self) -> dict[int, float]:
        """Of the only application, or of the mix."""
        if len(self.own) == 1:
            return self.first.curve
        shares = [self.weights.get(own.name, 1.0) for own in self.own]
        start = max(min(own.curve) for own in self.own)
        found = {}
        for nodes in sorted({n for own in self.own for n in own.curve if n >= start}):
            total = 0.0
            for own, share in zip(self.own, shares, strict=True):
                at = max(n for n in own.curve if n <= nodes)
                base = max(n for n in own.curve if n <= start)
                total += share / sum(shares) * math.log(own.curve[at] / own.curve[base])
            found[nodes] = math.exp(total)
        return found

    @property
    def fastest_nodes(self) -> int:
        least = min(self.curve.values())
        return min(nodes for nodes, time in self.curve.items() if time == least)

    def knee(self, curve: dict[int, float]) -> int:
        least = self.asked.least_gain
        for nodes, time in curve.items():
            larger = [(n, t) for n, t in curve.items() if n > nodes]
            if larger and all(1 - t / time < least * (n - nodes) - 1e-13 for n, t in larger):
                return nodes
        return min(n for n, t in curve.items() if t == min(curve.values()))

    @property
    def predicted(self) -> list[Row]:
        return [row for own in self.own for row in own.rows if row.predicted]

    def known(self, name: str) -> list[float]:
        found = (own.speedup(name) for own in self.own)
        return [speedup for speedup in found if speedup is not None]


def law(scale: float, counts: tuple[int, ...] = (2, 4, 8, 16), slower: tuple[float, ...] = (1.0,),
        caps: tuple[float, ...] = (51.0, 80.0, 115.0)) -> list[Run]:  # fmt: skip
    """Memory-bound: time falls with nodes, hardly with cores."""
    return [
        (n, c, p, scale * (300 / (n * c**0.3 * p**0.4) + 1) * by, n * min(2 * p, 30.0 + 6 * c))
        for n in counts for c in (4, 8, 16) for p in caps for by in slower
    ]  # fmt: skip


TOY: list[Run] = [
    (2, 4, 50.0, 40.0, 150.0), (2, 8, 50.0, 30.0, 190.0), (2, 4, 100.0, 35.0, 160.0),
    (2, 8, 100.0, 20.0, 300.0), (4, 4, 50.0, 22.0, 300.0), (4, 8, 50.0, 16.0, 380.0),
    (4, 4, 100.0, 21.0, 320.0), (4, 8, 100.0, 11.0, 600.0),
]  # fmt: skip
NODE = NodeMaximum(1, 150.0, 0.0)


def ask(bound_w: float = 400.0, guard: float = 0.0, **more: Any) -> Question:
    more.setdefault("node", NODE)
    return Question(bound=Bound(bound_w, guard), **more)


def thrice(rows: list[Run], *factors: tuple[float, float]) -> list[Run]:
    """Each run once for each factor of its time and its power."""
    return [(n, c, p, t * slow, w * more) for n, c, p, t, w in rows for slow, more in factors]


def cases() -> Iterator[Case]:
    """Requests at the edges."""
    yield from drawn(5)  # gains little more
    varied = thrice(TOY, (1.1, 1.0), (1.0, 1.0), (0.95, 1.0))
    yield Case({"toy": varied}, ask(fixed_cost_nodes=10.0))
    yield Case({"toy": TOY}, ask(305.0, repetition="best"), simulated="a law")  # packed-max is best
    yield Case({"toy": [(2, 4, 50.0, 10.0, 150.0), (2, 8, 100.0, 10.0, 300.0)]}, ask(310.0))
    yield Case({"toy": [(2, 4, 50.0, 40.0, 150.0), (2, 8, 100.0, 20.0, 500.0)]}, ask(310.0))
    yield Case({"one": TOY[:1]}, ask(310.0))
    yield Case({"toy": TOY}, ask(590.0, node=NodeMaximum(1, 60.0, 0.0)))  # rated: above the bound
    yield Case({"few packed": [TOY[3], TOY[4]]}, ask(1000.0))  # packed-max at 2 nodes only
    yield Case({"toy": varied}, ask(method="spread-max"))
    yield Case({"toy": TOY, "twin": TOY}, ask(305.0))
    none = [(2, 4, 50.0, 40.0, 150.0), (2, 8, 100.0, 20.0, 500.0)]
    yield Case({"a": none, "b": none, "no room": [(8, 8, 100.0, 1.0, 900.0)]}, ask(310.0))
    yield Case(
        {"toy": varied, "law": law(1.0, slower=(1.02, 1.0)), "flat": law(2.0, (2,))},
        ask(),
        weights={"law": 3.0},
        remarks=readers_of_runs.REMARKS,
    )
    heavy = [(2, 4, 50.0, 40.0, 150.0), (2, 8, 100.0, 20.0, 500.0)]
    yield Case({"toy": TOY, "heavy": heavy}, ask(method="packed-max"))
    light = [(8, 4, 50.0, 40.0, 150.0), (8, 8, 100.0, 20.0, 500.0)]
    yield Case({"toy": TOY, "light": light}, ask(method="worst-case"))
    heaviest = [(2, 8, 50.0, 40.0, 999.55), (2, 8, 100.0, 20.0, 999.55)]
    yield Case({"toy": TOY, "heaviest": heaviest}, ask(guard=0.03))
    for method in ("packed-max", "worst-case", "reference"):
        yield Case({"toy": TOY}, ask(method=method))
    yield Case({"toy": TOY}, ask(305.0, method="packed-max"))
    yield Case({"toy": TOY}, ask(method="reference", solver="both"))
    yield Case({"toy": TOY, "law": law(1.0)}, ask(method="packed-max"))
    yield Case({"toy": TOY, "twin": TOY}, ask(305.0, method="packed-max"))
    wide = thrice(TOY, (1.0, 1.0), (1.3, 1.2), (1.35, 1.0))
    yield Case({"toy": wide}, ask(385.0, repetition="best"))
    yield Case({"toy": wide, "other": law(1.0)}, ask(385.0))
    yield Case({"toy": wide}, ask(385.0, method="packed-max", repetition="best"))
    yield Case({"toy": TOY}, ask(600.0, node=NodeMaximum(1, 60.0, 0.0)))  # ratings too low
    yield Case({"toy": TOY}, ask(700.0, node=NodeMaximum(2, 150.0, 30.0)), memory=True)
    low = [(n, c, p, t, w / 20) for n, c, p, t, w in TOY]
    yield Case({"toy": low}, ask(100.0, node=NodeMaximum(2, 100.0, 0.0)))
    slow = law(1.0, (2, 4, 8), (1.0, 1.001, 1.002))
    slow[2] = (*slow[2][:3], slow[2][3] * 1.7, slow[2][4])
    inside = [
        (*run[:3], run[3] * (1.6 if number == 80 else 1.0), run[4])
        for number, run in enumerate(slow)
    ]
    yield Case({"law": inside}, ask(5000.0))
    yield Case({"law": slow, "other": law(2.0)}, ask(900.0))
    yield Case({"law": law(1.0)}, ask(3000.0, node=NodeMaximum(1, 250.0, 0.0)))
    yield Case({"law": law(1.0, (2, 4, 8, 16, 32))}, ask(3000.0, node=NodeMaximum(1, 900.0, 0.0)))
    steep = [(n, 8, 100.0, 30.0 * 2 ** (8 / n), 100.0 * n) for n in (2, 3, 4, 6, 8)]
    yield Case({"steep": steep}, ask(800.0, node=NodeMaximum(1, 700.0, 0.0)))
    grid = Grid((2, 4, 6, 8, 24), (), (60.0, 80.0))
    yield Case({"law": law(1.0)}, ask(900.0, prediction_guard=0.03), grid)
    yield Case({"law": law(1.0)}, ask(900.0), Grid((2, 4, 8)), seeds=(3, 4))
    yield Case({"law": law(1.0), "toy": TOY}, ask(900.0), Grid((2, 4, 8)))
    yield Case({"law": law(1.0)}, ask(900.0, 0.05), Grid((3, 5, 7)))
    yield Case({"law": law(1.0)}, ask(900.0), Grid((3, 5, 7), (), (60.0,)))
    rng = np.random.default_rng(1)
    noisy = [(n, c, p, t * math.exp(rng.normal(0, 0.6)), w) for n, c, p, t, w in law(1.0)]
    yield Case({"noisy": noisy, "law": law(2.0)}, ask(900.0), Grid((2, 3)))
    yield Case({"a": law(1.0), "b": law(2.0)}, ask(900.0), Grid((2, 3, 8)))
    yield Case({"mean zero": _crossing()}, ask(900.0, node=NodeMaximum(1, 800.0, 0.0)))


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    tables = {f"code {k}": _random(rng) for k in range(int(rng.integers(1, 4)))}
    question = ask(
        float(rng.choice([200.0, 400.0, 1000.0, 3000.0])), float(rng.choice([0.0, 0.1])),
        repetition=str(rng.choice(["best", "median", "worst"])),
        tolerance=float(rng.choice([0.0, 0.05, 0.4])),
        fixed_cost_nodes=None if rng.random() < 0.5 else float(rng.integers(0, 20)),
        node=NodeMaximum(int(rng.integers(1, 3)), float(rng.choice([60.0, 115.0])), 20.0),
    )  # fmt: skip
    case = Case(tables, question, seeds=(seed,))
    try:
        _ = case.answer
    except PlanError:
        return
    yield case


def _random(rng: np.random.Generator) -> list[Run]:
    """A small table with whole times, so that many tie, and some repetitions."""
    rows: list[Run] = []
    for n in rng.choice([1, 2, 3, 4, 8], rng.integers(1, 4), replace=False):
        for c in (4, 8):
            for p in (50.0, 100.0):
                if rng.random() < 0.8:
                    time, power = float(rng.integers(1, 30)), float(n * rng.integers(40, 200))
                    rows += [
                        (int(n), c, p, time * float(slow), power * float(rng.choice([1, 1, 1.2])))
                        for slow in rng.choice([1, 1, 1.01, 1.5], rng.integers(1, 4))
                    ]
    return rows or [(1, 4, 50.0, 3.0, 90.0)]


def _crossing() -> list[Run]:
    """Time falls under a high bound and rises under a low one: slopes have a mean near 0."""
    low = [(n, 4, 50.0, 20.0 + n, 10.0 * n) for n in (2, 4, 8)]
    return [*low, *((n, 8, 100.0, 21.0 - n, 100.0 * n) for n in (2, 4, 8))]


def _ends(pair: Any, values: list[float]) -> bool:
    return same(pair[0], min(values)) and same(pair[1], max(values))


def _headline(case: Case, bound: float, application: str, best: str, time: float) -> bool:
    own = case.of(application)
    exact = len(case.own) == 1 and case.asked.method in ("engine", "reference")
    return exact and (bound, best, time) == (case.bound_w, own.best.name, own.best.time)


def _by_rule(case: Case, bound: float, application: str, rule: str, chosen: str,
             time: float, slower: float) -> bool:  # fmt: skip
    own = case.of(application)
    return (
        (bound, rule, len(case.own)) == (case.bound_w, case.asked.method, 1)
        and (chosen, time) == (own.chosen.name, own.chosen.time)
        and same(slower, own.chosen.time / own.best.time)
    )


def _of_many(case: Case, bound: float, rule: str = "") -> bool:
    method = "" if case.asked.method in ("engine", "reference") else case.asked.method
    return bound == case.bound_w and rule == method and len(case.own) > 1


def _fitting(case: Case, fitting: Any) -> bool:
    return (*fitting,) == (len(case.known("packed-max")), len(case.own))


def _gain_of_many(case: Case, bound: float, fitting: Any, speedups: Any) -> bool:
    """By how much the best are faster than packed-max: where this is certain, else where known."""
    known = case.known("packed-max")
    sure = [
        speedup
        for own in case.own
        if (speedup := own.speedup("packed-max")) is not None
        and not own.unsteady(own.rule("packed-max"))
    ]
    stated = sure if max(sure, default=0) > 1 else known
    part = (*fitting,) == (len(stated), len(case.own))
    return _of_many(case, bound) and part and max(known) > 1 and _ends(speedups, stated)


def _best_on(case: Case, nodes: Any, cores: Any) -> bool:
    """The smallest and the largest best configuration."""
    keys = [own.best.key for own in case.own]
    return all(
        (*stated,) == (min(key[at] for key in keys), max(key[at] for key in keys))
        for at, stated in enumerate((nodes, cores))
    )


def _slowest(case: Case) -> float:
    return max(own.chosen.time / own.best.time for own in case.own)


def _row(case: Case, application: str, configuration: str) -> tuple[Own, Row]:
    own = case.of(application)
    return own, next(row for row in own.rows if row.name == configuration)


def _socket(case: Case, application: str, configuration: str, power: float, cap: float) -> float:
    """The power of a socket over its cap; not a number if a value is not that of the request."""
    own = case.of(application)
    share = own.socket
    right = share is not None and own.chosen.name == configuration and cap == own.chosen.key[2]
    return share if right and share is not None and same(power, share * cap) else math.nan


def _over(case: Case, application: str, configuration: str, bound: float, runs: Any,
          most: float) -> bool:  # fmt: skip
    own, row = _row(case, application, configuration)
    powers = [power for _, power in own.repeated(row)]
    usable = case.bound_w * (1 + _TINY)
    above = (sum(power > usable for power in powers), len(powers))
    chosen = configuration in (own.best.name, own.chosen.name)
    return chosen and bound == case.bound_w and (*runs,) == above and most == max(powers)


def _wide(case: Case, application: str, configuration: str, times: Any) -> bool:
    own, row = _row(case, application, configuration)
    ran = [time for time, _ in own.repeated(row)]
    return (*times,) == (min(ran), max(ran)) and max(ran) > 1.2 * min(ran)


def _unsure(case: Case, application: str, configuration: str, choice: str, times: Any) -> bool:
    own = case.of(application)
    if choice not in ("packed-max", "worst case by rating"):
        return False
    other = own.rule(choice)
    same = other is not None and other.name == configuration and other.key != own.best.key
    return same and _wide(case, application, configuration, times)


def _largest(case: Case, *, pays: bool) -> list[str]:
    """Applications whose best has the most nodes of the table, and whether these still pay.

    They pay if the last step saves enough for each node, and from no count on nodes save less.
    """
    found = []
    for own in case.own:
        most = max(row.key[0] for row in own.rows)
        if own.best.key[0] != most or len(own.curve) == 1:
            continue
        (low, before), (high, after) = [*own.curve.items()][-2:]
        step = 1 - after / before >= case.asked.least_gain * (high - low) - 1e-13
        still = case.knee(own.curve) == high
        assert step or not still
        found += [own.name] if still == pays else []
    return found


def _misfit(case: Case, application: str, model: str, time: float, power: float) -> bool:
    own = case.of(application)
    measured = spoken(own.runs, case.asked.repetition)
    runs = case._runs(own.name, [(*row.key, row.time, row.power) for row in measured])
    fitted = LogPolynomial().fit(runs)
    told = fitted.predict(runs.nodes, runs.cores_per_node, runs.package_cap_w)
    times = median(abs(t / row.time - 1) for t, row in zip(told.time_s, measured, strict=True))
    powers = median(abs(w / row.power - 1) for w, row in zip(told.power_w, measured, strict=True))
    return (
        model == "log-polynomial"
        and same(time, times)
        and same(power, powers)
        and (max(times, powers) > 0.1)
    )


def _beyond(case: Case, application: str, axis: str, grid: Any, measured: Any) -> bool:
    own = case.of(application)
    place = ("nodes", "cores", "caps").index(axis)
    ran = [run[place] for run in own.runs]
    asked = [row.key[place] for row in own.rows]
    outside = min(asked) < min(ran) or max(asked) > max(ran)
    return outside and _ends(grid, asked) and _ends(measured, ran)


def _speedups(case: Case, speedups: Any) -> bool:
    drawn = [
        (row["application"], row["bound_w"], row["speedup"])
        for row in case.answer.study.rows("gains drawn")
    ]
    stated = [(name, bound_w, speedup) for speedup, name, bound_w, sure in _gained(case) if sure]
    same_points = {each[:2] for each in drawn} == {each[:2] for each in stated}
    return same_points and len(drawn) == len(stated) and _ends(speedups, _sure(case))


def _line(case: Case, application: str, lines: int, bounds: Any) -> tuple[list[float], list[float]]:
    """Slopes and intercepts; empty if a value is not that of the request."""
    found = case.of(application).lines()
    right = lines == len(found) > 1 and _ends(bounds, [line[0] for line in found])
    return ([line[3] for line in found], [line[4] for line in found]) if right else ([], [])


def _share(values: list[float]) -> float:
    mean = abs(fmean(values))
    return (max(values) - min(values)) / mean if mean else math.inf


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)


def _line_rows(case: Case, rows: list[dict[str, Any]]) -> bool:
    """Whether slopes and intercepts are those of lines through the runs."""
    found = [_line(case, row["application"], row["lines"], row["bounds_w"]) for row in rows]
    return all(
        bool(values) and _close(pair[0], min(values)) and _close(pair[1], max(values))
        for row, told in zip(rows, found, strict=True)
        for pair, values in zip((row["slopes_s_per_node"], row["intercepts_s"]), told, strict=True)
    ) and [row["application"] for row in rows] == [
        own.name for own in case.own if len(own.lines()) > 1
    ]


def _same_lines(case: Case, applications: Any, limit: float, *, alike: bool) -> bool:
    found = {own.name: own.lines() for own in case.own}
    most = {
        name: max(_share([line[at] for line in lines]) for at in (3, 4))
        for name, lines in found.items()
        if len(lines) > 1
    }
    names = [name for name, share in most.items() if (share <= 0.02) == alike]
    return limit == 0.02 and _names(applications, names)


def _names(names: Any, expected: list[str]) -> bool:
    return [*names] == expected and bool(expected)


Gained = tuple[float, str, float, bool]


def _gained(case: Case) -> list[Gained]:
    """Each speed-up over packed-max with its application and bound, and whether it is certain."""
    found = []
    for own in case.own:
        bounds = {case.bound_w, *(each.bound_w for each in own.product.at_bounds)}
        for bound_w in sorted(bounds):
            packed = own.rule("packed-max", bound_w)
            speedup = own.speedup("packed-max", bound_w) if own.inside(bound_w) else None
            if packed is not None and speedup is not None:
                found.append((speedup, own.name, bound_w, not own.unsteady(packed)))
    return found


def _sure(case: Case) -> list[float]:
    return [speedup for speedup, *_, sure in _gained(case) if sure]


_CHOICES = ("packed-max", "packed-min", "spread-max", "spread-min", "worst case by rating")


def _lost(case: Case) -> dict[str, list[float]]:
    """Speed-ups of the best over each common choice, certain in every application."""
    found = {}
    for name in _CHOICES:
        sure = [own.speedup(name) for own in case.own if not own.unsteady(own.rule(name))]
        if len(sure) == len(case.own) and None not in sure:
            found[name] = [each for each in sure if each is not None]
    return found


def _losses(case: Case, rows: list[dict[str, Any]]) -> bool:
    keys = ("packed_max", "packed_min", "spread_max", "spread_min", "worst_case")
    return [row["application"] for row in rows] == [own.name for own in case.own] and all(
        same(row[key], None if own.unsteady(own.rule(name)) else own.speedup(name))
        for row, own in zip(rows, case.own, strict=True)
        for key, name in zip(keys, _CHOICES, strict=True)
    )


def _slower(case: Case) -> dict[str, list[float]]:
    """Certain speed-ups over common choices within the bound that are somewhere slower."""
    return {
        name: found for name, found in _lost(case).items()
        if max(found) > 1 and all(
            (row := own.rule(name)) is not None and own.fits(row, case.bound_w)
            for own in case.own
        )
    }  # fmt: skip


def _least_lost(case: Case, choices: Any, compared: Any, speedups: Any) -> bool:
    """All choices whose largest loss is the least."""
    slower = _slower(case)
    least = min(map(max, slower.values()))
    tied = [name for name, found in slower.items() if same(max(found), least)]
    return (
        [*choices] == tied
        and [*compared] == [*slower]
        and _ends(speedups, [each for name in tied for each in slower[name]])
    )


def _fastest_instead(case: Case, application: str, best: str, speedup: float) -> bool:
    """The best of one of the two applications that lose most by the rule."""
    own = case.of(application)
    lost = {each.name: each.chosen.time / each.best.time for each in case.own}
    return (
        best == own.best.name
        and same(speedup, lost[application])
        and speedup > 1
        and sum(other > speedup for other in lost.values()) < 2
    )


def _close_ones(own: Own) -> list[Row]:
    """Other configurations within the bound that are nearly as fast."""
    tolerance = own.case.asked.tolerance + _TINY
    return [row for row in own.inside()[1:] if row.time / own.best.time - 1 <= tolerance]


def _nearly(case: Case) -> dict[str, int]:
    """How many other configurations of each application are nearly as fast, if any are."""
    return {own.name: len(found) for own in case.own if (found := _close_ones(own))}


def _saves(case: Case, application: str, configuration: str, power: float, slower: float,
           *, sure: bool) -> bool:  # fmt: skip
    """The least power of those that save power and energy, the steady ones first."""
    own, row = _row(case, application, configuration)
    best = own.best
    less = [
        each
        for each in _close_ones(own)
        if each.power < best.power and each.power * each.time < best.power * best.time
    ]
    steady = [each for each in less if not own.unsteady(each)]
    right = same(power, best.power - row.power) and same(slower, row.time / best.time - 1)
    least = min(each.power for each in steady or less)
    return right and sure == bool(steady) and row in (steady or less) and row.power == least


def _spread_out(case: Case) -> list[tuple[str, int, int]]:
    """Applications that run on more nodes than packed-max, with fewer cores or a lower cap.

    The next node count of packed-max breaks the bound.
    """
    return [
        (own.name, own.chosen.key[0], packed.key[0])
        for own in case.own
        if (packed := own.rule("packed-max")) is not None
        and own.chosen.key[0] > packed.key[0]
        and (own.chosen.key[1] < packed.key[1] or own.chosen.key[2] < packed.key[2])
        and any(
            row.key[1:] == packed.key[1:] and not own.fits(row, case.bound_w) for row in own.rows
        )
    ]


def _more_nodes(case: Case, nodes: Any, packed: Any, applications: Any = None) -> bool:
    found = _spread_out(case)
    names = [name for name, *_ in found]
    every = len(found) == len(case.own)
    right = every if applications is None else not every and _names(applications, names)
    return (
        right
        and _ends(nodes, [best for _, best, _ in found])
        and _ends(packed, [other for *_, other in found])
    )


def _over_worst(case: Case, speedups: Any, nodes: int) -> bool:
    rated = [(own, own.rule("worst case by rating")) for own in case.own]
    if any(row is None or own.unsteady(row) or not own.fits(row, case.bound_w)
           for own, row in rated):  # fmt: skip
        return False
    found = [row.time / own.chosen.time for own, row in rated if row is not None]
    return max(found) > 1 and _ends(speedups, found) and nodes == case.first.rated_nodes


def _steady(case: Case, runs: Any, most: float, power: float) -> bool:
    found = [own.repeated(own.chosen) for own in case.own]
    return (
        min(map(len, found)) > 1
        and not any(own.unsteady(own.chosen) for own in case.own)
        and _ends(runs, [len(each) for each in found])
        and same(most, max(each[-1][0] / each[0][0] - 1 for each in found))
        and power == max(watts for each in found for _, watts in each)
    )


def _overlapping(case: Case) -> list[str]:
    """Applications of which a run of a configuration nearly as fast is within those of the best."""
    return [
        own.name
        for own in case.own
        if len(ran := own.repeated(own.best)) > 1
        and any(
            len(other := own.repeated(row)) > 1 and other[0][0] <= ran[-1][0]
            for row in _close_ones(own)
        )
    ]


def _best_gain(case: Case, bounds: Any, speedups: Any) -> bool:
    """The certain speed-ups, and the bounds at which they are."""
    sure = [bound_w for *_, bound_w, certain in _gained(case) if certain]
    return _ends(bounds, sure) and _ends(speedups, _sure(case)) and max(_sure(case)) > 1


def _changes(case: Case) -> list[tuple[Key, Key]]:
    """Pairs of configurations that are the best one after the other, as the bound grows."""
    return [(one.key, other.key) for each in _winners(case) for one, other in pairwise(each)]


def _over_bounds(case: Case, bounds: Any) -> bool:
    usable = 1 - case.asked.bound.guard
    return _ends(bounds, [
        own.charged(row) / usable
        for own, winners in zip(case.own, _winners(case), strict=True) for row in winners[1:]
    ])  # fmt: skip


def _winners(case: Case) -> list[list[Row]]:
    """The best configurations of each application, as the bound grows."""
    found = []
    for own in case.own:
        winners: list[Row] = []
        for row in sorted(own.rows, key=lambda row: (own.charged(row), row.time)):
            if not winners or row.time < winners[-1].time:
                winners.append(row)
        found.append(winners)
    return found


def _slow_keys(case: Case) -> list[Key]:
    return [key for own in case.own for key, _ in own.slow]


Claim = Callable[..., bool]


def _too_low(case: Case, application: str, configuration: str, power: float, enough: float) -> bool:
    """No configuration fits; a bound of four digits lets the lightest in, and no lower one does."""
    own, usable = Own(case, application), 1 - case.asked.bound.guard
    least = min(own.rows, key=lambda row: (row.power, row.time))
    step = 10.0 ** (math.floor(math.log10(enough)) - 3)
    return (
        not own.inside()
        and (configuration, power) == (least.name, least.power)
        and enough == float(f"{enough:.4g}")
        and enough * usable >= power * (1 - _TINY) > (enough - step) * usable
    )


NEVER_HERE = {"not-answered"}
"""It passes on an error of one application; a test of configurations has one."""


def _counts(case: Case, runs: int, configurations: int) -> bool:
    return (runs, configurations) == (
        sum(len(own.runs) for own in case.own),
        sum(len({run[:3] for run in own.runs}) for own in case.own),
    )


FINDINGS: dict[str, Claim] = {
    "question": lambda case, application, bound: (
        (application, bound, 1) == (case.first.name, case.bound_w, len(case.own))
    ),
    "question-many": lambda case, applications, bound: (
        (applications, bound) == (len(case.own), case.bound_w)
    ),
    "faster": lambda case, speedup, application, **values: (
        _headline(case, application=application, **values)
        and not case.first.best.predicted
        and same(speedup, case.first.speedup("packed-max")) and speedup > 1
    ),
    "is-packed": lambda case, application, **values: (
        _headline(case, application=application, **values)
        and not case.first.best.predicted
        and case.first.rule("packed-max") == case.first.best
    ),
    "as-packed": lambda case, application, **values: (
        _headline(case, application=application, **values)
        and not case.first.best.predicted
        and case.first.speedup("packed-max") == 1
    ),
    "fastest": lambda case, application, **values: (
        _headline(case, application=application, **values)
        and not case.first.best.predicted
        and case.first.rule("packed-max") is None
    ),
    "predicted-best": lambda case, **values: (
        _headline(case, **values) and case.first.best.predicted
    ),
    "by-rule": lambda case, slower, **values: _by_rule(case, slower=slower, **values),
    "by-rule-fastest": lambda case, **values: _by_rule(case, slower=1.0, **values),
    "faster-of-all": lambda case, nodes, cores, **values: (
        not case.predicted and _best_on(case, nodes, cores)
        and _gain_of_many(case, **values, fitting=(len(case.own), len(case.own)))
    ),
    "faster-of-many": lambda case, nodes, cores, **values: (
        not case.predicted and _best_on(case, nodes, cores) and _gain_of_many(case, **values)
    ),
    "predicted-of-many": lambda case, **values: (
        _gain_of_many(case, **values) and bool(case.predicted)
    ),
    "packed-of-many": lambda case, bound, fitting: (
        _of_many(case, bound) and _fitting(case, fitting) and max(case.known("packed-max")) == 1
    ),
    "many": lambda case, bound, applications: (
        _of_many(case, bound) and not case.known("packed-max") and applications == len(case.own)
    ),
    "rule-of-many": lambda case, bound, rule, slower, applications: (
        _of_many(case, bound, rule) and same(slower, _slowest(case)) and slower > 1
        and applications == len(case.own)
    ),
    "rule-fastest-of-many": lambda case, bound, rule, applications: (
        _of_many(case, bound, rule) and _slowest(case) == 1 and applications == len(case.own)
    ),
    "from-runs": lambda case, **counts: case.simulated == "" and _counts(case, **counts),
    "from-simulated": lambda case, **counts: case.simulated != "" and _counts(case, **counts),
    "predicted": lambda case, part, model: model == "log-polynomial" and (*part,) == (
        len(case.predicted), sum(len(own.rows) for own in case.own)
    ),
    "guarded": lambda case, guard: guard > 0 and guard == (
        case.asked.prediction_guard or case.asked.bound.guard
    ),
    "unguarded": lambda case: not case.asked.prediction_guard and not case.asked.bound.guard,
    "run-first": lambda case: any(own.chosen.predicted for own in case.own),
    "best-measured": lambda case: not any(own.chosen.predicted for own in case.own),
    "reference-agrees": lambda case, solver, status, level: (
        case.asked.method == "reference" and (status, level) == ("optimal", "verified")
        and solver in ("CBC", "HiGHS") and case.asked.solver in (solver.lower(), "both")
        and all(own.product.chosen.short == own.best.name for own in case.own)
    ),
    "more-nodes": _more_nodes,
    "more-nodes-of": _more_nodes,
    "over-worst": _over_worst,
    "steady": _steady,
    "saves": lambda case, **values: _saves(case, **values, sure=True),
    "saves-unsure": lambda case, **values: _saves(case, **values, sure=False),
    "fastest-instead": _fastest_instead,
    "least-lost": _least_lost,
    "alone": always,
    "mean-power": lambda case, counts: counts == ("memory" if case.memory else "packages"),
    "counts-with": lambda case, repetition: repetition == case.asked.repetition,
    "overlap": lambda case, applications: _names(applications, _overlapping(case)),
    "gained": _best_gain,
    "unsure-gains": lambda case, applications: len(applications) > 0 and [*applications] == [
        *dict.fromkeys(name for _, name, _, sure in _gained(case) if not sure)
    ],
    "near": lambda case, tolerance, applications, near: tolerance == case.asked.tolerance and (
        dict(zip(applications, near, strict=True)) == _nearly(case) != {}
    ),
    "knee": lambda case, knee, gain: gain == case.asked.least_gain and (
        knee == case.knee(case.curve) < max(case.curve)
    ),
    "changes": lambda case, bounds, changes, nodes, cores: _over_bounds(case, bounds) and (
        (changes, nodes, cores) == (
            len(_changes(case)), *(sum(one[at] != other[at] for one, other in _changes(case))
                                   for at in (0, 1))
        )
    ),
    "lines-differ": lambda case, **values: _same_lines(case, **values, alike=False),
    "lines-alike": lambda case, **values: _same_lines(case, **values, alike=True),
    "misfit": _misfit,
    "beyond": _beyond,
    "too-low": _too_low,
    "no-rule": lambda case, application, rule, why: rule == case.asked.method and (
        (row := Own(case, application).rule(rule)) is None
        or not Own(case, application).fits(row, case.bound_w)
    ) and why == Own(case, application).why_no(rule),
    "few-configurations": lambda case, application, model, needed, present: (
        (model, needed) == ("log-polynomial", 10) and case.grid is not None
        and present == len({run[:3] for run in case.tables[application]}) < needed
    ),
    "never-run-yet": lambda case, application, configuration: (
        case.of(application).chosen.predicted and configuration == case.of(application).chosen.name
    ),
    "socket-low": lambda case, **values: _socket(case, **values) < 0.2,
    "socket-high": lambda case, **values: _socket(case, **values) > 1.1,
    "rating-low": lambda case, application, configuration, power: (
        (rated := case.of(application).rule("worst case")) is not None
        and (configuration, power) == (rated.name, rated.power) and power > case.bound_w
    ),
    "caps-low": lambda case, application, cap, tdp: (
        cap == max(row.key[2] for row in case.of(application).rows)
        and tdp == case.asked.node.tdp_w > cap
    ),
    "lucky": lambda case, application, configuration, median: (
        case.asked.repetition == "best" and configuration == case.of(application).best.name
        and median == (ran := case.of(application).repeated(case.of(application).best))[
            len(ran) // 2][0]
        and median > 1.2 * ran[0][0]
    ),
    "over-bound": _over,
    "wide": lambda case, application, configuration, times: (
        configuration in (case.of(application).best.name, case.of(application).chosen.name)
        and _wide(case, application, configuration, times)
    ),
    "unsure": _unsure,
    "limits-nothing": lambda case, application, bound, most: (
        bound == case.bound_w and most == max(row.power for row in case.of(application).rows)
        and all(case.of(application).fits(row, bound) for row in case.of(application).rows)
    ),
    "not-fastest": lambda case, rule: rule == case.asked.method and any(
        own.chosen != own.best for own in case.own
    ),
    "measured-once": lambda case, applications: _names(
        applications, [own.name for own in case.own if len(own.runs) == len({
            run[:3] for run in own.runs})]
    ),
    "slow-runs": lambda case, runs, most: (
        (*runs,) == (
            sum(len(own.slow) for own in case.own),
            sum(len(own.repeated(Row(run[:3], 0, 0))) > 1 for own in case.own for run in own.runs),
        )
        and same(most, max(ratio for own in case.own for _, ratio in own.slow) - 1)
    ),
    "slow-best": lambda case, applications: _names(applications, [
        own.name for own in case.own if own.best.key in {key for key, _ in own.slow}
    ]),
    "simulated": lambda case, source: source == case.simulated != "",
    "run-predicted": lambda case: any(own.chosen.predicted for own in case.own),
    "use": lambda case, nodes, cores, cap: (
        (nodes, cores, cap) == case.first.chosen.key and len(case.own) == 1
    ),
    "use-table": lambda case: len(case.own) > 1,
    "repeat": lambda case, applications: _names(applications, [
        own.name for own in case.own if len(own.repeated(own.best)) == 1
    ]),
    "measure-more": lambda case, applications: _names(applications, _largest(case, pays=True)),
    "measure-other": lambda case, applications: _names(
        applications,
        [own.name for own in case.own
         if len(own.curve) == 1 and own.best.key[0] == max(row.key[0] for row in own.rows)],
    ),
    "little-more": lambda case, applications, gain: (
        gain == case.asked.least_gain and _names(applications, _largest(case, pays=False))
    ),
    "speedups": _speedups,
    "fastest-nodes": lambda case, nodes, rated: (nodes, rated, 1) == (
        case.fastest_nodes, case.first.rated_nodes, len(case.own)
    ),
    "mix-nodes": lambda case, nodes, rated: len(case.own) > 1 and (nodes, rated) == (
        case.fastest_nodes, case.first.rated_nodes
    ),
    "inside": lambda case, configurations: (*configurations,) == (
        len(case.first.inside()), len(case.first.rows)
    ),
    "variation": lambda case, median, most: (
        same(median, float(np.median([w for own in case.own for w in own.widths])))
        and same(most, max(w for own in case.own for w in own.widths))
    ),
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "slow_runs": lambda case, value: (*value,) == (
        sum(len(own.slow) for own in case.own),
        sum(len(own.repeated(Row(run[:3], 0, 0))) > 1 for own in case.own for run in own.runs),
    ),
    "slow_nodes": lambda case, value: _ends(value, [key[0] for key in _slow_keys(case)]),
    "slow_cores": lambda case, value: _ends(value, [key[1] for key in _slow_keys(case)]),
    "slow_best": lambda case, value: [*value] == [
        own.name for own in case.own if own.best.key in {key for key, _ in own.slow}
    ],
    "of_cap": lambda case, value: same(value, case.first.socket) and len(case.own) == 1,
    "money_nodes": lambda case, value: value == min(
        case.curve, key=lambda n: (((case.asked.fixed_cost_nodes or 0) + n) * case.curve[n], n)
    ),
    "bound": lambda case, value: value == case.bound_w,
    "guard": lambda case, value: value == case.asked.bound.guard,
    "model": lambda case, value: value == "log-polynomial" and case.grid is not None,
    "prediction_guard": lambda case, value: value == case.asked.prediction_guard,
    "repetition": lambda case, value: value == case.asked.repetition,
    "tolerance": lambda case, value: value == case.asked.tolerance,
    "counts": lambda case, value: value == ("memory" if case.memory else "packages"),
    "sockets": lambda case, value: value == case.asked.node.sockets,
    "socket_tdp": lambda case, value: value == case.asked.node.tdp_w,
    "socket_memory": lambda case, value: value == case.asked.node.dram_max_w,
    "node_maximum": lambda case, value: same(
        value, case.asked.node.sockets * (case.asked.node.tdp_w + case.asked.node.dram_max_w)
    ),
    "method": lambda case, value: value == case.asked.method,
    "weights": lambda case, value: [*value] == [
        f"{own.name} {case.weights.get(own.name, 1.0):g}" for own in case.own
    ],
    "seeds": lambda case, value: (*value,) == case.seeds,
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    **readers_of_runs.DUE,
    "wide": lambda case: any(
        own.unsteady(row) for own in case.own for row in (own.best, own.chosen)
    ),
    "over-bound": lambda case: any(
        power > case.bound_w * (1 + _TINY)
        for own in case.own for row in (own.best, own.chosen) for _, power in own.repeated(row)
    ),
    "limits-nothing": lambda case: any(
        own.charged(row) < round(case.bound_w * (1 - case.asked.bound.guard), 9)
        for own in case.own for row in [max(own.rows, key=own.charged)]
    ),
    "slow-runs": lambda case: any(own.slow for own in case.own),
    "slow-best": lambda case: any(
        own.best.key in {key for key, _ in own.slow} for own in case.own
    ),
    "unsure": lambda case: any(
        other is not None and other.key != own.best.key and own.unsteady(other)
        for own in case.own for other in (own.rule("packed-max"), own.rule("worst case"))
    ),
    "caps-low": lambda case: any(
        max(row.key[2] for row in own.rows) < case.asked.node.tdp_w for own in case.own
    ),
    "rating-low": lambda case: any(
        rated is not None and rated.power > case.bound_w
        for rated in (own.rule("worst case") for own in case.own)
    ),
    "simulated": lambda case: case.simulated != "",
    "overlap": lambda case: bool(_overlapping(case)),
    "steady": lambda case: all(
        len(own.repeated(own.chosen)) > 1 and not own.unsteady(own.chosen) for own in case.own
    ),
    "changes": lambda case: bool(_changes(case)),
    "fastest-instead": lambda case: any(own.chosen.time > own.best.time for own in case.own),
    "not-fastest": lambda case: any(own.chosen != own.best for own in case.own),
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""

TABLES = {"losses": _losses, "line spread": _line_rows}
"""Whether the rows of a table are those of the case."""
