"""What `headroom schedule` states, from the turnarounds, requests and power of single jobs.

Written from docs/schedule.md and the thesis (Patki 2015, section 5.6). Ratios and tests are worked
out again with scipy; power over time, its use and its excess from the jobs that ran.
"""

from __future__ import annotations

import itertools
import math
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

from planner.question import schedule_of
from planner.scheduling.power.grid import replication_of
from planner.scheduling.power.policy_texts import policy_texts
from planner.scheduling.power.results.result import PolicyOutcome, PowerSeries
from planner.scheduling.power.schedule import schedule
from planner.scheduling.power.study import ScheduleStudy
from scenarios.catalogue import load
from scenarios.model.schedule import Schedule
from scenarios.reading.replaced import with_values
from tests.claims.values import always, same
from tests.planner.scheduling.power import test_requests
from tests.planner.scheduling.power.literal import RULES, LiteralPolicy
from tests.planner.scheduling.power.outcomes import job_outcome, outcome
from tests.planner.scheduling.power.scenarios_of import scenario_of, simulated

Key = tuple[str, float, int]
_NOISE = 1e-9


@dataclass(frozen=True, eq=False)
class Case:
    """A comparison; ``real`` where a scheduler ran, so that power follows from the jobs."""

    answer: ScheduleStudy
    real: bool = True

    @property
    def question(self) -> Schedule:
        return schedule_of(self.answer.scenario)

    @cached_property
    def runs(self) -> tuple[PolicyOutcome, ...]:
        """The runs; a scheduler's jobs start and end as under the literal policy."""
        for run in self.answer.outcomes if self.real else ():
            rule, _, percent = run.policy.partition("-")
            if rule not in RULES or not (percent in ("", "any") or percent.isdecimal()):
                continue
            problem = replication_of(self.answer.scenario, run.seed).problem(run.bound_w, run.log)
            details = problem.details
            threshold = None if percent == "any" else int(percent or 0) / 100
            again = LiteralPolicy(rule=rule, threshold=threshold).schedule(problem).schedule
            for place, job in enumerate(run.jobs):
                kind, fair = (int(of[place]) for of in (problem.jobs.application,
                                                        problem.fair_share_mw))  # fmt: skip
                rows = slice(details.first[kind], details.first[kind + 1])
                expected: Sequence[float | None] = (None, None, None)
                if again.runs[place]:
                    expected = [int(again.start_ms[place]) / 1000, int(again.end_ms[place]) / 1000,
                                int(details.charge_mw[again.row[place]]) / 1000]  # fmt: skip
                assert all(map(same, (job.start_s, job.end_s, job.charged_w), expected)), job
                none_within = int(details.charge_mw[rows].min()) > fair
                assert job.rounded == (job.start_s is not None and none_within), job
        return self.answer.outcomes

    @property
    def policies(self) -> list[str]:
        return list(dict.fromkeys(run.policy for run in self.runs))

    @property
    def reference(self) -> str:
        return "traditional" if "traditional" in self.policies else self.policies[0]

    @property
    def seeds(self) -> list[int]:
        return sorted({run.seed for run in self.runs})

    @property
    def bounds(self) -> list[float]:
        return sorted({run.bound_w for run in self.runs})

    @property
    def logs(self) -> list[str]:
        return list(dict.fromkeys(run.log for run in self.runs))

    @cached_property
    def of(self) -> dict[str, dict[Key, PolicyOutcome]]:
        return {
            policy: {(run.log, run.bound_w, run.seed): run
                     for run in self.runs if run.policy == policy}
            for policy in self.policies
        }  # fmt: skip

    # turnaround

    def ratios(self, policy: str, other: str) -> dict[Key, float]:
        """Mean turnaround over that under another policy, over the jobs that both ran."""
        found = {}
        for key in self.of[policy].keys() & self.of[other].keys():
            pairs = [
                (mine.turnaround_s, their.turnaround_s)
                for mine, their in zip(self.of[policy][key].jobs, self.of[other][key].jobs,
                                       strict=True)
                if mine.turnaround_s is not None and their.turnaround_s is not None
            ]  # fmt: skip
            if pairs:
                mine_s, their_s = (math.fsum(times) for times in zip(*pairs, strict=True))
                found[key] = mine_s / their_s
        return found

    def by_seed(self, policy: str, other: str) -> list[float]:
        """The mean logarithm of the ratios of each seed."""
        seeds: dict[int, list[float]] = {}
        for (_, _, seed), ratio in self.ratios(policy, other).items():
            seeds.setdefault(seed, []).append(math.log(ratio))
        return [math.fsum(logs) / len(logs) for logs in seeds.values()]

    def ratio(self, policy: str) -> float | None:
        logs = self.by_seed(policy, self.reference)
        return math.exp(math.fsum(logs) / len(logs)) if logs else None

    @cached_property
    def ranked(self) -> list[str]:
        known = {policy: ratio for policy in self.policies
                 if (ratio := self.ratio(policy)) is not None}  # fmt: skip
        return sorted(known, key=lambda policy: float(f"{known[policy]:.9g}"))

    def interval(self, policy: str) -> tuple[float, float] | None:
        logs = self.by_seed(policy, self.reference)
        if len(logs) < 2:
            return None
        mean, error = float(np.mean(logs)), float(np.std(logs, ddof=1) / math.sqrt(len(logs)))
        half = float(stats.t.ppf(0.975, len(logs) - 1)) * error
        return math.exp(mean - half) - 1, math.exp(mean + half) - 1

    @cached_property
    def tied(self) -> set[str]:
        """The best policies: of several seeds, those that no pairwise test tells from the best."""
        best = self.ranked[0]
        if len(self.seeds) == 1:
            least = self.ratio(best) or 1.0
            return {each for each in self.ranked
                    if abs((self.ratio(each) or 1.0) / least - 1) < _NOISE}  # fmt: skip
        pairs = [*itertools.combinations(self.policies, 2)]
        logs = [self.by_seed(*pair) for pair in pairs]
        told = dict(zip(map(frozenset, pairs), _told_apart(logs), strict=True))
        alone = {frozenset(pair): len(each) == 1 and abs(each[0]) > _NOISE
                 for pair, each in zip(pairs, logs, strict=True)}  # fmt: skip
        pairs_of_best = {each: frozenset((each, best)) for each in self.ranked if each != best}
        return {best} | {each for each, pair in pairs_of_best.items()
                         if not told[pair] and not alone[pair]}  # fmt: skip

    @property
    def subject(self) -> str:
        others = [policy for policy in self.ranked if policy != self.reference]
        return others[0] if others else self.reference

    def differences(self) -> tuple[int, int, int]:
        """Pairs of log and bound with a shorter, and a longer, turnaround; and all."""
        cases = [(policy, log, bound) for log in self.logs for bound in self.bounds
                 for policy in self.policies if policy != self.reference]  # fmt: skip
        logs = [
            [math.log(ratio) for key, ratio in self.ratios(policy, self.reference).items()
             if key[:2] == (log, bound)]
            for policy, log, bound in cases
        ]  # fmt: skip
        means = [float(np.mean(each)) for told, each, (policy, *_) in
                 zip(_told_apart(logs), logs, cases, strict=True)
                 if told and policy == self.subject]  # fmt: skip
        every = sum(bool(each) for each, (policy, *_) in zip(logs, cases, strict=True)
                    if policy == self.subject)  # fmt: skip
        return sum(each < 0 for each in means), sum(each > 0 for each in means), every

    def moved(self, bounds: Sequence[float]) -> tuple[int, int, int]:
        """Job runs under the best policy that end sooner, and later; and all that both ran."""
        gains = [
            their.turnaround_s - mine.turnaround_s
            for key, run in self.of[self.subject].items()
            if key in self.of[self.reference] and key[1] in bounds
            for mine, their in zip(run.jobs, self.of[self.reference][key].jobs, strict=True)
            if mine.turnaround_s is not None and their.turnaround_s is not None
        ]
        return (sum(gain > _NOISE for gain in gains), sum(gain < -_NOISE for gain in gains),
                len(gains))  # fmt: skip

    # power

    @property
    def reserved_w(self) -> float:
        cluster = self.question.cluster
        return cluster.nodes * cluster.idle_node_w if self.question.charge == "node" else 0.0

    def power(self, run: PolicyOutcome, key: str) -> list[tuple[float, float, float]]:
        """Begin and end of each step, and what draws or is charged in it with other work."""
        ran = [job for job in run.jobs if job.start_s is not None]
        if not ran:
            return []
        begin = min(job.submit_s for job in run.jobs)
        end = max(job.end_s or 0.0 for job in ran)
        uses = [(job.start_s or 0.0, job.end_s or 0.0, getattr(job, key) or 0.0) for job in ran]
        uses += [(begin, min(use.until_s, end), use.power_w) for use in self.question.occupied
                 if use.until_s > begin]  # fmt: skip
        times = sorted({begin, end, *(time for use in uses for time in use[:2])})
        return [
            (low, high, math.fsum(watts for start, stop, watts in uses if start <= low < stop))
            for low, high in itertools.pairwise(times)
        ]

    def excess(self, run: PolicyOutcome) -> float:
        """How far true power is above the bound."""
        if not self.real:
            return run.largest_violation_w
        return max(0.0, round(self.most(run, "drawn_w") - (run.bound_w - self.reserved_w), 3))

    def most(self, run: PolicyOutcome, key: str) -> float:
        return max((watts for _, _, watts in self.power(run, key)), default=0.0)

    def use(self, run: PolicyOutcome) -> float:
        if not self.real:
            return run.power_utilisation
        steps = self.power(run, "drawn_w")
        span = math.fsum(high - low for low, high, _ in steps)
        energy = math.fsum((high - low) * watts for low, high, watts in steps)
        return energy / span / (run.bound_w - self.reserved_w) if span else 0.0

    def uses(self, policy: str) -> float:
        return float(np.mean([self.use(run) for run in self.of[policy].values()]))

    def fairness(self, policy: str, bounds: Sequence[float] = ()) -> float | None:
        """The mean over the runs under these bounds, or all."""
        values = []
        for run in self.of[policy].values():
            if bounds and run.bound_w not in bounds:
                continue
            x = [job.requested_s / job.turnaround_s for job in run.jobs if job.turnaround_s]
            if self.real and x:
                values.append(sum(x) ** 2 / (len(x) * sum(each**2 for each in x)))
            elif not self.real and run.fairness is not None:
                values.append(run.fairness)
        return float(np.mean(values)) if values else None

    def longest_wait(self, policy: str) -> float | None:
        waits = [round(job.start_s - job.submit_s, 3) for run in self.of[policy].values()
                 for job in run.jobs if job.start_s is not None]  # fmt: skip
        return max(waits, default=None)

    @property
    def above(self) -> list[PolicyOutcome]:
        return [run for run in self.runs if self.excess(run) > 0]

    def peaks(self) -> dict[tuple[str, str], float]:
        """The largest charge of each log and policy, as a share of the power for jobs."""
        found: dict[tuple[str, str], float] = {}
        for run in self.runs:
            peak = run.peak_charged_share
            if self.real:
                peak = self.most(run, "charged_w") / (run.bound_w - self.reserved_w)
            if any(job.start_s is not None for job in run.jobs):
                case = (run.log, run.policy)
                found[case] = max(found.get(case, 0.0), peak)
        return found

    def counted(self, kind: str) -> int:
        """Job runs that were rejected, or charged more than their fair share."""
        if not self.real:
            return sum(getattr(run, kind) for run in self.runs)
        jobs = [job for run in self.runs for job in run.jobs]
        return sum(job.start_s is None if kind == "rejected" else job.rounded for job in jobs)

    # chance

    @property
    def drawn(self) -> list[Any]:
        return [log for log in self.question.logs
                if log.name in self.logs and log.kind in ("small", "large", "random")]  # fmt: skip

    @property
    def of_files(self) -> list[Any]:
        return [log for log in self.question.logs if log.name in self.logs and log.kind == "file"]

    @property
    def varies(self) -> bool:
        details, cluster = self.question.details, self.question.cluster
        simulated = [each for each in self.question.applications if each.problem]
        return bool(
            self.drawn
            or (details.method == "model" and details.training_share < 1)
            or (simulated and (cluster.variability or cluster.noise))
        )

    @property
    def by_chance(self) -> bool:
        return len(self.seeds) == 1 and self.varies

    @property
    def low(self) -> float:
        """How far the power of a configuration is predicted too low, as a share of the truth."""
        first = replication_of(self.answer.scenario, self.question.first_seed)
        left = 1 - self.question.details.guard
        pairs = zip(first.details.charge_mw.tolist(), first.truth.power_mw.tolist(), strict=True)
        return max(0.0, *(float(1 - charge * left / true) for charge, true in pairs))

    @property
    def distance(self) -> float:
        """How far the best policy's turnaround is above the proven limit, as a share of it."""
        gaps = [run.mean_turnaround_s / run.bound - 1 for run in self.of[self.subject].values()
                if run.bound and run.mean_turnaround_s is not None]  # fmt: skip
        return math.fsum(gaps) / len(gaps)

    @property
    def time_error(self) -> float:
        """The mean relative error of the predicted run times of all configurations."""
        first = replication_of(self.answer.scenario, self.question.first_seed)
        pairs = zip(first.details.time_ms.tolist(), first.truth.time_ms.tolist(), strict=True)
        return float(np.mean([abs(expected / true - 1) for expected, true in pairs]))

    def binds(self) -> tuple[float, float] | None:
        """The two lowest bounds, where jobs end sooner under the second on average."""
        if len(self.bounds) < 2:
            return None
        low, high = (
            [np.mean(known) for key, run in self.of[self.subject].items() if key[1] == bound
             and (known := [job.turnaround_s for job in run.jobs if job.turnaround_s is not None])]
            for bound in self.bounds[:2]
        )  # fmt: skip
        sooner = bool(low) and len(low) == len(high) and sum(high) < sum(low) * (1 - _NOISE)
        return (self.bounds[0], self.bounds[1]) if sooner else None


