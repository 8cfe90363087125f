"""The report on a study whose tables are written once; nothing but the order is added."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.formatting import plural
from planner.registry import command_of
from planner.worded_study import TabledStudy
from planner.worded_table import Table as Written
from reports.blocks import Page, by_kind, figures, grid
from reports.first_page import FirstPage
from reports.grid import Table, table_of
from reports.report import Facts, Report
from reports.skeleton import provenance_page, title_page
from reports.style import Picture
from reports.warning_boxes import boxed

_MOST_ROWS = 40
_MOST_ROWS_OF_FIRST = 6
"""Rows of the table on a first page with a figure; a longer one has a page of its own."""
_MOST_ROWS_WITHOUT_FIGURE = 20
"""Rows of the table on a first page without a figure."""


def standard_report(
    pictures: Callable[[Any], list[Picture]] = lambda _study: [],
) -> Report[Any]:
    """Return a first page with the first table, a page for each further one, and provenance.

    Parameters
    ----------
    pictures
        Every figure of a study. One whose kind is the name of a table is shown with that table.
    """
    return Report("standard.typ", lambda study: str(study.title), _summary, pictures, document)


def document(study: TabledStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    first, *others = study.shown
    pictures_by_kind = by_kind(pictures[1:])  # the first one is on the first page
    book = f"{command_of(study).name}.xlsx"
    page_one = first_page(study, pictures)
    pages = [
        Page(
            table.caption,
            "",
            (grid(_grid(table), caption(table, book)), *figures(pictures_by_kind, table.name)),
        )
        for table in (others if page_one.table else study.shown)
        if table.rows
    ]
    if page_one.table and pictures_by_kind.get(first.name):
        pages.insert(0, Page(first.caption, "", tuple(figures(pictures_by_kind, first.name))))
    settings = [
        *((name.replace("_", " "), str(value)) for name, value in study.settings.items()),
        *study.provenance,
    ]
    pages.append(provenance_page(study, settings))
    front = title_page(study, study.title, study.title, first=page_one)
    return front | {"pages": [page.to_dict() for page in pages]}


def first_page(study: TabledStudy, pictures: Sequence[Picture] = ()) -> FirstPage:
    """Return the first page of a study: its explanation, its risks, its first table and figure.

    A table that is too long for the page is left out.
    """
    explanation, first = study.explanation, study.shown[0]
    most = _MOST_ROWS_OF_FIRST if pictures else _MOST_ROWS_WITHOUT_FIGURE
    return FirstPage(
        reasons=explanation.reasons,
        alternatives=explanation.alternatives,
        risks=boxed(study.warnings),
        limits=explanation.limits,
        robustness=explanation.robustness,
        assumptions=explanation.assumptions,
        next_steps=explanation.next_steps,
        figure=pictures[0] if pictures else None,
        table=_grid(first) if 0 < len(first.rows) <= most else None,
    )


def _grid(written: Written) -> Table:
    return table_of(written.columns, written.rows[:_MOST_ROWS])


def caption(written: Written, book: str) -> str:
    """Return how many rows are shown; the heading above says of what."""
    rows = len(written.rows)
    if rows <= _MOST_ROWS:
        return plural(rows, "row")
    return f"the first {_MOST_ROWS} of {rows:,} rows; all are in {book}"


def _summary(study: TabledStudy) -> Facts:
    return [
        ("title", study.title),
        ("answer", study.headline),
        ("confidence", study.confidence),
        *study.settings.items(),
        *(("warning", warning) for warning in study.warnings),
    ]
