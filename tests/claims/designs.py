"""What `headroom plan` states of two designs and of a core-hour, computed again from the scenario.

Written from docs/overprovisioning.md, docs/core-hour.md and equations 4.1 to 4.7 of the thesis, in
exact fractions; run times are read off the given line or table, node by node.
"""

from __future__ import annotations

import copy
import datetime as dt
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

from pydantic import ValidationError

from planner.designs.study import DesignStudy, compare_designs
from planner.errors import PlanError
from planner.formatting import amount
from reports.texts import Texts
from scenarios.catalogue import load
from scenarios.model.scenario import Provenance, Scenario
from solvers.model.result import Status, Stop
from tests.claims.values import same

Plain = dict[str, Any]
_TINY = 1e-12
_HOURS = 8760


def exact(value: float) -> Fraction:
    """A number as it was typed."""
    return Fraction(repr(value))


@dataclass(frozen=True)
class Bought:
    """Node counts of both designs, with the speed-up of each application."""

    high_end: int
    limit: int
    older: int
    ratio: Fraction
    speedups: dict[str, Fraction]


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer; ``stops`` are put into the certificates of the first programs."""

    plain: Plain
    options: dict[str, Any] = field(default_factory=dict)
    stops: tuple[Stop, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()

    @cached_property
    def answer(self) -> DesignStudy:
        scenario = Scenario.model_validate(self.plain)
        if self.changes:
            scenario = scenario.with_provenance(Provenance(changes=self.changes))
        study = compare_designs(scenario, **self.options)
        stopped = tuple(
            replace(
                check,
                agrees=False,
                certificate=replace(check.certificate, stop=stop, status=Status.FEASIBLE),
            )
            for check, stop in zip(study.designs, self.stops, strict=False)
        )
        return replace(study, designs=(*stopped, *study.designs[len(stopped) :]))

    @property
    def asked(self) -> Plain:
        return self.plain.get("overprovisioning") or {}

    @property
    def jobs(self) -> list[Plain]:
        return self.plain["workloads"] if self.asked else []

    @property
    def names(self) -> list[str]:
        return [job["name"] for job in self.jobs]

    def node(self, role: str) -> Plain:
        return next(n for n in self.plain["node_types"] if n["name"] == self.asked[role])

    @property
    def titles(self) -> tuple[str, str]:
        high_end, older = (self.node(role) for role in ("high_end", "older"))
        return (high_end.get("label") or high_end["name"]), (older.get("label") or older["name"])

    @property
    def bound(self) -> Fraction:
        return exact(self.plain["power"]["bound_w"])

    def factor(self, *, other: bool = False) -> Fraction:
        gain = exact(self.asked["performance_fraction"])
        literal = (self.asked.get("speed_ratio", "1 - r_p") == "1 - r_p") == other
        return 1 / (1 + gain) if literal else 1 - gain

    def time(self, job: Plain, nodes: int) -> tuple[Fraction, bool] | None:
        """Run time on older nodes, and whether it was measured; ``None`` where it is refused."""
        model = job["time"]
        counts = model["measured_nodes"] if model["kind"] == "linear" else model["nodes"]
        low, high = min(counts), max(counts)
        measured = low <= nodes <= high
        outside = self.asked.get("outside_measured", "refuse")
        if not measured and outside == "refuse":
            return None
        if outside == "clamp":
            nodes = min(max(nodes, low), high)
        if model["kind"] == "linear":
            slope, start = exact(model["slope_s_per_node"]), exact(model["intercept_s"])
            time = slope * nodes + start
        else:
            times = [exact(each) for each in model["time_s"]]
            ends = [*zip(counts, times, strict=True)]
            if len(ends) == 1:
                return times[0], measured
            left, right = next(
                (pair for pair in pairwise(ends) if nodes <= pair[1][0]),
                (ends[-2], ends[-1]),
            )
            share = Fraction(nodes - left[0], right[0] - left[0])
            time = left[1] + share * (right[1] - left[1])
        return (time, measured) if time > 0 else None

    @property
    def prices(self) -> tuple[Fraction, Fraction] | None:
        high_end, older = (self.node(role).get("price") for role in ("high_end", "older"))
        return None if high_end is None or older is None else (exact(high_end), exact(older))

    @property
    def empty_rack(self) -> Fraction:
        switch = self.plain.get("switch") or {"price": 0.0}
        every: Fraction = int(switch.get("per_rack", 1)) * exact(switch["price"])
        return exact(self.plain["rack"]["price"]) + every

    @property
    def has_racks(self) -> bool:
        return bool(self.asked and self.plain.get("rack") and self.prices)

    def cost(self, nodes: int, price: Fraction) -> Fraction:
        racks = -(-nodes // int(self.plain["rack"]["nodes"]))
        return nodes * price + racks * self.empty_rack

    def for_the_money(self, high_end: int) -> int:
        """The most older nodes in whole racks for the money of some high-end ones."""
        assert self.prices is not None
        money = self.cost(high_end, self.prices[0])
        older = int(money // self.prices[1])
        while self.cost(older, self.prices[1]) > money:
            older -= 1
        return older

    def bought(self, ratio: Fraction | None = None, *, other: bool = False) -> Bought | None:
        high_end = self.bound // exact(self.node("high_end")["peak_w"])
        limit = self.bound // exact(self.node("older")["idle_w"])
        if ratio is None:
            given = self.asked.get("cost_ratio_from", "given") == "given"
            ratio = exact(self.asked["cost_ratio"]) if given else self.rack_ratio(high_end)
        older = min(limit, high_end * ratio // 1)
        speedups = {}
        factor = self.factor(other=other)
        for job in self.jobs:
            slow, fast = self.time(job, high_end), self.time(job, older) if older else None
            if slow is None or fast is None or factor <= 0:
                return None
            speedups[job["name"]] = slow[0] * factor / fast[0]
        return Bought(high_end, limit, older, ratio, speedups)

    def rack_ratio(self, high_end: int) -> Fraction:
        return Fraction(self.for_the_money(high_end), high_end)

    @cached_property
    def now(self) -> Bought:
        found = self.bought()
        assert found is not None
        return found

    def mean(self, speedups: dict[str, Any]) -> float:
        """The weighted geometric mean."""
        weights = {job["name"]: job.get("weight", 1.0) for job in self.jobs}
        logs = math.fsum(weights[name] * math.log(s) for name, s in speedups.items())
        return math.exp(logs / math.fsum(weights.values()))

    @property
    def mix(self) -> float:
        return self.mean(self.now.speedups)

    @property
    def by_more(self) -> bool:
        """Whether the overprovisioned design is faster."""
        return self.mix > 1 + _TINY

    @property
    def ratio(self) -> float:
        return max(self.mix, 1 / self.mix)

    @property
    def equal(self) -> bool:
        return f"{self.ratio:.3f}" == "1.000"

    @cached_property
    def readings(self) -> list[tuple[str, float]]:
        """Other readings with the speed-up of the mix."""
        found = []
        if self.factor() != self.factor(other=True):
            found.append(("faster by", self.bought(other=True)))
        if self.prices is not None:
            price_ratio = self.prices[0] / self.prices[1]
            if abs(price_ratio - self.now.ratio) > 0.0005:
                nodes = self.now.high_end
                ratio = Fraction(int(nodes * price_ratio), nodes)
                found.append(("node prices", self.bought(ratio)))
        if self.has_racks and self.asked.get("cost_ratio_from", "given") == "given":
            ratio = self.rack_ratio(self.now.high_end)
            if abs(ratio - self.now.ratio) > 0.0005:
                found.append(("whole racks", self.bought(ratio)))
        every = [(kind, self.mean(each.speedups)) for kind, each in found if each is not None]
        printed = {row["quantity"]: row["value"] for row in self.plain.get("printed", ())}
        speedups = {
            name: printed.get(f"overprovisioning.{name}.speedup", 0.0) for name in self.names
        }
        if min(speedups.values()) > 0:
            every.append(("published", self.mean(speedups)))
        return every

    @cached_property
    def older_by(self) -> dict[str, int]:
        """Older nodes of the readings that state some."""
        found = {"faster by": self.now.older}
        nodes = self.now.high_end
        if self.prices is not None:
            ratio = Fraction(int(nodes * self.prices[0] / self.prices[1]), nodes)
            found["node prices"] = min(int(self.now.limit), int(nodes * ratio))
        if self.has_racks:
            found["whole racks"] = min(int(self.now.limit), self.for_the_money(nodes))
        return found

    @property
    def reversing(self) -> list[str]:
        return [kind for kind, mix in self.readings if (mix > 1 + _TINY) != self.by_more]

    @property
    def unclear(self) -> bool:
        return len(self.readings) > 1 and len(self.reversing) == len(self.readings)

    @property
    def nearly(self) -> bool:
        return self.ratio - 1 < 0.01 and bool(self.reversing)

    @property
    def unmeasured(self) -> list[str]:
        """Applications with a run time at a count that was not measured."""
        counts = (self.now.high_end, self.now.older)
        return [
            job["name"]
            for job in self.jobs
            if not all((self.time(job, nodes) or (0, False))[1] for nodes in counts)
        ]

    def slowed(self, job: Plain, design: str) -> float:
        """Time on all nodes of a design over the least time on at most as many."""
        most = self.now.high_end if design == "high-end" else self.now.older
        times = [time[0] for n in range(1, most + 1) if (time := self.time(job, n)) is not None]
        last = self.time(job, most)
        assert last is not None
        return float(last[0] / min(times))

    @property
    def solvers(self) -> list[str]:
        solver = self.options.get("solver", "highs")
        return ["highs", "cbc"] if solver == "both" else [solver]

    def confirmed(self, job: Plain) -> int:
        """Programs that find the time on all nodes: of each type, and of the better one of both."""
        slowed = {design: self.slowed(job, design) for design in ("high-end", "older")}
        times = {"high-end": self.time(job, self.now.high_end),
                 "older": self.time(job, self.now.older)}  # fmt: skip
        factors = {"high-end": float(self.factor()), "older": 1.0}
        closed = {name: factors[name] * float(time[0]) for name, time in times.items() if time}
        least = min(closed[name] / slowed[name] for name in closed)
        alike = sum(each < 1 + 1e-9 for each in slowed.values())
        return alike + (least > min(closed.values()) * (1 - 1e-9))

    # ---- the cost of a core-hour

    @property
    def machine(self) -> Plain | None:
        return self.plain.get("machine") if self.plain.get("budget") else None

    @property
    def money(self) -> Plain:
        budget: Plain = self.plain["budget"]
        return budget

    def energy(self, power: str) -> Fraction | None:
        assert self.machine is not None
        watts = self.machine.get(f"power_{power}_w")
        price = exact(self.money.get("energy_price_per_kwh", 0.0))
        return None if watts is None else exact(watts) / 1000 * _HOURS * price

    @property
    def bill(self) -> str:
        if self.money.get("energy_per_year") is not None:
            return "stated"
        return "provisioned" if self.energy("provisioned") is not None else "used"

    def parts(self, bill: str = "") -> dict[str, Fraction]:
        capital, bill = exact(self.money["capital"]), bill or self.bill
        stated = self.money.get("energy_per_year")
        energy = self.energy(bill) if bill != "stated" or stated is None else exact(stated)
        assert energy is not None
        return {
            "acquisition": capital / exact(self.money.get("lifetime_years", 4.0)),
            "maintenance": capital * exact(self.money.get("maintenance_fraction_per_year", 0.0)),
            "energy": energy,
            "staff": exact(self.money.get("staff_per_year", 0.0)),
        }

    @property
    def hours(self) -> Fraction:
        assert self.machine is not None
        return int(self.machine["cores"]) * _HOURS * exact(self.machine["utilisation"])

    def per_hour(self, bill: str = "") -> float:
        return float(sum(self.parts(bill).values()) / self.hours)

    @property
    def every_cost(self) -> list[float]:
        bills = [self.bill, *(b for b in ("provisioned", "used") if self.energy(b) is not None)]
        return [self.per_hour(bill) for bill in bills]

    @property
    def largest(self) -> tuple[str, float]:
        parts = self.parts()
        part = max(parts, key=lambda name: parts[name])
        return part, float(parts[part] / sum(parts.values()))


def thesis(**changes: Any) -> Plain:
    """The thesis's case with other answers in [overprovisioning], without published numbers."""
    plain = load("thesis-7kw").model_dump() | {"printed": ()}
    plain["workloads"] = [dict(each) for each in plain["workloads"]]
    plain["overprovisioning"] |= changes
    return plain


