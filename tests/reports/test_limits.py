"""Limits of a login node: no child process raises one, and none costs an answer."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reports.typeset import TypesetError
from scenarios.tables import spreadsheet_child
from tests.planner.cli.test_commands import here

ROOT = Path(__file__).parents[2]
LIMIT = "import resource, json\nresource.setrlimit(resource.RLIMIT_{}, ({}, {}))\n"


def python(code: str) -> str:
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_child_lowers_limits_and_never_raises_one() -> None:
    wanted = {"AS": 4 << 30, "CPU": 100, "CORE": 0}
    limits = [
        (kind, int(soft * (most or 4096)), int(hard * (most or 4096)) if hard > 0 else -1)
        for kind, most in wanted.items()
        for soft, hard in ((0.5, 0.75), (0.5, 1), (0.5, 4), (2, 4), (4, -1))
    ]
    code = (
        "import json, os, resource, runpy\n"
        f"limit_itself = runpy.run_path({spreadsheet_child.__file__!r})['limit_itself']\n"
        f"for kind, soft, hard in {limits!r}:\n"
        "    if os.fork() == 0:\n"
        "        number = getattr(resource, 'RLIMIT_' + kind)\n"
        "        resource.setrlimit(number, (soft, hard))\n"
        f"        limit_itself(os.getppid(), {wanted['AS']}, {wanted['CPU']})\n"
        "        print(json.dumps(resource.getrlimit(number)), flush=True)\n"
        "        os._exit(0)\n"
        "    os.wait()\n"
    )
    after = [json.loads(line) for line in python(code).splitlines()]
    assert len(after) == len(limits)
    for (kind, soft, hard), (new_soft, new_hard) in zip(limits, after, strict=True):
        assert new_soft == min(soft, wanted[kind])
        assert new_soft <= new_hard <= (hard if hard > 0 else wanted[kind] + 5)


def test_limits_are_set_in_two_places_only_which_never_raise_one() -> None:
    packages = ("planner", "reports", "scenarios", "solvers")
    paths = [path for name in packages for path in (ROOT / name).rglob("*.py")]
    setting = [path for path in paths if re.search(r"setrlimit|prlimit", path.read_text())]
    # The solvers' worker moves its soft limit of CPU time, never above what it began with.
    assert sorted(path.name for path in setting) == ["spreadsheet_child.py", "worker.py"]


@pytest.mark.parametrize(("kind", "most"), [("CPU", 60), ("AS", 3_000_000 << 10)])
def test_a_document_is_set_under_the_limits_of_a_login_node(kind: str, most: int) -> None:
    code = LIMIT.format(kind, most, most) + (
        "import tempfile, pathlib\nfrom reports import typeset\n"
        "folder = pathlib.Path(tempfile.mkdtemp())\n"
        "(folder / 'main.typ').write_text('#set document(title: \"x\")\\nText')\n"
        "typeset._TEMPLATES = folder\n"
        "print(typeset.typeset('main.typ', {}, {})[:4])"
    )
    assert python(code) == "b'%PDF'\n"


def test_a_document_that_cannot_be_set_costs_neither_the_answer_nor_the_other_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> bytes:
        raise TypesetError("typst took more than 1 s of processor time")

    monkeypatch.setattr("reports.writers.pdf.typeset", failing)
    ran = here("plan", "hopper-2010", "-o", tmp_path / "out")
    assert ran.status == 1
    assert "A used core-hour of Hopper costs" in ran.out
    assert ran.err.count("\n") == 1
    assert "report.pdf could not be made: typst took more than 1 s" in ran.err
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names >= {"plan.json", "plan.xlsx", "figures", "run.json"}
    assert "report.pdf" not in names
