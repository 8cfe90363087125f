"""What `headroom simulate --seeds` states, from the mean waits of each log alone.

Written from docs/simulate.md. In some requests a literal scheduler makes the starts of every log,
in the others the means are made up.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import stats

from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.replicated_result import LogMeans
from planner.scheduling.simulation.replications import ReplicationStudy, replicate
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import lublin_log
from tests.claims.simulate import Case as LogCase
from tests.claims.values import same

Means = dict[str, list[float]]


@dataclass(frozen=True, eq=False)
class Case:
    """A request, with its answer."""

    waits: Means
    slowdowns: Means
    answer: ReplicationStudy
    logs: tuple[JobLog, ...] = ()
    rules: SimulationSettings | None = None

    @property
    def policies(self) -> list[str]:
        return [*self.waits]

    @property
    def number(self) -> int:
        return len(next(iter(self.waits.values())))

    @cached_property
    def means(self) -> dict[str, float]:
        return {name: float(np.mean(waits)) for name, waits in self.waits.items()}

    @property
    def ties(self) -> list[str]:
        least = min(self.means.values())
        return [name for name, mean in self.means.items() if mean - least <= 1e-9 + 1e-12 * least]

    @property
    def others(self) -> list[str]:
        longer = [name for name in self.policies if name not in self.ties]
        return sorted(longer, key=lambda name: self.means[name])

    def interval(self, policy: str, less: str | None = None) -> tuple[float, float]:
        """Student's t over the means of a policy, or over its differences from another."""
        values = np.array(self.waits[policy])
        values = values - (np.array(self.waits[less]) if less else 0.0)
        half = float(stats.t.ppf(0.975, len(values) - 1) * stats.sem(values))
        return float(values.mean()) - half, float(values.mean()) + half

    @property
    def clear(self) -> list[str]:
        """The policies that differ from the first by more than chance."""
        return [name for name in self.policies[1:] if self.is_clear(name, self.policies[0])]

    def is_clear(self, policy: str, less: str) -> bool:
        low, high = self.interval(policy, less)
        return (low > 0 or high < 0) and abs(low + high) > 2e-9

    def rejected(self, log: JobLog) -> int:
        machine = (self.rules and self.rules.processors) or log.machine_processors or 0
        return int((log.processors > machine).sum())

    def left_out(self, log: JobLog) -> int:
        trim = self.rules.trim if self.rules else Trim()
        first = math.floor((trim.warm_up or 0) * len(log))
        last = len(log) - math.floor(trim.cool_down * len(log))
        machine = (self.rules and self.rules.processors) or log.machine_processors or 0
        outside = [row for row in range(len(log)) if not first <= row < last]
        return sum(int(log.processors[row]) <= machine for row in outside)


def made(*waits: tuple[float, ...], slowdowns: tuple[tuple[float, ...], ...] = ()) -> Case:
    """A study whose means are by hand: of each policy the mean wait in each log."""
    names = ("easy", "fcfs", "moldable", "sjf")[: len(waits)]
    found = slowdowns or tuple(tuple(1 + wait / 100 for wait in each) for each in waits)
    logs = tuple(
        tuple(
            LogMeans(f"made, seed {log}", name, each[log], slowed[log], 0.5)
            for name, each, slowed in zip(names, waits, found, strict=True)
        )
        for log in range(len(waits[0]))
    )
    answer = ReplicationStudy("seeds", names, names, logs)
    return Case(
        {name: [*each] for name, each in zip(names, waits, strict=True)},
        {name: [*each] for name, each in zip(names, found, strict=True)},
        answer,
    )


def played(
    logs: tuple[JobLog, ...], names: tuple[str, ...], rules: SimulationSettings | None = None
) -> Case:
    """A study that is simulated, with the means of a literal scheduler."""
    answer = replicate(logs, [POLICIES[name] for name in names], rules, model="seeds")
    single = [LogCase(log, names, rules or SimulationSettings()) for log in logs]
    waits = {name: [case.mean(name) for case in single] for name in names}
    slowdowns = {
        name: [float(np.mean([job.slowed for job in case.counted(name)])) for case in single]
        for name in names
    }
    return Case(waits, slowdowns, answer, logs, rules)


def cases() -> Iterator[Case]:
    """Requests at the edges."""
    yield made((30.0, 34.0))
    yield made((0.0, 0.0), (0.0, 0.0))
    yield made((50.0, 30.0), (20.0, 20.0), (10.0, 30.0))
    yield made((36_002.0, 36_002.0), (36_000.0, 36_000.0))
    yield made((0.1 + 0.2, 5.0), (0.3, 5.0))
    yield made((7200.0, 7200.0), (3610.0, 3590.0), slowdowns=((2.0, 2.0), (2.5, 3.0)))
    yield made((60.0, 60.0), (130.0, 131.0), (20.0, 21.0), (60.0, 60.0))
    logs = tuple(lublin_log(60, 64, seed, load=1.2, estimate_factor=2) for seed in range(4))
    yield played(logs, ("easy", "fcfs"))
    yield played(logs, ("fcfs",), SimulationSettings(32, trim=Trim(0.2, 0.1)))
    yield played(
        logs, ("fcfs", "conservative", "sjf-easy"), SimulationSettings(event_order="batch")
    )
    yield played(logs, ("sjf", "easy"), SimulationSettings(24, trim=Trim(0.0, 0.25)))


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    size, policies = int(rng.integers(2, 7)), int(rng.integers(1, 5))
    base, spread = float(rng.choice([0, 60, 5000])), float(rng.choice([0, 1, 900]))
    if rng.random() < 0.2:
        logs = tuple(lublin_log(40, 32, 10 * seed + each, load=1.0) for each in range(size))
        yield played(logs, tuple(rng.permutation(["easy", "fcfs", "sjf"])[:policies]))
        return
    waits = base + 40 * rng.integers(0, 3, (policies, 1)) + spread * rng.random((policies, size))
    yield made(*(tuple(each) for each in waits.tolist()))


