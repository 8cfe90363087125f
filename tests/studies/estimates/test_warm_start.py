"""A simulation from the middle of a log on: by hand, laws, and what it changes on a real log."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.studies.estimates.warm_start import simulate_from_record
from planner.errors import InputError
from planner.scheduling.estimates.deviation import deviation
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.recorded import recorded_schedule
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.simulation.literal import drawn_log, made_log
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

FCFS = find_policy("fcfs")
EASY = find_policy("easy")
LOG = replace(
    made_log([(0, 100, 3, 100), (10, 50, 4, 60), (20, 80, 1, 80), (60, 4, 2, 20)]),
    wait_s=np.array([0, 90, 100, -1]),
)


def test_a_restart_worked_by_hand() -> None:
    # at 50 s job 1 holds 3 of 4 processors until 100; jobs 2 and 3 wait, and job 4 comes at 60
    log, easy = simulate_from_record(LOG, EASY, 50, 4)
    assert log.number.tolist() == easy.number.tolist() == [2, 3, 4]
    # job 3 would delay job 2 beyond 100; after job 2 both fit
    assert easy.start_s.tolist() == [100, 150, 150]
    assert easy.wait_s.tolist() == [90, 130, 90]
    assert simulate_from_record(LOG, FCFS, 50, 4).schedule.start_s.tolist() == [100, 150, 150]
    # with 5 processors job 3 fits beside job 2, and starts at once where it may overtake
    assert simulate_from_record(LOG, FCFS, 50, 5).schedule.start_s.tolist() == [100, 100, 150]
    assert simulate_from_record(LOG, EASY, 50, 5).schedule.start_s.tolist() == [100, 50, 150]


def test_a_job_that_ends_or_starts_at_the_very_time_is_not_held() -> None:
    # job 1 ends then, and job 2 starts; whether job 4 waited by then is not recorded
    log, schedule = simulate_from_record(LOG, FCFS, 100, 4)
    assert log.number.tolist() == [2, 3]
    assert schedule.start_s.tolist() == [100, 150]


@given(st.integers(0, 10_000))
@settings(max_examples=few(30))
def test_a_recorded_schedule_by_a_policy_goes_on_as_it_was(seed: int) -> None:
    rng = np.random.default_rng(seed)
    log = drawn_log(rng, 12, 4)
    log = log.take(log.processors <= 4)
    log = replace(log, requested_s=log.run_s)  # the ends of what runs are known
    played = simulate(log, FCFS, processors=4).schedule
    log = replace(log, wait_s=played.wait_s)
    at = int(rng.integers(0, int(played.start_s.max()) + 1))
    rest, schedule = simulate_from_record(log, FCFS, at, 4)
    assert schedule.start_s.tolist() == played.start_s[played.start_s >= at].tolist()
    assert (schedule.submit_s == rest.submit_s).all()
    assert deviation(recorded_schedule(rest, 4), schedule).largest_gap_jobs == 0


def test_where_nothing_can_be_played_is_said() -> None:
    with pytest.raises(InputError, match="no job of made starts after 250 s; begin earlier"):
        simulate_from_record(LOG, EASY, 250, 4)
    with pytest.raises(InputError, match="at 110 s made ran jobs on 5 processors"):
        simulate_from_record(replace(LOG, wait_s=np.array([0, 90, 80, 99])), EASY, 110, 4)


@needs_data
def test_an_empty_start_is_forgotten_within_a_year_of_theta() -> None:
    log = read_job_log(TRACES / "theta_2022.swf.gz", clean=Cleaning(overruns="keep"))
    month = int(log.submit_s.min()) + 30 * 86400
    rest, warm = simulate_from_record(log, EASY, month, 4360)
    later = rest.submit_s >= month
    cold = simulate(rest.take(later), EASY).schedule
    recorded = recorded_schedule(rest, 4360).take(later)
    results = [deviation(recorded, item) for item in (warm.take(later), cold)]
    assert [item.jobs for item in results] == [20_825, 20_825]
    assert [item.area_h_per_job for item in results] == pytest.approx([21.6, 21.6], abs=0.05)
    first = recorded.submit_s < month + 7 * 86400
    week = [deviation(recorded.take(first), item.take(first)) for item in (warm.take(later), cold)]
    assert [item.rank_correlation for item in week] == pytest.approx([0.38, 0.17], abs=0.005)
