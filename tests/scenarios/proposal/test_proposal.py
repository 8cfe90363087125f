"""What a proposal says: choices, contradictions, missing figures; and what it refuses."""

from __future__ import annotations

import io
import tomllib
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
import xlsxwriter

from scenarios.faults import ScenarioError
from scenarios.model.quote_mapping import QuoteTable
from scenarios.proposal.earlier import earlier_layout
from scenarios.proposal.proposal import Proposal, propose
from scenarios.proposal.render import render
from scenarios.proposal.understood import understood
from tests.scenarios.quote_files import workbook
from tests.sizes import few

HEADINGS: list[Any] = ["Model", "Unit price (EUR)", "Idle power (W)", "Max power (W)", "Cores"]
ROWS: list[list[Any]] = [["A1", 9000, 100, 400, 64], ["A2", 12000, 150, 700, 128]]


def proposed(folder: Path, rows: Sequence[Sequence[Any]], name: str = "acme.xlsx") -> Proposal:
    (folder / name).write_bytes(workbook({"Prices": rows}))
    return propose([folder / name], folder)


def questions(folder: Path, rows: Sequence[Sequence[Any]]) -> list[tuple[str, str, str]]:
    proposal = proposed(folder, rows)
    found = understood(proposal.mappings, folder, "q.toml").questions
    return [(each.node_type, each.field, each.found_at) for each in found]


def refused(path: Path) -> str:
    with pytest.raises(ScenarioError) as error:
        propose([path], path.parent)
    return str(error.value)


def test_the_written_file_is_the_mapping_that_was_understood(tmp_path: Path) -> None:
    proposal = proposed(tmp_path, [["Offer of Acme Ltd"], [], HEADINGS, *ROWS, ["Total", 21000]])
    written = tomllib.loads(render(proposal, "quotes.toml"))["quotes"]
    assert written == [mapping.entry for mapping in proposal.mappings]
    assert QuoteTable.model_validate(written[0]).header_row == 3
    assert written[0]["columns"]["vendor"] == {"value": "Acme Ltd"}


def test_each_value_has_its_cell(tmp_path: Path) -> None:
    proposal = proposed(tmp_path, [HEADINGS, *ROWS])
    values = understood(proposal.mappings, tmp_path, "q.toml").values
    stated = {(each.node_type, each.field): (each.value, each.unit, each.place) for each in values}
    assert stated["A2", "price"] == (12000.0, "EUR", "Prices!B3")
    assert stated["A1", "peak_w"] == (400.0, "W", "Prices!D2")


def test_what_no_sheet_states_is_asked_for(tmp_path: Path) -> None:
    rows = [HEADINGS, ["A1", 9000, None, 400, 64], ROWS[1]]
    asked = questions(tmp_path, rows)
    assert ("A1", "idle_w", "Prices!C2") in asked
    assert ("A1", "memory_gb", "Prices!A2") in asked
    assert ("A2", "idle_w", "Prices!C3") not in asked


def test_two_cells_that_disagree_are_asked_about(tmp_path: Path) -> None:
    headings = [*HEADINGS, "Peak power (kW)"]
    rows = [headings, [*ROWS[0], 0.5], [*ROWS[1], 0.7]]
    asked = questions(tmp_path, rows)
    assert ("A1", "peak_w", "Prices!D2, Prices!F2") in asked
    assert not any(each[:2] == ("A2", "peak_w") for each in asked)


def test_a_line_total_that_does_not_fit_is_asked_about(tmp_path: Path) -> None:
    headings = [*HEADINGS, "Qty", "Line total (EUR)"]
    rows = [headings, [*ROWS[0], 10, 90000], [*ROWS[1], 10, 130000]]
    asked = questions(tmp_path, rows)
    assert ("A2", "price", "Prices!G3") in asked
    assert not any(each[:2] == ("A1", "price") for each in asked)