def _told_apart(logs: Sequence[Sequence[float]]) -> list[bool]:
    """Which mean logarithms differ from 0 by Student's test, after Holm's correction at 5 %."""
    chances: dict[int, float] = {}
    for index, each in enumerate(logs):
        if len(each) > 1 and abs(np.mean(each)) > 1e-12:
            apart = float(np.std(each, ddof=1)) > 1e-14
            chances[index] = float(stats.ttest_1samp(each, 0).pvalue) if apart else 0.0
    told, worst = [False] * len(logs), 0.0
    for place, index in enumerate(sorted(chances, key=lambda index: chances[index])):
        worst = max(worst, min(1.0, chances[index] * (len(chances) - place)))
        told[index] = worst <= 0.05
    return told


# cases


def run_of(policy: str, seed: int, *times: float | None, **changed: Any) -> PolicyOutcome:
    """A run with these turnarounds, ``None`` for a rejected job, and power that is given."""
    jobs = tuple(job_outcome(number, time_s) for number, time_s in enumerate(times, 1))
    known = [time_s for time_s in times if time_s is not None]
    made = replace(
        outcome(policy, seed, *(known or [1.0])), jobs=jobs,
        mean_turnaround_s=float(np.mean(known)) if known else None,
        rejected=len(times) - len(known), fairness=0.9 if known else None, power=None,
    )  # fmt: skip
    return replace(made, **changed)


