"""Who takes up the tool, and what the study plays."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.estimates.workload import EstimateWorkload, workload_of
from scenarios.job_logs.job_log import MISSING
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.estimates.predictors.habits import MACHINE, habits
from tests.shared_data import TRACES, needs_data

LOG = TRACES / "SDSC-SP2.swf.gz"
SHARES = (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0)


def users_with_tool(workload: EstimateWorkload, seed: int, uptake: float) -> set[int]:
    return set(workload.problem.user[workload.tool_users(seed, uptake)].tolist())


@needs_data
def test_the_seed_group_of_a_real_log_is_a_fifth_of_its_users() -> None:
    workload = workload_of(read_job_log(LOG))
    assert (workload.users, workload.group_size(0.2)) == (428, 86)  # 85.6
    for seed in range(3):
        assert len(users_with_tool(workload, seed, 0.2)) == 86
    assert users_with_tool(workload, 0, 0.2) != users_with_tool(workload, 1, 0.2)


@pytest.mark.parametrize(("users", "group"), [(120, 24), (235, 47), (465, 93), (1, 1), (2, 1)])
def test_group_sizes_are_those_of_the_paper(users: int, group: int) -> None:
    # Section 5: 24, 47 and 93 users; nobody else knows how many there were in all.
    log = replace(habits(users, 1), user=np.arange(users, dtype=np.int32))
    assert workload_of(log).group_size(0.2) == group


def test_groups_of_growing_uptake_hold_each_other() -> None:
    workload = workload_of(habits(300, 5, users=23))
    for seed in range(20):
        groups = [users_with_tool(workload, seed, share) for share in SHARES]
        assert [len(group) for group in groups] == [round(share * 23) for share in SHARES]
        assert all(few <= more for few, more in pairwise(groups))
        assert groups[SHARES.index(0.2)] == users_with_tool(workload, seed, workload.seed_group)


def test_all_jobs_of_a_user_are_with_the_tool_or_none() -> None:
    workload = workload_of(habits(300, 5, users=23))
    uses = workload.tool_users(3, 0.4)
    for user in workload.present:
        assert len(set(uses[workload.problem.user == user].tolist())) == 1


def test_the_order_depends_on_the_seed_and_the_number_of_users_alone() -> None:
    log = habits(200, 5, users=11)
    other = habits(200, 6, users=11)
    for seed in range(5):
        result = users_with_tool(workload_of(log), seed, 0.5)
        assert users_with_tool(workload_of(log), seed, 0.5) == result
        assert users_with_tool(workload_of(other), seed, 0.5) == result


def test_users_under_other_numbers_are_drawn_alike() -> None:
    log = habits(200, 5, users=11)
    plain = workload_of(log)
    for far in (1, 10**6):
        moved = replace(log, user=(far * log.user + 5).astype(np.int32))
        relabelled = workload_of(moved)
        assert relabelled.users == 11
        assert (relabelled.tool_users(4, 0.4) == plain.tool_users(4, 0.4)).all()


def test_every_user_is_as_likely_to_be_drawn() -> None:
    workload = workload_of(habits(200, 5, users=10))
    drawn = np.zeros(10)
    for seed in range(1000):
        drawn[list(users_with_tool(workload, seed, 0.2))] += 1
    # 200 times each; the standard deviation of a binomial count is 12.6.
    assert abs(drawn - 200).max() < 4.5 * 12.6


def test_jobs_larger_than_the_machine_are_counted_and_left_out() -> None:
    log = habits(200, 5)
    large = int((log.processors > 4).sum())
    workload = workload_of(log, 4)
    assert 0 < large == workload.rejected
    assert workload.problem.processors == 4
    assert len(workload.log) == 200 - large == len(workload.tool_users(0, 1.0))
    assert workload_of(log).problem.processors == MACHINE


def test_a_user_none_of_whose_jobs_fit_is_no_user() -> None:
    log = habits(200, 5, users=7)
    user = log.user.copy()
    user[log.processors > 4] = 99
    workload = workload_of(replace(log, user=user), 4)
    assert workload.users == len(np.unique(user[log.processors <= 4]))
    assert workload.tool_users(0, 1.0).all()


def test_jobs_of_nobody_are_one_user_s() -> None:
    log = habits(30, 5)
    nobody = workload_of(replace(log, user=np.full(30, MISSING, np.int32)))
    assert (nobody.users, nobody.nameless) == (1, 30)
    assert nobody.tool_users(0, 0.2).all()
    some = np.where(log.processors > 1, 3, MISSING).astype(np.int32)
    result = workload_of(replace(log, user=some))
    assert (result.users, result.nameless) == (2, int((some == MISSING).sum()))


def test_logs_that_cannot_be_studied_are_refused() -> None:
    log = habits(30, 5)
    big = log.processors > 1
    with pytest.raises(InputError, match="no job of habits fits 1 processors"):
        workload_of(log.take(big), 1)
    for share in (0.0, -0.1, 1.1, float("nan")):
        with pytest.raises(InputError, match="share of sampled users"):
            workload_of(log, seed_group=share)


def test_the_digest_tells_all_that_is_played() -> None:
    log = habits(40, 5)
    plain = workload_of(log)
    assert workload_of(log).digest == plain.digest
    run = log.run_s.copy()
    run[7] += 1
    named = {"user": tuple("tuvwxyz")}
    others = [
        workload_of(log, 63),
        workload_of(log, seed_group=0.3),
        workload_of(replace(log, run_s=run)),
        workload_of(replace(log, requested_s=log.requested_s + 1)),
        workload_of(replace(log, user=log.user[::-1].copy())),
        workload_of(replace(log, queue=(1 + log.queue) % 3)),
        workload_of(replace(log, names=named)),
    ]
    assert len({item.digest for item in (plain, *others)}) == 1 + len(others)
