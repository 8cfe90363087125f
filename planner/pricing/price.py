"""Answer a scenario's question about prices of shared nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.formatting import given
from planner.plain_numbers import plainly
from planner.pricing.estimators.registry import ESTIMATORS, find_estimator
from planner.pricing.month import tariff_of_months
from planner.pricing.noise import CounterNoise, JobClass
from planner.pricing.overhead import Shutter, dilation
from planner.pricing.result import PriceResult
from planner.pricing.scoring import HiddenTimes, hidden_times, policies, score
from planner.pricing.shutters import (
    Measuring,
    RatedShutter,
    best_setting,
    frontier,
    mix_error,
)
from planner.pricing.study import PriceStudy
from planner.pricing.trial import (
    EARLIER,
    EARLIER_OF,
    Trial,
    TrialSettings,
    play_seed,
    run_trial,
)
from planner.question import price_group_of
from scenarios.catalogue import load
from scenarios.model.price import Price
from scenarios.model.scenario import Scenario
from scenarios.reading.replaced import with_values
from scenarios.simulated.shared_node.applications import (
    TWELVE,
    SharedApplication,
    find_shared_application,
)
from scenarios.simulated.shared_node.fitted import NUMBERS, Number

if TYPE_CHECKING:
    from planner.api import FilePath

OURS = EARLIER_OF
"""The estimator by which Headroom charges."""
STATED_ERROR = 0.1
"""Error of the polling IPC at which ours is shown; the nearest one of the scenario is taken."""


@plainly
def price(
    scenario: Scenario | FilePath,
    *,
    seeds: int | None = None,
    shutter_us: float | None = None,
    gap_us: float | None = None,
    jobs_per_node: int | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> PriceStudy:
    """Compare what users pay for jobs that share nodes, and how well interference is measured.

    Parameters
    ----------
    scenario
        A scenario with ``[price]``, the name of a bundled one, or its path.
    seeds
        Replications; by default as many as the scenario says.
    shutter_us, gap_us
        S and P [us]; by default those of the scenario.
    jobs_per_node
        n in equations 9 and 10; by default that of the scenario.
    workers
        Processes.
    progress
        Called with the number of finished seeds, and of all.

    Returns
    -------
    PriceStudy
        ``result`` has the numbers: ``fairness`` by pricing policy, ``scores`` of the estimators.

    Raises
    ------
    ScenarioError
        The scenario cannot be read, or a value is not valid.
    InputError
        It asks nothing about prices, or an application or an estimator is not known.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    scenario = _replaced(scenario, seeds, shutter_us, gap_us, jobs_per_node)
    question = price_group_of(scenario)
    applications = applications_of(question)
    replications = tuple(range(question.first_seed, question.first_seed + question.seeds))
    settings = trial_settings(question)
    trial = run_trial(
        applications,
        replications,
        settings,
        workers=workers,
        progress=lambda done: progress(done, len(replications)),
    )
    truth = hidden_times(
        applications, settings, seed=play_seed(question.first_seed, 0), workers=workers
    )
    return PriceStudy(scenario, scored(question, trial, truth))


def scored(question: Price, trial: Trial, truth: HiddenTimes) -> PriceResult:
    """Score a trial against hidden run times, and look for settings of the measurement.

    Raises
    ------
    InputError
        No job shows its phases, and the scenario has no mix.
    """
    scores = score(trial, truth)
    ours = _ours(trial.methods)
    mix = _mix(question, trial.classes)
    measuring = Measuring(CounterNoise(floor=question.counters.noise))
    shutter = _shutter(question, question.jobs_per_node)
    chosen = best_setting(
        mix, question.overhead_budget, jobs=question.jobs_per_node, measuring=measuring
    )
    in_use = replace(shutter, base_us=measuring.base_us)
    fairness = policies(trial, truth, ours)
    month, tariff = tariff_of_months(
        truth.perf, trial.perf[:, ours], question.rate_su_per_core_hour, question.first_seed
    )
    return PriceResult(
        applications=trial.applications,
        seeds=trial.seeds,
        shutter=shutter,
        scores=scores,
        ours=ours,
        fairness=fairness,
        truth=truth,
        frontier=frontier(mix, jobs=question.jobs_per_node, measuring=measuring),
        chosen=chosen,
        in_use=RatedShutter(in_use, dilation(in_use), mix_error(mix, in_use, measuring)),
        month=month,
        tariff=tariff,
        numbers=_numbers(question),
    )


