"""The report on a sizing: what it says, by hand; what its figures show; any names, any size."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure
from matplotlib.patches import StepPatch

from planner.cli.main import main
from planner.scheduling.policies.display import in_prose
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.sizing.growth import LogGrowth, work_of
from planner.scheduling.sizing.level import parse_level
from planner.scheduling.sizing.resampled_weeks import Resampled
from planner.scheduling.sizing.result import SizeFor
from planner.scheduling.sizing.study import SizingStudy, size
from reports.grid import table
from reports.publish import plan_json
from reports.sizing import document, pictures
from reports.sizing.figures import curve, resampled, weeks
from reports.sizing.pages import curve as curve_pages
from reports.sizing.pages.front import pairs, sizes
from reports.style import Picture
from reports.workbook import sheets, workbook
from scenarios.job_logs.job_log import JobLog
from tests.planner.scheduling.sizing.logs import log_of, weekly
from tests.reports.given import same_on_given_axes
from tests.reports.shown import tables, texts

HEADINGS = [
    "What does each size achieve?", "How uncertain is this?", "Growth assumptions",
    "How was the size found?", "What does this sizing leave out?", "Appendix: every size tried",
    "Appendix: provenance",
]  # fmt: skip
HOSTILE = "=1+1 $x_2$ #eval(1) <b> \\"


def sized(log: JobLog, level: str, *names: str, factor: float = 1.5, draws: int = 4) -> SizingStudy:
    question = SizeFor(parse_level(level), LogGrowth(factor), draws)
    return size(log, [POLICIES[name] for name in names], question)


@pytest.fixture(scope="module")
def two() -> SizingStudy:
    return sized(weekly(5), "p95-bounded-slowdown<=3", "easy", "fcfs")


@pytest.fixture(scope="module")
def none() -> SizingStudy:
    return sized(weekly(3), "p95-bounded-slowdown<=0.5", "easy", factor=1)


@pytest.fixture(scope="module")
def small() -> SizingStudy:
    return sized(log_of([(0, 100, 2, 0)] * 3), "mean-wait<=40", "easy", factor=1)


@pytest.fixture(scope="module")
def shown(two: SizingStudy) -> list[Picture]:
    return pictures(two)


def painted(study: SizingStudy, paint: object) -> Figure:
    figure = Figure(figsize=(6.8, 3))
    paint(figure, study)  # type: ignore[operator]
    return figure


def test_growth_that_is_not_reached_is_said_and_scaled(two: SizingStudy) -> None:
    far = replace(two, grown=replace(two.grown, reached=1.2))
    data = document(far, [])
    assert data["title"].startswith("How large must a machine be for 1.5 times the work of ")
    assert data["decision"].endswith(" at 1.2 times the work; 1.5 times was not reached.")
    nodes = two.sizings[two.ranking[0]].nodes
    assert nodes is not None
    needed = f"{-(-nodes * 15 // 12):,}"
    text = texts(data["left"])
    assert f"In proportion, 1.5 times the work needs {needed} " in text
    assert "In proportion" not in texts(document(two, [])["left"])
    assert "limits" not in {part["name"] for part in data["right"]}


def test_each_size_is_answered_by_what_it_achieves(two: SizingStudy) -> None:
    best = two.sizings[two.ranking[0]]
    first, last = min(best.tried), max(best.tried)
    answer = curve_pages.page(two, {}).answer
    assert f" with {first:,}" in answer
    assert f" with {last:,} " in answer


def test_the_command_writes_every_file_and_lists_it(tmp_path: Path) -> None:
    log = tmp_path / f"{HOSTILE}.csv"
    rows = weekly(3, jobs=40)
    lines = ["number,submit,run,processors,user"]
    lines += [
        f"{number},{submit},{run},{processors},{HOSTILE}"
        for number, submit, run, processors in zip(
            rows.number, rows.submit_s, rows.run_s, rows.processors, strict=True
        )
    ]
    log.write_text("\n".join(lines))
    folder = tmp_path / "out"
    words = ["size", str(log), "--for", "mean-wait<=600", "--growth", "1.5", "--json"]
    done = CliRunner().invoke(main, [*words, "--resamples", "2", "-o", str(folder)])
    assert done.exit_code == 0, done.output
    listed = json.loads((folder / "run.json").read_text())
    found = {str(f.relative_to(folder)) for f in folder.rglob("*.*")} - {"run.json"}
    assert set(listed["sha256"]) == found
    assert found == {
        "report.pdf", "size.xlsx", "size.json",
        *(f"figures/{name}.{ending}" for name in ("01-curve", "02-drawn", "03-weeks")
          for ending in ("png", "svg")),
    }  # fmt: skip
    assert (folder / "size.json").read_text(encoding="utf-8") == done.stdout
    text = " ".join(page.extract_text() for page in pypdf.PdfReader(folder / "report.pdf").pages)
    assert all(heading in text for heading in HEADINGS)
    assert "--for" in text


def test_pages_come_in_order(two: SizingStudy, small: SizingStudy, shown: list[Picture]) -> None:
    assert [page["heading"] for page in document(two, shown)["pages"]] == HEADINGS
    headings = [page["heading"] for page in document(small, [])["pages"]]
    assert headings == [each for each in HEADINGS if each != "How uncertain is this?"]


def test_the_title_page_says_the_answer_and_its_neighbours(small: SizingStudy) -> None:
    data = document(small, [])
    assert data["decision"] == small.headline
    rows = sizes(small)["rows"]
    # three jobs of 100 s on 3, 4 and 5 processors: waits of 100, 33.3 and 33.3 s on average
    assert rows == [
        ["one processor less", "3", "100 s", "66.67 %"],
        ["answer", "4", "33.3 s", "75.00 %"],
        ["one processor more", "5", "33.3 s", "60.00 %"],
    ]
    text = texts(data)
    assert "The unchanged log on its own machine (4 processors): 33.3 s under EASY." in text
    assert "The log is simulated unchanged: no --growth above 1 was given." in text


@pytest.mark.parametrize(("per_node", "unit"), [(1, "processors"), (3, "nodes")])
def test_the_report_has_one_unit_of_size(per_node: int, unit: str) -> None:
    rules = SimulationSettings(node_processors=per_node)
    question = SizeFor(parse_level("mean-wait<=600"), LogGrowth(1), 2)
    study = size(weekly(5), [POLICIES["easy"]], question, rules)
    text = texts(document(study, pictures(study)))
    other = re.findall(r"[\d,]+ nodes?\b", text)
    assert bool(other) == (unit == "nodes")
    headings = [column["name"] for column in sizes(study)["columns"]]
    assert ("Nodes" in headings) == (unit == "nodes")
    assert painted(study, curve.paint).axes[0].get_xlabel() == unit
    assert f"{unit} of the largest job" in dict(pairs(study))


def test_sizes_that_miss_between_smaller_ones_and_the_answer_are_named(two: SizingStudy) -> None:
    sizing = two.sizings[0]
    nodes = sizing.nodes
    assert nodes is not None
    one = sizing.tried[nodes]
    tried = {nodes + step: replace(one, keeps=step in (-4, 0)) for step in (-5, -4, -3, -2, 0)}
    changed = replace(two, sizings=(replace(sizing, tried=tried), *two.sizings[1:]))
    text = texts(curve_pages.page(changed, {}).to_dict())
    assert f"Smaller sizes that also meet the target: {nodes - 4:,} (all in" in text
    assert f"Between them and the answer {nodes - 3:,}, {nodes - 2:,} miss it." in text


def test_every_size_tried_is_in_the_report_or_the_book(two: SizingStudy) -> None:
    page = next(p for p in document(two, [])["pages"] if p["heading"] == HEADINGS[5])
    (rows,) = tables(page)
    tried = [each for sizing in two.sizings for each in sizing.tried.values()]
    assert len(rows) == min(40, len(tried))
    assert rows[0][1] == f"{tried[0].nodes:,}"
    assert {row[-1] for row in rows} == {"met", "missed"}
    book = sheets(two)
    assert [row["nodes"] for row in book["sizes tried"]] == [each.nodes for each in tried]
    assert len(book["resampled weeks"]) == 8
    told = dict(pairs(two))
    assert told["growth requested"] == 1.5
    assert told["growth reached"] == two.grown.reached


def test_no_answer_has_a_report_too(none: SizingStudy) -> None:
    drawings = pictures(none)
    data = document(none, drawings)
    assert data["decision"].startswith("No machine size meets")
    assert [each.kind for each in drawings] == ["curve", "weeks"]
    assert "4 of 4 resampled logs have no size that meets the target" in texts(data)
    assert "largest tried" in texts(data["table"])


def test_the_same_study_gives_the_same_bytes(two: SizingStudy, shown: list[Picture]) -> None:
    again = sized(weekly(5), "p95-bounded-slowdown<=3", "easy", "fcfs")
    assert plan_json(two) == plan_json(again)
    assert workbook(two) == workbook(again)
    assert shown == pictures(again)


def test_hostile_names_are_only_text(small: SizingStudy) -> None:
    named = replace(small, log=replace(small.log, name=HOSTILE))
    assert HOSTILE in document(named, [])["title"]
    assert workbook(named)
    assert [each.kind for each in pictures(named)] == ["curve"]


# Figures


def test_a_curve_has_every_size_and_marks_the_answer_and_the_limit(two: SizingStudy) -> None:
    wide, close = painted(two, curve.paint).axes
    for place, sizing in enumerate(two.sizings):
        line = wide.lines[3 * place]
        assert np.asarray(line.get_xdata()).tolist() == list(sizing.tried)
        assert np.asarray(line.get_ydata()).tolist() == [e.value for e in sizing.tried.values()]
        answer = wide.lines[3 * place + 1]
        assert np.asarray(answer.get_xdata()).tolist() == [sizing.nodes]
    assert np.asarray(wide.lines[-1].get_ydata()).tolist() == [3, 3]
    best = two.sizings[two.ranking[0]]
    low, high = close.get_xlim()
    assert low < (best.nodes or 0) - best.search.looked
    assert high > (best.nodes or 0) + best.search.looked
    assert curve.finding(two).startswith(
        f"Every size tried from {best.nodes} processors on meets the target under "
        f"{in_prose(best.policy)}; with"
    )


def test_times_have_an_axis_that_holds_0(small: SizingStudy) -> None:
    wide, _ = painted(small, curve.paint).axes
    assert wide.get_yscale() == "symlog"
    assert wide.get_ylabel() == "mean wait"


def test_a_dot_for_each_draw_and_a_bar_for_the_interval(two: SizingStudy) -> None:
    found = (Resampled("easy", (20, 22, 22, 30, None)), Resampled("fcfs", (40, 41, 42, 43, 44)))
    given = replace(two, resampled=found)
    lines = painted(given, resampled.paint).axes[0].lines
    dots, bar = lines[0], lines[1]
    assert sorted(np.asarray(dots.get_xdata()).tolist()) == [20, 22, 22, 30]
    assert len(set(zip(dots.get_xdata(), dots.get_ydata(), strict=True))) == 4  # type: ignore[arg-type]
    # one of five has no answer: the upper end is unknown, so there is no bar but the median
    assert np.asarray(bar.get_xdata()).tolist() == [22]
    other = [line for line in lines if np.asarray(line.get_xdata()).tolist() == [40, 44]]
    assert len(other) == 1
    assert "need 40 to 44" in resampled.finding(replace(given, resampled=found[::-1]))


def test_work_by_week_is_all_work(two: SizingStudy) -> None:
    axes = painted(two, weeks.paint).axes[0]
    length = 7 * 86_400
    stairs = [patch for patch in axes.patches if isinstance(patch, StepPatch)]
    own, grown = (np.asarray(patch.get_data()[0], float) for patch in stairs[:2])
    assert own.sum() * length == pytest.approx(work_of(two.log).sum(), rel=1e-3)
    assert grown.sum() * length == pytest.approx(work_of(two.grown.log).sum(), rel=1e-3)


def test_a_long_narrow_table_stands_in_parts_side_by_side() -> None:
    columns = (("Processors", True), ("Mean wait", True), ("Target", False))
    rows = [(f"{k}", f"{k} s", "met") for k in range(29)]
    folded = curve_pages.folded(table(columns, (1, 1, 1), rows))
    assert len(folded["columns"]) == len(folded["widths"]) == 9
    assert [len(row) for row in folded["rows"]] == [9] * 10
    assert [folded["rows"][0][column] for column in (0, 3, 6)] == ["0", "10", "20"]
    assert folded["rows"][-1][6:] == ["", "", ""]
    short = table(columns, (1, 1, 1), rows[:14])
    assert curve_pages.folded(short) == short


def test_an_answer_outside_the_interval_is_named_with_it(two: SizingStudy) -> None:
    nodes = two.sizings[two.ranking[0]].nodes
    assert nodes
    below = Resampled(two.sizings[0].policy, (nodes - 2,) * 5)
    given = replace(two, resampled=(below,) * len(two.sizings))
    assert given.confidence.endswith(f"The log's own order of weeks needs more: {nodes:,}.")


def test_figures_are_the_same_on_given_axes(shown: list[Picture]) -> None:
    assert same_on_given_axes(shown)
