"""The first runs, before anything is predicted: spread over what draws about as much as a bound.

The far corners of a grid say little about a bound, and the largest runs are the ones most often
slow. Power is guessed by the law with its usual coefficients, corrected by the runs so far.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.configurations.prediction.candidates import CandidateConfigurations
from planner.configurations.prediction.law import USUAL, PerformanceLaw
from planner.configurations.prediction.model import inputs
from planner.configurations.prediction.processor import Processor
from planner.configurations.prediction.training import spread_out
from scenarios.measurements.runs import Indices, Runs

_WINDOW = (0.5, 1.1)
"""Guessed power over the bound of configurations that the first runs are spread over."""


def first_runs(
    runs: Runs | None,
    candidates: CandidateConfigurations,
    bounds_w: Sequence[float],
    processor: Processor,
    count: int,
) -> Indices:
    """Rows of candidates to run first, far from each other and from the runs so far.

    All candidates count where fewer than ``count`` are guessed to draw about as much as a bound.
    """
    law = PerformanceLaw(processor, float(np.exp(np.log(candidates.nodes).mean())))
    columns = candidates.nodes, candidates.cores_per_node, candidates.package_cap_w
    power = law.evaluate(USUAL, *inputs(*columns))["power"]
    taken = np.array([], np.int64)
    if runs is not None:
        made = inputs(runs.nodes, runs.cores_per_node, runs.package_cap_w)
        power = power * float(np.median(runs.power_w / law.evaluate(USUAL, *made)["power"]))
        rows = candidates.rows_of(runs)
        taken = np.unique(rows[rows >= 0])
    near = np.zeros(len(candidates), dtype=bool)
    for bound in bounds_w:
        near |= (power >= _WINDOW[0] * bound) & (power <= _WINDOW[1] * bound)
    near[taken] = False
    within = near if near.sum() >= count else np.ones(len(candidates), dtype=bool)
    within[taken] = True
    among = np.flatnonzero(within)
    chosen = spread_out(candidates.points()[among], count, np.searchsorted(among, taken))
    return among[chosen]
