"""Runs that are interrupted, terminated or killed: nothing half-written, nobody left behind."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reports import typeset
from reports.folder import write_study
from reports.output_folder import InTheWayError
from tests.planner.cli.test_commands import (
    BROKEN,
    COMMAND,
    PATIENCE_S,
    environment,
    files,
    headroom,
)
from tests.reports.bare import bare, writes
from tests.sizes import few

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")
MARK = "HEADROOM_TEST_MARK"
PYTHON_STARTING = ("init_import_site", "init_sys_streams", "Could not import runpy")
"""What Python itself says when it is interrupted before it runs a line of ours."""
DELAYS_S = (0.05, 0.45, 0.75, 1.05, 0.25, 0.6, 0.9)[: few(7, 3)]
"""From before the first line of ours to the end of the run; closer together in ``make release``."""


def processes(mark: str) -> list[int]:
    """Processes that inherited this test's mark and still run."""
    results = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            with contextlib.suppress(OSError):  # ended, or somebody else's
                zombie = (folder / "stat").read_text().rpartition(")")[2].split()[0] == "Z"
                if not zombie and f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                    results.append(int(folder.name))
    return results


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + 30
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def stopped(
    scenario: Path, folder: Path, temporary: Path, number: int, delay_s: float
) -> tuple[int, str]:
    """Plan, send a signal after a while, wait until nobody is left."""
    mark = uuid.uuid4().hex
    process = subprocess.Popen(
        [*COMMAND, "plan", str(scenario), "-o", str(folder)],
        env=environment(**{MARK: mark, "TMPDIR": str(temporary)}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
    )
    time.sleep(delay_s)
    process.send_signal(number)
    _, message = process.communicate(timeout=PATIENCE_S)
    assert eventually(lambda: not processes(mark)), "a child process outlived the command"
    return process.returncode, message.decode()


def assert_whole_or_marked(folder: Path) -> None:
    """Where run.json stands, it lists every file of ours, and says if one may be missing."""
    if not (folder / "run.json").exists():
        return
    written = files(folder)
    run = json.loads(written["run.json"])
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in written.items()}
    for name, listed in run["sha256"].items():
        may_be = listed if isinstance(listed, list) else [listed]
        assert digests.get(name) in (*may_be, *([None] if run["missing"] else [])), name


def staging(folder: Path) -> list[str]:
    return [path.name for path in folder.glob(".headroom-*")]


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("scenario") / "whole.toml"
    path.write_bytes((BROKEN / "whole.toml").read_bytes())
    return path


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(number, id=number.name, marks=[pytest.mark.slow] * (number == signal.SIGHUP))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)
    ],
)
def test_a_stopped_run_leaves_nothing_half_written(
    scenario: Path, tmp_path: Path, number: signal.Signals
) -> None:
    statuses = {0, -number, 128 + number}
    early = -number  # before Python runs any of our code it can only die of the signal
    ended = []
    folder = tmp_path / "results"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    for delay_s in DELAYS_S:
        status, message = stopped(scenario, folder, temporary, number, delay_s)
        if any(words in message for words in PYTHON_STARTING):
            continue
        ended.append(status)
        assert status in statuses, message
        assert "Traceback" not in message or status == early
        if number != signal.SIGKILL and folder.exists():
            assert staging(folder) == []
        assert_whole_or_marked(folder)
        assert eventually(lambda: list(temporary.glob("headroom-*")) == [])
    assert set(ended) - {0}, "the run was never stopped"
    assert headroom("plan", scenario, "-o", folder).status == 0
    assert (folder / "run.json").exists()
    assert_whole_or_marked(folder)
    assert staging(folder) == []
    listed = json.loads((folder / "run.json").read_text())["sha256"]
    assert set(files(folder)) == {"run.json", *listed}


class Killed(BaseException):
    """Stands for kill -9: nothing after it runs but what the test's process needs."""


Parts = dict[str, bytes]