def with_time(plain: Plain, index: int, **changes: Any) -> Plain:
    """The same with another run time of an application."""
    new = copy.deepcopy(plain)
    new["workloads"][index]["time"] |= changes
    return new


def _table(nodes: tuple[int, ...], times: tuple[float, ...]) -> Plain:
    return {"kind": "table", "node_type": "sandy-bridge", "nodes": nodes, "time_s": times}


_BUDGET: Plain = {"currency": "EUR", "capital": 50_000.0, "energy_price_per_kwh": 0.2}
_MACHINE: Plain = {
    "name": "Mach", "cores": 432, "utilisation": 0.8, "power_provisioned_w": 7000.0,
    "power_used_w": 6000.0, "source": "assumed",
}  # fmt: skip


def cases() -> Iterator[Case]:
    """Scenarios at the edges."""
    hopper = load("hopper-2010").model_dump()
    yield Case(load("thesis-7kw").model_dump() | {"version": "2.1", "date": dt.date(2027, 1, 15)},
               {"time_limit_s": 100.0})  # fmt: skip
    yield Case(hopper | {"language": "de"})
    yield Case(hopper | {"budget": hopper["budget"] | {"energy_per_year": None}})
    used = _MACHINE | {"power_provisioned_w": None}
    yield Case(hopper | {"budget": _BUDGET, "machine": used, "printed": ()})
    yield Case(hopper | {"budget": None, "machine": None, "printed": ()})
    yield Case(thesis() | {"language": "de", "budget": _BUDGET, "machine": _MACHINE})
    alone = thesis(cost_ratio_from="racks", cost_ratio=None)
    alone["workloads"] = alone["workloads"][:1]
    yield Case(alone | {"budget": {"capital": 1000.0}}, {"solver": "both"})
    yield Case(alone | {"budget": _BUDGET | {"capital": 1e9}, "machine": _MACHINE})
    flat = with_time(thesis(performance_fraction=0.0), 0, slope_s_per_node=0.0)
    yield Case(flat | {"workloads": flat["workloads"][:1]})  # equally fast
    yield Case(
        with_time(thesis(performance_fraction=0.002), 0, slope_s_per_node=0.0, intercept_s=288.19)
    )  # 4.79 and 4.8 minutes
    rising = with_time(thesis(), 0, slope_s_per_node=0.5)
    yield Case(rising | {"workloads": rising["workloads"][:1]})
    yield Case(rising | {"language": "de"})
    yield Case(thesis(cost_ratio=2.0, outside_measured="clamp"))
    yield Case(thesis(cost_ratio=4.0), {"gap": 1e-4, "seed": 3})
    yield Case(thesis(performance_fraction=0.3), stops=(Stop.NODES, Stop.TIME, Stop.NODES))
    yield Case(thesis(performance_fraction=0.0), stops=(Stop.NODES,))
    richer = thesis()
    richer["node_types"] = [dict(each) for each in richer["node_types"]]
    richer["node_types"][1]["price"] = 2200.0  # node prices and racks confirm the decision
    for fraction in (0.27, 0.28, 0.3):
        near = copy.deepcopy(richer)
        near["overprovisioning"]["performance_fraction"] = fraction
        yield Case(near, changes=(("overprovisioning.performance_fraction", str(fraction)),))
    bare = thesis() | {"rack": None, "switch": None}
    bare["node_types"] = [dict(each, price=None, label=None) for each in bare["node_types"]]
    yield Case(bare | {"power": {"bound_w": 7000.0}})
    pair = thesis(performance_fraction=0.0)
    pair["workloads"] = [
        dict(pair["workloads"][0], name=name, weight=1.0, time=_table((18, 30), times))
        for name, times in (("one", (20.0, 10.0)), ("other", (10.0, 20.0)))
    ]
    yield Case(pair)  # equally fast over the mix
    for count in (1, 2):  # applications alike: at both ends, and with another one at one end
        alike = thesis()
        twin = dict(alike["workloads"][0], name="twin")
        yield Case(alike | {"workloads": [*alike["workloads"][:count], twin]})


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    case = _random(random.Random(seed))
    try:
        _ = case.answer
    except (PlanError, ValidationError):
        return
    yield case


