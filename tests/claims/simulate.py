"""What `headroom simulate` states of one log, from starts that a literal scheduler makes.

Written from docs/simulate.md and docs/simulation-measures.md.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import stats

from planner.cli.simulate_inputs import broken_rules, explain_in, rules_checked
from planner.formatting import amount
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.study import SimulationStudy, study
from planner.scheduling.violation import Violation
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.maui.reader import bundled_maui
from tests.claims import logs
from tests.claims.values import always, same
from tests.planner.scheduling.policies.maui_oracle import played as maui_played
from tests.planner.scheduling.policies.moldable_oracle import starts as moldable_starts
from tests.planner.scheduling.policies.oracle import starts as literal_starts
from tests.planner.scheduling.policies.test_moldable import downey
from tests.planner.scheduling.sizing.logs import log_of

_CHECKED = ("fcfs", "easy", "conservative")
_ORACLE = {"fcfs": "fcfs", "easy": "easy", "easy++": "easy++", "easy++-pass": "easy++-pass",
           "conservative": "conservative", "sjf": "sjf", "sjf-easy": "sjf+easy"}  # fmt: skip
Values = list[float]
Row = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """A job in a schedule."""

    number: int
    submit: int
    start: int | None
    run: int
    processors: int
    requested: int
    """Processors that it asked for."""
    asked_run: int
    user: int
    measured: bool

    @property
    def wait(self) -> int:
        assert self.start is not None
        return self.start - self.submit

    @property
    def turnaround(self) -> int:
        return self.wait + self.run

    @property
    def slowed(self) -> float:
        return max(1.0, (self.wait + self.run) / max(self.asked_run, 10))


@dataclass(frozen=True, eq=False)
class Interval:
    """A mean with its interval by batch means."""

    mean: float
    low: float
    high: float
    batches: int
    narrow: bool
    needed: int | None


def _lag(means: np.ndarray[Any, Any]) -> float:
    off = means - means.mean()
    total = float((off * off).sum())
    return float((off[1:] * off[:-1]).sum()) / total if total > 0 else 0.0


def _as_long(lag: float) -> int:
    """How many times as long a log has ten batches that are not alike."""
    for merged in range(2, 201):
        places = np.arange(merged)
        own = float((lag ** np.abs(places[:, None] - places)).sum())
        next_one = float((lag ** (merged + places[:, None] - places)).sum())
        if next_one / own <= 0.1:
            return max(2, math.ceil(merged / 2))
    raise AssertionError


def interval(values: Values) -> Interval:
    """The first of 20 to 5 batches that are not correlated; else 5, which are too few."""
    x = np.array(values, float)
    tried = {n: np.array([part.mean() for part in np.array_split(x, n)])
             for n in (20, 16, 12, 10, 8, 6, 5)}  # fmt: skip
    fit = [n for n, means in tried.items() if _lag(means) <= 0.1]
    batches, finest = (fit[0] if fit else 5), _lag(tried[20])
    narrow = not fit or finest > 0.5
    means = tried[batches]
    half = float(stats.t.ppf(0.975, batches - 1) * means.std(ddof=1) / math.sqrt(batches))
    needed = _as_long(finest) * len(x) if narrow else None
    return Interval(float(x.mean()), x.mean() - half, x.mean() + half, batches, narrow, needed)


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    log: JobLog
    policies: tuple[str, ...]
    settings: SimulationSettings = field(default_factory=SimulationSettings)
    check: bool = False
    broken: int = 0
    explained: int | None = None
    window: tuple[int, int] | None = None
    stated: logs.Stated = field(default_factory=dict)
    remedy: str = "own-machine"

    @property
    def with_rules(self) -> list[str]:
        """Policies of which the checker has rules: docs/simulate.md, Check a schedule."""
        usual = not self.settings.unavailable and self.settings.estimates != "tsafrir"
        return [name for name in self.policies if usual and name in _CHECKED]

    @cached_property
    def answer(self) -> SimulationStudy:
        policies = [POLICIES[name] for name in self.policies]
        found = replace(study(self.log, policies, self.settings), window_s=self.window)
        if self.check:
            broken = tuple(broken_rules(found, policies))
            found = replace(found, violations=broken, rules_checked=rules_checked(found, policies))
        if self.broken:
            violation = Violation(1.0, 1, "early", "starts early")
            found = replace(found, violations=(violation,) * self.broken)
        if self.explained is not None:
            why = tuple(explain_in(found, policy, self.explained) for policy in policies)
            found = replace(found, explanations=why)
        return found

    @property
    def machine(self) -> int:
        if self.settings.clusters:
            return sum(self.settings.clusters.values())
        return self.settings.processors or self.log.machine_processors or 0

    def held(self, row: int) -> int:
        """Processors of a job on whole nodes."""
        node = self.settings.node_processors
        return -(-int(self.log.processors[row]) // node) * node

    @cached_property
    def accepted(self) -> list[int]:
        return [row for row in range(len(self.log)) if self.held(row) <= self.size_for(row)]

    def size_for(self, row: int) -> int:
        """Processors of the machine of a job; 0 where its partition has none."""
        if not self.settings.clusters:
            return self.machine
        return self.settings.clusters.get(str(int(self.log.partition[row])), 0)

    @cached_property
    def schedules(self) -> dict[str, list[Job]]:
        return {name: self._schedule(name) for name in self.policies}

    def _schedule(self, policy: str) -> list[Job]:
        log, measured = self.log, self.measured
        at: dict[int, int] = {}
        run, processors = log.run_s, np.array([self.held(row) for row in range(len(log))])
        if policy in _ORACLE:
            for rows, machine in self.machines:
                at |= zip(rows, self._literal(policy, rows, machine), strict=True)
        elif policy == "maui":
            at = self._by_stages()
        else:
            ((rows, machine),) = self.machines
            starts, taken, took = moldable_starts(
                machine, self._rows(rows), downey, [Fraction(n, 4) for n in (1, 2, 4, 8)],
                self.settings.event_order,
            )  # fmt: skip
            at, run = dict(zip(rows, starts, strict=True)), run.copy()
            processors[rows], run[rows] = taken, took
        return [
            Job(int(log.number[row]), int(log.submit_s[row]), at.get(row), int(run[row]),
                int(processors[row]), self.held(row), int(log.run_s[row]), int(log.user[row]),
                row in measured)
            for row in range(len(log))
        ]  # fmt: skip

    @property
    def machines(self) -> Iterator[tuple[list[int], int]]:
        if not self.settings.clusters:
            yield self.accepted, self.machine
            return
        for name, machine in self.settings.clusters.items():
            yield [row for row in self.accepted
                   if str(int(self.log.partition[row])) == name], machine  # fmt: skip

    def _rows(self, rows: Sequence[int]) -> list[tuple[int, int, int, int, int]]:
        """Submission, run time, processors, request and user."""
        log = self.log
        return [(int(log.submit_s[row]), int(log.run_s[row]), self.held(row),
                 int(log.requested_s[row]), int(log.user[row])) for row in rows]  # fmt: skip

    def _by_stages(self) -> dict[int, int]:
        """Starts by the nine stages of Maui, with the requests as estimates."""
        ((rows, machine),) = self.machines
        kinds = ("user", "group", "queue")
        names = {kind: dict(enumerate(self.log.names.get(kind, ()))) for kind in kinds}
        jobs = []
        for row, (submit, run, size, request, _) in zip(rows, self._rows(rows), strict=True):
            codes = {kind: int(getattr(self.log, kind)[row]) for kind in kinds}
            party = {kind: names[kind].get(code, str(code)) for kind, code in codes.items()}
            jobs.append((submit, run, size, max(request, 1), max(request, 1), party))
        played = maui_played(machine, bundled_maui(), jobs)
        return {row: job.start for row, job in zip(rows, played, strict=True)}

    def _literal(self, policy: str, rows: list[int], machine: int) -> list[int]:
        jobs = self._rows(rows)
        predictor = self.settings.estimates or (
            "tsafrir" if policy.startswith("easy++") else "user"
        )
        order = self.settings.event_order
        return literal_starts(machine, jobs, _ORACLE[policy], order, predictor)

    @cached_property
    def measured(self) -> set[int]:
        number, trim = len(self.log), self.settings.trim
        last = number - math.floor(trim.cool_down * number)
        if trim.warm_up is not None:
            return {*range(math.floor(trim.warm_up * number), last)}
        return {*range(self.mser[0], last)}

    @cached_property
    def mser(self) -> tuple[int, bool]:
        """The first measured row by MSER-5, and whether it is before the middle."""
        first = replace_trim(self)
        rows = [row for row, job in enumerate(first) if job.start is not None]
        waits = [first[row].wait for row in rows]
        means = [sum(waits[5 * k : 5 * k + 5]) / 5 for k in range(len(waits) // 5)]
        errors = [np.var(means[cut:]) / len(means[cut:]) for cut in range(len(means) // 2 + 1)]
        least = min(errors)
        cut = next(k for k, error in enumerate(errors) if error <= least * (1 + 1e-12))
        return rows[5 * cut], cut < len(means) // 2

    def counted(self, policy: str) -> list[Job]:
        return [job for job in self.schedules[policy] if job.measured and job.start is not None]

    def waits(self, policy: str) -> Values:
        return [job.wait for job in self.counted(policy)]

    @cached_property
    def quantity(self) -> str:
        """What ranks policies: turnarounds where some job is molded."""
        return "turnaround" if len(self.policies) > 1 and self.any_molded else "wait"

    def mean(self, policy: str) -> float:
        values: Values = [getattr(job, self.quantity) for job in self.counted(policy)]
        return sum(values) / len(values)

    @property
    def ranked(self) -> list[str]:
        if not self.counted(self.policies[0]):
            return []
        return sorted(self.policies, key=self.mean)

    @property
    def best(self) -> str:
        return self.ranked[0]

    @property
    def ties(self) -> list[str]:
        return [name for name in self.ranked if self.mean(name) == self.mean(self.best)]

    @property
    def enough(self) -> bool:
        return len(self.counted(self.policies[0])) >= 40

    def difference(self, second: str, first: str, quantity: str = "") -> Interval:
        key = quantity or self.quantity
        pairs = zip(self.counted(second), self.counted(first), strict=True)
        return interval([getattr(a, key) - getattr(b, key) for a, b in pairs])

    @cached_property
    def near(self) -> list[str]:
        """The policies before the first that is clearly worse; the ties alone of few jobs."""
        if not self.enough:
            return self.ties
        chance = self.chance
        return [name for at, name in enumerate(self.ranked) if {*self.ranked[: at + 1]} <= chance]

    @cached_property
    def chance(self) -> set[str]:
        """The best policy, and all that are not clearly worse."""
        others = (name for name in self.ranked[1:]
                  if not _is_clear(self.difference(name, self.best)))  # fmt: skip
        return {self.best, *others}

    @cached_property
    def lead(self) -> Interval:
        return self.difference(self.ranked[1], self.ranked[0])

    @cached_property
    def intervals(self) -> list[Interval]:
        """Every interval that the study has."""
        if not self.enough:
            return []
        if len(self.policies) == 1:
            return [self.single] if self.single.mean > 0 else []
        first = self.policies[0]
        pairs = [(name, first) for name in self.policies[1:]]
        if first not in self.ranked[:2]:
            pairs.append((self.ranked[1], self.ranked[0]))
        return [self.difference(a, b, what) for a, b in pairs for what in ("", "slowed")]

    @cached_property
    def single(self) -> Interval:
        return interval(self.waits(self.policies[0]))

    def steps(self, policy: str, *, queue: bool) -> list[tuple[int, int]]:
        """Jobs that wait, or processors in use: times and values from then on."""
        events: dict[int, int] = {}
        for job in self.schedules[policy]:
            if job.start is None:
                continue
            begin, end = (job.submit, job.start) if queue else (job.start, job.start + job.run)
            height = 1 if queue else job.processors
            events[begin] = events.get(begin, 0) + height
            events[end] = events.get(end, 0) - height
        value, found = 0, []
        for time in sorted(events):
            value += events[time]
            found.append((time, value))
        return found

    def longest_queue(self, policy: str) -> tuple[int, int]:
        """The largest queue, and the first time at which it is reached."""
        steps = self.steps(policy, queue=True)
        most = max(value for _, value in steps)
        return most, next(time for time, value in steps if value == most) - self.first

    @property
    def first(self) -> int:
        return int(self.log.submit_s[0])

    def utilisation(self, policy: str) -> float:
        ran = [job for job in self.schedules[policy] if job.start is not None]
        span = max((job.start or 0) + job.run for job in ran) - self.first
        return sum(job.run * job.processors for job in ran) / (self.machine * span)

    def quarters(self, policy: str) -> Values:
        """Mean queue in each quarter of the submissions."""
        last = int(self.log.submit_s[-1])
        edges = [int(edge) for edge in np.linspace(self.first, last, 5)]
        waiting = [(job.submit, job.start) for job in self.schedules[policy]
                   if job.start is not None]  # fmt: skip
        return [
            sum(max(0, min(end, b) - max(begin, a)) for begin, end in waiting) / (b - a)
            for a, b in pairwise(edges)
        ]

    def grows(self, policy: str) -> bool:
        last = int(self.log.submit_s[-1])
        if len(self.log) < 100 or last - self.first < 4:
            return False
        means = self.quarters(policy)
        after = int(np.linspace(self.first, last, 5)[1])
        steps = self.steps(policy, queue=True)
        values = [value for time, value in steps if after <= time < last]
        before = [value for time, value in steps if time < after]
        busy = min([*values, *before[-1:]]) > 0
        return busy and all(a < b for a, b in pairwise(means)) and means[-1] >= 3 * means[0]

    @property
    def synthetic(self) -> bool:
        return "Synthetic" in self.log.header

    def turnaround(self, policy: str) -> float:
        jobs = self.counted(policy)
        return sum(job.wait + job.run for job in jobs) / len(jobs)

    @property
    def any_molded(self) -> bool:
        return any(map(self.molded, self.policies))

    def molded(self, policy: str) -> int:
        return sum(job.processors != job.requested for job in self.counted(policy))

    @property
    def has_record(self) -> bool:
        return any(self.log.wait_s[row] >= 0 for row in self.accepted)

    @cached_property
    def recorded(self) -> list[tuple[int, int, int]]:
        """Start, end and processors of each job with a start in the log."""
        log = self.log
        return [
            (begin := int(log.submit_s[row] + log.wait_s[row]), begin + int(log.run_s[row]),
             self.held(row))
            for row in self.accepted if log.wait_s[row] >= 0
        ]  # fmt: skip

    @cached_property
    def over(self) -> tuple[int, int, int]:
        """Most processors, seconds above the machine, and jobs that run in them."""
        machine = self.log.machine_processors or self.machine
        times = sorted({time for begin, end, _ in self.recorded for time in (begin, end)})
        used = [(a, b, sum(n for begin, end, n in self.recorded if begin <= a < end))
                for a, b in pairwise(times)]  # fmt: skip
        above = [(a, b) for a, b, n in used if n > machine]
        jobs = sum(any(begin < b and a < end for a, b in above) for begin, end, _ in self.recorded)
        return max((n for *_, n in used), default=0), sum(b - a for a, b in above), jobs

    def user_waits(self, policy: str) -> Values:
        known: dict[int, list[int]] = {}
        for job in self.counted(policy):
            if job.user != MISSING:
                known.setdefault(job.user, []).append(job.wait)
        return [sum(waits) / len(waits) for waits in known.values()]

    @property
    def period(self) -> tuple[int, int]:
        """The period of single jobs: as requested, or by the growth from its middle."""
        if self.window is not None:
            return self.window
        jobs = [job for job in self.schedules[self.policies[0]] if job.start is not None]
        ends = [(job.start or 0, (job.start or 0) + job.run) for job in jobs]
        first, last = min(job.submit for job in jobs), max(end for _, end in ends)
        steps = self.steps(self.policies[0], queue=True)
        most = max(value for _, value in steps)
        middle = next(time for time, value in steps if value == most)
        if most == 0:
            middle = min(begin for begin, _ in ends)

        def inside(half: int) -> int:
            low, high = middle - half, middle + half
            return sum(begin < high and end > low for begin, end in ends)

        halves = range(1800, max(1800, last - first) + 1)
        index = bisect.bisect_right(halves, 160, key=inside) - 1
        half = halves[max(index, 0)]
        begin = max(first, middle - half)
        return begin, max(begin + 1, min(last, middle + half))

    def in_period(self, policy: str) -> list[tuple[int, Job]]:
        begin, end = self.period
        return [(row, job) for row, job in enumerate(self.schedules[policy])
                if job.start is not None and job.start < end and job.start + job.run > begin
                ]  # fmt: skip


def replace_trim(case: Case) -> list[Job]:
    """The first policy's schedule without a choice of jobs."""
    bare = replace(case, settings=replace(case.settings, trim=Trim()))
    return bare.schedules[case.policies[0]]


