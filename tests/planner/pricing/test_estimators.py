"""Estimators on synthetic blocks: bias, intervals, and what each one is for."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.pricing.stationary import iid_blocks
from planner.errors import InputError
from planner.pricing.estimate import Estimate, from_influence, long_run_variance
from planner.pricing.estimators.block_ratios import ratios
from planner.pricing.estimators.estimator import Observation, Polling
from planner.pricing.estimators.placebo import PlaceboCorrected
from planner.pricing.estimators.registry import ESTIMATORS, find_estimator
from planner.pricing.estimators.shrinkage import between_runs, shrunk
from planner.pricing.estimators.spin import grouped_ratio, waiting_shares
from planner.pricing.filtered import filtered_prediction
from planner.pricing.polling import estimate_polling, pooled
from planner.pricing.samples import Blocks
from tests.sizes import few

UNBIASED = ("unfiltered", "symmetric", "spin")


def test_an_unknown_estimator_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match="algorithm-4"):
        find_estimator("algorithm4")


@pytest.mark.parametrize("name", ESTIMATORS)
def test_without_noise_every_estimator_finds_the_truth(name: str) -> None:
    blocks = iid_blocks(np.random.default_rng(0), 0.8, 1e-9, 40, placebo=10)
    result = ESTIMATORS[name].estimate(Observation(blocks))
    assert result.perf == pytest.approx(0.8, abs=1e-6)
    assert result.degradation == pytest.approx(0.2, abs=1e-6)


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_too_few_blocks_give_an_interval_of_all_that_can_be(name: str, count: int) -> None:
    blocks = iid_blocks(np.random.default_rng(0), 0.8, 0.01, count)
    result = ESTIMATORS[name].estimate(Observation(blocks))
    assert (result.low, result.blocks) == (0.0, count)
    assert result.high >= 1.0
    assert result.variance == np.inf
    assert count or result.perf == 1.0


@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimates_do_not_depend_on_the_unit_of_ipc(name: str) -> None:
    if name in {"algorithm-4", "placebo"}:
        pytest.skip("delta is an absolute difference of IPC")
    one = iid_blocks(np.random.default_rng(3), 0.9, 0.03, 60, placebo=10)
    two = iid_blocks(np.random.default_rng(3), 0.9, 0.03, 60, placebo=10, solo_ipc=2.0)
    pair = [ESTIMATORS[name].estimate(Observation(each)).perf for each in (one, two)]
    assert pair[0] == pytest.approx(pair[1], rel=1e-12)


@pytest.mark.parametrize("name", UNBIASED)
@pytest.mark.parametrize("perf", [1.0, 0.85])
def test_bias_is_within_monte_carlo_error_and_intervals_cover(name: str, perf: float) -> None:
    rng, runs = np.random.default_rng(5), few(500, 150)
    result = [
        ESTIMATORS[name].estimate(Observation(iid_blocks(rng, perf, 0.05, 100)))
        for _ in range(runs)
    ]
    values = np.array([each.perf for each in result])
    assert abs(values.mean() - perf) < 4 * values.std() / np.sqrt(runs) + 2e-4
    covered = np.mean([each.covers(perf) for each in result])
    assert covered == pytest.approx(0.95, abs=4 * np.sqrt(0.95 * 0.05 / runs) + 0.01)


def test_block_ratios_are_raised_by_the_variation_of_the_denominator() -> None:
    each = ratios(iid_blocks(np.random.default_rng(1), 0.9, 0.05, 200_000).means)
    assert each.mean() == pytest.approx(0.9 * (1 + 0.05**2), abs=4 * each.std() / np.sqrt(2e5))


def test_ratio_of_means_is_biased_by_phases_and_grouped_ratios_are_not() -> None:
    # Two phases with equal time together: IPC alone 2 and 0.5, ratio 0.9 and 0.5. Mean ratio 0.7.
    fast, slow = (
        iid_blocks(np.random.default_rng(k), perf, 0.02, 400, solo_ipc=ipc).means
        for k, perf, ipc in ((0, 0.9, 2.0), (1, 0.5, 0.5))
    )
    means = np.concatenate([fast, slow])
    together = (means[:, 0] + means[:, 2]).sum() / 2 / means[:, 1].sum()
    assert together == pytest.approx(0.82, abs=0.01)  # (0.9 * 2 + 0.5 * 0.5) / 2.5
    perf, influence = grouped_ratio(means)
    assert perf == pytest.approx(0.7, abs=0.002)
    assert influence.mean() == pytest.approx(0.0, abs=1e-12)


def test_one_group_is_the_ratio_of_means() -> None:
    means = iid_blocks(np.random.default_rng(2), 0.8, 0.05, 19).means
    plain = (means[:, 0] + means[:, 2]).sum() / 2 / means[:, 1].sum()
    assert grouped_ratio(means)[0] == pytest.approx(plain, rel=1e-12)


def test_the_order_of_blocks_does_not_matter_to_an_estimate() -> None:
    blocks = iid_blocks(np.random.default_rng(2), 0.8, 0.05, 100, placebo=20)
    order = np.random.default_rng(0).permutation(120)
    for name, each in ESTIMATORS.items():
        straight = each.estimate(Observation(blocks)).perf
        shuffled = each.estimate(Observation(blocks.chosen(order))).perf
        assert straight == pytest.approx(shuffled, rel=1e-9), name


def test_placebo_rounds_remove_the_bias_of_the_filter_at_every_ratio() -> None:
    for perf in (1.0, 0.97, 0.85):
        blocks = iid_blocks(np.random.default_rng(4), perf, 0.02, 4_000, placebo=4_000)
        result = PlaceboCorrected().estimate(Observation(blocks))
        assert result.perf == pytest.approx(perf, abs=0.006)
        assert abs(result.perf - perf) <= abs(filtered_prediction(blocks.real.means) - perf) + 0.001


def polling_blocks(
    rng: np.random.Generator,
    perf: float,
    share: float,
    ipc: float,
    count: int,
    noise: float = 0.02,
    sampler: float = 0.02,
) -> Blocks:
    """A job that computes with IPC 1 and polls: waiting is half network, half in step."""
    waiting = share * (1 + rng.uniform(-0.4, 0.4, (count, 1))) * np.ones((1, 3))
    slower = (1 / perf - 0.5 * waiting) / (1 - 0.5 * waiting)  # of computing and half of waiting
    together = np.array([True, False, True])
    time = np.where(together, 1 / perf, 1.0)
    waited = np.where(together, 0.5 * waiting * slower + 0.5 * waiting, waiting)
    means = (1 - waiting + ipc * waited) / time * (1 + rng.normal(0, noise, (count, 3)))
    sampled = waited / time + rng.normal(0, sampler, (count, 3))
    return Blocks(
        means[:, :1],
        means[:, 1:2],
        means[:, 2:],
        np.zeros(count, dtype=np.bool_),
        np.arange(count, dtype=np.float64),
        sampled,
    )


def test_polling_hides_a_slowdown_and_the_spin_correction_finds_it() -> None:
    blocks = polling_blocks(np.random.default_rng(0), 0.75, 0.2, 1.7, 3_000)
    plain = find_estimator("unfiltered").estimate(Observation(blocks)).perf
    assert plain > 0.785
    result = find_estimator("spin").estimate(Observation(blocks, Polling(1.7)))
    assert result.perf == pytest.approx(0.75, abs=0.005)
    assert find_estimator("spin").estimate(Observation(blocks)).perf == pytest.approx(
        plain, abs=0.002
    )


def test_a_stated_error_of_the_polling_ipc_widens_the_interval_for_good() -> None:
    widths = []
    for count in (300, 30_000):
        blocks = polling_blocks(np.random.default_rng(1), 0.75, 0.2, 1.7, count)
        off = Observation(blocks, Polling(1.7 * 1.3, 0.3))
        result = find_estimator("spin").estimate(off)
        assert result.covers(0.75)
        widths.append(result.high - result.low)
    assert widths[1] > 0.5 * widths[0]


def test_reading_counters_is_taken_off_windows_together() -> None:
    blocks = iid_blocks(np.random.default_rng(1), 0.9 * (1 - 0.0122), 1e-6, 40)
    result = find_estimator("spin").estimate(Observation(blocks, reading_share=0.0122))
    assert result.perf == pytest.approx(0.9, abs=1e-4)


def test_waiting_shares_are_means_over_windows_together_and_alone() -> None:
    blocks = polling_blocks(np.random.default_rng(1), 0.8, 0.2, 1.7, 2_000)
    shares = waiting_shares(blocks)
    assert shares is not None
    assert shares.alone == pytest.approx(0.2, abs=4 * shares.alone_error)
    assert shares.together == pytest.approx(0.1822, abs=0.003)
    assert waiting_shares(iid_blocks(np.random.default_rng(1), 0.8, 0.1, 5)) is None


def test_the_polling_ipc_is_found_from_samples_with_its_error() -> None:
    result = []
    for seed in range(few(20, 6)):
        rng = np.random.default_rng(seed)
        runs = [polling_blocks(rng, 0.85, 0.12, 1.7, 400) for _ in range(8)]
        polling = estimate_polling(runs, 0.02)
        assert polling is not None
        result.append((polling.ipc - 1.7) / (polling.ipc * polling.ipc_error))
    assert np.sqrt(np.mean(np.square(result))) < 2.2
    assert abs(np.mean(result)) < 1.5


def test_samples_without_variation_in_waiting_show_no_polling_ipc() -> None:
    rng = np.random.default_rng(0)
    blocks = iid_blocks(rng, 0.9, 0.02, 500)
    assert estimate_polling([blocks], 0.02) is None
    noise = Blocks(
        blocks.before,
        blocks.during,
        blocks.after,
        blocks.is_placebo,
        blocks.time_us,
        0.1 + rng.normal(0, 0.02, (500, 3)),
    )
    assert estimate_polling([noise], 0.02) is None
    assert estimate_polling([], 0.02) is None
    with pytest.raises(InputError, match="sampler's error"):
        estimate_polling([noise], -1.0)


def test_applications_without_a_polling_ipc_get_the_mean_of_the_others() -> None:
    result = pooled([Polling(1.7, 0.03), Polling(1.7, 0.03), None, Polling(3.4, 0.6)])
    ipc = [each.ipc for each in result if each is not None]
    assert ipc == pytest.approx([1.7, 1.7, 1.7, 1.76], abs=0.08)
    assert pooled([None, Polling(1.7, 0.1)])[0] is None


@pytest.mark.parametrize("polling", [(-1.0, 0.0), (1.0, -0.1)])
def test_a_polling_ipc_below_0_is_refused(polling: tuple[float, float]) -> None:
    with pytest.raises(InputError, match="below 0"):
        Polling(*polling)


def estimate(perf: float, error: float) -> Estimate:
    return Estimate(perf, perf - 2 * error, perf + 2 * error, error**2, 50, 50)


def test_alike_runs_are_averaged_and_unlike_runs_are_kept() -> None:
    # Q = 0: no variance between runs, so the pooled mean of three has a third of the variance.
    alike = shrunk(estimate(0.9, 0.03), [estimate(0.9, 0.03)] * 2)
    assert alike.variance == pytest.approx(0.0009 / 3)
    unlike = shrunk(estimate(0.9, 0.001), [estimate(0.6, 0.001), estimate(0.75, 0.001)])
    assert unlike.perf == pytest.approx(0.9, abs=1e-4)
    assert shrunk(estimate(0.9, 0.03), []) == estimate(0.9, 0.03)


def test_variance_between_runs_by_hand() -> None:
    # weights 1: mean 1, Q = 1 + 0 + 1 = 2 = count - 1, so 0; and Q = 8 gives (8 - 2) / (3 - 1)
    ones = np.ones(3)
    assert between_runs(np.array([0.0, 1.0, 2.0]), ones) == 0.0
    assert between_runs(np.array([-1.0, 1.0, 3.0]), ones) == pytest.approx(3.0)


def test_shrinkage_lowers_the_error_of_repeated_runs() -> None:
    rng = np.random.default_rng(0)
    true = rng.normal(0.88, 0.005, (few(200, 100), 5))
    seen = true + rng.normal(0, 0.03, true.shape)
    steadied = [
        shrunk(estimate(row[-1], 0.03), [estimate(value, 0.03) for value in row[:-1]])
        for row in seen
    ]
    off = np.array([each.perf for each in steadied]) - true[:, -1]
    assert np.abs(off).mean() < 0.6 * np.abs(seen - true)[:, -1].mean()
    assert np.mean([e.covers(t) for e, t in zip(steadied, true[:, -1], strict=True)]) > 0.9


def test_covariance_of_neighbours_widens_the_interval() -> None:
    rng = np.random.default_rng(0)
    steps = rng.normal(size=4_001)
    assert long_run_variance(steps) == pytest.approx(1.0, abs=0.15)
    smooth = 0.5 * (steps[1:] + steps[:-1])  # variance 0.5, long-run variance 1
    assert long_run_variance(smooth) == pytest.approx(0.95, abs=0.15)


@pytest.mark.parametrize("level", [0.0, 1.0, 1.5, float("nan")])
def test_a_level_outside_0_to_1_is_refused(level: float) -> None:
    with pytest.raises(InputError, match="level of the intervals"):
        from_influence(0.9, np.zeros(5), 5, level)
    with pytest.raises(InputError, match="level of the intervals"):
        Observation(iid_blocks(np.random.default_rng(0), 0.9, 0.1, 5), level=level)
