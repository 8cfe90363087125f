"""The document on a day with shared nodes: who pays less, who is done sooner, what a site earns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.pricing.queue_study import QueuePriceStudy
from planner.pricing.queue_tables import rule_text
from planner.table import Table
from reports.blocks import Block, Drawn, Page, bullets, figures, grid, partly
from reports.grid import table_of
from reports.skeleton import paged, provenance_page, title_page
from reports.style import Picture

_MOST_ROWS = 40
_BOOK = "price.xlsx"


def document(study: QueuePriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front, _bills, _turnarounds, _revenue, _spread, _method, _appendix,
                 _provenance)(study, pictures)  # fmt: skip


def _front(study: QueuePriceStudy) -> dict[str, Any]:
    first, *_ = study.shown
    return title_page(study, study.title, study.title, table=table_of(first.columns, first.rows))


def _table(study: QueuePriceStudy, name: str) -> list[Block]:
    """Return a table by its name; none where it is empty."""
    table: Table = next(item for item in study.shown if item.name == name)
    if not table.rows:
        return []
    caption = partly(table.caption, _MOST_ROWS, len(table.rows), _BOOK)
    return [grid(table_of(table.columns, table.rows[:_MOST_ROWS]), caption)]


def _bills(study: QueuePriceStudy, drawings: Drawn) -> Page:
    answer = f"Shared nodes here follow the rule with the shortest turnaround: {_best(study)}."
    blocks = (*figures(drawings, "bills"), *_table(study, "sides"))
    return Page("Who pays less, and who pays more?", answer, blocks)


def _best(study: QueuePriceStudy) -> str:
    return rule_text(study.best.rule)


def _turnarounds(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    del study
    blocks = tuple(figures(drawings, "rules"))
    answer = "Turnaround is the time from submission to end."
    return Page("Who gets results sooner?", answer, blocks) if blocks else None


def _revenue(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    answer = "Discounts and errors are those of jobs that shared a node with another job."
    return Page("What does the site earn?", answer, tuple(_table(study, "prices")))


def _spread(study: QueuePriceStudy, drawings: Drawn) -> Page | None:
    del drawings
    blocks = tuple(_table(study, "differences"))
    answer = "Users may run other applications: every mapping gives them others."
    return Page("How much depends on the applications?", answer, blocks) if blocks else None


_RULES = (
    "Whole nodes: each job has all cores of its nodes. This is the baseline.",
    "Half idle: each job has half of the cores of twice as many nodes.",
    "Shared, starts alone: a job takes halves, and a partner may come later.",
    "Shared, in pairs: a job opens new nodes only together with a partner.",
    "A job shares only with applications that gain by it, by measured estimates.",
    "By run time, a job pays rate x cores x run time. POPPA and Headroom give discounts.",
    "The oracle knows true run times; price errors are relative to its prices.",
    "The overcharge is the price error with its sign.",
    "The week before the day fills the machine; its jobs are simulated and not billed.",
)


def _method(study: QueuePriceStudy, drawings: Drawn) -> Page:
    del drawings
    lines = (*_RULES, f"Jobs of the log: {study.settings['rule']}.")
    return Page("How was this computed?", "", (bullets(lines),))


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
    "bills_against": "full price is that of",
    "mappings": "mappings of users to applications",
}
