"""Vendors' sheets drawn at random, with what they state: headings, units, orders, notes, totals.

It was written before the proposal and shares no word list with it.
"""

from __future__ import annotations

import datetime as dt
import io
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import xlsxwriter

from tests.scenarios.proposal.layout_words import LANGUAGES, Language

FIELDS = (
    "price", "idle_w", "peak_w", "cores", "sockets", "memory_gb", "bandwidth_gb_s",
    "as_bid_quantity", "lead_weeks", "valid_until", "cooling", "package_caps_w", "discounts",
)  # fmt: skip
OPTIONAL = FIELDS[3:]
_SHAPES = ("rows", "rows", "rows", "rows", "columns", "two sheets")


@dataclass
class Drawn:
    """A layout: the files, and what they state.

    Attributes
    ----------
    name
        Name of the file.
    content
        Its bytes.
    truth
        For each name of a node type the value of each field.
    vendor, currency
        Of all node types.
    shape
        How the sheet is laid out.
    """

    name: str
    content: bytes
    truth: dict[str, dict[str, Any]]
    vendor: str
    currency: str
    shape: str
    language: str
    fields: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)

    def write(self, folder: Path) -> Path:
        """Write the file into a folder."""
        path = folder / self.name
        path.write_bytes(self.content)
        return path


@dataclass
class _Style:
    """How one sheet writes headings and numbers."""

    language: Language
    words: dict[str, str]
    comma: bool
    numbers: bool
    units: dict[str, tuple[str, float]]
    unit_at: str
    currency: str


def drawn(seed: int) -> Drawn:
    """Return the layout of a seed."""
    rng = Random(seed)
    code = rng.choice(sorted(LANGUAGES))
    language = LANGUAGES[code]
    truth = {name: _facts(rng, name) for name in _names(rng)}
    vendor = rng.choice(language.vendors)
    shape = rng.choice(_SHAPES)
    as_csv = shape != "two sheets" and rng.random() < 0.35
    currency = rng.choice(language.currencies)
    style = _Style(
        language,
        {key: rng.choice(words) for key, words in language.headings.items()},
        code != "en" and rng.random() < 0.9,
        not as_csv and rng.random() < 0.75,
        _units(rng),
        rng.choice(("bracket", "bracket", "paren", "words", "cell", "row")),
        currency,
    )
    used = list(FIELDS[:3]) + [each for each in OPTIONAL if rng.random() < 0.6]
    if shape == "columns" and style.unit_at == "row":
        style.unit_at = "bracket"
    rng.shuffle(used)
    rows = _sheets(rng, style, shape, used, truth, vendor)
    stem = rng.choice(language.stems)
    if as_csv:
        delimiter = ";" if style.comma else rng.choice(",;")
        content = _csv(rows[0][1], delimiter)
        name = f"{stem}.csv"
    else:
        content, name = _xlsx(rows), f"{stem}.xlsx"
    for facts in truth.values():
        for key in set(facts) - set(used):
            del facts[key]
    return Drawn(name, content, truth, vendor, currency, shape, code, tuple(used))


def _names(rng: Random) -> list[str]:
    stem = rng.choice(("CX-{}", "Node {} dense", "HPC{}", "Blade {}0", "Typ {}", "R{}75 gen2"))
    return [stem.format(number) for number in rng.sample(range(1, 30), rng.randint(2, 6))]


def _facts(rng: Random, name: str) -> dict[str, Any]:
    price = rng.choice((rng.randrange(8000, 120000, 50), rng.randrange(800000, 9000000) / 100))
    sockets = rng.choice((1, 2, 2, 4))
    peak = rng.randrange(400 * sockets + 200, 3600, 10)
    return {
        "price": price,
        "idle_w": rng.randrange(80, 400, 5),
        "peak_w": peak,
        "cores": sockets * rng.choice((32, 48, 64, 96, 128)),
        "sockets": sockets,
        "memory_gb": rng.choice((256, 384, 512, 768, 1536)),
        "bandwidth_gb_s": rng.choice((410, 614, 922, 1228)),
        "as_bid_quantity": rng.randrange(20, 600, 4),
        "lead_weeks": rng.randrange(4, 52),
        "valid_until": dt.date(2027, rng.randint(1, 12), rng.randint(13, 28)),
        "cooling": rng.choice(("air", "liquid")),
        "package_caps_w": [300.0, 350.0, 400.0][: rng.randint(2, 3)],
        "discounts": [(100, 0.05), (250, 0.08)][: rng.randint(1, 2)],
        "part_number": f"{name[:1].upper()}{rng.randrange(10000, 99999)}-{rng.choice('ABCX')}",
    }


def _units(rng: Random) -> dict[str, tuple[str, float]]:
    power = rng.choice((("W", 1.0), ("W", 1.0), ("kW", 1000.0)))
    money = rng.choice((("", 1.0), ("", 1.0), ("", 1.0), ("k", 1000.0)))
    return {
        "idle_w": power,
        "peak_w": power,
        "memory_gb": rng.choice((("GB", 1.0), ("GB", 1.0), ("TB", 1000.0))),
        "bandwidth_gb_s": ("GB/s", 1.0),
        "price": money,
        "lead_weeks": ("weeks", 1.0),
        "package_caps_w": ("W", 1.0),
    }


def _unit(style: _Style, key: str) -> str:
    unit = style.units.get(key, ("", 1.0))[0]
    if key == "price":
        return f"{unit}{style.currency}"
    return style.language.weeks if unit == "weeks" else unit


