"""Speeds of applications on the same cores, from co-runs that were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from planner.errors import InputError
from planner.sharing_nodes.queues.speeds import Floats, Speeds
from scenarios.pairs.co_runs import CoRun, CoRuns

_LEAST = 1e-3


def speeds_of_co_runs(
    runs: CoRuns, ranks: int, solo_s: Mapping[str, float] | None = None
) -> Speeds:
    """Return relative speeds of all pairs while both jobs run.

    Parameters
    ----------
    runs
        Co-runs; both jobs start at once, and the one that ends later runs on alone.
    ranks
        Number of ranks of the co-runs that are used.
    solo_s
        Run times alone; by default those of the solo runs in ``runs``.

    Raises
    ------
    InputError
        A pair, or an application alone, was not measured with this number of ranks.

    Notes
    -----
    Let ``T`` be the times alone and ``C`` the times together. Both jobs run until
    ``c = min(C_a, C_b)``. The job that ends later does ``C - c`` of its work alone, so its speed
    until then is ``(T - (C - c)) / c``. Noise can make this negative, so it is limited to at least
    0.001.
    """
    alone = dict(solo_s or {run.application: run.time_s for run in runs.solo if run.ranks == ranks})
    number = {name: index for index, name in enumerate(runs.applications)}
    pair = np.full((len(number),) * 2, np.nan)
    for run in runs.together:
        if run.ranks != ranks:
            continue
        a, b = number[run.a], number[run.b]
        speed_a, speed_b = _while_both_run(run, alone)
        pair[a, b], pair[b, a] = speed_a, speed_b
        if a == b:
            pair[a, a] = (speed_a + speed_b) / 2
    missing = np.argwhere(np.isnan(pair))
    if len(missing):
        names = " with ".join(runs.applications[index] for index in missing[0].tolist())
        raise InputError(f"{names} was not run with {ranks} ranks; add this co-run")
    ones = np.ones(len(number))
    return Speeds(runs.applications, np.maximum(pair, _LEAST), ones, ones)


def _while_both_run(run: CoRun, alone: Mapping[str, float]) -> tuple[float, float]:
    for name in (run.a, run.b):
        if name not in alone:
            raise InputError(f"{name} was not run alone with {run.ranks} ranks; add this run")
    both = min(run.time_a_s, run.time_b_s)
    return (
        (alone[run.a] - (run.time_a_s - both)) / both,
        (alone[run.b] - (run.time_b_s - both)) / both,
    )


def speeds_of_campaigns(campaigns: Sequence[CoRuns], ranks: int) -> tuple[Speeds, Floats]:
    """Return the mean speeds over campaigns, and the standard errors of the pairs.

    Times alone are geometric means over all campaigns, as run times are skewed. Speeds are taken in
    each campaign, since which job ends later, and runs on alone, differs from run to run.

    Raises
    ------
    InputError
        Fewer than two campaigns, or one is not complete.
    """
    if len(campaigns) < 2:
        raise InputError(f"{len(campaigns)} campaigns tell no spread; give at least 2, such as 20")
    solo = np.log(
        [[run.time_s for run in campaign.solo if run.ranks == ranks] for campaign in campaigns]
    )
    names = [run.application for run in campaigns[0].solo if run.ranks == ranks]
    alone = dict(zip(names, np.exp(solo.mean(axis=0)).tolist(), strict=True))
    pairs = np.array([speeds_of_co_runs(campaign, ranks, alone).pair for campaign in campaigns])
    error: Floats = pairs.std(axis=0, ddof=1) / np.sqrt(len(pairs))
    ones = np.ones(len(names))
    return Speeds(campaigns[0].applications, pairs.mean(axis=0), ones, ones), error