def by_hand(*runs: PolicyOutcome, scenario: str = "thesis-table-5-2") -> Case:
    return Case(ScheduleStudy(load(scenario), runs), real=False)


def seeded(scenario: str = "thesis-table-5-2", /, **times: Sequence[float]) -> Case:
    """A turnaround for each policy and seed."""
    return by_hand(*(run_of(policy.replace("_", "-"), seed, time_s, 2 * time_s)
                     for policy, each in times.items() for seed, time_s in enumerate(each)),
                   scenario=scenario)  # fmt: skip


@cache
def _synthetic(details: str, extra: str = "") -> Case:
    with tempfile.TemporaryDirectory() as folder:
        scenario = simulated(Path(folder), details=details, schedule=extra)
    return Case(schedule(scenario, policies=("traditional", "adaptive"), seeds=2,
                         bounds_w=(5000.0, 9000.0)))  # fmt: skip


def _mean_gaps() -> Case:
    """Two synthetic logs, by the mean time between their jobs."""
    logs: dict[str, Any] = {"schedule.logs[3]": None, "schedule.logs[4]": None, "schedule.seeds": 1}
    for place, gap_s in ((1, 200.0), (2, None)):
        logs[f"schedule.logs[{place}].offered_load"] = None
        logs[f"schedule.logs[{place}].job_count"] = 4
        logs[f"schedule.logs[{place}].mean_gap_s"] = gap_s
    return Case(schedule(with_values(load("thesis-rmap"), logs), bounds_w=[6500],
                         policies=["naive", "adaptive"]))  # fmt: skip