def applications_of(question: Price) -> tuple[SharedApplication, ...]:
    """The simulated applications of a scenario, named ones first.

    Raises
    ------
    InputError
        A name is not known.
    """
    try:
        named = tuple(find_shared_application(name) for name in question.applications)
    except ValueError as error:
        raise InputError(str(error)) from None
    if question.applications or question.synthetic:
        return (*named, *_synthetic(question))
    return tuple(TWELVE)


def _synthetic(question: Price) -> tuple[SharedApplication, ...]:
    if not question.synthetic:
        return ()
    from scenarios.simulated.shared_node.synthetic import synthetic_applications

    return tuple(synthetic_applications(question.synthetic, question.first_seed))


def trial_settings(question: Price) -> TrialSettings:
    """Return what a trial simulates and estimates for a scenario.

    Raises
    ------
    InputError
        An estimator is not known.
    """
    known = tuple(name for name in ESTIMATORS if name != EARLIER)
    chosen = question.estimators or known
    for name in chosen:
        find_estimator(name)
    estimators = tuple(name for name in chosen if name != EARLIER)
    needed = tuple(name for name in ("algorithm-4", OURS) if name not in estimators)
    return TrialSettings(
        shutter=_shutter(question, 2),
        placebo_share=question.shutter.placebo_share,
        counter_noise=question.counters.noise,
        sampler_noise=question.counters.sampler_noise,
        polling_errors=question.counters.polling_errors,
        estimators=(*needed, *estimators),
        iterations=question.iterations,
        law=_law(question),
    )


def _law(question: Price) -> Any:
    if question.law == "contention":
        return None
    from scenarios.simulated.shared_node.second_law import SensitivityAndPressure

    return SensitivityAndPressure()


def _shutter(question: Price, jobs: int) -> Shutter:
    """S, P and K; without the base cost, which equations 9 and 10 do not have."""
    given = question.shutter
    return Shutter(
        given.shutter_us, given.gap_us, given.repeats, jobs, 0.0, given.windows == "sequential"
    )


def _numbers(question: Price) -> tuple[Number, ...]:
    """The numbers of the node, with the noise that the prices use instead of the node's own."""
    counters = question.counters

    def origin(field: str) -> str:
        return "set by the scenario" if field in counters.model_fields_set else "default"

    noise = Number(
        _NOISE,
        f"{given(counters.noise)}, {given(counters.sampler_noise)[:-2]} points",
        "assumed",
        f"noise of each IPC reading ({origin('noise')}), and of the share of time spent waiting "
        f"({origin('sampler_noise')})",
    )
    return tuple(noise if number.name == _NOISE else number for number in NUMBERS)


_NOISE = "counter noise, sampler noise"


def _mix(question: Price, observed: tuple[JobClass, ...]) -> tuple[JobClass, ...]:
    """The scenario's mix; by default observed phases with each of the scenario's run times.

    Raises
    ------
    InputError
        No job has enough placebo rounds to show its phases, and the scenario has no mix.
    """
    if question.mix:
        return tuple(
            JobClass(
                entry.run_s,
                entry.performance,
                entry.phase_us,
                entry.phase_variation,
                entry.spread,
                entry.weight,
            )
            for entry in question.mix
        )
    if not observed:
        raise InputError(
            "no job has enough placebo rounds to show its phases; raise placebo_share or "
            "iterations, or describe the mix in [[price.mix]]"
        )
    return tuple(
        replace(entry, run_s=run_s) for run_s in question.run_times_s for entry in observed
    )


def _ours(methods: tuple[tuple[str, float], ...]) -> int:
    mine = [(abs(error - STATED_ERROR), index) for index, (name, error) in enumerate(methods)
            if name == OURS]  # fmt: skip
    return min(mine)[1]


def _replaced(
    scenario: Scenario,
    seeds: int | None,
    shutter_us: float | None,
    gap_us: float | None,
    jobs_per_node: int | None,
) -> Scenario:
    price_group_of(scenario)
    values = {
        "price.seeds": seeds,
        "price.shutter.shutter_us": shutter_us,
        "price.shutter.gap_us": gap_us,
        "price.jobs_per_node": jobs_per_node,
    }
    given = {key: value for key, value in values.items() if value is not None}
    return with_values(scenario, given) if given else scenario
