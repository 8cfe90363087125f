"""Two tables that state different things of the same node types, and the columns that join them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenarios.formatting import folded
from scenarios.proposal.columns import Column
from scenarios.proposal.found_tables import Found

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

    def matches(self, text: str) -> bool:
        """Whether a key is in the further table."""
        return folded(text) in {folded(each) for each in self.own_key.texts}


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
    return best
