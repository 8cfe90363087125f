"""Spreadsheets: every cell with its address, and hostile workbooks refused in few words."""

from __future__ import annotations

import contextlib
import datetime as dt
import io
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenarios import Fault, ScenarioError
from scenarios.tables import spreadsheet_child
from scenarios.tables import workbook as reader
from scenarios.tables.cell_references import QUOTES
from scenarios.tables.cells import Merge, NumberWithUnit, Table, Unreadable
from scenarios.tables.spreadsheet import read_cells
from scenarios.tables.workbook import answer
from scenarios.tables.workbook_zip import MOST_MEMBERS
from tests.scenarios.quote_files import NAMESPACE, by_hand, parts, workbook, zipped
from tests.sizes import few

WHOLE = workbook({"Quotes": [["Name", "Price"], ["A", 1.5], ["B", dt.date(2027, 3, 31)]]})
CELL = '<row r="1"><c r="A1"><v>1</v></c></row>'
EMPTY = f"<worksheet {NAMESPACE}><sheetData/></worksheet>"


def read(tmp_path: Path, data: bytes, name: str = "q.xlsx", sheet: str | None = None) -> Table:
    path = tmp_path / name
    path.write_bytes(data)
    return read_cells(path, name, sheet)


def refusal(tmp_path: Path, data: bytes, name: str = "q.xlsx", sheet: str | None = None) -> str:
    with pytest.raises(ScenarioError) as caught:
        read(tmp_path, data, name, sheet)
    return str(caught.value)


def test_every_kind_of_cell_comes_over(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        [],
        [None, "text", 350, 0.35],
        [True, dt.date(2027, 3, 31), "a\nb", " pad "],
    ]
    table = read(tmp_path, workbook({"My quotes": rows}))
    assert (table.name, table.sheet) == ("q.xlsx", "My quotes")
    assert table.rows == (
        (None, None, None, None),
        (None, "text", 350.0, 0.35),
        (True, dt.date(2027, 3, 31), "a\nb", " pad "),
    )
    assert table.lines == (1, 2, 3)
    assert table.address(2, 1) == "'My quotes'!B3"
    assert str(table.fault(2, 1, "wrong")) == "q.xlsx: 'My quotes'!B3: wrong"
    assert str(table.row_fault(2, "wrong")) == "q.xlsx: 'My quotes'!3: wrong"
    assert str(table.whole_fault("wrong")) == "q.xlsx: 'My quotes': wrong"


def test_a_cell_without_a_reference_follows_the_one_before(tmp_path: Path) -> None:
    rows = '<row><c><v>1</v></c><c t="e"><v>#N/A</v></c></row><row><c r="B2"><f>1</f></c></row>'
    table = read(tmp_path, by_hand(rows))
    formula = "is a formula without a stored value; open and save the workbook, or paste values"
    error = "contains the error #N/A; correct the formula, or enter the value"
    assert table.rows == ((1.0, Unreadable(error)), (None, Unreadable(formula)))


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("<c><f>A1</f></c>", "is a formula without a stored value"),
        ("<c><f>A1</f><v/></c>", "is a formula without a stored value"),
        ('<c t="str"><f>A1</f></c>', "is a formula without a stored value"),
        ('<c><f t="shared" si="0"/><v></v></c>', "is a formula without a stored value"),
        ('<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', "contains the error #DIV/0!"),
        ("<c><v>1e999</v></c>", "is 'inf'; format the cell as a number, a date or a text"),
        ('<c t="inlineStr"><is><t>' + "x" * 4001 + "</t></is></c>", "holds 4001 characters"),
    ],
)
def test_a_cell_without_a_usable_value_says_why(tmp_path: Path, cell: str, expected: str) -> None:
    table = read(tmp_path, by_hand(f"{CELL}<row r='2'>{cell}</row>"))
    found = table.cell(1, 0)
    assert isinstance(found, Unreadable)
    assert found.message.startswith(expected)


def test_a_formula_with_a_stored_value_is_its_value(tmp_path: Path) -> None:
    row = '<row><c><f>6*7</f><v>42</v></c><c t="str"><f>""</f><v></v></c><c><v>1</v></c></row>'
    assert read(tmp_path, by_hand(row)).rows == ((42.0, None, 1.0),)


