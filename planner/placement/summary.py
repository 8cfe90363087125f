"""Amounts, and what a placement gains, in words: the same on the command line and in reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from planner.formatting import Rounding, duration, durations, percent, plural, rounded
from planner.placement.costs import Weight
from solvers.partition.outcome import TOLERANCE, closed
from solvers.portable import order_of_ten

if TYPE_CHECKING:
    from planner.placement.placement import Placement

_NOTICED = 0.01

Comparison = Literal["silent", "better", "same", "worse"]
"""Nothing is exchanged; the placement costs less than the default mapping, the same, or more."""

_BYTES = (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
_MESSAGES = (("billion messages", 1e9), ("million messages", 1e6))
_TIMES = (("s", 1e6), ("ms", 1e3))
_SECOND_US = 1e6
_LONGEST_SECONDS = 120
_MOST_PLACES = 6
_LESS: dict[Weight, str] = {
    "bytes": "fewer bytes between nodes",
    "messages": "fewer messages between nodes",
    "signed": "less time lost between nodes",
    "paper": "less of the published cost between nodes",
}
_LESS_LEVELS: dict[Weight, str] = {
    "bytes": "fewer bytes weighted by distance",
    "messages": "fewer messages weighted by distance",
    "signed": "less time for all messages",
}
_METHODS = {
    "order": "the default mapping",
    "kl": "Kernighan-Lin",
    "networkx-kl": "Kernighan-Lin of networkx",
    "matching": "maximum-weight matching",
    "dynamic": "dynamic programming over subsets",
    "subsets": "dynamic programming over subsets",
    "ilp": "integer programming",
    "reference (cbc)": "the reference formulation, solved by CBC",
    "reference (highs)": "the reference formulation, solved by HiGHS",
    "reference-kl": "Kernighan-Lin as published",
    "multilevel": "multilevel bisection",
    "metis": "METIS, repaired and refined",
    "annealing": "simulated annealing",
    "inwards": "partitioning into nodes first, then within nodes",
    "outwards": "filling the innermost units first",
    "swaps": "pairwise swaps",
}
COSTS: dict[Weight, str] = {
    "bytes": "bytes",
    "messages": "messages",
    "signed": "time lost between nodes",
    "paper": "published cost",
}
CROSS: dict[Weight, str] = {
    "bytes": "cross between nodes",
    "messages": "cross between nodes",
    "signed": "are lost between nodes",
    "paper": "of published cost lie between nodes",
}


def amount(value: float, unit: str, digits: int = 4) -> str:
    """A weight with its unit, in ``digits`` significant digits.

    Examples
    --------
    >>> amount(329384160.0, "B"), amount(12345.0, "messages"), amount(1.25e6, "messages")
    ('329.4 MB', '12,345 messages', '1.25 million messages')
    >>> amount(2.5e6, "us"), amount(-1500.0, "us"), amount(0.25, "")
    ('2.5 s', '−1.5 ms', '0.25')
    """  # noqa: RUF002 - a minus sign
    if value < 0:
        return f"−{amount(-value, unit, digits)}"  # noqa: RUF001
    if unit == "messages" and value < 1e6:
        return f"{value:,.0f} message{'' if value == 1 else 's'}"
    sizes = {"B": _BYTES, "us": _TIMES, "messages": _MESSAGES}
    for name, size in sizes.get(unit, ()):
        if float(f"{value:.{digits}g}") >= size:
            return f"{_rounded(value / size, digits)} {name}"
    return f"{_rounded(value, digits)} {unit}".strip()


def _rounded(value: float, digits: int) -> str:
    short = float(f"{value:.{digits}g}")
    if short < 10**digits:
        return f"{short:,.{digits}g}"
    return f"{value:,.0f}" if short < 1e15 else f"{short:g}"


def amounts(unit: str, *values: float) -> tuple[str, ...]:
    """Weights that are compared: in one unit, with equal decimals, and with enough to differ.

    Examples
    --------
    >>> amounts("B", 329384160.0, 1.2e9), amounts("B", 0.0, 8e8), amounts("messages", 1, 1500)
    (('0.33 GB', '1.20 GB'), ('0 MB', '800 MB'), ('1 message', '1,500 messages'))
    >>> amounts("us", 7.2e9, 1.44e10), amounts("us", -1500.0, 2000.0)
    (('2.00 h', '4.00 h'), ('−1.50 ms', '2.00 ms'))
    """  # noqa: RUF002 - a minus sign
    largest = max(map(abs, values), default=0.0)
    smallest = min((abs(value) for value in values if value), default=0.0)
    if unit == "us" and largest > _LONGEST_SECONDS * _SECOND_US:
        times = durations(*(value / _SECOND_US for value in values))
        return tuple(time.replace("-", "−") for time in times)  # noqa: RUF001
    sizes = {"B": _BYTES, "us": _TIMES, "messages": _MESSAGES}
    name, size = next(
        ((n, s) for n, s in sizes.get(unit, ()) if largest >= s and smallest >= s / 1000),
        (unit, 1.0),
    )
    whole = size == 1 and all(value == int(value) for value in values)
    places = 0 if whole else max(0, 2 - _order(largest / size))
    if smallest and not whole:
        places = max(places, min(_MOST_PLACES, 1 - _order(smallest / size)))
    texts = _alike(values, size, places)
    while len(set(texts)) < len(set(values)) and places < _MOST_PLACES:
        places += 1
        texts = _alike(values, size, places)
    return tuple(
        f"{text} {'message' if (text, name) == ('1', 'messages') else name}".strip()
        for text in texts
    )


def _order(value: float) -> int:
    """Digits before the point, but for one."""
    return order_of_ten(value) if value > 0 else 0


def _alike(values: Sequence[float], size: float, places: int) -> list[str]:
    return [rounded(value / size, places) for value in values]


def shown(placed: Placement, weight: float) -> str:
    """A cost with its unit."""
    if placed.costs.unit == "us" and abs(weight) > _LONGEST_SECONDS * _SECOND_US:
        return duration(weight / _SECOND_US).replace("-", "−")  # noqa: RUF001 - a minus sign
    return amount(weight, placed.costs.unit)


def shown_alike(placed: Placement, *weights: float) -> tuple[str, ...]:
    """Costs that are compared, in one unit and with equal decimals."""
    return amounts(placed.costs.unit, *weights)


def summary(placed: Placement, headline: str | None = None) -> str:
    """The answer in words: what to do, by how much it helps, its certificate, and the method.

    Parameters
    ----------
    placed
        The placement.
    headline
        What to do, where a comparison with other algorithms knows better than the placement alone.
    """
    lines = (headline or _alone(placed), details(placed), certificate_text(placed), finder(placed))
    return " ".join(filter(None, lines))


def _alone(placed: Placement) -> str:
    """The headline where no other algorithm was tried."""
    if placed.partition.method == "order" and comparison(placed) == "same" and not proved(placed):
        return "Only the default mapping was evaluated; another method may find a better one."
    return sentence(placed)


def sentence(placed: Placement) -> str:
    """What to do, as a headline."""
    nodes = plural(placed.nodes.count, "node")
    is_ = comparison(placed)
    if placed.moved_by_pins and is_ != "better":
        return f"Use the generated rank file on {nodes}: the default mapping breaks the pins."
    if is_ == "silent":
        return "Keep the default mapping: no two ranks exchange messages that were counted."
    if is_ == "better":
        if slight(placed) and not placed.moved_by_pins:
            return f"Keep the default mapping: a rank file gives only {_gained(placed)}."
        return (
            f"Use the generated rank file on {nodes}: {_gained(placed)} than the default mapping."
        )
    if is_ == "worse":
        return f"Keep the default mapping: no grouping found on {nodes} is as good."
    if placed.hierarchical and not placed.summed and not placed.in_order:
        return (
            "Keep the default mapping between nodes; the rank file moves ranks within nodes only."
        )
    if proved(placed):
        return f"Keep the default mapping: no grouping on {nodes} is better (proven optimal)."
    return f"Keep the default mapping: no better grouping was found on {nodes}."


def details(placed: Placement) -> str:
    """The amounts behind the headline: between nodes, then over all levels."""
    is_ = comparison(placed)
    if is_ == "silent":
        return ""
    lines = [_between(placed)]
    if placed.summed:
        value, order = value_of(placed), order_value_of(placed)
        if is_ == "same":
            lines.append(f"Over all levels: {shown(placed, value)} {goal(placed)}.")
        else:
            now, then = shown_alike(placed, value, order)
            lines.append(f"Over all levels: {now} {goal(placed)}, against {then}.")
    return " ".join(lines)


def _between(placed: Placement) -> str:
    """What crosses between nodes, as placed and with the default mapping."""
    cut, before = placed.partition.cut, placed.rank_order
    if abs(cut - before) <= cut_tolerance_of(placed):
        text = f"Between nodes: {shown(placed, cut)}"
        return f"{text}, as with the default mapping."
    now, then = shown_alike(placed, cut, before)
    return f"Between nodes: {now}, against {then} with the default mapping."


def _gained(placed: Placement) -> str:
    """What is gained between nodes; where nothing is, over all levels."""
    cut, before = placed.partition.cut, placed.rank_order
    if not placed.summed or before - cut > cut_tolerance_of(placed):
        return f"{_less(placed, before, cut)} {_LESS[placed.costs.weight]}"
    value, order = value_of(placed), order_value_of(placed)
    return f"{_less(placed, order, value)} {_LESS_LEVELS[placed.costs.weight]}"


def goal(placed: Placement) -> str:
    """What is minimised, to follow an amount."""
    if not placed.summed:
        return "between nodes"
    if placed.costs.weight == "signed":
        return "for all messages"
    return "weighted by distance"


def _less(placed: Placement, order: float, value: float) -> str:
    gained = order - value
    if order <= 0:
        return shown(placed, gained)
    return less_by(gained / order)


def less_by(share: float, rounding: Rounding = "nearest") -> str:
    """How much less, in per cent with one decimal, so that the same number reads the same.

    Examples
    --------
    >>> less_by(396 / 404), less_by(396 / 404, "up"), less_by(0.0012), less_by(1.0)
    ('98.0 %', '98.1 %', '0.1 %', '100 %')
    """
    return percent(share, rounding, places=1 if 0.0095 <= share < 0.9995 else None)


def certificate_text(placed: Placement) -> str:
    """How far the placement can be from the optimum."""
    who = "placement" if placed.summed else "grouping"
    is_ = comparison(placed)
    if is_ == "silent":
        return ""
    if proved(placed):
        return "" if is_ == "same" else f"Proven optimal: no {who} is better."
    if not np.isfinite(bound_of(placed)):
        return f"Not proven optimal: how much better another {who} could be is not known."
    bound = f"proven limit: {shown(placed, bound_of(placed))} {goal(placed)}"
    gap = gap_of(placed)
    if not np.isfinite(gap):
        return f"Not proven optimal ({bound})."
    return (
        f"Not proven optimal: another {who} could have at most {less_by(gap, 'up')} less ({bound})."
    )


def finder(placed: Placement) -> str:
    """What found a placement, where it is not the default mapping."""
    if comparison(placed) in ("silent", "same"):
        return ""
    return f"Found by {method_text(placed.partition.method)}."


def method_text(methods: str) -> str:
    """Algorithms by the names that people know, in the order in which they ran.

    Examples
    --------
    >>> method_text("kl"), method_text("inwards, swaps")
    ('Kernighan-Lin', 'partitioning into nodes first, then within nodes, then pairwise swaps')
    """
    return ", then ".join(_METHODS.get(method, method) for method in methods.split(", "))


def value_of(placement: Placement) -> float:
    """What a placement was made for: least cut, or with a hierarchy least cost over all levels."""
    return placement.total if placement.summed else placement.partition.cut


def order_value_of(placement: Placement) -> float:
    """The same for the default mapping."""
    return placement.total_rank_order if placement.summed else placement.rank_order


def bound_of(placement: Placement) -> float:
    """What it says that none is below; minus infinity where nothing is known."""
    return placement.total_bound if placement.summed else placement.partition.bound


def tolerance_of(placement: Placement) -> float:
    """Values nearer than this are the same."""
    return TOLERANCE * sum(graph.size for graph in placement.levels.graphs)


def cut_tolerance_of(placement: Placement) -> float:
    """The same for what crosses between nodes."""
    return TOLERANCE * placement.graph.size


def proved(placement: Placement) -> bool:
    """Whether no placement has less, but for rounding."""
    return closed(value_of(placement), bound_of(placement))


def gap_of(placement: Placement) -> float:
    """How much less, as a share, is not ruled out; infinite where that is not known."""
    if proved(placement):
        return 0.0
    value = value_of(placement)
    return (value - bound_of(placement)) / value if value > 0 else np.inf


def comparison(placement: Placement) -> Comparison:
    """Whether the placement is better than the default mapping."""
    if not placement.graph.edges:
        return "silent"
    gained = order_value_of(placement) - value_of(placement)
    if abs(gained) <= tolerance_of(placement):
        return "same"
    return "better" if gained > 0 else "worse"


def slight(placement: Placement) -> bool:
    """Whether less than a hundredth is gained, which nobody will notice."""
    order = order_value_of(placement)
    little = order - value_of(placement) < _NOTICED * abs(order)
    between = placement.rank_order - placement.partition.cut < _NOTICED * abs(placement.rank_order)
    return comparison(placement) == "better" and little and between


def is_late(algorithm: str, levels: int, limit_s: float | None, seconds: float | None) -> bool:
    """Whether an algorithm may have stopped at its limit of time, so that another run may differ.

    Parameters
    ----------
    algorithm
        Its name.
    levels
        Number of levels of parting; with several, each may stop at its share of the limit.
    limit_s, seconds
        The limit, and what it took.
    """
    # These ignore the limit; inside nodes, other algorithms replace the exact ones.
    untimed = {"order"} if levels > 1 else {"order", "dynamic", "matching"}
    if limit_s is None or seconds is None or algorithm in untimed:
        return False
    return seconds >= limit_s / max(1, levels)
