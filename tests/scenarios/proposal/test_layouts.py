"""Layouts that the words were not chosen by are read as a person reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scenarios.proposal.bills import drawn_bill
from tests.scenarios.proposal.invented import INVENTED, Invented
from tests.scenarios.proposal.layouts import drawn
from tests.scenarios.proposal.readings import lines_to_correct
from tests.sizes import few

MOST_LINES = 10
LEAST_SHARE = 0.8
SEEDS = range(2000, 2000 + few(120))
"""None of these was drawn while the words were chosen."""


@pytest.mark.parametrize("layout", INVENTED, ids=lambda layout: layout.name)
def test_an_invented_layout_is_read_right(layout: Invented, tmp_path: Path) -> None:
    assert lines_to_correct(layout.write(tmp_path), layout.truth, layout.vendor) == []


def test_four_of_five_drawn_layouts_need_at_most_ten_lines(tmp_path: Path) -> None:
    good = 0
    for seed in SEEDS:
        layout = drawn(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        wrong = lines_to_correct(layout.write(folder), layout.truth, layout.vendor)
        good += len(wrong) <= MOST_LINES and "rows" not in wrong
    assert good >= LEAST_SHARE * len(SEEDS)


@pytest.mark.parametrize("seed", range(1000, 1000 + few(40)))
def test_a_drawn_bill_of_materials_is_read_right(seed: int, tmp_path: Path) -> None:
    """None of these was drawn while the proposal learnt to read bills."""
    bill = drawn_bill(seed)
    wrong = lines_to_correct(bill.write(tmp_path), bill.truth, bill.vendor)
    assert wrong == [], bill.shape


def test_the_layouts_are_of_many_kinds() -> None:
    layouts = [drawn(seed) for seed in range(60)]
    assert {each.shape for each in layouts} == {"rows", "columns", "two sheets"}
    assert {each.language for each in layouts} == {"de", "en", "es", "fr", "it", "nl"}
    assert {Path(each.name).suffix for each in layouts} == {".csv", ".xlsx"}
