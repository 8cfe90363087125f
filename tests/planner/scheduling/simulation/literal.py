"""Policies in literal form, for small logs: one thing at a time, nothing kept that can be counted.

Written from the published rules and from the description of pyss's events; slow on purpose.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from planner.scheduling.simulation.schedule import JobSchedule
from scenarios.job_logs.job_log import JobLog


class Job:
    def __init__(self, log: JobLog, row: int, estimate: int) -> None:
        self.row = row
        self.submit = int(log.submit_s[row])
        self.run = int(log.run_s[row])
        self.processors = int(log.processors[row])
        self.estimate = estimate
        self.start: int | None = None
        self.planned = -1
        self.made = -1
        self.turn = -1
        self.ended = False

    @property
    def end(self) -> int:
        assert self.start is not None
        return self.start + self.run

    @property
    def estimated_end(self) -> int:
        assert self.start is not None
        return self.start + self.estimate


class Machine:
    """Waiting and running jobs, and the clock of events."""

    def __init__(self, log: JobLog, machine: int) -> None:
        self.jobs = [Job(log, row, int(log.requested_s[row])) for row in range(len(log))]
        self.machine = machine
        self.queue: list[Job] = []
        self.turns = 0

    def running(self) -> list[Job]:
        return [job for job in self.jobs if job.start is not None and not job.ended]

    def free_at(self, when: int) -> int:
        """Processors free by the estimates, at a time from now on."""
        return self.machine - sum(
            job.processors for job in self.running() if job.estimated_end > when
        )

    def start(self, job: Job, now: int) -> None:
        job.start, job.turn = now, self.turns
        self.turns += 1
        self.queue.remove(job)

    def shadow(self, now: int) -> tuple[int, int]:
        head = self.queue[0]
        times = sorted({now} | {max(job.estimated_end, now) for job in self.running()})
        when = next(time for time in times if self.free_at(time) >= head.processors)
        return when, self.free_at(when) - head.processors

    def easy_pass(self, now: int, *, backfill: bool = True) -> None:
        while self.queue and self.queue[0].processors <= self.free_at(now):
            self.start(self.queue[0], now)
        while backfill and len(self.queue) > 1:
            when, extra = self.shadow(now)
            for job in self.queue[1:]:
                harmless = now + job.estimate <= when or job.processors <= extra
                if job.processors <= self.free_at(now) and harmless:
                    self.start(job, now)
                    break
            else:
                return

    def next_instant(self, submitted: int, arrivals: Sequence[int] | None = None) -> int | None:
        times = [job.end for job in self.running()]
        if arrivals is None:
            arrivals = [job.submit for job in self.jobs[submitted : submitted + 1]]
        times += arrivals
        times += [job.planned for job in self.queue if job.planned >= 0]
        return min(times, default=None)

    def ending(self, now: int) -> list[Job]:
        return sorted((j for j in self.running() if j.end == now), key=lambda job: job.turn)


def easy(log: JobLog, machine: int, event_order: str, *, backfill: bool = True) -> JobSchedule:
    """EASY backfilling; without backfill, first come first served."""
    state, submitted = Machine(log, machine), 0
    while (now := state.next_instant(submitted)) is not None:
        if event_order == "batch":
            while True:
                ending = state.ending(now)
                for job in ending:
                    job.ended = True
                arriving = [job for job in state.jobs[submitted:] if job.submit == now]
                state.queue += arriving
                submitted += len(arriving)
                if not ending and not arriving:
                    break
                state.easy_pass(now, backfill=backfill)
            continue
        for job in [job for job in state.jobs[submitted:] if job.submit == now]:
            state.queue.append(job)
            submitted += 1
            if job.processors <= state.free_at(now):
                state.easy_pass(now, backfill=backfill)
        while ending := state.ending(now):
            ending[0].ended = True
            state.easy_pass(now, backfill=backfill)
    return as_schedule(log, machine, state)


class Planned(Machine):
    """Waiting jobs with a planned start each; those of one instant start as they were planned."""

    plans = 0

    def use_at(self, when: int, without: Job) -> int:
        slots = [(job, job.planned) for job in self.queue if job is not without]
        slots += [(job, job.start) for job in self.running() if job.start is not None]
        return sum(job.processors for job, since in slots if since <= when < since + job.estimate)

    def place(self, job: Job, now: int) -> None:
        def fits(when: int) -> bool:
            times = range(when, when + job.estimate)
            return all(self.use_at(t, job) + job.processors <= self.machine for t in times)

        planned = next(when for when in itertools.count(now) if fits(when))
        if planned != job.planned:
            job.planned, job.made = planned, self.plans
            self.plans += 1

    def submit(self, now: int) -> None:
        for job in self.jobs:
            if job.submit == now:
                self.place(job, now)
                self.queue.append(job)

    def move_up(self, now: int) -> None:
        for job in self.queue:
            if job.planned > now:
                self.place(job, now)

    def begin(self, now: int, *, batch: bool) -> None:
        """Start what is planned for now; those without length end, in a batch all before a pass."""
        while due := [job for job in self.queue if job.planned == now]:
            due.sort(key=lambda job: job.made)
            starting = due if batch else due[:1]
            for job in starting:
                self.start(job, now)
                job.ended = job.run == 0
            if any(job.ended for job in starting):
                self.move_up(now)


def conservative(log: JobLog, machine: int, event_order: str) -> JobSchedule:
    """Conservative backfilling, moved up at each end."""
    state = Planned(log, machine)
    arrivals = sorted({job.submit for job in state.jobs})
    while (now := state.next_instant(0, arrivals)) is not None:
        arrivals = [time for time in arrivals if time > now]
        ending = state.ending(now)
        if event_order == "reference":
            state.submit(now)
            for job in ending:
                job.ended = True
                state.move_up(now)
        else:
            for job in ending:
                job.ended = True
            if ending:
                state.move_up(now)
            state.submit(now)
        state.begin(now, batch=event_order == "batch")
    return as_schedule(log, machine, state)


def as_schedule(log: JobLog, machine: int, state: Machine) -> JobSchedule:
    starts = np.array([job.start for job in state.jobs], np.int64)
    return schedule_of(log, machine, starts)


def schedule_of(log: JobLog, machine: int, start_s: np.typing.NDArray[np.int64]) -> JobSchedule:
    return JobSchedule(
        name=log.name,
        machine_processors=machine,
        number=log.number,
        submit_s=log.submit_s,
        start_s=start_s,
        run_s=log.run_s,
        processors=log.processors,
        requested_s=log.requested_s,
        user=log.user,
        killed=np.zeros(len(log), np.bool_),
    )


def made_log(jobs: list[tuple[int, int, int, int]], user: list[int] | None = None) -> JobLog:
    """A log of (submit time, run time, processors, requested time), numbered from 1."""
    table = np.array(jobs, np.int64).reshape(-1, 4)
    missing = np.full(len(table), -1, np.int64)
    users = np.array(user if user is not None else missing, np.int32)
    codes = missing.astype(np.int32)
    number = np.arange(1, len(table) + 1)
    arrays = (number, table[:, 0], table[:, 1], table[:, 2], table[:, 3])
    return JobLog("made", *arrays, users, codes, codes, codes, missing)


def drawn_log(rng: np.random.Generator, jobs: int, machine: int, *, least_run: int = 1) -> JobLog:
    """A crowded small log with many equal times."""
    submit = np.sort(rng.integers(0, max(2, 3 * jobs // 2), jobs))
    run = rng.integers(least_run, 9, jobs)
    processors = rng.integers(1, rng.integers(2, machine + 2), jobs)
    requested = run + rng.integers(0, 6, jobs) * rng.integers(0, 2, jobs)
    columns = (submit, run, processors, np.maximum(requested, 1))
    return made_log(list(zip(*(c.tolist() for c in columns), strict=True)))
