"""The site, the money and the policy, line by line with their sources."""

from __future__ import annotations

import math

from planner.formatting import capitalised, given, given_time, money, power, words
from planner.procurement.study import ProcurementStudy
from reports.grid import Table, table
from reports.numbers import typed
from reports.procurement.pages.shared_sources import clauses
from reports.units import RESOURCES, amount

Rows = list[tuple[str, str, str]]


def site(study: ProcurementStudy) -> Table:
    """What bounds the plan; the appendix on inputs has the source of each."""
    columns = (("Input", False), ("Value", False))
    return table(columns, (1, 3.6), [row[:2] for row in _every(study)])


def site_sources(study: ProcurementStudy) -> list[tuple[str, str]]:
    """Each source of the site's inputs once, with the inputs that it is of.

    A clause that begins with the name of an input and a colon is of that input alone. Inputs of
    equal sources share a row.
    """
    names: dict[str, list[str]] = {}
    for name, _, source in _every(study):
        names.setdefault(_source(study, source), []).append(name)
    inputs_of: dict[str, list[str]] = {}
    for source, inputs in names.items():
        shared: list[str] = []
        own: dict[str, list[str]] = {}
        every = clauses(source)
        for clause in every:
            subject, _, rest = clause.partition(": ")
            owner = next((name for name in inputs if name.casefold() == subject.casefold()), "")
            if owner and len(every) > 1:
                own.setdefault(owner, []).append(rest)
            else:
                shared.append(clause)
        if shared:
            inputs_of.setdefault("; ".join(shared), []).extend(inputs)
        for name in inputs:
            if name in own:
                inputs_of.setdefault("; ".join(own[name]), []).append(name)
    return [
        (words([first, *(name[0].lower() + name[1:] for name in others)]), source)
        for source, (first, *others) in inputs_of.items()
    ]


NOT_STATED = "not stated"


def _source(study: ProcurementStudy, source: str) -> str:
    return source or study.scenario.source or NOT_STATED


def _every(study: ProcurementStudy) -> Rows:
    return [
        *_power(study), *_limits(study), *_money(study), *_mandates(study), *_policy(study),
    ]  # fmt: skip


def _power(study: ProcurementStudy) -> Rows:
    given_power = study.scenario.power
    if given_power is None:
        return []
    where = "at the feed" if given_power.side == "facility" else "IT"
    source = given_power.source
    rows = [
        ("Power bound", f"{power(given_power.bound_w)} {where}", source),
        (
            "Remaining for IT",
            (
                f"{power(given_power.it_bound_w)} (PUE {given_power.pue:g}, conversion loss "
                f"{given(given_power.conversion_loss)})"
            ),
            source,
        ),
    ]
    if given_power.fixed_w:
        rows.append(("Storage and service", power(given_power.fixed_w), source))
    if given_power.available_on:
        rows.append(("Power available from", str(given_power.available_on), source))
    if given_power.carbon_g_per_kwh:
        carbon = f"{typed(given_power.carbon_g_per_kwh)} g CO2e per kWh"
        rows.append(("Carbon of energy", carbon, source))
    return rows


def _limits(study: ProcurementStudy) -> Rows:
    limits, currency = study.problem.limits, study.problem.prices.currency
    facility, budget = study.scenario.facility, study.scenario.budget
    sources = {"capital": budget, "operating": budget}
    rows = []
    for name in ("liquid_w", "air_w", "racks", "capital", "operating"):
        value = getattr(limits, name)
        whose = sources.get(name, facility)
        if not math.isinf(value):
            subject, shown = capitalised(RESOURCES[name]), amount(name, value, currency)
            if name == "racks" and facility and facility.rack_w:
                shown += f", each of at most {power(facility.rack_w)}"
            rows.append((subject, shown, whose.source if whose else ""))
    return rows


def _money(study: ProcurementStudy) -> Rows:
    prices, budget = study.problem.prices, study.scenario.budget
    source = budget.source if budget else ""
    energy = ", ".join(
        f"{price:g}" + (f" ({given(chance)})" if chance < 1 else "")
        for price, chance in prices.energy_prices
    )
    binding = "at every price" if prices.every_price else "in expectation"
    return [
        ("Energy price", f"{energy} {prices.currency}/kWh; the budget holds {binding}", source),
        (
            "Lifetime",
            (
                f"{prices.lifetime_years:g} years at {given(prices.discount_rate)} interest, "
                f"{given(prices.utilisation)} used"
            ),
            source,
        ),
        (
            "Yearly costs",
            (
                f"maintenance {given(prices.maintenance)} of hardware, staff "
                f"{money(prices.staff, prices.currency)}"
            ),
            source,
        ),
        (
            "Paid once",
            (
                f"installation {given(prices.installation)} of hardware, "
                f"{money(prices.fixed_capital, prices.currency)} fixed"
            ),
            source,
        ),
    ]


def _mandates(study: ProcurementStudy) -> Rows:
    mandate = study.scenario.requirements
    facts = [
        f"capacity at least {typed(mandate.capacity)} times the reference's"
        if mandate.capacity
        else "",
        *(
            f"throughput of {name} at least {typed(v)} times the reference's"
            for name, v in mandate.throughput.items()
        ),
        *(f"{name} within {given_time(v)}" for name, v in mandate.time_to_solution_s.items()),
        f"{mandate.node_memory_gb:g} GB in every node" if mandate.node_memory_gb else "",
        f"{mandate.total_memory_gb:,.0f} GB in all" if mandate.total_memory_gb else "",
        f"{mandate.nodes:,} nodes" if mandate.nodes else "",
        *(f"{share.subject} {_range(share.least, share.most)}" for share in mandate.shares),
        f"delivered by {mandate.delivered_by}" if mandate.delivered_by else "",
    ]
    stated = [fact for fact in facts if fact]
    return [("Requirements", "; ".join(stated), mandate.source)] if stated else []


def _range(minimum: float, maximum: float) -> str:
    if maximum >= 1:
        return f"at least {given(minimum)}"
    return f"at most {given(maximum)}" if minimum <= 0 else f"{given(minimum)} to {given(maximum)}"


def _policy(study: ProcurementStudy) -> Rows:
    question, problem = study.scenario.procurement, study.problem
    facts = [
        f"at most {problem.most_vendors} vendors" if problem.most_vendors else "",
        f"at most {problem.most_node_types} node types" if problem.most_node_types else "",
        f"decided on {question.decided_on}" if question and question.decided_on else "",
    ]
    stated = [fact for fact in facts if fact]
    return [("Policy", "; ".join(stated), question.source if question else "")] if stated else []
