"""Estimators and prices on windows of a simulated node: all pairs of applications, several seeds.

A trial simulates each pair once per seed and passes the windows of both jobs to the estimators.
Only :func:`scored` looks at hidden run times. The polling IPC of an application is estimated from
all its windows of one seed (:mod:`planner.pricing.polling`). A stated relative error is added to
it, with a random sign for each application.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np

from planner.errors import InputError
from planner.parallel import in_processes
from planner.pricing.estimate import LEVEL, Estimate
from planner.pricing.estimators.estimator import Observation, Polling
from planner.pricing.estimators.registry import find_estimator
from planner.pricing.estimators.shrinkage import shrunk
from planner.pricing.mix import FEWEST_PLACEBO, observed_class
from planner.pricing.noise import JobClass
from planner.pricing.overhead import Shutter
from planner.pricing.polling import estimate_polling, pooled
from planner.pricing.samples import Blocks, Floats
from planner.pricing.windows import blocks_of_windows, reading_share, times_of
from scenarios.simulated.shared_node.applications import NULL, SharedApplication
from scenarios.simulated.shared_node.demand import InterferenceLaw
from scenarios.simulated.shared_node.play import ShutterSchedule, play
from scenarios.simulated.shared_node.settings import NodeSettings

EARLIER = "shrinkage"
"""Estimator that also sees the estimates of earlier seeds as earlier runs."""
EARLIER_OF = "spin"
MOST_EARLIER = 4
"""Earlier runs that shrinkage sees at most."""
_SIGNS = 20
"""Seed of the signs of polling errors: one per application, as at one site, for all runs."""
BASE_US = 130.0
"""Cost of a shutter besides its window, as the paper measures it (section 8.1)."""


@dataclass(frozen=True)
class TrialSettings:
    """What a trial simulates and estimates.

    Attributes
    ----------
    shutter
        S, P, K and the loop.
    placebo_share
        Share of rounds in which no job is paused.
    counter_noise, sampler_noise
        Noise of the node. The estimators know the second, as its maker states it.
    polling_errors
        Relative errors put on the estimated polling IPC.
    estimators
        Names of the estimators.
    iterations
        Runs that both jobs of a pair complete.
    level
        Confidence of the intervals.
    law
        Law of the node; by default that of the cache and the bandwidth.
    """

    shutter: Shutter = field(default_factory=lambda: Shutter(base_us=BASE_US))
    placebo_share: float = 0.2
    counter_noise: float = 0.05
    sampler_noise: float = 0.02
    polling_errors: tuple[float, ...] = (0.0, 0.1, 0.2, 0.3)
    estimators: tuple[str, ...] = (
        "algorithm-4",
        "unfiltered",
        "block-ratios",
        "symmetric",
        "placebo",
        "spin",
    )
    iterations: int = 5
    level: float = LEVEL
    law: InterferenceLaw | None = None

    def __post_init__(self) -> None:
        if not self.polling_errors or min(self.polling_errors) < 0:
            raise InputError("give at least one error of the polling IPC, none below 0")
        for name in self.estimators:
            find_estimator(name)

    @property
    def methods(self) -> tuple[tuple[str, float], ...]:
        """Estimators with the polling errors that concern them."""
        spins = ("spin", EARLIER)
        names = (*self.estimators, *([EARLIER] if EARLIER_OF in self.estimators else []))
        return tuple(
            (name, error)
            for name in names
            for error in (self.polling_errors if name in spins else (0.0,))
        )


class TrialCell(NamedTuple):
    """One job of one pair in one seed."""

    application: int
    partner: int
    estimates: tuple[Estimate, ...]
    run_s: float
    paused_s: float
    alone_s: float
    blocks: int
    observed: JobClass | None


@dataclass(frozen=True, eq=False)
class Trial:
    """Estimates of all cells.

    Attributes
    ----------
    applications
        Names; the last partner is the busy loop.
    methods
        Name of the estimator and error of the polling IPC.
    perf, low, high, variance
        Estimates, shape ``(seeds, methods, applications, partners)``.
    run_s, paused_s, alone_s
        Measured run time, and parts of it, shape ``(seeds, applications, partners)`` [s].
    polling_ipc, polling_error
        Estimated from samples, shape ``(seeds, applications)``; NaN where samples do not show it.
    seeds
        In this order.
    classes
        Phases of the jobs of the first seed, as their samples show them.
    """

    applications: tuple[str, ...]
    methods: tuple[tuple[str, float], ...]
    perf: Floats
    low: Floats
    high: Floats
    variance: Floats
    run_s: Floats
    paused_s: Floats
    alone_s: Floats
    polling_ipc: Floats
    polling_error: Floats
    seeds: tuple[int, ...]
    classes: tuple[JobClass, ...]

    def method(self, name: str, error: float = 0.0) -> int:
        """Position of a method."""
        return self.methods.index((name, error))


class _SeedRun(NamedTuple):
    applications: tuple[SharedApplication, ...]
    settings: TrialSettings
    seed: int


def run_trial(
    applications: Sequence[SharedApplication],
    seeds: Sequence[int],
    settings: TrialSettings | None = None,
    *,
    workers: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Trial:
    """Simulate all pairs of applications, and each application with the busy loop, for each seed.

    Parameters
    ----------
    applications
        Applications that are paired.
    seeds
        Each seed simulates all pairs once.
    workers
        Processes.
    progress
        Called with the number of finished seeds.

    Raises
    ------
    InputError
        There is no application or no seed.
    """
    if not applications or not seeds:
        raise InputError("a trial needs at least one application and one seed")
    settings = settings or TrialSettings()
    tasks = [_SeedRun(tuple(applications), settings, seed) for seed in seeds]
    result: dict[int, tuple[list[TrialCell], list[Polling | None]]] = {}
    for seed, cells, polling in in_processes(_one_seed, tasks, workers):
        result[seed] = (cells, polling)
        if progress is not None:
            progress(len(result))
    return _gathered(tuple(applications), tuple(seeds), settings, result)


def _one_seed(task: _SeedRun) -> tuple[int, list[TrialCell], list[Polling | None]]:
    applications, settings, seed = task
    everybody = (*applications, NULL)
    count = len(applications)
    seen: list[tuple[int, int, Blocks, float, float, float, float]] = []
    pairs = [*combinations_with_replacement(range(count), 2), *((a, count) for a in range(count))]
    for number, (first, second) in enumerate(pairs):
        pair = (everybody[first], everybody[second])
        windows = play(
            pair,
            _schedule(settings),
            node_settings(settings),
            settings.law,
            seed=play_seed(seed, number),
        )
        for job, own, other in ((0, first, second), (1, second, first)):
            if own < count and (job == 0 or first != second):
                seen.append(
                    (
                        own,
                        other,
                        blocks_of_windows(windows, job),
                        reading_share(windows, settings.shutter),
                        *times_of(windows, job, settings.shutter, settings.iterations),
                    )
                )
    polling = pooled(
        [
            estimate_polling([each[2] for each in seen if each[0] == own], settings.sampler_noise)
            for own in range(count)
        ]
    )
    sign = np.where(np.random.default_rng(_SIGNS).random(count) < 0.5, -1.0, 1.0)
    cells = []
    for own, other, blocks, reading, run_s, paused_s, alone_s in seen:
        known = polling[own]
        estimates = tuple(
            find_estimator(name).estimate(
                Observation(
                    blocks,
                    with_error(known, error, sign[own]),
                    reading_share=reading,
                    level=settings.level,
                )
            )
            for name, error in settings.methods
            if name != EARLIER
        )
        observed = _observed(blocks, run_s, settings)
        cells.append(
            TrialCell(own, other, estimates, run_s, paused_s, alone_s, len(blocks), observed)
        )
    return seed, cells, polling


def _observed(blocks: Blocks, run_s: float, settings: TrialSettings) -> JobClass | None:
    """Phases of a job as its samples show them; ``None`` if it has too few placebo rounds."""
    if len(blocks.placebo) < FEWEST_PLACEBO or not len(blocks.real):
        return None
    return observed_class(blocks, run_s, settings.shutter)[0]


def with_error(polling: Polling | None, error: float, sign: float) -> Polling | None:
    """A polling IPC that is off by a stated relative error, which its owner states."""
    if polling is None:
        return None
    stated = float(np.hypot(polling.ipc_error, error))
    return replace(polling, ipc=polling.ipc * (1 + sign * error), ipc_error=stated)


def _schedule(settings: TrialSettings) -> ShutterSchedule:
    shutter = settings.shutter
    return ShutterSchedule(
        float(shutter.measure_us),
        float(shutter.gap_us),
        shutter.repeats,
        "literal" if shutter.literal else "parallel",
        settings.placebo_share,
    )


def play_seed(seed: int, pair: int) -> int:
    """Seed of the simulation of one pair."""
    return seed * 10_007 + pair


def node_settings(settings: TrialSettings) -> NodeSettings:
    """The simulated node of a trial."""
    return NodeSettings(
        counter_noise=settings.counter_noise,
        sampler_noise=settings.sampler_noise,
        iterations=settings.iterations,
    )


def _gathered(
    applications: tuple[SharedApplication, ...],
    seeds: tuple[int, ...],
    settings: TrialSettings,
    found: Mapping[int, tuple[list[TrialCell], list[Polling | None]]],
) -> Trial:
    count, methods = len(applications), settings.methods
    shape = (len(seeds), len(methods), count, count + 1)
    values = {name: np.full(shape, np.nan) for name in ("perf", "low", "high", "variance")}
    times = {
        name: np.full((len(seeds), count, count + 1), np.nan)
        for name in ("run_s", "paused_s", "alone_s")
    }
    polling = np.full((2, len(seeds), count), np.nan)
    earlier: dict[tuple[int, int, float], list[Estimate]] = {}
    for index, seed in enumerate(seeds):
        cells, known = found[seed]
        for own, each in enumerate(known):
            if each is not None:
                polling[:, index, own] = each.ipc, each.ipc_error
        for cell in cells:
            here = (cell.application, cell.partner)
            for name, table in times.items():
                table[(index, *here)] = getattr(cell, name)
            estimates = dict(
                zip([m for m in methods if m[0] != EARLIER], cell.estimates, strict=True)
            )
            for number, (name, error) in enumerate(methods):
                if name == EARLIER:
                    past = earlier.setdefault((*here, error), [])
                    current = estimates[EARLIER_OF, error]
                    estimate = shrunk(current, past[-MOST_EARLIER:])
                    past.append(current)
                else:
                    estimate = estimates[name, error]
                for key, array in values.items():
                    array[(index, number, *here)] = getattr(estimate, key)
    names = tuple(application.name for application in applications)
    return Trial(
        names,
        methods,
        **values,
        **times,
        polling_ipc=polling[0],
        polling_error=polling[1],
        seeds=seeds,
        classes=tuple(cell.observed for cell in found[seeds[0]][0] if cell.observed is not None),
    )
