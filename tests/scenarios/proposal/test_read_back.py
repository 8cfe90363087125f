"""A proposed file reads without an error that the proposal caused: odd columns are left out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import scenarios
from scenarios.proposal.proposal import propose
from scenarios.proposal.render import render
from scenarios.proposal.understood import Understood, understood
from tests.scenarios.quote_files import workbook

HEADINGS: list[Any] = ["Model", "Unit price (EUR)", "Idle power (W)", "Max power (W)"]
SITE = (
    'format = 1\nname = "s"\ntitle = "S"\nquotes_file = "quotes.toml"\n'
    '[procurement]\ndecided_on = 2027-01-15\n[power]\nbound_w = 1e5\n[budget]\ncapital = 1e15\ncurrency = "EUR"\n'
    '[reference]\nname = "r"\nnodes = 9\ncompute_rate = 80\nbandwidth_gb_s = 150\n'
    '[[workloads]]\nname = "w"\n[workloads.performance]\nkind = "roofline"\nclock_bound = 0.5\n'
)


def proposed(folder: Path, **columns: Sequence[Any]) -> tuple[str, Understood]:
    """The file proposed for three node types with further columns, and what it reads."""
    rows = [[f"A{i}", 9000 + i, 100 + i, 400 + i] for i in range(3)]
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
    text, found = proposed(tmp_path, Quantity=["12 crates", "8 crates", 4], Cores=[64, 96, 128])
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


def test_an_error_of_a_required_field_stays(tmp_path: Path) -> None:
    """No column is left out for it, and the figure is asked for."""
    rows: list[list[Any]] = [HEADINGS, ["A1", "9-10", 100, 400], ["A2", 9000, 100, 400]]
    (tmp_path / "acme.xlsx").write_bytes(workbook({"Prices": rows}))
    proposal = propose([tmp_path / "acme.xlsx"], tmp_path)
    found = understood(proposal.mappings, tmp_path, "quotes.toml")
    assert asked(found, "price") == ["Prices!B2"]
    assert {"name", "price", "idle_w", "peak_w"} <= proposal.mappings[0].columns.keys()


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
