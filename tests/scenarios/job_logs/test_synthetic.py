"""Drawn logs against the theory of their models."""

from __future__ import annotations

import math
from dataclasses import fields

import numpy as np
import pytest
from scipy import stats

from scenarios.faults import ScenarioError
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lublin import (
    LONGEST_LOG_GAP,
    LONGEST_LOG_RUN,
    daily_cycle,
    draw_gaps,
    draw_run_times,
    draw_sizes,
    lublin_log,
)
from scenarios.job_logs.lublin_parameters import ALL_JOBS, BATCH, INTERACTIVE, LublinJobClass
from scenarios.job_logs.poisson import MEAN_GAP_S, poisson_log
from scenarios.job_logs.requested_times import requested_times

CLASSES = pytest.mark.parametrize("kind", [INTERACTIVE, BATCH, ALL_JOBS], ids=lambda k: k.name)
DRAWS = 40_000


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def offered(log: JobLog, machine: int) -> float:
    span = log.submit_s[-1] - log.submit_s[0]
    return float(log.processors @ log.run_s) / (machine * float(span))


def stage_cdf(kind: LublinJobClass, power: float) -> float:
    """Share of powers up to this one, at 128 processors."""
    first = np.clip((power - kind.low) / (kind.medium - kind.low), 0, 1)
    second = np.clip((power - kind.medium) / (kind.high - kind.medium), 0, 1)
    return float(kind.first_stage * first + (1 - kind.first_stage) * second)


@CLASSES
def test_every_size_has_the_share_that_the_model_gives_it(kind: LublinJobClass) -> None:
    sizes = draw_sizes(kind, DRAWS, 128, rng())
    free = 1 - kind.serial - kind.power_of_two
    for size in range(1, 129):
        low, high = (math.log2(size + d) for d in (-0.5, 0.5))
        share = free * (stage_cdf(kind, high) - stage_cdf(kind, low))
        if size.bit_count() == 1:
            power = math.log2(size)
            rounded = stage_cdf(kind, power + 0.5) - stage_cdf(kind, power - 0.5)
            share += kind.power_of_two * rounded
        share += kind.serial * (size == 1)
        away = abs((sizes == size).mean() - share)
        assert away <= 5 * math.sqrt(share * (1 - share) / DRAWS), size


def test_the_published_shares_of_serial_jobs_and_powers_of_two() -> None:
    sizes = draw_sizes(ALL_JOBS, DRAWS, 128, rng(2))
    serial = (sizes == 1).mean()
    assert serial == pytest.approx(0.244, abs=0.007)
    powers = np.isin(sizes, 2 ** np.arange(8)).mean()
    assert powers > 0.244 + 0.576
    assert (sizes.min(), sizes.max()) == (1, 128)


def cut_gamma_mean(shape: float, scale: float, most: float) -> float:
    """Mean of a gamma variable below a bound."""
    below = stats.gamma.cdf(most, shape, scale=scale)
    return float(shape * scale * stats.gamma.cdf(most, shape + 1, scale=scale) / below)


@CLASSES
@pytest.mark.parametrize("size", [1, 16, 64])
def test_mean_logarithms_of_run_times_follow_size(kind: LublinJobClass, size: int) -> None:
    run = draw_run_times(kind, np.full(DRAWS, size), rng(size))
    logarithm = np.log(run + 0.5)  # rounded down
    share = min(max(kind.slope * size + kind.level, 0), 1)
    first = share * stats.gamma.cdf(LONGEST_LOG_RUN, kind.shape_1, scale=kind.scale_1)
    second = (1 - share) * stats.gamma.cdf(LONGEST_LOG_RUN, kind.shape_2, scale=kind.scale_2)
    expected = (
        first * cut_gamma_mean(kind.shape_1, kind.scale_1, LONGEST_LOG_RUN)
        + second * cut_gamma_mean(kind.shape_2, kind.scale_2, LONGEST_LOG_RUN)
    ) / (first + second)
    assert logarithm.mean() == pytest.approx(expected, abs=0.02 + 5 * logarithm.std() / 200)
    assert run.min() >= 1
    assert run.max() <= math.exp(LONGEST_LOG_RUN)


def test_larger_jobs_run_longer() -> None:
    means = [
        np.log(draw_run_times(ALL_JOBS, np.full(DRAWS, size), rng(3))).mean()
        for size in (1, 32, 128)
    ]
    # 4.2 x 0.94 = 3.948 against 312 x 0.03 = 9.36, with shares 0.7746, 0.6072, 0.0888
    assert means == pytest.approx([5.16, 6.07, 8.88], abs=0.1)