def test_only_the_first_cell_of_a_merged_range_shows_its_text(tmp_path: Path) -> None:
    table = read(tmp_path, workbook({"Quotes": [["a"] * 3] * 3}, merged=["A2:B3"]))
    message = "is part of the merged range A2:B3; unmerge it"

    def within(down: int, across: int, text: str = "") -> Unreadable:
        return Unreadable(message, text, Merge("merged", down, across, 2, 2))

    assert table.rows == (
        ("a", "a", "a"),
        (within(0, 0, "merged"), within(0, 1), "a"),
        (within(1, 0), within(1, 1), "a"),
    )


def test_a_title_merged_over_all_columns_does_no_harm(tmp_path: Path) -> None:
    merge = '<mergeCells><mergeCell ref="A1:XFD1"/></mergeCells>'
    table = read(tmp_path, by_hand(CELL + "<row r='2'><c><v>2</v></c></row>", after=merge))
    assert table.rows[1] == (2.0,)


TWO = {"Old": [["x"]], "New": [["y"]], "Blank": []}


@pytest.mark.parametrize(
    ("sheets", "sheet", "expected"),
    [
        (TWO, None, "several sheets contain values: 'Old', 'New'; set sheet to one of them"),
        (TWO, "new", "no sheet 'new'; there is 'Old', 'New', 'Blank'"),
        (TWO, "Blank", "sheet 'Blank' is empty; give the name of the sheet with the quotes"),
        ({"Blank": []}, None, "all sheets are empty; add the quotes into it"),
    ],
)
def test_a_sheet_that_is_not_clear_is_asked_for(
    tmp_path: Path, sheets: dict[str, list[list[str]]], sheet: str | None, expected: str
) -> None:
    assert refusal(tmp_path, workbook(sheets), sheet=sheet) == f"q.xlsx: {expected}"


def test_a_sheet_that_only_seems_filled_is_empty(tmp_path: Path) -> None:
    data = by_hand('<row><c t="inlineStr"><v>7</v></c></row>')
    message = "q.xlsx: sheet 'Quotes' is empty; give the name of the sheet with the quotes"
    assert refusal(tmp_path, data) == message


def test_no_process_to_start_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    message = "cannot be read: no process could be started (No such file or directory); try again"
    assert refusal(tmp_path, WHOLE) == f"q.xlsx: {message}"


def test_a_named_sheet_and_an_only_filled_one_are_found(tmp_path: Path) -> None:
    assert read(tmp_path, workbook(TWO), sheet="New").rows == (("y",),)
    assert read(tmp_path, workbook({"Blank": [], "Full": [["z"]]})).sheet == "Full"


FAR = "is beyond 2000 rows x 200 columns; copy the quotes alone into a new sheet"


@pytest.mark.parametrize(
    ("data", "where"),
    [
        (by_hand('<row r="1"><c r="XFD1"><v>1</v></c></row>'), "XFD1"),
        (by_hand(CELL + '<row r="9"><c r="XFD1048576"><v>1</v></c></row>'), "XFD1048576"),
        (by_hand(CELL + '<row r="1048576"/>'), "A1048576"),
        (by_hand(CELL, before='<dimension ref="A1:ZZ9"/>'), "ZZ9"),
        (by_hand("<row>" + "<c><v>1</v></c>" * 201 + "</row>"), "GS1"),
        (by_hand("<row><c><v>1</v></c></row>" * 2001), "A2001"),
        (by_hand('<row r="2000">' + '<c r="GR2000"><v>1</v></c><c><v>1</v></c></row>'), "GS2000"),
    ],
)
def test_a_far_cell_is_named(tmp_path: Path, data: bytes, where: str) -> None:
    assert refusal(tmp_path, data) == f"q.xlsx: Quotes!{where} {FAR}"


def test_the_last_permitted_cell_is_read(tmp_path: Path) -> None:
    table = read(tmp_path, by_hand('<row r="2000"><c r="GR2000"><v>7</v></c></row>'))
    assert table.cell(1999, 199) == 7
    assert table.address(1999, 199) == "Quotes!GR2000"


