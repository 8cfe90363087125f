"""The tables and pages of a procurement, as its study has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from planner.finding import Fact, Finding, finding
from planner.procurement.power_value import StepEffect
from planner.procurement.problem import UNLIMITED
from planner.procurement.repairs import finite
from planner.procurement.rows import unit_of
from planner.study import Question
from planner.table import Column, Table

if TYPE_CHECKING:
    from planner.procurement.result import ProcurementResult


def tables(result: ProcurementResult, data: Mapping[str, Any]) -> tuple[Table, ...]:
    """Every table that has rows."""
    money, price = (f"{kind} {result.problem.prices.currency}" for kind in ("money", "price"))
    every = (
        *_of_plan(money, price),
        *_of_others(money, price, result),
        *_of_inputs(price),
        *_without_plan(money),
        *_certificates(),
    )
    return tuple(table for table in every if _has_rows(data, table.at))


def _has_rows(data: Any, at: str) -> bool:
    for step in at.strip("/").partition("/*")[0].split("/"):
        data = data.get(step) if isinstance(data, Mapping) else None
    return bool(data)


_LABEL, _VENDOR = Column("label", "text"), Column("vendor", "text")
_BOUGHT = Column("bought", "finding")


def _of_plan(money: str, price: str) -> Iterator[Table]:
    lots = "/decision/plan/purchases"
    yield Table(
        "purchases",
        (_LABEL, _VENDOR, Column("nodes", "count"), Column("cap_w", "W given"),
         Column("racks", "count"), Column("unit_price", price), Column("amount", money),
         Column("name", "id", shown=False), Column("delivered_on", "date", shown=False)),
        at=lots,
    )  # fmt: skip
    yield Table(
        "bill_of_materials",
        (Column("item", "item"), _VENDOR, Column("quantity", "count"), Column("unit_price", price),
         Column("amount", price)),
        at="/bill_of_materials",
    )  # fmt: skip
    yield Table(
        "delivery",
        (_LABEL, Column("nodes", "count"), Column("lead_weeks", "count"),
         Column("delivered_on", "date"), Column("days_before_power", "count")),
        at=lots,
    )  # fmt: skip
    yield Table(
        "limits",
        (Column("resource", "resource"), Column("used", "number", unit_at="unit"),
         Column("limit", "number", unit_at="unit"), Column("used_share", "share used"),
         Column("remaining", "number", unit_at="unit"), Column("bound", "flag", label="binds"),
         Column("unit", "id", shown=False)),
        at="/limits",
    )  # fmt: skip
    yield Table(
        "stocks",
        (_LABEL, Column("nodes", "count"), Column("offered", "count"),
         Column("used_share", "share used")),
        at="/stocks",
    )  # fmt: skip
    yield Table(
        "mandates",
        (Column("what", "mandate"), Column("subject", "text"), Column("demand", "text"),
         Column("at_least", "side"), Column("asked", "number", unit_at="unit"),
         Column("reached", "number", unit_at="unit_reached", limit_at="asked"),
         Column("slack", "number", unit_at="unit_reached"), Column("unit", "id", shown=False),
         Column("unit_reached", "id", shown=False)),
        at="/mandates",
    )  # fmt: skip
    yield Table(
        "cost_parts",
        (Column("part", "part"), Column("per_year", money), Column("present_value", money),
         Column("share", "share")),
        at="/cost_parts",
    )  # fmt: skip
    yield Table(
        "types",
        (_LABEL, Column("installed", "count"), Column("in_use", "number"), Column("idle_w", "W"),
         Column("capped_w", "W"), Column("peak_w", "W"), Column("caps", "interval:W given"),
         Column("caps_w", "W given", shown=False)),
        at="/types",
    )  # fmt: skip
    yield Table(
        "capability",
        (Column("workload", "text"), _LABEL, Column("cap_w", "W given"),
         Column("nodes", "count"), Column("time_s", "s"), Column("speedup", "factor")),
        at="/capability",
    )  # fmt: skip
    yield Table(
        "work_by_type",
        (_LABEL, Column("workload", "text"), Column("nodes", "number")),
        at="/work_by_type",
    )
    yield Table(
        "allocation",
        (Column("rating", "text"), Column("node_type", "text"), Column("cap_w", "W given"),
         Column("workload", "text"), Column("nodes", "number")),
        at="/allocation",
    )  # fmt: skip


def _of_others(money: str, price: str, result: ProcurementResult) -> Iterator[Table]:
    yield Table(
        "not_bought",
        (_LABEL, _VENDOR, Column("reason", "reason"), Column("other", "text"),
         Column("discount", "share"), Column("rules", "rule"),
         Column("work_per_price", "interval:share"), Column("work_per_watt", "interval:share"),
         Column("speed", "interval:share"), Column("name", "id", shown=False)),
        at="/not_bought",
    )  # fmt: skip
    yield _vendor_comparison(money, price)
    yield Table(
        "excluded",
        (Column("quote", "text"), _VENDOR, Column("rule", "rule"),
         Column("stated", "text", unit_at="unit"), Column("needed", "text", unit_at="unit"),
         Column("missing", "id"), Column("why", "remark", shown=False),
         Column("unit", "id", shown=False)),
        at="/excluded/*/against",
    )  # fmt: skip
    yield Table(
        "deciding_rules",
        (*_RULE, Column("quotes", "text"), Column("score", "score")),
        at="/deciding_rules",
    )
    yield Table(
        "compared",
        (Column("method", "method"), Column("score", "score"), Column("below", "change"),
         Column("capital", money), Column("it_power_w", "W"), Column("violations", "count"),
         _BOUGHT),
        at="/compared",
    )  # fmt: skip
    yield Table(
        "use",
        (Column("method", "method"), Column("mean_it_w", "W"), Column("energy_kwh", "kWh"),
         Column("operating", money), Column("total_cost", money)),
        at="/compared",
    )  # fmt: skip
    yield Table(
        "violations", (Column("method", "method"), Column("rule", "remark")), at="/violations"
    )
    yield Table(
        "requirements",
        (Column("method", "method"), Column("workload", "text"), Column("demand", "text"),
         Column("required", "number", unit_at="unit"), Column("alone", "number", unit_at="unit"),
         Column("together", "number", unit_at="unit"), Column("missed", "flag"),
         Column("unit", "id", shown=False)),
        at="/requirements",
    )  # fmt: skip
    yield Table(
        "regimes",
        (Column("regime", "regime"), Column("status", "status"), Column("score", "score"),
         Column("gain", "interval:certain change", label="gain_over_it"), Column("capital", money),
         Column("it_power_w", "W"), Column("nodes", "count"), _BOUGHT),
        at="/regimes",
    )  # fmt: skip
    yield Table(
        "marginal_values",
        (Column("resource", "resource"), Column("change", "change"),
         Column("interval", "interval:certain change"), Column("score_change", "certain"),
         Column("by_dual", "change"), Column("by_relaxation", "change"),
         Column("low", "change", shown=False), Column("high", "change", shown=False)),
        at="/marginal_values",
    )  # fmt: skip
    criteria = result.ranking.weights if result.ranking is not None else ()
    yield Table(
        "ranking_points",
        (Column("candidate", "method"), *(Column(name, "score") for name in criteria),
         Column("total", "score")),
        at="/ranking_points",
    )  # fmt: skip
    yield Table(
        "ranking_weights",
        (Column("criterion", "criterion"), Column("weight", "share given"),
         Column("stays", "interval:share"), Column("winners", "method")),
        at="/ranking_weights",
    )  # fmt: skip
    yield Table(
        "alternatives",
        (Column("number", "id"), Column("score", "score"), Column("given_up", "share"),
         Column("distance", "share"), Column("distance_bound", "share at most"),
         Column("capital", money), _BOUGHT),
        at="/alternatives",
    )  # fmt: skip
    yield Table(
        "losing_quotes",
        (_LABEL, _VENDOR, Column("held", "count"), Column("certified_out", "share at least"),
         Column("certified_in", "share at most"), Column("price", price),
         Column("price_then", price), Column("kept_out_by", "rule"), Column("can_be_held", "flag")),
        at="/losing_quotes",
    )  # fmt: skip
    yield Table(
        "budget_power_grid",
        (Column("capital", money), Column("it_power_w", "W"), Column("score_worst-case", "score"),
         Column("score_static", "score"), Column("score_overprovisioned", "score"),
         Column("gain", "change"), Column("gain_over_static", "change")),
        at="/budget_power_grid",
    )  # fmt: skip
    yield Table(
        "pareto",
        (Column("number", "id"), Column("score", "score"), Column("capital", money),
         Column("it_power_w", "W"), Column("total_cost", money), Column("beyond", "resource"),
         _BOUGHT, Column("reach", "reach", shown=False)),
        at="/pareto",
    )  # fmt: skip
    yield Table(
        "tornado",
        (Column("input", "finding"), Column("score_low", "score"), Column("score_high", "score"),
         Column("kept_low", "score"), Column("kept_high", "score"),
         Column("types_change", "flag"), Column("kept", "score", shown=False)),
        at="/tornado",
    )  # fmt: skip
    yield Table(
        "regret_quantiles",
        (Column("share", "share given"), Column("regret", "share")),
        at="/regret_quantiles",
    )


def _vendor_comparison(money: str, price: str) -> Table:
    """A sheet for somebody who changes a price or a number of nodes, and sees what follows."""
    return Table(
        "vendor_comparison",
        (_VENDOR, _LABEL, Column("quote", "id"), Column("quoted_nodes", "count"),
         Column("nodes_bought", "count"), Column("unit_price", price),
         Column("capital", money, formula="{nodes_bought}*{unit_price}"), Column("peak_w", "W"),
         Column("drawn_share", "share"),
         Column("power_per_node_w", "W", formula="{peak_w}*{drawn_share}"),
         Column("power_w", "W", formula="{nodes_bought}*{power_per_node_w}"),
         Column("capital_share", "share",
                formula="IF(SUM({capital:all})=0,0,{capital}/SUM({capital:all}))"),
         Column("used_hours_per_node", "number"),
         Column("node_hours", "number", formula="{nodes_bought}*{used_hours_per_node}"),
         Column("capital_per_node_hour", price,
                formula="IF({used_hours_per_node}=0,0,{unit_price}/{used_hours_per_node})"),
         Column("delivered_on", "date"), Column("reason", "reason")),
        at="/vendor_comparison",
        summed=("quoted_nodes", "nodes_bought", "capital", "power_w", "capital_share",
                "node_hours"),
    )  # fmt: skip


_RULE = (
    Column("rule", "rule"), Column("subject", "text"),
    Column("amount", "number", label="rule_amount", unit_at="unit"),
    Column("unit", "id", shown=False),
)  # fmt: skip


def _of_inputs(price: str) -> Iterator[Table]:
    yield Table(
        "quotes",
        (_LABEL, Column("vendor", "text", shown=False), Column("price", price),
         Column("discounts", "finding"), Column("idle_w", "W given"), Column("peak_w", "W given"),
         Column("caps", "interval:W given"), Column("memory_gb", "GB"),
         Column("lead_weeks", "count"), Column("least", "count"), Column("most", "count"),
         Column("kind", "text", shown=False), Column("cooling", "cooling", shown=False),
         Column("caps_w", "W given", shown=False), Column("valid_until", "date", shown=False),
         Column("quote", "id", shown=False),
         Column("origin", "text", shown=False)),
        at="/quotes",
    )  # fmt: skip
    yield Table(
        "workloads",
        (Column("workload", "text"), Column("weight_share", "share"), Column("rating", "rating"),
         Column("kinds", "text"), Column("performance", "performance"),
         Column("clock_share", "share given"), Column("power_share", "share given")),
        at="/workloads",
    )  # fmt: skip
    yield Table(
        "demands",
        (Column("demand", "text"), Column("probability", "share given"),
         Column("factors", "finding"), Column("score", "score")),
        at="/demands",
    )  # fmt: skip
    yield Table("sources", (Column("inputs", "text"), Column("source", "text")), at="/sources")


def _without_plan(money: str) -> Iterator[Table]:
    yield Table(
        "repairs",
        (Column("number", "id"), Column("aim", "aim"), Column("resource", "resource"),
         Column("added", "number", unit_at="unit_up"), Column("at_feed", "W up"),
         Column("limit_then", "number", unit_at="unit_up"),
         Column("least", "number", label="least_added", unit_at="unit"),
         Column("cost", f"{money} up"), Column("score", "number", limit=1.0),
         Column("capital", money), _BOUGHT, Column("unit", "id", shown=False),
         Column("unit_up", "id", shown=False)),
        at="/repairs",
    )  # fmt: skip
    yield Table("clashing", _RULE, at="/clashing")
    yield Table("impossible", _RULE, at="/impossible")
    yield Table(
        "ways",
        (Column("number", "id"), *_RULE[:3], Column("to", "number", unit_at="unit_to"),
         Column("least", "flag", label="least_step"), Column("score", "number", limit=1.0),
         Column("nodes", "count"), _BOUGHT,
         _RULE[3], Column("unit_to", "id", shown=False)),
        at="/ways",
    )  # fmt: skip


def _certificates() -> Iterator[Table]:
    certificate = (
        Column("status", "status"), Column("level", "level"), Column("objective", "value"),
        Column("bound", "value"),
    )  # fmt: skip
    yield Table(
        "solvers",
        (Column("solver", "id"), *certificate, Column("gap", "value"), Column("rounds", "count"),
         Column("nodes", "count"), Column("purchases", "text", shown=False)),
        at="/decision/solvers",
    )  # fmt: skip
    yield Table(
        "certificates",
        (Column("program", "program-name"), *certificate, Column("proved_bound", "value")),
        at="/certificates",
    )
    yield Table(
        "solved",
        (Column("question", "asked"), Column("programs", "count"), Column("status", "status"),
         Column("level", "level")),
        at="/solved",
    )  # fmt: skip
    yield Table(
        "programs",
        (Column("question", "asked"), Column("program", "id"), *certificate, Column("gap", "value"),
         Column("nodes", "count"), Column("stop", "id"), Column("solver", "id"),
         Column("model_digest", "id")),
        at="/programs",
    )  # fmt: skip


def questions(result: ProcurementResult) -> tuple[Question, ...]:
    """The pages, in order."""
    diagnosis = result.diagnosis
    return (
        Question("infeasible", findings=tuple(_hopeless(result)) if diagnosis else (),
                 tables=("clashing", "impossible", "ways"), texts=("infeasible",)),
        Question("purchase", tables=("bill_of_materials", "delivery", "limits", "stocks",
                                     "mandates"), texts=("purchase",)),
        Question("cost", facts=tuple(_cost(result)), tables=("cost_parts",),
                 figures=("life_cost",)),
        Question("not_bought", tables=("not_bought", "excluded", "deciding_rules"),
                 texts=("not_bought",)),
        Question("ranking", findings=tuple(_left_out(result)),
                 tables=("ranking_points", "ranking_weights"), texts=("ranking",)),
        Question("alternatives", tables=("alternatives",), texts=("alternatives",)),
        Question("losing_quotes", tables=("losing_quotes",), figures=("losing_quotes",),
                 texts=("losing_quotes",)),
        Question("regimes", tables=("regimes",), figures=("regimes",), texts=("regimes",)),
        Question("budget_power_grid", tables=("budget_power_grid",),
                 figures=("budget_power_grid",), texts=("budget_power_grid",)),
        Question("marginal_values", findings=tuple(_power_value(result)),
                 tables=("marginal_values",), figures=("marginal_values",),
                 texts=("marginal_values",)),
        Question("pareto", tables=("pareto",), figures=("pareto",), texts=("pareto",)),
        Question("tornado", tables=("tornado",), figures=("tornado",), texts=("tornado",)),
        Question("monte_carlo", facts=tuple(_simulated(result)), tables=("regret_quantiles",),
                 texts=("monte_carlo",)),
        Question("operation", tables=("types", "capability"), figures=("allocation",),
                 texts=("operation",)),
        Question("compared", tables=("compared", "use"), figures=("compared",),
                 texts=("compared",)),
        Question("violations", tables=("violations", "requirements"), texts=("violations",)),
        Question("quotes", facts=tuple(_site(result)), tables=("quotes",)),
        Question("work", tables=("workloads", "demands"), texts=("work",)),
        Question("method", texts=("method", "omitted"),
                 equations=("score", "rating", "power-used", "risk-measure")),
        Question("certificates", facts=tuple(_limit_facts(result)),
                 tables=("solvers", "certificates", "solved"), texts=("certificates",)),
        Question("sources", tables=("sources",), texts=("sources",)),
    )  # fmt: skip


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


def _left_out(result: ProcurementResult) -> Iterator[Finding]:
    ranking = result.ranking
    if ranking is None:
        return
    if ranking.left_out:
        yield finding("note", "not-ranked", systems=(ranking.left_out, "method"))
    question = result.scenario.procurement
    weights = question.weights if question is not None else {}
    if "delivery" not in ranking.weights and (not weights or weights.get("delivery")):
        yield finding("note", "delivery-not-rated")


def _cost(result: ProcurementResult) -> Iterator[Fact]:
    cost = result.cost
    if cost is None:
        return
    money, price = (f"{kind} {cost.currency}" for kind in ("money", "price"))
    if cost.operating_per_year_highest != cost.operating_per_year_expected:
        yield Fact("highest_year", cost.operating_per_year_highest, money)
    bought = {purchase.name for purchase in result.plan.purchases} if result.plan else ()
    has_all_cores = all(result.scenario.node_type(name).cores for name in bought)
    if has_all_cores:
        yield Fact("cores", cost.cores, "count")
    if has_all_cores and cost.per_core_hour is not None:
        yield Fact("core_hour", cost.per_core_hour, price)
    if cost.per_score_year is not None:
        yield Fact("score_year", cost.per_score_year, money)
    yield Fact("energy", cost.energy_kwh_per_year, "kWh")
    if cost.carbon_t_per_year:
        yield Fact("carbon", cost.carbon_t_per_year, "t")
    if cost.embodied_t is not None:
        yield Fact("embodied", cost.embodied_t, "t")


def _power_value(result: ProcurementResult) -> Iterator[Finding]:
    """What one step of power is worth in money, or why that is not known."""
    value = result.power_value
    if value is None:
        return
    money = f"money {result.problem.prices.currency}"
    step = {"step": (value.step_w, "W"), "change": (round(value.change, 4), "change")}
    if value.effect is StepEffect.CAPITAL:
        ends = (value.capital_low or 0.0, value.capital_high or 0.0)
        yield finding("note", "power-in-money", **step, capital=(ends, f"interval:{money}"))
    elif value.effect is StepEffect.BEYOND_CAPITAL:
        yield finding("note", "power-beyond", **step, score=(value.score_low, "value"),
                      rich=(value.unlimited_high, "value"))  # fmt: skip
    elif value.effect is StepEffect.NOTHING:
        yield finding("note", "power-nothing", **step)
    else:
        yield finding("note", "power-open", **step, why=(value.effect.value, "effect"))
    question = result.scenario.procurement
    prices = dict(question.repair_prices) if question else {}
    if "it_power_w" in prices:
        cost = value.step_w * prices["it_power_w"]
        pays = {True: "step-pays", False: "step-does-not-pay", None: "step-costs"}
        yield finding("note", pays[value.pays(cost)], cost=(cost, money))


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
            finding("note", f"side-{'feed' if power.side == 'facility' else 'it'}"),
        )
        yield Fact("limit_it_power_w", power.it_bound_w, "W")
        yield Fact("pue", power.pue, "number")
        if power.fixed_w:
            yield Fact("fixed_w", power.fixed_w, "W")
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
    yield Fact("bears", "every" if prices.every_price else "expected", "bears")
    yield Fact("lifetime", prices.lifetime_years, "year")
    for key in ("discount_rate", "utilisation", "maintenance", "installation"):
        yield Fact(key, getattr(prices, key), "share given")
    yield Fact("staff", prices.staff, f"price {currency}")
    yield Fact("fixed_capital", prices.fixed_capital, f"price {currency}")
    yield Fact("reference", result.reference_name, "text")
    yield Fact("regime", problem.regime, "regime")
    question = result.scenario.procurement
    if question is not None and question.decided_on is not None:
        yield Fact("decided_on", str(question.decided_on), "date")


def _limit_facts(result: ProcurementResult) -> Iterator[Fact]:
    yield Fact("gap_given", result.options.gap, "given")
    yield Fact("cvar_weight", result.problem.cvar_weight, "share given")
    yield Fact("cvar_level", result.problem.cvar_level, "share given")
