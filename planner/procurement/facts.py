"""What a procurement states: its headline, facts, findings and figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from planner.figure import Figure, Limit
from planner.finding import Fact, Finding, Value, finding, risks_of
from planner.procurement import answers, by_solver
from planner.procurement.at_work import nodes_at_work
from planner.procurement.combination_rows import (
    award,
    award_risks,
    by_scheme,
    discount_risks,
    nearly,
    off_the_model,
    titles,
)
from planner.procurement.combinations import sold_in_fixed_sizes
from planner.procurement.command import command
from planner.procurement.data import data_of
from planner.procurement.dates import deliveries, last_days
from planner.procurement.heuristics import BID
from planner.procurement.labels import label_of
from planner.procurement.marginal_value import ScoreChange
from planner.procurement.offer_risks import offer_risks, racks_to_supply
from planner.procurement.offered import unused_packages
from planner.procurement.pages import NOTED, questions, tables
from planner.procurement.problem import UNLIMITED
from planner.procurement.rows import rounded_up, unit_of
from planner.procurement.rules import change_row, rule_row
from planner.procurement.score_parts import against_reference, less_throughput
from planner.procurement.used import overspent
from planner.study import Study, provenance_of, stated
from scenarios.model.procurement import Roofline
from solvers import Status
from solvers.portable import expm1

if TYPE_CHECKING:
    from planner.procurement.cost import CostSummary
    from planner.procurement.outcome import Outcome
    from planner.procurement.plan import Plan, Purchase
    from planner.procurement.repairs import Repair
    from planner.procurement.result import ProcurementResult

Values = dict[str, tuple[Value, str]]

_NAMED = 3
"""Node types that the headline names."""
_WEEK = 7
_MILLION = 1e6
_DECISIONS = ("to_buy", "repairs", "ways", "clashing")
"""Tables of what to decide: the first that there is."""
_MOST_CHOICES = 3
"""Changes of one kind that are next steps, and vendors whose last day to order is one."""
_WHOLE = 1e-6
"""What a solver may be off a whole number."""
_NOISE = 1e-6
"""A smaller change of the score is that of two solutions of one program."""
_LEAST_MORE = 1e-5
"""A smaller distance to the limit is stated as this much."""


def study_of(result: ProcurementResult) -> Study:
    """The study of a procurement."""
    scenario, data = result.scenario, data_of(result)
    shown = tables(result, data)
    named = {table.name for table in shown}
    return stated(
        result, _headline, _confidence, _facts, _risks, answers.reasons, answers.alternatives,
        answers.assumptions, _next_steps, questions(result), shown, _figures,
        command="plan",
        title=finding("note", "title", title=(scenario.title, "text")),
        data=data,
        decision=next((name for name in _DECISIONS if name in named), ""),
        provenance=provenance_of(command(result), scenario.provenance.files, *_settings(result)),
        language=scenario.language,
    )  # fmt: skip


def _settings(result: ProcurementResult) -> Iterator[Fact]:
    options = result.options
    yield Fact("solver", options.solver, "id")
    yield Fact("method", options.method, "id")
    yield Fact("gap_given", options.gap, "share given")
    yield Fact("seed", options.seed, "id")
    if options.time_limit_s is not None:
        yield Fact("time_limit", options.time_limit_s, "s given")
    for path, value in result.scenario.provenance.changes:
        yield Fact("replaced", f"{path} = {value}", "text")
    for name, digest in result.files:
        yield Fact("own", f"{name} {digest}", "text")


def _currency(result: ProcurementResult, kind: str = "money") -> str:
    return f"{kind} {result.problem.prices.currency}"


def _label(result: ProcurementResult, name: str) -> tuple[str, str]:
    return label_of(result.problem, name), "text"


def _by_money(plan: Plan) -> list[Purchase]:
    return sorted(plan.purchases, key=lambda lot: -lot.nodes * lot.unit_price)


def _headline(result: ProcurementResult) -> Finding:
    plan, diagnosis = result.plan, result.diagnosis
    if plan is None:
        if result.optimum.status is not Status.INFEASIBLE:
            return finding("headline", "undecided")
        clash = diagnosis.clashing if diagnosis is not None else ()
        if not clash:
            return finding("headline", "no-plan")
        if len(clash) == 1:
            return finding("headline", "no-plan-rule", rule=(clash_words(result)[0], "rule"))
        return finding("headline", "no-plan-rules", rules=(len(clash), "rule-count"))
    spent: Values = {"money": (plan.bill.capital, _currency(result))}
    largest = _by_money(plan)
    named: Values = {}
    for place, lot in zip(("first", "second", "third"), largest[:_NAMED], strict=False):
        named |= {place: (lot.nodes, "node"), f"{place}_type": _label(result, lot.name)}
    others, awarded = largest[_NAMED:], award(result)
    kind = "buy"
    if awarded is not None and not awarded.is_plan:
        kind, named = "best", named | {"awarded": (titles(result, awarded), "text")}
    if others:
        nodes = (sum(lot.nodes for lot in others), "node")
        return finding("headline", f"{kind}-more", **named, others=nodes,
                       types=(len(others), "type"), **spent)  # fmt: skip
    return finding("headline", f"{kind}-{len(largest)}", **named, **spent)


def clash_words(result: ProcurementResult) -> tuple[str, ...]:
    """The kinds of the rules that clash, each once."""
    clash = result.diagnosis.clashing if result.diagnosis is not None else ()
    return tuple(dict.fromkeys(rule_row(result.problem, name)["rule"] for name in clash))


def _confidence(result: ProcurementResult) -> Iterator[Finding]:
    """How much better any plan could be, whether the solvers agree, and what the score is."""
    if result.plan is None and result.optimum.status is Status.INFEASIBLE:
        words = clash_words(result)
        if len(words) > 1:
            yield finding("confidence", "clash", rules=(words, "rule"))
        level = result.optimum.certificate.level.value
        yield finding("confidence", "ruled-out", level=(level, "level"))
        return
    awarded = by_scheme(result)
    if awarded is not None and awarded.severity == "confidence":
        yield awarded
    yield from less_throughput(result)
    outcome, more = result.optimum, optimum_gap(result)
    if more is None:
        return
    proved = outcome.proved is not None
    values: Values = {
        "more": (max(_LEAST_MORE, expm1(more)), "share at most"),
        "level": ("proved" if proved else "claimed", "bound"),
    }
    optimal = more <= result.options.gap if proved else outcome.status is Status.OPTIMAL
    if result.by_heuristic:
        yield finding("confidence", "by-heuristic", method=(result.plan_name, "method"), **values)
    elif optimal:
        yield finding("confidence", "optimal", **values)
    else:
        yield finding("confidence", "within" if proved else "open-gap", **values)
    if not result.by_heuristic:
        yield from answers.nearest(result, expm1(more))
    yield from _solvers(result)


def _solvers(result: ProcurementResult) -> Iterator[Finding]:
    answers = result.by_solver
    if len(answers) < 2:
        return
    names = (tuple(answer.solver for answer in answers), "id")
    if by_solver.agree(answers):
        if len({answer.bought for answer in answers}) > 1:
            yield finding("confidence", "solvers-tied", solvers=names,
                          gap=(result.options.gap, "share given"))  # fmt: skip
    elif all(answer.finished for answer in answers):
        yield finding("confidence", "solvers-contradict", solvers=names)
    else:
        for answer in answers:
            gap = answer.outcome.gap
            if not answer.finished and gap is not None:
                yield finding("confidence", "solver-ended", solver=(answer.solver, "id"),
                              gap=(expm1(gap), "share at most"))  # fmt: skip


def _facts(result: ProcurementResult) -> Iterator[Fact]:
    plan, cost, limits = result.plan, result.cost, result.problem.limits
    if plan is None:
        yield from _facts_without(result)
        return
    unit, capital = _currency(result), plan.bill.capital
    yield Fact("score", plan.score, "score", against_reference(result, plan))
    if cost is not None:
        year = finding("note", "year", money=(cost.operating_per_year_expected, unit),
                       years=(cost.lifetime_years, "year"))  # fmt: skip
        yield Fact("life", cost.total_cost, unit, year)
    yield Fact("power", plan.it_power_w, "W", _of_power(plan, limits.it_power_w))
    binding = result.binding_limits
    yield Fact("binding", binding or "none", "resource", _left_over(result))
    if "it_power_w" not in binding and capital > 0 and not result.problem.packages:
        yield Fact("per_million", plan.score / capital * 1e6, "number")


def _of_power(plan: Plan, limit: float) -> Finding | None:
    """Which share of the limit is used at most, and the mean; ``None`` without a limit."""
    if limit >= UNLIMITED:
        return None
    share = plan.it_power_w / limit if limit else 0.0
    return finding("note", "of-limit", share=(share, "share used"), limit=(limit, "W"),
                   mean=(plan.mean_it_w, "W"))  # fmt: skip


def _left_over(result: ProcurementResult) -> Finding | None:
    """What is left of the capital where packages have one size each."""
    plan, limit = result.plan, result.problem.limits.capital
    if plan is None or limit >= UNLIMITED or not result.problem.packages:
        return None
    if not sold_in_fixed_sizes(result.problem, plan.bill.packages):
        return None
    rest = limit - plan.bill.capital
    return finding("note", "fixed-sizes", rest=(rest, _currency(result)),
                   share=(rest / limit if limit else 0.0, "share"))  # fmt: skip


def _facts_without(result: ProcurementResult) -> Iterator[Fact]:
    """The limits under which there is no plan."""
    limits, currency = result.problem.limits, result.problem.prices.currency
    for name in ("it_power_w", "capital", "operating", "racks"):
        limit = getattr(limits, name)
        if limit < UNLIMITED:
            yield Fact(f"limit_{name}", limit, unit_of(name, currency))


def _forms_of_one_scale(cost: float, budget: float) -> tuple[str, str]:
    """Units of a cost and of the lower budget that it exceeds, so that both are read alike."""
    if cost < _MILLION:
        return "money {} up", "price {}"
    # A budget in millions has two decimals, which must not hide any of it.
    if budget >= _MILLION and budget % (_MILLION / 100) == 0:
        return "money {} up", "money {}"
    return "price {}", "price {}"


def _risks(result: ProcurementResult) -> Iterator[Finding]:
    """What may go wrong with the plan, then what its inputs say."""
    if result.stopped_by_time:
        yield finding("risk", "stopped-by-time")
    yield from award_risks(result)
    yield from discount_risks(result)
    over = None if result.plan is None else overspent(result.problem, result.plan)
    if over is not None:
        budget = result.problem.limits.operating
        cost_form, budget_form = _forms_of_one_scale(over.highest, budget)
        currency = result.problem.prices.currency
        price_unit = f"price {currency}/kWh"
        yield finding(
            "risk", "overspent", probability=(over.probability, "share"),
            price=(over.price, price_unit), cost=(over.highest, cost_form.format(currency)),
            budget=(budget, budget_form.format(currency)),
        )  # fmt: skip
    arrivals = deliveries(result)
    question = result.scenario.procurement
    decided = (str(question.decided_on if question else None), "date")
    for kind, days in (
        ("late", [(name, -before) for name, before, _ in arrivals if before < 0]),
        ("early", [(name, before) for name, before, _ in arrivals if before > 0]),
    ):
        if days:
            names = tuple(dict.fromkeys(label_of(result.problem, name) for name, _ in days))
            yield finding("risk", kind, types=(names, "text"), feed=(str(arrivals[0][2]), "date"),
                          most=(max(day for _, day in days), "day"), decided=decided)  # fmt: skip
    more = _above(result.optimum, result.optimum.objective)
    if result.plan is not None and not result.by_heuristic:
        more = optimum_gap(result)
    if result.plan is not None and result.optimum.status is Status.FEASIBLE and more:
        yield finding("risk", "open", gap=(expm1(more), "share at most"))
    stopped = sum(solve.stopped_by_nodes for solve in result.solved)
    if stopped:
        yield finding("risk", "stopped-by-nodes", programs=(stopped, "program"))
    quoted = [other for other in result.heuristics if other.plan.method.startswith(BID)]
    if (quoted or result.refused) and all(e.wrong or not e.plan.score for e in quoted):
        yield finding("risk", "no-quoted-system")
    excluded = tuple(each.name for each in result.problem.excluded)
    if excluded:
        yield finding("risk", "excluded", quotes=(excluded, "text"))
    if result.plan is not None:
        yield from _modelled(result)
    yield from offer_risks(result)
    yield from _not_run(result)
    yield from risks_of(e for e in result.scenario.remarks if e.kind not in NOTED)


def _not_run(result: ProcurementResult) -> Iterator[Finding]:
    """Packages whose nodes cannot run a workload, because no figure that counts is stated."""
    titles = {package.name: package.title for package in result.scenario.packages}
    for each in unused_packages(result.scenario):
        yield finding(
            "risk", "not-run", package=(titles[each.package], "text"),
            workload=(each.workload, "text"), figure=(each.figure, "text"),
            basis=(each.basis or "none", "basis"),
        )  # fmt: skip


def _modelled(result: ProcurementResult) -> Iterator[Finding]:
    """How many workloads have modelled performance, and which share of the weight."""
    workloads = result.scenario.workloads
    modelled = sum(isinstance(each.performance, Roofline) for each in workloads)
    if modelled:
        part = ((modelled, len(workloads)), "of:workload")
        heavy = math.fsum(e.weight for e in workloads if isinstance(e.performance, Roofline))
        weight = heavy / (math.fsum(each.weight for each in workloads) or 1.0)
        yield finding("risk", "modelled", part=part, weight=(weight, "share"))
    yield from off_the_model(result)


def _next_steps(result: ProcurementResult) -> Iterator[Finding]:
    plan = result.plan
    if plan is None:
        yield from _changes(result)
        yield finding("next step", "plan-again")
        if result.problem.excluded:
            yield finding("next step", "ask-quotes")
        return
    awarded = award(result)
    if awarded is not None and not awarded.is_plan:
        yield finding("next step", "follow-scheme" if awarded.allowed else "settle-award")
        return
    yield from nearly(result)
    yield from racks_to_supply(result)
    by = result.scenario.requirements.delivered_by
    for vendor, day, late in last_days(result)[:_MOST_CHOICES]:
        who: Values = {"vendor": (vendor, "text"), "day": (str(day), "date")}
        if late:
            yield finding("next step", "order-late", **who, by=(str(by), "date"))
        else:
            yield finding("next step", "order-expires", **who)
    arrivals = deliveries(result)
    late_names = [name for name, before, _ in arrivals if -before >= _WEEK]
    if late_names and result.scenario.scheme is None:  # its offers are not negotiated
        names = tuple(dict.fromkeys(label_of(result.problem, name) for name in late_names))
        yield finding("next step", "deliver", types=(names, "text"),
                      feed=(str(arrivals[0][2]), "date"))  # fmt: skip
    over = overspent(result.problem, plan)
    if over is not None:
        cost = (over.highest, f"{_currency(result)} up")
        yield finding("next step", "energy", cost=cost)
    if result.stopped_by_time:
        yield finding("next step", "more-time")
    name, why = to_measure(result, plan)
    yield finding("next step", "measure", type=_label(result, name), why=(why, "measured-for"))


def to_measure(result: ProcurementResult, plan: Plan) -> tuple[str, str]:
    """The node type of which test nodes tell most, and why."""
    lots = _by_money(plan)
    used = {lot.name: nodes_at_work(result.problem, plan, lot) / lot.nodes for lot in lots}
    full = [lot for lot in lots if used[lot.name] >= 1 - _WHOLE]
    if 0 < len(full) < len(lots):
        return full[0].name, "full"
    return lots[0].name, "money"


def _changes(result: ProcurementResult) -> Iterator[Finding]:
    """The changes that would allow a plan; those of machines worth having first."""
    diagnosis = result.diagnosis
    if diagnosis is None:
        return
    for repair in (diagnosis.useful or diagnosis.repairs)[:_MOST_CHOICES]:
        if repair.added:
            yield _secure(result, repair)
    for way in diagnosis.ways[:_MOST_CHOICES]:
        changed = (change_row(result.problem, c.rule, c.subject) for c in way.changes)
        rules = tuple(dict.fromkeys(row["rule"] for row in changed))
        yield finding("next step", "relax", rules=(rules, "rule"),
                      score=(way.plan.score, "number"))  # fmt: skip
    rules = tuple(
        dict.fromkeys(
            rule_row(result.problem, name)["rule"]
            for name in diagnosis.removable
        )
    )  # fmt: skip
    if rules:
        yield finding("next step", "give-up", rules=(rules, "rule"))


def _secure(result: ProcurementResult, repair: Repair) -> Finding:
    currency = result.problem.prices.currency
    values: Values = {"score": (repair.plan.score, "number")}
    kind = "secure"
    if len(repair.added) == 1:
        ((name, amount),) = repair.added
        added = (math.ceil(amount - _WHOLE) if name == "racks" else amount,
                 rounded_up(name, currency))  # fmt: skip
        values |= {"added": added, "resource": (name, "resource")}
    else:
        kind = "secure-several"
        values |= {"resources": (tuple(name for name, _ in repair.added), "resource")}
    if repair.printed_cost is None:
        return finding("next step", kind, **values)
    cost = (repair.printed_cost, f"money {currency} up")
    return finding("next step", f"{kind}-for", **values, cost=cost)


def _figures(result: ProcurementResult) -> Iterator[Figure]:
    plan = result.plan
    if plan is None:
        return
    if len(result.combinations) > 1:
        yield Figure("combinations", "bars", "combinations_drawn", "packages", ("score",),
                     series="kind", marked="capital",
                     finding=answers.compared_score(result))  # fmt: skip
    elif not result.combinations and len(answers.candidates(result)) > 1:
        limit = result.problem.limits.capital
        yield Figure("candidates", "scatter", "candidates", "capital", ("score",), series="kind",
                     marked="name",
                     limits=(Limit("x", limit, "budget"),) if limit < UNLIMITED else (),
                     finding=answers.compared_score(result))  # fmt: skip
    if result.cost is not None:
        yield Figure("life_cost", "bars", "cost_parts", "part", ("present_value",),
                     finding=_cost_shares(result.cost))  # fmt: skip
    moved = {
        effect.resource
        for effect in result.marginal_values
        if effect.score_change is ScoreChange.CHANGES and abs(effect.low or 0.0) > _NOISE
    }
    if len(moved) > 1:  # of one limit the table says as much
        yield Figure("marginal_values", "dots", "marginal_drawn", "resource", ("low",),
                     series="change", limits=(Limit("x", 0.0, "no-change"),))  # fmt: skip
    if any(plan.at_work):
        yield Figure("allocation", "stacks", "work_by_type", "label", ("nodes",), series="workload")
    if any(quote.certified_in is not None for quote in result.losing_quotes):
        yield Figure("losing_quotes", "intervals", "losing_quotes", "label", ("certified_in",),
                     low="certified_out", high="certified_in")  # fmt: skip
    if any(cell.gain is not None for cell in result.cells):
        yield Figure("budget_power_grid", "map", "budget_power_grid", "capital", ("gain",),
                     across="it_power_w")  # fmt: skip
    if len(result.pareto) > 1:
        yield Figure("pareto", "scatter", "pareto", "capital", ("score",), series="reach")
    if result.tornado:
        yield Figure("tornado", "intervals", "tornado", "input", ("kept",), low="score_low",
                     high="score_high")  # fmt: skip


def _cost_shares(cost: CostSummary) -> Finding | None:
    """How much of the cost is capital."""
    if not cost.total_cost:
        return None
    share = (cost.capital / cost.total_cost, "share")
    return finding("note", "cost-share", share=share, years=(cost.lifetime_years, "year"))


def optimum_gap(result: ProcurementResult) -> float | None:
    """By how much the guaranteed limit lies above the plan, in log S; ``None`` without one."""
    outcome = result.optimum
    return _above(outcome, outcome.objective if result.plan is None else result.plan.objective)


def _above(outcome: Outcome, reached: float | None) -> float | None:
    if outcome.guaranteed is None or outcome.objective is None or reached is None:
        return None
    return max(0.0, outcome.guaranteed - reached)
