"""Vendors' binding sheets, read as they are: no cell of theirs is edited."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import scenarios
from scenarios import ScenarioError
from scenarios.model.quote_mapping import QuoteTable
from scenarios.model.scenario import Scenario
from scenarios.quotes.reader import Quotes, read_quotes
from tests.scenarios.quote_files import (
    COLUMNS,
    HEADINGS,
    PLAIN,
    by_hand,
    comma_separated,
    workbook,
)
from tests.scenarios.sample_changes import REQUEST, faults, written

Rows = list[list[Any]]


def read(folder: Path, data: bytes, columns: dict[str, Any] | None = None, **keys: Any) -> Quotes:
    name = "q.xlsx" if data[:2] == b"PK" else "q.csv"
    (folder / name).write_bytes(data)
    table = QuoteTable.model_validate({"file": name, "columns": columns or COLUMNS} | keys)
    return read_quotes(table, folder, "s.toml", "USD")


def names(found: Quotes) -> list[str]:
    return [quote["name"] for quote in found.found]


def said(found: Quotes) -> list[str]:
    return [str(each).rpartition("/")[2] for each in found.faults]


def left_out(found: Quotes | Scenario) -> list[tuple[Any, ...]]:
    """Place, reason, rows and texts of what is left out."""
    names = ("place", "why", "rows", "texts")
    remarks = (each for each in found.remarks if each.kind == "quotes-left-out")
    return [tuple(each.values[name][0] for name in names) for each in remarks]


SHEET: Rows = [
    ["Angebot 4711", None, None, None, None],
    HEADINGS,
    ["CPU nodes", None, None, None, None],
    ["A1", "Alpha", 9000, 100, 400],
    ["A2 (on request)", "Alpha", None, 100, 400],
    HEADINGS,
    ["GPU nodes", None, None, None, None],
    ["G1", "Alpha", 90000, 500, 2900],
    ["Total", "Alpha", 99000, None, None],
    ["Prices are binding until the end of the quarter.", None, None, None, None],
]


@pytest.mark.parametrize("form", ["xlsx", "csv"])
def test_a_sheet_with_titles_notes_and_totals_is_read_and_every_row_left_out_is_listed(
    tmp_path: Path, form: str
) -> None:
    data = workbook({"P": SHEET}) if form == "xlsx" else comma_separated(SHEET, ";")
    found = read(tmp_path, data, skip_rows=[9])
    assert names(found) == ["A1", "G1"]
    place = "q.xlsx: P" if form == "xlsx" else "q.csv"
    assert found.faults == ()
    texts = ("CPU nodes", "A2 (on request)", "GPU nodes")
    note = "Prices are binding until the end of the quarter."
    assert left_out(found) == [
        (place, "no price", ("3", "5", "7", "10"), (*texts, note)),
        (place, "headings", ("6",), ("Model",)),
        (place, "skip_rows", ("9",), ("Total",)),
    ]


def test_merged_titles_and_headings_do_no_harm(tmp_path: Path) -> None:
    rows: Rows = [["Model", "Vendor", "Price", "Idle", "merged"], [None] * 5, ["merged"], PLAIN]
    data = workbook({"P": rows}, merged=["A3:E3", "E1:E2"])
    found = read(tmp_path, data, COLUMNS | {"peak_w": "merged"})
    assert names(found) == ["A1"]
    assert left_out(found) == [("q.xlsx: P", "no price", ("3",), ("merged",))]


def test_a_price_merged_over_two_quotes_counts_for_both_and_is_remarked(tmp_path: Path) -> None:
    texts = ("Alpha", "9000", "100", "400")
    cells = "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in texts)
    head = "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in HEADINGS)
    named = '<c t="inlineStr"><is><t>{}</t></is></c>'
    body = [f"<row>{named.format(name)}{cells}</row>" for name in ("A1", "A2")]
    body[1] = body[1].replace("9000", "")
    merge = '<mergeCells><mergeCell ref="C2:C3"/></mergeCells>'
    found = read(tmp_path, by_hand("".join([f"<row>{head}</row>", *body]), after=merge))
    assert (found.faults, [quote["price"] for quote in found.found]) == ((), [9000.0, 9000.0])
    (remark,) = (each for each in found.remarks if each.kind == "quotes-merged")
    assert (remark.values["field"][0], remark.values["rows"][0]) == ("price", ("2", "3"))


def test_where_no_row_has_a_price_that_is_said(tmp_path: Path) -> None:
    data = workbook({"P": [HEADINGS, ["A1", "Alpha", None, 100, 400]]})
    (line,) = said(read(tmp_path, data))
    assert line == (
        "q.xlsx: P: there are no quotes below the headings in row 1; add them, or check why "
        "no row has a price"
    )


def test_a_row_to_skip_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    found = read(tmp_path, workbook({"P": SHEET}), skip_rows=[9, 90])
    assert [str(each) for each in found.faults] == [
        "s.toml: quotes.skip_rows: there is no row 90; the last one is 10"
    ]


# Values


def test_cells_are_translated_by_their_text(tmp_path: Path) -> None:
    more = ["Cooling", "Max", "Class", "Price"]
    rows: Rows = [
        [*HEADINGS[:2], "Ask", *HEADINGS[3:], *more[:3]],
        ["A1", "Alpha", 9000, 100, 400, "Luft", "unbegrenzt", 1],
        ["A2", "Alpha", 9000, 100, 400, " WASSER ", 40, 2],
        ["A3", "Alpha", "auf Anfrage", 100, 400, "air", 40, 2],
    ]
    columns = COLUMNS | {
        "price": {"heading": "Ask", "values": {"auf Anfrage": ""}},
        "cooling": {"heading": "Cooling", "values": {"Luft": "air", "Wasser": "liquid"}},
        "maximum_quantity": {"heading": "Max", "values": {"unbegrenzt": ""}},
        "kind": {"heading": "Class", "values": {"1": "cpu", "2": "gpu"}},
    }
    found = read(tmp_path, workbook({"P": rows}), columns)
    picked = [(q["name"], q["cooling"], q.get("maximum_quantity"), q["kind"]) for q in found.found]
    assert picked == [("A1", "air", None, "cpu"), ("A2", "liquid", 40, "gpu")]
    assert left_out(found) == [("q.xlsx: P", "no price", ("4",), ("A3",))]


def test_a_text_that_is_not_translated_says_how(tmp_path: Path) -> None:
    rows: Rows = [[*HEADINGS, "Cooling"], [*PLAIN, "Luft"]]
    (line,) = said(read(tmp_path, workbook({"P": rows}), COLUMNS | {"cooling": "Cooling"}))
    assert line.endswith(
        "'luft' is not a type of cooling; write air or liquid, or translate it under values "
        "in the mapping"
    )


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ({"value": "air", "values": {"Luft": "air"}}, "'values' translates the cells of a column"),
        ({"heading": "C", "values": {"Luft": "air", "LUFT": "liquid"}}, "differ only in case"),
    ],
)
def test_translations_that_cannot_be_meant_are_refused(
    column: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        QuoteTable.model_validate({"file": "q.csv", "columns": COLUMNS | {"cooling": column}})


# Several tables


TWO: Rows = [
    ["Model", "Vendor", "Price", "Idle", "Peak"],
    ["A1", "Alpha", 9000, 100, 400],
    [None] * 5,
    ["GPU nodes", None, None, None, None],
    ["Idle", "Peak", "Model", "Vendor", "Unit price"],
    [500, 2900, "G1", "Alpha", 90000],
]


def loaded(folder: Path, quotes: str) -> scenarios.Scenario:
    """The sample with another table of quotes behind its own."""
    (folder / "two.xlsx").write_bytes(workbook({"P": TWO}))
    keys = ("nodes_per_rack", "compute_rate", "bandwidth_gb_s")
    rack = "\n".join(f"{key} = {{ value = 8 }}" for key in keys)
    text = quotes.replace("REST", rack)
    return scenarios.load(written(folder, [(REQUEST, '[[workloads]]\nname = "mol',
                                            f'{text}\n\n[[workloads]]\nname = "mol')]))  # fmt: skip


FIRST = """[[quotes]]
name = "two"
file = "two.xlsx"
[quotes.columns]
name = "Model"
vendor = "Vendor"
price = "Price"
idle_w = "Idle"
peak_w = "Peak"
kind = { value = "cpu" }
REST
"""


def test_a_second_table_of_a_sheet_is_like_the_first_but_for_what_it_says(tmp_path: Path) -> None:
    more = '[[quotes]]\nlike = "two"\nheader_row = 5\n[quotes.columns]\nprice = "Unit price"\n'
    found = loaded(tmp_path, f'{FIRST}\n{more}kind = {{ value = "gpu" }}\n')
    added = [each for each in found.node_types if (each.origin or "").startswith("two.xlsx")]
    assert [(e.name, e.kind, e.price, e.peak_w) for e in added] == [
        ("A1", "cpu", 9000.0, 400.0),
        ("G1", "gpu", 90000.0, 2900.0),
    ]
    assert [each for each in left_out(found) if "two.xlsx" in each[0]] == [
        ("two.xlsx: P", "no price", ("4",), ("GPU nodes",))
    ]


def test_a_table_like_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScenarioError) as caught:
        loaded(tmp_path, f'{FIRST}\n[[quotes]]\nlike = "tow"\nheader_row = 5\n')
    messages = [str(each).rpartition("/")[2] for each in caught.value.faults]
    assert any("quotes[3].like: there is no table 'tow' above; did you mean 'two'?" in m
               for m in messages)  # fmt: skip


# Kinds


def test_a_kind_that_differs_in_case_is_an_error(tmp_path: Path) -> None:
    (fault,) = faults(tmp_path, [(REQUEST, 'kinds = ["cpu", "gpu"]', 'kinds = ["cpu", "GPU"]')])
    assert fault.endswith("there is no kind 'GPU'; did you mean 'gpu'?")
