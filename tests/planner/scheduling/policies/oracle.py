"""The policies written a second time: literally, slowly, and without sharing a line.

One event loop over a heap of (time, kind, counter, job); what is planned is asked of a list of
intervals, second by second where it can change.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, field

CHANGE, CORRECTION, SUBMISSION, TERMINATION, START = range(5)
MINUTE, HOUR = 60, 3600
STEPS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE]
STEPS += [hours * HOUR for hours in (1, 2, 5, 10, 20, 50, 100)]
STEPS += [10**12]  # the requested time


@dataclass(eq=False)
class Job:
    number: int
    submit: int
    run: int
    processors: int
    requested: int
    user: int = 0
    start: int = -1
    ended: bool = False
    expected: int = 0
    first: int = 0
    corrections: int = 0


@dataclass
class World:
    """Jobs that run or wait, and who may start."""

    machine: int
    policy: str
    order: str = "reference"
    predictor: str = "user"
    depth: int = 1
    windows: Sequence[tuple[int, int, int]] = ()
    events: list[tuple[int, int, int, Job]] = field(default_factory=list)
    queue: list[Job] = field(default_factory=list)
    running: list[Job] = field(default_factory=list)
    planned: dict[Job, int] = field(default_factory=dict)
    ended: list[Job] = field(default_factory=list)
    counter: int = 0

    def push(self, time: int, kind: int, job: Job) -> None:
        self.counter += 1
        heapq.heappush(self.events, (time, kind, self.counter, job))

    def used(self, time: int, extra: Sequence[tuple[int, int, int]] = ()) -> int:
        """Processors in use at a time, by expectation and by plan."""
        total = sum(j.processors for j in self.running if j.start <= time < j.start + j.expected)
        total += sum(j.processors for j, s in self.planned.items() if s <= time < s + j.requested)
        return total + sum(p for s, e, p in [*extra, *self.windows] if s <= time < e)

    def fits(
        self, job: Job, at: int, length: int, extra: Sequence[tuple[int, int, int]] = ()
    ) -> bool:
        moments = {at}
        moments |= {j.start for j in self.running}
        moments |= set(self.planned.values()) | {s for s, _, _ in [*extra, *self.windows]}
        return all(
            self.used(m, extra) + job.processors <= self.machine
            for m in moments
            if at <= m < max(at + length, at + 1)
        )

    def earliest(
        self, job: Job, now: int, length: int, extra: Sequence[tuple[int, int, int]] = ()
    ) -> int:
        moments = {now}
        moments |= {j.start + j.expected for j in self.running}
        moments |= {s + j.requested for j, s in self.planned.items()}
        moments |= {e for _, e, _ in [*extra, *self.windows]}
        return min(m for m in moments if m >= now and self.fits(job, m, length, extra))

    def start(self, job: Job, now: int) -> None:
        self.queue.remove(job)
        job.start = now
        self.running.append(job)
        self.push(now + job.run, TERMINATION, job)
        if job.run > job.expected:
            self.push(now + job.expected, CORRECTION, job)

    def free(self, now: int) -> int:
        return self.machine - self.used(now)

    # the policies

    def schedule(self, now: int) -> None:
        rank = {
            "sjf": lambda j: (j.requested, j.number),
            "largest": lambda j: (-j.processors, j.number),
        }.get(self.policy.split("+")[0], lambda j: (j.submit, j.number))
        reserved: list[tuple[int, int, int]] = []
        backfilling = self.policy in ("easy", "easy++", "easy++-pass") or self.policy.endswith(
            "+easy"
        )
        waiting = sorted(self.queue, key=rank)
        while waiting and self.fits(waiting[0], now, waiting[0].expected):
            self.start(waiting.pop(0), now)
        if not waiting or not backfilling:
            return
        if self.policy.startswith("easy++"):
            head, *others = waiting
            waiting = [head, *sorted(others, key=lambda j: j.expected)]
        for job in waiting:
            at = self.earliest(job, now, job.expected, reserved)
            if at == now:
                self.start(job, now)
            elif len(reserved) < self.depth:
                reserved.append((at, at + job.expected, job.processors))

    def predict(self, job: Job) -> int:
        if self.predictor == "user":
            return job.requested
        if self.predictor == "perfect":
            return max(job.run, 1)
        runs = [j.run for j in self.ended if j.user == job.user][-2:]
        return max(1, min(sum(runs) // 2, job.requested)) if len(runs) == 2 else job.requested

    def submit(self, job: Job, now: int) -> None:
        self.queue.append(job)
        job.expected = job.first = self.predict(job)
        if self.policy == "conservative":
            self.plan(job, now)

    def plan(self, job: Job, now: int) -> None:
        self.planned[job] = self.earliest(job, now, job.requested)
        self.push(self.planned[job], START, job)

    def compress(self, now: int) -> None:
        for job in list(self.queue):
            if self.planned[job] > now:
                before = self.planned.pop(job)
                self.planned[job] = self.earliest(job, now, job.requested)
                if self.planned[job] < before:
                    self.push(self.planned[job], START, job)

    def end(self, job: Job) -> None:
        job.ended = True
        self.running.remove(job)
        self.ended.append(job)

    def correct(self, job: Job) -> None:
        step = STEPS[min(job.corrections, len(STEPS) - 1)]
        job.expected = min(job.first + step, job.requested)
        job.corrections += 1
        if job.expected < job.run:
            self.push(job.start + job.expected, CORRECTION, job)

    def one_event(self, now: int, kind: int, job: Job) -> None:
        if kind == CORRECTION:
            self.correct(job)
            while self.events and self.events[0][:2] == (now, CORRECTION):
                self.correct(heapq.heappop(self.events)[3])
            if self.policy == "easy++-pass":
                self.schedule(now)
        elif kind == START:
            if job in self.planned and self.planned[job] == now:
                del self.planned[job]
                self.start(job, now)
        elif kind == CHANGE:
            if self.policy != "conservative":
                self.schedule(now)
        elif kind == SUBMISSION:
            fits = job.processors <= self.free(now)
            self.submit(job, now)
            if self.policy != "conservative" and (fits or self.policy.startswith("easy++")):
                self.schedule(now)
        else:
            self.end(job)
            if self.policy == "conservative":
                self.compress(now)
            else:
                self.schedule(now)

    def one_instant(self, now: int) -> None:
        """All corrections and ends, then all submissions, then one pass."""
        taken = []
        while self.events and self.events[0][0] == now:
            taken.append(heapq.heappop(self.events))
        ends = [job for _, kind, _, job in taken if kind == TERMINATION]
        for _, kind, _, job in taken:
            if kind == CORRECTION:
                self.correct(job)
        for job in ends:
            self.end(job)
        if ends and self.policy == "conservative":
            self.compress(now)
        arrivals = [job for _, kind, _, job in taken if kind == SUBMISSION]
        for job in arrivals:
            self.submit(job, now)
        changes = [kind for _, kind, _, _ in taken if kind == CHANGE]
        if self.policy == "easy++-pass":
            changes += [kind for _, kind, _, _ in taken if kind == CORRECTION]
        if self.policy != "conservative" and (ends or arrivals or changes):
            self.schedule(now)
        for _, kind, _, job in taken:
            if kind == START:
                self.one_event(now, kind, job)


def starts(
    machine: int,
    jobs: Sequence[tuple[int, int, int, int, int]],
    policy: str,
    order: str = "reference",
    predictor: str = "user",
    depth: int = 1,
    windows: Sequence[tuple[int, int, int]] = (),
) -> list[int]:
    """Starts of jobs (submit, run, processors, requested, user) in order of submission.

    Announced ``windows`` (begin, end, processors) are changes that come first in their instant.
    """
    world = World(machine, policy, order, predictor, depth, windows)
    all_jobs = [Job(n, s, r, p, max(e, 1), u) for n, (s, r, p, e, u) in enumerate(jobs)]
    for job in all_jobs:
        world.push(job.submit, SUBMISSION, job)
    for instant in {time for window in windows for time in window[:2]}:
        world.push(instant, CHANGE, all_jobs[0])
    while world.events:
        if order == "batch":
            world.one_instant(world.events[0][0])
        else:
            now, kind, _, job = heapq.heappop(world.events)
            world.one_event(now, kind, job)
    return [job.start for job in all_jobs]
