"""Quotes of which each node type is a block of rows; added prices; cells without a discount."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import pytest
import xlsxwriter
from pydantic import ValidationError

from tests.scenarios.quote_files import workbook
from tests.scenarios.test_quote_layouts import read, said, types

if TYPE_CHECKING:
    from pathlib import Path

LETTER = """\
Acme Ltd,,
Offer 7,,

Type A,Thin node,
Power,90 W idle,400 W peak
Idle: 90 W
Peak,400 W,
Unit price,"9,000.00",Quantity,12
Note,one,two
Delivery,8 weeks

Type B,Fat node,
Idle,0.15 kW
Peak,0.7 kW
Unit price,"12,500.50"
"""
COLUMNS = {
    "name": {"column": "A"}, "vendor": {"value": "Acme"}, "price": "Unit price",
    "idle_w": "Idle", "peak_w": "Peak", "lead_weeks": "Delivery", "as_bid_quantity": "Quantity",
}  # fmt: skip


def letter(folder: Path, text: str = LETTER, **keys: Any) -> Any:
    files = {"q.csv": text.encode()}
    return read(folder, files, **({"orientation": "blocks", "columns": COLUMNS} | keys))


def test_a_block_is_a_node_type(tmp_path: Path) -> None:
    thin, fat = types(letter(tmp_path))
    assert (thin.name, thin.price, thin.idle_w, thin.lead_weeks) == ("Thin-node", 9000, 90, 8)
    assert (thin.as_bid_quantity, fat.as_bid_quantity) == (12, 0)
    assert (fat.name, fat.price, fat.idle_w, fat.peak_w) == ("Fat-node", 12500.5, 150, 700)


def test_values_next_to_each_other_are_one_text(tmp_path: Path) -> None:
    power = {"heading": "Power", "values": {"90 W idle; 400 W peak": "395 W"}}
    text = LETTER.replace("Type B,Fat node,\n", 'Type B,Fat node,\nPower,"0,7 W"\n')
    (thin,) = types(letter(tmp_path, text, columns=COLUMNS | {"peak_w": power}, skip_rows=[12]))
    assert thin.peak_w == 395


def test_an_error_in_a_block_names_its_cell(tmp_path: Path) -> None:
    found = letter(tmp_path, LETTER.replace("0.7 kW", "0.7 GB"))
    assert said(found)[0].startswith("q.csv:14: B14: ")
    found = letter(tmp_path, LETTER.replace("Peak,0.7 kW\n", ""))
    assert "q.csv:12: A12: peak_w is missing" in said(found)[0]


def test_a_block_begins_where_its_first_label_is_repeated(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Node type", "Thin"], ["Idle", 90], ["Peak", 400], ["Unit price", 9000],
        ["Node type", "Fat"], ["Idle", 150], ["Peak", 700], ["Unit price", 12500],
    ]  # fmt: skip
    columns = {key: COLUMNS[key] for key in ("name", "vendor", "price", "idle_w", "peak_w")}
    found = read(tmp_path, {"q.xlsx": workbook({"P": rows})}, orientation="blocks", columns=columns)
    assert [(each.name, each.peak_w) for each in types(found)] == [("Thin", 400), ("Fat", 700)]


BLOCK: list[list[Any]] = [
    ["Type", "Thin", None], ["Idle", 90], ["Peak", 400, 410], ["Unit price", 9000],
]  # fmt: skip
FIVE = {key: COLUMNS[key] for key in ("name", "vendor", "price", "idle_w", "peak_w")}


def test_a_merged_cell_is_one_value(tmp_path: Path) -> None:
    rows = [BLOCK[0], BLOCK[1], ["Peak", 400], BLOCK[3]]
    data = workbook({"P": rows}, {"B1:D1": "Thin node"})
    (thin,) = types(read(tmp_path, {"q.xlsx": data}, orientation="blocks", columns=FIVE))
    assert (thin.name, thin.peak_w) == ("Thin-node", 400)


def test_a_block_with_a_hidden_row_is_a_warning(tmp_path: Path) -> None:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream)
    sheet = book.add_worksheet("P")
    for line, row in enumerate([*BLOCK[:2], ["Peak", 400], BLOCK[3]]):
        sheet.write_row(line, 0, row[:2])
    sheet.set_row(3, options={"hidden": True})
    book.close()
    files = {"q.xlsx": stream.getvalue()}
    found = read(tmp_path, files, orientation="blocks", columns=FIVE)
    assert [each.kind for each in found.remarks] == ["quotes-hidden-rows"]


def test_blocks_have_no_row_of_headings(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="blocks have no row of headings"):
        letter(tmp_path, header_row=5)


@pytest.mark.parametrize("rows", [BLOCK, [*BLOCK[:2], ["Peak", 400], ["Peak", 410], BLOCK[3]]])
def test_two_values_of_a_label_are_an_error(tmp_path: Path, rows: list[list[Any]]) -> None:
    data = workbook({"P": rows})
    found = read(tmp_path, {"q.xlsx": data}, orientation="blocks", columns=FIVE)
    assert said(found)[0].startswith("q.xlsx: P!B3: ';410' is not a unit of power")


ROWS: list[list[Any]] = [
    ["Type", "Price", "Idle", "Peak", "50+", "100+"],
    ["A", 9000, 100, 400, "3 %", "5 %"],
    ["Option: liquid", "+ 553.50", None, None, None, None],
    ["B", 9500, 110, 410, "n/a", "n/a"],
]
TABLE: dict[str, Any] = {
    "columns": {
        "name": "Type", "vendor": {"value": "V"}, "price": "Price", "idle_w": "Idle",
        "peak_w": "Peak",
    },
    "discount_columns": [
        {"from_quantity": 50, "heading": "50+", "values": {"n/a": ""}},
        {"from_quantity": 100, "column": "F", "values": {"n/a": ""}},
    ],
    "options": {"rows": [3]},
}  # fmt: skip


def test_cells_of_discounts_may_say_that_there_is_none(tmp_path: Path) -> None:
    first, option, second = types(read(tmp_path, {"q.xlsx": workbook({"P": ROWS})}, **TABLE))
    assert [(each.from_quantity, each.fraction) for each in first.discounts] == [
        (50, 0.03), (100, 0.05),
    ]  # fmt: skip
    assert second.discounts == ()
    assert option.price == 9553.5


def test_an_option_of_a_faulty_type_is_no_second_error(tmp_path: Path) -> None:
    rows = [[*row] for row in ROWS]
    rows[1][2] = "a lot"
    found = read(tmp_path, {"q.xlsx": workbook({"P": rows})}, **TABLE)
    assert not any("becomes the name" in each for each in said(found))
    assert any("P!C2" in each for each in said(found))