def blocks(lengths: Sequence[int], gap: int = 1000) -> JobLog:
    """Blocks of three jobs: under FCFS the third waits for the second, under EASY it does not."""
    rows = []
    for block, length in enumerate(lengths):
        at = gap * block
        rows += [(at, length, 3, 0), (at + 1, 30, 4, 1), (at + 2, 10, 1, block % 5)]
    return log_of(rows)


def cases() -> Iterator[Case]:
    """Requests at the edges."""
    rng = np.random.default_rng(4)
    four = log_of([(0, 100, 3, 0), (1, 50, 4, 1), (2, 40, 1, 0), (3, 10, 1, 1)])
    yield Case(four, ("easy", "fcfs"), check=True, explained=30)
    yield Case(four, ("fcfs",), broken=2)
    yield Case(log_of([(0, 10, 9, 0), (5, 10, 8, 0)]), ("easy", "fcfs"))
    yield Case(log_of([(0, 10, 2, 0), (5, 10, 8, 0)]), ("easy",), _trimmed(0.5))
    yield Case(log_of([(0, 0, 2, 0)] * 2), ("easy", "conservative"))
    random = blocks([int(each) for each in rng.integers(200, 900, 40)])
    yield Case(random, ("fcfs", "easy"))
    yield Case(random, ("easy", "fcfs", "sjf-easy", "conservative"), check=True)
    yield Case(random, ("easy", "conservative"))
    yield Case(blocks([300] * 40), ("fcfs",), window=(10**6, 10**6 + 5))
    wave = [int(400 + 350 * math.sin(block / 6)) for block in range(60)]
    yield Case(blocks(wave), ("fcfs", "easy"))
    yield Case(blocks(wave), ("fcfs",), _trimmed(0.1, 0.05))
    rare = [20] * 60
    rare[7] = 900
    yield Case(blocks(rare), ("fcfs",))
    yield Case(blocks(rare), ("fcfs", "easy"), _trimmed(None))
    growing = log_of([(8 * job, 10, 4, job % 3) for job in range(120)])
    yield Case(growing, ("fcfs",), _trimmed(None))
    yield Case(growing, ("fcfs", "easy++"))
    part = replace(random, partition=np.arange(120, dtype=np.int32) % 3)
    yield Case(part, ("easy", "fcfs"), SimulationSettings(clusters={"0": 4, "1": 3}))
    waits = np.where(np.arange(120) % 9, rng.integers(0, 300, 120), MISSING)
    cut = replace(random, wait_s=waits, killed=np.arange(120) % 30 == 4)
    yield Case(cut, ("easy",))
    yield Case(replace(cut, header={"Synthetic": "a model"}), ("easy", "fcfs"))
    yield Case(replace(random, header={"Synthetic": "a model"}, sha256=""), ("fcfs",))
    yield Case(replace(random, sha256="", machine_processors=6), ("maui", "easy"))
    one_user = replace(random, user=np.zeros(120, np.int32))
    yield Case(one_user, ("maui",))
    yield Case(lublin_log(110, 64, 4, load=1.4), ("moldable", "easy"))
    yield Case(lublin_log(110, 32, 57, load=0.9), ("fcfs", "easy", "conservative"))
    yield from drawn(398)  # the third is not clearly worse; longest waits print alike
    yield Case(lublin_log(110, 32, 43, load=0.9), ("easy", "easy++", "fcfs"))
    yield Case(lublin_log(110, 64, 4, load=1.4), ("easy", "moldable", "fcfs"), check=True)
    yield Case(lublin_log(110, 64, 4, load=1.4), ("moldable",))
    yield Case(lublin_log(60, 32, 3, load=0.9), tuple(_ORACLE))
    cleaned = {"jobs read": 5, "left out: no run time": 1, "jobs kept": 4}
    yield Case(replace(four, counts=cleaned), ("easy",), SimulationSettings(node_processors=2))
    for text in logs.by_hand():
        log = text.read()
        yield Case(log, ("easy",), SimulationSettings(processors=16), stated=text.stated)
    shared = replace(part, names={"partition": ("a", "b", "c")})
    yield Case(shared, ("easy",))
    doubted = {**cleaned, "not simulated: memory": 2, "not simulated: a think time": 1}
    unlimited, each = np.arange(4) < 1, np.arange(4, dtype=np.int32)
    odd = replace(four, counts=doubted, no_limit=unlimited, partition=each)
    yield Case(odd, ("fcfs",), SimulationSettings(processors=1))


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    number = int(rng.choice([2, 3, 30, 45, 110]))
    log = lublin_log(number, 32, seed, load=float(rng.choice([0.3, 0.9, 1.5])),
                     estimate_factor=float(rng.choice([0, 3])))  # fmt: skip
    if rng.random() < 0.5:
        log = replace(log, user=rng.integers(0, 6, number).astype(np.int32), sha256="ab")
    if rng.random() < 0.3:
        log = replace(log, wait_s=rng.integers(-1, 5000, number))
    names = tuple(rng.permutation([*_ORACLE])[: rng.integers(1, 4)])
    trim = Trim(float(rng.choice([0, 0, 0.2])), float(rng.choice([0, 0.1])))
    order = str(rng.choice(["reference", "batch"]))
    size = None if rng.random() < 0.8 else 20
    rules = SimulationSettings(size, event_order=order, trim=trim)  # type: ignore[arg-type]
    yield Case(log, names, rules)
    text = logs.drawn(seed)
    yield Case(text.read(), ("easy",), SimulationSettings(processors=8), stated=text.stated)


