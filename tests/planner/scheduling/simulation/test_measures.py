"""Measures worked by hand, printed means, and what is not defined."""

from __future__ import annotations

import json
from dataclasses import astuple, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.scheduling.simulation.job_measures import bounded_slowdown, slowdown
from planner.scheduling.simulation.measures import measure
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from planner.scheduling.simulation.steps import (
    Steps,
    jobs_waiting,
    processors_in_use,
    processors_waiting,
    sum_of_intervals,
)
from planner.scheduling.simulation.trimming import all_measured, trim_by_share
from planner.scheduling.simulation.user_measures import jain_index, measure_users
from tests.planner.scheduling.simulation.literal import drawn_log, easy, made_log, schedule_of
from tests.planner.scheduling.simulation.published import published
from tests.shared_data import needs_data

LOG = made_log([(0, 100, 3, 100), (10, 50, 4, 60), (20, 80, 1, 80), (30, 4, 2, 20)], [7, 8, 7, 8])
HAND = schedule_of(LOG, 4, np.array([0, 100, 20, 150]))


def test_a_schedule_worked_by_hand() -> None:
    measures = measure(HAND)
    # waits 0, 90, 0, 120; turnarounds 100, 140, 80, 124; the last runs 4 s, bounded by 10 s
    assert measures.wait_s is not None
    assert astuple(measures.wait_s) == pytest.approx((52.5, 45.0, 111.0, 115.5, 119.1, 120.0))
    assert measures.turnaround_s is not None
    assert measures.turnaround_s.mean == 111.0
    assert measures.slowdown is not None
    assert measures.slowdown.mean == pytest.approx((1 + 2.8 + 1 + 31) / 4)
    assert measures.bounded_slowdown is not None
    assert measures.bounded_slowdown.mean == pytest.approx((1 + 2.8 + 1 + 12.4) / 4)
    # 300 + 200 + 80 + 8 processor-seconds in 154 s of 4 processors
    assert measures.makespan_s == 154
    assert measures.utilisation == pytest.approx(588 / 616)
    assert measures.window_utilisation == pytest.approx(588 / 616)
    assert measures.throughput_per_h == pytest.approx(4 * 3600 / 154)
    assert measures.core_hours_done == pytest.approx(588 / 3600)
    assert measures.core_hours_killed == 0
    # waiting: 2 from 10 to 100, 4 from 30 to 150; 4 and 2 processors
    assert measures.mean_jobs_waiting == pytest.approx((90 + 120) / 154)
    assert measures.max_jobs_waiting == 2
    assert measures.mean_processors_waiting == pytest.approx((360 + 240) / 154)
    assert measures.max_processors_waiting == 6
    # users 7 and 8 wait 0 and 105 on average and run 380 and 208 processor-seconds
    assert measures.jain_wait == pytest.approx(0.5)
    assert measures.jain_core_hours == pytest.approx(588**2 / (2 * (380**2 + 208**2)))
    assert measures.largest_core_hour_share == pytest.approx(380 / 588)


def test_all_jobs_are_the_schedule_itself_and_some_are_not() -> None:
    assert HAND.take(HAND.started) is HAND
    assert HAND.take(np.array([True, False, True, True])).number.tolist() == [1, 3, 4]
    assert HAND.take(np.array([0])).number.tolist() == [1]


def test_users_worked_by_hand() -> None:
    by_user = measure_users(HAND)
    assert by_user.user.tolist() == [7, 8]
    assert by_user.jobs.tolist() == [2, 2]
    assert by_user.mean_wait_s.tolist() == [0, 105]
    assert by_user.mean_bounded_slowdown.tolist() == pytest.approx([1, 7.6])
    assert by_user.share.sum() == pytest.approx(1)


def test_killed_and_rejected_jobs_are_counted_apart() -> None:
    killed = np.array([False, True, False, False])
    start = np.array([0, 100, NEVER, 150])
    schedule = replace(HAND, killed=killed, start_s=start, rejected={3: "too large"})
    measures = measure(schedule)
    assert (measures.jobs, measures.jobs_killed, measures.jobs_rejected) == (3, 1, 1)
    assert measures.core_hours_killed == pytest.approx(200 / 3600)
    assert measures.core_hours_done == pytest.approx(308 / 3600)
    assert measures.wait_s is not None
    assert measures.wait_s.mean == 70


KEYS = (
    "policy event_order estimates jobs mean_wait_s median_wait_s mean_bounded_slowdown max_wait_s "
    "utilisation makespan_s"
)


@pytest.mark.parametrize("rejected", [False, True])
def test_nothing_to_measure_is_none_and_never_nan(rejected: bool) -> None:
    none = schedule_of(made_log([]), 4, np.zeros(0, np.int64))
    if rejected:
        why = dict.fromkeys(LOG.number.tolist(), "too large")
        none = replace(HAND, start_s=np.full(4, NEVER), rejected=why)
    flat = measure(none).to_dict()
    assert json.loads(json.dumps(flat, allow_nan=False)) == flat
    assert list(flat)[:10] == KEYS.split()
    for key in ("mean_wait_s", "utilisation", "makespan_s", "jain_wait", "throughput_per_h"):
        assert flat[key] is None
    assert flat["jobs"] == 0
    assert flat["jobs_rejected"] == 4 * rejected


def test_one_job_without_length_is_defined() -> None:
    one = schedule_of(made_log([(5, 0, 2, 1)]), 4, np.array([5]))
    flat = measure(one).to_dict()
    json.dumps(flat, allow_nan=False)
    assert flat["makespan_s"] == 0
    assert flat["utilisation"] is None
    assert flat["mean_bounded_slowdown"] == flat["mean_slowdown"] == 1


