"""A column reads rows of any kind, and shows what is not known as a dash."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from planner.cli.edges import show_columns
from planner.formatting import DASH
from planner.worded_table import Column, Table
from reports.grid import table_of


@dataclass(frozen=True)
class Wait:
    mean: float


@dataclass(frozen=True)
class Measured:
    policy: str
    wait_s: Wait | None


ROWS = (Measured("easy", Wait(2.5)), Measured("fcfs", None))
COLUMNS = (
    Column("policy", "Policy", width=2),
    Column("wait_s.mean", "Mean wait", "{:.2f} s".format, number=True),
    Column(lambda row: row.policy.upper(), "Loud"),
)


def test_a_path_reads_attributes_and_what_is_missing_on_it_is_not_known() -> None:
    assert [[column.cell(row) for column in COLUMNS] for row in ROWS] == [
        ["easy", "2.50 s", "EASY"],
        ["fcfs", DASH, "FCFS"],
    ]


def test_a_path_reads_mappings_and_a_missing_key_is_not_known() -> None:
    mean = Column("wait_s.mean", "Mean wait")
    assert mean.cell({"wait_s": {"mean": 3}}) == "3"
    assert mean.cell({"wait_s": {}}) == mean.cell({}) == DASH


def test_values_in_json_are_those_that_have_a_name() -> None:
    plain = Table("waits", "Waits", COLUMNS, ROWS).plain()
    assert plain == [
        {"policy": "easy", "wait_s.mean": 2.5},
        {"policy": "fcfs", "wait_s.mean": None},
    ]


def test_print_has_the_headings_and_widths_of_the_columns() -> None:
    assert table_of(COLUMNS, ROWS) == {
        "columns": [
            {"name": "Policy", "right": False},
            {"name": "Mean wait", "right": True},
            {"name": "Loud", "right": False},
        ],
        "widths": [2, 1.0, 1.0],
        "rows": [["easy", "2.50 s", "EASY"], ["fcfs", DASH, "FCFS"]],
    }


def test_the_terminal_shows_a_plain_hyphen_for_what_is_not_known(
    capsys: pytest.CaptureFixture[str],
) -> None:
    show_columns(COLUMNS, ROWS)
    last = capsys.readouterr().out.rstrip().splitlines()[-1]
    assert last.split() == ["fcfs", "-", "FCFS"]
