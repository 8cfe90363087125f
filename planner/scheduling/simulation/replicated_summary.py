"""Policies compared over several synthetic logs, in words: who waits least, and by how much.

Times that are compared share a unit. One that this unit would show as nothing has its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from planner.formatting import durations, own_unit, plural, words
from planner.scheduling.policies.display import in_prose
from planner.scheduling.simulation.wait_text import one_unit

if TYPE_CHECKING:
    from planner.scheduling.simulation.comparison import PolicyComparison

WAIT = "mean wait (s)"
"""The quantity in JSON and in the workbook, with the unit of its values."""
ENDS = ("difference", "difference_low", "difference_high")
"""Keys of a row of differences that share a unit."""
_ROUNDING_S = 1e-9
"""Means of equal waits may differ by this in floating point."""


def shortest(
    policies: Sequence[str], waits_s: Sequence[float], logs: int, *, unsure: bool = False
) -> str:
    """Return which policies have the shortest mean wait, against the next.

    With ``unsure``, the difference between the two may be chance.

    Examples
    --------
    >>> shortest(["easy", "fcfs"], [3600.0, 48_240.0], 20)
    'Over 20 synthetic logs, EASY has the shortest mean wait: 1.0 h, against 13.4 h under FCFS.'
    >>> shortest(["easy", "fcfs"], [0.0, 0.0], 3)
    'Over 3 synthetic logs, the mean wait is equal under EASY and FCFS: 0 s.'
    """
    over = f"Over {plural(logs, 'synthetic log')}, "
    if len(policies) == 1:
        return f"{over}the mean wait under {in_prose(policies[0])} is {own_unit(waits_s[0])}."
    shortest_s = min(waits_s)
    pairs = list(zip(policies, waits_s, strict=True))
    best = [in_prose(name) for name, wait in pairs if is_equal(wait, shortest_s)]
    longer = [
        (wait, index) for index, (_, wait) in enumerate(pairs) if not is_equal(wait, shortest_s)
    ]
    if not longer:
        return f"{over}the mean wait is equal under {words(best)}: {own_unit(shortest_s)}."
    wait, index = min(longer)
    best_text, other = one_unit(shortest_s, wait)
    against = (
        f"{best_text}, against {other}"
        if best_text != other
        else f"{best_text}, {own_unit(wait - shortest_s)} less than"
    )
    verb = "has" if len(best) == 1 else "tie for"
    under = in_prose(policies[index])
    chance = " (may be chance)" if unsure else ""
    return f"{over}{words(best)} {verb} the shortest mean wait: {against} under {under}{chance}."


def difference(comparison: PolicyComparison) -> str:
    """How a mean wait differs from that of the first policy, and whether it may be chance."""
    wait = comparison.differences["wait"]
    first, second = in_prose(comparison.first), in_prose(comparison.second)
    start = f"Under {second} the mean wait"
    same = is_equal(wait.mean, 0.0)
    if wait.half_width <= _ROUNDING_S:
        how = "equals that" if same else f"is {_directed(wait.mean, own_unit(abs(wait.mean)))} than"
        return f"{start} {how} under {first} in every log."
    mean, low, high = one_unit(*map(abs, (wait.mean, wait.low, wait.high)))
    how = "equals that" if same else f"is {_directed(wait.mean, mean)} than"
    if wait.low < 0 < wait.high:
        span = f"{low} shorter to {high} longer"
    else:
        ends = (low, high) if wait.mean > 0 else (high, low)
        span = _directed(wait.mean, " to ".join(ends))
    text = f"{start} {how} under {first} (95 % interval of paired differences: {span})"
    return f"{text}." if wait.tells_apart else f"{text}; this may be chance."


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
        texts = durations(*map(abs, values), every_one=True)
    else:
        places = 2 if max(map(abs, values)) < 100 else 0
        texts = tuple(f"{abs(value):,.{places}f}" for value in values)
    value, text = row[key], texts[ENDS.index(key)]
    return text if value == 0 else f"{'+' if value > 0 else '−'}{text}"  # noqa: RUF001


def without_unit(quantity: str) -> str:
    """A quantity whose unit each value shows."""
    return quantity.removesuffix(" (s)")


def is_equal(one_s: float, other_s: float) -> bool:
    """Return whether two means are equal but for rounding."""
    return math.isclose(one_s, other_s, rel_tol=1e-12, abs_tol=_ROUNDING_S)


def _directed(difference_s: float, text: str) -> str:
    return f"{text} {'longer' if difference_s > 0 else 'shorter'}"