def _random(draw: random.Random) -> Case:
    plain = thesis(
        performance_fraction=draw.choice([0.0, 0.1, 0.27, 0.5, 1.2]),
        cost_ratio=draw.choice([1.0, 1.5, 1.7, 2.2, 3.0]),
        cost_ratio_from=draw.choice(["given", "given", "racks"]),
        speed_ratio=draw.choice(["1 - r_p", "1/(1 + r_p)"]),
        outside_measured=draw.choice(["clamp", "extrapolate"]),
    )
    plain["language"] = draw.choice(["en", "de"])
    plain["power"] = {"bound_w": draw.choice([400.0, 2000.0, 7000.0, 9123.4])}
    plain["workloads"] = [
        dict(
            plain["workloads"][0],
            name=f"code {number}",
            weight=draw.choice([1.0, 0.5, 2.0]),
            time=draw.choice([
                _table((4,), (float(draw.randint(1, 99)),)),
                _table((4, 9, 40), tuple(draw.uniform(1, 99) for _ in range(3))),
                plain["workloads"][number % 4]["time"]
                | {"slope_s_per_node": round(draw.uniform(-0.4, 0.4), 3), "intercept_s": 14.0},
            ]),
        )
        for number in range(draw.choice([1, 2, 3, 7]))
    ]  # fmt: skip
    if draw.random() < 0.3:
        plain["rack"] = None
    if draw.random() < 0.4:
        plain["budget"] = _BUDGET | {"capital": draw.choice([100.0, 1e5, 3e7])}
        plain["machine"] = _MACHINE | {"power_used_w": draw.choice([None, 12.5])}
    return Case(plain)


