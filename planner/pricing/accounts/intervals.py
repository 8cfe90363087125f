"""Intervals of prices from the log's sums, of many jobs at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from planner.pricing.accounts.logged import logged_sums
from planner.pricing.accounts.policies import EndedJob
from planner.pricing.accounts.sums import PLACE
from planner.pricing.accounts.units import HOUR_US
from planner.pricing.estimate import LEVEL
from planner.pricing.filtered import Fallback
from planner.pricing.sums import Estimates, Sums, algorithm4_of, block_ratios_of, unfiltered_of

ESTIMATES: Mapping[str, Callable[[Sums, float], Estimates]] = {
    "poppa": algorithm4_of,
    "unfiltered": unfiltered_of,
    "block-ratios": block_ratios_of,
}
"""Policies whose interval follows from sums, by their names."""
_SHARED, _LONE = PLACE["shared_us"], PLACE["lone_us"]
_KEPT = PLACE["shutter_filtered_count"]

Interval = tuple[int, int]
"""Lowest and highest price [micro-SU]."""


def price_intervals(
    jobs: Sequence[EndedJob], fallback: Fallback = "unfiltered"
) -> dict[int, Interval]:
    """Intervals by the jobs' numbers; those of other policies, or on several nodes, have none.

    Blocks count as independent. Time that a job had the node for itself is known to cost 1.

    Parameters
    ----------
    jobs
        Ended jobs of any policies.
    fallback
        What ``poppa`` takes where no block passes its filter: of a price without a measurement
        there is no interval.
    """
    intervals: dict[int, Interval] = {}
    for name, estimate in ESTIMATES.items():
        chosen = [job for job in jobs if job.policy == name and len(job.nodes) == 1]
        if name == "poppa" and fallback != "unfiltered":
            chosen = [job for job in chosen if job.nodes[0][_KEPT]]
        if chosen:
            performance = estimate(logged_sums(chosen), LEVEL)
            shared = np.array([_shared(job) for job in chosen])
            today = np.array([job.rate * job.cores * job.time_us / HOUR_US for job in chosen])
            low, high = (
                np.rint(today * (shared * end + 1 - shared) ** 2).astype(np.int64).tolist()
                for end in (performance.low, performance.high)
            )
            for index, job in enumerate(chosen):
                intervals[job.job] = low[index], high[index]
    return intervals


def _shared(job: EndedJob) -> float:
    shared, lone = job.nodes[0][_SHARED], job.nodes[0][_LONE]
    return shared / (shared + lone) if shared + lone else 1.0