def _of_a_file() -> Case:
    """A log file next to a listed job, with requests that no configuration matches."""
    with tempfile.TemporaryDirectory() as folder:
        return Case(test_requests.study_of(Path(folder), "round"))


def _listed(seed: int) -> Case:
    """Few jobs of few configurations, under one or two bounds, perhaps with other work."""
    rng = np.random.default_rng(seed)
    rows = ", ".join(
        f"{{ nodes = {nodes}, cores_per_node = {cores}, package_cap_w = {cap}, "
        f"time_s = {rng.integers(50, 900)}, power_w = {nodes * int(rng.integers(40, 140))} }}"
        for nodes, cores, cap in ((1, 16, 115), (2, 16, 115), (2, 8, 65), (4, 16, 80))
    )
    phases = "phases = [{ work_share = 1.0, power_share = 1.2 }]\n" if rng.random() < 0.4 else ""
    jobs = ", ".join(
        f'{{ application = "a", nodes = {rng.choice([1, 2, 4])}, '
        f"requested_s = {rng.integers(60, 1500)}, submit_s = {rng.integers(0, 300)} }}"
        for _ in range(int(rng.choice([1, 2, 3, 8])))
    )
    bounds = rng.choice([300, 450, 700, 4000], int(rng.choice([1, 2])), replace=False).tolist()
    node = rng.random() < 0.3
    head = f"[schedule]\nbounds_w = {sorted(float(b) + 70 for b in bounds)}\n"
    head += 'charge = "node"\n' if node else ""
    head += f"[schedule.cluster]\nnodes = 6\n{'idle_node_w = 10.0' if node else ''}\n"
    other = "[[schedule.occupied]]\nnodes = 2\npower_w = 150.0\nuntil_s = 400.0\n"
    with tempfile.TemporaryDirectory() as folder:
        scenario = scenario_of(
            Path(folder),
            f'{head}[[schedule.applications]]\nname = "a"\nconfigurations = [{rows}]\n{phases}'
            f"{other if rng.random() < 0.4 else ''}"
            f'[[schedule.logs]]\nname = "own"\nkind = "listed"\njobs = [{jobs}]\n',
        )
    some = rng.permutation(["traditional", "naive", "adaptive", "adaptive-any", "adaptive-40"])
    seeds = int(rng.choice([1, 2]))
    chosen = some[: int(rng.choice([1, 2, 3]))].tolist()
    return Case(schedule(scenario, policies=chosen, seeds=seeds))


_ABOVE = {"bound_violations": 2, "largest_violation_w": 123.4}


