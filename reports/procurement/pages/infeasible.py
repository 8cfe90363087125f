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
from planner.procurement import summary
from planner.procurement.findings import bought
from planner.procurement.infeasible import Diagnosis, way_words
from planner.procurement.repairs import Repair
from planner.procurement.rules import in_words
from planner.procurement.study import ProcurementStudy
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, subheading, text
from reports.grid import Table, table
from reports.language import LABELS, language_of
from reports.numbers import fixed
from reports.procurement.figures.repairs import cheapest, finding, repair_words
from reports.units import POWERS, RESOURCES, amount


def page(study: ProcurementStudy, figures: Drawn) -> Page | None:
    """The constraints that cannot all hold, the least that would make a plan, and the machine."""
    diagnosis = study.diagnosis
    if diagnosis is None:
        return None
    return Page(
        "Why does no plan exist, and what would make one?",
        f"{_needed(study)}{finding(study)}.",
        (*_clash(study, diagnosis), *_remedy(study, diagnosis, figures)),
    )


def _needed(study: ProcurementStudy) -> str:
    """What any plan needs of the resource that is short, and what there is of it."""
    repair = cheapest(study)
    if repair is None or len(repair.added) != 1:
        return ""
    ((name, _),) = repair.added
    limit, currency = getattr(study.problem.limits, name), study.problem.prices.currency
    if repair.bound < _TELLING * limit:
        return ""
    least = amount(name, limit + repair.bound, currency, "down")
    of_what = "" if name == "racks" else f" of {RESOURCES[name]}"
    return (
        f"Any plan needs at least {least}{of_what}; the limit is {amount(name, limit, currency)}. "
    )


_TELLING = 0.01
"""Share of a limit: a smaller need may not show in its printed digits."""


def _clash(study: ProcurementStudy, diagnosis: Diagnosis) -> list[Block]:
    if not diagnosis.clashing:
        return []
    count = len(diagnosis.clashing)
    names = f"the {count} rules" if count > 1 else "the rule"
    heading = LABELS[language_of(study)]["reasons"]
    explained = (
        f"No plan exists because of {names} under \u201c{heading}\u201d on page 1; no other rule "
        "is needed to explain it."
    )
    if not diagnosis.ways and any(map(summary.is_rule, diagnosis.clashing)):
        explained += (
            " To see the best machine without one of these rules, remove that rule from the "
            "scenario and plan again."
        )
    if count <= summary.MOST_RULES:
        return [text(explained)]
    return [
        subheading("Rules that clash"),
        text(explained),
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
        costs = "page 1" if len(every) <= MOST_ON_FIRST else "the next table"
        useful = (
            " The first allows a machine as good as the reference (score 1)."
            if len(diagnosis.useful) == 1
            else f" The first {len(diagnosis.useful)} allow a machine as good as the reference "
            "(score 1)."
        )
        if diagnosis.useful and diagnosis.repairs:
            useful += (
                " The last is the least that allows any plan."
                if len(diagnosis.repairs) == 1
                else " The others are the least that allow any plan."
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
            grid(_repairs(study, every), f"Repairs; {costs} has their costs and machines"),
            *_further_machines(study, len(every)),
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


def changed_machines(study: ProcurementStudy, language: str = "en") -> Table | None:
    """The best machine after each change, for the first page; none where nothing allows one."""
    heads, rows = summary.changes(study, language)
    return _machines(heads, rows[:MOST_ON_FIRST]) if rows else None


def _further_machines(study: ProcurementStudy, repairs: int) -> list[Block]:
    """The table of machines, where the first page does not hold all of it."""
    if repairs <= MOST_ON_FIRST:
        return []
    return [grid(_machines(*summary.changes(study)), "Each repair, and the best machine after it")]


def _machines(heads: summary.Change, rows: Sequence[summary.Change]) -> Table:
    right = (False, True, True, True, False)
    return table(list(zip(heads, right, strict=True)), (2, 0.9, 0.7, 1.0, 2.6), rows)


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
            )
        )
    return table(columns, (1.9, 1, 1.2, 1.1), rows)


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
