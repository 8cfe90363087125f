"""Replay: every price again from the log, and every row and sum that can be checked.

The replay reads only. It follows raw samples (where they were kept) to sums per minute, to sums per
job, to prices, to bookings, and to balances; and the chain of digests over all final rows.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from planner.errors import InputError
from planner.pricing.accounts.arguments import path_from
from planner.pricing.accounts.audit import Audit, audit
from planner.pricing.accounts.chain import checked_head
from planner.pricing.accounts.differences import Difference
from planner.pricing.accounts.intervals import Interval, price_intervals
from planner.pricing.accounts.ledger import balances
from planner.pricing.accounts.policies import POLICIES, EndedJob, Policy
from planner.pricing.accounts.pricer import ended_jobs, price, todays_price
from planner.pricing.accounts.schema import LogSettings, errors_of, opened, settings_of
from planner.pricing.accounts.sums import COUNTS, PLACE


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
        Recomputed [micro-SU]; ``None`` where its rows were changed so that no price follows.
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
    price: int | None
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
    links
        Links of the chain of digests.
    head
        Digest of the last link. Keep it where nobody can change it together with the log.
    broken
        Broken links by number, with what is wrong; the first one names the oldest change.
    kept_link
        Number of the link whose digest was given as ``head``; ``None`` if none was given, or if it
        is not in the chain.
    """

    path: str
    jobs: tuple[PricedJob, ...]
    running: int
    balances: Mapping[str, int]
    differences: tuple[Difference, ...]
    counts: Mapping[str, int]
    raw_rounds: int
    links: int
    head: str
    broken: Mapping[int, str]
    kept_link: int | None

    @property
    def first_broken(self) -> str:
        """The first broken link and what is wrong; empty if none is."""
        if not self.broken:
            return ""
        number = min(self.broken)
        return f"link {number}: {self.broken[number]}"

    @property
    def matches(self) -> bool:
        """Whether every booking and every sum is exactly what follows from the log."""
        return not self.differences

    @property
    def unbooked(self) -> int:
        """Ended jobs without a booking; the next settlement books them."""
        return sum(job.booked is None for job in self.jobs)


def replay(
    path: str | Path, policies: Mapping[str, Policy] = POLICIES, head: str | None = None
) -> ReplayResult:
    """Recompute all prices of a log and compare them with what was booked.

    Parameters
    ----------
    head
        Head of an earlier replay, kept elsewhere. It must be the digest of a link; otherwise the
        log was cut off or written again since then, which a log alone cannot show.

    Returns
    -------
    ReplayResult
        ``matches``, every difference, and the head of the chain.

    Raises
    ------
    InputError
        The file is not a pricing log, is damaged, or names an unknown policy, or ``head`` is not a
        digest.

    References
    ----------
    POPPA, section 3: the Pricer works from the log after a job has ended.
    """
    path = path_from(path)
    kept = None if head is None else checked_head(head)
    with errors_of(path), contextlib.closing(opened(path, write=False)) as connection:
        connection.execute("BEGIN")  # one state of the log, even if others write meanwhile
        return _replayed(path, connection, policies, kept)


def _replayed(
    path: Path, connection: sqlite3.Connection, policies: Mapping[str, Policy], kept: str | None
) -> ReplayResult:
    settings = settings_of(connection)
    found = audit(connection, settings)
    ended = list(ended_jobs(connection))
    jobs = _priced_jobs(connection, ended, settings, policies, found)
    wrong = [
        Difference("booking", job.name, job.booked, "no price" if job.price is None else job.price)
        for job in jobs
        if job.booked is not None and job.booked != job.price
    ]
    wrong += found.differences
    if kept is not None and kept not in found.chain.digests:
        wrong.append(Difference("head", "kept digest", kept, "no link has it"))
    (running,) = connection.execute("SELECT count(*) FROM jobs WHERE end_us IS NULL").fetchone()
    return ReplayResult(
        str(path),
        tuple(jobs),
        running,
        balances(connection),
        tuple(wrong),
        _counts(connection, ended),
        found.raw_rounds,
        len(found.chain.digests),
        found.chain.head,
        dict(sorted(found.broken.items())),
        found.chain.digests.get(kept) if kept else None,
    )


def _priced_jobs(
    connection: sqlite3.Connection,
    ended: list[EndedJob],
    settings: LogSettings,
    policies: Mapping[str, Policy],
    found: Audit,
) -> list[PricedJob]:
    booked = dict(connection.execute("SELECT job, amount FROM bookings"))
    sound = [job for job in ended if str(job.job) not in found.jobs]
    intervals = price_intervals(sound, settings.filter.fallback)
    return [
        _priced(
            job, _price(job, settings, policies, found), booked.get(job.job), intervals.get(job.job)
        )
        for job in ended
    ]


def _price(
    job: EndedJob, settings: LogSettings, policies: Mapping[str, Policy], found: Audit
) -> int | None:
    """A price again; the rows of a job that was changed may give none."""
    try:
        return price(job, settings, policies).amount
    except InputError:
        if str(job.job) in found.jobs:
            return None
        raise


def _priced(
    job: EndedJob, amount: int | None, booked: int | None, interval: Interval | None
) -> PricedJob:
    today = round(todays_price(job))
    return PricedJob(job.name, job.user, job.policy, job.time_us, today, amount, booked, interval)


def _counts(connection: sqlite3.Connection, ended: list[EndedJob]) -> Counter[str]:
    counts = Counter[str]()
    for job in ended:
        _count(counts, job)
    _count_ends(connection, counts)
    return counts


def _count(counts: Counter[str], job: EndedJob) -> None:
    for node in job.nodes:
        for name in COUNTS:
            counts[name] += node[PLACE[name]]
        if job.policy == "poppa":
            counts["dropped_blocks"] += (
                node[PLACE["shutter_all_count"]] - node[PLACE["shutter_filtered_count"]]
            )
    counts["jobs_with_gaps"] += any(node[PLACE["gap_us"]] > 0 for node in job.nodes)
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
