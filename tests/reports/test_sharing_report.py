"""The report on a sharing: what it says, by hand; what its figures show; hundreds of jobs."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from planner.cli.main import main
from planner.cli.share import _row
from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import Goal, SharedJob, SharingProblem
from planner.configurations.sharing.share import Shared
from planner.configurations.sharing.study import SharingSettings, SharingStudy, study
from planner.configurations.table import table_of
from planner.errors import PlanError
from planner.formatting import percent
from reports.configuration.pages.measured import measured_runs
from reports.publish import plan_json
from reports.sharing import document, pictures
from reports.sharing.figures import times, watts
from reports.sharing.groups import groups
from reports.sharing.pages import appendix, jobs, measured, method, rules
from reports.sharing.pages.each_job import each_job
from reports.sharing.pages.front import pairs
from reports.sharing.summary import against
from reports.style import Picture
from reports.workbook import sheets
from scenarios.measurements.reader import read_measurements
from scenarios.measurements.runs import Measurements, Runs
from solvers import Level, Status
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.shown import tables, texts, write_twice

HEADINGS = [
    "How is the power shared?", "How much worse are rules of thumb?",
    "What are the limits of this result?", "Which runs is this based on?",
    "Appendix: how the plan was found, and how good it is", "Appendix: runs",
    "Appendix: provenance",
]  # fmt: skip
HOSTILE = '$x_1^{2}$ #panic() *b* =1+1 <a href="'
LONG = "数値流体力学シミュレーション" * 4
PROVED = "rigorously proved"
RECOMPUTED = "solver bound, plan rechecked"

Rows = list[tuple[int, float, float]]
"""Nodes, time, power."""
# On 6 nodes under 100 W: (a on 2, b on 4) 10 + 12 = 22 s at 70 W; (a on 4, b on 2) 26 s at 90 W.
# Equal shares of 3 nodes and 50 W: 10 + 20 = 30 s at 60 W.
A: Rows = [(2, 10.0, 30.0), (4, 6.0, 60.0), (4, 5.0, 75.0)]
B: Rows = [(2, 20.0, 30.0), (4, 12.0, 40.0)]
TIGHT: Rows = [(3, 8.0, 60.0)]


def runs(application: str, rows: Rows, *repetitions: tuple[float, float]) -> Runs:
    """Each row once as it is, and once for every factor of its time and its power."""
    grown = [
        (n, 50.0 + index, k, t * slower, w * more)
        for index, (n, t, w) in enumerate(rows)
        for k, (slower, more) in enumerate(((1.0, 1.0), *repetitions), 1)
    ]
    n, cap, number, t, w = (np.array(column) for column in zip(*grown, strict=True))
    return Runs(application, n, np.full(len(n), 16), cap, number.astype(int), t, w)


def shared(
    *tables: Runs,
    asked: SharingSettings | None = None,
    bound: Bound | None = None,
    nodes: int = 6,
    weights: Mapping[str, tuple[float, ...]] | None = None,
) -> SharingStudy:
    """A job of each weight of each application: by default one of weight 1, by fastest runs."""
    asked = asked or SharingSettings(repetition="best")
    given = Measurements(
        "folder/runs.csv", "ab12" * 16, {table.application: table for table in tables}
    )
    made = tuple(
        SharedJob(table.application, table_of(table, asked.repetition), weight)
        for table in tables
        for weight in (weights or {}).get(table.application, (1.0,))
    )
    return study(given, SharingProblem(made, bound or Bound(100.0), nodes), asked)


@pytest.fixture(scope="module")
def pair() -> SharingStudy:
    return shared(runs("a", A, (1.02, 1.0)), runs(HOSTILE, B, (1.02, 1.9)))


@pytest.fixture(scope="module")
def refused() -> SharingStudy:
    """``tight`` does not fit into an equal share of 50 W."""
    return shared(runs("a", A), runs("tight", TIGHT))


def law(application: str, scale: float) -> Runs:
    rows = [(n, scale * (300 / n**0.8 / c**0.5 + n), n * (60.0 + 2 * c))
            for n in (1, 2, 4, 8) for c in (4, 9, 16)]  # fmt: skip
    return runs(application, rows, (1.01, 1.0))


@pytest.fixture(scope="module")
def many() -> SharingStudy:
    """200 jobs of 25 applications, with eight weights each."""
    tables = [law(f"code {k:02d} {LONG if k == 3 else ''}".strip(), 1 + 0.3 * k) for k in range(25)]
    weights = {table.application: (1.0, 2.0, 0.5, 4.0) * 2 for table in tables}
    return shared(*tables, bound=Bound(40_000.0, 0.05), nodes=500, weights=weights)


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
    write_twice(
        table,
        ((name, n, 16, 50 + index, t, w) for name, rows in every
         for index, (n, t, w) in enumerate(rows)),
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("out")
    for stale in ("configure.json", "share.xlsx"):
        (folder / stale).write_text("{}")
    list_as_ours(folder, "configure.json", "share.xlsx", "../table.csv")
    words = [
        "share",
        str(table),
        "--power-bound",
        "150",
        "--nodes",
        "10",
        "--json",
        "-o",
        str(folder),
    ]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return Written(folder, done.stdout, table)


# The command


def test_the_command_writes_every_file_and_lists_it(written: Written) -> None:
    listed = json.loads((written.folder / "run.json").read_text())
    result = {str(f.relative_to(written.folder)) for f in written.folder.rglob("*.*")} - {
        "run.json"
    }
    assert set(listed["sha256"]) == result
    assert result == {
        "report.pdf", "share.xlsx", "share.json", "figures/01-watts.png", "figures/01-watts.svg",
        "figures/02-times.png", "figures/02-times.svg",
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
    for heading in HEADINGS:
        assert "".join(heading.split()) in text


def test_the_workbook_holds_no_formula(written: Written) -> None:
    with zipfile.ZipFile(written.folder / "share.xlsx") as book:
        for name in book.namelist():
            tags = {
                element.tag.rpartition("}")[2] for element in ET.fromstring(book.read(name)).iter()
            }
            assert not tags & {"f", "hyperlink"}
        assert HOSTILE.replace("<", "&lt;") in book.read("xl/sharedStrings.xml").decode()


def test_a_folder_that_cannot_be_written_is_refused(written: Written, tmp_path: Path) -> None:
    (tmp_path / "share.json").mkdir()
    words = [
        "share",
        str(written.table),
        "--power-bound",
        "150",
        "--nodes",
        "10",
        "-o",
        str(tmp_path),
    ]
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


def test_the_command_in_the_appendix_gives_the_same_answer(written: Written) -> None:
    options = [
        "--power-bound", "140.5", "--nodes", "9", "--job", "a=2.5", "--job", HOSTILE, "--job", "a",
        "--guard", "3", "--repetition", "median", "--objective", "makespan", "--method", "highs",
        "--gap", "0.001", "--seed", "3",
    ]  # fmt: skip
    first = CliRunner().invoke(main, ["share", str(written.table), *options, "--json"])
    assert first.exit_code == 0, first.output
    given = read_measurements(written.table)
    made = tuple(
        SharedJob(name, table_of(given.runs[name], "median"), weight)
        for name, weight in (("a", 2.5), (HOSTILE, 1.0), ("a", 1.0))
    )
    arguments = SharingSettings("makespan", "highs", 0.001, None, 3, "median")
    studied = study(given, SharingProblem(made, Bound(140.5, 0.03), 9), arguments)
    assert plan_json(studied) == first.stdout
    words = shlex.split(appendix.command(studied))
    assert words[:3] == ["headroom", "share", "table.csv"]
    selected = [word for word in words[3:] if word not in ("-o", "DIR")]
    again = CliRunner().invoke(main, ["share", str(written.table), *selected, "--json"])
    assert again.stdout == first.stdout


def test_what_is_printed_is_rounded_like_the_report(written: Written) -> None:
    odd = [(2, 123.456, 688.932)]  # 689 W and 123.46 s in other rounding
    result = shared(runs("odd", odd), bound=Bound(1_000.0))
    page = texts(jobs.page(result, {}).to_dict())
    assert "nodes x cores, cap (2 x 16, 50 W); time 123.5 s; power 688.9 W" in page
    (block,) = measured_runs([(result.runs["odd"], result.problem.jobs[0].table)])
    assert "Time: 123.5 s; power: 688.9 W" in block["words"]
    assert "688.9 W of 1,000 W" in result.headline


@pytest.mark.parametrize("excess", [0.0421, 0.0429, 0.381, 0.389, 3e-6, 0.0])
def test_a_rule_lies_above_the_limit_by_the_same_digits_in_terminal_and_report(
    pair: SharingStudy, excess: float
) -> None:
    """If the plan meets its bound, a rule is as far above the bound as above the plan."""
    shared, bound = pair.shared, pair.shared.bound
    assert bound is not None
    rule = next(iter(shared.rules.values()))
    scaled = tuple(
        replace(each, time_s=each.time_s * bound * (1 + excess) / rule.value)
        for each in rule.configurations
    )
    moved = replace(rule, configurations=scaled)
    result = replace(pair, shared=replace(shared, rules={moved.method: moved}))
    printed = _row(result.shared, moved)[-1]
    assert printed == rules._method_row(result, moved)[-1]
    if excess > 1e-5:
        assert f"{printed} worse" in against(result)
        assert printed == percent(excess)


def test_words_on_rules_come_from_their_plans_and_not_from_their_names() -> None:
    """A heuristic whose name ends in s, or holds "no plan", is one method like any other."""
    result = shared(runs("a", A), runs("b", B), bound=Bound(100.0))
    greedy = replace(result.shared.rules["greedy"], method="as good as no plans")
    renamed = replace(result, shared=replace(result.shared, rules={greedy.method: greedy}))
    finding = rules.page(renamed, {}).answer
    assert " are " not in finding
    assert finding.endswith(("than the plan in weighted time.", "is as good."))


# What the pages say


def test_every_question_has_its_page(pair: SharingStudy, many: SharingStudy) -> None:
    for examined in (pair, many):
        result = document(examined, [])["pages"]
        first = HEADINGS[0] if examined is pair else "How does each job run?"
        assert [page["heading"] for page in result] == [first, *HEADINGS[1:]]
        for page in result[:5]:
            if page["heading"] != "What are the limits of this result?":
                assert page["answer"].endswith((".", ").")), page["heading"]


def test_tables_are_as_wide_as_their_columns_say(pair: SharingStudy, many: SharingStudy) -> None:
    for examined in (pair, many):
        data = document(examined, [])
        result = [b["table"] for p in data["pages"] for b in p["blocks"] if b["kind"] == "table"]
        for table in [*result, data["table"]]:
            assert {len(row) for row in table["rows"]} <= {len(table["columns"])}
            assert len(table["widths"]) == len(table["columns"])


def lines_of(data: dict[str, Any]) -> str:
    """What the first page says."""
    return " ".join(line for part in (*data["left"], *data["right"]) for line in part["lines"])


def test_the_title_page_holds_the_decision(pair: SharingStudy) -> None:
    data = document(pair, [])
    assert data["title"] == "Sharing 100 W and 6 nodes among 2 jobs"
    assert data["decision"] == (
        "2 jobs run at once; their run times add up to 22.0 s, at 70 W of 100 W."
    )
    assert pair.details == (
        "The weighted time (the sum of the jobs' run times, each times its weight, here 1) is 22 s "
        "on 6 of 6 nodes. Times are those of the fastest runs; with median runs it is 22.44 s."
    )
    assert data["certificate"] == "Optimal: no choice is better (rigorously proved)."
    assert data["footer"].startswith("runs.csv · ")
    assert data["table"]["rows"] == [
        ["1", "a", "(2 x 16, 50 W)", "10 s", "30 W", "30 %"],
        ["2", HOSTILE, "(4 x 16, 51 W)", "12 s", "40 W", "40 %"],
        ["", "all 2 jobs", "6 nodes", "", "70 W", "70 %"],
    ]
    text = lines_of(data)
    assert pair.details in text
    assert "70 % of 100 W" not in text  # the power does not bind
    assert "Nodes: 6 of 6 nodes are used." in text
    assert "equal shares are 36 % worse" in text


def test_shares_of_the_bound_are_rounded_and_never_full_below_it() -> None:
    """a draws 43.6 W and b 56.3 W of 100 W: 99.9 %, and the 0.1 W that stays tells the rest."""
    rows: tuple[Rows, Rows] = ([(2, 10.0, 43.6)], [(2, 20.0, 56.3)])
    near = shared(runs("a", rows[0]), runs("b", rows[1]))
    data = document(near, pictures(near))
    assert [row[-1] for row in data["table"]["rows"]] == ["44 %", "56 %", "99.9 %"]
    assert "None: 99.9 % of 100 W is used, and 4 of 6 nodes are used." in lines_of(data)
    assert data["figure"]["title"].startswith("The plan uses 99.9 % of 100 W, ")
    assert jobs.page(near, {}).answer == "b draws most, 56 % of the bound, and a least, 44 %."
    assert rules.methods(near)["rows"][0][4] == "99.9 %"


def test_groups_of_jobs_have_rounded_shares(many: SharingStudy) -> None:
    first = groups(many.plan)[0]
    body = tables(jobs.page(many, {}).to_dict())[0]
    assert body[0][-1] == percent(first.power_w / many.problem.bound.bound_w)


def test_a_hard_bound_that_runs_may_pass_comes_before_the_start(pair: SharingStudy) -> None:
    """At the highest power of their runs, the jobs draw 106 W of 100 W."""
    assert (
        "If the bound is hard, plan again with --repetition worst; otherwise start each job with "
        "the nodes, cores and cap of the table below."
    ) in lines_of(document(pair, []))
    steady = lines_of(document(shared(runs("a", A), runs("b", B)), []))
    assert "Start each job with the nodes, cores and cap of the table below." in steady
    assert "If the bound is hard" not in steady


def test_a_plan_is_the_least_possible_only_where_that_is_proved(pair: SharingStudy) -> None:
    assert "has the least weighted time that is possible." in lines_of(document(pair, []))
    assert pair.plan.certificate is not None
    other = replace(pair.plan.certificate, status=Status.FEASIBLE, bound=11.0)
    unsure = replace(pair, shared=Shared(replace(pair.plan, certificate=other), {}, {}))
    assert "has the least weighted time that was found." in lines_of(document(unsure, []))


def test_the_job_whose_cap_limits_it_is_named(pair: SharingStudy) -> None:
    """Sockets of a draw 30 W of 2 x 2 x 50 W, those of b 188 W of 4 x 2 x 25 W."""
    low, high = runs("a", [(2, 10.0, 110.0)]), runs("b", [(4, 20.0, 188.0)])
    high = replace(high, package_cap_w=np.full(1, 25.0))
    both = shared(low, high, bound=Bound(300.0))
    assert both.sockets_summary == (
        "Package power per socket (2 per node): a (2 x 16, 50 W) draws 27.5 W, 55 % of its cap, so "
        "the cap hardly limits it. b (4 x 16, 25 W) draws 23.5 W, 94 % of its cap, so the cap "
        "limits it."
    )


def test_weights_have_a_column_unless_all_are_1(pair: SharingStudy) -> None:
    weighted = shared(runs("a", A), runs("b", B), weights={"b": (3.0,)})
    headings = [column["name"] for column in each_job(weighted)["columns"]]
    assert headings[:4] == ["Job", "Application", "Weight", "Nodes x cores, cap"]
    assert "their weighted run times add up to" in weighted.headline
    assert "Weight" not in [column["name"] for column in each_job(pair)["columns"]]
    assert not tables(jobs.page(pair, {}).to_dict())  # the first page has them


def test_a_bound_that_limits_nothing_is_warned_of() -> None:
    """The jobs draw at most 75 + 60 W; at 135 W the bound still binds the largest choice."""
    most = sum(max(power for *_, power in rows) for rows in (A, B))
    loose, tight = (
        shared(runs("a", A), runs("b", B), bound=Bound(most + more), nodes=8) for more in (1.0, 0.0)
    )
    assert any(f"limits nothing: with the highest power of all their configurations, the jobs draw "
               f"{most:g} W" in warning for warning in loose.warnings)  # fmt: skip
    assert not any("limits nothing" in warning for warning in tight.warnings)
    loose_bound, guarded = Bound(most + 1.0), Bound(most + 1.0, 0.1)
    assert loose_bound.never_limits(most)
    assert not guarded.never_limits(most)


def test_rules_are_compared_job_by_job(pair: SharingStudy) -> None:
    rows = {row[0]: row[1:] for row in tables(rules.page(pair, {}).to_dict())[0]}
    assert rows["plan"][:5] == ["22 s", "12 s", "70 W", "6", "0 %"]
    # b takes 20 for 12 s: 67 % more; 30 of 22 s in all
    assert rows["equal shares"] == ["30 s", "20 s", "60 W", "4", "36 %", "1", "0", "67 %"]


def test_a_rule_without_a_plan_says_why(refused: SharingStudy) -> None:
    reason = "tight has no configuration within an equal share of 3 nodes and 50 W"
    assert refused.shared.refused == {"equal shares": reason}
    page = texts(rules.page(refused, {}).to_dict())
    assert f"No plan by equal shares: {reason}." in page
    assert "equal shares have no plan" in page
    assert f"No plan by equal shares: {reason}." in lines_of(document(refused, []))
    assert rules.methods(refused)["rows"][-1][:2] == ["equal shares", "no plan"]


def test_power_of_the_hungriest_repetitions_is_summed(pair: SharingStudy) -> None:
    # a 30 W, b 1.9 x 40 = 76 W: 106 W of 100 W, though no job alone passes the bound
    assert pair.largest_power_w == pytest.approx(106.0)
    assert any("the jobs would draw 106 W, above the bound of 100 W" in warning
               for warning in document(pair, [])["risks"])  # fmt: skip
    worst = SharedJob("b", table_of(pair.runs[HOSTILE], "worst"))
    assert float(worst.table.power_w.max()) == pytest.approx(76.0)


def test_stragglers_and_single_runs_are_told(refused: SharingStudy) -> None:
    slow = runs("a", [(n, t, w) for n, t, w in A] * 1, (1.001, 1.0), (2.0, 1.0))
    once = shared(slow, runs("b", B), nodes=8)
    page = texts(measured.page(once, {}).to_dict())
    assert "Unusually slow runs" in page
    assert "runs of a were 100 % slower than the best run of the same configuration" in page
    assert "Run once each, so slow runs cannot be detected: b." in page
    assert "Chosen (4 x 16, 51 W) of a: repetition 3 took 12 s, 100 % longer" in page
    assert any("measured once" in warning for warning in document(refused, [])["risks"])


def test_more_warnings_than_boxes_stand_in_the_appendix(many: SharingStudy) -> None:
    messages = tuple(f"warning {k}" for k in range(80))
    loud = replace(many, measurements=replace(many.measurements, warnings=messages))
    assert document(loud, [])["risks"][-2:] == [
        "warning 2", f"{len(loud.warnings) - 3} further warnings are in the appendix.",
    ]  # fmt: skip
    lines = appendix.page(loud, {}).blocks[-1]["lines"]
    assert lines[:60] == list(messages[:60])
    assert lines[60:] == [f"{len(loud.warnings) - 60} more are in share.json."]


@pytest.mark.parametrize(
    ("level", "status", "bound", "said"),
    [
        (Level.VERIFIED, Status.OPTIMAL, 22 * (1 - 1e-7),
         f"Optimal: no choice can be more than 0.001 % better ({RECOMPUTED})."),
        (Level.PROVED, Status.FEASIBLE, 11.0,
         f"Within 100 % of the best limit ({PROVED}); a better choice may exist."),
        (Level.CLAIMED, Status.FEASIBLE, None,
         "It is not known how much better another choice could be."),
    ],
)  # fmt: skip
def test_how_sure_a_plan_is_stands_in_plain_words(
    pair: SharingStudy, level: Level, status: Status, bound: float | None, said: str
) -> None:
    assert pair.plan.certificate is not None
    other = replace(pair.plan.certificate, level=level, status=status, bound=bound)
    unsure = replace(pair, shared=Shared(replace(pair.plan, certificate=other), {}, {}))
    assert unsure.confidence == said
    assert document(unsure, pictures(unsure))["pages"][4]["answer"] == said
    assert [picture.kind for picture in pictures(unsure)] == ["watts"]


def test_a_tiny_gap_is_not_rounded_to_nothing(pair: SharingStudy) -> None:
    assert pair.plan.certificate is not None
    other = replace(pair.plan.certificate, status=Status.FEASIBLE, gap_relative=3.2e-6)
    settings = replace(pair.settings, gap=1e-6)
    near = Shared(replace(pair.plan, certificate=other), {}, {})
    assert any(
        warning.startswith("The gap is 0.0004 %, and 0.0001 % was requested.")
        for warning in replace(pair, shared=near, settings=settings).warnings
    )


def test_a_makespan_has_two_certificates_and_its_own_formula() -> None:
    result = shared(runs("a", A), runs("b", B), bound=Bound(200.0), nodes=8,
                   asked=SharingSettings("makespan"))  # fmt: skip
    data = document(result, [])
    assert data["makespan"]
    assert "the last one ends after 12.0 s" in data["decision"]
    page = method.page(result, {}).to_dict()
    rows = {row[0]: row[1:] for row in tables(page)[0]}
    assert rows["makespan"][:2] == ["12 s", "12 s"]
    assert "in every row: gap 0 %; status optimal" in texts(page)
    assert rows["weighted time within this makespan"][0] == "17 s"
    assert not document(shared(runs("a", A)), [])["makespan"]


# Hundreds of jobs


def test_hundreds_of_jobs_fit_into_a_table_and_none_is_lost(many: SharingStudy) -> None:
    assert len(many.problem.jobs) == 200
    result = groups(many.plan)
    assert sum(group.jobs for group in result) == 200
    assert sum(group.power_w for group in result) == pytest.approx(many.plan.power_w)
    (rows,) = tables(jobs.page(many, {}).to_dict())
    assert len(rows) <= 32
    assert sum(int(row[0]) for row in rows[:-1]) == 200
    assert rows[-1][1] == "all 200 jobs"
    assert max(len(row[1]) for row in rows) <= 64


def test_hundreds_of_jobs_have_a_command_of_some_lines(many: SharingStudy) -> None:
    value = {row[0]: row[1] for row in tables(appendix.page(many, {}).to_dict())[0]}["Command"]
    assert len(value) < 1_300
    assert "with --job for each of 200 jobs: listed in share.json" in value


def test_the_workbook_has_every_job_by_every_method(many: SharingStudy) -> None:
    result = sheets(many)
    assert list(result)[:3] == ["summary", "jobs", "methods"]
    rules = {f"jobs by {name}": rule for name, rule in many.shared.rules.items()}
    for name, plan in {"jobs": many.plan, **rules}.items():
        assert sum(row["power_w"] for row in result[name]) == pytest.approx(plan.power_w)
        assert len(result[name]) == 200
    facts = dict(pairs(many))
    assert (facts["nodes of the machine"], facts["guard (share of the bound)"]) == (500, 0.05)


# Figures


def painted(study: SharingStudy, paint: Callable[[Figure, SharingStudy], None]) -> Figure:
    figure = Figure(figsize=(6.8, 4))
    paint(figure, study)
    return figure


@pytest.mark.parametrize("name", ["pair", "many"])
def test_bars_are_as_long_as_the_power_of_each_method(
    name: str, request: pytest.FixtureRequest
) -> None:
    result: SharingStudy = request.getfixturevalue(name)
    (axes,) = painted(result, watts.paint).axes
    bars = [patch for patch in axes.patches if isinstance(patch, Rectangle)]
    for row, plan in enumerate(result.plans):
        there = [bar for bar in bars if round(bar.get_y() + bar.get_height() / 2) == row]
        assert sum(bar.get_width() for bar in there) == pytest.approx(plan.power_w)
        assert len(there) <= 40
        ends = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in there)
        for (_, end), (begin, _) in pairwise(ends):
            assert begin == pytest.approx(end)
    lines = [line.get_xdata()[0] for line in axes.lines]  # type: ignore[index]
    expected = {result.problem.bound.bound_w, result.problem.bound.usable_w}
    assert set(lines) == expected
    names = watts.entries(result)
    assert len(names) <= 12
    bar_parts = [part for plan in result.plans for part in watts.parts(result, plan)]
    assert {part.entry for part in bar_parts} == set(range(len(names)))
    assert axes.get_xlim()[1] > result.problem.bound.bound_w


def test_a_bound_far_away_does_not_flatten_the_bars() -> None:
    result = shared(runs("a", A), bound=Bound(1e6))
    (axes,) = painted(result, watts.paint).axes
    assert axes.get_xlim()[1] < 200
    assert "bound 1,000,000 W, beyond the axis" in [text.get_text() for text in axes.texts]


def test_a_refused_rule_keeps_its_place_in_the_figure(refused: SharingStudy) -> None:
    (axes,) = painted(refused, watts.paint).axes
    assert [text.get_text() for text in axes.get_yticklabels()] == [
        "plan", "greedy", "equal shares",
    ]  # fmt: skip
    assert "equal shares: no plan" in [text.get_text() for text in axes.texts]


def test_dots_stand_at_the_goal_and_at_the_times(pair: SharingStudy) -> None:
    above, below = painted(pair, times.paint).axes
    dots = [line.get_xdata()[0] for line in above.lines if len(line.get_xdata()) == 1]  # type: ignore[arg-type, index]
    assert dots == [plan.value for plan in pair.plans]
    dots = [line.get_xdata()[0] for line in below.lines]  # type: ignore[index]
    expected = [plan.configurations[job].time_s for job in (0, 1) for plan in pair.plans]
    assert dots == expected


def test_times_of_hundreds_of_jobs_are_means_by_application(many: SharingStudy) -> None:
    selected, omitted = times.rows(many)
    assert len(selected) == 20
    assert omitted == "5 further applications with 40 jobs: see share.xlsx"
    first = selected[0]
    places = [k for k, job in enumerate(many.problem.jobs) if job.name[:7] == first.name[:7]]
    assert first.times_s[0] == tuple(many.plan.configurations[k].time_s for k in places)
    _, below = painted(many, times.paint).axes
    dots = [line.get_xdata()[0] for line in below.lines]  # type: ignore[index]
    assert dots[0] == pytest.approx(np.mean(first.times_s[0]))
    assert [row.weight for row in selected] == sorted(
        (row.weight for row in selected), reverse=True
    )


def test_pictures_are_the_same_twice_and_named_safely(many: SharingStudy) -> None:
    first: list[Picture] = pictures(many)
    assert [picture.name for picture in first] == ["01-watts", "02-times"]
    assert all(re.fullmatch(r"[a-z0-9-]+", picture.name) for picture in first)
    assert pictures(many) == first
    assert "5 further applications" in first[1].alternative


def test_no_picture_of_a_plan_that_does_not_exist() -> None:
    goal: Goal = "makespan"
    with pytest.raises(PlanError, match="they draw at least 60 W"):
        shared(runs("a", A), runs("b", B), bound=Bound(59.0), asked=SharingSettings(goal))


def test_figures_are_the_same_on_given_axes(many: SharingStudy) -> None:
    assert same_on_given_axes(pictures(many))
