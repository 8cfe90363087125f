"""Text of foreign files on a terminal: control characters are shown, never executed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)


def shown(text: str) -> str:
    r"""Escape what steers a terminal or turns the direction of text; lines and tabs stay.

    The escapes are those of JSON, so that JSON means the same afterwards.

    Examples
    --------
    >>> print(shown("Zürich \x1b[31m"))
    Zürich \u001b[31m
    """
    return _STEERING.sub(_escaped, text)


class Shown:
    """A text stream that escapes what steers a terminal; all else is that of the stream.

    Attributes
    ----------
    unfiltered
        The stream itself, for what draws on the terminal.
    broken
        Whether the reader has gone. Libraries turn the error into exits of several kinds.
    """

    def __init__(self, stream: TextIO) -> None:
        self.unfiltered = stream
        self.broken = False

    def write(self, text: str) -> int:
        """Write the text with escapes; the length is that of the text as given."""
        with self._noticing():
            self.unfiltered.write(shown(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write one text after the other."""
        for line in lines:
            self.write(line)

    def flush(self) -> None:
        """Hand on what is buffered."""
        with self._noticing():
            self.unfiltered.flush()

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            self.broken = True
            raise

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unfiltered, name)


def unfiltered(stream: TextIO) -> TextIO:
    """Return the stream on which colours and bars may be drawn."""
    inner: TextIO = getattr(stream, "unfiltered", stream)
    return inner


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
