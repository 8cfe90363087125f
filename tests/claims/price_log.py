"""What `headroom price` states of a day of a log, counted again job by job and node by node.

Written from docs/price.md and docs/evidence/shared-queue.md: schedules are those of the literal
loop, prices are worked out span by span. A claim gets a case and the values of a finding, or the
value of a fact, and says whether they are true.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from statistics import fmean
from typing import Any

import numpy as np
from scipy.stats import t as student

from planner.scheduling.violation import Violation
from planner.sharing_nodes.queue_bills.price_log import priced_day, rules_of
from planner.sharing_nodes.queue_bills.study import QueuePriceStudy
from planner.sharing_nodes.queues.bills import PerformanceEstimate
from planner.sharing_nodes.queues.checker import Broken
from planner.sharing_nodes.queues.logs import shared_problem
from planner.sharing_nodes.queues.problem import SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.rules import WHOLE
from planner.sharing_nodes.queues.speeds import Speeds
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lublin import lublin_log
from tests.claims.values import always, same
from tests.planner.scheduling.sizing.logs import log_of
from tests.planner.sharing_nodes.queues.literal import Literal

DAY_S, HOUR_MS = 86_400, 3_600_000
SHARED = ("share, spread", "share, wait")
NAMES = ("a", "b", "c")


def speeds_of(pair: float, full: float) -> Speeds:
    """Three applications that lose more next to each later one."""
    table = [[pair - 0.04 * b * (a + 1) for b in range(3)] for a in range(3)]
    return Speeds(NAMES, np.array(table), np.ones(3), np.full(3, full))


@dataclass(frozen=True, eq=False)
class Ran:
    """Jobs of the day and the week before it under a rule and a mapping."""

    problem: SharedProblem
    schedule: SharedSchedule

    @property
    def jobs(self) -> list[int]:
        return [job for job in range(len(self.problem.jobs)) if self.schedule.start_ms[job] >= 0]

    def turnaround_s(self, job: int) -> float:
        return int(self.schedule.end_ms[job] - self.problem.jobs.submit_ms[job]) / 1000

    def core_hours(self, job: int) -> float:
        """What a job pays by run time: its cores times its run time."""
        hours = int(self.schedule.end_ms[job] - self.schedule.start_ms[job]) / HOUR_MS
        return hours * int(self.problem.jobs.nodes[job]) * self.problem.cores_per_node

    @cached_property
    def in_use(self) -> tuple[float, float]:
        """Node-hours in use, and those with one empty half."""
        events: dict[int, list[tuple[int, int]]] = {}
        first = self.schedule.node_first
        for job in self.jobs:
            halves = int(self.schedule.split[job])
            for place, node in enumerate(self.schedule.node[first[job] : first[job + 1]].tolist()):
                taken = 1 if place < halves else 2
                at = events.setdefault(node, [])
                at.append((int(self.schedule.start_ms[job]), taken))
                at.append((int(self.schedule.end_ms[job]), -taken))
        used, half = 0, 0
        for at in events.values():
            on, since = 0, 0
            for time, change in sorted(at):
                used += (time - since) * (on > 0)
                half += (time - since) * (on == 1)
                on, since = on + change, time
        return used / HOUR_MS, half / HOUR_MS

    def met(self, job: int) -> list[list[tuple[int, int, int]]]:
        """Begin, end and application of each partner, by node of which the job has half."""
        first, kinds = self.schedule.node_first, self.problem.jobs.application
        found: dict[int, list[tuple[int, int, int]]] = {
            node: []
            for node in self.schedule.node[first[job] :][: self.schedule.split[job]].tolist()
        }
        for other in self.jobs:
            halved = self.schedule.node[first[other] :][: self.schedule.split[other]].tolist()
            low, high = (pick(int(times[job]), int(times[other])) for pick, times in (
                (max, self.schedule.start_ms), (min, self.schedule.end_ms)))  # fmt: skip
            for node in ({*halved} & {*found}) if other != job and low < high else ():
                found[node].append((low, high, int(kinds[other])))
        return [*found.values()]

    def price(self, job: int, estimate: PerformanceEstimate, normal: float) -> float:
        """Core-hours times squared performance: the mean over time of the slowest node's.

        The performance against a run on whole nodes has a normal error of the mean of its nodes,
        whose square is taken off where the estimate does so; no job pays more than in full.
        """
        split, own = int(self.schedule.split[job]), int(self.problem.jobs.application[job])
        if not split:
            return self.core_hours(job)
        begin, end = int(self.schedule.start_ms[job]), int(self.schedule.end_ms[job])
        met, idle = self.met(job), 1 / float(estimate.full[own])
        edges = sorted({begin, end, *(time for node in met for each in node for time in each[:2])})
        whole = int(self.problem.jobs.nodes[job]) * self.problem.halves_per_node > split
        done, error = 0.0, 0.0
        for low, high in pairwise(edges):
            there = [[other for since, until, other in node if since <= low < until]
                     for node in met]  # fmt: skip
            values = [idle * float(estimate.pair[own, each[0]]) if each else idle for each in there]
            done += min([*values, 1.0] if whole else values) * (high - low)
            if estimate.spread.size:
                error += (high - low) * math.fsum(
                    idle * float(estimate.spread[own, each[0]]) for each in there if each
                )
        places = int(self.schedule.count[job])
        mean, error = done / (end - begin), error / (end - begin) / places
        square = max(mean + error * normal, 0.0) ** 2 - (error**2 if estimate.unbiased else 0.0)
        return self.core_hours(job) * max(0.0, min(1.0, square))

    @property
    def late(self) -> int:
        promised = self.schedule.promised_ms
        return sum(
            bool(promised[job] >= 0 and self.schedule.start_ms[job] > promised[job])
            for job in self.jobs
        )


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    log: JobLog
    nodes: int
    speeds: Speeds
    seeds: int = 1
    day: int | None = None
    off: float = 0.0
    per_node: int = 1
    broken: Broken = ()

    def problem(self, seed: int) -> SharedProblem:
        return shared_problem(self.log, self.speeds, nodes=self.nodes, seed=seed,
                              processors_per_node=self.per_node)  # fmt: skip

    @cached_property
    def estimates(self) -> tuple[PerformanceEstimate, PerformanceEstimate]:
        """True speeds with an error that the scheduler does not see."""
        rng = np.random.default_rng(7)
        pairs = (np.clip(self.speeds.pair + self.off * rng.standard_normal((3, 3)), 0.1, None)
                 for _ in range(2))  # fmt: skip
        poppa, ours = (
            PerformanceEstimate(name, pair, self.speeds.full, np.full((3, 3), self.off / 4), own)
            for (name, own), pair in zip((("POPPA", False), ("Headroom", True)), pairs, strict=True)
        )
        return poppa, ours

    @cached_property
    def answer(self) -> QueuePriceStudy:
        found = priced_day(self.log, self.problem, self.estimates, day=self.day, seeds=self.seeds)
        return replace(found, broken=self.broken) if self.broken else found

    @cached_property
    def chosen(self) -> int:
        """The day, from 1 on; by default that with the most node-hours."""
        if self.day is not None:
            return self.day
        work: dict[int, int] = {}
        for job in range(len(self.log)):
            day = int(self.log.submit_s[job]) // DAY_S + 1
            nodes = -(-int(self.log.processors[job]) // self.per_node)
            work[day] = work.get(day, 0) + nodes * max(1, int(self.log.run_s[job]))
        return min(work, key=lambda day: (-work[day], day))

    @cached_property
    def ran(self) -> dict[tuple[int, str], Ran]:
        """Simulations by mapping and rule."""
        days = self.log.submit_s // DAY_S + 1
        kept = (days <= self.chosen) & (days >= self.chosen - 7)
        found = {}
        for seed in range(self.seeds):
            whole = self.problem(seed)
            problem = replace(whole, jobs=whole.jobs.take(np.flatnonzero(kept)))
            for rule in (WHOLE, *rules_of(self.estimates[1], self.speeds)):
                found[seed, rule.name] = Ran(problem, Literal(problem, rule).play().schedule())
        return found

    @cached_property
    def of_the_day(self) -> list[int]:
        """Jobs submitted on the day, by their places among those that are simulated."""
        submit = self.ran[0, "whole nodes"].problem.jobs.submit_ms
        return [job for job, time in enumerate(submit.tolist())
                if time // (1000 * DAY_S) + 1 == self.chosen]  # fmt: skip

    def measured(self, ran: Ran) -> list[int]:
        """Jobs whose waits count: those of the day, over several mappings all."""
        return ran.jobs if self.seeds > 1 else [job for job in ran.jobs if job in self.of_the_day]

    def turnaround_s(self, rule: str, seed: int) -> float:
        ran = self.ran[seed, rule]
        return fmean(ran.turnaround_s(job) for job in self.measured(ran))

    def value(self, quantity: str, rule: str, seed: int) -> float:
        if quantity == "turnaround":
            return self.turnaround_s(rule, seed)
        return self.ran[seed, rule].in_use[0]

    def mean(self, quantity: str, rule: str) -> float:
        return fmean(self.value(quantity, rule, seed) for seed in range(self.seeds))

    @cached_property
    def rule(self) -> str:
        return min(SHARED, key=lambda rule: self.mean("turnaround", rule))

    def ratios(self, quantity: str) -> list[float]:
        """Shared over whole nodes, by mapping."""
        return [
            self.value(quantity, self.rule, seed) / self.value(quantity, "whole nodes", seed)
            for seed in range(self.seeds)
        ]

    def change(self, quantity: str) -> float:
        """The geometric mean of the ratios, less 1; less than 0.05 % is no change."""
        found = math.exp(fmean(map(math.log, self.ratios(quantity)))) - 1
        return found if abs(found) >= 0.0005 else 0.0

    def interval(self, quantity: str) -> tuple[float, float]:
        """95 % interval of the change, by Student's t."""
        logs = np.log(self.ratios(quantity))
        half = student.ppf(0.975, len(logs) - 1) * logs.std(ddof=1) / math.sqrt(len(logs))
        return math.exp(logs.mean() - half) - 1, math.exp(logs.mean() + half) - 1

    def chance(self, quantity: str) -> bool:
        low, high = self.interval(quantity)
        return low <= 0 <= high

    @property
    def doubted(self) -> bool:
        return any(self.change(each) and self.chance(each) for each in ("turnaround", "hours"))

    @cached_property
    def billed(self) -> dict[str, list[float]]:
        """Bills of the day's jobs under the rule shown, and on whole nodes by run time."""
        base, ran = self.ran[0, "whole nodes"], self.ran[0, self.rule]
        jobs = [job for job in base.jobs if job in self.of_the_day]
        found = {"whole": [base.core_hours(job) for job in jobs]}
        half = self.speeds.half
        true = PerformanceEstimate("oracle", self.speeds.pair / half[:, None],
                                   self.speeds.full / half)  # fmt: skip
        normal = np.random.default_rng(0).standard_normal(len(ran.problem.jobs))
        for estimate in (self.estimates[1], true):
            found[estimate.name] = [ran.price(job, estimate, float(normal[job])) for job in jobs]
        found["before"] = [base.turnaround_s(job) for job in jobs]
        found["after"] = [ran.turnaround_s(job) for job in jobs]
        found["user"] = [int(base.problem.jobs.user[job]) for job in jobs]
        return found

    def revenue(self, price: str) -> float:
        """Change of the day's revenue against whole nodes by run time."""
        return sum(self.billed[price]) / sum(self.billed["whole"]) - 1

    @cached_property
    def payers(self) -> list[tuple[float, float, float, float]]:
        """Bill on whole nodes and at Headroom's prices, and both mean turnarounds, of each payer.

        Payers are users, or jobs if the day has fewer than two named users.
        """
        kinds = ("whole", "Headroom", "before", "after")
        jobs = list(zip(*(self.billed[kind] for kind in kinds), strict=True))
        users = self.billed["user"]
        if len({*users} - {MISSING}) < 2:
            return jobs
        by_user = []
        for user in sorted({*users}):
            own = [job for job, each in zip(jobs, users, strict=True) if each == user]
            before, after = (fmean(job[place] for job in own) for place in (2, 3))
            by_user.append((sum(job[0] for job in own), sum(job[1] for job in own), before, after))
        return by_user

    def pay(self, sign: int) -> int:
        """How many pay more (1) or less (-1); what is equal but for rounding is the same."""
        return sum(sign * (new - old) > 1e-9 * max(old, 1) for old, new, _, _ in self.payers)

    def ends(self, sign: int) -> int:
        return sum(sign * (after - before) > 1e-9 for _, _, before, after in self.payers)

    @property
    def rise(self) -> float:
        return max(0.0, *(new / old - 1 for old, new, _, _ in self.payers))

    @property
    def use(self) -> tuple[float, float, float, float]:
        """Means of node-hours, of those with an empty half, and of core-hours; before and after."""
        pairs = [(self.ran[seed, "whole nodes"], self.ran[seed, self.rule])
                 for seed in range(self.seeds)]  # fmt: skip
        before = fmean(old.in_use[0] for old, _ in pairs)
        after = fmean(new.in_use[0] for _, new in pairs)
        half = fmean(new.in_use[1] for _, new in pairs)
        hours = (sum(sum(map(ran.core_hours, ran.jobs)) for ran in side)
                 for side in zip(*pairs, strict=True))  # fmt: skip
        old, new = hours
        return after / before - 1, half / 2 / before, new / old - 1, half / after

    @property
    def larger(self) -> list[int]:
        """Nodes of the day's jobs that are larger than the machine."""
        nodes = self.ran[0, "whole nodes"].problem.jobs.nodes
        return [int(nodes[job]) for job in self.of_the_day if nodes[job] > self.nodes]

    @property
    def unlimited(self) -> int:
        return 0 if self.log.no_limit is None else [*self.log.no_limit].count(True)


