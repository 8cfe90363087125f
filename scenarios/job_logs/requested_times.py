"""Synthetic jobs get requested times such as users would have requested."""

from __future__ import annotations

import numpy as np

from scenarios.faults import Fault, ScenarioError
from scenarios.job_logs.job_log import LATEST_S, Integers


def requested_times(run_s: Integers, factor: float, rng: np.random.Generator) -> Integers:
    """Draw requests uniformly between the run time and (1 + factor) times as long [s].

    The f-model: ``factor`` 0 is a perfect estimate. Rounded down, at least the run time and 1 s.

    Raises
    ------
    ScenarioError
        A factor below 0 or so large that requests have no place in a log.

    References
    ----------
    Feitelson and Mu'alem Weil, "Utilization and predictability in scheduling the IBM SP2 with
    backfilling", IPPS 1998, section 4; Mu'alem and Feitelson, IEEE TPDS 12(6), 2001, section 4.2.
    Both draw from [R, (f + 1) R].
    """
    longest = float(run_s.max(initial=1))
    if not 0 <= factor <= LATEST_S / longest - 1:
        largest = LATEST_S / longest - 1
        message = (
            f"{factor:g} is outside 0 to {largest:.3g}; give a factor such as 4, or 0 for exact "
            "times"
        )
        raise ScenarioError([Fault("requested times", 0, "factor", message)])
    if factor == 0:
        return np.maximum(run_s, 1)
    synthetic_s = np.floor(run_s * (1 + factor * rng.random(len(run_s)))).astype(np.int64)
    return np.maximum(np.maximum(synthetic_s, run_s), 1)
