"""The examples of docs/python.md: the files are what the page shows, and they run."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import planner
from planner.registry import COMMANDS, OF_OPTIONS
from tests.example_inputs import write_example_inputs

DOCS = Path(planner.__file__).parents[1] / "docs"
EXAMPLES = sorted((DOCS / "examples").glob("*.py"))
MOST_LINES = 12


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("examples")
    write_example_inputs(folder)
    return folder


SLOW = {
    "aggregate", "buy", "compare", "configure", "diff", "estimate", "place", "price", "price_log",
    "share", "simulate", "tangram",
}  # fmt: skip
"""Other tests write the same reports from the command line."""


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=path.stem, marks=[pytest.mark.slow] * (path.stem in SLOW))
        for path in EXAMPLES
    ],
)
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
    assert len(EXAMPLES) == sum(len(command.answers) for command in (*COMMANDS, *OF_OPTIONS))