def cases() -> Iterator[Case]:
    """Comparisons at the edges."""
    one = load("thesis-table-5-2")
    yield Case(schedule(one))
    yield Case(schedule(one, policies=["naive", "traditional"], bounds_w=[8000, 9000]))
    yield Case(schedule(one, policies=["naive"]))
    yield Case(schedule(with_values(one, {"title": "$x$ #b", "schedule.seeds": 2}),
                        policies=["adaptive", "ilp-engine"]))  # fmt: skip
    yield _synthetic('method = "oracle"')
    yield _synthetic('method = "model"\nguard = 0.05')
    yield _mean_gaps()
    yield _of_a_file()
    yield seeded(traditional=[10] * 5, naive=[5, 5.2, 4.9, 5, 5.1], adaptive=[8, 8, 8, 9, 7])
    yield seeded(traditional=[10] * 6, a=[8, 8.1, 8.2, 8, 8, 8], b=[8, 8.2, 8.1, 8, 8, 8])
    yield seeded(traditional=[10] * 3, a=[8.5, 9.0, 9.2], b=[9.6, 9.0, 9.0])
    yield seeded(traditional=[10] * 6, a=[9, 11, 10, 9, 11, 10.5])
    alike = {f"p{k}": [9 + 0.1 * (k % 2), 9.1, 9, 9.1 - 0.1 * (k % 2)] for k in range(7)}
    yield seeded(traditional=[20] * 4, **alike)
    yield seeded(**alike)
    yield seeded(traditional=[3, 3.1, 3.2], adaptive_lending=[9, 9.1, 9.7])
    yield seeded("thesis-rmap", traditional=[10], naive=[8], adaptive=[8])
    yield seeded("thesis-rmap", traditional=[10], naive=[10 * (1 + 1e-15)])
    yield seeded("thesis-rmap", traditional=[10], naive=[12], adaptive=[11])
    yield seeded(traditional=[10], naive=[10])
    yield seeded(traditional=[10] * 3, naive=[10] * 3)
    yield by_hand(run_of("naive", 0, None))
    yield by_hand(run_of("traditional", 0, None), run_of("naive", 0, 5.0))
    yield by_hand(run_of("traditional", 0, 3.0, None), run_of("naive", 0, None, 5.0))
    yield by_hand(run_of("traditional", 0, 3.0, bound=2.0, gap=0.5),
                  run_of("naive", 0, 2.5, bound=2.0, gap=0.25))  # fmt: skip
    calm = {"power_utilisation": 0.1, "peak_charged_share": 0.3}
    yield by_hand(run_of("traditional", 0, 3.0, **calm), run_of("naive", 0, 2.0, **calm))
    yield by_hand(
        run_of("traditional", 0, 3.0, 4.0, log="small", **_ABOVE),
        run_of("adaptive-lending", 0, 2.0, None, log="small", rounded=1, **_ABOVE),
        scenario="thesis-rmap",
    )
    unlike: tuple[dict[str, Any], ...] = ({}, {"fairness": 0.5}, _ABOVE)
    yield by_hand(
        *(run_of(policy, 0, time_s, 2 * time_s, bound_w=bound, **(changed if bound > 7e3 else {}))
          for bound in (6500.0, 8000.0)
          for policy, time_s, changed in zip(("traditional", "adaptive", "naive"), (9, 5, 5.01),
                                             unlike, strict=True)),
        scenario="thesis-rmap",
    )  # fmt: skip
    series = PowerSeries((0.0, 5.0, 9.0), (900.0, 1100.0), (900.0, 900.0))
    yield by_hand(
        run_of("ilp-engine", 0, 3.0, 4.0, decisions=7, fallbacks=2, log="a", power=series),
        run_of("ilp-slots-highs-20", 0, 3.0, 5.0, decisions=9, largest_gap=0.01, log="b"),
    )


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    yield _listed(seed)
    rng = np.random.default_rng(seed)
    policies = rng.permutation(["traditional", "naive", "adaptive", "my own", "b.c"])[
        : int(rng.choice([1, 2, 4]))
    ]
    spread, equal = float(rng.choice([0, 0.02, 0.5])), rng.random() < 0.3
    yield by_hand(
        *(
            run_of(
                str(policy), number,
                *(None if rng.random() < 0.05 else
                  float(100 * (1 if equal else 1 + place / 5) * math.exp(spread * rng.normal()))
                  for _ in range(3)),
                bound_w=bound, log=log, power_utilisation=float(rng.choice([0.1, 0.6])),
                peak_charged_share=float(rng.choice([0.2, 0.8, 1.0])),
                **(_ABOVE if rng.random() < 0.1 else {}),
            )
            for place, policy in enumerate(policies)
            for log in ("x", "y")[: 1 + seed % 2]
            for bound in (1000.0, 2000.0)[: 1 + seed % 3]
            for number in range(int([1, 2, 6][seed % 3]))
        ),
        scenario=["thesis-table-5-2", "thesis-rmap"][seed % 2],
    )  # fmt: skip


# claims


def _shortest(case: Case, kind: str, policies: tuple[str, ...], change: float, other: str) -> bool:
    best = case.ranked[0]
    several, tied = len(case.seeds) > 1, len(case.tied) > 1
    if case.reference in case.tied and tied:
        return False
    wanted = "chance" if case.by_chance else "tied" if several and tied else "plain"
    second = case.ranked[1] if best == case.reference else case.reference
    if other != second and not (
        best == case.reference and same(case.ratio(other), case.ratio(second))
    ):
        return False
    against = (case.ratio(best) or 1.0) / (case.ratio(other) or 1.0) - 1
    return kind == wanted and {*policies} == case.tied and math.isclose(
        change, against, rel_tol=1e-9, abs_tol=1e-12
    )  # fmt: skip


def _many(case: Case, number: int, best: str, change: float, other: str) -> bool:
    several = len(case.seeds) > 1 and number == len(case.tied) > 6
    ahead = same(case.ratio(best), case.ratio(case.ranked[0]))
    return several and ahead and _shortest(case, "tied", tuple(case.tied), change, other)


def _undecided(case: Case, reference: str, seeds: int) -> bool:
    """Whether no test tells the reference from the best policy."""
    tied = case.reference in case.tied and len(case.tied) > 1
    return tied and reference == case.reference and seeds == len(case.seeds) > 1


def _next(case: Case, policy: str, change: float, *, tied: bool) -> bool:
    """Whether no more than two policies are better, or it is the reference."""
    best = case.ratio(case.ranked[0]) or 1.0
    ratio = case.ratio(policy) or 0.0
    ahead = sum((case.ratio(each) or 0.0) < ratio * (1 - _NOISE) for each in case.ranked)
    return (
        (ahead <= 2 or policy == case.reference)
        and policy != case.ranked[0]
        and math.isclose(change, ratio / best - 1, rel_tol=1e-9, abs_tol=1e-12)
        and tied == (len(case.seeds) > 1 and policy in case.tied)
    )


def _lost(case: Case) -> list[float]:
    """Bounds under which the best policy is no better than the reference."""
    known = {key[1] for key in case.ratios(case.subject, case.reference)}
    return [bound for bound in case.bounds if bound in known and _under(case, bound) >= 1 - 1e-12]


def _equal(case: Case, policies: tuple[str, ...]) -> bool:
    return len(case.tied) > 1 and case.reference in case.tied and {*policies} == case.tied


def _exceeds(case: Case, runs: tuple[int, int], excess: float, policy: str, log: str,
             bound: float) -> bool:  # fmt: skip
    most = max(map(case.excess, case.runs))
    there = [case.excess(run) for run in case.runs
             if (run.policy, run.log, run.bound_w) == (policy, log, bound)]  # fmt: skip
    return (runs == (len(case.above), len(case.runs)) and _near(excess, most)
            and _near(max(there, default=0.0), most))  # fmt: skip


