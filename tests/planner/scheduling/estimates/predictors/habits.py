"""Jobs of users with habits, and a pass over them job by job."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from planner.scheduling.estimates.predictors.predictor import Codes, Integers, Known, Predicting
from planner.scheduling.policies.problem import EventOrder
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.simulate import Estimates, simulate
from scenarios.job_logs.job_log import JobLog

MACHINE = 64


def job_log(
    submit: Integers, run: Integers, processors: Integers, requested: Integers, user: Integers
) -> JobLog:
    number = np.arange(1, len(submit) + 1)
    codes = user.astype(np.int32)
    return JobLog(
        name="habits",
        number=number,
        submit_s=submit.astype(np.int64),
        run_s=run.astype(np.int64),
        processors=processors.astype(np.int64),
        requested_s=requested.astype(np.int64),
        user=codes,
        group=codes % 2,
        queue=codes % 3,
        partition=np.zeros_like(codes),
        wait_s=np.full(len(submit), -1, np.int64),
        machine_processors=MACHINE,
    )


def habits(jobs: int, seed: int, users: int = 7) -> JobLog:
    """Each user runs two programs over and over, asks for round times, and now and then fails.

    Some programs always run alike, others vary by a factor of two.

    Some jobs come at one instant, some have no length, some use all that they asked for.
    """
    rng = np.random.default_rng(seed)
    user = rng.integers(0, users, jobs)
    program = 2 * user + rng.integers(0, 2, jobs)
    typical = np.exp(rng.uniform(np.log(20), np.log(5000), 2 * users))
    spread = np.exp(rng.uniform(np.log(0.02), np.log(0.7), 2 * users))[program]
    size = rng.choice([1, 2, 5, 8, 16], 2 * users)
    run = np.round(typical[program] * np.exp(spread * rng.normal(0, 1, jobs))).astype(np.int64)
    run[rng.random(jobs) < 0.05] = 0
    requests = 300 * np.ceil(typical * rng.uniform(1.5, 6, 2 * users) / 300).astype(np.int64)
    requested = np.maximum(requests[program], 1)
    requested[rng.random(jobs) < 0.02] = 1
    run = np.minimum(run, requested)
    gaps = rng.choice([0, 1, 60, 300, 900], jobs)
    return job_log(np.cumsum(gaps), run, size[program], requested, user)


def schedule_of(
    log: JobLog, estimates: Estimates = "user", order: EventOrder = "reference"
) -> JobSchedule:
    return simulate(log, find_policy("easy"), estimates=estimates, event_order=order).schedule


def events(schedule: JobSchedule) -> list[tuple[int, int, int, int]]:
    """Time, whether it is an end, start, job: in order, by the reference order of events."""
    submits = [(int(t), 0, int(t), job) for job, t in enumerate(schedule.submit_s)]
    ends = [
        (int(schedule.end_s[job]), 1, int(schedule.start_s[job]), int(job))
        for job in np.flatnonzero(schedule.started)
    ]
    return sorted(submits + ends)


def one_by_one(passing: Predicting, schedule: JobSchedule) -> list[int]:
    """Predictions of all jobs, asked for and told one at a time."""
    predicted = [0] * len(schedule)
    for _, is_end, _, job in events(schedule):
        row = np.array([job], np.intp)
        if is_end:
            passing.learn(row, schedule.run_s[row])
        else:
            predicted[job] = int(passing.predict(row)[0])
    return predicted


def in_batches(passing: Predicting, schedule: JobSchedule) -> list[int]:
    """The same, with as many jobs at a time as come without an event of the other kind."""
    predicted = np.zeros(len(schedule), np.int64)
    batch: list[int] = []
    ending = 0

    def hand_over() -> None:
        rows = np.array(batch, np.intp)
        if ending:
            passing.learn(rows, schedule.run_s[rows])
        else:
            predicted[rows] = passing.predict(rows)
        batch.clear()

    for _, is_end, _, job in events(schedule):
        if is_end != ending:
            hand_over()
            ending = is_end
        batch.append(job)
    hand_over()
    result: list[int] = predicted.tolist()
    return result


def first(known: Known, jobs: int) -> Known:
    times = (known.submit_s[:jobs], known.processors[:jobs], known.requested_s[:jobs])
    return Known(*times, known.user[:jobs], known.group[:jobs], known.queue[:jobs])


def prefix(schedule: JobSchedule, jobs: int) -> JobSchedule:
    return schedule.take(np.arange(jobs))


def relabelled(log: JobLog, rng: np.random.Generator) -> JobLog:
    """The same log with other codes of users, groups and queues."""

    def other(codes: Codes) -> Codes:
        values, places = np.unique(codes, return_inverse=True)
        others = rng.choice(np.arange(-500, 500), len(values), replace=False).astype(np.int32)
        renamed: Codes = others[places]
        return renamed

    return replace(log, user=other(log.user), group=other(log.group), queue=other(log.queue))
