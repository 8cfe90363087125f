"""Five writers of a study: from its file alone, for any names and any size."""

from __future__ import annotations

import html as markup
import io
import re
import subprocess
import sys
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pypdf
import pytest
from python_calamine import CalamineWorkbook

from planner.figure import Figure
from planner.finding import Fact, finding
from planner.study import Question, Study, read_study
from planner.table import Column, Row, Table
from reports.figures import pictures
from reports.style import Picture
from reports.texts import Texts, quoted
from reports.view import grid, view
from reports.writers.data import data
from reports.writers.html import html, notebook
from reports.writers.pdf import pdf
from reports.writers.terminal import terminal
from reports.writers.workbook import workbook
from tests.claims.size import Case
from tests.planner.scheduling.sizing.logs import weekly

ROOT = Path(__file__).parents[2]
HOSTILE = "=1+1 $x_2$ #eval(1) <b>&'\" \\ \u05e9\u05dc\u05d5\u05dd"
ONE = "runs-one-application"
ALONE = """
import importlib.abc, sys
ALLOWED = {"planner", *(f"planner.{name}" for name in
           ("study", "finding", "table", "figure", "formatting", "errors"))}
class Ban(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        package = name.split(".")[0]
        if package in ("scenarios", "solvers") or package == "planner" and name not in ALLOWED:
            raise ImportError(f"a writer imports {name}")
sys.meta_path.insert(0, Ban())
from planner.study import read_study
from reports.figures import pictures
from reports.writers import data, html, pdf, terminal, workbook
study = read_study(open("size.json", "rb").read(), "size.json")
drawn = pictures(study)
open("report.pdf", "wb").write(pdf.pdf(study, drawn))
open("report.html", "wb").write(html.html(study, drawn))
open("size.xlsx", "wb").write(workbook.workbook(study))
open("again.json", "wb").write(data.data(study))
open("printed.txt", "w").write(terminal.terminal(study))
for picture in drawn:
    open(f"{picture.name}.png", "wb").write(picture.png)
"""


@pytest.fixture(scope="module")
def study() -> Study:
    case = Case(weekly(5), "p95-bounded-slowdown<=3", ("easy", "fcfs"), 1.5, draws=4)
    return case.answer.study


@pytest.fixture(scope="module")
def drawn(study: Study) -> list[Picture]:
    return pictures(study)


def test_writers_need_the_file_of_the_study_and_nothing_that_decides(
    study: Study, drawn: list[Picture], tmp_path: Path
) -> None:
    (tmp_path / "size.json").write_bytes(data(study))
    subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = [{str(ROOT)!r}]\n{ALONE}"],
        cwd=tmp_path, check=True,
    )  # fmt: skip
    assert (tmp_path / "again.json").read_bytes() == data(study)
    assert (tmp_path / "report.pdf").read_bytes() == pdf(study, drawn)
    assert (tmp_path / "report.html").read_bytes() == html(study, drawn)
    assert (tmp_path / "size.xlsx").read_bytes() == workbook(study)
    assert (tmp_path / "printed.txt").read_text() == terminal(study)
    assert (tmp_path / "01-curve.png").read_bytes() == drawn[0].png


def test_every_page_has_the_answer_the_numbers_and_the_figures(
    study: Study, drawn: list[Picture]
) -> None:
    shown = view(study)
    pages = pypdf.PdfReader(io.BytesIO(pdf(study, drawn))).pages
    first = " ".join(pages[0].extract_text().split())
    page = html(study, drawn).decode()
    for text in (shown.headline, *(tile.label for tile in shown.tiles), *shown.next_steps):
        assert text.replace("\xa0", " ") in first.replace("\xa0", " ")
        assert markup.escape(text, quote=True) in page
    every = " ".join(page.extract_text() for page in pages)
    assert all(part.heading in every for part in shown.parts)
    assert page.count("<figure>") == len(drawn) == 3
    assert "//" not in page.replace("http://www.w3.org", "").partition("</style>")[0]
    assert "<script" not in page
    assert "default-src 'none'; img-src data:;" in page
    assert len(page) < 2_000_000
    assert len(notebook(study)) < 60_000
    assert all(tile.value in notebook(study) for tile in shown.tiles)


def test_the_workbook_has_raw_numbers_under_headings_for_people(study: Study) -> None:
    book = CalamineWorkbook.from_filelike(io.BytesIO(workbook(study)))
    assert book.sheet_names[:4] == ["Summary", "Choices", "Sizes", "Search"]
    (heading, *rows) = book.get_sheet_by_name("Sizes tried").to_python()
    assert heading[:3] == ["Policy", "Size (processors)", "Processors"]
    assert "Mean wait [s]" in heading
    tried = study.rows("sizes tried")
    waits = [row["mean_wait_s"] for row in tried]
    assert [row[heading.index("Mean wait [s]")] for row in rows] == pytest.approx(waits, rel=1e-14)


