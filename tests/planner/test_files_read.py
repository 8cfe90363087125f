"""Whatever way the code of a part reads a file, a result depends on it; what it made itself not."""

from __future__ import annotations

import itertools
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pandas as pd
import pytest

from planner.dependences import files as part_files
from planner.dependences import watch

linux = pytest.mark.skipif(not watch.AVAILABLE, reason="folders can be watched on Linux only")
Act = Callable[[Path], object]


def needed_after(folder: Path, act: Act) -> dict[str, str]:
    with part_files.running(folder):
        act(folder)
    return part_files.files_needed(folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "mine"
    (folder / "inner").mkdir(parents=True)
    for path in (folder / "a.txt", folder / "inner" / "b.txt", tmp_path / "outer.txt"):
        path.write_text("1")
    (folder / "link.txt").symlink_to("../outer.txt")
    for path in (folder / "t.parquet", tmp_path / "u.parquet"):
        pd.DataFrame({"w": [1]}).to_parquet(path)
    (folder / "u.parquet").symlink_to("../u.parquet")
    with closing(sqlite3.connect(tmp_path / "s.db")) as database:
        database.execute("CREATE TABLE t (w)")
    return folder


def changed_text(path: str) -> Act:
    return lambda folder: (folder / path).write_text("22")


def changed_table(folder: Path) -> None:
    with closing(sqlite3.connect(folder.parent / "s.db")) as database:
        database.execute("CREATE TABLE another (w)")


def moved_link(folder: Path) -> None:
    (folder / "other.txt").write_text("2")
    (folder / "link.txt").unlink()
    (folder / "link.txt").symlink_to("other.txt")


def opened_for_both(folder: Path) -> None:
    with (folder / "a.txt").open("r+") as stream:
        stream.read()


def listed(folder: Path) -> None:
    list((folder / "inner").iterdir())


def queried(folder: Path) -> None:
    with closing(sqlite3.connect(folder.parent / "s.db")) as database:
        database.execute("SELECT * FROM t").fetchall()


def shown_by_a_child(folder: Path) -> None:
    subprocess.run(["cat", folder / "inner" / "b.txt"], capture_output=True, check=True)


WAYS: dict[str, tuple[Act, Act]] = {
    "text": (lambda folder: (folder / "a.txt").read_text(), changed_text("a.txt")),
    "read and write": (opened_for_both, changed_text("a.txt")),
    "outside": (lambda folder: (folder / "../outer.txt").read_text(), changed_text("../outer.txt")),
    "by a link": (lambda folder: (folder / "link.txt").read_text(), changed_text("../outer.txt")),
    "another link": (lambda folder: (folder / "link.txt").read_text(), moved_link),
    "a folder": (listed, changed_text("inner/new.txt")),
    "names by pattern": (lambda folder: [*folder.glob("inner/*")], changed_text("inner/new.txt")),
    "SQLite": (queried, changed_table),
}
WATCHED: dict[str, tuple[Act, Act]] = {
    "Parquet": (lambda folder: pd.read_parquet(folder / "t.parquet"), changed_text("t.parquet")),
    "Parquet by a link": (
        lambda folder: pd.read_parquet(folder / "u.parquet"), changed_text("../u.parquet")
    ),
    "another program": (shown_by_a_child, changed_text("inner/b.txt")),
}  # fmt: skip


@pytest.mark.parametrize("way", [*WAYS, *(pytest.param(way, marks=linux) for way in WATCHED)])
def test_a_result_holds_until_what_was_read_changes(folder: Path, way: str) -> None:
    act, change = (WAYS | WATCHED)[way]
    needed = needed_after(folder, act)
    assert part_files.unchanged(folder, needed)
    assert needed_after(folder, act) == needed  # a repeat
    change(folder)
    assert not part_files.unchanged(folder, needed)


def own_folder(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / "x").write_text("1")
        assert [path.read_text() for path in Path(name).iterdir()] == ["1"]


def own_file(folder: Path) -> None:
    with tempfile.NamedTemporaryFile("w+", dir=folder) as stream:
        stream.write("1")
        stream.flush()
        Path(stream.name).read_text()


def appended(folder: Path) -> None:
    with (folder / "calls.log").open("a") as stream:
        stream.write("x")


def made_by_a_child(folder: Path) -> None:
    subprocess.run(["sh", "-c", "date > t; cat t; rm t"], cwd=folder, check=True)


def rewritten(folder: Path) -> None:
    (folder / "state").write_text("1")
    (folder / "state").read_text()


def piped(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    os.close(os.open(folder / "pipe", os.O_RDWR))


@pytest.mark.parametrize(
    "act",
    [
        own_folder,
        own_file,
        appended,
        made_by_a_child,
        rewritten,
        lambda _: Path("/proc/self/stat").read_text(),
        piped,
    ],
)
def test_what_the_code_made_itself_does_not_count(folder: Path, act: Act) -> None:
    needed = needed_after(folder, act)
    assert part_files.unchanged(folder, needed)
    for name in ("state", "calls.log"):
        (folder / name).write_text("other")
    assert part_files.unchanged(folder, needed)


def test_an_import_lists_no_folder(folder: Path) -> None:
    (folder / "friend_of_test.py").write_text("")

    def act(_: Path) -> None:
        __import__("friend_of_test")

    needed = needed_after(folder, act)
    (folder / "new.txt").write_text("1")
    assert "friend_of_test.py" in needed
    assert part_files.unchanged(folder, needed)
    sys.modules.pop("friend_of_test", None)


def test_a_result_that_changed_what_it_read_is_never_used_again(folder: Path) -> None:
    counter = itertools.count(2)

    def act(folder: Path) -> None:
        (folder / "a.txt").read_text()
        (folder / "a.txt").write_text(str(next(counter)) * 3)

    needed = needed_after(folder, act)
    assert not part_files.unchanged(folder, needed)
    assert part_files.forget_if_changed(folder)  # the part is loaded anew within the run
    assert not part_files.unchanged(folder, part_files.files_needed(folder))
    part_files.begin(folder)
    assert part_files.unchanged(folder, part_files.files_needed(folder))


@linux
def test_a_result_of_a_folder_that_cannot_be_watched_is_not_used_again_and_a_message_says_so(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(watch, "MOST", 1)
    needed = needed_after(folder, lambda _: None)
    assert not part_files.unchanged(folder, needed)
    assert "more than 1 folders and links" in caplog.text
