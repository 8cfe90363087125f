"""A simulated schedule beside the recorded one: by hand, laws, and a real log with its waits."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from functools import cache

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.errors import InputError
from planner.scheduling.estimates.deviation import completions, deviation
from planner.scheduling.estimates.nearly_idle import nearly_idle
from planner.scheduling.estimates.validation import (
    Validation,
    validate,
    waiting_beside_room,
)
from planner.scheduling.policies.problem import Unavailable
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.recorded import recorded_schedule
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.simulation.literal import drawn_log, made_log, schedule_of
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

LOG = replace(
    made_log([(0, 100, 3, 100), (10, 50, 4, 60), (20, 80, 1, 80), (30, 4, 2, 20)]),
    wait_s=np.array([0, 90, 100, 150]),
)
# recorded ends 100, 150, 200, 184; simulated ends 100, 150, 100, 154
SIMULATED = replace(schedule_of(LOG, 4, np.array([0, 100, 20, 150])), policy="by hand")
SEEDS = st.integers(0, 10_000)
FEW = settings(max_examples=few(40))


def two_schedules(seed: int) -> tuple[JobLog, JobSchedule, JobSchedule]:
    rng = np.random.default_rng(seed)
    log = drawn_log(rng, int(rng.integers(1, 12)), 4)
    log = replace(log, wait_s=rng.integers(0, 9, len(log)))
    other = replace(log, wait_s=rng.integers(0, 9, len(log)))
    return log, recorded_schedule(log, 4), recorded_schedule(other, 4)


def test_a_deviation_worked_by_hand() -> None:
    result = deviation(recorded_schedule(LOG, 4), SIMULATED)
    # completed: recorded 1 from 100, 2 from 150, 3 from 184, 4 from 200; simulated 2, 3, 4 from
    # 100, 150, 154. One apart from 100 to 154, two to 184, one to 200: 54 + 60 + 16 = 130
    assert (result.policy, result.jobs) == ("by hand", 4)
    assert (result.largest_gap_jobs, result.largest_gap_at_s) == (2, 154)
    assert result.largest_gap_percent == 50
    assert result.mean_gap_jobs == pytest.approx(130 / 200)
    assert result.mean_gap_percent == pytest.approx(25 * 130 / 200)
    assert result.area_h_per_job == pytest.approx(130 / 4 / 3600)
    # waits 0, 90, 100, 150 and 0, 90, 0, 120
    assert result.mean_lead_h == pytest.approx((100 + 30) / 4 / 3600)
    assert result.mean_wait_ratio == pytest.approx(210 / 340)
    assert result.mean_wait_error_s == pytest.approx(130 / 4)
    assert result.median_wait_error_s == 15
    assert result.wait_correlation == pytest.approx(
        scipy.stats.pearsonr([0, 90, 100, 150], [0, 90, 0, 120])[0]
    )
    # ranks 1, 2, 3, 4 and 1.5, 3, 1.5, 4
    # 1.5 - 0.25 - 0.5 + 2.25 from their means
    assert result.rank_correlation == pytest.approx(3 / (5 * 4.5) ** 0.5)


def test_a_validation_worked_by_hand() -> None:
    result = validate(LOG, SIMULATED)
    assert (result.name, result.jobs, result.jobs_left_out) == ("made", 4, 0)
    assert [outcome.policy for outcome in result.outcomes] == ["by hand", "fcfs", "at submission"]
    assert [schedule.policy for schedule in result.schedules] == [
        "recorded",
        "by hand",
        "fcfs",
        "at submission",
    ]
    # first come first served: starts 0, 100, 150 and 150
    assert result.schedules[2].start_s.tolist() == [0, 100, 150, 150]
    assert result.outcomes[1].mean_wait_s == (0 + 90 + 130 + 120) / 4
    # 3 x 100 + 4 x 50 + 80 + 8 processor-seconds in 200 s of 4 processors
    recorded = result.recorded
    assert recorded.utilisation == pytest.approx(588 / 800)
    assert (recorded.mean_wait_s, recorded.median_wait_s) == (85, 95)
    assert recorded.most_processors == 5
    assert recorded.hours_over_machine == pytest.approx(30 / 3600)
    # all four at once from 30 to 34: 10 processors, and more than 4 from 10 to 60
    at_once = result.outcomes[2]
    assert at_once.most_processors == 10
    assert at_once.hours_over_machine == pytest.approx(50 / 3600)
    assert at_once.waiting_beside_room_percent is None
    rows = result.rows()
    assert [row["policy"] for row in rows] == ["recorded", "by hand", "fcfs", "at submission"]
    assert len({tuple(sorted(row)) for row in rows}) == 1
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows
    assert rows[0]["largest_gap_jobs"] is None
    assert rows[3]["wait_correlation"] is None


def test_waiting_beside_room_worked_by_hand() -> None:
    # recorded: 3 in use to 100, 4 to 120, 5 to 150, 1 to 180, 3 to 184, 1 to 200. Job 3, of one
    # processor, could have run from 20 to 100; job 4, of two, from 150 to 180
    assert waiting_beside_room(recorded_schedule(LOG, 4)) == pytest.approx((80 + 30) / 340)
    # simulated: 3 in use, 4 from 20, 4 from 100; job 4 waits until 150, as job 2
    assert waiting_beside_room(SIMULATED) == 0


@given(SEEDS)
@FEW
def test_waiting_beside_room_is_what_counting_seconds_gives(seed: int) -> None:
    _, schedule, _ = two_schedules(seed)
    beside = 0
    for job in range(len(schedule)):
        for now in range(int(schedule.submit_s[job]), int(schedule.start_s[job])):
            runs = (schedule.start_s <= now) & (now < schedule.end_s)
            beside += 4 - int(schedule.processors[runs].sum()) >= schedule.processors[job]
    waited = int(schedule.wait_s.sum())
    assert waiting_beside_room(schedule) == (pytest.approx(beside / waited) if waited else None)


@given(SEEDS)
@FEW
def test_gaps_are_what_counting_seconds_gives(seed: int) -> None:
    _, one, other = two_schedules(seed)
    result = deviation(one, other)
    last = int(max(one.end_s.max(), other.end_s.max()))
    gaps = [abs(int((one.end_s <= t).sum() - (other.end_s <= t).sum())) for t in range(last + 1)]
    assert result.largest_gap_jobs == max(gaps)
    assert gaps[result.largest_gap_at_s] == max(gaps)
    assert result.area_h_per_job * 3600 * len(one) == pytest.approx(sum(gaps))
    assert result.mean_gap_jobs == pytest.approx(sum(gaps) / (last - int(one.submit_s.min())))
    assert result.area_h_per_job * 3600 == pytest.approx(
        scipy.stats.wasserstein_distance(one.end_s, other.end_s)
    )


@given(SEEDS)
@FEW
def test_a_deviation_is_symmetric_and_bounded_by_the_waits(seed: int) -> None:
    _, one, other = two_schedules(seed)
    there, back = deviation(one, other), deviation(other, one)
    own = ("policy", "mean_lead_h", "mean_wait_ratio")
    for name, value in asdict(there).items():
        if name not in own:
            assert getattr(back, name) == pytest.approx(value), name
    assert back.mean_lead_h == pytest.approx(-there.mean_lead_h)
    # jobs that swap their ends are wrong one by one and right together
    assert abs(there.mean_lead_h) <= there.area_h_per_job + 1e-12
    assert there.area_h_per_job * 3600 <= there.mean_wait_error_s + 1e-9
    assert there.mean_gap_jobs <= there.largest_gap_jobs
    assert there.largest_gap_jobs <= there.jobs


@given(SEEDS)
@FEW
def test_a_schedule_does_not_deviate_from_itself(seed: int) -> None:
    _, one, _ = two_schedules(seed)
    result = deviation(one, one)
    assert result.jobs == len(one)
    gaps = (
        result.largest_gap_jobs,
        result.mean_gap_jobs,
        result.area_h_per_job,
        result.mean_lead_h,
    )
    errors = (result.mean_wait_error_s, result.median_wait_error_s)
    assert (gaps, errors) == ((0, 0, 0, 0), (0, 0))
    assert result.mean_wait_ratio in (1, None)
    for item in (result.wait_correlation, result.rank_correlation):
        assert item is None or item == pytest.approx(1)


@given(SEEDS)
@FEW
def test_ranks_are_correlated_as_by_spearman(seed: int) -> None:
    _, one, other = two_schedules(seed)
    result = deviation(one, other)
    if result.rank_correlation is not None:
        expected = scipy.stats.spearmanr(one.wait_s, other.wait_s).statistic
        assert result.rank_correlation == pytest.approx(expected, abs=1e-12)
        assert result.wait_correlation == pytest.approx(
            scipy.stats.pearsonr(one.wait_s, other.wait_s)[0], abs=1e-12
        )


def test_completions_count_jobs_that_end_together() -> None:
    steps = completions(SIMULATED)
    assert steps.time_s.tolist() == [100, 150, 154]
    assert steps.value.tolist() == [2, 3, 4]


def test_jobs_without_a_wait_are_left_out() -> None:
    part = replace(LOG, wait_s=np.array([-1, -1, 100, 150]))
    result = validate(part, SIMULATED)
    assert (result.jobs, result.jobs_left_out) == (2, 2)
    assert result.schedules[0].number.tolist() == [3, 4]
    assert result.deviations[0].mean_wait_error_s == (100 + 30) / 2
    assert recorded_schedule(part, 4).rejected == {1: "no recorded wait", 2: "no recorded wait"}
    assert result.recorded.jobs == 2


def test_jobs_larger_than_the_machine_are_left_out() -> None:
    played = simulate(LOG, find_policy("easy"), processors=3).schedule
    result = validate(LOG, played)
    assert (result.jobs, result.jobs_left_out, result.machine_processors) == (3, 1, 3)
    # so they are where a schedule from elsewhere says that they started
    assert validate(LOG, replace(SIMULATED, machine_processors=3)).jobs == 3


def test_first_come_first_served_takes_whole_nodes_where_the_schedule_does() -> None:
    played = simulate(LOG, find_policy("fcfs"), processors=8, node_processors=4).schedule
    result = validate(LOG, played)
    assert result.schedules[2].processors.tolist() == [4, 4, 4, 4]
    assert result.schedules[2].start_s.tolist() == played.start_s.tolist() == [0, 10, 60, 100]
    assert result.schedules[0].processors.tolist() == [3, 4, 1, 2]


def test_what_cannot_be_compared_is_refused() -> None:
    with pytest.raises(InputError, match="made has no recorded waits"):
        validate(replace(LOG, wait_s=np.full(4, -1)), SIMULATED)
    cut = replace(LOG, killed=np.array([True, False, False, True]))
    with pytest.raises(InputError, match=r"2 runs of made were cut .* --clean overruns=keep"):
        validate(cut, SIMULATED)
    with pytest.raises(InputError, match="has other jobs than made; simulate this log"):
        validate(LOG, SIMULATED.take(np.arange(3)))
    with pytest.raises(InputError, match="has other jobs than"):
        validate(LOG, replace(SIMULATED, submit_s=LOG.submit_s + 1))
    never = replace(SIMULATED, start_s=np.full(4, NEVER))
    with pytest.raises(InputError, match="no job of made has both a recorded wait and a simulated"):
        validate(LOG, never)


def test_windows_of_a_nearly_idle_machine_worked_by_hand() -> None:
    # 4 of 40 processors run from 0 to 50 while a job waits from 20 to 90, and another to 95
    log = made_log([(0, 50, 4, 50), (20, 10, 40, 10), (92, 1, 1, 1)])
    schedule = schedule_of(log, 40, np.array([0, 90, 95]))
    whole = Unavailable(50, 90, 40)
    assert nearly_idle(schedule, share=0.1, least_s=40) == (whole,)
    assert nearly_idle(schedule, share=0.1, least_s=41) == ()
    assert nearly_idle(schedule, share=0.2, least_s=41) == (Unavailable(20, 90, 36),)
    assert nearly_idle(schedule, share=0.2, least_s=1) == (Unavailable(20, 90, 36),)
    assert validate(
        replace(log, wait_s=np.array([0, 70, 3])), schedule
    ).recorded.nearly_idle_hours == pytest.approx(0)


def test_hours_of_a_nearly_idle_machine_are_counted_from_one_hour_on() -> None:
    log = replace(made_log([(0, 9, 4, 9), (0, 9, 4, 9)]), wait_s=np.array([3600, 10_800]))
    result = validate(log, simulate(log, find_policy("fcfs"), processors=4).schedule)
    # 3600 s before the first, and 7191 s between both
    assert result.recorded.nearly_idle_hours == pytest.approx((3600 + 7191) / 3600)
    assert result.outcomes[0].nearly_idle_hours == 0


@cache
def theta() -> JobLog:
    return read_job_log(TRACES / "theta_2022.swf.gz", clean=Cleaning(overruns="keep"))


@cache
def theta_under(policy: str) -> Validation:
    return validate(theta(), simulate(theta(), find_policy(policy)).schedule)


@needs_data
def test_the_recorded_schedule_of_theta() -> None:
    recorded = theta_under("easy").recorded
    assert recorded.mean_wait_s == pytest.approx(90_413.1, abs=0.05)
    assert recorded.median_wait_s == 25_754
    # more nodes in use than there are, for a quarter of an hour of a year: rounded time stamps
    assert recorded.most_processors == 5084
    assert recorded.hours_over_machine == pytest.approx(0.252, abs=0.001)
    assert recorded.utilisation == pytest.approx(0.759, abs=0.001)
    assert recorded.nearly_idle_hours == pytest.approx(1355.63, abs=0.01)
    assert recorded.waiting_beside_room_percent == pytest.approx(41.14, abs=0.01)


@needs_data
def test_easy_on_theta_is_near_in_completions_and_far_in_single_waits() -> None:
    easy, fcfs, at_once = theta_under("easy").deviations
    assert easy.largest_gap_jobs == 314
    assert easy.area_h_per_job == pytest.approx(20.687, abs=0.001)
    assert easy.mean_wait_ratio == pytest.approx(0.4906, abs=0.0001)
    assert easy.rank_correlation == pytest.approx(0.212, abs=0.001)
    assert easy.area_h_per_job < at_once.area_h_per_job < fcfs.area_h_per_job
    # a machine without limits is nearer at the worst instant, and in single waits
    assert at_once.largest_gap_jobs == 194 < easy.largest_gap_jobs
    assert at_once.mean_wait_error_s < easy.mean_wait_error_s
    assert at_once.mean_lead_h == pytest.approx(90_413.1 / 3600, abs=0.001)


@needs_data
def test_outages_that_theta_does_not_name_explain_part_of_the_deviation() -> None:
    windows = nearly_idle(recorded_schedule(theta(), 4360))
    assert len(windows) == 77
    played = simulate(theta(), find_policy("easy"), unavailable=windows).schedule
    assert not played.killed.any()
    with_windows = deviation(recorded_schedule(theta(), 4360), played)
    without = theta_under("easy").deviations[0]
    assert with_windows.mean_wait_ratio == pytest.approx(0.7825, abs=0.0001)
    assert with_windows.area_h_per_job == pytest.approx(15.457, abs=0.001)
    assert with_windows.area_h_per_job < without.area_h_per_job
