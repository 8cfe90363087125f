"""What holds of every predictor, of those of the studies."""

from __future__ import annotations

import pytest

from benchmarks.studies.estimates.boosting import MEDIAN, Boosting
from benchmarks.studies.estimates.linear import Linear
from tests.planner.scheduling.estimates.predictors.test_battery import (  # noqa: F401 - collected here, too
    Made,
    always,
    test_empty_batches_and_questions_asked_twice_change_nothing,
    test_it_makes_no_difference_how_events_are_batched,
    test_jobs_may_end_that_nobody_asked_about,
    test_jobs_that_are_not_submitted_yet_change_nothing,
    test_jobs_that_ran_for_no_time_and_requests_of_a_second_are_borne,
    test_names_of_users_groups_and_queues_do_not_matter,
    test_one_job_alone_and_no_job_at_all,
    test_predictions_lie_between_a_second_and_the_request,
    test_run_times_of_jobs_that_have_not_ended_change_nothing,
    test_the_same_seed_gives_the_same_predictions,
    test_what_is_known_is_left_as_it_was,
    test_while_nobody_has_ended_the_request_stands,
)

pytestmark = pytest.mark.slow

PREDICTORS = (
    Linear(),
    Boosting(),
    MEDIAN,
    Linear(memory=40, name="forgetful linear"),
    Boosting(every=120, window=200, iterations=4, name="quick boosting"),
    Boosting(None, every=120, window=200, iterations=4, name="quick mean"),
)


@pytest.fixture(params=PREDICTORS, ids=lambda predictor: predictor.name)
def made(request: pytest.FixtureRequest) -> Made:
    return always(request.param)


@pytest.fixture
def blind(made: Made) -> Made:
    """None of them is an oracle."""
    return made
