"""The command that gives a result again, as a line and as the row of the provenance."""

from __future__ import annotations

import shlex
from collections.abc import Sequence


def command_line(words: Sequence[str]) -> str:
    """Return the command with every option that was given; empty if it was made from Python.

    Examples
    --------
    >>> command_line(("size", "a log.swf")), command_line(())
    ("headroom size 'a log.swf'", '')
    """
    return shlex.join(("headroom", *words)) if words else ""


def command_row(words: Sequence[str]) -> tuple[str, str]:
    """Return the row of the provenance that says how to get a result again.

    Examples
    --------
    >>> command_row(("colocate", "pairs.csv", "-o", "DIR")), command_row(())
    (('command', 'headroom colocate pairs.csv -o DIR'), ('command', 'made from Python'))
    """
    return ("command", command_line(words) or "made from Python")
