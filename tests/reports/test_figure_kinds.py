"""Kinds of figures: what is drawn is what the tables hold, for any ties, gaps and sizes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Patch, Rectangle, StepPatch

from planner.aggregation.measured import gathered
from planner.aggregation.result import AggregationSettings
from planner.aggregation.tried import TriedRun
from planner.figure import Figure
from planner.finding import finding
from planner.formatting import DASH
from planner.scheduling.sizing.growth import work_of
from planner.study import Study
from planner.table import Column, Row, Table
from reports.figures import KINDS, pictures
from reports.figures.drawn import MOST_POINTS, Drawn
from reports.texts import Texts
from tests.claims import aggregate as aggregations
from tests.claims.size import Case
from tests.planner.scheduling.sizing.logs import log_of, weekly
from tests.reports.given import same_on_given_axes
from tests.scenarios.aggregation.folders import synthetic


@pytest.fixture(scope="module")
def case() -> Case:
    return Case(weekly(5), "p95-bounded-slowdown<=3", ("easy", "fcfs"), 1.5, draws=4)


@pytest.fixture(scope="module")
def patterns() -> Study:
    return aggregations.Case(synthetic(memory_gb=1.5)).answer.study


def painted(study: Study, name: str) -> Canvas:
    (figure,) = (figure for figure in study.figures if figure.name == name)
    canvas = Canvas(figsize=(6.8, 3))
    KINDS[figure.kind][0](canvas, Drawn.of(Texts(study), figure))
    return canvas


def height(bar: Patch) -> float:
    assert isinstance(bar, Rectangle)
    return bar.get_height()


def with_rows(study: Study, name: str, rows: Sequence[Row]) -> Study:
    tables = [replace(t, rows=tuple(rows), at="") if t.name == name else t for t in study.tables]
    return replace(study, tables=tuple(tables))


def test_lines_have_every_row_and_mark_the_answer_and_the_limit(case: Case) -> None:
    study = case.answer.study
    whole, close = painted(study, "curve").axes
    for place, policy in enumerate(case.policies):
        rows = [row for row in study.rows("sizes tried") if row["policy"] == policy]
        line, answer = whole.lines[3 * place : 3 * place + 2]
        assert np.asarray(line.get_xdata()).tolist() == [row["nodes"] for row in rows]
        assert np.asarray(line.get_ydata()).tolist() == [row["value"] for row in rows]
        assert np.asarray(answer.get_xdata()).tolist() == [case.plan_for(policy)]
    assert [3, 3] in [np.asarray(line.get_ydata()).tolist() for line in whole.lines]
    low, high = close.get_xlim()
    assert low < case.nodes(case.best or "") < high  # type: ignore[operator]
    assert (whole.get_xlabel(), close.get_xlabel()) == ("Size of the machine (processors)",) * 2


@pytest.mark.parametrize(
    ("language", "texts"),
    [("en", ["0", "500", "1,000", "1,500", "2.5"]), ("de", ["0", "500", "1.000", "1.500", "2,5"])],
)
def test_ticks_lose_the_zeros_behind_the_decimal_mark_only(language: str, texts: list[str]) -> None:
    says = finding("note", "meets-none", policy=("easy", "policy"))
    table = Table("t", (Column("x", "text"), Column("y", "number")), ({"x": "a", "y": 1000},))
    figure = Figure("curve", "bars", "t", "x", ("y",))
    study = Study("size", says, says, {}, tables=(table,), figures=(figure,), language=language)
    tick = Drawn.of(Texts(study), figure).ticks("y")
    assert [tick(value, None) for value in (0, 500, 1000, 1500, 2.5)] == texts


def test_an_unknown_value_is_a_dash_with_what_is_known_of_its_ends() -> None:
    says = finding("note", "meets-none", policy=("easy", "policy"))
    columns = Column("x", "text"), *(Column(key) for key in ("y", "low", "high"))
    rows: list[Row] = [
        {"x": "whole", "y": 2.0, "low": 1.0, "high": 3.0},
        {"x": "ends", "y": None, "low": 1.5, "high": 2.5},
        {"x": "nothing", "y": None, "low": None, "high": None},
    ]
    figure = Figure("curve", "intervals", "t", "x", ("y",), low="low", high="high")
    study = Study(
        "size", says, says, {}, tables=(Table("t", columns, tuple(rows)),), figures=(figure,)
    )
    axes = painted(study, "curve").axes[0]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["whole", "ends", "nothing"]
    assert [text.get_text() for text in axes.texts] == [DASH]
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [np.asarray(dot.get_xdata()).tolist() for dot in dots] == [[2.0]]


def test_times_have_an_axis_that_holds_0_and_whole_sizes_a_tick_each() -> None:
    study = Case(log_of([(0, 100, 2, 0)] * 3), "mean-wait<=40s", ("easy",)).answer.study
    whole = painted(study, "curve").axes[0]
    assert whole.get_yscale() == "symlog"
    ticks = [text.get_text() for text in whole.get_xticklabels()]
    assert len(set(ticks)) == len(ticks)


def test_a_dot_for_each_sample_a_bar_for_a_known_interval(case: Case) -> None:
    draws: list[Row] = [{"policy": "easy", "nodes": n} for n in (20, 22, 22, 30, None)]
    medians: list[Row] = [
        {"policy": "easy", "nodes": 21, "drawn_median": 22, "drawn_p05": 20, "drawn_p95": None},
        {"policy": "fcfs", "nodes": 41, "drawn_median": 42, "drawn_p05": 40, "drawn_p95": 44},
    ]
    study = with_rows(case.answer.study, "resampled weeks", draws)
    axes = painted(with_rows(study, "resampled sizes", medians), "drawn").axes[0]
    found = [np.asarray(line.get_xdata()).tolist() for line in axes.lines]
    assert sorted(found[0]) == [20, 22, 22, 30]
    heights = np.asarray(axes.lines[0].get_ydata()).tolist()
    assert len({*zip(found[0], heights, strict=True)}) == 4
    assert found[1:3] == [[22], [21, 21]]
    assert [40, 44] in found
    assert axes.get_xlabel() == "Size that a log needs (processors)"


def test_equal_samples_have_whole_numbers_on_their_axis(case: Case) -> None:
    one: Row = {"policy": "easy", "nodes": 5, "drawn_median": 5, "drawn_p05": 5, "drawn_p95": 5}
    study = with_rows(case.answer.study, "resampled sizes", [one])
    study = with_rows(study, "resampled weeks", [{"policy": "easy", "nodes": 5}] * 3)
    ticks = painted(study, "drawn").axes[0].get_xticks()
    assert all(tick == round(tick) for tick in ticks)


def test_steps_hold_all_work(case: Case) -> None:
    axes = painted(case.answer.study, "weeks").axes[0]
    stairs = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
    own, grown = (np.asarray(patch.get_data()[0], float) * 7 * 86_400 for patch in stairs)
    assert own.sum() == pytest.approx(work_of(case.log).sum(), rel=1e-3)
    assert grown.sum() == pytest.approx(work_of(case.grown).sum(), rel=1e-3)


def test_columns_are_the_values_and_a_class_looks_alike_everywhere(patterns: Study) -> None:
    energy, slowdown = painted(patterns, "patterns").axes
    rows = [row for row in patterns.rows("drawn") if row["energy_j"] is not None]
    assert [height(bar) for bar in energy.patches] == [row["energy_j"] for row in rows]
    assert [height(bar) for bar in slowdown.patches] == [row["slowdown"] for row in rows]
    assert "not offered" in {text.get_text() for text in energy.texts}
    within = [row | {"choice": "above"} if row["choice"] == "within" else row for row in rows]
    changed = painted(with_rows(patterns, "drawn", within), "patterns").axes[0]
    looks = {
        row["choice"]: (bar.get_facecolor(), bar.get_hatch())
        for drawn, axes in ((rows, energy), (within, changed))
        for row, bar in zip(drawn, axes.patches, strict=True)
    }
    assert len({*looks.values()}) == len(looks) == 3


def test_true_values_are_dots_on_their_columns() -> None:
    measured = gathered(aggregations.HARDWARE, "cliff", "lu", 16, 1)
    case = aggregations.Case(measured, simulated=("cliff", "lu", 16, 1))
    study = case.answer.study
    energy, slowdown = painted(study, "patterns").axes
    truth = study.rows("in truth")
    for axes, column in ((energy, "energy_j"), (slowdown, "slowdown")):
        dots = axes.lines[0]
        assert np.asarray(dots.get_ydata()).tolist() == [row[column] for row in truth]
    assert [row["energy_ratio"] for row in truth] == pytest.approx(
        [row["true_energy_j"] / case.baseline["true_energy_j"] for row in case.rows]
    )


def test_columns_after_runs_have_intervals_in_the_last_panel() -> None:
    runs = [TriedRun(1, 27.9), TriedRun(5, 28.6)]
    study = aggregations.Case(synthetic(), AggregationSettings(tried=runs)).answer.study
    energy, slowdown = painted(study, "patterns").axes
    drawn = [row for row in study.rows("drawn") if row["low"] is not None]
    (lines,) = slowdown.collections
    ends = [segment[:, 1].tolist() for segment in lines.get_segments()]  # type: ignore[attr-defined]
    assert ends == [[row["low"], row["high"]] for row in drawn]
    assert len(ends) == len(study.rows("expected"))
    assert not energy.collections


def test_intervals_have_a_dot_for_each_value_and_a_line_to_its_end(patterns: Study) -> None:
    axes = painted(patterns, "errors").axes[0]
    rows = patterns.rows("left_out")
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    ends = [line for line in axes.lines if line.get_marker() == "|"]
    assert [np.asarray(dot.get_xdata())[0] for dot in dots] == [row["mean_error"] for row in rows]
    further = [row["most_error"] for row in rows if row["most_error"] != row["mean_error"]]
    assert [np.asarray(end.get_xdata())[0] for end in ends] == further


def test_long_tables_are_thinned_to_both_ends(case: Case) -> None:
    study = case.answer.study
    rows: list[Row] = [{"policy": "easy", "nodes": n, "value": 2.0} for n in range(1, 10_001)]
    (figure,) = (each for each in study.figures if each.name == "curve")
    data = Drawn.of(Texts(with_rows(study, "sizes tried", rows)), figure)
    ((_, _, kept),) = data.series()
    assert len(kept) <= MOST_POINTS
    assert (kept[0]["nodes"], kept[-1]["nodes"]) == (1, 10_000)


def test_figures_are_the_same_on_given_axes(case: Case, patterns: Study) -> None:
    assert same_on_given_axes(pictures(case.answer.study))
    assert same_on_given_axes(pictures(patterns))


def test_words_for_readers_who_see_no_figure_name_series_and_ends(case: Case) -> None:
    curve = pictures(case.answer.study)[0]
    first = case.answer.study.rows("sizes tried")[0]
    assert curve.alternative.startswith("Lines: Target and size of the machine; EASY, ")
    assert f"EASY, {first['nodes']}: " in curve.alternative
    assert isinstance(case.answer.study.table("sizes"), Table)


def test_a_series_has_one_look_in_all_figures_of_a_study(case: Case) -> None:
    rows: list[Row] = [
        {"policy": name, "x": at, "y": 1.0} for name in ("easy", "fcfs") for at in (0, 1)
    ]
    columns = (Column("policy", "policy"), Column("x"), Column("y"))
    tables = (Table("both", columns, tuple(rows)), Table("one", columns, tuple(rows[2:])))
    figures = tuple(
        Figure(name, "lines", name, "x", ("y",), series="policy") for name in ("both", "one")
    )
    made = replace(case.answer.study, tables=tables, figures=figures, questions=(), decision="")
    looks = [
        {name: look for look, name, _ in Drawn.of(Texts(made), figure).series()}
        for figure in figures
    ]
    assert looks[0]["FCFS"] == looks[1]["FCFS"] == 1