def publish(folder: Path, parts: Parts, monkeypatch: pytest.MonkeyPatch) -> None:
    writes(monkeypatch, parts)
    write_study(bare(int(parts["report.pdf"])), folder)


FIRST = {"figures/a.png": b"1", "figures/b.svg": b"1", "report.pdf": b"1"}
SECOND = {"figures/a.png": b"2", "figures/c.svg": b"2", "report.pdf": b"2"}


def steps() -> Iterator[tuple[str, int]]:
    yield from (("replace", count) for count in range(7))
    yield from (("unlink", count) for count in range(4))


@pytest.mark.parametrize(("operation", "count"), list(steps()))
def test_a_kill_between_any_two_renames_can_be_told_and_is_cleared_up(
    operation: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(tmp_path, FIRST, monkeypatch)
    (tmp_path / "figures" / "mine.png").write_bytes(b"mine")
    done = 0
    real = getattr(Path, operation)

    def dying(path: Path, *arguments: object, **options: object) -> object:
        nonlocal done
        if tmp_path in path.parents:
            done += 1
            if done == count + 1:
                raise Killed
        return real(path, *arguments, **options)

    with monkeypatch.context() as dangerous:
        dangerous.setattr(Path, operation, dying)
        with contextlib.suppress(Killed):
            publish(tmp_path, SECOND, dangerous)
    assert_whole_or_marked(tmp_path)
    publish(tmp_path, FIRST, monkeypatch)
    assert set(files(tmp_path)) == {*FIRST, "figures/mine.png", "plan.json", "run.json"}
    assert_whole_or_marked(tmp_path)


def test_what_a_killed_run_left_is_cleared_but_nothing_that_users_called_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from solvers.backends.private_folder import fresh_path, private_folder\n"
        "with private_folder(fresh_path(Path(sys.argv[1]), '.headroom-')):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path], env=environment(), check=False)
    assert len(staging(tmp_path)) == 1
    host, nobody = platform.node(), 2**22 + 1
    results = [f".headroom-{host}-{nobody}-x", ".headroom-notes", f".headroom-{'0' * 32}"]
    for name in results:
        (tmp_path / name / "figures").mkdir(parents=True, mode=0o700)
    publish(tmp_path, FIRST, monkeypatch)
    assert sorted(staging(tmp_path)) == sorted(results)


@pytest.mark.parametrize(
    "listed",
    [
        '{"sha256": {"notes.txt": "", "../outside.txt": "", "figures/../notes.txt": ""}}',
        '{"sha256": ["report.pdf/../notes.txt", 1, null]}',
        '{"sha256": 1}',
        '{"product": "Another", "sha256": {}}',
        "[]",
        "not JSON",
        "[" * 100_000,
    ],
)
def test_a_foreign_run_json_is_refused_and_deletes_nothing(
    listed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = foreign(tmp_path, listed)
    with pytest.raises(InTheWayError, match="is not a list of files by Headroom") as caught:
        publish(folder, FIRST, monkeypatch)
    assert caught.value.filename == str(folder / "run.json")
    assert (folder / "run.json").read_text() == listed
    assert set(files(folder)) == {"notes.txt", "run.json"}


def foreign(tmp_path: Path, listed: str) -> Path:
    folder = tmp_path / "results"
    folder.mkdir()
    for path in (folder / "notes.txt", tmp_path / "outside.txt"):
        path.write_text("mine")
    (folder / "run.json").write_text(listed)
    return folder


def test_a_forged_list_of_ours_deletes_nothing_whose_name_cannot_be_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = hashlib.sha256(b"mine").hexdigest()
    names = ("notes.txt", "../outside.txt", "figures/../notes.txt", "report.pdf/../notes.txt")
    forged = {"product": "Headroom", "sha256": dict.fromkeys(names, mine)}
    folder = foreign(tmp_path, json.dumps(forged))
    publish(folder, FIRST, monkeypatch)
    assert (folder / "notes.txt").read_text() == (tmp_path / "outside.txt").read_text() == "mine"
    assert_whole_or_marked(folder)


# Typst


def template(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (folder / "main.typ").write_text(f'#set document(title: "x")\n{text}', encoding="utf-8")
    monkeypatch.setattr(typeset, "_TEMPLATES", folder)


SLOW = "#for i in range(100000) { for j in range(100000) { } }"


def test_a_template_without_end_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mark = uuid.uuid4().hex
    monkeypatch.setenv(MARK, mark)
    monkeypatch.setattr(typeset, "TIME_LIMIT_S", 2)
    template(tmp_path, monkeypatch, SLOW)
    with pytest.raises(typeset.TypesetError, match="typst took more than 2 s"):
        typeset.typeset("main.typ", {}, {})
    assert processes(mark) == []
    assert list(tmp_path.iterdir()) == [tmp_path / "main.typ"]


def test_typst_ends_with_a_killed_parent(tmp_path: Path) -> None:
    mark = uuid.uuid4().hex
    (tmp_path / "main.typ").write_text(SLOW)
    code = (
        "from pathlib import Path\nfrom reports import typeset\n"
        f"typeset._TEMPLATES = Path({str(tmp_path)!r})\ntypeset.typeset('main.typ', {{}}, {{}})"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], env=environment(**{MARK: mark}))
    assert eventually(lambda: len(processes(mark)) == 2)
    parent.kill()
    parent.wait()
    assert eventually(lambda: not processes(mark))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('#panic("no")', "panicked with"),
        ("#let x =", "expected expression"),
        ('#read("/etc/passwd")', "file not found"),
        ('#read("../secret.txt")', "escape the project root"),
        ('#image("missing.svg")', "file not found"),
    ],
)
def test_an_error_of_typst_is_told_in_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "templates").mkdir()
    template(tmp_path / "templates", monkeypatch, text)
    with pytest.raises(typeset.TypesetError, match=f"typst failed: .*{reason}"):
        typeset.typeset("main.typ", {}, {})