def test_names_are_only_text(study: Study) -> None:
    hostile = replace(
        study,
        title=finding("note", "question", log=(HOSTILE, "text")),
        findings=(finding("risk", ONE, application=(HOSTILE, "text")),),
    )
    drawn = pictures(hostile)
    parser = HTMLParser()
    parser.feed(html(hostile, drawn).decode())
    assert "<b>&'" not in html(hostile, drawn).decode().partition("<body>")[2].replace(
        "<b>Risks", ""
    )
    assert pdf(hostile, drawn)
    book = CalamineWorkbook.from_filelike(io.BytesIO(workbook(hostile)))
    cells = [cell for row in book.get_sheet_by_name("Summary").to_python() for cell in row]
    assert any(HOSTILE in str(cell) for cell in cells)
    assert "\u2068" in view(hostile).title
    assert "\u2068" not in terminal(hostile)


@pytest.mark.parametrize("count", [1, 6, 7, 40])
def test_every_risk_is_in_every_format(study: Study, count: int) -> None:
    remarks = [f"remark number {index} of the input." for index in range(count)]
    risks = tuple(finding("risk", ONE, application=(remark, "text")) for remark in remarks)
    many = replace(study, findings=risks)
    pages = pypdf.PdfReader(io.BytesIO(pdf(many, pictures(many)))).pages
    text = " ".join(" ".join(page.extract_text().split()) for page in pages)
    first = " ".join(pages[0].extract_text().split())
    assert [remark in text for remark in remarks] == [True] * count
    assert sum(remark in first for remark in remarks) == (count if count <= 7 else 6)
    assert all(remark in terminal(many) and remark in html(many, ()).decode() for remark in remarks)
    assert view(many).headline.replace("\xa0", " ") in first


def test_names_from_the_right_are_isolated_and_long_ones_clipped() -> None:
    assert quoted("plain name") == "plain name"
    assert quoted("a\nb\u05e9") == "\u2068a b\u05e9\u2069"
    assert len(quoted("x" * 1000)) == 90


def test_an_unknown_kind_is_shown_with_its_values_and_a_warning(study: Study) -> None:
    newer = replace(study, headline=finding("headline", "colder", nodes=(4, "node"), c=(2, "x")))
    assert view(newer).headline == "colder: nodes 4\xa0nodes, c 2"
    assert view(newer).warnings == ("unknown kind 'colder'",)
    assert "Warning: unknown kind 'colder'" in terminal(newer)
    assert pdf(newer, pictures(newer))


def test_the_first_page_keeps_its_figure_by_drawing_it_smaller(study: Study) -> None:
    one = next(each for each in study.findings if each.severity == "assumption")
    drawn = pictures(study)
    for more in (0, 3):  # with three it does not fit as it is
        longer = replace(study, findings=(*study.findings, *(one,) * more))
        first, *_ = pypdf.PdfReader(io.BytesIO(pdf(longer, drawn))).pages
        assert "Filled and dotted" in first.extract_text()


def test_sums_are_those_of_all_rows_or_are_left_out(study: Study) -> None:
    columns = (Column("name", "id", label="job"), Column("value", "count", label="value"))
    rows: tuple[Row, ...] = ({"name": "a", "value": 2}, {"name": "b", "value": 3})
    table = Table("sizes tried", columns, rows, summed=("value",))
    whole, cut = (Texts(on_paper(study, each)) for each in (table, replace(table, total=9)))
    assert grid(whole, table).summed
    for shown in (grid(cut, replace(table, total=9)), grid(whole, table, 1)):
        assert not shown.summed
        assert "rows" in shown.note


def test_a_template_lists_names_with_their_values() -> None:
    policies, waits = (("easy", "fcfs"), "policy"), ((3600.0, 7200.0), "s")
    said = finding("note", "p90", values=waits, policies=policies)
    shown = Texts(Study("simulate", said, said, {})).finding(said)
    assert shown.endswith(": EASY 60\xa0min, FCFS 120\xa0min")


def on_paper(study: Study, table: Table) -> Study:
    """The study with another table of its name, and a question that shows it."""
    others = (each for each in study.tables if each.name != table.name)
    question = Question("tried", tables=(table.name,))
    return replace(study, tables=(table, *others), questions=(*study.questions, question))


def test_a_table_of_many_rows_is_cut_on_paper_and_whole_in_the_workbook(study: Study) -> None:
    rows: tuple[Row, ...] = tuple(
        {"policy": "easy", "value": 1.5, "keeps": True, "nodes": nodes} for nodes in range(20_000)
    )
    tried = Table("sizes tried", study.table("sizes tried").columns, rows)
    long = on_paper(study, tried)
    (part,) = (part for part in view(long).parts if "every size" in part.heading)
    assert part.grids[0].note == "36 of 20,000 rows; all are in size.xlsx"
    assert len(html(long, ()).splitlines()) < 3_000
    drawn = pictures(long)
    assert len(drawn[0].svg) < 500_000
    book = CalamineWorkbook.from_filelike(io.BytesIO(workbook(long)))
    assert len(book.get_sheet_by_name("Sizes tried").to_python()) == 20_001


