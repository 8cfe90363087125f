"""Measure the spread of a configuration's repetitions, and find slow runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scenarios.measurements.runs import Floats, Indices, Runs
from solvers.portable import exp, log, log1p

FLOOR = 0.05
"""A run less than 5 % slower than the best of its configuration never counts as slow."""

_DEVIATIONS = 6.0
_NORMAL = 1.4826  # MAD of a normal distribution to its standard deviation

Configuration = tuple[int, int, float]
"""Nodes, cores per node, package cap [W]."""


@dataclass(frozen=True)
class Straggler:
    """A run that took much longer than the best one of its configuration."""

    application: str
    nodes: int
    cores_per_node: int
    package_cap_w: float
    repetition: int
    time_s: float
    best_time_s: float

    @property
    def ratio(self) -> float:
        """Its time over the best."""
        return self.time_s / self.best_time_s

    @property
    def configuration(self) -> Configuration:
        """What it ran on."""
        return self.nodes, self.cores_per_node, self.package_cap_w


@dataclass(frozen=True)
class RepetitionSpread:
    """Repetitions of one application.

    Attributes
    ----------
    application
        Its name.
    configurations, repeated
        How many were measured, and how many of them more than once.
    runs
        Runs of the repeated ones.
    ordinary
        Median over the repeated ones of the second best time over the best; NaN without any.
    threshold
        Ratio to the best time up to which a run is ordinary in any case; NaN likewise.
    stragglers
        Slow runs, in the order of the file.
    """

    application: str
    configurations: int
    repeated: int
    runs: int
    ordinary: float
    threshold: float
    stragglers: tuple[Straggler, ...] = ()

    @property
    def known(self) -> bool:
        """Whether any configuration was repeated; if not, slow runs cannot be found."""
        return self.repeated > 0

    @property
    def straggling(self) -> int:
        """Number of configurations with slow runs."""
        return len({straggler.configuration for straggler in self.stragglers})


def spread(runs: Runs, floor: float = FLOOR) -> RepetitionSpread:
    """Find the slow runs of one application, from the spread of its own repetitions.

    Every run in a configuration that was measured more than once has ``r = log(time / best time)``.
    Ordinary runs have at most ``b = max(log(1 + floor), median + 6 x 1.4826 MAD)`` over the ``r``
    of the second best runs. These are used since a slow run in every configuration would otherwise
    pass for ordinary. Slow runs lie beyond a gap, and so above ``b``: the gap is the first step
    wider than ``b`` among all ``r`` in ascending order. Without a gap there is no second mode, and
    no run counts as slow. No run lies in the gap, so every slow run is at least that far from the
    ordinary runs of its own configuration.

    Parameters
    ----------
    floor
        Least extra time of a slow run, as a share of the best time.

    Returns
    -------
    RepetitionSpread
        How far repetitions lie apart, and which of them are slow.

    Notes
    -----
    If only one configuration was measured, twice, its spread is the ordinary one. If all runs but
    one are slow in most configurations, these runs pass for ordinary.
    """
    which, sizes = _configurations(runs)
    best = np.full(len(sizes), np.inf)
    np.minimum.at(best, which, runs.time_s)
    repeated = sizes > 1
    rows = np.flatnonzero(repeated[which])
    counts = len(sizes), int(repeated.sum()), len(rows)
    if not len(rows):
        return RepetitionSpread(runs.application, *counts, float("nan"), float("nan"))
    ratios = log(runs.time_s[rows] / best[which[rows]])
    second = _second_best(which[rows], ratios)
    median = float(np.median(second))
    deviation = float(np.median(np.abs(second - median)))
    bound = max(float(log1p(floor)), median + _DEVIATIONS * _NORMAL * deviation)
    slow = rows[ratios > _gap(ratios, bound)]
    stragglers = tuple(
        Straggler(
            runs.application,
            int(runs.nodes[run]),
            int(runs.cores_per_node[run]),
            float(runs.package_cap_w[run]),
            int(runs.repetition[run]),
            float(runs.time_s[run]),
            float(best[which[run]]),
        )
        for run in slow.tolist()
    )
    return RepetitionSpread(
        runs.application,
        *counts,
        float(exp(median)),
        float(exp(bound)),
        stragglers,
    )


def _configurations(runs: Runs) -> tuple[Indices, Indices]:
    """Index of each run's configuration, and how many runs each has."""
    keys = np.stack([runs.nodes, runs.cores_per_node, runs.package_cap_w], axis=1)
    _, which, sizes = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    return which.reshape(-1), sizes


def _second_best(which: Indices, ratios: Floats) -> Floats:
    order = np.lexsort((ratios, which))
    starts = np.flatnonzero(np.diff(which[order], prepend=-1))
    second: Floats = ratios[order][starts + 1]
    return second


def _gap(ratios: Floats, bound: float) -> float:
    """Beginning of the first gap wider than the bound, above which it ends; or infinity."""
    ascending = np.sort(ratios)
    below, above = ascending[:-1], ascending[1:]
    gaps = np.flatnonzero(above - below > bound)
    return float(below[gaps[0]]) if len(gaps) else float("inf")
