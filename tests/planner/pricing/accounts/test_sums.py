"""Sums of blocks: by hand, against Algorithm 4 over arrays, and as laws."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.pricing.accounts.policies import (
    algorithm_4,
    block_ratios,
    steady,
    unfiltered,
    whole_time,
)
from planner.pricing.accounts.schema import LogSettings, rule_of
from planner.pricing.accounts.sums import (
    NOBODY,
    OTHER,
    OWN,
    PLACE,
    JobSample,
    add_sample,
    add_to,
    empty,
    packed,
    unpacked,
)
from planner.pricing.estimators.block_ratios import ratios
from planner.pricing.estimators.placebo import PlaceboCorrected
from planner.pricing.estimators.spin import SpinCorrected
from planner.pricing.filtered import Filter, filtered_prediction
from planner.pricing.filtered import unfiltered as unfiltered_prediction
from tests.planner.pricing.by_hand import literal_prediction
from tests.sizes import few

SETTINGS = LogSettings()
RULE = rule_of(SETTINGS)
NAN = float("nan")


def sample(
    before: float, during: float, after: float, kind: int = OWN, cycles: float = 1e6
) -> JobSample:
    ipc = np.array([[before], [during], [after]])
    return JobSample(kind, ipc * cycles, np.full((3, 1), cycles), np.full(3, np.nan))


def sums_of(*samples: JobSample) -> list[int]:
    sums = empty()
    for each in samples:
        add_sample(sums, each, RULE)
    return sums


def column(sums: list[int], name: str) -> int:
    return sums[PLACE[name]]


def test_one_block_by_hand() -> None:
    """b = 0.8, d = 1, a = 0.82: co = 0.81, and the filter keeps it (0.02 < 0.05, both < 1)."""
    sums = sums_of(sample(0.80, 1.00, 0.82))
    assert column(sums, "shutter_filtered_count") == 1
    assert column(sums, "shutter_filtered_co") == 810_000
    assert column(sums, "shutter_filtered_during") == 1_000_000
    assert column(sums, "shutter_all_co_co") == 656_100_000  # 0.81^2 in 1e-9
    assert column(sums, "shutter_all_ratio") == 810_000
    assert algorithm_4(sums, SETTINGS) == Fraction(81, 100)


def test_a_block_is_dropped_on_either_side_of_the_filter_and_stays_in_all() -> None:
    dropped = [(0.80, 1.0, 0.90), (1.01, 1.0, 0.99), (0.99, 1.0, 1.01), (0.8, 1.0, 0.85)]
    sums = sums_of(*(sample(*windows) for windows in dropped))
    assert column(sums, "shutter_all_count") == 4
    assert column(sums, "shutter_filtered_count") == 0


def test_without_a_kept_block_the_fallback_is_the_named_one() -> None:
    sums = sums_of(sample(0.8, 1.0, 0.9))
    assert algorithm_4(sums, SETTINGS) == Fraction(85, 100)
    assert algorithm_4(sums, LogSettings(Filter(fallback="no-discount"))) == 1
    assert algorithm_4(empty(), SETTINGS) == 1


def test_another_jobs_round_gives_company_and_no_block() -> None:
    sums = sums_of(sample(0.8, NAN, 0.82, OTHER))
    assert column(sums, "company_count") == 1
    assert column(sums, "company_co") == 810_000
    assert column(sums, "shutter_all_count") == column(sums, "missing_windows") == 0


@pytest.mark.parametrize("windows", [(0.8, NAN, 0.8), (NAN, 1, 0.8), (0.8, 1, NAN), (0.8, 0, 0.8)])
def test_a_block_with_a_missing_window_is_counted_and_left_out(
    windows: tuple[float, float, float],
) -> None:
    sums = sums_of(sample(*windows))
    assert column(sums, "missing_windows") == 1
    assert column(sums, "shutter_all_count") == 0


def test_counters_that_stand_still_or_run_back_are_counted() -> None:
    still, back = sample(0.8, 1.0, 0.8, cycles=1e6), sample(0.8, 1.0, 0.8)
    still.cycles[1] = 0
    back.instructions[0] = -5
    sums = sums_of(still, back)
    assert column(sums, "zero_counters") == 2
    assert column(sums, "missing_windows") == 2


def test_a_window_is_the_mean_of_those_of_its_measurements_that_count() -> None:
    ipc = np.array([[0.8, NAN], [1.0, 1.1], [0.7, 0.9]])
    one = JobSample(OWN, ipc * 100, np.where(np.isnan(ipc), NAN, 100.0), np.full(3, NAN))
    sums = sums_of(one)
    assert column(sums, "shutter_all_co") == 800_000
    assert column(sums, "shutter_all_during") == 1_050_000


def test_a_placebo_goes_into_sums_of_its_own() -> None:
    sums = sums_of(sample(1.0, 1.02, 0.99, NOBODY))
    assert column(sums, "placebo_filtered_count") == column(sums, "placebo_all_count") == 1
    assert column(sums, "shutter_all_count") == 0
    # x/y both ways round for (1, 1.02) and (0.99, 1.02), then their mean, in millionths.
    both = [(one / 1.02 + 1.02 / one) / 2 for one in (1.0, 0.99)]
    assert column(sums, "placebo_all_pairs") == pytest.approx(1e6 * sum(both) / 2, abs=2)


def test_waiting_shares_are_summed_alone_and_together() -> None:
    own, other = sample(0.8, 1.0, 0.8), sample(0.8, NAN, 0.8, OTHER)
    own.waiting[:] = 0.2, 0.1, 0.3
    other.waiting[:] = 0.4, NAN, 1.7  # a sampler above all cycles counts as all of them
    sums = sums_of(own, other)
    assert column(sums, "waiting_alone_sum") == 100_000
    assert column(sums, "waiting_together_count") == 4
    assert column(sums, "waiting_together_sum") == 1_900_000


def test_time_alone_counts_as_undisturbed() -> None:
    sums = sums_of(sample(0.80, 1.00, 0.82))
    sums[PLACE["shared_us"]], sums[PLACE["lone_us"]] = 1, 3
    assert whole_time(algorithm_4, sums, SETTINGS) == Fraction(81, 400) + Fraction(3, 4)


windows = st.tuples(*(st.floats(0.05, 4.0) for _ in range(3)))


@settings(max_examples=few(200))
@given(st.lists(windows, min_size=1, max_size=30))
def test_sums_give_algorithm_4_and_the_mean_of_ratios(
    blocks: list[tuple[float, float, float]],
) -> None:
    # Rounded to the log's unit, and not next to delta, so that no block changes sides.
    selected = [block for block in blocks if abs(abs(block[0] - block[2]) - 0.05) > 1e-5]
    means = np.round(np.array([*selected, (1.0, 1.0, 1.0)]) * 5e5) / 5e5
    sums = sums_of(*(sample(*block) for block in means.tolist()))
    assert float(algorithm_4(sums, SETTINGS)) == pytest.approx(filtered_prediction(means))
    literal = literal_prediction([([b], [d], [a]) for b, d, a in means.tolist()])
    assert float(algorithm_4(sums, SETTINGS)) == pytest.approx(literal)
    assert float(unfiltered(sums, SETTINGS)) == pytest.approx(unfiltered_prediction(means))
    assert float(block_ratios(sums, SETTINGS)) == pytest.approx(ratios(means).mean(), abs=1e-6)


@settings(max_examples=few(100))
@given(st.lists(st.tuples(windows, st.sampled_from([OWN, NOBODY, OTHER]))), st.randoms())
def test_the_order_of_blocks_and_minutes_changes_no_sum(
    blocks: list[tuple[tuple[float, float, float], int]], rng: np.random.Generator
) -> None:
    samples = [sample(*block, kind) for block, kind in blocks]
    whole = sums_of(*samples)
    shuffled = sorted(samples, key=lambda _: rng.random())
    half = len(samples) // 2
    total = sums_of(*shuffled[:half])
    add_to(total, sums_of(*shuffled[half:]))
    assert total == whole


def test_steady_blocks_with_placebos_are_unbiased_where_the_filter_is_not() -> None:
    """Independent noise of 5 %, true ratio 1: the filter gives 0.95, sums of steady blocks 1."""
    rng = np.random.default_rng(0)
    noisy = 1 + rng.normal(0, 0.05, (4000, 3))
    kinds = np.where(np.arange(4000) % 5 == 4, NOBODY, OWN)
    sums = sums_of(
        *(sample(b, d, a, int(kind)) for (b, d, a), kind in zip(noisy, kinds, strict=True))
    )
    assert float(algorithm_4(sums, SETTINGS)) == pytest.approx(0.945, abs=0.01)
    assert float(steady(sums, SETTINGS)) == pytest.approx(1.0, abs=0.005)


def test_raw_samples_keep_every_bit() -> None:
    one = sample(0.1 + 0.2, NAN, 1 / 3)
    back = unpacked(OWN, packed(one))
    assert np.array_equal(back.instructions, one.instructions, equal_nan=True)
    assert np.array_equal(back.cycles, one.cycles, equal_nan=True)
    assert np.isnan(back.waiting).all()


def test_estimators_that_need_samples_are_known() -> None:
    """What the sums cannot give: both choose blocks, or correct them, after the run."""
    assert {PlaceboCorrected().name, SpinCorrected().name} == {"placebo", "spin"}
