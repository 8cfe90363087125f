"""A stored result is used again only while all that it depends on is as it was."""

from __future__ import annotations

import hashlib
import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from planner.dependences.digest import files_needed, hold, mark_of, record
from planner.dependences.sources import source_with_globals
from planner.errors import InputError
from planner.parts import PartKind, calling, files_of, own_part
from planner.scheduling.power.schedule import schedule
from tests.planner.scheduling.power.scenarios_of import simulated

POLICY = """
from planner.scheduling.power.rmap import traditional_policy
import rule
class Mine:
    name = "mine"
    def schedule(self, problem):
        rule.called()
        return traditional_policy().schedule(problem)
"""
RULE = """
import os
from pathlib import Path
import pack.inner
HERE = Path(__file__).parent
try:
    import faster
except ImportError:
    faster = None
def called():
    import late
    (HERE / "table.csv").read_text()
    (HERE / "link.csv").read_text()
    (HERE / "current.csv").read_text()
    with open(os.environ["CALLS"], "a") as stream:
        stream.write("x")
"""


class Answer(Protocol):
    """What the parts of these tests need."""

    def __call__(self, problem: object) -> object: ...


KIND: PartKind[Answer] = PartKind("heuristic", Answer)


def write(folder: Path, **files: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "pack").mkdir(exist_ok=True)
    texts = {"policy": POLICY, "rule": RULE, "late": "", "pack/inner": "", "pack/__init__": ""}
    for name, text in (texts | files).items():
        (folder / f"{name}.py").write_text(text)
    (folder / "table.csv").write_text("1")
    (folder.parent / "elsewhere.csv").write_text("1")
    (folder / "link.csv").symlink_to("../elsewhere.csv")
    (folder / "other.csv").write_text("3")
    (folder / "current.csv").symlink_to("table.csv")


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    log = tmp_path / "calls"
    log.touch()
    monkeypatch.setenv("CALLS", str(log))

    def new() -> int:
        count = len(log.read_text())
        log.write_text("")
        return count

    return new


def _lead_elsewhere(folder: Path) -> None:
    (folder / "current.csv").unlink()
    (folder / "current.csv").symlink_to("other.csv")


CHANGES: dict[str, Callable[[Path], object]] = {
    "an imported module": lambda folder: (folder / "rule.py").write_text(RULE + "\nX = 1"),
    "a module imported late": lambda folder: (folder / "late.py").write_text("X = 1"),
    "a module of a package": lambda folder: (folder / "pack" / "inner.py").write_text("X = 1"),
    "a data file": lambda folder: (folder / "table.csv").write_text("2"),
    "what a link leads to": lambda folder: (folder / "link.csv").write_text("2"),
    "where a link leads": _lead_elsewhere,
    "a module sought in vain": lambda folder: (folder / "faster.py").write_text(""),
}


def test_kept_runs_are_used_until_a_file_that_the_policy_needed_changes(
    tmp_path: Path, calls: Callable[[], int]
) -> None:
    folder = tmp_path / "mine"
    write(folder)
    scenario = simulated(tmp_path, details='method = "oracle"', cluster="nodes = 16")

    def runs() -> int:
        own = f"{folder / 'policy.py'}:Mine"
        study = schedule(scenario, policies=["naive", own], seeds=1, keep=tmp_path / "keep")
        inputs = study.study.provenance.inputs
        for name in ("policy.py", "rule.py", "late.py", "pack/inner.py", "table.csv"):
            sha256 = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            assert inputs[name] == sha256
        (recorded,) = (part for part in record()["parts"] if folder in Path(part["file"]).parents)
        assert {"rule.py", "late.py", "table.csv"} <= recorded["needs"].keys()
        return calls()

    fresh = runs()
    assert fresh > 0
    assert runs() == 0
    for what, change in CHANGES.items():
        change(folder)
        assert (what, runs()) == (what, fresh)
        assert (what, runs()) == (what, 0)
    (folder / "late.py").unlink()
    with pytest.raises(InputError, match="No module named 'late'"):
        runs()


