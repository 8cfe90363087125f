"""The row of the provenance that says how to get a result again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence


def command_row(words: Sequence[str]) -> tuple[str, str]:
    """Return the command with every option that was given.

    Examples
    --------
    >>> command_row(("colocate", "pairs.csv", "-o", "DIR")), command_row(())
    (('command', 'headroom colocate pairs.csv -o DIR'), ('command', 'made from Python'))
    """
    return ("command", shlex.join(("headroom", *words)) if words else "made from Python")
