"""Labels, headings and figures that are merged over several cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scenarios.proposal.proposal import propose
from scenarios.proposal.understood import understood
from tests.scenarios.quote_files import workbook

TRANSPOSED: list[list[Any]] = [
    ["Acme Ltd"],
    [],
    ["", "", "", "", "", ""],
    ["", "", "", "Thin", "Fat", "Accelerated"],
    ["", "Sockets", "pcs", 2, 2, 2],
    ["", "Cores per socket", "pcs", 64, 48, 32],
    ["", "Capacity per node", "GB", 768, 1536, 1024],
    ["", "Type", "", "24 x 32 GB", "24 x 64 GB", "16 x 64 GB"],
    ["", "Idle, OS booted", "W", 210, 260, 640],
    ["", "Typical (70 % load)", "W", 700, 800, 2400],
    ["", "Maximum (HPL)", "W", 900, 1100, 3300],
    ["", "Net unit price", "EUR", 11000, 18000, 90000],
    ["", "Lead time", "weeks ARO", 8, 9, 14],
]
BILL: list[list[Any]] = [
    ["Rossi Calcolo S.r.l."],
    [],
    ["", "", "", "", "", "Potenza per nodo", "", "", ""],
    ["", "", "", "", "", "a vuoto", "massima", "", ""],
    ["", "EPYC 9455, 48 core", 2, 3000, 6000],
    ["", "Modulo RAM 32 GB DDR5", 24, 200, 4800],
    ["Totale nodo A", "", "", "", 10800],
    ["Sconto a Voi riservato 7 %", "", "", "", -756],
    ["Prezzo netto per nodo A", "", "", "", 10044],
    [],
    ["", "EPYC 9755, 128 core", 2, 7000, 14000],
    ["", "Modulo RAM 128 GB DDR5", 24, 1000, 24000],
    ["Totale nodo B", "", "", "", 38000],
    ["Sconto a Voi riservato 5 %", "", "", "", -1900],
    ["Prezzo netto per nodo B", "", "", "", 36100],
]
HEADED = {
    "A3:A4": "Configurazione", "B3:B4": "Descrizione", "C3:C4": "Q.t\u00e0 per nodo",
    "D3:D4": "Prezzo unitario (\u20ac)", "E3:E4": "Importo (\u20ac)", "F3:G3": "Potenza per nodo",
    "H3:H4": "N. nodi offerti", "I3:I4": "Consegna",
}  # fmt: skip
TYPES = {
    "A5:A6": "Nodo A", "F5:F6": "210 W", "G5:G6": "860 W", "H5:H6": 18, "I5:I6": "8 sett.",
    "A11:A12": "Nodo B", "F11:F12": "295 W", "G11:G12": "1.050 W", "H11:H12": 4,
    "I11:I12": "12 sett.",
    **{f"A{row}:D{row}": BILL[row - 1][0] for row in (7, 8, 9, 13, 14, 15)},
}  # fmt: skip


def fields(
    folder: Path, rows: Sequence[Sequence[Any]], merged: Mapping[str, Any]
) -> dict[str, dict[str, Any]]:
    path = folder / "quote.xlsx"
    path.write_bytes(workbook({"Prices": rows}, merged=merged))
    found: dict[str, dict[str, Any]] = {}
    for each in understood(propose([path], folder).mappings, folder, "q.toml").values:
        found.setdefault(each.node_type, {})[each.field] = each.value
    return found


def test_names_are_below_groups_of_node_types_beside_a_heading_of_two_rows(tmp_path: Path) -> None:
    groups = {"A3:B4": "Configuration", "C3:C4": "Unit", "D3:E3": "CPU nodes"}
    labels = {"A5:A6": "Processor", "A7:A8": "Memory", "A9:A11": "Power (AC, at 230 V)"}
    found = fields(tmp_path, TRANSPOSED, groups | labels | {"A12:A13": "Commercial"})
    assert list(found) == ["Thin", "Fat", "Accelerated"]
    assert [each["memory_gb"] for each in found.values()] == [768, 1536, 1024]
    assert [each["lead_weeks"] for each in found.values()] == [8, 9, 14]


def test_typical_power_is_the_peak_only_without_a_maximum(tmp_path: Path) -> None:
    groups = {"A3:B4": "Configuration", "C3:C4": "Unit", "D3:E3": "CPU nodes"}
    found = fields(tmp_path, TRANSPOSED, groups)
    assert [each["peak_w"] for each in found.values()] == [900, 1100, 3300]
    found = fields(tmp_path, TRANSPOSED[:10] + TRANSPOSED[11:], groups)
    assert [each["peak_w"] for each in found.values()] == [700, 800, 2400]


def test_merged_figures_and_rebates_are_of_the_whole_node(tmp_path: Path) -> None:
    found = fields(tmp_path, BILL, HEADED | TYPES)
    keys = ("price", "idle_w", "peak_w", "as_bid_quantity", "lead_weeks", "cores", "memory_gb")
    assert {name: [each[key] for key in keys] for name, each in found.items()} == {
        "Nodo-A": [10044, 210, 860, 18, 8, 96, 768],  # 10800 - 756
        "Nodo-B": [36100, 295, 1050, 4, 12, 256, 3072],  # 38000 - 1900
    }


def test_a_part_that_costs_as_much_as_those_above_is_no_sum(tmp_path: Path) -> None:
    """2,000 + 4,000 + 6,000 + 1,500 = 13,500; the row without a part has 13,500 again."""
    headings = ["Node type", "Component", "Unit price (EUR)", "Idle power (W)", "Max power (W)"]
    rows: list[list[Any]] = [
        headings, ["GPU node", "Chassis", 2000, 400, 1900], ["", "CPU", 4000],
        ["", "Accelerator", 6000], ["", "Memory", 1500], ["", "", 13500],
        ["CPU node", "Chassis", 2000, 200, 900], ["", "CPU", 4000], ["", "Memory", 1500],
    ]  # fmt: skip
    found = fields(tmp_path, rows, {})
    assert [each["price"] for each in found.values()] == [13500, 7500]


def test_a_rebate_that_is_a_text_is_of_the_node_type_above(tmp_path: Path) -> None:
    path = tmp_path / "bill.csv"
    path.write_text(
        "Rossi Calcolo S.r.l.;;;;;\n"
        "Configurazione;Componente;Q.t\u00e0;Prezzo unitario (EUR);Importo (EUR);"
        "Potenza a vuoto (W);Potenza massima (W)\n"
        "Nodo A;EPYC 9455, 48 core;2;3.000,00;6.000,00;210;860\n"
        ";Modulo RAM 32 GB DDR5;24;200,00;4.800,00;;\n"
        "Sconto 7 %;;;;-756,00;;\n"
        "Nodo B;EPYC 9755, 128 core;2;7.000,00;14.000,00;295;1.050\n"
        ";Modulo RAM 128 GB DDR5;24;1.000,00;24.000,00;;\n"
        "Sconto 5 %;;;;-1.900,00;;\n",
        encoding="utf-8",
    )
    values = understood(propose([path], tmp_path).mappings, tmp_path, "q.toml").values
    prices = {each.node_type: each.value for each in values if each.field == "price"}
    assert prices == {"Nodo-A": 10044, "Nodo-B": 36100}  # 10800 - 756, 38000 - 1900


def test_headings_of_price_power_and_quantity_win_over_blocks_below(tmp_path: Path) -> None:
    long = "2 x AMD EPYC 9755 (128 kjerner, 2,7 GHz)\n8 x H200 SXM 141 GB\n1536 GB DDR5"
    rows: list[list[Any]] = [
        ["Nordlys AS", "", "Alle priser i NOK ekskl. mva."],
        [],
        [],
        ["", "", "", "", "Enhetspris", "Bel\u00f8p", "Tomgang", "Maks"],
        ["1 Beregningsnoder"],
        ["NT-1", "Beregningsnode CPU", long, 96, 300000, 28800000, 320, 1430],
        ["NT-2", "Beregningsnode stort minne", long.replace("1536", "3072"), 8, 500000, 4000000,
         330, 1260],
        ["2 Nettverk"],
        ["QM9700", "InfiniBand-svitsj", "64 porter", 8, 295000, 2360000, 640, 1400],
        ["KAB", "Kabelsett", "Kobber", 1, 745000, 745000],
        ["3 Tjenester"],
        ["SRV", "Service og vedlikehold", "Pris per \u00e5r", 5, 1240000, 6200000],
        ["", "Totalsum ekskl. mva.", "", "", "", 42105000],
        [],
        ["Opsjoner (ikke inkludert)"],
        ["SRV6", "Service \u00e5r 6 og 7", "Pris per \u00e5r", 2, 1390000, 2780000],
    ]  # fmt: skip
    merged = {
        "A3:A4": "Varenr.", "B3:B4": "Benevnelse", "C3:C4": "Spesifikasjon", "D3:D4": "Antall",
        "E3:F3": "Pris (NOK ekskl. mva.)", "G3:H3": "Effekt per enhet (W)",
        "A15:H15": "Opsjoner (ikke inkludert)",
    }  # fmt: skip
    found = fields(tmp_path, rows, merged)
    keys = ("price", "idle_w", "peak_w", "as_bid_quantity", "memory_gb", "sockets")
    assert {name: [each[key] for key in keys] for name, each in found.items()} == {
        "Beregningsnode-CPU": [300000, 320, 1430, 96, 1536, 2],
        "Beregningsnode-stort-minne": [500000, 330, 1260, 8, 3072, 2],
    }
