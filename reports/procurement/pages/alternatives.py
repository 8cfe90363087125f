"""Other machines nearly as good."""

from __future__ import annotations

from planner.formatting import given, money, percent
from planner.procurement.findings import bought
from planner.procurement.study import ProcurementStudy
from reports.blocks import Drawn, Page, figures, grid, text
from reports.grid import Table, table
from reports.numbers import fixed
from reports.procurement.figures.alternatives import finding


def page(study: ProcurementStudy, pictures: Drawn) -> Page | None:
    """What else one could buy for little."""
    if not study.full or study.plan is None:
        return None
    question = study.scenario.procurement
    within = question.alternatives_within if question else 0.0
    if not study.alternatives:
        return Page(
            "What else could be bought?",
            f"No other plan within {given(within)} of the optimum was found.",
            (),
        )
    return Page(
        "What else could be bought?",
        f"{finding(study)}.",
        (
            text(
                f"Each alternative reaches at least {given(1 - within)} of the best score and "
                "differs as much as possible from the plans above it. The distance is half the sum "
                "of the differences in money per node type, divided by the money for the nodes of "
                "the optimum. It is 0 for the same purchase and 1 where nothing is shared. No "
                "alternative can be farther away than the largest distance."
            ),
            *figures(pictures, "alternatives", ""),
            grid(_plans(study), "Alternatives"),
        ),
    )


def _plans(study: ProcurementStudy) -> Table:
    currency = study.problem.prices.currency
    columns = (
        ("Plan", False), ("Score", True), ("Below best", True), ("Distance", True),
        ("Largest distance", True), ("Capital", True), ("Buys", False),
    )  # fmt: skip
    rows = []
    if study.plan is not None:
        rows.append(
            (
                "optimum", fixed(study.plan.score, 4), "", "", "",
                money(study.plan.bill.capital, currency), bought(study.problem, study.plan, 5),
            )
        )  # fmt: skip
    rows += [
        (
            f"alternative {alternative_index}",
            fixed(alternative.plan.score, 4),
            percent(max(0.0, alternative.given_up)),
            fixed(alternative.distance, 3),
            fixed(alternative.distance_bound, 3, "up"),
            money(alternative.plan.bill.capital, currency),
            bought(study.problem, alternative.plan, 5),
        )
        for alternative_index, alternative in enumerate(study.alternatives, 1)
    ]
    return table(columns, (1.1, 0.75, 0.8, 0.85, 0.75, 1, 2.6), rows)
