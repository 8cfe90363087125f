"""Which rows below the headings are quotes: no sums, no notes, no parts, no accessories."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from scenarios.formatting import folded
from scenarios.proposal.cell_numbers import amounts, number_in
from scenarios.proposal.columns import Column, is_number
from scenarios.proposal.found_tables import CENT, FROM_LINES, FROM_PARTS, Found
from scenarios.proposal.joins import Join
from scenarios.proposal.lines import lines_of
from scenarios.proposal.words import has_word, meanings, no_discount, plain, words_of
from scenarios.tables.cell_text import shown

TECHNICAL = frozenset({"idle_w", "peak_w", "cores", "memory_gb", "sockets", "bandwidth_gb_s"})
"""Fields that tell a node type from an accessory."""
_QUANTITY = re.compile(r"(?<![\d.,])(\d{1,3}(?:[.,' ]\d{3})+|\d+)(?![\d.,]* ?%)")
_STEP = re.compile(r"\D{0,12}?(\d+) ?(?:[-\u2013\u2014] ?\d+|\+|$)")
_ADDED = re.compile(r"\+ ?(?:[€$£]|[A-Z]{3} )? ?\d")


@dataclass(frozen=True)
class Rows:
    """Indices of the rows of a table.

    Attributes
    ----------
    quotes
        Node types; of a bill of materials, the first row of each.
    skipped
        Those that the mapping must skip, with the reason.
    options
        Options of the node types above them.
    parts
        Further rows of a bill of materials, each of the node type above it.
    """

    quotes: tuple[int, ...]
    skipped: dict[int, str]
    options: tuple[int, ...] = ()
    parts: tuple[int, ...] = ()


def rows_of(found: Found, join: Join | None, *, bare: bool = False) -> Rows:
    """Tell the rows of a table with prices apart; ``bare`` ones may state nothing but a price."""
    skipped: dict[int, str] = {}
    quotes: list[int] = []
    parts: list[int] = []
    options = _options(found)
    lines = lines_of(found)
    for row in found.body:
        if lines is not None and row in lines.lines and row not in lines.nodes:
            skipped[row] = f"{lines.lines[row].kind or 'other'} line of a package"
            continue
        if lines is not None and row in lines.left_out:
            skipped[row] = lines.left_out[row]
            continue
        if row in options or not (found.text(row, "price") or found.is_bill):
            continue
        why = _no_quote(found, join, row, bare=bare)
        if why:
            skipped[row] = why
        elif found.is_bill and quotes and _sums_up(found, row, parts, quotes[-1]):
            skipped[row] = "sum of the rows above"
        elif found.is_bill and quotes and _continues(found, row, quotes[-1]):
            parts.append(row)
        elif not found.text(row, "price"):
            continue
        else:
            quotes.append(row)
    optional = tuple(row for row in options if quotes and row not in skipped)
    return Rows(tuple(quotes), skipped, optional, tuple(parts))


def _sums_up(found: Found, row: int, parts: Sequence[int], first: int) -> bool:
    """Whether a row of a bill of materials has the sum of the rows above for its total."""
    total = found.choices.get("line_total", found.choices["price"])
    own = [each for each in parts if each > first]
    sums = [
        number_in(found.grid.cells[each][total.column.place]) or 0.0 for each in (first, *own, row)
    ]
    counted = "as_bid_quantity" in found.choices
    if found.text(row, "as_bid_quantity") or (found.item(row) and not counted):
        return False  # it may be a part
    return bool(own) and sums[-1] > 0.0 and abs(sums[-1] - sum(sums[:-1])) < CENT


def _continues(found: Found, row: int, above: int) -> bool:
    """Whether a row of a bill of materials is of the node type of a row above it.

    A rebate, whose price is negative, is.
    """
    total = found.choices.get("line_total", found.choices["price"])
    if (number_in(found.grid.cells[row][total.column.place]) or 0.0) < 0.0:
        return True
    name = folded(found.text(row, "name"))
    return name in {"", folded(found.text(above, "name"))}


def _options(found: Found) -> tuple[int, ...]:
    """Rows below a node type that begin with a word for options, or whose text adds a price."""
    if found.grid.turned:
        return ()
    optional, named = [], False
    for row in found.body:
        name, price = found.text(row, "name"), found.text(row, "price")
        adds = _ADDED.search(name) is not None
        if (found.is_option(row) and (price or adds)) or (adds and not price):
            optional += [row] if named else []
        else:
            named = named or bool(name and price)
    return tuple(optional)


def _no_quote(found: Found, join: Join | None, row: int, *, bare: bool) -> str:
    """Why a row with a price is not a quote; empty if it is one."""
    name = found.text(row, "name")
    if found.is_heading(row):
        return "headings"
    if found.is_sum(row):
        return "sum"
    if found.is_bill:
        return ""
    if not name:
        return "no name"
    if bare:
        return ""
    if join is not None and not join.matches(found.grid.texts[row][join.key.place]):
        return "not in the other table"
    own = [each for each in sorted(TECHNICAL) if each in found.choices]
    if len(own) > 1 and not any(found.text(row, each) for each in own):
        return "no power, cores or memory"
    item = has_word(plain(name), words_of("rows")["items"])
    return f"{item}: no node type" if item and not own and join is None else ""


def parts_of(found: Found) -> dict[str, Any]:
    """Keys of a bill of materials; empty where each row is a node type of its own."""
    choices = found.choices
    if not found.is_bill:
        return {}
    parts: dict[str, Any] = {"of": choices["name"].column.own}
    if quantity := choices.get("as_bid_quantity"):
        filled = max((quantity.column, *quantity.others), key=lambda each: len(each.texts))
        counted = [row for row in found.body if found.grid.texts[row][filled.place]]
        names = {found.text(row, "name") for row in counted} - {""}
        if len(counted) > len(names):  # else it is of node types
            parts["quantity"] = filled.own
    of_a_line = choices["price"].why == FROM_LINES or any(
        each.target == "line_total" for each in meanings(choices["price"].column.heading)
    )
    parts["total"] = "line" if of_a_line else "each"
    if per_part := [key for key, each in choices.items() if each.why == FROM_PARTS]:
        parts["per_part"] = per_part
    return parts


def discount_columns(found: Found) -> list[dict[str, Any]]:
    """Columns of percentages, each with the quantity from which it holds in its heading."""
    taken = {
        each.column.place for key, each in found.choices.items()
        if key not in {"discounts", "rebate", "as_bid_quantity", "line_total", "options"}
    }  # fmt: skip
    columns: list[dict[str, Any]] = []
    for column in found.columns:
        start = _quantity_of(column)
        known = any(each["from_quantity"] == start for each in columns)
        if start and column.place not in taken and not known:
            given = {"from_quantity": start, **column.named}
            blanks = {text: "" for text in column.texts if no_discount(text)}
            columns.append(given | ({"values": blanks} if blanks else {}))
    return sorted(columns, key=lambda each: each["from_quantity"])


def discount_prices(found: Found) -> str:
    """Discounts that prices by quantity amount to, as in ``100: 4 %``; empty where rows differ.

    The heading of each price begins with its quantity, as in ``1-99``, ``100-199`` and ``200+``.
    """
    price, discounts = found.choices["price"], []
    of_one = amounts(price.column)
    if _STEP.match(price.column.own) is None:
        return ""
    for column in price.others:
        step, of_many = _STEP.match(column.own), amounts(column)
        shares = {
            round(100 * (1 - of_many[row] / of_one[row]), 2)
            for row in of_one.keys() & of_many.keys() if of_one[row]
        }  # fmt: skip
        if step is not None and len(shares) == 1 and min(shares) > 0:
            discounts.append((int(step[1]), min(shares)))
    return "; ".join(f"{start}: {share:g} %" for start, share in sorted(discounts))


def _quantity_of(column: Column) -> int:
    """The quantity in the heading of a discount; 0 where there is none."""
    heading = plain(column.heading)
    concepts = words_of("concepts")
    percent = "%" in column.heading or column.unit.dimension == "fraction"
    if not percent and not has_word(heading, concepts["discount"]):
        return 0
    if column.unit.dimension not in {"", "fraction"}:
        return 0
    starts = has_word(heading, [*concepts["from"], *concepts["quantity"]])
    if not starts and ">" not in column.heading:
        return 0
    found = _QUANTITY.search(column.heading)
    number = int(re.sub(r"\D", "", found[1])) if found else 0
    stated = [cell for cell in column.cells if (text := shown(cell)) and not no_discount(text)]
    return number if stated and all(map(is_number, stated)) else 0
