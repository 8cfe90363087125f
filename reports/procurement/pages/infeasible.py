"""Why there is no plan, and what would make one."""

from __future__ import annotations

from collections.abc import Sequence

from planner.formatting import (
    DASH,
    capitalised,
    money,
    percent,
    power,
    power_unit,
    rounded,
    words,
)
from planner.procurement.findings import bought
from planner.procurement.infeasible import Diagnosis, way_words
from planner.procurement.repairs import Repair
from planner.procurement.rules import in_words
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, subheading, text
from reports.grid import Table, table
from reports.numbers import fixed
from reports.procurement.figures.repairs import finding, repair_words
from reports.units import POWERS, RESOURCES, amount


def page(study: ProcurementStudy, figures: Drawn) -> Page | None:
    """The constraints that cannot all hold, the least that would make a plan, and the machine."""
    diagnosis = study.diagnosis
    if diagnosis is None:
        return None
    return Page(
        "Why does no plan exist, and what would make one?",
        f"{study.headline} {finding(study)}.",
        (*_clash(study, diagnosis), *_remedy(study, diagnosis, figures)),
    )


def _clash(study: ProcurementStudy, diagnosis: Diagnosis) -> list[Block]:
    if not diagnosis.clashing:
        return []
    return [
        subheading("Rules that clash"),
        text(
            "This set is irreducible: its rules cannot be met together, but they can once any one "
            "of them is given up. Other rules are not needed to explain why no plan exists. The "
            "best machine after a rule is given up was not computed, except where a table says so."
        ),
        bullets([_capital(in_words(study.problem, name)) for name in diagnosis.clashing]),
    ]


def _remedy(study: ProcurementStudy, diagnosis: Diagnosis, pictures: Drawn) -> list[Block]:
    blocks: list[Block] = []
    if diagnosis.impossible:
        blocks += [
            subheading("Requirements that no machine meets"),
            text("No machine meets these, even without limits and other rules."),
            bullets([_capital(in_words(study.problem, name)) for name in diagnosis.impossible]),
        ]
    every = (*diagnosis.useful, *diagnosis.repairs)
    if every:
        useful = (
            " The first allows a machine as good as the reference (score 1)."
            if len(diagnosis.useful) == 1
            else f" The first {len(diagnosis.useful)} allow a machine as good as the reference "
            "(score 1)."
        )
        blocks += [
            subheading("More resources"),
            text(
                "Each repair raises one resource, or several together, by the least amount that "
                "allows a plan; everything else stays."
                f"{useful if diagnosis.useful else ''} Amounts are rounded up, so the printed "
                "amount suffices. It cannot be less than the proven minimum. Power is IT power; "
                f"at the feed it is {fixed(study.problem.prices.feed_per_it, 3)} times as much."
            ),
            *figures(pictures, "repairs", ""),
            grid(_repairs(study, every), f"Repairs{_priced(study)}"),
            *_further_machines(study, every),
        ]
    if diagnosis.ways:
        blocks += [
            subheading("Rules that could be relaxed"),
            text(
                "Each row relaxes rules by the least step that allows a plan, all else unchanged. "
                "A smaller step does not suffice, unless the row says otherwise."
            ),
            grid(_ways(study, diagnosis), "Rules that could be relaxed"),
        ]
    if diagnosis.hopeless:
        alone = words([RESOURCES.get(name, name) for name in diagnosis.hopeless])
        blocks.append(text(f"Relaxing any of these alone does not help: {alone}."))
    if diagnosis.unpriced:
        remaining = words([RESOURCES[name] for name in diagnosis.unpriced])
        why = "pairs with these were not tried"
        if any(repair.relative for repair in diagnosis.repairs):
            why = "the repair minimises the sum of percentages, not the cost"
        blocks.append(text(f"No price is stated for {remaining}; {why}."))
    return blocks


def _priced(study: ProcurementStudy) -> str:
    prices = unit_prices(study)
    return f". {prices}" if prices else ""


