"""Files are written whole, and replace files alone."""

from __future__ import annotations

import errno
import gzip
import os
import signal
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from scenarios import writing as files
from scenarios.writing import refuse_unwritable, replacing, write_all, written_whole


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
    with replacing(force=before is not None), written_whole(path) as stream:
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
        "from scenarios.writing import written_whole\n"
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
    with written_whole(tmp_path / "new") as stream:
        stream.write(b"ours")
        assert not (tmp_path / "new").exists()
    assert (tmp_path / "new").read_bytes() == b"ours"
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("new", "link"):
        with (
            pytest.raises(FileExistsError),
            written_whole(tmp_path / name) as stream,
        ):
            stream.write(b"others")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "new"]
    assert (tmp_path / "new").read_bytes() == b"ours"


@pytest.mark.parametrize("unnamed", [True, False])
def test_the_same_content_is_accepted_and_other_content_only_replaced_by_force(
    tmp_path: Path, unnamed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not unnamed:
        monkeypatch.setattr(files, "_unnamed", lambda _: None)
    path, link = tmp_path / "a", tmp_path / "link"

    def write(content: bytes, *, force: bool = False, target: Path = path) -> None:
        with replacing(force=force), written_whole(target) as stream:
            stream.write(content)

    write(b"one")
    write(b"one")
    with pytest.raises(
        FileExistsError, match=r"another name, or write within .*replacing\(force=True\)"
    ):
        write(b"two")
    assert path.read_bytes() == b"one"
    link.symlink_to(path)
    write(b"one", target=link)
    with pytest.raises(FileExistsError, match="force=True"):
        write(b"two", target=link)
    write(b"two", force=True)
    assert path.read_bytes() == b"two"
    path.chmod(0o444)
    with pytest.raises(OSError, match="write-protected"):
        write(b"three", force=True)
    with pytest.raises(IsADirectoryError):
        write(b"three", target=tmp_path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["a", "link"]


def test_files_that_belong_together_are_written_all_or_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / name for name in "abc"]
    paths[2].write_bytes(b"mine")
    with pytest.raises(FileExistsError, match="force=True"):
        write_all(dict.fromkeys(paths, b"ours"))
    assert list(tmp_path.iterdir()) == [paths[2]]
    paths[2].unlink()
    synced: list[int] = []

    def full(handle: int) -> None:
        synced.append(handle)
        if len(synced) == 2:
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as context:
        context.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            write_all(dict.fromkeys(paths, b"ours"))
    assert list(tmp_path.iterdir()) == []
    write_all(dict.fromkeys(paths, b"ours"))
    write_all(dict.fromkeys(paths, b"ours"))
    assert [path.read_bytes() for path in paths] == [b"ours"] * 3


def test_a_file_of_another_kind_is_refused_before_the_work(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"job,submit\n1,2\n")
    refuse_unwritable(path, b"job,submit")
    (tmp_path / "b").write_bytes(gzip.compress(b"job,submit\n"))
    refuse_unwritable(tmp_path / "b", b"job,submit")
    for content in (b"my notes", b"", b"\x1f\x8b broken"):
        path.write_bytes(content)
        with pytest.raises(FileExistsError, match="force=True"):
            refuse_unwritable(path, b"job,submit")
        with replacing(force=True):
            refuse_unwritable(path, b"job,submit")
    (tmp_path / "link").symlink_to("nowhere")
    with pytest.raises(FileExistsError, match="force=True"):
        refuse_unwritable(tmp_path / "link")


def test_a_refusal_names_what_its_caller_can_do(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"mine")

    def refused() -> str:
        with pytest.raises(FileExistsError) as error:
            write_all({path: b"ours"})
        return str(error.value.strerror)

    assert "--force" not in refused()
    with replacing(force=False, option="--force"):
        assert refused() == "it exists with other content; --force replaces it"
        with replacing(force=False):  # within a command
            assert "--force" in refused()
    assert "--force" not in refused()
    with replacing(force=True):  # as the message says
        write_all({path: b"ours"})
