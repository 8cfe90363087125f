"""The Account Manager: users' banks of service units, credits, and one booking per job.

A booking and its deduction are one transaction, and the job is the booking's key. So a program that
is killed at any moment and started again neither loses a booked price nor books it twice.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from planner.errors import InputError
from planner.pricing.accounts.arguments import file_of, fitting_name, items, whole
from planner.pricing.accounts.chain import ACCOUNT, BOOKING, CREDIT, append
from planner.pricing.accounts.schema import errors_of, transaction
from planner.pricing.accounts.units import MOST, micro_su
from scenarios.formatting import nearest, short


@dataclass(frozen=True)
class Booking:
    """What a job costs.

    Attributes
    ----------
    job
        The job's number in the log.
    user
        Who pays.
    amount
        Micro-SU, 0 or more.
    """

    job: int
    user: str
    amount: int


def open_account(connection: sqlite3.Connection, user: str) -> None:
    """Give a user an account with nothing in it; an account that exists stays as it is.

    Parameters
    ----------
    connection
        An open log.
    user
        Name of the user.

    Raises
    ------
    InputError
        The name is empty or too long.
    """
    user = fitting_name(user, "user")
    with transaction(connection):
        added = connection.execute("INSERT OR IGNORE INTO accounts VALUES (?, 0)", (user,))
        if added.rowcount == 1:
            append(connection, [(ACCOUNT, (user,))])


def credit(
    connection: sqlite3.Connection, name: str, user: str, amount_su: str | float, time_us: int = 0
) -> bool:
    """Add SU to an account once per name; whether it was added now.

    Parameters
    ----------
    name
        Name of the credit, such as ``2027-01 physics``. A second credit of this name must be the
        same, and does nothing.
    amount_su
        SU; a correction may be negative.

    Returns
    -------
    bool
        Whether the credit was added now.

    Raises
    ------
    InputError
        The user has no account, the amount is not a number, or the name stands for another credit.
    """
    amount = micro_su(amount_su, "credit")
    row = (fitting_name(name, "credit"), user, amount, whole(time_us, "time_us"))
    balance(connection, user)
    with transaction(connection):
        known = connection.execute(
            "SELECT user, amount FROM credits WHERE name = ?", (name,)
        ).fetchone()
        if known is not None:
            if known != (user, amount):
                raise InputError(f"credit {name!r} exists with other values; give a new name")
            return False
        connection.execute("INSERT INTO credits VALUES (?, ?, ?, ?)", row)
        append(connection, [(CREDIT, row)])
        _deduct(connection, user, -amount)
    return True


def balance(connection: sqlite3.Connection, user: str) -> int:
    """Micro-SU left on an account; negative if it is overdrawn.

    Parameters
    ----------
    connection
        An open log.
    user
        Name of the user.

    Returns
    -------
    int
        Micro-SU (1e-6 SU).

    Raises
    ------
    InputError
        The user has no account.
    """
    user = fitting_name(user, "user")
    with errors_of(file_of(connection)):
        result = connection.execute(
            "SELECT balance FROM accounts WHERE user = ?", (user,)
        ).fetchone()
    if result is None:
        known = [*balances(connection)]
        raise InputError(f"user {user!r} has no account; open one first, {nearest(user, known)}")
    (left,) = result
    return int(left)


def balances(connection: sqlite3.Connection) -> dict[str, int]:
    """Micro-SU left on every account, by user."""
    with errors_of(file_of(connection)):
        return dict(connection.execute("SELECT user, balance FROM accounts ORDER BY user"))


def book(connection: sqlite3.Connection, bookings: Iterable[Booking]) -> int:
    """Deduct prices of ended jobs in one transaction; return how many were not booked before.

    A job that is booked already keeps its booking, even if its price has changed.

    Raises
    ------
    InputError
        A price is negative or larger than the log can hold, or no ended job of the user has this
        number. Nothing is booked then.
    """
    charged: Counter[str] = Counter()
    booked: list[tuple[int, str, int, int]] = []
    with transaction(connection):
        for booking in map(_checked, items(bookings, "bookings")):
            row = connection.execute(
                "INSERT INTO bookings SELECT job, user, ?, end_us FROM jobs"
                " WHERE job = ? AND user = ? AND end_us IS NOT NULL"
                " ON CONFLICT DO NOTHING RETURNING job, user, amount, time_us",
                (booking.amount, booking.job, booking.user),
            ).fetchone()
            if row is not None:
                booked.append(row)
                charged[booking.user] += booking.amount
            elif not _is_booked(connection, booking.job):
                message = (
                    f"job {booking.job} of {booking.user!r} is not in the log, or has not ended"
                )
                raise InputError(f"{message}; close the job before it is booked")
        for user, amount in charged.items():
            _deduct(connection, user, amount)
        append(connection, [(BOOKING, row) for row in booked])
    return len(booked)


def _checked(booking: Booking) -> Booking:
    if not isinstance(booking, Booking):
        raise InputError(f"{short(booking)} is not a Booking; give what price returned")
    job, user = whole(booking.job, "job"), fitting_name(booking.user, "user")
    if whole(booking.amount, f"price of job {job}", -MOST) < 0:
        raise InputError(f"job {job} costs {booking.amount} micro-SU; no price is that")
    return Booking(job, user, whole(booking.amount, "amount"))


def _is_booked(connection: sqlite3.Connection, job: int) -> bool:
    return bool(connection.execute("SELECT 1 FROM bookings WHERE job = ?", (job,)).fetchone())


def _deduct(connection: sqlite3.Connection, user: str, amount: int) -> None:
    left = balance(connection, user) - amount
    if abs(left) > MOST:
        raise InputError(f"the balance of {user!r} would leave the range of the log; split it")
    connection.execute("UPDATE accounts SET balance = ? WHERE user = ?", (left, user))
