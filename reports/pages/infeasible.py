"""Why there is no plan, and what would make one."""

from __future__ import annotations

from planner.procurement.infeasible import Diagnosis
from planner.procurement.study import ProcurementStudy
from reports.figures.repairs import finding, repair_words
from reports.findings import bought, clash_words, no_plan
from reports.grid import Table, table
from reports.numbers import fixed, words
from reports.pages.blocks import Block, Drawn, Page, bullets, figures, grid, text
from reports.units import POWERS, RESOURCES, amount, money, power


def clash(study: ProcurementStudy, _drawn: Drawn) -> Page | None:
    """The constraints that cannot all hold."""
    if study.diagnosis is None:
        return None
    names = study.diagnosis.clashing
    blocks: list[Block] = [
        text(
            "The set is irreducible: it clashes as a whole, and with any one of it given up, the "
            "rest can be met. Everything else in the scenario plays no part in this clash."
        ),
        bullets([_capital(clash_words(study, name)) for name in names]),
    ]
    return Page("Why is there no plan?", no_plan(study), tuple(blocks))


def repairs(study: ProcurementStudy, drawn: Drawn) -> Page | None:
    """The least that would make a plan, and the machine then."""
    diagnosis = study.diagnosis
    if diagnosis is None:
        return None
    blocks: list[Block] = []
    if diagnosis.repairs:
        blocks += [
            text(
                "Each repair raises one resource, or a pair, by the least amount that makes a "
                "plan, with everything else as it is. The bound says that no such repair needs "
                "less. Power is IT power; at the feed it is "
                f"{fixed(study.problem.prices.feed_per_it, 3)} times as much."
            ),
            *figures(drawn, "repairs", ""),
            grid(_repairs(study, diagnosis), "Repairs"),
            grid(_machines(study, diagnosis), "What the machine would then be"),
        ]
    if diagnosis.hopeless:
        alone = words([RESOURCES.get(name, name) for name in diagnosis.hopeless])
        blocks.append(text(f"No amount of these alone makes a plan: {alone}."))
    return Page("What would make a plan?", f"{finding(study)}.", tuple(blocks))


def _repairs(study: ProcurementStudy, diagnosis: Diagnosis) -> Table:
    currency, feed = study.problem.prices.currency, study.problem.prices.feed_per_it
    columns = (
        ("Repair", False), ("At the feed", True), ("Limit then", True), ("No less than", True),
        ("Cost", True),
    )  # fmt: skip
    rows = []
    for repair in diagnosis.repairs:
        single = len(repair.added) == 1
        at_feed = [power(value * feed) for name, value in repair.added if name in POWERS]
        then = [
            amount(name, getattr(study.problem.limits, name) + value, currency)
            for name, value in repair.added
        ]
        least = (
            amount(repair.added[0][0], repair.bound, currency)
            if single
            else money(repair.bound, currency)
        )
        rows.append(
            (
                repair_words(repair, currency),
                words(at_feed) if at_feed else "–",  # noqa: RUF001
                words(then) if then else "–",  # noqa: RUF001
                least,
                "not priced" if repair.cost is None else money(repair.cost, currency),
            )
        )
    return table(columns, (1.9, 1, 1.2, 1.1, 1), rows)


def _machines(study: ProcurementStudy, diagnosis: Diagnosis) -> Table:
    currency = study.problem.prices.currency
    columns = (
        ("Repair", False), ("Score", True), ("Nodes", True), ("Capital", True), ("IT power", True),
        ("Buys", False),
    )  # fmt: skip
    rows = [
        (
            repair_words(repair, currency),
            fixed(repair.plan.score, 3),
            f"{sum(each.nodes for each in repair.plan.purchases):,}",
            money(repair.plan.bill.capital, currency),
            power(repair.plan.it_power_w),
            bought(study.problem, repair.plan),
        )
        for repair in diagnosis.repairs
    ]
    return table(columns, (1.6, 0.7, 0.7, 1.1, 1.1, 2.6), rows)


def _capital(text_: str) -> str:
    return text_[0].upper() + text_[1:]
