"""Values in the cells of job logs: times, durations, counts and energies, as Slurm writes them."""

from __future__ import annotations

import datetime as dt
import math
import re
from contextlib import suppress
from decimal import Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scenarios.faults import Fault, ScenarioError
from scenarios.job_logs.job_log import LATEST_S, MISSING
from scenarios.tables.cell_text import CellError, quoted

Seconds = int | Decimal
"""A whole number of seconds, or one with decimals."""

UNKNOWN = frozenset(
    {"", "unknown", "none", "n/a", "na", "nan", "null", "-1", "(null)", "none assigned"}
    | {"nat", "<na>", "\\n", "-", "--", "1970-01-01"}
    | {"0000-00-00", "0000-00-00 00:00:00", "0000-00-00t00:00:00"}
)
"""Cells without a value hold one of these texts, in small letters; some are dates of databases."""

NO_LIMIT = frozenset(
    {"partition_limit", "unlimited", "infinite"}
    | {"4294967294", "4294967295"}  # what Slurm's database holds for none and for no end
)
_LARGEST_COUNT = (1 << 31) - 1
_LARGEST_ENERGY_J = 1e18  # Slurm writes 2 ** 64 - 2 where it does not know
_CACHED = 1 << 16  # logs repeat their limits, states and submit times
_ZERO = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?)"
    r"\s?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_DURATION = re.compile(
    r"(?:([0-9]{1,7})-)?([0-9]{1,7})(?::([0-9]{1,2}))?(?::([0-9]{1,2}))?(?:\.([0-9]{1,9}))?"
)
_DAYS = re.compile(r"^([0-9]+) days?,? ")
"""As Python and pandas write spans of time: ``0 days 01:00:00``."""

_NUMBER = re.compile(r"([+-]?(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:[eE][+-]?[0-9]{1,3})?)")
_WITH_SUFFIX = re.compile(rf"{_NUMBER.pattern}([KMGTPE]?)")
_LONGEST_ZONE = 255
_POWERS = {suffix: power for power, suffix in enumerate(["", *"KMGTPE"])}


def zone_named(name: str, file_name: str) -> dt.tzinfo:
    """Return the time zone of this name.

    Raises
    ------
    ScenarioError
        There is none.
    """
    if len(name) <= _LONGEST_ZONE:  # zoneinfo imports a package for each part of a name
        with suppress(ZoneInfoNotFoundError, ValueError, OSError):
            return dt.UTC if name == "UTC" else ZoneInfo(name)
    message = f"there is no time zone {quoted(name)}; give one such as 'Europe/Berlin' or 'UTC'"
    raise ScenarioError([Fault(file_name, 0, "zone", message)])


@lru_cache(_CACHED)
def is_unknown(text: str) -> bool:
    """Return whether a cell says that there is no value."""
    return text.strip().lower() in UNKNOWN


@lru_cache(_CACHED)
def unix_time(text: str, zone: dt.tzinfo, bare: Seconds = 1) -> Seconds:
    """Seconds since 1970 of a date with time, or of a number counted from there.

    A local time that occurs twice when clocks go back is the earlier one; see :func:`repeated_s`.

    Parameters
    ----------
    text, zone
        The time, and the zone of a date that names none.
    bare
        Seconds in a unit of a bare number.

    Raises
    ------
    CellError
        It is neither.
    """
    moment = _moment(text, zone)
    if moment is None:
        return seconds(text, "time; write it as in 2026-03-09T12:00:00", bare)
    passed = moment - _ZERO
    whole = passed.days * 86_400 + passed.seconds
    return whole + Decimal(passed.microseconds).scaleb(-6) if passed.microseconds else whole


@lru_cache(_CACHED)
def repeated_s(text: str, zone: dt.tzinfo) -> int:
    """Seconds until a local time occurs again, since clocks go back; 0 where it occurs once.

    Examples
    --------
    >>> repeated_s("2025-10-26T02:10:00", ZoneInfo("Europe/Berlin"))
    3600
    """
    moment = _moment(text, zone)
    if moment is None or moment.tzinfo is not zone:
        return 0
    later = moment.replace(fold=1).astimezone(dt.UTC) - moment.astimezone(dt.UTC)
    return max(int(later.total_seconds()), 0)


def _moment(text: str, zone: dt.tzinfo) -> dt.datetime | None:
    """The date with time that a text is; ``None`` where it is another text."""
    matched = _TIME.fullmatch(text.strip())
    if matched is None:
        return None
    offset = (matched[3] or "").replace("Z", "+00:00")
    try:
        moment = dt.datetime.fromisoformat(f"{matched[1]}T{matched[2].replace(',', '.')}{offset}")
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        moment.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        raise CellError(f"{quoted(text)} is not an existing time; correct it") from None
    return moment


