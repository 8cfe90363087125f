"""Policies compared over several synthetic logs, in words: who waits least, and by how much.

Times that are compared share a unit. One that this unit would show as nothing has its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planner.formatting import duration, durations, plural, words

if TYPE_CHECKING:
    from planner.scheduling.simulation.comparison import PolicyComparison

WAIT = "mean wait (s)"
"""The quantity in JSON and in the workbook, with the unit of its values."""
ENDS = ("difference", "difference_low", "difference_high")
"""Keys of a row of differences that share a unit."""
_ROUNDING_S = 1e-9
"""Means of equal waits may differ by this in floating point."""


def shortest(policies: Sequence[str], waits_s: Sequence[float], logs: int) -> str:
    """Return which policies have the shortest mean wait, against the next.

    Examples
    --------
    >>> shortest(["easy", "fcfs"], [3600.0, 48_240.0], 20)
    'Over 20 synthetic logs, easy has the shortest mean wait: 1.0 h, against 13.4 h under fcfs.'
    >>> shortest(["easy", "fcfs"], [0.0, 0.0], 3)
    'Over 3 synthetic logs, the mean wait is equal under easy and fcfs: 0.00 s.'
    """
    over = f"Over {plural(logs, 'synthetic log')}, "
    if len(policies) == 1:
        return f"{over}the mean wait under {policies[0]} is {duration(waits_s[0])}."
    shortest_s = min(waits_s)
    best = [name for name, wait in zip(policies, waits_s, strict=True) if _equal(wait, shortest_s)]
    longer = [(wait, index) for index, wait in enumerate(waits_s) if policies[index] not in best]
    if not longer:
        return f"{over}the mean wait is equal under {words(best)}: {duration(shortest_s)}."
    wait, index = min(longer)
    best_text, other = _compared(shortest_s, wait)
    against = (
        f"{best_text}, against {other}"
        if best_text != other
        else f"{best_text}, {_own(wait - shortest_s)} less than"
    )
    verb = "has" if len(best) == 1 else "tie for"
    return f"{over}{words(best)} {verb} the shortest mean wait: {against} under {policies[index]}."


def difference(comparison: PolicyComparison) -> str:
    """How a mean wait differs from that of the first policy, and whether it may be chance."""
    wait = comparison.differences["wait"]
    start = f"Under {comparison.second} the mean wait"
    same = _equal(wait.mean, 0.0)
    if wait.half_width <= _ROUNDING_S:
        how = "equals that" if same else f"is {_directed(wait.mean, duration(abs(wait.mean)))} than"
        return f"{start} {how} under {comparison.first} in every log."
    mean, low, high = _compared(*map(abs, (wait.mean, wait.low, wait.high)))
    how = "equals that" if same else f"is {_directed(wait.mean, mean)} than"
    if wait.low < 0 < wait.high:
        span = f"{low} shorter to {high} longer"
    else:
        ends = (low, high) if wait.mean > 0 else (high, low)
        span = _directed(wait.mean, " to ".join(ends))
    text = f"{start} {how} under {comparison.first} (95 % interval of paired differences: {span})"
    return f"{text}." if wait.tells_apart else f"{text}, which may be chance."


def signed_difference(row: Mapping[str, Any], key: str) -> str:
    """One of a row's difference and the ends of its interval, in the unit that suits all three.

    Examples
    --------
    >>> row = {"quantity": WAIT, "difference": 7380.0, "difference_low": -60.0,
    ...        "difference_high": 36_000.0}
    >>> [signed_difference(row, key) for key in ENDS]
    ['+2.05 h', '−0.02 h', '+10.00 h']
    """  # noqa: RUF002 - a minus sign
    values = [row[end] for end in ENDS]
    if row["quantity"] == WAIT:
        texts = durations(*map(abs, values), each_told=True)
    else:
        places = 2 if max(map(abs, values)) < 100 else 0
        texts = tuple(f"{abs(value):,.{places}f}" for value in values)
    value, text = row[key], texts[ENDS.index(key)]
    return text if value == 0 else f"{'+' if value > 0 else '−'}{text}"  # noqa: RUF001


def without_unit(quantity: str) -> str:
    """A quantity whose unit each value shows."""
    return quantity.removesuffix(" (s)")


def _equal(one_s: float, other_s: float) -> bool:
    return math.isclose(one_s, other_s, rel_tol=1e-12, abs_tol=_ROUNDING_S)


def _directed(difference_s: float, text: str) -> str:
    return f"{text} {'longer' if difference_s > 0 else 'shorter'}"


def _compared(*times_s: float) -> tuple[str, ...]:
    """Times in one unit, but one that this would show as 0 in its own."""
    pairs = zip(durations(*times_s), times_s, strict=True)
    return tuple(_own(time_s) if time_s and _nothing(text) else text for text, time_s in pairs)


def _own(time_s: float) -> str:
    """A time in its own unit."""
    text = duration(time_s)
    return "less than 0.01 s" if time_s and _nothing(text) else text


def _nothing(text: str) -> bool:
    return not any(digit in "123456789" for digit in text)