@pytest.mark.slow
def test_workers_list_what_they_load(tmp_path: Path, calls: Callable[[], int]) -> None:
    folder = tmp_path / "mine"
    write(folder)
    scenario = simulated(tmp_path, details='method = "oracle"')
    own = f"{folder / 'policy.py'}:Mine"

    def runs() -> int:
        schedule(scenario, policies=[own], seeds=2, workers=2, keep=tmp_path / "keep")
        return calls()

    assert runs() > 0
    assert runs() == 0
    (folder / "late.py").write_text("X = 1")
    assert runs() > 0


def test_parts_of_two_folders_have_their_own_modules_of_one_name(tmp_path: Path) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "friend.py").write_text(f"NAME = {name!r}")
        (folder / "late.py").write_text(f"NAME = 'late {name}'")
        (folder / "part.py").write_text(
            "import friend\ndef answer(problem):\n"
            "    import late\n    return friend.NAME, late.NAME\n"
        )
    parts = [own_part(f"{tmp_path / name}/part.py:answer", KIND) for name in ("one", "two")]
    for name, part in zip(("one", "two"), parts, strict=True):
        with calling(part):
            assert part(None) == (name, f"late {name}")
    assert [name for name, _ in files_of(parts)] == [
        "part.py", "friend.py", "late.py", "two/friend.py", "two/late.py",
    ]  # fmt: skip


def test_a_source_that_was_loaded_before_is_on_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, part = tmp_path / "site" / "shared_rules.py", tmp_path / "mine" / "part.py"
    for path, text in (
        (source, "X = 1\n"),
        (part, "import shared_rules\ndef mine(problem):\n    return shared_rules.X\n"),
    ):
        path.parent.mkdir()
        path.write_text(text)
    monkeypatch.syspath_prepend(source.parent)
    monkeypatch.setitem(sys.modules, "shared_rules", importlib.import_module("shared_rules"))
    mine = own_part(f"{part}:mine", KIND)
    assert mine(None) == 1
    (recorded,) = (each for each in record()["parts"] if each["file"] == str(part))
    assert recorded["needs"][str(source)] == hashlib.sha256(source.read_bytes()).hexdigest()
    assert files_needed([mine]) == [recorded["needs"]]


def test_a_result_of_another_folder_is_not_taken(tmp_path: Path) -> None:
    parts = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "friend.py").write_text(f"NAME = {name!r}")
        (folder / "part.py").write_text("import friend\ndef answer(problem): ...\n")
        parts.append(own_part(f"{folder}/part.py:answer", KIND))
    one, two = parts
    assert mark_of({}, [one]) == mark_of({}, [two])
    assert hold(files_needed([one]), [one])
    assert not hold(files_needed([one]), [two])
    assert not hold([], [one])


FACTOR = 2


def doubled(value: int) -> int:
    return FACTOR * value


class Twice:
    def of(self, value: int) -> int:
        return doubled(value)


def four_times(value: int) -> int:
    return Twice().of(Twice().of(value))


def test_the_text_of_a_function_holds_all_of_its_module_that_it_uses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = source_with_globals(four_times)
    assert "def doubled" in text
    assert "class Twice" in text
    assert "def write" not in text
    monkeypatch.setitem(globals(), "FACTOR", 3)
    assert source_with_globals(four_times) != text


SCRIPT = """
import sys
import headroom as hr
import friend
LIMIT = 0.1
def gap():
    return LIMIT + friend.MORE
def answer(scenario):
    print("called")
    return hr.plan(scenario, gap=gap())
if __name__ == "__main__":
    hr.sweep("hopper-2010", {"machine.utilisation": [0.5]}, answer=answer, keep="kept")
"""


@pytest.mark.slow
def test_a_sweep_of_a_script_is_refused_after_what_its_function_uses_changed(
    tmp_path: Path,
) -> None:
    def run(script: str = SCRIPT, friend: str = "MORE = 0") -> tuple[int, bool, bool]:
        (tmp_path / "script.py").write_text(script)
        (tmp_path / "friend.py").write_text(friend)
        done = subprocess.run(
            [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.returncode, "called" in done.stdout, "give another folder" in done.stderr

    assert run() == (0, True, False)
    assert run(SCRIPT + "\n# more values") == (0, False, False)
    assert run(SCRIPT.replace("LIMIT = 0.1", "LIMIT = 0.2")) == (1, False, True)
    assert run(friend="MORE = 0.1") == (1, False, True)
