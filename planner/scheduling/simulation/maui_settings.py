"""The settings of a Maui-like scheduler that have an effect, in words and numbers."""

from __future__ import annotations

from collections.abc import Iterator

from planner.finding import Fact, Value
from planner.table import Table, table
from scenarios.maui.settings import PARTIES, MauiConfiguration, Party

_WEIGHTS = (
    ("service", "queue_time", "minute in the queue"),
    ("service", "expansion_factor", "unit of (queue time + estimate) / estimate"),
    ("service", "bypass", "later job that overtook it"),
    ("resource", "processors", "processor"),
    ("resource", "wall_time", "second of the estimate"),
    ("fairshare", "user", "unit of share that the user is below the target"),
    ("fairshare", "group", "unit of share that the group is below the target"),
    ("fairshare", "queue", "unit of share that the queue is below the target"),
)


def shared_by(maui: MauiConfiguration) -> list[Party]:
    """Return the kinds of party whose share of the machine counts for the priority."""
    weights = maui.priority.fairshare
    return [party for party in PARTIES if weights.weight * getattr(weights, party)]


def maui_facts(maui: MauiConfiguration) -> Iterator[Fact]:
    """The settings of a scheduler that have an effect, but for the weights of its priority."""
    backfill, fairshare = maui.backfill, maui.fairshare
    yield Fact("scheduler", maui.name, "text")
    yield Fact("iteration", maui.iteration_s, "s given")
    yield Fact("backfill", backfill.policy, "backfill")
    yield Fact("reservations", backfill.reservations, "count")
    if backfill.depth is not None:
        yield Fact("backfill_depth", backfill.depth, "count")
    if shared_by(maui):
        yield Fact("windows", fairshare.windows, "count")
        yield Fact("window", fairshare.window_s, "s given")
        yield Fact("decay", fairshare.decay, "number")
    if maui.throttles:
        yield Fact("throttles", len(maui.throttles), "count")


def maui_tables(maui: MauiConfiguration) -> Iterator[Table]:
    """The weights of the priority, and the target shares."""
    yield table("weights of the priority", {"weight": "point", "points": "number",
                "names": "count", "source": "quotation"}, _priority(maui))  # fmt: skip
    yield table("target shares", {"party": "party", "name": "text", "target": "share"},
                _targets(maui))  # fmt: skip


def _priority(maui: MauiConfiguration) -> Iterator[dict[str, Value]]:
    """Every weight of the priority that is not 0: points per unit, and where it is from."""
    for component, name, _ in _WEIGHTS:
        part = getattr(maui.priority, component)
        if points := part.weight * getattr(part, name):
            source = part.source or maui.source or None
            yield {"weight": f"{component} {name}", "points": points, "source": source}
    for party in PARTIES:
        if named := getattr(maui.priority.credential, party):
            yield {"weight": f"credential {party}", "points": None, "names": len(named)}


def _targets(maui: MauiConfiguration) -> Iterator[dict[str, Value]]:
    """The target shares of users, groups and queues whose shares count."""
    for party in shared_by(maui):
        for name, target in getattr(maui.fairshare, party).items():
            yield {"party": party, "name": name, "target": target}
