from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.estimates.replay import replay
from planner.scheduling.estimates.predictors.last_two import LastTwo
from planner.scheduling.estimates.predictors.margin import with_margin
from planner.scheduling.estimates.predictors.predictor import Known
from planner.scheduling.policies.problem import EventOrder
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.estimates.predictors.habits import habits, schedule_of
from tests.shared_data import TRACES, needs_data


def _known() -> Known:
    codes = np.array([4, 4, 9, 4, 4, 4], np.int32)
    requested = np.array([50, 60, 70, 80, 12, 90])
    return Known(np.arange(6), np.ones(6, np.int64), requested, codes, codes, codes)


def test_worked_by_hand() -> None:
    # User 4 ran 10 and 25 s: (10 + 25) // 2 = 17, at most the request of 12; then 25 and 0: 12.
    passing = LastTwo().begin(_known())
    rows = np.array([2, 3, 4])
    passing.learn(np.array([0]), np.array([10]))
    assert passing.predict(rows).tolist() == [70, 80, 12]
    passing.learn(np.array([1]), np.array([25]))
    assert passing.predict(rows).tolist() == [70, 17, 12]
    passing.learn(np.array([3]), np.array([0]))
    assert passing.predict(np.array([5, 5])).tolist() == [12, 12]
    passing.learn(np.array([4]), np.array([0]))
    assert passing.predict(np.array([5])).tolist() == [1]


def test_a_margin_lengthens_up_to_the_request() -> None:
    passing = with_margin(LastTwo(), 1.5).begin(_known())
    passing.learn(np.array([0, 1]), np.array([10, 25]))
    assert passing.predict(np.array([3, 4, 2])).tolist() == [26, 12, 70]  # 17 * 1.5 = 25.5
    assert with_margin(LastTwo(), 1.5).name == "last-two x 1.5"


@pytest.mark.parametrize("order", ["reference", "batch"])
@pytest.mark.parametrize("seed", range(6))
def test_it_predicts_what_easy_by_predictions_planned_with(order: EventOrder, seed: int) -> None:
    log = habits(500, seed)
    log.processors[17] = 65  # too large: never starts
    schedule = schedule_of(log, "tsafrir", order)
    predicted_s = replay(LastTwo(), log, schedule).predicted_s
    assert schedule.estimate_s is not None
    assert np.array_equal(predicted_s[schedule.started], schedule.estimate_s[schedule.started])
    assert schedule.started.sum() == len(log) - 1
    assert (predicted_s < log.requested_s).mean() > 0.5


@needs_data
def test_on_a_real_log_it_predicts_what_easy_by_predictions_planned_with() -> None:
    log = read_job_log(TRACES / "SDSC-SP2.swf.gz")
    schedule = schedule_of(log, "tsafrir")
    assert schedule.estimate_s is not None
    assert np.array_equal(replay(LastTwo(), log, schedule).predicted_s, schedule.estimate_s)
