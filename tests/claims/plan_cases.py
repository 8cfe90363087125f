"""Requests for proposals at the edges: tiny ones, so that every machine can be looked at."""

from __future__ import annotations

import copy
import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from planner.errors import InputError, PlanError
from planner.procurement.infeasible import Diagnosis
from planner.procurement.marginal_value import STEPS, ScoreChange
from planner.procurement.outcome import Options
from planner.procurement.own import machine
from planner.procurement.plan import Plan
from planner.procurement.problem import REGIMES, Problem
from planner.procurement.study import ProcurementStudy
from solvers import Status, Stop
from tests.claims.plan_truth import Case
from tests.planner.procurement.catalogues import Document, document, merits, node, request
from tests.planner.procurement.edges import edge_document

DAY = dt.date(2027, 1, 4)
_CAPS_W = [100.0, 150.0, 200.0]


def _with(raw: Document, **groups: Document) -> Document:
    """A request with more in some of its groups."""
    free = copy.deepcopy(raw)
    for name, values in groups.items():
        free[name] = {**free.get(name, {}), **values}
    return free


def _one(capital: float = 1000.0, bound_w: float = 1e5, **of_node: Any) -> Document:
    work = [merits("work", ("a", None, 1.0))]
    return request([node("a", 100.0, **of_node)], work, capital, bound_w)


def _several(count: int, capital: float, bound_w: float = 1e5, **of_nodes: Any) -> Document:
    """Types of which each alone runs some work, so that one of each is bought."""
    names = "abcde"[:count]
    nodes = [
        node(name, 100.0 + 10 * place, vendor="VWXYZ"[place], label=f"type {name}", **of_nodes)
        for place, name in enumerate(names)
    ]
    works = [merits(f"work {name}", (name, None, 1.0 + place)) for place, name in enumerate(names)]
    return request(nodes, works, capital, bound_w)


def _climb(*runs: tuple[str, int, float], **more: Any) -> Document:
    """A run that is timed alone: node type, nodes and seconds."""
    listed = [
        {"time": {"kind": "table", "node_type": name, "nodes": [nodes], "time_s": [time_s]}}
        for name, nodes, time_s in runs
    ]
    performance = {"kind": "times", "reference_time_s": 60.0, "runs": listed}
    return {
        "name": "climb", "rating": "time_to_solution", "weight": 1.0, "performance": performance,
        **more,
    }  # fmt: skip


def _open(study: ProcurementStudy) -> ProcurementStudy:
    """The answer whose searches ended early, so that its optimum is neither proved nor closed."""
    assert study.optimum.objective is not None
    limit = study.optimum.objective + 0.02
    optimum = replace(study.optimum, status=Status.FEASIBLE, bound=limit, proved=None)
    first, *others = study.solved
    ended = [
        replace(first.certificates[0], stop=stop, status=Status.FEASIBLE)
        for stop in (Stop.TIME, Stop.NODES, Stop.NODES)
    ]
    solved = (replace(first, certificates=tuple(ended)), *others)
    return replace(study, optimum=optimum, solved=solved)


def _early(study: ProcurementStudy) -> ProcurementStudy:
    """The answer whose second solver ended with a gap."""
    first, other = study.by_solver
    assert other.outcome.objective is not None
    limit = other.outcome.objective + 0.03
    outcome = replace(other.outcome, status=Status.FEASIBLE, bound=limit)
    return replace(study, by_solver=(first, replace(other, outcome=outcome)))


def _contradicting(study: ProcurementStudy) -> ProcurementStudy:
    """The answer whose second solver claims a limit below the first one's plan."""
    first, other = study.by_solver
    assert other.outcome.objective is not None
    value = other.outcome.objective - 0.1
    outcome = replace(other.outcome, objective=value, bound=value)
    return replace(study, by_solver=(first, replace(other, outcome=outcome)))


def _tied(study: ProcurementStudy) -> ProcurementStudy:
    """The answer whose second solver buys the other one of two equal quotes."""
    first, other = study.by_solver
    assert other.outcome.plan is not None
    (lot,) = other.outcome.plan.purchases
    name = "b" if lot.name == "a" else "a"
    plan = replace(other.outcome.plan, purchases=(replace(lot, name=name),))
    return replace(
        study, by_solver=(first, replace(other, outcome=replace(other.outcome, plan=plan)))
    )


def _loose(study: ProcurementStudy) -> ProcurementStudy:
    """The answer whose proof allows more than the solvers' limit."""
    assert study.optimum.bound is not None
    optimum = replace(study.optimum, proved=study.optimum.bound + 0.01)
    return replace(study, optimum=optimum)


def _ended(study: ProcurementStudy) -> ProcurementStudy:
    """The answer whose searches for the largest rise and the largest cut ended early."""
    effects = [
        replace(effect, low=None, high=None, score_change=ScoreChange.UNDECIDED)
        if abs(effect.change) == max(STEPS)
        else effect
        for effect in study.marginal_values
    ]
    return replace(study, marginal_values=tuple(effects))


