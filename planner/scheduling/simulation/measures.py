"""Measures of a schedule: waits, slowdowns, utilisation, queues, fairness."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planner.scheduling.simulation.job_measures import (
    bounded_slowdown,
    core_hours,
    slowdown,
    turnaround_s,
)
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.steps import (
    Steps,
    jobs_waiting,
    processors_in_use,
    processors_waiting,
)
from planner.scheduling.simulation.trimming import Measured, all_measured
from planner.scheduling.simulation.user_measures import UserMeasures, jain_index, measure_users


@dataclass(frozen=True)
class JobSpread:
    """Mean, median, percentiles and largest of a quantity over the jobs.

    Percentiles lie linearly between the two nearest values (Hyndman and Fan's definition 7).

    Attributes
    ----------
    mean, median
        Over the jobs, in the unit of the quantity.
    p90, p95, p99
        90th, 95th and 99th percentile.
    largest
        The largest value.
    """

    mean: float
    median: float
    p90: float
    p95: float
    p99: float
    largest: float

    @classmethod
    def of(cls, values: ArrayLike) -> JobSpread | None:
        """The spread of some values; ``None`` without any, or where one is infinite."""
        x = np.asarray(values, float)
        if not len(x) or not np.isfinite(x).all():
            return None
        median, p90, p95, p99 = (float(q) for q in np.percentile(x, [50, 90, 95, 99]))
        return cls(float(x.mean()), median, p90, p95, p99, float(x.max()))


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures of a schedule; a quantity that is not defined is ``None``.

    Attributes
    ----------
    policy, event_order, estimates
        As in the schedule.
    rule
        Which jobs are measured, in words.
    jobs, jobs_killed, jobs_left_out
        Measured jobs that started; those of them that were killed; jobs that started and are not
        measured.
    jobs_submitted, jobs_started, jobs_ended, jobs_killed_in_all, jobs_rejected
        Counts over the whole schedule: all jobs; those that started; those that ended by
        themselves, and that were killed, together those that started; those that were not accepted.
    wait_s
        Start minus submission.
    turnaround_s
        End minus submission.
    slowdown
        Turnaround over run time on the requested processors; ``None`` where a job of 0 s waited.
    bounded_slowdown
        max(1, (wait + run) / max(run, 10 s)), over the same run time.
    makespan_s
        Last end minus first submission, of all jobs (first submission of any job, started or not).
    utilisation
        Sum of run time times processors over (processors of the machine times makespan), of all
        jobs; ``None`` without makespan.
    window_utilisation
        Mean of the processors in use over the window of measured submissions, as a share of the
        machine; ``None`` for a window without length.
    throughput_per_h
        Jobs that started per hour of makespan, all of them.
    core_hours_done, core_hours_killed
        Processor-hours of all jobs that ended by themselves, and of those that were killed.
    mean_jobs_waiting, mean_processors_waiting
        Over time in the window.
    max_jobs_waiting, max_processors_waiting
        Ever.
    users
        Measures of each user, over measured jobs.
    jain_wait, jain_bounded_slowdown, jain_core_hours
        Jain's index over the users' means, and over their processor-hours.
    largest_core_hour_share
        Largest share of one user in the processor-hours.

    References
    ----------
    Feitelson and Rudolph, JSSPP 1998; Feitelson, JSSPP 2001. Utilisation and makespan follow
    Feitelson and Rudolph 1998, section 2.3: utilisation counts time that the machine is held, not
    time that it computes.
    """

    policy: str
    event_order: str
    estimates: str
    rule: str
    jobs: int
    jobs_killed: int
    jobs_left_out: int
    jobs_submitted: int
    jobs_started: int
    jobs_ended: int
    jobs_killed_in_all: int
    jobs_rejected: int
    wait_s: JobSpread | None
    turnaround_s: JobSpread | None
    slowdown: JobSpread | None
    bounded_slowdown: JobSpread | None
    makespan_s: int | None
    utilisation: float | None
    window_utilisation: float | None
    throughput_per_h: float | None
    core_hours_done: float
    core_hours_killed: float
    mean_jobs_waiting: float | None
    max_jobs_waiting: int
    mean_processors_waiting: float | None
    max_processors_waiting: int
    users: UserMeasures
    jain_wait: float | None
    jain_bounded_slowdown: float | None
    jain_core_hours: float | None
    largest_core_hour_share: float | None

    def to_dict(self) -> dict[str, Any]:
        """A flat object of numbers, texts and ``None``; never a value that JSON lacks."""

        def part(spread: JobSpread | None, name: str) -> float | None:
            return None if spread is None else float(getattr(spread, name))

        flat: dict[str, Any] = {
            "policy": self.policy,
            "event_order": self.event_order,
            "estimates": self.estimates,
            "jobs": self.jobs,
            "mean_wait_s": part(self.wait_s, "mean"),
            "median_wait_s": part(self.wait_s, "median"),
            "mean_bounded_slowdown": part(self.bounded_slowdown, "mean"),
            "max_wait_s": part(self.wait_s, "largest"),
            "utilisation": self.utilisation,
            "makespan_s": self.makespan_s,
        }
        spreads = {
            "wait_s": self.wait_s,
            "turnaround_s": self.turnaround_s,
            "slowdown": self.slowdown,
            "bounded_slowdown": self.bounded_slowdown,
        }
        for quantity, spread in spreads.items():
            for name, key in _PARTS:
                flat.setdefault(key.format(quantity), part(spread, name))
        flat["users"] = len(self.users)
        rest = [field.name for field in fields(self) if field.name not in flat | spreads]
        return flat | {name: getattr(self, name) for name in rest}


_PARTS = (
    ("mean", "mean_{}"),
    ("median", "median_{}"),
    ("p90", "p90_{}"),
    ("p95", "p95_{}"),
    ("p99", "p99_{}"),
    ("largest", "max_{}"),
)


def measure(schedule: JobSchedule, measured: Measured | None = None) -> Measures:
    """Measure a schedule; by default all of its jobs.

    Means over jobs are over the measured ones that started. Makespan, utilisation, throughput and
    processor-hours are of the whole schedule.

    Parameters
    ----------
    schedule
        Jobs and their starts.
    measured
        Which jobs count, as ``trim_by_mser`` or ``trim_by_share`` gives it.

    Returns
    -------
    Measures
        Times in seconds, shares from 0 to 1.
    """
    measured = all_measured(schedule) if measured is None else measured
    ran = schedule.take(schedule.started)
    counted = schedule.take(schedule.started & measured.jobs)
    users = measure_users(counted)
    makespan = int(ran.end_s.max() - schedule.submit_s.min()) if len(ran) else None
    hours = core_hours(ran)
    # Floating point: processor-seconds of a long log on a large machine may pass 64 bits.
    held = float(ran.processors.astype(float) @ ran.run_s)
    window = (measured.start_s, measured.end_s)
    mean_use, _ = _over_time(processors_in_use(schedule), *window)
    mean_jobs, most_jobs = _over_time(jobs_waiting(schedule), *window)
    mean_processors, most_processors = _over_time(processors_waiting(schedule), *window)
    return Measures(
        policy=schedule.policy,
        event_order=schedule.event_order,
        estimates=schedule.estimates,
        rule=measured.rule,
        jobs=len(counted),
        jobs_killed=int(counted.killed.sum()),
        jobs_left_out=len(ran) - len(counted),
        jobs_submitted=len(schedule),
        jobs_started=len(ran),
        jobs_ended=int((~ran.killed).sum()),
        jobs_killed_in_all=int(ran.killed.sum()),
        jobs_rejected=len(schedule.rejected),
        wait_s=JobSpread.of(counted.wait_s),
        turnaround_s=JobSpread.of(turnaround_s(counted)),
        slowdown=JobSpread.of(slowdown(counted)),
        bounded_slowdown=JobSpread.of(bounded_slowdown(counted)),
        makespan_s=makespan,
        utilisation=(held / (schedule.machine_processors * makespan) if makespan else None),
        window_utilisation=None if mean_use is None else mean_use / schedule.machine_processors,
        throughput_per_h=3600 * len(ran) / makespan if makespan else None,
        core_hours_done=float(hours[~ran.killed].sum()),
        core_hours_killed=float(hours[ran.killed].sum()),
        mean_jobs_waiting=mean_jobs,
        max_jobs_waiting=most_jobs,
        mean_processors_waiting=mean_processors,
        max_processors_waiting=most_processors,
        users=users,
        jain_wait=jain_index(users.mean_wait_s),
        jain_bounded_slowdown=jain_index(users.mean_bounded_slowdown),
        jain_core_hours=jain_index(users.core_hours),
        largest_core_hour_share=float(users.share.max()) if len(users) else None,
    )


def _over_time(steps: Steps, start_s: int, end_s: int) -> tuple[float | None, int]:
    """Mean in a window, and largest ever; the steps, which are many, are let go of."""
    return steps.mean(start_s, end_s), steps.largest()
