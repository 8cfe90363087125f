"""The audit of a log: every row of every table against the chain, its owners and its measurements.

Nothing here asks what a job should cost; :mod:`planner.pricing.replay` does.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from planner.errors import InputError
from planner.pricing.accounts.chain import (
    ACCOUNT,
    BEGIN,
    BOOKING,
    CREDIT,
    END,
    SETTINGS,
    ChainWalk,
    Row,
    facts_text,
    key_of,
    walk,
)
from planner.pricing.accounts.differences import Difference
from planner.pricing.accounts.ledger import balances
from planner.pricing.accounts.recount import recount
from planner.pricing.accounts.schema import LogSettings, settings_facts
from planner.pricing.accounts.seals import job_digest

_ROWS = {
    ACCOUNT: "SELECT user FROM accounts",
    CREDIT: "SELECT name, user, amount, time_us FROM credits",
    BEGIN: "SELECT job, name, user, cores, rate, policy, start_us FROM jobs",
    BOOKING: "SELECT job, user, amount, time_us FROM bookings",
}
_OF_JOBS = frozenset((BEGIN, END, BOOKING))
NO_ROW, NO_LINK = "no row", "no link"
_LONGEST = 200
"""Letters of facts that a table shows."""


@dataclass
class Audit:
    """What an audit found.

    Attributes
    ----------
    chain
        The links.
    differences
        Contradictions.
    broken
        Number and text of each broken link.
    jobs
        Numbers of jobs whose rows were changed, as texts.
    raw_rounds
        Rounds whose raw samples were summed again.
    """

    chain: ChainWalk
    differences: list[Difference] = field(default_factory=list)
    broken: dict[int, str] = field(default_factory=dict)
    jobs: set[str] = field(default_factory=set)
    raw_rounds: int = 0


def audit(connection: sqlite3.Connection, settings: LogSettings) -> Audit:
    """Check all tables of a log; it reads only.

    Raises
    ------
    InputError
        SQLite finds the file damaged, or raw samples cannot be read.
    """
    _check_file(connection)
    measured = recount(connection, settings)
    result = Audit(walk(connection), raw_rounds=measured.rounds)
    _compare(result, _rows(connection, measured.digests))
    result.differences += measured.differences
    result.differences += [*_owners(connection), *_balances(connection)]
    return result


def _check_file(connection: sqlite3.Connection) -> None:
    """Types, NULLs and indexes: only a damaged file breaks these rules of the tables.

    SQLite does not test CHECKs of a file that it opens for reading; the chain covers their columns.
    """
    (first,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    if first != "ok":
        raise InputError(f"the pricing log is damaged ({first}); restore it from a backup")


def _rows(connection: sqlite3.Connection, digests: dict[int, str]) -> Iterator[Row]:
    """Every final row, as the chain should have it."""
    yield SETTINGS, facts_text(settings_facts(connection))
    for what, query in _ROWS.items():
        for values in connection.execute(query):
            yield what, facts_text(values)
    nothing = job_digest(())
    for job, *values in connection.execute(
        "SELECT job, last_us, end_us, end_rule FROM jobs"
        " WHERE end_us IS NOT NULL OR end_rule IS NOT NULL"
    ):
        yield END, facts_text((job, *values, digests.get(job, nothing)))


def _compare(result: Audit, rows: Iterator[Row]) -> None:
    """Rows without a link, links without a row, and links that do not fit to each other."""
    for number, trouble in result.chain.broken.items():
        result.broken[number] = trouble
        result.differences.append(Difference("chain", f"link {number}", trouble, "a valid link"))
    expected = dict(result.chain.rows)
    extra = {}
    for row in rows:
        if expected.pop(row, None) is None:
            extra[row[0], key_of(row[1])] = row[1]
    for (what, facts), number in expected.items():
        key = key_of(facts)
        present = extra.pop((what, key), NO_ROW)
        result.broken.setdefault(number, f"{what} {key}")
        name = f"link {number}: {what} {key}"
        result.differences.append(Difference("chain", name, present, _brief(facts)))
        result.jobs.update({key} if what in _OF_JOBS else ())
    for (what, key), facts in extra.items():
        result.differences.append(Difference("chain", f"{what} {key}", _brief(facts), NO_LINK))
        result.jobs.update({key} if what in _OF_JOBS else ())


def _brief(facts: str) -> str:
    """Facts as they are, unless they are too long for a line of a table."""
    return facts if len(facts) <= _LONGEST else f"{facts[:_LONGEST]}..."


def _owners(connection: sqlite3.Connection) -> Iterator[Difference]:
    """Rows whose account, job, node or minute is missing, or is of another user."""
    violations = Counter(
        (table, parent) for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check")
    )
    for (table, parent), number in violations.items():
        yield Difference("owner", f"{table}: rows without their row of {parent}", number, 0)


def _balances(connection: sqlite3.Connection) -> Iterator[Difference]:
    """Accounts whose balance is not their credits less their bookings."""
    left: Counter[str] = Counter()
    for user, amount in connection.execute("SELECT user, amount FROM credits"):
        left[user] += amount
    for user, amount in connection.execute("SELECT user, amount FROM bookings"):
        left[user] -= amount
    for user, balance in balances(connection).items():
        if balance != left[user]:
            yield Difference("balance", user, balance, left[user])
