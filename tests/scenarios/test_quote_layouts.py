"""Layouts of vendors' files, each read as it comes; all files are invented.

Their forms follow what vendors are known to send: price lists with data sheets by part number,
comparison tables with a column for each model, bills of materials, and price lists with tax.
"""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from scenarios import ScenarioError, load
from scenarios.model.node_types import NodeType
from scenarios.model.quote_mapping import QuoteTable
from scenarios.quotes.reader import Quotes, read_quotes
from tests.scenarios.quote_files import (
    comma_separated,
    merged_workbook,
    open_document,
    workbook,
)
from tests.scenarios.sample_changes import REQUEST, written

Rows = list[list[Any]]


def read(folder: Path, files: dict[str, bytes], **keys: Any) -> Quotes:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    table = QuoteTable.model_validate({"file": next(iter(files))} | keys)
    return read_quotes(table, folder, "s.toml", "EUR")


def types(found: Quotes) -> list[NodeType]:
    assert [str(fault) for fault in found.faults] == []
    return [NodeType.model_validate(quote) for quote in found.found]


def said(found: Quotes) -> list[str]:
    return [str(fault).rpartition("/")[2] for fault in found.faults]


def cents(found: Quotes, nodes: int = 1) -> list[Decimal]:
    """The price of so many nodes of each type, to the cent."""
    cent = Decimal("0.01")
    return [(Decimal(repr(quote["price"])) * nodes).quantize(cent) for quote in found.found]


# (a) Prices and technical data on two sheets, joined by part number

PRICES: Rows = [
    ["Offer 2026-118", None, None],
    ["Item", "Part no.", "Unit price [EUR]"],
    ["Compute node L", "CN-200-L", 14250.35],
    ["Compute node XL", 4711, 18990.10],
    ["Total", None, 33240.45],
    ["Training, two days", None, None],
]
DATA: Rows = [
    ["Article", "Idle (W)", "Max. power [kW]", "Cores", "RAM", "Origin"],
    ["4711", 210, 1.05, 192, "1,5 TB", "EU"],
    ["cn-200-l", 180, 0.85, 128, "768 GB", "US"],
    ["CN-999", 99, 0.5, 64, "256 GB", "EU"],
]
JOINED: dict[str, Any] = {
    "columns": {
        "name": "Item",
        "vendor": {"value": "Alpha"},
        "price": "Unit price",
        "part_number": "Part no.",
        **{
            target: {"heading": heading, "table": "data"}
            for target, heading in {
                "idle_w": "Idle",
                "peak_w": "Max. power",
                "cores": "Cores",
                "memory_gb": "RAM",
            }.items()
        },
    },
    "attributes": {"origin": {"heading": "Origin", "table": "data"}},
    "also": [
        {"name": "data", "sheet": "Data", "key": "Article", "own_key": "Part no.",
         "decimal": "comma"}
    ],
    "sheet": "Prices",
}  # fmt: skip


def test_two_sheets_are_joined_by_part_number(tmp_path: Path) -> None:
    data = workbook({"Prices": PRICES, "Data": DATA})
    found = read(tmp_path, {"offer.xlsx": data}, **JOINED)
    small, large = types(found)
    assert (small.name, small.part_number, small.price) == ("Compute-node-L", "CN-200-L", 14250.35)
    assert (small.idle_w, small.peak_w, small.cores, small.memory_gb) == (180, 850, 128, 768)
    assert (large.part_number, large.memory_gb) == ("4711", 1500)
    assert [each.attributes for each in (small, large)] == [{"origin": "US"}, {"origin": "EU"}]
    assert cents(found, 100) == [Decimal("1425035.00"), Decimal("1899010.00")]
    left_out = [each.values["why"][0] for each in found.remarks if "left-out" in each.kind]
    assert left_out == ["total", "no price"]
    assert found.understood is not None
    assert (found.understood.sheet, found.understood.quotes) == ("Prices", 2)
    columns = {each.holds: (each.heading, each.samples) for each in found.understood.columns}
    assert columns["price"] == ("Unit price [EUR]", ("14250.35", "18990.1"))
    assert columns["peak_w"] == ("Data: Max. power [kW]", ("0.85", "1.05"))


def test_a_part_number_that_is_missing_or_there_twice_is_named(tmp_path: Path) -> None:
    rows = [[*row] for row in DATA]
    rows[3][0], rows[2][0] = "4711", "CN-200-X"
    found = read(tmp_path, {"offer.xlsx": workbook({"Prices": PRICES, "Data": rows})}, **JOINED)
    assert said(found) == [
        "offer.xlsx: Prices!B3: 'CN-200-L' is not in the column 'Article' of Data; correct it",
        "offer.xlsx: Data!A4: '4711' is in Data!A2 too; keep one of them",
    ]