def _heading(style: _Style, key: str) -> str:
    word, unit = style.words[key], _unit(style, key)
    if not unit or style.unit_at in {"cell", "row"}:
        return word
    if style.unit_at == "bracket":
        return f"{word} [{unit}]"
    if style.unit_at == "paren":
        return f"{word} ({unit})"
    return f"{word} in {unit}"


def _number(style: _Style, value: float) -> Any:
    if style.numbers:
        return round(value, 6)
    text = f"{value:,.2f}" if value != int(value) or value >= 10000 else f"{value:g}"
    return text.translate(str.maketrans(",.", ".,")) if style.comma else text


def _cell(style: _Style, key: str, value: Any) -> Any:
    if key == "valid_until":
        return value if style.numbers else value.strftime(style.language.date)
    if key == "cooling":
        return style.language.cooling[value]
    if key == "package_caps_w":
        text = " / ".join(f"{each:g}" for each in value)
        return f"{text} W" if style.unit_at == "cell" else text
    if key == "discounts":
        return "; ".join(f"{start}: {100 * much:g} %" for start, much in value)
    if not isinstance(value, int | float):
        return value
    unit, times = style.units.get(key, ("", 1.0))
    scaled = value / times
    if key in {"cores", "sockets", "as_bid_quantity"}:
        return value if style.numbers else str(value)
    if unit == "TB":
        scaled = round(scaled, 3)
    if not style.numbers and unit in {"kW", "TB", "k"}:
        digits = f"{scaled:.5f}".rstrip("0").rstrip(".")
        written: Any = digits.replace(".", ",") if style.comma else digits
    else:
        written = _number(style, scaled)
    if style.unit_at == "cell" and _unit(style, key):
        return f"{written} {_unit(style, key)}".replace(".", "," if style.numbers else ".", 0)
    return written


def _sheets(
    rng: Random,
    style: _Style,
    shape: str,
    used: list[str],
    truth: dict[str, dict[str, Any]],
    vendor: str,
) -> list[tuple[str, list[list[Any]]]]:
    if style.unit_at == "cell":
        style.numbers = False
    language = style.language
    if shape != "two sheets":
        keys = ["name", *used]
        if rng.random() < 0.3:
            keys.insert(rng.choice((0, 1)), "part_number")
        return [(language.sheets[0], _table(rng, style, shape, keys, truth, vendor))]
    money = [key for key in used if key in {"price", "as_bid_quantity", "lead_weeks", "valid_until",
                                            "discounts"}]  # fmt: skip
    technical = [key for key in used if key not in money]
    first = ["part_number", "name", *money]
    second = ["part_number", *technical]
    style.words["part_number"] = language.headings["part_number"][0]
    sheets = [(language.sheets[0], _table(rng, style, "rows", first, truth, vendor))]
    style.words["part_number"] = language.headings["part_number"][-1]
    sheets.append((language.sheets[1], _table(rng, style, "rows", second, truth, "")))
    if rng.random() < 0.3:
        sheets.insert(0, (language.sheets[2], [[vendor], [], [rng.choice(language.notes)]]))
    return sheets


def _table(
    rng: Random,
    style: _Style,
    shape: str,
    keys: list[str],
    truth: dict[str, dict[str, Any]],
    vendor: str,
) -> list[list[Any]]:
    language = style.language
    headings = [_heading(style, key) for key in keys]
    body = [
        [name if key == "name" else _cell(style, key, facts[key]) for key in keys]
        for name, facts in truth.items()
    ]
    table: list[list[Any]] = [[*headings]]
    if style.unit_at == "row":
        table.append([_unit(style, key) for key in keys])
    table += body
    if rng.random() < 0.4 and "price" in keys and shape == "rows":
        total: list[Any] = [None] * len(keys)
        total[keys.index("name")] = rng.choice(language.totals)
        scale = style.units["price"][1]
        whole = sum(facts["price"] for facts in truth.values())
        total[keys.index("price")] = _number(style, whole / scale)
        table.append(total)
    if shape == "columns":
        table = [list(each) for each in zip(*table, strict=True)]
    above: list[list[Any]] = []
    if vendor:
        above.append([rng.choice(language.titles).format(vendor)])
    if rng.random() < 0.5:
        above.append([])
    if rng.random() < 0.4:
        above.append([rng.choice(language.notes)])
        above.append([])
    below = [[], [rng.choice(language.notes)]] if rng.random() < 0.5 else []
    if rng.random() < 0.3:
        table = [[None, *row] for row in table]
    return above + table + below


def _csv(rows: list[list[Any]], delimiter: str) -> bytes:
    def text(value: Any) -> str:
        shown = "" if value is None else str(value)
        return f'"{shown}"' if delimiter in shown else shown

    return "\n".join(delimiter.join(text(each) for each in row) for row in rows).encode() + b"\n"


def _xlsx(sheets: list[tuple[str, list[list[Any]]]]) -> bytes:
    stream = io.BytesIO()
    book = xlsxwriter.Workbook(stream, {"in_memory": True})
    day = book.add_format({"num_format": "dd/mm/yyyy"})
    for name, rows in sheets:
        sheet = book.add_worksheet(name)
        for row, cells in enumerate(rows):
            for column, value in enumerate(cells):
                if isinstance(value, dt.date):
                    sheet.write_datetime(row, column, dt.datetime(*value.timetuple()[:3]), day)
                elif isinstance(value, str):
                    sheet.write_string(row, column, value)
                elif value is not None:
                    sheet.write_number(row, column, value)
    book.close()
    return stream.getvalue()
