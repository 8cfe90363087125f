"""The tables and pages of a procurement, as its study has them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planner.finding import Fact, Finding, finding, noted, risks_of
from planner.procurement import answers
from planner.procurement.by_solver import agree
from planner.procurement.combination_rows import DRAWN, changing_capital, next_best
from planner.procurement.combinations import sold_in_fixed_sizes
from planner.procurement.labels import label_of
from planner.procurement.not_bought import deciding, not_bought
from planner.procurement.plain import tidy
from planner.procurement.power_value import StepEffect
from planner.procurement.problem import UNLIMITED
from planner.procurement.repairs import finite
from planner.procurement.rows import grouped_sources, packages, sources, unit_of
from planner.procurement.score_parts import is_mix
from planner.procurement.total_costs import total_costs
from planner.procurement.used import peak_w
from planner.study import Question
from planner.table import Column, Table, table
from scenarios.model.procurement import Roofline
from solvers import Level

if TYPE_CHECKING:
    from planner.procurement.problem import PackageOffer, Problem
    from planner.procurement.result import ProcurementResult


def tables(result: ProcurementResult, data: Mapping[str, Any]) -> tuple[Table, ...]:
    """Every table that has rows."""
    money, price = (f"{kind} {result.problem.prices.currency}" for kind in ("money", "price"))
    every = (
        *_to_buy(result, money, price),
        *_of_plan(money, price, has_packages=bool(result.problem.packages)),
        *_of_others(money, price, result, data),
        *_of_inputs(price, result),
        *_without_plan(money),
        *_certificates(result),
    )
    return tuple(
        _telling(each, rows) for each in every if (rows := each.rows or _rows(data, each.at))
    )


_SOME = 1e-6
"""A smaller share of the capital is rounding."""

NOTED = ("quotes-left-out",)
"""Kinds of remarks that say how a sheet was read, and not what may go wrong."""

_USUAL: Mapping[str, Mapping[str, Any]] = {
    "not_bought": {"rules": ()},
    "quotes": {"least": 1},
    "regimes": {"status": "optimal"},
    "marginal_changes": {"score_change": "changes"},
    "mandates": {"demand": ""},
}
"""Columns by table that people see only where a value is another than this one."""


def _telling(shown: Table, rows: Any) -> Table:
    """The table without columns that say the usual in every row."""
    usual = _USUAL.get(shown.name, {})
    hidden = {key for key, value in usual.items() if all(row[key] == value for row in rows)}
    columns = tuple(replace(c, shown=c.shown and c.key not in hidden) for c in shown.columns)
    return replace(shown, columns=columns)


def _rows(data: Any, at: str) -> Any:
    if not at:
        return None
    for step in at.strip("/").partition("/*")[0].split("/"):
        data = data.get(step) if isinstance(data, Mapping) else None
    return data


def _stored(name: str, units: Mapping[str, str | Column], *, at: str = "", **how: Any) -> Table:
    """A table whose rows are in the data under its name."""
    return table(name, units, at=at or f"/{name}", **how)


def _to_buy(result: ProcurementResult, money: str, price: str) -> Iterator[Table]:
    """What to buy, most money first, and what the bill has besides nodes."""
    plan = result.plan
    if plan is None:
        return
    rows: list[dict[str, Any]] = [
        {
            "label": label_of(result.problem, lot.name), "label_unit": "text",
            "vendor": result.scenario.node_type(lot.name).vendor or "", "nodes": lot.nodes,
            "cap_w": lot.cap_w, "racks": lot.racks, "unit_price": lot.unit_price,
            "amount": lot.nodes * lot.unit_price,
        }
        for lot in plan.purchases
        if result.problem.offers[lot.offer].package is None
    ]  # fmt: skip
    rows += [
        {"label": row["label"], "label_unit": "text", "vendor": row["vendor"], "lot": row["lot"],
         "nodes": row["nodes"], "racks": row["racks"], "amount": row["total"],
         "per_year": row["per_year"] or None}
        for row in packages(result)
    ]  # fmt: skip
    rows.sort(key=lambda row: -row["amount"])
    rows += [
        {"label": "vendor discount", "label_unit": "item", "vendor": vendor,
         "amount": float(paid.total - paid.gross)}
        for vendor, paid in plan.bill.vendors.items()
        if paid.total != paid.gross
    ]  # fmt: skip
    rest = plan.bill.capital - math.fsum(row["amount"] for row in rows)
    if abs(rest) > _SOME * plan.bill.capital:
        rows.append({"label": "others", "label_unit": "item", "amount": rest})
    label = Column("label", "text", _sold(result), unit_at="label_unit")
    packed = bool(result.problem.packages)
    yield table("to_buy", {"label": label, "vendor": "text", "lot": "text",
                "nodes": "count", "cap_w": "W given", "racks": "count", "unit_price": price,
                "amount": price if packed else money, "per_year": price, "label_unit": "id"}, rows,
                hidden={"label_unit"},
                labels={"racks": "rack_places"} if packed else {},
                summed=("nodes", "racks", "amount", "per_year"))  # fmt: skip


def _sold(result: ProcurementResult) -> str:
    """Heading of what is bought."""
    if not result.problem.packages:
        return ""
    return "package_or_type" if result.problem.free_offers else "package"


def _of_plan(money: str, price: str, *, has_packages: bool) -> Iterator[Table]:
    lots = "/decision/plan/purchases"
    reached = Column("reached", "number", unit_at="unit_reached", limit_at="asked")
    yield _stored("purchases", {"label": "text", "vendor": "text", "nodes": "count",
                "cap_w": "W given", "racks": "count", "unit_price": price, "amount": money,
                "name": "id", "delivered_on": "date"}, at=lots,
                hidden={"name", "delivered_on"}, summed=("nodes", "racks"))  # fmt: skip
    yield _stored("packages", {"label": "text", "vendor": "text", "lot": "text", "nodes": "count",
                "racks_sold": "count", "racks": "count", "total": price, "per_year": price,
                "name": "id"},
                hidden={"name"}, summed=("nodes", "racks_sold", "racks", "total", "per_year"),
                labels={"label": "package", "racks": "rack_places"})  # fmt: skip
    package = {"package": "text"} if has_packages else {}
    yield _stored("bill_of_materials", {"item": "item", "vendor": "text", **package,
                "quantity": "count", "unit_price": price, "amount": price},
                summed=("amount",))  # fmt: skip
    yield _stored("delivered", {"package": "text", "figure": "text", "value": "number",
                "half_width": "share given", "least": "share at most", "most": money,
                "expected_penalty": money, "name": "id"}, hidden={"name"},
                labels={"value": "committed", "least": "least_delivered",
                        "most": "most_penalty"})  # fmt: skip
    yield _stored("delivery", {"label": "text", "nodes": "count", "lead_weeks": "count",
                "delivered_on": "date", "days_after_power": "count",
                "days_before_power": "count"}, at=lots, hidden={"days_before_power"})  # fmt: skip
    yield _stored("limits", {"resource": "resource", "used": "number", "limit": "number",
                "used_share": "share used", "remaining": "number", "bound": "flag", "unit": "id"},
                hidden={"unit"}, units_at={"used": "unit", "limit": "unit", "remaining": "unit"},
                labels={"bound": "binds"})  # fmt: skip
    yield _stored("power_parts", {"part": Column("part", "text", unit_at="part_unit"),
                "watts": "W", "part_unit": "id"}, hidden={"part_unit"},
                summed=("watts",))  # fmt: skip
    yield _stored("stocks", {"label": "text", "nodes": "count", "offered": "count",
                "used_share": "share used"})  # fmt: skip
    yield _stored("mandates", {"what": "mandate", "subject": "text", "demand": "text",
                "at_least": "side", "asked": "number", "reached": reached, "slack": "number",
                "unit": "id", "unit_reached": "id"}, hidden={"slack", "unit", "unit_reached"},
                units_at={"asked": "unit", "slack": "unit_reached"})  # fmt: skip
    yield _stored("cost_parts", {"part": "part", "per_year": money, "present_value": money,
                "share": "share"}, summed=("per_year", "present_value"))  # fmt: skip
    yield _stored("total_costs", {"part": "part", "plan": price, "award": price,
                "difference": price}, summed=("plan", "award", "difference"))  # fmt: skip
    yield _stored("types", {"label": "text", "installed": "count", "in_use": "number",
                "idle_w": "W", "drawn_w": "W", "peak_w": "W", "caps": "interval:W given",
                "caps_w": "W given"}, hidden={"caps_w"})  # fmt: skip
    yield _stored("capability", {"workload": "text", "label": "text", "cap_w": "W given",
                "nodes": "count", "time_s": "s", "reference_nodes": "count",
                "reference_time_s": "s", "speedup": "multiple"})  # fmt: skip
    yield _stored("work_by_type", {"label": "text", "workload": "text",
                "nodes": "number"})  # fmt: skip
    yield _stored("allocation", {"rating": "text", "workload": "text", "share": "share",
                "label": "text", "cap_w": "W given", "merit": "multiple", "nodes": "number",
                "throughput": "multiple", "node_type": "text"}, hidden={"node_type"},
                labels={"merit": "work_of_node", "share": "share_of_mix"})  # fmt: skip


_DRAWN_KEYS = ("score", "capital", "kind")


def _of_others(
    money: str, price: str, result: ProcurementResult, data: Mapping[str, Any]
) -> Iterator[Table]:
    left = [
        {**vars(each), "deciding": deciding(each)}
        for each in not_bought(result)
        if each.reason != "package not bought" or not result.combinations
    ]
    combined = data.get("combinations", [])
    yield from _of_packages(money, combined)
    drawn = [
        {"packages": tuple(each["packages"]), **{key: each[key] for key in _DRAWN_KEYS}}
        for each in combined[:DRAWN]
    ]
    yield table("combinations_drawn", {"packages": "text", "score": "score", "capital": money,
                "kind": "candidate"}, drawn)  # fmt: skip
    yield table("not_bought", {"label": "text", "vendor": "text", "deciding": "reason",
                "other": "text", "discount": "share", "rules": "rule",
                "work_per_price": "interval:share", "work_per_watt": "interval:share",
                "speed": "interval:share", "reason": "reason", "name": "id"}, left,
                hidden={"deciding", "reason", "name"}, labels={"deciding": "reason"})  # fmt: skip
    yield _vendor_comparison(money, price)
    yield _stored("excluded", {"quote": "text", "vendor": "text", "rule": "rule", "stated": "text",
                "needed": "text", "missing": "id", "why": "message", "unit": "id"},
                at="/excluded/*/against", hidden={"why", "unit"}, units_at={"stated": "unit",
                "needed": "unit"})  # fmt: skip
    yield _stored("deciding_rules", {**_RULE, "unit": "id", "quotes": "text", "score": "score"},
                hidden={"unit"}, **_RULE_AMOUNT)  # fmt: skip
    yield _stored("compared", {"method": "method", "score": "score", "below": "change",
                "capital": money, "total_cost": money, "it_power_w": "W", "energy_kwh": "kWh",
                "violations": "count", "bought": "finding", "mean_it_w": "W",
                "operating": money}, at="/machines_compared",
                hidden={"mean_it_w", "operating"})  # fmt: skip
    yield table("candidates", {"name": "method", "kind": "candidate", "score": "score",
                "capital": money}, answers.candidates(result))  # fmt: skip
    yield _stored("violations", {"method": "method", "rule": "message"})
    yield _stored("requirements", {"method": "method", "workload": "text", "demand": "text",
                "required": "number", "alone": "number", "together": "number", "missed": "flag",
                "unit": "id"}, hidden={"unit"}, units_at={"required": "unit", "alone": "unit",
                "together": "unit"})  # fmt: skip
    yield _stored("regimes", {"regime": "regime", "status": "status", "score": "score",
                "gain": "interval:certain change", "capital": money, "it_power_w": "W",
                "nodes": "count", "bought": "finding"},
                labels={"gain": "gain_over_it"})  # fmt: skip
    yield _stored("marginal_values", {"resource": "resource", "change": "change",
                "interval": "interval:certain change", "score_change": "certain",
                "by_dual": "change", "by_relaxation": "change", "low": "change", "high": "change"},
                hidden={"low", "high"})  # fmt: skip
    yield from _certain_changes(result)
    criteria = result.ranking.weights if result.ranking is not None else ()
    yield _stored("ranking_points", {"candidate": "method", **dict.fromkeys(criteria, "score"),
                "total": "score"})  # fmt: skip
    yield _stored("ranking_weights", {"criterion": "criterion", "weight": "share given",
                "stays": "interval:share", "winners": "method"})  # fmt: skip
    yield _stored("alternatives", {"number": "id", "score": "score", "given_up": "share",
                "distance": "share", "distance_bound": "share at most", "capital": money,
                "bought": "finding"})  # fmt: skip
    yield _stored("losing_quotes", {"label": "text", "vendor": "text", "held": "count",
                "certified_out": "share at least", "certified_in": "share at most", "price": price,
                "price_then": price, "kept_out_by": "rule", "can_be_held": "flag"})  # fmt: skip
    yield _stored("budget_power_grid", {"capital": money, "it_power_w": "W",
                "score_worst-case": "score", "score_static": "score",
                "score_overprovisioned": "score", "gain": "change",
                "gain_over_static": "change"})  # fmt: skip
    yield _stored("pareto", {"number": "id", "score": "score", "capital": money, "it_power_w": "W",
                "total_cost": money, "beyond": "resource", "bought": "finding", "reach": "reach"},
                hidden={"reach"})  # fmt: skip
    yield _stored("tornado", {"input": "finding", "score_low": "score", "score_high": "score",
                "kept_low": "score", "kept_high": "score", "types_change": "flag", "kept": "score"},
                hidden={"kept"})  # fmt: skip
    yield _stored("regret_quantiles", {"share": "share given", "regret": "share"})


def _of_packages(money: str, combined: Iterable[Mapping[str, Any]]) -> Iterator[Table]:
    """Why packages are not bought, and every combination of packages."""
    as_quoted = all(row["nodes"] == row["nodes_quoted"] for row in combined)
    below = {"below": "change"}
    yield _stored("packages_left", {"package": "text", "vendor": "text", "packages": "text",
                "capital": money, "score": "score", **below, "breaks": "finding"},
                labels={"packages": "best_with", "below": "against_plan",
                        "breaks": "why_not"})  # fmt: skip
    yield _stored("combinations", {"packages": "text", "nodes": "count",
                "nodes_quoted": "count", "capital": money,
                "remaining": money, "total_cost": money, "peak_w": "W", "delivered_on": "date",
                "score": "score", **below, "breaks": "finding", "kind": "candidate"},
                hidden={"kind", "remaining", "below", *(["nodes_quoted"] if as_quoted else [])},
                labels={"remaining": "left_of_capital", "below": "against_plan",
                        "nodes_quoted": "quoted_nodes",
                        "peak_w": "all_at_peak"})  # fmt: skip


def _certain_changes(result: ProcurementResult) -> Iterator[Table]:
    """The changes of limits that certainly change the score."""
    begins = changing_capital(result)
    certain = [
        plain | {"interval": (plain["low"], plain["high"]),
                 "begins": begins[effect.change > 0] if effect.resource == "capital" else None}
        for effect in result.marginal_values
        if effect.certain and (plain := tidy(effect.to_dict()))
    ]  # fmt: skip
    price = f"price {result.problem.prices.currency}"
    keys = {"resource": "resource", "change": "change", "interval": "interval:certain change",
            "score_change": "certain", "begins": price}  # fmt: skip
    yield table("marginal_changes", keys,
                tuple({key: row[key] for key in keys} for row in certain))  # fmt: skip
    drawn = [row for row in certain if row["low"] is not None]
    yield table("marginal_drawn", {"resource": "resource", "change": "change", "low": "change"},
                tuple({key: row[key] for key in ("resource", "change", "low")}
                      for row in drawn))  # fmt: skip


def _vendor_comparison(money: str, price: str) -> Table:
    """A sheet for somebody who changes a price or a number of nodes, and sees what follows."""
    formulas = {
        "capital": "{nodes_bought}*{unit_price}",
        "power_per_node_w": "{peak_w}*{drawn_share}",
        "power_w": "{nodes_bought}*{power_per_node_w}",
        "capital_share": "IF(SUM({capital:all})=0,0,{capital}/SUM({capital:all}))",
        "node_hours": "{nodes_bought}*{used_hours_per_node}",
        "capital_per_node_hour": "IF({used_hours_per_node}=0,0,{unit_price}/{used_hours_per_node})",
    }
    return _stored("vendor_comparison", {"vendor": "text", "label": "text", "quote": "id",
                   "quoted_nodes": "count", "nodes_bought": "count", "unit_price": price,
                   "capital": money, "peak_w": "W", "drawn_share": "share",
                   "power_per_node_w": "W", "power_w": "W", "capital_share": "share",
                   "used_hours_per_node": "number", "node_hours": "number",
                   "capital_per_node_hour": price, "delivered_on": "date", "reason": "reason"},
                   summed=("quoted_nodes", "nodes_bought", "capital", "power_w", "capital_share",
                           "node_hours"), formulas=formulas)  # fmt: skip


_RULE = {"rule": "rule", "subject": "text", "amount": "number"}
_RULE_AMOUNT: Mapping[str, Any] = {
    "units_at": {"amount": "unit"},
    "labels": {"amount": "rule_amount"},
}


def _of_inputs(price: str, result: ProcurementResult) -> Iterator[Table]:
    types = result.scenario.node_types
    hidden = ["kind", "cooling", "caps_w", "valid_until", "quote", "origin"]
    if not any(each.discounts for each in types):
        hidden.append("discounts")
    if not result.problem.packages:
        hidden.append("quoted")
    elif all(each.minimum_quantity == each.maximum_quantity for each in types):
        hidden += ["least", "quoted"]
    yield _stored("quotes", {"label": "text", "vendor": "text", "price": price,
                "discounts": "finding", "idle_w": "W given", "peak_w": "W given",
                "caps": "interval:W given", "memory_gb": "GB", "lead_weeks": "count",
                "least": "count", "quoted": "count", "most": "count", "kind": "text",
                "cooling": "cooling", "caps_w": "W given", "valid_until": "date", "quote": "id",
                "origin": "text"},
                hidden=hidden, labels={"quoted": "quoted_nodes"})  # fmt: skip
    yield _stored("vendor_terms", {"vendor": "text", "minimum_total": price, "from_total": price,
                "discount": "share given"},
                labels={"discount": "discount_on_total"})  # fmt: skip
    yield _stored("workloads", {"workload": "text", "weight_share": "share", "rating": "rating",
                "kinds": "text", "performance": "performance", "clock_share": "share given",
                "power_share": "share given", "reference_figure": "given"})  # fmt: skip
    yield _stored("rates", {"label": "text", "compute_rate": "given", "bandwidth_gb_s": "given",
                "efficiency": "given"})  # fmt: skip
    yield _stored("demands", {"demand": "text", "probability": "share given", "factors": "finding",
                "score": "score"})  # fmt: skip
    yield _stored("sources", {"inputs": "text", "source": "text"})
    yield table("grouped_sources", {"inputs": "whole", "source": "whole"},
                grouped_sources(sources(result)))  # fmt: skip


def _without_plan(money: str) -> Iterator[Table]:
    yield _stored("repairs", {"number": "id", "aim": "aim", "resource": "resource",
                "added": "number", "at_feed": "W up", "limit_then": "number", "least": "number",
                "cost": f"{money} up", "score": "number", "capital": money, "bought": "finding",
                "unit": "id", "unit_up": "id"}, hidden={"unit", "unit_up"},
                units_at={"added": "unit_up", "limit_then": "unit_up", "least": "unit"},
                labels={"least": "least_added"}, limits={"score": 1.0})  # fmt: skip
    for name in ("clashing", "impossible"):
        yield _stored(name, {**_RULE, "unit": "id"}, hidden={"unit"}, **_RULE_AMOUNT)
    yield _stored("ways", {"number": "id", **_RULE, "to": "number", "least": "flag",
                "score": "number", "nodes": "count", "bought": "finding", "unit": "id",
                "unit_to": "id"}, hidden={"unit", "unit_to"}, limits={"score": 1.0},
                units_at={"amount": "unit", "to": "unit_to"},
                labels={"amount": "rule_amount", "least": "least_step"})  # fmt: skip


def _certificates(result: ProcurementResult) -> Iterator[Table]:
    tied = len({answer.bought for answer in result.by_solver}) > 1
    level = {"status": "status", "level": "level"}
    certificate = {**level, "objective": "value", "bound": "value"}
    yield _stored("solvers", {"solver": "id", **certificate, "gap": "share", "rounds": "count",
                "nodes": "count", "bought": "finding", "purchases": "text"},
                at="/decision/solvers",
                hidden={"purchases"} if tied else {"purchases", "bought"})  # fmt: skip
    yield _stored("certificates", {"program": "program-name", **certificate,
                "proved_bound": "value", "unit": "id"}, hidden={"unit"},
                units_at=dict.fromkeys(("objective", "bound", "proved_bound"), "unit"))  # fmt: skip
    yield _stored("solved", {"question": "asked", "programs": "count", **level})
    yield _stored("programs", {"question": "asked", "program": "id", **certificate, "gap": "share",
                "nodes": "count", "stop": "id", "solver": "id", "model_digest": "id"})  # fmt: skip


def questions(result: ProcurementResult) -> tuple[Question, ...]:
    """The pages, in order, each with the facts that answer its question."""
    return tuple(
        replace(page, facts=(*page.facts, *answers.to_question(page.name, result)))
        for page in _pages(result)
    )


def _pages(result: ProcurementResult) -> tuple[Question, ...]:
    """The pages, with their tables, figures and texts."""
    diagnosis, mix = result.diagnosis, is_mix(result.problem)
    gained = tuple(answers.gained(result, "worst-case", "static"))
    differ = not answers.regimes_alike(result)
    regimes = ("regimes",) if differ else ()
    averse = result.problem.cvar_weight > 0
    return (
        Question("infeasible", findings=tuple(_hopeless(result)) if diagnosis else (),
                 tables=("clashing", "impossible", "ways"), texts=tuple(_explained(result))),
        Question("purchase", facts=tuple(_bought(result)),
                 tables=("bill_of_materials", "delivery", "limits", "power_parts", "stocks",
                                     "mandates"),
                 texts=("purchase", *_of_lots(result),
                        *(["shares"] if result.problem.shares else []))),
        Question("delivered", findings=tuple(answers.delivered(result)), tables=("delivered",),
                 texts=("delivered",) if result.delivered else ()),
        Question("cost", facts=tuple(_cost(result)), tables=("cost_parts", "total_costs"),
                 figures=("life_cost",),
                 texts=(*(("core_hour",) if _all_cores(result) and result.cost else ()),
                        *(("total_costs",) if total_costs(result) else ()))),
        Question("not_bought", findings=tuple(answers.unbought(result)),
                 tables=("packages_left", "not_bought", "excluded", "deciding_rules"),
                 texts=("not_bought",) if _has_figures(result) else ()),
        Question("combinations", findings=tuple(next_best(result)),
                 tables=("combinations",), figures=("combinations",),
                 texts=tuple(_of_combinations(result))),
        Question("ranking", findings=(*answers.ranked(result, "note"), *_left_out(result)),
                 tables=("ranking_points", "ranking_weights"), texts=("ranking",)),
        Question("alternatives", tables=("alternatives",), texts=("alternatives",)),
        Question("losing_quotes", tables=("losing_quotes",), figures=("losing_quotes",),
                 texts=("losing_quotes",)),
        Question("regimes", findings=gained if differ else (),
                 tables=regimes, texts=regimes),
        Question("budget_power_grid", tables=("budget_power_grid",),
                 figures=("budget_power_grid",), texts=("budget_power_grid",)),
        Question("marginal_values",
                 findings=(*answers.worth(result), *_power_value(result),
                           *(() if differ else gained)),
                 tables=("marginal_changes",), figures=("marginal_values",),
                 texts=("marginal_values",)),
        Question("pareto", tables=("pareto",), figures=("pareto",), texts=("pareto",)),
        Question("tornado", tables=("tornado",), figures=("tornado",), texts=("tornado",)),
        Question("monte_carlo", facts=tuple(_simulated(result)), tables=("regret_quantiles",),
                 texts=("monte_carlo",)),
        Question("operation", facts=tuple(_of_work(result)),
                 tables=("types", "allocation", "capability"), figures=("allocation",),
                 texts=("operation", *_of_allocation(result))),
        Question("compared", findings=tuple(answers.simpler(result, "note")),
                 tables=("compared",), figures=("candidates",), texts=tuple(_methods(result))),
        Question("violations", tables=("violations", "requirements"),
                 texts=("violations",) if _misses_work(result) else ()),
        Question("quotes", facts=tuple(_site(result)), tables=("quotes", "vendor_terms")),
        Question("work", tables=("workloads", "rates", "demands"),
                 texts=("work",) if _has_roofline(result) else ()),
        Question("method", facts=(*_draws(result), *(_risk_facts(result) if averse else ())),
                 texts=("symbols", *(() if mix else ("timed",)), "score_mix" if mix else "score",
                        "method", *(("risk",) if averse else ()), "omitted"),
                 equations=(*(() if mix else ("score",)), "rating", "power-used",
                            *(("risk-measure",) if averse else ()))),
        Question("certificates", findings=(*noted([result.optimum.certificate]), *_agreed(result)),
                 facts=(Fact("gap_given", result.options.gap, "share given"),),
                 tables=("solvers", "certificates"),
                 texts=("certificates", *(["claimed"] if _is_claimed(result) else []))),
        Question("sources", findings=tuple(_read(result)), tables=("grouped_sources",),
                 texts=("sources",) if _is_shortened(result) else ()),
    )  # fmt: skip


def _agreed(result: ProcurementResult) -> Iterator[Finding]:
    """That the solvers agree, also on what is bought; the first page says where they do not."""
    solved = result.by_solver
    if len(solved) > 1 and agree(solved) and len({each.bought for each in solved}) == 1:
        names = tuple(each.solver for each in solved)
        yield finding("note", "solvers-agree", solvers=(names, "id"),
                      gap=(result.options.gap, "share given"))  # fmt: skip


def _read(result: ProcurementResult) -> Iterator[Finding]:
    """How sheets of quotes were read."""
    return risks_of(each for each in result.scenario.remarks if each.kind in NOTED)


def _is_shortened(result: ProcurementResult) -> bool:
    """Whether a source stands for several that differ in numbers."""
    return any("..." in (row["source"] or "") for row in grouped_sources(sources(result)))


def _is_claimed(result: ProcurementResult) -> bool:
    """Whether a program of the decision is as a solver claims."""
    every = [result.optimum, result.cheapest, result.least_power]
    every += [answer.outcome for answer in result.by_solver]
    return any(each is not None and each.certificate.level is Level.CLAIMED for each in every)


def _of_lots(result: ProcurementResult) -> Iterator[str]:
    """What the capital of a lot is, where one is limited."""
    if any(each.what == "capital" for each in result.mandates):
        yield "lot_capital"


def _of_combinations(result: ProcurementResult) -> Iterator[str]:
    """Texts on combinations; that on quantities only where some may be chosen."""
    if result.combinations:
        yield "combinations"
        if not sold_in_fixed_sizes(result.problem, range(len(result.problem.packages))):
            yield "combination_sizes"


def _of_allocation(result: ProcurementResult) -> Iterator[str]:
    """Texts on work of nodes and on runs that are timed alone, where the plan has some."""
    if result.plan is not None and any(result.plan.at_work):
        yield "allocation"
    if result.plan is not None and any(result.plan.partitions):
        yield "speedup"


def _explained(result: ProcurementResult) -> Iterator[str]:
    """Texts on the clash and on what would make a plan, each where that is listed."""
    diagnosis = result.diagnosis
    if diagnosis is None:
        return
    repairs = diagnosis.useful or diagnosis.repairs
    if diagnosis.clashing:
        yield "infeasible"
    if repairs:
        yield "repairs"
    if diagnosis.ways:
        yield "ways"
    if repairs or diagnosis.ways:
        yield "reference"


def _has_figures(result: ProcurementResult) -> bool:
    """Whether a quote is compared with those bought by its work and its speed."""
    return any(
        each.work_per_price or each.work_per_watt or each.speed for each in not_bought(result)
    )


def _hopeless(result: ProcurementResult) -> Iterator[Finding]:
    """What does not help, and prices that are missing."""
    diagnosis = result.diagnosis
    if diagnosis is None:
        return
    if diagnosis.hopeless:
        yield finding("note", "hopeless", resources=(diagnosis.hopeless, "resource"))
    if any(repair.relative for repair in (*diagnosis.repairs, *diagnosis.useful)):
        question = result.scenario.procurement
        prices = {str(name) for name in question.repair_prices} if question else set()
        unpriced = tuple(name for name in finite(result.problem) if name not in prices)
        yield finding("note", "unpriced-shares", resources=(unpriced, "resource"))


def _bought(result: ProcurementResult) -> Iterator[Fact]:
    """How much is bought, and from how many vendors; of packages the first page tells it."""
    lots = result.plan.purchases if result.plan is not None else ()
    if not lots or result.problem.packages:
        return
    yield Fact("nodes", sum(lot.nodes for lot in lots), "count")
    if racks := sum(lot.racks for lot in lots):
        yield Fact("racks", racks, "count")
    vendors = {vendor for lot in lots if (vendor := result.scenario.node_type(lot.name).vendor)}
    if vendors:
        yield Fact("vendors", len(vendors), "count")


def _left_out(result: ProcurementResult) -> Iterator[Finding]:
    ranking = result.ranking
    if ranking is None:
        return
    if ranking.left_out:
        yield finding("note", "not-ranked", systems=(ranking.left_out, "method"))
    question = result.scenario.procurement
    weights = question.weights if question is not None else {}
    if not weights:
        yield finding("note", "weights-assumed")
    if "delivery" not in ranking.weights and (not weights or weights.get("delivery")):
        yield finding("note", "delivery-not-rated")


def _cost(result: ProcurementResult) -> Iterator[Fact]:
    cost = result.cost
    if cost is None:
        return
    money, price = (f"{kind} {cost.currency}" for kind in ("money", "price"))
    if cost.operating_per_year_highest != cost.operating_per_year_expected:
        yield Fact("highest_year", cost.operating_per_year_highest, money)
    if _all_cores(result) and cost.per_core_hour is not None:
        yield Fact("core_hour", cost.per_core_hour, price)
    if cost.per_score_year is not None:
        yield Fact("score_year", cost.per_score_year, money)


def _all_cores(result: ProcurementResult) -> bool:
    bought = {purchase.name for purchase in result.plan.purchases} if result.plan else ()
    return all(result.scenario.node_type(name).cores for name in bought)


def _of_work(result: ProcurementResult) -> Iterator[Fact]:
    """The machine at work, on average."""
    cost, plan = result.cost, result.plan
    if cost is None or plan is None:
        return
    at_peak_w = peak_w(result.problem, plan)
    if not math.isclose(at_peak_w, plan.it_power_w):  # else the first page has it
        yield Fact("peak_power", at_peak_w, "W")
    yield Fact("mean_power", plan.mean_it_w, "W")
    if _all_cores(result):
        yield Fact("cores", cost.cores, "count")
    yield Fact("energy", cost.energy_kwh_per_year, "kWh")
    if cost.carbon_t_per_year:
        yield Fact("carbon", cost.carbon_t_per_year, "t")
    if cost.embodied_t is not None:
        yield Fact("embodied", cost.embodied_t, "t")


def _has_roofline(result: ProcurementResult) -> bool:
    return any(isinstance(each.performance, Roofline) for each in result.scenario.workloads)


_METHODS: Mapping[str, tuple[str, ...]] = {
    "greedy": ("greedy per money", "greedy per watt"),
    "rounded": ("rounded relaxation",),
    "closed_form": ("closed form",),
    "single_type": ("best single type",),
    "by_lot": ("best package per lot", "packages per money", "cheapest package per lot"),
}
"""Texts that say what methods do."""


def _methods(result: ProcurementResult) -> Iterator[str]:
    """How machines are compared, and what each method that is listed does."""
    listed = {each.plan.method for each in result.compared}
    yield "compared"
    yield from (text for text, methods in _METHODS.items() if listed & {*methods})


def _misses_work(result: ProcurementResult) -> bool:
    """Whether the table of required work has rows."""
    return any(each.reach is not None for each in result.compared)


def _power_value(result: ProcurementResult) -> Iterator[Finding]:
    """What one step of power is worth in money, or why that is not known.

    The answer on all limits tells of a step without certain effect.
    """
    value = result.power_value
    if value is None or value.effect is StepEffect.NOTHING:
        return
    money = f"money {result.problem.prices.currency}"
    step = {"step": (value.step_w, "W"), "change": (round(value.change, 4), "change")}
    if value.effect is StepEffect.CAPITAL:
        ends = (value.capital_low or 0.0, value.capital_high or 0.0)
        yield finding("note", "power-in-money", **step, capital=(ends, f"interval:{money}"))
    elif value.effect is StepEffect.BEYOND_CAPITAL:
        yield finding("note", "power-beyond", **step, score=(value.score_low, "value"),
                      rich=(value.unlimited_high, "value"))  # fmt: skip
    else:
        yield finding("note", "power-open", **step, why=(value.effect.value, "effect"))
    question = result.scenario.procurement
    prices = dict(question.repair_prices) if question else {}
    if "it_power_w" in prices:
        cost = value.step_w * prices["it_power_w"]
        yield finding("note", "step-costs", cost=(cost, money),
                      pays=(value.against(cost).value, "pays"))  # fmt: skip


def _simulated(result: ProcurementResult) -> Iterator[Fact]:
    simulation = result.monte_carlo
    if simulation is None:
        return
    low, high = simulation.holds_interval
    yield Fact("holds", simulation.same_types, "share",
               finding("note", "wilson", ends=((low, high), "interval:share")))  # fmt: skip
    yield Fact("broken", simulation.broken, "share")
    yield Fact("without_plan", simulation.without_plan, "share")
    yield Fact("draws", simulation.draws, "count")


def _draws(result: ProcurementResult) -> Iterator[Fact]:
    """How the cases of the simulation vary."""
    simulation = result.monte_carlo
    if simulation is None:
        return
    yield Fact("draws_seed", simulation.seed, "id")
    widths = (simulation.price, simulation.power, simulation.performance)
    for key, width in zip(("vary_price", "vary_power", "vary_performance"), widths, strict=True):
        yield Fact(key, width, "share given")


def _site(result: ProcurementResult) -> Iterator[Fact]:
    """What bounds the plan, and how money is counted."""
    problem, power = result.problem, result.scenario.power
    prices, currency = problem.prices, problem.prices.currency
    if power is not None:
        yield Fact(
            "power_bound",
            power.bound_w,
            "W",
            finding("note", "side", side=(power.side, "power-side")),
        )
        yield Fact("limit_it_power_w", power.it_bound_w, "W")
        yield Fact("pue", power.pue, "number")
        if power.conversion_loss:
            yield Fact("conversion_loss", power.conversion_loss, "share given")
        if power.fixed_w:
            yield Fact(_besides(problem, "fixed_w"), power.fixed_w, "W")
        if power.available_on:
            yield Fact("power_from", str(power.available_on), "date")
        if power.carbon_g_per_kwh:
            yield Fact("carbon_of_energy", power.carbon_g_per_kwh, "number")
    for name in ("liquid_w", "air_w", "racks", "capital", "operating"):
        limit = getattr(problem.limits, name)
        if limit < UNLIMITED:
            yield Fact(f"limit_{name}", limit, unit_of(name, currency))
    energy = tuple(price for price, _ in prices.energy_prices)
    yield Fact("energy_price", energy, f"price {currency}/kWh")
    if len(energy) > 1:
        chances = tuple(chance for _, chance in prices.energy_prices)
        yield Fact("energy_chance", chances, "share given")
    if problem.limits.operating < UNLIMITED:
        yield Fact("bears", "every" if prices.every_price else "expected", "bears")
    yield Fact("lifetime", prices.lifetime_years, "year")
    for key in ("discount_rate", "utilisation", "maintenance", "installation"):
        yield Fact(_besides(problem, key), getattr(prices, key), "share given")
    yield Fact("staff", prices.staff, f"price {currency}")
    yield Fact("fixed_capital", prices.fixed_capital, f"price {currency}")
    yield Fact("reference", result.reference_name, "text")
    yield Fact("reference_nodes", problem.reference_nodes, "count")
    yield Fact("regime", problem.regime, "regime")
    question = result.scenario.procurement
    if question is not None and question.decided_on is not None:
        yield Fact("decided_on", str(question.decided_on), "date")


_COUNTS_ON: Mapping[str, Callable[[PackageOffer], bool]] = {
    "fixed_w": lambda _: False,  # its lines state what storage and service of it draw
    "maintenance": lambda package: package.bears_maintenance,
    "installation": lambda package: package.bears_installation,
}
"""Inputs that some packages state themselves, and whether the site's counts on a package."""


def _besides(problem: Problem, key: str) -> str:
    """The label of an input; another one where it counts on no package."""
    counts = _COUNTS_ON.get(key)
    if counts is None or not problem.packages or any(map(counts, problem.packages)):
        return key
    return f"{key}_besides"


def _risk_facts(result: ProcurementResult) -> Iterator[Fact]:
    """How much the worst demand counts."""
    yield Fact("cvar_weight", result.problem.cvar_weight, "share given")
    yield Fact("cvar_level", result.problem.cvar_level, "share given")