def test_a_merged_sum_below_a_further_table_is_no_key(tmp_path: Path) -> None:
    rows = [row for row in PRICES if row[0] != "Total"]
    data = {"p.xlsx": workbook({"Prices": rows})}
    data["d.xlsx"] = merged_workbook("Data", DATA, {"A9:C9": "All prices without tax"})
    also = [{**JOINED["also"][0], "file": "d.xlsx"}]
    assert len(types(read(tmp_path, data, **JOINED | {"file": "p.xlsx", "also": also}))) == 2


def test_prices_may_be_in_the_further_table_and_one_without_is_no_quote(tmp_path: Path) -> None:
    keys = JOINED | {
        "sheet": "Data",
        "columns": {
            "name": "Article",
            "vendor": {"value": "Alpha"},
            "idle_w": "Idle",
            "peak_w": "Max. power",
            "price": {"heading": "Unit price", "table": "prices"},
        },
        "attributes": {},
        "also": [{"name": "prices", "sheet": "Prices", "key": "Part no.", "own_key": "Article"}],
    }
    data = workbook({"Prices": PRICES, "Data": DATA})
    found = read(tmp_path, {"offer.xlsx": data}, **keys)
    assert [(each.name, each.price) for each in types(found)] == [
        ("4711", 18990.10),
        ("cn-200-l", 14250.35),
    ]


# (b) One column per node type

COMPARED: Rows = [
    ["Comparison of models", None, None, None, None],
    [None, "unit", "Model A", "Model B", "Model C"],
    ["Cores per node", None, 128, 192, 96],
    ["Clock", "GHz", 2.4, 2.25, 3.1],
    ["Vector width (bits)", None, 512, 512, 256],
    ["Power idle", "W", 180, 220, 150],
    ["Power max.", "kW", 0.8, 1.1, 0.65],
    ["Cooling", None, "liquid", None, "air"],
    ["Price per node", "EUR", 12000.99, 17500.5, "on request"],
]
IN_COLUMNS: dict[str, Any] = {
    "orientation": "columns",
    "skip_rows": [2],
    "columns": {
        "name": "Typ",
        "vendor": {"value": "Beta"},
        "price": {"heading": "Price per node", "values": {"on request": ""}},
        "cores": "Cores per node",
        "clock_ghz": {"heading": "Clock", "unit": "GHz"},
        "vector_bits": {"heading": "Vector width (bits)", "unit": None},
        "idle_w": "Power idle",
        "peak_w": {"heading": "Power max.", "unit": "kW"},
        "cooling": "Cooling",
    },
}


def compared() -> Rows:
    rows = [[*row] for row in COMPARED]
    rows[1][0] = "Typ"
    rows[4][0] = "Vector width, bits"
    return rows


IN_COLUMNS["columns"]["vector_bits"] = "Vector width, bits"


@pytest.mark.parametrize("form", ["xlsx", "csv", "ods"])
def test_a_node_type_may_be_a_column(tmp_path: Path, form: str) -> None:
    rows = compared()
    if form == "xlsx":
        data = merged_workbook("P", rows, {"C8:D8": "liquid"})
    else:
        rows[7][3] = "liquid"
        data = open_document({"P": rows}) if form == "ods" else comma_separated(rows, ";")
    found = read(tmp_path, {f"models.{form}": data}, **IN_COLUMNS)
    first, second = types(found)
    # 128 cores x 2.4 GHz x 512/256, and 192 x 2.25 x 2
    assert (first.compute_rate, second.compute_rate) == (614.4, 864.0)
    assert (first.price, first.idle_w, first.peak_w) == (12000.99, 180, 800)
    assert (first.cooling, second.cooling) == ("liquid", "liquid")
    where = "models.csv:" if form == "csv" else f"models.{form}: P!"
    assert (first.origin, second.origin) == (f"{where}C", f"{where}D")
    assert [
        (each.values["why"][0], each.values["rows"][0])
        for each in found.remarks
        if each.kind == "quotes-left-out"
    ] == [("skip_rows", ("B",)), ("no price", ("E",))]


