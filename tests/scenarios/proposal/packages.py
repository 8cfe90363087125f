"""Price sheets of whole packages drawn at random, with what they state of each line.

It was written before the proposal read such sheets, and shares no word list with it.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from tests.scenarios.quote_files import workbook

WORDS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("package_words.toml").read_text(encoding="utf-8")
)
_HARDWARE = ("rack", "cooling", "network", "storage", "login", "spare")
_SERVICES = ("installation", "service", "yearly", "removal", "rebate")
_OFTEN = 0.7


@dataclass(frozen=True)
class Line:
    """What a line states: money in cents."""

    item: str
    kind: str
    quantity: int
    cents: int
    per_year: bool = False


@dataclass
class Sheet:
    """A price sheet.

    Attributes
    ----------
    shape
        How it is laid out.
    lines, cents
        What it states, and the printed total.
    figures
        For each node the value of each field; none where the sheet has no such columns.
    """

    shape: dict[str, Any]
    lines: list[Line] = field(default_factory=list)
    cents: int = 0
    vendor: str = ""
    figures: dict[str, dict[str, float]] = field(default_factory=dict)
    sheets: dict[str, list[list[Any]]] = field(default_factory=dict)

    def write(self, folder: Path) -> Path:
        """Write the file into a folder."""
        if self.shape["form"] == "xlsx":
            path = folder / "package.xlsx"
            path.write_bytes(workbook(self.sheets))
            return path
        path, comma = folder / "package.csv", self.shape["language"] != "en"
        rows = next(iter(self.sheets.values()))
        width = max(map(len, rows))
        cells = ([_text(each, comma) for each in [*row, *[None] * width][:width]] for row in rows)
        path.write_text("\n".join(map(";".join, cells)), encoding="utf-8")
        return path


def drawn_package(seed: int, languages: tuple[str, ...] = tuple(WORDS)) -> Sheet:
    """Return the sheet of a seed."""
    rng = Random(seed)
    language = rng.choice(languages)
    words = {key: rng.choice(texts) for key, texts in WORDS[language].items()}
    sheet = Sheet(
        {
            "language": language,
            "form": rng.choice(("xlsx", "xlsx", "csv")),
            "figures": rng.choice(("none", "here", "second sheet")),
            "totals": rng.random() < _OFTEN,
            "sections": rng.random() < 1 - _OFTEN,
            "positions": rng.random() < 1 - _OFTEN,
            "units": rng.random() < 1 - _OFTEN,
            "watts": rng.random() < 1 - _OFTEN,
            "vat": rng.random() < _OFTEN,
            "years in total": rng.random() < 1 - _OFTEN,
        }
    )
    shape = sheet.shape
    if shape["form"] == "csv" and shape["figures"] == "second sheet":
        shape["figures"] = "none"
    title, sheet.vendor = WORDS[language]["title"]
    first, second = WORDS[language]["sheets"]
    rows: list[list[Any]] = [[title], [], _headings(shape, words)]
    sheet.sheets[first] = rows
    part_a = [line for kind in ("node", *_HARDWARE) for line in _lines(rng, language, kind)]
    part_b = [line for kind in _SERVICES for line in _lines(rng, language, kind)]
    if shape["years in total"]:
        part_b = [
            Line(each.item, each.kind, 5 if each.per_year else each.quantity, each.cents)
            for each in part_b
        ]
    for title, lines in zip(WORDS[language]["section"], (part_a, part_b), strict=True):
        if shape["sections"]:
            rows.append(_row(shape, title))
        for line in lines:
            _add(rng, sheet, rows, line, words)
        if shape["sections"]:
            part = sum(each.quantity * each.cents for each in lines if not each.per_year)
            rows.append(_row(shape, f"{words['subtotal']} {title[0]}", total=part))
    sheet.cents = sum(each.quantity * each.cents for each in sheet.lines if not each.per_year)
    rows.append(_row(shape, words["end"], total=sheet.cents))
    if shape["vat"]:
        tax = round(sheet.cents * 0.2)
        rows.append(_row(shape, words["vat"], total=tax))
        rows.append(_row(shape, words["gross"], total=sheet.cents + tax))
    if shape["figures"] == "second sheet":
        table: list[list[Any]] = [[words["item"], *_figures(words)]]
        table += [[name, *facts.values()] for name, facts in sheet.figures.items()]
        sheet.sheets[second] = table
    return sheet


def _figures(words: dict[str, str]) -> list[str]:
    return [f"{words['idle']} (W)", f"{words['peak']} (W)", f"{words['memory']} (GB)"]


def _headings(shape: dict[str, Any], words: dict[str, str]) -> list[str]:
    return [
        *(["Pos."] if shape["positions"] else []), words["item"], words["quantity"],
        *([words["unit"]] if shape["units"] else []), f"{words['price']} (EUR)",
        *([f"{words['total']} (EUR)"] if shape["totals"] else []),
        *([f"{words['watts']} (W)"] if shape["watts"] else []),
        *(_figures(words) if shape["figures"] == "here" else []),
    ]  # fmt: skip


def _lines(rng: Random, language: str, kind: str) -> list[Line]:
    """Draw the lines of a kind: nodes always, all others often."""
    if kind != "node" and rng.random() > _OFTEN:
        return []
    count = rng.randint(1, 2) if kind == "node" else 1
    items = rng.sample(WORDS[language][kind], count)
    cents = {"node": 2_000_000, "rebate": -900_000, "spare": 300_000}.get(kind, 800_000)
    lines = []
    for item in items:
        quantity = {"node": rng.randrange(8, 96)}.get(kind, 1)
        if kind in {"rack", "network", "login"}:
            quantity = rng.randint(1, 6)
        price = cents + (rng.randrange(100, 700_000) if cents > 0 else -rng.randrange(900_000))
        named = {"yearly": "service", "rebate": "other"}.get(kind, kind)
        text = item.format(rng.randrange(100, 900))
        lines.append(Line(text, named, quantity, price, kind == "yearly"))
    return lines


def _row(shape: dict[str, Any], item: str, total: int | None = None) -> list[Any]:
    """A row that is no line: its amount stands in the last column of money."""
    money = None if total is None else total / 100
    before = [*([None] if shape["positions"] else []), item, None]
    before += [None] if shape["units"] else []
    return [*before, *([None, money] if shape["totals"] else [money])]


def _add(
    rng: Random, sheet: Sheet, rows: list[list[Any]], line: Line, words: dict[str, str]
) -> None:
    """Add the row of a line, and what it states."""
    shape = sheet.shape
    sheet.lines.append(line)
    row: list[Any] = [len(sheet.lines)] if shape["positions"] else []
    lump = line.quantity == 1 and line.kind in {"installation", "removal", "other"}
    row += [line.item, None if lump and rng.random() < 1 - _OFTEN else line.quantity]
    row += [words["pieces"]] if shape["units"] else []
    row += [line.cents / 100]
    row += [line.quantity * line.cents / 100] if shape["totals"] else []
    if shape["watts"]:
        row.append(rng.randrange(100, 900) if line.kind in {"network", "storage"} else None)
    if line.kind == "node" and shape["figures"] != "none":
        facts = {"idle_w": rng.randrange(90, 400), "peak_w": rng.randrange(500, 4000)}
        sheet.figures[line.item] = {**facts, "memory_gb": rng.choice((384, 768, 1024))}
        row += sheet.figures[line.item].values() if shape["figures"] == "here" else []
    rows.append(row)


def _text(value: Any, comma: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        text = f"{value:,.2f}"
        return text.translate(str.maketrans(",.", ".,")) if comma else text
    return str(value)
