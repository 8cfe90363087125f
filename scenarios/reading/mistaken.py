"""What a file is that was given as a scenario but is none, and the command that reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Collection
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.tables.delimiters import cells_of, delimiter_of

_MOST_SHOWN = 3
_TABLES = (
    (frozenset(("solo_a_s", "co_a_s")), "a table of pairs", "colocate"),
    (frozenset(("package_cap_w",)), "a table of measured runs", "configure"),
    (frozenset(("submit_s",)), "a job log", "simulate"),
    (frozenset(("JobID",)), "a job log", "simulate"),
)
"""Headings that tell a table, what it is, and the command that reads it."""
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
_OF_SCHEDULER = frozenset(("iteration_s", "priority", "fairshare", "backfill", "throttles"))


def refuse_workbook(path: Path, shown: str) -> None:
    """Refuse a workbook in place of a scenario: a scenario names tables of quotes.

    Raises
    ------
    ScenarioError
        The file is a workbook.
    """
    try:
        if not path.is_file():
            return
        with path.open("rb") as stream:
            begin = stream.read(8)
    except (OSError, ValueError):
        return  # the reader of the file reports why it cannot be read
    if begin.startswith(_WORKBOOKS):
        message = (
            "is a workbook, not a scenario. A scenario is a TOML file; name workbooks of quotes in "
            "its [[quotes]] tables, as in the example that `headroom init` writes"
        )
        raise ScenarioError([Fault(shown, 0, "", message)])


def mistaken(text: str) -> str:
    """Say what a text that is not TOML looks like, and what to do with it; empty if unknown.

    Parameters
    ----------
    text
        The whole file, decoded.

    Examples
    --------
    >>> mistaken("; MaxProcs: 64")
    'it looks like a job log in SWF; use it with `headroom simulate`'
    """
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if first.startswith(";"):
        return "it looks like a job log in SWF; use it with `headroom simulate`"
    if first.startswith(("{", "<")):
        return (
            "it looks like JSON or XML; a scenario is a TOML file; `headroom init` writes an "
            "example"
        )
    cells = cells_of(first, delimiter_of(text.splitlines()))
    if len(cells) < _MOST_SHOWN or "=" in first or first.startswith("["):
        return ""
    return _of_table(cells)


def _of_table(cells: list[str]) -> str:
    for headings, what, command in _TABLES:
        if headings <= {*cells}:
            return f"it looks like {what}; use it with `headroom {command}`"
    if all(_is_number(cell) for cell in cells):
        return "it looks like a matrix of numbers; use a matrix of messages with `headroom place`"
    shown = ", ".join(cells[:_MOST_SHOWN])
    return (
        f"it looks like a table with the columns {shown}, ...; name a table of quotes in "
        "a scenario, as in the example of `headroom init`"
    )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def configures_scheduler(keys: Collection[str]) -> bool:
    """Whether a TOML file with these groups configures a Maui-like scheduler, however faulty."""
    return not _OF_SCHEDULER.isdisjoint(keys) and "power" not in keys


def _is_for_scheduler(path: Path) -> bool:
    try:
        return configures_scheduler(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return False


def scenarios_in(folder: Path) -> str:
    """Say which scenarios a folder holds, as a remedy for a folder in the place of a file."""
    names = sorted(path.name for path in folder.glob("*.toml") if not _is_for_scheduler(path))
    if not names:
        return "it contains no scenario; `headroom init` writes an example"
    more = ", ..." if len(names) > _MOST_SHOWN else ""
    return f"give the path of a scenario in it: {', '.join(names[:_MOST_SHOWN])}{more}"