def _trimmed(warm_up: float | None, cool_down: float = 0.0) -> SimulationSettings:
    return SimulationSettings(trim=Trim(warm_up, cool_down))


def _shortest(
    case: Case, best: tuple[str, ...], mean: float, following: str, longer: float, quantity: str
) -> bool:
    means = {name: case.mean(name) for name in case.policies}
    others = [name for name in case.ranked if name not in best]
    return (
        {*best} == {*case.ties} == {*case.near} and same(mean, means[best[0]])
        and quantity == case.quantity and following in others
        and means[following] == min(means[name] for name in others)
        and same(longer, means[following] - means[best[0]])
    )  # fmt: skip


def _not_apart(case: Case, policies: Sequence[str], values: Sequence[float], quantity: str) -> bool:
    """The policies before the first that is clearly worse than the best one."""
    return (
        [*policies] == case.near and len(case.near) <= 4 and quantity == case.quantity
        and all(same(value, case.mean(name)) for value, name in zip(values, policies, strict=True))
    )  # fmt: skip


def _worse(case: Case) -> list[str]:
    """The policies that are clearly worse than the best one."""
    return [name for name in case.ranked if name not in case.near]


def _pair(case: Case, first: str, second: str, quantity: str) -> bool:
    """The best one, and one of the next."""
    return (
        case.enough
        and first == case.ranked[0]
        and second in case.ranked[1:5]
        and quantity == case.quantity
    )


