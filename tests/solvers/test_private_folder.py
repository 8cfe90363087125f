"""Temporary folders: a later run removes what is proved to be abandoned, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from solvers.backends import private_folder as folders
from solvers.backends.private_folder import OWNER, fresh_path, private_folder, remove_abandoned
from solvers.backends.protocol import Limits
from solvers.process.client import Worker
from tests.solvers.test_battery import knapsack
from tests.solvers.test_processes import ROOT, offspring, processes, wait_until

DEAD = 2**22 + 20261120
"""Above every process number of Linux, so nobody has it."""


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def abandoned(parent: Path) -> Path:
    """The folder of a process that was killed while it used it."""
    code = (
        "import os, sys, signal; from pathlib import Path\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from solvers.backends.private_folder import fresh_path, private_folder\n"
        "with private_folder(fresh_path(Path(sys.argv[1]))):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    before = set(parent.iterdir())
    done = subprocess.run([sys.executable, "-c", code, str(parent)], check=False)
    assert done.returncode == -signal.SIGKILL
    (remaining,) = set(parent.iterdir()) - before
    (remaining / "model.mps").write_text("half")
    return remaining


def test_a_private_folder_is_gone_afterwards_and_nobody_else_can_enter(tmp_path: Path) -> None:
    path = fresh_path(tmp_path)
    with private_folder(path):
        assert path.stat().st_mode & 0o777 == 0o700
        remove_abandoned(tmp_path)
        assert path.exists()
        with pytest.raises(FileExistsError), private_folder(path):
            pass
        assert path.exists(), "a second owner must not remove the folder of the first"
    assert names(tmp_path) == []


def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path: Path) -> None:
    abandoned(tmp_path)
    remove_abandoned(tmp_path)
    assert names(tmp_path) == []


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files without a name")
@pytest.mark.parametrize("killed_in", ["_record", "_name", "json.dumps", "os.write"])
def test_a_process_killed_while_it_makes_its_folder_leaves_an_empty_one_at_most(
    tmp_path: Path, killed_in: str
) -> None:
    code = (
        "import os, sys, signal; from pathlib import Path\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from solvers.backends import private_folder as folders\n"
        f"folders.{killed_in} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "with folders.private_folder(folders.fresh_path(Path(sys.argv[1]))):\n    pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    (remaining,) = tmp_path.iterdir()
    assert names(remaining) == []
    remove_abandoned(tmp_path)
    assert remaining.exists(), "its owner may be about to record it"
    os.utime(remaining, (0, 0))
    remove_abandoned(tmp_path)
    assert names(tmp_path) == []


def test_a_folder_whose_owner_is_killed_while_it_removes_it_is_removed_by_the_next(
    tmp_path: Path,
) -> None:
    code = (
        "import os, sys, signal, shutil; from pathlib import Path\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from solvers.backends import private_folder as folders\n"
        "path = folders.fresh_path(Path(sys.argv[1]))\n"
        "with folders.private_folder(path):\n"
        "    (path / 'a.png').touch()\n"
        "    folders.shutil.rmtree = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    (remaining,) = tmp_path.iterdir()
    assert names(remaining) == [OWNER]
    remove_abandoned(tmp_path)
    assert names(tmp_path) == []


def test_an_interrupt_while_a_folder_is_removed_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, interrupts = shutil.rmtree, [KeyboardInterrupt()]

    def interrupted(*arguments: Any, **options: Any) -> None:
        if interrupts:
            raise interrupts.pop()
        real(*arguments, **options)

    monkeypatch.setattr(shutil, "rmtree", interrupted)
    with pytest.raises(KeyboardInterrupt), private_folder(fresh_path(tmp_path)):
        pass
    assert names(tmp_path) == []


def test_names_that_users_write_are_never_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for name in ("headroom-2026-11-20", "headroom-123-notes", f"headroom-{DEAD}-a"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "report.pdf").write_text("mine")
    fresh_path(tmp_path).mkdir(mode=0o700)
    before = names(tmp_path)
    worker = Worker()
    worker.ask("solve", "cbc", knapsack(), Limits(), None)
    worker.close()
    assert names(tmp_path) == before
    assert (tmp_path / "headroom-2026-11-20" / "report.pdf").read_text() == "mine"


def moved(left: Path) -> Path:
    return left.rename(left.parent / f"{folders.PREFIX}{'0' * 32}")


def copied(left: Path) -> Path:
    copy = left.with_name(f"{folders.PREFIX}{'1' * 32}")
    shutil.copytree(left, copy)
    shutil.rmtree(left)
    return copy


def in_its_place(left: Path) -> Path:
    """A copy under the very name of what was there; the first inode stays taken."""
    away = left.parent.parent / "away"
    left.rename(away)
    shutil.copytree(away, left)
    return left


def opened(left: Path) -> Path:
    left.chmod(0o755)
    return left


def of_another_boot(left: Path) -> Path:
    record = json.loads((left / OWNER).read_text())
    (left / OWNER).write_text(json.dumps(record | {"boot": "another"}))
    return left


def of_another_user(left: Path) -> Path:
    record = json.loads((left / OWNER).read_text())
    (left / OWNER).write_text(json.dumps(record | {"user": os.geteuid() + 1}))
    return left


def without_record(left: Path) -> Path:
    (left / OWNER).unlink()
    return left


def with_half_a_record(left: Path) -> Path:
    (left / OWNER).write_bytes((left / OWNER).read_bytes()[:20])
    return left


def deep(left: Path) -> Path:
    (left / OWNER).write_text("[" * 10_000)
    return left


def behind_a_link(left: Path) -> Path:
    away = left.parent.parent / "away"
    left.rename(away)
    left.symlink_to(away)
    return left


@pytest.mark.parametrize(
    "changed",
    [
        moved, copied, in_its_place, opened, of_another_boot, of_another_user, without_record,
        with_half_a_record, deep, behind_a_link,
    ],
)  # fmt: skip
def test_whatever_is_in_doubt_stays(changed: Callable[[Path], Path], tmp_path: Path) -> None:
    parent = tmp_path / "temporary"
    parent.mkdir()
    remaining = changed(abandoned(parent))
    remove_abandoned(parent)
    assert (remaining / "model.mps").read_text() == "half"


def test_without_a_number_of_the_running_system_all_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remaining = abandoned(tmp_path)
    monkeypatch.setattr(folders, "_BOOT", tmp_path / "no such file")
    remove_abandoned(tmp_path)
    assert remaining.exists()


HOLDING = """
import sys, time; from pathlib import Path
sys.path.insert(0, sys.argv[1])
from solvers.backends.private_folder import fresh_path, private_folder
with private_folder(fresh_path(Path(sys.argv[2]))) as lock:
    print(flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(ROOT), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield process


def test_a_live_run_keeps_its_folder_whatever_number_its_process_has_here(
    holder: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody(_process: int, _signal: int) -> None:  # as seen from another container
        raise ProcessLookupError

    monkeypatch.setattr(os, "kill", nobody)
    before = names(tmp_path)
    remove_abandoned(tmp_path)
    assert names(tmp_path) == before != []
    monkeypatch.undo()
    assert holder.poll() is None
    holder.communicate(b"")
    assert names(tmp_path) == []


ALONE = """
import subprocess, sys; from pathlib import Path
sys.path.insert(0, sys.argv[1])
from solvers.backends.private_folder import fresh_path, private_folder
with private_folder(fresh_path(Path(sys.argv[2]))) as lock:
    subprocess.Popen(["sleep", "60"], pass_fds=(lock,), stdout=subprocess.DEVNULL)
    print(flush=True)
    sys.stdin.read()
"""


def test_a_child_that_outlives_its_parent_holds_the_folder(tmp_path: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", ALONE, str(ROOT), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert parent.stdout is not None
    parent.stdout.readline()
    (child,) = offspring(parent.pid)
    try:
        parent.kill()
        parent.communicate()
        remove_abandoned(tmp_path)
        assert names(tmp_path) != []
    finally:
        os.kill(child, signal.SIGKILL)
    assert wait_until(lambda: child not in processes(), 5)
    remove_abandoned(tmp_path)
    assert names(tmp_path) == []
