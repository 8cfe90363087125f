"""Two tables that state different things of the same node types, and the columns that join them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scenarios.formatting import folded
from scenarios.proposal.columns import Column
from scenarios.proposal.found_tables import Found
from scenarios.proposal.lines import lines_of
from scenarios.proposal.words import has_digit, plain

_LEAST = 0.5


@dataclass(frozen=True)
class Join:
    """A further table of the node types of a table with prices.

    Attributes
    ----------
    other
        The further table.
    file, sheet, name
        Where it is, and what the mapping calls it.
    key, own_key
        Columns with the same texts: in the table with prices, and in the further one.
    matched, of
        How many of the keys of the table with prices are in both.
    """

    other: Found
    file: str
    sheet: str
    name: str
    key: Column
    own_key: Column
    matched: int
    of: int

    def called(self, text: str) -> str:
        """What the cell of a key is called in the further table."""
        return folded(self.key.titles.get(text, text))

    def matches(self, text: str) -> bool:
        """Whether a key is in the further table."""
        return self.called(text) in {folded(each) for each in self.own_key.texts}


@dataclass(frozen=True)
class Placed:
    """A table with the file and the sheet that it is in."""

    found: Found
    file: str
    sheet: str


def join_of(priced: Placed, others: Sequence[Placed]) -> Join | None:
    """The table that adds most to one with prices; ``None`` where none has the same keys."""
    missing = {"idle_w", "peak_w", "cores", "memory_gb", "sockets"} - priced.found.choices.keys()
    if priced.found.is_bill:  # its own quantities are those of parts
        missing |= {"as_bid_quantity", "lead_weeks"}
    joins = []
    for other in others:
        adds = missing & other.found.choices.keys()
        join = _join(priced, other) if adds else None
        if join is not None:
            joins.append((len(adds), join.matched, join))
    return max(joins, key=lambda each: each[:2])[2] if joins else None


def _join(priced: Placed, other: Placed) -> Join | None:
    best: Join | None = None
    for key in priced.found.columns:
        keys = {folded(key.titles.get(text, text)) for text in key.texts}
        named = priced.found.is_bill and key is priced.found.choices["name"].column
        if (
            not keys
            or (key.distinct < 1 and not named)
            or not any(any(c.isalpha() for c in k) for k in keys)
        ):
            continue
        for own_key in other.found.columns:
            own = {folded(text) for text in own_key.texts}
            matched = len(keys & own)
            if own_key.distinct < 1 or matched < _LEAST * min(len(keys), len(own)):
                continue
            if matched and (best is None or matched > best.matched):
                where = (other.found, other.file, other.sheet, "technical")
                best = Join(*where, key, own_key, matched, len(keys))
    return best or _by_contained_names(priced.found, other)


def _by_contained_names(found: Found, other: Placed) -> Join | None:
    """A join by names that texts of nodes contain, as ``X-2`` in ``Node X-2, 2x 96 cores``."""
    lines = lines_of(found)
    keys = [found.choices["name"].column, *found.columns]
    for key in keys if lines is not None else ():
        texts = [found.grid.texts[row][key.place] for row in (lines.nodes if lines else ())]
        for own_key in other.found.columns:
            names = [each for each in own_key.texts if has_digit(each)]
            aliases = {text: name for text in texts if (name := _contained(text, names))}
            if aliases and len({*aliases.values()}) == len(aliases) == len(texts):
                named = replace(key, aliases=aliases)
                where = (other.found, other.file, other.sheet, "technical")
                return Join(*where, named, own_key, len(aliases), len(texts))
    return None


def _contained(text: str, names: Sequence[str]) -> str:
    """The longest of the names that a text contains as words, or that contains it."""
    one, digits = plain(text), has_digit(text)
    inside = (each for each in names if plain(each) in one or (digits and one in plain(each)))
    return max(inside, key=len, default="")


def with_join_names(found: Found, join: Join | None) -> Found:
    """A table whose node types have the names of the further table."""
    if join is None or not join.key.aliases:
        return found
    name = replace(found.choices["name"], column=join.key)
    return replace(found, choices=found.choices | {"name": name})