def test_options_of_a_price_of_several_nodes_are_left_out(tmp_path: Path) -> None:
    headings = ["Model", "Qty", "Total price (EUR)", *HEADINGS[2:]]
    rows = [headings, ["A1", 10, 90000, 100, 400, 64], ["Option: 1 TB", 10, 5000]]
    (mapping,) = proposed(tmp_path, rows).mappings
    assert mapping.columns["total_price"] == "Total price (EUR)"
    assert mapping.entry["skip_rows"] == [3]
    values = understood([mapping], tmp_path, "q.toml").values
    assert [each.value for each in values if each.field == "price"] == [9000]


def test_an_option_may_be_named_in_the_column_of_part_numbers(tmp_path: Path) -> None:
    headings = ["Art. no.", *HEADINGS, "Memory (GB)"]
    rows = [headings, ["N-1", *ROWS[0], 512], ["Option: memory", None, "+ 900.00 for 1,024 GB"]]
    note = "Delivery: N-1 9 weeks, N-2 12 weeks"
    (mapping,) = proposed(tmp_path, [*rows, ["N-2", *ROWS[1], 768], [], [note]]).mappings
    values = understood([mapping], tmp_path, "q.toml").values
    found = {(each.node_type, each.field): each.value for each in values}
    assert [found["A1-1024GB", key] for key in ("price", "memory_gb", "lead_weeks")] == [
        9900, 1024, 9,
    ]  # fmt: skip
    assert (found["A1-1024GB", "part_number"], found["A2", "lead_weeks"]) == ("N-1", 12)


def test_a_part_that_cannot_be_read_is_asked_about(tmp_path: Path) -> None:
    headings = ["Node type", "Component", "Qty", *HEADINGS[1:4]]
    rows: list[list[Any]] = [headings, ["A1", "Board", 1, 9000, 100, 400], ["", "RAM", 2, "3-4"]]
    asked = questions(tmp_path, [*rows, ["", "Case", 1, 700]])
    assert ("A1", "price", "Prices!D3") in asked
    assert {name for name, _, _ in asked} == {"A1"}


def test_an_idle_power_above_the_peak_is_asked_about(tmp_path: Path) -> None:
    rows = [HEADINGS, ["A1", 9000, 500, 400, 64], ROWS[1]]
    asked = questions(tmp_path, rows)
    assert any(name == "A1" and field in {"idle_w", "peak_w"} for name, field, _ in asked)


def test_a_gross_price_without_a_rate_is_pointed_out(tmp_path: Path) -> None:
    proposal = proposed(tmp_path, [["Prices include VAT"], HEADINGS, *ROWS])
    assert "vat" not in proposal.mappings[0].entry
    assert "prices are gross" in render(proposal, "q.toml")


def test_the_rate_of_a_note_is_that_of_a_gross_heading(tmp_path: Path) -> None:
    headings = [f"{each} (incl. VAT)" if "price" in each else each for each in HEADINGS]
    proposal = proposed(tmp_path, [["All prices include VAT of 21 %"], headings, *ROWS])
    assert proposal.mappings[0].entry["vat"] == 0.21


def test_an_earlier_layout_decides(tmp_path: Path) -> None:
    old = tmp_path / "old.toml"
    old.write_text(
        '[[quotes]]\nfile = "x.csv"\n[quotes.columns]\nname = "Model"\nprice = "Offer"\n'
        'peak_w = { heading = "Draw", unit = "kW" }\nidle_w = "Gone"\n'
    )
    rows: list[list[Any]] = [
        ["Model", "Unit price", "Offer", "Idle power (W)", "Draw"],
        ["A", 9, 8000, 90, 0.4],
    ]
    (tmp_path / "acme.xlsx").write_bytes(workbook({"Prices": rows}))
    proposal = propose([tmp_path / "acme.xlsx"], tmp_path, earlier_layout(old))
    columns = proposal.mappings[0].columns
    assert columns["price"] == "Offer"
    assert columns["peak_w"] == {"heading": "Draw", "unit": "kW"}
    assert "'Gone' for idle_w" in proposal.remarks[0]
    assert "as in old.toml" in render(proposal, "q.toml")


