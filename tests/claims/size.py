"""What `headroom size` states, decided again: by simulations of single sizes and by the log alone.

Written from docs/sizing.md. A claim gets a case and the values of a finding, or the value of a
fact, and says whether they are true.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.settings import SimulationSettings
from planner.scheduling.simulation.simulate import simulate
from planner.scheduling.sizing.growth import LogGrowth, grow
from planner.scheduling.sizing.level import parse_level
from planner.scheduling.sizing.result import SizeFor
from planner.scheduling.sizing.study import SizingStudy, size
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from tests.claims import logs
from tests.claims.values import always
from tests.planner.scheduling.sizing.logs import log_of, weekly

DAY_S = 86_400
_KEYS = {"wait": "wait_s", "turnaround": "turnaround_s", "slowdown": "slowdown"}


@dataclass(frozen=True)
class Case:
    """A request, with its answer."""

    log: JobLog
    level: str
    policies: tuple[str, ...]
    growth: float = 1.0
    by: str = "copies"
    draws: int = 0
    node: int = 1
    seed: int = 0
    stated: logs.Stated = field(default_factory=dict)
    remedy: str = "own-size"

    @cached_property
    def answer(self) -> SizingStudy:
        return size(
            self.log,
            [POLICIES[name] for name in self.policies],
            SizeFor(
                parse_level(self.level),
                LogGrowth(self.growth, self.by),  # type: ignore[arg-type]
                self.draws,
                self.seed,
            ),
            SimulationSettings(node_processors=self.node),
        )

    @cached_property
    def grown(self) -> JobLog:
        return self.answer.grown.log

    @property
    def machine(self) -> int | None:
        return self.log.machine_processors

    @property
    def limit(self) -> float:
        text = self.level.partition("<=")[2]
        units = {"s": 1, "min": 60, "h": 3600}
        unit = text.lstrip("0123456789.")
        return float(text.removesuffix(unit)) * units.get(unit, 1)

    @property
    def name(self) -> str:
        return self.level.partition("<=")[0]

    def value(self, policy: str, nodes: int, log: JobLog | None = None) -> float | None:
        """The measure of the level on a machine of so many nodes."""
        log = self.grown if log is None else log
        ran = simulate(
            log, POLICIES[policy], processors=nodes * self.node, node_processors=self.node
        )
        plain = measure(ran.schedule).to_dict()
        statistic, _, what = self.name.partition("-")
        key = f"{statistic}_{_KEYS.get(what, what.replace('-', '_'))}"
        found: float | None = plain[key]
        return found

    def meets(self, policy: str, nodes: int, log: JobLog | None = None) -> bool:
        value = self.value(policy, nodes, log)
        return value is not None and value <= self.limit

    def needs(self, job: int) -> int:
        return -(-int(self.grown.processors[job]) // self.node)

    @cached_property
    def fewest(self) -> int:
        return max(self.needs(job) for job in range(len(self.grown)))

    @property
    def largest_job(self) -> int:
        """Number of the first job that needs the most nodes."""
        jobs = range(len(self.grown))
        return next(int(self.grown.number[job]) for job in jobs if self.needs(job) == self.fewest)

    def solves(self, policy: str, nodes: int | None, log: JobLog) -> bool:
        """By the definition: it and the sizes above it meet the target, and one less does not.

        There is none if the target is missed even where every job starts at once.
        """
        if not len(log):
            return nodes == 1
        if nodes is None:
            return not self.meets(policy, _nodes_at_once(self, log), log)
        above = range(nodes, nodes + 3)
        if not all(self.meets(policy, each, log) for each in above):
            return False
        fewest = -(-int(log.processors.max()) // self.node)
        return nodes == fewest or not self.meets(policy, nodes - 1, log)

    @cached_property
    def sizes(self) -> dict[str, int | None]:
        """The answer under each policy, as the data have it, which solves the log."""
        found = {row["policy"]: row["nodes"] for row in self.answer.tables()["sizes"]}
        assert all(self.solves(policy, found[policy], self.grown) for policy in self.policies)
        return found

    def nodes(self, policy: str) -> int | None:
        return self.sizes[policy]

    def tried(self, policy: str) -> list[dict[str, Any]]:
        """Every size tried under a policy."""
        return [row for row in self.answer.tables()["sizes tried"] if row["policy"] == policy]

    def largest(self, _policy: str) -> int:
        """The largest size that is tried, on which every job can start at once."""
        return _nodes_at_once(self, self.grown)

    @cached_property
    def resampled(self) -> dict[str, list[int | None]]:
        """Sizes of the resampled logs, each of which solves its log; the weeks are drawn again."""
        found: dict[str, list[int | None]] = {policy: [] for policy in self.policies}
        for row in self.answer.tables().get("resampled weeks", []):
            found[row["policy"]].append(row["nodes"])
        if self.draws and self.word:
            growth = LogGrowth(self.growth, self.by)  # type: ignore[arg-type]
            _, *streams = np.random.default_rng([self.seed, 1]).spawn(1 + self.draws)
            grown = [grow(self.log, growth, stream,
                         stream.integers(0, self.periods, self.periods)).log
                    for stream in streams]  # fmt: skip
            for policy, sizes in found.items():
                pairs = zip(sizes, grown, strict=True)
                assert all(self.solves(policy, size, log) for size, log in pairs), (policy, sizes)
        return found

    def drawn(self, policy: str) -> list[int | None]:
        return self.resampled.get(policy, [])

    def top(self, policy: str) -> float:
        """The upper end of what resampled logs need: infinite where too many have no answer."""
        high = _interval(self.drawn(policy))[1] if self.drawn(policy) else 0
        return math.inf if high is None else high

    def plan_for(self, policy: str) -> float:
        """The least size for the log and for nearly all resampled ones."""
        return max(self.nodes(policy) or 0, self.top(policy))

    @property
    def best(self) -> str | None:
        """The policy of the smallest size to plan for; for the log alone if none is safe."""
        sizes = {name: nodes for name in self.policies if (nodes := self.nodes(name)) is not None}
        return min(sizes, key=lambda name: (self.plan_for(name), sizes[name])) if sizes else None

    @property
    def printed(self) -> int:
        """The size that the headline has."""
        size = self.plan_for(self.best or "")
        return self.nodes(self.best or "") or 0 if size == math.inf else int(size)

    @property
    def span_s(self) -> int:
        return int(self.log.submit_s[-1] - self.log.submit_s[0])

    @property
    def word(self) -> str | None:
        if self.span_s // (7 * DAY_S) >= 3:
            return "week"
        return "day" if self.span_s // DAY_S >= 3 else None

    @property
    def grows_by_copies(self) -> bool:
        return self.by == "copies" and self.growth != 1

    @property
    def periods(self) -> int:
        return self.span_s // (7 * DAY_S if self.word == "week" else DAY_S)

    def work(self, log: JobLog) -> float:
        return float((log.processors.astype(float) * log.run_s).sum())

    @property
    def reached(self) -> float:
        """Work per time of the grown log over that of the log."""
        if self.by == "copies" or self.growth == 1:
            return self.work(self.grown) / self.work(self.log) if self.work(self.log) else 1.0
        span = int(self.grown.submit_s[-1] - self.grown.submit_s[0])
        return self.span_s / span if span else self.growth

    @property
    def times(self) -> float:
        near = abs(self.reached / self.growth - 1) <= 0.02
        return self.growth if near else self.reached

    @cached_property
    def work_by_period(self) -> np.ndarray[Any, Any]:
        length = 7 * DAY_S if self.word == "week" else DAY_S
        slot = (self.log.submit_s - int(self.log.submit_s[0])) // length
        work = self.log.processors.astype(float) * self.log.run_s
        inside = slot < self.periods
        return np.bincount(slot[inside], work[inside], minlength=self.periods)


def cases() -> Iterator[Case]:
    """Requests at the edges: one and many, ties, nothing decides, no answer."""
    yield from drawn(23)  # too short for weeks
    hand = log_of([(0, 100, 2, 0)] * 3)
    yield Case(hand, "mean-wait<=40s", ("easy",))
    yield Case(hand, "median-slowdown<=0.9", ("easy", "fcfs"), draws=3)
    yield Case(log_of([(0, 10, 4, 0), (500, 10, 1, 0)]), "mean-wait<=9h", ("easy",))
    yield Case(log_of([(0, 0, 3, 0), (5, 0, 2, 0)], None), "max-wait<=0s", ("fcfs",))
    yield Case(weekly(3), "p95-bounded-slowdown<=0.5", ("easy",), draws=4)
    yield Case(weekly(9, 1), "p95-bounded-slowdown<=3", ("easy", "fcfs"), 1.5, draws=10)
    yield Case(weekly(3, jobs=3, users=1, seed=2), "mean-wait<=600s", ("easy",), 1.6, seed=1)
    yield Case(weekly(4), "mean-wait<=600s", ("moldable",), draws=3)
    for text in logs.by_hand():
        if logs.UNKNOWN_SIZE in text.stated:
            yield Case(text.read(), "mean-wait<=40s", ("easy",), stated=text.stated)
    alike = [
        (week * 7 * DAY_S + 1000 * k, 5000, 1 + week, 0) for week in range(9) for k in range(9)
    ]
    yield Case(log_of([*alike, (63 * DAY_S, 1, 1, 0)]), "mean-wait<=1000s", ("easy",), draws=5)
    yield Case(lublin_log(200, 64, 4, load=1.4), "p90-wait<=200s", ("easy", "fcfs"), node=4)
    brief = log_of([(second, 30, 2, 0) for second in range(0, 12, 2)])
    yield Case(brief, "mean-wait<=20s", ("easy",), 1.3, "arrivals")
    yield Case(weekly(3, 11, 4, 2), "mean-wait<=600s", ("easy",), draws=3, seed=11)
    yield Case(_spilling(), "max-wait<=0s", ("easy",), draws=1)
    yield Case(_spilling(), "mean-turnaround<=27h", ("easy",), draws=2, seed=14)
    tie = weekly(3, 563, 9, 3, DAY_S)
    yield Case(tie, "mean-wait<=3h", ("easy", "sjf-easy"), draws=2, seed=563)
    for growth in (1.0, 1.5):
        yield Case(_one_long_week(), "mean-turnaround<=2.5h", ("easy",), growth, draws=5)


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    weeks = int(rng.integers(1, 12))
    log = weekly(weeks, seed, int(rng.integers(2, 25)), int(rng.integers(1, 5)), DAY_S)
    limit = f"{rng.choice([0, 60, 600, 20_000])}s"
    level = str(rng.choice([f"mean-wait<={limit}", f"max-wait<={limit}",
                            "p95-bounded-slowdown<=2", "p90-slowdown<=1.5"]))  # fmt: skip
    names = tuple(rng.permutation(["easy", "fcfs", "conservative"])[: rng.integers(1, 4)])
    by = str(rng.choice(["copies", "arrivals"]))
    growth = float(rng.choice([1.0, 0.5, 1.3, 2.0])) if weeks > 3 else 1.0
    draws, node = int(rng.choice([0, 3, 10])), int(rng.choice([1, 1, 3]))
    yield Case(log, level, names, growth, by, draws, node, seed)


def _spilling() -> JobLog:
    """Weeks whose work reaches into the next one, each before a week with little work."""
    week = 7 * DAY_S
    rows = [(0, 60, 1, 0), (4 * week, 60, 1, 0)]
    for start in (0, 2 * week):
        rows += [(start + 2 * DAY_S, 3600, 4, 0), (start + 5 * DAY_S, 5 * DAY_S, 4, 0)]
        rows += [(start + week + day * DAY_S, 3600, 1, 0) for day in (4, 6)]
    return log_of(sorted(rows), 16)


def _one_long_week() -> JobLog:
    """Four weeks of four jobs; those of one run longer than the target of two of them allows."""
    week = 7 * DAY_S
    rows = [(number * week + 20_000 * job, 18_000 if number == 1 else 3600, 2 + job % 2, job % 2)
            for number in range(4) for job in range(4)]  # fmt: skip
    return log_of([*rows, (4 * week, 60, 1, 0)], 16)


def _order(values: list[int | None]) -> list[float]:
    return sorted(math.inf if value is None else value for value in values)


def _interval(values: list[int | None]) -> tuple[int | None, int | None]:
    ordered = _order(values)
    out = len(ordered) // 20
    low, high = ordered[out], ordered[-1 - out]
    return (None if low == math.inf else int(low), None if high == math.inf else int(high))


def _at_least_nine_tenths(values: list[int | None], low: int, high: int) -> bool:
    inside = sum(value is not None and low <= value <= high for value in values)
    return 10 * inside >= 9 * len(values)


def _median(values: list[int | None]) -> float:
    ordered = _order(values)
    return ordered[(len(ordered) - 1) // 2]


def _smallest(case: Case, size: int, policy: str) -> bool:
    """The size for the log alone under the best policy."""
    return policy == case.best and case.nodes(policy) == size


def _none(
    case: Case, measure: str, value: float | None, limit: float, size: int, policy: str
) -> bool:
    largest = size == case.largest(policy) and policy == case.policies[0]
    target = measure == case.name and limit == case.limit
    return case.best is None and largest and target and case.value(policy, size) == value


def _one_sided(case: Case, policy: str, size: int, sign: int) -> bool:
    sizes = [nodes for nodes in case.drawn(policy) if nodes is not None]
    return size == case.nodes(policy) and all(sign * (nodes - size) > 0 for nodes in sizes)


def _needing_more(case: Case, policy: str) -> int:
    size = case.nodes(policy) or 0
    return sum(nodes is None or nodes > size for nodes in case.drawn(policy))


def _value(case: Case, nodes: int) -> float | None:
    """The measure under the best policy, or the first where none has an answer."""
    return case.value(case.best or case.policies[0], nodes)


def _ends(case: Case) -> tuple[int, int]:
    """The smallest and the largest size that was tried."""
    sizes = [row["nodes"] for row in case.tried(case.best or case.policies[0])]
    return min(sizes), max(sizes)


def _correlation(case: Case) -> float:
    off = case.work_by_period - case.work_by_period.mean()
    return float((off[1:] * off[:-1]).sum() / (off * off).sum())


def _lucky(case: Case, policy: str, sizes: tuple[int, ...]) -> bool:
    answer = case.nodes(policy)
    below = [
        row["nodes"]
        for row in case.tried(policy)
        if answer and row["nodes"] < answer and row["keeps"]
    ]
    missed = answer is not None and not case.meets(policy, answer - 1)
    return missed and [*sizes] == below and all(case.meets(policy, each) for each in sizes)


def _kept(case: Case) -> list[int]:
    """Sizes tried under the only policy that meet the target."""
    return [row["nodes"] for row in case.tried(*case.policies) if row["keeps"]]


def _meets_from(case: Case, size: int, policy: str) -> bool:
    above = [row["nodes"] for row in case.tried(policy) if row["nodes"] >= size]
    return size == case.nodes(policy) and all(case.meets(policy, nodes) for nodes in above)


def _synthetic(case: Case) -> bool:
    return "Synthetic" in case.log.header


def _off(case: Case, asked: float, reached: float, by: str) -> bool:
    exact = asked == case.growth and _same(reached, case.reached)
    return exact and by == case.by and abs(reached / asked - 1) > 0.02


def _proportion(case: Case, asked: float, size: int) -> bool:
    exact = case.printed * case.growth / case.reached
    return asked == case.growth and size - 1 < exact * (1 + 1e-12) and exact <= size + 1e-6


def _target(case: Case, measure: str, limit: float) -> bool:
    return measure == case.name and limit == case.limit


def _plain(case: Case, size: int, policy: str, measure: str, value: float, limit: float) -> bool:
    """The smallest machine, where resampled logs do not need more."""
    return (
        _smallest(case, size, policy)
        and case.top(policy) <= size
        and _target(case, measure, limit)
        and value == _value(case, size)
    )


def _planned(
    case: Case, size: int, policy: str, measure: str, limit: float, logs: tuple[int, int]
) -> bool:
    """The upper end of what resampled logs need, above the smallest machine of the log."""
    return (
        policy == case.best
        and size == _interval(case.drawn(policy))[1]
        and size > (case.nodes(policy) or 0)
        and _target(case, measure, limit)
        and logs == _enough(case, size)
    )


def _at_least(
    case: Case, size: int, policy: str, measure: str, limit: float, logs: tuple[int, int]
) -> bool:
    """The size for the log itself, where no size is enough for nearly all resampled logs."""
    return (
        _smallest(case, size, policy)
        and all(case.top(name) == math.inf for name in case.policies if case.nodes(name))
        and _target(case, measure, limit)
        and logs == _enough(case, size)
    )


def _enough(case: Case, size: int) -> tuple[int, int]:
    """Resampled logs that need no larger machine, and all."""
    sizes = case.drawn(case.best or "")
    return sum(nodes is not None and nodes <= size for nodes in sizes), case.draws


def _achieves(
    case: Case, measure: str, policy: str, low: int, low_value: float, high: int,
    high_value: float,
) -> bool:  # fmt: skip
    return (
        (low, high) == _ends(case)
        and measure == case.name
        and policy == (case.best or case.policies[0])
        and (low_value, high_value) == (_value(case, low), _value(case, high))
    )


def _looked_at(case: Case, looked: int) -> set[int]:
    """Every size around the answer on which the largest job can run."""
    size = case.nodes(*case.policies) or 0
    return {*range(max(case.fewest, size - looked), size + looked + 1)}


def _same(one: float | None, other: float) -> bool:
    return one is not None and math.isclose(one, other, rel_tol=1e-9)


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    logs.UNKNOWN_SIZE: logs.FINDINGS[logs.UNKNOWN_SIZE],
    "searched": lambda case, sizes, looked: (
        sizes == len(case.tried(*case.policies))
        and looked == min(max(math.ceil((case.nodes(*case.policies) or 0) / 50), 2), 10)
        and _looked_at(case, looked) <= {row["nodes"] for row in case.tried(*case.policies)}
    ),
    "searched-all": lambda case, sizes: (
        case.best is None and sizes == len(case.tried(*case.policies))
    ),
    "out-of-order": lambda case, lucky, missed: (
        _lucky(case, case.policies[0], lucky)
        and [*missed]
        == [
            row["nodes"]
            for row in case.tried(*case.policies)
            if not case.meets(row["policy"], row["nodes"])
            and min(_kept(case)) < row["nodes"] < (case.nodes(row["policy"]) or 0)
        ]
    ),
    "question": lambda case, log: log == case.log.name and case.growth == 1,
    "question-grown": lambda case, log, times: log == case.log.name and _same(times, case.times),
    "smallest": lambda case, **values: case.growth == 1 and _plain(case, **values),
    "smallest-grown": lambda case, times, **values: (
        _same(times, case.times) and case.growth != 1 and _plain(case, **values)
    ),
    "planned": lambda case, **values: case.growth == 1 and _planned(case, **values),
    "planned-grown": lambda case, times, **values: (
        _same(times, case.times) and case.growth != 1 and _planned(case, **values)
    ),
    "at-least": lambda case, **values: case.growth == 1 and _at_least(case, **values),
    "at-least-grown": lambda case, times, **values: (
        _same(times, case.times) and case.growth != 1 and _at_least(case, **values)
    ),
    "today": lambda case, processors, measure, value, limit: (
        processors == case.machine
        and _target(case, measure, limit)
        and value
        == case.value(case.best or case.policies[0], (case.machine or 0) // case.node, case.log)
    ),
    "enough": lambda case, logs, periods: (
        periods == case.word and logs == _enough(case, case.nodes(case.best or "") or 0)
    ),
    "for-the-log": lambda case, size, policy, measure, value, logs, periods: (
        _smallest(case, size, policy)
        and policy == case.best
        and (measure, periods) == (case.name, case.word)
        and value == _value(case, size)
        and logs == _enough(case, size)
    ),
    "one-less": lambda case, size, measure, value, limit: (
        size == (case.nodes(case.best or "") or 0) - 1
        and _target(case, measure, limit)
        and value == _value(case, size)
        and not case.meets(case.best or "", size)
    ),
    "next-policy": lambda case, policy, size: (
        policy != case.best
        and size == case.plan_for(policy)
        and size == sorted(case.plan_for(name) for name in case.policies if case.nodes(name))[1]
    ),
    "as-submitted": always,
    "as-fast": always,
    "one-policy": lambda case, policy: [policy] == [*case.policies],
    "none": _none,
    "source-file": lambda case, log: log == case.log.name and not _synthetic(case),
    "source-synthetic": lambda case, model: case.log.header["Synthetic"].startswith(model),
    "repeated": lambda case, logs, periods: logs == case.draws and periods == case.word,
    "not-repeated": lambda case: not case.draws or case.word is None,
    "under": lambda case, policy: policy == (case.best or case.policies[0]) and case.node == 1,
    "under-nodes": lambda case, policy, processors: (
        policy == (case.best or case.policies[0])
        and (case.best is None or processors == case.node * case.printed)
        and processors % case.node == 0
        and (case.best or processors == case.node * case.largest(policy))
    ),
    "growth": lambda case, asked, by: asked == case.growth and by == case.by,
    "growth-none": lambda case: case.growth == 1 and len(case.grown) == len(case.log),
    "own-machine": lambda case, processors: processors == case.log.machine_processors,
    "median": lambda case, median: (
        _median(case.drawn(case.best or "")) == (math.inf if median is None else median)
    ),
    "achieves": lambda case, size, value, **ends: (
        _achieves(case, **ends)
        and _smallest(case, size, case.best or "")
        and value == _value(case, size)
    ),
    "achieves-ends": _achieves,
    "grown": lambda case, reached, asked, by: (
        _same(reached, case.reached) and asked == case.growth != 1 and by == case.by
    ),
    "least": lambda case, largest, work, together: (
        (largest, work, together)
        == (case.fewest, _for_all_work(case), _nodes_at_once(case, case.grown))
    ),
    "no-cost": always,
    "no-growth": lambda case: case.best is not None and case.growth == 1,
    "no-failures": lambda case: case.best is not None and case.growth != 1,
    "single-log": lambda case: case.draws > 0 and case.best is not None and case.word is not None,
    "growth-off": lambda case, asked, reached: _off(case, asked, reached, "copies"),
    "growth-off-arrivals": lambda case, asked, reached: _off(case, asked, reached, "arrivals"),
    "in-proportion": _proportion,
    "too-short": lambda case: case.word is None and case.draws > 0,
    "short-days": lambda case: case.word == "day" and (case.draws > 0 or case.grows_by_copies),
    "few-weeks": lambda case, weeks: (
        weeks == case.periods < 8 and case.word == "week" and case.draws > 0
    ),
    "correlated": lambda case, periods, correlation: (
        periods == case.word and correlation == round(_correlation(case), 2) and correlation >= 0.3
    ),
    "few-draws": lambda case, draws: draws == case.draws < 10,
    "moldable": lambda case: "moldable" in case.policies,
    "unmet": lambda case, policy, size, value: (
        case.nodes(policy) is None
        and case.value(policy, size) == value
        and not case.meets(policy, size)
        and size == case.largest(policy)
    ),
    "lucky": _lucky,
    "largest-job": lambda case, policy, job: (
        case.nodes(policy) == case.fewest and job == case.largest_job
    ),
    "draws-need-more": lambda case, policy, size, high: (
        _one_sided(case, policy, size, 1) and high == _interval(case.drawn(policy))[1]
    ),
    "draws-open": lambda case, policy, logs: (
        case.top(policy) == math.inf and logs == (case.drawn(policy).count(None), case.draws)
    ),
    "draws-mostly-more": lambda case, policy, size, logs, high: (
        size == case.nodes(policy)
        and logs == (_needing_more(case, policy), case.draws)
        and 2 * logs[0] > case.draws
        and high == _interval(case.drawn(policy))[1]
    ),
    "draws-need-less": lambda case, policy, size: _one_sided(case, policy, size, -1),
    "one-job": lambda case, share: _same(
        share, float((case.log.processors * case.log.run_s).max()) / case.work(case.log)
    ),
    "relax": lambda case: all(case.nodes(name) is None for name in case.policies),
    "grow": lambda case: case.growth == 1,
    "resample": lambda case: not case.draws and case.span_s >= 8 * 7 * DAY_S,
    "longer-log": lambda case: case.span_s < 8 * 7 * DAY_S,
    "own-log": _synthetic,
    "spare": lambda case: case.best is not None,
    "meets-from": _meets_from,
    "meets-both": lambda case, size, policy, planned: (
        _meets_from(case, size, policy) and policy == case.best and planned == case.printed > size
    ),
    "meets-none": lambda case, policy: case.best is None and policy == case.policies[0],
    "need": lambda case, policy, periods, interval: (
        policy == (case.best or case.policies[0])
        and periods == case.word
        and (*interval,) == _interval(case.drawn(policy))
        and _at_least_nine_tenths(case.drawn(policy), *interval)
    ),
    "need-unknown": lambda case, policy, without: (
        without == case.drawn(policy).count(None) and None in _interval(case.drawn(policy))
    ),
    "busiest": lambda case, ratio: _same(
        ratio, float(case.work_by_period.max() / case.work_by_period.mean())
    ),
}
"""Whether a finding of a kind is true, from its case and its values."""


def _nodes_at_once(case: Case, log: JobLog) -> int:
    """Nodes in use if every job started when it is submitted."""
    needs = -(-log.processors // case.node)
    times = np.concatenate([log.submit_s, log.submit_s + np.maximum(log.run_s, 1)])
    changes = np.concatenate([needs, -needs])
    return int(changes[np.lexsort((changes, times))].cumsum().max())


def _for_all_work(case: Case) -> int:
    """Nodes that do all work while jobs are submitted, always in use."""
    busy = sum(case.needs(job) * int(case.grown.run_s[job]) for job in range(len(case.grown)))
    span = max(1, int(case.grown.submit_s[-1] - case.grown.submit_s[0]))
    return min(max(math.ceil(busy / span), case.fewest), _nodes_at_once(case, case.grown))


FACTS: dict[str, Claim] = {
    "planned": lambda case, value: value == case.printed > (case.nodes(case.best or "") or 0),
    "smallest": lambda case, value: _smallest(case, value, case.best or ""),
    "largest_tried": lambda case, value: (
        case.best is None and value == case.largest(case.policies[0])
    ),
    "work": lambda case, value: _same(value, case.reached),
    "relative": lambda case, value: _same(
        value, case.node * case.printed / (case.log.machine_processors or 1)
    ),
    "interval": lambda case, value: (*value,) == _interval(case.drawn(case.best or "")),
    "jobs": lambda case, value: value == len(case.log),
    "jobs_grown": lambda case, value: value == len(case.grown),
    "periods": lambda case, value: value == case.periods,
    "deviation": lambda case, value: _same(
        value, float(np.std(case.work_by_period, ddof=1) / np.mean(case.work_by_period))
    ),
    "node_processors": lambda case, value: value == case.node,
    "seed": lambda case, value: value == case.seed,
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "draws-open": lambda case: any(
        case.nodes(name) and case.top(name) == math.inf for name in case.policies
    ),
    "planned": lambda case: case.growth == 1 and _is_larger(case),
    "planned-grown": lambda case: case.growth != 1 and _is_larger(case),
}
"""When these kinds are due: they are stated then, and only then."""


def _is_larger(case: Case) -> bool:
    """Whether nearly all resampled logs have an answer, and need more than the log itself."""
    own = case.nodes(case.best) if case.best else None
    return own is not None and own < case.top(case.best or "") < math.inf


def _choice(
    case: Case, policy: str, role: str, nodes: int, keeps: bool,
    enough: tuple[int, int] | None = None, **value: float | None,
) -> bool:  # fmt: skip
    """A size to choose from: its meaning, what it achieves, and the logs it is enough for."""
    own, logs = case.nodes(policy), case.drawn(policy)
    sizes = {
        "own": (case.machine or 0) // case.node, "less": (own or 0) - 1, "minimum": own,
        "planned": case.plan_for(policy), "largest": case.largest(policy),
    }  # fmt: skip
    inside = sum(need is not None and need <= nodes for need in logs)
    return (
        nodes == sizes[role]
        and keeps == case.meets(policy, nodes)
        and [*value.values()] == [case.value(policy, nodes)]
        and enough == ((inside, len(logs)) if logs else None)
    )


TABLES: dict[str, Claim] = {
    "choices": lambda case, rows: all(_choice(case, **row) for row in rows),
    "sizes": lambda case, rows: all(
        case.nodes(row["policy"]) is None
        or (row["planned"] or math.inf) == case.plan_for(row["policy"])
        for row in rows
    ),
    "sizes tried": lambda case, rows: all(
        row["value"] == case.value(row["policy"], row["nodes"])
        and row["keeps"] == case.meets(row["policy"], row["nodes"])
        for row in rows
    ),
}
"""Whether the rows of a table are those of simulations of single sizes."""