def cases() -> Iterator[Case]:
    """Requests at the edges: one and many, ties, nobody shares, nothing changes."""
    yield from drawn(22)  # turnaround may change by chance
    slow, fast = speeds_of(0.7, 1.0), speeds_of(0.97, 0.7)
    single = log_of([(0, 3600, 1, MISSING)])
    yield Case(single, 1, fast)
    yield Case(single, 1, fast, seeds=2)
    missed = Violation(12.0, 3, "promise", "was promised a start at 9 s")
    yield Case(single, 1, fast, broken=(("whole nodes", missed), ("half idle", missed)))
    yield Case(log_of([(0, 3600, 1, 0), (0, 3600, 1, 1)]), 4, slow)
    packed = log_of([(60 * job, 3600 + 7 * job, 1 + job % 2, job % 5) for job in range(20)])
    yield Case(packed, 3, fast, seeds=3)
    yield Case(packed, 3, fast, seeds=6, off=0.1)
    yield Case(packed, 2, slow, seeds=2)
    days = log_of([(20_000 * job, 9000, 2, job % 4) for job in range(30)])
    yield Case(days, 2, fast, day=3)
    yield Case(days, 4, fast, day=2, seeds=5)
    yield Case(log_of([(job, 900, 1 + 2 * (job % 3), 0) for job in range(12)]), 4, fast, per_node=1)
    nameless = log_of([(100 * job, 500 + job, 3 - job % 3, MISSING) for job in range(9)])
    yield Case(replace(nameless, no_limit=np.arange(9) < 3), 2, fast, off=0.2)
    mixed = log_of([(50 * job, 4000, 1, job % 3 - 1) for job in range(12)])
    yield Case(mixed, 3, slow, off=0.3)
    late = log_of([(60 * job, 3600 + 7 * job, 1 + job % 3, job % 5) for job in range(30)])
    yield Case(late, 4, speeds_of(0.6, 0.7), off=0.3)
    yield Case(lublin_log(40, 32, 1, load=1.5), 4, fast, per_node=8, seeds=2)


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 30))
    rows = [
        (int(rng.integers(0, 2 * DAY_S)), int(rng.integers(1, 20_000)), int(rng.integers(1, 7)),
         int(rng.integers(0, rng.integers(1, 6))))
        for _ in range(count)
    ]  # fmt: skip
    speeds = speeds_of(float(rng.choice([0.6, 0.9, 0.99])), float(rng.choice([0.6, 0.8, 1.0])))
    yield Case(
        log_of(sorted(rows)), int(rng.integers(6, 9)), speeds, int(rng.choice([1, 2, 3, 8])),
        off=float(rng.choice([0, 0.05, 0.2])),
    )  # fmt: skip


