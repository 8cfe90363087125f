"""The settings of a Maui-like scheduler that have an effect, in words and numbers."""

from __future__ import annotations

from collections.abc import Iterator

from planner.finding import Fact, Value
from planner.formatting import given_time, percent, plural
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
_NAMED = 3
"""Target shares that are listed."""


def shared_by(maui: MauiConfiguration) -> list[Party]:
    """Return the kinds of party whose share of the machine counts for the priority."""
    weights = maui.priority.fairshare
    return [party for party in PARTIES if weights.weight * getattr(weights, party)]


def target_of(maui: MauiConfiguration, party: Party) -> str:
    """Return the target shares of users, groups or queues.

    Examples
    --------
    >>> from scenarios.maui.settings import Fairshare, MauiConfiguration
    >>> [target_of(MauiConfiguration(name="a", fairshare=Fairshare(user=user)), "user")
    ...  for user in ({}, {"ann": 0.25, "bob": 0.5})]
    ['0 (none is set)', '25 % (ann), 50 % (bob), 0 for others']
    """
    targets: dict[str, float] = getattr(maui.fairshare, party)
    if not targets:
        return "0 (none is set)"
    named = [f"{percent(target)} ({name})" for name, target in list(targets.items())[:_NAMED]]
    more = len(targets) - len(named)
    return ", ".join([*named, *([f"{more:,} more"] if more else []), "0 for others"])


def _points(maui: MauiConfiguration) -> list[tuple[str, str]]:
    """Return each weight that is not 0, and what it counts for."""
    parts = ((getattr(maui.priority, component), name, per) for component, name, per in _WEIGHTS)
    weights = ((part.weight * getattr(part, name), per) for part, name, per in parts)
    return [(f"{weight:,g}", per) for weight, per in weights if weight]


def maui_settings(maui: MauiConfiguration) -> list[tuple[str, str]]:
    """Return a row for each setting; weights of 0 have none."""
    backfill, fairshare = maui.backfill, maui.fairshare
    rows = [("time between scheduling passes", given_time(maui.iteration_s))]
    rows += [(f"priority: points per {per}", weight) for weight, per in _points(maui)]
    credentials = [
        (f"priority: {party}s with points of their own", f"{len(names):,}")
        for party in PARTIES
        if (names := getattr(maui.priority.credential, party))
    ]
    rows += credentials or [("priority: points by name (credentials)", "none")]
    rows += [(f"fair share: target of each {party}", target_of(maui, party))
             for party in shared_by(maui)]  # fmt: skip
    if shared_by(maui):
        windows = f"{plural(fairshare.windows, 'window')} of {given_time(fairshare.window_s)}"
        rows.append(("fair share: memory", f"{windows}; decay {fairshare.decay:g}"))
    return [
        *rows,
        ("backfilling", backfill.policy),
        ("jobs at the head that must not be delayed", f"{backfill.reservations:,}"),
        *(
            []
            if backfill.depth is None
            else [("jobs that may be backfilled", f"{backfill.depth:,}")]
        ),
        (
            "limits of users, groups or queues",
            f"{len(maui.throttles):,}" if maui.throttles else "none",
        ),
    ]


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


def priority_rows(maui: MauiConfiguration) -> Iterator[dict[str, Value]]:
    """Every weight of the priority that is not 0: points per unit, and where it is from."""
    for component, name, _ in _WEIGHTS:
        part = getattr(maui.priority, component)
        if points := part.weight * getattr(part, name):
            source = part.source or maui.source or None
            yield {"weight": f"{component} {name}", "points": points, "source": source}
    for party in PARTIES:
        if named := getattr(maui.priority.credential, party):
            yield {"weight": f"credential {party}", "points": None, "names": len(named)}


def target_rows(maui: MauiConfiguration) -> Iterator[dict[str, Value]]:
    """The target shares of users, groups and queues whose shares count."""
    for party in shared_by(maui):
        for name, target in getattr(maui.fairshare, party).items():
            yield {"party": party, "name": name, "target": target}
