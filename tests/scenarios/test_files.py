"""Files are written whole, and replace files alone."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from scenarios import files
from scenarios.files import refuse_unwritable, written_whole


def test_what_is_no_regular_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"), written_whole(pipe) as stream:
        stream.write(b"x")
    with pytest.raises(OSError, match="not a regular file"):
        refuse_unwritable(pipe)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_asking_leaves_nothing_behind(tmp_path: Path) -> None:
    refuse_unwritable(tmp_path / "new")
    assert not list(tmp_path.iterdir())
    with pytest.raises(OSError, match="directory"):
        refuse_unwritable(tmp_path)


@pytest.mark.parametrize("before", [None, b"before"])
@pytest.mark.parametrize("nameless", [True, False])
def test_a_file_is_there_only_once_it_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None, *, nameless: bool
) -> None:
    if not nameless:
        monkeypatch.setattr(files, "_unnamed", lambda _folder: None)
    path = tmp_path / "a.csv"
    if before is not None:
        path.write_bytes(before)
    with written_whole(path) as stream:
        stream.write(b"after")
        stream.flush()
        assert (path.read_bytes() if path.exists() else None) == before
    assert path.read_bytes() == b"after"
    with suppress(KeyError), written_whole(path) as stream:
        stream.write(b"never")
        raise KeyError
    assert path.read_bytes() == b"after"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has files without a name")
def test_a_killed_process_leaves_no_half_written_file(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys\nfrom pathlib import Path\n"
        "from scenarios.files import written_whole\n"
        "with written_whole(Path(sys.argv[1])) as stream:\n"
        "    stream.write(b'x' * 100_000)\n    stream.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "a.csv")], check=False)
    assert done.returncode == -signal.SIGKILL
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_new_file_takes_no_name_that_something_has(
    tmp_path: Path, unnamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not unnamed:
        monkeypatch.setattr(files, "_unnamed", lambda _: None)
    with written_whole(tmp_path / "new", new=True) as stream:
        stream.write(b"ours")
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "new").read_bytes() == b"ours"
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("new", "link"):
        with (
            pytest.raises(FileExistsError),
            written_whole(tmp_path / name, new=True) as stream,
        ):
            stream.write(b"others")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "new"]
    assert (tmp_path / "new").read_bytes() == b"ours"
