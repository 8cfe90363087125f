"""The report on a simulation: what it says, by hand; what its figures show; any names, any size."""

from __future__ import annotations

import io
import itertools
import json
import re
import shlex
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pypdf
import pytest
from click.testing import CliRunner
from matplotlib.collections import LineCollection, PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from planner.cli.main import main
from planner.formatting import percent
from planner.replications.batch_means import BATCH_RULE, MeanInterval, batch_means
from planner.scheduling.policies.problem import SchedulingProblem, Starts, Unavailable
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.policies.rules import RULES
from planner.scheduling.simulation.classes import RUN_NAMES, by_processors, by_run_time
from planner.scheduling.simulation.comparison import PolicyComparison
from planner.scheduling.simulation.explain import explain
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.steps import (
    Steps,
    jobs_waiting,
    processors_in_use,
    sum_of_intervals,
)
from planner.scheduling.simulation.study import SimulationStudy, study
from planner.scheduling.simulation.wait_text import interval_ends
from reports.figures.axes import wait_unit
from reports.publish import plan_json
from reports.simulation import document, pictures
from reports.simulation.figures import classes, comparisons, gantt, over_time, users, waits
from reports.simulation.pages import differences, jobs, load, method
from reports.simulation.pages.front import front, pairs
from reports.simulation.policy_looks import part, policies_in_figure, unit_of
from reports.simulation.series import BINS, binned, tail
from reports.simulation.window import bars, busiest, overtook, rows_of, running, window_of
from reports.workbook import sheets, workbook
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lublin import lublin_log
from tests.reports.earlier_run import list_as_ours
from tests.reports.given import same_on_given_axes
from tests.reports.shown import tables, texts

HEADINGS = [
    "How long do jobs wait?", "Is the difference more than chance?", "How full is the machine?",
    "Who waits?", "How was this simulated?", "What does this simulation leave out?",
    "Appendix: jobs that overtake others in a busy period", "Appendix: provenance",
]  # fmt: skip
HOSTILE = "$x_1^{2}$ #panic() *b* =1+1"
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
    names = ("01-waits", "02-comparisons", "03-over-time", "04-gantt", "05-classes", "06-users")
    assert found == {
        "report.pdf", "simulate.xlsx", "simulate.json",
        *(f"figures/{name}.{ending}" for name in names for ending in ("png", "svg")),
    }  # fmt: skip
    assert written.log.exists()


def test_times_stand_in_run_json_alone(written: Written) -> None:
    printed = json.loads(written.out)
    timed = [each.pop("simulation_seconds") for each in printed["policies"]]
    kept = (written.folder / "simulate.json").read_text(encoding="utf-8")
    assert json.dumps(printed, indent=2, ensure_ascii=False) + "\n" == kept
    assert printed["explanations"]
    assert printed["violations"] == []
    solves = json.loads((written.folder / "run.json").read_text())["solves"]
    assert [each["policy"] for each in solves] == ["easy", "fcfs"]
    assert [each["simulation_seconds"] for each in solves] == timed


def test_the_document_shows_names_literally(written: Written) -> None:
    reader = pypdf.PdfReader(written.folder / "report.pdf")
    text = "".join("".join(page.extract_text() for page in reader.pages).split())
    assert "".join(HOSTILE.split()) in text
    for heading in [*HEADINGS, "Why did job 20 wait?"]:
        assert "".join(heading.split()) in text
    assert 3 <= len(reader.pages) <= 7


def test_the_workbook_holds_no_formula(written: Written) -> None:
    with zipfile.ZipFile(written.folder / "simulate.xlsx") as book:
        for name in book.namelist():
            tags = {each.tag.rpartition("}")[2] for each in ET.fromstring(book.read(name)).iter()}
            assert not tags & {"f", "hyperlink"}
        told = book.read("xl/sharedStrings.xml").decode()
        assert HOSTILE in told
        assert "simulation_seconds" not in told


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
    del told["simulation_seconds"]
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


