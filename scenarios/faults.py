"""All errors of an input file are reported together, each with its place, value and fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_FAULTS = 100
"""As many as somebody reads at once."""
LINE = "line"
_LONGEST_WHERE = 200
LONGEST_MESSAGE = 4000
"""Characters of a message about options: two screens."""


@dataclass(frozen=True, order=True)
class Fault:
    """One error of an input file.

    Attributes
    ----------
    file
        As the user named it.
    line
        Line number from 1; 0 where the whole file is meant.
    where
        Key path, as in ``node_types[2].peak_w``; may be empty.
    message
        What is wrong and what to do.
    place
        What the number counts in files without lines: ``row`` or ``job``.
    """

    file: str
    line: int
    where: str
    message: str
    place: str = LINE

    def __str__(self) -> str:
        position = self.file
        if self.line:
            counted = f":{self.line}" if self.place == LINE else f": {self.place} {self.line}"
            position += counted
        where = self.where if len(self.where) <= _LONGEST_WHERE else f"{self.where[:197]}..."
        return printable(": ".join(part for part in (position, where, self.message) if part))


def printable(text: str) -> str:
    r"""Escape what would steer a terminal: control characters, text direction, lone surrogates.

    Examples
    --------
    >>> printable("Zürich \x1b[31m")
    'Zürich \\x1b[31m'
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def readable(text: str) -> str:
    r"""A message that may hold what somebody typed: printable, and without the middle if long.

    Examples
    --------
    >>> readable("a\x1b\nb"), len(readable("a" * 10**6 + "; give fewer")) <= LONGEST_MESSAGE
    ('a\\x1b\nb', True)
    """
    lines = "\n".join(printable(line) for line in text.split("\n"))
    if len(lines) <= LONGEST_MESSAGE:
        return lines
    half = LONGEST_MESSAGE // 2 - 3
    return f"{lines[:half]} ... {lines[-half:]}"


class ScenarioError(ValueError):
    """An input cannot be used; ``faults`` lists everything that is wrong with it.

    Its text has one line for each error: where it is, what is wrong, and what to do.
    """

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(faults))
        super().__init__("\n".join(str(fault) for fault in self.faults))


def foremost(faults: Sequence[Fault], file_name: str, further: int = 0) -> list[Fault]:
    """Return as many errors as one can read; a note on ``file_name`` counts the others."""
    first = sorted(faults)[:MOST_FAULTS]
    further += len(faults) - len(first)
    if not further:
        return first
    count = f"at least {further} further fault{'s' * (further != 1)}"
    return [*first, Fault(file_name, 0, "", f"{count}; correct these first")]
