"""Speeds of applications on the same cores, from co-runs that were measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from planner.errors import InputError
from planner.scheduling.shared.speeds import Floats, Speeds
from scenarios.pairs.co_runs import CoRun, CoRuns

_LEAST = 1e-3


def speeds_of_co_runs(
    runs: CoRuns, ranks: int, solo_s: Mapping[str, float] | None = None
) -> Speeds:
    """Relative speeds of all pairs while both jobs run.

    Parameters
    ----------
    runs
        Co-runs; both jobs start at once, and the one that ends later runs on alone.
    ranks
        Number of ranks whose co-runs count.
    solo_s
        Run times alone; by default those of the co-runs' own solo runs.

    Raises
    ------
    InputError
        A pair was not measured with so many ranks, or an application not alone.

    Notes
    -----
    With times alone ``T`` and together ``C``, both run until ``c = min(C_a, C_b)``. The job that
    ends later does ``C - c`` of its work alone, so its speed until then is ``(T - (C - c)) / c``.
    Noise can make this negative; it is at least a thousandth.
    """
    alone = dict(solo_s or {one.application: one.time_s for one in runs.solo if one.ranks == ranks})
    number = {name: place for place, name in enumerate(runs.applications)}
    pair = np.full((len(number),) * 2, np.nan)
    for one in runs.together:
        if one.ranks != ranks:
            continue
        a, b = number[one.a], number[one.b]
        speed_a, speed_b = _while_both_run(one, alone)
        pair[a, b], pair[b, a] = speed_a, speed_b
        if a == b:
            pair[a, a] = (speed_a + speed_b) / 2
    missing = np.argwhere(np.isnan(pair))
    if len(missing):
        names = " with ".join(runs.applications[place] for place in missing[0].tolist())
        raise InputError(f"{names} was not run with {ranks} ranks; add this co-run")
    ones = np.ones(len(number))
    return Speeds(runs.applications, np.maximum(pair, _LEAST), ones, ones)


def _while_both_run(one: CoRun, alone: Mapping[str, float]) -> tuple[float, float]:
    for name in (one.a, one.b):
        if name not in alone:
            raise InputError(f"{name} was not run alone with {one.ranks} ranks; add this run")
    both = min(one.time_a_s, one.time_b_s)
    return (
        (alone[one.a] - (one.time_a_s - both)) / both,
        (alone[one.b] - (one.time_b_s - both)) / both,
    )


def speeds_of_campaigns(campaigns: Sequence[CoRuns], ranks: int) -> tuple[Speeds, Floats]:
    """Speeds by the geometric means of the times of all campaigns, and their standard errors.

    The geometric mean of run times, which are skewed, estimates the usual one. Standard errors are
    those of the jackknife over campaigns; shape ``(applications, applications)``.

    Raises
    ------
    InputError
        Fewer than two campaigns, or one is not complete.
    """
    count = len(campaigns)
    if count < 2:
        raise InputError(f"{count} campaigns tell no spread; give at least 2, such as 20")
    speeds = speeds_of_co_runs(_mean_runs(campaigns), ranks)
    others = np.array(
        [
            speeds_of_co_runs(_mean_runs([*campaigns[:left], *campaigns[left + 1 :]]), ranks).pair
            for left in range(count)
        ]
    )
    squares = ((others - others.mean(axis=0)) ** 2).sum(axis=0)
    error: Floats = np.sqrt(squares * (count - 1) / count)
    return speeds, error


def _mean_runs(campaigns: Sequence[CoRuns]) -> CoRuns:
    """One campaign with geometric means of all times; campaigns list the same runs in one order."""
    first = campaigns[0]
    solo = np.log([[one.time_s for one in each.solo] for each in campaigns])
    pairs = np.log([[(one.time_a_s, one.time_b_s) for one in each.together] for each in campaigns])
    alone, together = np.exp(solo.mean(axis=0)), np.exp(pairs.mean(axis=0))
    return replace(
        first,
        solo=tuple(
            replace(one, time_s=float(time)) for one, time in zip(first.solo, alone, strict=True)
        ),
        together=tuple(
            replace(one, time_a_s=float(times[0]), time_b_s=float(times[1]))
            for one, times in zip(first.together, together, strict=True)
        ),
    )