def _longer(case: Case, first: str, second: str) -> Interval:
    return case.difference(second, first)


def _values(case: Case, policies: Sequence[str], values: Sequence[float],
            true: Callable[[str], float]) -> bool:  # fmt: skip
    """Values of all policies in order; of many, of the first and of three with least waits."""
    named = set(case.policies)
    if len(named) > 4:
        named = {case.policies[0], *case.ranked[:3]}
    return [*policies] == [name for name in case.policies if name in named] and all(
        same(value, true(name)) for name, value in zip(policies, values, strict=True)
    )


def _ends(found: Interval, ends: tuple[float, float]) -> bool:
    return same(ends[0], found.low) and same(ends[1], found.high)


def _is_apart(found: Interval) -> bool:
    return found.low > 0 or found.high < 0


def _is_clear(found: Interval) -> bool:
    return _is_apart(found) and not found.narrow


def _clear(case: Case, first: str, quantity: str, policies: Sequence[str]) -> bool:
    """The policies that differ from the first by more than chance."""
    others = {name: case.difference(name, first) for name in case.policies[1:]}
    clear = [name for name, each in others.items() if _is_apart(each) and not each.narrow]
    return quantity == case.quantity and first == case.policies[0] and [*policies] == clear != []


def _longest(case: Case, policy: str) -> int:
    return case.longest_queue(policy)[0]