def test_an_error_in_a_column_has_the_address_of_its_cell(tmp_path: Path) -> None:
    rows = compared()
    rows[6][3], rows[5][2] = "much", None
    found = read(tmp_path, {"m.xlsx": workbook({"P": rows})}, **IN_COLUMNS)
    assert said(found) == [
        (
            "m.xlsx: P!C6: idle_w is missing; fill it in, or write skip_rows = [3] if the row is "
            "not a quote"
        ),
        "m.xlsx: P!D7: 'much' is not a number; write the number and its unit",
    ]
    data = comma_separated(rows, ";")
    assert said(read(tmp_path, {"m.csv": data}, **IN_COLUMNS))[1].startswith("m.csv:7: D7: 'much'")
    found = read(tmp_path, {"m.csv": data}, **IN_COLUMNS | {"header_row": 9})
    assert said(found) == [
        "s.toml: quotes.header_row: column 9 does not exist or is blank; correct header_row"
    ]


# (c) A bill of materials

BILL: Rows = [
    ["Node type", "Component", "Qty", "Price each", "Idle W", "Peak W", "Cores"],
    ["Standard", "Chassis and board", 1, 2100.10, 190, 900, None],
    [None, "CPU, 64 cores", 2, 3450.55, None, None, 128],
    [None, "DIMM 64 GB", "12 x", 280.05, None, None, None],
    [None, "Loyalty rebate", 1, -100, None, None, None],
    [None, "Subtotal", None, 12261.80, None, None, None],
    ["Large", "Chassis and board", 1, 2500, 240, 1300, 192],
    [None, "CPU, 96 cores", 2, 6100, None, None, None],
    [None, "DIMM 96 GB", 24, 401.25, None, None, None],
    [None, "Option: second network card", 1, 650.5, None, 1330, None],
    ["Total", None, None, 99999, None, None, None],
]
BILLED: dict[str, Any] = {
    "columns": {
        "vendor": {"value": "Gamma"},
        "price": "Price each",
        "idle_w": "Idle W",
        "peak_w": "Peak W",
        "cores": "Cores",
    },
    "parts": {"of": "Node type", "quantity": "Qty"},
}
STANDARD = Decimal("12261.80")  # 2,100.10 + 2 x 3,450.55 + 12 x 280.05 - 100.00
LARGE = Decimal("24330.00")  # 2,500.00 + 2 x 6,100.00 + 24 x 401.25


@pytest.mark.parametrize("form", ["blank", "merged", "repeated", "csv"])
def test_a_bill_of_materials_is_summed(tmp_path: Path, form: str) -> None:
    rows = [[*row] for row in BILL]
    if form == "repeated":
        for line in (*range(2, 6), *range(7, 10)):
            rows[line][0] = "Standard" if line < 6 else "Large"
    ranges = {"A2:A6": "Standard", "A7:A10": "Large"} if form == "merged" else {}
    data = merged_workbook("P", rows, ranges) if form != "csv" else comma_separated(rows, ";")
    name = "bill.csv" if form == "csv" else "bill.xlsx"
    found = read(tmp_path, {name: data}, **BILLED, options={"rows": [10]})
    standard, large, option = types(found)
    assert cents(found) == [STANDARD, LARGE, LARGE + Decimal("650.50")]
    assert (standard.peak_w, standard.cores, large.cores) == (900, 128, 192)
    assert (option.name, option.peak_w, option.cores) == (
        "Large-second-network-card",
        1330,
        192,
    )
    assert option.label == "Large, second network card"
    assert cents(found, 220)[0] == Decimal("2697596.00")


def test_prices_of_a_bill_may_be_of_the_line(tmp_path: Path) -> None:
    rows: Rows = [[*row] for row in BILL[:5]]
    for row in rows[2:4]:
        row[3] *= {2: 2, "12 x": 12}[row[2]]
    parts = BILLED["parts"] | {"total": "line"}
    found = read(tmp_path, {"bill.xlsx": workbook({"P": rows})}, **BILLED | {"parts": parts})
    assert cents(found) == [STANDARD]


def test_what_one_part_has_is_multiplied_by_its_quantity_and_summed(tmp_path: Path) -> None:
    rows: Rows = [
        ["Type", "Part", "Qty", "Price", "Idle W", "Peak W", "Memory"],
        ["A", "CPU, 64 cores", 2, 4000, 200, 900, None],
        [None, "DIMM 32 GB", "16 x", 200, None, None, "32 GB"],
        [None, "DIMM 64 GB", 8, 400, None, None, "64 GB"],
        [None, "second CPU, 24 cores", 1, 500, None, None, None],
    ]
    cores = {"CPU, 64 cores": 64, "second CPU, 24 cores": 24, "DIMM 32 GB": "", "DIMM 64 GB": ""}
    mapping: dict[str, Any] = {
        "columns": {
            "price": "Price", "idle_w": "Idle W", "peak_w": "Peak W", "memory_gb": "Memory",
            "vendor": {"value": "V"}, "cores": {"heading": "Part", "values": cores},
        },
        "parts": {"of": "Type", "quantity": "Qty", "per_part": ["memory_gb", "cores"]},
    }  # fmt: skip
    (node,) = types(read(tmp_path, {"bill.xlsx": workbook({"P": rows})}, **mapping))
    assert (node.memory_gb, node.cores) == (1024, 152)  # 16 x 32 + 8 x 64; 2 x 64 + 24
    rows[2][6] = "much"
    found = read(tmp_path, {"bill.xlsx": workbook({"P": rows})}, **mapping)
    assert said(found)[0].startswith("bill.xlsx: P!G3: 'much' is not a number")


