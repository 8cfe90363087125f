"""What `headroom price` states of a scenario, decided again from a trial and hidden run times.

Written from docs/price.md: prices of single pairs, one after another. A claim gets a case and the
values of a finding, or the value of a fact, and says whether they are true.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from statistics import fmean, stdev
from typing import Any

import numpy as np

from planner.pricing.month import draw_favourites, draw_month
from planner.pricing.noise import JobClass
from planner.pricing.price import applications_of, scored, trial_settings
from planner.pricing.scoring import HiddenTimes, hidden_times
from planner.pricing.study import PriceStudy
from planner.pricing.trial import Trial, run_trial
from planner.question import price_group_of
from scenarios import load
from scenarios.model.price import Price
from scenarios.model.scenario import Scenario
from scenarios.reading.replaced import with_values
from tests.claims.values import always, same

MIX = [{"run_s": 600.0, "phase_us": 50_000.0}]
Cell = tuple[int, int, int]


@dataclass(frozen=True, eq=False)
class Case:
    """A trial with its hidden run times, and its answer."""

    scenario: Scenario
    trial: Trial
    hidden: HiddenTimes
    known: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def question(self) -> Price:
        return price_group_of(self.scenario)

    @cached_property
    def answer(self) -> PriceStudy:
        return PriceStudy(self.scenario, scored(self.question, self.trial, self.hidden))

    @property
    def names(self) -> tuple[str, ...]:
        return self.trial.applications

    @property
    def cells(self) -> list[Cell]:
        """Seed, application and partner of every job of a pair."""
        places = range(len(self.names))
        return [(seed, a, b) for seed in range(len(self.trial.seeds)) for a in places
                for b in places]  # fmt: skip

    def method(self, name: str, near: float) -> int:
        """The first method of a name whose polling error is nearest to one."""
        found = [index for index, (each, _) in enumerate(self.trial.methods) if each == name]
        return min(found, key=lambda index: abs(self.trial.methods[index][1] - near))

    @property
    def ours(self) -> int:
        return self.method("spin", 0.1)

    @property
    def hardest(self) -> int:
        return self.method("spin", math.inf if max(self.polling) > 1 else max(self.polling))

    @property
    def polling(self) -> tuple[float, ...]:
        return self.question.counters.polling_errors

    @property
    def polling_error(self) -> float:
        return self.trial.methods[self.ours][1]

    def fair(self, cell: Cell) -> float:
        """Price by run time, times the square of the true speed."""
        _, a, b = cell
        solo, co = float(self.hidden.solo_s[a]), float(self.hidden.co_s[a, b])
        return co * (solo / co) ** 2

    def price(self, policy: str, cell: Cell, method: int | None = None) -> float:
        """What the job pays, at a rate of 1 for a core and a second."""
        seed, a, b = cell
        run_s = float(self.trial.run_s[cell])
        if policy == "oracle":
            return self.fair(cell)
        if policy == "state-of-practice":
            return run_s
        if policy == "poppa":
            perf = float(self.trial.perf[seed, self.method("algorithm-4", 0), a, b])
            return run_s * perf * perf
        used = self.ours if method is None else method
        perf = float(self.trial.perf[seed, used, a, b])
        doubt = float(self.trial.variance[seed, used, a, b])
        own = float(self.trial.alone_s[cell])
        undisturbed = run_s - float(self.trial.paused_s[cell]) - own + own / perf
        return undisturbed * max(perf * perf - (doubt if math.isfinite(doubt) else 0), 0)

    def error(self, policy: str, method: int | None = None) -> float:
        """Mean distance of the price from the fair one, relative to it."""
        key = f"error {policy} {method}"
        if key not in self.known:
            self.known[key] = fmean(
                abs(self.price(policy, cell, method) / self.fair(cell) - 1) for cell in self.cells
            )
        return float(self.known[key])

    def against_alone(self, policy: str) -> list[float]:
        """Price of every job over that of running alone, less 1."""
        return [self.price(policy, cell) / float(self.hidden.solo_s[cell[1]]) - 1
                for cell in self.cells]  # fmt: skip

    def revenue(self, policy: str) -> float:
        return sum(self.price(policy, cell) for cell in self.cells)

    @property
    def alone(self) -> float:
        return sum(float(self.hidden.solo_s[a]) for _, a, _ in self.cells)

    @property
    def revenue_change(self) -> float:
        return self.revenue("headroom") / self.revenue("state-of-practice") - 1

    def lost(self, a: int, b: int) -> float:
        return 1 - float(self.hidden.solo_s[a] / self.hidden.co_s[a, b])

    def run_time_errors(self, method: int, seed: int | None = None) -> list[float]:
        """Predicted over true run time with the partner, less 1, of every job."""
        return [
            float(self.hidden.solo_s[a] / self.hidden.co_s[a, b])
            / float(self.trial.perf[each, method, a, b]) - 1
            for each, a, b in self.cells if seed in (None, each)
        ]  # fmt: skip

    def run_time_error(self, method: int, seed: int | None = None) -> float:
        return fmean(map(abs, self.run_time_errors(method, seed)))

    def largest_error(self, method: int) -> float:
        """The largest mean over seeds of a pair."""
        by_seed = [self.run_time_errors(method, seed) for seed in range(len(self.trial.seeds))]
        return max(abs(fmean(errors)) for errors in zip(*by_seed, strict=True))

    @property
    def coverage(self) -> float:
        """Share of intervals that contain the true speed."""
        inside = 0
        for seed, a, b in self.cells:
            at = (seed, self.ours, a, b)
            true = float(self.hidden.solo_s[a] / self.hidden.co_s[a, b])
            inside += bool(self.trial.low[at] <= true <= self.trial.high[at])
        return inside / len(self.cells)

    @property
    def paused(self) -> float:
        """Equation 9, without a cost for each pause."""
        shutter, jobs = self.question.shutter, self.question.jobs_per_node
        window = shutter.repeats * shutter.shutter_us
        windows = 3 if shutter.windows == "parallel" else 2 * jobs + 1
        return (jobs - 1) * window / (jobs * (windows * window + shutter.gap_us))

    @property
    def overhead(self) -> float:
        """Equation 10."""
        return self.paused / (1 - self.paused)

    def overhead_with(self, pause_us: float) -> float:
        """Equation 10 with a cost of each pause."""
        shutter, jobs = self.question.shutter, self.question.jobs_per_node
        window = shutter.repeats * shutter.shutter_us
        windows = 3 if shutter.windows == "parallel" else 2 * jobs + 1
        whole = windows * window + pause_us + shutter.gap_us
        paused = (jobs - 1) * (window + pause_us) / (jobs * whole)
        return float(paused / (1 - paused))

    @cached_property
    def rise(self) -> float:
        """One factor for all prices with which a month earns as much as alone; no floor binds."""
        perf = self.hidden.solo_s[:, None] / self.hidden.co_s
        rng = np.random.default_rng((self.question.first_seed, 20))
        taste = draw_favourites(rng, len(perf))
        rate = self.question.rate_su_per_core_hour / 3600
        month = draw_month(rng, perf, self.trial.perf[:, self.ours], favourites=taste, rate=rate)
        alone = month.usage.cores * month.usage.co_s * month.perf
        return float(alone.sum() / (alone * month.perf.clip(0.4, 1)).sum()) - 1

    @cached_property
    def month(self) -> tuple[float, float]:
        """Change of the next month's revenue against prices by run time; with the tariff, too."""
        perf = self.hidden.solo_s[:, None] / self.hidden.co_s
        rng = np.random.default_rng((self.question.first_seed, 20))
        taste = draw_favourites(rng, len(perf))
        rate = self.question.rate_su_per_core_hour / 3600
        for _ in range(2):
            month = draw_month(
                rng, perf, self.trial.perf[:, self.ours], favourites=taste, rate=rate
            )
        by_time = month.usage.cores * month.usage.co_s
        alone = by_time * month.perf
        raised = alone * month.perf.clip(0.4, 1) * (1 + self.rise)
        return (
            float((alone * month.perf).sum() / by_time.sum()) - 1,
            round(float(raised.sum() / by_time.sum()) - 1, 3),
        )

    def random_error(self, measure_us: float, repeats: int, gap_us: float, windows: int) -> float:
        """Root mean square of the price error of the mix by the formulas of docs/price.md."""
        if self.question.mix:
            mix = [(600.0, 0.9, 50_000.0, 0.2, 0.05)]
        else:
            mix = [(run_s, 0.9, 50_000.0, 0.0, 0.0) for run_s in self.question.run_times_s]
        jobs, squares = self.question.jobs_per_node, []
        for run_s, perf, phase_us, variation, spread in mix:
            window = repeats * measure_us
            blocks = run_s * 1e6 / (jobs * (windows * window + 200 + gap_us))
            x = window / phase_us
            kept = 2 * (x - 1 + math.exp(-x)) / x**2
            near = ((1 - math.exp(-x)) / x) ** 2
            apart = max(0.0, kept + 0.5 * (kept + near * math.exp(-x)) - 2 * near)
            noise = 1.5 * self.question.counters.noise**2 / repeats + variation**2 * apart
            variance = (perf**2 * noise + spread**2 * kept) / max(blocks, 1)
            bias = 0.2 * 80 / jobs / (measure_us + 80)
            missed = max(0.0, 1 - blocks)
            squares.append((1 - missed) * 4 * (variance / perf**2 + bias**2)
                           + missed * (perf**-2 - 1) ** 2)  # fmt: skip
        return math.sqrt(fmean(squares))

    @property
    def random_in_use(self) -> float:
        shutter = self.question.shutter
        windows = 3 if shutter.windows == "parallel" else 2 * self.question.jobs_per_node + 1
        return self.random_error(shutter.shutter_us, shutter.repeats, shutter.gap_us, windows)

    @property
    def least_random(self) -> float:
        """Over all settings, with the shortest gap that the accepted overhead allows."""
        jobs, budget = self.question.jobs_per_node, self.question.overhead_budget
        errors = []
        for length in (200.0 * 2**k for k in range(12)):
            for repeats in (1, 2, 3, 4, 6, 8):
                window = repeats * length
                paused = (jobs - 1) * (window + 200) / jobs
                gap = paused * (1 + budget) / budget - 3 * window - 200
                errors.append(self.random_error(length, repeats, max(20_000.0, gap), 3))
        return min(errors)