def _first_rejected(case: Case) -> int:
    """Of those that are too large first, then of those whose partition has no machine."""
    refused = [row for row in range(len(case.log)) if row not in case.accepted]
    return int(case.log.number[min(refused, key=lambda row: (
        [*case.settings.clusters, "-"].index(_cluster(case, row)), row))])  # fmt: skip


def _cluster(case: Case, row: int) -> str:
    name = str(int(case.log.partition[row]))
    return name if name in case.settings.clusters else "-"


def _reason(case: Case, job: int, reason: str) -> bool:
    row = case.log.number.tolist().index(job)
    if case.settings.clusters and not case.size_for(row):
        name = int(case.log.partition[row])
        return reason == f"is of partition {name}, which has no cluster"
    return reason == (
        f"takes {case.log.processors[row]:,} processors, more than {case.size_for(row):,}"
    )


def _overload(case: Case, policy: str, first: float, last: float, work: float) -> bool:
    means = case.quarters(policy)
    ran = [job for job in case.schedules[policy] if job.start is not None]
    span = int(case.log.submit_s[-1]) - case.first
    offered = sum(job.processors * job.run for job in ran) / (case.machine * span)
    exact = same(first, means[0]) and same(last, means[-1]) and same(work, offered)
    return exact and case.grows(policy)


def _jain(case: Case, index: float, policy: str) -> bool:
    waits = case.user_waits(policy)
    square = sum(wait * wait for wait in waits)
    exact = sum(waits) ** 2 / (len(waits) * square) if square else 1.0
    return policy == case.best and same(index, exact)


def _ahead(case: Case, policy: str) -> list[int]:
    """Rows of the jobs that start before one that was submitted earlier."""
    starts = [job.start for job in case.schedules[policy]]
    return [
        row
        for row, start in enumerate(starts)
        if start is not None and any(other is not None and other > start for other in starts[:row])
    ]


def _drawn_policies(case: Case) -> list[str]:
    """The first policy, and the best one; the worst if the first is the best."""
    others = [name for name in (case.ranked[0], case.ranked[-1]) if name != case.policies[0]]
    return [case.policies[0], *others[:1]]


def _is_drawn(case: Case) -> bool:
    """Whether single jobs are shown: a period that was requested, or one with overtaking."""
    if not case.ranked:
        return False
    drawn = _drawn_policies(case)
    there = {name: [row for row, _ in case.in_period(name)] for name in drawn}
    if case.window is not None:
        return any(there.values())
    return any({*there[name]} & {*_ahead(case, name)} for name in drawn)