def test_every_question_has_its_page(busy: SimulationStudy, four: SimulationStudy) -> None:
    for each in (busy, four):
        found = document(each, pictures(each))["pages"]
        assert [page["heading"] for page in found] == HEADINGS
        for page in (*found[:4], found[6]):
            assert page["answer"].endswith("."), page["heading"]


def test_tables_are_as_wide_as_their_columns_say(busy: SimulationStudy) -> None:
    for each in (busy, none_start()):
        data = document(each, [])
        found = [b["table"] for p in data["pages"] for b in p["blocks"] if b["kind"] == "table"]
        for table in [*found, data["table"]]:
            assert {len(row) for row in table["rows"]} == {len(table["columns"])}
            assert len(table["widths"]) == len(table["columns"])


def test_the_title_page_answers(four: SimulationStudy) -> None:
    data = document(four, [])
    assert data["title"] == "Job waits under EASY and FCFS"
    assert data["description"] == "4 jobs submitted over 3 seconds, on 4 processors"
    # waits 0, 99, 0, 147 and 0, 99, 148, 147: means 61.5 and 98.5
    assert data["decision"] == "EASY has the shortest mean wait: 61.5 s, against 98.5 s under FCFS."
    assert data["certificate"].startswith(
        "Simulated on the log in four. 4 jobs are too few for a confidence interval"
    )
    rows = {row[0]: row[1:] for row in data["table"]["rows"]}
    # 95 % of 0, 0, 99, 147: 99 + 0.85 x 48; slowdowns 1, 2.98, 1, 15.7; used 550 of 4 x 160
    assert rows["EASY"] == [
        "61.5 s", "0.82 min", "2.33 min", "2.43 min", "2.45 min", "5.17", "85.94 %",
    ]  # fmt: skip
    said = " ".join(line for part in [*data["left"], *data["right"]] for line in part["lines"])
    assert "6 jobs read, 2 left out by cleaning; run cut at the requested time: 1." in said
    assert "Under EASY at least half of the jobs wait at most 49.5 s" in said
    assert "EASY: a later job may start early if it does not delay the first job" in said


def interval(mean: float, half: float, warning: str = "") -> MeanInterval:
    return MeanInterval(mean, half, 0.95, 20, 10, None, warning)


LONGER = "Compared with EASY, mean waits are longer under FCFS (by 50.0 s)."
UNSURE = "The difference of FCFS from EASY may be chance."
CHANCES = [
    (
        interval(50, 20),
        (
            "mean wait under FCFS is 30.0 s to 70.0 s longer (95 % interval, batch means): more "
            "than "
            "chance."
        ),
        ("more than chance? yes.", LONGER),
    ),
    (
        interval(50, 20, "alike"),
        "more than chance, unless the interval is too narrow (see the warning).",
        ("more than chance? unsure: interval too narrow.", LONGER),
    ),
    (
        interval(50, 90),
        (
            "mean wait is between 0.67 min shorter and 2.33 min longer (95 % interval, batch "
            "means): this may be chance."
        ),
        ("more than chance? may be chance.", UNSURE),
    ),
    (
        interval(0, 0),
        "The waits under EASY and FCFS are equal in every batch of jobs.",
        (
            "more than chance? may be chance.",
            "Compared with EASY, mean waits are equal under FCFS.",
        ),
    ),
]


@pytest.mark.parametrize(("wait", "said", "shown"), CHANCES)
def test_chance_is_told_from_difference(
    four: SimulationStudy, wait: MeanInterval, said: str, shown: tuple[str, str]
) -> None:
    compared = PolicyComparison("easy", "fcfs", {"wait": wait, "bounded_slowdown": wait})
    found = replace(four, comparisons=(compared,))
    found.__dict__["lead"] = compared
    assert said in found.confidence
    page = differences.page(found, {})
    assert page is not None
    assert (page.blocks[-1]["words"].rpartition("; ")[2], page.answer) == shown