def _scenario(**values: Any) -> Scenario:
    """The bundled scenario with a mix of its own, and with other values of ``price``."""
    changes = {f"price.{key.replace('__', '.')}": value for key, value in values.items()}
    return with_values(_bundled(), {"price.mix": MIX, **changes})


@cache
def _bundled() -> Scenario:
    return load("poppa-12-codes")


def made(
    speeds: list[list[float]], *, off: float = 0.0, seeds: int = 1, seed: int = 0,
    measuring: float = 0.0, wide: float = 0.02, **values: Any,
) -> Case:  # fmt: skip
    """A trial whose estimates are the true speeds of the pairs, but for an error."""
    scenario = _scenario(seeds=seeds, **values)
    question = price_group_of(scenario)
    rng = np.random.default_rng(seed)
    count, methods = len(speeds), trial_settings(question).methods
    perf = np.column_stack([np.array(speeds, float), np.ones(count)])
    solo = rng.uniform(50, 400, count)
    shape = (seeds, len(methods), count, count + 1)
    estimated = np.clip(perf + off * rng.standard_normal(shape), 0.6, None)
    estimated[:, [name == "algorithm-4" for name, _ in methods]] -= 2 * off
    co = solo[:, None] / perf
    runs = (seeds, count, count + 1)
    paused = measuring * rng.random(runs) * co
    trial = Trial(
        tuple(f"code-{index}" for index in range(count)), methods, estimated, estimated - wide,
        estimated + wide, np.full(shape, off**2), co + paused, paused, 0.5 * paused,
        np.ones((seeds, count)), np.zeros((seeds, count)), tuple(range(seeds)),
        (JobClass(600.0, 0.9, 50_000.0),),
    )  # fmt: skip
    return Case(scenario, trial, HiddenTimes(solo, co))