BOMB = zipped({**parts(EMPTY), "xl/media/x.xml": b"<x>" + b" " * (40 << 20) + b"</x>"})
NOISE = bytes(range(256)) * 8
GREAT = {f"xl/{n}.xml": b"<x>" + (b"%d" % n) * (15 << 20) + b"</x>" for n in range(1, 6)}
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>' + EMPTY


def lying(data: bytes) -> bytes:
    """State that every part unpacks to ten bytes, in the directory and before each part."""
    changed = bytearray(data)
    for mark, offset in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        place = changed.find(mark)
        while place >= 0:
            changed[place + offset : place + offset + 4] = (10).to_bytes(4, "little")
            place = changed.find(mark, place + 4)
    return bytes(changed)


def encrypted(data: bytes) -> bytes:
    return data.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")


def without(name: str, *more: str) -> bytes:
    kept = {key: value for key, value in parts(EMPTY).items() if key != name}
    return zipped({**kept, **dict.fromkeys(more, b"")})


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "is not a workbook; save it as .xlsx or .csv"),
        (b"name,price\nA,1\n", "is not a workbook; save it as .xlsx or .csv"),
        (b"PK\x03\x04" + NOISE, "is a damaged zip archive; save the workbook again as .xlsx or"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + NOISE,
            "is an old .xls file that cannot be read, or has a password; save",
        ),
        (zipped({"a.txt": b"x"}), "is a zip archive, but not a workbook; save it as .xlsx or .csv"),
        (zipped({"mimetype": b"x", "document.xml": b"<x/>"}), "is an OpenDocument file; save it"),
        (
            zipped({"mimetype": b"x", "content.xml": b"<x/>"}),
            "is an OpenDocument file without sheets; save it as .ods, .xlsx or .csv",
        ),
        (without("xl/workbook.xml"), "contains no workbook; save it as .xlsx or .csv"),
        (without("", "xl/workbook.bin"), "is a binary workbook; save it as .xlsx or .csv"),
        (without("xl/_rels/workbook.xml.rels"), "all sheets are empty; add the quotes into it"),
        (
            without("", "XL/workbook.xml"),
            "contains two parts with the same name; save the workbook again",
        ),
        (encrypted(zipped(parts(EMPTY))), "is encrypted; save it without a password"),
        (BOMB, "unpacks to more than 250 times its size; copy the quotes alone into a new"),
        (
            zipped(parts(LAUGHS)),
            (
                "contains XML with a document type, which no spreadsheet program writes; save the "
                "workbook again"
            ),
        ),
        (zipped(parts("<worksheet>")), "contains invalid XML (no element found: line 1, "),
        (zipped(parts("")), "contains invalid XML (no element found: line 1, column 0); save"),
        (
            by_hand('<row r="1"><c r="1A"/></row>'),
            "'1A' is not a cell reference; save the workbook",
        ),
        (by_hand('<row r="-1"/>'), "'A-1' is not a cell reference; save the workbook again"),
        (by_hand('<row r="٣"/>'), "'A٣' is not a cell reference; save the workbook again"),
        (
            by_hand("", after='<mergeCell ref="A1:B2"/>' * 1001),
            "contains more than 1000 merged ran",
        ),
        (lying(zipped(parts(EMPTY))), "'[Content_Types].xml' in it is damaged ("),
    ],
)
def test_what_is_no_sound_workbook_is_refused_with_a_remedy(
    tmp_path: Path, data: bytes, expected: str
) -> None:
    message = refusal(tmp_path, data)
    if "٣" in expected:
        assert "is not a cell reference" in message
    else:
        assert message.startswith(f"q.xlsx: {expected}")
    assert len(message) < 300


def test_parts_that_are_no_bomb_alone_may_not_unpack_to_too_much(
    tmp_path: Path,
) -> None:
    noise = b"<x>" + b"".join(b"%d" % (n * n % 9973) for n in range(250_000)) + b"</x>"
    data = zipped({**parts(EMPTY), **{f"xl/{n}.xml": noise for n in range(5)}})
    reply = json.loads(answer(b"null\n" + data, replace(QUOTES, unpacked_bytes=3 << 20)))
    assert reply["error"] == (
        "unpacks to more than 3 MiB; copy the quotes alone into a new workbook"
    )
    assert QUOTES.unpacked_bytes == 64 << 20


