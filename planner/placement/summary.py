"""Amounts, and what a placement gains, in words: the same on the command line and in reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from planner.formatting import percent, plural
from planner.placement.costs import Weight
from solvers.partition.outcome import TOLERANCE, closed

if TYPE_CHECKING:
    from planner.placement.placement import Placement

_NOTICED = 0.01

Verdict = Literal["silent", "better", "same", "worse"]
"""Nothing is exchanged; the placement costs less than the order of ranks, as much, or more."""

_BYTES = (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
_MESSAGES = (("billion messages", 1e9), ("million messages", 1e6))
_TIMES = (("s", 1e6), ("ms", 1e3))
_LEFT: dict[Weight, str] = {
    "bytes": "fewer bytes over the network",
    "messages": "fewer messages over the network",
    "signed": "less time lost between nodes",
    "paper": "less of the paper's cost between nodes",
}
_LEFT_LEVELS: dict[Weight, str] = {
    "bytes": "fewer bytes times distance",
    "messages": "fewer messages times distance",
    "signed": "less time for all messages, one after the other,",
}
_METHODS = {
    "order": "the order of ranks",
    "kl": "Kernighan-Lin",
    "networkx-kl": "Kernighan-Lin of networkx",
    "matching": "a matching",
    "dynamic": "dynamic programming over subsets",
    "subsets": "dynamic programming over subsets",
    "ilp": "an integer program",
    "reference (cbc)": "the reference formulation, solved by CBC",
    "reference (highs)": "the reference formulation, solved by HiGHS",
    "reference-kl": "Kernighan-Lin as published",
    "multilevel": "halving level by level",
    "metis": "METIS, repaired and refined",
    "annealing": "annealing",
    "inwards": "cutting nodes first, then what lies within",
    "outwards": "filling the innermost units first",
    "swaps": "swaps",
}
COSTS: dict[Weight, str] = {
    "bytes": "bytes",
    "messages": "messages",
    "signed": "time lost between nodes",
    "paper": "cost of the paper",
}
CROSS: dict[Weight, str] = {
    "bytes": "cross between nodes",
    "messages": "cross between nodes",
    "signed": "are lost between nodes",
    "paper": "are cut between nodes",
}


def amount(value: float, unit: str, digits: int = 4) -> str:
    """A weight with so many telling digits.

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


def shown(placed: Placement, weight: float) -> str:
    """A cost with its unit."""
    return amount(weight, placed.costs.unit)


def summary(placed: Placement) -> str:
    """The answer in words: what to do, how sure that is, and what found it."""
    lines = (sentence(placed), sureness(placed), finder(placed))
    return " ".join(filter(None, lines))


def sentence(placed: Placement) -> str:
    """What to do, in one sentence."""
    program = f"the program of {placed.communication.name}"
    where = f"{program} on {plural(placed.nodes.count, 'node')}"
    order = _with_levels(placed, placed.rank_order, order_value_of(placed))
    is_ = verdict(placed)
    if placed.moved_by_pins and is_ != "better":
        value = _with_levels(placed, placed.partition.cut, value_of(placed))
        return (
            f"Start {where} with the rank file, which keeps the pins: {value}; in the order of "
            f"ranks, which breaks them, {order}."
        )
    if is_ == "silent":
        return (
            f"Keep the order of ranks: no two ranks of {program} exchange anything that was "
            "counted, so every grouping is as good."
        )
    if is_ == "better":
        text = _gained(placed)
        if slight(placed) and not placed.moved_by_pins:
            return f"Keep the order of ranks, or take the rank file: for {where} only {text}."
        return f"Start {where} with the rank file: {text}."
    if is_ == "worse":
        value = _with_levels(placed, placed.partition.cut, value_of(placed))
        return (
            f"Keep the order of ranks: nothing as good was found for {where} ({value}, in the "
            f"order of ranks {order})."
        )
    if placed.hierarchical and not placed.summed and not placed.in_order:
        return (
            f"Between nodes the order of ranks is as good for {where} ({order}); within nodes the "
            "rank file places tasks by the published cost."
        )
    if proved(placed):
        return (
            f"Keep the order of ranks: for {where} it is as good as any grouping, proved ({order})."
        )
    return f"Keep the order of ranks: for {where} nothing better was found ({order})."


