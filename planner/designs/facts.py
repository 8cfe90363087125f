"""What a comparison of designs states: its facts, findings, tables and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from planner.designs import rows
from planner.designs.break_even import MIX
from planner.designs.command import command
from planner.designs.decision import NARROW
from planner.designs.overprovisioning import node_counts, other_speed_ratio
from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Severity, finding, noted, risks_of
from planner.formatting import amount
from planner.study import Question, Study, provenance_of, stated
from planner.table import Column, Table, columns, table
from planner.version import head
from scenarios.model.scenario import Budget
from solvers.model.result import Status, Stop

if TYPE_CHECKING:
    from planner.designs.core_hour import CoreHourCost
    from planner.designs.decision import DesignDecision
    from planner.designs.result import DesignResult

_IMMATERIAL = 0.0005
"""Run times that are longer by less than this fraction are not worth a risk."""
_MOST_TILES = 6
_MOST_TURNS = 2
"""Inputs that reverse the result, on the first page."""
_EQUAL = Limit("y", 1.0, "equal")
_CURVES = (
    ("cost_ratio", "ratio"), ("power_bound_w", "W given"), ("performance_fraction", "share given"),
)  # fmt: skip
"""Inputs with a figure, and their units."""
_FIGURES = dict(
    zip(
        (name for name, _ in _CURVES),
        ("over-cost-ratio", "over-power-bound", "over-gain"),
        strict=True,
    )
)


def study_of(result: DesignResult) -> Study:
    """The study of a comparison, of the cost of a core-hour, or of both."""
    scenario = result.scenario
    return stated(
        result, _headline, _confidence, _facts, _risks, _reasons, _alternatives, _assumptions,
        _next_steps, _questions, _tables, _figures,
        command="plan",
        title=finding("note", "title", title=(scenario.title, "text")),
        data=_data(result),
        provenance=provenance_of(command(result), scenario.provenance.files, *_settings(result)),
        language=scenario.language,
        texts="plan-designs",
    )  # fmt: skip


def _money(result: DesignResult) -> str:
    """The unit of all prices."""
    return f"money {(result.scenario.budget or Budget()).currency}"


def _runner(result: DesignResult) -> tuple[str, str]:
    """What runs: the only application, or the mix."""
    compared = result.overprovisioning
    return (compared[0].application, "text") if len(compared) == 1 else ("mix", "runner")


def _headline(result: DesignResult) -> Finding:
    decision, cost = result.decision, result.core_hour
    if decision is not None:
        return _decided(result, decision)
    if cost is None:
        return finding("headline", "no-question")
    money, costs = _money(result), _costs(cost)
    values: dict[str, Any] = {
        "machine": (cost.machine, "text"), "cost": (cost.cost_per_core_hour, money),
    }  # fmt: skip
    if len(costs) < 2 or min(costs) == max(costs):
        return finding("headline", "core-hour", **values)
    span = ((min(costs), max(costs)), f"interval:{money}")
    return finding("headline", "core-hour-about", **values, costs=span)


def _costs(cost: CoreHourCost) -> list[float]:
    """The cost of a core-hour by every bill."""
    every = (cost.cost_per_core_hour, cost.cost_per_core_hour_provisioned,
             cost.cost_per_core_hour_used)  # fmt: skip
    return [each for each in every if each is not None]


def _decided(result: DesignResult, decision: DesignDecision) -> Finding:
    first, titles = result.overprovisioning[0], rows.node_titles(result)
    pairs = list(zip((first.nodes_worst_case, first.nodes_overprovisioned), titles, strict=True))
    chosen, other = pairs if decision.design == "worst-case" else pairs[::-1]
    values: dict[str, Any] = {
        "nodes": (chosen[0], "count"), "type": (chosen[1], "text"), "runner": _runner(result),
    }  # fmt: skip
    others: dict[str, Any] = {"other_nodes": (other[0], "count"), "other": (other[1], "text")}
    if decision.equal:
        return finding("headline", "equally-fast", **values, **others)
    if not decision.clear:
        readings = (len(decision.readings), "reading")
        del values["runner"]
        return finding(
            "headline", "no-clear-winner", **values, readings=readings, other=others["other"]
        )
    values["speed"] = (decision.ratio, "factor")
    if decision.choice == "nearly equal":
        del values["runner"]
        return finding("headline", "nearly-equal", **values, **others)
    return finding("headline", "buy", **values, **others)


def _confidence(result: DesignResult) -> Iterator[Finding]:
    decision = result.decision
    if decision is None:
        yield finding("confidence", "arithmetic")
        return
    if decision.narrow and not decision.equal:
        yield finding("confidence", "narrow", margin=(NARROW, "share given"))
    if decision.readings and (decision.clear or decision.equal):
        yield _readings(decision, "confidence")
    yield from _programs(result, "confidence")


def _programs(result: DesignResult, severity: Severity) -> Iterator[Finding]:
    """How many programs confirm the run times."""
    if result.designs:
        agree = (sum(check.agrees for check in result.designs), len(result.designs))
        levels = tuple(sorted({check.certificate.level.value for check in result.designs}))
        yield finding(severity, "programs", part=(agree, "of:program"), levels=(levels, "level"))


def _facts(result: DesignResult) -> Iterator[Fact]:
    priced = [] if result.core_hour is None else list(_cost_facts(result, result.core_hour))
    if result.decision is None:
        yield from priced[:_MOST_TILES]
        return
    yield from list(_of_designs(result, result.decision))[: _MOST_TILES - bool(priced)]
    yield from priced[:1]


def _of_designs(result: DesignResult, decision: DesignDecision) -> Iterator[Fact]:
    first = result.overprovisioning[0]
    high_end, older = rows.node_titles(result)
    if decision.equal or decision.clear:
        yield Fact("design", "equal" if decision.equal else decision.design, "design")
    note = None
    if decision.readings:
        every = [decision.mix_speedup, *(each.mix_speedup for each in decision.readings)]
        ends = (min(every) - 1, max(every) - 1)
        note = finding("note", "under-readings", ends=(ends, "interval:change"))
    yield Fact("speed_gain", decision.mix_speedup - 1, "change", note)
    budget = first.nodes_worst_case * first.cost_ratio
    of_budget = finding("note", "named-budget", name=(high_end, "text"), older=(budget, "ratio"))
    yield Fact("nodes_worst_case", first.nodes_worst_case, "node", of_budget)
    named = finding("note", "named", name=(older, "text"))
    yield Fact("nodes_overprovisioned", first.nodes_overprovisioned, "node", named)
    yield _cost_ratio(result)


def _cost_ratio(result: DesignResult) -> Fact:
    question = result.scenario.overprovisioning
    origin = "given" if question is None else question.cost_ratio_from
    note = finding("note", "ratio-from", origin=(origin, "origin"))
    return Fact("cost_ratio", result.overprovisioning[0].cost_ratio, "ratio", note)


def _cost_facts(result: DesignResult, cost: CoreHourCost) -> Iterator[Fact]:
    money, machine = _money(result), result.scenario.machine
    bill = "provisioned" if cost.energy_provisioned_per_year is not None else "used"
    billed = ("stated" if cost.energy_stated else bill, "bill")
    yield Fact("core_hour", cost.cost_per_core_hour, money, finding("note", "billed", bill=billed))
    if machine is None:
        return
    for name, price, power_w in (
        ("provisioned", cost.cost_per_core_hour_provisioned, machine.power_provisioned_w),
        ("used", cost.cost_per_core_hour_used, machine.power_used_w),
    ):
        if price is not None:
            note = finding("note", "power", power=(power_w, "W"))
            yield Fact(f"core_hour_{name}", price, money, note)
    yield Fact("per_year", cost.total_per_year, money)
    utilised = finding("note", "utilised", cores=(machine.cores, "core"),
                       share=(machine.utilisation, "share given"))  # fmt: skip
    yield Fact("core_hours", cost.core_hours_per_year, "count", utilised)
    parts = rows.cost_parts(result)[:-1]
    largest = max(parts, key=lambda part: part["per_year"])
    share = finding("note", "share", share=(largest["share"], "share"))
    yield Fact("largest", largest["part"], "part", share)


def _risks(result: DesignResult) -> Iterator[Finding]:
    """What a board must know before it trusts the numbers."""
    yield from risks_of(result.scenario.remarks)
    for reading in result.decision.reversing if result.decision is not None else ():
        said: dict[str, Any] = {"speedup": (reading.mix_speedup, "factor")}
        kind: dict[str, Any] = {"reading": (reading.kind, "reading-kind")}
        if reading.nodes_overprovisioned is None:
            yield finding("risk", "reverses", **kind, **said)
            continue
        said["nodes"] = (reading.nodes_overprovisioned, "older")
        said["other"] = (reading.nodes_worst_case, "high-end")
        if reading.kind != "faster by":
            yield finding("risk", "reverses-with", **kind, **said)
            continue
        case = result.cases[0]
        yield finding(
            "risk", "reverses-faster", gain=(case.performance_fraction, "share given"),
            time=(other_speed_ratio(case).time_factor, "ratio"), **said,
        )  # fmt: skip
    for origin in ("clamped", "extrapolated"):
        names = result.unmeasured(origin)
        if names:
            yield finding("risk", origin, applications=(names, "text"))
    yield from _capital(result)
    stopped = {
        (check.application, check.design, check.certificate.solver)
        for check in result.designs
        if check.certificate.stop is Stop.NODES and check.certificate.status is not Status.OPTIMAL
    }
    if stopped:
        yield finding("risk", "stopped-nodes", programs=(len(stopped), "program"))
    if result.stopped_by_time:
        yield finding("risk", "stopped-time")
    seen = set()
    for check in result.designs:
        plan, closed = check.plan, check.closed_form
        slower = closed.time_s / plan.time_s
        which = (check.application, check.design)
        if check.design == "free" or slower < 1 + _IMMATERIAL or which in seen:
            continue
        seen.add(which)
        yield finding(
            "risk", "rises", application=(check.application, "text"),
            design=(check.design, "type"), nodes=(closed.nodes, "count"), slower=(slower, "factor"),
        )  # fmt: skip


def _reasons(result: DesignResult) -> Iterator[Finding]:
    """What decides: power and money, the applications, and which inputs reverse the result."""
    yield from _compared(result, "reason")
    yield from list(_turning(result, "reason"))[:_MOST_TURNS]


def _compared(result: DesignResult, severity: Severity) -> Iterator[Finding]:
    """What power and money allow, and how the applications fare."""
    if result.decision is None:
        return
    first, compared = result.overprovisioning[0], result.overprovisioning
    money = math.floor(node_counts(result.cases[0]).cost)
    yield finding(
        severity, "budgets", nodes=(first.nodes_worst_case, "high-end"), older=(money, "older"),
        limit=(first.node_limit, "count"),
    )  # fmt: skip
    least, most = (pick(each.speedup for each in compared) for pick in (min, max))
    if amount(least, "ratio") != amount(most, "ratio"):
        slowest, fastest = (
            tuple(each.application for each in compared if each.speedup == end)
            for end in (least, most)
        )
        yield finding(
            severity, "extremes", least=(least, "ratio"), most=(most, "ratio"),
            slowest=(slowest, "text"), fastest=(fastest, "text"),
        )  # fmt: skip


def _alternatives(result: DesignResult) -> Iterator[Finding]:
    """The other design, and what it is good for."""
    decision = result.decision
    if decision is None or decision.equal:
        return
    first, titles = result.overprovisioning[0], rows.node_titles(result)
    over = decision.design == "worst-case"
    nodes = first.nodes_overprovisioned if over else first.nodes_worst_case
    speeds = {
        each.application: each.speedup if over else 1 / each.speedup
        for each in result.overprovisioning
    }
    best = max(speeds, key=lambda name: speeds[name])
    part = (sum(speed > 1 for speed in speeds.values()), len(speeds))
    yield finding(
        "alternative", "other-design", nodes=(nodes, "count"), type=(titles[over], "text"),
        part=(part, "of:application"), speed=(speeds[best], "factor"), application=(best, "text"),
    )  # fmt: skip


def _assumptions(result: DesignResult) -> Iterator[Finding]:
    """What the comparison rests on."""
    if result.decision is not None:
        yield from _meaning(result)
        for each in _own_size(result):
            yield replace(each, severity="assumption")
        yield finding("assumption", "only-acquisition")


def _capital(result: DesignResult) -> Iterator[Finding]:
    """Whether the stated capital pays for the design that sets the budget."""
    budget, question = result.scenario.budget, result.scenario.overprovisioning
    if budget is None or budget.capital is None or question is None or not result.cases:
        return
    price = result.scenario.node_type(question.high_end).price
    nodes = result.overprovisioning[0].nodes_worst_case
    if price is None or nodes * price <= budget.capital:
        return
    money = _money(result)
    yield finding(
        "risk", "capital", capital=(budget.capital, money), nodes=(nodes, "high-end"),
        missing=(nodes * price - budget.capital, money),
    )  # fmt: skip


def _next_steps(result: DesignResult) -> Iterator[Finding]:
    """What to do now, and which data would make the answer sharper."""
    if result.decision is not None:
        guessed = {*result.unmeasured("clamped"), *result.unmeasured("extrapolated")}
        names = tuple(c.application for c in result.overprovisioning if c.application in guessed)
        if names:
            yield finding("next step", "measure-run-times", applications=(names, "text"))
        if result.decision.turns_with_reading:
            gain = (result.cases[0].performance_fraction, "share given")
            yield finding("next step", "measure-types", gain=gain)
        yield finding("next step", "ask-quotes")
    if result.core_hour is not None:
        yield finding("next step", "check-records")


def _questions(result: DesignResult) -> tuple[Question, ...]:
    compared, priced = bool(result.cases), result.core_hour is not None
    decided = ("designs",) if compared else ()
    differ = any(not check.agrees for check in result.designs)
    return (
        Question("designs", findings=tuple(_compared(result, "note")),
                 tables=("designs compared",), texts=("designs",)),
        Question("readings", findings=tuple(_reversing(result)),
                 tables=("readings",), texts=("readings",)),
        Question("turning", tables=("turning_points", "changed"),
                 figures=tuple(_FIGURES.values()),
                 texts=("turning", *(f"turning-{each}" for each in rows.drawn(result)))),
        Question("racks", findings=tuple(_own_size(result)), facts=tuple(_rack_facts(result)),
                 tables=("rack_sizes",), texts=("racks",)),
        Question("cost", facts=tuple(_rest_of_costs(result)),
                 tables=("cost_per_core_hour", "bills"), figures=("cost",), texts=("cost",)),
        Question("printed", findings=tuple(_printed(result)),
                 tables=("disagreeing",), texts=("printed",) if result.printed else ()),
        Question("inputs", facts=tuple(_inputs(result)), tables=("node_types", "workloads")),
        Question("limits", findings=tuple(_line_limits(result)),
                 texts=(*(f"limits-{each}" for each in decided),
                        *(("limits-cost",) if priced else ()))),
        Question("method", findings=(*_programs(result, "note"),
                                     *noted(check.certificate for check in result.designs)),
                 tables=("designs",) if differ else (), texts=(
                     *(("method-designs",) if compared else ()),
                     *(("method-cost",) if priced else ())),
                 equations=(*(("two-designs",) if compared else ()),
                            *(("core-hour",) if priced else ()))),
    )  # fmt: skip


def _printed(result: DesignResult) -> Iterator[Finding]:
    """How many published numbers agree with their formulas, and which one differs most."""
    if not result.printed:
        return
    agree = sum(row.agrees for row in result.printed), len(result.printed)
    yield finding("note", "agreeing", part=(agree, "of:published"))
    others = [row for row in result.printed if not row.agrees and row.printed]
    if others:
        row = max(others, key=lambda each: abs(each.ours / each.printed - 1))
        yield finding("note", "differs-most", quantity=(row.quantity, "key"),
                      printed=(row.printed, "count"), ours=(row.ours, "count"))  # fmt: skip


def _reversing(result: DesignResult) -> Iterator[Finding]:
    """The other readings that reverse the result."""
    if result.decision is not None and result.decision.readings:
        yield _readings(result.decision, "note")


def _readings(decision: DesignDecision, severity: Severity) -> Finding:
    """Which of the other readings reverse the result."""
    reversing = tuple(each.kind for each in decision.reversing)
    part = (len(reversing), len(decision.readings))
    return finding(severity, "readings", part=(part, "of:reading"),
                   readings=(reversing or "none", "reading-kind"))  # fmt: skip


def _meaning(result: DesignResult) -> Iterator[Finding]:
    """What "faster by" means, where its other meaning is another time."""
    case = result.cases[0]
    if result.decision is not None and "faster by" in {e.kind for e in result.decision.readings}:
        yield finding(
            "assumption", "meaning", gain=(case.performance_fraction, "share given"),
            meaning=(case.speed_ratio, "speed-ratio"), factor=(case.time_factor, "ratio"),
            other=(other_speed_ratio(case).time_factor, "ratio"),
        )  # fmt: skip


def _turning(result: DesignResult, severity: Severity) -> Iterator[Finding]:
    """The values of each input that reverse the result of the mix, or of the only application.

    The nearest ones first.
    """
    if result.decision is None or result.decision.equal:
        return
    name = MIX if len(result.cases) > 1 else result.cases[0].application
    given = result.cases[0].performance_fraction
    now = _inputs_now(result) | {"performance_fraction": given}
    units = dict(_CURVES)
    turns = [turn for turn in result.turning if turn.application == name]
    for turn in sorted(turns, key=lambda each: abs(each.threshold - now[each.parameter])
                       / (abs(now[each.parameter]) or 1.0)):  # fmt: skip
        beyond = "beyond" if turn.limit_extrapolated else "known"
        unit, values = units[turn.parameter], {"value": turn.threshold}
        if turn.limit is not None:
            values = {"least": turn.threshold, "below": turn.limit}
            if turn.side == "below":
                values = {"least": turn.limit, "below": turn.threshold}
        yield finding(
            severity, f"turns-{turn.side}" if turn.limit is None else "turns-within",
            input=(turn.parameter, "changed"), now=(now[turn.parameter], unit),
            times=("extrapolated" if turn.extrapolated else beyond, "turns-by"),
            **{name: (value, unit) for name, value in values.items()},
        )  # fmt: skip


def _rest_of_costs(result: DesignResult) -> Iterator[Fact]:
    """What the first page has no room for."""
    if result.core_hour is None:
        return
    costs = list(_cost_facts(result, result.core_hour))
    yield from costs[_MOST_TILES if result.decision is None else 1 :]


def _own_size(result: DesignResult) -> Iterator[Finding]:
    """The cost ratio with whole racks at the size of the plan, if it prints otherwise."""
    if result.racks is None:
        return
    first = result.overprovisioning[0]
    own = next(s for s in result.racks.sizes if s.high_end_nodes == first.nodes_worst_case)
    if amount(own.cost_ratio, "ratio") == amount(first.cost_ratio, "ratio"):
        return
    yield finding(
        "note", "own-size", nodes=(own.high_end_nodes, "high-end"), ratio=(own.cost_ratio, "ratio"),
        used=(first.cost_ratio, "ratio"),
    )  # fmt: skip


def _rack_facts(result: DesignResult) -> Iterator[Fact]:
    """The rack example."""
    racks = result.racks
    if racks is None:
        return
    for key, value in asdict(racks).items():
        unit = _money(result) if "_cost" in key else "count" if "nodes" in key else "ratio"
        if key != "sizes" and value is not None:
            yield Fact(key, value, unit)


def _inputs(result: DesignResult) -> Iterator[Fact]:
    """What was given, with its source."""
    scenario, question = result.scenario, result.scenario.overprovisioning
    rack, switch, budget, machine = (
        scenario.rack, scenario.switch, scenario.budget, scenario.machine
    )  # fmt: skip
    for key, text in (("description", scenario.description), ("origin", scenario.source)):
        if text:
            yield Fact(key, text, "quotation")
    if question is not None and scenario.power is not None:
        case = result.cases[0]
        yield Fact("bound", case.power_bound_w, "W given", _source(scenario.power.source))
        given = _source(question.source)
        yield Fact("performance_fraction", case.performance_fraction, "share given", given)
        yield Fact("time_factor", case.time_factor, "ratio")
        yield Fact("outside", case.outside, "outside")
    money = _money(result)
    if rack is not None:
        yield Fact("rack_nodes", rack.nodes, "node", _source(rack.source))
        yield Fact("rack_price", rack.price, money)
    if switch is not None:
        yield Fact("switches", switch.per_rack, "count", _source(switch.source))
        yield Fact("switch_price", switch.price, money)
    if budget is not None and budget.capital is not None:
        yield Fact("capital", budget.capital, money, _source(budget.source))
    if budget is not None and machine is not None:
        yield Fact("lifetime", budget.lifetime_years, "year")
        yield Fact("maintenance", budget.maintenance_fraction_per_year, "share given")
        yield Fact("staff", budget.staff_per_year, money)
        yield Fact("energy_price", budget.energy_price_per_kwh, money)
    if machine is not None:
        yield Fact("machine", machine.name, "text", _source(machine.source))


def _source(text: str) -> Finding | None:
    return finding("note", "source", source=(text, "text")) if text else None


def _line_limits(result: DesignResult) -> Iterator[Finding]:
    """Where the run-time curves stop making sense."""
    zeros = {
        case.application: even.zero_time_nodes
        for case, even in zip(result.cases, result.break_even, strict=True)
        if even.zero_time_nodes is not None and case.outside == "extrapolate"
    }
    if zeros:
        ends = (min(zeros.values()), max(zeros.values()))
        yield finding("limit", "zero-line", applications=(tuple(zeros), "text"),
                      nodes=(ends, "interval:ratio"))  # fmt: skip
    for workload in result.scenario.workloads if result.cases else ():
        model = workload.run_time
        if model.kind == "linear" and model.declared_nodes is not None:
            time_s = model.slope_s_per_node * model.declared_nodes + model.intercept_s
            if time_s <= 0:
                yield finding("limit", "declared", application=(workload.name, "text"),
                              nodes=(model.declared_nodes, "node"))  # fmt: skip


def _tables(result: DesignResult) -> Iterator[Table]:
    """All tables that have rows, the one of the first page first."""
    data, money = result.results(), _money(result)
    racks = data.get("racks", {}).get("sizes", [])
    node_types = _given(result)["node_types"]
    compared = {"nodes_worst_case": "count", "nodes_overprovisioned": "count"}
    verdict = {"speedup": "factor", "beneficial": "faster"}
    origins = {"worst_case_origin": "time-origin", "overprovisioned_origin": "time-origin"}
    guessed = any(map(result.unmeasured, ("clamped", "extrapolated")))
    turning, changed, readings, bills = (
        make(result) for make in (rows.turning, rows.changed, rows.readings, rows.bills)
    )
    every: tuple[tuple[str, str, list[dict[str, Any]], dict[str, str]], ...] = (
        ("overprovisioning", "", rows.run_times(data.get("overprovisioning", [])),
         {"application": "text", "time_worst_case_s": "s", "time_overprovisioned_s": "s",
          "speedup": "factor", "faster": "faster", **(origins if guessed else {})}),
        ("cost_per_core_hour", "", rows.cost_parts(result),
         {"part": "part", "per_year": money, "share": "share", "per_core_hour": money}),
        ("bills", "", bills if len(bills) > 1 else [],
         {"bill": "bill", "power_w": "W", "energy_per_year": money, "per_core_hour": money}),
        ("designs compared", "", rows.designs(result),
         {"design": "design", "node_type": "text", "power_per_node_w": "W given",
          "nodes_by_power": "count", "nodes_by_money": "count", "nodes": "count",
          "degree": "ratio"}),
        ("readings", "", readings if len(readings) > 1 else [],
         {"reading": "reading-kind", "cost_ratio": "ratio", **_differing(readings, compared),
          **verdict, "measured": "flag"}),
        ("turning_points", "", turning,
         {"application": "who", "input": "changed", "side": "turn-side", "value": "number",
          "now": "number", **_flagged(turning, "extrapolated")}),
        ("changed", "", changed,
         {"changed": "changed", **dict(_CURVES), **compared, "speedup": "factor",
          **_flagged(changed, "extrapolated")}),
        ("rack_sizes", "/racks/sizes", racks,
         {"racks": "count", "high_end_nodes": "count", "money": money, "older_nodes": "count",
          "cost_ratio": "ratio"}),
        ("printed", "/printed", [asdict(row) for row in result.printed],
         {"quantity": "key", "printed": "count", "ours": "count", "agrees": "flag",
          "source": "quotation", "note": "quotation"}),
        ("disagreeing", "", [asdict(row) for row in result.printed if not row.agrees],
         {"quantity": "key", "printed": "count", "ours": "count", "source": "quotation",
          "note": "quotation"}),
        ("node_types", "/inputs/node_types", node_types,
         {"name": "exact", "label": "text", "price": money, "cores": "count", "idle_w": "W given",
          "peak_w": "W given", "benchmark_score": "count", "source": "quotation"}),
        ("workloads", "", rows.applications(result),
         {"application": "text", "weight": "count", "slope_s_per_node": "count",
          "intercept_s": "count", "points": "count", "measured_nodes": "interval:count",
          "declared_nodes": "count", "source": "quotation"}),
        ("designs", "", rows.programs(result),
         {"application": "text", "design": "type", "nodes": "count", "time_s": "s",
          "closed_form_nodes": "count", "closed_form_time_s": "s",
          **({} if all(row["agrees"] for row in rows.programs(result)) else {"agrees": "flag"}),
          "solver": "exact", "status": "status", "level": "level"}),
        ("inputs", "", rows.inputs(_given(result)), {}),
        ("sensitivity", "/sensitivity", data.get("sensitivity", []), {}),
        ("break_even", "/break_even", data.get("break_even", []), {}),
    )  # fmt: skip
    for name, at, content, shown in every:
        if content:
            yield Table(name, _columns(content, shown), () if at else tuple(content), at)
    yield from _drawn(result)


def _flagged(content: list[dict[str, Any]], key: str) -> dict[str, str]:
    """A column of flags that people see only if one is set."""
    return {key: "flag"} if any(row.get(key) for row in content) else {}


def _differing(content: list[dict[str, Any]], units: dict[str, str]) -> dict[str, str]:
    """The columns whose values differ: one that says the same in each row tells nothing."""
    return {key: unit for key, unit in units.items() if len({row[key] for row in content}) > 1}


def _columns(content: list[dict[str, Any]], shown: dict[str, str]) -> tuple[Column, ...]:
    """Columns of plain values; digits of a ratio tell on which side of 1 it is."""
    plain = [{k: v for k, v in row.items() if k in shown or not isinstance(v, list | dict | tuple)}
             for row in content]  # fmt: skip
    return tuple(
        Column(c.key, c.unit, limit=1.0)
        if c.key in ("speedup", "cost_ratio") and c.shown
        else replace(c, unit_at="unit")
        if c.key in ("value", "now")
        else replace(c, unit="id")
        if c.key == "unit"
        else c
        for c in columns(plain, shown)
    )


def _drawn(result: DesignResult) -> Iterator[Table]:
    """The tables of figures, and the ranges in which overprovisioning pays."""
    if result.core_hour is not None:
        yield table("cost drawn", {"part": "part", "per_year": _money(result)},
                    ({key: row[key] for key in ("part", "per_year")}
                     for row in rows.cost_parts(result)[:-1]))  # fmt: skip
    if not result.cases:
        return
    who, speedup = {"application": "who"}, {"speedup": "ratio"}
    yield table("speedups drawn", {**who, "reading": "reading-kind", **speedup},
                rows.speedups(result))  # fmt: skip
    for name, unit in _CURVES[:2]:
        span, labels = {"start": unit, "end": unit}, {"start": name}
        yield table(f"{name} drawn", {**who, **span, **speedup, "extrapolated": "flag"},
                    rows.steps(result, name), labels=labels)  # fmt: skip
        pays = "cost_ratio_pays" if unit == "ratio" else "power_bound_pays_w"
        yield table(pays, {**who, **span, "ended_by": "ended"}, at=f"/break_even/*/{pays}",
                    labels=labels)  # fmt: skip
    name, unit = _CURVES[2]
    yield table(f"{name} drawn", {**who, name: unit, **speedup}, rows.over_performance(result))


def _figures(result: DesignResult) -> Iterator[Figure]:
    if result.cases and result.decision is not None:
        gaining, every = result.decision.gaining, result.overprovisioning
        part = ((len(gaining), len(every)), "of:application")
        yield Figure("speedups", "dots", "speedups drawn", "application", ("speedup",),
                     series="reading", limits=(Limit("x", 1.0, "equal"),),
                     finding=finding("note", "gain", part=part,
                                     applications=(gaining, "text")))  # fmt: skip
        now, turns = _inputs_now(result), _first_turns(result)
        for name, _ in _CURVES[:2]:
            yield Figure(_FIGURES[name], "spans", f"{name} drawn", "start", ("speedup",),
                         series="application", low="start", high="end", marked="extrapolated",
                         limits=(_EQUAL, Limit("x", now[name], "assumed")),
                         finding=turns.get(name))  # fmt: skip
        name = _CURVES[2][0]
        yield Figure(_FIGURES[name], "lines", f"{name} drawn", name, ("speedup",),
                     series="application", limits=(_EQUAL,), finding=turns.get(name))  # fmt: skip
    if result.core_hour is not None:
        yield Figure("cost", "bars", "cost drawn", "part", ("per_year",))


def _first_turns(result: DesignResult) -> dict[Any, Finding]:
    """What reverses the result, by input: of several values the nearest."""
    found: dict[Any, Finding] = {}
    for turn in _turning(result, "note"):
        found.setdefault(turn.values["input"], turn)
    return found


def _inputs_now(result: DesignResult) -> dict[str, float]:
    return {"cost_ratio": result.overprovisioning[0].cost_ratio,
            "power_bound_w": result.cases[0].power_bound_w}  # fmt: skip


def _given(result: DesignResult) -> dict[str, Any]:
    plain: dict[str, Any] = result.scenario.model_dump(mode="json", exclude={"printed"})
    return plain


def _data(result: DesignResult) -> dict[str, Any]:
    """The members of plan.json besides the study."""
    return {
        "scenario": head(result.scenario)["scenario"],
        "options": asdict(result.options),
        "stopped_by_time": result.stopped_by_time,
        **result.results(),
        "printed": [asdict(row) for row in result.printed],
        "inputs": _given(result),
    }


def _settings(result: DesignResult) -> Iterator[Fact]:
    """What was given; options of solvers only where a program was solved."""
    scenario, options = result.scenario, result.options
    yield Fact("scenario", scenario.name, "exact")
    for key, value in (("date", scenario.date), ("version", scenario.version)):
        if value is not None:
            yield Fact(key, str(value), "text")
    for path, text in scenario.provenance.changes:
        yield Fact("replaced", f"{path} = {text}", "text")
    if result.designs:
        yield Fact("solver", options.solver, "exact")
        yield Fact("seed", options.seed, "id")
        yield Fact("gap", f"{options.gap:g}", "exact")
        if options.time_limit_s is not None:
            yield Fact("time_limit", options.time_limit_s, "s given")