def _bought(case: Case, by_more: bool, nodes: int, type: str) -> bool:  # noqa: A002 - a gap's name
    counts = case.now.high_end, case.now.older
    return (nodes, type) == (counts[by_more], case.titles[by_more])


def _runs(case: Case, runner: str) -> bool:
    return runner == (case.names[0] if len(case.names) == 1 else "mix")


def _both(case: Case, nodes: int, type: str, runner: str, other_nodes: int, other: str) -> bool:  # noqa: A002
    return (
        _bought(case, case.by_more, nodes, type)
        and _bought(case, not case.by_more, other_nodes, other)
        and _runs(case, runner)
    )


def _buy(case: Case, speed: float, **values: Any) -> bool:
    return not case.equal and not case.unclear and same(speed, case.ratio) and _both(case, **values)


def _nearly(case: Case, **values: Any) -> bool:
    runner = case.names[0] if len(case.names) == 1 else "mix"
    return case.nearly and _buy(case, runner=runner, **values)


def _unclear(case: Case, nodes: int, type: str, readings: int, other: str) -> bool:  # noqa: A002
    return (
        case.unclear
        and other == case.titles[not case.by_more]
        and not case.equal
        and readings == len(case.readings)
        and _bought(case, case.by_more, nodes, type)
    )


def _gaining(case: Case, part: Any, applications: Any) -> bool:
    faster = [name for name, speed in case.now.speedups.items() if speed > 1]
    return [*applications] == faster and (*part,) == (len(faster), len(case.names))


def _named(names: Any, expected: list[str]) -> bool:
    return [*names] == expected and bool(expected)


def _sources(case: Case) -> set[str]:
    groups = [case.plain.get(name) for name in
              ("power", "overprovisioning", "rack", "switch", "budget", "machine")]  # fmt: skip
    return {group["source"] for group in groups if group and group.get("source")}


def _outside(case: Case, applications: Any, how: str) -> bool:
    return case.asked["outside_measured"] == how and _named(applications, case.unmeasured)


