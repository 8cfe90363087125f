"""The Pricer: ended jobs of the log to prices, and prices to bookings."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import groupby, islice

from planner.errors import InputError
from planner.pricing.accounts.arguments import file_of, whole
from planner.pricing.accounts.ledger import Booking, book
from planner.pricing.accounts.policies import POLICIES, EndedJob, Policy
from planner.pricing.accounts.samples import logged_blocks
from planner.pricing.accounts.schema import LogSettings, errors_of, settings_of
from planner.pricing.accounts.sums import COLUMNS
from planner.pricing.accounts.units import HOUR_US, rounded_quotient
from planner.pricing.samples import Blocks
from scenarios.formatting import nearest, short

_AT_ONCE = 1000
"""Bookings in one transaction: one wait for the disk is shared by all of them."""
_SUMS = ", ".join(f"t.{name}" for name in COLUMNS)
_JOBS = f"""
SELECT j.job, j.name, j.user, j.cores, j.rate, j.policy, j.start_us, j.end_us, t.node, {_SUMS}
FROM jobs j LEFT JOIN totals t ON t.job = j.job
LEFT JOIN bookings b ON b.job = j.job
WHERE j.end_us IS NOT NULL AND (? OR b.job IS NULL)
ORDER BY j.job, t.node
"""  # noqa: S608 - column names are constants


def ended_jobs(connection: sqlite3.Connection, *, booked: bool = True) -> Iterator[EndedJob]:
    """Ended jobs by number; without ``booked``, those that have no booking yet."""
    with errors_of(file_of(connection)):
        rows = connection.execute(_JOBS, (booked,))
        for facts, of_job in groupby(rows, key=lambda row: row[:8]):
            job, name, user, cores, rate, policy, start_us, end_us = facts
            parts = [row[8:] for row in of_job if row[8] is not None]
            blocks = partial(_blocks, connection, job, [part[0] for part in parts])
            sums = tuple(part[1:] for part in parts)
            yield EndedJob(job, name, user, cores, rate, policy, end_us - start_us, sums, blocks)


def _blocks(connection: sqlite3.Connection, job: int, nodes: list[int], place: int) -> Blocks:
    return logged_blocks(connection, job, nodes[place])


def todays_price(job: EndedJob) -> Fraction:
    """L * C * T [micro-SU], exactly."""
    return Fraction(job.rate * job.cores * job.time_us, HOUR_US)


def price(
    job: EndedJob, settings: LogSettings, policies: Mapping[str, Policy] = POLICIES
) -> Booking:
    """What a job costs under its policy, to the micro-SU; halves go to the even one.

    Raises
    ------
    InputError
        No policy has the job's name for it, or the policy gives no price.
    """
    if not isinstance(policies, Mapping):
        raise InputError(f"policies = {short(policies)} are not a dict; give policies by name")
    policy = policies.get(job.policy)
    if policy is None:
        message = f"job {job.name}: policy {job.policy!r} is unknown"
        raise InputError(f"{message}; {nearest(job.policy, [*policies])}")
    share = _share(policy, job, settings)
    amount = rounded_quotient(
        job.rate * job.cores * job.time_us * share.numerator, HOUR_US * share.denominator
    )
    return Booking(job.job, job.user, amount)


def _share(policy: Policy, job: EndedJob, settings: LogSettings) -> Fraction:
    """What a policy says; a site's own policy may return any number."""
    try:
        return Fraction(policy(job, settings))
    except ZeroDivisionError:
        message = f"job {job.name}: policy {job.policy!r} divides its sums by 0"
        raise InputError(f"{message}; run --replay to see whether they were changed") from None
    except (TypeError, ValueError, OverflowError) as error:
        message = f"job {job.name}: policy {job.policy!r} gives no share ({error})"
        raise InputError(f"{message}; return a finite number, best a Fraction") from None


def settle(
    connection: sqlite3.Connection,
    policies: Mapping[str, Policy] = POLICIES,
    at_once: int = _AT_ONCE,
) -> int:
    """Book every ended job that is not booked; how many were.

    It may be killed and started again at any moment.

    Parameters
    ----------
    connection
        An open log.
    policies
        Pricing policies by name, with your own if a job has one.
    at_once
        Bookings in one transaction.

    Returns
    -------
    int
        Jobs that were booked now.

    Raises
    ------
    InputError
        Jobs cannot be priced; all others are booked.
    """
    at_once = whole(at_once, "at_once", 1)
    settings = settings_of(connection)
    jobs = list(ended_jobs(connection, booked=False))
    errors: list[InputError] = []

    def priced() -> Iterator[Booking]:
        for job in jobs:
            try:
                yield price(job, settings, policies)
            except InputError as error:
                errors.append(error)

    booked = sum(book(connection, part) for part in _parts(priced(), at_once))
    if errors:
        others = f" ({len(errors) - 1} more)" if len(errors) > 1 else ""
        raise InputError(f"{errors[0]}{others}") from errors[0]
    return booked


def _parts(bookings: Iterable[Booking], most: int) -> Iterator[list[Booking]]:
    each = iter(bookings)
    while part := list(islice(each, most)):
        yield part
