"""The title page: the decision, the summary, the warnings."""

from __future__ import annotations

import math
from typing import Any

from planner.formatting import clipped, given, money, percent, power
from planner.procurement.findings import best_other, labels, meaning, remarks, shortfall
from planner.procurement.study import ProcurementStudy
from reports.first_page import FirstPage
from reports.grid import Table, table
from reports.numbers import cents, fixed
from reports.procurement.figures.heuristics import finding as finding_of_others
from reports.procurement.figures.repairs import cheapest, finding, repair_words
from reports.skeleton import title_page
from reports.warning_boxes import boxed

_MOST_TYPES = 10


def front(study: ProcurementStudy) -> dict[str, Any]:
    """What the title page shows."""
    decided = study.plan is not None
    return title_page(
        study,
        study.scenario.title,
        study.scenario.name,
        description=study.scenario.description,
        first=FirstPage(
            reasons=_summary(study) if decided else _summary_without(study),
            table=_to_buy(study) if decided else None,
            risks=boxed(warnings(study)),
        ),
        certificate="",
    )


def warnings(study: ProcurementStudy) -> list[str]:
    """Every warning, that of a time limit first."""
    lines = list(study.warnings)
    if study.stopped_by_time:
        lines.insert(
            0,
            "Stopped by time: at least one solve ended at its time limit, so another run may "
            "differ. Its certificate shows the gap that was left.",
        )
    return lines


def _to_buy(study: ProcurementStudy) -> Table:
    columns = (
        ("To buy", False), ("Vendor", False), ("Nodes", True), ("Racks", True),
        ("Price each", True), ("Money", True),
    )  # fmt: skip
    plan, currency = study.plan, study.problem.prices.currency
    names = labels(study.problem)
    bought = sorted(plan.purchases if plan else (), key=lambda b: -b.nodes * b.unit_price)
    largest = max((node_type.nodes * node_type.unit_price for node_type in bought), default=0.0)
    rows = [
        (
            _named(names[node_type.offer], node_type.name)
            + (f" at {node_type.cap_w:g} W" if node_type.cap_w else ""),
            clipped(node_type.vendor, 40),
            f"{node_type.nodes:,}",
            f"{node_type.racks:,}",
            f"{fixed(node_type.unit_price, cents([node_type.unit_price]))} {currency}",
            money(node_type.nodes * node_type.unit_price, currency, like=largest),
        )
        for node_type in bought
    ]
    if len(rows) > _MOST_TYPES:
        remaining = len(rows) - _MOST_TYPES
        rows = [*rows[:_MOST_TYPES], (f"and {remaining} further types", "", "", "", "", "")]
    return table(columns, (2, 1.4, 0, 0, 0, 0), rows)


def _named(label: str, name: str) -> str:
    """The label with the short name that the decision's sentence uses."""
    return label if name in label else f"{label} [{clipped(name, 24)}]"


def _summary(study: ProcurementStudy) -> list[str]:
    plan, cost, problem = study.plan, study.cost, study.problem
    if plan is None:
        return []
    currency, limits = problem.prices.currency, problem.limits
    lines = [f"Money: {money(plan.bill.capital, currency)} capital{_of(limits.capital, currency)}"]
    if cost is not None:
        lines[0] += (
            f", {money(cost.operating_per_year_expected, currency)} a year to operate"
            f"{_at_expected(study)}, {money(cost.total_cost, currency)} over "
            f"{cost.lifetime_years:g} years."
        )
    feed = plan.it_power_w * problem.prices.feed_per_it
    bound = "" if math.isinf(limits.it_power_w) else f" of {power(limits.it_power_w)} allowed"
    lines.append(
        f"Power: at most {power(plan.it_power_w, like=feed)} IT{bound} ({power(feed)} at the "
        f"feed); {power(plan.mean_it_w, like=feed)} on average."
    )
    lines.append(_score(study))
    lines += remarks(study)
    best = best_other(study)
    if study.by_heuristic:
        lines.append(f"{finding_of_others(study)}.")
    elif best is not None:
        lines.append(
            f"The best plan found without the program ({best.plan.method}) gives up "
            f"{percent(max(0.0, shortfall(study, best.plan)))} of the score."
        )
    elif study.heuristics:
        lines.append("No heuristic and no system as bid keeps every rule.")
    return lines


def _at_expected(study: ProcurementStudy) -> str:
    """What of the yearly cost hangs on the price of energy, where it is uncertain."""
    prices, cost = study.problem.prices, study.cost
    if cost is None or len(prices.energy_prices) == 1:
        return ""
    highest = money(cost.operating_per_year_highest, prices.currency)
    bears = ", which the budget must bear" if prices.every_price else ""
    return f" at the expected price of energy ({highest} at the highest{bears})"


def _of(limit: float, currency: str) -> str:
    return "" if math.isinf(limit) else f" of {money(limit, currency)} allowed"


def _score(study: ProcurementStudy) -> str:
    plan, outcome = study.plan, study.optimum
    if plan is None:
        return ""
    line = f"Score: {fixed(plan.score, 4)}, where {clipped(study.reference_name, 60)} scores 1."
    if outcome.bound is not None and outcome.gap is not None:
        line += f" {study.confidence} The gap allowed was {given(study.options.gap)}."
    return f"{line} {meaning(study)}"


def _summary_without(study: ProcurementStudy) -> list[str]:
    diagnosis, currency = study.diagnosis, study.problem.prices.currency
    if diagnosis is None:
        return ["No reason was found in the limits, mandates and policies."]
    best = cheapest(study)
    if best is None:
        lines = [f"{finding(study)}."]
    else:
        cost = "" if best.cost is None else f", at a cost of {money(best.cost, currency, 'up')}"
        then, money_then = best.plan.score, money(best.plan.bill.capital, currency)
        lines = [
            f"The cheapest repair found: {repair_words(best, currency)}{cost}.",
            f"The machine would then score {fixed(then, 3)} (reference = 1) for {money_then}.",
        ]
        if diagnosis.useful:
            lines.insert(0, f"{finding(study)}.")
    return lines