def test_many_parts_and_many_elements_are_refused(tmp_path: Path) -> None:
    many = {f"xl/media/{n}.png": b"" for n in range(MOST_MEMBERS)}
    assert f"parts, more than {MOST_MEMBERS}" in refusal(tmp_path, zipped(parts(EMPTY) | many))
    few = replace(QUOTES, elements=50)
    crowd = by_hand('<row r="1">' + "<c/>" * 60 + "</row>")
    assert "more than 50 XML elements" in json.loads(answer(b"null\n" + crowd, few))["error"]


def test_one_text_in_every_cell_is_refused(tmp_path: Path) -> None:
    shared = parts("")
    text = f"<sst {NAMESPACE}><si><t>{'x' * 3900}</t></si></sst>"
    shared["xl/sharedStrings.xml"] = text.encode()
    row = "<row>" + '<c t="s"><v>0</v></c>' * 100 + "</row>"
    shared["xl/worksheets/sheet1.xml"] = (
        f"<worksheet {NAMESPACE}><sheetData>{row * 60}</sheetData></worksheet>".encode()
    )
    assert "characters; copy the quotes into a new sheet" in refusal(tmp_path, zipped(shared))


def test_a_formula_that_is_all_there_is_counts_as_filled(tmp_path: Path) -> None:
    table = read(tmp_path, by_hand('<row r="3"><c r="C3"><f>1</f></c></row>'))
    assert isinstance(table.cell(2, 2), Unreadable)


def test_a_file_of_nine_megabytes_is_refused_unread(tmp_path: Path) -> None:
    message = refusal(tmp_path, b"PK" + bytes(9 << 20))
    assert message == ("q.xlsx: is larger than 8 MiB; copy the quotes alone into a new workbook")


@pytest.mark.parametrize("kind", ["missing", "folder", "pipe"])
def test_what_is_no_regular_file_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "q.xlsx"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    others = {"missing": "does not exist", "folder": "is a folder, not a file"}
    expected = others.get(kind, "is not a regular file")
    with pytest.raises(ScenarioError) as caught:
        read_cells(path, "q.xlsx")
    assert str(caught.value) == f"q.xlsx: {expected}; give the path of a workbook or CSV file"


STUCK = """
import subprocess, sys, time
other = subprocess.Popen(["sleep", "60"])
open({pids!r}, "w").write(str(other.pid))
time.sleep(60)
"""


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="asks /proc who is alive")
def test_a_reader_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pids = tmp_path / "pids"
    program = tmp_path / "stuck.py"
    program.write_text(STUCK.format(pids=str(pids)))
    monkeypatch.setattr(spreadsheet_child, "__file__", str(program))
    message = "takes longer than 1 s to read; copy the quotes into a new file"
    (tmp_path / "q.xlsx").write_bytes(WHOLE)
    with pytest.raises(ScenarioError) as caught:
        read_cells(tmp_path / "q.xlsx", "q.xlsx", limits=replace(QUOTES, time_s=1))
    assert str(caught.value) == f"q.xlsx: {message}"
    pid = int(pids.read_text())
    for _ in range(100):
        if not alive(pid):
            break
        time.sleep(0.02)
    assert not alive(pid)


@pytest.mark.parametrize("end", ["os.abort()", "sys.exit(3)", "os.kill(os.getpid(), 9)"])
def test_a_reader_that_breaks_down_is_a_fault_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], end: str
) -> None:
    program = tmp_path / "broken.py"
    limit = "import resource; resource.setrlimit(resource.RLIMIT_CORE, (0, 0))"
    program.write_text(f"import os, sys\n{limit}\nprint('oh', file=sys.stderr)\n{end}\n")
    monkeypatch.setattr(spreadsheet_child, "__file__", str(program))
    message = "crashes the reader of workbooks; copy the quotes into a new workbook, or a .csv"
    assert refusal(tmp_path, WHOLE) == f"q.xlsx: {message}"
    assert capfd.readouterr() == ("", "")


