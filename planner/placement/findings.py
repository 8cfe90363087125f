"""What a comparison of placements found, in sentences: the same on every page and in JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.formatting import plural
from planner.placement.summary import amount, goal, sentence, shown_alike

if TYPE_CHECKING:
    from planner.placement.compared import Tried
    from planner.placement.result import PlacementResult

_TRAFFIC = {
    "all": "point-to-point messages and those inside collective operations",
    "point-to-point": "point-to-point messages, without those inside collective operations",
    "collective": "messages inside collective operations only",
}
_WHICH = (
    "The file of messages does not state whether messages inside collective operations were "
    "counted. If they were not, the placement ignores them."
)


def headline(study: PlacementResult) -> str:
    """What to do, in one sentence."""
    best = better_one(study)
    if best is None:
        return sentence(study.placement)
    placed = study.placement
    less, own = shown_alike(placed, best.value, study.value)
    return (
        f"Use the method {best.name}: its mapping has {less} {goal(placed)}, against {own} with "
        f"the method {study.settings.algorithm}."
    )


def better_one(study: PlacementResult) -> Tried | None:
    """The best other algorithm, where it found less and the selected one gains nothing."""
    best = min(study.tried, key=lambda each: each.value)
    if study.comparison not in ("same", "worse") or study.value - best.value <= study.tolerance:
        return None
    return best


def counted(study: PlacementResult) -> list[str]:
    """Which messages were counted, and which were not."""
    communication = study.placement.communication
    lines = [exchanged(study)]
    own = float(communication.self_bytes.sum())
    own_messages = (
        None if communication.self_messages is None else float(communication.self_messages.sum())
    )
    if own or own_messages:
        text = amount(own, "B") + (
            "" if own_messages is None else f" in {amount(own_messages, 'messages')}"
        )
        lines.append(
            f"Messages of ranks to themselves ({text}) are excluded: no placement changes them."
        )
    else:
        lines.append("No rank sends messages to itself.")
    lines.append(
        f"Counted: {_TRAFFIC[study.settings.traffic]}."
        if communication.form == "monitoring"
        else _WHICH
    )
    silent = communication.silent.tolist()
    if silent:
        listed = ", ".join(map(str, silent[:12])) + (", ..." if len(silent) > 12 else "")
        verb = "exchanges" if len(silent) == 1 else "exchange"
        lines.append(
            f"{plural(len(silent), 'rank')} of {communication.ranks:,} {verb} nothing with others "
            f"({listed}); {'it fills a' if len(silent) == 1 else 'they fill'} free "
            f"{'slot' if len(silent) == 1 else 'slots'}."
        )
    else:
        lines.append(f"Each of the {communication.ranks:,} ranks exchanges messages with others.")
    return lines


def exchanged(study: PlacementResult) -> str:
    """How much the ranks exchange, in which messages."""
    communication = study.placement.communication
    if not communication.pairs:
        return "No two ranks exchange messages."
    messages = None if communication.messages is None else float(communication.messages.sum())
    kinds = amount(communication.total_bytes, "B") + (
        " (message counts unknown)" if messages is None
        else f" in {amount(messages, 'messages')}"
    )  # fmt: skip
    verb = "exchanges" if communication.pairs == 1 else "exchange"
    pairs = f"{plural(communication.pairs, 'pair')} of ranks {verb}"
    if communication.form == "monitoring":
        return f"{pairs} {kinds}."
    return f"{pairs} {kinds}, in both directions together."