def _changes(case: Case, turnaround: float, hours: float) -> bool:
    return same(turnaround, case.change("turnaround")) and same(hours, case.change("hours"))


def _sure(case: Case, turnaround: float, hours: float) -> bool:
    return _changes(case, turnaround, hours) and case.seeds > 1 and not case.doubted


def _interval(case: Case, quantity: str, interval: Any, fewer: Any, *, chance: bool) -> bool:
    part, whole = fewer
    low, high = interval
    ends = case.interval(quantity)
    falls = sum(
        case.value(quantity, case.rule, seed) < case.value(quantity, "whole nodes", seed)
        for seed in range(case.seeds)
    )
    return (
        same(low, ends[0]) and same(high, ends[1])
        and (part, whole) == (falls, case.seeds) and case.chance(quantity) == chance
    )  # fmt: skip


def _mapped(case: Case) -> bool:
    """Whether all jobs of a user have one application, by which name or number jobs have one."""
    jobs = case.ran[0, case.rule].problem.jobs
    users = [*zip(jobs.user.tolist(), jobs.application.tolist(), strict=True)]
    return all(len({kind for user, kind in users if user == each}) == 1
               for each, _ in users if each != MISSING)  # fmt: skip


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, log: log == (case.log.file or case.log.name),
    "worthwhile": lambda case, turnaround, hours: (
        _sure(case, turnaround, hours) and min(turnaround, hours) < 0 >= max(turnaround, hours)
    ),
    "trade": lambda case, turnaround, hours: (
        _sure(case, turnaround, hours) and turnaround * hours < 0
    ),
    "not-worthwhile": lambda case, turnaround, hours: (
        _changes(case, turnaround, hours) and min(turnaround, hours) >= 0
        and (not (turnaround or hours) or _sure(case, turnaround, hours))
    ),
    "not-shown": lambda case, turnaround, hours: (
        _changes(case, turnaround, hours) and case.seeds > 1 and case.doubted
    ),
    "not-shown-single": lambda case, turnaround, hours: (
        _changes(case, turnaround, hours) and case.seeds == 1 and bool(turnaround or hours)
    ),
    "source-file": lambda case, log: log == case.log.name and "Synthetic" not in case.log.header,
    "source-synthetic": lambda case, model: case.log.header["Synthetic"].startswith(model),
    "speeds": lambda case, applications: applications == len(NAMES),
    "single": lambda case: case.seeds == 1,
    "mappings": lambda case, mappings, jobs: (
        mappings == case.seeds > 1 and jobs == len(case.ran[0, case.rule].jobs)
    ),
    "turnaround-clear": lambda case, **of: _interval(case, "turnaround", **of, chance=False),
    "turnaround-chance": lambda case, **of: _interval(case, "turnaround", **of, chance=True),
    "hours-clear": lambda case, **of: _interval(case, "hours", **of, chance=False),
    "hours-chance": lambda case, **of: _interval(case, "hours", **of, chance=True),
    "whole-time": lambda case, before: same(before, case.mean("turnaround", "whole nodes")),
    "whole-hours": lambda case, before: same(before, case.mean("hours", "whole nodes")),
    "fair": lambda case, change: same(change, case.revenue("oracle")),
    "more": lambda case, more, rise: more == case.pay(1) and same(rise, case.rise),
    "later": lambda case, later: later == case.ends(1),
    "shortest": lambda case: all(
        case.mean("turnaround", case.rule) <= case.mean("turnaround", rule) for rule in SHARED
    ),
    "hours-why": lambda case, **stated: all(
        _near(stated[name], true)
        for name, true in zip(("change", "added", "jobs", "empty"), case.use, strict=True)
    ),
    "mapped": _mapped,
    "one-day": always,
    "few-mappings": lambda case, mappings: 1 < case.seeds < 5 and mappings == case.seeds,
    "left-out": lambda case, jobs, most, machine: (
        (*jobs,) == (len(case.larger), len(case.of_the_day))
        and most == max(case.larger) and machine == case.nodes
    ),
    "nameless": lambda case, jobs: (
        (*jobs,) == ([*case.log.user].count(MISSING), len(case.log)) and jobs[0] > 0
    ),
    "unlimited": lambda case, jobs: (*jobs,) == (case.unlimited, len(case.log)) and jobs[0] > 0,
    "late": lambda case, rule, jobs: jobs == case.ran[0, rule].late > 0,
    "broken": lambda case, errors, rule, job, what: (
        errors == len(case.broken) and (rule, job, what) == ("whole nodes", 3, "promise")
    ),
    "more-mappings": lambda case: case.seeds < 5,
    "record": always,
    "other-days": always,
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "turnaround": lambda case, value: same(value, case.mean("turnaround", case.rule)),
    "node_hours": lambda case, value: same(value, case.mean("hours", case.rule)),
    "revenue": lambda case, value: same(value, case.revenue("Headroom")),
    "pays_less": lambda case, value: (*value,) == (case.pay(-1), len(case.payers)),
    "sooner": lambda case, value: (*value,) == (case.ends(-1), len(case.payers)),
    "rule": lambda case, value: value == case.rule,
    "mappings": lambda case, value: value == case.seeds,
    "half_idle": lambda case, value: _near(value, _half_idle(case)),
    "jobs_of_the_day": lambda case, value: value == len(case.of_the_day),
    "jobs_simulated": lambda case, value: value == len(case.ran[0, case.rule].jobs),
    "nodes": lambda case, value: value == case.nodes,
    "cores": lambda case, value: value == 16,
    "reference": lambda case, value: value == "whole nodes",
    "watts_idle": lambda case, value: value == 100,
    "watts_half": lambda case, value: value == 210,
    "watts_whole": lambda case, value: value == 300,
}
"""Whether a fact is true, from its case and its value."""


