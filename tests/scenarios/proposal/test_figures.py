"""Cells that state several figures, and notes that correct or add to what cells state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from scenarios.proposal.figures import figure_in
from scenarios.proposal.render import render
from scenarios.proposal.understood import understood
from tests.scenarios.proposal.test_proposal import HEADINGS, proposed

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("target", "text", "heading", "part"),
    [
        ("memory_gb", "768 GB; 24 x 32 GB DDR5-6400", "RAM", "768 GB"),
        ("memory_gb", "1,5 To (24 \u00d7 64 Go)", "RAM", "1536 GB"),  # 24 x 64
        ("memory_gb", "2 TB (24 x 64 GB)", "RAM", "2 TB"),  # 1536 is not about 2000
        ("memory_gb", "16 x 128 GB", "RAM", "2048 GB"),
        ("memory_gb", "2.304 GB (24 x 96 GB DDR5)", "Memoria", "2304 GB"),  # 24 x 96
        ("memory_gb", "1.536 GB DDR5", "RAM", "1536 GB"),  # no node has so little
        ("memory_gb", "1.536 TB", "RAM", "1.536 TB"),
        ("memory_gb", "DDR5", "RAM", ""),
        ("sockets", "2 \u00d7 Xeon 6972P, 2,4 GHz", "CPU", "2"),
        ("sockets", "Xeon 6972P", "CPU", ""),
        ("cores_per_socket", "2 x EPYC 9454 (48 n\u00facleos, 2,75 GHz)", "CPU", "48"),
        ("clock_ghz", "2 x EPYC 9454 (48 cores, 2.75 GHz)", "CPU", "2.75 GHz"),
        ("clock_ghz", "2.75 GHz, 3.8 GHz boost", "CPU", ""),  # two of them
        ("vector_bits", "Xeon 6972P (AVX-512)", "CPU", "AVX-512"),
        ("vector_bits", "Xeon 6972P", "CPU", ""),
        ("bandwidth_gb_s", "768 GB, 921,6 GB/s", "RAM", "921,6 GB/s"),
        ("idle_w", "295 / 1\u202f210", "Idle / max. [W]", "295"),
        ("peak_w", "295 / 1\u202f210 W", "Idle / max.", "1 210 W"),
        ("idle_w", "295 / 1210 W", "Idle / max.", "295 W"),
        ("idle_w", "1210 / 295", "Max. / idle [W]", "295"),
        ("idle_w", "295 / 1210", "Power [W]", ""),  # nothing says which is which
        ("peak_w", "max. 985 W, idle 235 W", "Power", "985 W"),
        ("as_bid_quantity", "24 chassis (96 nodes)", "Qty", "96"),
        ("lead_weeks", "10 tyg. od zam\u00f3wienia", "Lead", "10 weeks"),
        ("lead_weeks", "8 weeks, spare parts 2 weeks", "Lead", ""),
        ("discounts", "od 50 szt. \u2013 3 %; od 100 szt. \u2013 5 %", "", "50: 3 %; 100: 5 %"),
        ("discounts", "3 % or 5 % from 100", "", ""),
        ("price", "82.400,00 \u20ac; = 20.600,00 \u20ac per node", "", "20.600,00 EUR"),
        ("price", "list 31,900 EUR; our offer 27,750 EUR", "", "27,750 EUR"),
        ("price", "31,900 EUR; 27,750 EUR", "", ""),
        ("cooling", "air; 12 fans", "", ""),
    ],
)
def test_the_part_of_a_text_that_counts(target: str, text: str, heading: str, part: str) -> None:
    assert figure_in(target, text, heading) == part


def stated(folder: Path, rows: list[list[Any]]) -> dict[tuple[str, str], Any]:
    found = understood(proposed(folder, rows).mappings, folder, "q.toml")
    return {(each.node_type, each.field): each.value for each in found.values}


def test_one_column_may_state_two_fields(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["Model", "Unit price (EUR)", "Power idle / max (W)", "CPU"],
        ["A1", 9000, "100 / 400", "2 x Xeon (48 cores, AVX2, 2.5 GHz)"],
        ["A2", 12000, "150 / 1 700", "1 x Xeon (64 cores, AVX-512, 2 GHz)"],
    ]
    found = stated(tmp_path, rows)
    powers = [found[name, field] for name in ("A1", "A2") for field in ("idle_w", "peak_w")]
    assert powers == [100, 400, 150, 1700]
    # 2 x 48 x 2.5 x 1 and 64 x 2 x 2
    assert [found["A1", "compute_rate"], found["A2", "compute_rate"]] == [240, 256]


def test_the_width_is_asked_for_where_a_clock_needs_it(tmp_path: Path) -> None:
    rows: list[list[Any]] = [[*HEADINGS, "Clock (GHz)"], ["A1", 9000, 100, 400, 64, 2.5]]
    found = understood(proposed(tmp_path, rows).mappings, tmp_path, "q.toml")
    assert {each.node_type for each in found.values} == {"A1"}
    assert "vector_bits" in {each.field for each in found.questions}
    found = understood(
        proposed(tmp_path, [HEADINGS, ["A1", 9000, 100, 400, 64]]).mappings, tmp_path, "q.toml"
    )
    assert "vector_bits" not in {each.field for each in found.questions}


def test_a_footnote_with_an_amount_is_a_question(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        HEADINGS, ["A1 (*)", 9000, 100, 400, 64], ["A2", 12000, 150, 700, 128],
        ["(*) Correction: the price is 8,700 EUR"], ["* Delivery costs 300 EUR"],
    ]  # fmt: skip
    found = understood(proposed(tmp_path, rows).mappings, tmp_path, "q.toml").questions
    asked = [each for each in found if "footnote" in each.question]
    assert [(each.node_type, each.field, each.found_at) for each in asked] == [
        ("A1", "price", "Prices!A4")
    ]
    assert "8,700 EUR" in asked[0].question


def test_discounts_of_a_note_hold_for_all(tmp_path: Path) -> None:
    note = "Volume discount: 3 % from 120 nodes, 5 % from 160 nodes. Ask us for more."
    proposal = proposed(tmp_path, [HEADINGS, ["A1", 9000, 100, 400, 64], [], [note]])
    assert proposal.mappings[0].columns["discounts"] == {"value": "120: 3 %; 160: 5 %"}
    assert f"# Prices!A4: '{note}'" in render(proposal, "q.toml")


def test_other_discounts_of_a_note_are_a_remark(tmp_path: Path) -> None:
    """Early payment, and what the prices contain already."""
    for note, value in {
        "Discount of 2 % for payment within 14 days": "14: 2 %",
        "Prices include a discount of 3 % from 120 nodes (included in all prices)": "120: 3 %",
    }.items():
        proposal = proposed(tmp_path, [HEADINGS, ["A1", 9000, 100, 400, 64], [], [note]])
        line = f'discounts = {{ value = "{value}" }}'
        assert any(line in each for each in proposal.remarks)
        assert f"# or: {line}" in render(proposal, "q.toml")


def test_a_decimal_comma_of_discounts_counts(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        [*HEADINGS, "from 40 [%]", "from 80 [%]"],
        ["A1", 9000, 100, 400, 64, "2,5 %", "4 %"],
        ["A2", 12000, 150, 700, 128, "n/a", "n/a"],
    ]
    assert proposed(tmp_path, rows).mappings[0].entry["decimal"] == "comma"
    assert stated(tmp_path, rows)["A1", "discounts"][0]["fraction"] == 0.025


BLOCKS: list[list[Any]] = [
    ["Type A", "Thin"], ["CPU", "2 x Xeon (48 cores)"], ["Idle power", "90 W"],
    ["Max power", "400 W"], ["Price per node", "9,000.00 EUR"], [],
    ["Type B", "Fat"], ["CPU", "2 x Xeon (64 cores)"], ["Idle power", "150 W"],
    ["Max power", "700 W"], ["Price per chassis (2 nodes)", "25,000 EUR", "(12,500 EUR per node)"],
    [], ["Type C", "GPU"], ["Idle power", "700 W"], ["Max power", "3000 W"], ["Sum", "on request"],
]  # fmt: skip


def test_blocks_have_a_table_for_each_label_of_prices(tmp_path: Path) -> None:
    proposal = proposed(tmp_path, BLOCKS)
    prices = [each.columns["price"] for each in proposal.mappings]
    assert [each.entry["orientation"] for each in proposal.mappings] == ["blocks"] * 2
    assert [each["heading"] if isinstance(each, dict) else each for each in prices] == [
        "Price per node", "Price per chassis (2 nodes)",
    ]  # fmt: skip
    found = stated(tmp_path, BLOCKS)
    assert (found["Thin", "cores"], found["Fat", "cores"]) == (96, 128)
    assert found["Fat", "price"] == 12500


def test_a_block_without_a_price_is_a_remark(tmp_path: Path) -> None:
    remarks = proposed(tmp_path, BLOCKS).remarks
    assert any("no price was understood in the block at Prices!B13" in each for each in remarks)


@pytest.mark.parametrize("sizes", [("768 GB", "1.536 GB"), ("768 GB", "1,536 GB")])
def test_the_mark_of_thousands_in_sizes_of_memory_is_that_of_the_file(
    tmp_path: Path, sizes: tuple[str, str]
) -> None:
    rows = [[*HEADINGS, "RAM"], ["A1", 9000, 100, 400, 64, sizes[0]],
            ["A2", 12000, 150, 700, 128, sizes[1]]]  # fmt: skip
    found = stated(tmp_path, rows)
    assert [found[name, "memory_gb"] for name in ("A1", "A2")] == [768, 1536]


@pytest.mark.parametrize(
    "weeks", ["8 Wo.", "8 sett.", "8 Semanas", "8 t\u00fdden", "8 hft.", "8 wks."]
)
def test_words_for_weeks_in_cells(tmp_path: Path, weeks: str) -> None:
    rows = [[*HEADINGS, "Lead time"], ["A1", 9000, 100, 400, 64, weeks],
            ["A2", 12000, 150, 700, 128, weeks]]  # fmt: skip
    assert stated(tmp_path, rows)["A1", "lead_weeks"] == 8
