"""What all reports have alike: the title page, pages in order, and the provenance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from planner.registry import answer_of, command_of
from planner.version import headroom_version
from planner.worded_study import Study
from reports.blocks import Drawn, Page, by_kind, grid
from reports.first_page import FirstPage, shown
from reports.grid import Table, table
from reports.language import LABELS, language_of
from reports.report import Facts
from reports.style import Picture
from reports.versions import version_rows
from reports.warning_boxes import boxed, in_full

S = TypeVar("S")


def paged(
    front: Callable[[S], dict[str, Any]],
    *pages: Callable[[S, Drawn], Page | None],
) -> Callable[[S, Sequence[Picture]], dict[str, Any]]:
    """The document of a report: its title page, then every page that a study has something for.

    Parameters
    ----------
    pages
        In their order; each gives ``None`` where the study has nothing for it.
    """

    def document(study: S, pictures: Sequence[Picture]) -> dict[str, Any]:
        pictures_by_kind = by_kind(pictures)
        made = [page for make in pages if (page := make(study, pictures_by_kind)) is not None]
        return with_figure(front(study), pictures) | {"pages": [page.to_dict() for page in made]}

    return document


def title_page(
    study: Study,
    title: str,
    source: str,
    *,
    description: str = "",
    first: FirstPage | None = None,
    summary: Sequence[str] = (),
    table: Table | None = None,
    **further: Any,
) -> dict[str, Any]:
    """Return what the first page shows.

    Parameters
    ----------
    source
        What the study was read from, short enough for the footer.
    first
        The parts of the page; by default ``summary`` as its reasons, ``table``, and the warnings of
        the study as its risks.
    further
        What this template alone needs; or ``decision``, ``certificate`` where these are not as the
        study has them.
    """
    scenario = getattr(study, "scenario", None)
    language = language_of(study)
    if first is None:
        first = FirstPage(reasons=summary, table=table, risks=boxed(study.warnings))
    return {
        "title": title,
        "kicker": answer_of(study).subject,
        "description": description,
        "footer": f"{source} · Headroom {headroom_version()}",
        "decision": study.headline,
        "certificate": study.confidence,
        "language": language,
        "labels": dict(LABELS[language]),
        "date": str(getattr(scenario, "date", None) or ""),
        "version": getattr(scenario, "version", None) or "",
        **first.to_dict(),
        **further,
    }


def with_figure(first: dict[str, Any], pictures: Sequence[Picture]) -> dict[str, Any]:
    """The first page with the first figure of the report, where it names none itself."""
    if first.get("figure") is None and pictures:
        return first | {"figure": shown(pictures[0])}
    return first


def first_sheet(study: Study, title: str, rows: Facts) -> Facts:
    """The first sheet of the workbook: the answer, then ``rows`` of this kind, then warnings."""
    return [
        ("title", title),
        ("answer", study.headline),
        ("confidence", study.confidence or None),
        *rows,
        *(("warning", warning) for warning in study.warnings),
    ]


def provenance_table(rows: Iterable[tuple[str, str]]) -> Table:
    """Items and values to be copied; the versions come by themselves."""
    every = [*rows, *version_rows()]
    return table((("Item", False), ("Value", False)), (1, 3), every, exact=True)


def provenance_page(
    study: Study,
    rows: Iterable[tuple[str, str]],
    warnings: Sequence[str] | None = None,
    boxes: Sequence[str] | None = None,
) -> Page:
    """Everything that a reader needs to get the same again, and every warning.

    Parameters
    ----------
    rows
        Inputs, command, seeds.
    warnings
        By default those of the study.
    boxes
        The warnings on the title page, if these are not simply as many of ``warnings`` as fit.
    """
    data = f"{command_of(study).name}.json"
    every = in_full(study.warnings if warnings is None else warnings, data, boxes)
    return Page("Appendix: provenance", "", (grid(provenance_table(rows), "Provenance"), *every))
