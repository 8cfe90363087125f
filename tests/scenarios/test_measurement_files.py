"""Measured runs from workbooks and Parquet files: the same runs as from CSV, under limits."""

from __future__ import annotations

import csv
import datetime as dt
import decimal
import importlib.util
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xlsxwriter

from scenarios import ScenarioError
from scenarios.measurements import parquet as measurement_parquet
from scenarios.measurements import sheet as measurement_sheet
from scenarios.measurements.fields import FIELDS
from scenarios.measurements.parquet_child import answer as reply
from scenarios.measurements.reader import read_measurements
from scenarios.measurements.runs import Measurements, Runs
from scenarios.tables.cell_references import QUOTES, WORKBOOKS
from scenarios.tables.workbook import answer
from tests.claims.readers_of_runs import stated
from tests.scenarios.quote_files import by_hand, workbook
from tests.shared_data import RZMERL, needs_data

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

NAMES = [field.name for field in FIELDS]
TWO: list[list[Any]] = [
    ["BT", 8, 16, 115.0, 1, 13.9, 1515.5, 121],
    ["SP", 4, 8, 51.0, 2, 7, 300, 9],
]
COLUMNS = dict(zip(NAMES, zip(*TWO, strict=True), strict=True))


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the start of a process where the file is sound."""
    monkeypatch.setattr(
        measurement_parquet, "ask", lambda module, request, limits, shown: reply(request, limits)
    )


def same(left: Measurements, right: Measurements) -> bool:
    def equal(one: Runs, other: Runs) -> bool:
        return all(np.array_equal(getattr(one, n), getattr(other, n)) for n in NAMES[1:])

    names = list(left.runs) == list(right.runs)
    return names and all(equal(runs, right.runs[name]) for name, runs in left.runs.items())


def stored(folder: Path, columns: Any, name: str = "runs.parquet") -> Path:
    parquet.write_table(pa.table(columns), folder / name)
    return folder / name


def refusal(path: Path, **how: Any) -> str:
    with pytest.raises(ScenarioError) as caught:
        read_measurements(path, file_name=path.name, **how)
    return str(caught.value)


def sheet_refusal(folder: Path, rows: Sequence[Sequence[Any]], name: str = "Runs") -> list[str]:
    path = folder / "runs.xlsx"
    path.write_bytes(workbook({name: rows}))
    return refusal(path).split("\n")


@needs_data
def test_a_workbook_and_a_parquet_file_give_the_runs_of_the_csv_file(tmp_path: Path) -> None:
    measured = read_measurements(RZMERL)
    header, *rows = list(csv.reader(io.StringIO(RZMERL.read_text())))
    cells = [[row[0], *map(float, row[1:])] for row in rows]
    (tmp_path / "runs.xlsx").write_bytes(workbook({"Runs": [header, *cells]}))
    assert same(measured, read_measurements(tmp_path / "runs.xlsx"))
    columns = dict(zip(header, zip(*cells, strict=True), strict=True))
    whole = {n: pa.array(map(int, columns[n]), pa.int32()) for n in ("nodes", "repetition")}
    names = {"application": pa.array(columns["application"]).dictionary_encode()}
    path = stored(tmp_path, columns | whole | names)
    assert same(measured, read_measurements(path))


def test_a_sheet_may_have_titles_notes_units_and_repeated_headings(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Runs of 2013"],
        [],
        ["#", "by hand"],
        ["note", *NAMES],
        [None, *TWO[0]],
        ["# left out", *TWO[0]],
        ["note", *NAMES],
        ["x", "SP", 4, 8, "0.051 kW", 2, "7 s", 300, 9],
        ["a note alone"],
    ]
    path = tmp_path / "runs.xlsx"
    path.write_bytes(workbook({"Other": [["x"]], "Runs": rows}))
    measured = read_measurements(path, sheet="Runs")
    plain = tmp_path / "plain.csv"
    plain.write_text("\n".join(",".join(map(str, row)) for row in [NAMES, *TWO]))
    assert same(measured, read_measurements(plain))
    assert stated(measured.remarks) == {
        "runs-headings-again": {"rows": 1, "first": ("Runs!7",)},
        "runs-commented": {"rows": 1, "first": ("Runs!6",)},
    }
    assert "several sheets contain values: 'Other', 'Runs'; choose one with --sheet" in refusal(
        path
    )


def test_a_run_of_a_sheet_behind_a_sign_of_comments_is_told(tmp_path: Path) -> None:
    path = tmp_path / "runs.xlsx"
    rows = [["#", *TWO[0][1:]], NAMES, TWO[0], ["#1", *TWO[1][1:-1]], ["#2", 8, 16]]
    path.write_bytes(workbook({"Runs": rows}))
    measured = read_measurements(path)
    assert list(measured.runs) == ["BT"]
    assert stated(measured.remarks) == {"runs-commented": {"rows": 1, "first": ("Runs!4",)}}
    (only,) = sheet_refusal(tmp_path, [NAMES, ["#1", *TWO[1][1:]]])
    none = "runs.xlsx: Runs!1: there are no measurements below the headings"
    assert only.startswith(f"{none}; rows that look like runs begin with #, as comments do: Runs!2")


def test_a_fault_of_a_sheet_names_its_cell(tmp_path: Path) -> None:
    day = dt.date(2013, 1, 1)
    rows: list[list[Any]] = [
        NAMES,
        ["BT", True, 16, "=1+1", 1, day, -3, 121],
        ["BT", 8, None, 115, 2, 13.9, 1515, 1],
    ]
    results = [
        item.removeprefix("runs.xlsx: ") for item in sheet_refusal(tmp_path, rows, "My runs")
    ]
    blank = "write the number, or delete the run"
    date = "format the cell as a number and type it again"
    formula = "open and save the workbook, or paste values"
    wrong = "correct it"
    assert results == [
        "'My runs'!B2: nodes: true is not a number; write the number",
        f"'My runs'!C3: cores_per_node: is blank; {blank}",
        f"'My runs'!D2: package_cap_w: is a formula without a stored value; {formula}",
        f"'My runs'!F2: time_s: 2013-01-01 is a date, not a number; {date}",
        f"'My runs'!G2: package_power_w: '-3' is not above 0 and at most 1e+15 W; {wrong}",
    ]
    assert sheet_refusal(tmp_path, [["# nothing"]]) == [
        "runs.xlsx: Runs: contains only comments; add measurements"
    ]


def test_units_that_number_formats_show_count(tmp_path: Path) -> None:
    path = tmp_path / "runs.xlsx"

    def with_formats(codes: dict[int, str]) -> Path:
        book = xlsxwriter.Workbook(str(path))
        sheet = book.add_worksheet("Runs")
        sheet.write_row(0, 0, NAMES)
        for column, cell in enumerate(["BT", 8, 16, 0.115, 1, 13.9, 1515.5, 121]):
            code = codes.get(column, "General")
            sheet.write(1, column, cell, book.add_format({"num_format": code}))
        book.close()
        return path

    runs = read_measurements(with_formats({1: '0 "nodes"', 3: '0.000 "kW"'})).runs["BT"]
    assert (runs.nodes[0], runs.package_cap_w[0]) == (8, 115.0)
    unknown = "'parsecs' is not a unit of run time"
    assert refusal(with_formats({1: "0%", 5: '0.0 "parsecs"'})).split("\n") == [
        "runs.xlsx: Runs!B2: nodes: '800 %' is not a plain number; write only the number",
        f"runs.xlsx: Runs!F2: time_s: '13.9 parsecs': {unknown}; use s, ms, min, h, us",
    ]


def test_measurements_may_be_longer_than_quotes(tmp_path: Path) -> None:
    rows = [["A", 1 + n, 16, 65, 1, 5 + n, 800 + 900 * n, 9] for n in range(QUOTES.rows + 10)]
    path = tmp_path / "runs.xlsx"
    path.write_bytes(data := workbook({"Runs": [NAMES, *rows]}))
    assert len(read_measurements(path).runs["A"]) == QUOTES.rows + 10
    assert b"is beyond 2000 rows x 200 columns; copy the quotes alone" in answer(b"null\n" + data)


def test_the_limits_of_a_workbook_of_measurements_are_said_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "runs.xlsx"
    path.write_bytes(by_hand('<row><c r="XFD1048576"><v>1</v></c></row>'))
    assert refusal(path) == (
        "runs.xlsx: Quotes!XFD1048576 is beyond 200000 rows x 200 columns; copy the measurements "
        "alone into a new sheet"
    )
    small = replace(WORKBOOKS, file_bytes=1 << 20)
    monkeypatch.setattr(measurement_sheet, "WORKBOOKS", small)
    path.write_bytes(bytes(2 << 20))
    assert "is larger than 1 MiB; copy the measurements alone" in refusal(path)


def test_other_files_and_sheets_of_no_workbook_are_refused(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("nodes")
    (tmp_path / "runs.dat").write_text("nodes")
    assert "is not a workbook and has no sheet 'A'" in refusal(tmp_path / "runs.csv", sheet="A")
    assert "is not a workbook; save it as .xlsx or .csv" in refusal(tmp_path / "runs.dat")
    for name in ("none.csv", "none.xlsx", "none.parquet"):
        assert "does not exist; give the path of" in refusal(tmp_path / name)


@pytest.mark.parametrize(
    ("target", "cells"),
    [
        ("nodes", pa.array([8, 4], pa.uint64())),
        ("time_s", pa.array([decimal.Decimal("13.90"), decimal.Decimal(7)])),
        ("time_s", pa.array(["13.9 s", "7000 ms"])),
        ("application", pa.array(["BT", "SP"], pa.large_string())),
    ],
)
@pytest.mark.usefixtures("in_this_process")
def test_parquet_columns_may_be_of_many_types(tmp_path: Path, target: str, cells: Any) -> None:
    measured = read_measurements(stored(tmp_path, COLUMNS | {target: cells, "other": [[1], [2]]}))
    assert same(measured, read_measurements(stored(tmp_path, COLUMNS)))


@pytest.mark.usefixtures("in_this_process")
def test_faults_of_a_parquet_file_name_its_rows(tmp_path: Path) -> None:
    odd: dict[str, Any] = {"time_s": [None, 13.9], "package_power_w": [float("nan"), -5.0]}
    out, of_power = "delete the run", "is not above 0 and at most 1e+15 W; correct it"
    assert refusal(stored(tmp_path, COLUMNS | odd)).split("\n") == [
        f"runs.parquet: row 1: package_power_w: 'nan' {of_power}",
        f"runs.parquet: row 1: time_s: is blank; write the number, or {out}",
        f"runs.parquet: row 2: package_power_w: '-5' {of_power}",
    ]


@pytest.mark.usefixtures("in_this_process")
def test_a_parquet_schema_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    few = {name: COLUMNS[name] for name in NAMES[:-2]}
    assert "runs.parquet: schema: there is no column 'package_power_w'" in refusal(
        stored(tmp_path, few)
    )
    days = stored(tmp_path, COLUMNS | {"time_s": [dt.date(2013, 1, 1)] * 2})
    assert refusal(days) == (
        "runs.parquet: column 'time_s' contains date32[day]; store numbers or texts"
    )


def test_without_pyarrow_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    message = refusal(tmp_path / "runs.parquet")
    assert "Parquet needs pyarrow: pip install 'headroom-planner[parquet]'" in message


def test_hostile_parquet_files_end_in_one_clear_error(tmp_path: Path) -> None:
    path = stored(tmp_path, COLUMNS)
    data = path.read_bytes()
    middle = len(data) // 2
    for bad in (data[:-9] + data[-8:], data[:middle] + bytes(60) + data[middle + 60 :]):
        path.write_bytes(bad)
        message = refusal(path)
        assert "valid Parquet file" in message or "crashes the reader of Parquet files" in message
        assert len(message) < 400


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ({"rows": 1}, "contains 2 rows, more than 1; split it"),
        ({"columns": 7}, "contains 8 columns, more than 7; delete some"),
        ({"unpacked_bytes": 100}, "unpacks to 0 MiB, more than 0 MiB; delete columns"),
        ({"characters": 3}, "contains more than 3 characters in one column; shorten its texts"),
        ({"file_bytes": 9}, "is larger than 0 MiB; delete columns, or split it"),
    ],
)
def test_the_limits_of_parquet_files_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: dict[str, Any], message: str
) -> None:
    path = stored(tmp_path, COLUMNS)
    few = replace(measurement_parquet.PARQUET, **limit)
    monkeypatch.setattr(measurement_parquet, "PARQUET", few)
    assert message in refusal(path)
