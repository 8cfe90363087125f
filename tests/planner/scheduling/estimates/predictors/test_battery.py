"""What holds of every predictor; and of oracles, but for what they may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from benchmarks.studies.estimates.replay import replay
from planner.scheduling.estimates.predictors.last_two import LastTwo
from planner.scheduling.estimates.predictors.margin import with_margin
from planner.scheduling.estimates.predictors.predictor import (
    Integers,
    Known,
    RunTimePredictor,
    known_of,
)
from planner.scheduling.estimates.predictors.quantile import Quantile
from planner.scheduling.estimates.predictors.registry import ORACLES, PREDICTORS
from tests.planner.scheduling.estimates.predictors.habits import (
    first,
    habits,
    in_batches,
    one_by_one,
    prefix,
    relabelled,
    schedule_of,
)

Made = Callable[[Integers], RunTimePredictor]

QUICK = (  # with defaults that a short log has the jobs for
    Quantile(0.5, window=4, least=1, name="quantile of 4"),
    with_margin(LastTwo(), 1.5),
    with_margin(LastTwo(), 0.1),
)


def always(predictor: RunTimePredictor) -> Made:
    return lambda _: predictor


BLIND: dict[str, Made] = {item.name: always(item) for item in (*PREDICTORS.values(), *QUICK)}
ALL: dict[str, Made] = BLIND | dict(ORACLES)


@pytest.fixture(params=ALL.values(), ids=list(ALL))
def made(request: pytest.FixtureRequest) -> Made:
    every: Made = request.param
    return every


@pytest.fixture(params=BLIND.values(), ids=list(BLIND))
def blind(request: pytest.FixtureRequest) -> Made:
    """Each that sees no run time ahead of its time."""
    every_blind: Made = request.param
    return every_blind


LOG = habits(450, seed=4)
SCHEDULE = schedule_of(LOG)
NOBODY = np.empty(0, np.intp)


def _known(submit: list[int], requested: list[int], user: list[int], processors: int = 4) -> Known:
    codes = np.array(user, np.int32)
    sizes = np.full(len(user), processors, np.int64)
    return Known(np.array(submit), sizes, np.array(requested), codes, codes, codes)


def test_predictions_lie_between_a_second_and_the_request(made: Made) -> None:
    passing = made(LOG.run_s).begin(known_of(LOG))
    rows = np.arange(len(LOG))
    for _ in range(2):
        result = passing.predict(rows)
        assert result.dtype == np.int64
        assert result.shape == rows.shape
        assert (result >= 1).all()
        assert (result <= np.maximum(LOG.requested_s, 1)).all()
        passing.learn(rows, LOG.run_s)
    assert len(set(passing.predict(rows).tolist())) > 1


def test_it_makes_no_difference_how_events_are_batched(made: Made) -> None:
    predictor = made(LOG.run_s)
    single = one_by_one(predictor.begin(known_of(LOG)), SCHEDULE)
    assert single == in_batches(predictor.begin(known_of(LOG)), SCHEDULE)
    assert single == replay(predictor, LOG, SCHEDULE).predicted_s.tolist()


def test_the_same_seed_gives_the_same_predictions(made: Made) -> None:
    first_time, again = (replay(made(LOG.run_s), LOG, SCHEDULE, seed=3) for _ in range(2))
    assert np.array_equal(first_time.predicted_s, again.predicted_s)
    assert first_time.predictor == made(LOG.run_s).name


def test_names_of_users_groups_and_queues_do_not_matter(made: Made) -> None:
    other = relabelled(LOG, np.random.default_rng(8))
    result = replay(made(LOG.run_s), other, replace(SCHEDULE, user=other.user))
    assert np.array_equal(result.predicted_s, replay(made(LOG.run_s), LOG, SCHEDULE).predicted_s)


@pytest.mark.parametrize("cut", [0.3, 0.8])
def test_run_times_of_jobs_that_have_not_ended_change_nothing(blind: Made, cut: float) -> None:
    time = int(np.quantile(SCHEDULE.end_s, cut))
    open_ = SCHEDULE.end_s > time
    run = np.where(open_, SCHEDULE.run_s + 100_003, SCHEDULE.run_s)
    poisoned = replace(LOG, run_s=run), replace(SCHEDULE, run_s=run)
    before = LOG.submit_s <= time
    predicted_s = replay(blind(run), *poisoned).predicted_s
    assert np.array_equal(
        predicted_s[before], replay(blind(LOG.run_s), LOG, SCHEDULE).predicted_s[before]
    )
    assert 0 < before.sum() < len(LOG)


def test_jobs_that_are_not_submitted_yet_change_nothing(blind: Made) -> None:
    for jobs in (1, 60, 300):
        known = first(known_of(LOG), jobs)
        short = one_by_one(blind(LOG.run_s[:jobs]).begin(known), prefix(SCHEDULE, jobs))
        passing = blind(LOG.run_s).begin(known_of(LOG))
        assert short == one_by_one(passing, prefix(SCHEDULE, jobs))


def test_empty_batches_and_questions_asked_twice_change_nothing(made: Made) -> None:
    plain, disturbed = (made(LOG.run_s).begin(known_of(LOG)) for _ in range(2))
    for begin in range(0, len(LOG), 50):
        rows = np.arange(begin, begin + 50)
        expected = plain.predict(rows)
        assert disturbed.predict(NOBODY).shape == (0,)
        disturbed.learn(NOBODY, np.empty(0, np.int64))
        disturbed.predict(rows)
        assert np.array_equal(disturbed.predict(rows), expected)
        plain.learn(rows, LOG.run_s[rows])
        disturbed.learn(rows, LOG.run_s[rows])


def test_while_nobody_has_ended_the_request_stands(made: Made) -> None:
    known = _known([0, 0, 9], [1, 700, 3600], [3, 3, 5])
    passing = made(np.array([1, 600, 60])).begin(known)
    share = 0.1 if passing.__class__.__module__.endswith("margin") else 1.0
    result = passing.predict(np.arange(3))
    if share == 1.0 or result[2] == 3600:
        assert result.tolist() == [1, 700, 3600]
    else:  # a margin below 1 shortens requests, too
        assert result.tolist() == [1, 70, 360]


def test_one_job_alone_and_no_job_at_all(made: Made) -> None:
    passing = made(np.array([5])).begin(_known([7], [10], [2]))
    assert 1 <= int(passing.predict(np.array([0]))[0]) <= 10
    passing.learn(np.array([0]), np.array([5]))
    nothing = made(np.empty(0, np.int64)).begin(first(_known([7], [10], [2]), 0))
    assert nothing.predict(NOBODY).tolist() == []


def test_jobs_that_ran_for_no_time_and_requests_of_a_second_are_borne(made: Made) -> None:
    jobs = 300
    known = _known(list(range(jobs)), [1, 900, 0] * 100, [1] * jobs)
    run = np.zeros(jobs, np.int64)
    passing = made(run).begin(known)
    for begin in range(0, jobs, 100):
        rows = np.arange(begin, begin + 100)
        result = passing.predict(rows)
        assert (result >= 1).all()
        assert (result <= np.maximum(known.requested_s[rows], 1)).all()
        passing.learn(rows, run[rows])


def test_jobs_may_end_that_nobody_asked_about(made: Made) -> None:
    passing = made(LOG.run_s).begin(known_of(LOG))
    passing.learn(np.arange(400), LOG.run_s[:400])
    result = passing.predict(np.arange(400, 450))
    assert ((result >= 1) & (result <= LOG.requested_s[400:450])).all()


def test_what_is_known_is_left_as_it_was(made: Made) -> None:
    known = known_of(LOG)
    before = [item.tolist() for item in known]
    run = LOG.run_s.copy()
    replay(made(run), LOG, SCHEDULE)
    assert [item.tolist() for item in known] == before
    assert np.array_equal(run, LOG.run_s)