def _near(value: float, other: float) -> bool:
    """Equal but for what sums of hours lose."""
    return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)


def _half_idle(case: Case) -> float:
    """Core-hours of the day's jobs under half idle over those on whole nodes, less 1."""
    new, old = (
        sum(case.ran[0, rule].core_hours(job) for job in case.of_the_day
            if job in case.ran[0, rule].jobs)
        for rule in ("half idle", "whole nodes")
    )  # fmt: skip
    return new / old - 1 if abs(new / old - 1) >= 0.0005 else 0.0


DUE: dict[str, Callable[[Case], bool]] = {
    "single": lambda case: case.seeds == 1,
    "mapped": lambda _case: True,
    "mappings": lambda case: case.seeds > 1,
    "few-mappings": lambda case: 1 < case.seeds < 5,
    "more-mappings": lambda case: case.seeds < 5,
    "left-out": lambda case: bool(case.larger),
    "nameless": lambda case: MISSING in case.log.user,
    "unlimited": lambda case: case.unlimited > 0,
    "broken": lambda case: bool(case.broken),
    "late": lambda case: any(ran.late for (seed, _), ran in case.ran.items() if not seed),
    "not-shown": lambda case: case.seeds > 1 and case.doubted,
    "turnaround-clear": lambda case: (
        case.seeds > 1 and case.change("turnaround") != 0 and not case.chance("turnaround")
    ),
    "hours-clear": lambda case: (
        case.seeds > 1 and case.change("hours") != 0 and not case.chance("hours")
    ),
}
"""Kinds that are stated exactly when they are due."""
