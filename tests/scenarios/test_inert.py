"""Names that begin like formulas: no spreadsheet runs them, and our readers read them back."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest

from planner.formulations.model_files import LEGEND
from planner.scheduling.power import files as power_files
from scenarios.aggregation import read_measurements, write_measurements
from scenarios.tables.inert import as_named, csv_text, inert
from tests.scenarios.aggregation.folders import synthetic

NAMES = ("=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "\t=1", "'=1", "''+x", "'quoted", "lu", "")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_inert_and_read_back(name: str) -> None:
    assert not inert(name).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert as_named(inert(name)) == name


def test_numbers_stay_numbers() -> None:
    assert [inert(value) for value in (-1.5, -3, None, True)] == [-1.5, -3, None, True]


def test_tables_of_a_schedule_hold_no_formula() -> None:
    text = power_files._csv([{"application": name, "gain_s": -1.5} for name in NAMES])
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [as_named(row["application"]) for row in rows] == list(NAMES)
    assert not any(row["application"].startswith(("=", "+", "-", "@")) for row in rows)
    assert {row["gain_s"] for row in rows} == {"-1.5"}


def test_measurements_with_such_names_are_written_inert_and_read_back(tmp_path: Path) -> None:
    measured = synthetic()
    named = replace(measured, program=replace(measured.program, name=NAMES[0]))
    write_measurements(named, tmp_path)
    assert "\n'=cmd" in (tmp_path / "program.csv").read_text()
    assert read_measurements(tmp_path).program.name == NAMES[0]


def test_the_legend_of_a_model_holds_no_formula() -> None:
    text = csv_text([LEGEND, *(("r", "1", name) for name in NAMES)])
    rows = list(csv.reader(io.StringIO(text)))[1:]
    assert not any(row[2].startswith(("=", "+", "-", "@")) for row in rows)
    assert [as_named(row[2]) for row in rows] == list(NAMES)
