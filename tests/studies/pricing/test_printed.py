"""The paper's numbers: exact rows are recomputed, the others are those of the page."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies.pricing.printed import arithmetic_rows, table

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "pricing-estimators.md"

pytestmark = pytest.mark.slow


def test_exact_rows_of_the_paper_are_recomputed() -> None:
    ours = {row.quantity: row.ours for row in arithmetic_rows()}
    assert ours["overhead at n = 2, S = 3.2 ms, P = 200 ms"] == "0.769 %"
    assert ours["largest overhead, S = 25.6 ms"] == "4.85 %"
    assert ours["overhead at n = 3 and n = 4, S = 3.2 ms"] == "1.028 % and 1.158 %"
    assert ours["length of a round at n = 2"].startswith("216.0 ms as printed, 209.6 ms")
    flags = " ".join(row.note for row in arithmetic_rows())
    assert all(f"F{number})" in flags for number in range(1, 9))


def test_the_page_shows_the_table() -> None:
    assert "\n".join(table()) in PAGE.read_text(encoding="utf-8")
