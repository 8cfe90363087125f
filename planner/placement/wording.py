"""Amounts, and what a placement gains, in words: the same on the command line and in reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from planner.configuration.wording import plural
from planner.placement.costs import Weight
from planner.procurement.amounts import percent

if TYPE_CHECKING:
    from planner.placement.study import PlacementStudy

_BYTES = (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3))
_MESSAGES = (("billion messages", 1e9), ("million messages", 1e6))
_TIMES = (("s", 1e6), ("ms", 1e3))
_LEFT: dict[Weight, str] = {
    "bytes": "fewer bytes cross between nodes",
    "messages": "fewer messages cross between nodes",
    "signed": "less time is lost between nodes",
    "paper": "less of the paper's cost is cut",
}
_LEFT_LEVELS: dict[Weight, str] = {
    "bytes": "fewer bytes times distance",
    "messages": "fewer messages times distance",
    "signed": "less time for all messages, one after the other,",
    "paper": "less of the paper's cost over all levels",
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
_TRAFFIC = {
    "all": "the program's own messages and those that collective operations are made of",
    "point-to-point": "the program's own messages, without those of collective operations",
    "collective": "messages that collective operations are made of",
}
_WHICH = (
    "The file does not say which kinds of messages were counted: a matrix of point-to-point "
    "messages lacks those of collective operations."
)


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


def sentence(study: PlacementStudy) -> str:
    """What to do, in one sentence."""
    placed, where = study.placement, plural(study.nodes, "node")
    name, what = placed.communication.name, goal(study)
    value, order = study.shown(study.value), study.shown(study.order_value)
    if study.verdict == "silent":
        return (
            f"Keep the order of ranks: no two ranks of {name} exchange anything that was counted, "
            "so every grouping is as good."
        )
    if study.verdict == "better":
        left = (_LEFT_LEVELS if placed.hierarchical else _LEFT)[placed.costs.weight]
        if study.slight:
            return (
                f"Keep the order of ranks, or take the rank file: for {name} on {where} only "
                f"{_less(study)} {left} than in the order of ranks ({order})."
            )
        return (
            f"Start {name} on {where} with the rank file: {_less(study)} {left} than in the order "
            f"of ranks ({value} instead of {order})."
        )
    if study.verdict == "worse":
        return (
            f"Keep the order of ranks: {study.asked.algorithm} found nothing as good for {name} on "
            f"{where} ({value} {what}, in the order of ranks {order})."
        )
    if study.proved:
        return (
            f"Keep the order of ranks: for {name} on {where} it is as good as any grouping, proved "
            f"({order} {what})."
        )
    return (
        f"Keep the order of ranks: for {name} on {where} nothing better was found ({order} {what})."
    )


def goal(study: PlacementStudy) -> str:
    """What amounts are of, to stand behind them."""
    placed = study.placement
    if not placed.hierarchical:
        return "between nodes"
    if placed.costs.weight == "signed":
        return "for all messages"
    return "over all levels" if placed.costs.weight == "paper" else "times distance"


def _less(study: PlacementStudy) -> str:
    gained = study.order_value - study.value
    if study.order_value <= 0:
        return study.shown(gained)
    saved = gained / study.order_value
    return percent(saved, places=1 if 0.0095 <= saved < 0.9995 else None)


def sureness(study: PlacementStudy) -> str:
    """How far from the least it can be."""
    who = "placement" if study.placement.hierarchical else "grouping"
    if study.verdict == "silent":
        return ""
    if study.proved:
        return "" if study.verdict == "same" else f"No {who} has less (proved)."
    if not np.isfinite(study.bound):
        return f"How much less another {who} has is not known."
    bound = study.shown(study.bound)
    if not np.isfinite(study.gap):
        return f"No {who} has less than {bound}; none in between was found."
    return (
        f"No {who} has less than {bound}: another one could have at most "
        f"{percent(study.gap, 'up')} less, if there is one."
    )


def counted(study: PlacementStudy) -> list[str]:
    """Which messages were counted, and which were not."""
    found = study.placement.communication
    lines = [_kinds(study)]
    own = float(found.self_bytes.sum())
    own_messages = None if found.self_messages is None else float(found.self_messages.sum())
    if own or own_messages:
        told = amount(own, "B") + (
            "" if own_messages is None else f" in {amount(own_messages, 'messages')}"
        )
        lines.append(
            f"What ranks send to themselves ({told}) is left out: no placement changes it."
        )
    else:
        lines.append("No rank sends anything to itself.")
    silent = found.silent.tolist()
    if silent:
        listed = ", ".join(map(str, silent[:12])) + (", ..." if len(silent) > 12 else "")
        verb = "exchanges" if len(silent) == 1 else "exchange"
        lines.append(
            f"{plural(len(silent), 'rank')} of {found.ranks:,} {verb} nothing with others "
            f"({listed}); they fill what is left."
        )
    else:
        lines.append(f"Each of the {found.ranks:,} ranks exchanges something with another.")
    return lines


def _kinds(study: PlacementStudy) -> str:
    found = study.placement.communication
    if not found.pairs:
        return f"No two ranks exchange anything. {_WHICH}"
    messages = None if found.messages is None else float(found.messages.sum())
    told = amount(found.total_bytes, "B") + (
        ", numbers of messages are not known" if messages is None
        else f" in {amount(messages, 'messages')}"
    )  # fmt: skip
    verb = "exchanges" if found.pairs == 1 else "exchange"
    pairs = f"{plural(found.pairs, 'pair')} of ranks {verb}"
    if found.form == "monitoring":
        return f"{pairs} {told}: {_TRAFFIC[study.asked.traffic]}."
    return f"{pairs} {told}, both directions together. {_WHICH}"


def warnings(study: PlacementStudy) -> list[str]:
    """What a reader of the figures must know."""
    found = list(study.placement.warnings)
    best = min(study.tried, key=lambda each: each.value)
    if study.value - best.value > study.tolerance:
        found.append(
            f"another algorithm found less, {study.shown(best.value)}: take --algorithm {best.name}"
        )
    late = [each.name for each in study.tried if each.late]
    if any(each.late for each in study.sizes):
        late.append("other numbers of tasks on a node")
    if late:
        found.append(
            f"stopped at the limit of {study.asked.time_limit_s:g} s: {', '.join(late)}; another "
            "run may find other groups or bounds, and more time may prove more"
        )
    found += [
        f"by --cost {each.weight} these groups are worse than the order of ranks: "
        f"{amount(each.cut, each.unit)} instead of {amount(each.rank_order, each.unit)}"
        for each in study.others
        if each.worse
    ]
    return list(dict.fromkeys(found))
