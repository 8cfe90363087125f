"""Whole numbers of the log: micro-SU for money, millionths for IPC, microseconds for time.

Whole numbers add up to the same sum in any order. So a price that is computed again from the log
is the same to the last micro-SU.
"""

from __future__ import annotations

import math
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from planner.errors import InputError
from scenarios.formatting import short

SU = 1_000_000
"""Micro-SU in one service unit (SU)."""
HOUR_US = 3_600_000_000
MINUTE_US = 60_000_000
MOST = (1 << 63) - 1
"""The largest integer that SQLite stores."""
MOST_SU = 10**12
_DIGITS = 40
MOST_IPC = 32
"""A larger ratio of counters is not an IPC.

With this limit, sums of squares last for millions of blocks.
"""


def micro_su(amount: str | float | Decimal | Fraction, what: str) -> int:
    """An amount of SU as a whole number of micro-SU.

    Parameters
    ----------
    amount
        SU; text is read as decimal digits. Halves of a micro-SU go to the even one.
    what
        Name of the amount in an error.

    Raises
    ------
    InputError
        The amount is not a finite number, or is larger than the log can hold.

    Examples
    --------
    >>> micro_su("12.5", "credit"), micro_su(0.1, "credit")
    (12500000, 100000)
    """
    try:
        exact = amount if isinstance(amount, Fraction) else _exact(Decimal(str(amount)))
    except (InvalidOperation, ValueError, OverflowError):
        message = f"{what} = {short(amount)} is not a number"
        raise InputError(f"{message}; give an amount of SU") from None
    if abs(exact) > MOST_SU:
        message = f"{what} = {short(amount)} SU is above {MOST_SU:,} SU"
        raise InputError(f"{message}; give a smaller amount")
    return round(exact * SU)


def _exact(amount: Decimal) -> Fraction:
    """The same number, but one too large or too small for the log stays short in memory."""
    if amount.is_finite() and amount and not -_DIGITS < amount.adjusted() < _DIGITS:
        return Fraction(0) if amount.adjusted() < 0 else Fraction(MOST)
    return Fraction(amount)


def su_text(micro: int) -> str:
    """Micro-SU as SU with all digits.

    Returns
    -------
    str
        SU with six decimals.

    Examples
    --------
    >>> su_text(-12_500_000), su_text(1)
    ('-12.500000', '0.000001')
    """
    sign, digits = "-" if micro < 0 else "", abs(micro)
    return f"{sign}{digits // SU}.{digits % SU:06d}"


def rounded_quotient(numerator: int, denominator: int) -> int:
    """The nearest whole number to a quotient; halves go to the even one.

    Examples
    --------
    >>> rounded_quotient(5, 2), rounded_quotient(7, 2), rounded_quotient(-1, 3)
    (2, 4, 0)
    """
    whole, rest = divmod(numerator, denominator)
    twice = 2 * rest
    return whole + (twice > denominator or (twice == denominator and whole % 2 == 1))


def ipc_units(ipc: float) -> int:
    """An IPC in millionths, as an even number: half the sum of two such numbers is whole.

    Examples
    --------
    >>> ipc_units(0.8000004), ipc_units(1.2345670)
    (800000, 1234568)
    """
    return 2 * round(ipc * 500_000)


def product_units(first: int, second: int) -> int:
    """A product of two numbers in millionths, in thousand-millionths (1e-9).

    Examples
    --------
    >>> product_units(800_000, 500_000)
    400000000
    """
    return (first * second + 500) // 1000


def is_ipc(instructions: float, cycles: float) -> bool:
    """Whether two differences of counters give an IPC: both finite and positive, none absurd."""
    if not (math.isfinite(instructions) and math.isfinite(cycles)):
        return False
    return cycles > 0 and 0 < instructions <= MOST_IPC * cycles
