"""Tables in the terminal: names and numbers stay whole, headings break."""

from __future__ import annotations

import sys

import pytest
from click import unstyle

from planner.cli.edges import table_of

NAMES = ("traditional-conservative", "ilp-slots-highs-unfair")
WIDE = ["log", "bound", "policy", *(f"a long heading of number {number}" for number in range(12))]


def test_no_name_breaks_in_a_wide_table() -> None:
    rows = [["random-1", "14.7 kW", name, *(["12.3 min"] * 12)] for name in NAMES]
    text = table_of(WIDE, rows)
    lines = [line for line in text.splitlines() if "random-1" in line]
    assert len(lines) == 2
    for line, name in zip(lines, NAMES, strict=True):
        assert name in line
        assert line.count("12.3 min") == 12


def test_a_table_that_fits_keeps_its_headings_whole() -> None:
    assert "mean turnaround" in table_of(["policy", "mean turnaround"], [["naive", "1 s"]])


def test_headings_break_over_as_few_lines_as_needed() -> None:
    headings = ["policy", *(f"mean turnaround of {number}" for number in range(5)), "n"]
    text = table_of(headings, [["naive", *(["1 s"] * 5), "1"]])
    head = text[: text.index("naive")].splitlines()
    assert sum(bool(line.strip()) for line in head) == 3  # two lines and the rule
    assert max(map(len, text.splitlines())) <= 110


def test_long_cells_break() -> None:
    text = table_of(["why", "n"], [["because " * 60, "1"]])
    assert max(map(len, text.splitlines())) <= 150
    assert text.count("because") == 60


@pytest.mark.parametrize("headings", [[""], ["a", ""]])
def test_headings_may_be_empty(headings: list[str]) -> None:
    assert table_of(headings, [])


def test_a_narrow_terminal_folds_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    row = [NAMES[0], *(["12,345.6 h"] * 3)]
    text = unstyle(table_of(["policy", "a", "b", "c"], [row]))
    assert max(map(len, text.splitlines())) <= 40
    letters = "".join(text.split())
    assert sum(letters.count(digit) for digit in "123456") == 18
