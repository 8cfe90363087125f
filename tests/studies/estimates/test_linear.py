from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from benchmarks.studies.estimates.features import (
    FEATURES,
    Floats,
    nothing_past,
    observe,
    remember,
)
from benchmarks.studies.estimates.linear import COUNT, Linear
from benchmarks.studies.estimates.replay import accuracy, replay
from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import known_of
from tests.planner.scheduling.estimates.predictors.habits import (
    events,
    habits,
    one_by_one,
    schedule_of,
)

pytestmark = pytest.mark.slow

LOG = habits(400, 2)
SCHEDULE = schedule_of(LOG)


def _mean(values: list[float], least_weight: float) -> float:
    mean = 0.0
    for count, value in enumerate(values, 1):
        mean += max(1 / count, least_weight) * (value - mean)
    return mean


def _spread(values: list[float], least_weight: float) -> float:
    mean, distances = 0.0, []
    for count, value in enumerate(values, 1):
        distances.append(abs(value - mean))
        mean += max(1 / count, least_weight) * (value - mean)
    return _mean(distances[1:], least_weight)


def _literal_features() -> Floats:
    """The features by their names, from lists of ended jobs."""
    result = np.zeros((len(LOG), len(FEATURES)))
    ended: list[int] = []
    submitted: list[int] = []
    run = np.maximum(LOG.run_s, 1)
    log_share = np.minimum(np.log(run) - np.log(LOG.requested_s), 0)
    for _, is_end, _, job in events(SCHEDULE):
        if is_end:
            ended.append(job)
            continue
        user, requested = LOG.user[job], LOG.requested_s[job]
        of_user = [j for j in ended if LOG.user[j] == user]
        alike = [
            j
            for j in of_user
            if LOG.processors[j] == LOG.processors[job] and LOG.requested_s[j] == requested
        ]
        queued = [j for j in ended if LOG.queue[j] == LOG.queue[job]]
        everybody = _mean([log_share[j] for j in ended], 0.01)
        in_queue = _mean([log_share[j] for j in queued], 0.01) if queued else everybody
        mean = _mean([log_share[j] for j in of_user], 0.2) if of_user else in_queue
        spread = _spread([log_share[j] for j in ended], 0.01)
        if len(queued) > 1:
            spread = _spread([log_share[j] for j in queued], 0.01)
        if len(of_user) > 1:
            spread = _spread([log_share[j] for j in of_user], 0.2)
        two = [run[j] for j in of_user[-2:]]
        day, week = (2 * math.pi * (LOG.submit_s[job] % p) / p for p in (86_400, 604_800))
        result[job] = [
            1,
            math.log(requested),
            math.log(LOG.processors[job]),
            math.sin(day),
            math.cos(day),
            math.sin(week),
            math.cos(week),
            math.log1p(sum(LOG.user[j] == user for j in submitted) - len(of_user)),
            math.log1p(len(of_user)),
            not of_user,
            log_share[of_user[-1]] if of_user else in_queue,
            log_share[of_user[-2:][0]] if of_user else in_queue,
            math.log(run[of_user[-1]] / requested) if of_user else in_queue,
            min(math.log(np.mean(two) / requested), 0) if of_user else in_queue,
            mean,
            _mean([math.log(run[j]) for j in of_user], 0.2) - math.log(requested)
            if of_user
            else in_queue,
            not alike,
            log_share[alike[-1]] if alike else mean,
            _mean([log_share[j] for j in alike], 0.2) if alike else mean,
            in_queue,
            everybody,
            spread,
            _spread([log_share[j] for j in alike], 0.2) if len(alike) > 1 else spread,
        ]
        submitted.append(job)
    return result


def _pass(linear: Linear) -> Any:
    passing = linear.begin(known_of(LOG))
    one_by_one(passing, SCHEDULE)
    return passing