def test_a_part_of_no_node_type_and_a_wrong_quantity_are_named(tmp_path: Path) -> None:
    rows = [[*row] for row in BILL[:4]]
    rows[1][0], rows[3][2] = None, "a dozen"
    rows[2][0] = "Standard"
    rows[2][4:6] = [190, 900]
    found = read(tmp_path, {"bill.xlsx": workbook({"P": rows})}, **BILLED)
    assert said(found) == [
        "bill.xlsx: P!A2: names no node type; fill it in, or write skip_rows",
        "bill.xlsx: P!C4: 'a dozen' is not a number; write the number and its unit",
    ]


# (d) German CSV in cp1252 with gross prices

GERMAN = """Angebot Nr. 2026/77;;;;;;
Bezeichnung;Herkunft;Preis brutto [€];Leerlauf;Höchstleistung;Staffel;ab 500 Stk [%]
Knoten Größe M;EU;"15.470,00 €";0,18 kW;0,8 kW;ab 200 Stueck 6 %;
Knoten Größe L;CH;"21.999,99 €";0,21 kW;1,1 kW;;7,5
Zwischensumme;;"37.469,99 €";;;;
Alle Preise inkl. 19 % MwSt.;;;;;;
"""
OF_GERMAN: dict[str, Any] = {
    "decimal": "comma",
    "vat": 0.19,
    "columns": {
        "name": "Bezeichnung",
        "vendor": {"value": "Delta"},
        "price": "Preis brutto",
        "idle_w": "Leerlauf",
        "peak_w": "Höchstleistung",
        "discounts": "Staffel",
    },
    "attributes": {"origin": "Herkunft"},
}


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8"])
def test_a_german_list_with_tax_is_read_net(tmp_path: Path, encoding: str) -> None:
    found = read(tmp_path, {"liste.csv": GERMAN.encode(encoding)}, **OF_GERMAN)
    medium, large = types(found)
    # 15,470.00 / 1.19 = 13,000.00; 21,999.99 / 1.19 = 18,487.3865
    assert cents(found) == [Decimal("13000.00"), Decimal("18487.39")]
    assert medium.label == "Knoten Größe M"
    assert [(each.from_quantity, each.fraction) for each in medium.discounts] == [(200, 0.06)]
    assert (medium.peak_w, large.attributes) == (800, {"origin": "CH"})
    kinds = [each.kind for each in found.remarks]
    assert ("quotes-encoding" in kinds) == (encoding == "cp1252")
    assert "quotes-net" in kinds


def test_discounts_may_be_columns(tmp_path: Path) -> None:
    columns = {key: each for key, each in OF_GERMAN["columns"].items() if key != "discounts"}
    text = GERMAN.replace("Staffel", "ab 200 Stk [%]").replace("ab 200 Stueck 6 %", "6")
    starts = [(200, "ab 200 Stk [%]"), (500, "ab 500 Stk [%]")]
    listed = [{"from_quantity": start, "heading": heading} for start, heading in starts]
    keys = OF_GERMAN | {"columns": columns, "discount_columns": listed}
    medium, large = types(read(tmp_path, {"liste.csv": text.encode()}, **keys))
    assert [(each.from_quantity, each.fraction) for each in medium.discounts] == [(200, 0.06)]
    assert [(each.from_quantity, each.fraction) for each in large.discounts] == [(500, 0.075)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab 200 Stueck 6 %", [(200, 0.06)]),
        ("5% >= 100", [(100, 0.05)]),
        ("5 % ab 100 Stück; 8 % ab 1.000 Stück", [(100, 0.05), (1000, 0.08)]),
        ("ab 200 6%", [(200, 0.06)]),
        ("from 500: 8 %; from 1000: 12 %", [(500, 0.08), (1000, 0.12)]),
    ],
)
def test_discounts_are_written_in_many_ways(
    tmp_path: Path, text: str, expected: list[tuple[int, float]]
) -> None:
    data = GERMAN.replace("ab 200 Stueck 6 %", f'"{text}"').encode()
    (medium, _) = types(read(tmp_path, {"liste.csv": data}, **OF_GERMAN))
    assert [(each.from_quantity, each.fraction) for each in medium.discounts] == expected


