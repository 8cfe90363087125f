"""What a comparison of placements found, in sentences: the same on every page and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import plural
from planner.placement.summary import amount, goal, sentence, shown

if TYPE_CHECKING:
    from planner.placement.result import PlacementResult

_TRAFFIC = {
    "all": "the program's own messages and those that collective operations are made of",
    "point-to-point": "the program's own messages, without those of collective operations",
    "collective": "messages that collective operations are made of",
}
_WHICH = (
    "The file does not say which kinds of messages were counted: a matrix of point-to-point "
    "messages lacks those of collective operations."
)


def headline(study: PlacementResult) -> str:
    """What to do, in one sentence."""
    return _better_one(study) or sentence(study.placement)


def _better_one(study: PlacementResult) -> str:
    """What to do where another algorithm found less, and the one asked for gains nothing."""
    best = min(study.tried, key=lambda each: each.value)
    if study.verdict not in ("same", "worse") or study.value - best.value <= study.tolerance:
        return ""
    placed = study.placement
    return (
        f"Take --method {best.name}: it found {shown(placed, best.value)} {goal(placed)} "
        f"for the program of {placed.communication.name}, {study.settings.algorithm} "
        f"{shown(placed, study.value)}, the order of ranks {shown(placed, study.order_value)}."
    )


def counted(study: PlacementResult) -> list[str]:
    """Which messages were counted, and which were not."""
    communication = study.placement.communication
    lines = [_kinds(study)]
    own = float(communication.self_bytes.sum())
    own_messages = (
        None if communication.self_messages is None else float(communication.self_messages.sum())
    )
    if own or own_messages:
        text = amount(own, "B") + (
            "" if own_messages is None else f" in {amount(own_messages, 'messages')}"
        )
        lines.append(
            f"What ranks send to themselves ({text}) is left out: no placement changes it."
        )
    else:
        lines.append("No rank sends anything to itself.")
    silent = communication.silent.tolist()
    if silent:
        listed = ", ".join(map(str, silent[:12])) + (", ..." if len(silent) > 12 else "")
        verb = "exchanges" if len(silent) == 1 else "exchange"
        lines.append(
            f"{plural(len(silent), 'rank')} of {communication.ranks:,} {verb} nothing with others "
            f"({listed}); they fill what is left."
        )
    else:
        lines.append(f"Each of the {communication.ranks:,} ranks exchanges something with another.")
    return lines


def _kinds(study: PlacementResult) -> str:
    communication = study.placement.communication
    if not communication.pairs:
        return f"No two ranks exchange anything. {_WHICH}"
    messages = None if communication.messages is None else float(communication.messages.sum())
    kinds = amount(communication.total_bytes, "B") + (
        ", numbers of messages are not known" if messages is None
        else f" in {amount(messages, 'messages')}"
    )  # fmt: skip
    verb = "exchanges" if communication.pairs == 1 else "exchange"
    pairs = f"{plural(communication.pairs, 'pair')} of ranks {verb}"
    if communication.form == "monitoring":
        return f"{pairs} {kinds}: {_TRAFFIC[study.settings.traffic]}."
    return f"{pairs} {kinds}, both directions together. {_WHICH}"
