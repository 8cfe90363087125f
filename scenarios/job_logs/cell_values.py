"""Values in the cells of job logs: times, durations, counts and energies, as Slurm writes them."""

from __future__ import annotations

import datetime as dt
import re
from contextlib import suppress
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scenarios.faults import Fault, ScenarioError
from scenarios.job_logs.job_log import LATEST_S, MISSING
from scenarios.tables.cell_text import CellError, quoted

Seconds = int | Decimal
"""A whole number of seconds, or one with decimals."""

UNKNOWN = frozenset(
    {"", "unknown", "none", "n/a", "na", "nan", "null", "-1", "(null)", "none assigned"}
    | {"nat", "<na>", "1970-01-01", "0000-00-00", "0000-00-00 00:00:00", "0000-00-00t00:00:00"}
)
"""Cells without a value hold one of these texts, in small letters; some are dates of databases."""

NO_LIMIT = frozenset({"partition_limit", "unlimited", "infinite"})
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
def unix_time(text: str, zone: dt.tzinfo) -> Seconds:
    """Seconds since 1970 of a date with time, or of a number of such seconds.

    A local time that occurs twice when clocks go back is the earlier one.

    Raises
    ------
    CellError
        It is neither.
    """
    matched = _TIME.fullmatch(text.strip())
    if matched is None:
        return seconds(text, "time; write it as in 2026-03-09T12:00:00")
    offset = (matched[3] or "").replace("Z", "+00:00")
    try:
        moment = dt.datetime.fromisoformat(f"{matched[1]}T{matched[2].replace(',', '.')}{offset}")
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        passed = moment - _ZERO
    except (ValueError, OverflowError):
        raise CellError(f"{quoted(text)} is not an existing time; correct it") from None
    whole = passed.days * 86_400 + passed.seconds
    return whole + Decimal(passed.microseconds).scaleb(-6) if passed.microseconds else whole


def seconds(text: str, kind: str = "number; write one") -> Seconds:
    """Return a number of seconds.

    Raises
    ------
    CellError
        It is not a number, or beyond all times.
    """
    matched = _NUMBER.fullmatch(text.strip())
    if matched is None:
        raise CellError(f"{quoted(text)} is not a {kind}")
    value = Decimal(matched[0])
    if not -LATEST_S < value < LATEST_S:
        raise CellError(f"{quoted(text)} is beyond 2**38 s (about 8,700 years); correct it")
    return int(value) if value == int(value) else value


@lru_cache(_CACHED)
def duration(text: str, bare: int = 1) -> Seconds:
    """Seconds of ``1-02:03:04``, ``02:03:04``, ``02:03.123``, ``1-02`` or a bare number.

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
        return seconds(text, "duration; write seconds, or as in 1-02:03:04") * bare
    matched = _DURATION.fullmatch(text)
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


def time_limit(text: str) -> Seconds:
    """Return a time limit [s], ``MISSING`` where it is the partition's, unlimited or not known.

    A bare number is one of minutes, as everywhere in Slurm.

    Raises
    ------
    CellError
        It is none.
    """
    if text.strip().lower() in NO_LIMIT or is_unknown(text):
        return MISSING
    return duration(text, bare=60)


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


def whole_seconds(value: Seconds) -> int:
    """Seconds without a fraction, halves up.

    Examples
    --------
    >>> whole_seconds(Decimal("2.5")), whole_seconds(Decimal("-0.4"))
    (3, 0)
    """
    return value if isinstance(value, int) else int(value.to_integral_value(ROUND_HALF_UP))
