"""Algorithm 4, and blocks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.errors import InputError
from planner.pricing.filtered import Filter, filtered_prediction, kept_blocks
from planner.pricing.samples import PLACEBO, blocks_of
from tests.planner.pricing.by_hand import literal_prediction

IPC = st.floats(0.1, 3.0)


def test_algorithm_4_keeps_relieved_blocks_only() -> None:
    means = np.array(
        [
            [0.80, 1.00, 0.82],  # kept
            [0.80, 1.00, 0.86],  # sides 0.06 apart
            [0.80, 0.79, 0.82],  # before above the window alone
            [0.80, 0.81, 0.82],  # after above the window alone
            [0.90, 1.10, 0.90],  # kept
        ]
    )
    assert kept_blocks(means).tolist() == [True, False, False, False, True]
    # means of the sides are 0.81 and 0.90
    assert filtered_prediction(means) == pytest.approx(1.71 / 2.10)


def test_a_difference_of_exactly_delta_is_dropped() -> None:
    assert not kept_blocks(np.array([[0.75, 1.0, 0.5]]), 0.25).any()


def test_without_kept_blocks_the_named_fallback_decides() -> None:
    means = np.array([[1.0, 0.9, 1.0], [1.0, 1.0, 0.8]])
    assert filtered_prediction(means) == pytest.approx(1.9 / 1.9)
    assert filtered_prediction(means[:1]) == pytest.approx(1 / 0.9)
    assert filtered_prediction(means[:1], Filter(fallback="no-discount")) == 1.0
    assert filtered_prediction(means[:0]) == 1.0


@given(st.lists(st.tuples(IPC, IPC, IPC), max_size=12), st.floats(0.01, 1.0))
def test_arrays_equal_the_literal_algorithm(
    windows: list[tuple[float, float, float]], delta: float
) -> None:
    literal = literal_prediction([([b], [d], [a]) for b, d, a in windows], delta)
    means = np.array(windows).reshape(-1, 3)
    assert filtered_prediction(means, Filter(delta)) == pytest.approx(literal, rel=1e-12)


@pytest.mark.parametrize("delta", [0.0, -0.1, float("nan")])
def test_a_filter_without_width_is_refused(delta: float) -> None:
    with pytest.raises(InputError, match="delta is"):
        Filter(delta)


def windows(k: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Three rounds of two jobs: job 0 alone, job 1 alone, placebo; IPC 1 together, 2 alone."""
    cycles = np.full((3, 3, k, 2), 100.0)
    instructions = np.full((3, 3, k, 2), 100.0)
    for alone in (0, 1):
        instructions[alone, 1, :, alone] = 200.0
        instructions[alone, 1, :, 1 - alone] = cycles[alone, 1, :, 1 - alone] = np.nan
    return instructions, cycles, np.array([0, 1, PLACEBO]), np.array([0.0, 10.0, 20.0])


def test_blocks_are_the_rounds_alone_and_the_placebos() -> None:
    instructions, cycles, shuttered, time_us = windows()
    blocks = blocks_of(instructions, cycles, shuttered, time_us, 1)
    assert blocks.time_us.tolist() == [10.0, 20.0]
    assert blocks.is_placebo.tolist() == [False, True]
    assert blocks.real.means.tolist() == [[1.0, 2.0, 1.0]]
    assert blocks.placebo.means.tolist() == [[1.0, 1.0, 1.0]]
    assert blocks.dropped == 0


def test_a_round_without_its_middle_window_is_dropped_and_counted() -> None:
    instructions, cycles, shuttered, time_us = windows()
    instructions[0, 1] = np.nan
    blocks = blocks_of(instructions, cycles, shuttered, time_us, 0)
    assert (len(blocks), blocks.dropped) == (1, 1)


@pytest.mark.parametrize("broken", [0.0, -5.0])
def test_counters_that_stand_still_or_go_backwards_drop_their_round(broken: float) -> None:
    instructions, cycles, shuttered, time_us = windows()
    cycles[2, 0, 0, 0] = broken
    assert blocks_of(instructions, cycles, shuttered, time_us, 0).dropped == 1


def test_a_round_whose_clock_goes_backwards_is_dropped_and_counted() -> None:
    instructions, cycles, shuttered, _ = windows()
    blocks = blocks_of(instructions, cycles, shuttered, np.array([5.0, 9.0, 7.0]), 0)
    assert (blocks.time_us.tolist(), blocks.dropped) == ([5.0], 1)


def test_a_log_without_rounds_has_no_blocks() -> None:
    nothing = np.empty((0, 3, 1, 2))
    blocks = blocks_of(nothing, nothing, np.empty(0, dtype=np.int64), np.empty(0), 0)
    assert (len(blocks), blocks.dropped) == (0, 0)


def test_one_missing_sample_of_several_leaves_its_window() -> None:
    instructions, cycles, shuttered, time_us = windows(k=3)
    instructions[0, 0, 1, 0] = np.nan
    instructions[0, 0, 2, 0] = 400.0
    blocks = blocks_of(instructions, cycles, shuttered, time_us, 0)
    assert blocks.dropped == 0
    assert blocks.means[0, 0] == pytest.approx(2.5)  # mean of 1 and 4