def test_the_reader_loads_nothing_heavy_and_nothing_beyond_what_it_needs() -> None:
    code = (
        "import runpy, sys\n"
        f"program = runpy.run_path({spreadsheet_child.__file__!r})\n"
        f"program['_answer_request']('scenarios.tables.workbook', {asdict(QUOTES)!r})\n"
        "print(*sorted(sys.modules), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], input=b"null\n" + WHOLE, capture_output=True, check=True
    )
    assert json.loads(done.stdout)["sheet"] == "Quotes"
    loaded = done.stderr.decode().split()
    assert {name for name in loaded if name.startswith("scenarios.")} == {
        "scenarios.tables",
        "scenarios.tables.cell_references",
        "scenarios.tables.number_formats",
        "scenarios.tables.opendocument_scan",
        "scenarios.tables.sheet_part",
        "scenarios.tables.workbook",
        "scenarios.tables.workbook_scan",
        "scenarios.tables.workbook_zip",
    }
    assert not {"numpy", "pandas", "pydantic", "tree_sitter"} & set(loaded)


def test_number_formats_of_styles_are_taken_from_the_cells_style_only(tmp_path: Path) -> None:
    sheet = '<row><c s="1"><v>2</v></c><c s="2"><v>3</v></c><c s="9"><v>4</v></c><c><v>5</v></c>'
    members = parts(f"<worksheet {NAMESPACE}><sheetData>{sheet}</row></sheetData></worksheet>")
    members["xl/styles.xml"] = (
        f'<styleSheet {NAMESPACE}><numFmts><numFmt numFmtId="164" formatCode="0 &quot;kW&quot;"/>'
        '</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="164"/>'
        '<xf numFmtId="164"/><xf numFmtId="10"/></cellXfs><dxfs><dxf><numFmt numFmtId="164" '
        'formatCode="0 &quot;MW&quot;"/></dxf></dxfs></styleSheet>'
    ).encode()
    kilowatts, percent = NumberWithUnit(2.0, "kW", 0), NumberWithUnit(3.0, "%", 2)
    assert read(tmp_path, zipped(members)).rows == ((kilowatts, percent, 4.0, 5.0),)


def test_bytes_before_the_zip_are_not_handed_on() -> None:
    far = by_hand('<row r="1"><c r="XFD1048576"><v>1</v></c></row>')
    reply = json.loads(answer(b'"Quotes"\n' + far + WHOLE))
    assert reply["rows"][0] == ["Name", "Price"]


def test_calamine_gets_the_chosen_sheet_and_what_it_needs_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    handed_on: list[str] = []
    zipped_parts = reader._zipped

    def seen(kept: dict[str, bytes]) -> io.BytesIO:
        handed_on.extend(kept)
        return zipped_parts(kept)

    monkeypatch.setattr(reader, "_zipped", seen)
    answer(b'"New"\n' + workbook(TWO))
    assert sorted(handed_on) == [
        "[Content_Types].xml",
        "_rels/.rels",
        "xl/_rels/workbook.xml.rels",
        "xl/sharedStrings.xml",
        "xl/styles.xml",
        "xl/workbook.xml",
        "xl/worksheets/sheet2.xml",
    ]


REPLY = {"form", "sheet", "rows", "hidden_rows", "hidden_columns"}


@given(st.binary(max_size=300))
def test_random_bytes_are_a_fault(data: bytes) -> None:
    assert "error" in json.loads(answer(b"null\n" + data))
    assert "error" in json.loads(answer(b"null\nPK\x03\x04" + data))


@settings(max_examples=few(150))
@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), max_size=6),
    st.integers(0, len(WHOLE)),
)
def test_a_mutated_workbook_is_read_or_refused(changes: list[tuple[int, int]], end: int) -> None:
    data = bytearray(WHOLE)
    for place, value in changes:
        data[place] = value
    for each in (bytes(data), bytes(data[:end])):
        reply = json.loads(answer(b"null\n" + each))
        assert set(reply) in ({"error"}, REPLY)