def _between(study: ProcurementStudy) -> ProcurementStudy:
    """The answer whose search for the value of power ended early, with wider limits."""
    value = study.power_value
    assert value is not None
    assert value.capital_low is not None
    assert value.capital_high is not None
    wide = replace(
        value, capital_low=0.9 * value.capital_low, capital_high=1.1 * value.capital_high
    )
    return replace(study, power_value=wide)


def _undecided(study: ProcurementStudy) -> ProcurementStudy:
    optimum = replace(study.optimum, status=Status.UNKNOWN)
    return replace(study, optimum=optimum, diagnosis=None)


def _unexplained(study: ProcurementStudy) -> ProcurementStudy:
    return replace(study, diagnosis=Diagnosis((), (), ()))


def three(problem: Problem) -> Plan:
    """A heuristic of a user's own: three nodes of the first type."""
    return machine(problem, {"a": 3})


def cases() -> Iterator[Case]:
    """Requests at the edges."""
    yield from _alike()
    yield from _limited()
    yield from _certain()
    yield from _dated()
    yield from _worth()
    yield from _full()
    yield from _impossible()
    yield from _binding()
    yield from _hostile()


def _alike() -> Iterator[Case]:
    """Requests of which every method buys as many nodes of a type."""
    yield Case(_one(cores=64, embodied_kg_co2e=900.0), Options(solver="both"))
    static = {"package_caps_w": _CAPS_W, "capped_packages": 1, "peak_w": 250.0}
    rows = [("a", cap, merit) for cap, merit in zip(_CAPS_W, (0.75, 0.9, 1.0), strict=True)]
    capped = request([node("a", 100.0, **static)], [merits("work", *rows)], 500.0, 1e5,
                     procurement={"regime": "static"})  # fmt: skip
    for years in (1.0, 2.5):
        yield Case(_with(capped, budget={"lifetime_years": years}))
    yield Case(_several(3, 330.0, maximum_quantity=1), Options(solver="both"))
    yield Case(_several(2, 210.0, maximum_quantity=1))
    yield Case(_several(5, 1e4, maximum_quantity=1))
    yield Case(_modelled())


def _limited() -> Iterator[Case]:
    """Requests of which cooling or racks are the only limit that binds, one without a budget."""
    for limits in ({"air_w": 290.0}, {"liquid_w": 290.0}, {"racks": 1}):
        cooling = "liquid" if "liquid_w" in limits else "air"
        limited = _with(_one(cooling=cooling, as_bid_quantity=1), facility=limits,
                        procurement={"regime": "worst-case"},
                        rack={"nodes": 2, "price": 5.0})  # fmt: skip
        if "air_w" in limits:
            del limited["budget"]["capital"]
        yield Case(limited)


def _modelled() -> Document:
    """A request of which a roofline model states the performance of one workload."""
    work = merits("work", ("a", None, 1.0))
    model = {"kind": "roofline", "clock_bound": 0.5}
    rates = {"compute_rate": 8.0, "bandwidth_gb_s": 10.0}
    flow = {"name": "flow", "weight": 1.0, "performance": model}
    raw = request([node("a", 100.0, **rates)], [work, flow], 500.0, 1e5)
    raw["reference"] |= {"compute_rate": 4.0, "bandwidth_gb_s": 5.0}
    return raw


def _certain() -> Iterator[Case]:
    """Methods, solvers, and searches that end early."""
    two = request(
        [node("a", 100.0), node("b", 120.0)],
        [merits("work", ("a", None, 1.0), ("b", None, 1.5))], 500.0, 1e3,
    )  # fmt: skip
    yield Case(two, Options(method="greedy-per-money"))
    lumps = request(  # the dear type does most per money, but the cheap one uses all of it
        [node("a", 100.0), node("b", 300.0)],
        [merits("work", ("a", None, 1.0), ("b", None, 3.3))], 500.0, 1e5,
    )  # fmt: skip
    yield Case(lumps, Options(method="best-single-type"))
    yield Case(lumps, Options(method="greedy-per-money"))
    yield Case(two, Options(method="reference", time_limit_s=60.0))
    yield Case(two, Options(gap=1e-6), own=(three,))
    yield Case(two, change=_open)
    yield Case(two, change=_loose)
    yield Case(two, Options(solver="both"), change=_early)
    yield Case(two, Options(solver="both"), change=_contradicting)
    equal = request(
        [node("a", 100.0), node("b", 100.0)],
        [merits("work", ("a", None, 1.0), ("b", None, 1.0))], 200.0, 1e5,
    )  # fmt: skip
    yield Case(equal, Options(solver="both"), change=_tied)
    lesser = [("a", 100.0, 200.0), ("b", 150.0, 120.0), ("c", 140.0, 190.0), ("d", 140.0, 150.0)]
    outdone = request(  # a does most per price and b per watt; c and d do less of both
        [node(name, price, peak_w=w, idle_w=0.3 * w) for name, price, w in lesser],
        [merits("work", *((name, None, 1.0) for name, *_ in lesser))], 500.0, 640.0,
    )  # fmt: skip
    yield Case(outdone)


