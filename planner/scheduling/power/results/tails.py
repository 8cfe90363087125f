"""Long turnarounds and waits of a run, slowdown, and jobs that run longer than requested.

A mean hides them: a policy may shorten the mean and let single jobs wait for ever, or run a job
slowly on few nodes for longer than its user requested.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from planner.scheduling.power.results.jobs import JobOutcome


@dataclass(frozen=True)
class Tails:
    """Over the jobs of one run that ran; ``None`` where none did.

    Attributes
    ----------
    p95_turnaround_s, largest_turnaround_s
        95th percentile, by linear interpolation, and largest turnaround [s].
    longest_wait_s
        Longest wait [s].
    mean_bounded_slowdown
        Mean of the bounded slowdown.
    jobs_beyond_request
        Number of jobs that ran longer than they requested.
    """

    p95_turnaround_s: float | None
    largest_turnaround_s: float | None
    longest_wait_s: float | None
    mean_bounded_slowdown: float | None
    jobs_beyond_request: int


def tails_of(jobs: Sequence[JobOutcome]) -> Tails:
    """Return the tails of a run."""
    turnaround = [job.turnaround_s for job in jobs if job.turnaround_s is not None]
    slowdown = [job.bounded_slowdown for job in jobs if job.bounded_slowdown is not None]
    return Tails(
        float(np.percentile(turnaround, 95)) if turnaround else None,
        max(turnaround, default=None),
        max((job.wait_s for job in jobs if job.wait_s is not None), default=None),
        float(np.mean(slowdown)) if slowdown else None,
        sum(job.beyond_request for job in jobs),
    )
