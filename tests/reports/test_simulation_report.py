"""The report on a simulation: its files, its pages, its figures; any names, any size."""

from __future__ import annotations

import json
import re
import shlex
import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.collections import PatchCollection

import headroom
from planner.cli.main import main
from planner.scheduling.policies.problem import SchedulingProblem, Starts, Unavailable
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.policies.rules import RULES
from planner.scheduling.simulation.classes import RUN_NAMES, by_processors, by_run_time
from planner.scheduling.simulation.explain import explain
from planner.scheduling.simulation.jobs_of_period import (
    busiest,
    drawn,
    overtook,
    period_of,
    rows_of,
    running,
)
from planner.scheduling.simulation.rows import PERIODS
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.steps import jobs_waiting, processors_in_use
from planner.scheduling.simulation.study import SimulationStudy, study
from planner.scheduling.simulation.tables import MOST_REJECTED
from reports.figures import pictures
from reports.view import view
from reports.writers.terminal import terminal
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lublin import lublin_log
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.test_figure_kinds import painted

HEADINGS = [
    "How long do jobs wait?", "Is the difference more than chance?", "How full is the machine?",
    "Who waits?", "What does this simulation leave out?", "Appendix: jobs that overtake others",
    "Appendix: how the answer was found",
]  # fmt: skip
HOSTILE = "$x_1^{2}$ #panic() *b* =1+1"
NAMES = (
    "01-waits", "02-differences", "03-queue", "04-processors", "05-run-times",
    "06-users", "07-period",
)  # fmt: skip
ROOT = Path(__file__).parents[2]
Rows = list[tuple[int, int, int, int, int]]
"""Submit, run, processors, requested, user."""
# On 4 processors EASY starts job 3 at once and the others at 0, 100 and 150 s; FCFS 3 at 150 s.
FOUR: Rows = [(0, 100, 3, 100, 0), (1, 50, 4, 50, 1), (2, 40, 1, 60, 0), (3, 10, 1, 200, 1)]


def log_of(rows: Rows, machine: int = 4, sha256: str = "ab12" * 16) -> JobLog:
    submit, run, processors, requested, user = np.array(rows, np.int64).T.copy()
    missing = np.full(len(rows), MISSING, np.int64)
    codes = missing.astype(np.int32)
    return JobLog(
        "four", np.arange(1, len(rows) + 1), submit, run, processors, requested,
        user.astype(np.int32), codes, codes, codes, missing,
        names={"user": ("ann", HOSTILE)}, machine_processors=machine,
        counts={"jobs read": len(rows) + 2, "jobs kept": len(rows),
                "left out: no run time": 2, "run cut at the requested time": 1},
        sha256=sha256,
    )  # fmt: skip


def played(log: JobLog, *names: str, **asked: Any) -> SimulationStudy:
    return study(log, [POLICIES[name] for name in names or ("easy",)], SimulationSettings(**asked))


@pytest.fixture(scope="module")
def four() -> SimulationStudy:
    return played(log_of(FOUR), "easy", "fcfs")


@pytest.fixture(scope="module")
def busy() -> SimulationStudy:
    """Drawn, of three policies."""
    return played(lublin_log(1500, 64, 5, load=0.85), "easy", "fcfs", "sjf-easy")


def none_start() -> SimulationStudy:
    rows: Rows = [(0, 10, 9, 10, 0), (5, 10, 8, 10, 0)]
    return played(log_of(rows), "easy", "fcfs")


@dataclass(frozen=True)
class Written:
    folder: Path
    out: str
    log: Path


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """The command's files: the only document that these tests typeset."""
    rng = np.random.default_rng(3)
    log = tmp_path_factory.mktemp("given") / f"{HOSTILE}.csv"
    lines = ["number,submit,run,processors,requested,user"]
    for number in range(1, 81):
        run, size = int(rng.integers(1, 400)), int(rng.integers(1, 9))
        user = HOSTILE if number % 3 else "ann"
        lines.append(f"{number},{20 * number},{run},{size},{2 * run},{user}")
    log.write_text("\n".join(lines))
    folder = tmp_path_factory.mktemp("out")
    (folder / "share.json").write_text("{}")
    list_as_ours(folder, "share.json")
    words = ["simulate", str(log), "--processors", "8", "--policy", "easy", "--policy", "fcfs"]
    words += ["--warm-up", "0.1", "--explain", "20", "--check", "--json", "-o", str(folder)]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    return Written(folder, done.stdout, log)


