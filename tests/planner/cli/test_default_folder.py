"""The default folder of a plan is named after the scenario, and names may be alike."""

from __future__ import annotations

import json
import shutil
from contextlib import chdir
from pathlib import Path

import pytest

from tests.planner.cli.commands import ran

NAME = "hopper-2010"
FOLDER = Path("out") / NAME
REMEDY = "give another folder with -o, or another name in the scenario"


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with a copy of a bundled scenario, and the results of the bundled one."""
    folder = tmp_path_factory.mktemp("planned")
    with chdir(folder):
        assert ran("init", "my-case", "--from", NAME).exit_code == 0
        assert ran("plan", NAME, "--quiet").exit_code == 0
    return folder


@pytest.fixture
def here(planned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder to work in."""
    shutil.copytree(planned, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_another_scenario_of_the_same_name_does_not_replace_the_results(here: Path) -> None:
    assert json.loads((FOLDER / "run.json").read_text())["scenario"] == {"bundled": NAME}
    before = (FOLDER / "run.json").read_bytes()
    mine = f"my-case/{NAME}.toml"
    for words in ((mine,), (mine, "--json"), (mine, "--dry-run")):
        refused = ran("plan", *words)
        assert refused.exit_code == 2
        assert refused.output == (
            f"headroom: out/{NAME} holds the results of the bundled scenario {NAME}, and this plan "
            f"is of {mine}; {REMEDY}\n"
        )
    assert (FOLDER / "run.json").read_bytes() == before
    assert ran("plan", mine, "--no-report").exit_code == 0
    assert ran("plan", NAME, "--quiet").exit_code == 0
    assert ran("plan", mine, "-q", "-o", str(FOLDER)).exit_code == 0
    assert json.loads((FOLDER / "run.json").read_text())["scenario"] == {
        "path": str((here / mine).resolve())
    }
    refused = ran("plan", NAME)
    assert refused.exit_code == 2
    assert f"of {mine}, and this plan is of the bundled scenario {NAME}; {REMEDY}" in refused.output


def test_the_same_file_replaces_its_results(here: Path) -> None:
    shutil.rmtree("out")
    mine = Path(f"my-case/{NAME}.toml")
    assert ran("plan", str(mine), "-q").exit_code == 0
    mine.write_text(mine.read_text() + "\n# edited\n")
    assert ran("plan", str(mine.absolute()), "-q").exit_code == 0
    Path("link.toml").symlink_to(mine)
    assert ran("plan", "link.toml", "-q").exit_code == 0
    other = Path("other-case") / mine.name
    shutil.copytree("my-case", other.parent)
    refused = ran("plan", str(other), "-q")
    assert refused.exit_code == 2
    assert f"of {mine}, and this plan is of {other}; {REMEDY}" in refused.output


def test_a_project_that_moved_keeps_its_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.rmtree("out")
    project = here / "project"
    (project / "case").mkdir(parents=True)
    shutil.copytree("my-case", project / "case", dirs_exist_ok=True)
    monkeypatch.chdir(project)
    assert ran("plan", f"case/{NAME}.toml", "-q").exit_code == 0
    monkeypatch.chdir(here)
    project.rename(here / "moved")
    monkeypatch.chdir(here / "moved")
    assert ran("plan", f"case/{NAME}.toml", "-q").exit_code == 0


@pytest.mark.parametrize("record", [None, [], {}, {"path": 3}, {"bundled": None}])
def test_a_record_without_the_scenario_refuses_nothing(here: Path, record: object) -> None:
    run = json.loads((FOLDER / "run.json").read_text())
    run.pop("scenario")
    (FOLDER / "run.json").write_text(
        json.dumps(run if record is None else run | {"scenario": record})
    )
    assert ran("plan", f"my-case/{NAME}.toml", "--dry-run").exit_code == 0