def test_a_file_without_a_table_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({"S": [["Dear Sirs"], ["we offer", "nothing"]]}))
    assert "no row of headings" in refused(path)
    path.write_bytes(
        workbook({"S": [["Model", *HEADINGS[2:]], *[row[:1] + row[2:] for row in ROWS]]})
    )
    assert "no column of prices" in refused(path)


def test_a_column_of_money_without_a_known_word_is_proposed_with_a_question(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Model", *HEADINGS[2:4], "Xyzzy (EUR)"], ["A1", 100, 400, 91]]
    proposal = proposed(tmp_path, rows)
    assert proposal.mappings[0].columns["price"] == "Xyzzy (EUR)"
    found = understood(proposal.mappings, tmp_path, "q.toml")
    assert [each.value for each in found.values if each.field == "price"] == [91]
    asked = {(each.field, each.found_at): each.question for each in found.questions}
    assert asked["price", "Prices!D2"].startswith("Is 'Xyzzy (EUR)' the price?")


def test_rows_that_state_only_a_price_are_proposed_with_questions(tmp_path: Path) -> None:
    rows: list[list[Any]] = [HEADINGS, *([*row[:2], None, None, None] for row in ROWS)]
    (mapping,) = proposed(tmp_path, rows).mappings
    assert mapping.columns["price"] == HEADINGS[1]
    assert {("A1", "idle_w"), ("A2", "peak_w")} <= {each[:2] for each in questions(tmp_path, rows)}


def test_what_is_no_sheet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"%PDF-1.7")
    assert str(path) in refused(path)
    assert str(tmp_path / "none.csv") in refused(tmp_path / "none.csv")


def test_a_file_in_another_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    path = tmp_path / "a.csv"
    path.write_text("Model,Price\nA,1\n")
    with pytest.raises(ScenarioError, match="is not in the folder"):
        propose([path], tmp_path / "in")


def test_a_workbook_of_fifty_sheets_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({f"S{number}": [HEADINGS] for number in range(50)}))
    assert "has 50 sheets" in refused(path)


def test_formulas_without_values_are_named(tmp_path: Path) -> None:
    rows = [HEADINGS, ["A1", "=1+1", "=1+1", "=1+1", "=1+1"]]
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({"S": rows}))
    message = refused(path) if not _proposes(path) else "\n".join(propose([path], tmp_path).remarks)
    assert "formulas without stored values" in message
    assert "S!B2" in message


def _proposes(path: Path) -> bool:
    try:
        propose([path], path.parent)
    except ScenarioError:
        return False
    return True


def test_a_hidden_sheet_is_read_and_named(tmp_path: Path) -> None:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream)
    book.add_worksheet("Cover").write_string(0, 0, "Acme Ltd")
    sheet = book.add_worksheet("Prices")
    for line, row in enumerate([HEADINGS, *ROWS]):
        sheet.write_row(line, 0, row)
    sheet.hide()
    book.close()
    (tmp_path / "a.xlsx").write_bytes(stream.getvalue())
    proposal = propose([tmp_path / "a.xlsx"], tmp_path)
    assert any("'Prices' is hidden" in each for each in proposal.remarks)


def test_several_currencies_are_named(tmp_path: Path) -> None:
    dollars = ["Model", "Unit price (USD)", *HEADINGS[2:]]
    sheets = {"Home": [HEADINGS, *ROWS], "Abroad": [dollars, *ROWS]}
    (tmp_path / "a.xlsx").write_bytes(workbook(sheets))
    remarks = propose([tmp_path / "a.xlsx"], tmp_path).remarks
    assert any("prices in EUR, USD" in each for each in remarks)


