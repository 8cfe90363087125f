"""What a report may replace in its folder: what Headroom wrote there, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import stat
from pathlib import Path
from typing import Any

import pytest

from planner.registry import COMMANDS, named
from reports import folder as writing
from reports.output_folder import InTheWayError, refuse_unwritable
from reports.output_names import can_be_ours, certain
from reports.publish import IncompleteReportError
from tests.reports.bare import bare, writes

Parts = dict[str, bytes]
FIRST = {"figures/01-a.png": b"1", "report.pdf": b"1", "plan.xlsx": b"1"}
SECOND = {"figures/01-a.png": b"2", "report.pdf": b"2", "plan.xlsx": b"2"}


def publish(
    folder: Path,
    parts: Parts,
    patch: pytest.MonkeyPatch,
    inputs: tuple[Path, ...] = (),
    command: str = "plan",
) -> None:
    writes(patch, parts)
    writing.write_study(bare(int(parts["report.pdf"]), command), folder, inputs=inputs)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but the record and the data."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix != ".json"
    }


@pytest.mark.parametrize("name", [*FIRST, "plan.json", "run.json", ".headroom-files.json"])
def test_a_file_that_no_run_wrote_is_neither_replaced_nor_removed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"mine")
    with pytest.raises(InTheWayError) as caught:
        refuse_unwritable(tmp_path, "plan")
    assert caught.value.filename == str(tmp_path / name)
    with pytest.raises(InTheWayError):
        publish(tmp_path, FIRST, monkeypatch)
    assert (tmp_path / name).read_bytes() == b"mine"
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [tmp_path / name]


@pytest.mark.parametrize("name", FIRST)
def test_a_result_that_somebody_changed_is_neither_replaced_nor_removed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, FIRST, monkeypatch)
    (tmp_path / name).write_bytes(b"with my remarks")
    with pytest.raises(InTheWayError, match="was changed after Headroom wrote it") as caught:
        publish(tmp_path, SECOND, monkeypatch)
    assert caught.value.filename == str(tmp_path / name)
    assert contents(tmp_path) == FIRST | {name: b"with my remarks"}
    monkeypatch.setattr(writing, "refuse_unwritable", lambda *_: None)
    with pytest.raises(IncompleteReportError, match="is not ours"):
        publish(tmp_path, SECOND, monkeypatch)
    assert contents(tmp_path) == SECOND | {name: b"with my remarks"}, "not cleared as stale"


@pytest.mark.parametrize("how", ["moved", "copied"])
def test_results_that_were_moved_or_copied_are_replaced(
    how: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "a", FIRST, monkeypatch)
    (shutil.copytree if how == "copied" else shutil.move)(tmp_path / "a", tmp_path / "b")
    publish(tmp_path / "b", SECOND, monkeypatch)
    assert contents(tmp_path / "b") == SECOND
    assert how == "moved" or contents(tmp_path / "a") == FIRST


def test_a_list_that_was_copied_alone_gives_nothing_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "a", FIRST, monkeypatch)
    (tmp_path / "b").mkdir()
    shutil.copy(tmp_path / "a" / "run.json", tmp_path / "b")
    (tmp_path / "b" / "plan.xlsx").write_bytes(b"my quotes")
    with pytest.raises(InTheWayError):
        publish(tmp_path / "b", SECOND, monkeypatch)
    assert (tmp_path / "b" / "plan.xlsx").read_bytes() == b"my quotes"


def test_results_of_versions_whose_run_json_named_no_product_are_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, FIRST, monkeypatch)
    run = json.loads((tmp_path / "run.json").read_text())
    earlier = [
        "finished",
        "host",
        "platform",
        "python",
        "arguments",
        "folder",
        "seconds",
        "solves",
        "sha256",
    ]
    (tmp_path / "run.json").write_text(json.dumps({key: run[key] for key in earlier}))
    publish(tmp_path, SECOND, monkeypatch)
    assert contents(tmp_path) == SECOND


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_an_input_stays_even_if_an_earlier_run_wrote_it(
    link: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path / "out", FIRST, monkeypatch)
    read = tmp_path / "out" / "plan.xlsx"
    if link is not None:
        link(read, tmp_path / "quotes.xlsx")
        read = tmp_path / "quotes.xlsx"
    with pytest.raises(OSError, match="is an input of this run"):
        publish(tmp_path / "out", SECOND, monkeypatch, (read,))
    other = {"report.pdf": b"2", "configure.xlsx": b"2"}
    publish(tmp_path / "out", other, monkeypatch, (read,), "configure")
    assert contents(tmp_path / "out") == other | {"plan.xlsx": b"1"}, "not cleared as stale either"


@pytest.mark.parametrize("stem", [command.name for command in COMMANDS if command.answers])
def test_a_folder_in_the_place_of_any_result_is_seen_before_the_work(
    stem: Any, tmp_path: Path
) -> None:
    assert {"report.pdf", f"{stem}.json", f"{stem}.xlsx"} <= {*certain(named(stem))}
    for name in (*certain(named(stem)), "run.json"):
        (tmp_path / name / "mine").mkdir(parents=True)
        with pytest.raises(OSError, match="is a folder where a result belongs") as caught:
            refuse_unwritable(tmp_path, stem)
        assert caught.value.filename == str(tmp_path / name)
        shutil.rmtree(tmp_path / name)


@pytest.mark.parametrize("stem", [command.name for command in COMMANDS if command.answers])
def test_whatever_a_report_has_the_next_one_may_clear(stem: Any) -> None:
    assert [name for name in certain(named(stem)) if not can_be_ours(name)] == []


@pytest.mark.parametrize("mask", [0o077, 0o022, 0o002])
def test_results_have_the_rights_that_the_umask_leaves(
    mask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = os.umask(mask)
    try:
        publish(tmp_path / "new", FIRST, monkeypatch)
    finally:
        os.umask(before)
    for path in (tmp_path / "new", *(tmp_path / "new").rglob("*")):
        expected = (0o777 if path.is_dir() else 0o666) & ~mask
        assert stat.S_IMODE(path.stat().st_mode) == expected, path


def test_a_link_in_the_place_of_a_result_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "plan.json").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InTheWayError):
        refuse_unwritable(tmp_path, "plan")