def seconds(text: str, kind: str = "number; write one", unit: Seconds = 1) -> Seconds:
    """Return a number of seconds.

    Parameters
    ----------
    text
        The number.
    kind
        What the message asks for.
    unit
        Seconds in the unit of the number.

    Raises
    ------
    CellError
        It is not a number, or beyond all times.
    """
    matched = _NUMBER.fullmatch(text.strip())
    if matched is None:
        raise CellError(f"{quoted(text)} is not a {kind}")
    return in_range(Decimal(matched[0]) * unit, text)


def in_range(value: Decimal, text: str) -> Seconds:
    """Return a time [s] that a log may hold.

    Raises
    ------
    CellError
        It is beyond all times; ``text`` is what the message calls it.
    """
    if not -LATEST_S < value < LATEST_S:
        raise CellError(f"{quoted(text)} is beyond 2**38 s (about 8,700 years); correct it")
    return int(value) if value == int(value) else value


@lru_cache(_CACHED)
def duration(text: str, bare: Seconds = 1) -> Seconds:
    """Seconds of ``1-02:03:04``, ``1 day, 02:03:04``, ``02:03.123``, ``1-02`` or a bare number.

    Parameters
    ----------
    text
        The duration.
    bare
        Seconds in a unit of a bare number.

    Raises
    ------
    CellError
        It is none.

    Examples
    --------
    >>> duration("1-02:03:04"), duration("02:03.5"), duration("90", bare=60)
    (93784, Decimal('123.5'), 5400)
    """
    text = text.strip()
    if ":" not in text and "-" not in text[1:]:
        return seconds(text, "duration; write seconds, or as in 1-02:03:04", bare)
    matched = _DURATION.fullmatch(_DAYS.sub(r"\1-", text))
    if matched is None:
        raise CellError(f"{quoted(text)} is not a duration; write it as in 1-02:03:04")
    days, *parts = matched.groups()[:4]
    clock = [int(part) for part in parts if part is not None]
    if days is not None:
        hours, minutes, rest = (*clock, 0, 0)[:3]
    else:
        hours, minutes, rest = clock if len(clock) == 3 else (0, *clock)
    if rest > 60 or (minutes > 59 and (days is not None or len(clock) == 3)):
        raise CellError(f"{quoted(text)} is not a duration; minutes and seconds are at most 59")
    whole = ((int(days or 0) * 24 + hours) * 60 + minutes) * 60 + rest
    return whole + Decimal(f"0.{matched[5]}") if int(matched[5] or 0) else whole


def time_limit(text: str, bare: Seconds = 60) -> Seconds:
    """Return a time limit [s], ``MISSING`` where it is the partition's, unlimited or not known.

    Parameters
    ----------
    text
        The limit.
    bare
        Seconds in a unit of a bare number: minutes, as everywhere in Slurm.

    Raises
    ------
    CellError
        It is none.
    """
    if text.strip().lower() in NO_LIMIT or is_unknown(text):
        return MISSING
    return duration(text, bare)


@lru_cache(_CACHED)
def count(text: str) -> int:
    """Return a whole number, with ``K`` for 1024 and so on.

    Raises
    ------
    CellError
        It is none.

    Examples
    --------
    >>> count("4K"), count("128")
    (4096, 128)
    """
    matched = _WITH_SUFFIX.fullmatch(text.strip())
    value = (
        Decimal(matched[1]) * 1024 ** _POWERS[matched[2]] if matched is not None else Decimal("0.5")
    )
    if abs(value) > _LARGEST_COUNT:
        raise CellError(f"{quoted(text)} is beyond {_LARGEST_COUNT:,}; correct it")
    if value != int(value):
        raise CellError(f"{quoted(text)} is not a whole number; correct it")
    return int(value)


def energy_j(text: str) -> float:
    """Return an energy [J], with ``K`` for 1000 and so on; NaN where it is not known.

    Raises
    ------
    CellError
        It is not a number.
    """
    if is_unknown(text):
        return float("nan")
    matched = _WITH_SUFFIX.fullmatch(text.strip())
    if matched is None:
        raise CellError(f"{quoted(text)} is not an energy; write a number of joules")
    value = float(Decimal(matched[1]) * 1000 ** _POWERS[matched[2]])
    return value if 0 <= value < _LARGEST_ENERGY_J else float("nan")


def microseconds(value: Seconds) -> int:
    """Microseconds, rounded down.

    Examples
    --------
    >>> microseconds(3), microseconds(Decimal("2.5")), microseconds(Decimal("-0.0000001"))
    (3000000, 2500000, -1)
    """
    return value * 1_000_000 if isinstance(value, int) else math.floor(value.scaleb(6))
