"""EASY with shared nodes as docs/evidence/shared-queue.md says it, without any bookkeeping.

Everything is worked out anew at each event: who is on which node, each job's speed, when it would
end, and when nodes become free. Slow, and written separately from the loop that it is to check.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from math import ceil

import numpy as np

from planner.sharing_nodes.queues.problem import NEVER, SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.rules import SharingRule

FAR = 10**18


@dataclass(eq=False)
class Run:
    """A job that runs, or has run; it has half of its first ``split`` nodes."""

    job: int
    app: int
    split: int
    nodes: list[int]
    start: int
    number: int
    expected: int
    work_left: int
    since: int
    rate: int = 0
    end: int = FAR


@dataclass
class Literal:
    problem: SharedProblem
    rule: SharingRule
    running: list[Run] = field(default_factory=list)
    done: dict[int, Run] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)
    promised: dict[int, int] = field(default_factory=dict)
    started: int = 0
    time: int = 0

    def __post_init__(self) -> None:
        speeds = self.problem.speeds
        self.pair: list[list[int]] = [
            [round(1e6 * value) for value in row] for row in speeds.pair.tolist()
        ]
        self.half: list[int] = [round(1e6 * value) for value in speeds.half.tolist()]
        self.full: list[int] = [round(1e6 * value) for value in speeds.full.tolist()]

    # what the log says ------------------------------------------------------------------------

    def app(self, job: int) -> int:
        return int(self.problem.jobs.application[job])

    def level(self, own: int, other: int) -> int:
        gate = self.rule.gate
        if gate is None or self.below_floor(own, other) or self.below_floor(other, own):
            return 0
        return int(gate.level[self.app(own), self.app(other)])

    def floor(self, job: int) -> float:
        return self.rule.floors.get(int(self.problem.jobs.user[job]), self.rule.floor)

    def below_floor(self, job: int, other: int) -> bool:
        assert self.rule.gate is not None
        lowest = float(self.rule.gate.lowest[self.app(job), self.app(other)])
        return max(round(1e6 * lowest), 1) < max(round(1e6 * self.floor(job)), 1)

    @property
    def per_node(self) -> int:
        return self.problem.halves_per_node

    def wide(self, job: int) -> bool:
        return self.per_node * int(self.problem.jobs.nodes[job]) <= self.problem.nodes

    def alone(self, job: int) -> int:
        nodes = int(self.problem.jobs.nodes[job])
        return 2 * nodes if self.rule.layout == "half idle" and self.wide(job) else nodes

    def can_share(self, job: int) -> bool:
        gate = self.rule.gate
        if self.rule.layout != "share" or gate is None:
            return False
        if not self.wide(job) and not self.rule.fill:
            return False
        if float(gate.idle[self.app(job)]) < self.floor(job):
            return False
        return bool((gate.level[self.app(job)] > 0).any())

    def length(self, job: int, shared: bool) -> int:
        requested = int(self.problem.jobs.requested_ms[job])
        if not shared or self.rule.gate is None:
            return requested
        slowest = max((1 + self.rule.gate.margin) / max(self.floor(job), 1e-9), 1.0)
        stretch = min(float(self.rule.gate.stretch[self.app(job)]), slowest)
        return max(requested, ceil(requested * stretch))

    # the cluster now --------------------------------------------------------------------------

    def on(self, node: int) -> list[Run]:
        return [run for run in self.running if node in run.nodes]

    def empty(self) -> list[int]:
        return [node for node in range(self.problem.nodes) if not self.on(node)]

    def open(self) -> list[tuple[int, Run]]:
        """Nodes with one free half, and the job on the other one."""
        here = [(node, self.on(node)) for node in range(self.problem.nodes)]
        return [
            (node, runs[0])
            for node, runs in here
            if len(runs) == 1 and node in runs[0].nodes[: runs[0].split]
        ]

    def free_at(self, node: int) -> int:
        ends = [max(run.expected, self.time + 1) for run in self.on(node)]
        return int(max(ends, default=self.time))

    def reservation(self, job: int) -> tuple[int, int]:
        free: list[int] = sorted(self.free_at(node) for node in range(self.problem.nodes))
        at = free[self.alone(job) - 1]
        return at, sum(int(time <= at) for time in free) - self.alone(job)

    # progress ---------------------------------------------------------------------------------

    def speed(self, run: Run) -> int:
        if run.split == 0:
            wide = len(run.nodes) > int(self.problem.jobs.nodes[run.job])
            return self.half[run.app] if wide else self.full[run.app]
        speeds = [self.full[run.app]] if run.split < len(run.nodes) else []
        for node in run.nodes[: run.split]:
            others = [other for other in self.on(node) if other is not run]
            speeds.append(self.pair[run.app][others[0].app] if others else self.half[run.app])
        return min(speeds)

    def pace(self, run: Run) -> int:
        """Work per time as predicted, in millionths of a node."""
        gate = self.rule.gate
        assert gate is not None
        speeds = [10**6] if run.split < len(run.nodes) else []
        for node in run.nodes[: run.split]:
            others = [other for other in self.on(node) if other is not run]
            speed = gate.relative[run.app, others[0].app] if others else gate.idle[run.app]
            speeds.append(max(round(1e6 * float(speed)), 1))
        return int(self.problem.jobs.nodes[run.job]) * min(speeds)

    def all_paces(self) -> int:
        return sum(self.pace(run) for run in self.running) if self.rule.gate is not None else 0

    def pays(self, before: int, taken: int, together: int) -> bool:
        least_gain = self.rule.least_gain
        if least_gain is None:
            return True
        return self.all_paces() - before >= taken * 10**6 + together * round(1e6 * least_gain)

    def update(self) -> None:
        """Bring every running job up to the present, with its present speed."""
        for run in self.running:
            run.work_left -= run.rate * (self.time - run.since)
            run.since, run.rate = self.time, self.speed(run)
            run.end = self.time + (-(-run.work_left // run.rate) if run.work_left > 0 else 0)

    # events -----------------------------------------------------------------------------------

    def play(self) -> Literal:
        jobs = self.problem.jobs
        arrivals = list(range(len(jobs)))
        while arrivals or self.running:
            ending = min(self.running, key=lambda run: (run.end, run.number), default=None)
            end = ending.end if ending else FAR
            if arrivals and int(jobs.submit_ms[arrivals[0]]) <= end:
                self.time = int(jobs.submit_ms[arrivals[0]])
                self.release()
                job = arrivals.pop(0)
                if jobs.nodes[job] <= self.problem.nodes:
                    self.waiting.append(job)
            else:
                assert ending is not None
                self.time = end
                self.finish(ending)
                self.release()
            self.pass_until_nothing_opens()
        return self

    def finish(self, run: Run) -> None:
        self.running.remove(run)
        self.done[run.job] = run
        run.end = self.time
        self.update()

    def release(self) -> None:
        for run in sorted(self.running, key=lambda run: (run.expected, run.number)):
            if run.expected <= self.time and run.end <= self.time:
                self.finish(run)

    def pass_until_nothing_opens(self) -> None:
        while self.waiting and self.one_pass():
            pass

    def one_pass(self) -> bool:
        """Try each waiting job once; whether one of them opened nodes."""
        opened = False
        gap: tuple[int, int] | None = None
        for job in list(self.waiting):
            if job not in self.waiting:
                continue
            answer = self.try_job(job, gap)
            if answer is not None:
                gap, opens = answer
                opened = opened or opens
            elif gap is None:
                gap = self.reservation(job)
                self.promised.setdefault(job, gap[0])
        return opened

    def try_job(
        self, job: int, gap: tuple[int, int] | None
    ) -> tuple[tuple[int, int] | None, bool] | None:
        """Start a job if it may; the gap that is left, and whether nodes were opened."""
        needed = self.per_node * int(self.problem.jobs.nodes[job])
        if self.can_share(job):
            beside = self.admitted(job)
            empties = self.empty()
            chosen = self.halves(job, beside, gap)
            if chosen is None and self.rule.unpaired == "spread":
                taken = self.within(job, beside + empties, gap, shared=True)
                chosen = (taken[:needed], []) if len(taken) >= needed else None
            if chosen is not None:
                half, whole = chosen
                narrower = self.narrowed(job, half + whole, gap, shared=True)
                opened = [node for node in half if node in empties]
                before = self.all_paces()
                run = self.begin(job, half, whole, on_trial=True)
                if self.pays(before, len(opened) + len(whole), len(half) - len(opened)):
                    self.waiting.remove(job)
                    self.update()
                    return narrower, bool(opened)
                self.take_back(run)
            if self.rule.unpaired == "wait":
                pair = self.try_pair(job, gap)
                if pair is not None:
                    return pair[0], True
        nodes = self.empty()[: self.alone(job)]
        if len(nodes) < self.alone(job):
            return None
        late = gap is not None and self.time + self.length(job, False) > gap[0]
        if late and gap is not None and len(nodes) > gap[1]:
            return None
        gap = self.narrowed(job, nodes, gap, shared=False)
        self.begin(job, [], nodes)
        return gap, False

    def halves(
        self, job: int, beside: list[int], gap: tuple[int, int] | None
    ) -> tuple[list[int], list[int]] | None:
        """Halves next to admitted jobs, and whole nodes to fill up; None if there are too few."""
        needed = self.per_node * int(self.problem.jobs.nodes[job])
        taken = self.within(job, beside, gap, shared=True)[:needed]
        if len(taken) == needed:
            return taken, []
        half = taken[: len(taken) - len(taken) % 2]
        whole = self.empty()[: (needed - len(half)) // 2]
        if not self.rule.fill or not half or len(half) + 2 * len(whole) < needed:
            return None
        narrowed = self.narrowed(job, half + whole, gap, shared=True)
        if narrowed is not None and narrowed[1] < 0:
            return None
        return half, whole

    def admitted(self, job: int, host: Run | None = None) -> list[int]:
        """Nodes with a free half next to admitted jobs, best level first; a host's before all."""
        candidates = [
            (0 if run is host else self.level(job, run.job), node)
            for node, run in self.open()
            if self.level(job, run.job) > 0
        ]
        return [node for _, node in sorted(candidates)]

    def costs(self, job: int, node: int, gap: tuple[int, int], shared: bool) -> bool:
        late = self.time + self.length(job, shared) > gap[0]
        return late and self.free_at(node) <= gap[0]

    def within(
        self, job: int, nodes: list[int], gap: tuple[int, int] | None, shared: bool
    ) -> list[int]:
        """The nodes of a list that a job may take, in order."""
        if gap is None:
            return nodes
        taken, extra = [], gap[1]
        for node in nodes:
            cost = self.costs(job, node, gap, shared)
            if cost and not extra:
                continue
            extra -= cost
            taken.append(node)
        return taken

    def narrowed(
        self, job: int, nodes: list[int], gap: tuple[int, int] | None, shared: bool
    ) -> tuple[int, int] | None:
        if gap is None:
            return None
        return gap[0], gap[1] - sum(self.costs(job, node, gap, shared) for node in nodes)

    def try_pair(
        self, job: int, gap: tuple[int, int] | None
    ) -> tuple[tuple[int, int] | None] | None:
        """Open nodes together with a partner; the gap that is left, alone in a tuple."""
        needed = self.per_node * int(self.problem.jobs.nodes[job])
        empties = self.empty()
        nodes = self.within(job, self.admitted(job) + empties, gap, shared=True)[:needed]
        if len(nodes) < needed:
            return None
        after = self.narrowed(job, nodes, gap, shared=True)
        opened = [node for node in nodes if node in empties]
        before = self.all_paces()
        host = self.begin(job, nodes, [], on_trial=True)
        behind = [other for other in self.waiting if other > job]
        for other in sorted(behind, key=lambda other: (self.level(job, other), other)):
            if not self.level(job, other) or not self.can_share(other):
                continue
            limit = after if gap is not None else self.gap_of_next(behind, other)
            theirs = self.halves(other, self.admitted(other, host), limit)
            if theirs is None:
                continue
            half, whole = theirs
            if len([node for node in half if node in opened]) < self.rule.cover * len(opened):
                continue
            narrowed = self.narrowed(other, half + whole, after, shared=True)
            partner = self.begin(other, half, whole, on_trial=True)
            together = len(nodes) - len(opened) + len(half)
            if not self.pays(before, len(opened) + len(whole), together):
                self.take_back(partner)
                continue
            self.waiting.remove(job)
            self.waiting.remove(other)
            self.update()
            return (narrowed,)
        self.take_back(host)
        return None

    def take_back(self, run: Run) -> None:
        self.running.remove(run)
        self.started -= 1

    def gap_of_next(self, behind: list[int], partner: int) -> tuple[int, int] | None:
        if behind[0] == partner:
            return None
        return self.reservation(behind[0])

    def begin(self, job: int, half: list[int], whole: list[int], *, on_trial: bool = False) -> Run:
        work = int(self.problem.work[job])
        expected = self.time + self.length(job, bool(half))
        nodes, number = half + whole, self.started
        run = Run(
            job, self.app(job), len(half), nodes, self.time, number, expected, work, self.time
        )
        self.started += 1
        self.running.append(run)
        if not on_trial:
            self.waiting.remove(job)
            self.update()
        return run

    # the schedule -----------------------------------------------------------------------------

    def rows(self) -> list[tuple[object, ...]]:
        """Start, end, split, nodes, expected end and promise of each job."""
        rows: list[tuple[object, ...]] = []
        for job in range(len(self.problem.jobs)):
            run = self.done.get(job)
            if run is None:
                rows.append((NEVER, NEVER, 0, [], NEVER, NEVER))
                continue
            rows.append((
                run.start, run.end, run.split, run.nodes, run.expected,
                self.promised.get(job, NEVER),
            ))  # fmt: skip
        return rows

    def schedule(self) -> SharedSchedule:
        """The rows as arrays."""
        start, end, split, nodes, expected, promised = zip(*self.rows(), strict=True)
        first = [0, *accumulate(map(len, nodes))]
        taken = [node for each in nodes for node in each]
        columns = (start, end, split, first, taken, expected, promised)
        return SharedSchedule(*(np.array(column, np.int64) for column in columns))