def test_features_are_what_their_names_say() -> None:
    assert np.allclose(_pass(Linear()).past.features, _literal_features(), atol=1e-9)
    past = nothing_past(known_of(LOG))
    for _, is_end, _, job in events(SCHEDULE):
        row = np.array([job])
        if is_end:
            remember(row, LOG.run_s[row], *past)
        else:
            observe(row, *past)
    assert np.allclose(past.features, _literal_features(), atol=1e-9)


def test_without_forgetting_and_with_a_symmetric_loss_it_is_ridge_regression() -> None:
    passing = _pass(Linear(under=0.1, memory=1e15, ridge=2.5, too_long=1))
    x = passing.past.features
    y = np.log(np.maximum(LOG.run_s, 1)) - np.log(LOG.requested_s)
    weights = np.linalg.solve(x.T @ x + 2.5 * np.eye(COUNT), x.T @ y)
    assert np.allclose(passing.model[0], weights, atol=1e-6)
    assert np.allclose(passing.model[1:], np.linalg.inv(x.T @ x + 2.5 * np.eye(COUNT)), atol=1e-8)


def test_old_jobs_count_less_and_those_that_outlived_more() -> None:
    # Below the largest trace each job multiplies the weight of all before it by exp(-1 / memory);
    # its own weight is 1 if the model was too short, else 0.2 / 0.8.
    linear = Linear(under=0.2, memory=300)
    passing = linear.begin(known_of(LOG))
    gram, moment, kept = np.eye(COUNT), np.zeros(COUNT), math.exp(-1 / 300)
    for job in range(len(LOG)):
        row = np.array([job])
        before = passing.model[0].copy()  # type: ignore[attr-defined]
        forgets = np.trace(np.linalg.inv(gram)) < COUNT - 1e-9
        passing.predict(row)
        passing.learn(row, LOG.run_s[row])
        x = passing.past.features[job]  # type: ignore[attr-defined]
        y = math.log(max(LOG.run_s[job], 1) / LOG.requested_s[job])
        weight = 1 if y > before @ x else 0.25
        gram = gram * (kept if forgets else 1) + weight * np.outer(x, x)
        moment = moment * (kept if forgets else 1) + weight * x * y
    weights = np.linalg.solve(gram, moment)
    assert np.allclose(passing.model[0], weights, atol=1e-6)  # type: ignore[attr-defined]


def test_what_never_varies_does_not_make_it_lose_its_head() -> None:
    log = habits(3_000, 3, users=1)
    passing: Any = Linear(memory=20).begin(known_of(log))
    rows = np.arange(len(log))
    for _ in range(3):
        passing.predict(rows)
        passing.learn(rows, log.run_s)
    assert np.isfinite(passing.model).all()
    assert np.trace(passing.model[1:]) < COUNT * math.exp(1 / 20)


@pytest.mark.parametrize("under", [0.05, 0.3])
def test_the_wanted_share_of_jobs_outlives_it(under: float) -> None:
    log = habits(4_000, 6)
    schedule = schedule_of(log)
    predicted = replay(Linear(under), log, schedule).predicted_s
    assert abs((predicted < log.run_s)[500:].mean() - under) < 0.04


def test_it_learns_habits() -> None:
    log = habits(2_000, 7)
    schedule = schedule_of(log)
    half = replay(Linear(under=0.5), log, schedule).predicted_s
    learnt = accuracy(half, log.run_s, log.requested_s)
    users_own = accuracy(log.requested_s, log.run_s, log.requested_s)
    assert learnt.accuracy_median > 0.7 > 0.6 > users_own.accuracy_median


@pytest.mark.parametrize(
    "settings",
    [
        {"under": 0.0},
        {"under": 1.0},
        {"step": 0.0},
        {"too_long": 0.0},
        {"memory": 1.0},
        {"ridge": math.inf},
    ],
    ids=str,
)
def test_what_cannot_be_is_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InputError, match=f"{next(iter(settings))} = "):
        Linear(**settings)  # type: ignore[arg-type]
