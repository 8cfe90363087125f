"""Each temporary folder belongs to one process, and proves it.

A name proves nothing: a user, another host or another container can write it too. A folder of
ours therefore holds a record of where it was made and by whom. The system releases the lock on
that record when its last holder ends. A later run removes a folder only if its record is true
and its lock is free; a doubtful folder stays.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OWNER = ".owner.json"
"""The record, which is locked as long as somebody uses the folder."""

PREFIX = "headroom-"
ASSIGNED: Path | None = None
"""Where this process makes its folder, if its parent is to know that; set once, at its start."""

_MAKING_S = 60.0
"""An empty folder that is older was left by a process killed between making and recording it."""
_OPEN_FILES = "/proc/self/fd"
_TOKEN = re.compile(r"[0-9a-f]{32}")
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_LARGEST_RECORD = 1 << 14


def own_path() -> Path:
    """Where this process makes its temporary folder."""
    return ASSIGNED or fresh_path(Path(tempfile.gettempdir()))


def fresh_path(parent: Path, prefix: str = PREFIX) -> Path:
    """A name that nobody else can have; the folder is not made yet."""
    return parent / f"{prefix}{secrets.token_hex(16)}"


@contextlib.contextmanager
def private_folder(path: Path) -> Iterator[int]:
    """Make a folder for this process, and remove it afterwards.

    The value is the descriptor of the lock: a child process that inherits it holds the folder too.

    Raises
    ------
    OSError
        The folder is there already or cannot be made.
    """
    path.mkdir(mode=0o700)
    lock = -1
    try:
        lock = _locked_record(path)
        yield lock
    finally:
        try:
            remove_folder(path)
        except BaseException:  # an interrupt, which must not leave the rest
            remove_folder(path)
            raise
        finally:
            if lock >= 0:
                os.close(lock)


def remove_abandoned(parent: Path, prefix: str = PREFIX) -> None:
    """Remove the folders of this prefix whose owners were killed on this machine."""
    try:
        result = [path for path in parent.iterdir() if path.name.startswith(prefix)]
    except OSError:
        return
    for each in result:
        if _TOKEN.fullmatch(each.name.removeprefix(prefix)):
            _remove_if_abandoned(each)


def remove_folder(folder: Path) -> None:
    """Remove a folder, its record last: who is killed meanwhile leaves a folder that is known."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            elif path.name != OWNER:
                path.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)


def _locked_record(folder: Path) -> int:
    """The lock comes before the record, so that no reader finds the record unlocked.

    The record gets its name when it is whole, where the system can make files without one.
    """
    handle = _unnamed(folder)
    named = handle is None
    if handle is None:
        handle = os.open(folder / OWNER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with contextlib.suppress(OSError):  # where nothing can be locked, nothing is swept either
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.write(handle, json.dumps(_record(folder)).encode())
        if not named:
            _name(handle, folder)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _unnamed(folder: Path) -> int | None:
    """An empty file without a name; ``None`` where there is no such thing."""
    if not (hasattr(os, "O_TMPFILE") and Path(_OPEN_FILES).is_dir()):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600)
    except OSError:
        return None


def _name(handle: int, folder: Path) -> None:
    inner = os.open(folder, os.O_RDONLY)
    try:
        # Only with a folder does Python let the system follow the link to the open file.
        os.link(f"{_OPEN_FILES}/{handle}", OWNER, dst_dir_fd=inner, follow_symlinks=True)
    finally:
        os.close(inner)


def _record(folder: Path) -> dict[str, Any]:
    """What only the folder's owner could have written: a moved or copied folder differs."""
    status = folder.lstat()
    return {
        "product": "headroom",
        "folder": str(folder.resolve()),
        "identity": [status.st_dev, status.st_ino],
        "user": os.geteuid(),
        "boot": _boot(),
    }


def _boot() -> str:
    """The running system's own random number; empty where there is none, as on macOS."""
    try:
        return _BOOT.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""


def _remove_if_abandoned(folder: Path) -> None:
    with contextlib.suppress(OSError, RuntimeError):
        status = folder.lstat()
        private = stat.S_ISDIR(status.st_mode) and stat.S_IMODE(status.st_mode) == 0o700
        if not private or status.st_uid != os.geteuid():
            return
        if time.time() - status.st_mtime > _MAKING_S:
            with contextlib.suppress(OSError):  # it is not empty
                folder.rmdir()
                return
        handle = os.open(folder / OWNER, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            if _is_true(handle, folder):
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while somebody lives
                if (
                    os.fstat(handle).st_nlink == 1
                ):  # or its owner has just removed it, and made it anew
                    remove_folder(folder)
        finally:
            os.close(handle)


def _is_true(handle: int, folder: Path) -> bool:
    """Whether the record is of this very folder, this user and this start of the system."""
    if not stat.S_ISREG(os.fstat(handle).st_mode) or not _boot():
        return False
    try:
        return bool(json.loads(os.read(handle, _LARGEST_RECORD)) == _record(folder))
    except (ValueError, RecursionError):
        return False
