"""Reading untrusted files: bounded, inside their folder, decoded once."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from scenarios.faults import Fault, ScenarioError

_OPEN_FILES = "/proc/self/fd"
_LONGEST_STEM = 50  # of 4 bytes at most; a file's name has at most 255
LARGEST_BYTES = 1 << 20
"""A scenario or a table of measurements is text that people write: a megabyte is plenty."""

_PART = 1 << 20


@dataclass(frozen=True)
class TextFile:
    """A decoded file with its hash."""

    name: str
    text: str
    sha256: str


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


@contextlib.contextmanager
def written_whole(path: Path, *, new: bool = False) -> Iterator[BinaryIO]:
    """A stream whose content takes the path's name once all is written, and never in part.

    Parameters
    ----------
    new
        Whether nothing may have that name yet.

    Raises
    ------
    FileExistsError
        With ``new``: something has that name; it stays as it is.
    OSError
        The file cannot be written, or is a device or pipe, which must not be replaced by a file.
    """
    if not new and not path.is_dir():
        _refuse_special(path)
    handle = _unnamed(path.parent)
    if handle is not None:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(handle)
            _name(handle, path, new=new)
        return
    handle, temporary = _made_beside(path)
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if new:
            path.hardlink_to(temporary)
            temporary.unlink()
        else:
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _unnamed(folder: Path) -> int | None:
    """Return an empty file without a name, which a killed process cannot leave behind.

    ``None`` where the system or the file system has none; the file has the rights that the user's
    umask leaves.
    """
    if not (hasattr(os, "O_TMPFILE") and Path(_OPEN_FILES).is_dir()):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666)
    except OSError:
        return None


def _name(handle: int, path: Path, *, new: bool) -> None:
    """Give a file without a name the path's; unless it is new, in the place of what has it."""
    temporary = path if new else _beside(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        # Only with a folder does Python let the system follow the link to the open file.
        os.link(f"{_OPEN_FILES}/{handle}", temporary.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)
    if new:
        return
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name[:_LONGEST_STEM]}-{secrets.token_hex(8)}")


def _made_beside(path: Path) -> tuple[int, Path]:
    """Return an empty file next to another, which has the rights that the user's umask leaves."""
    temporary = _beside(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    return os.open(temporary, flags, 0o666), temporary


def _refuse_special(path: Path) -> None:
    """Refuse a device, a pipe or a circle of links, which no file must replace."""
    try:
        regular = stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise OSError(errno.ELOOP, "It is a link that leads back to itself", str(path)) from None
    if not regular:
        raise OSError(errno.EINVAL, "It is not a regular file", str(path))


def refuse_unwritable(path: Path | str) -> None:
    """Check that a whole file can be written, by making one in its folder and removing it.

    Raises
    ------
    OSError
        It cannot.
    """
    path = Path(path)
    if path.is_dir():
        raise OSError(errno.EISDIR, "Is a directory", str(path))
    _refuse_special(path)
    handle = _unnamed(path.parent)
    if handle is None:
        handle, temporary = _made_beside(path)
        temporary.unlink()
    os.close(handle)


def inside(folder: Path, name: str) -> Path | None:
    """Find the file ``name`` below ``folder``, or ``None`` if it leads out (links included)."""
    if not name or "\x00" in name or Path(name).is_absolute():
        return None
    try:
        target = (folder / name).resolve()
        return target if target.is_relative_to(folder.resolve()) else None
    except (OSError, RuntimeError):  # links that lead in a circle
        return None
