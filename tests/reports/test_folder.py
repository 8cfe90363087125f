"""A study in a folder: the answer first, nothing lost, nothing of others replaced."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from planner.errors import InputError
from planner.study import Study
from reports import folder
from reports.folder import USUAL, complete, write_study
from reports.output_folder import InTheWayError
from reports.publish import IncompleteReportError, alone_in
from reports.typeset import TypesetError
from reports.writers.data import data
from tests.claims.size import Case
from tests.planner.cli.commands import ran
from tests.planner.scheduling.sizing.logs import weekly

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def study() -> Study:
    return Case(weekly(4), "mean-wait<=600s", ("easy",), draws=2).answer.study


@pytest.fixture(scope="module")
def whole(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nobody stops."""
    folder = tmp_path_factory.mktemp("whole")
    write_study(study, folder)
    return folder


def content(target: Path) -> dict[str, bytes]:
    """Every file but run.json, which has times."""
    return {
        str(path.relative_to(target)): path.read_bytes()
        for path in sorted(target.rglob("*"))
        if path.is_file() and path.name != "run.json"
    }


def run_of(target: Path) -> dict[str, object]:
    plain: dict[str, object] = json.loads((target / "run.json").read_text())
    return plain


def test_every_file_is_listed_and_nothing_is_missing(study: Study, tmp_path: Path) -> None:
    written = write_study(study, tmp_path, formats=(*USUAL, "html"), further={"a/b.txt": b"x"})
    run, files = run_of(tmp_path), content(tmp_path)
    assert {*files} == {
        "report.pdf", "report.html", "size.json", "size.xlsx", "a/b.txt",
        *(f"figures/{name}.{ending}" for ending in ("png", "svg")
          for name in ("01-curve", "02-drawn", "03-weeks")),
    }  # fmt: skip
    assert run["sha256"].keys() == files.keys()  # type: ignore[attr-defined]
    assert (run["written"], run["missing"]) == (["png", "svg", "xlsx", "pdf", "html"], [])
    assert {*written.files} == {*files, "run.json"}


