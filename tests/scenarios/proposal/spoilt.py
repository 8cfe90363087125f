"""Layouts of the other tests, spoilt at random as vendors do it: odd cells, notes, merges."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from scenarios.tables.cells import Cell, NumberWithUnit, Unreadable
from scenarios.tables.spreadsheet import read_cells, sheet_names
from tests.scenarios.proposal.bills import drawn_bill
from tests.scenarios.proposal.invented import INVENTED
from tests.scenarios.proposal.layouts import drawn
from tests.scenarios.quote_files import workbook

_ODD: tuple[Any, ...] = (
    "n/a", "see annex", "9-10", "tbd", "12 crates", "-", None, "ca. 300-400", -5.0, 0.0, "1.5.2.3",
    "*", "lange Beschreibung " * 9, "3 %", "auf Anfrage", "1,200", "1.200", "4 kW", "600 GB (2)",
    "+ 38 000,00 per 1 536 GB", 1e12, 0.5, "≤ 900 W", "1 310 W ¹",
)  # fmt: skip
_BRACKETS = (" (basis)", " (HPL)", " [typ.]", " ¹", " (max.)", " (optional)", "*")
_NOTES = (
    "* Vermogens gemeten aan de stekker, piek bij LINPACK.",
    "³ Je Knoten, gemessen am Netzanschluss, Volllast mit HPL.",
    "Option: 1 TB per node",
    "Garantía 3 años; ampliación: 690,00 EUR por nodo",
    "Prix valables 30 jours",
)
_OPTIONS = (
    ("Tillval: större minne", "+ 38 000,00 för 1 536 GB"), ("Option: NVMe 3,84 TB", 6400.0),
    ("Opzione: raffreddamento a liquido", "+ 10 %"), ("Option: liquid", "included"),
    ("Option: more memory, + 3,800.00 for 1,536 GB", None), ("Option", 500.0),
)  # fmt: skip
Rows = list[list[Any]]


def _odd_cells(rng: Random, rows: Rows) -> None:
    for _ in range(rng.randint(1, 4)):
        row = rng.choice(rows[len(rows) // 4 :])
        row[rng.randrange(len(row))] = rng.choice(_ODD)


def _odd_column(rng: Random, rows: Rows) -> None:
    place = rng.randrange(len(rows[0]))
    for row in rows[len(rows) // 3 :]:
        row[place] = rng.choice(_ODD) if row[place] is not None else None


def _bracketed(rng: Random, rows: Rows) -> None:
    """Brackets or marks behind texts, so behind headings too."""
    for row in rows:
        for place, cell in enumerate(row):
            if isinstance(cell, str) and rng.random() < 0.15:
                row[place] = f"{cell}{rng.choice(_BRACKETS)}"


def _noted(rng: Random, rows: Rows) -> None:
    width = len(rows[0])
    for _ in range(rng.randint(1, 3)):
        note: list[Any] = [None] * width
        note[rng.randrange(min(3, width))] = rng.choice(_NOTES)
        rows.insert(rng.choice((0, len(rows), rng.randrange(len(rows)))), note)


def _with_options(rng: Random, rows: Rows) -> None:
    width = len(rows[0])
    for _ in range(rng.randint(1, 3)):
        row: list[Any] = [None] * width
        text, price = rng.choice(_OPTIONS)
        at = rng.randrange(len(rows) // 2, len(rows))
        texts = [place for place, cell in enumerate(rows[at]) if isinstance(cell, str)]
        numbers = [place for place, cell in enumerate(rows[at]) if isinstance(cell, float)]
        row[texts[0] if texts else 0] = text
        row[rng.choice(numbers) if numbers else width - 1] = price
        rows.insert(at + 1, row)


def _repeated(rng: Random, rows: Rows) -> None:
    """A row of the table once more, or all of it."""
    if rng.random() < 0.5:
        rows += [[None] * len(rows[0]), *map(list, rows)]
    else:
        rows.insert(rng.randrange(len(rows)), list(rng.choice(rows)))


def _with_gaps(rng: Random, rows: Rows) -> None:
    for _ in range(rng.randint(1, 2)):
        rows.insert(rng.randrange(len(rows)), [None] * len(rows[0]))


def _without_cells(rng: Random, rows: Rows) -> None:
    for row in rows:
        for place in range(len(row)):
            if rng.random() < 0.05:
                row[place] = None


_WAYS: tuple[Callable[[Random, Rows], None], ...] = (
    _odd_cells, _odd_column, _bracketed, _noted, _with_options, _repeated, _with_gaps,
    _without_cells,
)  # fmt: skip


def spoilt(seed: int, folder: Path) -> Path:
    """Write the workbook of a seed into a folder."""
    rng = Random(seed)
    kind = rng.randrange(3)
    layout = drawn(seed) if kind == 0 else drawn_bill(seed) if kind == 1 else rng.choice(INVENTED)
    path = layout.write(folder)
    sheets = {name or "Prices": _rows(path, name) for name in sheet_names(path, str(path))[0]}
    for rows in filter(None, sheets.values()):
        for spoil in rng.sample(_WAYS, rng.randint(1, 3)):
            spoil(rng, rows)
    names = [*sheets]
    rng.shuffle(names)
    ranges = _merged(rng, sheets[names[0]])
    spoilt_path = folder / "spoilt.xlsx"
    spoilt_path.write_bytes(workbook({name: sheets[name] for name in names}, merged=ranges))
    return spoilt_path


def _rows(path: Path, sheet: str) -> Rows:
    table = read_cells(path, str(path), sheet or None)
    width = max(map(len, table.rows), default=0)
    last = table.lines[-1] if table.lines else 0
    rows: Rows = [[None] * width for _ in range(last)]
    for line, cells in zip(table.lines, table.rows, strict=True):
        rows[line - 1][: len(cells)] = map(_bare, cells)
    return rows


def _bare(cell: Cell) -> Any:
    """What a workbook may hold in one cell."""
    if isinstance(cell, Unreadable):
        return cell.text if cell.merge is None or not cell.merge.across else None
    return cell.plain if isinstance(cell, NumberWithUnit) else cell


def _merged(rng: Random, rows: Rows) -> dict[str, str]:
    """Texts that are alone in their row, merged with the cells to their right."""
    ranges = {}
    for number, row in enumerate(rows, 1):
        alone = [cell for cell in row if cell is not None]
        if len(alone) == 1 and isinstance(row[0], str) and len(row) > 1 and rng.random() < 0.5:
            ranges[f"A{number}:{chr(ord('A') + min(len(row), 26) - 1)}{number}"] = row[0]
    return ranges
