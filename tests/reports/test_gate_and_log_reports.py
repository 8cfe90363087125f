"""The reports on gates and on a log with shared nodes: pages, figures, the command, the folder."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from planner.sharing_nodes.queue_gains.study import QueueStudy
from planner.sharing_nodes.tangram.study import TangramStudy
from reports.figures import pictures
from reports.texts import Texts
from reports.view import view
from reports.workbook_columns import plain
from tests.claims.queue_gains import Case, law, log
from tests.claims.tangram import simulated, timed
from tests.planner.cli.commands import ran
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted


@pytest.fixture(scope="module")
def gates() -> TangramStudy:
    return simulated(0, ("(I)",), 2).answer


@pytest.fixture(scope="module")
def queue() -> QueueStudy:
    return Case(law(), log(60, load=1.5), {"loads": (1.5, 2.0)}).answer


def test_gates_have_a_page_for_each_question(gates: TangramStudy) -> None:
    headings = [part.heading for part in view(gates.study).parts]
    assert headings[:3] == [
        "Which pairs should a rule share?",
        "Does the result depend on what the gate knows?",
        "Where do the gates err?",
    ]
    assert "Appendix: comparison with the paper" in headings
    other = simulated(0, ("(I)", "leave-app-out"), 1, 3).answer
    headings = [part.heading for part in view(other.study).parts]
    assert "Appendix: comparison with the paper" not in headings


def test_the_border_of_one_counter_is_a_line_across_the_pairs(gates: TangramStudy) -> None:
    (figure,) = [each for each in gates.study.figures if each.name == "pairs"]
    assert (figure.x, figure.y) == ("io_intensity", ("makespan",))
    one, limit = figure.limits
    assert (one.axis, one.value, limit.axis) == ("y", 1.0, "x")
    rows = gates.study.rows("points")
    shared = [row["makespan"] < 1 for row in rows if row["io_intensity"] > limit.value]
    assert (sum(shared), len(shared)) == (32, 33)
    axes = painted(gates.study, "pairs").axes[0]
    assert {"o", "D"} <= {line.get_marker() for line in axes.lines}
    assert axes.get_yscale() == "log"
    assert axes.get_ylim()[0] < min(row["makespan"] for row in rows)


def test_a_matrix_has_each_pair_under_each_law_with_names_from_the_top() -> None:
    study = simulated(1, ("CV", "(II)"), 1, law="both").answer.study
    (figure,) = [each for each in study.figures if each.name == "matrix"]
    assert figure.y == ("slowest-rank", "idle-cycles")
    panels = painted(study, "matrix").axes[:2]
    assert all(axes.yaxis_inverted() for axes in panels)
    assert [len(axes.texts) for axes in panels] == [36, 36]
    shared = [len(axes.patches) for axes in panels]
    assert shared == [sum(row["shares"] for row in study.rows("matrix"))] * 2
    scale = painted(study, "matrix").axes[2]
    assert [text.get_text() for text in scale.get_xticklabels()] == ["−25 %", "0 %", "2×", "5×"]  # noqa: RUF001


def test_the_scale_of_colours_names_no_change_where_every_pair_gains_alike() -> None:
    case = timed(simulated(1, ("CV", "(II)"), 1, law="both"), 0.9)
    assert case.answer.other is not None
    other = replace(case.answer.other, campaigns=case.campaigns)
    scale = painted(replace(case.answer, other=other).study, "matrix").axes[2]
    assert [text.get_text() for text in scale.get_xticklabels()] == ["0 %"]


def test_values_of_a_law_have_the_unit_of_their_row_in_the_workbook() -> None:
    study = simulated(1, ("CV", "(II)"), 1, law="both").answer.study
    columns = {column.key: column for column in study.table("laws").columns}
    rows = {row["statement"]: row for row in study.rows("laws")}
    cells = [plain(Texts(study), columns["first"], rows[name]) for name in ("gain", "every-pair")]
    assert cells[0] == f"{rows['gain']['first'][0]} of 84"
    assert cells[1].count("%") == 2


def test_a_log_has_a_page_for_each_question(queue: QueueStudy) -> None:
    headings = [part.heading for part in view(queue.study).parts]
    assert headings[:5] == [
        "Do jobs wait less if they share nodes?",
        "What happens to throughput, energy and revenue?",
        "Do jobs keep the speed that their users accept?",
        "Which applications share nodes?",
        "Which users gain, and which pay more?",
    ]
    nobody = Case(law(), log(users=0)).answer
    assert headings[4] not in [part.heading for part in view(nobody.study).parts]


def test_each_figure_of_waits_has_the_ratios_of_the_table(queue: QueueStudy) -> None:
    first = [row for row in queue.study.rows("waits") if row["load"] == queue.first.load]
    drawn = queue.study.rows("drawn rules")
    assert [row["change"] for row in drawn] == [row["wait_ratio"] - 1 for row in first]
    assert [figure.name for figure in queue.study.figures] == ["rules", "measures", "loads"]


@pytest.mark.parametrize("name", ["gates", "queue"])
def test_figures_are_the_same_on_given_axes(name: str, request: pytest.FixtureRequest) -> None:
    assert same_on_given_axes(pictures(request.getfixturevalue(name).study))


def test_the_command_and_a_browser_page_are_in_the_folder(tmp_path: Path) -> None:
    pairs, jobs, out = tmp_path / "pairs.csv", tmp_path / "jobs.swf", tmp_path / "out"
    pairs.write_text("a,b,solo_a_s,solo_b_s,co_a_s,co_b_s\nio,cpu,100,100,105,110\n")
    drawing = ("simulate", "lublin", "--jobs", "40", "--processors", "32", "--write-log")
    assert ran(*drawing, str(jobs)).exit_code == 0
    words = ("colocate", str(pairs), "--log", str(jobs), "--seeds", "2", "--html")
    done = ran(*words, "-o", str(out))
    assert done.exit_code == 0, done.output
    origin = json.loads((out / "colocate.json").read_text())["study"]["provenance"]
    assert origin["words"][0] == "colocate"
    assert {*origin["inputs"]} == {jobs.name, pairs.name}
    assert (out / "report.html").stat().st_size > 0
    assert (out / "report.pdf").stat().st_size > 0
