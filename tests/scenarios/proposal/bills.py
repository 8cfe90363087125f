"""Bills of materials drawn at random: rows of parts per node, options, a technical sheet.

It was written before the proposal read such bills, and shares no word list with it.
"""

from __future__ import annotations

import io
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import xlsxwriter

from scenarios.model.quote_fields import short_name

WORDS: dict[str, dict[str, list[str]]] = tomllib.loads(
    Path(__file__).with_name("bill_words.toml").read_text(encoding="utf-8")
)
_FIGURES = ("idle_w", "peak_w", "cores", "memory_gb")


@dataclass
class Bill:
    """A workbook, and what it states of each node type.

    Attributes
    ----------
    sheets
        Rows of each sheet.
    merged
        First and last row of each cell of the first column of the first sheet that is merged.
    truth
        For each name of a node type the value of each field.
    vendor
        Of all node types.
    shape
        How the sheet is laid out.
    """

    shape: dict[str, str]
    sheets: dict[str, list[list[Any]]] = field(default_factory=dict)
    merged: list[tuple[int, int]] = field(default_factory=list)
    truth: dict[str, dict[str, Any]] = field(default_factory=dict)
    vendor: str = ""

    def write(self, folder: Path) -> Path:
        """Write the workbook into a folder."""
        path, stream = folder / "bill.xlsx", io.BytesIO()
        book = xlsxwriter.Workbook(stream, {"in_memory": True})
        for number, (name, rows) in enumerate(self.sheets.items()):
            sheet = book.add_worksheet(name)
            for line, row in enumerate(rows):
                sheet.write_row(line, 0, row)
            for first, last in self.merged if number == 0 else ():
                sheet.merge_range(first, 0, last, 0, rows[first][0])
        book.close()
        path.write_bytes(stream.getvalue())
        return path


def drawn_bill(seed: int) -> Bill:
    """Return the bill of a seed."""
    rng = Random(seed)
    language = rng.choice(sorted(WORDS))
    words = {key: rng.choice(texts) for key, texts in WORDS[language].items()}
    bill = Bill(
        {
            "language": language,
            "price": rng.choice(("each", "line", "both")),
            "names": rng.choice(("blank", "repeated", "merged")),
            "sums": rng.choice(("none", "below", "below", "end")),
            "technical": rng.choice(("here", "rows", "columns")),
            "options": rng.choice(("none", "rows", "rows", "column")),
        }
    )
    title, bill.vendor = WORDS[language]["title"]
    figures = [f"{words['idle']} (W)", f"{words['peak']} (W)", words["cores"]]
    figures.append(f"{words['memory']} (GB)")
    rows = [[title], [], _headings(bill.shape, words, figures)]
    first, second = WORDS[language]["sheets"]
    bill.sheets[first] = rows
    types = WORDS[language]["types"]
    whole = sum(
        _add_type(rng, bill, rows, name, words) for name in rng.sample(types, rng.randint(2, 3))
    )
    if bill.shape["sums"] == "end":
        rows.append([words["end"], None, None, *_sum(bill.shape["price"], whole)])
    if bill.shape["technical"] != "here":
        named = [(name, facts) for name, facts in bill.truth.items() if name in types]
        table = [[words["of"], *figures]]
        table += [[name, *(facts[key] for key in _FIGURES)] for name, facts in named]
        turned = [list(each) for each in zip(*table, strict=True)]
        bill.sheets[second] = turned if bill.shape["technical"] == "columns" else table
    return bill


def _headings(shape: dict[str, str], words: dict[str, str], figures: list[str]) -> list[Any]:
    headings = [words["of"], words["component"], words["quantity"]]
    headings += [f"{words['each']} (EUR)"] if shape["price"] != "line" else []
    headings += [f"{words['total']} (EUR)"] if shape["price"] != "each" else []
    headings += figures if shape["technical"] == "here" else []
    return headings + ([words["options"]] if shape["options"] == "column" else [])


def _add_type(
    rng: Random, bill: Bill, rows: list[list[Any]], name: str, words: dict[str, str]
) -> int:
    """Add the rows of a node type, and what they state; return its price in cents."""
    shape = bill.shape
    facts: dict[str, Any] = {
        "idle_w": rng.randrange(90, 400), "peak_w": rng.randrange(500, 4000),
        "cores": rng.choice((64, 96, 128, 192)), "memory_gb": rng.choice((384, 768, 1024)),
    }  # fmt: skip
    added, price, first = rng.randrange(90000, 900000, 50), 0, len(rows)
    parts = WORDS[shape["language"]]["parts"]
    for part in rng.sample(parts, rng.randint(2, 6)):
        begins = len(rows) == first
        quantity, cents = rng.choice((1, 1, 2, 4, 12)), rng.randrange(2500, 900000)
        price += quantity * cents
        label = name if begins or shape["names"] == "repeated" else None
        row = [label, part, quantity, *_money(shape["price"], quantity, cents)]
        if shape["technical"] == "here":
            row += facts.values() if begins else [None] * len(facts)
        if shape["options"] == "column":
            row.append(f"+ {added / 100:.2f} {words['added']} 2048 GB" if begins else None)
        rows.append(row)
    if shape["names"] == "merged":
        bill.merged.append((first, len(rows) - 1))
    bill.truth[name] = {"price": price / 100, **facts}
    if shape["sums"] == "below":
        rows.append([f"{words['subtotal']} {name}", None, None, *_sum(shape["price"], price)])
    if shape["options"] == "rows":
        money = _money(shape["price"], 1, added)
        rows.append([None, f"{words['option']}: 2048 GB", 1, *money])
    if shape["options"] != "none":
        facts |= {"memory_gb": 2048} if shape["options"] == "column" else {}
        bill.truth[f"{short_name(name)}-2048GB"] = {"price": (price + added) / 100, **facts}
    return price


def _money(priced: str, quantity: int, cents: int) -> list[float]:
    each, total = cents / 100, quantity * cents / 100
    return {"each": [each], "line": [total], "both": [each, total]}[priced]


def _sum(priced: str, cents: int) -> list[float | None]:
    return [None, cents / 100] if priced == "both" else [cents / 100]
