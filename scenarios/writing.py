"""Files that Headroom writes: whole or not at all, and never over a file of somebody else.

One rule holds for every file. A file that exists with the same content is accepted. One with other
content is refused, unless the user allows its replacement (``--force``). Folders of reports have a
record of their own files (:mod:`reports.output_folder`).
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import os
import secrets
import stat
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

_OPEN_FILES = "/proc/self/fd"
_LONGEST_STEM = 50  # of 4 bytes at most; a file's name has at most 255
_PART = 1 << 20
_HEAD = 256
_GZIP = b"\x1f\x8b"
_FORCED: ContextVar[bool] = ContextVar("forced", default=False)
_OPTION: ContextVar[str] = ContextVar("option", default="")
"""Option of the running command that allows it; empty where Python calls."""


@contextlib.contextmanager
def replacing(*, force: bool, option: str = "") -> Iterator[None]:
    """Allow, or forbid, that files with other content are replaced meanwhile.

    Parameters
    ----------
    force
        Whether they are replaced.
    option
        Option with which the user of a command allows it; messages name it.
    """
    before = _FORCED.set(force), _OPTION.set(option or _OPTION.get())
    try:
        yield
    finally:
        _FORCED.reset(before[0])
        _OPTION.reset(before[1])


def forced() -> bool:
    """Whether files with other content may be replaced."""
    return _FORCED.get()


def how_to_force() -> str:
    """What the caller does to allow it: an option of the command, or a call in Python."""
    option = _OPTION.get()
    return f"add {option}" if option else "write within scenarios.writing.replacing(force=True)"


@contextlib.contextmanager
def written_whole(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content takes the path's name once all is written, and never in part.

    Raises
    ------
    FileExistsError
        A file with other content has that name, and must not be replaced; it stays as it is.
    OSError
        The file cannot be written, or is a device or pipe, which must not be replaced by a file.
    """
    if not path.is_dir():
        _refuse_special(path)
    handle = _unnamed(path.parent)
    if handle is not None:
        with os.fdopen(handle, "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(handle)
            try:
                _name(handle, path, new=not forced())
            except FileExistsError:
                _refuse_other(path, stream)
        return
    handle, temporary = _made_beside(path)
    try:
        with os.fdopen(handle, "w+b") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
            if forced():
                temporary.replace(path)
                return
            try:
                path.hardlink_to(temporary)
            except FileExistsError:
                _refuse_other(path, stream)
        temporary.unlink()
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_all(contents: Mapping[Path, bytes]) -> None:
    """Write several files that belong together: all of them, or none.

    Raises
    ------
    OSError
        As :func:`written_whole`; files that this call made are removed again.
    """
    for path, content in contents.items():
        refuse_unwritable(path)
        if os.path.lexists(path) and not forced() and _content(path) != content:
            raise _other(path)
    made: list[Path] = []
    try:
        for path, content in contents.items():
            new = not os.path.lexists(path)
            try:
                with written_whole(path) as stream:
                    stream.write(content)
            except OSError as error:  # a full disk does not say where
                raise OSError(error.errno, error.strerror, str(path)) from error
            if new:
                made.append(path)
    except BaseException:
        for path in made:
            path.unlink(missing_ok=True)
        raise


def refuse_unwritable(path: Path | str, opening: bytes | tuple[bytes, ...] = b"") -> None:
    """Check before the work that a file can be written, by making one in its folder.

    Parameters
    ----------
    opening
        How files of this kind begin, unpacked: one that begins otherwise has other content.

    Raises
    ------
    OSError
        It cannot, or a file that must not be replaced has its name.
    """
    path = Path(path)
    if path.is_dir():
        raise OSError(errno.EISDIR, "Is a directory", str(path))
    _refuse_special(path)
    if os.path.lexists(path) and not forced() and not _opens_with(path, opening):
        raise _other(path)
    handle = _unnamed(path.parent)
    if handle is None:
        handle, temporary = _made_beside(path)
        temporary.unlink()
    os.close(handle)


def _opens_with(path: Path, opening: bytes | tuple[bytes, ...]) -> bool:
    try:
        with path.open("rb") as stream:
            packed = stream.read(len(_GZIP)) == _GZIP
            stream.seek(0)
            if not packed:
                return stream.read(_HEAD).startswith(opening)
            with gzip.GzipFile(fileobj=stream) as inner:
                return inner.read(_HEAD).startswith(opening)
    except (OSError, EOFError):  # a link that leads nowhere, or no gzip file
        return False


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _refuse_other(path: Path, written: BinaryIO) -> None:
    """See that a file that has the name has the content that was written.

    Raises
    ------
    FileExistsError
        It has not.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "It is a folder", str(path))
    written.seek(0)
    try:
        with path.open("rb") as stream:
            while (part := written.read(_PART)) == stream.read(_PART):
                if not part:
                    return
    except OSError:  # a link that leads nowhere
        pass
    raise _other(path)


def _other(path: Path) -> FileExistsError:
    option = _OPTION.get()
    remedy = f"{option} replaces it" if option else f"give another name, or {how_to_force()}"
    return FileExistsError(errno.EEXIST, f"it exists with other content; {remedy}", str(path))


def _unnamed(folder: Path) -> int | None:
    """Return an empty file without a name, which a killed process cannot leave behind.

    ``None`` where the system or the file system has none; the file has the rights that the user's
    umask leaves.
    """
    if not (hasattr(os, "O_TMPFILE") and Path(_OPEN_FILES).is_dir()):
        return None
    try:
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o666)
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
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    return os.open(temporary, flags, 0o666), temporary


def _refuse_special(path: Path) -> None:
    """Refuse a device, a pipe or a circle of links, which no file must replace."""
    try:
        mode = path.stat().st_mode
        regular = stat.S_ISREG(mode)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno != errno.ELOOP:
            raise
        raise OSError(errno.ELOOP, "It is a link that leads back to itself", str(path)) from None
    if not regular:
        raise OSError(errno.EINVAL, "It is not a regular file", str(path))
    if forced() and not mode & 0o222:
        raise OSError(errno.EACCES, "It is write-protected", str(path))