def _dated() -> Iterator[Case]:
    """Deliveries, quotes that end, energy that costs more, offers as quoted."""
    soon = {"decided_on": DAY}
    late = _with(_several(3, 330.0, maximum_quantity=1), procurement=soon,
                 power={"available_on": DAY + dt.timedelta(weeks=4), "side": "facility",
                        "pue": 1.2, "conversion_loss": 0.05, "fixed_w": 20.0,
                        "carbon_g_per_kwh": 300.0})  # fmt: skip
    for quote, weeks in zip(late["node_types"], (2, 6, 4.5), strict=True):
        quote |= {"lead_weeks": weeks, "as_bid_quantity": 1}
    late["node_types"][0]["valid_until"] = DAY + dt.timedelta(weeks=1)
    late["requirements"] = {"delivered_by": DAY + dt.timedelta(weeks=8)}
    yield Case(late)
    short = _with(_one(300.0, lead_weeks=3, valid_until=DAY - dt.timedelta(days=1)),
                  procurement=soon | {"weights": {"performance": 1.0}})  # fmt: skip
    short["node_types"].append(node("b", 100.0, as_bid_quantity=5, vendor="W"))
    short["workloads"][0]["performance"]["rows"].append(
        {"node_type": "b", "cap_w": None, "figure_of_merit": 1.0}
    )
    yield Case(short)
    slow = request(  # the plan is the best machine, but the system as quoted is delivered first
        [node("a", 100.0, lead_weeks=20),
         node("b", 100.0, lead_weeks=1, vendor="W", as_bid_quantity=3)],
        [merits("work", ("a", None, 1.0), ("b", None, 0.9))], 300.0, 1e5,
        procurement=soon | {"weights": {"performance": 0.3, "delivery": 0.7}},
    )  # fmt: skip
    yield Case(slow)
    prices = [{"name": "low", "price_per_kwh": 0.01, "probability": 0.75},
              {"name": "high", "price_per_kwh": 0.05, "probability": 0.25}]  # fmt: skip
    dear = _with(
        _one(400.0, discounts=[{"from_quantity": 3, "fraction": 0.1}]),
        budget={"energy_prices": prices, "operating_per_year": 120.0, "staff_per_year": 3.0,
                "maintenance_fraction_per_year": 0.05, "installation_fraction": 0.02,
                "fixed_capital": 10.0, "discount_rate": 0.04, "utilisation": 0.8},
        facility={"air_w": 900.0, "liquid_w": 500.0, "racks": 4}, rack={"nodes": 2, "price": 5.0},
    )  # fmt: skip
    yield Case(dear)
    yield Case(_with(dear, budget={"operating_holds": "every"}))
    demands = [{"name": "now", "probability": 0.5, "factors": {"work a": 2.0}},
               {"name": "later", "probability": 0.5, "factors": {"work b": 3.0}}]  # fmt: skip
    mixed = _with(_several(2, 900.0), procurement={"cvar_weight": 0.5, "cvar_level": 0.6})
    yield Case(mixed | {"demands": demands})


def _worth() -> Iterator[Case]:
    """More power: worth money, worth nothing, worth more than any money."""
    caps = {"package_caps_w": _CAPS_W, "capped_packages": 1, "peak_w": 250.0, "idle_w": 20.0,
            "maximum_quantity": 20}  # fmt: skip
    rows = [("a", cap, merit) for cap, merit in zip(_CAPS_W, (0.75, 0.9, 1.0), strict=True)]
    many = request([node("a", 100.0, **caps)], [merits("work", *rows)], 1000.0, 1900.0)

    def priced(price: float) -> Document:
        return _with(many, procurement={"repair_prices": {"it_power_w": price}})

    for price in (0.01, 50.0):
        yield Case(priced(price))
    worth = Case(priced(0.01)).answer.power_value
    assert worth is not None
    assert worth.capital_low is not None
    equal = priced(worth.capital_low / worth.step_w)
    yield Case(equal)
    yield Case(equal, change=_between)
    yield Case(equal, change=_ended)
    yield Case(_with(_one(400.0), procurement={"repair_prices": {"it_power_w": 1.0}}))
    few = _one(1e5, 350.0)
    yield Case(few, replaced=("power.bound_w", "budget.capital"))
    yield Case(_with(few, procurement={"regime": "worst-case", "repair_prices": {"it_power_w": 2}}))
    climb = _one(400.0)
    climb["workloads"].append(_climb(("a", 2, 30.0)))
    yield Case(climb)
    endless = _one(400.0, 1000.0, idle_w=0.0)
    endless["node_types"][0].pop("maximum_quantity")
    yield Case(endless)


