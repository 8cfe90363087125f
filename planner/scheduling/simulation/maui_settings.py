"""The settings of a Maui-like scheduler that have an effect, in words and numbers."""

from __future__ import annotations

from planner.formatting import given_time, plural
from scenarios.maui.settings import PARTIES, MauiConfiguration

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


def maui_settings(maui: MauiConfiguration) -> list[tuple[str, str]]:
    """Return a row for each setting; weights of 0 have none."""
    backfill, fairshare = maui.backfill, maui.fairshare
    rows = [("time between scheduling passes", given_time(maui.iteration_s))]
    for component, name, per in _WEIGHTS:
        part = getattr(maui.priority, component)
        if weight := part.weight * getattr(part, name):
            rows.append((f"priority: points per {per}", f"{weight:,g}"))
    rows += [
        (f"priority: {party}s with points of their own", f"{len(names):,}")
        for party in PARTIES
        if (names := getattr(maui.priority.credential, party))
    ]
    if any(getattr(maui.priority.fairshare, party) for party in PARTIES):
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
