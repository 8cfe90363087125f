"""Reading untrusted files: bounded, inside their folder, decoded once."""

from __future__ import annotations

import errno
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from scenarios.faults import Fault, ScenarioError

LARGEST_BYTES = 1 << 20
"""A scenario or a table of measurements is text that people write: a megabyte is plenty."""

_PART = 1 << 20


@dataclass(frozen=True)
class TextFile:
    """A decoded file with its hash, and its encoding; this is empty for UTF-8 and UTF-16."""

    name: str
    text: str
    sha256: str
    encoding: str = ""


def read_text(
    path: Path,
    file_name: str,
    largest: int = LARGEST_BYTES,
    remedy: str = "a scenario is never that large",
    *,
    line_feeds: bool = False,
) -> TextFile:
    """Read a UTF-8 file of at most ``largest`` bytes (a byte-order mark is dropped).

    With ``line_feeds`` every line of the text ends with LF, whether it ends with CR, LF or CRLF in
    the file.

    Raises
    ------
    ScenarioError
        The file is missing, unreadable, not a regular file, too large, or not UTF-8.
    """
    data = read_bytes(path, file_name, "a text file", largest, remedy)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise ScenarioError([Fault(file_name, line, "", message)]) from error
    ended = with_line_feeds(text) if line_feeds else text
    return TextFile(file_name, ended, hashlib.sha256(data).hexdigest())


def with_line_feeds(text: str) -> str:
    r"""Return the text with LF at the end of its lines, which may be CR, LF or CRLF.

    Examples
    --------
    >>> with_line_feeds("a\r\nb\rc\n")
    'a\nb\nc\n'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def read_bytes(path: Path, file_name: str, kind: str, largest: int, remedy: str) -> bytes:
    """Read a file of at most ``largest`` bytes; ``kind`` says what to give for a wrong path.

    Raises
    ------
    ScenarioError
        The file is missing, unreadable, not a regular file, or too large.
    """

    def fault(message: str) -> ScenarioError:
        return ScenarioError([Fault(file_name, 0, "", message)])

    try:
        if not path.is_file():
            raise fault(f"{not_a_file(path)}; give the path of {kind}")
        with path.open("rb") as stream:
            data = _at_most(stream, largest + 1)
    except OSError as error:
        raise fault(f"cannot be read: {error.strerror or error}") from error
    if len(data) > largest:
        raise fault(f"is larger than {largest >> 20} MiB; {remedy}")
    return data


def _at_most(stream: BinaryIO, largest: int) -> bytes:
    """Read at most ``largest`` bytes, in parts: a single read would first reserve them all."""
    data = bytearray()
    while part := stream.read(min(_PART, largest - len(data))):
        data += part
    return bytes(data)


def not_a_file(path: Path) -> str:
    """Why no file can be read there: nothing, no regular file, or a link that leads nowhere."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        if getattr(error, "errno", 0) == errno.ELOOP:
            return "is a link that leads back to itself"
        if os.path.islink(path):  # noqa: PTH114 - no raise
            return "is a link to a file that does not exist"
        return "does not exist"
    return "is a folder, not a file" if path.is_dir() else "is not a regular file"


def inside(folder: Path, name: str) -> Path | None:
    """Find the file ``name`` below ``folder``, or ``None`` if it leads out (links included)."""
    if not name or "\x00" in name or Path(name).is_absolute():
        return None
    try:
        target = (folder / name).resolve()
        return target if target.is_relative_to(folder.resolve()) else None
    except (OSError, RuntimeError):  # links that lead in a circle
        return None
