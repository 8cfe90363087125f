"""An earlier layout of a vendor: its headings, units and words are preferred."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.files import read_text
from scenarios.formatting import folded
from scenarios.reading.groups import entries, table_of
from scenarios.reading.toml_text import parse_toml
from scenarios.tables.headings import split_unit


@dataclass(frozen=True)
class Earlier:
    """What an earlier file says of columns.

    Attributes
    ----------
    name
        The file.
    columns
        For each target the columns of all its tables, as the file gives them.
    """

    name: str
    columns: Mapping[str, tuple[Mapping[str, Any], ...]]

    def target_of(self, heading: str) -> str:
        """The target that a heading had; empty if it had none."""
        for target, columns in self.columns.items():
            if self.column(target, heading, columns) is not None:
                return target
        return ""

    def column(
        self, target: str, heading: str, columns: tuple[Mapping[str, Any], ...] | None = None
    ) -> Mapping[str, Any] | None:
        """What the earlier file says of a target with this heading."""
        keys = {folded(heading), folded(split_unit(heading)[0])}
        for each in self.columns.get(target, ()) if columns is None else columns:
            if folded(str(each["heading"])) in keys:
                return each
        return None

    def missing(self, headings: Iterator[str]) -> list[tuple[str, str]]:
        """Targets and headings that the earlier file has and the sheets do not."""
        known = {key for each in headings for key in (folded(each), folded(split_unit(each)[0]))}
        return [
            (target, str(column["heading"]))
            for target, columns in self.columns.items()
            for column in columns
            if folded(str(column["heading"])) not in known
        ]


def earlier_layout(path: Path) -> Earlier:
    """Read the ``[[quotes]]`` of a scenario or a file of quotes.

    Raises
    ------
    ScenarioError
        It cannot be read, or has none.
    """
    raw = parse_toml(read_text(path, str(path), line_feeds=True))
    columns: dict[str, list[Mapping[str, Any]]] = {}
    tables = entries(raw, "quotes")
    if not tables:
        message = "has no [[quotes]]; give a scenario or a file of quotes after --like"
        raise ScenarioError([Fault(str(path), 0, "", message)])
    for table in tables:
        for target, given in table_of(table, "columns").items():
            column = {"heading": given} if isinstance(given, str) else given
            if isinstance(column, dict) and isinstance(column.get("heading"), str):
                columns.setdefault(target, []).append(column)
    return Earlier(path.name, {target: tuple(found) for target, found in columns.items()})