def _zero(case: Case, applications: Any, nodes: Any) -> bool:
    falling = {job["name"]: _end(job["time"]) for job in case.jobs if _falls(job["time"])}
    return (
        case.asked["outside_measured"] == "extrapolate"
        and _named(applications, [*falling])
        and same(nodes[0], min(falling.values()))
        and same(nodes[1], max(falling.values()))
    )


def _end(model: Plain) -> float:
    """The count at which a falling line reaches a run time of zero."""
    if model["kind"] == "linear":
        slope, start = exact(model["slope_s_per_node"]), exact(model["intercept_s"])
        first, second = (0, start), (1, start + slope)
    else:
        ends = [*zip(model["nodes"], map(exact, model["time_s"]), strict=True)]
        first, second = ends[-2:]
    fall = (first[1] - second[1]) / (second[0] - first[0])
    return float(first[0] + first[1] / fall)


_STEPS = {"cost_ratio": 3, "performance_fraction": 4}
"""Decimals of the values that reverse the result."""


def _other(case: Case, parameter: str, value: float) -> Case:
    """The case with another value of an input."""
    asked: Plain = {"performance_fraction": value}
    if parameter == "cost_ratio":
        asked = {"cost_ratio": value, "cost_ratio_from": "given"}
    change: Plain = {"overprovisioning": case.asked | asked}
    if parameter == "power_bound_w":
        change = {"power": case.plain["power"] | {"bound_w": value}}
    return replace(case, plain=case.plain | change)


def _reversed(case: Case, parameter: str, value: float) -> bool:
    """Whether another value of an input certainly reverses the result of the mix."""
    other = _other(case, parameter, value)
    bought = other.bought()
    return bought is not None and (other.mean(bought.speedups) > 1 + _TINY) != case.by_more


def _guessed(case: Case, parameter: str, value: float) -> bool:
    """Whether run times at another value of an input are extrapolated."""
    other = _other(case, parameter, value)
    return bool(other.unmeasured) and case.asked.get("outside_measured") == "extrapolate"


def _reverses_within(
    case: Case, parameter: str, times: str, now: float, first: float, end: float
) -> bool:
    """Whether the result is reversed at all values from one to below another; samples tell."""
    values = [first + (end - first) * share / _SAMPLES for share in range(_SAMPLES)]
    values.append(end - (end - first) * 1e-9)
    guessed = [_guessed(case, parameter, value) for value in values]
    nearest = "extrapolated" if guessed[0 if now < first else -1] else "beyond"
    return all(_reversed(case, parameter, value) for value in values) and (
        times == (nearest if any(guessed) else "known")
    )


_SAMPLES = 12


def _rises(case: Case, application: str, design: str, nodes: int, slower: float) -> bool:
    (job,) = [job for job in case.jobs if job["name"] == application]
    counts = {"high-end": case.now.high_end, "older": case.now.older}
    return nodes == counts[design] and same(slower, case.slowed(job, design)) and slower > 1


def _stopped(case: Case) -> int:
    return sum(stop is Stop.NODES for stop in case.stops)


def _rack(case: Case, key: str) -> float:
    """The rack example, from the money of one full rack of high-end nodes."""
    assert case.prices is not None
    size, (high_end, older) = case.plain["rack"]["nodes"], case.prices
    money, older_rack = case.cost(size, high_end), case.cost(size, older)
    bought = case.for_the_money(size)
    further = max(0, bought - size)
    scores = [case.node(role).get("benchmark_score") or 0.0 for role in ("high_end", "older")]
    values: dict[str, Any] = {
        "price_ratio": high_end / older,
        "score_ratio": scores[0] / scores[1] if all(scores) else None,
        "nodes_without_racks": size * high_end // older,
        "high_end_rack_cost": money,
        "high_end_cost_per_node": money / size,
        "older_rack_cost": older_rack,
        "older_cost_per_node": older_rack / size,
        "further_nodes": further,
        "further_cost_per_node": older + case.empty_rack * math.ceil(further / size) / further
        if further
        else None,
        "average_cost_per_node": money / bought,
        "cost_ratio_one_rack": Fraction(bought, size),
        "cost_ratio_full_racks": money / older_rack,
    }
    return float(values[key])


def _agreeing(case: Case, part: Any) -> bool:
    """Counted from the printed numbers whose recomputation the thesis's reader did by hand."""
    rows = case.answer.printed
    good = sum(
        abs(exact(row.ours) - exact(row.printed))
        <= exact(row.tolerance) + exact(1e-9) * abs(exact(row.printed))
        for row in rows
    )
    return (*part,) == (good, len(case.plain["printed"]))


def _differs_most(case: Case, quantity: str, printed: float, ours: float) -> bool:
    """That no printed number that disagrees is farther from its recomputation, as a share."""
    rows = {row.quantity: row for row in case.answer.printed}
    far = {
        name: abs(row.ours - row.printed) / abs(row.printed)
        for name, row in rows.items()
        if row.printed and abs(row.ours - row.printed) > row.tolerance * (1 + 1e-9)
    }
    row = rows[quantity]
    return (printed, ours) == (row.printed, row.ours) and far[quantity] == max(far.values())


