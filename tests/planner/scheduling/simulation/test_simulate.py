"""Laws of whole simulations: names of jobs mean nothing, and who never fits disturbs nobody."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.policies.problem import Unavailable
from planner.scheduling.policies.registry import POLICIES, find_policy
from planner.scheduling.simulation.simulate import simulate
from tests.planner.scheduling.policies.tasks import Row, random_rows
from tests.planner.scheduling.simulation.test_explain import log_of


@pytest.mark.parametrize("policy", list(POLICIES))
def test_other_numbers_and_users_codes_change_no_start(policy: str) -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        log = log_of(random_rows(random.Random(seed), 8), 8)
        codes = rng.permutation(int(log.user.max()) + 1).astype(np.int32) + 7
        other = replace(
            log, number=rng.permutation(log.number) + 1000, user=codes[log.user.astype(int)]
        )
        plain, renamed = (simulate(item, find_policy(policy)).schedule for item in (log, other))
        assert (plain.start_s == renamed.start_s).all()
        assert (renamed.number == other.number).all()


@pytest.mark.parametrize("policy", list(POLICIES))
def test_a_job_that_never_fits_changes_no_other_start(policy: str) -> None:
    for seed in range(20):
        rng = random.Random(seed)
        rows = random_rows(rng, 8)
        index = rng.randint(0, len(rows))
        at = rows[index - 1][0] if index else 0
        larger: list[Row] = [*rows[:index], (at, 10, 9, 10, 1), *rows[index:]]
        plain = simulate(log_of(rows, 8), find_policy(policy)).schedule
        schedule = simulate(log_of(larger, 8), find_policy(policy)).schedule
        assert list(schedule.rejected) == [index + 1]
        others = np.delete(schedule.start_s, index)
        assert (others == plain.start_s).all()
        assert schedule.start_s[index] == -1


@pytest.mark.parametrize(
    ("windows", "instant"),
    [
        ([(0, 100, 8), (50, 60, 1)], 50),
        ([(7, 9, 4), (7, 20, 5)], 7),
        ([(0, 30, 3), (10, 30, 3), (20, 30, 3)], 20),
    ],
)
def test_windows_that_together_take_more_than_there_is_are_refused(
    windows: list[tuple[int, int, int]], instant: int
) -> None:
    log = log_of([(0, 30, 8, 30, 0)], 8)
    for announced in (True, False):
        unavailable = [Unavailable(*window, announced=announced) for window in windows]
        with pytest.raises(InputError, match=f"at {instant} s 9 processors are unavailable"):
            simulate(log, find_policy("easy"), unavailable=unavailable)
    touching = [Unavailable(0, 100, 8), Unavailable(100, 200, 8)]
    schedule = simulate(log, find_policy("easy"), unavailable=touching).schedule
    assert schedule.start_s.tolist() == [200]
