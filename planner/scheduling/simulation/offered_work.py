"""How much work logs offer a machine, and how their requested times relate to their run times."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from planner.scheduling.simulation.schedule import JobSchedule
    from scenarios.job_logs.job_log import JobLog


@dataclass(frozen=True)
class OfferedWork:
    """The work of a log.

    Attributes
    ----------
    load
        Processor time of all jobs over that of the machine while jobs are submitted; NaN where all
        are submitted at once.
    requested_s, run_s
        Sums of the requested times and of the run times [s].
    """

    load: float
    requested_s: float
    run_s: float


def offered_work(log: JobLog, schedule: JobSchedule) -> OfferedWork:
    """Return the work of a log, on the machine of a schedule."""
    span_s = int(log.submit_s[-1] - log.submit_s[0]) if len(log) else 0
    work = float(log.processors @ log.run_s.astype(float))
    load = work / (schedule.machine_processors * span_s) if span_s else math.nan
    return OfferedWork(load, float(log.requested_s.sum()), float(log.run_s.sum()))
