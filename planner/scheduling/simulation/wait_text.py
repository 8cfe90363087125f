"""Times that are compared, in one unit."""

from __future__ import annotations

from planner.formatting import durations, own_unit


def one_unit(*times_s: float) -> tuple[str, ...]:
    """Times in one unit with equal digits; a time that this would show as 0 has its own unit.

    Examples
    --------
    >>> one_unit(3600.0, 48_240.0), one_unit(0.5, 48_240.0)
    (('1.0 h', '13.4 h'), ('0.50 s', '13.4 h'))
    """
    pairs = zip(durations(*times_s), times_s, strict=True)
    return tuple(own_unit(time_s) if time_s and _nothing(text) else text for text, time_s in pairs)


def _nothing(text: str) -> bool:
    return not any(digit in "123456789" for digit in text)