def _range(values: dict[str, float | None], least: float, lowest: str, most: float,
           highest: str) -> bool:  # fmt: skip
    """Whether a measure is the least and the largest under these policies."""
    known = [value for value in values.values() if value is not None]
    return all(
        math.isclose(value, end, rel_tol=1e-8)
        and math.isclose(values[policy] or 0.0, end, rel_tol=1e-8)
        for value, policy, end in ((least, lowest, min(known)), (most, highest, max(known)))
    )


def _under(case: Case, bound: float) -> float:
    """The ratio of the best policy under a bound: a geometric mean of those of the seeds."""
    seeds: dict[int, list[float]] = {}
    for key, ratio in case.ratios(case.subject, case.reference).items():
        if key[1] == bound:
            seeds.setdefault(key[2], []).append(math.log(ratio))
    return math.exp(float(np.mean([np.mean(logs) for logs in seeds.values()])))


def _near(one: float, other: float) -> bool:
    """Equal up to the last digit of a job's columns."""
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=2e-6)


def _above(case: Case, policy: str) -> tuple[int, int]:
    """Runs of a policy above the bound, and all."""
    runs = case.of[policy].values()
    return sum(case.excess(run) > 0 for run in runs), len(runs)


def _lending(case: Case, runs: tuple[int, int], excess: float) -> bool:
    lent = [run for run in case.runs if run.policy.startswith("adaptive-lending")]
    above = [case.excess(run) for run in lent if case.excess(run) > 0]
    return runs == (len(above), len(lent)) and same(excess, max(above))


def _next_to(case: Case, policy: str, reference: str, value: float) -> bool:
    return (policy, reference) == (case.subject, case.reference) and same(
        value, case.longest_wait(reference)
    )


def _never(case: Case, pairs: tuple[int, int], scarce: float, least: float) -> bool:
    peaks = [*case.peaks().values()]
    calm = [peak for peak in peaks if peak < 0.8]
    return scarce == 0.8 and pairs == (len(calm), len(peaks)) and (
        math.isclose(least, min(calm), rel_tol=1e-8)
    )  # fmt: skip


def _idle(case: Case) -> tuple[float, float]:
    used = [case.uses(policy) for policy in case.policies]
    return min(used), max(used)


def _watts(case: Case, log: str, seed: int, bound: float) -> bool:
    kept = [run for run in case.runs if run.power is not None and run.power.true_w]
    if case.real and (seed, bound) != (case.question.first_seed, case.bounds[0]):
        return False
    peaks = [(run, case.most(run, "drawn_w") if case.real else max(run.power.true_w))
             for run in kept if run.power]  # fmt: skip
    most = max((peak for _, peak in peaks), default=0.0)
    return any((run.log, run.seed, run.bound_w) == (log, seed, bound) and _near(peak, most)
               for run, peak in peaks)  # fmt: skip


def _few(case: Case) -> bool:
    return len(case.ranked) > 1


def _repeatable(case: Case) -> bool:
    cluster = case.question.cluster
    return len(case.drawn) == sum(log.name in case.logs for log in case.question.logs) or (
        cluster.variability or cluster.noise
    )


