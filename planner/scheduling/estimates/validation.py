"""How near a simulated schedule comes to the recorded one: completions over time, and waits.

References
----------
Smith, Hammond and Jarvis, "The effect of an application performance modelling tool", UKPEW 2011,
figure 3 and section 5, where cumulative completions are drawn over one another and called "very
acceptable". Here they are numbers, and two schedules that nobody would call a simulation are
measured alike.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from planner.errors import InputError
from planner.scheduling.estimates.deviation import Deviation, deviation
from planner.scheduling.estimates.nearly_idle import nearly_idle
from planner.scheduling.simulation.recorded import recorded_schedule
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.steps import processors_in_use
from scenarios.job_logs.job_log import JobLog

AT_SUBMISSION = "at submission"
"""How the schedule is called in which nobody waits."""


@dataclass(frozen=True)
class ScheduleOutcome:
    """Measures of one schedule.

    Attributes
    ----------
    policy
        Whose schedule it is.
    jobs
        Jobs that are compared.
    mean_wait_s, median_wait_s
        Over these jobs.
    utilisation
        Mean processors in use from the first submission to the last end, as a share of the machine;
        of all jobs, as the rest.
    most_processors
        In use at any time.
    hours_over_machine
        How long more are in use than the machine has [h].
    waiting_beside_room_percent
        Share of all waiting time in which the free processors would have held the job. A scheduler
        leaves some for larger jobs that come first; processors that were down or reserved are not
        in the log and count as free.
    nearly_idle_hours
        How long less than a tenth of the machine is in use while jobs wait, an hour or more at a
        time [h]: where recorded, hardly by the scheduler's choice.
    """

    policy: str
    jobs: int
    mean_wait_s: float
    median_wait_s: float
    utilisation: float | None
    most_processors: int
    hours_over_machine: float
    waiting_beside_room_percent: float | None
    nearly_idle_hours: float


@dataclass(frozen=True, eq=False)
class Validation:
    """A simulated schedule compared with the recorded one.

    Attributes
    ----------
    name
        Name of the log.
    machine_processors
        Processors of the simulated machine.
    jobs, jobs_left_out
        Number of compared jobs, and of the other jobs: without a recorded wait or without a
        simulated start.
    recorded
        Outcome of the log's own schedule.
    outcomes, deviations
        Results of the simulated schedule, of first come first served, and of starts at submission,
        in this order. The last two are baselines: the simulation should be nearer than both.
    schedules
        The recorded schedule and these three, with the compared jobs, for figures.
    """

    name: str
    machine_processors: int
    jobs: int
    jobs_left_out: int
    recorded: ScheduleOutcome
    outcomes: tuple[ScheduleOutcome, ...]
    deviations: tuple[Deviation, ...]
    schedules: tuple[JobSchedule, ...]

    def rows(self) -> list[dict[str, Any]]:
        """A row of plain values for each schedule, the recorded one first."""
        empty = dict.fromkeys(Deviation.__dataclass_fields__)
        first: dict[str, Any] = empty | asdict(self.recorded)
        pairs = zip(self.outcomes, self.deviations, strict=True)
        return [first, *(asdict(difference) | asdict(outcome) for outcome, difference in pairs)]


def validate(log: JobLog, schedule: JobSchedule) -> Validation:
    """Hold a simulated schedule against the waits that the log recorded.

    Parameters
    ----------
    log
        Jobs with recorded waits, read without cutting runs at their request
        (``Cleaning(overruns="keep")``): a job that was cut has no recorded end.
    schedule
        Simulated schedule of this very log.

    Raises
    ------
    InputError
        The log has no waits, its runs were cut, the schedule is of other jobs, or no job is left to
        compare.
    """
    from planner.scheduling.policies.fcfs import Fcfs
    from planner.scheduling.simulation.simulate import simulate

    _check(log, schedule)
    machine = schedule.machine_processors
    recorded = recorded_schedule(log, machine)
    played = replace(log, processors=schedule.processors)
    others = (
        schedule,
        simulate(played, Fcfs(), processors=machine).schedule,
        replace(recorded, start_s=log.submit_s, rejected={}, policy=AT_SUBMISSION),
    )
    counted = np.logical_and.reduce([candidate.started for candidate in (recorded, *others)])
    if not counted.any():
        raise InputError(
            f"no job of {log.name} has both a recorded wait and a simulated start; simulate it "
            "on a larger machine"
        )
    compared = tuple(schedule.take(counted) for schedule in (recorded, *others))
    return Validation(
        name=log.name,
        machine_processors=machine,
        jobs=len(compared[0]),
        jobs_left_out=len(log) - len(compared[0]),
        recorded=_outcome(recorded, compared[0]),
        outcomes=tuple(map(_outcome, others, compared[1:])),
        deviations=tuple(deviation(compared[0], schedule) for schedule in compared[1:]),
        schedules=compared,
    )


def waiting_beside_room(schedule: JobSchedule) -> float | None:
    """Return the share of all waiting time in which enough processors were free for the job.

    It is ``None`` if no job waited.
    """
    ran = schedule.take(schedule.started)
    waited = float(ran.wait_s.sum(dtype=float))
    if not waited:
        return None
    use = processors_in_use(schedule)
    time = np.concatenate([[ran.submit_s.min()], use.time_s])
    free = schedule.machine_processors - np.concatenate([[0], use.value])
    waited_with_room = 0.0
    for processors in np.unique(ran.processors):
        alike = ran.processors == processors
        room = np.where(free >= processors, 1, 0)
        until = np.concatenate([[0], np.cumsum(np.diff(time) * room[:-1])])
        # Waiting time with room is F(start) - F(submit), F(t) being the time up to t with room.
        for instants, sign in ((ran.start_s[alike], 1), (ran.submit_s[alike], -1)):
            index = np.searchsorted(time, instants, side="right") - 1
            passed = until[index] + (instants - time[index]) * room[index]
            waited_with_room += sign * float(passed.sum(dtype=float))
    return waited_with_room / waited


def _outcome(schedule: JobSchedule, compared: JobSchedule) -> ScheduleOutcome:
    use = processors_in_use(schedule)
    over = use.value[:-1] > schedule.machine_processors
    ran = schedule.take(schedule.started)
    mean = use.mean(int(ran.submit_s.min()), int(ran.end_s.max()))
    with_room = waiting_beside_room(schedule)
    return ScheduleOutcome(
        policy=schedule.policy,
        jobs=len(compared),
        mean_wait_s=float(compared.wait_s.mean()),
        median_wait_s=float(np.median(compared.wait_s)),
        utilisation=None if mean is None else mean / schedule.machine_processors,
        most_processors=use.largest(),
        hours_over_machine=float(np.diff(use.time_s)[over].sum()) / 3600,
        waiting_beside_room_percent=None if with_room is None else 100 * with_room,
        nearly_idle_hours=sum(period.end_s - period.begin_s for period in nearly_idle(schedule))
        / 3600,
    )


def _check(log: JobLog, schedule: JobSchedule) -> None:
    same = len(log) == len(schedule) and bool(
        (log.number == schedule.number).all() and (log.submit_s == schedule.submit_s).all()
    )
    if not same:
        raise InputError(
            f"the schedule {schedule.name} has other jobs than {log.name}; simulate this log"
        )
    if not (log.wait_s >= 0).any():
        raise InputError(
            f"{log.name} has no recorded waits, so there is nothing to validate against; give a "
            "log that has them (field 3 of the Standard Workload Format)"
        )
    if log.killed is not None and log.killed.any():
        raise InputError(
            f"{int(log.killed.sum()):,} runs of {log.name} were cut at the requested time, so "
            "their recorded ends are lost; keep them: --clean overruns=keep"
        )
