"""The comparison on one simulated application, and what it reads of the shared data."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies.prediction.comparison import COMPARED, Effort, read, show
from planner.configurations.prediction.chosen import CHOSEN
from planner.configurations.prediction.compare import PredictionCase, compare
from planner.configurations.prediction.study import verify
from planner.configurations.prediction.training import Training
from planner.configurations.table import table_of
from tests.planner.configurations.prediction.samples import simulated

pytestmark = pytest.mark.slow
RUNS = simulated("SP-MZ")
CASE = PredictionCase(RUNS, table_of(RUNS, "best"), (2500.0, 4000.0, 5500.0))


def test_the_chosen_model_errs_less_than_the_thesis_s_and_its_decisions_cost_little() -> None:
    studied = compare(CASE, COMPARED, Training(46), (1, 2), guards=(0.0, 0.03))
    assert [row.model for row in studied.errors] == list(COMPARED)
    assert len(studied.decisions) == 8
    ours = {row.guard: row for row in studied.decisions if row.model == CHOSEN.model.name}
    assert ours[0.03].violations <= 0.2
    assert ours[0.03].regret_mean is not None
    assert ours[0.03].regret_mean < 0.04
    thesis = next(row for row in studied.errors if row.model == "log-polynomial")
    best = next(row for row in studied.errors if row.model == CHOSEN.model.name)
    assert best.time_median < 0.02 < thesis.time_median
    assert best.power_median < 0.01 < thesis.power_median


def test_a_verified_decision_costs_little_and_breaks_no_bound_by_much() -> None:
    verified = verify(CASE, Training(46), (1, 2), CHOSEN.design)
    assert verified.runs <= 9
    assert verified.regret_mean is not None
    assert verified.regret_mean < 0.03
    assert verified.worst_excess < 0.01


def test_every_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    show([CASE], (Training(46),), Effort((1,), (1,), (12,)))
    printed = capsys.readouterr().out
    for name in ("errors:", "decisions:", "verified:", "runs:", "random, no model", *COMPARED):
        assert name in printed


def test_rows_of_other_applications_are_dropped_unread(tmp_path: Path) -> None:
    header = "application,nodes,cores_per_node,package_cap_w,repetition,time_s,power_w"
    table = tmp_path / "runs.csv"
    table.write_text(f"{header}\na,1,8,80,1,12,200\nb,not,to,be,read,at,all\n", encoding="utf-8")
    runs = read(table, ["a"])
    assert list(runs) == ["a"]
    assert runs["a"].time_s.tolist() == [12.0]
