"""XLS and ODS, and CSV in cp1252: read as from XLSX, and hostile files refused."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import ScenarioError
from scenarios.measurements.reader import read_measurements
from scenarios.tables.cells import Merge, NumberWithUnit, Table, Unreadable
from scenarios.tables.spreadsheet import read_cells
from scenarios.tables.workbook import answer
from tests.scenarios.quote_files import document, old_workbook, open_document, workbook, zipped
from tests.sizes import few

ROWS: list[list[Any]] = [["Typ", "Preis €", "neu"], ["Größe <M>", 9000.5, True], [None, 3, False]]


def read(folder: Path, data: bytes, name: str, sheet: str | None = None) -> Table:
    (folder / name).write_bytes(data)
    return read_cells(folder / name, name, sheet)


def refusal(folder: Path, data: bytes, name: str, sheet: str | None = None) -> str:
    with pytest.raises(ScenarioError) as caught:
        read(folder, data, name, sheet)
    return str(caught.value)


@pytest.mark.parametrize(
    ("build", "form"), [(workbook, "xlsx"), (open_document, "ods"), (old_workbook, "xls")]
)
def test_every_form_of_workbook_gives_the_same_cells(tmp_path: Path, build: Any, form: str) -> None:
    table = read(tmp_path, build({"Leer": [], "Preise": ROWS}), f"q.{form}")
    assert (table.form, table.sheet) == (form, "Preise")
    cells = [[table.cell(row, column) for column in range(3)] for row in range(len(ROWS))]
    assert cells == [["Typ", "Preis €", "neu"], ["Größe <M>", 9000.5, True], [None, 3.0, False]]


@pytest.mark.parametrize("form", ["ods", "xls"])
def test_a_merged_range_is_found_in_every_form(tmp_path: Path, form: str) -> None:
    if form == "xls":
        rows: list[list[Any]] = [["a", "b"], ["M", 1], [None, 2]]
        data = old_workbook({"P": rows}, [(1, 2, 0, 0)])
    else:
        data = document(
            {
                "P": '<table:table-row><table:table-cell table:number-columns-repeated="2" '
                'office:value-type="string"><text:p>a</text:p></table:table-cell>'
                '</table:table-row><table:table-row><table:table-cell table:number-rows-spanned="2"'
                ' office:value-type="string"><text:p>M</text:p></table:table-cell>'
                "</table:table-row>"
                "<table:table-row><table:covered-table-cell/><table:table-cell "
                'office:value-type="float" office:value="2"/></table:table-row>'
            }
        )
    table = read(tmp_path, data, f"q.{form}")
    message = "is part of the merged range A2:A3; unmerge it"
    assert [row[0] for row in table.rows[1:]] == [
        Unreadable(message, "M", Merge("M", 0, 0, 2, 1)),
        Unreadable(message, "", Merge("M", 1, 0, 2, 1)),
    ]


def cell(attributes: str, text: str = "") -> str:
    inner = f"<text:p>{text}</text:p>" if text else ""
    return f"<table:table-cell {attributes}>{inner}</table:table-cell>"


def test_what_open_document_says_of_a_cell_is_taken_over(tmp_path: Path) -> None:
    rows = (
        '<table:table-column/><table:table-column table:visibility="collapse"/><table:table-row>'
        + cell('office:value-type="percentage" office:value="0.065"', "6,5 %")
        + cell('office:value-type="currency" office:currency="CHF" office:value="12.5"', "12.50")
        + cell('office:value-type="date" office:date-value="2027-03-31"')
        + cell('table:formula="of:=1/0" office:value-type="string"', "#DIV/0!")
        + cell('table:formula="of:=A9"')
        + cell('table:formula="of:=6*7" office:value-type="float" office:value="42"', "42")
        + '</table:table-row><table:table-row table:visibility="filter">'
        + cell('office:value-type="float" office:value="7" table:number-columns-repeated="3"')
        + "</table:table-row>"
    )
    table = read(tmp_path, document({"P": rows}), "q.ods")
    assert table.rows[0] == (
        NumberWithUnit(0.065, "%", 2),
        NumberWithUnit(12.5, "CHF", 0),
        dt.date(2027, 3, 31),
        Unreadable("contains the error #DIV/0!; correct the formula, or enter the value"),
        Unreadable(
            "is a formula without a stored value; open and save the workbook, or paste values"
        ),
        42.0,
    )
    assert table.rows[1][:3] == (7.0, 7.0, 7.0)
    assert (*table.hidden_rows, *table.hidden_columns) == (1, 1)


ONE = cell('office:value-type="float" office:value="1"')
FAR = "is beyond 2000 rows x 200 columns; copy the quotes alone into a new sheet"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            document(
                {"P": f'<table:table-row table:number-rows-repeated="2001">{ONE}</table:table-row>'}
            ),
            f"P!A2001 {FAR}",
        ),
        (
            document(
                {
                    "P": "<table:table-row>"
                    + cell('table:number-columns-repeated="900000000" office:value-type="float"')
                    + ONE
                    + "</table:table-row>"
                }
            ),
            f"P!OJ1 {FAR}",
        ),
        (
            document(
                {"P": '<table:table-row table:number-rows-repeated="-5"><x/></table:table-row>'}
            ),
            "contains number-rows-repeated = '-5', which does not count; save the workbook again",
        ),
        (document({}), "is an OpenDocument file without sheets; save it as .ods, .xlsx or .csv"),
        (document({"P": ""}), "all sheets are empty; add the quotes into it"),
        (
            zipped(
                {
                    "mimetype": b"x",
                    "content.xml": b"<a/>",
                    "META-INF/manifest.xml": b"<m><encryption-data/></m>",
                }
            ),
            "is encrypted; save it without a password",
        ),
        (
            zipped({"mimetype": b"x", "content.xml": b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'}),
            "contains XML with a document type, which no spreadsheet program writes; save the",
        ),
        (
            zipped({"mimetype": b"x", "content.xml": b"<x>" + b" " * (40 << 20) + b"</x>"}),
            "unpacks to more than 250 times its size; copy the quotes alone into a new workbook",
        ),
    ],
)
def test_an_open_document_that_cannot_be_used_is_refused(
    tmp_path: Path, data: bytes, expected: str
) -> None:
    assert refusal(tmp_path, data, "q.ods").startswith(f"q.ods: {expected}")


def test_an_old_workbook_with_too_many_rows_is_refused(tmp_path: Path) -> None:
    data = old_workbook({"P": [*([] for _ in range(2000)), ["x"]]})
    assert refusal(tmp_path, data, "q.xls") == f"q.xls: P!A2001 {FAR}"


def test_two_sheets_with_values_are_asked_for_in_every_form(tmp_path: Path) -> None:
    sheets = {"Alt": [["x"]], "Neu": [["y"]]}
    for build, name in ((open_document, "q.ods"), (old_workbook, "q.xls")):
        data = build(sheets)
        message = "several sheets contain values: 'Alt', 'Neu'; set sheet to one of them"
        assert refusal(tmp_path, data, name) == f"{name}: {message}"
        assert read(tmp_path, data, name, "Neu").rows == (("y",),)


def test_measured_runs_are_not_read_from_forms_whose_formats_are_not_seen(tmp_path: Path) -> None:
    for build, name, kind in (
        (open_document, "r.ods", "is an OpenDocument file; save it as .xlsx or .csv"),
        (old_workbook, "r.xls", "is an old .xls file"),
    ):
        (tmp_path / name).write_bytes(build({"P": ROWS}))
        with pytest.raises(ScenarioError, match=kind):
            read_measurements(tmp_path / name)


OLD = old_workbook({"P": ROWS, "Q": []}, [(1, 2, 0, 0)])
OPEN = open_document({"P": ROWS})
REPLY = {"form", "sheet", "rows", "hidden_rows", "hidden_columns"}


@settings(max_examples=few(100), deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(OPEN) - 1), st.integers(0, 255)), max_size=6))
def test_a_mutated_open_document_is_read_or_refused(changes: list[tuple[int, int]]) -> None:
    data = bytearray(OPEN)
    for place, value in changes:
        data[place] = value
    assert set(json.loads(answer(b"null\n" + bytes(data)))) in ({"error"}, REPLY)


@settings(max_examples=few(20), deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(OLD) - 1), st.integers(0, 255)), max_size=6),
    st.integers(0, len(OLD)),
)
def test_a_mutated_old_workbook_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, changes: list[tuple[int, int]], end: int
) -> None:
    """In a process of its own, as calamine may break down."""
    data = bytearray(OLD)
    for place, value in changes:
        data[place] = value
    path = tmp_path_factory.mktemp("old") / "q.xls"
    for each in (bytes(data), bytes(data[:end])):
        path.write_bytes(each)
        try:
            assert read_cells(path, "q.xls").form == "xls"
        except ScenarioError as error:
            assert len(str(error)) < 400  # noqa: PT017


PIECES = st.sampled_from(
    [
        "<table:table-row>", "</table:table-row>", '<table:table-row table:visibility="collapse">',
        '<table:table-row table:number-rows-repeated="3">', ONE, "<table:table-cell/>",
        "<table:covered-table-cell/>", '<table:table-column table:number-columns-repeated="9"/>',
        cell('table:number-columns-spanned="2" table:number-rows-spanned="3"', "m"),
        cell('table:number-columns-repeated="0"'), cell('office:value-type="float"'),
        cell('office:value-type="percentage" office:value="x"'), "<table:table>", "</table:table>",
        '<table:table table:name="P">', cell('office:value-type="date" office:date-value="99"'),
        cell("", "x" * 5000), cell('table:number-rows-spanned="999999"', "m"), "text", "&amp;",
    ]
)  # fmt: skip


@settings(max_examples=few(150), deadline=None)
@given(st.lists(PIECES, max_size=20))
def test_any_pieces_of_an_open_document_are_read_or_refused(pieces: list[str]) -> None:
    reply = json.loads(answer(b"null\n" + document({"P": "".join(pieces)})))
    assert set(reply) in ({"error"}, REPLY)


def test_csv_in_cp1252_is_read_and_says_so(tmp_path: Path) -> None:
    table = read(tmp_path, "Größe;€ „x“\n".encode("cp1252"), "q.csv")
    assert (table.rows, table.form) == ((("Größe", "€ „x“"),), "cp1252")
    assert read(tmp_path, "Größe;1\n".encode(), "q.csv").form == "csv"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Węzeł [zł];Pamięć", "cp1250"), ("Paměť;příkon", "cp1250"), ("Paměť;příkon", "iso8859-2"),
        ("Pobór ciągły;źródło", "iso8859-2"), ("teljesítmény;őrült", "cp1250"),
        ("Nœud;modèle;réglé", "cp1252"), ("não;opção;memória", "cp1252"), ("più;è;unità", "cp1252"),
        ("Größe;Kühlung", "cp1252"), ("düğüm;boşta güç", "cp1254"),
        ("på;kjøling", "cp1252"), ("Price in £;a", "cp1252"),
    ],
)  # fmt: skip
def test_csv_is_read_in_the_encoding_that_gives_the_letters_of_a_language(
    tmp_path: Path, text: str, encoding: str
) -> None:
    table = read(tmp_path, f"{text};1\n".encode(encoding), "q.csv")
    assert (";".join(map(str, table.rows[0][:-1])), table.form) == (text, encoding)


@pytest.mark.parametrize(
    "data",
    [
        b"a;\xe4\x00\n",
        "Węzeł ś".encode() + b"\xe4\n",
        b"a;\xe4\x81\n",
        b"\x1b[31m\xe4\n",
        "ä €".encode() + b"\xe4\n",
    ],
)
def test_bytes_of_no_text_are_refused(tmp_path: Path, data: bytes) -> None:
    assert "is not UTF-8; save the file as UTF-8" in refusal(tmp_path, data, "q.csv")