def simulated(*names: str, seeds: int = 1) -> Case:
    """A trial on the simulated node."""
    scenario = _scenario(applications=names, seeds=seeds)
    question = price_group_of(scenario)
    applications, settings = applications_of(question), trial_settings(question)
    trial = run_trial(applications, tuple(range(seeds)), settings)
    return Case(scenario, trial, hidden_times(applications, settings))


def cases() -> Iterator[Case]:
    """Requests at the edges: one and many, ties, nobody disturbed, no setting fits."""
    yield made([[1.0]])
    yield made([[0.7]], off=0.02, seeds=2)
    yield made([[0.9997]], jobs_per_node=3, mix=[], run_times_s=[60.0, 3600.0])
    yield made([[0.9993, 0.9993], [0.9993, 0.9993]], seeds=3, counters__polling_errors=[0.1])
    yield made([[0.9, 0.8], [0.9, 0.8]], jobs_per_node=4, overhead_budget=0.005)
    yield made([[0.99, 0.98], [0.97, 0.99]], off=0.05, wide=0.001, shutter__windows="sequential")
    yield made([[0.8, 0.8], [0.8, 0.8]], measuring=0.01, shutter__repeats=3, law="sensitivity")
    yield made([[1.0, 1.0], [1.0, 1.0]], off=0.01, counters__polling_errors=[0.05, 0.15])
    yield made([[1.0]], mix=[], run_times_s=[600.0], first_seed=0, overhead_budget=0.5)
    yield simulated("LAMMPS", "MILC")


