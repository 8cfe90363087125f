"""Whatever shows only some of its rows says so: sheets, tables, figures and lists of faults."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from python_calamine import load_workbook

from planner.aggregation import measurement_check
from planner.cli.simulate_text import explanation_lines
from planner.configurations import rows as configuration_rows
from planner.placement import rows
from planner.scheduling.simulation.explain import explain
from reports.view import view
from reports.writers import workbook as study_workbook
from reports.writers.workbook import workbook as written
from scenarios.faults import Fault, ScenarioError
from tests.claims import configure as configurations
from tests.claims import place as placements
from tests.reports.procurements import answered, document, with_long_answers
from tests.reports.test_simulation_report import FOUR, log_of, played
from tests.scenarios.aggregation.folders import synthetic


def test_a_sheet_that_is_cut_says_so_in_its_last_row(monkeypatch: pytest.MonkeyPatch) -> None:
    study = played(log_of(FOUR), "easy", "fcfs")
    assert len(study.tables()["by processors"]) > 2
    monkeypatch.setattr(study_workbook, "MOST_ROWS", 2)
    book = load_workbook(io.BytesIO(written(study.study)))
    sheet = book.get_sheet_by_name("By processors").to_python()
    rows = len(study.tables()["by processors"])
    assert len(sheet) == 1 + 2 + 1
    assert sheet[-1][0] == f"2 of {rows} rows; all are in simulate.json"


def test_a_table_holds_every_row_whatever_a_sheet_holds() -> None:
    rows = [(0, 10, 99, 10, 0)] * 3
    study = played(log_of([*FOUR, *rows]), "easy")
    broken = tuple(study.simulations[0].schedule.rejected)
    assert len(broken) == len(study.tables()["rejected"]) == 3


def test_a_sheet_of_the_largest_pairs_says_of_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_ROWS", 2)
    study = placements.Case(placements.CROSSED, {"nodes": 2}).answer.study
    table = study.table("pairs of ranks parted")
    assert (len(table.rows), table.total) == (2, 4)
    book = load_workbook(io.BytesIO(written(study)))
    assert book.get_sheet_by_name("Pairs of ranks parted").to_python()[-1][0] == (
        "2 of 4 rows; 2 are in place.json"
    )


def test_faults_that_are_not_listed_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    many = [Fault("node.csv", line, "", "is wrong; correct it") for line in range(1, 104)]
    monkeypatch.setattr(measurement_check, "lacking", lambda *_, **__: many)
    with pytest.raises(ScenarioError) as caught:
        measurement_check.check(synthetic())
    assert len(caught.value.faults) == 101
    assert "at least 3 further faults; correct these first" in str(caught.value)


def test_the_terminal_counts_jobs_that_overtook_and_are_not_listed() -> None:
    study = played(log_of(FOUR), "easy")
    found = explain(study.simulations[0].schedule, 4)
    later = found.overtaken_by or explain(study.simulations[0].schedule, 2).overtaken_by
    lines = explanation_lines("easy", replace(found, overtaken_by=later[:1] * 23))
    assert "    ... 3 more; --json lists all" in [*lines]


def test_a_table_of_configurations_says_of_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(configuration_rows, "MOST_ROWS", 3)
    study = configurations.Case({"toy": configurations.TOY}, configurations.ask()).answer.study
    assert len(study.rows("configurations")) == 3
    book = load_workbook(io.BytesIO(written(study)))
    assert book.get_sheet_by_name("Configurations").to_python()[-1][0] == (
        "3 of 8 rows; 3 are in configure.json"
    )


def test_pages_of_a_procurement_say_what_they_leave_out() -> None:
    study = with_long_answers(answered(document())).study
    whole = [grid.note for part in view(study, 1_000).parts for grid in part.grids]
    assert not any(whole)
    cut = [grid for part in view(study, most_rows=1).parts for grid in part.grids]
    pages = {name for question in study.questions for name in question.tables} - {study.decision}
    sizes = {name: len(study.rows(name)) for name in pages}
    notes = [grid.note for grid in cut if grid.note]
    every = [f"1 of {size} rows; all are in plan.xlsx" for size in sizes.values() if size > 1]
    assert sorted(notes) == sorted(every)