def _reading_reverses(case: Case, reading: str, speedup: float) -> bool:
    """Whether a reading reverses the result, by this speed-up of the mix."""
    return reading in case.reversing and same(speedup, dict(case.readings)[reading])


def _far(case: Case, parameter: str, value: float) -> float:
    """A value far above another one."""
    if parameter == "cost_ratio":
        return 2 * max(value, float(Fraction(case.now.limit + 1, case.now.high_end)))
    by_time = case.asked.get("speed_ratio", "1 - r_p") == "1 - r_p"
    return value + (0.9 * (1 - value) if by_time else 5.0)


def _turns(
    case: Case, input: str, now: float, times: str, first: float | None, end: float | None  # noqa: A002
) -> bool:  # fmt: skip
    """Whether the values from one to below another reverse the result, and those next to them not.

    Without a first value they begin at the least one; without an end they have none. A power bound
    was looked for from half the present one, or one node, to twice the present one.
    """
    given = {
        "cost_ratio": float(case.now.ratio), "power_bound_w": float(case.bound),
        "performance_fraction": case.asked["performance_fraction"],
    }  # fmt: skip
    digits = _STEPS.get(input, 0 if case.bound >= 100 else 3)
    step, bound = 10**-digits, float(case.bound)
    low_w = min(max(case.node("high_end")["peak_w"], 0.5 * bound), bound)
    looked = (low_w, 2 * bound) if input == "power_bound_w" else (-math.inf, math.inf)
    for value in (first, end):
        if value is not None and value != round(value, digits):
            return False
    if first is not None and _reversed(case, input, first - step) and first - step >= looked[0]:
        return False
    if end is not None and _reversed(case, input, end + step) and end + step < looked[1]:
        return False
    least = {"cost_ratio": 1.0, "performance_fraction": 0.0}
    start = least[input] if first is None else first
    stop = _far(case, input, start) if end is None else end
    return (
        same(now, given[input]) and not start <= now < stop
        and _reverses_within(case, input, times, now, start, stop)
    )  # fmt: skip


def _differ(one: float, other: float) -> bool:
    """Whether two ratios print otherwise."""
    return amount(one, "ratio") != amount(other, "ratio")


