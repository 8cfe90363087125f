"""The document on prices of shared nodes: questions with figures, long tables at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
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
from reports.standard import first_page
from reports.style import Picture


def document(study: PriceStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    return paged(_front_with(pictures), _prices, _accuracy, _applications, _cost, _revenue,
                 _gaming, _method, _appendix, _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[PriceStudy], dict[str, Any]]:
    def front(study: PriceStudy) -> dict[str, Any]:
        table = table_of(BOARD, study.result.price_rows())
        first = replace(first_page(study, pictures), table=table)
        return title_page(study, study.title, study.title, first=first)

    return front


def _table(study: PriceStudy, name: str) -> list[Block]:
    """Return a table by its name; nothing where it is empty."""
    table: Table = next(table for table in study.shown if table.name == name)
    return [grid(table_of(table.columns, table.rows), table.caption)] if table.rows else []


def _prices(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn  # its figure is on the first page
    today = study.result.fairness["state-of-practice"]
    answer = (
        f"Billed by run time, a job pays {percent(-today.mean_discount)} more than alone on "
        f"average, and up to {percent(-today.least_discount)} more."
    )
    return Page("What do users pay?", answer, tuple(_table(study, "prices")))


def _accuracy(study: PriceStudy, drawn: Drawn) -> Page:
    poppa, ours = study.result.poppa_score, study.result.our_score
    error = percent(ours.mean_absolute_error, places=1)
    base = ""
    if poppa is not None:
        base = f", against {percent(poppa.mean_absolute_error, places=1)} with Algorithm 4"
    answer = f"Headroom predicts run times with a mean error of {error}{base}."
    blocks = (*figures(drawn, "estimators"), *_table(study, "estimators"))
    return Page("How well is interference measured?", answer, blocks)


def _applications(study: PriceStudy, drawn: Drawn) -> Page:
    blocks = (*figures(drawn, "applications"), *_table(study, "applications"))
    answer = "Degradation is the share of its speed that an application loses to its partner."
    return Page("Which applications lose most speed?", answer, blocks)


def _cost(study: PriceStudy, drawn: Drawn) -> Page:
    budget = price_group_of(study.scenario).overhead_budget
    answer = (
        f"Measuring makes jobs {percent(dilation(study.result.shutter))} longer; the site accepts "
        f"up to {given(budget)}."
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
    answer = "A tariff raises fair prices so that the site earns as much as if all jobs ran alone."
    return Page("What does the site earn?", answer, blocks) if blocks else None


def _gaming(study: PriceStudy, drawn: Drawn) -> Page | None:
    del drawn
    table = _table(study, "strategic")
    lines = [f"{tactic.capitalize()}: {remedy}" for tactic, remedy in REMEDIES.items()]
    answer = "A price below 100 % means that the user gains by gaming the measurement."
    return Page("Can users cheat?", answer, (*table, bullets(lines))) if table else None


_TERMS = (
    "By run time: a job pays rate x cores x run time, as today, even if its partner slows it down.",
    "POPPA: the price by run time, times the square of performance as Algorithm 4 estimates it.",
    "Headroom: the same with Headroom's own estimate, and without the bias of squaring.",
    "Oracle: the same with the true run times. This is the fair price, but no site knows it.",
    "Discount: relative to the price of running alone. A negative discount is a surcharge.",
    "Price error: difference from the oracle's price, relative to it.",
    "Revenue: relative to what the same jobs would pay when they run alone.",
    (
        "Envy: what a job pays above the job that pays least, both relative to the fair price. "
        "Differences up to 2 % do not count as envy."
    ),
    "Phantom discount: the discount of a job that no other job disturbs. It should be 0.",
    "S is the length of a measurement, P the gap between rounds, K the samples in a row.",
    'The documentation defines the estimators (page "Estimators and prices for shared nodes").',
)


def _method(study: PriceStudy, drawn: Drawn) -> Page:
    del study, drawn
    return Page("Appendix: terms", "", (bullets(_TERMS),))


def _appendix(study: PriceStudy, drawn: Drawn) -> Page:
    del drawn
    names = ("printed", "simulated_node", "filter_bias", "overhead_by_length")
    blocks = tuple(block for name in names for block in _table(study, name))
    return Page("Appendix: the paper's numbers and the simulated node", "", blocks)


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
    "windows": "windows of measurement",
    "placebo_share": "share of placebo rounds",
    "counter_noise": "relative noise of counters",
    "polling_errors": "errors of the IPC of waiting ranks",
}


def _text(value: Any) -> str:
    return f"{value:,g}" if isinstance(value, float) else str(value)