def test_pages_are_numbered_and_the_first_has_no_table_that_stands_again(study: Study) -> None:
    pages = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf(study, []))).pages]
    feet = [f"{number} / {len(pages)}" for number in range(1, len(pages) + 1)]
    assert len(pages) >= 2
    assert [page.split("\n")[-1][-5:] for page in pages] == feet
    shown = view(study)
    assert shown.decision is not None
    assert shown.decision not in [each for part in shown.parts for each in part.grids]


def test_long_texts_below_the_rows_of_a_table_are_neither_lost_nor_printed_over(
    study: Study,
) -> None:
    columns = tuple(Column(key, "number", label="value") for key in "abc")
    note = "a reason of some length with all that a user of the method has to know about it. " * 6
    rows: tuple[Row, ...] = tuple(
        {"a": 1.5, "b": 2.5, "c": 3.5, "note": f"mark{number} {note}"} for number in range(16)
    )
    tried = Table("sizes tried", (*columns, Column("note", "text")), rows)
    long = on_paper(study, tried)
    found: dict[str, tuple[int, float]] = {}

    def visit(page: int, text: str, at: list[float], line: list[float], *_: object) -> None:
        for name in re.findall(r"mark\d+", text):
            found[name] = (page, round(at[3] * line[5] + at[5]))

    for number, page in enumerate(pypdf.PdfReader(io.BytesIO(pdf(long, []))).pages):
        page.extract_text(visitor_text=partial(visit, number))
    assert len(found) == len({*found.values()}) == 16
    assert min(height for _, height in found.values()) > 55  # points: above the footer


@pytest.mark.parametrize("count", [1, 2])
def test_long_names_are_broken_where_they_stand_below_rows_or_behind_labels(
    study: Study, count: int
) -> None:
    columns = tuple(Column(key, "number", label="value") for key in "abc")
    name = ".".join(["package", *(f"some_name_of_a_kernel_{index}" for index in range(9))])
    row: Row = {"a": 1.5, "b": 2.5, "c": 3.5, "note": name}
    tried = Table("sizes tried", (*columns, Column("note", "text")), (row,) * count)
    long = on_paper(study, tried)
    texts = (page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf(long, []))).pages)
    pages = [text.replace("\u200b", "") for text in texts]
    lines = [line for page in pages for line in page.split("\n") if "of_a_kernel" in line]
    assert max(map(len, lines)) < 140
    assert name in "".join("".join(lines).replace("note:", "").split())


def test_a_study_without_figures_and_findings_has_a_report() -> None:
    bare = Study("size", finding("note", "question"), finding("headline", "spare"), {})
    assert pictures(bare) == []
    assert pdf(bare, [])
    assert html(bare, [])
    assert workbook(bare)
    assert read_study(data(bare), "size.json") == bare


def test_values_read_by_their_units(study: Study) -> None:
    texts = Texts(study)
    values: dict[str, tuple[Any, str]] = {
        "1\xa0processor": (1, "processor"), "1,200\xa0nodes": (1200, "node"),
        "94 to 202\xa0processors": ((94, 202), "interval:processor"),
        "94\xa0processors": ((94, 94), "interval:processor"),
        "94\xa0processors or more": ((94, None), "interval:processor"),
        "15 of 20\xa0logs": ((15, 20), "of:log"), "met": (True, "target"),
        "conservative backfilling": ("conservative", "policy"), "mine": ("mine", "policy"),
        "1, 2, 3, 4, 5, 6, 7, 8 and 2 more": (tuple(range(1, 11)), "node"),
        "\u2013": (None, "s"), "2027-06-01": ("2027-06-01", "date"),
    }  # fmt: skip
    assert [texts.value(*value) for value in values.values()] == [*values]
    german = Texts(replace(study, language="de"))
    assert german.value(1234.5, "W") == "1,235\xa0kW"


def test_columns_have_equal_decimals_and_nothing_reads_as_zero(study: Study) -> None:
    texts = Texts(study)
    assert texts.column(Column("utilisation", "share"), [0.4, None, 0.41234]) == [
        "40.0\xa0%", "\u2013", "41.2\xa0%",
    ]  # fmt: skip
    assert texts.column(Column("share", "share"), [0.4, 0.00001])[1] == "0.001\xa0%"
    assert texts.column(Column("wait", "s"), [7200.0, 36.0]) == ["120.0\xa0min", "0.6\xa0min"]
    assert texts.column(Column("value", "ratio", limit=20), [20.004]) == ["20.004"]
    assert texts.column(Column("keeps", "target"), [True, False]) == ["Met", "Missed"]


def test_a_figure_of_an_unknown_kind_is_left_out(study: Study) -> None:
    newer = replace(study, figures=(Figure("x", "hologram", "sizes", "nodes"), *study.figures))
    assert [picture.name for picture in pictures(newer)] == ["02-curve", "03-drawn", "04-weeks"]
    assert pdf(newer, pictures(newer))


def test_facts_of_the_summary_stand_there_once(study: Study) -> None:
    twice = replace(study, facts=(*study.facts, *study.facts))
    cells = CalamineWorkbook.from_filelike(io.BytesIO(workbook(twice)))
    names = [row[0] for row in cells.get_sheet_by_name("Summary").to_python() if row[0]]
    assert names.count("Bare minimum, for the log itself") == 1
    assert Fact("x", 1).note is None
