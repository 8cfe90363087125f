"""The report on a sharing: its files, its names, its tables by hand, hundreds of jobs."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.patches import Rectangle

from planner.cli.main import main
from planner.configurations.selection import Bound
from planner.configurations.sharing.rows import tables
from planner.configurations.sharing.study import SharingSettings, SharingStudy
from planner.errors import PlanError
from reports.figures import pictures
from reports.view import view
from reports.writers.workbook import workbook
from tests.claims.configure import Run, law, thrice
from tests.claims.share import BEST, SPAN, A, B, Case
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.shown import write_twice
from tests.reports.test_figure_kinds import painted

HOSTILE = '$x_1^{2}$ #panic() *b* =1+1 <a href="'
LONG = "数値流体力学シミュレーション" * 4
# On 6 nodes under 100 W: (a on 2, b on 4) 10 + 12 = 22 s at 70 W; (a on 4, b on 2) 26 s at 90 W.
# Equal shares of 3 nodes and 50 W: 10 + 20 = 30 s at 60 W.


@pytest.fixture(scope="module")
def pair() -> SharingStudy:
    twice = {"a": thrice(A, (1, 1), (1.02, 1)), HOSTILE: thrice(B, (1, 1), (1.02, 1.9))}
    return Case(twice, Bound(100.0), 6, asked=BEST).answer


@pytest.fixture(scope="module")
def many() -> SharingStudy:
    """200 jobs of 25 applications, with eight weights each."""
    every: dict[str, list[Run]] = {
        f"code {k:02d} {LONG if k == 3 else ''}".strip(): law(1 + 0.3 * k, (1, 2, 4, 8))
        for k in range(25)
    }
    jobs = tuple((name, weight) for name in every for weight in (1.0, 2.0, 0.5, 4.0) * 2)
    return Case(every, Bound(40_000.0, 0.05), 500, jobs, BEST).answer


@dataclass(frozen=True)
class Written:
    folder: Path
    out: str
    table: Path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The command's files: the only document that these tests typeset."""
    table = tmp_path_factory.mktemp("given") / "table.csv"
    every = (("a", A), (HOSTILE, B), (LONG, B))
    write_twice(table, ((name, *row) for name, rows in every for row in rows))
    folder = tmp_path_factory.mktemp("out")
    for stale in ("configure.json", "share.xlsx"):
        (folder / stale).write_text("{}")
    list_as_ours(folder, "configure.json", "share.xlsx", "../table.csv")
    words = ["share", str(table), "--power-bound", "150", "--nodes", "10", "--json", "-o",
             str(folder)]  # fmt: skip
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return Written(folder, done.stdout, table)


# The command


def test_the_command_writes_every_file_and_lists_it(written: Written) -> None:
    listed = json.loads((written.folder / "run.json").read_text())
    found = {str(f.relative_to(written.folder)) for f in written.folder.rglob("*.*")}
    assert set(listed["sha256"]) == found - {"run.json"}
    assert set(listed["sha256"]) == {
        "report.pdf", "share.xlsx", "share.json", "figures/01-times.png", "figures/01-times.svg",
        "figures/02-watts.png", "figures/02-watts.svg",
    }  # fmt: skip
    assert written.table.exists()
    assert next(solve["question"] for solve in listed["solves"]) == "weighted time: plan"


def test_json_on_stdout_is_the_file(written: Written) -> None:
    assert written.out == (written.folder / "share.json").read_text(encoding="utf-8")
    assert "wall_s" not in written.out


