"""The report on a study whose tables are written once: nothing is added but the order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.formatting import plural
from planner.registry import command_of
from planner.study import TabledStudy
from planner.table import Table as Written
from reports.blocks import Page, by_kind, figures, grid
from reports.grid import Table, table_of
from reports.report import Facts, Report
from reports.skeleton import provenance_page, title_page, with_figure
from reports.style import Picture

_MOST_ROWS = 40


def standard_report(
    pictures: Callable[[Any], list[Picture]] = lambda _study: [],
) -> Report[Any]:
    """Title page with the first table, a page for each further one, settings and provenance.

    Parameters
    ----------
    pictures
        Every figure of a study. One whose kind is the name of a table stands under that table.
    """
    return Report("standard.typ", lambda study: str(study.title), _summary, pictures, document)


def document(study: TabledStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Everything that the template shows."""
    first, *others = study.shown
    pictures_by_kind = by_kind(pictures)
    book = f"{command_of(study).name}.xlsx"
    pages = [
        Page(
            table.caption,
            "",
            (grid(_grid(table), caption(table, book)), *figures(pictures_by_kind, table.name)),
            flows=True,
        )
        for table in others
        if table.rows
    ]
    if pictures_by_kind.get(first.name):
        pages.insert(
            0, Page(first.caption, "", tuple(figures(pictures_by_kind, first.name)), flows=True)
        )
    settings = [*((name, str(value)) for name, value in study.settings.items()), *study.provenance]
    pages.append(replace(provenance_page(study, settings), flows=True))
    front = title_page(study, study.title, study.title, table=_grid(first))
    return with_figure(front, pictures) | {"pages": [page.to_dict() for page in pages]}


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