def _other_design(
    case: Case, nodes: int, type: str, part: Any, speed: float, application: str  # noqa: A002
) -> bool:  # fmt: skip
    """The design that is not faster over the mix, and where it is."""
    speeds = {name: 1 / each if case.by_more else each for name, each in case.now.speedups.items()}
    return (
        _bought(case, not case.by_more, nodes, type)
        and (*part,) == (sum(each > 1 for each in speeds.values()), len(speeds))
        and same(speed, float(max(speeds.values()))) and same(speed, float(speeds[application]))
    )  # fmt: skip


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "title": lambda case, title: title == case.plain["title"],
    "buy": lambda case, **v: _buy(case, **v) and not case.nearly,
    "nearly-equal": _nearly,
    "no-clear-winner": _unclear,
    "equally-fast": lambda case, **v: case.equal and _both(case, **v),
    "core-hour": lambda case, machine, cost: (
        machine == case.machine["name"] and same(cost, case.per_hour())
        and same(min(case.every_cost), max(case.every_cost))
    ),
    "core-hour-about": lambda case, machine, cost, costs: (
        machine == case.machine["name"] and same(cost, case.per_hour())
        and same(costs[0], min(case.every_cost)) and same(costs[1], max(case.every_cost))
    ),
    "no-question": lambda case: not case.asked and not case.machine,
    "narrow": lambda case, margin: margin == 0.02 and not case.equal and case.ratio < 1.02,
    "readings": lambda case, part, readings: (
        (*part,) == (len(case.reversing), len(case.readings))
        and (["none"] if readings == "none" else [*readings]) == ([*case.reversing] or ["none"])
    ),
    "programs": lambda case, part, levels: (
        part[0] == sum(map(case.confirmed, case.jobs)) * len(case.solvers) - len(case.stops)
        and part[1] == 3 * len(case.jobs) * len(case.solvers)
        and {*levels} <= {"claimed", "verified", "proved"}
    ),
    "arithmetic": lambda case: not case.asked,
    "under-readings": lambda case, ends: (
        same(ends[0], min([case.mix, *(mix for _, mix in case.readings)]) - 1)
        and same(ends[1], max([case.mix, *(mix for _, mix in case.readings)]) - 1)
    ),
    "named": lambda case, name: name in (*case.titles, *case.names),
    "named-budget": lambda case, name, older: (
        name == case.titles[0] and same(older, case.now.high_end * float(case.now.ratio))
    ),
    "ratio-from": lambda case, origin: origin == case.asked.get("cost_ratio_from", "given"),
    "billed": lambda case, bill: bill == case.bill,
    "power": lambda case, power: power in (
        case.machine.get("power_provisioned_w"), case.machine.get("power_used_w")
    ),
    "utilised": lambda case, cores, share: (
        (cores, share) == (case.machine["cores"], case.machine["utilisation"])
    ),
    "share": lambda case, share: same(share, case.largest[1]),
    "meaning": lambda case, gain, meaning, factor, other: (
        (gain, meaning) == (case.asked["performance_fraction"], case.asked["speed_ratio"])
        and same(factor, float(case.factor())) and same(other, float(case.factor(other=True)))
        and factor != other
    ),
    "source": lambda case, source: source in _sources(case),
    "reverses": lambda case, reading, speedup: (
        reading == "published" and _reading_reverses(case, reading, speedup)
    ),
    "reverses-faster": lambda case, gain, time, speedup, nodes, other: (
        gain == case.asked["performance_fraction"] and other == case.now.high_end
        and _reading_reverses(case, "faster by", speedup) and nodes == case.older_by["faster by"]
        and same(time, float(case.factor(other=True)))
    ),
    "reverses-with": lambda case, reading, speedup, nodes, other: (
        reading != "faster by" and other == case.now.high_end
        and _reading_reverses(case, reading, speedup) and nodes == case.older_by[reading]
    ),
    "budgets": lambda case, nodes, older, limit: (nodes, older, limit) == (
        case.now.high_end, case.now.high_end * case.now.ratio // 1, case.now.limit
    ),
    "extremes": lambda case, least, slowest, most, fastest: (
        _differ(least, most)
        and same(least, float(min(case.now.speedups.values())))
        and same(most, float(max(case.now.speedups.values())))
        and [*slowest] == [n for n, s in case.now.speedups.items() if same(least, float(s))]
        and [*fastest] == [n for n, s in case.now.speedups.items() if same(most, float(s))]
    ),
    "turns-from": lambda case, value, **v: _turns(case, first=value, end=None, **v),
    "turns-below": lambda case, value, **v: _turns(case, first=None, end=value, **v),
    "turns-within": lambda case, least, below, **v: _turns(case, first=least, end=below, **v),
    "other-design": _other_design,
    "only-acquisition": lambda case: bool(case.asked),
    "agreeing": _agreeing,
    "differs-most": _differs_most,
    "clamped": lambda case, applications: _outside(case, applications, "clamp"),
    "extrapolated": lambda case, applications: _outside(case, applications, "extrapolate"),
    "capital": lambda case, capital, nodes, missing: (
        (capital, nodes) == (case.money["capital"], case.now.high_end) and missing > 0
        and same(missing, nodes * case.node("high_end")["price"] - capital)
    ),
    "stopped-nodes": lambda case, programs: programs == _stopped(case) > 0,
    "stopped-time": lambda case: Stop.TIME in case.stops,
    "rises": _rises,
    "measure-run-times": lambda case, applications: _named(applications, case.unmeasured),
    "measure-types": lambda case, gain: (
        gain == case.asked["performance_fraction"] and "faster by" in case.reversing
    ),
    "ask-quotes": lambda case: bool(case.asked),
    "check-records": lambda case: bool(case.machine),
    "gain": _gaining,
    "own-size": lambda case, nodes, ratio, used: (
        nodes == case.now.high_end and same(ratio, float(case.rack_ratio(nodes)))
        and same(used, float(case.now.ratio)) and _differ(ratio, used)
    ),
    "zero-line": _zero,
    "declared": lambda case, application, nodes: any(
        job["name"] == application and job["time"]["declared_nodes"] == nodes
        and job["time"]["slope_s_per_node"] * nodes + job["time"]["intercept_s"] <= 0
        for job in case.jobs
    ),
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "design": lambda case, value: value == (
        "equal" if case.equal else "overprovisioned" if case.by_more else "worst-case"
    ),
    "speed_gain": lambda case, value: same(value, case.mix - 1),
    "nodes_worst_case": lambda case, value: value == case.now.high_end,
    "nodes_overprovisioned": lambda case, value: value == case.now.older,
    "cost_ratio": lambda case, value: same(value, float(case.now.ratio)),
    "core_hour": lambda case, value: same(value, case.per_hour()),
    "core_hour_provisioned": lambda case, value: same(value, case.per_hour("provisioned")),
    "core_hour_used": lambda case, value: same(value, case.per_hour("used")),
    "per_year": lambda case, value: same(value, float(sum(case.parts().values()))),
    "core_hours": lambda case, value: same(value, float(case.hours)),
    "largest": lambda case, value: value == case.largest[0],
    **{
        key: lambda case, value, key=key: same(value, _rack(case, key))
        for key in (
            "price_ratio", "score_ratio", "nodes_without_racks", "high_end_rack_cost",
            "high_end_cost_per_node", "older_rack_cost", "older_cost_per_node", "further_nodes",
            "further_cost_per_node", "average_cost_per_node", "cost_ratio_one_rack",
            "cost_ratio_full_racks",
        )
    },
    "bound": lambda case, value: value == case.plain["power"]["bound_w"],
    "performance_fraction": lambda case, value: value == case.asked["performance_fraction"],
    "time_factor": lambda case, value: same(value, float(case.factor())),
    "outside": lambda case, value: value == case.asked["outside_measured"],
    "rack_nodes": lambda case, value: value == case.plain["rack"]["nodes"],
    "rack_price": lambda case, value: value == case.plain["rack"]["price"],
    "switches": lambda case, value: value == case.plain["switch"].get("per_rack", 1),
    "switch_price": lambda case, value: value == case.plain["switch"]["price"],
    "capital": lambda case, value: value == case.money["capital"],
    "lifetime": lambda case, value: value == case.money.get("lifetime_years", 4.0),
    "maintenance": lambda case, value: (
        value == case.money.get("maintenance_fraction_per_year", 0.0)
    ),
    "staff": lambda case, value: value == case.money.get("staff_per_year", 0.0),
    "energy_price": lambda case, value: value == case.money.get("energy_price_per_kwh", 0.0),
    "machine": lambda case, value: value == case.machine["name"],
    "scenario": lambda case, value: value == case.plain["name"],
    "description": lambda case, value: value == case.plain["description"],
    "origin": lambda case, value: value == case.plain["source"],
    "date": lambda case, value: value == str(case.plain["date"]),
    "version": lambda case, value: value == case.plain["version"],
    "replaced": lambda case, value: value in [" = ".join(each) for each in case.changes],
    "solver": lambda case, value: value == case.options.get("solver", "highs"),
    "gap": lambda case, value: value == f"{case.options.get('gap', 1e-6):g}",
    "seed": lambda case, value: value == case.options.get("seed", 0),
    "time_limit": lambda case, value: value == case.options["time_limit_s"],
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "reverses": lambda case: bool(case.asked) and "published" in case.reversing,
    "reverses-faster": lambda case: bool(case.asked) and "faster by" in case.reversing,
    "reverses-with": lambda case: (
        bool(case.asked) and {*case.reversing} - {"published", "faster by"} != set()
    ),
    "budgets": lambda case: bool(case.asked),
    "extremes": lambda case: (
        bool(case.asked)
        and _differ(float(min(case.now.speedups.values())), float(max(case.now.speedups.values())))
    ),
    "own-size": lambda case: (
        case.has_racks and _differ(float(case.rack_ratio(case.now.high_end)), float(case.now.ratio))
    ),
    "other-design": lambda case: bool(case.asked) and not case.equal,
    "only-acquisition": lambda case: bool(case.asked),
    "clamped": lambda case: (
        bool(case.asked and case.unmeasured) and case.asked["outside_measured"] == "clamp"
    ),
    "extrapolated": lambda case: (
        bool(case.asked and case.unmeasured) and case.asked["outside_measured"] == "extrapolate"
    ),
    "measure-run-times": lambda case: bool(case.asked and case.unmeasured),
    "measure-types": lambda case: bool(case.asked) and "faster by" in case.reversing,
    "rises": lambda case: any(
        case.slowed(job, design) >= 1.0005 for job in case.jobs for design in ("high-end", "older")
    ),
    "narrow": lambda case: bool(case.asked) and not case.equal and case.ratio < 1.02,
    "capital": lambda case: (
        bool(case.asked and case.plain.get("budget") and case.money.get("capital") and case.prices)
        and case.now.high_end * case.node("high_end")["price"] > case.money["capital"]
    ),
    "stopped-nodes": lambda case: _stopped(case) > 0,
    "stopped-time": lambda case: Stop.TIME in case.stops,
    "zero-line": lambda case: any(
        _falls(job["time"]) and case.asked["outside_measured"] == "extrapolate" for job in case.jobs
    ),
}
"""Kinds that are stated exactly when they are due."""