@pytest.mark.parametrize("after", ["answer", "png", "svg", "xlsx"])
def test_a_run_that_is_killed_goes_on_from_its_data(
    whole: Path, tmp_path: Path, after: str
) -> None:
    cut = tmp_path / "cut"
    formats = USUAL[: USUAL.index(after) + 1] if after != "answer" else ()
    (tmp_path / "size.json").write_bytes((whole / "size.json").read_bytes())
    code = (
        "import os, signal, sys\n"
        "from planner.study import read_study\nfrom reports import folder\n"
        f"study = read_study(open({str(tmp_path / 'size.json')!r}).read(), 'size.json')\n"
        "files = folder._files\n"
        "def dying(study, kind, drawn):\n"
        f"    if kind not in {formats!r}: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return files(study, kind, drawn)\n"
        "folder._files = dying\n"
        f"folder.write_study(study, {str(cut)!r})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    assert run_of(cut)["missing"] == [each for each in USUAL if each not in formats]
    assert (cut / "size.json").read_bytes() == (whole / "size.json").read_bytes()
    assert ran("report", str(cut)).exit_code == 0
    assert content(cut) == content(whole)
    assert run_of(cut)["missing"] == []


@pytest.mark.parametrize("name", ["size.json", "01-curve.svg", "report.pdf"])
def test_a_file_is_listed_before_it_has_its_name(study: Study, tmp_path: Path, name: str) -> None:
    cut = tmp_path / "cut"
    (tmp_path / "study.json").write_bytes(data(study))
    code = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from planner.study import read_study\nfrom reports import folder\n"
        f"study = read_study(open({str(tmp_path / 'study.json')!r}).read(), 'size.json')\n"
        "replace = folder._Folder._replace\n"
        "def dying(state, name, content):\n"
        "    replace(state, name, content)\n"
        f"    if Path(name).name == {name!r}: os.kill(os.getpid(), signal.SIGKILL)\n"
        "folder._Folder._replace = dying\n"
        f"folder.write_study(study, {str(cut)!r})\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == -signal.SIGKILL
    complete(cut)
    assert run_of(cut)["missing"] == []
    assert run_of(cut)["sha256"].keys() == content(cut).keys()  # type: ignore[attr-defined]


def test_what_was_lost_is_written_again_and_what_is_asked_for(whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    before = content(tmp_path)
    (tmp_path / "report.pdf").unlink()
    (tmp_path / "figures" / "01-curve.png").unlink()
    complete(tmp_path)
    assert content(tmp_path) == before
    complete(tmp_path, only=("html",))
    assert {*content(tmp_path)} - {*before} == {"report.html"}
    assert ran("report", str(tmp_path), "--only", "xlsx,pdf", "-q").output == ""
    assert {name: text for name, text in content(tmp_path).items() if name in before} == before


def test_a_format_that_fails_costs_none_of_the_others(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = folder._files

    def failing(study: Study, kind: str, drawn: list[object]) -> object:
        if kind == "svg":
            raise TypesetError("no ink")
        if kind == "xlsx":
            raise OSError(28, "No space left on device")
        return files(study, kind, drawn)  # type: ignore[arg-type]

    monkeypatch.setattr(folder, "_files", failing)
    with pytest.raises(IncompleteReportError, match=r"workbook could not be .*: No space left"):
        write_study(study, tmp_path, formats=("xlsx", "png"))
    assert (tmp_path / "figures" / "01-curve.png").is_file()
    with pytest.raises(IncompleteReportError, match=r"no ink.*headroom report .* tries again"):
        write_study(study, tmp_path, formats=("svg", "pdf"))
    assert run_of(tmp_path)["missing"] == ["svg"]
    monkeypatch.undo()
    complete(tmp_path)
    assert (tmp_path / "figures" / "01-curve.svg").is_file()


def test_what_is_not_ours_stays(study: Study, tmp_path: Path) -> None:
    (tmp_path / "report.pdf").write_text("mine")
    with pytest.raises(InTheWayError):
        write_study(study, tmp_path)
    assert content(tmp_path) == {"report.pdf": b"mine"}
    other = tmp_path / "other"
    write_study(study, other)
    (other / "report.pdf").write_text("annotated")
    (other / "notes.txt").write_text("mine")
    with pytest.raises(InTheWayError):
        write_study(study, other)
    done = ran("report", str(other), "--only", "pdf")
    assert done.exit_code == 2
    assert "report.pdf was changed after Headroom wrote it; move it away" in done.output
    (other / "report.html").write_text("mine")
    assert "is not listed in run.json" in ran("report", str(other), "--only", "html").output
    assert ran("report", str(other), "--only", "pdf", "--force").exit_code == 0
    assert (other / "notes.txt").read_text() == "mine"
    assert (other / "report.html").read_text() == "mine"


def test_no_format_replaces_a_file_that_is_not_listed(study: Study, tmp_path: Path) -> None:
    page, figure = tmp_path / "report.html", tmp_path / "figures" / "01-curve.png"
    page.write_text("mine")
    with pytest.raises(InTheWayError):
        write_study(study, tmp_path, formats=("html",))
    assert content(tmp_path) == {"report.html": b"mine"}
    page.unlink()
    write_study(study, tmp_path, formats=())
    figure.parent.mkdir()
    figure.write_text("mine")
    with pytest.raises(IncompleteReportError, match=r"01-curve\.png is not ours, .* move it away"):
        complete(tmp_path, only=("png",))
    assert figure.read_text() == "mine"
    log = tmp_path / "log.csv"
    log.write_text("number,submit,run,processors\n1,0,100,2\n2,0,100,2\n")
    other = tmp_path / "other"
    other.mkdir()
    (other / "report.html").write_text("mine")
    done = ran("size", str(log), "--for", "mean-wait<=40", "-o", str(other), "--html")
    assert done.exit_code == 2
    assert "report.html: is not listed as a result in run.json" in done.output
    assert [*content(other)] == ["report.html"]


def test_files_of_an_earlier_answer_do_not_stay_next_to_a_new_one(
    study: Study, tmp_path: Path
) -> None:
    write_study(study, tmp_path, formats=("html", "png"))
    write_study(study, tmp_path, formats=("xlsx",))
    assert {*content(tmp_path)} == {"size.json", "size.xlsx"}


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("run.json", None, "give the folder of a report"),
        ("run.json", "{", "run.json is damaged"),
        ("run.json", "[]", "run.json is damaged"),
        ("run.json", '{"sha256": {}}', "has no data file of a study"),
        ("size.json", None, "has no data file of a study"),
        ("size.json", "{", "size.json is damaged"),
        ("size.json", '{"format": 1}', "has another format than 2"),
    ],
)
def test_a_folder_that_is_none_is_named(
    study: Study, tmp_path: Path, file: str, text: str | None, message: str
) -> None:
    write_study(study, tmp_path, formats=())
    (tmp_path / file).unlink()
    if text is not None:
        (tmp_path / file).write_text(text)
    with pytest.raises(InputError, match=message):
        complete(tmp_path)
    done = ran("report", str(tmp_path))
    assert done.exit_code == 2
    assert message in done.output


def test_data_that_was_edited_is_refused(study: Study, tmp_path: Path) -> None:
    write_study(study, tmp_path, formats=())
    path = tmp_path / "size.json"
    path.write_text(path.read_text().replace('"node_processors": 1', '"node_processors": 2'))
    with pytest.raises(InputError, match="was changed after Headroom wrote it; run its command"):
        complete(tmp_path)


def test_a_folder_that_cannot_be_written_is_an_error_of_the_system(
    study: Study, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(OSError, match="File exists"):
        write_study(study, tmp_path / "file")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_that_appears_while_a_run_works_costs_no_result(
    study: Study, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    target.mkdir()
    (target / "size.xlsx").write_bytes(b"mine")
    for number in (1, 2):
        other = tmp_path / f"out-results-{number}"
        with pytest.raises(
            IncompleteReportError, match=rf"size.xlsx .*; the results are in {other}"
        ):
            write_study(study, target, formats=("xlsx",), aside=True)
        assert {"size.json", "size.xlsx", "run.json"} <= {path.name for path in other.iterdir()}
    assert [path.name for path in target.iterdir()] == ["size.xlsx"]
    assert (target / "size.xlsx").read_bytes() == b"mine"


def test_a_run_waits_for_another_one_in_its_folder(study: Study, tmp_path: Path) -> None:
    done = threading.Event()

    def second() -> None:
        write_study(study, tmp_path, formats=("xlsx",))
        done.set()

    with alone_in(tmp_path):
        other = threading.Thread(target=second)
        other.start()
        assert not done.wait(0.5)
        assert not any(tmp_path.iterdir())
    other.join()
    assert done.is_set()
