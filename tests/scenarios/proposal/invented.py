"""Vendors' sheets written by hand, with what a person reads in them.

The layouts are in ``invented.toml``, of other languages in ``strange.toml``, bills of materials in
``bills.toml``, several figures in a cell, blocks and groups in ``kinds.toml``.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.scenarios.quote_files import old_workbook, open_document, workbook

_FILES = ("invented.toml", "strange.toml", "bills.toml", "kinds.toml")
_WRITERS = {".xlsx": workbook, ".ods": open_document, ".xls": old_workbook}


@dataclass(frozen=True)
class Invented:
    """A layout: file, sheets as text, and what they state of each node type."""

    name: str
    file: str
    sheets: dict[str, str]
    vendor: str
    currency: str
    truth: dict[str, dict[str, Any]]
    harder: bool = False
    encoding: str = "utf-8"
    merged: dict[str, Any] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the file into a folder."""
        path = folder / self.file
        if path.suffix == ".csv":
            path.write_text(next(iter(self.sheets.values())), encoding=self.encoding)
        else:
            sheets = {name: rows_of_text(text) for name, text in self.sheets.items()}
            ranges = {"merged": self.merged} if self.merged else {}
            path.write_bytes(_WRITERS[path.suffix](sheets, **ranges))
        return path


def rows_of_text(text: str) -> list[list[Any]]:
    """Cells between bars; what looks like a plain number is one."""
    lines = text.strip("\n").split("\n")
    return [[_cell(each.strip()) for each in line.split("|")] for line in lines]


def _cell(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text or None


def _text(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


INVENTED = [Invented(**each) for name in _FILES for each in tomllib.loads(_text(name))["layouts"]]
