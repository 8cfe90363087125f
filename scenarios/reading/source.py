"""Where the raw values of a scenario come from, as an error reports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scenarios.faults import Fault
from scenarios.formatting import dotted
from scenarios.positions import KeyPath, Positions
from scenarios.reading.groups import entries


@dataclass(frozen=True)
class Included:
    """A file with more quotes and packages, which follow those of the scenario.

    Attributes
    ----------
    shown, positions
        As in :class:`Source`.
    first
        Index of its first table among all, by the group.
    """

    shown: str
    positions: Positions
    first: Mapping[str, int]


@dataclass(frozen=True)
class Source:
    """Raw values, and the place of each.

    Attributes
    ----------
    shown
        What to call the file in messages.
    positions
        Lines of the keys.
    raw
        The values, with those of attached files as soon as these are read.
    typed
        Number of node types that the file itself holds; behind them come quotes. ``None`` where
        rows of attached files are named by their key path too.
    included
        The file with more quotes and packages, if there is one.
    """

    shown: str
    positions: Positions
    raw: dict[str, Any]
    typed: int | None = None
    included: Included | None = None

    def here(self, where: KeyPath, message: str) -> Fault:
        """Return an error of the value at a key path, in the file itself."""
        where = self._as_typed(where)
        if self.included is not None and len(where) > 1:
            key, index, *rest = where
            other, first = self.included, self.included.first.get(str(key))
            if first is not None and isinstance(index, int) and index >= first:
                path = (key, index - first, *rest)
                return Fault(other.shown, other.positions.line(path), dotted(path), message)
        return Fault(self.shown, self.positions.line(where), dotted(where), message)

    def _as_typed(self, where: KeyPath) -> KeyPath:
        """The key path in the file: lines that were read come before those typed there."""
        match where:
            case ("packages", int(package), "lines", int(line), *rest) if self.typed is not None:
                lines = entries(self.raw["packages"][package], "lines")
                read = sum("cells" in each for each in lines[:line])
                return (*where[:3], line - read, *rest)
        return where

    def fault(self, where: KeyPath, message: str) -> Fault:
        """Return an error of the value at a key path, in the file that the value came from."""
        return self.placed(self.here(where, message), where)

    def placed(self, fault: Fault, where: KeyPath) -> Fault:
        """Give an error of a row that came from an attached file the place in that file."""
        if self.typed is None:
            return fault
        holder: Any = self.raw
        for depth, part in enumerate(where):
            try:
                holder = holder[part]
            except (KeyError, IndexError, TypeError):
                break
            if cell := _cell(holder, where[depth + 1 :]):
                return Fault(cell, 0, "", fault.message)
            in_a_row = isinstance(part, int) and isinstance(holder, dict) and "origin" in holder
            if in_a_row and not (where[0] == "node_types" and where[1] < self.typed):  # type: ignore[operator]
                key = ".".join(str(rest) for rest in where[depth + 1 :])
                return Fault(str(holder["origin"]), 0, key, fault.message)
        return fault

    def place(self, where: KeyPath) -> str:
        """Where a person finds the entry of a key path, as in ``line 7`` or ``quotes.csv:3``."""
        found = self.fault(where, "")
        if found.file != self.shown:
            return found.file
        return f"line {found.line}" if found.line else found.where


def _cell(holder: Any, below: KeyPath) -> str:
    """File and cell of a key of a package or line that was read; empty where it has none.

    What a line has from the scenario's mapping is reported at its text.
    """
    cells = holder.get("cells") if isinstance(holder, dict) else None
    if not isinstance(cells, dict):
        return ""
    key = str(below[0]) if below else ""
    return str(cells.get(key) or cells.get("item") or "")
