"""What reaches the terminal: readers that leave early, text that steers, names in the way."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from planner.terminal import shown
from tests.planner.cli.test_commands import PATIENCE_S, SOURCE, bash, environment, headroom, here
from tests.sizes import few

LUBLIN = "simulate lublin --jobs 60 --processors 64"
COMMANDS = [
    "plan designs.toml -o out",
    "check designs.toml --json",
    "schema",
    "init new",
    "diff designs designs",
    "configure runs.csv --power-bound 3500 -A SP-MZ --json",
    "configure runs.csv --power-bound 3500 -A SP-MZ --next 2",
    "share runs.csv --power-bound 6000 --nodes 64",
    f"{LUBLIN} --write-schedule s.csv",
    "size lublin --jobs 60 --processors 64 --for mean-wait<=10h --write-demand d.toml",
    "place four.csv --nodes 2 --write-rank-file r.txt",
    "aggregate --patterns 2x1x2",
]
SHORT = ["plan designs.toml --no-report", *COMMANDS[1:3]]


@pytest.fixture(scope="module")
def given(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("given") / "sample"
    assert here("init", folder).status == 0
    (folder / "four.csv").write_text("0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n")
    planned = here("plan", folder / "designs.toml", "--no-report", "--json")
    assert planned.status == 0
    (folder / "designs").mkdir()
    (folder / "designs" / "plan.json").write_text(planned.out)
    return folder


@pytest.mark.parametrize(
    ("command", "reader"),
    [
        *((item, "true") for item in COMMANDS[: few(len(COMMANDS), 6)]),
        *((item, "head -1") for item in SHORT[: few(len(SHORT), 1)]),
    ],
)
def test_a_reader_that_leaves_is_never_no_plan(
    command: str, reader: str, given: Path, tmp_path: Path
) -> None:
    shutil.copytree(given, tmp_path, dirs_exist_ok=True)
    quoted = command.replace("<", "\\<")
    ran = bash(f"headroom {quoted} | {reader} > /dev/null; exit ${{PIPESTATUS[0]}}", tmp_path)
    assert (ran.status in {0, 141}, ran.err) == (True, ""), ran
    for file in ("r.txt", "s.csv", "d.toml"):
        if file in command.split():
            assert (tmp_path / file).exists(), "written before anything is shown"


def test_wrong_input_stays_wrong_input_whoever_reads(tmp_path: Path) -> None:
    ran = bash("headroom plan nowhere | true; exit ${PIPESTATUS[0]}", tmp_path)
    assert ran.status == 2
    ran = bash("headroom plan nowhere 2>&1 | true; exit ${PIPESTATUS[0]}", tmp_path)
    assert ran.status in {2, 141}


# Text that steers

STEERING = "\x1b[31mred\x07\x9b2J\u202egnp.\u2066\x7f\r"


def steers(text: str) -> list[str]:
    allowed = {"\n", "\t"}
    kinds = ("Cc", "Cf", "Zl", "Zp")
    return [c for c in text if unicodedata.category(c) in kinds and c not in allowed]


@pytest.mark.parametrize("more", [(), ("--all",), ("--json",)])
def test_differences_show_escape_sequences_and_obey_none(
    more: tuple[str, ...], given: Path, tmp_path: Path
) -> None:
    plan = json.loads((given / "designs" / "plan.json").read_text())
    plan["designs"][0] |= {f"{STEERING}key": STEERING, "application": STEERING}
    plan[STEERING] = [{"name": STEERING, STEERING: 1}]
    hostile = tmp_path / f"{STEERING.replace('/', '')}.json"
    hostile.write_text(json.dumps(plan, ensure_ascii=False), encoding="utf-8")
    ran = headroom("diff", given / "designs" / "plan.json", hostile, *more)
    assert ran.status == 0
    assert steers(ran.out + ran.err) == []
    if more:
        assert ("\\u001b" if "--json" in more else "\\x1b") + "[31mred" in ran.out
    if "--json" in more:
        changes = json.loads(ran.out)["changes"]
        assert STEERING in {change["second"] for change in changes}, "JSON means the same"


HOSTILE_NAMES = {
    "a scenario": f"plan '{STEERING}.toml'",
    "a log": f"simulate '{STEERING}.swf'",
    "a table of runs": f"configure '{STEERING}.csv' --power-bound 1",
    "a matrix": f"place '{STEERING}.csv' --nodes 2",
    "an option": f"plan designs.toml '--{STEERING}'",
    "a folder": f"plan designs.toml -q -o 'four.csv/{STEERING}'",
    "a command": f"'{STEERING}'",
    "runs": "configure hostile.csv --power-bound 9000",
    "shared runs": "share hostile.csv --power-bound 9000 --nodes 64",
    "a header": "simulate hostile.swf",
    "a schedule": "check-schedule hostile.swf --processors 4 --policy easy",
    "sample": f"init 'n{STEERING}'",
}
WITH_A_SHELL = ("a scenario", "a header", "an option")
"""The others run in the process of the test, with the streams that a command has."""


@pytest.mark.parametrize("what", HOSTILE_NAMES)
def test_no_text_of_a_file_or_an_argument_steers_the_terminal(
    what: str, given: Path, tmp_path: Path
) -> None:
    shutil.copytree(given, tmp_path, dirs_exist_ok=True)
    steering = STEERING.rstrip("\r")
    runs = (given / "runs.csv").read_text().replace("SP-MZ", steering)
    (tmp_path / "hostile.csv").write_text(runs)
    jobs = "".join(f"{n} {n} -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n" for n in range(1, 9))
    header = f"; Computer: {steering}\n; MaxProcs: 4\n"
    (tmp_path / "hostile.swf").write_text(header + jobs)
    words = HOSTILE_NAMES[what]
    if what in WITH_A_SHELL:
        ran = bash(f"headroom {words}", tmp_path)
    else:
        ran = here(*shlex.split(words), folder=tmp_path)
    assert ran.out + ran.err
    assert steers(ran.out + ran.err) == []


def test_text_of_any_language_is_shown_as_it_is() -> None:
    text = "Z\u00fcrich \u6f22\u5b57 \u0645\u200c\u062e 1\u00a0000\n\t\U0001f469\u200d\U0001f52c"
    assert shown(text) == text
    assert shown("\U000e0041") == "\\udb40\\udc41"
    assert json.loads(json.dumps("\U000e0041", ensure_ascii=False).replace(
        "\U000e0041", shown("\U000e0041"))) == "\U000e0041"  # fmt: skip


# Names in the way

AS_INSTALLED = "import sys; sys.argv[0] = 'headroom'; from headroom import run; run()"
OURS = ("planner", "reports", "solvers", "scenarios")


def in_the_way(folder: Path, name: str, *, package: bool) -> Path:
    result = folder / (name if package else f"{name}.py")
    if package:
        result.mkdir()
    (result / "__init__.py" if package else result).write_text("x = 1\n")
    return result


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("planner", False),
        ("planner", True),
        ("reports", False),
        ("solvers", True),
        ("scenarios", False),
        ("click", False),
        ("numpy", True),
    ],
)
def test_a_file_on_pythonpath_that_hides_a_package_is_named(
    name: str, *, package: bool, given: Path, tmp_path: Path
) -> None:
    result = in_the_way(tmp_path, name, package=package)
    path = os.pathsep.join([str(tmp_path), str(SOURCE)])
    done = subprocess.run(
        [sys.executable, "-P", "-c", AS_INSTALLED, "plan", "designs.toml", "-o", tmp_path / "out"],
        cwd=given,
        env=environment(PYTHONPATH=path),
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    what = "Headroom's package" if name in OURS else "the library"
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"headroom: {result} hides {what} {name!r}")
    assert f"remove {tmp_path} from PYTHONPATH" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["reports", "click"])
def test_a_file_in_the_current_folder_that_hides_a_package_is_named(
    name: str, tmp_path: Path
) -> None:
    result = in_the_way(tmp_path, name, package=False)
    ran = headroom("plan", "thesis-7kw", folder=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"headroom: {result} hides ")
    assert "rename it, or start Headroom in another folder" in ran.err


def test_a_folder_of_files_with_the_name_of_a_package_is_in_nobodys_way(tmp_path: Path) -> None:
    for name in OURS[1:]:
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes.txt").write_text("mine")
    assert headroom("plan", "thesis-7kw", "--dry-run", folder=tmp_path).status == 0


def test_errors_of_our_own_are_not_put_on_others(tmp_path: Path) -> None:
    code = (
        "import planner.__main__ as m\n"
        "def broken(): raise AttributeError('ours')\n"
        "m._status = broken\nm.run()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True,
        text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "AttributeError: ours" in done.stderr