@CLASSES
def test_gaps_are_exponentials_of_gammas(kind: LublinJobClass) -> None:
    logarithm = np.log(draw_gaps(kind, DRAWS, rng(4)))
    shape = kind.gap_shape * kind.rush_ratio
    law = stats.gamma(shape, scale=kind.gap_scale)
    assert logarithm.max() <= LONGEST_LOG_GAP
    assert stats.kstest(logarithm, lambda x: law.cdf(x) / law.cdf(LONGEST_LOG_GAP)).pvalue > 0.001


@CLASSES
def test_the_day_has_the_published_cycle(kind: LublinJobClass) -> None:
    cycle = daily_cycle(kind)
    assert cycle.mean() == pytest.approx(1)
    # the fitted day begins at the 11th half-hour; the gamma's mode lies at (shape - 1) x scale
    mode = (kind.day_shape - 1) * kind.day_scale
    assert abs(int(np.argmax(cycle)) + 1 - mode) <= 1
    assert cycle.argmin() in range(8, 12)
    # 11th half-hour by hand: the density at 11 times one half-hour, over the mean of the cut day
    law = stats.gamma(kind.day_shape, scale=kind.day_scale)
    day = law.cdf(58.5) - law.cdf(10.5)
    assert cycle[10] == pytest.approx((law.cdf(11.5) - law.cdf(10.5)) * 48 / day)
    assert cycle[9] == pytest.approx((law.cdf(58.5) - law.cdf(57.5)) * 48 / day)


def test_jobs_arrive_by_the_cycle_whatever_the_load() -> None:
    for load in (None, 0.9):
        log = lublin_log(DRAWS, 128, 5, classes=False, load=load)
        half_hour = (log.submit_s % 86_400) // 1800
        days = log.submit_s[-1] // 86_400
        whole = half_hour[log.submit_s < days * 86_400]
        share = np.bincount(whole, minlength=48) / len(whole) * 48
        assert np.corrcoef(share, daily_cycle(ALL_JOBS))[0, 1] > 0.97
        assert np.abs(share - daily_cycle(ALL_JOBS)).max() < 0.35


@pytest.mark.parametrize("classes", [True, False])
@pytest.mark.parametrize("load", [0.3, 0.8, 1.5])
def test_the_load_is_the_one_asked_for(classes: bool, load: float) -> None:
    log = lublin_log(3_000, 256, 6, classes=classes, load=load)
    assert offered(log, 256) == pytest.approx(load, rel=1e-4)


def test_stretching_gaps_changes_arrivals_only() -> None:
    one, other = (lublin_log(2_000, 128, 7, classes=False, load=load) for load in (0.4, 0.8))
    assert np.array_equal(one.run_s, other.run_s)
    assert np.array_equal(one.processors, other.processors)
    assert one.submit_s[-1] > 1.9 * other.submit_s[-1]


def test_both_classes_draw_from_their_own_parameters() -> None:
    log = lublin_log(DRAWS, 128, 8)
    assert log.names["queue"] == ("interactive", "batch")
    for code, kind in enumerate((INTERACTIVE, BATCH)):
        own = log.take(log.queue == code)
        away = 5 * math.sqrt(kind.serial * (1 - kind.serial) / len(own))
        assert (own.processors == 1).mean() == pytest.approx(kind.serial, abs=away)
        assert own.processors.max() <= 2**kind.high + 0.5
    assert np.log(log.run_s[log.queue == 1]).mean() > np.log(log.run_s[log.queue == 0]).mean() + 2


@pytest.mark.parametrize("machine", [32, 100, 1152])
def test_sizes_follow_the_machine(machine: int) -> None:
    for kind in (INTERACTIVE, BATCH, ALL_JOBS):
        sizes = draw_sizes(kind, DRAWS, machine, rng(9))
        assert sizes.min() == 1
        distance = 7 - kind.high
        assert 0.8 * machine / 2**distance < sizes.max() <= machine
        # what is rounded never exceeds the machine, and no size below two is parallel
        assert (sizes == 1).mean() == pytest.approx(kind.serial, abs=0.012)