def drawn(seed: int) -> Iterator[Case]:
    """Requests of a seed."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 5))
    speeds = rng.uniform(0.65, 1.0, (count, count)).round(2).tolist()
    yield made(
        speeds, off=float(rng.choice([0, 0.001, 0.03])), seeds=int(rng.integers(1, 4)),
        seed=seed, measuring=float(rng.choice([0, 0.01])),
        wide=float(rng.choice([0.001, 0.05])),
        jobs_per_node=int(rng.integers(2, 5)), shutter__gap_us=float(rng.choice([2e4, 2e5])),
        counters__polling_errors=[[0.0], [0.3], [0.0, 0.1, 0.2]][int(rng.integers(3))],
    )  # fmt: skip


def _errors(case: Case, ours: float, today: float) -> bool:
    return same(ours, case.error("headroom")) and same(today, case.error("state-of-practice"))


def _gain(case: Case) -> float:
    return case.error("state-of-practice") - case.error("headroom")


def _mean_losses(case: Case, *, partners: bool = False) -> list[float]:
    places = range(len(case.names))
    if partners:
        return [fmean(case.lost(a, b) for a in places) for b in places]
    return [fmean(case.lost(a, b) for b in places) for a in places]


def _are(case: Case, names: tuple[str, ...], means: list[float], mean: float) -> bool:
    """The applications with this mean."""
    pairs = zip(case.names, means, strict=True)
    return names == tuple(name for name, each in pairs if abs(each - mean) < 1e-9)


def _largest_loss(case: Case, application: str, partner: str, lost: float) -> bool:
    places = range(len(case.names))
    most = max(case.lost(a, b) for a in places for b in places)
    own = case.lost(case.names.index(application), case.names.index(partner))
    return same(lost, most) and abs(own - most) < 1e-12


def _deviation(case: Case) -> float:
    return stdev(case.run_time_error(case.ours, seed) for seed in range(len(case.trial.seeds)))


Claim = Callable[..., bool]
FINDINGS: dict[str, Claim] = {
    "question": lambda case, scenario: scenario == case.scenario.title,
    "charge": lambda case, ours, today, change, tariff: (
        _errors(case, ours, today)
        and ours < today - 0.001
        and same(change, case.month[0])
        and tariff == case.month[1]
    ),
    "alike": lambda case, ours, today: _errors(case, ours, today) and today - 0.001 <= ours < today,
    "keep": lambda case, ours, today: _errors(case, ours, today) and ours >= today,
    "pairs": lambda case, applications, seeds: (
        applications == len(case.names) and seeds == len(case.trial.seeds)
    ),
    "polling": lambda case, error: (
        error in case.polling
        and all(abs(error - 0.1) <= abs(other - 0.1) for other in case.polling)
    ),
    "spread": lambda case, deviation: same(deviation, _deviation(case)),
    "one-seed": lambda case: len(case.trial.seeds) == 1,
    "fair-mean": lambda case, fair: same(fair, fmean(case.against_alone("oracle"))),
    "poppa": lambda case, error: same(error, case.run_time_error(case.method("algorithm-4", 0))),
    "by-run-time": lambda case, mean, highest: (
        same(mean, fmean(case.against_alone("state-of-practice")))
        and same(highest, max(case.against_alone("state-of-practice")))
    ),
    "revenue-alone": lambda case, ours, today: (
        same(ours, case.revenue("headroom") / case.alone)
        and same(today, case.revenue("state-of-practice") / case.alone)
    ),
    "harder": lambda case, error, worst, usual: (
        same(error, case.error("headroom", case.hardest))
        and worst == max(case.polling)
        and usual == case.polling_error < worst
        and error < case.error("state-of-practice")
    ),
    "fair": always,
    "law-of": lambda case, law: law == case.question.law,
    "poppa-price": lambda case, error: same(error, case.error("poppa")),
    "pays": lambda case, ours, fair, today: all(
        same(value, fmean(case.against_alone(policy)))
        for value, policy in (
            (ours, "headroom"),
            (fair, "oracle"),
            (today, "state-of-practice"),
        )
    ),
    "earned": lambda case, pairs, month, tariff: (
        same(pairs, case.revenue_change) and same(month, case.month[0]) and tariff == case.month[1]
    ),
    "predicted": lambda case, estimator, ours, poppa: (
        estimator == "spin"
        and same(ours, case.run_time_error(case.ours))
        and same(poppa, case.run_time_error(case.method("algorithm-4", 0)))
    ),
    "covered": lambda case, coverage: same(coverage, case.coverage),
    "costs": lambda case, overhead, paused, pause, budget: (
        same(overhead, case.overhead)
        and paused == round(case.overhead_with(pause), 5)
        and pause == 200
        and budget == case.question.overhead_budget
    ),
    "random": lambda case, used, best: (
        used == round(case.random_in_use, 4) and best == round(case.least_random, 4)
    ),
    "accepted": lambda case, budget: budget == case.question.overhead_budget,
    "with-tariff": lambda case, rise, change: (
        (*rise,) == (round(case.rise, 3),) * 2 and change == case.month[1]
    ),
    "highest": lambda case, today, ours: (
        same(today, max(case.against_alone("state-of-practice")))
        and same(ours, max(case.against_alone("headroom")))
    ),
    "loses": lambda case, most, lost, least, little: (
        max(_mean_losses(case)) - min(_mean_losses(case)) > 1e-12
        and same(lost, max(_mean_losses(case)))
        and same(little, min(_mean_losses(case)))
        and _are(case, most, _mean_losses(case), lost)
        and _are(case, least, _mean_losses(case), little)
    ),
    "partners-lose": lambda case, applications, lost: (
        same(lost, max(_mean_losses(case, partners=True)))
        and _are(case, applications, _mean_losses(case, partners=True), lost)
    ),
    "worst-partner": lambda case, partner: (
        partner in case.names
        and all(
            case.lost(a, case.names.index(partner))
            == max(case.lost(a, b) for b in range(len(case.names)))
            for a in range(len(case.names))
        )
    ),
    "simulated": always,
    "revenue-falls": lambda case, change, tariff: (
        same(change, case.month[0]) and change < -0.005 and tariff == case.month[1]
    ),
    "slow": lambda case, overhead, budget: (
        same(overhead, case.overhead) and budget == case.question.overhead_budget < overhead
    ),
    "narrow": lambda case, coverage: same(coverage, case.coverage) and coverage < 0.9,
    "pairs-only": lambda case, jobs: jobs == case.question.jobs_per_node > 2,
    "measure": always,
    "tariff": always,
    "largest-errors": lambda case, ours, poppa: (
        same(ours, case.largest_error(case.ours))
        and same(poppa, case.largest_error(case.method("algorithm-4", 0)))
    ),
    "largest-loss": _largest_loss,
}
"""Whether a finding of a kind is true, from its case and its values."""

FACTS: dict[str, Claim] = {
    "mean_price": lambda case, value: same(value, fmean(case.against_alone("headroom"))),
    "run_time_error": lambda case, value: same(value, case.run_time_error(case.ours)),
    "overhead": lambda case, value: same(value, case.overhead),
    "seeds": lambda case, value: (*value,) == (
        case.question.first_seed, case.question.first_seed + case.question.seeds - 1
    ),
    "measure": lambda case, value: value == case.question.shutter.shutter_us,
    "gap": lambda case, value: value == case.question.shutter.gap_us,
    "samples": lambda case, value: value == case.question.shutter.repeats,
    "jobs": lambda case, value: value == case.question.jobs_per_node,
    "paused": lambda case, value: same(value, case.paused),
    "pause": lambda case, value: value == 200,
    "node_pause": lambda case, value: value == 130,
    "windows": lambda case, value: value == case.question.shutter.windows,
    "placebo": lambda case, value: value == case.question.shutter.placebo_share,
    "noise": lambda case, value: value == case.question.counters.noise,
    "sampler_noise": lambda case, value: value == case.question.counters.sampler_noise,
    "run_times": lambda case, value: not case.question.mix and (*value,) == (
        min(case.question.run_times_s), max(case.question.run_times_s)
    ),
}  # fmt: skip
"""Whether a fact is true, from its case and its value."""

DUE: dict[str, Callable[[Case], bool]] = {
    "charge": lambda case: _gain(case) > 0.001,
    "keep": lambda case: _gain(case) <= 0,
    "alike": lambda case: 0 < _gain(case) <= 0.001,
    "spread": lambda case: len(case.trial.seeds) > 1,
    "one-seed": lambda case: len(case.trial.seeds) == 1,
    "revenue-falls": lambda case: case.month[0] < -0.005,
    "slow": lambda case: case.overhead > case.question.overhead_budget,
    "narrow": lambda case: case.coverage < 0.9,
    "pairs-only": lambda case: case.question.jobs_per_node > 2,
    "harder": lambda case: (
        max(case.polling) > case.polling_error
        and case.error("headroom", case.hardest) < case.error("state-of-practice")
    ),
    "loses": lambda case: max(_mean_losses(case)) - min(_mean_losses(case)) > 1e-12,
    "largest-loss": lambda _case: True,
}
"""Kinds that are stated exactly when they are due."""
