"""The priority of a waiting job of the Maui-like scheduler, and how it moves. Compiled."""

from __future__ import annotations

from planner.scheduling.policies.compiled import U, compiled
from planner.scheduling.policies.fairshare import FairshareUsage, used
from planner.scheduling.policies.maui_state import NONE, MauiParts, MauiRules


@compiled
def used_by_all(usage: FairshareUsage, time: int) -> float:
    """Everybody's use [processor-seconds, weighted]; 0 if no use changes a priority."""
    return used(usage, 0, usage.rate.shape[1] - 1, time) if usage.rate.shape[0] > 0 else 0.0


@compiled
def priority_of(parts: MauiParts, job: int, bypassed: int, time: int, whole: float) -> float:
    """Sum of components: the priority equation of section 4; ``whole`` is everybody's use."""
    rules, usage, records = parts.rules, parts.usage, parts.records
    j = U(job)
    queued, planned = time - records.since[j], records.planned[j]
    # Units of Maui's guide, section 5.1.2: minutes in the queue; expansion factor 1 + wait / limit.
    # The order of the sums decides the last bit, and so which priorities count as equal.
    priority: float = rules.fixed[j] + rules.queue_time * (queued / 60.0)
    priority += rules.bypass * bypassed + rules.wall_time * planned
    priority += rules.expansion * ((queued + planned) / planned)
    for kind in range(len(rules.share)):
        # Before any use all shares are 0.
        if whole > 0:
            own = used(usage, kind, rules.shared_by[U(kind), j], time)
            priority -= rules.share[U(kind)] * (own / whole)
    return priority


@compiled
def heads_of(rules: MauiRules) -> int:
    """Return how many jobs that cannot start matter for those behind them."""
    return rules.reservations if rules.overtakes else 1


@compiled
def growth_of_all(usage: FairshareUsage) -> float:
    """Growth of everybody's use [processor-seconds per second, weighted]."""
    growth: float = usage.rate[U(0), U(usage.rate.shape[1] - 1)] * usage.power[U(1)]
    return growth


@compiled
def until_use_matters(rules: MauiRules, usage: FairshareUsage, time: int) -> float:
    """Return how long use does not change the heads of any queue [s]; -1: that depends."""
    if heads_of(rules) == 0 or len(rules.share) == 0:
        return float(NONE)
    # The first use makes the shares jump from 0.
    if used_by_all(usage, time) <= 0:
        return 0.0 if growth_of_all(usage) > 0 else float(NONE)
    return -1.0


@compiled
def until_swap(
    rules: MauiRules,
    usage: FairshareUsage,
    first: int,
    second: int,
    lead: float,
    time: int,
    whole: float,
    growth: float,
) -> float:
    """Return how long until two jobs can change their order [s]; ``lead`` is that of the first."""
    use = rate = 0.0
    for kind in range(len(rules.share)):
        k = U(kind)
        one, other = rules.shared_by[k, U(first)], rules.shared_by[k, U(second)]
        use += rules.share[k] * (used(usage, kind, one, time) - used(usage, kind, other, time))
        difference = usage.rate[k, U(one)] - usage.rate[k, U(other)]
        rate += rules.share[k] * (difference * usage.power[U(1)])
    # Only use changes the lead: queue times grow alike, all else is fixed. With c = lead + use /
    # whole the lead after s seconds is c - (use + rate s) / (whole + growth s). Times the use of
    # all, which is positive, that is lead * whole + slope * s: the order can change where this is
    # 0.
    slope = (lead + use / whole) * growth - rate
    if slope >= 0:
        return float(NONE)
    seconds: float = lead * whole / -slope
    return seconds