def test_typesetting_leaves_no_temporary_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    (tmp_path / "templates").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    template(tmp_path / "templates", monkeypatch, '#json("data.json").a #read("b.txt")')
    assert typeset.typeset("main.typ", {"a": "#x"}, {"b.txt": b"$y$"}).startswith(b"%PDF")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_character_that_no_font_has_costs_the_standard_and_not_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    template(tmp_path, monkeypatch, '#json("data.json").a')
    private = "\U0010fffd"
    pdf = typeset.typeset("main.typ", {"a": private}, {})
    assert pdf.startswith(b"%PDF")
    assert b"pdfuaid" not in pdf
    assert f"boxes in the report (not PDF/UA): {private}; install fonts with them" in caplog.text
    assert b"pdfuaid" in typeset.typeset("main.typ", {"a": "plain"}, {})


def test_fonts_are_named_for_the_characters_that_are_boxes() -> None:
    message = typeset._without_font([*"\u8a08\u0e17\U0001f680", *map(chr, range(0xAC00, 0xAC10))])
    assert "boxes in the report (not PDF/UA): \u8a08 \u0e17 \U0001f680 \uac00" in message
    assert "\uac08 and others; install fonts with them" in message
    assert "(Debian: fonts-noto-cjk, fonts-noto-core, fonts-noto-color-emoji)" in message


SWALLOWING = """
import os, signal, sys
import planner.__main__ as command
import planner.cli.main as cli

def main(**_):
    try:
        os.kill(os.getpid(), signal.Signals[sys.argv[1]])
    except BaseException:
        pass  # as pydantic does while it builds a model: only the text of the error is left
    raise ValueError("Error building a validator")

cli.main.main = main
command.run()
"""


@pytest.mark.parametrize(("name", "status"), [("SIGTERM", 143), ("SIGHUP", 129), ("SIGINT", 130)])
def test_a_signal_that_a_library_swallows_still_ends_the_command(name: str, status: int) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SWALLOWING, name],
        capture_output=True,
        text=True,
        check=False,
        env=environment(),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert ended.returncode == status, ended.stderr
    assert "Traceback" not in ended.stderr