def test_a_heading_may_state_the_quantity_of_a_discount(tmp_path: Path) -> None:
    columns = OF_GERMAN["columns"] | {"discounts": "ab 500 Stk [%]"}
    found = read(tmp_path, {"liste.csv": GERMAN.encode()}, **OF_GERMAN | {"columns": columns})
    assert [quote.get("discounts") for quote in found.found] == [
        None,
        [{"from_quantity": 500, "fraction": 0.075}],
    ]


# (e) US dollars, options, bundles, support in per cent

OFFER: Rows = [
    ["Config", "List price (USD)", "Nodes per chassis", "Idle [W]", "Peak [W]", "Memory (GB)",
     "Options", "Support p.a. [%]"],
    ["Quad", 41000, 4, 620, 3200, 768, "+ 3,800.00 for 1,536 GB; + $ 9,100 for 3,072 GB", 4],
    ["Single", "USD 10,500.50", 1, 170, 850, 384, None, "3.5 %"],
]  # fmt: skip
OF_OFFER: dict[str, Any] = {
    "currency": "USD",
    "rate": 0.92,
    "rate_date": dt.date(2026, 11, 2),
    "support_years": 5,
    "options": {"heading": "Options"},
    "columns": {
        "name": "Config",
        "vendor": {"value": "Epsilon"},
        "price": "List price",
        "nodes_per_unit": "Nodes per chassis",
        "idle_w": "Idle",
        "peak_w": "Peak",
        "memory_gb": "Memory",
        "support_percent": "Support p.a.",
    },
}


def test_dollars_options_bundles_and_support(tmp_path: Path) -> None:
    found = read(tmp_path, {"offer.xlsx": workbook({"P": OFFER})}, **OF_OFFER)
    quad, middle, most, single = types(found)
    # 41,000.00 x (1 + 5 x 4 %) x 0.92 = 45,264.00 for 4 nodes; with options 44,800 and 50,100
    # 10,500.50 x 1.175 x 0.92 = 11,351.0405
    assert cents(found, 4) == [
        Decimal("45264.00"),
        Decimal("49459.20"),
        Decimal("55310.40"),
        Decimal("45404.16"),
    ]
    assert [each.name for each in (middle, most)] == ["Quad-1536GB", "Quad-3072GB"]
    assert [each.memory_gb for each in (quad, middle, most)] == [768, 1536, 3072]
    assert middle.label == "Quad, 1,536 GB"
    assert (quad.sold_in, middle.sold_in, single.sold_in) == (4, 4, 1)
    assert (quad.idle_w, quad.peak_w) == (155, 800)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"rate": None, "rate_date": None},
            (
                "s.toml: quotes.currency: the prices are in USD, the budget in EUR; give rate (EUR "
                "for one USD) and rate_date"
            ),
        ),
        (
            {"currency": None},
            (
                "s.toml: quotes.rate: rate = 0.92 converts EUR into EUR; give the currency of the "
                "prices, or delete rate"
            ),
        ),
    ],
)
def test_a_rate_and_its_currency_go_together(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    found = read(tmp_path, {"offer.xlsx": workbook({"P": OFFER})}, **OF_OFFER | changes)
    assert message in said(found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,536 GB", "'1,536 GB' is not an option; write it as in + 3,800.00 for 1,536 GB"),
        ("+ 5 for + 768 GB", "'+ 5 for + 768 GB' is not an option; write it as in + 3,800.00 for"),
        (
            "+ 450 for a second card",
            "in the option, 'a second card' names neither memory, bandwidth",
        ),
        ("+ 450 EUR for 768 GB", "the price is in EUR, not in USD; give the currency of the sheet"),
        ("+ 450 for 384 GB; + 460 for 384 GB", "becomes the name 'Single-384GB', like P!A3"),
    ],
)
def test_an_option_that_is_not_clear_is_named(tmp_path: Path, text: str, message: str) -> None:
    rows = [[*row] for row in OFFER]
    rows[2][6] = text
    (line,) = said(read(tmp_path, {"offer.xlsx": workbook({"P": rows})}, **OF_OFFER))
    assert message in line


