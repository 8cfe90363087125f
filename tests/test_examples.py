"""The examples of docs/python.md: the files are what the page shows, and they run."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import planner
from planner.registry import COMMANDS
from tests.planner.cli.commands import ran
from tests.robustness.killed_commands import write_inputs

DOCS = Path(planner.__file__).parents[1] / "docs"
EXAMPLES = sorted((DOCS / "examples").glob("*.py"))
MATRIX = "0,1,1,100\n1,0,100,1\n1,100,0,1\n100,1,1,0\n"
PAIRS = """a,b,solo_a_s,solo_b_s,co_a_s,co_b_s
md,cfd,100,120,110,150
cfd,io,120,200,130,210
md,io,100,200,140,290
cfd,cfd,120,120,190,195
"""
REFERENCES = ("md", "cfd", "io", "sort")
OTHERS = ("fft", "lu", "ocean", "mesh", "solver", "new")
CO_RUNS = [
    (a, b, 100, 100, 120 + 4 * (len(a) * len(b) % 9), 110)
    for number, a in enumerate((*REFERENCES, *OTHERS[:-1]))
    for b in REFERENCES[: min(number + 1, len(REFERENCES))]
]
MOST_LINES = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    write_inputs(folder / "my-case")
    case = folder / "my-case"
    (case / "small.toml").replace(case / "procurement.toml")
    (folder / "matrix.csv").write_text(MATRIX)
    (folder / "pairs.csv").write_text(PAIRS)
    rows = [PAIRS.splitlines()[0], *(",".join(map(str, row)) for row in CO_RUNS)]
    (folder / "co-runs.csv").write_text("\n".join(rows))
    names = [f"{name},{len(name)}" for name in (*REFERENCES, *OTHERS)]
    (folder / "profiles.csv").write_text("\n".join(["application,ipc", *names]))
    drawing = "simulate lublin --jobs 400 --load 0.2 --processors 64 --write-log"
    drawn = ran(*drawing.split(), str(folder / "jobs.csv"))
    assert drawn.exit_code == 0, drawn.output
    measuring = "aggregate lu --law cliff --write-measurements"
    measured = ran(*measuring.split(), str(folder / "measured"))
    assert measured.exit_code == 0, measured.output
    return folder


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_each_example_runs_and_writes_its_report(
    path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    runpy.run_path(str(path))
    assert len(capsys.readouterr().out.splitlines()) >= 2
    (written,) = re.findall(r'hr\.report\(study, "(.*)"\)', path.read_text())
    assert (folder / written / "report.pdf").stat().st_size > 0


def test_the_page_shows_the_files() -> None:
    page = (DOCS / "python.md").read_text()
    shown = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert sorted(shown) == sorted(path.read_text() for path in EXAMPLES)
    assert all(len(text.splitlines()) <= MOST_LINES for text in shown)


def test_every_kind_of_study_has_an_example() -> None:
    assert len(EXAMPLES) == sum(len(command.answers) for command in COMMANDS)
