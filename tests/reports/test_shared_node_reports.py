"""The reports on jobs that share nodes, and on two runs: questions, answers, and the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import headroom as hr
from planner.colocation.command_row import command_row
from planner.differences.study import compare_runs
from planner.study import Study
from reports.report import report_of
from reports.tabled import table_blocks
from tests.planner.cli.commands import ran
from tests.reports.shown import tables, texts

PAIRS = """a,b,solo_a_s,solo_b_s,co_a_s,co_b_s
md,cfd,100,120,110,150
cfd,io,120,200,130,210
md,io,100,200,140,290
"""


def document(study: Study) -> dict[str, Any]:
    report = report_of(study)
    return report.document(study, report.pictures(study))


def page(shown: dict[str, Any], heading: str) -> dict[str, Any]:
    return next(page for page in shown["pages"] if page["heading"] == heading)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def test_every_question_on_pairs_has_an_answer(table: Path) -> None:
    shown = document(hr.colocate(str(table), jobs=["md", "cfd", "cfd", "io"]))
    asked = [one for one in shown["pages"] if not one["heading"].startswith("Appendix")]
    assert [one["heading"] for one in asked] == [
        "Which jobs share a node, and how much slower do they run?",
        "How much better is this than simpler pairings?",
        "What does a limit on the slowdown cost?",
        "Which pairs should be measured next?",
    ]
    assert all(one["answer"] for one in asked)
    assert "No pair was measured more than once" in texts(shown["right"])


def test_limits_that_leave_the_gain_unchanged_are_not_listed(table: Path) -> None:
    study = hr.colocate(str(table))
    (rows,) = tables(page(document(study), "What does a limit on the slowdown cost?")) or [[]]
    assert len({row[1] for row in rows}) == len(rows)


def test_a_single_pair_is_a_list_with_its_names(table: Path) -> None:
    study = hr.colocate(str(table), jobs=["md", "cfd"])
    (lead, cells) = table_blocks(study, "shared_nodes", "Pairs")
    assert lead["words"] == "Pairs:"
    assert cells["lines"][:2] == ["Job: md", "Partner: cfd"]


def test_a_table_without_rows_is_left_out(table: Path) -> None:
    assert table_blocks(hr.colocate(str(table)), "groups_of_jobs") == []


@pytest.mark.parametrize(
    "options", [["tangram-two-node", "--seeds", "1"], ["tangram-two-node", "--limit", "1.1"]]
)
def test_the_command_is_in_the_provenance(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("planner.cli.colocate.write_report", _keep := Kept())
    done = ran("colocate", *options, "--seeds", "1", "-q", "-o", str(tmp_path / "out"))
    assert done.exit_code == 0, done.output
    (row,) = [row for row in _keep.study.provenance if row[0] == "command"]
    assert row[1].startswith("headroom colocate tangram-two-node --seeds 1")


class Kept:
    """Keeps the study that a command would have shown."""

    study: Any

    def __call__(self, study: Any, *_: object, **__: object) -> list[str]:
        self.study = study
        return []


def test_what_python_made_has_no_command() -> None:
    assert command_row(()) == ("command", "made from Python")


def plan(bound_w: float, score: float, **further: Any) -> dict[str, Any]:
    return {
        "format": 1, "headroom": "0.1.0", "scenario": {}, "options": {"seed": 0},
        "summary": f"Buy for {score}.",
        "decision": {"status": "optimal", "plan": {"score": score, "it_power_w": 2 * bound_w}},
        "inputs": {"power": {"bound_w": bound_w}},
    } | further  # fmt: skip


def compared(first: dict[str, Any], second: dict[str, Any], folder: Path) -> dict[str, Any]:
    for name, one in (("a", first), ("b", second)):
        (folder / name).mkdir()
        (folder / name / "plan.json").write_text(json.dumps(one))
    return document(compare_runs(folder / "a", folder / "b"))


def test_two_runs_are_compared_with_a_figure_of_relative_changes(tmp_path: Path) -> None:
    shown = compared(plan(100.0, 4.0), plan(50.0, 3.0), tmp_path)
    assert shown["figure"]["title"] == "IT power [W] changes most: 50 % less"
    answer = page(shown, "What was given differently?")["answer"]
    assert answer == "Only the power bound from 100 W to 50 W."
    (rows,) = tables(page(shown, "What came out differently?"))
    assert rows[0] == ["Score", "4", "3", "-1"]
    said = texts(shown)
    assert "a: Buy for 4.0." in said
    assert "Status of b: optimal." in said
    assert "The version of Headroom and the options are the same." in said
    assert "headroom diff a b -o DIR" in said


def test_runs_with_other_options_or_versions_are_told_apart(tmp_path: Path) -> None:
    other = plan(100.0, 3.0, headroom="0.2.0", options={"seed": 1})
    said = texts(compared(plan(100.0, 4.0), other, tmp_path))
    assert "The runs come from different versions of Headroom." in said
    assert "The runs have different options" in said
    assert "Nothing: both runs have the same input." in said


def test_without_a_common_number_the_results_are_on_the_first_page(tmp_path: Path) -> None:
    shown = compared(plan(100.0, 4.0), plan(50.0, 3.0, decision={"status": "infeasible"}), tmp_path)
    assert shown["figure"] is None
    assert [row[0] for row in shown["table"]["rows"]] == ["Score", "IT power [W]"]
    assert "Status of b: infeasible." in texts(shown)


def test_a_log_with_few_users_allows_no_statement_on_users(tmp_path: Path) -> None:
    pairs, log = tmp_path / "pairs.csv", tmp_path / "jobs.swf"
    pairs.write_text(PAIRS)
    jobs = ["lublin", "--jobs", "60", "--load", "0.9", "--processors", "32", "--write-log"]
    assert ran("simulate", *jobs, str(log)).exit_code == 0
    shown = document(hr.colocate_log(str(pairs), str(log), nodes=32, seeds=2))
    assert shown["title"] == "What does the queue of jobs.swf gain if jobs share nodes?"
    users = page(shown, "Which users gain, and which pay more?")
    assert users["answer"] == "No statement is possible: the log names no users."
    assert not users["blocks"]
    measures = page(shown, "Appendix: all measures")
    assert all("\N{EN DASH}" not in row for row in tables(measures)[0])