def _percentile(values: Values, share: float) -> float:
    """Linear between the two nearest values."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def _outside(case: Case) -> tuple[int, int]:
    if not case.measured:
        return len(case.log), 0
    return min(case.measured), len(case.log) - 1 - max(case.measured)


def _shares(case: Case, parties: tuple[str, ...]) -> bool:
    weights = bundled_maui().priority.fairshare
    counting = [party for party in ("user", "group", "queue") if getattr(weights, party)]
    alike = all(len({*getattr(case.log, party).tolist()}) == 1 for party in counting)
    return "maui" in case.policies and [*parties] == counting and alike


def _can_wait(case: Case) -> bool:
    return len(case.policies) == 1 and bool(case.ranked) and case.enough


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    **{kind: claim for kind, claim in logs.FINDINGS.items() if kind != logs.UNKNOWN_SIZE},
    "question": lambda case, log: log == case.log.name and len(case.policies) == 1,
    "question-compared": lambda case, log: (
        log == case.log.name and len(case.policies) > 1
    ),
    "source-python": lambda case: not case.log.sha256 and not case.synthetic,
    "source-file": lambda case, log: log == case.log.name and bool(case.log.sha256) and (
        not case.synthetic
    ),
    "source-marked": lambda case, log, model: (
        log == case.log.name and model == case.log.header["Synthetic"] and bool(case.log.sha256)
    ),
    "source-synthetic": lambda case, model: (
        not case.log.sha256 and case.log.header["Synthetic"].startswith(model)
    ),
    "single": lambda case, policy, wait: (
        (policy,) == case.policies and same(wait, case.mean(policy))
    ),
    "equal": lambda case, policies, mean, quantity: (
        {*policies} == {*case.policies} == {*case.ties} and same(mean, case.mean(policies[0]))
        and quantity == case.quantity
    ),
    "shortest": lambda case, **stated: _shortest(
        case, stated["best"], stated["mean"], stated["next"], stated["longer"], stated["quantity"]
    ),
    "no-start": lambda case, log: log == case.log.name and not case.accepted,
    "no-measured-start": lambda case, log: (
        log == case.log.name and bool(case.accepted) and not {*case.accepted} & case.measured
    ),
    "not-apart": lambda case, **stated: _not_apart(case, **stated) and not _worse(case),
    "not-apart-next": lambda case, mean, **stated: (
        stated["next"] == _worse(case)[0]
        and same(mean, case.mean(stated["next"]))
        and _not_apart(case, **{key: stated[key] for key in ("policies", "values", "quantity")})
    ),
    "least-longest": lambda case, policy, best, wait, longer: (
        best == case.best
        and wait == max(case.waits(policy)) == min(max(case.waits(name)) for name in case.policies)
        and longer == max(case.waits(best)) > wait
    ),
    "not-apart-many": lambda case, best, mean, policies, quantity: (
        best == case.best and same(mean, case.mean(best)) and quantity == case.quantity
        and policies == (len(case.chance) - 1, len(case.ranked) - 1) and policies[0] >= 4
    ),
    "too-few": lambda case, jobs, least: jobs == len(case.counted(case.best)) < least == 40,
    "interval": lambda case, interval: (
        _can_wait(case)
        and same(interval[0], max(0.0, case.single.low))
        and same(interval[1], case.single.high)
    ),
    "alike": lambda case, first, second, quantity: _pair(case, first, second, quantity) and (
        _longer(case, first, second).low == 0 == _longer(case, first, second).high
    ),
    "apart": lambda case, first, second, quantity, longer: (
        _pair(case, first, second, quantity) and _ends(_longer(case, first, second), longer)
        and longer[0] > 0 and not _longer(case, first, second).narrow
    ),
    "apart-narrow": lambda case, first, second, quantity, longer: (
        _pair(case, first, second, quantity) and _ends(_longer(case, first, second), longer)
        and longer[0] > 0 and _longer(case, first, second).narrow
    ),
    "may-be-chance": lambda case, first, second, quantity, shorter, longer: (
        _pair(case, first, second, quantity)
        and _ends(_longer(case, first, second), (-shorter, longer))
        and not _is_apart(_longer(case, first, second))
    ),
    "checked": lambda case, policies: case.check and [*policies] == case.with_rules,
    "checked-every": lambda case, policies: case.check and [*policies] == [
        name for name in case.policies if name not in case.with_rules
    ],
    "machine": lambda case, processors, jobs: (
        processors == case.machine
        and jobs == sum(n for what, n in case.log.counts.items() if what.startswith("left out"))
    ),
    "ends": lambda case, first, last: (first, last) == _outside(case),
    "under": lambda case, policy: policy == case.best,
    "slow": lambda case, policy, quality, jobs, wait: (
        policy == case.best and same(wait, _class_p90(case, jobs))
        and _is_slowest(case, jobs, _names_of(case, quality))
    ),
    "planned": lambda case, factor: (
        not case.any_molded and _plans(case) == {"user"}
        and same(factor, sum(case.log.requested_s.tolist()) / sum(case.log.run_s.tolist()))
    ),
    "no-cost": always,
    "reacting": lambda case: bool(case.ranked),
    "single-log": lambda case: bool(case.ranked),
    "violated": lambda case, violations: violations == case.broken,
    "rejected": lambda case, jobs, job, reason: (
        jobs == len(case.log) - len(case.accepted) and job == _first_rejected(case)
        and _reason(case, job, reason)
    ),
    "unsettled": lambda case: case.settings.trim.warm_up is None and not case.mser[1],
    "overload": _overload,
    "molded": lambda case, policy, jobs: jobs == (
        case.molded(policy), len(case.counted(policy))
    ) and jobs[0] > 0,
    "starving": lambda case, wait: wait == max(case.waits("easy++")),
    "no-recorded-start": lambda case, jobs, row: jobs == (
        len(case.accepted) - len(case.recorded), len(case.log)
    ) and row == _row(case),
    "recorded-cut": lambda case, runs, row: row == _row(case) and runs == sum(
        bool(case.log.killed[each]) and case.log.wait_s[each] >= 0 for each in case.accepted
    ),
    "recorded-over": lambda case, most, machine, time, jobs: (
        (most, time, jobs) == case.over and time > 0
        and machine == (case.log.machine_processors or case.machine)
    ),
    "unfixed": lambda case: _can_wait(case) and case.single.low <= 0 < case.single.mean,
    "narrow": lambda case, intervals, jobs: (
        intervals == (sum(each.narrow for each in case.intervals), len(case.intervals))
        and jobs == max(each.needed or 0 for each in case.intervals)
    ),
    "longer-log": lambda case, jobs: jobs == case.lead.needed,
    "tell-apart": lambda case: (
        len(case.policies) > 1
        and len(case.ties) == 1
        and not (case.enough and _is_apart(case.lead))
    ),
    "reference": lambda case, policy: (
        len(case.policies) == 1 and policy == ("fcfs" if case.policies == ("easy",) else "easy")
    ),
    "own-log": lambda case: case.synthetic,
    "recorded-starts": lambda case: not case.has_record and not case.synthetic,
    "check": lambda case: not case.check and not case.broken,
    "p90": lambda case, values, policies: _values(
        case, policies, values, lambda name: _percentile(case.waits(name), 0.9)
    ),
    "at-once": lambda case, values, policies: _values(
        case, policies, values, lambda name: case.waits(name).count(0) / len(case.waits(name))
    ),
    "clear": _clear,
    "longest-queue": lambda case, values, policies: _values(
        case, policies, values, lambda name: _longest(case, name)
    ),
    "jain": _jain,
    "overtook": lambda case, values, policies: _values(
        case, policies, values, lambda name: len(_ahead(case, name))
    ),
    "overtook-in-period": lambda case, values, policies: (
        [*policies] == _drawn_policies(case) and [*values] == [
            len({row for row, _ in case.in_period(name)} & {*_ahead(case, name)})
            for name in policies
        ]
    ),
    "idle": lambda case, begin, end: (begin, end) == case.window and not any(
        case.in_period(name) for name in case.policies
    ),
    "idle-shares": _shares,
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""


def _row(case: Case) -> str:
    return "as in the file" if case.synthetic else "recorded"


def _needs(case: Case) -> int:
    row: int = case.log.number.tolist().index(case.explained)
    return row


def _tenth(waits: Values) -> float:
    """What the tenth of the jobs that wait longest has of all waiting; none of few jobs."""
    assert len(waits) >= 100
    return sum(sorted(waits, reverse=True)[: len(waits) // 10]) / sum(waits)


def _hours(jobs: list[Job]) -> float:
    return sum(job.run * job.processors for job in jobs) / 3600


def _largest_user(case: Case) -> float:
    """Over the measured jobs of the users that the log names."""
    jobs = [job for job in case.counted(case.best) if job.user != MISSING]
    return max(
        _hours([job for job in jobs if job.user == user]) for user in {job.user for job in jobs}
    ) / _hours(jobs)


def _classes(case: Case) -> dict[str, Values]:
    """Waits under the best policy by requested processors and by run time, by class."""
    jobs = case.counted(case.best)
    every = [job.requested for job in jobs]
    edges = [0, 1]
    while edges[-1] < max(every):
        edges.append(min(4 * edges[-1], max(every)))
    found: dict[str, Values] = {}
    for low, high in pairwise(edges):
        name = str(high) if high - low == 1 else f"{low + 1:,} to {high:,}"
        found[name] = [job.wait for job in jobs if low < job.requested <= high]
    above: float = -1
    for limit, name in (
        (60, "up to 1 min"), (600, "1 to 10 min"), (3600, "10 min to 1 h"), (14_400, "1 to 4 h"),
        (43_200, "4 to 12 h"), (172_800, "12 to 48 h"), (math.inf, "above 48 h"),
    ):  # fmt: skip
        found[name] = [job.wait for job in jobs if above < job.asked_run <= limit]
        above = limit
    return {name: waits for name, waits in found.items() if waits}


def _class_p90(case: Case, name: str) -> float:
    return _percentile(_classes(case)[name], 0.9)


def _is_slowest(case: Case, name: str, names: list[str]) -> bool:
    """Whether the 90th percentile of a class is above that of each other one, but for rounding."""
    others = [_class_p90(case, each) for each in names if each != name]
    return bool(others) and _class_p90(case, name) >= max(others) - 1e-9


def _names_of(case: Case, quality: str) -> list[str]:
    """Classes by processors, or by run time."""
    timed = [name for name in _classes(case) if " min" in name or " h" in name]
    if quality == "run time":
        return timed
    return [name for name in _classes(case) if quality == "processors" and name not in timed]


def _plans(case: Case) -> set[str]:
    """What policies plan with."""
    return {
        case.settings.estimates or ("tsafrir" if name.startswith("easy++") else "user")
        for name in case.policies
    }


FACTS: dict[str, Claim] = {
    "jobs": lambda case, value: value == len(case.log),
    "measured": lambda case, value: (*value,) == (len(case.measured), len(case.log)),
    "wait": lambda case, value: same(
        value, sum(case.waits(case.best)) / len(case.waits(case.best))
    ),
    "longest": lambda case, value: (
        value == max(case.waits(case.best)) and len(case.waits(case.best)) < 100
    ),
    "p99": lambda case, value: same(value, _percentile(case.waits(case.best), 0.99)),
    "utilisation": lambda case, value: same(value, case.utilisation(case.best)),
    "tenth": lambda case, value: same(value, _tenth(case.waits(case.best))),
    "users": lambda case, value: value == len(case.user_waits(case.best)) > 1,
    "largest_user": lambda case, value: same(value, _largest_user(case)),
    "period": lambda case, value: (*value,) == tuple(
        time - case.first for time in case.period
    ) and _is_drawn(case),
    "planned_with": lambda case, value: {value} == _plans(case),
    "turnaround": lambda case, value: (
        case.any_molded and same(value, case.turnaround(case.best))
    ),
    "job": lambda case, value: value == case.explained,
    "submit": lambda case, value: value == case.log.submit_s[_needs(case)],
    "needs": lambda case, value: value == case.log.processors[_needs(case)],
    "estimate": lambda case, value: value == case.log.requested_s[_needs(case)],
    "event_order": lambda case, value: value == case.settings.event_order,
    "node_processors": lambda case, value: value == case.settings.node_processors,
    "offered_load": lambda case, value: same(
        value, sum(int(p) * int(r) for p, r in zip(case.log.processors, case.log.run_s,
                                                   strict=True))
        / (case.machine * (int(case.log.submit_s[-1]) - case.first))
    ),
    "requests": lambda case, value: same(
        value, sum(case.log.requested_s.tolist()) / sum(case.log.run_s.tolist())
    ),
    "batches": lambda case, value: value == case.single.batches,
    "clusters": lambda case, value: (*value,) == (*case.settings.clusters,),
    "scheduler": lambda case, value: value == bundled_maui().name,
    "iteration": lambda case, value: value == bundled_maui().iteration_s,
    "backfill": lambda case, value: value == bundled_maui().backfill.policy,
    "reservations": lambda case, value: value == bundled_maui().backfill.reservations,
    "windows": lambda case, value: value == bundled_maui().fairshare.windows,
    "window": lambda case, value: value == bundled_maui().fairshare.window_s,
    "decay": lambda case, value: value == bundled_maui().fairshare.decay,
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""


def _may_be_chance(case: Case, *, some_worse: bool) -> bool:
    """Whether a few policies are not clearly worse than the best, as far as intervals tell."""
    few = len(case.policies) > 1 and bool(case.ranked) and len(case.ties) < len(case.near) <= 4
    return few and len(case.ties) < len(case.policies) and bool(_worse(case)) == some_worse


DUE: dict[str, Claim] = {
    **{kind: claim for kind, claim in logs.DUE.items() if kind != logs.UNKNOWN_SIZE},
    "rejected": lambda case: len(case.accepted) < len(case.log),
    "violated": lambda case: case.broken > 0,
    "checked": lambda case: case.check and bool(case.with_rules),
    "checked-every": lambda case: case.check and len(case.with_rules) < len(case.policies),
    "unsettled": lambda case: case.settings.trim.warm_up is None and not case.mser[1],
    "overload": lambda case: any(case.grows(name) for name in case.policies),
    "molded": lambda case: any(case.molded(name) for name in case.policies),
    "starving": lambda case: "easy++" in case.policies and bool(case.counted("easy++")) and (
        case.settings.estimates in (None, "tsafrir")
    ),
    "no-recorded-start": lambda case: case.has_record and (
        len(case.recorded) < len(case.accepted)
    ),
    "recorded-over": lambda case: case.has_record and case.over[1] > 0,
    "narrow": lambda case: any(each.narrow for each in case.intervals),
    "unfixed": lambda case: _can_wait(case) and case.single.low <= 0 < case.single.mean,
    "own-log": lambda case: case.synthetic,
    "reacting": lambda case: bool(case.ranked),
    "single-log": lambda case: bool(case.ranked),
    "least-longest": lambda case: (
        len(case.policies) > 1 and bool(case.ranked) and case.quantity == "wait"
        and amount(min(max(case.waits(name)) for name in case.policies), "s")
        != amount(max(case.waits(case.best)), "s")
    ),
    "not-apart": lambda case: _may_be_chance(case, some_worse=False),
    "not-apart-next": lambda case: _may_be_chance(case, some_worse=True),
    "not-apart-many": lambda case: bool(case.ranked) and (
        len(case.ties) < len(case.near) > 4
    ),
    "equal": lambda case: len(case.policies) > 1 and bool(case.ranked) and (
        len(case.ties) == len(case.policies)
    ),
}  # fmt: skip
"""When these kinds are due: they are stated then, and only then."""


def _spread(case: Case, policy: str, row: Row) -> bool:
    """Waits and slowdowns of a policy over the measured jobs that ran, by numpy."""
    waits = np.array(case.waits(policy), float)
    return row["jobs"] == len(waits) and all(
        same(row[key], value)
        for key, value in {
            "mean_wait_s": waits.mean(),
            "median_wait_s": np.median(waits),
            "p95_wait_s": np.percentile(waits, 95),
            "p99_wait_s": np.percentile(waits, 99),
            "max_wait_s": waits.max(),
            "mean_bounded_slowdown": np.mean([job.slowed for job in case.counted(policy)]),
        }.items()
        if key in row
    )


def _of_policies(case: Case, rows: list[Row]) -> bool:
    mine = {row["policy"]: row for row in rows if row["policy"] in case.policies}
    return {*mine} == {*case.policies} and all(
        _spread(case, policy, row) for policy, row in mine.items() if case.counted(policy)
    )


def _of_users(case: Case, rows: list[Row]) -> bool:
    """Jobs and mean waits add up to those of the policy."""
    for policy in case.policies:
        mine = [row for row in rows if row["policy"] == policy]
        jobs = sum(row["jobs"] for row in mine)
        total = math.fsum(row["jobs"] * row["mean_wait_s"] for row in mine)
        if jobs != len(case.waits(policy)) or not same(total, math.fsum(case.waits(policy))):
            return False
    return True


def _of_slowdowns(case: Case, rows: list[Row]) -> bool:
    """Percentiles by numpy."""
    parts = {"median": 50, "p90": 90, "p95": 95, "p99": 99, "max": 100}
    for row in (row for row in rows if row["policy"] in case.policies):
        slowed = [job.slowed for job in case.counted(row["policy"])]
        found = {part: float(np.percentile(slowed, share)) for part, share in parts.items()}
        found["mean"] = float(np.mean(slowed))
        if not all(same(row[f"{part}_bounded_slowdown"], each) for part, each in found.items()):
            return False
    return True


TABLES: dict[str, Callable[[Case, list[Row]], bool]] = {
    "policies": _of_policies,
    "slowdowns": _of_slowdowns,
    "users": _of_users,
    "by processors": _of_users,
    "by run time": _of_users,
}
"""Whether the rows of a table are true."""
