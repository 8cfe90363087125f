"""Jobs of the log: what the log records of a new one, and ends that were not observed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from planner.errors import InputError
from planner.pricing.accounts.arguments import fitting_name, items, whole
from planner.pricing.accounts.chain import BEGIN, END, WITHDRAWAL, append
from planner.pricing.accounts.clocks import check_time
from planner.pricing.accounts.schema import transaction
from planner.pricing.accounts.seals import written_digest
from planner.pricing.accounts.units import SU, su_text
from scenarios.formatting import short

_FACTS = "job, name, user, cores, rate, policy, start_us"
"""What a job is from its beginning."""
_MOST_PER_HOUR = 10**7 * SU
"""Rate times cores, in micro-SU per hour: ten million SU."""


@dataclass(frozen=True)
class NewJob:
    """What the log records of a job when it begins.

    Attributes
    ----------
    name
        Unique in the log.
    user
        Who pays.
    cores
        C, cores that are charged over all its nodes.
    rate
        L [micro-SU per core-hour], above 0.
    policy
        Name of the policy that prices it.
    start_us
        When it began [us].
    """

    name: str
    user: str
    cores: int
    rate: int
    policy: str
    start_us: int


def insert(connection: sqlite3.Connection, job: NewJob) -> int:
    """Write a new job inside a transaction; its number, which no job had before it.

    A number that was withdrawn is not given again: another program may still measure under it. The
    last ``begin`` of the chain has the highest number, because links stay.
    """
    row = connection.execute(
        "INSERT INTO jobs (job, name, user, cores, rate, policy, start_us, last_us)"  # noqa: S608 - names are constants
        " VALUES (1 + max(coalesce((SELECT max(job) FROM jobs), 0), coalesce(("
        "SELECT CAST(substr(facts, 2) AS INTEGER) FROM chain WHERE what = ?"
        f" ORDER BY number DESC LIMIT 1), 0)), ?, ?, ?, ?, ?, ?, ?) RETURNING {_FACTS}",
        (BEGIN, job.name, job.user, job.cores, job.rate, job.policy, job.start_us, job.start_us),
    ).fetchone()
    append(connection, [(BEGIN, row)])
    return int(row[0])


def remove(connection: sqlite3.Connection, job: int) -> bool:
    """Take back a job without measurements inside a transaction; whether there was one."""
    row = connection.execute(
        "DELETE FROM jobs WHERE job = ? AND end_us IS NULL"  # noqa: S608 - the same
        f" AND job NOT IN (SELECT job FROM totals) RETURNING {_FACTS}",
        (job,),
    ).fetchone()
    if row is not None:
        append(connection, [(WITHDRAWAL, row)])
    return row is not None


def end_lost(connection: sqlite3.Connection, except_for: Iterable[int] = ()) -> list[int]:
    """End jobs that a program left behind, at their last measurement; their numbers.

    Their rule is ``lost``: nobody saw their end, so nobody is charged for time after the log.

    Parameters
    ----------
    except_for
        Jobs that still run.

    Returns
    -------
    list of int
        Numbers of the ended jobs.
    """
    selected = {whole(job, "job of except_for") for job in items(except_for, "except_for")}
    with transaction(connection):
        lost = [
            job
            for (job,) in connection.execute("SELECT job FROM jobs WHERE end_us IS NULL")
            if job not in selected
        ]
        end_jobs(connection, [(job, None, "lost") for job in lost])
    return lost


def end_jobs(connection: sqlite3.Connection, ends: Iterable[tuple[int, int | None, str]]) -> None:
    """End jobs inside a transaction; one that has ended already keeps its end.

    Parameters
    ----------
    ends
        Number, end [us] and rule of each job. Without an end it is the last measurement. An end
        before that is moved there, and its rule becomes ``clock``.

    Raises
    ------
    InputError
        The log has no such job.
    """
    links = []
    for job, end_us, rule in ends:
        row = connection.execute(
            "SELECT start_us, last_us FROM jobs WHERE job = ?", (job,)
        ).fetchone()
        if row is None:
            raise InputError(f"the log has no job {job}; give a number that begin returned")
        start_us, last_us = row
        end = last_us if end_us is None else end_us
        check_time(job, start_us, end)
        ended = connection.execute(
            "UPDATE jobs SET end_us = ?, end_rule = ? WHERE job = ? AND end_us IS NULL"
            " RETURNING job, last_us, end_us, end_rule",
            (max(end, last_us), "clock" if end < last_us else rule, job),
        ).fetchone()
        if ended is not None:
            links.append((END, (*ended, written_digest(connection, job))))
    append(connection, links)


def checked(job: NewJob) -> NewJob:
    """A job that can be charged, with Python's own whole numbers.

    Raises
    ------
    InputError
        A value has another type, its rate is not above 0, it has no cores, or it costs more than
        the log can hold.
    """
    if not isinstance(job, NewJob):
        raise InputError(f"{short(job)} is not a NewJob; give NewJob(...)")
    job = NewJob(
        fitting_name(job.name, "name of the job"),
        fitting_name(job.user, "user"),
        whole(job.cores, f"job {job.name}: cores"),
        whole(job.rate, f"job {job.name}: rate"),
        fitting_name(job.policy, "policy"),
        whole(job.start_us, f"job {job.name}: start_us"),
    )
    if job.rate <= 0:
        message = f"job {job.name}: rate = {su_text(job.rate)} SU per core-hour"
        raise InputError(f"{message}; give a rate above 0")
    if job.cores < 1:
        raise InputError(f"job {job.name}: cores = {job.cores}; a job is charged at least 1 core")
    if job.rate * job.cores > _MOST_PER_HOUR:
        message = f"job {job.name} would cost {su_text(job.rate * job.cores)} SU an hour"
        limit = f"the limit is {_MOST_PER_HOUR // SU:,} SU"
        raise InputError(f"{message}; {limit}: check rate and cores")
    return job


def resumed(
    job: NewJob, known: tuple[int, str, int, int, str, int, int, int | None]
) -> tuple[int, int, int]:
    """Number, start [us] and last measurement [us] of a job that the log has and that goes on.

    Raises
    ------
    InputError
        It has ended, or was another job.
    """
    number, user, cores, rate, policy, start_us, last_us, end_us = known
    if end_us is not None:
        raise InputError(f"job {job.name} has ended already; give the new job another name")
    if (user, cores, rate, policy) != (job.user, job.cores, job.rate, job.policy):
        message = f"job {job.name} is in the log with another user, cores, rate or policy"
        raise InputError(f"{message}; give the new job another name")
    return number, start_us, last_us
