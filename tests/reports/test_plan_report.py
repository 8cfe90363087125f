"""The report on a request for proposals at its edges: first page, tables, workbook and document."""

from __future__ import annotations

import io
import itertools

import pypdf
import pytest
from python_calamine import CalamineWorkbook

from reports.figures import pictures
from reports.view import View, view
from reports.writers.html import html
from reports.writers.pdf import pdf
from reports.writers.terminal import terminal
from reports.writers.workbook import workbook
from tests.claims import plan
from tests.claims.plan_truth import Case
from tests.claims.statements import requests

KINDS = ("buy-1", "buy-more", "no-plan", "no-plan-rule", "no-plan-rules", "undecided")
_MOST_WORDS = 20
_MOST_CASES = 60


@pytest.fixture(scope="module")
def cases() -> dict[str, Case]:
    """The first case of each headline, the long form, and the one with names of marks."""
    found: dict[str, Case] = {}
    for case in itertools.islice(requests(plan), _MOST_CASES):
        name = "full" if case.full else case.answer.study.headline.kind
        found.setdefault("hostile" if "<script>" in case.raw["title"] else name, case)
        if found.keys() >= {*KINDS, "full", "hostile"}:
            break
    return found


def first_page(shown: View) -> list[str]:
    """What a board reads first, as texts."""
    grids = [] if shown.decision is None else [shown.decision]
    cells = [cell for grid in grids for row in grid.rows for cell in row]
    tiles = [text for tile in shown.tiles for text in (tile.label, tile.value, tile.note) if text]
    return [shown.headline, shown.confidence, *tiles, *shown.risks, *cells, *shown.next_steps]


@pytest.mark.parametrize("name", [*KINDS, "full", "hostile"])
def test_the_first_page_has_the_answer_and_what_to_do(cases: dict[str, Case], name: str) -> None:
    shown = view(cases[name].answer.study)
    words = shown.headline.replace("\xa0", " ").split()
    assert len(words) <= _MOST_WORDS or name in ("buy-more", "hostile")
    assert shown.next_steps
    assert len(shown.tiles) <= 6
    assert shown.warnings == ()
    assert not [text for text in first_page(shown) if "{" in text and name != "hostile"]
    if cases[name].answer.plan is not None:
        assert shown.decision is not None
        rows = cases[name].answer.study.rows("to_buy")
        assert len(shown.decision.rows) - shown.decision.summed == len(rows)
        assert sum(row["label_unit"] == "text" for row in rows) == len(cases[name].bought)
        assert shown.confidence
    elif name.startswith("no-plan-"):
        assert shown.decision is not None
        assert not {"score", "capital"} & {fact.key for fact in cases[name].answer.study.facts}


@pytest.mark.parametrize("name", [*KINDS, "full", "hostile"])
def test_every_table_is_a_sheet_and_every_page_has_content(
    cases: dict[str, Case], name: str
) -> None:
    study = cases[name].answer.study
    book = CalamineWorkbook.from_filelike(io.BytesIO(workbook(study)))
    sheets = {sheet: book.get_sheet_by_name(sheet).to_python() for sheet in book.sheet_names}
    lengths = sorted(len(rows) - 1 for rows in sheets.values())
    for table in study.tables:
        assert len(study.rows(table.name)) + bool(table.summed) in lengths, table.name
    assert len(sheets) == len(study.tables) + 1
    on_pages = {table for question in study.questions for table in question.tables}
    first, further = {study.decision}, {"work_by_type", "programs", "solved"}
    hidden = {table.name for table in study.tables} - on_pages - first - further
    assert hidden <= {
        "candidates", "vendor_comparison", "repairs", "purchases", "marginal_values",
        "marginal_drawn", "regimes",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["no-plan-rules", "full", "hostile"])
def test_the_document_and_the_page_have_every_question(cases: dict[str, Case], name: str) -> None:
    study = cases[name].answer.study
    drawn, shown = pictures(study), view(study)
    text = " ".join(
        page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf(study, drawn))).pages
    )
    flat = " ".join(text.replace("\u2069", "").split())
    page = html(study, drawn).decode()
    for part in shown.parts:
        assert part.heading in flat
        assert part.heading in page
    assert page.count("<figure>") == len(drawn)


def test_names_are_only_text(cases: dict[str, Case]) -> None:
    """Marks of documents, pages and tables stay letters wherever a quote, vendor or title is."""
    study = cases["hostile"].answer.study
    title = cases["hostile"].raw["title"]
    labels = [quote["label"] for quote in cases["hostile"].raw["node_types"]]
    page = html(study, pictures(study)).decode()
    assert "<script" not in page
    assert "<b>*a*" not in page
    assert all(label in terminal(study) for label in labels)
    book = CalamineWorkbook.from_filelike(io.BytesIO(workbook(study)))
    sheets = [book.get_sheet_by_name(sheet).to_python() for sheet in book.sheet_names]
    cells = {cell for sheet in sheets for row in sheet for cell in row}
    assert {title, *labels} <= cells