def test_support_may_be_an_amount_per_year(tmp_path: Path) -> None:
    rows: Rows = [["Config", "Price", "Idle", "Peak", "Care"], ["A", 1000.25, 10, 40, 99.95]]
    columns = {"name": "Config", "vendor": {"value": "E"}, "price": "Price", "idle_w": "Idle",
               "peak_w": "Peak", "support_per_year": "Care"}  # fmt: skip
    data = {"o.xlsx": workbook({"P": rows})}
    found = read(tmp_path, data, columns=columns, support_years=3)
    assert cents(found) == [Decimal("1300.10")]
    with pytest.raises(ValueError, match="support_years belongs to a column support_per_year"):
        read(tmp_path, data, columns=columns)


# Answers

ANSWERS: Rows = [
    ["Node type", "Field", "Question", "Found at", "Answer"],
    ["Quad", "peak_w", "What is the peak power?", "P!E2", "3.4 kW"],
    ["Single", "idle_w", "What is the idle power?", None, 165],
    ["Single", "cores", "How many cores?", None, None],
    ["Single", "price", "Which price holds?", None, "10,000 USD"],
]


def test_answers_are_laid_over_what_the_sheets_state(tmp_path: Path) -> None:
    rows = [row[:7] for row in OFFER]
    columns = {k: v for k, v in OF_OFFER["columns"].items() if k != "support_percent"}
    keys = OF_OFFER | {"columns": columns, "support_years": None, "answers": "answers.xlsx"}
    files = {"offer.xlsx": workbook({"P": rows}), "answers.xlsx": workbook({"A": ANSWERS})}
    found = read(tmp_path, files, **keys)
    quad, middle, _, single = types(found)
    assert (quad.peak_w, middle.peak_w, single.idle_w) == (850, 850, 165)
    assert single.price == 9200
    assert [each.values["answers"][0] for each in found.remarks if "answered" in each.kind] == [3]
    assert len(found.files) == 2


def test_answers_that_fit_nothing_are_named(tmp_path: Path) -> None:
    rows = [[*row] for row in ANSWERS]
    rows[1][1], rows[2][0] = "peak", "Singel"
    (tmp_path / "answers.xlsx").write_bytes(workbook({"A": rows}))
    (tmp_path / "offer.xlsx").write_bytes(workbook({"P": OFFER}))
    mapping = """[[quotes]]
file = "offer.xlsx"
currency = "USD"
rate = 0.92
rate_date = 2026-11-02
answers = "answers.xlsx"
[quotes.columns]
name = "Config"
vendor = { value = "E" }
price = "List price"
idle_w = "Idle"
peak_w = "Peak"

"""
    with pytest.raises(ScenarioError) as caught:
        load(written(tmp_path, [(REQUEST, '[[workloads]]\nname = "mol',
                                 f'{mapping}[[workloads]]\nname = "mol')]))  # fmt: skip
    lines = [str(each).rpartition("/")[2] for each in caught.value.faults]
    assert "answers.xlsx: A!B2: there is no field 'peak'; did you mean 'peak_w'?" in lines
    rows[1][1] = "peak_w"
    (tmp_path / "answers.xlsx").write_bytes(workbook({"A": rows}))
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / REQUEST)
    lines = [str(each).rpartition("/")[2] for each in caught.value.faults]
    assert "answers.xlsx: A!E3: no quote is called 'singel'; did you mean 'single'?" in lines


# Mappings that cannot be meant


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"options": {}}, "give either heading or rows"),
        ({"rate": 0.92}, "a rate has its day; give both rate and rate_date, or neither"),
        ({"parts": {}}, "of"),
        ({"parts": {"of": "n", "per_part": ["cores"]}}, "per_part has cores, which has no column"),
        ({"vat": 19}, "less than 1"),
        ({"also": [{"name": "t", "key": "k"}] * 2}, "two tables under also have the same name"),
        (
            {"discount_columns": [{"from_quantity": 5, "heading": "a"}] * 2},
            "discount_columns are not in ascending order",
        ),
        ({"columns": {"name": "n", "price": {"heading": "p", "table": "x"}}}, "there is no table"),
        ({"columns": {"name": "n", "price": {"value": 1, "table": "x"}}}, "give its heading"),
        (
            {"columns": {"name": "n", "vector_bits": "a", "flops_per_cycle": "b"}},
            "there are columns for both vector_bits and flops_per_cycle",
        ),
        ({"columns": {"price": "p"}}, "there is no column for name"),
    ],
)
def test_a_mapping_that_cannot_be_meant_is_refused(changes: dict[str, Any], message: str) -> None:
    raw = {"file": "q.csv", "columns": {"name": "n"}} | changes
    with pytest.raises(ValueError, match=message):
        QuoteTable.model_validate(raw)


# More of the layouts


