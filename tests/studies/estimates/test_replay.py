from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from benchmarks.studies.estimates.replay import accuracy, replay
from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import Integers, Known, Predicting, Rows
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from scenarios.job_logs.job_log import JobLog
from tests.planner.scheduling.estimates.predictors.habits import habits, job_log, schedule_of


@dataclass
class Diary:
    """A predictor that writes down what it is asked and told, and says how often it was told."""

    name: str = "diary"
    lines: list[str] = field(default_factory=list)

    def begin(self, known: Known, seed: int = 0) -> Predicting:
        self.lines.append(f"seed {seed}, {len(known.submit_s)} jobs")
        return self

    def predict(self, rows: Rows) -> Integers:
        self.lines.append(f"predict {rows.tolist()}")
        return np.full(len(rows), len(self.lines))

    def learn(self, rows: Rows, run_s: Integers) -> None:
        self.lines.append(f"learn {rows.tolist()} {run_s.tolist()}")


def _made(rows: Sequence[tuple[int, int, int]], order: str) -> tuple[JobLog, JobSchedule]:
    """Jobs of (submit, start, run)."""
    submit, start, run = np.array(rows).T
    ones = np.ones(len(rows), np.int64)
    log = job_log(submit, run, ones, run + 5, ones)
    schedule = schedule_of(log)
    return log, replace(schedule, start_s=start, event_order=order)


ROWS = (
    (0, 6, 4),  # ends at 10
    (3, 5, 5),  # ends at 10, started earlier
    (3, NEVER, 7),  # never starts
    (10, 10, 0),  # is submitted when the others end, and ends at once
    (10, 10, 4),
    (11, 11, 2),
)


def test_by_the_reference_order_submissions_come_before_ends_of_their_instant() -> None:
    diary = Diary()
    found = replay(diary, *_made(ROWS, "reference"), seed=6)
    assert diary.lines == [
        "seed 6, 6 jobs",
        "predict [0]",
        "predict [1, 2]",
        "predict [3, 4]",
        "learn [1, 0, 3] [5, 4, 0]",
        "predict [5]",
        "learn [5, 4] [2, 4]",
    ]
    assert found.predicted_s.tolist() == [2, 3, 3, 4, 4, 6]
    assert (found.predictor, found.seed) == ("diary", 6)


def test_in_batches_ends_come_first_but_for_jobs_of_no_length() -> None:
    diary = Diary()
    replay(diary, *_made(ROWS, "batch"))
    assert diary.lines[3:] == [
        "learn [1, 0] [5, 4]",
        "predict [3, 4]",
        "learn [3] [0]",
        "predict [5]",
        "learn [5, 4] [2, 4]",
    ]


def test_every_job_is_asked_for_once_and_every_end_told_once() -> None:
    log = habits(300, 5)
    diary = Diary()
    replay(diary, log, schedule_of(log))
    for word in ("predict", "learn"):
        told = [line.split("]")[0].split("[")[1] for line in diary.lines if word in line]
        rows = [int(row) for each in told for row in each.split(",")]
        assert sorted(rows) == list(range(300))


def test_a_schedule_of_another_log_is_refused() -> None:
    log = habits(30, 5)
    with pytest.raises(InputError, match="other jobs"):
        replay(Diary(), log.take(np.arange(29)), schedule_of(log))


def test_an_empty_log_has_no_predictions() -> None:
    log = habits(3, 5)
    schedule = schedule_of(log)
    none = np.arange(0)
    assert replay(Diary(), log.take(none), schedule.take(none)).predicted_s.tolist() == []


def test_accuracy_worked_by_hand() -> None:
    # Run 100 predicted 50: 0.5; run 50 predicted 100: 0.5, 1.0 over; exact: 1; run 0 counts as 1,
    # predicted 4: 0.25, 3.0 over. Errors 50, 50, 0, 3. Over-estimates 50 + 0 + 3 = 53 of
    # 20 + 150 + 0 + 9 = 179 s. User means 0.5 and (0.5 + 1 + 0.25) / 3.
    predicted, run = np.array([50, 100, 30, 4]), np.array([100, 50, 30, 0])
    requested, user = np.array([120, 200, 30, 10]), np.array([8, 3, 3, 3])
    found = accuracy(predicted, run, requested, user)
    assert found.jobs == 4
    assert found.under_predicted == 0.25
    assert found.accuracy_mean == pytest.approx(2.25 / 4)
    assert found.accuracy_median == 0.5
    assert found.absolute_error_s == 103 / 4
    assert found.over_estimate_mean == pytest.approx(4 / 3)
    assert found.over_estimate_median == 1.0
    assert found.over_estimate_left == pytest.approx(53 / 179)
    assert found.at_request == 0.25
    assert found.users_accuracy == pytest.approx((0.5 + 0.1 / 12, 0.5 + 0.5 / 12, 0.5 + 0.9 / 12))


def test_exact_requests_leave_nothing_to_gain() -> None:
    run = np.array([5, 9])
    found = accuracy(run, run, run)
    assert found.over_estimate_left is None
    assert found.users_accuracy is None
    assert found.accuracy_mean == 1.0
    assert accuracy(run - 1, run, run).over_estimate_mean is None
    with pytest.raises(InputError, match="no job"):
        accuracy(run[:0], run[:0], run[:0])
