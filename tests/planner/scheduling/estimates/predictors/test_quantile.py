from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.studies.estimates.replay import replay
from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import Known, known_of
from planner.scheduling.estimates.predictors.quantile import Quantile
from scenarios.job_logs.job_log import JobLog
from tests.planner.scheduling.estimates.predictors.habits import events, habits, schedule_of


def _one_user(requested: list[int], processors: list[int] | None = None) -> Known:
    jobs = len(requested)
    codes = np.ones(jobs, np.int32)
    sizes = np.array(processors or [1] * jobs)
    return Known(np.arange(jobs), sizes, np.array(requested), codes, codes, codes)


def test_worked_by_hand() -> None:
    # Median of three like jobs: k = ceil(4 * 0.5) = 2. Runs 30, 10, 20 of 100 s: 20 s; after a run
    # of 90 s the last three are 10, 20, 90: 20 s; after one of 80 s 20, 90, 80: 80 s.
    passing = Quantile(0.5, window=3, least=3).begin(_one_user([100] * 6))
    last = np.array([5])
    for job, (run, expected) in enumerate([(30, 100), (10, 100), (20, 20), (90, 20), (80, 80)]):
        passing.learn(np.array([job]), np.array([run]))
        assert passing.predict(last).tolist() == [expected]


def test_another_size_falls_back_to_the_user_and_another_user_to_everybody() -> None:
    # Two jobs used 0.5 and 0.25 of 100 s: with q = 0.9 and two jobs the longest share counts.
    known = _one_user([100, 100, 1000, 40], [1, 1, 8, 1])
    known.user[3] = 2
    passing = Quantile(0.9, least=2).begin(known)
    passing.learn(np.array([0, 1]), np.array([50, 25]))
    assert passing.predict(np.array([2, 3])).tolist() == [500, 20]


@pytest.mark.parametrize(("quantile", "needed"), [(0.95, 19), (0.9, 9), (0.5, 1), (0.75, 3)])
def test_as_many_must_have_ended_as_the_quantile_takes(quantile: float, needed: int) -> None:
    assert Quantile(quantile).needed == needed
    passing = Quantile(quantile).begin(_one_user([100] * 20))
    rows = np.arange(needed - 1)
    passing.learn(rows, np.full(len(rows), 7))
    assert passing.predict(np.array([19])).tolist() == [100]
    passing.learn(np.array([needed]), np.array([7]))
    assert passing.predict(np.array([19])).tolist() == [7]


def _literally(log: JobLog, predictor: Quantile) -> list[int]:
    """The definition, on lists."""
    past: dict[tuple[int, ...], list[float]] = {}
    predicted = [0] * len(log)
    for _, is_end, _, job in events(schedule_of(log)):
        user, size, request = (int(x[job]) for x in (log.user, log.processors, log.requested_s))
        kinds = [(user, size, request), (user,), ()]
        if is_end:
            for kind in kinds:
                past.setdefault(kind, []).append(int(log.run_s[job]) / request)
            continue
        predicted[job] = request
        for kind in kinds:
            last = sorted(past.get(kind, [])[-predictor.window :])
            if len(last) >= predictor.needed:
                rank = min(math.ceil((len(last) + 1) * predictor.quantile - 1e-9), len(last))
                predicted[job] = min(max(1, math.ceil(last[rank - 1] * request - 1e-6)), request)
                break
    return predicted


@pytest.mark.parametrize(
    "settings", [Quantile(), Quantile(0.5, 5), Quantile(0.8, 7, 2), Quantile(0.1, 1, 1)], ids=str
)
def test_it_is_what_lists_say(settings: Quantile) -> None:
    for seed in range(4):
        log = habits(400, seed)
        result = replay(settings, log, schedule_of(log)).predicted_s.tolist()
        assert result == _literally(log, settings)


def test_of_like_jobs_one_in_twenty_outlives_it() -> None:
    # 4,000 exchangeable jobs: the standard deviation of the share is 0.0034.
    run = np.random.default_rng(5).integers(1, 10_000, 4_000)
    known = _one_user([20_000] * len(run))
    passing = Quantile().begin(known)
    outlived = []
    for job in range(len(run)):
        row = np.array([job])
        outlived.append(run[job] > passing.predict(row)[0])
        passing.learn(row, run[row])
    assert 0.03 < np.mean(outlived) < 0.05 + 0.0034


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"quantile": 0.0}, "not between 0 and 1"),
        ({"quantile": float("nan")}, "not between 0 and 1"),
        ({"window": 10}, "at least 19"),
        ({"least": 0}, "from 1 on"),
    ],
)
def test_what_cannot_be_is_refused(settings: dict[str, float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        Quantile(**settings)  # type: ignore[arg-type]


def test_known_of_a_log_raises_requests_of_nothing_to_a_second() -> None:
    log = habits(5, 1)
    log.requested_s[2] = log.run_s[2] = 0
    assert known_of(log).requested_s[2] == 1
