"""Measures of a schedule with shared nodes: waits, throughput, node-hours and energy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.sharing_nodes.queues.meetings import Meetings
from planner.sharing_nodes.queues.problem import MS, NEVER, Floats, SharedProblem, SharedSchedule

Mask = NDArray[np.bool_]

HOUR_MS = 3600 * MS
_BOUND_S = 10.0


@dataclass(frozen=True)
class NodeWatts:
    """Power of a node [W] by what runs on it.

    The defaults are assumptions for two sockets of eight cores, and every table that uses them
    says so: a node that computes draws about three times its idle power.

    Attributes
    ----------
    idle
        Nothing runs.
    half
        One half computes and the other is idle.
    whole
        One job has all cores.
    shared
        Two jobs have half each.
    """

    idle: float = 100.0
    half: float = 210.0
    whole: float = 300.0
    shared: float = 300.0

    def __post_init__(self) -> None:
        watts = (self.idle, self.half, self.whole, self.shared)
        if not all(0 <= value < np.inf for value in watts):
            raise InputError(f"node watts {watts} hold one below 0 or none; give watts such as 300")


@dataclass(frozen=True, eq=False)
class SharedMeasures:
    """Measures of a schedule; arrays of shape ``(jobs,)``, NaN for jobs that are not measured.

    Attributes
    ----------
    wait_s, turnaround_s
        From submission to start, and to end [s].
    stretch
        Run time over that alone on whole nodes.
    mean_wait_s, median_wait_s, longest_wait_s, mean_turnaround_s, mean_bounded_slowdown
        Over the measured jobs; the slowdown is bounded at 10 s and against the run time alone.
    jobs, shared_jobs
        Measured jobs that ran, and those of them that got half of at least one node, so that they
        are open to a partner, whether or not they have one.
    partnered_jobs
        Measured jobs that had a partner: another job on at least one of their nodes for some time.
    makespan_s
        From the first submission to the last end, over all jobs [s].
    node_hours
        Node-hours in use, over all jobs: a node counts while any job is on it.
    idle_half_hours
        Node-hours of these with one half idle.
    shared_node_hours
        Node-hours of these with two jobs.
    throughput
        Node-hours that the jobs need alone on whole nodes over those in use: 1 in the baseline.
    jobs_per_hour
        Jobs that end before the last submission, per hour.
    energy_kwh, idle_energy_kwh
        Energy of all nodes over the makespan, and the part of nodes on which nothing runs [kWh].
    late_starts
        Jobs that started after their first reservation.
    outlasted
        Jobs that ended after their expected end.
    """

    wait_s: Floats
    turnaround_s: Floats
    stretch: Floats
    mean_wait_s: float
    median_wait_s: float
    longest_wait_s: float
    mean_turnaround_s: float
    mean_bounded_slowdown: float
    jobs: int
    shared_jobs: int
    partnered_jobs: int
    makespan_s: float
    node_hours: float
    idle_half_hours: float
    shared_node_hours: float
    throughput: float
    jobs_per_hour: float
    energy_kwh: float
    idle_energy_kwh: float
    late_starts: int
    outlasted: int


def measure(
    schedule: SharedSchedule,
    problem: SharedProblem,
    meetings: Meetings,
    *,
    watts: NodeWatts | None = None,
    measured: Mask | None = None,
) -> SharedMeasures:
    """Measure a schedule that the checker finds in order.

    Parameters
    ----------
    measured
        Jobs whose waits and turnarounds count; by default all. Node-hours and energy are of all.
    """
    watts = NodeWatts() if watts is None else watts
    counted = schedule.runs if measured is None else schedule.runs & measured
    jobs = problem.jobs
    wait, turnaround, run = (
        np.where(counted, (late - early) / MS, np.nan)
        for late, early in (
            (schedule.start_ms, jobs.submit_ms),
            (schedule.end_ms, jobs.submit_ms),
            (schedule.end_ms, schedule.start_ms),
        )
    )
    alone = jobs.run_ms / MS
    slowdown = np.maximum(turnaround / np.maximum(alone, _BOUND_S), 1.0)
    hours = node_hours(schedule, problem, meetings)
    late = (schedule.promised_ms != NEVER) & (schedule.start_ms > schedule.promised_ms)
    return SharedMeasures(
        wait_s=wait,
        turnaround_s=turnaround,
        stretch=run / alone,
        mean_wait_s=_mean(wait),
        median_wait_s=float(np.nanmedian(wait)) if counted.any() else float("nan"),
        longest_wait_s=float(np.nanmax(wait)) if counted.any() else float("nan"),
        mean_turnaround_s=_mean(turnaround),
        mean_bounded_slowdown=_mean(slowdown),
        jobs=int(counted.sum()),
        shared_jobs=int((counted & schedule.shared).sum()),
        partnered_jobs=int((counted & partnered(schedule, meetings)).sum()),
        makespan_s=hours.makespan_s,
        node_hours=hours.in_use,
        idle_half_hours=hours.half,
        shared_node_hours=hours.shared,
        throughput=_throughput(schedule, problem, hours),
        jobs_per_hour=_jobs_per_hour(schedule, problem),
        energy_kwh=(hours.busy_kwh(watts) + hours.idle * watts.idle / 1000),
        idle_energy_kwh=hours.idle * watts.idle / 1000,
        late_starts=int(late.sum()),
        outlasted=int((schedule.runs & (schedule.end_ms > schedule.expected_end_ms)).sum()),
    )


def partnered(schedule: SharedSchedule, meetings: Meetings) -> Mask:
    """Return the jobs that had a partner: another job on one of their nodes for some time.

    Parameters
    ----------
    meetings
        All meetings of the schedule, as :func:`~planner.sharing_nodes.queues.meetings.meetings_of`
        reads them.

    Returns
    -------
    Mask
        Shape ``(jobs,)``. A job that got half of a node, on which no other job ever ran at the same
        time, is not among them.
    """
    met = np.zeros(len(schedule.start_ms), np.bool_)
    met[meetings.job[meetings.end_ms > meetings.begin_ms]] = True
    return met


@dataclass(frozen=True)
class NodeHours:
    """Node-hours by what runs on a node: one whole job, one half, two halves, or nothing."""

    whole: float
    half: float
    shared: float
    idle: float
    makespan_s: float

    @property
    def in_use(self) -> float:
        """Node-hours with any job."""
        return self.whole + self.half + self.shared

    def busy_kwh(self, watts: NodeWatts) -> float:
        """Return the energy of the nodes in use [kWh]."""
        busy = self.whole * watts.whole + self.half * watts.half + self.shared * watts.shared
        return busy / 1000


def node_hours(schedule: SharedSchedule, problem: SharedProblem, meetings: Meetings) -> NodeHours:
    """Return node-hours from the first submission to the last end.

    A job of the half-idle layout has one half of each of its nodes in use.
    """
    ran = schedule.runs
    if not ran.any():
        return NodeHours(0.0, 0.0, 0.0, 0.0, 0.0)
    span = int(schedule.end_ms[ran].max()) - int(problem.jobs.submit_ms[0])
    hours = np.where(ran, schedule.end_ms - schedule.start_ms, 0) / HOUR_MS
    apart = ~schedule.shared & (schedule.count > problem.jobs.nodes)
    halved = np.where(apart, schedule.count, schedule.split)
    both = float((meetings.end_ms - meetings.begin_ms).sum()) / 2 / HOUR_MS
    half = float((halved * hours).sum()) - 2 * both
    whole = float(((schedule.count - halved) * hours).sum())
    idle = problem.nodes * span / HOUR_MS - whole - half - both
    return NodeHours(whole, half, both, idle, span / MS)


def _throughput(schedule: SharedSchedule, problem: SharedProblem, hours: NodeHours) -> float:
    needed = (problem.jobs.nodes * problem.jobs.run_ms)[schedule.runs].sum() / HOUR_MS
    return float(needed / hours.in_use) if hours.in_use else float("nan")


def _jobs_per_hour(schedule: SharedSchedule, problem: SharedProblem) -> float:
    submit = problem.jobs.submit_ms
    span = int(submit[-1] - submit[0]) if len(submit) else 0
    if not span:
        return float("nan")
    ended = schedule.runs & (schedule.end_ms <= submit[-1])
    return float(ended.sum() * HOUR_MS / span)


def _mean(values: Floats) -> float:
    measured = values[~np.isnan(values)]
    return float(measured.mean()) if len(measured) else float("nan")
