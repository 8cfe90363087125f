"""True speeds of the simulated applications on a shared node, for the loop and for scoring.

This is the only module of this folder that looks at the law. Policies get a gate and estimates,
which are made from measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from planner.pricing.trial import Trial, TrialSettings, run_trial
from planner.sharing_nodes.queues.co_runs import speeds_of_campaigns, speeds_of_co_runs
from planner.sharing_nodes.queues.speeds import Floats, Speeds, speeds_of
from scenarios.pairs.co_runs import CoRun, CoRuns
from scenarios.simulated.oversubscription.applications import SIX, OversubscribedApplication
from scenarios.simulated.oversubscription.campaign import measured_co_runs
from scenarios.simulated.oversubscription.co_run import co_run_times_s
from scenarios.simulated.oversubscription.machine import OversubscribedSystem
from scenarios.simulated.shared_node.applications import TWELVE, SharedApplication
from scenarios.simulated.shared_node.demand import InterferenceLaw
from scenarios.simulated.shared_node.truth import degradation_matrix, speed_on_all_cores

POLLING_ERROR = 0.1
"""Relative error of the polling IPC that estimates on half sockets rest on."""


# Neither this nor the trial depends on a log: all logs of a process share them.
@cache
def half_socket_speeds() -> Speeds:
    """Return the true speeds of the twelve applications."""
    return true_speeds(TWELVE)


@cache
def _trial(workers: int) -> Trial:
    settings = TrialSettings(polling_errors=(POLLING_ERROR,))
    return run_trial(TWELVE, (0,), settings, workers=workers)


def measured_half_socket_speeds(
    estimator: str, error: float, workers: int
) -> tuple[Floats, Floats]:
    """Speeds of pairs in a trial of pricing shutters, by an estimator, and standard errors."""
    trial, count = _trial(workers), len(TWELVE)
    index = trial.method(estimator, error)
    pair = np.clip(trial.perf[0, index, :, :count], 0.01, None)
    return pair, np.sqrt(np.nan_to_num(trial.variance[0, index, :, :count]))


def true_speeds(
    applications: Sequence[SharedApplication], law: InterferenceLaw | None = None, seed: int = 0
) -> Speeds:
    """Return speeds by the law, simulated without a shutter.

    Notes
    -----
    ``pair`` is ``T_solo / T_co`` with the other half idle in ``T_solo``; ``full`` is the speed on
    all cores of half as many nodes, where the job's own ranks disturb each other.
    """
    full = [speed_on_all_cores(application, law=law, seed=seed) for application in applications]
    return speeds_of(
        [application.name for application in applications],
        1 - degradation_matrix(applications, law=law, seed=seed),
        full=np.array(full),
    )


def true_oversubscribed_speeds(
    system: OversubscribedSystem, applications: Sequence[OversubscribedApplication] = SIX
) -> Speeds:
    """Return speeds on the same cores by the law of oversubscription, with usual I/O and no noise.

    Jobs have the largest number of ranks of the system: there most cores are shared.
    """
    alone, ranks = measured_co_runs(system, 0, applications), system.ranks[-1]
    runs = [
        CoRun(a.name, b.name, ranks, *co_run_times_s(system, ranks, (a, b)))
        for a, b in combinations_with_replacement(applications, 2)
    ]
    usual = CoRuns(alone.system, alone.applications, (ranks,), (), tuple(runs))
    times = {application.name: application.solo_s for application in applications}
    return speeds_of_co_runs(usual, ranks, times)


def measured_oversubscribed_speeds(
    system: OversubscribedSystem,
    campaigns: Sequence[int],
    applications: Sequence[OversubscribedApplication] = SIX,
) -> tuple[Speeds, Floats]:
    """Speeds as measured in some campaigns, by their seeds, and standard errors of the pairs."""
    measured = [measured_co_runs(system, seed, applications) for seed in campaigns]
    return speeds_of_campaigns(measured, system.ranks[-1])
