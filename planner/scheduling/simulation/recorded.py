"""The schedule in the log itself, by its own starts, measured like a simulated one.

If the header says that the log is synthetic, its starts were not recorded on a machine. The row of
the schedule then has another name.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from planner.scheduling.simulation.measures import Measures, measure
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from planner.scheduling.simulation.steps import processors_in_use
from planner.scheduling.simulation.trimming import Measured
from scenarios.job_logs.job_log import JobLog

RECORDED, IN_FILE = "recorded", "as in the file"
"""How the schedule of the log is called; and that of a synthetic log."""


@dataclass(frozen=True, eq=False)
class Recorded:
    """The schedule of the simulated jobs in the log.

    No policy made it, and it is not checked: it may use more processors than the machine has.

    Attributes
    ----------
    schedule
        Schedule by the log's own starts. Jobs without a start never start, and neither do jobs that
        are not simulated.
    measures, counted
        Measures as for a policy, over the same measured jobs; and these jobs.
    without_start
        Number of simulated jobs whose start is not in the log.
    cut
        Number of jobs without a recorded end, because their run was cut at the requested time.
    most_processors
        Largest number of processors in use.
    over_s
        Time in which more processors are in use than the machine has [s].
    jobs_over
        Number of jobs that run in that time.
    """

    schedule: JobSchedule
    measures: Measures
    counted: JobSchedule
    without_start: int
    cut: int
    most_processors: int
    over_s: int
    jobs_over: int

    @property
    def name(self) -> str:
        """How its row is called."""
        return self.schedule.policy

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: the measures, and what is wrong with the record."""
        return self.measures.to_dict() | {
            "machine_processors": self.schedule.machine_processors,
            "jobs_without_start": self.without_start,
            "jobs_cut": self.cut,
            "most_processors": self.most_processors,
            "seconds_over_machine": self.over_s,
            "jobs_over_machine": self.jobs_over,
        }


def recorded(log: JobLog, simulated: JobSchedule, measured: Measured) -> Recorded | None:
    """What the log recorded of the jobs that were simulated; ``None`` where it has no starts.

    Parameters
    ----------
    log
        The jobs.
    simulated
        A schedule of theirs by a policy, in the order of the log.
    measured
        Which of them are measured.
    """
    comparable = (log.wait_s >= 0) & simulated.started
    if not comparable.any():
        return None
    machine = log.machine_processors or simulated.machine_processors
    killed = np.zeros(len(log), np.bool_) if log.killed is None else log.killed
    recorded_run = replace(
        recorded_schedule(log, machine),
        start_s=np.where(comparable, log.submit_s + log.wait_s, NEVER),
        processors=simulated.asked_processors,
        killed=killed & comparable,
        policy=_name(log),
        rejected=dict.fromkeys(
            log.number[~comparable].tolist(), "has no recorded start, or is rejected"
        ),
    )
    use = processors_in_use(recorded_run)
    over = use.value[:-1] > machine
    begins, ends = use.time_s[:-1][over], use.time_s[1:][over]
    ran = recorded_run.take(comparable)
    # A run meets a stretch if more of them begin before its end than end by its start.
    inside = np.searchsorted(ends, ran.start_s, side="right") < np.searchsorted(begins, ran.end_s)
    return Recorded(
        schedule=recorded_run,
        measures=measure(recorded_run, measured),
        counted=recorded_run.take(comparable & measured.jobs),
        without_start=int((simulated.started & ~comparable).sum()),
        cut=int((killed & comparable).sum()),
        most_processors=use.largest(),
        over_s=int((ends - begins).sum()),
        jobs_over=int(inside.sum()),
    )


def _name(log: JobLog) -> str:
    from scenarios.job_logs.origin import synthetic_words  # reads pydantic, which help need not

    return IN_FILE if synthetic_words(log.header) else RECORDED


def recorded_schedule(log: JobLog, machine_processors: int) -> JobSchedule:
    """The schedule that the log recorded; a job without a recorded wait never started."""
    recorded_wait = log.wait_s >= 0
    return JobSchedule(
        name=log.name,
        machine_processors=machine_processors,
        number=log.number,
        submit_s=log.submit_s,
        start_s=np.where(recorded_wait, log.submit_s + log.wait_s, NEVER),
        run_s=log.run_s,
        processors=log.processors,
        requested_s=log.requested_s,
        user=log.user,
        killed=np.zeros(len(log), np.bool_),
        rejected={int(number): "no recorded wait" for number in log.number[~recorded_wait]},
        policy=RECORDED,
    )
