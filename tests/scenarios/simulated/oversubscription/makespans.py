"""Makespans of co-runs by the law, without variance."""

from __future__ import annotations

from scenarios.simulated.oversubscription.applications import OversubscribedApplication
from scenarios.simulated.oversubscription.co_run import co_run_times_s, solo_time_s
from scenarios.simulated.oversubscription.machine import OversubscribedSystem


def makespan_ratio(
    system: OversubscribedSystem,
    ranks: int,
    pair: tuple[OversubscribedApplication, OversubscribedApplication],
) -> float:
    """Makespan together over that one after the other, without variance: the truth of the law."""
    together = max(co_run_times_s(system, ranks, pair))
    return together / (solo_time_s(pair[0]) + solo_time_s(pair[1]))
