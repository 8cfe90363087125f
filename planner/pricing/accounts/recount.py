"""Measurements counted again: raw samples to minutes, minutes to totals and last measurements."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from planner.pricing.accounts.differences import Difference
from planner.pricing.accounts.schema import LogSettings, rule_of
from planner.pricing.accounts.seals import NAMES, RawRow, job_digest, minute_digest, node_digest
from planner.pricing.accounts.sums import (
    COLUMNS,
    PLACE,
    TIMES,
    SummationRule,
    Sums,
    add_sample,
    add_to,
    empty,
    unpacked,
)

_UNSAMPLED = frozenset(PLACE[name] for name in (*TIMES, "clock_backwards"))
_SAMPLED = tuple(place for place in range(len(COLUMNS)) if place not in _UNSAMPLED)
_MINUTES = f"SELECT job, node, minute, last_us, digest, {NAMES} FROM minutes ORDER BY 1, 2, 3"  # noqa: S608 - names are constants
_TOTALS = f"SELECT job, node, {NAMES} FROM totals ORDER BY 1, 2"  # noqa: S608 - the same
_ROUNDS = "SELECT job, node, minute, number, time_us, kind, samples FROM rounds ORDER BY 1, 2, 3, 4"
_Key = tuple[int, int, int]


@dataclass
class Recount:
    """What the measurements say.

    Attributes
    ----------
    digests
        Of each job's measurements, as they are now.
    differences
        Contradictions among the measurements.
    rounds
        Rounds whose raw samples were summed again.
    """

    digests: dict[int, str] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    rounds: int = 0


@dataclass
class _Node:
    """A job on one node: sums and digests of its minutes."""

    sums: Sums = field(default_factory=empty)
    digests: list[bytes] = field(default_factory=list)


def recount(connection: sqlite3.Connection, settings: LogSettings) -> Recount:
    """Add up all measurements again, in one pass over each table."""
    result = Recount()
    jobs = {
        job: (name, start_us, last_us)
        for job, name, start_us, last_us in connection.execute(
            "SELECT job, name, start_us, last_us FROM jobs"
        )
    }
    names = {job: name for job, (name, _, _) in jobs.items()}
    last = {job: start_us for job, (_, start_us, _) in jobs.items()}
    nodes = defaultdict[tuple[int, int], _Node](_Node)
    for row, rounds in _with_rounds(connection):
        job, node, minute, last_us, digest, *sums = row
        last[job] = max(last.get(job, last_us), last_us)
        place = f"{names.get(job, job)}, node {node}, minute {minute}"
        if settings.raw:
            result.rounds += len(rounds)
            result.differences += _samples(place, sums, rounds, rule_of(settings))
        now = minute_digest((job, node, minute, last_us, *sums), rounds)
        if now != digest:
            result.differences.append(Difference("digest", place, digest.hex(), now.hex()))
        add_to(nodes[job, node].sums, sums)
        nodes[job, node].digests.append(now)
    _totals(connection, nodes, names, result)
    result.differences += [
        Difference("last measurement", name, last_us, last[job])
        for job, (name, _, last_us) in jobs.items()
        if last_us != last[job]
    ]
    return result


def _with_rounds(
    connection: sqlite3.Connection,
) -> Iterator[tuple[tuple[Any, ...], list[RawRow]]]:
    """Each minute with its raw samples; samples without a minute have no owner, which shows."""
    groups = groupby(connection.execute(_ROUNDS), key=lambda row: row[:3])
    key, rounds = _next(groups)
    for row in connection.execute(_MINUTES):
        while key is not None and key < row[:3]:
            key, rounds = _next(groups)
        yield row, rounds if key == row[:3] else []


def _next(
    groups: Iterator[tuple[_Key, Iterator[Sequence[object]]]],
) -> tuple[_Key | None, list[RawRow]]:
    key, rows = next(groups, (None, iter(())))
    return key, [row[3:] for row in rows]  # type: ignore[misc]


def _samples(
    place: str, recorded: Sequence[int], rounds: Sequence[RawRow], rule: SummationRule
) -> Iterator[Difference]:
    """Whether the sums of a minute are those of its raw samples."""
    sums = empty()
    for number, _, kind, stored in rounds:
        try:
            add_sample(sums, unpacked(kind, stored), rule)
        except ValueError:
            name = f"{place}, round {number}"
            yield Difference("samples", name, f"{len(stored)} bytes", "a valid sample")
            return
    yield from _first(
        place, "samples", [recorded[p] for p in _SAMPLED], [sums[p] for p in _SAMPLED]
    )


def _totals(
    connection: sqlite3.Connection,
    nodes: Mapping[tuple[int, int], _Node],
    names: Mapping[int, str],
    result: Recount,
) -> None:
    """Compare totals with their minutes, and take the digest of each job."""
    digests = defaultdict[int, list[bytes]](list)
    for job, node, *sums in connection.execute(_TOTALS):
        minutes = nodes.get((job, node), _Node())
        result.differences += _first(str(names.get(job, job)), "minutes", sums, minutes.sums)
        digests[job].append(node_digest((job, node, *sums), minutes.digests))
    result.digests.update({job: job_digest(parts) for job, parts in digests.items()})


def _first(
    name: str, what: str, recorded: Sequence[int], found: Sequence[int]
) -> Iterator[Difference]:
    """The first number of two rows that differs."""
    if [*recorded] != [*found]:
        pairs = zip(recorded, found, strict=True)
        one, other = next((one, other) for one, other in pairs if one != other)
        yield Difference(what, name, one, other)
