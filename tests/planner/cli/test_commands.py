"""The command line as a user meets it.

What streams, signals, locale and folders do to a process is asked of processes; what a command
says and answers, of this one, which need not start anew.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import unicodedata
import zipfile
from collections.abc import Mapping
from contextlib import ExitStack, chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import scenarios
from planner.__main__ import guarded, shown
from planner.registry import COMMANDS
from reports.output_folder import refuse_unwritable
from tests.planner.cli.commands import results

BROKEN = Path(__file__).parents[2] / "data" / "broken"
HOSTILE = Path(__file__).parent / "hostile.toml"
SOURCE = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "planner"]
PATIENCE_S = 120


@dataclass(frozen=True)
class Ran:
    """How a command ended and what it said."""

    status: int
    out: str
    err: str


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCE), **more}


def headroom(
    *arguments: str | Path, folder: Path | None = None, env: Mapping[str, str] | None = None
) -> Ran:
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        env=environment(**(env or {})),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE_S,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout.decode(), results(done.stderr.decode()))
    assert "Traceback" not in ran.out + ran.err
    return ran


def here(*arguments: str | Path, folder: Path | None = None) -> Ran:
    """What ``headroom`` says, in this process: its streams and its status, but no signals."""
    buffers = io.BytesIO(), io.BytesIO()
    streams = [io.TextIOWrapper(buffer, "utf-8", "backslashreplace") for buffer in buffers]
    with ExitStack() as changed:
        changed.enter_context(chdir(folder or Path.cwd()))
        context = changed.enter_context(pytest.MonkeyPatch.context())
        context.setattr(sys, "argv", ["headroom", *map(str, arguments)])
        context.setattr(sys, "stdout", shown(streams[0]))
        context.setattr(sys, "stderr", shown(streams[1]))
        status = guarded()
        for stream in streams:
            stream.flush()
    out, err = (buffer.getvalue().decode() for buffer in buffers)
    assert "Traceback" not in out + err
    return Ran(status, out, results(err))


def bash(script: str, folder: Path, **env: str) -> Ran:
    done = subprocess.run(
        ["bash", "-c", f'headroom() {{ "{sys.executable}" -m planner "$@"; }}\n{script}'],
        cwd=folder,
        env=environment(**env),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    ran = Ran(done.returncode, done.stdout.decode(), results(done.stderr.decode()))
    assert "Traceback" not in ran.out + ran.err
    assert "Exception ignored" not in ran.err
    return ran


def files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@dataclass(frozen=True)
class Runs:
    """Three runs: the sample; text made to do harm; the sample again into that very folder."""

    here: Path
    sample: Ran
    first: Path
    hostile: Ran
    hostile_files: dict[str, bytes]
    again: Ran
    second: Path


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    ours, there = tmp_path_factory.mktemp("here"), tmp_path_factory.mktemp("there")
    assert here("init", "sample", folder=ours).status == 0
    assert here("init", there / "another" / "place").status == 0
    sample = headroom("plan", "designs.toml", "--json", folder=ours / "sample")
    second = there / "results"
    hostile = here("plan", HOSTILE, "-o", second)
    hostile_files = files(second) if second.exists() else {}
    (second / "figures").mkdir(parents=True, exist_ok=True)
    (second / "notes.txt").write_text("mine")
    (second / "figures" / "mine.png").write_text("mine")
    (second / ".headroom-notes").mkdir()
    again = here("plan", there / "another/place/designs.toml", "-o", second, "--quiet")
    return Runs(ours, sample, ours / "sample/out/my-cluster", hostile, hostile_files, again, second)


# plan


def test_plan_json_prints_exactly_the_bytes_of_plan_json(runs: Runs) -> None:
    assert (runs.sample.status, runs.sample.err) == (0, "")
    assert runs.sample.out.encode() == (runs.first / "plan.json").read_bytes()


def test_the_sample_is_planned_into_its_folder_with_all_parts(runs: Runs) -> None:
    names = set(files(runs.first))
    assert {"plan.json", "plan.xlsx", "report.pdf", "run.json"} <= names
    assert {Path(name).suffix for name in names} == {".json", ".xlsx", ".pdf", ".png", ".svg"}
    assert (runs.first / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_run_json_vouches_for_every_other_file(runs: Runs) -> None:
    written = files(runs.first)
    run = json.loads(written.pop("run.json"))
    assert run["sha256"] == {n: hashlib.sha256(b).hexdigest() for n, b in written.items()}


def test_run_json_has_the_seconds_of_every_part(runs: Runs) -> None:
    seconds = json.loads(files(runs.first)["run.json"])["seconds"]
    assert [*seconds][:2] == ["start", "reading"]
    assert {"png", "svg", "xlsx", "pdf"} < seconds.keys()
    assert min(seconds.values()) >= 0


MINE = {"notes.txt", "figures/mine.png"}


def test_the_same_input_from_two_folders_gives_the_same_bytes(runs: Runs) -> None:
    first, second = files(runs.first), files(runs.second)
    assert {n: b for n, b in first.items() if n != "run.json"} == {
        n: b for n, b in second.items() if n not in {"run.json", *MINE}
    }


def test_no_file_but_run_json_knows_where_it_was_made(runs: Runs) -> None:
    for name, content in files(runs.first).items():
        assert (str(runs.here).encode() in content) == (name == "run.json")


def test_a_second_run_leaves_nothing_of_the_first_and_all_that_is_foreign(runs: Runs) -> None:
    assert runs.again == Ran(0, "", "")
    earlier = {name for name in runs.hostile_files if name.startswith("figures/")}
    assert earlier
    assert earlier & set(files(runs.second)) <= set(files(runs.first))
    for name in MINE:
        assert (runs.second / name).read_text() == "mine"
    hidden = [path.name for path in runs.second.iterdir() if path.name.startswith(".")]
    assert hidden == [".headroom-notes"]


def test_a_plan_without_a_report_writes_nothing(tmp_path: Path) -> None:
    ran = here("plan", "hopper-2010", "--no-report", folder=tmp_path)
    assert ran.status == 0
    assert "core-hour" in ran.out
    assert "Report:" not in ran.out
    dry = here("plan", "hopper-2010", "--no-report", "--dry-run", folder=tmp_path)
    assert "Would write no files" in dry.out
    both = here("plan", "hopper-2010", "--no-report", "-o", "mine", folder=tmp_path)
    assert both.status == 2
    assert "leave out -o or --no-report" in both.err
    assert not list(tmp_path.iterdir())


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    ran = headroom("plan", "thesis-7kw", "--dry-run", folder=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("Would write to out/thesis-7kw/\n")
    as_json = here("plan", "thesis-7kw", "--dry-run", "--json", folder=tmp_path)
    assert json.loads(as_json.out)["would_write"] == "out/thesis-7kw"
    assert here("plan", "thesis-7kw", "--dry-run", "-q", folder=tmp_path) == Ran(0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_a_power_bound_below_one_node_has_no_answer(tmp_path: Path) -> None:
    text = (BROKEN / "whole.toml").read_text().replace("bound_w = 2000", "bound_w = 399")
    (tmp_path / "small.toml").write_text(text)
    ran = here("plan", "small.toml", folder=tmp_path)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("no plan: ")
    assert "399" in ran.err
    assert "400" in ran.err
    assert not (tmp_path / "out").exists()


def test_planning_outside_the_measured_range_is_refused_with_its_remedy(tmp_path: Path) -> None:
    text = (BROKEN / "whole.toml").read_text().replace("bound_w = 2000", "bound_w = 20000")
    (tmp_path / "small.toml").write_text(text)
    ran = here("plan", "small.toml", folder=tmp_path)
    assert (ran.status, ran.out) == (1, "")
    assert "outside_measured" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["plan"],
        ["plan", "thesis-7kw", "--gap", "2"],
        ["plan", "thesis-7kw", "--gap", "nan"],
        ["plan", "thesis-7kw", "--time-limit", "nan"],
        ["plan", "thesis-7kw", "--time-limit", "0"],
        ["plan", "thesis-7kw", "--time-limit", "inf"],
        ["plan", "thesis-7kw", "--seed", "-1"],
        ["plan", "thesis-7kw", "--seed", "9" * 5000],
        ["plan", "thesis-7kw", "--solver", "guess"],
        ["plan", "thesis-7kw", "--frobnicate"],
        ["plan", "nowhere"],
        ["plan", "nowhere.toml"],
        ["check"],
        ["check", "x" * 5000],
        ["frobnicate"],
        ["diff", "one"],
    ],
)
def test_wrong_usage_ends_with_2_and_words(tmp_path: Path, arguments: list[str]) -> None:
    ran = here(*arguments, folder=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.strip()
    assert list(tmp_path.iterdir()) == []


# Text that would do harm if anybody took it for more than text.


def hostile_texts() -> list[str]:
    scenario = scenarios.load(HOSTILE)
    names = [workload.name for workload in scenario.workloads]
    labels = [node_type.title for node_type in scenario.node_types]
    return [scenario.title, *names, *labels]


def squeezed(text: str) -> str:
    """Text without blanks and line breaks, which a PDF does not keep, nor marks of direction."""
    plain = unicodedata.normalize("NFKC", text)
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c) != "Cf")


def test_harmful_text_is_planned_like_any_other(runs: Runs) -> None:
    assert runs.hostile.status == 0
    for text in hostile_texts()[1:3]:
        assert text in runs.hostile.out
    assert all(re.fullmatch(r"[a-z0-9./-]+", name) for name in runs.hostile_files)


def test_plan_json_holds_harmful_text_unchanged(runs: Runs) -> None:
    plain = json.loads(runs.hostile_files["plan.json"])
    scenario = scenarios.load(HOSTILE)
    assert plain["scenario"]["title"] == scenario.title
    assert plain["inputs"]["description"] == scenario.description
    assert [w["name"] for w in plain["inputs"]["workloads"]] == [
        workload.name for workload in scenario.workloads
    ]


def test_the_workbook_holds_harmful_text_as_strings_only(runs: Runs, tmp_path: Path) -> None:
    path = tmp_path / "plan.xlsx"
    path.write_bytes(runs.hostile_files["plan.xlsx"])
    texts: set[str] = set()
    with zipfile.ZipFile(path) as book:
        for name in book.namelist():
            tree = ET.fromstring(book.read(name))
            tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
            if "charts" in name:  # ranges of cells, which are no formula
                tags.discard("f")
            assert not tags & {"f", "hyperlink", "hyperlinks", "externalLink", "ddeLink"}
            if name == "xl/sharedStrings.xml":
                texts = {str(element.text) for element in tree.iter() if element.text}
    scenario = scenarios.load(HOSTILE)
    assert {*hostile_texts(), scenario.source, scenario.description} <= texts
    assert scenario.source.startswith("+cmd|")


def test_the_workbook_opens_and_shows_harmful_text(runs: Runs, tmp_path: Path) -> None:
    from python_calamine import CalamineWorkbook

    path = tmp_path / "plan.xlsx"
    path.write_bytes(runs.hostile_files["plan.xlsx"])
    book = CalamineWorkbook.from_path(path)
    cells = {
        str(c) for s in book.sheet_names for r in book.get_sheet_by_name(s).to_python() for c in r
    }
    assert set(hostile_texts()) <= cells


def test_the_report_shows_harmful_text_literally(runs: Runs, tmp_path: Path) -> None:
    import pypdf

    path = tmp_path / "report.pdf"
    path.write_bytes(runs.hostile_files["report.pdf"])
    reader = pypdf.PdfReader(path)
    text = squeezed("\n".join(page.extract_text() for page in reader.pages))
    scenario = scenarios.load(HOSTILE)
    for expected in [
        scenario.title,
        scenario.source,
        '#eval("1+1") *bold* _it_ `raw` <label> @ref // comment /* c */ \\u{41}',
        "- item $\\frac{1}{0}$",
        "$x$ \\input{/etc/passwd} #panic()",
        '#read("/etc/passwd") $\\undefined{x}$',
        "W" * 120,
    ]:
        assert squeezed(expected) in text
    assert "root:" not in text
    annotations = [item.get_object() for page in reader.pages for item in page.get("/Annots", [])]
    assert not [annotation for annotation in annotations if "/URI" in str(annotation.get("/A", ""))]


def test_figures_hold_harmful_text_as_drawing_only(runs: Runs) -> None:
    drawn = {name: text for name, text in runs.hostile_files.items() if name.endswith(".svg")}
    assert drawn
    for text in drawn.values():
        tags = {e.tag.rpartition("}")[2] for e in ET.fromstring(text).iter()}
        assert not tags & {"script", "foreignObject", "image", "a"}


# check, schema, init


def test_check_says_what_a_valid_scenario_holds() -> None:
    ran = headroom("check", "thesis-7kw")
    assert ran == Ran(
        0, "thesis-7kw is valid: 2 node types, 4 applications, 28 printed numbers.\n", ""
    )
    as_json = here("check", "thesis-7kw", "--json")
    assert (as_json.status, as_json.err) == (0, "")
    expected = {"valid": True, "name": "thesis-7kw", "faults": [], "warnings": [], "sheets": []}
    assert json.loads(as_json.out) == expected


def test_check_tells_what_is_valid_and_doubtful(tmp_path: Path) -> None:
    assert here("init", tmp_path).status == 0
    request = tmp_path / "procurement.toml"
    text = request.read_text(encoding="utf-8")
    request.write_text(
        text.replace("price_per_kwh = 0.30", "price_per_kwh = 300"), encoding="utf-8"
    )
    ran = here("check", request)
    warning = (
        "procurement.toml:44: budget.energy_prices[2].price_per_kwh: 300 EUR is high for one "
        "kWh. Check the unit. If it is per MWh, write 0.3."
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[1] == f"Warning: {warning}"
    assert json.loads(here("check", request, "--json").out)["warnings"] == [warning]


def test_check_tells_which_quotes_cannot_be_bought(tmp_path: Path) -> None:
    assert here("init", tmp_path).status == 0
    request, quotes = tmp_path / "procurement.toml", tmp_path / "quotes.csv"
    text = quotes.read_text(encoding="utf-8")
    quotes.write_text(text.replace("2027-03-31", "2027-01-10"), encoding="utf-8")
    ran = here("check", request)
    why = "the quote ended on 2027-01-10, before the decision on 2027-01-15"
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[1] == f"Warning: quotes.csv:5: south-32 cannot be bought: {why}"
    quotes.write_text(re.sub(r"2027-0\d-\d\d", "2027-01-10", text), encoding="utf-8")
    ran = here("check", request)
    assert (ran.status, ran.err) == (0, "")
    doubted, refused = ran.out.splitlines()[1:3]
    assert "procurement.decided_on: 2027-01-15 is after the last day of every quote." in doubted
    assert refused.startswith("Warning: no plan: no quote can be bought.")


def test_quiet_checks_print_nothing_and_keep_their_status(tmp_path: Path) -> None:
    log = tmp_path / "s.csv"
    log.write_text("job,submit,start,run,processors,requested\n1,5,0,3,1,4\n")
    assert here("check", "thesis-7kw", "-q") == Ran(0, "", "")
    result = here("check-schedule", log, "--processors", "4", "-q")
    assert (result.status, result.out) == (1, "")


def test_check_lists_every_fault_on_stderr_or_as_json() -> None:
    ran = here("check", "several.toml", folder=BROKEN)
    assert (ran.status, ran.out) == (2, "")
    lines = ran.err.splitlines()
    assert [int(line.split(":")[1]) for line in lines] == [6, 7, 13, 26, 35]
    as_json = here("check", "several.toml", "--json", folder=BROKEN)
    assert (as_json.status, as_json.err) == (2, "")
    loaded = json.loads(as_json.out)
    assert loaded["valid"] is False
    assert [
        f"{f['file']}:{f['line']}: {f['where']}: {f['message']}" for f in loaded["faults"]
    ] == lines


def test_schema_prints_the_schema() -> None:
    ran = headroom("schema")
    assert (ran.status, ran.err) == (0, "")
    assert json.loads(ran.out) == scenarios.schema()


def test_init_writes_a_sample_that_is_valid_and_never_overwrites_it(tmp_path: Path) -> None:
    first = headroom("init", "new/place", folder=tmp_path)
    assert (first.status, first.err) == (0, "")
    assert "Next: headroom plan new/place/procurement.toml" in first.out.splitlines()
    before = files(tmp_path)
    names = {"procurement.toml", "quotes.csv", "designs.toml", "md-times.csv", "runs.csv"}
    names |= {"maui.toml", "jobs.swf", "matrix.csv", "pairs.csv", "co-runs.csv", "profiles.csv"}
    names |= {"ping-pong.csv", "schedule.toml", "price.toml"}
    assert set(before) == {f"new/place/{name}" for name in names}
    for name in ("procurement.toml", "designs.toml", "schedule.toml", "price.toml"):
        assert here("check", tmp_path / "new/place" / name).status == 0
    runs = tmp_path / "new" / "place" / "runs.csv"
    chosen = here("configure", runs, "--power-bound", "3500", "-A", "SP-MZ")
    assert "Under 3,500 W, SP-MZ runs fastest as (32 x 12, 51 W)" in chosen.out
    assert here("init", "new/place", folder=tmp_path).status == 0, "the same bytes"
    assert files(tmp_path) == before
    runs.write_text("mine")
    before = files(tmp_path)
    second = here("init", "new/place", folder=tmp_path)
    assert (second.status, second.out) == (2, "")
    assert "runs.csv: cannot be written: it exists with other content" in second.err
    assert files(tmp_path) == before


def test_init_into_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    ran = here("init", "file", folder=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("file: cannot be created as a directory")


def test_help_lists_exactly_the_commands_that_work() -> None:
    ran = headroom("--help")
    assert (ran.status, ran.err) == (0, "")
    listed = re.findall(r"^  ([\w-]+)  ", ran.out.partition("Commands:")[2], re.MULTILINE)
    assert listed == [command.name for command in COMMANDS]
    for command in listed:
        assert here(command, "-h").status == 0


# diff


def test_diff_of_equal_runs_says_so(runs: Runs) -> None:
    ran = headroom("diff", runs.first, runs.second / "plan.json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("The two runs agree in every value\n")


def test_diff_shows_every_changed_value_inputs_first(runs: Runs, tmp_path: Path) -> None:
    plain = json.loads((runs.first / "plan.json").read_text())
    plain["inputs"]["power"]["bound_w"] = 25_000.0
    plain["summary"] = "\x1b[31mred \u202e"
    plain["overprovisioning"][0]["speedup"] *= 2
    del plain["overprovisioning"][1]["application"]
    (tmp_path / "plan.json").write_text(json.dumps(plain))
    ran = here("diff", runs.first, tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert "Input: power.bound_w is 25 kW instead of 20 kW." in ran.out
    everything = here("diff", runs.first, tmp_path, "--all").out
    assert len(everything.splitlines()) > len(ran.out.splitlines())
    for out in (ran.out, everything):
        assert "\x1b" not in out
        assert "\u202e" not in out
    as_json = json.loads(here("diff", runs.first, tmp_path, "--json").out)
    changes = {change["where"]: change for change in as_json["changes"]}
    assert changes["inputs.power.bound_w"]["ratio"] == 1.25
    assert changes["overprovisioning.CFD.speedup"]["ratio"] == pytest.approx(2)
    assert changes["overprovisioning.Molecular dynamics.speedup"]["second"] is None


def refused_plans() -> dict[str, bytes]:
    plan = b'{"format": 2, "scenario": 1, "x": %s}'
    return {
        "not JSON": b"hello",
        "empty": b"",
        "a list": b"[]",
        "another format": b'{"format": 1, "scenario": {}}',
        "no plan": b"{}",
        "NaN": plan % b"NaN",
        "Infinity": plan % b"-Infinity",
        "deep": b"[" * 200_000,
        "a long number": plan % (b"9" * 5000),
        "no text": b"\xff\xfe\x00",
    }


@pytest.mark.parametrize("name", refused_plans())
def test_diff_refuses_what_is_no_plan(name: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(refused_plans()[name])
    ran = here("diff", tmp_path, tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"{tmp_path}: " if name != "no study" else f"{tmp_path} is damaged")


def test_diff_of_missing_huge_and_special_files_is_refused(tmp_path: Path) -> None:
    with (tmp_path / "huge.json").open("wb") as stream:
        stream.truncate(1 << 30)
    os.mkfifo(tmp_path / "pipe")
    for item in (tmp_path / "missing", tmp_path / "huge.json", tmp_path / "pipe", tmp_path):
        run = headroom if item.name == "pipe" else here  # who reads a pipe waits without end
        ran = run("diff", item, item)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(f"{item}: ")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1e999", "1"),
        ("1" + "0" * 400, "1.5"),
        ("1" + "0" * 400, "3"),
        ("[" * 900 + "1" + "]" * 900, "[" * 900 + "2" + "]" * 900),
        ("true", "1.5"),
        ("null", "{}"),
    ],
)
def test_diff_prints_valid_json_whatever_the_values(
    first: str, second: str, tmp_path: Path
) -> None:
    for name, value in (("a", first), ("b", second)):
        (tmp_path / name).write_text(f'{{"format": 2, "scenario": 1, "x": {value}}}')
    ran = here("diff", tmp_path / "a", tmp_path / "b", "--json")
    assert (ran.status, ran.err) == (0, "")

    def no_constant(name: str) -> None:
        pytest.fail(f"{name} is no JSON")

    json.loads(ran.out, parse_constant=no_constant)
    assert here("diff", tmp_path / "a", tmp_path / "b").status == 0


def test_diff_tells_apart_entries_of_one_name() -> None:
    from planner.differences.values import difference

    entry = {"quantity": "a", "value": 1}
    changes = difference({"printed": [entry, entry]}, {"printed": [entry, {**entry, "value": 2}]})
    assert [change.where for change in changes] == ["printed.a #2.value"]
    assert difference({"printed": [entry, entry]}, {"printed": [entry, entry]}) == ()


# Surroundings


@pytest.mark.parametrize("options", [[], ["--all"], ["--json"]])
def test_an_ascii_locale_changes_no_byte(tmp_path: Path, options: list[str]) -> None:
    for name, title in (("a", "\u6f22"), ("b", "\u00fc")):
        text = f'{{"format": 2, "scenario": {{"title": "{title}"}}}}'
        (tmp_path / name).write_text(text, encoding="utf-8")
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    usual = here("diff", "a", "b", *options, folder=tmp_path)
    assert headroom("diff", "a", "b", *options, folder=tmp_path, env=ascii_only) == usual
    assert usual.status == 0
    if options:
        assert "\u6f22" in usual.out


@pytest.mark.parametrize("env", [{}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "", "TERM": "dumb"}])
def test_no_colour_reaches_a_pipe(runs: Runs, env: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(runs.hostile_files["plan.json"])
    ran = headroom("diff", runs.first, tmp_path, env=env)
    assert ran.status == 0
    assert "\x1b" not in ran.out


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", ["schema", "--help", "check thesis-7kw", "diff {0} {0} --json"])
def test_a_full_output_is_an_error_in_one_line(
    runs: Runs, command: str, unbuffered: str, tmp_path: Path
) -> None:
    line = f"PYTHONUNBUFFERED={unbuffered} headroom {command.format(runs.first)} > /dev/full"
    ran = bash(line, tmp_path)
    assert ran.status == 1
    assert re.fullmatch(r"headroom: .*No space left on device\n", ran.err)


@pytest.mark.parametrize("command", ["schema", "plan --help", "diff {0} {1} --json"])
def test_a_reader_that_stops_early_is_no_error(runs: Runs, command: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes(runs.hostile_files["plan.json"])
    ran = bash(f"headroom {command.format(runs.first, tmp_path)} | head -c 1", tmp_path)
    assert (ran.status, ran.err, len(ran.out)) == (0, "", 1)
    closed = bash(f"headroom {command.format(runs.first, tmp_path)} | true", tmp_path)
    assert (closed.status, closed.err) == (0, "")


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_streams_do_no_harm(closed: str, tmp_path: Path) -> None:
    assert bash(f"headroom check thesis-7kw {closed}", tmp_path).status == 0
    assert bash(f"headroom check nowhere {closed}", tmp_path).status == 2


@pytest.mark.parametrize("out", ["file", "file/below", "/proc/headroom"])
@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--dry-run", "--json")])
def test_a_folder_that_cannot_be_made_is_named_before_anything_is_solved(
    tmp_path: Path, out: str, more: tuple[str, ...]
) -> None:
    (tmp_path / "file").write_text("mine")
    ran = here("plan", "hopper-2010", "-o", out, *more, folder=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert re.fullmatch(rf"headroom: {out}: .*; give another folder with -o\n", ran.err)
    assert (tmp_path / "file").read_text() == "mine"


def test_asking_whether_a_folder_can_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    refuse_unwritable(tmp_path / "there", "plan")
    refuse_unwritable(tmp_path / "there" / "new" / "deep", "plan")
    assert [path.name for path in tmp_path.rglob("*")] == ["there"]


def test_a_folder_that_may_not_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(tmp_path / "tmp1234"))

    monkeypatch.setattr("tempfile.TemporaryFile", refused)
    with pytest.raises(OSError, match="Permission denied") as caught:
        refuse_unwritable(tmp_path / "new", "plan")
    assert caught.value.filename == str(tmp_path / "new")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_not_be_so_large_is_named_and_costs_nobody_the_answer(
    tmp_path: Path,
) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (25_000, 25_000))\n"
    code = f"{limit}from planner.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code, "plan", "hopper-2010", "-q", "-o", "results"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 1
    assert "A used core-hour of Hopper costs" in done.stdout.decode()
    error = done.stderr.decode()
    assert "report.pdf could not be written: File too large" in error
    assert error.count("\n") == 1
    run = json.loads((tmp_path / "results" / "run.json").read_text())
    written = {path.name for path in (tmp_path / "results").iterdir() if path.is_file()}
    assert written == {"plan.json", "plan.xlsx", "run.json"}
    assert run["sha256"].keys() >= {"plan.json", "plan.xlsx"}
    assert "pdf" in run["missing"]


def test_a_full_disk_is_named_and_costs_nobody_the_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("reports.folder.save", full)
    ran = here("plan", "hopper-2010", "-o", "results", folder=tmp_path)
    assert ran.status == 1
    assert "A used core-hour of Hopper costs" in ran.out
    assert re.search(r"headroom: results/.*: No space left on device\n$", ran.err)
    assert list((tmp_path / "results").iterdir()) == []


def test_a_folder_in_the_place_of_a_result_is_named_and_kept(tmp_path: Path) -> None:
    (tmp_path / "results" / "report.pdf").mkdir(parents=True)
    ran = headroom("plan", "hopper-2010", "-o", "results", folder=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "results/report.pdf: is a folder" in ran.err
    assert (tmp_path / "results" / "report.pdf").is_dir()
    assert not (tmp_path / "results" / "run.json").exists()


def test_a_file_that_ends_too_early_is_no_interrupt(tmp_path: Path) -> None:
    # what unpickling an empty file raises anywhere in a command; click aborts on it as on Ctrl-C
    code = (
        "import io, pickle\n"
        "from planner.cli.main import main\n"
        "main.get_command(None, 'check').callback = lambda **_: pickle.load(io.BytesIO(b''))\n"
        "from planner.__main__ import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "check", "hopper-2010"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, b"")
    message = "a file ends too early (Ran out of input); is it damaged, or still written?"
    assert done.stderr.decode().strip() == f"headroom: {message}"