def _binds(case: Case, **values: Any) -> bool:
    runs = [run for key, run in case.of[case.subject].items() if key[1] == case.bounds[0]]
    used = float(np.mean([case.use(run) for run in runs]))
    return (
        (values["bound"], values["next"]) == case.binds()
        and values["policy"] == case.subject
        and math.isclose(values["used"], used, rel_tol=1e-8)
    )


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "title": lambda case, title: title == (
        case.answer.scenario.title or case.answer.scenario.name
    ),
    "shortest": lambda case, **values: _shortest(case, "plain", **values),
    "shortest-chance": lambda case, **values: _shortest(case, "chance", **values),
    "shortest-tied": lambda case, **values: _shortest(case, "tied", **values),
    "shortest-many": _many,
    "provisional": lambda case, best, more, change, seeds: (
        _undecided(case, case.reference, seeds)
        and more == max(5, 2 * seeds)
        and same(case.ratio(best), case.ratio(case.ranked[0]))
        and best != case.reference
        and same(change, (case.ratio(best) or 0.0) - 1)
        and not math.isclose(case.ratio(best) or 0.0, 1.0, rel_tol=1e-9)
    ),
    "keep": lambda case, reference, seeds: (
        _undecided(case, reference, seeds)
        and all((case.ratio(each) or 0.0) > 1 - _NOISE for each in case.ranked)
    ),
    "equal": lambda case, policies: (
        _equal(case, policies) and len(case.seeds) == 1 and not case.varies
    ),
    "equal-chance": lambda case, policies: _equal(case, policies) and case.by_chance,
    "alone": lambda case, policy: case.policies == [policy] == case.ranked,
    "none-ran": lambda case: all(
        job.start_s is None for run in case.runs for job in run.jobs
    ),
    "none-under": lambda case, reference: reference == case.reference and all(
        job.start_s is None for run in case.of[reference].values() for job in run.jobs
    ),
    "none-both": lambda case, reference: (
        case.ranked == [reference] == [case.reference] and len(case.policies) > 1
    ),
    "simulated": lambda case, seeds, logs, bounds: (
        (seeds, logs, bounds) == (len(case.seeds), len(case.logs), len(case.bounds))
    ),
    "one-seed": lambda case: case.by_chance,
    "tested": lambda case: len(case.seeds) > 1 and case.varies and len(case.ranked) > 1,
    "no-chance": lambda case: len(case.seeds) > 1 and not case.varies,
    "under": lambda case, policy: policy == case.subject,
    "against": lambda case, policy, reference: (
        (policy, reference) == (case.subject, case.reference) and len(case.seeds) == 1
    ),
    "against-within": lambda case, policy, reference, interval: (
        (policy, reference) == (case.subject, case.reference)
    ) and all(
        math.isclose(one, other, rel_tol=1e-7, abs_tol=1e-9)
        for one, other in zip(interval, case.interval(policy) or (), strict=True)
    ),
    "rule": lambda case, policy, rule: (
        same(case.ratio(policy), case.ratio(case.ranked[0]))
        and rule == policy_texts(case.policies)[policy]
    ),
    "moved": lambda case, policy, reference, sooner, later: (
        policy == case.subject != case.reference == reference
        and _share(case.moved(case.bounds)[0], case.moved(case.bounds)[2], sooner)
        and _share(case.moved(case.bounds)[1], case.moved(case.bounds)[2], later)
    ),
    "differs": lambda case, policy, reference, shorter, longer: (
        policy == case.subject != case.reference == reference
        and shorter == (case.differences()[0], case.differences()[2])
        and longer == case.differences()[1:]
    ),
    "next": lambda case, policy, change: _next(case, policy, change, tied=False),
    "next-tied": lambda case, policy, change: _next(case, policy, change, tied=True),
    "decide-on": lambda case, details: details == case.question.details.method,
    "synthetic-logs": lambda case, logs: [*logs] == [log.name for log in case.drawn] != [],
    "vanishes": lambda case, policy, reference, bounds: (
        (policy, reference) == (case.subject, case.reference)
        and [*bounds] == _lost(case) != []
        and (case.ratio(policy) or 0.0) < 1
    ),
    "no-cost": always,
    "compared": lambda case, policies, reference, jobs: (
        (policies, reference) == (len(case.policies), case.reference)
        and policies > 1
        and jobs == _ends([len(run.jobs) for run in case.runs])
    ),
    "calm": lambda case, bound: bound == min(
        bound for bound in case.bounds if bound > max(run.bound_w for run in case.above)
    ),
    "errors": lambda case, time, power: (
        same(time, case.time_error) and math.isclose(power, case.low, rel_tol=1e-9)
    ),
    "distance": lambda case, policy, distance: (
        policy == case.subject and same(distance, case.distance)
    ),
    "next-to": _next_to,
    "ratios": lambda case, reference, **ends: reference == case.reference and _range(
        {each: case.ratio(each) for each in case.policies if each != reference}, **ends
    ),
    "uses": lambda case, **ends: _range({each: case.uses(each) for each in case.policies}, **ends),
    "fair": lambda case, **ends: _range(
        {each: case.fairness(each) for each in case.policies}, **ends
    ),
    "ends": lambda case, policy, reference, first, lowest, last, highest: (
        (policy, reference) == (case.subject, case.reference)
        and (lowest, highest) == (case.bounds[0], case.bounds[-1])
        and same(first, _under(case, lowest)) and same(last, _under(case, highest))
    ),
    "kept": lambda case, runs: runs == (len(case.runs) - len(case.above), len(case.runs)),
    "next-to-above": lambda case, policy, reference, runs: (
        (policy, reference) == (case.subject, case.reference) and runs == _above(case, reference)
    ),
    "exceeds": _exceeds,
    "lending": _lending,
    "idle": lambda case, share: all(
        math.isclose(one, other, rel_tol=1e-8)
        for one, other in zip(share, _idle(case), strict=True)
    ),
    "never-scarce": _never,
    "rejected": lambda case, jobs: jobs == (
        case.counted("rejected"), sum(len(run.jobs) for run in case.runs)
    ),
    "rounded": lambda case, jobs: jobs == (
        case.counted("rounded"), sum(len(run.jobs) for run in case.runs)
    ),
    "fallbacks": lambda case, decisions: decisions == (
        sum(run.fallbacks for run in case.runs), sum(run.decisions for run in case.runs)
    ),
    "five-seeds": lambda case, seeds: seeds == 5 and case.by_chance,
    "more-seeds": lambda case, seeds: (
        len(case.tied) > 1 and case.varies and len(case.seeds) > 1
        and seeds == max(5, 2 * len(case.seeds))
    ),
    "guard": lambda case: bool(case.above),
    "measure": lambda case, low: math.isclose(low, case.low, rel_tol=1e-9),
    "own-log": lambda case: bool(case.drawn),
    "binds": _binds,
    "watts-of": _watts,
}  # fmt: skip

DUE: dict[str, Claim] = {
    "exceeds": lambda case: bool(case.above),
    "guard": lambda case: bool(case.above),
    "lending": lambda case: case.question.details.method == "model" and any(
        run.policy.startswith("adaptive-lending") for run in case.above
    ),
    "idle": lambda case: 0 < _idle(case)[1] < 0.2,
    "never-scarce": lambda case: any(peak < 0.8 for peak in case.peaks().values()),
    "rejected": lambda case: case.counted("rejected") > 0,
    "rounded": lambda case: case.counted("rounded") > 0,
    "fallbacks": lambda case: any(run.fallbacks for run in case.runs),
    "one-seed": lambda case: case.by_chance,
    "tested": lambda case: len(case.seeds) > 1 and case.varies and len(case.ranked) > 1,
    "no-chance": lambda case: len(case.seeds) > 1 and not case.varies,
    "five-seeds": lambda case: case.by_chance and _few(case) and _repeatable(case),
    "more-seeds": lambda case: (
        len(case.seeds) > 1 and case.varies and _few(case) and len(case.tied) > 1
    ),
    "own-log": lambda case: bool(case.drawn),
    "binds": lambda case: case.binds() is not None,
    "kept": lambda case: bool(case.runs),
    "decide-on": lambda case: bool(case.runs),
    "synthetic-logs": lambda case: bool(case.drawn),
    "vanishes": lambda case: (
        len(case.bounds) > 1
        and case.subject != case.reference
        and (case.ratio(case.subject) or 1.0) < 1
        and bool(_lost(case))
    ),
}  # fmt: skip


