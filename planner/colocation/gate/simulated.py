"""Plays a simulated system for the studies of the gate: a campaign as a site would measure it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.colocation.gate.inputs import Pairs
from planner.colocation.gate.separation import early
from planner.colocation.tangram.metrics import Floats
from planner.colocation.tangram.pair_runs import pair_runs
from planner.pricing.estimators.estimator import Polling
from scenarios.pairs.co_runs import CoRuns, SoloRun
from scenarios.simulated.oversubscription import (
    POLLING_IPC,
    OversubscribedApplication,
    WatchedCoRun,
    find_system,
    watched_co_runs,
)
from scenarios.simulated.oversubscription import SYSTEMS as SYSTEMS

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
    runs, found = watched_co_runs(
        chosen, seed, tuple(applications), tuple(which), ranks=ranks, watch_s=watch_s
    )
    alone = {(run.application, run.ranks): run for run in runs.solo}
    seen = [_seen(one, alone) for one in found]
    table = np.array(seen)
    return Campaign(
        _pairs(runs), table[:, 0], table[:, 1], table[:, 2], table[:, 3], table[:, 4],
        watch_s, found[0].watched.paused_s,
    )  # fmt: skip


def _pairs(runs: CoRuns) -> Pairs:
    arrays = pair_runs(runs)
    count = len(runs.applications)
    profiles = np.array([_profile(arrays.profile_a, arrays.profile_b, arrays.a, arrays.b, number)
                         for number in range(count)])  # fmt: skip
    return Pairs(
        arrays.applications, arrays.a, arrays.b, profiles, arrays.profile_a, arrays.profile_b,
        arrays.ranks, arrays.makespan,
    )  # fmt: skip


def _profile(
    one: Floats, other: Floats, a: NDArray[np.int64], b: NDArray[np.int64], number: int
) -> Floats:
    """Mean profile of an application over the rank counts of its pairs."""
    return np.asarray(np.vstack([one[a == number], other[b == number]]).mean(axis=0))


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