def unit_prices(study: ProcurementStudy) -> str:
    """The prices of one more unit of each resource, as the scenario states them."""
    question, currency = study.scenario.procurement, study.problem.prices.currency
    stated = dict(question.repair_prices) if question else {}
    parts = [
        f"{money(1000 * price, currency)} per kW of {RESOURCES[name]}"
        if name in POWERS
        else f"{money(price, currency)} per rack place"
        for name, price in stated.items()
        if name not in ("capital", "operating")
    ]
    return f"More of a resource costs {words(parts)}, as the scenario states." if parts else ""


def changed_machines(study: ProcurementStudy) -> Table | None:
    """The best machine after each change, for the first page; none where nothing allows one."""
    diagnosis = study.diagnosis
    every = () if diagnosis is None else (*diagnosis.useful, *diagnosis.repairs)
    return _machines(study, every[:MOST_ON_FIRST]) if every else None


def _further_machines(study: ProcurementStudy, every: Sequence[Repair]) -> list[Block]:
    """The table of machines, where the first page does not hold all of it."""
    if len(every) <= MOST_ON_FIRST:
        return []
    return [grid(_machines(study, every), "The best machine after each repair")]


MOST_ON_FIRST = 4
"""Repairs whose machines the first page shows."""


def _ways(study: ProcurementStudy, diagnosis: Diagnosis) -> Table:
    columns = (("Change", False), ("Score then", True), ("Nodes", True), ("Buys", False))
    rows = []
    for way in diagnosis.ways:
        sure = all(change.least for change in way.changes)
        change = way_words(study.problem, way)
        rows.append(
            (
                change if sure else f"{change} (a smaller step was not decided)",
                fixed(way.plan.score, 3),
                f"{sum(purchase.nodes for purchase in way.plan.purchases):,}",
                bought(study.problem, way.plan),
            )
        )
    return table(columns, (3.2, 0.8, 0.7, 2.3), rows)


def _repairs(study: ProcurementStudy, repairs: Sequence[Repair]) -> Table:
    currency, feed = study.problem.prices.currency, study.problem.prices.feed_per_it
    columns = (
        ("Repair", False), ("At the feed", True), ("Limit then", True), ("Proven minimum", True),
        ("Cost", True), ("Score then", True),
    )  # fmt: skip
    rows = []
    for repair in repairs:
        single = len(repair.added) == 1
        at_feed = [power(value * feed, "up") for name, value in repair.added if name in POWERS]
        then = [
            amount(name, getattr(study.problem.limits, name) + value, currency, "up")
            for name, value in repair.added
        ]
        minimum = (
            _minimum(*repair.added[0], repair.bound, currency)
            if single
            else _together(repair, currency)
        )
        rows.append(
            (
                repair_words(repair, currency),
                words(at_feed) if at_feed else DASH,
                words(then) if then else DASH,
                minimum,
                "not priced" if repair.cost is None else money(repair.cost, currency, "up"),
                fixed(repair.plan.score, 3),
            )
        )
    return table(columns, (1.9, 1, 1.2, 1.1, 1, 0.8), rows)


def _machines(study: ProcurementStudy, repairs: Sequence[Repair]) -> Table:
    currency = study.problem.prices.currency
    columns = (
        ("Change that allows a plan", False), ("Cost of the change", True), ("Score", True),
        ("Capital", True), ("Machine", False),
    )  # fmt: skip
    rows = [
        (
            repair_words(repair, currency),
            "not priced" if repair.cost is None else money(repair.cost, currency, "up"),
            fixed(repair.plan.score, 3),
            money(repair.plan.bill.capital, currency),
            bought(study.problem, repair.plan),
        )
        for repair in repairs
    ]
    return table(columns, (1.5, 1.0, 0.6, 1.0, 2.8), rows)


def _minimum(resource: str, added: float, bound: float, currency: str) -> str:
    """The least that must be added, rounded down to the digits of what the repair adds."""
    if resource not in POWERS:
        return amount(resource, bound, currency, "down")
    shown, unit = amount(resource, added, currency, "up").split()
    size = power_unit([added])[1]
    return f"{rounded(bound / size, len(shown.partition('.')[2]), 'down')} {unit}"


def _together(repair: Repair, currency: str) -> str:
    """The bound of several resources: a cost, or growths in per cent added up."""
    return (
        percent(repair.bound, "down") if repair.relative else money(repair.bound, currency, "down")
    )


def _capital(text_: str) -> str:
    return capitalised(text_)
