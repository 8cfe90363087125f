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
from planner.procurement.study import ProcurementStudy
from planner.scheduling.simulation.explain import explain
from planner.worded_table import Column, Table
from reports import standard
from reports.procurement.figures import allocation, heuristics, pareto
from reports.procurement.pages import budget_power_grid, losing_quotes, operation, ranking
from reports.procurement.pages import heuristics as heuristics_page
from reports.style import Picture, draw
from reports.writers import workbook as study_workbook
from reports.writers.workbook import workbook as written
from scenarios.faults import Fault, ScenarioError
from tests.claims import configure as configurations
from tests.claims import place as placements
from tests.reports.procurements import answered, document, with_long_answers
from tests.reports.shown import texts
from tests.reports.test_simulation_report import FOUR, log_of, played
from tests.scenarios.aggregation.folders import synthetic

Drawn = dict[str, list[Picture]]


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    """A picture of every kind, so that its words are shown."""
    kinds = (
        "allocation",
        "heuristics",
        "losing-quotes",
        "pareto",
        "budget-power-grid",
    )
    made = draw("any", "any", "title", "alternative", (1, 1), lambda _: None)
    return {kind: [made] for kind in kinds}


@pytest.fixture(scope="module")
def procured() -> ProcurementStudy:
    return with_long_answers(answered(document()))


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


def test_pages_of_a_procurement_say_what_they_leave_out(
    procured: ProcurementStudy, drawn: Drawn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said() -> str:
        pages = (
            heuristics_page.page,
            losing_quotes.page,
            operation.page,
            budget_power_grid.cells,
            budget_power_grid.pareto,
        )
        made = (page(procured, drawn) for page in pages)
        return texts([each.to_dict() for each in made if each])

    before = said()
    assert "The figure shows 1 of" not in before
    assert "all in plan.xlsx" not in before
    for module, name in (
        (heuristics, "MOST"), (heuristics_page, "MOST"), (losing_quotes, "MOST"),
        (budget_power_grid, "_MOST_CELLS"), (allocation, "_MOST_WORKLOADS"),
        (pareto, "_MOST_LABELS"),
    ):  # fmt: skip
        monkeypatch.setattr(module, name, 1)
    after, every = said(), len(procured.heuristics)
    for words in (
        f"The figure shows 1 of {every} methods and quoted systems; all are in plan.xlsx.",
        f"Simpler methods and quoted systems: 1 of {every}, all in plan.xlsx",
        f"Power, energy and cost of each method: 1 of {every}, all in plan.xlsx",
        f"The figure shows 1 of {len(procured.losing_quotes)} losing quotes; all are in plan.xlsx.",
        f"The figure shows 1 of {len(procured.problem.workloads)} workloads; all are in plan.xlsx.",
        "Scores by budget and IT power: 1 of 4, all in plan.xlsx",
        "Numbers as in the table; not every dot has one.",
    ):
        assert words in after, words
    if procured.ranking is not None:
        monkeypatch.setattr(ranking, "_MOST", 1)
        page = ranking.page(procured, drawn)
        assert page is None or "and their weighted total: 1 of" in texts(page.to_dict())


def test_the_standard_report_says_how_many_rows_it_shows() -> None:
    columns = (Column("job", "job"),)
    tables = [
        Table("jobs", "Jobs", columns, [{"job": job} for job in range(n)]) for n in (1, 40, 76)
    ]
    assert [standard.caption(table, "price.xlsx") for table in tables] == [
        "1 row",
        "40 rows",
        "the first 40 of 76 rows; all are in price.xlsx",
    ]
