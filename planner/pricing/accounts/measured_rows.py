"""Rows of measurements: sums are added to those that the log has of a job on a node."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from planner.errors import InputError
from planner.pricing.accounts.seals import NAMES, minute_digest
from planner.pricing.accounts.sums import COLUMNS, Sums, add_to
from planner.pricing.accounts.units import MOST

_VALUES = ", ".join("?" * len(COLUMNS))
_SET = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS)


def add_to_totals(connection: sqlite3.Connection, job: int, node: int, part: Sums) -> None:
    """Add sums to the totals of a job on a node, inside a transaction and before its minutes.

    Raises
    ------
    InputError
        The sums become too large for the log.
    """
    row = connection.execute(
        f"SELECT {NAMES} FROM totals WHERE job = ? AND node = ?",  # noqa: S608 - names are constants
        (job, node),
    ).fetchone()
    connection.execute(
        f"INSERT INTO totals VALUES (?, ?, {_VALUES})"  # noqa: S608 - the same
        f" ON CONFLICT (job, node) DO UPDATE SET {_SET}",
        (job, node, *_summed(job, row, part)),
    )


def add_to_minute(
    connection: sqlite3.Connection, key: tuple[int, int, int], last_us: int, part: Sums
) -> None:
    """Add sums to a minute, inside a transaction and after its raw samples.

    Parameters
    ----------
    key
        Job, node and minute.
    last_us
        Latest measurement among these [us].
    part
        The sums.

    Raises
    ------
    InputError
        The sums become too large for the log.
    """
    row = connection.execute(
        f"SELECT last_us, {NAMES} FROM minutes WHERE job = ? AND node = ? AND minute = ?",  # noqa: S608 - names are constants
        key,
    ).fetchone()
    if row is not None:
        last_us = max(last_us, row[0])
    total = _summed(key[0], row and row[1:], part)
    rounds = connection.execute(
        "SELECT number, time_us, kind, samples FROM rounds"
        " WHERE job = ? AND node = ? AND minute = ? ORDER BY number",
        key,
    )
    digest = minute_digest((*key, last_us, *total), rounds)
    connection.execute(
        f"INSERT INTO minutes VALUES (?, ?, ?, ?, ?, {_VALUES})"  # noqa: S608 - the same
        " ON CONFLICT (job, node, minute) DO UPDATE"
        f" SET last_us = excluded.last_us, digest = excluded.digest, {_SET}",
        (*key, last_us, digest, *total),
    )


def _summed(job: int, row: Sequence[int] | None, part: Sums) -> Sums:
    """Sums with those of a row; Python's whole numbers show an overflow, SQLite's do not."""
    total = list(part)
    if row is not None:
        add_to(total, row)
    if max(total) > MOST:
        raise InputError(f"the sums of job {job} are too large for the log; end the job")
    return total