def _shortest(case: Case, *, clear: bool, **stated: object) -> bool:
    best, following = stated["best"], case.others[0]
    assert isinstance(best, tuple)
    assert isinstance(stated["longer"], float)
    assert isinstance(stated["wait"], float)
    return (
        [*best] == case.ties and stated["next"] == following and stated["logs"] == case.number
        and same(stated["wait"], min(case.means.values()))
        and same(stated["longer"], case.means[following] - min(case.means.values()))
        and case.is_clear(following, case.ties[0]) == clear
    )  # fmt: skip


def _load(log: JobLog, machine: int) -> float:
    work = sum(int(p) * int(r) for p, r in zip(log.processors, log.run_s, strict=True))
    return work / (machine * int(log.submit_s[-1] - log.submit_s[0]))


def _machine(case: Case) -> int:
    return (case.rules and case.rules.processors) or case.logs[0].machine_processors or 0


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, logs: logs == case.number and len(case.policies) == 1,
    "question-compared": lambda case, logs: logs == case.number and len(case.policies) > 1,
    "single": lambda case, policy, wait, logs: (
        [policy] == case.policies and same(wait, case.means[policy]) and logs == case.number
    ),
    "equal": lambda case, policies, wait, logs: (
        [*policies] == case.policies == case.ties and len(case.policies) > 1
        and same(wait, min(case.means.values())) and logs == case.number
    ),
    "shortest": lambda case, **stated: _shortest(case, clear=True, **stated),
    "shortest-unsure": lambda case, **stated: _shortest(case, clear=False, **stated),
    "source": lambda case, model: model == (
        f"Lublin-Feitelson, {len(case.logs[0])} jobs; seeds" if case.logs
        else "made; seeds"
    ),
    "clear": lambda case, policies, first: (
        first == case.policies[0] and [*policies] == case.clear != []
    ),
    "none-clear": lambda case, first: first == case.policies[0] and case.clear == [],
    "machine": lambda case, processors: processors == _machine(case),
    "spread": lambda case, policy, interval: (
        policy == case.ties[0]
        and same(interval[0], max(0.0, case.interval(policy)[0]))
        and same(interval[1], case.interval(policy)[1])
    ),
    "against": lambda case, policy, **named: (
        policy == case.ties[0] and named == {"next": case.others[0]}
    ),
    "under": lambda case, policy: same(
        float(np.mean(case.slowdowns[policy])),
        min(float(np.mean(each)) for each in case.slowdowns.values()),
    ),
    "rejected": lambda case, logs, jobs: (
        logs == (sum(case.rejected(log) > 0 for log in case.logs), case.number)
        and jobs == sum(map(case.rejected, case.logs)) > 0
    ),
    "moldable": lambda case: "moldable" in case.policies and len(case.policies) > 1,
    "more-seeds": lambda case: any(
        not case.is_clear(name, case.policies[0]) for name in case.policies[1:]
    ),
    "own-log": lambda case: case.number > 1,
    "range": lambda case, waits: (*waits,) == (
        min(map(min, case.waits.values())), max(map(max, case.waits.values()))
    ),
}  # fmt: skip
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "jobs_of_log": lambda case, value: (*value,) == (
        min(map(len, case.logs)), max(map(len, case.logs))
    ),
    "wait": lambda case, value: same(value, min(case.means.values())),
    "less_in": lambda case, value: (*value,) == (
        sum(a < b for a, b in zip(case.waits[case.ties[0]], case.waits[case.others[0]],
                                  strict=True)),
        case.number,
    ),
    "slowdown": lambda case, value: same(
        value, min(float(np.mean(each)) for each in case.slowdowns.values())
    ),
    "left_out": lambda case, value: (*value,) == (
        min(map(case.left_out, case.logs)), max(map(case.left_out, case.logs))
    ),
    "event_order": lambda case, value: value == (
        case.rules.event_order if case.rules else "reference"
    ),
    "offered_load": lambda case, value: (
        same(value[0], min(_load(log, _machine(case)) for log in case.logs))
        and same(value[1], max(_load(log, _machine(case)) for log in case.logs))
    ),
    "requests": lambda case, value: same(
        value, sum(sum(log.requested_s.tolist()) for log in case.logs)
        / sum(sum(log.run_s.tolist()) for log in case.logs)
    ),
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Claim] = {
    "rejected": lambda case: any(map(case.rejected, case.logs)),
    "moldable": lambda case: "moldable" in case.policies and len(case.policies) > 1,
    "equal": lambda case: len(case.policies) > 1 and not case.others,
    "clear": lambda case: len(case.policies) > 1 and case.clear != [],
}
"""When these kinds are due: they are stated then, and only then."""
