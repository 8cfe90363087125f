"""Files of a report on their way to the disk: whole, one run at a time, and why one is missing."""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reports.sheets import WorkbookWriteError
from reports.typeset import TypesetError

_LIMITS = {
    errno.EFBIG: "ulimit -f",
    errno.EMFILE: "ulimit -n",
    errno.EAGAIN: "ulimit -u",
    errno.ENOMEM: "ulimit -v",
}
"""Errors of the system at a limit of the session, which leave the other parts possible."""


class IncompleteReportError(RuntimeError):
    """Some parts of a report could not be made; the message says which, and where the rest is."""


@dataclass(frozen=True)
class Written:
    """The files of a report.

    Attributes
    ----------
    folder
        Folder of the files.
    files
        Their paths within the folder.
    """

    folder: Path
    files: tuple[str, ...]

    @property
    def report(self) -> Path:
        """The PDF."""
        return self.folder / "report.pdf"


def why_not_made(part: str, error: Exception, staging: Path) -> str:
    """Why a part could not be made, where a limit of the system or its content forbids it.

    Raises
    ------
    Exception
        The error itself, if it has another cause.
    """
    if isinstance(error, TypesetError | WorkbookWriteError):
        return f"{part} could not be made: {error}"
    if isinstance(error, MemoryError):
        return f"{part} could not be made: the memory is not enough (see ulimit -v)"
    if isinstance(error, OSError) and error.errno in _LIMITS:
        name = os.path.relpath(error.filename, staging) if error.filename else part
        return f"{name} could not be made: {error.strerror} (see {_LIMITS[error.errno]})"
    if "start new thread" in str(error):
        return f"{part} could not be made: no thread can be started (see ulimit -u)"
    raise error


@contextmanager
def alone_in(target: Path) -> Iterator[None]:
    """Two runs into one folder write one after the other."""
    handle = os.open(target, os.O_RDONLY)
    try:
        with suppress(OSError):  # not every file system can lock a folder
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def save(path: Path, content: bytes) -> None:
    """Write a file, down to the disk."""
    path.parent.mkdir(exist_ok=True)
    try:
        with path.open("wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError as error:  # a full disk does not say where
        path.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error


def sync_folder(folder: Path) -> None:
    """Bring the names in a folder to the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def json_bytes(value: dict[str, Any]) -> bytes:
    """A JSON object as the content of a file."""
    return (json.dumps(value, indent=2, ensure_ascii=True, allow_nan=False) + "\n").encode()
