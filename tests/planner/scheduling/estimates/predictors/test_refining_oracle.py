from __future__ import annotations

import math

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.estimates.predictors.predictor import Known
from planner.scheduling.estimates.predictors.refining_oracle import RefiningOracle
from planner.scheduling.estimates.predictors.registry import ORACLES, PREDICTORS


def _known(jobs: int, requested: int = 10**9) -> Known:
    codes = np.zeros(jobs, np.int32)
    return Known(np.arange(jobs), np.ones(jobs, np.int64), np.full(jobs, requested), *[codes] * 3)


def test_worked_by_hand() -> None:
    # A run of 100 s: 2^7 = 128; after 4 runs the bound is 0.5: 1.5^12 = 129.7; after 100 it is
    # 0.1: 1.1^49 = 106.7. The first run of a kind has the request.
    run = np.full(102, 100)
    passing = RefiningOracle(run).begin(_known(102, 5000))
    last = np.array([101])
    result = {0: int(passing.predict(last)[0])}
    for ended in range(1, 101):
        passing.learn(np.array([ended - 1]), run[:1])
        result[ended] = int(passing.predict(last)[0])
    assert {n: result[n] for n in (0, 1, 4, 100)} == {0: 5000, 1: 128, 4: 129, 100: 106}


def test_it_is_never_too_short_and_within_its_bound() -> None:
    rng = np.random.default_rng(3)
    run = np.concatenate((np.arange(70), np.exp(rng.uniform(0, 18, 900)).astype(np.int64)))
    for error in (0.0, 0.01, 0.3, 1.0, 7.0):
        passing = RefiningOracle(run, error).begin(_known(len(run)))
        for ended in range(1, 12):
            passing.learn(np.array([0]), run[:1])
            result = passing.predict(np.arange(len(run)))
            bound = error / math.sqrt(ended)
            assert (result >= np.maximum(run, 1)).all()
            assert (result <= np.maximum(run * (1 + bound), 1) + 1e-6).all()


def test_estimates_come_in_classes_whose_number_follows_the_bound() -> None:
    # From 1 to 1,000,000 s there are log(1e6) / log(2) = 19.9 classes of width 2: 1, 2, 4, ...
    run = np.arange(1, 1_000_001, 37)
    passing = RefiningOracle(run).begin(_known(len(run)))
    passing.learn(np.array([0]), run[:1])
    classes = set(passing.predict(np.arange(len(run))).tolist())
    assert classes <= {2**k for k in range(21)}
    assert len(classes) > 14


def test_another_size_or_user_has_runs_of_its_own() -> None:
    known = _known(4, 777)
    known.processors[2], known.user[3] = 2, 5
    passing = RefiningOracle(np.full(4, 64)).begin(known)
    passing.learn(np.array([0, 0]), np.array([64, 64]))
    assert passing.predict(np.array([1, 2, 3])).tolist()[1:] == [777, 777]
    assert passing.predict(np.array([1])).tolist()[0] < 777


def test_an_oracle_is_not_listed_among_the_predictors() -> None:
    assert not set(ORACLES) & set(PREDICTORS)
    assert not any(isinstance(item, RefiningOracle) for item in PREDICTORS.values())


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(InputError, match="first error"):
        RefiningOracle(np.ones(3, np.int64), -1)
    with pytest.raises(InputError, match="3 run times are not those of 4 jobs"):
        RefiningOracle(np.ones(3, np.int64)).begin(_known(4))