def _falls(model: Plain) -> bool:
    if model["kind"] == "linear":
        return bool(model["slope_s_per_node"] < 0)
    return len(model["nodes"]) > 1 and bool(model["time_s"][-1] < model["time_s"][-2])


def _readings(case: Case, rows: list[dict[str, Any]]) -> bool:
    first, *others = rows
    return (
        same(first["speedup"], case.mix)
        and len(others) == len(case.readings)
        and all(
            row["reading"] == kind and same(row["speedup"], mix) and row["beneficial"] == (mix > 1)
            for row, (kind, mix) in zip(others, case.readings, strict=True)
        )
    )


def _speedups(case: Case, rows: list[dict[str, Any]]) -> bool:
    times = [[row["time_worst_case_s"], row["time_overprovisioned_s"]] for row in rows]
    texts = Texts(case.answer.study)
    for row, (high_end, older) in zip(rows, times, strict=True):
        alike = texts.value(high_end, "s") == texts.value(older, "s")
        if row["faster"] != ("tie" if alike else older < high_end):
            return False
    return {row["application"] for row in rows} == {*case.now.speedups} and all(
        same(row["speedup"], float(case.now.speedups[row["application"]]))
        and row["nodes_worst_case"] == case.now.high_end
        and row["nodes_overprovisioned"] == case.now.older
        for row in rows
    )


def _disagreeing(case: Case, rows: list[dict[str, Any]]) -> bool:
    return len(rows) == len(case.plain["printed"]) - sum(row.agrees for row in case.answer.printed)


TABLES: dict[str, Callable[[Case, list[dict[str, Any]]], bool]] = {
    "readings": _readings,
    "overprovisioning": _speedups,
    "disagreeing": _disagreeing,
}
"""Whether the rows of a table are true."""