# The command


def test_the_command_writes_every_file_and_lists_it(written: Written) -> None:
    listed = json.loads((written.folder / "run.json").read_text())
    found = {str(f.relative_to(written.folder)) for f in written.folder.rglob("*.*")} - {"run.json"}
    assert set(listed["sha256"]) == found
    assert found == {
        "report.pdf", "simulate.xlsx", "simulate.json",
        *(f"figures/{name}.{ending}" for name in NAMES for ending in ("png", "svg")),
    }  # fmt: skip
    assert written.log.exists()


def test_times_stand_in_run_json_alone(written: Written) -> None:
    printed = json.loads(written.out)
    kept = (written.folder / "simulate.json").read_text(encoding="utf-8")
    assert json.dumps(printed, indent=2, ensure_ascii=False) + "\n" == kept
    assert "simulation_seconds" not in kept
    assert printed["explanations"]
    assert printed["violations"] == []
    solves = json.loads((written.folder / "run.json").read_text())["solves"]
    assert [each["policy"] for each in solves] == ["easy", "fcfs"]
    assert all(each["simulation_seconds"] >= 0 for each in solves)


def test_the_document_shows_names_literally(written: Written) -> None:
    reader = pypdf.PdfReader(written.folder / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    for heading in [HOSTILE, *HEADINGS, "Why did this job wait?"]:
        assert "".join(heading.split()) in text
    assert 3 <= len(reader.pages) <= 7


def test_the_workbook_holds_no_formula(written: Written) -> None:
    with zipfile.ZipFile(written.folder / "simulate.xlsx") as book:
        for name in book.namelist():
            tags = {each.tag.rpartition("}")[2] for each in ET.fromstring(book.read(name)).iter()}
            assert not tags & ({"hyperlink"} if "charts" in name else {"f", "hyperlink"})
        assert HOSTILE in book.read("xl/sharedStrings.xml").decode()


def test_the_command_in_the_appendix_gives_the_same_answer(written: Written) -> None:
    words = ["simulate", str(written.log), "--processors", "8", "--policy", "easy++",
             "--event-order", "batch", "--overruns", "keep", "--cool-down", "0.25",
             "--node-processors", "4", "--column", "run_s=run"]  # fmt: skip
    folder = written.folder.parent / "again"
    first = CliRunner().invoke(main, [*words, "-q", "-o", str(folder)])
    assert first.exit_code == 0, first.output
    value = _command_of(folder)
    assert value[:3] == ["headroom", "simulate", written.log.name]
    kept = [word for word in value[3:] if word not in ("-o", "DIR")]
    again = CliRunner().invoke(main, ["simulate", str(written.log), *kept, "--json"])
    told = json.loads(again.stdout)
    assert told == json.loads((folder / "simulate.json").read_text())


def _command_of(folder: Path) -> list[str]:
    told: list[str] = []
    with zipfile.ZipFile(folder / "simulate.xlsx") as book:
        strings = [
            "".join(each.itertext()) for each in ET.fromstring(book.read("xl/sharedStrings.xml"))
        ]
    for each in strings:
        if each.startswith("headroom simulate"):
            told = shlex.split(each)
    return told


def test_the_page_of_the_command_shows_what_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    manual = (ROOT / "docs" / "simulate.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    runs = 0
    for block in manual.split("```console\n")[1:]:
        for example in ("\n" + block.partition("```")[0]).split("\n$ headroom ")[1:]:
            words, _, expected = example.partition("\n")
            printed = CliRunner().invoke(main, shlex.split(words, comments=True)).stdout
            lines = [line.rstrip() for line in printed.splitlines()]
            expected = expected.strip("\n").removesuffix("\nthe schedule breaks the rules")
            assert "\n".join(lines).strip("\n") == expected, words  # the last line is of stderr
            runs += 1
    assert runs == 5
    code = manual.partition("```python\n")[2].partition("```")[0]
    exec(compile(code, "simulate.md", "exec"), {})
    assert capsys.readouterr().out == "1726 s, 13751 s, easy leads\n"


def test_every_option_has_its_row_in_the_manual() -> None:
    manual = (ROOT / "docs" / "simulate.md").read_text(encoding="utf-8")
    printed = CliRunner().invoke(main, ["simulate", "--help"]).stdout
    options = set(re.findall(r"--[a-z-]+", printed)) - {"--help"}
    assert {option for option in options if f"`{option}" not in manual} == set()


# What the pages say


def headings(found: SimulationStudy) -> list[str]:
    """Of all pages but those that every command has."""
    parts = [part.heading for part in view(found.study).parts]
    return parts[: parts.index(HEADINGS[-1]) + 1]


def test_every_question_has_its_page(busy: SimulationStudy, four: SimulationStudy) -> None:
    assert headings(busy) == HEADINGS
    assert headings(four) == [name for name in HEADINGS if "chance" not in name]
    alone = played(lublin_log(200, 64, 1, load=0.8))
    assert "Is the difference more than chance?" not in headings(alone)


def test_the_policies_are_compared_by_hand(four: SimulationStudy) -> None:
    # waits 0, 99, 0, 147 and 0, 99, 148, 147: means 61.5 and 98.5
    easy, fcfs = four.study.rows("policies")
    assert (easy["mean_wait_s"], fcfs["mean_wait_s"]) == (61.5, 98.5)
    # 95 % of 0, 0, 99, 147: 99 + 0.85 x 48; slowdowns 1, 2.98, 1, 15.7; used 550 of 4 x 160
    assert easy["p95_wait_s"] == pytest.approx(139.8)
    assert easy["mean_bounded_slowdown"] == pytest.approx((1 + 2.98 + 1 + 15.7) / 4)
    assert easy["utilisation"] == pytest.approx(550 / 640)
    text = " ".join(terminal(four.study).split())
    assert "EASY: shortest mean wait, 61.5 s. Next: FCFS, 37.0 s longer" in text
    method = next(each for each in four.study.questions if each.name == "method")
    jobs = next(fact.note for fact in method.facts if fact.key == "jobs")
    assert jobs is not None
    assert jobs.values["jobs"] == 2


def test_the_best_is_compared_with_the_next_even_if_it_is_not_the_first(
    busy: SimulationStudy,
) -> None:
    best, second = (busy.measures[place].policy for place in busy.ranking[:2])
    assert best == "sjf-easy"
    assert busy.lead is not None
    assert (busy.lead.first, busy.lead.second) == (best, second)
    expected = busy.measures[busy.ranking[1]].wait_s, busy.measures[busy.ranking[0]].wait_s
    assert expected[0] is not None
    assert expected[1] is not None
    difference = busy.lead.differences["wait"].mean
    assert difference == pytest.approx(expected[0].mean - expected[1].mean)
    assert len(busy.every_comparison) == 2  # easy is both first and second best


def test_load_is_that_of_the_whole_schedule(four: SimulationStudy) -> None:
    row = four.study.rows("use of the machine")[0]
    # easy: 550 processor-seconds; jobs wait 99 + 147 s in 160 s
    assert row["makespan_s"] == 160
    assert row["throughput_per_h"] == 90
    assert row["mean_jobs_waiting"] == pytest.approx(246 / 160)
    assert row["max_jobs_waiting"] == 2


def test_what_was_cut_and_set_aside_is_in_tables() -> None:
    aside = (Unavailable(10, 20, 4, announced=False), Unavailable(500, 600, 1))
    found = played(log_of(FOUR), "easy", unavailable=aside, trim=Trim(0.25))
    assert [row["announced"] for row in found.study.rows("unavailable")] == [False, True]
    rows = {row["what"]: row["jobs"] for row in found.study.rows("jobs of the log")}
    assert rows["left out: no run time"] == 2
    assert rows["run cut at the requested time"] == 1
    shown = {column.key for column in found.study.table("policies").columns if column.shown}
    assert "jobs_killed" in shown  # job 3 of 1 and 3, by the outage
    announced = played(log_of(FOUR), "easy", unavailable=aside[1:])
    shown = {column.key for column in announced.study.table("policies").columns if column.shown}
    assert "jobs_killed" not in shown


def test_each_policy_has_its_rule() -> None:
    found = played(log_of(FOUR), *POLICIES)
    rules = {row["policy"]: row for row in found.study.rows("rules")}
    assert {name: row["rule"] for name, row in rules.items()} == RULES
    assert {name for name, row in rules.items() if row["estimates"] == "tsafrir"} == {
        "easy++", "easy++-pass",
    }  # fmt: skip


@dataclass(frozen=True)
class Own:
    """Jobs start as $x_1$ says: #first come, *first* served.

    Attributes
    ----------
    name
        Any.
    """

    name: str = "own"

    def schedule(self, task: SchedulingProblem) -> Starts:
        return POLICIES["fcfs"].schedule(task)


def test_a_policy_from_elsewhere_has_its_docstring_for_a_rule() -> None:
    found = study(log_of(FOUR), [Own(), POLICIES["easy"]], SimulationSettings())
    row = found.study.rows("rules")[0]
    assert row["rule"] == "Jobs start as $x_1$ says: #first come, *first* served."
    assert "own" in terminal(found.study)


def test_partitions_have_a_page_of_their_own() -> None:
    log = replace(log_of([(0, 10, 2, 10, 0)] * 6), partition=np.array([7, 8] * 3, np.int32))
    found = played(log, "easy", "fcfs", clusters={"7": 2, "8": 4})
    assert "How long are waits over all partitions?" in headings(found)
    # Of 7 the waits are 0, 10 and 20 s; of 8 they are 0, 0 and 10 s.
    waits = [(row["policy"], row["partition"], row["mean_wait_s"])
             for row in found.study.rows("partitions")]  # fmt: skip
    assert waits[:2] == [("easy", "7", 10.0), ("easy", "8", pytest.approx(10 / 3))]
    shared = played(log, "easy")
    assert "How long are waits over all partitions?" not in headings(shared)
    assert any("Partitions that share one machine: 7, 8" in text for text in shared.warnings)


def test_the_settings_of_maui_are_facts_and_tables() -> None:
    found = played(lublin_log(200, 64, 1, load=0.8), "maui")
    method = next(each for each in found.study.questions if each.name == "method")
    facts = {fact.key: fact.value for fact in method.facts}
    assert facts["iteration"] == 30
    assert "event_order" not in facts
    assert found.study.rows("weights of the priority")


def test_nobody_starts_and_the_report_says_so() -> None:
    found = none_start()
    assert pictures(found.study) == []
    assert headings(found) == [HEADINGS[4], HEADINGS[6]]
    larger, rejected = found.warnings
    assert larger.startswith("Most jobs are larger than the machine of 4 processors: 2 of 2 jobs.")
    assert "takes 9 processors, more than 4" in rejected
    assert [row["job"] for row in found.study.rows("rejected")] == [1, 2]
    assert found.headline.startswith("No job of four starts")


def test_many_rejected_jobs_are_in_the_data_and_the_first_of_them_in_the_table() -> None:
    found = played(log_of([(0, 10, 9, 10, 0)] * (MOST_REJECTED + 5)), "easy")
    table = found.study.table("rejected")
    assert (len(table.rows), table.total) == (MOST_REJECTED, MOST_REJECTED + 5)
    assert len(found.to_dict()["rejected"]) == MOST_REJECTED + 5


def test_equal_policies_are_not_to_be_told_apart() -> None:
    rows: Rows = [(0, 10, 4, 10, 0), (1, 10, 4, 10, 0)]
    equal = played(log_of(rows), "fcfs", "easy")
    assert "tell-apart" not in {each.kind for each in equal.study.findings}
    rows = [(0, 10, 3, 10, 0), (1, 10, 4, 10, 0), (2, 5, 1, 5, 0)]
    different = played(log_of(rows), "fcfs", "easy")
    assert "tell-apart" in {each.kind for each in different.study.findings}


def test_a_single_job_has_a_report() -> None:
    found = played(log_of(FOUR[:1]))
    assert [each.kind for each in pictures(found.study)] == [
        "waits", "queue", "processors", "run-times",  # nobody is overtaken
    ]  # fmt: skip


def test_a_job_is_explained_by_policy(four: SimulationStudy) -> None:
    why = tuple(explain(each.schedule, 4) for each in four.simulations)
    found = replace(four, explanations=why)
    assert "Why did this job wait?" in headings(found)
    rows = found.study.rows("explained")
    assert {row["policy"] for row in rows} == {"easy", "fcfs"}
    late = next(row for row in rows if row["reason"] == "delays")
    assert (late["head"], late["reserved_s"]) == (2, 100)
    assert rows[-1]["reason"].startswith("start ")
    assert {row["job"] for row in found.study.rows("explanations")} == {4}


def test_the_workbook_has_every_table(busy: SimulationStudy, four: SimulationStudy) -> None:
    for name in ("by processors", "by run time"):
        assert sum(row["jobs"] for row in busy.tables()[name]) == 3 * 1500
    people = four.tables()["users"]
    assert [row["user"] for row in people] == ["ann", HOSTILE] * 2
    assert people[1]["mean_wait_s"] == (99 + 147) / 2


@pytest.mark.slow
def test_the_same_study_gives_the_same_bytes(tmp_path: Path) -> None:
    digests = []
    for name in ("one", "two"):
        headroom.report(played(lublin_log(120, 64, 5), "easy", "fcfs"), tmp_path / name)
        digests.append(json.loads((tmp_path / name / "run.json").read_text())["sha256"])
    assert digests[0] == digests[1]


# Figures


def test_queue_and_use_over_time_are_exact(busy: SimulationStudy) -> None:
    rows = busy.study.rows("over time")
    assert len(rows) == PERIODS
    for place, simulation in enumerate(busy.simulations):
        schedule = simulation.schedule
        waiting, used = jobs_waiting(schedule), processors_in_use(schedule)
        first = int(schedule.submit_s.min())
        assert max(row[f"queue_{place}"] for row in rows) == waiting.largest()
        for row in rows[:: PERIODS // 9]:
            seconds = np.arange(row["begin_s"], row["end_s"]) + first
            assert row[f"queue_{place}"] == waiting.at(seconds).max()
            assert row[f"use_{place}"] == pytest.approx(used.at(seconds).mean() / 64)


def test_many_policies_have_few_lines() -> None:
    found = played(lublin_log(100, 64, 5, load=0.9), *POLICIES)
    names = {row["policy"] for row in found.study.rows("largest waits")}
    first = (found.measures[place].policy for place in found.ranking[:3])
    assert names == {*first, found.measures[0].policy}
    assert len(painted(found.study, "queue").axes[0].patches) == len(names)


def test_percentiles_reach_from_the_least_wait_to_the_largest(four: SimulationStudy) -> None:
    waits = [row["wait_s"] for row in four.study.rows("largest waits") if row["policy"] == "easy"]
    assert (waits[0], waits[10], waits[-1]) == (0, 49.5, 147)
    assert painted(four.study, "waits").axes[0].get_yscale() == "symlog"


def test_classes_are_dots_at_ninety_percent(four: SimulationStudy) -> None:
    (axes,) = painted(four.study, "processors").axes
    # easy by processors: 1 (jobs 3, 4: 0, 147), 2 to 4 (jobs 1, 2: 0, 99)
    minutes = np.asarray(axes.lines[0].get_xdata())
    assert (60 * minutes).tolist() == pytest.approx([132.3, 89.1])
    assert [label.get_text() for label in axes.get_yticklabels()] == ["1", "2 to 4"]


def test_the_ends_of_what_is_measured_are_lines_over_time() -> None:
    found = played(lublin_log(200, 64, 5, load=0.85), "easy", trim=Trim(0.1, 0.1))
    assert len(painted(found.study, "queue").axes[0].lines) == 2
    whole = played(lublin_log(200, 64, 5, load=0.85), "easy")
    assert len(painted(whole.study, "queue").axes[0].lines) == 0


def test_every_job_is_in_one_class(busy: SimulationStudy) -> None:
    schedule = busy.simulations[0].schedule
    sizes = by_processors(schedule)
    assert [each.name for each in sizes] == ["1", "2 to 4", "5 to 16", "17 to 64"]
    for each, (low, high) in zip(sizes, [(1, 1), (2, 4), (5, 16), (17, 64)], strict=True):
        alike = (schedule.processors >= low) & (schedule.processors <= high)
        assert each.jobs == alike.sum()
        assert each.wait_s.median == np.median(schedule.wait_s[alike])
    assert sum(each.jobs for each in by_run_time(schedule)) == len(schedule)
    assert {each.name for each in by_run_time(schedule)} <= set(RUN_NAMES)


def test_users_have_the_percentiles_of_their_mean_waits(four: SimulationStudy) -> None:
    rows = [row["mean_wait_s"] for row in four.study.rows("waits of users")
            if row["policy"] == "easy"]  # fmt: skip
    assert (rows[0], rows[10], rows[-1]) == (0, 61.5, 123)  # jobs 1 and 3; 2 and 4


# Single jobs


def schedule_of(seed: int, policy: str = "easy") -> JobSchedule:
    return played(lublin_log(400, 32, seed, load=0.9), policy).simulations[0].schedule


@pytest.mark.parametrize("seed", range(4))
def test_jobs_stand_on_rows_of_their_own(seed: int) -> None:
    schedule = schedule_of(seed)
    order = np.argsort(schedule.start_s, kind="stable")
    start, end, processors = (
        each[order].tolist() for each in (schedule.start_s, schedule.end_s, schedule.processors)
    )
    places = rows_of(start, end, processors, 32)
    busy_until = [-1] * 32
    for begin, until, wanted, rows in zip(start, end, processors, places, strict=True):
        mine = [row for first, count in rows for row in range(first, first + count)]
        assert len(mine) == len(set(mine)) == wanted
        assert all(busy_until[row] <= begin for row in mine)
        for row in mine:
            busy_until[row] = until


@pytest.mark.parametrize("policy", ["easy", "fcfs", "sjf"])
def test_who_overtook_another_is_found(policy: str) -> None:
    schedule = schedule_of(1, policy)
    expected = [
        bool((schedule.start_s[:job] > schedule.start_s[job]).any()) for job in range(len(schedule))
    ]
    assert overtook(schedule).tolist() == expected
    assert any(expected) == (policy != "fcfs")


def test_the_busiest_period_holds_the_longest_queue(busy: SimulationStudy) -> None:
    schedule = busy.simulations[0].schedule
    begin, end = period_of(busy)
    waiting = jobs_waiting(schedule)
    inside = waiting.at(np.arange(begin, end))
    assert inside.max() == waiting.largest()
    assert 0 < running(schedule, begin, end).sum() <= 160
    wider = busiest(schedule, jobs=10**6)
    assert wider[0] == schedule.submit_s.min()
    assert busiest(schedule.take(np.zeros(len(schedule), bool))) == (0, 1)


def test_the_period_that_was_requested_is_drawn(four: SimulationStudy) -> None:
    requested = replace(four, window_s=(120, 155))
    first, second = painted(requested.study, "period").axes
    # easy: job 2 (4 processors until 150), job 4 (1 from 150); fcfs: jobs 2, 3 and 4
    assert _area(first) == pytest.approx(4 * 30 + 5)
    assert _area(second) == pytest.approx(4 * 30 + 5 + 5)
    nothing = replace(four, window_s=(10_000, 10_010))
    assert "period" not in [figure.name for figure in nothing.study.figures]
    page = next(part for part in view(nothing.study).parts if "overtake" in part.heading)
    assert page.lines == ("No job runs from 10000 s to 10010 s of the log.",)


def test_boxes_cover_the_processors_in_use(busy: SimulationStudy) -> None:
    begin, end = period_of(busy)
    for place, axes in zip((0, 2), painted(busy.study, "period").axes, strict=True):
        used = processors_in_use(busy.simulations[place].schedule).integral(begin, end)
        assert _area(axes) == pytest.approx(used)


def _area(axes: Any) -> float:
    boxes = [each for each in axes.collections if isinstance(each, PatchCollection)]
    corners = [np.asarray(path.vertices) for each in boxes for path in each.get_paths()]
    return sum(float(np.ptp(each[:, 0])) * float(np.ptp(each[:, 1])) for each in corners)


def test_of_many_jobs_the_largest_are_drawn() -> None:
    rows: Rows = [(0, 5 + k % 3, 1 + k % 2, 10, 0) for k in range(900)]
    schedule = played(log_of(rows, 5000)).simulations[0].schedule
    found = [job for job, _ in drawn(schedule, 0, 10)]
    assert len(found) == 400
    assert (schedule.processors * schedule.run_s)[found].min() >= 7


def test_figures_are_the_same_on_given_axes(busy: SimulationStudy) -> None:
    assert same_on_given_axes(pictures(busy.study))