def test_answers_hold_for_options_in_rows_too(tmp_path: Path) -> None:
    rows = [[*row] for row in BILL]
    rows[6][4] = None
    answers: Rows = [
        ANSWERS[0],
        ["Large", "idle_w", "?", None, 245],
        ["Large", "price", "?", None, "24,000.00"],
    ]
    files = {"bill.xlsx": workbook({"P": rows}), "a.xlsx": workbook({"A": answers})}
    found = read(tmp_path, files, **BILLED, options={"rows": [10]}, answers="a.xlsx")
    _, large, option = types(found)
    assert (large.idle_w, option.idle_w, option.peak_w) == (245, 245, 1330)
    assert cents(found)[1:] == [Decimal("24000.00"), Decimal("24650.50")]


def test_a_title_over_all_columns_may_name_the_node_type_of_the_parts_below(tmp_path: Path) -> None:
    rows: Rows = [BILL[0], [None] * 7, [None, *BILL[1][1:]], *BILL[2:5], [None] * 7,
                  [None, *BILL[6][1:]], *BILL[7:9]]  # fmt: skip
    data = merged_workbook("P", rows, {"A2:G2": "Standard", "A7:G7": "Large"})
    found = read(tmp_path, {"bill.xlsx": data}, **BILLED)
    assert [each.name for each in types(found)] == ["Standard", "Large"]
    assert cents(found) == [STANDARD, LARGE]


def test_options_in_rows_that_are_not_there_are_an_error(tmp_path: Path) -> None:
    data = {"bill.xlsx": workbook({"P": BILL})}
    found = read(tmp_path, data, **BILLED, options={"rows": [10, 99]})
    assert said(found) == [
        "bill.xlsx: P: options.rows lists 99, where nothing with a price is read; correct it"
    ]
    found = read(tmp_path, data, **BILLED, options={"rows": [2, 10]})
    assert said(found)[0] == (
        "bill.xlsx: P!2: is an option without a node type above it; correct options.rows"
    )


def test_an_option_in_a_row_replaces_what_it_states(tmp_path: Path) -> None:
    rows: Rows = [
        ["Model", "Price", "Idle", "Peak", "Memory [GB]"],
        ["A", 9000, 100, 400, 384],
        ["Upgrade 768", 1250.25, None, 410, 768],
        ["B", 12000, 120, 500, 384],
    ]
    columns = {"name": "Model", "vendor": {"value": "V"}, "price": "Price", "idle_w": "Idle",
               "peak_w": "Peak", "memory_gb": "Memory"}  # fmt: skip
    found = read(tmp_path, {"o.csv": comma_separated(rows)}, columns=columns, options={"rows": [3]})
    base, option, other = types(found)
    assert (option.name, option.price) == ("A-Upgrade-768", 10250.25)
    assert (option.idle_w, option.peak_w, option.memory_gb) == (100, 410, 768)
    assert (base.memory_gb, other.memory_gb) == (384, 384)


@pytest.mark.parametrize("form", ["turned", "bill"])
def test_a_decimal_comma_cannot_shift_the_cells_of_a_layout(tmp_path: Path, form: str) -> None:
    if form == "turned":
        text = "Model,A,B\nVendor,V,V\nPrice,9,9\nIdle,100,100\nPeak,400,400\nCores,0,5,64\n"
        keys = {"orientation": "columns", "columns": {"name": "Model", "vendor": "Vendor",
                "price": "Price", "idle_w": "Idle", "peak_w": "Peak",
                "cores": "Cores"}}  # fmt: skip
        expected = "q.csv:6: D6: is to the right of the last name; put quotation marks"
    else:
        text = "Type,Price,Idle,Peak\nA,9000,100,400\n,35,5,,\n"
        keys = BILLED | {"parts": {"of": "Type"}, "columns": {"vendor": {"value": "V"},
                         "price": "Price", "idle_w": "Idle", "peak_w": "Peak"}}  # fmt: skip
        expected = "q.csv:3: E3: is one cell more than there are headings; put quotation marks"
    assert said(read(tmp_path, {"q.csv": text.encode()}, **keys))[0].startswith(expected)