def test_a_narrow_interval_has_its_own_quantity_and_autocorrelation(four: SimulationStudy) -> None:
    rng = np.random.default_rng(5)
    sound = batch_means(rng.normal(size=400))
    narrow = batch_means(np.cumsum(rng.normal(size=400)))
    assert narrow.warning
    compared = PolicyComparison("easy", "fcfs", {"wait": sound, "bounded_slowdown": narrow})
    found = replace(four, comparisons=(compared,))
    found.__dict__["lead"] = compared
    page = differences.page(found, {})
    assert page is not None
    text = texts(page.to_dict())
    assert f"FCFS minus EASY, mean bounded slowdown: {narrow.warning}." in text
    assert "FCFS minus EASY, mean wait:" not in text
    assert BATCH_RULE in text
    (short,) = [each for each in found.warnings if "FCFS compared with EASY" in each]
    assert "too short for a reliable interval of the mean bounded slowdown. " in short
    assert "autocorrelation" not in short


def test_the_only_policy_says_how_its_interval_was_made(four: SimulationStudy) -> None:
    rng = np.random.default_rng(7)
    narrow = batch_means(50 + np.abs(np.cumsum(rng.normal(size=400))))
    found = replace(
        four, simulations=four.simulations[:1], measures=four.measures[:1], comparisons=(),
        rules=four.rules[:1],
    )  # fmt: skip
    found.__dict__["mean_wait"] = narrow
    assert narrow.warning
    (line,) = method.interval_text(found)
    assert BATCH_RULE in line
    assert f"Here there are {narrow.batches} (autocorrelation {narrow.lag_1:.2f})." in line
    assert narrow.warning[1:] in line
    said = texts(document(found, [])["risks"])
    assert "interval of the mean wait" in said or "fix the mean wait" in said
    assert method.interval_text(four) == []


