from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingRegressor

from benchmarks.studies.estimates.boosting import Boosting
from benchmarks.studies.estimates.replay import accuracy, replay
from benchmarks.studies.estimates.trees import scores_of
from planner.errors import InputError
from tests.planner.scheduling.estimates.predictors.habits import habits, schedule_of

pytestmark = pytest.mark.slow

ROWS = np.arange(500)


def _samples() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 5))
    return x, x[:, 0] * x[:, 1] + np.abs(x[:, 2]) + 0.1 * rng.normal(size=600)


@pytest.mark.parametrize("quantile", [None, 0.9])
def test_walked_trees_say_what_the_library_says(quantile: float | None) -> None:
    x, y = _samples()
    loss = "squared_error" if quantile is None else "quantile"
    model = HistGradientBoostingRegressor(loss=loss, quantile=quantile, max_iter=20)
    model.fit(x[ROWS], y[ROWS])
    scores = scores_of(model, x, ROWS)
    assert scores.__name__ == "by_trees"
    assert np.allclose(scores(np.arange(600)), model.predict(x), rtol=1e-12)
    x[3] += 9  # rows are read when they are asked for
    assert np.allclose(scores(np.array([3])), model.predict(x[3:4]), rtol=1e-12)


def test_a_library_that_keeps_its_trees_otherwise_is_asked_itself() -> None:
    x, y = _samples()
    model = HistGradientBoostingRegressor(max_iter=5).fit(x[ROWS], y[ROWS])
    hidden = SimpleNamespace(predict=model.predict)
    changed = SimpleNamespace(
        predict=lambda z: model.predict(z) + 1,
        _predictors=model._predictors,
        _baseline_prediction=model._baseline_prediction,
    )
    for other in (hidden, changed):
        scores = scores_of(other, x, ROWS)
        assert scores.__name__ == "by_model"
        assert np.array_equal(scores(ROWS), other.predict(x[ROWS]))


def test_it_is_trained_as_jobs_end_and_learns_habits() -> None:
    log = habits(1_500, 9)
    schedule = schedule_of(log)
    median = Boosting(0.5, every=300, iterations=30)
    high = Boosting(0.9, every=300, iterations=30)
    late = slice(600, None)
    run, requested = log.run_s[late], log.requested_s[late]
    learnt = replay(median, log, schedule).predicted_s[late]
    assert accuracy(learnt, run, requested).accuracy_median > 0.8
    assert accuracy(requested, run, requested).accuracy_median < 0.6
    longer = replay(high, log, schedule).predicted_s[late]
    assert (longer < run).mean() < 0.2 < (learnt < run).mean()


def test_before_the_first_training_the_request_stands() -> None:
    log = habits(400, 1)
    schedule = schedule_of(log)
    predicted_s = replay(Boosting(every=150, iterations=3), log, schedule).predicted_s
    trained = np.sort(schedule.end_s)[149]
    early = log.submit_s <= trained
    assert np.array_equal(predicted_s[early], log.requested_s[early])
    assert (predicted_s[~early] < log.requested_s[~early]).any()


@pytest.mark.parametrize(
    "settings", [{"quantile": 1.0}, {"every": 1}, {"window": 10}, {"iterations": 0}], ids=str
)
def test_what_cannot_be_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InputError, match="give"):
        Boosting(**settings)  # type: ignore[arg-type]
