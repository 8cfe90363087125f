"""The document on a day with shared nodes: bills, turnaround and revenue."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.pricing.queue_study import QueuePriceStudy
from planner.pricing.queue_tables import rule_text
from planner.table import Table
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, partly
from reports.grid import table_of
from reports.skeleton import paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture

_MOST_ROWS = 40
_BOOK = "price.xlsx"


def document(study: QueuePriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front_with(pictures), _bills, _turnarounds, _revenue, _spread, _method, _appendix,
                 _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[QueuePriceStudy], dict[str, Any]]:
    def front(study: QueuePriceStudy) -> dict[str, Any]:
        return title_page(study, study.title, study.title, first=first_page(study, pictures))

    return front


def _table(study: QueuePriceStudy, name: str) -> list[Block]:
    """Return a table by its name; none where it is empty."""
    table: Table = next(item for item in study.shown if item.name == name)
    if not table.rows:
        return []
    caption = partly(table.caption, _MOST_ROWS, len(table.rows), _BOOK)
    return [grid(table_of(table.columns, table.rows[:_MOST_ROWS]), caption)]


def _bills(study: QueuePriceStudy, drawings: Drawn) -> Page:
    answer = f"The rule for shared nodes is that with the shortest turnaround: {_best(study)}."
    blocks = (*figures(drawings, "bills"), *_table(study, "sides"))
    return Page("Who pays less, and who pays more?", answer, blocks)


def _best(study: QueuePriceStudy) -> str:
    return rule_text(study.best.rule)


def _turnarounds(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    del study
    blocks = tuple(figures(drawings, "rules"))
    answer = "Turnaround is the time from submission to end, as a mean over the jobs of a user."
    return Page("Whose jobs end sooner?", answer, blocks) if blocks else None


def _revenue(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    answer = "Discounts and price errors cover only jobs that shared a node."
    return Page("How much does the site earn?", answer, tuple(_table(study, "prices")))


def _spread(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    del drawings
    blocks = tuple(_table(study, "differences"))
    answer = "The log does not list applications. Each mapping assigns other ones to its users."
    return Page("How uncertain is this?", answer, blocks) if blocks else None


_RULES = (
    "Whole nodes: each job has all cores of its nodes. This is the baseline.",
    "Half idle: each job has half of the cores of twice as many nodes; the other halves are idle.",
    "Shared, may start alone: a job takes halves of nodes, and a partner may come later.",
    "Shared, starts in pairs: a job opens new nodes only together with a partner.",
    "A job shares only with applications for which measured estimates predict a gain.",
    "By run time, a job pays rate x cores x run time. POPPA and Headroom give discounts on this.",
    "The oracle knows true run times; price errors are relative to its prices.",
    "The mean overcharge is the mean price error with its sign.",
    "The week before the day fills the machine. Its jobs are simulated, but not billed.",
)


def _method(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    lines = (*_RULES, str(study.settings["rule"]))
    return Page("Appendix: method", "", (bullets(lines),))


def _appendix(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    return Page("Appendix: bills", "", tuple(_table(study, "bills")))


def _provenance(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    rows = [
        (_LABELS.get(name, name.replace("_", " ")), str(value))
        for name, value in study.settings.items()
        if name != "rule"
    ]
    return provenance_page(study, [*rows, *study.provenance])


_LABELS = {
    "bills_against": "reference of the full price",
    "mappings": "mappings of users to applications",
}