@pytest.mark.parametrize(
    ("columns", "rate"),
    [
        ({"cores": 64, "clock_ghz": 2.25, "vector_bits": 256}, 144.0),
        ({"cores": 64, "clock_ghz": 2.25, "flops_per_cycle": 32}, 288.0),
        ({"cores": 64, "clock_ghz": 2.25, "vector_bits": 256, "compute_rate": 7}, 7.0),
        ({"cores": 64}, None),
    ],
)
def test_a_clock_gives_the_compute_rate(
    tmp_path: Path, columns: dict[str, Any], rate: float | None
) -> None:
    given = {key: {"value": value} for key, value in columns.items()}
    base = {"name": "Config", "vendor": {"value": "E"}, "price": "List price", "idle_w": "Idle",
            "peak_w": "Peak"}  # fmt: skip
    keys = {"currency": "USD", "rate": 0.92, "rate_date": dt.date(2026, 11, 2)}
    found = read(tmp_path, {"o.xlsx": workbook({"P": OFFER})}, columns=base | given, **keys)
    assert [each.compute_rate for each in types(found)] == [rate, rate]


def test_a_clock_without_cores_or_width_stays_an_attribute(tmp_path: Path) -> None:
    rows = compared()
    rows[2][2] = None
    first, second = types(read(tmp_path, {"m.xlsx": workbook({"P": rows})}, **IN_COLUMNS))
    assert (first.compute_rate, "clock_ghz" in first.attributes) == (None, True)
    assert second.compute_rate is not None
    assert "clock_ghz" not in second.attributes


@pytest.mark.parametrize(("name", "rate"), [("AVX-512", 288.0), ("avx2", 144.0), ("512", 288.0)])
def test_an_instruction_set_names_the_width(tmp_path: Path, name: str, rate: float) -> None:
    rows: list[list[Any]] = [["Type", "Price", "Idle", "Peak", "ISA"], ["A", 9000, 100, 400, name]]
    columns = {
        "name": "Type", "price": "Price", "idle_w": "Idle", "peak_w": "Peak", "vector_bits": "ISA",
        "vendor": {"value": "V"}, "cores": {"value": 64}, "clock_ghz": {"value": 2.25},
    }  # fmt: skip
    (quote,) = types(read(tmp_path, {"q.xlsx": workbook({"P": rows})}, columns=columns))
    assert quote.compute_rate == rate


def test_errors_of_all_steps_are_listed_together(tmp_path: Path) -> None:
    prices = [[*row] for row in PRICES]
    prices[2][1] = "CN-777"
    rows = [[*row] for row in DATA]
    rows[1][1] = "low"
    found = read(tmp_path, {"offer.xlsx": workbook({"Prices": prices, "Data": rows})}, **JOINED)
    assert said(found) == [
        "offer.xlsx: Prices!B3: 'CN-777' is not in the column 'Article' of Data; correct it",
        "offer.xlsx: Data!B2: 'low' is not a number; write the number and its unit",
    ]


def test_notes_around_a_bill_are_left_out_and_a_dash_is_no_option(tmp_path: Path) -> None:
    note: list[Any] = ["All prices are net.", *[None] * 6]
    rows: Rows = [
        BILL[0],
        [None, "Prices in EUR", None, None, "measured", None, None],
        *BILL[1:5],
        note,
    ]
    rows = [[*row, text] for row, text in zip(rows, ["Options", None, "-", *"    "], strict=True)]
    data = {"bill.xlsx": workbook({"P": rows})}
    found = read(tmp_path, data, **BILLED, options={"heading": "Options"})
    assert cents(found) == [STANDARD]
    left_out = [each.values["rows"][0] for each in found.remarks if "left-out" in each.kind]
    assert (said(found), left_out) == ([], [("2", "7")])


@pytest.mark.parametrize(
    ("price", "options", "text", "added"),
    [
        ("Preis [k€]", "Optionen", "+ 3,8 für 1.536 GB", 3800),
        ("Preis [k€]", "Optionen", "+ 3.800,00 € für 1.536 GB", 3800),
        ("Preis [k€]", "Optionen [EUR]", "1.536 GB: +3.800,00", 3800),
        ("Preis [k€]", "Optionen (Speicher)", "1.536 GB (+ EUR 3.800,50)", 3800.5),
    ],
)
def test_the_price_of_an_option_has_the_unit_of_the_prices(
    tmp_path: Path, price: str, options: str, text: str, added: float
) -> None:
    rows: Rows = [["Typ", price, "Leerlauf", "Spitze", options], ["A", 9, 100, 400, text]]
    columns = {"name": "Typ", "vendor": {"value": "V"}, "price": "Preis", "idle_w": "Leerlauf",
               "peak_w": "Spitze"}  # fmt: skip
    keys = {"columns": columns, "options": {"heading": options}, "decimal": "comma"}
    base, option = types(read(tmp_path, {"o.xlsx": workbook({"P": rows})}, **keys))
    assert (base.price, option.price, option.name) == (9000, 9000 + added, "A-1536GB")
    assert option.memory_gb == 1536
