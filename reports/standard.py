"""The report on a study whose tables are written once: nothing is added but the order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.registry import command_of
from planner.study import TabledStudy
from planner.table import Table as Written
from planner.version import headroom_version
from reports.blocks import Page, by_kind, figures, grid, partly
from reports.grid import Table, table
from reports.report import Report, Rows
from reports.style import Picture
from reports.versions import version_rows
from reports.warned import boxed, in_full

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
    drawn = by_kind(pictures)
    book = f"{command_of(study).name}.xlsx"
    pages = [
        Page(
            each.caption,
            "",
            (grid(_grid(each), _caption(each, book)), *figures(drawn, each.name)),
            flows=True,
        )
        for each in others
        if each.rows
    ]
    settings = [(name, str(value)) for name, value in study.settings.items()]
    provenance = table(
        (("Item", False), ("Value", False)), (1, 3), [*settings, *version_rows()], exact=True
    )
    data = f"{command_of(study).name}.json"
    last = Page(
        "Appendix: provenance",
        "",
        (grid(provenance, "Settings and versions"), *in_full(study.warnings, data)),
        flows=True,
    )
    return {
        "title": study.title,
        "description": "",
        "footer": f"{study.title} · Headroom {headroom_version()}",
        "decision": study.headline,
        "caveat": study.confidence,
        "warnings": boxed(study.warnings),
        "summary": [],
        "summary_table": _grid(first),
        "pages": [page.to_dict() for page in (*pages, last)],
    }


def _grid(written: Written) -> Table:
    columns = [(column.heading, column.number) for column in written.columns]
    return table(columns, [1] * len(columns), written.cells(_MOST_ROWS))


def _caption(written: Written, book: str) -> str:
    return partly(written.caption, _MOST_ROWS, len(written.rows), book)


def _summary(study: TabledStudy) -> Rows:
    pairs = [
        ("title", study.title),
        ("answer", study.headline),
        ("confidence", study.confidence),
        *study.settings.items(),
        *(("warning", warning) for warning in study.warnings),
    ]
    return [{"what": what, "value": value} for what, value in pairs]