def equal(one: JobLog, other: JobLog) -> bool:
    names = [
        field.name for field in fields(one) if isinstance(getattr(one, field.name), np.ndarray)
    ]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def test_the_same_seed_gives_the_same_arrays() -> None:
    options = {"load": 0.7, "estimate_factor": 3.0}
    logs = [lublin_log(500, 128, seed, **options) for seed in (1, 1, 2)]  # type: ignore[arg-type]
    assert equal(logs[0], logs[1])
    assert not equal(logs[0], logs[2])
    traces = [poisson_log("random", seed, estimate_factor=3.0) for seed in (1, 1, 2)]
    assert equal(traces[0], traces[1])
    assert not equal(traces[0], traces[2])


@pytest.mark.parametrize(
    "log",
    [lublin_log(500, 128, 1), lublin_log(1, 64, 1, classes=False), poisson_log("small", 1)],
    ids=lambda log: log.name,
)
def test_drawn_logs_are_sound(log: JobLog) -> None:
    assert (np.diff(log.submit_s) >= 0).all()
    assert log.number.tolist() == list(range(1, len(log) + 1))
    assert (log.run_s >= 1).all()
    assert log.machine_processors is not None
    assert (log.processors <= log.machine_processors).all()
    assert np.array_equal(log.requested_s, log.run_s)
    assert (log.user == -1).all()
    for field in fields(log):
        if isinstance(getattr(log, field.name), np.ndarray):
            assert getattr(log, field.name).shape == (len(log),)


def test_requests_are_uniform_up_to_the_factor() -> None:
    run = np.full(DRAWS, 10_000)
    factors = requested_times(run, 4.0, rng(10)) / run
    assert 1 <= factors.min() < 1.01
    assert 4.99 < factors.max() <= 5
    assert stats.kstest((factors - 1) / 4, "uniform").pvalue > 0.001
    assert requested_times(np.array([0, 7]), 0.0, rng()).tolist() == [1, 7]
    assert (requested_times(np.array([0, 1, 2]), 0.3, rng()) >= [1, 1, 2]).all()


@pytest.mark.parametrize(
    ("kind", "least", "most"), [("small", 8, 24), ("large", 40, 64), ("random", 8, 64)]
)
def test_traces_have_the_sizes_of_the_thesis(kind: str, least: int, most: int) -> None:
    log = poisson_log(kind, 1, jobs=2_000)  # type: ignore[arg-type]
    assert set(log.processors.tolist()) == set(range(least, most + 1, 4))
    assert len(poisson_log(kind, 1)) == 30  # type: ignore[arg-type]
    assert log.submit_s[0] == 0


def test_gaps_of_a_trace_are_exponential() -> None:
    log = poisson_log("random", 2, jobs=5_000)
    gaps = np.diff(log.submit_s)
    assert stats.kstest(gaps, "expon", args=(0, MEAN_GAP_S)).pvalue > 0.001
    assert gaps.mean() == pytest.approx(MEAN_GAP_S, rel=0.07)
    assert log.run_s.min() >= 200
    assert log.run_s.max() <= 1000
    assert np.median(log.run_s) == pytest.approx(math.sqrt(200 * 1000), rel=0.05)


def test_the_loads_that_the_traces_are_said_to_offer() -> None:
    for kind, load in (("small", 0.41), ("random", 0.93), ("large", 1.35)):
        log = poisson_log(kind, 3, jobs=20_000)  # type: ignore[arg-type]
        assert offered(log, 64) == pytest.approx(load, rel=0.04)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: lublin_log(0, 128, 1), "jobs: 0 is outside 1 to"),
        (lambda: lublin_log(9, 31, 1), "machine_processors: 31 is below 32"),
        (
            lambda: lublin_log(9, 64, 1, load=0.0),
            "load: 0 is not a load; give a number such as 0.8",
        ),
        (lambda: lublin_log(9, 64, 1, load=math.nan), "load: nan is not a load"),
        (lambda: lublin_log(1, 64, 1, load=0.5), "load: one job alone has no load"),
        (lambda: lublin_log(9, 64, 1, load=1e-13), "load: is too low: submit times"),
        (lambda: lublin_log(9, 64, 1, estimate_factor=-1), "factor: -1 is outside 0 to"),
        (lambda: poisson_log("smal", 1), "'smal' is unknown; did you mean 'small'"),  # type: ignore[arg-type]
        (lambda: poisson_log("small", 1, jobs=0), "jobs: 0 is outside"),
        (lambda: poisson_log("small", 1, mean_gap_s=0), "mean_gap_s: 0 is outside"),
        (lambda: poisson_log("small", 1, run_s=(9, 5)), "run_s: 9 to 5 is not a range"),
    ],
)
def test_what_no_model_draws_is_refused(call: object, words: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        call()  # type: ignore[operator]
    assert words in str(caught.value)
