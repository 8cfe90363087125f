"""Replay: every price again from the log, and every sum that can be checked, to the last unit.

The replay reads only. It follows the chain from raw samples (where they were kept) to sums per
minute, to sums per job, to prices, to bookings, and to balances.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from planner.errors import InputError
from planner.pricing.accounts.intervals import Interval, price_intervals
from planner.pricing.accounts.ledger import balances
from planner.pricing.accounts.policies import POLICIES, EndedJob, Policy
from planner.pricing.accounts.pricer import ended_jobs, price, todays_price
from planner.pricing.accounts.schema import LogSettings, errors_of, opened, rule_of, settings_of
from planner.pricing.accounts.sums import (
    COLUMNS,
    COUNTS,
    PLACE,
    TIMES,
    Sums,
    add_sample,
    empty,
    unpacked,
)

_UNSAMPLED = frozenset(PLACE[name] for name in (*TIMES, "clock_backwards"))


@dataclass(frozen=True)
class Difference:
    """A place where the log contradicts itself.

    Attributes
    ----------
    what
        ``booking``, ``balance``, ``minutes`` or ``samples``.
    name
        The job or the user.
    recorded, recomputed
        What the log says and what follows from the rest of it: micro-SU, or the first column of
        sums that differs.
    """

    what: str
    name: str
    recorded: int
    recomputed: int


@dataclass(frozen=True)
class PricedJob:
    """One job of the replay.

    Attributes
    ----------
    name, user, policy
        As in the log.
    time_us
        T_co [us].
    todays_price
        L * C * T, rounded to micro-SU.
    price
        Recomputed [micro-SU].
    booked
        As booked [micro-SU]; ``None`` before it is settled.
    interval
        95 % interval of the price [micro-SU]; ``None`` where the policy or several nodes give none
        from sums.
    """

    name: str
    user: str
    policy: str
    time_us: int
    todays_price: int
    price: int
    booked: int | None
    interval: Interval | None


@dataclass(frozen=True)
class ReplayResult:
    """What a replay found.

    Attributes
    ----------
    path
        The log.
    jobs
        Ended jobs, by number.
    running
        Jobs that have not ended.
    balances
        Micro-SU left, by user.
    differences
        Where the log contradicts itself; empty if it does not.
    counts
        How often each rule for bad input was followed.
    raw_rounds
        Rounds whose raw samples were summed again.
    """

    path: str
    jobs: tuple[PricedJob, ...]
    running: int
    balances: Mapping[str, int]
    differences: tuple[Difference, ...]
    counts: Mapping[str, int]
    raw_rounds: int

    @property
    def matches(self) -> bool:
        """Whether every booking and every sum is exactly what follows from the log."""
        return not self.differences

    @property
    def unbooked(self) -> int:
        """Ended jobs without a booking; the next settlement books them."""
        return sum(job.booked is None for job in self.jobs)


def replay(path: str | Path, policies: Mapping[str, Policy] = POLICIES) -> ReplayResult:
    """Recompute all prices of a log and compare them with what was booked.

    Raises
    ------
    InputError
        The file is not a pricing log, is damaged, or names an unknown policy.

    References
    ----------
    POPPA, section 3: the Pricer works from the log after a job has ended.
    """
    path = Path(path)
    with errors_of(path), contextlib.closing(opened(path, write=False)) as connection:
        connection.execute("BEGIN")  # one state of the log, even if others write meanwhile
        settings = settings_of(connection)
        booked = dict(connection.execute("SELECT job, amount FROM bookings"))
        ended = list(ended_jobs(connection))
        counts = Counter[str]()
        for job in ended:
            _check_kind(job)
            _count(counts, job)
        intervals = price_intervals(ended)
        jobs = [
            _priced(job, settings, policies, booked.get(job.job), intervals.get(job.job))
            for job in ended
        ]
        wrong = [
            Difference("booking", job.name, job.booked, job.price)
            for job in jobs
            if job.booked is not None and job.booked != job.price
        ]
        wrong += _minutes(connection)
        sampled, rounds = _samples(connection, settings)
        wrong += [*sampled, *_balances(connection)]
        _count_ends(connection, counts)
        (running,) = connection.execute("SELECT count(*) FROM jobs WHERE end_us IS NULL").fetchone()
        return ReplayResult(
            str(path), tuple(jobs), running, balances(connection), tuple(wrong), counts, rounds
        )


def _priced(
    job: EndedJob,
    settings: LogSettings,
    policies: Mapping[str, Policy],
    booked: int | None,
    interval: Interval | None,
) -> PricedJob:
    amount = price(job, settings, policies).amount
    today = round(todays_price(job))
    return PricedJob(job.name, job.user, job.policy, job.time_us, today, amount, booked, interval)


def _check_kind(job: EndedJob) -> None:
    """SQLite stores what it is given; a damaged or edited row must not end in a traceback."""
    rows = ((job.cores, job.rate, job.time_us), *job.nodes)
    if any({*map(type, row)} != {int} for row in rows):
        message = f"job {job.name}: a value in the log is not a whole number"
        raise InputError(f"{message}; restore the log from a backup")
    if job.time_us < 0:
        raise InputError(f"job {job.name} ends before it begins; restore the log from a backup")


def _count(counts: Counter[str], job: EndedJob) -> None:
    for node in job.nodes:
        for name in COUNTS:
            counts[name] += node[PLACE[name]]
        counts["jobs_with_gaps"] += node[PLACE["gap_us"]] > 0
        counts["dropped_blocks"] += (
            node[PLACE["shutter_all_count"]] - node[PLACE["shutter_filtered_count"]]
        )
    blocks = sum(node[PLACE["shutter_all_count"]] for node in job.nodes)
    shared = sum(node[PLACE["shared_us"]] for node in job.nodes)
    counts["jobs_shared_without_block"] += shared > 0 and blocks == 0


def _count_ends(connection: sqlite3.Connection, counts: Counter[str]) -> None:
    for rule, number in connection.execute(
        "SELECT end_rule, count(*) FROM jobs WHERE end_us IS NOT NULL GROUP BY end_rule"
    ):
        counts[f"ends_{rule}"] += number
    (counts["overdrawn_accounts"],) = connection.execute(
        "SELECT count(*) FROM accounts WHERE balance < 0"
    ).fetchone()


def _minutes(connection: sqlite3.Connection) -> Iterator[Difference]:
    """Jobs whose minutes do not add up to their totals."""
    summed = ", ".join(f"coalesce(sum(m.{name}), 0)" for name in COLUMNS)
    names = ", ".join(f"t.{name}" for name in COLUMNS)
    query = (
        f"SELECT j.name, {names}, {summed} FROM totals t JOIN jobs j ON j.job = t.job"  # noqa: S608 - names are constants
        " LEFT JOIN minutes m ON m.job = t.job AND m.node = t.node GROUP BY t.job, t.node"
    )
    for name, *values in connection.execute(query):
        total, minutes = values[: len(COLUMNS)], values[len(COLUMNS) :]
        yield from _first(name, "minutes", total, minutes)


def _samples(connection: sqlite3.Connection, settings: LogSettings) -> tuple[list[Difference], int]:
    """Minutes whose sums are not those of their raw samples, and the number of rounds."""
    if not settings.raw:
        return [], 0
    sums: dict[tuple[int, int, int], Sums] = {}
    rule = rule_of(settings)
    rounds = 0
    for job, node, minute, kind, samples in connection.execute(
        "SELECT job, node, minute, kind, samples FROM rounds"
    ):
        key = (job, node, minute)
        try:
            sample = unpacked(kind, samples)
        except (TypeError, ValueError) as error:
            message = f"samples of job {job} are damaged ({error}); restore the log from a backup"
            raise InputError(message) from None
        add_sample(sums.setdefault(key, empty()), sample, rule)
        rounds += 1
    wrong: list[Difference] = []
    names = ", ".join(f"m.{name}" for name in COLUMNS)
    query = (
        f"SELECT m.job, m.node, m.minute, j.name, {names} FROM minutes m JOIN jobs j USING (job)"  # noqa: S608 - names are constants
    )
    for job, node, minute, name, *recorded in connection.execute(query):
        result = sums.pop((job, node, minute), empty())
        places = [index for index in range(len(COLUMNS)) if index not in _UNSAMPLED]
        wrong += _first(name, "samples", [recorded[p] for p in places], [result[p] for p in places])
    wrong += [Difference("samples", str(job), 0, 1) for job, _, _ in sums]
    return wrong, rounds


def _first(name: str, what: str, recorded: list[int], found: list[int]) -> Iterator[Difference]:
    if recorded != found:
        pairs = zip(recorded, found, strict=True)
        one, other = next((one, other) for one, other in pairs if one != other)
        yield Difference(what, name, one, other)


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
