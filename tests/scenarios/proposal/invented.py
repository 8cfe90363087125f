"""Vendors' sheets written by hand, with what a person reads in them: ``invented.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.scenarios.quote_files import workbook

_FILE = Path(__file__).with_name("invented.toml")


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

    def write(self, folder: Path) -> Path:
        """Write the file into a folder."""
        path = folder / self.file
        if path.suffix == ".csv":
            path.write_text(next(iter(self.sheets.values())), encoding="utf-8")
        else:
            sheets = {name: _rows(text) for name, text in self.sheets.items()}
            path.write_bytes(workbook(sheets))
        return path


def _rows(text: str) -> list[list[Any]]:
    """Cells between bars; what looks like a plain number is one."""
    lines = text.strip("\n").split("\n")
    return [[_cell(each.strip()) for each in line.split("|")] for line in lines]


def _cell(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return text or None


INVENTED = [
    Invented(**each) for each in tomllib.loads(_FILE.read_text(encoding="utf-8"))["layouts"]
]
