"""The document on prices of shared nodes: questions with figures, long tables at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.formatting import given, percent
from planner.pricing.overhead import dilation
from planner.pricing.question import price_group_of
from planner.pricing.strategic import REMEDIES
from planner.pricing.study import PriceStudy
from planner.pricing.tables import BOARD
from planner.table import Table
from reports.blocks import Block, Drawn, Page, bullets, figures, grid
from reports.grid import table_of
from reports.skeleton import paged, provenance_page, title_page
from reports.style import Picture


def document(study: PriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return paged(_front, _prices, _accuracy, _applications, _cost, _revenue, _gaming, _method,
                 _appendix, _provenance)(study, pictures)  # fmt: skip


def _front(study: PriceStudy) -> dict[str, Any]:
    table = table_of(BOARD, study.result.price_rows())
    return title_page(study, study.title, study.title, table=table)


def _table(study: PriceStudy, name: str) -> list[Block]:
    """A table by its name; none where it is empty."""
    table: Table = next(table for table in study.shown if table.name == name)
    return [grid(table_of(table.columns, table.rows), table.caption)] if table.rows else []


def _prices(study: PriceStudy, drawn: Drawn) -> Page:
    today = study.result.fairness["state-of-practice"]
    answer = (
        f"A job billed by run time pays {percent(-today.mean_discount)} more than alone on "
        f"average, and up to {percent(-today.least_discount)} more."
    )
    blocks = (*figures(drawn, "prices"), *_table(study, "prices"))
    return Page("What do users pay?", answer, blocks)


def _accuracy(study: PriceStudy, drawn: Drawn) -> Page:
    poppa, ours = study.result.poppa_score, study.result.our_score
    base = "" if poppa is None else f"; Algorithm 4's are {percent(poppa.mean_absolute_error)} off"
    answer = (
        f"Headroom's predictions of run time are {percent(ours.mean_absolute_error)} off on "
        f"average{base}."
    )
    blocks = (*figures(drawn, "estimators"), *_table(study, "estimators"))
    return Page("How well is interference measured?", answer, blocks)


def _applications(study: PriceStudy, drawn: Drawn) -> Page:
    blocks = (*figures(drawn, "applications"), *_table(study, "applications"))
    answer = "True degradation is the share of its speed that an application loses."
    return Page("Which applications suffer?", answer, blocks)


def _cost(study: PriceStudy, drawn: Drawn) -> Page:
    budget = price_group_of(study.scenario).overhead_budget
    answer = (
        f"Measuring makes jobs {percent(dilation(study.result.shutter))} longer; the site accepts "
        f"{given(budget)}."
    )
    blocks = (
        *figures(drawn, "overhead_by_length"),
        *figures(drawn, "frontier"),
        *_table(study, "frontier"),
        *_table(study, "adaptive"),
    )
    return Page("What does measuring cost?", answer, blocks)


def _revenue(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    blocks = tuple(_table(study, "revenue"))
    answer = "A tariff raises fair prices, so that the site's revenue stays as if jobs ran alone."
    return Page("What does the site earn?", answer, blocks) if blocks else None


def _gaming(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    table = _table(study, "strategic")
    lines = [f"{tactic.capitalize()}: {remedy}" for tactic, remedy in REMEDIES.items()]
    answer = "A price below 100 % is a gain for the user who games the measurement."
    return Page("Can users cheat?", answer, (*table, bullets(lines))) if table else None


_TERMS = (
    "By run time, a job pays rate x cores x run time, as today. The other job's influence counts.",
    "POPPA multiplies this by the square of performance, which Algorithm 4 estimates.",
    "Headroom does so with its own estimate, and removes the bias of squaring.",
    "The oracle does so with true run times. Nobody can charge it: it is the fair price.",
    "A discount is relative to the price of running alone; a negative one is a surcharge.",
    "The price error is relative to the oracle's price.",
    "Revenue is a share of what the same jobs would pay alone.",
    "Envy is what a job pays above the job that pays least, both relative to the fair price.",
    "A job envies another if that difference is above 2 %.",
    "The phantom discount is that of jobs that no other job disturbs. It should be 0.",
    "S is the length of a measurement, P the gap between rounds, K the samples in a row.",
    "The estimators of the tables are defined in docs/pricing-estimators.md.",
    "All times and counters are simulated. No price was tried on a real machine.",
)


def _method(study: PriceStudy, drawn: Drawn) -> Page:
    del study, drawn
    return Page("What do the terms mean?", "", (bullets(_TERMS),))


def _appendix(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    names = ("printed", "simulated_node", "filter_bias", "overhead_by_length")
    blocks = tuple(block for name in names for block in _table(study, name))
    return Page("Appendix: the paper's numbers, and the simulated node", "", blocks)


def _provenance(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    rows = [(_LABELS.get(name, name), _text(value)) for name, value in study.settings.items()]
    return provenance_page(study, [*rows, *study.provenance])


_LABELS = {
    "jobs_per_node": "jobs per node",
    "law": "law of interference",
    "shutter_us": "length of a measurement, S [us]",
    "gap_us": "gap between rounds, P [us]",
    "repeats": "samples in a row, K",
    "windows": "windows of the jobs",
    "placebo_share": "share of placebo rounds",
    "counter_noise": "relative noise of counters",
    "polling_errors": "errors of the polling IPC",
}


def _text(value: Any) -> str:
    return f"{value:,g}" if isinstance(value, float) else str(value)