def test_the_flat_object_holds_each_measure_once_and_by_name() -> None:
    flat = measure(HAND).to_dict()
    assert flat["p90_wait_s"] == 111
    assert flat["max_bounded_slowdown"] == pytest.approx(12.4)
    assert flat["users"] == 2
    assert flat["mean_slowdown"] == pytest.approx(8.95)
    assert all(not isinstance(value, dict | list | np.generic) for value in flat.values())


def test_the_slowdown_of_no_run_time_has_no_mean_once_it_waits() -> None:
    schedule = schedule_of(made_log([(0, 5, 4, 5), (0, 0, 1, 1)]), 4, np.array([0, 5]))
    assert slowdown(schedule).tolist() == [1, np.inf]
    assert measure(schedule).slowdown is None
    assert bounded_slowdown(schedule).tolist() == [1, 1]


@needs_data
@pytest.mark.parametrize(
    ("name", "mean_wait_s"),
    [
        ("SDSC-SP2_EASY_pyss-predictsim-2015", 20_497.7610),
        ("SDSC-SP2_EASY-clairvoyant_pyss-predictsim-2015", 17_337.1056),
        ("SDSC-BLUE_EASY_pyss-predictsim-2015", 7_690.8443),
        ("SDSC-BLUE_EASY-clairvoyant_pyss-predictsim-2015", 7_336.3152),
        ("SDSC-SP2-10k_fcfs_pyss-2007", 26_898.4466),
        ("SDSC-SP2-10k_easy_pyss-2007", 6_719.4663),
        ("SDSC-SP2-10k_cons_pyss-2007", 6_841.7904),
    ],
)
def test_published_mean_waits(name: str, mean_wait_s: float) -> None:
    flat = measure(published(name)).to_dict()
    assert flat["mean_wait_s"] == pytest.approx(mean_wait_s, abs=5e-5)


def test_trimmed_jobs_are_not_measured_but_hold_the_machine() -> None:
    measures = measure(HAND, trim_by_share(HAND, 0.25, 0.25))
    assert (measures.jobs, measures.jobs_left_out) == (2, 2)
    assert measures.wait_s is not None
    assert measures.wait_s.mean == 45
    assert measures.makespan_s == 154
    # from 10 to 20 s three processors run, from the submission of job 2 to that of job 3
    assert measures.window_utilisation == pytest.approx(3 / 4)
    assert measures.mean_jobs_waiting == 1


def test_steps_worked_by_hand() -> None:
    used = processors_in_use(HAND)
    # at 100 s four processors change hands: no step
    assert used.time_s.tolist() == [0, 20, 150, 154]
    assert used.value.tolist() == [3, 4, 2, 0]
    assert used.at(np.array([-1, 0, 19, 20, 153, 154])).tolist() == [0, 3, 3, 4, 2, 0]
    assert used.integral(0, 154) == 588
    assert used.integral(10, 30) == 30 + 40
    assert used.mean(5, 5) is None
    assert processors_waiting(HAND).largest() == 6


def test_steps_of_nothing() -> None:
    nothing = sum_of_intervals(*(np.zeros(0, np.int64),) * 3)
    assert nothing.largest() == 0
    assert nothing.integral(0, 9) == 0
    assert nothing.at(np.array([3])).tolist() == [0]


intervals = st.lists(
    st.tuples(st.integers(-20, 20), st.integers(0, 15), st.integers(1, 5)), max_size=12
)


@given(intervals)
def test_steps_are_the_sum_at_every_second(parts: list[tuple[int, int, int]]) -> None:
    table = np.array(parts, np.int64).reshape(-1, 3)
    start, end, height = table[:, 0], table[:, 0] + table[:, 1], table[:, 2]
    steps: Steps = sum_of_intervals(start, end, height)
    times = np.arange(-25, 40)
    literal = [int(height[(start <= t) & (t < end)].sum()) for t in times.tolist()]
    assert steps.at(times).tolist() == literal
    assert steps.integral(-25, 40) == sum(literal)
    assert steps.largest() == max(literal)
    assert (np.diff(steps.time_s) > 0).all()
    assert (np.diff(steps.value) != 0).all()


@given(st.lists(st.floats(0, 1e300), min_size=1, max_size=9))
def test_jains_index_lies_between_one_over_n_and_one(values: list[float]) -> None:
    index = jain_index(values)
    assert index is not None
    assert 1 / len(values) - 1e-12 <= index <= 1 + 1e-12


def test_little_holds_queue_and_waits_together() -> None:
    """Little's law: the area under the queue is the sum of the waits."""
    for seed in range(10):
        schedule = easy(drawn_log(np.random.default_rng(seed), 40, 8), 8, "batch")
        area = jobs_waiting(schedule).integral(0, int(schedule.end_s.max()))
        assert area == schedule.wait_s.sum()


def permuted(schedule: JobSchedule) -> JobSchedule:
    return schedule.take(np.random.default_rng(0).permutation(len(schedule)))


def test_the_order_of_rows_changes_no_measure() -> None:
    schedule = easy(drawn_log(np.random.default_rng(3), 60, 8), 8, "batch")
    one, other = measure(schedule).to_dict(), measure(permuted(schedule)).to_dict()
    assert one.keys() == other.keys()
    for key, value in one.items():
        assert other[key] == (pytest.approx(value) if isinstance(value, float) else value)
    assert all_measured(schedule).end_s == schedule.end_s.max()
