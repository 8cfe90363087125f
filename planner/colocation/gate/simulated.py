"""Plays a simulated system for the studies of the gate: a campaign as a site would measure it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.colocation.gate.inputs import Pairs, run_variance
from planner.colocation.gate.separation import early
from planner.colocation.tangram.metrics import Floats
from planner.colocation.tangram.pair_runs import pair_runs
from planner.pricing.estimators.estimator import Polling
from scenarios.pairs.co_runs import SoloRun
from scenarios.simulated.oversubscription import (
    POLLING_IPC,
    SYSTEMS,
    OversubscribedApplication,
    WatchedCampaign,
    WatchedCoRun,
    find_system,
    watched_co_runs,
)

POLLING = Polling(POLLING_IPC, 0.1)
"""A site measures the IPC of a polling loop once, to within 10 %."""


@dataclass(frozen=True, eq=False)
class Campaign:
    """Measured pairs, one per row, with everything that a gate may ask for or is charged with.

    Attributes
    ----------
    pairs
        Profiles and measured makespans.
    serial_s
        Time of both jobs one after the other, by the measured solo runs [s].
    probe
        Log makespan as a short probing run estimates it.
    watched
        Log makespan as the first seconds of the measured run estimate it.
    apart
        Log makespan as estimated if the jobs are separated after these seconds.
    separated
        Makespan if they are: measured.
    watch_s, paused_s
        Length of a watch or a probe, and how long one of the jobs is paused in it [s].
    """

    pairs: Pairs
    serial_s: Floats
    probe: Floats
    watched: Floats
    apart: Floats
    separated: Floats
    watch_s: float
    paused_s: float


def campaign(
    system: str,
    seed: int,
    applications: Sequence[OversubscribedApplication],
    which: Sequence[tuple[int, int]],
    *,
    ranks: tuple[int, ...] = (),
    watch_s: float = 10.0,
) -> Campaign:
    """Measure pairs of applications on a simulated system.

    Parameters
    ----------
    system
        Its name.
    seed
        Of all noise.
    applications
        What runs there.
    which
        Pairs of positions in ``applications``.
    ranks
        Rank counts; by default those of the system.
    watch_s
        Length of a watch, and of a probing run [s].
    """
    chosen = find_system(system, SYSTEMS)
    played = watched_co_runs(
        chosen, seed, tuple(applications), tuple(which), ranks=ranks, watch_s=watch_s
    )
    alone = {(run.application, run.ranks): run for run in played.runs.solo}
    table = np.array([_seen(one, alone) for one in played.watched])
    return Campaign(
        _pairs(played, alone), table[:, 0], table[:, 1], table[:, 2], table[:, 3], table[:, 4],
        watch_s, played.watched[0].watched.paused_s,
    )  # fmt: skip


def _pairs(played: WatchedCampaign, alone: dict[tuple[str, int], SoloRun]) -> Pairs:
    runs = pair_runs(played.runs)
    spread = np.log(np.array(played.earlier_s)).std(axis=1, ddof=1)
    solo = [
        (alone[one.a, one.ranks].time_s, alone[one.b, one.ranks].time_s)
        for one in played.runs.together
    ]
    share = np.array([a / (a + b) for a, b in solo])
    profiles = [
        np.vstack([runs.profile_a[runs.a == number], runs.profile_b[runs.b == number]])
        for number in range(len(runs.applications))
    ]
    return Pairs(
        runs.applications, runs.a, runs.b, np.array([each.mean(axis=0) for each in profiles]),
        runs.profile_a, runs.profile_b, runs.ranks, runs.makespan,
        run_variance(spread[runs.a], spread[runs.b], share, runs.self_pair),
    )  # fmt: skip


def _seen(one: WatchedCoRun, alone: dict[tuple[str, int], SoloRun]) -> tuple[float, ...]:
    run = one.run
    solo = (alone[run.a, run.ranks].time_s, alone[run.b, run.ranks].time_s)
    probe = early(one.probe, solo, POLLING)
    watch = early(one.watched, solo, POLLING)
    serial = sum(solo)
    return (
        serial, probe.log_makespan, watch.log_makespan, watch.log_separated,
        one.separated_s / serial,
    )  # fmt: skip