PIECES = st.sampled_from(
    [
        "<row>", "</row>", '<row r="2">', "<c>", "</c>", '<c r="B3">', '<c t="s">', '<c t="e">',
        '<c t="inlineStr">', '<c t="d">', '<c s="99">', "<v>", "</v>", "1", "x", "-1", "1e400",
        "<f>", "</f>", "<is><t>a</t></is>", '<c r="a1"/>', '<c r="A0"/>', "&#0;", "&lt;", "<v/>",
        '<mergeCell ref="A1:B2"/>', '<mergeCell ref="B2:A1"/>', '<mergeCell ref=":"/>',
        '<dimension ref="A1"/>', '<dimension ref=""/>', "2027-03-31T25:00:00", "<c/>",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=25), st.booleans())
def test_any_pieces_of_a_sheet_are_read_or_refused(pieces: list[str], closed: bool) -> None:
    rows = "".join(pieces)
    if closed:
        rows = "".join(
            f"<row>{''.join(f'<c><v>{p}</v></c>' if p[0] != '<' else '' for p in pieces)}"
            f"{''.join(p for p in pieces if p.endswith('/>'))}</row>"
        )
    reply = json.loads(answer(b"null\n" + by_hand(rows)))
    assert set(reply) in ({"error"}, REPLY)


UNCLOSED = "close its quotation marks, or shorten the cell"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_csv_keeps_true_line_numbers_and_its_delimiter(tmp_path: Path, delimiter: str) -> None:
    text = '\ufeffOffer 12\r\n\r\n"Name","Price"\r\n"A\r\nB","1,5"\r\nC,"2;5"\r\n'
    data = "".join(text.replace('","', f'"{delimiter}"').replace('C,"', f'C{delimiter}"')).encode()
    table = read(tmp_path, data, "q.csv")
    assert table.rows == (("Offer 12",), ("Name", "Price"), ("A\nB", "1,5"), ("C", "2;5"))
    assert table.lines == (1, 3, 4, 6)
    assert table.fault(3, 1, "wrong") == Fault("q.csv", 6, "B6", "wrong")
    assert str(table.fault(3, 1, "wrong")) == "q.csv:6: B6: wrong"


def test_decimal_commas_do_not_hide_semicolons(tmp_path: Path) -> None:
    table = read(tmp_path, b"Name;Price;Peak\nA;1,5;2,5\nB;1,5;2,5\nC;1,5;2,5\n", "q.CSV")
    assert table.rows[0] == ("Name", "Price", "Peak")


def test_commas_in_headings_and_before_decimals_do_not_hide_semicolons(tmp_path: Path) -> None:
    table = read(tmp_path, b"Name;Power, W;Price, EUR\nA;1,5;2,5\nB;1,5;2,5\n", "q.csv")
    assert table.rows[:2] == (("Name", "Power, W", "Price, EUR"), ("A", "1,5", "2,5"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "q.csv: contains no values; add the quotes"),
        (b" ,,\n\n", "q.csv: contains no values; add the quotes"),
        (b";;\n;;\n", "q.csv: contains no values; add the quotes"),
        (
            b'a,b\n1,"2\n3,4\n',
            "q.csv:2: is not CSV (unexpected end of data); " + UNCLOSED,
        ),
        (b"a,b\n1,\x81\n", "q.csv:2: byte 0x81 is not UTF-8; save the file as UTF-8"),
        (b"a,b\n" + b"1," * 200 + b"2\n", f"q.csv:2: GS2 {FAR}"),
        (b"a,b\n" + b"1,2\n" * 2000, f"q.csv:2001: A2001 {FAR}"),
    ],
)
def test_csv_that_cannot_be_used_is_refused(tmp_path: Path, data: bytes, expected: str) -> None:
    assert refusal(tmp_path, data, "q.csv") == expected


def test_csv_has_no_sheets(tmp_path: Path) -> None:
    message = "q.csv: is a text file and has no sheet 'Quotes'; delete the key sheet"
    assert refusal(tmp_path, b"a,b\n", "q.csv", sheet="Quotes") == message


@given(st.binary(max_size=200) | st.text(alphabet=',;"\n\r\tab1 ', max_size=60).map(str.encode))
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    path.write_bytes(data)
    with contextlib.suppress(ScenarioError):
        table = read_cells(path, "fuzz.csv")
        assert len(table.rows) == len(table.lines)
        assert list(table.lines) == sorted(set(table.lines))
