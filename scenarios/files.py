"""Reading untrusted files: bounded, inside their folder, decoded once."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

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
    path: Path, shown: str, most: int = LARGEST_BYTES, remedy: str = "that is no scenario text"
) -> TextFile:
    """Read a UTF-8 file of at most so many bytes (a byte-order mark is dropped).

    Raises
    ------
    ScenarioError
        Missing, unreadable, no regular file, too large, or not UTF-8.
    """

    def fault(message: str, line: int = 0) -> ScenarioError:
        return ScenarioError([Fault(shown, line, "", message)])

    try:
        if not path.is_file():
            kind = "is no regular file" if path.exists() else "does not exist"
            raise fault(f"{kind}; give the path of a text file")
        with path.open("rb") as stream:
            data = stream.read(most + 1)
    except OSError as error:
        raise fault(f"cannot be read: {error.strerror or error}") from error
    if len(data) > most:
        raise fault(f"is larger than {most >> 20} MiB; {remedy}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        value = data[error.start]
        raise fault(f"byte 0x{value:02x} is not UTF-8; save the file as UTF-8", line) from error
    return TextFile(shown, text, hashlib.sha256(data).hexdigest())


def inside(folder: Path, name: str) -> Path | None:
    """Find the file ``name`` below ``folder``, or ``None`` if it leads out (links included)."""
    if not name or "\x00" in name or Path(name).is_absolute():
        return None
    try:
        target = (folder / name).resolve()
        return target if target.is_relative_to(folder.resolve()) else None
    except (OSError, RuntimeError):  # links that lead in a circle
        return None
