"""Rows of the tables of a procurement, as plan.json has them."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.finding import cell, finding
from planner.formatting import clipped
from planner.procurement.at_work import mean_at_work, nodes_at_work
from planner.procurement.checker import MissedThroughput
from planner.procurement.from_scenario import delivery_day, unstated
from planner.procurement.gains import gain
from planner.procurement.labels import label_of
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.plan import Plan, Purchase
from planner.procurement.problem import (
    EXPIRED,
    HOURS_PER_YEAR,
    LATE,
    NODE_MEMORY,
    POWER_RESOURCES,
    RACK_POWER,
    UNLIMITED,
    UNSTATED,
    Excluded,
    Problem,
    Regime,
)
from planner.procurement.rules import EVERY_THROUGHPUT, change_row
from planner.procurement.sensitivity import Bar, MonteCarlo
from planner.procurement.used import left, used
from scenarios.model.node_types import NodeType
from scenarios.model.procurement import Offered, Roofline
from scenarios.model.scenario import Scenario

if TYPE_CHECKING:
    from planner.procurement.compared import Compared
    from planner.procurement.giving_way import Changed
    from planner.procurement.infeasible import Diagnosis
    from planner.procurement.result import ProcurementResult

_NOISE = 1e-6
"""What a solver may be off a whole number."""

_NUMBER = re.compile(r"\d+(?:\.\d+)?")

Row = dict[str, Any]
Rows = list[Row]


def unit_of(resource: str, currency: str) -> str:
    """Unit in which an amount of a resource is shown."""
    if resource in POWER_RESOURCES:
        return "W"
    return "count" if resource == "racks" else f"money {currency}"


def rounded_up(resource: str, currency: str) -> str:
    """Unit of an amount that suffices as it is printed."""
    unit = unit_of(resource, currency)
    return unit if unit == "count" else f"{unit} up"


def bought(problem: Problem, purchases: Iterable[tuple[str, int, float | None]]) -> Rows:
    """What a plan buys, as cells: nodes, label and cap of each type."""
    cells = []
    for name, nodes, cap_w in purchases:
        lot: dict[str, Any] = {
            "nodes": (nodes, "count"),
            "label": (label_of(problem, name), "text"),
        }
        if cap_w:
            cells.append(cell(finding("reason", "bought-capped", **lot, cap=(cap_w, "W given"))))
        else:
            cells.append(cell(finding("reason", "bought", **lot)))
    return cells


def bought_by(problem: Problem, plan: Plan | None) -> Rows:
    """What a plan buys; empty without one."""
    every = () if plan is None else plan.purchases
    return bought(problem, ((lot.name, lot.nodes, lot.cap_w) for lot in every))


def purchases(result: ProcurementResult, plan: Plan) -> Rows:
    """Each purchase with its money, its lead time, and the days between its delivery and power."""
    power = result.scenario.power
    feed = power.available_on if power else None
    rows: Rows = plan.to_dict()["purchases"]
    for row in rows:
        day = result.delivered_on(row["name"])
        row |= {
            "label": label_of(result.problem, row["name"]),
            "amount": row["nodes"] * row["unit_price"],
            "lead_weeks": result.scenario.node_type(row["name"]).lead_weeks,
            "delivered_on": None if day is None else str(day),
            "days_before_power": None if day is None or feed is None else (feed - day).days,
            "days_after_power": None if day is None or feed is None else (day - feed).days,
        }
    return rows


def packages(result: ProcurementResult) -> Rows:
    """Each package that is bought: its nodes and racks, and its cost.

    The cost is that before the discount on the vendor's total.
    """
    plan, problem = result.plan, result.problem
    rows = []
    for number, bill in plan.bill.packages.items() if plan else ():
        offer = problem.packages[number]
        mine = [lot for lot in plan.purchases if lot.offer in offer.nodes] if plan else []
        rows.append(
            {
                "name": offer.package.name, "label": clipped(offer.package.title, 60),
                "vendor": offer.package.vendor, "lot": offer.package.lot,
                "nodes": sum(lot.nodes for lot in mine),
                "racks_sold": bill.units("rack"),
                "racks": bill.units("rack") + sum(lot.racks for lot in mine),
                "total": float(bill.total), "per_year": float(bill.per_year),
            }
        )  # fmt: skip
    return rows


def limits(result: ProcurementResult) -> Rows:
    """How much of each limited resource the plan takes."""
    plan, problem = result.plan, result.problem
    if plan is None:
        return []
    rows = []
    for name, value in used(plan).items():
        limit = getattr(problem.limits, name)
        if limit == UNLIMITED:
            continue
        rows.append(
            {
                "resource": name, "used": value, "limit": limit,
                "used_share": value / limit if limit > 0 else None,
                "remaining": left(value, limit), "unit": unit_of(name, problem.prices.currency),
                "bound": name in result.binding_limits,
            }
        )  # fmt: skip
    return rows


def power_parts(result: ProcurementResult) -> Rows:
    """What draws the highest IT power: nodes, the lines of packages, switches, and the rest."""
    plan, problem = result.plan, result.problem
    if plan is None:
        return []
    lines: dict[str, float] = {}
    for bill in plan.bill.packages.values():
        for each in bill.lines:
            if each.line.watts and each.quantity:
                item = each.line.item
                lines[item] = lines.get(item, 0.0) + each.line.watts * each.quantity
    of_site = {
        "nodes": plan.it_power_w - plan.bill.fabric_w - problem.fixed_w,
        "switches": plan.bill.fabric_w - math.fsum(lines.values()),
        "storage and service": problem.fixed_w,
    }
    parts = [(name, "item", watts) for name, watts in of_site.items() if watts > _NOISE]
    parts[1:1] = [(item, "text", watts) for item, watts in lines.items()]
    return [{"part": name, "part_unit": unit, "watts": watts} for name, unit, watts in parts]


def stocks(result: ProcurementResult) -> Rows:
    """Nodes bought of each type whose quantity on offer is limited."""
    nodes: dict[str, int] = {}
    for purchase in result.plan.purchases if result.plan else ():
        nodes[purchase.name] = nodes.get(purchase.name, 0) + purchase.nodes
    packed = {offer.name for offer in result.problem.offers if offer.package is not None}
    most = {
        name: result.scenario.node_type(name).maximum_quantity
        for name in nodes
        if name not in packed
    }
    return [
        {"label": label_of(result.problem, name), "nodes": nodes[name], "offered": many,
         "used_share": nodes[name] / many}
        for name, many in most.items() if many
    ]  # fmt: skip


def types(result: ProcurementResult) -> Rows:
    """Nodes of each type bought, and the throughput work on them as a mean over the year."""
    problem, plan = result.problem, result.plan
    if plan is None:
        return []
    rows = []
    for purchase in plan.purchases:
        offer = problem.offers[purchase.offer]
        mine = mean_at_work(problem, plan, purchase)
        total = math.fsum(mine.values())
        drawn_w = math.fsum(problem.drawn_w[key] * nodes for key, nodes in mine.items())
        caps = sorted({cap for m, _ in mine if (cap := problem.modes[m].cap_w) is not None})
        rows.append(
            {
                "label": label_of(problem, purchase.name), "installed": purchase.nodes,
                "in_use": total, "idle_w": offer.idle_w,
                "drawn_w": drawn_w / total if total else None, "peak_w": offer.peak_w,
                "caps": _ends(caps), "caps_w": caps,
            }
        )  # fmt: skip
    return rows


def _ends(values: Sequence[float]) -> tuple[float, float] | None:
    return (min(values), max(values)) if values else None


def work_by_type(result: ProcurementResult) -> Rows:
    """Mean nodes in use by type and workload: what the figure of the allocation shows."""
    problem, plan = result.problem, result.plan
    nodes: dict[tuple[str, str], float] = {}
    for weight, at_work in zip(problem.energy_weight, plan.at_work if plan else (), strict=False):
        for group in at_work if weight else ():
            offer = problem.offers[problem.modes[group.mode].offer]
            key = label_of(problem, offer.name), problem.workloads[group.workload]
            nodes[key] = nodes.get(key, 0.0) + float(weight) * group.nodes
    return [
        {"label": label, "workload": workload, "nodes": mean}
        for (label, workload), mean in nodes.items()
    ]


def cost_parts(result: ProcurementResult) -> Rows:
    """Capital, and the present value of each kind of operation."""
    cost, years = result.cost, result.problem.prices.annuity
    if cost is None:
        return []
    yearly = {
        "maintenance": cost.maintenance_per_year, "staff": cost.staff_per_year,
        "energy": cost.energy_cost_per_year,
    }  # fmt: skip
    parts = {"capital": cost.capital} | {name: years * value for name, value in yearly.items()}
    return [
        {"part": name, "per_year": yearly.get(name), "present_value": value,
         "share": value / cost.total_cost if cost.total_cost else None}
        for name, value in parts.items()
    ]  # fmt: skip


def regime_row(result: ProcurementResult, name: Regime) -> Row:
    """The plan of a regime, and what overprovisioning gains over it."""
    plan, change = result.regimes[name].plan, None
    if name == result.problem.regime and not result.by_heuristic:
        plan = result.plan  # of equal scores the cheapest, which is bought
    if name != "overprovisioned":
        change = gain(result.regimes, name)
    return {
        "gain": None if change is None else (change.low, _finite(change.high)),
        "capital": None if plan is None else plan.bill.capital,
        "it_power_w": None if plan is None else plan.it_power_w,
        "nodes": None if plan is None else sum(lot.nodes for lot in plan.purchases),
        "bought": bought_by(result.problem, plan),
    }


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def compared(result: ProcurementResult, every: Sequence[Compared], refused: Rows) -> Rows:
    """The plan, then every other one, best first; last the systems that are not sold as quoted."""
    prices = result.problem.prices
    rows = [
        {
            "method": other.plan.method, "score": other.plan.score,
            "below": _below(other),
            "capital": other.plan.bill.capital, "it_power_w": other.plan.it_power_w,
            "mean_it_w": other.plan.mean_it_w,
            "energy_kwh": other.plan.mean_it_w * prices.feed_per_it * HOURS_PER_YEAR / 1000,
            "operating": other.plan.operating, "total_cost": other.plan.total_cost,
            "violations": len(other.wrong), "bought": bought_by(result.problem, other.plan),
        }
        for other in every
    ]  # fmt: skip
    return [
        *rows,
        *({"method": row["method"], "violations": len(row["violations"])} for row in refused),
    ]


def merged(rows: Iterable[Row], key: str) -> Rows:
    """Rows that differ only in one value once, with all these values; in their order."""
    found: dict[str, Rows] = {}
    for row in rows:
        found.setdefault(repr({**row, key: None}), []).append(row)
    return [
        {**alike[0], key: [row[key] for row in alike]} if len(alike) > 1 else alike[0]
        for alike in found.values()
    ]


def _below(other: Compared) -> float | None:
    """The change of the score against the optimum's, which only a machine that breaks rules beats.

    What keeps every rule can score more by what the gap leaves open.
    """
    if other.below_optimum is None:
        return None
    return -other.below_optimum if other.wrong else -max(0.0, other.below_optimum)


def violations(every: Sequence[Compared], refused: Rows) -> Rows:
    """Each rule that a plan or a quoted system breaks, as the checker says it.

    Required throughputs are left out where another table has how far they are reached.
    """
    broken: list[tuple[str, Sequence[str]]] = [
        (
            other.plan.method,
            [e for e in other.wrong if other.reach is None or not isinstance(e, MissedThroughput)],
        )
        for other in every
    ]
    broken += [(row["method"], row["violations"]) for row in refused]
    return [{"method": method, "rule": rule} for method, wrong in broken for rule in wrong]


def ranking(result: ProcurementResult) -> tuple[Rows, Rows]:
    """The points of each candidate, and where each weight may move."""
    if result.ranking is None:
        return [], []
    points = [
        {"candidate": each.name, **each.points, "total": each.total}
        for each in result.ranking.candidates
    ]
    weights = [
        {"criterion": each.criterion, "weight": each.weight,
         "stays": (each.stays_from, each.stays_to),
         "winners": list(dict.fromkeys(name for _, _, name in each.winners))}
        for each in result.ranking.reversals
    ]  # fmt: skip
    return points, weights


def losing(problem: Problem, quote: LosingQuote) -> Row:
    """A losing quote with its label, its price, and the discounts between which it enters."""
    price = problem.offers[problem.offer_index(quote.name)].price(quote.held)
    pays = quote.certified_in
    return {
        "label": label_of(problem, quote.name),
        "price": price,
        "price_then": None if pays is None else math.floor(100 * price * (1 - pays)) / 100,
    }


def repairs(result: ProcurementResult, diagnosis: Diagnosis) -> Rows:
    """Each resource of each repair; of several, the first row has what belongs to all."""
    problem, currency = result.problem, result.problem.prices.currency
    feed, every = problem.prices.feed_per_it, (*diagnosis.useful, *diagnosis.repairs)
    rows = []
    useful = len(diagnosis.useful)
    for number, repair in enumerate(every, 1):
        plan = repair.plan
        whole = {
            "cost": repair.printed_cost, "score": plan.score, "capital": plan.bill.capital,
            "nodes": sum(lot.nodes for lot in plan.purchases),
            "bought": bought_by(problem, plan),
        }  # fmt: skip
        for place, (name, amount) in enumerate(repair.added):
            alone = len(repair.added) == 1
            rows.append(
                {
                    "number": number, "resource": name,
                    "aim": ("any" if number > useful else "reference") if useful else None,
                    "added": _whole(name, amount),
                    "limit_then": getattr(problem.limits, name) + _whole(name, amount),
                    "least": repair.bound if alone else None,
                    "at_feed": amount * feed if name == "it_power_w" else None,
                    "unit": unit_of(name, currency),
                    "unit_up": rounded_up(name, currency),
                    **(whole if place == 0 else {}),
                }
            )  # fmt: skip
    return rows


def _whole(resource: str, amount: float) -> float:
    """An amount that is added; racks come whole."""
    return math.ceil(amount - _NOISE) if resource == "racks" else amount


def ways(result: ProcurementResult, diagnosis: Diagnosis) -> Rows:
    """Each rule of each way that gives way; of several, the first row has what belongs to all."""
    rows = []
    for number, way in enumerate(diagnosis.ways, 1):
        whole = {
            "score": way.plan.score, "nodes": sum(lot.nodes for lot in way.plan.purchases),
            "bought": bought_by(result.problem, way.plan),
        }  # fmt: skip
        changed = (
            (change, change_row(result.problem, change.rule, change.subject))
            for change in way.changes
        )
        parts = [
            {**row, "to": _to(change), "least": change.least, "unit_to": row["unit"]}
            for change, row in changed
        ]
        parts += [
            {"rule": f"limit: {name}",
             "to": getattr(result.problem.limits, name) + _whole(name, amount),
             "amount": getattr(result.problem.limits, name), "least": None,
             "unit": unit_of(name, result.problem.prices.currency),
             "unit_to": rounded_up(name, result.problem.prices.currency)}
            for name, amount in (way.grown.added if way.grown else ())
        ]  # fmt: skip
        rows += [
            {"number": number, **part, **(whole if place == 0 else {})}
            for place, part in enumerate(parts)
        ]
    return rows


def _to(change: Changed) -> float | str:
    """What a rule is relaxed to; every throughput to a share of each."""
    if change.rule == EVERY_THROUGHPUT:
        return float(change.value / 100)
    return change.value if isinstance(change.value, int | float) else str(change.value)


def workloads(result: ProcurementResult) -> Iterator[Row]:
    """Weight, performance and source of each workload."""
    scenario = result.scenario
    total = math.fsum(workload.weight for workload in scenario.workloads) or 1.0
    for workload in scenario.workloads:
        model = workload.performance
        capped = model if isinstance(model, Roofline | Offered) else None
        if isinstance(capped, Offered) and capped.clock_bound is None:
            capped = None  # it runs under the highest cap alone
        yield {
            "workload": workload.name, "weight_share": workload.weight / total,
            "rating": workload.rating, "kinds": list(workload.kinds),
            "performance": "times" if model is None else model.kind,
            "clock_share": None if capped is None else capped.clock_bound,
            "power_share": None if capped is None else capped.power_intensity,
            "reference_figure": getattr(model, "reference_figure_of_merit", None),
        }  # fmt: skip


def rates(result: ProcurementResult) -> Rows:
    """Compute rate, bandwidth and efficiency of a reference node and of each node type."""
    scenario = result.scenario
    if not any(isinstance(each.performance, Roofline) for each in scenario.workloads):
        return []
    nodes = [(result.reference_name, scenario.reference, None)]
    every = [*nodes, *((quote.title, quote, quote.efficiency) for quote in scenario.node_types)]
    return [
        {"label": clipped(label, 60), "compute_rate": node.compute_rate,
         "bandwidth_gb_s": node.bandwidth_gb_s, "efficiency": efficiency}
        for label, node, efficiency in every if node is not None
    ]  # fmt: skip


def demands(result: ProcurementResult) -> Rows:
    """Each demand scenario with its factors, and the score of the plan in it."""
    plan = result.plan
    scores = dict(zip(result.problem.scenario_names, plan.scores, strict=True)) if plan else {}
    return [
        {
            "demand": demand.name, "probability": demand.probability,
            "factors": [
                cell(finding("reason", "demand-factor", workload=(name, "text"),
                             factor=(value, "factor")))
                for name, value in demand.factors.items()
            ],
            "score": scores.get(demand.name),
        }
        for demand in result.scenario.demands
    ]  # fmt: skip


def quotes(result: ProcurementResult) -> Rows:
    """Every quote as it was read."""
    return [
        {
            "quote": quote.name, "label": clipped(quote.title, 60), "vendor": quote.vendor,
            "kind": quote.kind, "price": quote.price, "idle_w": quote.idle_w,
            "peak_w": quote.peak_w, "caps_w": list(quote.package_caps_w),
            "caps": _ends(quote.package_caps_w),
            "memory_gb": quote.memory_gb, "cooling": quote.cooling,
            "lead_weeks": quote.lead_weeks, "least": quote.minimum_quantity,
            "quoted": quote.as_bid_quantity, "most": quote.maximum_quantity,
            "discounts": [
                cell(finding("reason", "discount", quantity=(each.from_quantity, "node"),
                             discount=(each.fraction, "share given")))
                for each in quote.discounts
            ],
            "valid_until": None if quote.valid_until is None else str(quote.valid_until),
            "origin": quote.origin or None,
        }
        for quote in result.scenario.node_types
    ]  # fmt: skip


def vendor_terms(result: ProcurementResult) -> Rows:
    """What each vendor asks and grants on the sum of its packages; a row for each discount."""
    return [
        {
            "vendor": terms.vendor, "minimum_total": terms.minimum_total or None,
            "from_total": None if each is None else each.from_total,
            "discount": None if each is None else each.fraction,
        }
        for terms in result.problem.vendor_terms
        for each in (terms.discounts or (None,))
    ]  # fmt: skip


def against(scenario: Scenario, exclusion: Excluded) -> Rows:
    """Each rule that excludes a quote: what the quote states, and what the rule needs."""
    quote, required = scenario.node_type(exclusion.name), scenario.requirements
    decided = scenario.procurement.decided_on if scenario.procurement else None
    delivered = delivery_day(quote, decided)
    rack_w = scenario.facility.rack_w if scenario.facility else None
    no_day = "decided_on" if quote.lead_weeks is not None else "lead_weeks"
    facts: dict[str, tuple[Any, Any, str, str | None]] = {
        UNSTATED: (None, None, "text", unstated(quote) or None),
        EXPIRED: (_day(quote.valid_until), _day(decided), "date", None),
        LATE: (_day(delivered), _day(required.delivered_by), "date",
               no_day if delivered is None else None),
        NODE_MEMORY: (quote.memory_gb, required.node_memory_gb, "GB",
                      None if quote.memory_gb else "memory_gb"),
        RACK_POWER: (quote.peak_w, rack_w, "W given", None),
    }  # fmt: skip
    keys = ("stated", "needed", "unit", "missing")
    return [{"rule": rule, **dict(zip(keys, facts[rule], strict=True))} for rule in exclusion.rules]


def _day(day: dt.date | None) -> str | None:
    return None if day is None else str(day)


def vendor_comparison(result: ProcurementResult, reasons: Mapping[str, str]) -> Rows:
    """Every quote by vendor, with what is bought of it, what that costs and draws; none otherwise.

    Parameters
    ----------
    reasons
        Why a quote is not bought, by its name.
    """
    if result.plan is None:
        return []
    lots: dict[str, list[Purchase]] = {}
    for purchase in result.plan.purchases:
        lots.setdefault(purchase.name, []).append(purchase)
    nodes = {name: sum(lot.nodes for lot in every) for name, every in lots.items()}
    prices = result.problem.prices
    hours = prices.lifetime_years * HOURS_PER_YEAR * prices.utilisation
    total = math.fsum(nodes[name] * every[-1].unit_price for name, every in lots.items())
    quotes = sorted(
        result.scenario.node_types,
        key=lambda quote: (quote.vendor or "", -nodes.get(quote.name, 0), quote.name),
    )
    rows = []
    for quote in quotes:
        mine, many, peak_w = lots.get(quote.name, []), nodes.get(quote.name, 0), quote.peak_w
        price = mine[-1].unit_price if mine else quote.price
        capital, drawn = many * (price or 0.0), _drawn_share(quote, mine)
        node_w = None if peak_w is None else peak_w * drawn
        at_work = math.fsum(nodes_at_work(result.problem, result.plan, lot) for lot in mine)
        used = hours * at_work / many if many else hours
        day = result.delivered_on(quote.name)
        rows.append(
            {
                "vendor": quote.vendor, "label": quote.title, "quote": quote.name,
                "quoted_nodes": quote.as_bid_quantity, "nodes_bought": many, "unit_price": price,
                "capital": capital, "peak_w": peak_w, "drawn_share": drawn,
                "power_per_node_w": node_w, "power_w": None if node_w is None else many * node_w,
                "capital_share": capital / total if total else 0.0,
                "used_hours_per_node": used, "node_hours": many * used,
                "capital_per_node_hour": (price or 0.0) / used if used else 0.0,
                "delivered_on": None if day is None else str(day),
                "reason": reasons.get(quote.name),
            }
        )  # fmt: skip
    return rows


def _drawn_share(quote: NodeType, lots: Sequence[Purchase]) -> float:
    """The most that a node can draw of its peak: less under a fixed cap; a mean of several caps."""
    nodes, peak_w = sum(lot.nodes for lot in lots), quote.peak_w
    if not nodes or not peak_w or all(lot.cap_w is None for lot in lots):
        return 1.0
    watts = (
        lot.nodes * (peak_w if lot.cap_w is None else quote.capped_w(lot.cap_w)) for lot in lots
    )
    return math.fsum(watts) / nodes / peak_w


def sources(result: ProcurementResult) -> Rows:
    """Where the scenario and each group of inputs come from: by default that of the scenario."""
    scenario = result.scenario
    stated = [
        (name, getattr(getattr(scenario, name), "source", ""))
        for name in ("power", "facility", "budget", "requirements", "procurement", "reference")
        if getattr(scenario, name) is not None
    ]
    stated += [(quote.title, quote.source) for quote in scenario.node_types]
    stated += [
        (work.name, getattr(work.performance, "source", "") or work.source)
        for work in scenario.workloads
    ]
    inputs: dict[str, list[str]] = {scenario.source: [scenario.title]} if scenario.source else {}
    for name, source in stated:
        inputs.setdefault(source or scenario.source, []).append(name)
    unstated = {"source": None, "inputs": inputs.pop("", [])}
    rows = [{"source": source, "inputs": names} for source, names in inputs.items()]
    return [*rows, unstated] if rows and unstated["inputs"] else rows


def grouped_sources(stated: Rows) -> Rows:
    """Sources that differ in numbers only once, with a mark for what differs."""
    alike: dict[str, Rows] = {}
    for row in stated:
        alike.setdefault(_NUMBER.sub("0", row["source"] or ""), []).append(row)
    return [
        {"inputs": tuple(name for row in rows for name in row["inputs"]),
         "source": _common([row["source"] or "" for row in rows]) or None}
        for rows in alike.values()
    ]  # fmt: skip


def _common(sources: Sequence[str]) -> str:
    """A source of several inputs: numbers in which these differ are dots."""
    numbers = zip(*(_NUMBER.findall(source) for source in sources), strict=True)
    shown = iter([each[0] if len({*each}) == 1 else "..." for each in numbers])
    return _NUMBER.sub(lambda _: next(shown), sources[0])


def certificates(result: ProcurementResult) -> Rows:
    """Each program of the decision with its certificate."""
    money = f"price {result.problem.prices.currency}"
    every = {
        "optimum": (result.optimum, "value"), "least cost": (result.cheapest, money),
        "least power": (result.least_power, "W"),
    }  # fmt: skip
    return [
        {
            "program": name, "status": outcome.status.value,
            "level": outcome.certificate.level.value, "objective": outcome.objective,
            "bound": outcome.bound, "proved_bound": outcome.proved, "unit": unit,
        }
        for name, (outcome, unit) in every.items() if outcome is not None
    ]  # fmt: skip


def solved(result: ProcurementResult) -> Rows:
    """How many programs of each question ended with each status, at which level."""
    ends = Counter(
        (solve.question, each.status.value, each.level.value)
        for solve in result.solved
        for each in solve.certificates
    )
    return [
        {"question": question, "programs": number, "status": status, "level": level}
        for (question, status, level), number in ends.items()
    ]


def bar(problem: Problem, varied: Bar) -> Row:
    """One input lowered and raised, and what it is."""
    kind, _, name = varied.parameter.partition(" of ")
    of_quote = kind in ("price", "power", "performance")
    label = label_of(problem, name) if of_quote else name
    says = finding("reason", "input", input=(kind, "input"), change=(varied.change, "share given"))
    if label:
        says = finding("reason", "input-of", input=(kind, "input"), of=(label, "text"),
                       change=(varied.change, "share given"))  # fmt: skip
    kept = [score for score in (varied.kept_low, varied.kept_high) if score is not None]
    return varied.to_dict() | {"input": cell(says), "kept": min(kept, default=None)}


def regrets(simulation: MonteCarlo) -> Rows:
    """Quantiles of the regret of keeping the decision."""
    if not simulation.regrets:
        return []
    shares = (0.5, 0.9, 0.95, 0.99, 1.0)
    values = np.quantile(simulation.regrets, shares)
    return [
        {"share": share, "regret": float(value)}
        for share, value in zip(shares, values, strict=True)
    ]