def test_the_document_shows_names_literally(written: Written) -> None:
    reader = pypdf.PdfReader(written.folder / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    assert "".join(HOSTILE.split()) in text


def test_the_workbook_holds_no_formula_but_sums(written: Written) -> None:
    with zipfile.ZipFile(written.folder / "share.xlsx") as book:
        for name in book.namelist():
            tags = [(each.tag.rpartition("}")[2], each.text or "")
                    for each in ET.fromstring(book.read(name)).iter()]  # fmt: skip
            assert "hyperlink" not in dict(tags)
            formulas = [text for tag, text in tags if tag == "f" and "charts" not in name]
            assert all(text.startswith("SUM(") for text in formulas)
        assert HOSTILE.replace("<", "&lt;") in book.read("xl/sharedStrings.xml").decode()


def test_a_folder_that_cannot_be_written_is_refused(written: Written, tmp_path: Path) -> None:
    (tmp_path / "share.json").mkdir()
    words = ["share", str(written.table), "--power-bound", "150", "--nodes", "10", "-o",
             str(tmp_path)]  # fmt: skip
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert "share.json: is a folder where a result belongs" in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["share.json"]


def test_without_a_plan_nothing_is_written(written: Written, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    words = ["share", str(written.table), "--power-bound", "80", "--nodes", "10", "-o", str(folder)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 1
    assert "3 jobs cannot run at once on 10 nodes under 80 W" in done.output  # 3 x 30 W
    assert not folder.exists()


def test_no_plan_within_less_than_the_least_power() -> None:
    with pytest.raises(PlanError, match="they draw at least 60 W"):
        _ = Case({"a": A, "b": B}, Bound(59.0), 6, asked=SPAN).answer


def test_the_command_in_the_study_gives_the_same_answer(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(written.table.parent)
    options = [
        "--power-bound", "140.5", "--nodes", "9", "--job", "a=2.5", "--job", HOSTILE, "--job", "a",
        "--guard", "3", "--repetition", "median", "--objective", "makespan", "--method", "highs",
        "--gap", "0.001", "--seed", "3", "--json",
    ]  # fmt: skip
    first = CliRunner().invoke(main, ["share", "table.csv", *options])
    assert first.exit_code == 0, first.output
    words: list[str] = json.loads(first.stdout)["study"]["provenance"]["words"]
    assert words[:2] == ["share", "table.csv"]
    assert words[-2:] == ["-o", "DIR"]
    again = CliRunner().invoke(main, [*words[:-2], "--json"])
    assert again.stdout == first.stdout


# Tables


def test_methods_are_compared_job_by_job(pair: SharingStudy) -> None:
    rows = {row["method"]: row for row in tables(pair)["methods"]}
    plan, equal = rows["plan"], rows["equal shares"]
    assert (plan["weighted_time_s"], plan["power_w"], plan["nodes"]) == (22, 70, 6)
    assert (plan["above_the_bound"], plan["slower"], plan["worse"]) == (0, None, None)
    # b takes 20 for 12 s: 67 % more; 30 of 22 s in all
    assert (equal["weighted_time_s"], equal["power_w"], equal["nodes"]) == (30, 60, 4)
    assert (equal["slower"], equal["faster"]) == (1, 0)
    assert equal["worse"] == pytest.approx(30 / 22 - 1)
    assert equal["largest_slowdown"] == pytest.approx(20 / 12 - 1)


def test_a_rule_without_a_plan_says_why() -> None:
    """``tight`` does not fit into an equal share of 50 W."""
    tight: list[Run] = [(3, 16, 50.0, 8.0, 60.0)]
    refused = Case({"a": A, "tight": tight}, Bound(100.0), 6).answer
    reason = {"method": "equal shares", "reason": "no-equal-share"}
    assert tables(refused)["methods"][-1] == reason
    assert refused.shared.refused["equal shares"].values == {
        "rule": "equal shares", "application": "tight", "nodes": 3, "power": 50.0,
    }  # fmt: skip
    said = "No plan by equal shares: tight has no configuration within its share: 3 nodes, 50 W."
    assert said in refused.warnings


def test_weights_have_a_column_unless_all_are_1(pair: SharingStudy) -> None:
    weighted = Case({"a": A, "b": B}, Bound(100.0), 6, (("a", 1.0), ("b", 3.0))).answer
    keys = [[column.key for column in each.study.table("jobs").columns if column.shown]
            for each in (pair, weighted)]  # fmt: skip
    assert ["weight" in each for each in keys] == [False, True]


def test_a_makespan_has_two_certificates(pair: SharingStudy) -> None:
    answer = Case({"a": A, "b": B}, Bound(200.0), 8, asked=SharingSettings("makespan")).answer
    rows = {row["what"]: row for row in tables(answer)["certificates"]}
    assert rows["makespan: plan"]["value"] == rows["makespan: plan"]["bound"] == 12
    assert rows["weighted time within this makespan: plan"]["value"] == 17
    equations = [question.equations for question in answer.study.questions if question.equations]
    assert equations == [("share-makespan", "share-limits")]
    assert "weighted time: plan" in {row["what"] for row in tables(pair)["certificates"]}


def test_hundreds_of_jobs_share_rows_and_none_is_lost(many: SharingStudy) -> None:
    assert len(many.problem.jobs) == 200
    rows = many.study.rows("alike")
    assert sum(row["jobs"] for row in rows) == 200
    assert sum(row["power_w"] for row in rows) == pytest.approx(many.plan.power_w)
    assert many.study.decision == "methods"
    found = tables(many)
    for name, plan in {
        "jobs": many.plan,
        **{f"jobs by {name}": rule for name, rule in many.shared.rules.items()},
    }.items():
        assert sum(row["power_w"] for row in found[name]) == pytest.approx(plan.power_w)
        assert len(found[name]) == 200
    assert workbook(many.study)


def test_every_question_that_has_an_answer_has_a_page(
    pair: SharingStudy, many: SharingStudy
) -> None:
    jobs, rules, limit = (
        "How does each job run?", "How much worse are rules of thumb?", "Which limit binds?"
    )  # fmt: skip
    shown = view(pair.study)
    assert [part.heading for part in shown.parts][:2] == [rules, limit]
    assert any("has n nodes, c cores per node" in note for note in shown.decision_notes)
    assert [part.heading for part in view(many.study).parts][:3] == [jobs, rules, limit]


# Figures


@pytest.mark.parametrize("name", ["pair", "many"])
def test_bars_are_as_long_as_the_bound(name: str, request: pytest.FixtureRequest) -> None:
    """The parts of each method and what is unused add up to it."""
    answer: SharingStudy = request.getfixturevalue(name)
    patches = painted(answer.study, "watts").axes[0].patches
    bars = [patch.get_bbox() for patch in patches if isinstance(patch, Rectangle)]
    for place, plan in enumerate(answer.plans):
        there = sorted((bar.x0, bar.x1) for bar in bars if round((bar.y0 + bar.y1) / 2) == place)
        assert [low for low, _ in there] == pytest.approx([0, *(high for _, high in there[:-1])])
        assert there[-1][0] == pytest.approx(plan.power_w)
        assert there[-1][1] == pytest.approx(answer.problem.bound.bound_w)


def test_dots_stand_at_the_times_of_every_job(pair: SharingStudy, many: SharingStudy) -> None:
    drawn = {
        str(line.get_label()): [round(float(x), 6) for x in np.asarray(line.get_xdata())]
        for line in painted(pair.study, "times").axes[0].lines
    }
    assert drawn == {
        "plan" if plan is pair.plan else plan.method: [c.time_s for c in plan.configurations]
        for plan in pair.plans
    }
    means = [row for row in many.study.rows("times drawn") if row["method"] == "plan"]
    assert len(means) == 25
    assert means[0]["time_s"] == pytest.approx(
        np.mean([each.time_s for each in many.plan.configurations[:8]])
    )


def test_figures_are_the_same_on_given_axes(many: SharingStudy) -> None:
    assert [picture.name for picture in pictures(many.study)] == ["01-times", "02-watts"]
    assert same_on_given_axes(pictures(many.study))