def test_the_tenth_that_waits_longest_has_its_share_of_all_waiting(busy: SimulationStudy) -> None:
    text = texts(document(busy, [])["left"])
    waits = np.sort(busy.counted[busy.ranking[0]].wait_s)[::-1]
    share = waits[: len(waits) // 10].sum() / waits.sum()
    assert (f"has {percent(share)} of all waiting time" in text) is (len(waits) >= 100)


def test_signs_are_words() -> None:
    assert interval_ends(interval(-5, 1)) == ("6.00 s less", "4.00 s less")
    assert interval_ends(interval(0, 0)) == ("0.00 s", "0.00 s")
    assert interval_ends(interval(1.25, 0.75), "") == ("0.50 more", "2.00 more")


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
    named = replace(busy, measures=busy.measures)
    assert named.headline == busy.headline


def test_the_use_of_the_machine_is_said_of_every_policy_and_may_be_unknown(
    four: SimulationStudy,
) -> None:
    assert over_time.finding(four).startswith("Utilisation is 85.94 % under EASY and ")
    unknown = tuple(replace(measures, utilisation=None) for measures in four.measures)
    text = over_time.finding(replace(four, measures=unknown))
    assert text.startswith("Utilisation is unknown; at most ")


def test_load_is_that_of_the_whole_schedule(four: SimulationStudy) -> None:
    page = load.page(four, {})
    assert page is not None
    rows = {row[0]: row[1:] for row in tables(page.to_dict())[0]}
    # easy: 550 processor-seconds; jobs wait 99 + 147 s in 160 s
    assert rows["EASY"] == ["85.94 %", "2.67 min", "90", "1.538", "2"]


def test_what_was_cut_and_set_aside_is_told() -> None:
    aside = (Unavailable(10, 20, 4, announced=False), Unavailable(500, 600, 1))
    found = played(log_of(FOUR), "easy", unavailable=aside, trim=Trim(0.25))
    text = texts(document(found, []))
    assert "4 processors from 10 s to 20 s, an unplanned outage" in text
    assert "1 processor from 500 s to 600 s, planned around" in text
    assert (
        "The first job (warm-up: 1.00 s of submissions) is simulated but not measured; 3 jobs are "
        "measured."
    ) in text
    assert "Jobs killed: 1; rejected: 0." in text  # by the outage, before their requested time
    rows = dict(tables(method.page(found, {}).to_dict())[0])
    assert rows["left out: no run time"] == "2"
    assert rows["run cut at the requested time"] == "1"
    assert rows["killed before their end, of measured jobs"] == "1"  # job 3 of 1 and 3


def test_without_an_outage_jobs_are_killed_at_their_requested_time() -> None:
    announced = played(log_of(FOUR), "easy", unavailable=(Unavailable(500, 600, 1),))
    for found in (announced, played(log_of(FOUR), "easy")):
        rows = dict(tables(method.page(found, {}).to_dict())[0])
        assert rows["killed before their end, of measured jobs"] == "0"
        assert rows["rejected"] == "0"


def test_headings_break_at_invisible_places_that_only_the_document_has(
    four: SimulationStudy,
) -> None:
    headings = [column["name"] for column in document(four, [])["table"]["columns"]]
    assert "Utilis\u00adation" in headings
    assert not any(re.search(r"[a-z]-[a-z]", heading) for heading in headings)
    assert "\u00ad" not in plan_json(four)
    with zipfile.ZipFile(io.BytesIO(workbook(four))) as book:
        assert not any("\u00ad".encode() in book.read(name) for name in book.namelist())


def test_each_policy_has_its_rule() -> None:
    found = played(log_of(FOUR), *POLICIES)
    text = texts(method.page(found, {}).to_dict())
    assert text.count("EASY++ and EASY++ with extra passes the mean run time") == 1
    assert all(rule in text for rule in RULES.values())
    assert "EASY++ with one change" in text


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
    text = texts(document(found, pictures(found)))
    assert "Own: Jobs start as $x_1$ says: #first come, *first* served." in text
    assert "EASY backfilling: jobs start in order of submission" in text


def test_partitions_have_a_page_and_are_no_longer_called_left_out() -> None:
    log = replace(log_of([(0, 10, 2, 10, 0)] * 6), partition=np.array([7, 8] * 3, np.int32))
    found = played(log, "easy", "fcfs", clusters={"7": 2, "8": 4})
    pages = {page["heading"]: page for page in document(found, [])["pages"]}
    page = pages["How long are waits in each partition?"]
    # Of 7 the waits are 0, 10 and 20 s; of 8 they are 0, 0 and 10 s.
    assert page["answer"] == "Under EASY the mean wait is longest in partition 7: 10.0 s."
    assert '["EASY", "8", "4", "3", "3.33 s", "0 s"' in texts(page)
    told = texts(pages["What does this simulation leave out?"])
    assert "Each partition has its own machine" in told
    assert "Jobs of all partitions share one machine" not in told
    shared = texts(document(played(log, "easy"), []))
    assert "Jobs of all partitions share one machine" in shared
    assert "jobs of 2 partitions (7, 8) share one machine" in shared
    alone = texts(document(played(log_of([(0, 10, 2, 10, 0)] * 6), "easy"), []))
    assert "artition" not in alone


def test_under_maui_jobs_wait_if_they_wait_longer_than_one_pass() -> None:
    found = played(lublin_log(200, 64, 1, load=0.8), "maui")
    assert found.pass_s(0) == 30
    assert "wait longer than one scheduling pass (30 s)" in waits.finding(found)
    data = document(found, pictures(found))
    assert "Maui: a scheduler that starts jobs by priority" in texts(data["right"])
    text = texts(data["pages"])
    assert "Fair share has no effect here: the log does not distinguish users." in text
    assert '["fair share: target of each user", "0 (none is set)"]' in text
    assert "in each pass of Maui: (1) the clock advances; (2) " in text
    assert "Settings of Maui in this study" in text
    assert '["time between scheduling passes", "30 s"]' in text
    assert "except under Maui" not in text
    assert "of the first policy" not in text


def test_one_policy_has_no_page_of_differences() -> None:
    found = played(lublin_log(200, 64, 1, load=0.8))
    headings = [page["heading"] for page in document(found, pictures(found))["pages"]]
    assert "Is the difference more than chance?" not in headings
    assert found.mean_wait is not None
    assert found.confidence.startswith(
        "Simulated on a synthetic log (Lublin-Feitelson model, seed 1). The 95 % interval of the "
        "mean wait is 0 to "
    )
    assert found.confidence.endswith("cut at 0, as no wait is negative).")
    assert "only EASY was simulated" in texts(front(found)["risks"])
    assert "the log is too short to fix the mean wait" in texts(front(found)["risks"])
    assert "Simulate FCFS too, as a reference for these waits." in texts(front(found)["right"])
    assert front(found)["table"] is None
    text = texts(document(found, pictures(found)))
    assert "one sample of a model. Another seed gives other numbers" in text
    assert "The log does not distinguish users" in text


def test_nobody_starts_and_the_report_says_so() -> None:
    found = none_start()
    assert pictures(found) == []
    data = document(found, [])
    assert data["decision"].startswith("No job of four starts: each needs more processors")
    larger, rejected = data["risks"]
    assert larger.startswith("most jobs (2 of 2) are larger than the machine of 4 processors: ")
    assert rejected == "2 jobs are rejected: job 1 asks for 9 processors, more than 4"
    assert [page["heading"] for page in data["pages"]] == [*HEADINGS[4:6], HEADINGS[7]]
    assert "rejected" in sheets(found)


def test_the_share_that_waits_adds_up_with_its_rest() -> None:
    """291 of 1,000 jobs wait: 29 % and 71 %, never 29 % and 70 %."""
    found = played(lublin_log(700, 64, 5, load=0.85), "easy")
    waiting = float((found.counted[0].wait_s > 0).mean())
    printed = float(re.findall(r"([\d.]+) % of the jobs", waits.finding(found))[0])
    assert printed == pytest.approx(100 * waiting, abs=0.5)
    for thousandth in range(1001):
        share = thousandth / 1000
        both = [float(part(each).removesuffix(" %")) for each in (share, 1 - share)]
        assert sum(both) == pytest.approx(100, abs=1e-9)


def test_a_difference_is_that_of_the_numbers_next_to_it() -> None:
    found = played(lublin_log(700, 64, 5, load=0.85), "easy", "fcfs")
    numbers = r"([\d,.]+) h, against ([\d,.]+) h under FCFS"
    least, most = (float(each) for each in re.findall(numbers, found.headline)[0])
    waits = [found.measures[place].wait_s for place in found.ranking]
    assert waits[0] is not None
    assert waits[1] is not None
    means = [waits[0].mean / 3600, waits[1].mean / 3600]
    assert [least, most] == pytest.approx(means, abs=0.05)
    page = differences.page(found, {})
    assert page is not None
    assert f"mean wait +{means[1] - means[0]:.1f} h; " in page.blocks[-1]["words"]


def test_a_single_job_has_a_report() -> None:
    found = played(log_of(FOUR[:1]))
    assert [each.kind for each in pictures(found)] == ["waits", "over time", "gantt", "classes"]
    assert "at least 90 % of the jobs of every class start at once" in texts(document(found, []))


def test_a_job_is_explained_by_policy(four: SimulationStudy) -> None:
    told = tuple(explain(each.schedule, 4) for each in four.simulations)
    page = jobs.explained(replace(four, explanations=told), {})
    assert page is not None
    assert page.heading == "Why did job 4 wait?"
    assert page.answer == "It waited 2.45 min under EASY, 2.45 min under FCFS."
    assert "job 2 has a reservation at 100 s; this job would end at 242 s" in texts(page.to_dict())
    rows = sheets(replace(four, explanations=told))["explanations"]
    assert {row["policy"] for row in rows} == {"easy", "fcfs"}


def test_provenance_names_log_and_command(four: SimulationStudy) -> None:
    given = replace(four, command=("simulate", "a b.swf"))
    rows = dict(tables(method.appendix(given, {}).to_dict())[0])
    assert rows["Command"] == "headroom simulate 'a b.swf'"
    assert rows["SHA-256"] == "ab12" * 16
    assert dict(tables(method.appendix(four, {}).to_dict())[0])["Command"] == "run from Python"


def test_the_workbook_has_every_table(busy: SimulationStudy, four: SimulationStudy) -> None:
    found = sheets(busy)
    assert list(found) == ["summary", "policies", "comparisons", "by processors", "by run time"]
    assert sum(row["jobs"] for row in found["by processors"]) == 3 * 1500
    assert sum(row["jobs"] for row in found["by run time"]) == 3 * 1500
    people = sheets(four)["users"]
    assert [row["user"] for row in people] == ["ann", HOSTILE] * 2
    assert people[1]["mean_wait_s"] == (99 + 147) / 2
    told = dict(pairs(busy))
    assert told["SHA-256 of the log"] == "none: not read from a file"


@pytest.mark.slow
def test_the_same_study_gives_the_same_bytes() -> None:
    one, two = (played(lublin_log(120, 64, 5), "easy", "fcfs") for _ in range(2))
    assert plan_json(one) == plan_json(two)
    assert workbook(one) == workbook(two)
    assert pictures(one) == pictures(two)


# Figures


def painted(found: SimulationStudy, paint: Callable[[Figure, SimulationStudy], None]) -> Figure:
    figure = Figure(figsize=(6.8, 4))
    paint(figure, found)
    return figure


def random_steps(seed: int) -> Steps:
    rng = np.random.default_rng(seed)
    start = rng.integers(0, 5000, 2000)
    return sum_of_intervals(start, start + rng.integers(1, 300, 2000), rng.integers(1, 9, 2000))


@pytest.mark.parametrize("bins", [7, 100, 450])
def test_bins_are_exact(bins: int) -> None:
    steps = random_steps(bins)
    found = binned(steps, 100, 4900, bins)
    every = steps.at(np.arange(0, 6000))
    assert len(found.low) == bins
    for place, (left, right) in enumerate(itertools.pairwise(found.edges_s.tolist())):
        inside = every[left:right]
        assert found.low[place] == inside.min()
        assert found.high[place] == inside.max()
        assert found.mean[place] == pytest.approx(inside.mean())


def test_few_steps_are_drawn_as_they_are() -> None:
    steps = sum_of_intervals(np.array([3, 8]), np.array([5, 9]), np.array([2, 7]))
    found = binned(steps, 0, 20)
    assert found.edges_s.tolist() == [0, 3, 5, 8, 9, 20]
    assert found.low.tolist() == found.high.tolist() == [0, 2, 0, 7, 0]


def test_a_queue_over_time_has_few_vertices_and_every_peak(busy: SimulationStudy) -> None:
    figure = painted(busy, over_time.paint)
    assert len(figure.axes) == 2 * len(policies_in_figure(busy))
    for row, place in enumerate(policies_in_figure(busy)):
        schedule = busy.simulations[place].schedule
        for axes, steps, factor in (
            (figure.axes[2 * row], jobs_waiting(schedule), 1.0),
            (figure.axes[2 * row + 1], processors_in_use(schedule), 100 / 64),
        ):
            vertices = np.vstack([p.vertices for p in axes.collections[0].get_paths()])
            assert len(vertices) + len(axes.lines[0].get_xdata()) <= 6 * BINS + 20  # type: ignore[arg-type]
            assert vertices[:, 1].max() == pytest.approx(factor * steps.largest())


def test_eight_policies_have_four_rows() -> None:
    found = played(lublin_log(100, 64, 5, load=0.9), *POLICIES)
    shown = policies_in_figure(found)
    assert len(shown) in (3, 4)
    assert 0 in shown
    assert set(found.ranking[:3]) <= set(shown)
    page = load.page(found, {"over time": [pictures(found)[2]]})
    assert page is not None
    assert "Not shown: " in texts(page.to_dict())


@pytest.mark.parametrize("size", [1, 50, 5000])
def test_a_tail_says_how_many_are_above(size: int) -> None:
    values = np.floor(np.random.default_rng(size).exponential(900, size)) * (np.arange(size) % 3.0)
    x, share = tail(values)
    assert len(x) <= 620
    assert share.tolist() == [float((values > each).mean()) for each in x]
    assert (x[0], x[-1], share[-1]) == (values.min(), values.max(), 0.0)


def test_a_curve_starts_at_the_share_that_waits(four: SimulationStudy) -> None:
    left, right = painted(four, waits.paint).axes
    curve = left.lines[0]
    assert np.asarray(curve.get_xdata())[:4].tolist() == [-1, 0, 99, 147]
    assert np.asarray(curve.get_ydata())[:3].tolist() == [1, 0.5, 0.25]
    assert left.get_xscale() == "symlog"
    slowed = np.asarray(right.lines[0].get_xdata())
    assert slowed[-1] == pytest.approx(15.7)
    styles = {(line.get_color(), line.get_linestyle()) for line in left.lines}
    assert len(styles) == 2


def test_intervals_stand_where_they_are(busy: SimulationStudy) -> None:
    rows = busy.every_comparison
    waited = [row.differences["wait"] for row in rows]
    size, _ = wait_unit(max(abs(end) for wait in waited for end in (wait.low, wait.high)))
    figure = Figure(figsize=(6.8, 3))
    comparisons.paint(figure, rows)
    for axes, quantity in zip(figure.axes, ("wait", "bounded_slowdown"), strict=True):
        dots = [line for line in axes.lines if len(line.get_xdata()) == 1]  # type: ignore[arg-type]
        found = [each.differences[quantity] for each in rows]
        unit = size if quantity == "wait" else 1
        means = [dot.get_xdata()[0] for dot in dots]  # type: ignore[index]
        assert means == [each.mean / unit for each in found]
        bars = [each for each in axes.collections if isinstance(each, LineCollection)]
        ends = [each.get_segments()[0][:, 0].tolist() for each in bars]
        assert ends == [
            [pytest.approx(each.low / unit), pytest.approx(each.high / unit)] for each in found
        ]
        filled = [dot.get_markerfacecolor() != "white" for dot in dots]
        assert filled == [each.tells_apart for each in found]


def test_bars_of_classes_reach_ninety_percent_and_diamonds_are_medians(
    four: SimulationStudy,
) -> None:
    left, right = painted(four, classes.paint).axes
    # easy by processors: 1 (jobs 3, 4: 0, 147), 2 to 4 (jobs 1, 2: 0, 99)
    assert [
        bar.get_width() for bar in left.patches[:2] if isinstance(bar, Rectangle)
    ] == pytest.approx([132.3, 89.1])
    medians = [np.asarray(line.get_xdata()).tolist() for line in left.lines]
    assert medians[:2] == [[73.5], [49.5]]
    assert [text.get_text() for text in left.texts[:2]] == ["2.21 min", "89.1 s"]
    assert [label.get_text() for label in left.get_yticklabels()] == ["1", "2 to 4"]
    labels = [label.get_text() for label in right.get_yticklabels()]
    assert labels == ["up to 1 min", "1 to 10 min"]


def test_every_policy_has_a_bar_and_its_number_even_at_no_wait() -> None:
    found = played(log_of([(0, 10, 1, 10, 0)] * 4), "easy", "fcfs", "conservative")
    left, _ = painted(found, classes.paint).axes
    assert [text.get_text() for text in left.texts] == ["0 s"] * 3
    assert len({(bar.get_facecolor(), bar.get_hatch()) for bar in left.patches}) == 3


def test_a_warm_up_is_said_and_shown() -> None:
    auto = played(lublin_log(200, 64, 5, load=0.85), "easy", trim=Trim(None))
    assert any("MSER-5" in line for line in texts_of_assumptions(auto))
    assert "measured (MSER-5 on the wait series)" in texts(method.page(auto, {}).to_dict())
    shares = played(lublin_log(200, 64, 5, load=0.85), "easy", trim=Trim(0.1, 0.1))
    figure = painted(shares, over_time.paint)
    assert [len(axes.patches) for axes in figure.axes] == [2, 2]  # warm-up and cool-down
    page = load.page(shares, {"over time": pictures(shares)[1:2]})
    assert page is not None
    assert "Grey: jobs submitted then are simulated but not measured." in texts(page.to_dict())


def texts_of_assumptions(study: SimulationStudy) -> list[str]:
    right = document(study, [])["right"]
    return [line for part in right if part["name"] == "assumptions" for line in part["lines"]]


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


def test_users_stand_at_their_mean_wait(four: SimulationStudy) -> None:
    (axes,) = painted(four, users.paint).axes
    easy, fcfs = axes.lines
    assert np.asarray(easy.get_ydata()).tolist() == [0, 123]  # jobs 1 and 3; 2 and 4
    assert np.asarray(fcfs.get_ydata()).tolist() == [74, 123]
    assert np.asarray(easy.get_xdata()).tolist() == pytest.approx([340 / 3600, 210 / 3600])
    # Jain: (0 + 123)^2 / (2 x 123^2) = 1/2
    assert "Jain's fairness index of mean waits over 2 users: 0.50 under EASY" in users.finding(
        four
    )


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


def test_the_busiest_stretch_holds_the_longest_queue(busy: SimulationStudy) -> None:
    schedule = busy.simulations[0].schedule
    begin, end = window_of(busy)
    waiting = jobs_waiting(schedule)
    inside = waiting.at(np.arange(begin, end))
    assert inside.max() == waiting.largest()
    assert 0 < running(schedule, begin, end).sum() <= 160
    wider = busiest(schedule, jobs=10**6)
    assert wider[0] == schedule.submit_s.min()
    assert busiest(schedule.take(np.zeros(len(schedule), bool))) == (0, 1)


def test_the_stretch_that_was_asked_for_is_drawn(four: SimulationStudy) -> None:
    asked = replace(four, window_s=(120, 155))
    assert gantt.finding(asked) == (
        "In these 35 seconds, 0 of 2 jobs under EASY and 0 of 3 jobs under FCFS started before a "
        "job submitted earlier"
    )
    assert "From 120 s to 155 s of the log, as requested." in gantt.source(asked)
    assert "One job waits then under EASY." in gantt.source(asked)
    first, second = _panels(asked)
    # easy: job 2 (4 processors until 150), job 4 (1 from 150); fcfs: jobs 2, 3 and 4
    assert _area(first) == pytest.approx(4 * 30 + 5)
    assert _area(second) == pytest.approx(4 * 30 + 5 + 5)
    nothing = replace(four, window_s=(10_000, 10_010))
    page = jobs.page(nothing, {})
    assert page is not None
    assert page.answer == "No job runs from 10000 s to 10010 s of the log."


def test_boxes_cover_the_processors_in_use(busy: SimulationStudy) -> None:
    begin, end = window_of(busy)
    size, _ = unit_of(end - begin)
    for place, axes in zip((0, 2), _panels(busy), strict=True):
        schedule = busy.simulations[place].schedule
        used = processors_in_use(schedule).integral(begin, end)
        assert _area(axes) == pytest.approx(used / size)


def _panels(found: SimulationStudy) -> list[Any]:
    figure = Figure(figsize=(6.8, 4))
    gantt.paint(figure, found, [0, found.ranking[0] or found.ranking[-1]])
    return list(figure.axes)


def _area(axes: Any) -> float:
    boxes = [each for each in axes.collections if isinstance(each, PatchCollection)]
    corners = [np.asarray(path.vertices) for each in boxes for path in each.get_paths()]
    return sum(float(np.ptp(each[:, 0])) * float(np.ptp(each[:, 1])) for each in corners)


def test_more_jobs_than_a_figure_holds_are_counted() -> None:
    rows: Rows = [(0, 5 + k % 3, 1 + k % 2, 10, 0) for k in range(900)]
    found = played(log_of(rows, 5000))
    shown, left = bars(found.simulations[0].schedule, 0, 10)
    assert (len(shown), left) == (400, 500)
    assert min(bar.processors * (bar.end_s - bar.start_s) for bar in shown) >= 7
    assert "Not shown: 500 smaller jobs under EASY." in gantt.source(
        replace(found, window_s=(0, 9))
    )


def test_figures_are_the_same_on_given_axes(busy: SimulationStudy) -> None:
    assert same_on_given_axes(pictures(busy))