def _with_levels(placed: Placement, cut: float, value: float) -> str:
    between = f"{shown(placed, cut)} between nodes"
    if not placed.summed:
        return between
    return f"{between}, {shown(placed, value)} {goal(placed)}"


def _gained(placed: Placement) -> str:
    """What is gained between nodes first, then over all levels."""
    cut, before = placed.partition.cut, placed.rank_order
    now, then = shown(placed, cut), shown(placed, before)
    network = f"{_less(placed, before, cut)} {_LEFT[placed.costs.weight]}"
    if not placed.summed:
        return f"{network} than in the order of ranks ({now} instead of {then})"
    value, order = value_of(placed), order_value_of(placed)
    levels = f"{_less(placed, order, value)} {_LEFT_LEVELS[placed.costs.weight]}"
    both = f"({shown(placed, value)} instead of {shown(placed, order)})"
    if before - cut > cut_tolerance_of(placed):
        return (
            f"{network} than in the order of ranks ({now} instead of {then}), and {levels} {both}"
        )
    if cut - before > cut_tolerance_of(placed):
        return (
            f"more between nodes than in the order of ranks ({now} instead of {then}), but "
            f"{levels} {both}"
        )
    return f"between nodes as much as in the order of ranks ({now}), but {levels} {both}"


def goal(placed: Placement) -> str:
    """What amounts are of, to stand behind them."""
    if not placed.summed:
        return "between nodes"
    if placed.costs.weight == "signed":
        return "for all messages"
    return "times distance"


def _less(placed: Placement, order: float, value: float) -> str:
    gained = order - value
    if order <= 0:
        return shown(placed, gained)
    saved = gained / order
    return percent(saved, places=1 if 0.0095 <= saved < 0.9995 else None)


def sureness(placed: Placement) -> str:
    """How far from the least it can be."""
    who = "placement" if placed.summed else "grouping"
    is_ = verdict(placed)
    if is_ == "silent":
        return ""
    if proved(placed):
        return "" if is_ == "same" else f"No {who} has less (proved)."
    if not np.isfinite(bound_of(placed)):
        return f"How much less another {who} has is not known."
    bound = shown(placed, bound_of(placed))
    gap = gap_of(placed)
    what = f" {goal(placed)}" if placed.summed else ""
    if not np.isfinite(gap):
        return f"No {who} has less than {bound}{what}; none in between was found."
    return (
        f"No {who} has less than {bound}{what}: another one could have at most "
        f"{percent(gap, 'up')} less, if there is one."
    )


def finder(placed: Placement) -> str:
    """What found a placement, where it is not the order of ranks."""
    if verdict(placed) in ("silent", "same"):
        return ""
    result = [_METHODS.get(method, method) for method in placed.partition.method.split(", ")]
    return f"Found by {', then '.join(result)}."


def value_of(placement: Placement) -> float:
    """What a placement was made for: least cut, or with a hierarchy least cost over all levels."""
    return placement.total if placement.summed else placement.partition.cut


def order_value_of(placement: Placement) -> float:
    """The same for the order of ranks."""
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


def verdict(placement: Placement) -> Verdict:
    """Whether the placement is better than the order of ranks."""
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
    return verdict(placement) == "better" and little and between


def is_late(algorithm: str, levels: int, limit_s: float | None, seconds: float | None) -> bool:
    """Whether an algorithm may have stopped at its limit of time, so that another run may differ.

    Parameters
    ----------
    algorithm
        Its name.
    levels
        Of parting; of several each may stop at its share of the limit.
    limit_s, seconds
        The limit, and what it took.
    """
    # These look at no clock; inside nodes others stand in for the exact ones.
    untimed = {"order"} if levels > 1 else {"order", "dynamic", "matching"}
    if limit_s is None or seconds is None or algorithm in untimed:
        return False
    return seconds >= limit_s / max(1, levels)
