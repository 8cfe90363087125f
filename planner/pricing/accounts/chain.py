"""The chain of digests over rows that never change: every change of one of them shows.

Each link has the facts of one row and a digest over them and the link before. So the digest of the
last link, the *head*, stands for all final rows of the log. A head that is kept elsewhere shows
later that nothing before it was changed, removed or added.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from planner.errors import InputError
from scenarios.formatting import short

SETTINGS, ACCOUNT, CREDIT, BEGIN, WITHDRAWAL, END, BOOKING = KINDS = (
    "settings", "account", "credit", "begin", "withdrawal", "end", "booking",
)  # fmt: skip
"""What a link is about. A withdrawal takes back the row of a ``begin`` with the same facts."""
START = "0" * 64
"""Stands for the digest before the first link."""

Fact = int | str | None
Row = tuple[str, str]
"""Kind and facts."""


def facts_text(values: Iterable[Fact]) -> str:
    """A row as it goes into a link: a list in JSON.

    Examples
    --------
    >>> facts_text([1, "ann"])
    '[1,"ann"]'
    """
    return json.dumps([*values], separators=(",", ":"))


def link_digest(before: str, number: int, what: str, facts: str) -> str:
    """SHA-256 over the digest of the link before and everything in this one, in hexadecimal."""
    return hashlib.sha256(f"{before}\n{number}\n{what}\n{facts}".encode()).hexdigest()


def append(connection: sqlite3.Connection, rows: Iterable[tuple[str, Sequence[Fact]]]) -> None:
    """Add links inside the transaction that writes their rows."""
    last = connection.execute(
        "SELECT number, digest FROM chain ORDER BY number DESC LIMIT 1"
    ).fetchone()
    number, digest = last or (0, START)
    links = []
    for what, values in rows:
        number, facts = number + 1, facts_text(values)
        digest = link_digest(digest, number, what, facts)
        links.append((number, what, facts, digest))
    connection.executemany("INSERT INTO chain VALUES (?, ?, ?, ?)", links)


@dataclass
class ChainWalk:
    """What the links say.

    Attributes
    ----------
    rows
        Number of the link of every row that should be in the log.
    broken
        Links that do not fit to the link before or contradict earlier ones, and why.
    digests
        Number of the link with each digest.
    head
        Digest of the last link.
    """

    rows: dict[Row, int] = field(default_factory=dict)
    broken: dict[int, str] = field(default_factory=dict)
    digests: dict[str, int] = field(default_factory=dict)
    head: str = START


def walk(connection: sqlite3.Connection) -> ChainWalk:
    """Follow the chain from its first link to its last."""
    result = ChainWalk()
    expected = 1
    for number, what, facts, digest in connection.execute(
        "SELECT number, what, facts, digest FROM chain ORDER BY number"
    ):
        trouble = _follow(result, number, what, facts)
        if digest != link_digest(result.head, number, what, facts):
            trouble = "its digest does not follow from its content and the link before"
        if number != expected:
            trouble = f"link {expected} is missing before it"
        if trouble:
            result.broken[number] = trouble
        result.head, expected = digest, number + 1
        result.digests[digest] = number
    return result


def _follow(walked: ChainWalk, number: int, what: str, facts: str) -> str:
    """Enter one link; what is wrong with it, or nothing."""
    if what == WITHDRAWAL:
        begun = walked.rows.pop((BEGIN, facts), None)
        return "" if begun else "it withdraws a job that did not begin"
    if what not in KINDS:
        return f"its kind is {short(what)}"
    if (what, facts) in walked.rows:
        return f"it repeats link {walked.rows[what, facts]}"
    walked.rows[what, facts] = number
    return ""


def key_of(facts: str) -> str:
    """What names the row of a link: a user, a credit, or the number of a job."""
    try:
        values = json.loads(facts)
    except (ValueError, RecursionError):
        return short(facts)
    return str(values[0]) if isinstance(values, list) and values else short(facts)


def checked_head(head: str) -> str:
    """A head as the log writes it.

    Raises
    ------
    InputError
        It is not a digest.
    """
    text = head.strip().lower() if isinstance(head, str) else ""
    if not re.fullmatch("[0-9a-f]{64}", text):
        message = f"head = {short(head)} is not a digest"
        raise InputError(f"{message}; give the 64 hexadecimal digits that --replay printed")
    return text
