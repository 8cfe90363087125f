"""The nine stages of a Maui-like iteration, literally: every iteration, every job, every time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from scenarios.maui.settings import PARTIES, MauiConfiguration

MINUTE, HOUR = 60, 3600
STEPS = [MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE]
STEPS += [hours * HOUR for hours in (1, 2, 5, 10, 20, 50, 100)]
STEPS += [10**12]  # the requested time
NONE = 1 << 60


@dataclass(eq=False)
class Job:
    number: int
    submit: int
    run: int
    processors: int
    request: int
    planned: int
    party: dict[str, str]
    first: int = 0
    since: int = 0
    bypassed: int = 0
    start: int = -1
    attempts: int = 0
    lost: int = 0
    charged: int = 0

    @property
    def expected(self) -> int:
        return self.start + self.planned


@dataclass
class World:
    machine: int
    config: MauiConfiguration
    jobs: list[Job]
    extends: bool = False
    factor: float = 2.0
    clock: int = 0
    coming: list[Job] = field(default_factory=list)
    again: list[Job] = field(default_factory=list)
    held: list[Job] = field(default_factory=list)
    queue: list[Job] = field(default_factory=list)
    running: list[Job] = field(default_factory=list)
    done: list[Job] = field(default_factory=list)
    windows: list[dict[tuple[str, str], int]] = field(default_factory=list)
    older: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    names: dict[str, list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.coming = list(self.jobs)
        self.windows = [defaultdict(int) for _ in range(self.config.fairshare.windows)]
        for job in self.jobs:
            job.first = job.planned
        for kind in PARTIES:
            self.names[kind] = sorted({job.party[kind] for job in self.jobs})

    def limit(self, kind: str, name: str, which: str) -> int:
        own = [t for t in self.config.throttles if t.of == kind and t.name == name]
        everyone = [t for t in self.config.throttles if t.of == kind and t.name is None]
        for throttle in [*own, *everyone]:
            result: int | None = getattr(throttle, which)
            return NONE if result is None else result
        return NONE

    # stages 2 and 3

    def read(self) -> None:
        held_before = list(self.held)
        self.held += self.again
        self.again = []
        while self.coming and self.coming[0].submit <= self.clock:
            job = self.coming.pop(0)
            job.since = job.submit
            self.held.append(job)
        for job in list(self.held):
            if all(
                sum(other.party[kind] == name for other in self.queue)
                < self.limit(kind, name, "max_idle_jobs")
                for kind, name in job.party.items()
            ):
                if job in held_before:
                    job.since = self.clock
                self.held.remove(job)
                self.queue.append(job)

    # stages 4 and 5

    def charge(self, job: Job, until: int) -> None:
        for party in job.party.items():
            self.windows[0][party] += job.processors * (until - job.charged)
        job.charged = until

    def go_on_and_end(self) -> None:
        ends = sorted(self.running, key=lambda j: (self.end_of(j), j.number))
        for job in ends:
            end = self.end_of(job)
            if end > self.clock:
                self.charge(job, self.clock)
                while self.extends and job.expected <= self.clock:
                    step = STEPS[min(job.attempts, len(STEPS) - 1)]
                    job.planned = min(job.first + step, job.request)
                    job.attempts += 1
                continue
            if self.extends:
                while job.planned < job.run:  # what was outlived since the last iteration
                    step = STEPS[min(job.attempts, len(STEPS) - 1)]
                    job.planned = min(job.first + step, job.request)
                    job.attempts += 1
            self.charge(job, end)
            self.running.remove(job)
            if end - job.start < job.run:
                job.attempts += 1
                job.lost += end - job.start
                longer = int(min(job.planned * self.factor, job.request))
                job.planned = min(max(longer, job.planned + 1), job.request)
                job.since = end
                self.again.append(job)
            else:
                self.done.append(job)
        if self.clock % self.config.fairshare.window_s == 0 and self.clock > 0:
            self.windows = [defaultdict(int), *self.windows[:-1]]
            decay = self.config.fairshare.decay
            self.older = defaultdict(float)
            for i, window in enumerate(self.windows[1:], 2):
                for party, use in window.items():
                    self.older[party] += use * decay**i

    def end_of(self, job: Job) -> int:
        return job.start + (job.run if self.extends else min(job.run, job.planned))

    # stage 6

    def usage(self, party: tuple[str, str]) -> float:
        return self.windows[0][party] * self.config.fairshare.decay + self.older[party]

    def share(self, kind: str, name: str) -> float:
        whole = sum(self.usage((kind, name)) for name in self.names[kind])
        return self.usage((kind, name)) / whole if whole > 0 else 0.0

    def priority(self, job: Job, shares: dict[tuple[str, str], float]) -> float:
        """Terms are added in the order of the loop: doubles know no law of association."""
        p, targets = self.config.priority, self.config.fairshare
        queued = self.clock - job.since
        fixed = p.resource.weight * p.resource.processors * job.processors
        for kind, name in job.party.items():
            fixed += p.credential.weight * getattr(p.credential, kind).get(name, 0.0)
        for kind, name in job.party.items():
            weight = p.fairshare.weight * getattr(p.fairshare, kind)
            fixed += weight * getattr(targets, kind).get(name, 0.0)
        result: float = fixed + p.service.weight * p.service.queue_time * (queued / 60)
        result += (
            p.service.weight * p.service.bypass * job.bypassed
            + p.resource.weight * p.resource.wall_time * job.planned
        )
        expansion = (queued + job.planned) / job.planned
        result += p.service.weight * p.service.expansion_factor * expansion
        for kind, name in job.party.items():
            weight = p.fairshare.weight * getattr(p.fairshare, kind)
            result -= weight * shares.get((kind, name), 0.0)
        return result

    # stages 7 to 9

    def throttled(self, job: Job) -> bool:
        for kind, name in job.party.items():
            mine = [other for other in self.running if other.party[kind] == name]
            processors = sum(other.processors for other in mine) + job.processors
            if len(mine) >= self.limit(kind, name, "max_jobs"):
                return True
            if processors > self.limit(kind, name, "max_processors"):
                return True
        return False

    def free(self, at: int, reserved: Sequence[tuple[int, int, int]]) -> int:
        used = sum(j.processors for j in self.running if j.expected > at)
        return self.machine - used - sum(p for s, e, p in reserved if s <= at < e)

    def fits(self, job: Job, at: int, reserved: Sequence[tuple[int, int, int]]) -> bool:
        moments = {at, *(s for s, _, _ in reserved if at < s < at + job.planned)}
        return all(self.free(m, reserved) >= job.processors for m in moments)

    def start(self, job: Job, order: list[Job]) -> None:
        for other in order[: order.index(job)]:
            if other in self.queue:
                other.bypassed += 1
        self.queue.remove(job)
        job.start = job.charged = self.clock
        self.running.append(job)

    def start_jobs(self) -> None:
        weights = self.config.priority.fairshare
        parties = {party for job in self.queue for party in job.party.items()}
        parties = {(kind, name) for kind, name in parties if getattr(weights, kind)}
        shares = {party: self.share(*party) for party in parties}
        order = sorted(self.queue, key=lambda j: (-self.priority(j, shares), j.number))
        backfill = self.config.backfill
        reserved: list[tuple[int, int, int]] = []
        behind = list(order)
        blocked = False
        while behind and not (blocked and len(reserved) >= backfill.reservations):
            job = behind[0]
            if self.throttled(job):
                behind.pop(0)
                continue
            if self.fits(job, self.clock, reserved):
                behind.pop(0)
                self.start(job, order)
                continue
            blocked = True
            if backfill.policy == "none":
                return
            if len(reserved) < backfill.reservations:
                moments = {self.clock, *(j.expected for j in self.running)}
                moments |= {e for _, e, _ in reserved}
                at = min(m for m in moments if m >= self.clock and self.fits(job, m, reserved))
                reserved.append((at, at + job.planned, job.processors))
                behind.pop(0)
        candidates = [job for job in behind if not self.throttled(job)]
        candidates = candidates[: backfill.depth]
        while True:
            can = [
                job
                for job in candidates
                if not self.throttled(job) and self.fits(job, self.clock, reserved)
            ]
            if not can:
                return
            job = max(can, key=lambda j: j.processors) if backfill.policy == "best-fit" else can[0]
            candidates.remove(job)
            self.start(job, order)

    def run(self) -> None:
        while len(self.done) < len(self.jobs):
            self.read()
            self.go_on_and_end()
            self.start_jobs()
            self.clock += self.config.iteration_s


def played(
    machine: int,
    config: MauiConfiguration,
    rows: Sequence[tuple[int, int, int, int, int, dict[str, str]]],
    *,
    extends: bool = False,
    factor: float = 2.0,
) -> list[Job]:
    """Jobs after the play; rows of submit, run, processors, request, estimate and parties."""
    jobs = [
        Job(number, submit, run, processors, request, planned, party)
        for number, (submit, run, processors, request, planned, party) in enumerate(rows)
    ]
    World(machine, config, jobs, extends, factor).run()
    return jobs