@pytest.mark.parametrize("seed", range(few(80)))
def test_no_sheet_breaks_the_proposal(seed: int, tmp_path: Path) -> None:
    """Cells at random: words of headings, numbers, blanks, dates, signs."""
    rng = Random(seed)
    cells = [*HEADINGS, "Total", "12 kW", "3,5", "1.234,5", "-", "", None, 7, 0.25, "Qty", "€", "%"]
    cells += ["Discount from 100 [%]", "Options", "+ 3,800.00 for 1,536 GB", "Support p.a. [EUR]"]
    cells += ["=1+1", "Part no.", "31.12.2027", "\N{SNOWMAN}", "Component", "A\nB", "'x'", '"', "#"]
    rows = [[rng.choice(cells) for _ in range(rng.randint(1, 9))] for _ in range(rng.randint(1, 9))]
    rows.insert(rng.randint(0, len(rows)), rng.sample(HEADINGS, len(HEADINGS)))
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook({"S": rows}))
    try:
        proposal = propose([path], tmp_path)
        understood(proposal.mappings, tmp_path, "q.toml")
    except ScenarioError:
        return
    written = tomllib.loads(render(proposal, "q.toml"))["quotes"]
    assert written == [mapping.entry for mapping in proposal.mappings]


REBATED: list[list[Any]] = [
    ["Model", "List price (EUR)", "Discount", "Idle power (W)", "Max power (W)"],
    ["A1", 10000, "35 %", 100, 400],
    ["A2", 20000, "30 %", 150, 700],
]


def test_a_rebate_is_told_by_the_numbers(tmp_path: Path) -> None:
    rows = [[*row, price] for row, price in zip(REBATED, ("Your (EUR)", 6500, 14000), strict=True)]
    proposal = proposed(tmp_path, rows)
    assert proposal.mappings[0].columns["price"] == "Your (EUR)"
    assert {"rebate", "discounts"}.isdisjoint(proposal.mappings[0].columns)
    assert "net: 'List price (EUR)' less 'Discount'" in render(proposal, "q.toml")
    assert proposed(tmp_path, REBATED).mappings[0].columns["rebate"] == "Discount"
    rows = [["Model", "Price (EUR)", *REBATED[0][2:]], *REBATED[1:]]
    proposal = proposed(tmp_path, rows)
    assert "rebate" not in proposal.mappings[0].columns
    assert "# or: rebate = 'Discount', if the price is a list price" in render(proposal, "q.toml")


def test_a_guess_says_so_and_never_takes_what_a_word_names(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        [
            "Xa",
            "Xb (EUR)",
            "Xc (W)",
            "Xd (W)",
            "Xe (GB)",
            "GPU memory (GB)",
            "Xf (EUR)",
            "Xg",
            "Xh (EUR)",
        ],
        ["A1", 9000, 400, 100, 512, 80, 900, 7, 63000],
        ["A2", 9500, 700, 150, 768, 80, 990, 3, 28500],
    ]
    proposal = proposed(tmp_path, rows)
    columns = proposal.mappings[0].columns
    named = {key: columns[key] for key in ("name", "price", "idle_w", "peak_w", "memory_gb")}
    assert named == {
        "name": "Xa", "price": "Xb (EUR)", "idle_w": "Xd (W)", "peak_w": "Xc (W)",
        "memory_gb": "Xe (GB)",
    }  # fmt: skip
    assert render(proposal, "q.toml").count("guessed from unit and values") == 4


def test_powers_that_cross_are_not_guessed(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Model", "Price (EUR)", "Xc (W)", "Xd (W)"], ["A1", 9000, 400, 100], ["A2", 9500, 70, 150],
    ]  # fmt: skip
    assert {"idle_w", "peak_w"}.isdisjoint(proposed(tmp_path, rows).mappings[0].columns)


def test_a_row_of_values_is_no_row_of_headings(tmp_path: Path) -> None:
    rows: list[list[Any]] = [["Model", "Price", "Memory", "Idle power", "Max power", "Delivery"]]
    rows += [
        [
            f"Node {i}",
            f"{9 + i},000.00 EUR",
            f"{128 * i} GB",
            f"{90 + i} W",
            f"{400 + i} W",
            "9 weeks",
        ]
        for i in range(1, 8)
    ]
    (mapping,) = proposed(tmp_path, rows).mappings
    assert mapping.entry["header_row"] == 1
    assert len(mapping.rows.quotes) == 7
