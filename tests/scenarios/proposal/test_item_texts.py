"""Figures in the texts of bills of materials, and of the lines of whole packages."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
import xlsxwriter

from scenarios.proposal.figures import described, part_stated
from scenarios.proposal.proposal import propose
from scenarios.proposal.render import render
from scenarios.proposal.understood import understood
from scenarios.proposal.understood_packages import understood_packages
from tests.scenarios.quote_files import workbook

NODE = "Rekennode R1\n2 x AMD EPYC 9554 (64 cores, 3,1 GHz), 1,5 TB DDR5 (24 x 64 GB)"


@pytest.mark.parametrize(
    ("target", "text", "part"),
    [
        ("sockets", "Node N\n2 x AMD EPYC 9554, 768 GB", "2"),
        ("sockets", "4 x NVIDIA H200", ""),
        ("cores_per_socket", "1x Xeon 6972P (96 Kerne)", "96"),
        ("cores_per_socket", "2x Xeon 6972P, 192 cores", ""),  # of one, or of both
        ("cores_per_socket", "2x Xeon 6972P 192 cores", ""),
        ("cores_per_socket", "2 x AMD EPYC 9655 96-core 2.6 GHz, 768 GB DDR5", "96"),
        ("cores_per_socket", "2 x EPYC 9655, 4 x 16-core DPU", ""),
        ("memory_gb", NODE, "1536 GB"),
        ("memory_gb", "Minnenode, 2 304 GB DDR5, 4 x H200 141 GB", "2 304 GB"),
        ("memory_gb", "4 x H200 141 GB, NVMe 960 GB", ""),
        ("idle_w", "2 x EPYC 9554, 0,3 kW / 1,2 kW", "0,3 kW"),
        ("peak_w", "2 x EPYC 9554, 0,3 kW / 1,2 kW", "1,2 kW"),
        ("peak_w", "400 GB/s; Effekt: tomgang 0,3 kW, maks 1,2 kW", "1,2 kW"),
        ("peak_w", "power supply 1600 W", ""),
    ],
)
def test_what_a_description_of_a_node_states(target: str, text: str, part: str) -> None:
    assert described(target, text) == part


@pytest.mark.parametrize(
    ("target", "text", "part"),
    [
        ("cores", "AMD EPYC 9554, 64 cores", "64"),
        ("sockets", "AMD EPYC 9554, 64 cores", "1"),
        ("cores", "2 x AMD EPYC 9554, 64 cores", ""),  # the text has a quantity of its own
        ("cores", "GPU with 14592 cores", ""),
        ("memory_gb", "RDIMM 64 GB DDR5-6400", "64 GB"),
        ("memory_gb", "SSD 960 GB", ""),
        ("memory_gb", "NVIDIA H200 141 GB HBM3e", ""),
    ],
)
def test_what_one_part_states(target: str, text: str, part: str) -> None:
    assert part_stated(target, text) == part


def read(folder: Path, *, name: str = "a.xlsx") -> dict[str, dict[str, Any]]:
    """What the proposed mapping of a file reads."""
    proposal = propose([folder / name], folder)
    found: dict[str, dict[str, Any]] = {}
    for each in understood(proposal.mappings, folder, "q.toml").values:
        found.setdefault(each.node_type, {})[each.field] = each.value
    return found


def bill(rows: list[list[Any]], merged: dict[int, int], texts: list[int]) -> bytes:
    """A workbook whose labels are merged downwards, and whose rows of text are merged across."""
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    sheet = book.add_worksheet("Bill")
    for line, row in enumerate(rows):
        sheet.write_row(line, 0, row)
    for first, last in merged.items():
        sheet.merge_range(first, 0, last, 0, rows[first][0])
    for line in texts:
        sheet.merge_range(line, 1, line, 4, rows[line][1])
    book.close()
    return stream.getvalue()


BILL: list[list[Any]] = [
    ["Beispiel Rechner GmbH"],
    ["Lieferzeit:", "11 Wochen"],
    ["Knotentyp", "Komponente", "Menge", "Einzelpreis EUR", "Gesamtpreis EUR"],
    ["Knoten D\n\n30 Stück", "AMD EPYC 9554, 64 Kerne", 2, 4000, 8000],
    [None, "RDIMM 32 GB DDR5", 16, 200, 3200],
    [None, "RDIMM 64 GB DDR5", 8, 400, 3200],
    [None, "Projektnachlass", 1, -400, -400],
    [None, "Leistungsaufnahme: Leerlauf 210 W, Volllast 1.150 W"],
    ["Summe je Knoten", None, None, None, 14000],
    ["Knoten F\n\n6 Stück", "AMD EPYC 9274F, 24 Kerne", 1, 3000, 3000],
    [None, "RDIMM 32 GB DDR5", 12, 200, 2400],
    [None, "SSD 960 GB", 1, 100, 100],
    [None, "Leistungsaufnahme: Leerlauf 120 W, Volllast 640 W"],
    ["Summe je Knoten", None, None, None, 5500],
    [],
    ["Zusammenfassung"],
    ["Knotentyp", None, "Stück", "Preis je Knoten EUR", "Betrag EUR"],
    ["Knoten D", None, 30, 14000, 420000],
    ["Knoten F", None, 6, 5500, 33000],
    [None, None, None, "Angebotssumme", 453000],
]
# D: 2 x 64 cores; 16 x 32 + 8 x 64 = 1024 GB; 8000 + 3200 + 3200 - 400. F: 1 x 24; 12 x 32.
FIGURES = {
    "Knoten-D": (14000, 210, 1150, 128, 2, 1024, 11),
    "Knoten-F": (5500, 120, 640, 24, 1, 384, 11),
}
FIELDS = ("price", "idle_w", "peak_w", "cores", "sockets", "memory_gb", "lead_weeks")


@pytest.mark.parametrize("summary", [True, False])
def test_a_bill_states_power_in_rows_of_text_and_figures_of_one_part(
    tmp_path: Path, *, summary: bool
) -> None:
    rows = BILL if summary else BILL[:14]
    content = bill(rows, {3: 7, 9: 12}, [7, 12])
    (tmp_path / "a.xlsx").write_bytes(content)
    found = read(tmp_path)
    assert {name: tuple(each[key] for key in FIELDS) for name, each in found.items()} == FIGURES
    assert [each["as_bid_quantity"] for each in found.values()] == [30, 6]


@pytest.mark.parametrize("words", [("Totale di listino", "Totale netto"), ("Listino", "Da pagare")])
def test_a_rebate_without_a_price_of_one_counts_and_sums_do_not(
    tmp_path: Path, words: tuple[str, str]
) -> None:
    """A: 2 x 3000 + 12 x 150 = 7800, less 10 % is 7020. B: 2 x 2000 + 24 x 150 = 7600, 6840."""
    rows: list[list[Any]] = [
        ["Configurazione", "Descrizione", "Q.tà", "Prezzo unit. (EUR)", "Importo (EUR)"],
        ["Nodo A", "AMD EPYC 9534, 64 core", 2, 3000, 6000],
        [None, "Modulo RDIMM 32 GB DDR5", 12, 150, 1800],
        [None, words[0], None, None, 7800], [None, "Sconto 10 %", None, None, -780],
        [None, words[1], None, None, 7020],
        [None, "Potenza assorbita: 265 W a riposo, 985 W a pieno carico"],
        ["Nodo B", "AMD EPYC 9334, 32 core", 2, 2000, 4000],
        [None, "Modulo RDIMM 32 GB DDR5", 24, 150, 3600],
        [None, words[0], None, None, 7600], [None, "Sconto 10 %", None, None, -760],
        [None, words[1], None, None, 6840],
        [None, "Potenza assorbita: 240 W a riposo, 810 W a pieno carico"],
    ]  # fmt: skip
    (tmp_path / "a.xlsx").write_bytes(workbook({"Preventivo": rows}))
    found = read(tmp_path)
    assert {name: [each[key] for key in FIELDS[:-1]] for name, each in found.items()} == {
        "Nodo-A": [7020, 265, 985, 128, 2, 384], "Nodo-B": [6840, 240, 810, 64, 2, 768],
    }  # fmt: skip


def test_first_lines_that_are_equal_are_no_names(tmp_path: Path) -> None:
    rows = [[*each] for each in BILL[:14]]
    rows[3][0], rows[9][0] = "Rechenknoten\nTyp D", "Rechenknoten\nTyp F"
    (tmp_path / "a.xlsx").write_bytes(bill(rows, {3: 7, 9: 12}, [7, 12]))
    assert [*read(tmp_path)] == ["Rechenknoten-Typ-D", "Rechenknoten-Typ-F"]


PACKAGE: list[list[Any]] = [
    ["Voorbeeld Rekenen B.V."],
    ["Pos.", "Omschrijving", "Aantal", "Prijs per stuk (EUR)", "Bedrag (EUR)"],
    ["1", "Rekenknopen"],
    ["1.1", f"{NODE}, 0,31 kW / 1,25 kW, {'vloeistofkoeling, ' * 4}5 jaar", 20, 30000, 600000],
    ["1.2", "Rekenknoop R2\n1 x AMD EPYC 9354 (32 cores), 384 GB DDR5, 180 W / 700 W",
     10, 12000, 120000],
    [None, "Subtotaal rekenknopen", None, None, 720000],
    ["2", "Overig"],
    ["2.1", "Rack 48U", 2, 9000, 18000],
    ["2.2", "Switch NDR", 2, 30000, 60000],
    ["2.3", "Service per jaar", 5, 10000, 50000],
    ["2.4", "Opleiding", 2, 1000, 2000],
    [None, "Subtotaal overig", None, None, 130000],
    ["3", "Projectkorting", 1, -25000, -25000],
    [None, "Totaal exclusief btw", None, None, 825000],
    [],
    ["Opties (niet in het totaal)"],
    ["O.1", "Service jaar 6", 1, 11000],
    ["O.2", "Extra rekenknoop R2", None, 12000],
]  # fmt: skip


def test_a_package_states_node_types_in_the_texts_of_its_lines(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbook({"Prijzen": PACKAGE}))
    found = read(tmp_path)
    keys = ("price", "idle_w", "peak_w", "cores", "sockets", "memory_gb")
    assert {name: tuple(each[key] for key in keys) for name, each in found.items()} == {
        "Rekennode-R1": (30000, 310, 1250, 128, 2, 1536),
        "Rekenknoop-R2": (12000, 180, 700, 32, 1, 384),
    }


def test_options_below_the_total_and_discounts_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_bytes(workbook({"Prijzen": PACKAGE}))
    proposal = propose([tmp_path / "a.xlsx"], tmp_path)
    (offer,) = proposal.offers
    lines, questions, _ = understood_packages([offer], tmp_path)
    assert [each.kind for each in lines] == [
        "node", "node", "rack", "network", "service", "service", "other",
    ]  # fmt: skip
    assert [each.due for each in lines] == ["once"] * 7  # the total has five years of service
    assert offer.printed is not None
    assert float(offer.printed[0]) == sum(float(each.amount) for each in lines) == 825000
    assert questions == []
    assert '"Rekennode-R1"' in render(proposal, "q.toml")


def test_a_row_that_is_left_out_is_no_option(tmp_path: Path) -> None:
    rows = [*PACKAGE, ["O.3", "Optie: extra rekenknoop R2", 1, 12000, 12000]]
    (tmp_path / "a.xlsx").write_bytes(workbook({"Prijzen": rows}))
    (mapping,) = propose([tmp_path / "a.xlsx"], tmp_path).mappings
    assert not {*mapping.entry["skip_rows"]} & {*mapping.entry.get("options", {}).get("rows", ())}
    assert [*read(tmp_path)] == ["Rekennode-R1", "Rekenknoop-R2"]
