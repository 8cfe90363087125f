"""Digests of measurements: raw samples to minutes, minutes to nodes, nodes to the end of the job.

A minute's digest is written with it. The last one goes into the chain when the job ends, so a
change of any sample of an ended job changes the head.
"""

from __future__ import annotations

import hashlib
import sqlite3
import struct
from collections.abc import Iterable, Sequence
from itertools import groupby

from planner.pricing.accounts.sums import COLUMNS

NAMES = ", ".join(COLUMNS)
RawRow = tuple[int, int, int, bytes]
"""Number, time [us], kind and samples of one round."""


def minute_digest(row: Sequence[int], rounds: Iterable[RawRow]) -> bytes:
    """SHA-256 of one minute.

    Parameters
    ----------
    row
        Job, node, minute, last measurement [us], and the sums.
    rounds
        The minute's raw samples by number, if the log keeps them.
    """
    digest = _of_numbers(row)
    for number, time_us, kind, samples in rounds:
        digest.update(struct.pack("<4q", number, time_us, kind, len(samples)))
        digest.update(samples)
    return digest.digest()


def node_digest(totals: Sequence[int], minutes: Iterable[bytes]) -> bytes:
    """SHA-256 of a job on one node: job, node and total sums, and digests of minutes in order."""
    digest = _of_numbers(totals)
    for minute in minutes:
        digest.update(minute)
    return digest.digest()


def job_digest(nodes: Iterable[bytes]) -> str:
    """SHA-256 of a job's measurements, in hexadecimal; nodes by number."""
    return hashlib.sha256(b"".join(nodes)).hexdigest()


def written_digest(connection: sqlite3.Connection, job: int) -> str:
    """The digest of a job's measurements as they are in the log."""
    totals = connection.execute(
        f"SELECT job, node, {NAMES} FROM totals WHERE job = ? ORDER BY node",  # noqa: S608 - names are constants
        (job,),
    ).fetchall()
    minutes = connection.execute(
        "SELECT node, digest FROM minutes WHERE job = ? ORDER BY node, minute", (job,)
    )
    by_node = {
        node: [digest for _, digest in rows] for node, rows in groupby(minutes, lambda row: row[0])
    }
    return job_digest(node_digest(row, by_node.get(row[1], ())) for row in totals)


def _of_numbers(values: Sequence[int]) -> hashlib._Hash:
    return hashlib.sha256(struct.pack(f"<{len(values)}q", *values))
