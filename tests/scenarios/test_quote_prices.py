"""Totals, rebates, cores of sockets, units in a row, and options priced in their text."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pytest

from scenarios.model.quote_discounts import read_discounts
from scenarios.model.quote_mapping import QuoteTable
from scenarios.tables.amounts import Reading
from scenarios.tables.cell_text import CellError
from tests.scenarios.quote_files import workbook
from tests.scenarios.test_quote_layouts import Rows, cents, read, said, types

HEADINGS: list[Any] = ["Model", "Price", "Qty", "Idle", "Peak", "Rebate", "CPUs", "Cores/CPU"]
ROW: list[Any] = ["A", 30000.3, 3, 100, 400, "12.5 %", 2, 48]
COLUMNS: dict[str, Any] = {
    "name": "Model",
    "vendor": {"value": "V"},
    "price": "Price",
    "idle_w": "Idle",
    "peak_w": "Peak",
}
OF_TOTALS = {key: each for key, each in COLUMNS.items() if key != "price"} | {
    "total_price": "Price",
    "as_bid_quantity": "Qty",
}


def of(folder: Path, rows: Rows, columns: dict[str, Any], **keys: Any) -> Any:
    return read(folder, {"q.xlsx": workbook({"P": rows})}, columns=columns, **keys)


def test_a_total_is_divided_by_its_nodes(tmp_path: Path) -> None:
    found = of(tmp_path, [HEADINGS, ROW, ["Note", None, None]], OF_TOTALS)
    assert [float(each) for each in cents(found)] == [10000.1]


@pytest.mark.parametrize(
    ("price", "nodes", "message"),
    [
        (30000.31, 3, "total_price = 30000.31 for 3 nodes leaves 0.01 over whole cents"),
        (30000.3, None, "total_price is divided by as_bid_quantity; give both"),
        (30000.3, 0, "total_price is divided by as_bid_quantity; give both"),
    ],
)
def test_a_total_that_cannot_be_divided_is_an_error(
    tmp_path: Path, price: float, nodes: int | None, message: str
) -> None:
    found = of(tmp_path, [HEADINGS, ["A", price, nodes, *ROW[3:]]], OF_TOTALS)
    assert message in said(found)[0]
    assert "P!B2" in said(found)[0]


def test_a_rebate_is_taken_off_the_list_price(tmp_path: Path) -> None:
    """30,000.30 less 12.5 % is 26,250.2625."""
    found = of(tmp_path, [HEADINGS, ROW], COLUMNS | {"rebate": "Rebate"})
    assert [each.price for each in types(found)] == [26250.26]
    found = of(tmp_path, [HEADINGS, ROW], COLUMNS | {"rebate": {"value": 50}})
    assert [str(each) for each in cents(found)] == ["15000.15"]
    found = of(tmp_path, [HEADINGS, ["A", 30000.01, *ROW[2:]]], COLUMNS | {"rebate": {"value": 50}})
    assert [str(each) for each in cents(found)] == ["15000.01"]  # 15,000.005, half up


@pytest.mark.parametrize(
    ("keys", "price"),
    [
        ({"vat": 0.19}, 25210.34),  # 30,000.30/1.19 = 25,210.3361
        ({"currency": "USD", "rate": 0.9237, "rate_date": dt.date(2026, 11, 2)}, 27711.28),
    ],
)
def test_a_net_or_converted_price_is_in_cents(
    tmp_path: Path, keys: dict[str, Any], price: float
) -> None:
    found = of(tmp_path, [HEADINGS, ROW], COLUMNS, **keys)
    assert [each.price for each in types(found)] == [price]


def test_the_price_of_an_option_has_its_own_rebate(tmp_path: Path) -> None:
    """26,250.26 and 1,000; 26,250.26 and 1,000 less 10 %."""
    option: list[Any] = ["Option: wide", 1000, *[None] * 6]
    rows: Rows = [HEADINGS, ROW, option, ["Option: deep", *option[1:5], 0.1, None, None]]
    rows[3][5] = "10 %"
    found = of(tmp_path, rows, COLUMNS | {"rebate": "Rebate"}, options={"rows": [3, 4]})
    assert [str(each) for each in cents(found)] == ["26250.26", "27250.26", "27150.26"]
    assert [each.name for each in types(found)] == ["A", "A-wide", "A-deep"]


def test_an_answer_replaces_rebate_and_total(tmp_path: Path) -> None:
    answers: Rows = [["node type", "field", "question", "found at", "answer"],
                     ["A", "rebate", "?", None, 50]]  # fmt: skip
    files = {"q.xlsx": workbook({"P": [HEADINGS, ROW]}), "a.xlsx": workbook({"A": answers})}
    columns = COLUMNS | {"rebate": "Rebate"}
    assert str(cents(read(tmp_path, files, columns=columns, answers="a.xlsx"))[0]) == "15000.15"
    answers[1][1:] = ["price", "?", None, 9000]
    files["a.xlsx"] = workbook({"A": answers})
    assert str(cents(read(tmp_path, files, columns=OF_TOTALS, answers="a.xlsx"))[0]) == "9000.00"


def test_cores_follow_from_sockets(tmp_path: Path) -> None:
    columns = COLUMNS | {"cores_per_socket": "Cores/CPU"}
    (quote,) = types(of(tmp_path, [HEADINGS, ROW], columns))
    assert (quote.cores, quote.attributes) == (None, {"cores_per_socket": 48})
    (quote,) = types(of(tmp_path, [HEADINGS, ROW], columns | {"sockets": "CPUs"}))
    assert (quote.cores, quote.sockets) == (96, 2)


TURNED: Rows = [
    ["Merkmal", "Einheit", "A", "B"],
    ["Preis", "kEUR", 9.5, 12],
    ["Leerlauf", "W", 100, 150],
    ["Volllast", "kW", 0.4, 0.7],
    ["Kerne", "Stk.", 64, 128],
]
OF_TURNED = COLUMNS | {
    "name": "Merkmal",
    "price": "Preis",
    "idle_w": "Leerlauf",
    "peak_w": "Volllast",
    "cores": "Kerne",
}


@pytest.mark.parametrize("orientation", ["columns", "rows"])
def test_units_may_have_a_column_or_row_of_their_own(tmp_path: Path, orientation: str) -> None:
    across: Rows = [list(row) for row in zip(*TURNED, strict=True)]
    rows = TURNED if orientation == "columns" else across
    found = of(tmp_path, rows, OF_TURNED, orientation=orientation, units_row=2)
    assert [(each.price, each.peak_w, each.cores) for each in types(found)] == [
        (9500, 400, 64),
        (12000, 700, 128),
    ]


@pytest.mark.parametrize(
    ("unit", "keys", "message"),
    [
        ("PS", {}, "in the row of units, 'PS' is not a unit of power"),
        ("kW", {"units_row": 9}, "column 9 does not exist or is blank; correct units_row"),
    ],
)
def test_a_unit_that_does_not_fit_is_an_error(
    tmp_path: Path, unit: str, keys: dict[str, Any], message: str
) -> None:
    rows = [[*row] for row in TURNED]
    rows[3][1] = unit
    keys = {"units_row": 2} | keys
    found = of(tmp_path, rows, OF_TURNED, orientation="columns", **keys)
    assert message in said(found)[0]


def test_the_text_of_an_option_may_have_its_price(tmp_path: Path) -> None:
    rows: Rows = [HEADINGS, ROW, ["Option: 1,536 GB memory, + 3,800.00"]]
    found = of(tmp_path, rows, COLUMNS, options={"rows": [3]})
    _, option = types(found)
    assert (option.memory_gb, option.price) == (1536, 33800.3)
    assert found.places[1]["price"] == "P!B2, P!A3"
    for word in ("für", "kr för", "voor", "pro"):
        priced = [*rows[:2], ["Option: memory", f"+ 3 800,00 {word} 1 536 GB"]]
        _, option = types(of(tmp_path, priced, COLUMNS, options={"rows": [3]}, decimal="comma"))
        assert (option.name, option.memory_gb, option.price) == ("A-1536GB", 1536, 33800.3)
    rows = [["No.", *HEADINGS], ["4711", *ROW], ["Option: memory", None, "+ 3,800.00 za 1.5 TB"]]
    columns = COLUMNS | {"part_number": "No."}
    _, option = types(of(tmp_path, rows, columns, options={"rows": [3]}))
    assert (option.part_number, option.memory_gb, option.price) == ("4711", 1500, 33800.3)


def test_the_text_of_an_option_without_a_price_is_an_error(tmp_path: Path) -> None:
    rows: Rows = [HEADINGS, ROW, ["Option: no price"]]
    assert "without a name or price" in said(of(tmp_path, rows, COLUMNS, options={"rows": [3]}))[0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"price": "a", "total_price": "b"}, "columns for both price and total_price"),
        ({"total_price": "b", "nodes_per_unit": "c"}, "both total_price and nodes_per_unit"),
        ({"total_price": {"value": 5}}, "each row has its own total_price"),
    ],
)
def test_a_total_that_cannot_be_meant_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        QuoteTable.model_validate({"file": "q.csv", "columns": {"name": "n"} | changes})


def test_totals_of_parts_are_refused() -> None:
    raw = {"file": "q.csv", "columns": {"name": "n", "total_price": "t"}, "parts": {"of": "n"}}
    with pytest.raises(ValueError, match="total_price is of one node type"):
        QuoteTable.model_validate(raw)


def discounts(text: str) -> list[tuple[int, float]]:
    found = read_discounts(text, Reading("discounts", "", "comma", "EUR"))
    return [(int(each["from_quantity"]), each["fraction"]) for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5 % desde 100 uds.", (100, 0.05)),
        ("100 Stk.: 5%", (100, 0.05)),
        ("dès 50 unités : 4 %", (50, 0.04)),
        ("da 20 pezzi 3%", (20, 0.03)),
        ("vanaf 50 stuks 4 %", (50, 0.04)),
        ("from 100 pcs 5 %", (100, 0.05)),
        ("5 % från 1.000 st", (1000, 0.05)),
        ("od 50 szt. 2,5 %", (50, 0.025)),
        ("a partir de 50 uds: 4 %", (50, 0.04)),
        ("5 % Rabatt (ab 100 Stück)", (100, 0.05)),
        ("100 Stk 5 %", (100, 0.05)),
        (">= 100: 5 %", (100, 0.05)),
    ],
)
def test_a_discount_is_two_numbers_among_known_words(
    text: str, expected: tuple[int, float]
) -> None:
    assert discounts(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "5 %", "100", "100 5 %", "from 1 000 5 %", "5 % up to 100", "bis 100 Stk. 5 %", ">100: 5 %",
        "5 % ab 100 bis 200", "100-200: 5 %", "ab 100 000 EUR: 5 %", "ab 100 € 5 %",
        "5 % 6 % ab 100",
        "5 % Skonto ab 10 Tagen", "100: -5 %", "ab 100, 5 %", "5 % 100", "per 100 Stk 5 %",
        "ab 100 Stk " + "x" * 200 + " 5 %",
    ],
)  # fmt: skip
def test_a_discount_that_may_be_another_is_an_error(text: str) -> None:
    with pytest.raises(CellError):
        discounts(text)
