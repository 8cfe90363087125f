"""Moldable backfilling written a second time: literally, slowly, in fractions, sharing no line."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

SUBMISSION, END = range(2)

Time = Callable[[int, int], Fraction]
"""Run time on so many processors over that on those asked for, exactly."""


@dataclass(eq=False)
class Job:
    submit: int
    shapes: dict[int, tuple[int, int]]
    """Run time and estimate by processors."""
    asked_processors: int
    start: int = -1
    on: int = 0

    @property
    def expected_end(self) -> int:
        return self.start + self.shapes[self.on][1]


@dataclass
class World:
    machine: int
    order: str
    events: list[tuple[int, int, int, Job]] = field(default_factory=list)
    queue: list[Job] = field(default_factory=list)
    running: list[Job] = field(default_factory=list)
    counter: int = 0

    def push(self, time: int, kind: int, job: Job) -> None:
        self.counter += 1
        heapq.heappush(self.events, (time, kind, self.counter, job))

    def free(self, at: int, promised: Sequence[tuple[int, int, int]]) -> int:
        held = sum(job.on for job in self.running if job.start <= at < job.expected_end)
        return self.machine - held - sum(p for s, e, p in promised if s <= at < e)

    def room(
        self, processors: int, at: int, length: int, promised: Sequence[tuple[int, int, int]]
    ) -> bool:
        """Whether so many are free from a time on for so long."""
        moments = {at} | {s for s, _, _ in promised}
        inside = [moment for moment in moments if at <= moment < at + length]
        return all(self.free(moment, promised) >= processors for moment in inside)

    def soonest(
        self, processors: int, now: int, length: int, promised: Sequence[tuple[int, int, int]]
    ) -> int:
        moments = {now} | {job.expected_end for job in self.running} | {e for _, e, _ in promised}
        later = sorted(moment for moment in moments if moment >= now)
        return next(at for at in later if self.room(processors, at, length, promised))

    def possible(
        self, job: Job, behind: Sequence[Job], now: int, promised: list[tuple[int, int, int]]
    ) -> list[int]:
        result = []
        for processors, (_, length) in job.shapes.items():
            if not self.room(processors, now, length, promised):
                continue
            if processors > job.asked_processors:
                left = self.free(now, promised) - job.asked_processors
                if any(min(other.shapes) <= left for other in behind):
                    continue
                if behind and not promised:
                    first = behind[0]
                    wants = (first.asked_processors, now, first.shapes[first.asked_processors][1])
                    on_request = (
                        now,
                        now + job.shapes[job.asked_processors][1],
                        job.asked_processors,
                    )
                    before = self.soonest(*wants, [on_request])
                    after = self.soonest(*wants, [(now, now + length, processors)])
                    if after > before:
                        continue
            result.append(processors)
        return result

    def schedule(self, now: int) -> None:
        promised: list[tuple[int, int, int]] = []
        for job in list(self.queue):
            behind = self.queue[self.queue.index(job) + 1 :]
            length = job.shapes[job.asked_processors][1]
            at = self.soonest(job.asked_processors, now, length, promised)
            ends = [(now + job.shapes[n][1], n) for n in self.possible(job, behind, now, promised)]
            if ends and min(ends)[0] <= at + length:
                job.on, job.start = min(ends)[1], now
                self.queue.remove(job)
                self.running.append(job)
                self.push(now + job.shapes[job.on][0], END, job)
            elif not promised:
                promised.append((at, at + length, job.asked_processors))

    def happens(self, kind: int, job: Job) -> None:
        if kind == SUBMISSION:
            self.queue.append(job)
        else:
            self.running.remove(job)

    def play(self) -> None:
        while self.events:
            now, kind, _, job = heapq.heappop(self.events)
            if self.order == "batch":
                both = [(kind, job)]
                while self.events and self.events[0][0] == now:
                    _, kind, _, job = heapq.heappop(self.events)
                    both.append((kind, job))
                for kind, job in sorted(both, key=lambda item: -item[0]):
                    self.happens(kind, job)
                self.schedule(now)
                continue
            self.happens(kind, job)
            if kind == END or min(job.shapes) <= self.free(now, []):
                self.schedule(now)


def starts(
    machine: int,
    rows: Sequence[tuple[int, int, int, int, int]],
    time: Time,
    choices: Sequence[Fraction],
    order: str = "reference",
) -> tuple[list[int], list[int], list[int]]:
    """Starts, processors and run times of jobs (submit, run, processors, requested, user)."""
    world = World(machine, order)
    jobs = []
    for submit, run, asked_processors, requested, _ in rows:
        counts = [asked_processors * choice for choice in choices]
        shapes = {}
        for count in counts:
            if count.denominator == 1 and 1 <= count <= machine:
                ratio = time(int(count), asked_processors)
                shapes[int(count)] = (ceil(run * ratio), ceil(max(requested, 1) * ratio))
        jobs.append(Job(submit, shapes, asked_processors))
    for job in jobs:
        world.push(job.submit, SUBMISSION, job)
    world.play()
    return (
        [job.start for job in jobs],
        [job.on for job in jobs],
        [job.shapes[job.on][0] for job in jobs],
    )