def _impossible() -> Iterator[Case]:
    """Requests without a plan."""
    worst = {"regime": "worst-case"}
    poor = _with(_one(50.0), procurement=worst)
    yield Case(poor)
    yield Case(_with(poor, procurement={"repair_prices": {"capital": 1.05}}))
    yield Case(poor, change=_undecided)
    yield Case(poor, change=_unexplained)
    required = {"requirements": {"nodes": 4}}
    yield Case(_with(_one(250.0, 290.0), procurement=worst, **required))
    priced = worst | {"repair_prices": {"capital": 1.0, "it_power_w": 2.0}}
    yield Case(_with(_one(250.0, 290.0), procurement=priced, **required))
    timed = _with(_one(250.0), procurement=worst)
    timed["workloads"].append(_climb(("a", 3, 30.0)))
    yield Case(timed)
    old = _with(_one(500.0, valid_until=DAY - dt.timedelta(days=1)),
                procurement=worst | {"decided_on": DAY})  # fmt: skip
    yield Case(old)
    yield Case(_with(_one(250.0), procurement=worst, **required))
    shared = {"shares": [{"vendor": "W", "of": "nodes", "least": 0.3}]}
    yield Case(_with(_one(250.0), procurement=worst, requirements=shared))


def _full() -> Iterator[Case]:
    """The long form of tiny requests."""
    two = request(
        [node("a", 100.0, label="alike"), node("b", 102.0, label="alike")],
        [merits("work", ("a", None, 1.0), ("b", None, 0.98))], 415.0, 1e4,
        procurement={"most_node_types": 1}, requirements={"nodes": 4},
    )  # fmt: skip
    demands = [{"name": "a", "probability": 0.5}, {"name": "later", "probability": 0.5}]
    yield Case(two | {"demands": demands}, full=True)
    yield Case(_one(600.0), full=True)  # with a plan at both ends of each input


def _binding() -> Iterator[Case]:
    """Limits that bind, and that do not although little of them is left."""
    yield Case(_several(3, 400.0))  # no heuristic finds a machine that does all work
    for left in (9, 3):  # nodes of the second type; where all are sold, none needs power
        sold_out = request(
            [node("a", 10.0, idle_w=20.0, peak_w=50.0, maximum_quantity=2),
             node("b", 20.0, idle_w=20.0, peak_w=500.0, maximum_quantity=left)],
            [merits("work", ("a", None, 1.0), ("b", None, 1.0))], 1e5, 2000.0,
            procurement={"regime": "worst-case"},
        )  # fmt: skip
        yield Case(sold_out)
    dear = request(  # 500 of 1,000 left: all small nodes are bought, and a large one costs 1,001
        [node("small", 100.0), node("large", 1001.0)],
        [merits("work", ("small", None, 1.0), ("large", None, 100.0))], 1000.0, 1e5,
    )  # fmt: skip
    yield Case(dear)
    power = _one(1e7, 10_400.0, idle_w=100.0, peak_w=500.0, maximum_quantity=110)
    yield Case(_with(power, procurement={"regime": "worst-case"}))
    rows = [("a", 100.0, 0.55), ("a", 200.0, 0.8), ("a", 300.0, 0.93), ("a", 400.0, 1.0)]
    many = node("a", 1000.0, idle_w=100.0, peak_w=500.0, maximum_quantity=110, capped_packages=1,
                package_caps_w=[100.0, 200.0, 300.0, 400.0])  # fmt: skip
    yield Case(request([many], [merits("work", *rows)], 40_000.0, 10_000.0))


def _hostile() -> Iterator[Case]:
    """Names with marks of texts, equal titles, and titles in other scripts."""
    marks = ("<b>*a*</b> #[x](y) $1", "a & b | c", "\u05e9\u05dc\u05d5\u05dd")
    hostile = _several(3, 400.0)
    for quote, label in zip(hostile["node_types"], marks, strict=True):
        quote |= {"label": label, "vendor": label}
    hostile["title"] = "`{first}` %s <script>"
    hostile["reference"]["name"] = "{old}_*"
    yield Case(hostile)


def drawn(seed: int) -> Iterator[Case]:
    """Requests at the edges of their limits, and others; those that a search leaves open do not."""
    raw = edge_document(seed)
    raw["procurement"]["regime"] = REGIMES[seed % 3]
    other = document(seed)
    other["procurement"]["regime"] = REGIMES[(seed + 1) % 3]
    for each in (raw, other):
        case = Case(each)
        try:
            _ = case.answer
        except (PlanError, InputError):
            continue
        yield case
