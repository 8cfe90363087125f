"""The file of proposed mappings: TOML with the reason of each choice as a comment."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterator
from collections.abc import Mapping as Keys
from typing import Any

from scenarios.faults import printable
from scenarios.model.quote_fields import REQUIRED
from scenarios.proposal.mapping import Mapping
from scenarios.proposal.packages import Offer
from scenarios.proposal.proposal import Proposal

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_LONGEST_COMMENT = 160
_WIDEST = 44
_ORDER = ("name", "vendor", "price", "total_price", "idle_w", "peak_w")
_HEAD = """\
# Proposed by `headroom check FILE... --propose`. Read the comments; correct what is wrong.
# Use it in a scenario of the same folder: quotes_file = "{name}"
"""

_AS_PACKAGE = (
    "# A package needs a lot of the scenario. If the vendor sells only the whole, remove '# '",
    "# below, name the lot, and delete as_bid_quantity of these nodes above.",
)


def render(proposal: Proposal, name: str) -> str:
    """The text of a file of this name with all mappings."""
    lines = [_HEAD.format(name=name)]
    lines += [f"# {_comment(each)}" for each in proposal.remarks]
    for each in proposal.mappings:
        lines += ["", *_table(each)]
    for offer in proposal.offers:
        package = [*_package(offer)]
        if proposal.mappings:  # the file is of use without a lot
            lines += ["", *_AS_PACKAGE, *(f"# {each}" for each in package)]
        else:
            lines += ["", *package]
    return "\n".join(lines) + "\n"


def _table(mapping: Mapping) -> Iterator[str]:
    """One ``[[quotes]]`` table."""
    entry, why = mapping.entry, mapping.why
    yield "[[quotes]]"
    for key, value in entry.items():
        if key not in {"columns", "also", "parts", "options", "discount_columns"}:
            yield _line(f"{key} = {toml(value)}", why.get(key, ""))
    yield from _money(mapping)
    yield "[quotes.columns]"
    columns = mapping.columns
    for target in [*_ORDER, *(key for key in columns if key not in _ORDER)]:
        if target in columns:
            yield _line(f"{target} = {toml(columns[target])}", why.get(f"columns.{target}", ""))
        elif target in REQUIRED and not (target == "price" and "total_price" in columns):
            yield f'# {target}: no column was found; write {target} = "HEADING", or ask the vendor'
        for other in mapping.others.get(f"columns.{target}", []):
            yield f"# or: {_comment(other)}"
    yield from (f"# or: {_comment(each)}" for each in _further(mapping))
    yield from _unused(mapping)
    for key in ("also", "discount_columns"):
        for each in entry.get(key, []):
            yield _line(f"[[quotes.{key}]]", why.get(key, ""))
            yield from (f"{name} = {toml(value)}" for name, value in each.items())
    for key in ("parts", "options"):
        if key in entry:
            yield _line(f"[quotes.{key}]", why.get(key, ""))
            yield from (f"{name} = {toml(value)}" for name, value in entry[key].items())


def _package(offer: Offer) -> Iterator[str]:
    """One ``[[packages]]`` table."""
    why = offer.why
    yield "[[packages]]"
    for key, value in offer.entry.items():
        if key != "sheet":
            yield _line(f"{key} = {toml(value)}", why.get(key, ""))
    yield from (f"# Note: {_comment(each)}" for each in offer.others)
    yield "[packages.sheet]"
    tables = {key: each for key, each in offer.sheet.items() if isinstance(each, dict)}
    for key, value in offer.sheet.items():
        if key not in tables:
            yield _line(f"{key} = {toml(value)}", why.get(f"sheet.{key}", ""))
    for key, table in tables.items():
        yield f"[packages.sheet.{key}]"
        for name, value in table.items():
            text = f"{_key(name)} = {toml(value)}"
            yield _line(text, why.get(f"sheet.{key}.{name}", ""))


def _further(mapping: Mapping) -> Iterator[str]:
    """Lines that a person may add."""
    for key in ("support", "rebate", "discounts", "left_out"):
        yield from mapping.others.get(key, [])


def _unused(mapping: Mapping) -> Iterator[str]:
    """Headings of columns that no line uses."""
    grid, header = mapping.found.grid, mapping.found.header
    used = {
        each.column.place
        for each in mapping.found.choices.values()
        if each.target in mapping.columns
        or (each.target == "price" and "total_price" in mapping.columns)
    }
    headings = [
        f"{each.heading!r} ({grid.address(header, each.place)})"
        for each in mapping.found.columns
        if each.place not in used
    ]
    if headings:
        yield f"# Not used: {_comment(', '.join(headings))}"


def _money(mapping: Mapping) -> Iterator[str]:
    """What was found of currency and tax, where the mapping has no key for it."""
    code = mapping.currency
    if code:
        place = mapping.why.get("currency", "heading of the price")
        yield f"# Prices are in {code} ({_comment(place)}). For a budget in another currency:"
        yield f'# currency = "{code}"'
        yield "# rate = 1.0"
        yield "# rate_date = 2026-01-31"
    else:
        yield "# No sheet names the currency: prices are read in that of the budget."
    if "vat" not in mapping.entry and mapping.why.get("vat"):
        yield f"# VAT: {_comment(mapping.why['vat'])}"


def _line(text: str, comment: str) -> str:
    """A key with its comment behind it, aligned."""
    return f"{text:<{_WIDEST}} # {_comment(comment)}" if comment else text


def _comment(text: str) -> str:
    """A text of others on one line of a comment."""
    shown = printable(" ".join(text.split()))
    return shown if len(shown) <= _LONGEST_COMMENT else f"{shown[: _LONGEST_COMMENT - 1]}…"


def toml(value: Any) -> str:
    """A value in TOML.

    Examples
    --------
    >>> toml({"heading": "Preis", "unit": "kEUR"}), toml([2, 3])
    ('{ heading = "Preis", unit = "kEUR" }', '[2, 3]')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float | dt.date):
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    if isinstance(value, Keys):
        pairs = (f"{_key(str(key))} = {toml(each)}" for key, each in value.items())
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else toml(text)
