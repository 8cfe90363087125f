"""Reading untrusted files: bounded, inside their folder, decoded once."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from scenarios.faults import Fault, ScenarioError

LARGEST_BYTES = 1 << 20
"""A scenario or a table of measurements is text that people write: a megabyte is plenty."""


@dataclass(frozen=True)
class TextFile:
    """A decoded file with its hash."""

    name: str
    text: str
    sha256: str


def read_text(
    path: Path,
    shown: str,
    most: int = LARGEST_BYTES,
    remedy: str = "that is no scenario text",
    *,
    line_feeds: bool = False,
) -> TextFile:
    """Read a UTF-8 file of at most so many bytes (a byte-order mark is dropped).

    With ``line_feeds`` every line of the text ends with LF, whether it ends with CR, LF or CRLF in
    the file.

    Raises
    ------
    ScenarioError
        Missing, unreadable, no regular file, too large, or not UTF-8.
    """
    data = read_bytes(path, shown, "a text file", most, remedy)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise ScenarioError([Fault(shown, line, "", message)]) from error
    ended = with_line_feeds(text) if line_feeds else text
    return TextFile(shown, ended, hashlib.sha256(data).hexdigest())


def with_line_feeds(text: str) -> str:
    r"""The text with LF at the end of its lines, which may be CR, LF or CRLF.

    Examples
    --------
    >>> with_line_feeds("a\r\nb\rc\n")
    'a\nb\nc\n'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_bytes(path: Path, shown: str, kind: str, most: int, remedy: str) -> bytes:
    """Read a file of at most so many bytes; ``kind`` is what to give instead of a wrong path.

    Raises
    ------
    ScenarioError
        Missing, unreadable, no regular file, or too large.
    """

    def fault(message: str) -> ScenarioError:
        return ScenarioError([Fault(shown, 0, "", message)])

    try:
        if not path.is_file():
            found = "is no regular file" if path.exists() else "does not exist"
            raise fault(f"{found}; give the path of {kind}")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise fault(f"cannot be read: {error.strerror or error}") from error
    if len(data) > most:
        raise fault(f"is larger than {most >> 20} MiB; {remedy}")
    return data


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the path's name once all is written, and never in part.

    Raises
    ------
    OSError
        The file cannot be written, or is a device or pipe, which must not be replaced by a file.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "It is no regular file", str(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def refuse_unwritable(path: Path | str) -> None:
    """Ask whether a whole file can be written there, by making one beside it and removing it.

    Raises
    ------
    OSError
        It cannot.
    """
    path = Path(path)
    if path.is_dir():
        raise OSError(errno.EISDIR, "Is a directory", str(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "It is no regular file", str(path))
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(handle)
    Path(temporary).unlink()


def inside(folder: Path, name: str) -> Path | None:
    """Find the file ``name`` below ``folder``, or ``None`` if it leads out (links included)."""
    if not name or "\x00" in name or Path(name).is_absolute():
        return None
    try:
        target = (folder / name).resolve()
        return target if target.is_relative_to(folder.resolve()) else None
    except (OSError, RuntimeError):  # links that lead in a circle
        return None
