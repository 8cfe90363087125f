"""What a log with shared nodes states, measured again from the starts and ends of every job.

Written from docs/colocate-queues.md. The schedule of each rule and mapping is that of the literal
loop; only of rolling matching, and of long logs, it is taken as given. Waits, energy, partners and
floors are counted here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist, fmean, stdev
from typing import Any

import numpy as np
from scipy.stats import t

from planner.errors import InputError
from planner.scheduling.violation import Violation
from planner.sharing_nodes.queue_gains.colocate_log import colocate_log, rules_of
from planner.sharing_nodes.queue_gains.laws import SharingLaw
from planner.sharing_nodes.queue_gains.study import QueueStudy
from planner.sharing_nodes.queues.checker import Broken
from planner.sharing_nodes.queues.engine import schedule
from planner.sharing_nodes.queues.logs import at_load, shared_problem
from planner.sharing_nodes.queues.measures import NodeWatts
from planner.sharing_nodes.queues.problem import NEVER, SharedProblem, SharedSchedule
from planner.sharing_nodes.queues.rules import WHOLE
from planner.sharing_nodes.queues.speeds import Speeds, speeds_of
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lublin import lublin_log
from scenarios.remark import remark
from tests.claims.values import same
from tests.planner.sharing_nodes.queues.literal import Literal

SEARCH, FIRST_FIT = "partner search", "first fit"
_QUANTITY = {"mean_wait_s": "wait", "throughput": "work", "energy_kwh": "energy"}


@dataclass(frozen=True)
class Run:
    """A schedule, measured."""

    jobs: int
    open: int
    partnered: int
    below: int
    late: int
    wait: float
    work: float
    energy: float
    two_jobs: float
    met: dict[tuple[str, str], float]


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    law: SharingLaw
    log: JobLog
    options: dict[str, Any] = field(default_factory=dict)
    broken: Broken = ()
    other: SharingLaw | None = None

    @cached_property
    def answer(self) -> QueueStudy:
        found = colocate_log(self.law, self.log, **{"seeds": 2, **self.options})
        if self.second is not None:
            found = replace(found, other=self.second.answer.first)
        return replace(found, broken=self.broken) if self.broken else found

    @cached_property
    def second(self) -> Case | None:
        """The request under the other law of shared cores."""
        return None if self.other is None else Case(self.other, self.log, self.options)

    @property
    def direction(self) -> str:
        """Whether the wait is shorter, longer, the same, or neither for sure."""
        before, after = (fmean(values) for values in self.both("wait"))
        if self.unchanged:
            return "same"
        return "unclear" if self.is_chance("wait") else ("lower", "higher")[after >= before]

    def option(self, name: str, default: Any) -> Any:
        return self.options.get(name, default)

    @property
    def seeds(self) -> int:
        return int(self.option("seeds", 2))

    @property
    def floor(self) -> float:
        return float(self.option("floor", 0.8))

    @property
    def gain(self) -> float:
        return float(self.option("least_gain", 0.05))

    @property
    def alpha(self) -> float:
        return float(self.option("alpha", 0.05))

    @property
    def floors(self) -> dict[int, float]:
        names = self.log.names.get("user", ())
        codes = {name: code for code, name in enumerate(names)} or {
            str(code): code for code in self.log.user.tolist()
        }
        return {codes[name]: floor for name, floor in self.option("floors", {}).items()}

    def problem(self, seed: int, load: float | None) -> SharedProblem:
        made = shared_problem(
            self.log, self.law.true, nodes=self.option("nodes", None),
            processors_per_node=self.option("processors_per_node", 1),
            halves_per_node=self.law.halves_per_node, seed=seed,
        )  # fmt: skip
        return made if load is None else at_load(made, load)

    @cached_property
    def rules(self) -> list[Any]:
        matched = len(self.log) <= 2000
        return [WHOLE, *rules_of(self.law, self.floor, self.floors, self.gain, self.alpha,
                                 matched=matched)]  # fmt: skip

    @cached_property
    def runs(self) -> list[dict[str, list[Run]]]:
        """By load and rule, each mapping."""
        return [
            {
                rule.name: [self.measured(self.problem(seed, load), rule)
                            for seed in range(self.seeds)]
                for rule in self.rules
            }
            for load in self.option("loads", ()) or (None,)
        ]  # fmt: skip

    def measured(self, problem: SharedProblem, rule: Any) -> Run:
        """Measures of a rule's schedule, job by job and node by node."""
        literal = rule.name != "rolling matching" and len(problem.jobs) <= 200
        found = (Literal(problem, rule).play().schedule() if literal
                 else schedule(problem, rule).schedule)  # fmt: skip
        ran = [job for job in range(len(found.start_ms)) if found.start_ms[job] != NEVER]
        hours, two, kwh, met = self.by_node(problem, found, ran)
        jobs = problem.jobs
        needed = sum(int(jobs.nodes[job]) * int(jobs.run_ms[job]) for job in ran) / 3.6e6
        names = problem.speeds.applications
        times: dict[tuple[str, str], float] = {}
        for (one, other), spent in met.items():
            kinds = sorted((int(jobs.application[one]), int(jobs.application[other])))
            pair = (names[kinds[0]], names[kinds[1]])
            times[pair] = times.get(pair, 0.0) + spent
        partners = {job for pair in met for job in pair}
        halves = [job for job in ran if found.split[job] > 0]
        waits = [(int(found.start_ms[job]) - int(jobs.submit_ms[job])) / 1000 for job in ran]
        return Run(
            len(ran), len(halves), len(partners),
            sum(self.below(problem, found, job) for job in halves),
            sum(bool(found.start_ms[job] > found.promised_ms[job] != NEVER) for job in ran),
            fmean(waits), needed / hours, kwh, two / hours, times,
        )  # fmt: skip

    def below(self, problem: SharedProblem, found: SharedSchedule, job: int) -> bool:
        """Whether a job ran below its floor by more than the millisecond and millionth kept."""
        floor = self.floors.get(int(problem.jobs.user[job]), self.floor)
        took = int(found.end_ms[job]) - int(found.start_ms[job])
        return int(problem.jobs.run_ms[job]) < (floor - 1e-6) * (took - 1)

    def by_node(
        self, problem: SharedProblem, found: SharedSchedule, ran: Sequence[int]
    ) -> tuple[float, float, float, dict[tuple[int, int], float]]:
        """Node-hours in use and with two jobs, energy [kWh], and how long which jobs met."""
        watts = self.law.watts
        stays: dict[int, list[tuple[int, int, int, bool]]] = {}
        for job in ran:
            first, last = int(found.node_first[job]), int(found.node_first[job + 1])
            for place, node in enumerate(found.node[first:last].tolist()):
                shares = place < int(found.split[job])
                stays.setdefault(node, []).append(
                    (int(found.start_ms[job]), int(found.end_ms[job]), job, shares)
                )
        span = max(int(found.end_ms[job]) for job in ran) - int(problem.jobs.submit_ms[0])
        whole, half, both = 0, 0, 0
        met: dict[tuple[int, int], float] = {}
        for stay in stays.values():
            stay.sort()
            whole += sum(end - start for start, end, _, halved in stay if not halved)
            halved = [each for each in stay if each[3]]
            half += sum(end - start for start, end, _, _ in halved)
            for number, (_, end, job, _) in enumerate(halved):
                for start, other_end, other, _ in halved[number + 1 :]:
                    if start >= end:
                        break
                    spent = min(end, other_end) - start
                    both += spent
                    met[job, other] = met.get((job, other), 0) + spent
        half -= 2 * both
        idle = problem.nodes * span - whole - half - both
        energy = (whole * watts.whole + half * watts.half + both * watts.shared
                  + idle * watts.idle)  # fmt: skip
        return (whole + half + both) / 3.6e6, both / 3.6e6, energy / 3.6e9, met

    def values(self, rule: str, quantity: str) -> list[float]:
        return [float(getattr(run, quantity)) for run in self.runs[0][rule]]

    def both(self, quantity: str) -> tuple[list[float], list[float]]:
        """Each mapping on whole nodes, and with partner search."""
        return self.values("whole nodes", quantity), self.values(SEARCH, quantity)

    def ratio(self, quantity: str) -> tuple[float, float, float] | None:
        """Geometric mean of the ratios, and its 95 % interval; none where a value is 0."""
        pairs = [*zip(*self.both(quantity), strict=True)]
        if not all(before > 0 < after for before, after in pairs):
            return None
        mean, low, high = interval([math.log(after / before) for before, after in pairs])
        return math.exp(mean), math.exp(low), math.exp(high)

    def difference(self, quantity: str) -> tuple[float, float, float]:
        pairs = zip(*self.both(quantity), strict=True)
        return interval([after - before for before, after in pairs])

    def is_chance(self, quantity: str) -> bool:
        """Whether a measure changes, and its interval contains no change."""
        before, after = self.both(quantity)
        if all(one == other for one, other in zip(before, after, strict=True)):
            return False
        found = self.ratio(quantity)
        low, high = self.difference(quantity)[1:] if found is None else found[1:]
        return low <= (0 if found is None else 1) <= high

    def summed(self, rule: str, quantity: str, load: int = 0) -> int:
        return sum(getattr(run, quantity) for run in self.runs[load][rule])

    @property
    def unchanged(self) -> bool:
        before, after = self.both("wait")
        return before == after

    @property
    def users(self) -> int:
        return len({user for user in self.log.user.tolist() if user != MISSING})

    @property
    def nameless(self) -> int:
        return int((self.log.user == MISSING).sum())

    @property
    def machine(self) -> int:
        return int(self.problem(0, None).nodes)

    @property
    def larger(self) -> int:
        nodes = self.option("processors_per_node", 1)
        return sum(-(-processors // nodes) > self.machine
                   for processors in self.log.processors.tolist())  # fmt: skip

    @cached_property
    def own_load(self) -> float:
        """Work over capacity between the first and the last submission of the log."""
        jobs = self.problem(0, None).jobs
        span = int(jobs.submit_ms[-1] - jobs.submit_ms[0])
        work = sum(int(nodes) * int(run) for nodes, run in zip(jobs.nodes, jobs.run_ms, strict=True)
                   if nodes <= self.machine)  # fmt: skip
        return work / (self.machine * span) if span else 0.0

    @cached_property
    def loads(self) -> list[float]:
        """Offered loads: the submissions are whole milliseconds, so they are about those given."""
        wanted = self.option("loads", ())
        return [self._near(load) for load in wanted] if wanted else [self.own_load]

    def _near(self, load: float) -> float:
        jobs = self.problem(0, None).jobs
        submit = [int(time) - int(jobs.submit_ms[0]) for time in jobs.submit_ms]
        moved = round(submit[-1] * self.own_load / load)
        return float(self.own_load * submit[-1] / moved)

    @cached_property
    def admitted(self) -> int:
        """Pairs that keep the floor at the lowest speed that errors leave, and gain enough."""
        law, count = self.law, len(self.law.known)
        errors = law.error if law.floor_error is None else law.floor_error
        z = NormalDist().inv_cdf(1 - self.alpha / count**2)

        def lowest(a: int, b: int) -> float:
            return float((law.predicted.pair[a, b] - z * errors[a, b]) / law.predicted.full[a])

        def speed(a: int, b: int) -> float:
            return float(law.predicted.pair[a, b] / law.predicted.full[a])

        return sum(
            bool(law.known[a, b])
            and min(lowest(a, b), lowest(b, a)) >= self.floor
            and (speed(a, b) + speed(b, a)) / law.halves_per_node - 1 >= self.gain
            for a in range(count) for b in range(a, count)
        )  # fmt: skip

    @property
    def known(self) -> int:
        count = len(self.law.known)
        return sum(bool(self.law.known[a, b]) for a in range(count) for b in range(a, count))

    @property
    def every(self) -> int:
        return len(self.law.known) * (len(self.law.known) + 1) // 2

    def rule_at(self, load: float) -> int:
        return next(number for number, each in enumerate(self.loads) if same(each, load))


def interval(values: list[float]) -> tuple[float, float, float]:
    """Mean, and its 95 % interval by Student's t."""
    mean = fmean(values)
    half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / math.sqrt(len(values))
    return mean, mean - half, mean + half


SAME_CORES = speeds_of(["io", "cpu"], [[0.6, 0.95], [0.9, 0.5]], full=[1.0, 1.0])
HALVES = speeds_of(["io", "cpu"], [[0.9, 0.97], [0.95, 0.8]], full=[1.0, 0.9])


LATE: Broken = ((SEARCH, Violation(12.0, 3, "promise", "was promised a start at 9 s")),)
_ONCE = remark("pairs-once", names=(("io",), "text"))


def law(
    true: Speeds = SAME_CORES, predicted: Speeds | None = None, *, halves: int = 1,
    error: float = 0.0, known: Sequence[Sequence[bool]] = ((True, True), (True, True)),
) -> SharingLaw:  # fmt: skip
    """A law by hand."""
    believed = true if predicted is None else predicted
    watts = NodeWatts() if halves == 2 else NodeWatts(half=300.0)
    return SharingLaw("made", "made by hand", true, believed, np.full((2, 2), error),
                      np.array(known), halves, watts, "made by hand")  # fmt: skip


def log(jobs: int = 50, seed: int = 3, users: int = 7, load: float = 1.2) -> JobLog:
    """A synthetic log with users."""
    made = lublin_log(max(jobs, 2), 32, seed, load=load, estimate_factor=2)
    made = made.take(np.arange(len(made)) < jobs)
    return replace(made, user=(np.arange(jobs) * 5 % users).astype(np.int32)) if users else made


def cases() -> Iterator[Case]:
    """Requests at the edges."""
    wrong = law(SAME_CORES, speeds_of(["io", "cpu"], [[0.95, 0.95], [0.95, 0.95]], full=[1, 1]))
    plain = log()
    yield Case(law(), plain)
    yield Case(law(HALVES, halves=2), plain, {"seeds": 3})
    yield Case(law(), plain, {"floor": 0.99})
    yield Case(law(), log(load=0.05), {"nodes": 64})
    yield Case(wrong, plain)
    yield Case(wrong, log(80, 5), {"seeds": 3, "floors": {"0": 0.2, "3": 0.97}})
    yield Case(law(), replace(plain, submit_s=np.zeros(len(plain), np.int64)))
    yield Case(law(), plain, {"loads": (0.5, 1.1)})
    yield Case(law(known=((False, True), (True, False)), error=0.01), plain)
    yield Case(law(HALVES, HALVES, halves=2, error=0.2), plain)
    yield Case(law(), replace(plain, user=np.zeros(len(plain), np.int32)))
    yield Case(law(), log(users=0))
    some = np.where(np.arange(len(plain)) % 9, plain.user, MISSING)
    yield Case(law(), replace(plain, user=some))
    yield Case(law(), plain, {"nodes": 6})
    yield Case(law(), plain, {"processors_per_node": 3})
    yield Case(law(), replace(plain, file="a.swf", sha256="ab" * 32, header={}))
    yield Case(law(), replace(plain, header={}), broken=LATE * 2)
    yield Case(replace(law(), remarks=(_ONCE,)), plain)
    tight = log(60, 3)
    slow = law(speeds_of(["io", "cpu"], np.full((2, 2), 0.3), full=[1, 1]), wrong.predicted)
    yield Case(slow, replace(tight, requested_s=tight.run_s))
    faster = law(speeds_of(["io", "cpu"], [[0.9, 0.97], [0.95, 0.8]], full=[1.0, 1.0]))
    yield Case(law(), plain, {"seeds": 6}, other=faster)
    yield Case(law(), plain, other=law())
    yield Case(faster, plain, {"seeds": 6}, other=law())
    yield Case(law(), plain, {"floor": 0.99}, other=faster)
    yield Case(law(), log(80, 5), {"seeds": 3, "floor": 0.5}, other=faster)
    yield Case(replace(law(), cores_law="idle-cycles"), plain)
    short = log(2001, 1, load=0.02)
    yield Case(law(HALVES, halves=2), replace(short, processors=np.ones(2001, np.int64)))


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    halves = int(rng.choice([1, 2]))
    true = speeds_of(["io", "cpu"], rng.uniform(0.4, 1.0, (2, 2)), full=[1.0, 1.0])
    believed = speeds_of(["io", "cpu"], np.clip(true.pair * rng.uniform(0.8, 1.4, (2, 2)), 0.1,
                                                1.0), full=[1.0, 1.0])  # fmt: skip
    options = {
        "seeds": int(rng.choice([2, 2, 3, 6])), "floor": float(rng.choice([0.3, 0.8, 0.95])),
        "least_gain": float(rng.choice([0.0, 0.05, 0.4])),
        "alpha": float(rng.choice([0.01, 0.3])), "nodes": int(rng.choice([8, 32, 200])),
    }  # fmt: skip
    made = law(true, None if rng.random() < 0.5 else believed, halves=halves,
               error=float(rng.choice([0.0, 0.02])))  # fmt: skip
    case = Case(made, log(int(rng.choice([1, 2, 30, 60])), seed, int(rng.choice([0, 1, 3, 9])),
                          float(rng.choice([0.3, 1.5]))), options)  # fmt: skip
    try:
        _ = case.answer
    except InputError:
        return
    yield case


def _interval(case: Case, ends: Sequence[float]) -> bool:
    """Whether these are the ends of the ratio of waits, of their difference, or of energy."""
    wait, energy = case.ratio("wait"), case.ratio("energy")
    possible = [case.difference("wait")[1:] if wait is None else wait[1:]]
    possible += [] if energy is None else [(energy[1] - 1, energy[2] - 1)]
    return any(all(map(same, ends, each)) for each in possible)


def _where(case: Case, rule: str, load: float) -> bool:
    return rule in case.runs[0] and any(same(load, each) for each in case.loads)


def _shares(case: Case) -> bool:
    return case.summed(SEARCH, "partnered") > 0


def _waits(case: Case, after: float, before: float) -> bool:
    both = [fmean(values) for values in case.both("wait")]
    return _shares(case) and not case.unchanged and all(map(same, (before, after), both))


def _broken(case: Case) -> Iterator[tuple[str, int, tuple[int, int]]]:
    """Rules and loads with more jobs below their floors than alpha explains."""
    for number, runs in enumerate(case.runs):
        for rule in [rule for rule in runs if rule not in (FIRST_FIT, "whole nodes")]:
            below, shared = (case.summed(rule, name, number) for name in ("below", "open"))
            if shared and below / shared > case.alpha:
                yield rule, number, (below, shared)


def _late(case: Case) -> Iterator[tuple[str, int, int]]:
    for number, runs in enumerate(case.runs):
        for rule in [rule for rule in runs if rule != "whole nodes"]:
            if late := case.summed(rule, "late", number):
                yield rule, number, late


def _measures(case: Case) -> list[str]:
    return [name for name, own in _QUANTITY.items() if case.is_chance(own)]


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "source-python": lambda case: not case.log.sha256 and "Synthetic" not in case.log.header,
    "source-file": lambda case, log: log == "a.swf" == case.log.file and bool(case.log.sha256),
    "source-synthetic": lambda case, model: (
        not case.log.sha256 and case.log.header["Synthetic"].startswith(model)
    ),
    "question": lambda case, log: log == (case.log.file or case.log.name),
    "no-partner": lambda case: not _shares(case),
    "unchanged": lambda case, wait: (
        _shares(case) and case.unchanged and same(wait, fmean(case.both("wait")[1]))
    ),
    "unclear": lambda case, **times: _waits(case, **times) and case.is_chance("wait"),
    "waits": lambda case, **times: (
        _waits(case, **times) and not case.is_chance("wait") and case.other is None
    ),
    "waits-laws": lambda case, other, **times: (
        _waits(case, **times) and not case.is_chance("wait")
        and same(other, fmean(case.second.both("wait")[1]))
    ),
    "both-laws": lambda case, after, other, before: (
        all(map(same, (before, after), map(fmean, case.both("wait"))))
        and same(other, fmean(case.second.both("wait")[1]))
    ),
    "laws-agree": lambda case: case.direction == case.second.direction,
    "laws-differ": lambda case: case.direction != case.second.direction,
    "one-law": lambda case, law: case.other is None and law == case.law.cores_law,
    "load": lambda case, load: same(load, case.loads[0]) and load > 0,
    "at-once": lambda case: len({*case.log.submit_s.tolist()}) == 1,
    "mappings": lambda case, mapped, mappings: (
        mapped == ("users" if case.users else "jobs") and mappings == case.seeds
    ),
    "exact-speeds": lambda case: bool((case.law.true.pair == case.law.predicted.pair).all()),
    "predicted-speeds": lambda case: case.law.predicted is not case.law.true,
    "interval": _interval,
    "open": lambda case, jobs: jobs == case.summed(SEARCH, "open"),
    "first-fit": lambda case, jobs: (*jobs,) == (
        case.summed(FIRST_FIT, "below"), case.summed(FIRST_FIT, "open")
    ),
    "no-applications": lambda case, mapped: mapped == ("users" if case.users else "jobs"),
    "few-mappings": lambda case, mappings: mappings == case.seeds < 5,
    "chance": lambda case, measures: [*measures] == _measures(case) != [],
    "unmeasured": lambda case, pairs: (*pairs,) == (case.every - case.known, case.every),
    "one-user": lambda case: len({*case.log.user.tolist()} - {MISSING}) == 1 and (
        MISSING not in case.log.user
    ),
    "no-users": lambda case: {*case.log.user.tolist()} == {MISSING},
    "few-users": lambda case, users: 0 < case.users == users < 5,
    "nameless": lambda case, jobs: 0 < jobs == case.nameless < len(case.log),
    "too-large": lambda case, jobs, nodes: (
        (*jobs,) == (case.larger, len(case.log)) and nodes == case.machine
    ),
    "no-matching": lambda case: case.law.halves_per_node == 2 and len(case.log) > 2000,
    "no-pair": lambda case, floor, gain: (
        case.admitted == 0 and (floor, gain) == (case.floor, case.gain)
    ),
    "floors-broken": lambda case, rule, load, jobs, alpha: (
        alpha == case.alpha
        and _where(case, rule, load)
        and (rule, case.rule_at(load), (*jobs,)) in [*_broken(case)]
    ),
    "late": lambda case, rule, load, jobs: (
        _where(case, rule, load) and (rule, case.rule_at(load), jobs) in [*_late(case)]
    ),
    "checker": lambda case, errors, rule, job, what: (
        errors == len(case.broken) and (rule, job, what) == (SEARCH, 3, "promise")
    ),
    "pairs-once": lambda case, names: remark("pairs-once", names=(names, "text")) in (
        case.law.remarks
    ),
    "record": _shares,
    "loosen": lambda case: not _shares(case),
    "more-mappings": lambda case, mappings: (
        case.is_chance("wait") and mappings == max(5, 2 * case.seeds)
    ),
    "measure": lambda case, a, b: (
        (met := case.runs[0][SEARCH][0].met)[a, b] == max(met.values())
    ),
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "wait": lambda case, value: (found := case.ratio("wait")) is not None and same(value, found[0]),
    "difference": lambda case, value: (
        case.ratio("wait") is None and same(value, case.difference("wait")[0])
    ),
    "shorter": lambda case, value: (*value,) == (
        sum(after < before for before, after in zip(*case.both("wait"), strict=True)), case.seeds
    ),
    "energy": lambda case, value: (
        (found := case.ratio("energy")) is not None and same(value, found[0] - 1)
    ),
    "work": lambda case, value: same(value, fmean(case.both("work")[1])),
    "partnered": lambda case, value: (*value,) == (
        case.summed(SEARCH, "partnered"), case.summed(SEARCH, "jobs")
    ),
    "below": lambda case, value: (*value,) == (
        case.summed(SEARCH, "below"), case.summed(SEARCH, "open")
    ),
    "two_jobs": lambda case, value: same(value, case.runs[0][SEARCH][0].two_jobs),
    "law": lambda case, value: value == case.law.name,
    "pairs": lambda case, value: (*value,) == (case.admitted, case.known),
    "floor": lambda case, value: value == case.floor,
    "least_gain": lambda case, value: value == case.gain,
    "alpha": lambda case, value: value == case.alpha,
    "jobs": lambda case, value: value == len(case.log) - case.larger,
    "nodes": lambda case, value: value == case.machine,
    "processors_per_node": lambda case, value: value == case.option("processors_per_node", 1),
    "cores_per_node": lambda case, value: value == case.law.cores_per_node,
    "loads": lambda case, value: all(map(same, value, case.loads)),
    "logged_load": lambda case, value: (
        bool(case.option("loads", ())) and same(value, case.own_load)
    ),
    "idle_w": lambda case, value: value == case.law.watts.idle,
    "one_w": lambda case, value: value == case.law.watts.half,
    "whole_w": lambda case, value: value == case.law.watts.whole,
    "two_w": lambda case, value: value == case.law.watts.shared,
    "checked": lambda case, value: value == (len(case.log) <= 2000),
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "both-laws": lambda case: case.other is not None,
    "laws-agree": lambda case: case.other is not None and case.direction == case.second.direction,
    "laws-differ": lambda case: case.other is not None and case.direction != case.second.direction,
    "one-law": lambda case: case.other is None and bool(case.law.cores_law),
    "no-partner": lambda case: not _shares(case),
    "at-once": lambda case: len({*case.log.submit_s.tolist()}) == 1,
    "few-mappings": lambda case: case.seeds < 5,
    "chance": lambda case: bool(_measures(case)),
    "unmeasured": lambda case: case.known < case.every,
    "one-user": lambda case: case.users == 1 and not case.nameless,
    "no-users": lambda case: not case.users,
    "few-users": lambda case: 0 < case.users < 5,
    "nameless": lambda case: bool(case.users and case.nameless),
    "too-large": lambda case: case.larger > 0,
    "no-pair": lambda case: case.admitted == 0,
    "floors-broken": lambda case: any(_broken(case)),
    "late": lambda case: any(_late(case)),
    "checker": lambda case: bool(case.broken),
    "pairs-once": lambda case: bool(case.law.remarks),
    "more-mappings": lambda case: case.is_chance("wait"),
}
"""When these kinds are due: they are stated then, and only then."""
