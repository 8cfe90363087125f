"""The reports on jobs that share nodes: questions, answers, and the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import headroom as hr
from planner.command_row import command_row
from planner.worded_study import Study
from reports.registered import report_of
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


def test_the_command_is_in_the_provenance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("planner.cli.colocate.write_report", _keep := Kept())
    words = ("colocate", "tangram-two-node", "--seeds", "1", "-q", "-o", str(tmp_path / "out"))
    done = ran(*words)
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


def test_a_log_without_users_has_no_page_on_users(tmp_path: Path) -> None:
    pairs, log = tmp_path / "pairs.csv", tmp_path / "jobs.swf"
    pairs.write_text(PAIRS)
    jobs = ["lublin", "--jobs", "60", "--load", "0.9", "--processors", "32", "--write-log"]
    assert ran("simulate", *jobs, str(log)).exit_code == 0
    shown = document(hr.colocate_log(str(pairs), str(log), nodes=32, seeds=2))
    assert shown["title"] == "What does the queue of jobs.swf gain if jobs share nodes?"
    assert "Which users gain" not in texts(shown)
    method = texts(page(shown, "Appendix: method"))
    assert "Gains and bills of users are not compared: the log names no user." in method
    assert "assigns the jobs of the log" in method
    assert "mappings of jobs to applications" in shown["certificate"]
    assert "offered load (work over capacity) of 0." in shown["certificate"]
    assert ["applications", "md, cfd, io"] in tables(
        page(shown, "Appendix: provenance"))[0]  # fmt: skip
    others = page(shown, "What happens to throughput, energy and revenue?")
    assert "energy is" in others["answer"]
    measures = page(shown, "Appendix: all measures")
    assert all("\N{EN DASH}" not in row for row in tables(measures)[0])
