"""The choice of S, P and K, the noise of a block, and sums."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from benchmarks.studies.pricing.stationary import iid_blocks
from planner.errors import InputError
from planner.pricing.estimators.estimator import Observation
from planner.pricing.estimators.registry import find_estimator
from planner.pricing.filtered import filtered_prediction
from planner.pricing.mix import observed_class
from planner.pricing.noise import CounterNoise, JobClass, block_variance, mismatch, window_share
from planner.pricing.overhead import Shutter, dilation
from planner.pricing.samples import Blocks
from planner.pricing.shutters import Measuring, best_setting, frontier, mix_error
from planner.pricing.sums import algorithm4_of, block_ratios_of, unfiltered_of
from tests.planner.pricing.by_hand import sums_of
from tests.sizes import few

NOISY = Measuring(CounterNoise(0.03, 0.04))
MIX = (JobClass(60, 0.9, 5e3, 0.3, 0.05, 1.0), JobClass(3_600, 0.85, 1e6, 0.3, 0.1, 3.0))


@pytest.mark.parametrize("x", [0.05, 0.5, 1.0, 3.0, 10.0])
def test_the_variance_that_phases_cause_is_that_of_a_simulated_process(x: float) -> None:
    # Ornstein-Uhlenbeck with variance 1 and tau = 1, exact steps of x / 40
    rng, steps, runs = np.random.default_rng(0), 40, few(20_000, 4_000)
    keep = np.exp(-x / steps)
    value = rng.normal(size=runs)
    means = np.zeros((3, runs))
    for window in range(3):
        for _ in range(steps):
            means[window] += value / steps
            value = keep * value + np.sqrt(1 - keep**2) * rng.normal(size=runs)
    result = np.var(means[1] - 0.5 * (means[0] + means[2]))
    assert result == pytest.approx(mismatch(x), rel=6 / np.sqrt(runs) + 0.03)
    assert np.var(means[1]) == pytest.approx(window_share(x), rel=6 / np.sqrt(runs) + 0.03)


def test_the_variance_of_a_block_without_phases_is_that_of_the_counters() -> None:
    # 5 % per window: variance of the ratio 0.81 (0.0025 + 0.0025 / 2)
    job = JobClass(60, 0.9, 1e6)
    assert block_variance(job, Shutter(), CounterNoise(0.05)) == pytest.approx(0.81 * 0.00375)
    quiet = block_variance(job, Shutter(repeats=4), CounterNoise(0.05))
    assert quiet == pytest.approx(0.81 * 0.00375 / 4)
    white = CounterNoise(0.0, 0.02)
    assert white.variance(800) == pytest.approx(0.0016)


@pytest.mark.parametrize("budget", [0.001, 0.01, 0.03])
def test_the_best_setting_keeps_to_the_budget_and_no_other_gap_is_better(budget: float) -> None:
    best = best_setting(MIX, budget, measuring=NOISY)
    assert best.overhead == pytest.approx(dilation(best.shutter))
    assert best.overhead <= budget * (1 + 1e-9)
    rng = np.random.default_rng(0)
    for _ in range(200):
        other = Shutter(
            float(200 * 2 ** rng.integers(0, 12)),
            float(rng.uniform(2e4, 4e6)),
            int(rng.choice([1, 2, 3, 4, 6, 8])),
            2,
            200.0,
        )
        if dilation(other) <= budget:
            error = mix_error(MIX, other, NOISY)
            assert error >= best.price_error * (1 - 1e-9)


def test_along_the_frontier_more_overhead_buys_less_error() -> None:
    result = frontier(MIX)
    assert all(a.overhead < b.overhead for a, b in pairwise(result))
    assert all(a.price_error > b.price_error for a, b in pairwise(result))


def test_reading_sets_a_least_length_of_a_sample() -> None:
    # 0.2 of 40 / 3,280 us: 0.244 % of perf, 0.488 % of the price
    assert Measuring().bias(Shutter()) == pytest.approx(0.2 * 40 / 3_280)
    long = [JobClass(1e9, 0.9, 1e7)]
    assert mix_error(long, Shutter()) == pytest.approx(0.4 * 40 / 3_280, rel=0.02)
    with_doubt = best_setting(MIX, 0.01).shutter.measure_us
    without = best_setting(MIX, 0.01, measuring=Measuring(doubt=0.0)).shutter.measure_us
    assert with_doubt > without


def test_a_job_too_short_for_a_round_pays_without_discount() -> None:
    # no block at all: relative error 1 / 0.81 - 1
    error = mix_error([JobClass(1e-6, 0.9, 1e3)], Shutter())
    assert error == pytest.approx(1 / 0.81 - 1, rel=1e-4)


def test_the_error_of_a_mix_is_the_weighted_root_mean_square_of_its_classes() -> None:
    one, other = (mix_error([job], Shutter(), NOISY) for job in MIX)
    expected = np.sqrt((one**2 + 3 * other**2) / 4)
    assert mix_error(MIX, Shutter(), NOISY) == pytest.approx(expected, rel=1e-14)


def test_very_long_phases_are_those_of_the_limit() -> None:
    # v is 1 - x / 3 + x^2 / 12 - ..., and a block compares the same values: no mismatch at 0
    x = np.array([0.0, 1e-9, 1e-7, 9.9e-5, 1.01e-4])
    assert window_share(x) == pytest.approx(1 - x / 3 + x**2 / 12, abs=1e-8)
    assert mismatch(x) == pytest.approx(0, abs=1e-4)


def test_a_mix_of_nothing_and_classes_without_time_are_refused() -> None:
    with pytest.raises(InputError, match="at least one"):
        mix_error([], Shutter())
    with pytest.raises(InputError, match="run_s of a class of jobs is 0"):
        JobClass(0, 0.9, 1e3)


def test_phases_and_noise_are_seen_in_samples() -> None:
    # a process of variation 0.2 that keeps 0.8 of itself per window, and noise of 5 %
    rng, count = np.random.default_rng(0), 6_000
    steps = [rng.normal(size=count)]
    for _ in range(2):
        steps.append(0.8 * steps[-1] + 0.6 * rng.normal(size=count))
    log = 0.2 * np.stack(steps, axis=1) + rng.normal(0, 0.05, (count, 3))
    is_placebo = np.arange(count) % 2 == 0
    log[~is_placebo, 1] -= np.log(0.8)
    ipc = np.exp(log)
    blocks = Blocks(
        ipc[:, :1],
        ipc[:, 1:2],
        ipc[:, 2:],
        is_placebo,
        np.arange(count, dtype=np.float64),
        np.full((count, 3), np.nan),
    )
    job, noise = observed_class(blocks, 60, Shutter())
    assert noise.floor == pytest.approx(0.05, rel=0.15)
    assert job.phase_variation == pytest.approx(0.2, rel=0.05)
    assert job.phase_us == pytest.approx(-3_200 / np.log(0.8), rel=0.15)
    assert job.perf == pytest.approx(0.8, rel=0.01)
    assert job.spread < 0.03
    with pytest.raises(InputError, match="20 placebo blocks"):
        observed_class(blocks.real, 60, Shutter())


def test_estimates_from_sums_are_those_from_blocks() -> None:
    blocks = iid_blocks(np.random.default_rng(0), 0.85, 0.03, 50)
    sums = sums_of(blocks)
    assert algorithm4_of(sums).perf[0] == pytest.approx(filtered_prediction(blocks.means))
    for name, result in (
        ("unfiltered", unfiltered_of(sums)),
        ("block-ratios", block_ratios_of(sums)),
    ):
        exact = find_estimator(name).estimate(Observation(blocks))
        assert result.perf[0] == pytest.approx(exact.perf, rel=1e-12)


def test_a_job_without_blocks_has_no_discount_and_the_widest_interval() -> None:
    rng = np.random.default_rng(2)
    result = algorithm4_of(sums_of(iid_blocks(rng, 0.85, 0.03, 0), iid_blocks(rng, 0.85, 0.03, 50)))
    assert (result.perf[0], result.low[0], result.high[0]) == (1.0, 0.0, 1.0)
    assert result.perf[1] < 0.9
