"""A job whose input is larger or smaller than the table's."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.power.problem import PowerJobs


def _jobs(scale: Sequence[float]) -> PowerJobs:
    ones = np.ones(2, np.int64)
    return PowerJobs(ones, ones, ones, ones, ones, np.ones(2), np.array(scale))


def test_without_a_scale_a_job_takes_the_time_of_the_table() -> None:
    jobs = _jobs([])
    assert jobs.time_scale.tolist() == [1, 1]
    assert jobs.expected_ms(1, np.array([439_200])).tolist() == [439_200]


def test_scaled_times_round_up_to_whole_milliseconds() -> None:
    # 3 x 0.1 is 0.30000000000000004 in floating point: still 3 x 100 ms = 300 ms, not 301.
    jobs = _jobs([0.1, 0.333])
    assert jobs.expected_ms(0, np.array([3000, 3001, 1])).tolist() == [300, 301, 1]
    assert jobs.expected_ms(1, np.array([1000, 10])).tolist() == [333, 4]


@pytest.mark.parametrize("scale", [[1.0, 0.0], [1.0, -2.0], [np.nan, 1.0], [np.inf, 1.0]])
def test_a_scale_that_is_not_above_zero_is_refused(scale: list[float]) -> None:
    with pytest.raises(InputError, match="time scale"):
        _jobs(scale)


def test_scales_of_another_number_of_jobs_are_refused() -> None:
    with pytest.raises(InputError, match="different lengths"):
        _jobs([1.0])
