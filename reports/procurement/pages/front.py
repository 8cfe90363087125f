"""The first page: the decision, why, what else, what may go wrong, and what to do now."""

from __future__ import annotations

from typing import Any

from planner.formatting import capitalised, clipped, money
from planner.phrases import listed
from planner.procurement import summary
from planner.procurement.bill import every_line
from planner.procurement.findings import labels, meaning
from planner.procurement.plan import Plan
from planner.procurement.study import ProcurementStudy
from reports.first_page import FirstPage
from reports.grid import Table, table
from reports.language import Language
from reports.numbers import cents, fixed
from reports.procurement.pages.infeasible import changed_machines
from reports.skeleton import title_page
from reports.warning_boxes import boxed

_MOST_TYPES = 6
_HEADINGS = {
    "en": ("To buy", "Vendor", "Nodes", "Racks", "Price each", "Money"),
    "de": ("Typ", "Anbieter", "Knoten", "Racks", "Einzelpreis", "Betrag"),
}
_FURTHER = {"en": "and {count} further types", "de": "und {count} weitere Typen"}
_TOTAL = {"en": "Total", "de": "Summe"}
_REST = {
    "en": ("network", "racks", "installation", "fixed outlay"),
    "de": ("Netz", "Racks", "Installation", "einmalige Ausgaben"),
}
"""What capital pays for besides nodes."""
_CAP = {"en": " at {cap:g} W", "de": " mit {cap:g} W"}


def front(study: ProcurementStudy) -> dict[str, Any]:
    """What the title page shows."""
    language: Language = study.scenario.language
    decided = study.plan is not None
    tested = f"{study.scenario.description} {summary.limits_tested(study, language)}".strip()
    first = FirstPage(
        reasons=(
            _reasons(study, language) if decided else summary.reasons_without(study, language)
        ),
        alternatives=summary.alternatives(study, language),
        risks=boxes(study, language),
        limits=summary.limits(study, language),
        robustness=summary.robustness(study, language),
        assumptions=_assumptions(study, language),
        next_steps=summary.next_steps(study, language),
        table=_to_buy(study, language) if decided else changed_machines(study, language),
    )
    return title_page(
        study,
        study.scenario.title,
        study.scenario.name,
        description=study.scenario.description if decided else tested,
        first=first,
        decision=summary.headline(study, language),
        certificate=summary.optimality(study, language),
    )


def _assumptions(study: ProcurementStudy, language: Language) -> list[str]:
    """What the decision rests on: the quotes, dates and prices."""
    lines = summary.assumptions(study, language)
    if study.plan is not None:
        return lines
    more = (summary.unit_prices(study, language), summary.score_meaning(study, language))
    return [*lines, *(line for line in more if line)]


def _reasons(study: ProcurementStudy, language: Language) -> list[str]:
    """Why the plan is recommended, and whether the solvers agree."""
    lines = summary.reasons(study, meaning(study) if language == "en" else "", language)
    agreed = summary.solvers_line(study, language)
    return [*lines, agreed] if agreed else lines


def boxes(study: ProcurementStudy, language: Language = "en") -> list[str]:
    """Return the warnings on the title page: risks of the plan, not remarks on the input."""
    lines = [*summary.stopped(study, language), *summary.risks(study, language)]
    return boxed(lines, language=language)


def warnings(study: ProcurementStudy) -> list[str]:
    """Every warning, that of a time limit first."""
    return [*summary.stopped(study), *study.warnings]


def _to_buy(study: ProcurementStudy, language: Language) -> Table:
    right = (False, False, True, True, True, True)
    columns = tuple(zip(_HEADINGS[language], right, strict=True))
    plan, currency = study.plan, study.problem.prices.currency
    names = labels(study.problem)
    bought = sorted(plan.purchases if plan else (), key=lambda b: -b.nodes * b.unit_price)
    capital = plan.bill.capital if plan else 0.0
    rows = [
        (
            names[node_type.offer]
            + (_CAP[language].format(cap=node_type.cap_w) if node_type.cap_w else ""),
            clipped(node_type.vendor, 40),
            f"{node_type.nodes:,}",
            f"{node_type.racks:,}",
            f"{fixed(node_type.unit_price, cents([node_type.unit_price]))} {currency}",
            money(node_type.nodes * node_type.unit_price, currency, like=capital),
        )
        for node_type in bought
    ]
    # Every amount is a whole number of steps, so that the printed column adds up.
    step = 1e4 if capital >= 1e6 else 1.0
    total = round(capital / step)
    steps = [round(lot.nodes * lot.unit_price / step) for lot in bought]
    if len(rows) > _MOST_TYPES:
        others = bought[_MOST_TYPES:]
        rows = [
            *rows[:_MOST_TYPES],
            (
                _FURTHER[language].format(count=len(others)),
                "",
                f"{sum(lot.nodes for lot in others):,}",
                f"{sum(lot.racks for lot in others):,}",
                "",
                money(sum(steps[_MOST_TYPES:]) * step, currency, like=capital),
            ),
        ]
    if plan is not None:
        rest = _besides_nodes(study, plan, language)
        if rest:
            left = money((total - sum(steps)) * step, currency, like=capital)
            rows.append((rest, "", "", "", "", left))
        nodes, racks = sum(lot.nodes for lot in bought), sum(lot.racks for lot in bought)
        rows.append(
            (
                _TOTAL[language],
                "",
                f"{nodes:,}",
                f"{racks:,}",
                "",
                money(total * step, currency, like=capital),
            )
        )
    return table(columns, (2.6, 1, 0, 0, 0, 0), rows)


def _besides_nodes(study: ProcurementStudy, plan: Plan, language: Language) -> str:
    """What the capital pays for besides nodes, in words; empty if nothing."""
    lines = every_line(study.problem, plan.bill)
    types = len({lot.offer for lot in plan.purchases})
    items = {line.item for line in lines[types:]}
    present = (
        any(item.endswith(("switch", "cable")) for item in items),
        "rack" in items,
        "installation" in items,
        "fixed outlay" in items,
    )
    names = [name for name, paid in zip(_REST[language], present, strict=True) if paid]
    return capitalised(listed(names, language))
