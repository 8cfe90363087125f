"""Pages on a study whose tables are written once: each table answers a question of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from planner.registry import command_of
from planner.worded_study import TabledStudy
from planner.worded_table import Row, Table
from reports.blocks import Block, Drawn, Page, bullets, partly
from reports.blocks import text as lead
from reports.compact import compact
from reports.grid import Table as Grid
from reports.grid import table_of
from reports.skeleton import provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture

_MOST_ROWS = 40


def front_with(pictures: Sequence[Picture]) -> Callable[[TabledStudy], dict[str, Any]]:
    """Return what makes the first page: explanation, risks and the first figure, without a table.

    The tables follow under their questions.
    """

    def front(study: TabledStudy) -> dict[str, Any]:
        first = replace(first_page(study, pictures), table=None)
        return title_page(study, study.title, study.title, first=first)

    return front


def named_table(study: TabledStudy, name: str) -> Table:
    """Return a table of the study by its name."""
    return next(table for table in study.shown if table.name == name)


def table_blocks(
    study: TabledStudy,
    name: str,
    caption: str = "",
    *,
    rows: Sequence[Row] | None = None,
    columns: Collection[str] = (),
    keep: Collection[str] = (),
    most: int = _MOST_ROWS,
) -> list[Block]:
    """Return a table, with what is the same in every row as a sentence; nothing if it is empty.

    Parameters
    ----------
    caption
        By default that of the table.
    rows
        Some of its rows; by default all.
    columns
        Keys of the columns that print has room for; by default all that people see.
    keep
        Headings of columns that stay even if all their cells are the same.
    most
        Rows that are shown; the caption names the workbook that has all.
    """
    written = named_table(study, name)
    chosen = written.rows if rows is None else rows
    if not chosen:
        return []
    shown = [one for one in written.columns if not columns or one.key in columns]
    book = f"{command_of(study).name}.xlsx"
    text = partly(caption or written.caption, min(most, len(chosen)), len(written.rows), book)
    rows_shown = table_of(shown, chosen[:most])
    if len(chosen) == 1:
        return [lead(f"{text}:"), bullets(_cells(rows_shown))]
    return compact(rows_shown, text, keep=keep)


def _cells(only: Grid) -> list[str]:
    """Each cell of the only row with its heading."""
    pairs = zip(only["columns"], only["rows"][0], strict=True)
    return [f"{column['name']}: {cell}" for column, cell in pairs]


def settings_page(
    study: TabledStudy, labels: Mapping[str, str], skipped: Collection[str] = ()
) -> Page:
    """Return the provenance: settings under their labels, then inputs and the command.

    Settings without a label have their name, with spaces.
    """
    rows = [
        (labels.get(name, name.replace("_", " ")), str(value))
        for name, value in study.settings.items()
        if name not in skipped
    ]
    return provenance_page(study, [*rows, *study.provenance])


def provenance_with(
    labels: Mapping[str, str], skipped: Collection[str] = ()
) -> Callable[[TabledStudy, Drawn], Page]:
    """Return the maker of the last page."""
    return lambda study, _drawings: settings_page(study, labels, skipped)
