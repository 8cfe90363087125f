"""A proposed file reads without an error that the proposal caused: odd columns are left out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import scenarios
import scenarios.proposal.understood as reading
from scenarios.proposal.proposal import propose
from scenarios.proposal.render import render
from scenarios.proposal.understood import Understood, understood
from scenarios.quotes.reader import read_quotes
from scenarios.tables.spreadsheet import read_cells
from tests.scenarios.proposal.spoilt import spoilt
from tests.scenarios.quote_files import workbook
from tests.sizes import few

HEADINGS: list[Any] = ["Model", "Unit price (EUR)", "Idle power (W)", "Max power (W)"]
SITE = (
    'format = 1\nname = "s"\ntitle = "S"\nquotes_file = "quotes.toml"\n'
    "[procurement]\ndecided_on = 2027-01-15\n[power]\nbound_w = 1e5\n"
    '[budget]\ncapital = 1e15\ncurrency = "EUR"\n'
    '[reference]\nname = "r"\nnodes = 9\ncompute_rate = 80\nbandwidth_gb_s = 150\n'
    '[[workloads]]\nname = "w"\n[workloads.performance]\nkind = "roofline"\nclock_bound = 0.5\n'
)


def proposed(folder: Path, **columns: Sequence[Any]) -> tuple[str, Understood]:
    """The file proposed for three node types with further columns, and what it reads."""
    rows: list[list[Any]] = [[f"A{i}", 9000 + i, 100 + i, 400 + i] for i in range(3)]
    further = [[cells[i] for cells in columns.values()] for i in range(3)]
    table = [[*HEADINGS, *columns], *([*a, *b] for a, b in zip(rows, further, strict=True))]
    (folder / "acme.xlsx").write_bytes(workbook({"Prices": table}))
    proposal = propose([folder / "acme.xlsx"], folder)
    found = understood(proposal.mappings, folder, "quotes.toml")
    text = render(proposal, "quotes.toml")
    (folder / "quotes.toml").write_text(text)
    return text, found


def loaded(folder: Path) -> scenarios.Scenario:
    (folder / "site.toml").write_text(SITE)
    return scenarios.load(folder / "site.toml")


def asked(found: Understood, field: str) -> list[str]:
    return [each.found_at for each in found.questions if each.field == field]


def test_a_column_that_cannot_be_read_becomes_a_comment_and_a_question(tmp_path: Path) -> None:
    text, found = proposed(tmp_path, Quantity=["2 dozen", "1 dozen", 4], Cores=[64, 96, 128])
    assert "\nas_bid_quantity =" not in text
    assert '# or: as_bid_quantity = "Quantity", left out: Prices!E2' in text
    assert asked(found, "as_bid_quantity") == ["Prices!E2", "Prices!E3"]
    assert [each.cores for each in loaded(tmp_path).node_types] == [64, 96, 128]


def test_one_text_that_cannot_be_read_counts_as_blank(tmp_path: Path) -> None:
    text, found = proposed(tmp_path, Cores=[64, "see annex", 128])
    assert 'values = { "see annex" = "" }' in text
    assert asked(found, "cores") == ["Prices!E3"]
    assert [each.cores for each in loaded(tmp_path).node_types] == [64, None, 128]


def test_a_column_of_discounts_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    columns: dict[str, list[Any]] = {
        "Discount from 50": ["3 %", "3 %", "4 %"],
        "Discount from 100": ["5 %", 150, "6 %"],
    }
    text, _ = proposed(tmp_path, **columns)
    assert "# or: discount_columns = [{ from_quantity = 100" in text
    discounts = [each.discounts for each in loaded(tmp_path).node_types]
    assert [[(d.from_quantity, d.fraction) for d in each] for each in discounts] == [
        [(50, 0.03)], [(50, 0.03)], [(50, 0.04)],
    ]  # fmt: skip


def of_rows(folder: Path, *sheets: Sequence[Sequence[Any]], **more: Any) -> tuple[str, Understood]:
    """The file proposed for sheets, and what it reads."""
    named = {f"S{number}": rows for number, rows in enumerate(sheets)}
    (folder / "acme.xlsx").write_bytes(workbook(named, **more))
    proposal = propose([folder / "acme.xlsx"], folder)
    found = understood(proposal.mappings, folder, "quotes.toml")
    text = render(proposal, "quotes.toml")
    (folder / "quotes.toml").write_text(text)
    return text, found


def test_a_node_type_without_a_readable_price_is_left_out_and_asked_about(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        HEADINGS,
        ["A1", "9-10", 100, 400],
        ["A2", 9000, 100, 400],
        ["A3", 9000, None, 400],
    ]
    text, found = of_rows(tmp_path, rows)
    assert asked(found, "price") == ["S0!B2"]
    assert asked(found, "idle_w") == ["S0!C4"]
    assert "skip_rows = [2, 4]" in text
    assert re.search(r"skip_rows = .* # 2: S0!B2 .*; 4: S0!C4 ", text)
    assert "left out" not in text
    assert [each.name for each in loaded(tmp_path).node_types] == ["A2"]


def test_a_required_field_falls_back_to_the_next_best_column(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Model", "Unit price (EUR)", "Idle power (W)", "Peak power (W)", "Max. power draw"],
        *([f"A{i}", 9000, 100, f"{i + 400} VA", f"{300 + i} W"] for i in range(3)),
    ]
    text, _ = of_rows(tmp_path, rows)
    assert [each.peak_w for each in loaded(tmp_path).node_types] == [300, 301, 302]
    assert "left out: S0!D2" in text


def test_a_required_field_that_no_sheet_states_is_named(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        HEADINGS,
        ["A1", 9000, 100, "on demand"],
        ["A2", 9000, 100, "see annex"],
    ]
    text, _ = of_rows(tmp_path, rows)
    assert "# peak_w: no column was found" in text
    with pytest.raises(scenarios.ScenarioError, match="there is no column for peak_w"):
        loaded(tmp_path)


def test_an_error_of_a_heading_does_not_hide_those_of_its_cells(tmp_path: Path) -> None:
    text, _ = proposed(tmp_path, **{"Clock speed (base)": ["2,4", "about 3", "3-4"]})
    assert "\nclock_ghz =" not in text
    assert len(loaded(tmp_path).node_types) == 3


def test_brackets_and_marks_that_are_no_units_are_passed_over(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        [
            "Model",
            "Unit price (EUR)",
            "Idle power (OS booted)",
            "Peak power (HPL)",
            "Memory (DDR5)",
        ],
        ["A1", 9000, "100 W", "400 W \N{SUPERSCRIPT ONE}", "768 GB"],
        ["A2", 9000, "110 W", "1 410 W (HPL)", "768 GB*"],
    ]
    of_rows(tmp_path, rows)
    types = loaded(tmp_path).node_types
    assert [(each.idle_w, each.peak_w, each.memory_gb) for each in types] == [
        (100, 400, 768), (110, 1410, 768),
    ]  # fmt: skip


def test_a_merged_note_below_a_joined_table_is_not_read(tmp_path: Path) -> None:
    technical: list[list[Any]] = [
        ["Part no.", "Idle power (W)", "Max power (W)"], ["P-1", 100, 400], ["P-2", 110, 410], [],
        ["\N{SUPERSCRIPT TWO} Measured at the plug."],
    ]  # fmt: skip
    prices: list[list[Any]] = [
        ["Part no.", "Model", "Unit price (EUR)"],
        ["P-1", "A1", 9000],
        ["P-2", "A2", 9900],
    ]
    of_rows(tmp_path, technical, prices, merged=("A5:C5",))
    assert [each.peak_w for each in loaded(tmp_path).node_types] == [400, 410]


def test_rows_of_a_joined_table_that_are_left_out_have_a_reason(tmp_path: Path) -> None:
    (tmp_path / "acme.csv").write_text(
        "Part no.;Model;Unit price (EUR)\nP-1;A1;9000\nP-2;A2;9900\n\n"
        "Part no.;Idle power (W);Max power (W)\nP-1;100;400\nP-2;110;410\n"
        "P-8;measured;at;the plug\nP-9;measured;at;the plug\n"
    )
    proposal = propose([tmp_path / "acme.csv"], tmp_path)
    understood(proposal.mappings, tmp_path, "quotes.toml")
    text = render(proposal, "quotes.toml")
    assert "skip_rows = [8, 9]" in text
    assert "left out: 8, and 1 more: D8 is to the right of the last heading" in text


def test_options_whose_text_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        HEADINGS, ["A1", 9000, 100, 400], ["Option: NVMe", 500], ["Option: liquid", "+ 10 %"],
        ["A2", 9900, 110, 440],
    ]  # fmt: skip
    text, _ = of_rows(tmp_path, rows)
    assert "# 4: S0!" in text
    assert [each.name for each in loaded(tmp_path).node_types] == ["A1", "A1-NVMe", "A2"]


def test_an_option_and_a_node_type_without_a_price_do_not_hide_another_node_type(
    tmp_path: Path,
) -> None:
    rows: list[list[Any]] = [
        HEADINGS, ["A1", 9000, 100, 400], ["Option: liquid", "+ 10 %"],
        ["A2", "9-10", 110, 440], ["A3", 9900, 120, 480],
    ]  # fmt: skip
    text, _ = of_rows(tmp_path, rows)
    assert "skip_rows = [3, 4]" in text
    assert [each.name for each in loaded(tmp_path).node_types] == ["A1", "A3"]


def test_fields_of_parts_that_cannot_be_read_are_left_out_together(tmp_path: Path) -> None:
    """Half a processor does not exist, but a price may be of half a quantity."""
    rows: list[list[Any]] = [["Node", "Component", "Qty", "Unit price (EUR)"]]
    for name, cores in (("A1", 65), ("A2", 95)):
        rows += [
            [name, "Chassis", 1, 1500],
            [None, f"AMD EPYC, {cores} cores", 0.5, 3000],
            [None, "Power: 100 W idle, 400 W max", None, None],
        ]
    text, _ = of_rows(tmp_path, rows)
    assert "per_part" not in text
    assert "left out: S0!B3" in text
    assert [each.price for each in loaded(tmp_path).node_types] == [3000, 3000]


def test_names_that_two_tables_have_are_read_once(tmp_path: Path) -> None:
    table: list[list[Any]] = [HEADINGS, ["A1", 9000, 100, 400], ["A2", 9900, 110, 440]]
    text, _ = of_rows(tmp_path, table, [*table[:2], ["A3", 9999, 120, 450]], table)
    assert [each.name for each in loaded(tmp_path).node_types] == ["A1", "A2", "A3"]
    assert "all node types of the table at S2!A1 are in another table" in text


def test_of_equal_tables_in_a_file_the_fuller_one_is_read(tmp_path: Path) -> None:
    detail = [[*HEADINGS, "Cores"], ["A1", 9000, 100, 400, 64], ["A2", 9900, 110, 440, 96]]
    summary = [[row[0], row[1], row[3]] for row in detail]
    text, _ = of_rows(tmp_path, summary, detail)
    assert "all node types of the table at S0!A1 are in another table" in text
    assert [each.cores for each in loaded(tmp_path).node_types] == [64, 96]


def test_vendors_may_sell_types_of_the_same_name(tmp_path: Path) -> None:
    for name, price in (("Alpha", 9000), ("Beta", 8000)):
        table = [[f"Vendor: {name}"], HEADINGS, ["Standard node", price, 100, 400]]
        (tmp_path / f"{name}.xlsx").write_bytes(workbook({"S": table}))
    proposal = propose([tmp_path / "Alpha.xlsx", tmp_path / "Beta.xlsx"], tmp_path)
    found = understood(proposal.mappings, tmp_path, "quotes.toml")
    prices = {each.vendor: each.value for each in found.values if each.field == "price"}
    assert prices == {"Alpha": 9000, "Beta": 8000}
    (asked,) = (each for each in found.questions if each.field == "name")
    assert asked.vendor == "Beta"
    assert "like Alpha.xlsx: S!A3; rename one of them" in asked.question


def test_many_errors_of_a_column_are_one_try_and_the_sheet_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sheets, tries = Mock(side_effect=read_cells), Mock(side_effect=read_quotes)
    monkeypatch.setattr(reading, "read_cells", sheets)
    monkeypatch.setattr(reading, "read_quotes", tries)
    prices: list[Any] = ["see 12 annex x" if i % 5 < 2 else 9000 + i for i in range(60)]
    of_rows(tmp_path, [HEADINGS, *([f"A{i}", each, 100, 400] for i, each in enumerate(prices))])
    assert sheets.call_count == 1
    assert tries.call_count == 2
    assert len(loaded(tmp_path).node_types) == 36


@pytest.mark.parametrize("merged", [{}, {"B1:C1": "Preis je Stück"}])
def test_the_tax_of_the_chosen_price_decides(merged: dict[str, str], tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Modell", "Preis je Stück", None, "Leerlauf (W)", "Volllast (W)"],
        [None, "netto EUR", "inkl. 19 % MwSt. EUR", None, None],
        ["A1", 10000, 11900, 100, 400],
        ["A2", 20000, 23800, 110, 440],
    ]
    text, _ = of_rows(tmp_path, rows, merged=merged)
    assert "vat =" not in text
    assert "VAT: prices are net (S0!B" in text
    assert [each.price for each in loaded(tmp_path).node_types] == [10000, 20000]


def test_footnotes_and_titles_are_no_labels_of_a_turned_table(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Valid until:", "2027-07-05"],
        ["Kenmerk", "Eenheid", "R2", "M2"],
        ["Artikelnummer", None, "PR-R2", "PR-M2"],
        ["Vermogen in rust", "W", 285, 365],
        ["Piekvermogen", "kW", 1.12, 1.26],
        ["Prijs per node", "EUR", 13250, 31980],
        ["* Vermogens gemeten aan de stekker, piek bij LINPACK."],
    ]
    text, _ = of_rows(tmp_path, rows)
    assert "units_row = 2" in text
    types = loaded(tmp_path).node_types
    assert [(each.name, each.idle_w, each.peak_w) for each in types] == [
        ("R2", 285, 1120), ("M2", 365, 1260),
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(few(240)))
def test_a_proposal_never_has_an_error_that_it_caused(seed: int, tmp_path: Path) -> None:
    """A spoilt sheet is refused, or the file reads, or it names the required field that lacks."""
    try:
        proposal = propose([spoilt(seed, tmp_path)], tmp_path)
    except scenarios.ScenarioError:
        return
    understood(proposal.mappings, tmp_path, "quotes.toml")
    text = render(proposal, "quotes.toml")
    (tmp_path / "quotes.toml").write_text(text)
    currency = next((each.currency for each in proposal.mappings if each.currency), "EUR")
    if not proposal.mappings or any(each.currency != currency for each in proposal.mappings):
        return  # a lot or a rate is to be written
    (tmp_path / "site.toml").write_text(SITE.replace('"EUR"', f'"{currency}"'))
    try:
        scenarios.load(tmp_path / "site.toml")
    except scenarios.ScenarioError as error:
        for fault in error.faults:
            assert fault.message.startswith("there is no column for "), str(fault)
            fields = fault.message.split(";")[0].removeprefix("there is no column for ").split(", ")
            assert all(f"# {each}: no column was found" in text for each in fields)


@pytest.mark.parametrize(
    ("pieces", "none"),
    [("ks", "bez slevy"), ("Stk", "kein Rabatt"), ("pièces", "pas de remise"),
     ("un", "sem desconto"), ("stuks", "geen korting"), ("szt.", "brak rabatu"),
     ("st", "ingen rabatt"), ("pcs", "no discount")],
)  # fmt: skip
def test_pieces_and_denied_discounts(pieces: str, none: str, tmp_path: Path) -> None:
    quantities = [f"{number} {pieces}" for number in (48, 6, 30)]
    discounts = ["50: 4 %; 100: 6 %", none, none]
    text, _ = proposed(tmp_path, **{"Quantity": quantities, "Volume discount": discounts})
    assert "left out" not in text
    types = loaded(tmp_path).node_types
    assert [each.as_bid_quantity for each in types] == [48, 6, 30]
    assert [len(each.discounts) for each in types] == [2, 0, 0]


def test_figures_in_the_description_of_a_node(tmp_path: Path) -> None:
    texts = [
        f"2 x EPYC ({cores} cores, 2.4 GHz), 2 x 960 GB SSD, {memory} GB DDR5-4800"
        for cores, memory in ((48, 512), (64, 768), (96, 1024))
    ]
    proposed(tmp_path, Description=texts)
    types = loaded(tmp_path).node_types
    assert [(each.sockets, each.cores, each.memory_gb) for each in types] == [
        (2, 96, 512), (2, 128, 768), (2, 192, 1024),
    ]  # fmt: skip


def test_discounts_by_prices_for_quantities_are_a_comment(tmp_path: Path) -> None:
    """16,800 less 4 % is 16,128 and less 6 % is 15,792; the third type is not sold by hundreds."""
    rows: list[list[Any]] = [
        ["Model", "Unit price (EUR)", None, None, "Power (W)", None],
        [None, "1\N{EN DASH}99", "100\N{EN DASH}199", "200+", "Idle", "Max."],
        ["C2", 16800, 16128, 15792, 225, 1040],
        ["M2", 21500, 20640, 20210, 250, 1085],
        ["G4", 182000, "on request", "on request", 950, 4600],
    ]
    (tmp_path / "acme.xlsx").write_bytes(workbook({"Prices": rows}))
    text = render(propose([tmp_path / "acme.xlsx"], tmp_path), "quotes.toml")
    assert '# or: discounts = { value = "100: 4 %; 200: 6 %" }, by the prices' in text


def test_spellings_of_one_text_have_one_meaning(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        [*HEADINGS, "Cores"], ["a", 9000, 100, 400, "n/a"], ["A", 9900, 110, 440, "N/A"],
        *([f"B{i}", 9000, 100, 400, 64] for i in range(4)),
        ["Delivery: B1 9 weeks, others 12 weeks"],
    ]  # fmt: skip
    (tmp_path / "acme.xlsx").write_bytes(workbook({"Prices": rows}))
    (mapping,) = propose([tmp_path / "acme.xlsx"], tmp_path).mappings
    understood([mapping], tmp_path, "quotes.toml")
    assert mapping.columns["cores"]["values"] == {"n/a": ""}
    weeks = mapping.columns["lead_weeks"]["values"]
    assert weeks == {"A": 12, "B0": 12, "B1": 9, "B2": 12, "B3": 12}


def test_discounts_of_a_note_with_names_of_models(tmp_path: Path) -> None:
    note = "Discount on HC-2100 and HC-2200: from 100 pieces 4 %, from 200 pieces 7 %."
    rows: list[list[Any]] = [HEADINGS, ["A1", 9000, 100, 400], ["A2", 9900, 110, 440], [note]]
    (tmp_path / "acme.xlsx").write_bytes(workbook({"Prices": rows}))
    text = render(propose([tmp_path / "acme.xlsx"], tmp_path), "quotes.toml")
    assert '# or: discounts = { value = "100: 4 %; 200: 7 %" }' in text


def test_the_first_row_of_a_csv_is_no_second_row_of_headings(tmp_path: Path) -> None:
    (tmp_path / "proposta.csv").write_text(
        "Beira Sistemas Lda.;;;;;;;\n;;;;;;;\n"
        "Ref.;Designação;Qtd.;N.º de CPU;Núcleos por CPU;Freq. base (GHz);Memória (GB);Discos;"
        "Consumo em repouso (W);Consumo máximo (W);Preço unitário (EUR);Prazo (semanas);"
        "Desconto a partir de 50 un.;Desconto a partir de 100 un.\n"
        "B-1;Nó de cálculo;40;2;96;2,40;768;NVMe 1,92 TB;210;1.010;17.850,00;10;3,0 %;5,0 %\n"
        "B-2;Nó grande;16;2;96;2,40;1.536;NVMe 1,92 TB;245;1.090;22.480,00;10;3,0 %;5,0 %\n"
        "B-3;Nó GPU;4;2;48;2,10;1.024;2x NVMe 3,84 TB;820;4.100;148.900,00;16;-;-\n"
    )
    (mapping,) = propose([tmp_path / "proposta.csv"], tmp_path).mappings
    assert mapping.entry["header_row"] == 3
    assert len(mapping.rows.quotes) == 3