def _share(part: int, whole: int, value: float) -> bool:
    return whole > 0 and math.isclose(value, part / whole, rel_tol=1e-9, abs_tol=1e-12)


def _ends(values: Sequence[float]) -> tuple[float, float]:
    return min(values), max(values)


def _room(case: Case) -> tuple[int, float]:
    """Nodes and watts that other work leaves at the only submission."""
    (job,) = (job for log in case.question.logs for job in log.jobs)
    there = [use for use in case.question.occupied if use.until_s > job.submit_s]
    return (case.question.cluster.nodes - sum(use.nodes for use in there),
            case.bounds[0] - case.reserved_w - sum(use.power_w for use in there))  # fmt: skip


FACTS: dict[str, Claim] = {
    "seeds": lambda case, value: [*value] == case.seeds,
    "turnaround": lambda case, value: math.isclose(
        value, (case.ratio(case.subject) or 0.0) - 1, rel_tol=1e-9, abs_tol=1e-12
    ),
    "longest_wait_s": lambda case, value: value == case.longest_wait(case.subject),
    "above": lambda case, value: value == _above(case, case.subject),
    "occupied_nodes": lambda case, value: value == (
        sum(use.nodes for use in case.question.occupied), case.question.cluster.nodes
    ),
    "occupied_power": lambda case, value: same(
        value, math.fsum(use.power_w for use in case.question.occupied)
    ),
    "occupied_until": lambda case, value: value == _ends(
        [use.until_s for use in case.question.occupied]
    ),
    "free_nodes": lambda case, value: value == _room(case)[0],
    "free_power": lambda case, value: same(value, _room(case)[1]),
    "nodes": lambda case, value: value == case.question.cluster.nodes,
    "cores_per_node": lambda case, value: value == case.question.cluster.cores_per_node,
    "idle_node": lambda case, value: value == case.question.cluster.idle_node_w > 0,
    "bounds": lambda case, value: [*value] == case.bounds,
    "reference": lambda case, value: value == case.reference,
    "jobs": lambda case, value: value == _ends([len(run.jobs) for run in case.runs]),
    "logs": lambda case, value: [*value] == case.logs,
    "drawn_nodes": lambda case, value: value == _ends(
        [end for log in case.drawn
         for end in {"small": (8, 24), "large": (40, 64), "random": (8, 64)}[log.kind]]
    ),
    "estimate_factor": lambda case, value: value == _ends(
        [log.estimate_factor for log in case.drawn]
    ),
    "offered_load": lambda case, value: value == _ends(
        [log.offered_load for log in case.drawn if log.offered_load]
    ),
    "mean_gap": lambda case, value: value == _ends(
        [log.mean_gap_s or 300.0 for log in case.drawn if not log.offered_load]
    ),
    "files": lambda case, value: [*value] == [log.file for log in case.of_files],
    "first_job": lambda case, value: [*value] == [log.first_job for log in case.of_files],
    "details": lambda case, value: value == case.question.details.method,
    "training_share": lambda case, value: value == case.question.details.training_share,
    "guard": lambda case, value: value == case.question.details.guard,
}  # fmt: skip


def _share_above(case: Case, policy: str, bound: float) -> float:
    """The share of the runs of a policy under a bound that exceed it."""
    runs = [run for key, run in case.of[policy].items() if key[1] == bound]
    return sum(case.excess(run) > 0 for run in runs) / len(runs)


def _fairness_under(case: Case, policy: str, bound: float) -> float | None:
    return case.fairness(policy, [bound])


def _lines(
    case: Case, rows: list[dict[str, Any]], column: str,
    value: Callable[[Case, str, float], float | None],
) -> bool:  # fmt: skip
    """Whether values are true, and a policy without a line is near one under every bound."""
    lines: dict[str, dict[float, float | None]] = {}
    for row in rows:
        lines.setdefault(row["policy"], {})[row["bound_w"]] = row[column]
    true = {policy: {bound: value(case, policy, bound) for bound in case.bounds}
            for policy in case.policies}  # fmt: skip
    return all(
        any(
            all(
                one is None or other is None or abs(one - other) <= 0.02 + _NOISE
                for one, other in zip(true[policy].values(), true[drawn].values(), strict=True)
            )
            for drawn in lines
        )
        for policy in case.policies
    ) and all(
        [*line] == case.bounds and all(same(line[bound], true[policy][bound]) for bound in line)
        for policy, line in lines.items()
    )


TABLES: dict[str, Claim] = {
    "above drawn": lambda case, rows: _lines(case, rows, "above", _share_above),
    "fairness drawn": lambda case, rows: _lines(case, rows, "fairness", _fairness_under),
}
"""Whether the lines of a figure are true, and show every policy that differs from them."""
