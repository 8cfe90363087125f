"""Growth of a log: by hand, its laws, and what is refused."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from planner.errors import InputError
from planner.scheduling.sizing.growth import (
    GrowthBy,
    LogGrowth,
    ThinBy,
    Units,
    chosen,
    grow,
    work_of,
)
from planner.scheduling.sizing.periods import DAY_S, WEEK_S, own, periods_of, work_by_period
from scenarios.job_logs.job_log import MISSING, JobLog
from tests.planner.scheduling.sizing.logs import Row, log_of, weekly

Key = tuple[int, int, int]


def grown(log: JobLog, factor: float, seed: int = 0, **how: str) -> JobLog:
    return grow(log, LogGrowth(factor, **how), np.random.default_rng(seed)).log  # type: ignore[arg-type]


def in_the_week(log: JobLog) -> Counter[Key]:
    """Jobs by second of the week, run time and processors."""
    phase = (log.submit_s - log.submit_s[0]) % WEEK_S
    return Counter(zip(phase.tolist(), log.run_s.tolist(), log.processors.tolist(), strict=True))


def test_without_growth_the_log_is_itself() -> None:
    log = weekly(4)
    result = grow(log, LogGrowth(), np.random.default_rng(0))
    assert result.log is log
    assert (result.reached, result.added) == (1.0, 0)


@pytest.mark.parametrize("factor", [0.5, 1.01, 2.0])
@pytest.mark.parametrize("by", ["copies", "arrivals"])
def test_a_resample_of_periods_without_jobs_is_no_log(factor: float, by: GrowthBy) -> None:
    days = (0, 1, 4, 5)  # nothing is submitted on two days
    log = log_of([(day * DAY_S, 100, 1, 7) for day in days])
    growth = LogGrowth(factor, by=by)
    result = grow(log, growth, np.random.default_rng(0), weeks=[2, 3, 2, 3, 2])
    assert (result.reached, result.added) == (0.0, 0)  # copies may still have jobs


def test_a_doubled_log_has_each_week_once_more_and_never_its_own() -> None:
    # one job a week, of as many seconds as the week's number
    rows: list[Row] = [(week * WEEK_S + 5 * (week > 0), 100 + week, 1, 7) for week in range(4)]
    log = log_of([*rows, (4 * WEEK_S, 1, 1, 7)])
    result = grown(log, 2)
    week = (result.submit_s - result.submit_s[0]) // WEEK_S
    for slot in range(4):
        here = result.run_s[week == slot].tolist()
        assert len(here) == 2
        assert 100 + slot in here
        assert len(set(here)) == 2
    assert sorted(result.run_s[week < 4].tolist()) == sorted(2 * [100, 101, 102, 103])
    moved = result.submit_s[result.number > log.number.max()] % WEEK_S
    assert set(moved.tolist()) <= {0, 5}


@pytest.mark.parametrize("factor", [2, 3, 4])
def test_whole_copies_keep_the_second_of_the_week_of_every_job(factor: int) -> None:
    log = weekly(6)
    result = grown(log, factor)
    once, now = in_the_week(log), in_the_week(result)
    first = [key for key in once if key != (0, 60, 1)]
    assert all(now[key] == factor * once[key] for key in first)
    assert (np.diff(result.submit_s) >= 0).all()
    assert len(np.unique(result.number)) == len(result)


@pytest.mark.parametrize("seed", range(5))
def test_copies_of_one_week_come_from_different_weeks(seed: int) -> None:
    log = weekly(5, seed)
    result = grown(log, 5, seed)
    week = (result.submit_s - result.submit_s[0]) // WEEK_S
    kinds = Counter(zip(week.tolist(), result.run_s.tolist(), result.processors.tolist(),
                        (result.submit_s % WEEK_S).tolist(), strict=True))  # fmt: skip
    assert max(much for key, much in kinds.items() if key[0] < 5) == 1


@pytest.mark.parametrize("thin_by", ["user", "job"])
@pytest.mark.parametrize("factor", [0.3, 0.8, 1.2, 1.5, 2.7])
def test_the_growth_asked_for_is_reached(factor: float, thin_by: str) -> None:
    log = weekly(12, 3, users=8)
    result = grow(log, LogGrowth(factor, thin_by=thin_by), np.random.default_rng(1))  # type: ignore[arg-type]
    assert result.reached == pytest.approx(factor, rel=0.02)
    assert result.reached == work_of(result.log).sum() / work_of(log).sum()
    assert result.added == len(result.log) - len(log)


def test_the_logs_own_jobs_stay_and_copies_have_new_numbers_and_users() -> None:
    log = weekly(5, rest_s=DAY_S)
    result = grown(log, 1.5)
    mine = np.isin(result.number, log.number)
    for name in ("number", "submit_s", "run_s", "processors", "user", "requested_s"):
        assert getattr(result, name)[mine].tolist() == getattr(log, name).tolist()
    assert result.number[~mine].min() > log.number.max()
    assert not set(result.user[~mine].tolist()) & set(log.user.tolist())
    assert (result.wait_s == MISSING).all()
    assert result.counts == {}


def test_names_of_users_tell_copies_apart() -> None:
    log = weekly(4, users=2)
    named = log_of(
        list(zip(*(item.tolist() for item in (log.submit_s, log.run_s, log.processors, log.user)),
                 strict=True)),
        names=("ann", "bo"),
    )  # fmt: skip
    result = grown(named, 3)
    assert result.names["user"] == (
        "ann", "bo", "ann (copy 1)", "bo (copy 1)", "ann (copy 2)", "bo (copy 2)",
    )  # fmt: skip
    by_user = np.bincount(result.user, minlength=6)
    assert by_user[:2].tolist() == np.bincount(log.user).tolist()
    assert by_user[2:].min() > 0


def test_a_user_of_a_week_stays_whole_or_goes() -> None:
    log = weekly(8, users=4)
    result = grown(log, 0.5, thin_by="user")
    period = periods_of(log)
    assert period is not None

    def pairs(given: JobLog) -> Counter[tuple[int, int]]:
        week = (given.submit_s - log.submit_s[0]) // WEEK_S
        return Counter(zip(week.tolist(), given.user.tolist(), strict=True))

    all_of, selected = pairs(log), pairs(result)
    assert 0 < len(selected) < len(all_of)
    assert all(selected[pair] == all_of[pair] for pair in selected)
    single = pairs(grown(log, 0.5, thin_by="job"))
    assert any(single[pair] != all_of[pair] for pair in single)


def test_jobs_of_nobody_are_no_user() -> None:
    rows: list[Row] = [(k * 3600, 600, 1, MISSING) for k in range(24 * 28)]
    result = grown(log_of(rows), 0.3)
    assert len(result) == 202  # of 672, one by one; whole weeks would be 168
    assert (result.user == MISSING).all()
    assert (grown(log_of(rows), 1.5).user == MISSING).all()


def test_the_last_week_gets_copies_only_as_far_as_the_log_reaches() -> None:
    log = weekly(4, rest_s=2 * DAY_S)
    result = grown(log, 3)
    assert result.submit_s.max() == log.submit_s.max()
    behind = result.submit_s - result.submit_s[0] >= 4 * WEEK_S
    own_jobs = (log.submit_s - log.submit_s[0] >= 4 * WEEK_S).sum()
    assert behind.sum() > own_jobs


def test_a_copy_is_cut_at_the_second_at_which_the_log_ends() -> None:
    # each week has a job at its begin, one after two days and one a second later; the log ends
    # two days into the fourth week
    rows: list[Row] = [
        (week * WEEK_S + offset, kind + week, 1, 7)
        for week in range(3)
        for kind, offset in ((10, 0), (20, 2 * DAY_S), (30, 2 * DAY_S + 1))
    ]
    log = log_of([*rows, (3 * WEEK_S, 1, 1, 7), (3 * WEEK_S + 2 * DAY_S, 2, 1, 7)])
    result = grown(log, 2)
    last = result.run_s[result.submit_s >= 3 * WEEK_S].tolist()
    assert sorted(item // 10 for item in last) == [0, 0, 1, 2]


def test_arrivals_come_faster_and_are_the_same_jobs() -> None:
    log = weekly(3)
    result = grow(log, LogGrowth(2, "arrivals"), np.random.default_rng(0))
    assert result.log.submit_s.tolist() == (log.submit_s // 2).tolist()
    assert result.log.number.tolist() == log.number.tolist()
    assert result.reached == pytest.approx(2, rel=1e-5)
    assert result.added == 0


def test_the_same_seed_gives_the_same_log_and_another_another() -> None:
    log = weekly(6)
    one, same, other = (grown(log, 1.5, seed) for seed in (1, 1, 2))
    assert one.submit_s.tolist() == same.submit_s.tolist()
    assert one.submit_s.tolist() != other.submit_s.tolist()


def test_drawn_weeks_are_laid_one_after_the_other() -> None:
    log = weekly(4, rest_s=DAY_S)
    periods = periods_of(log)
    assert periods is not None
    found = grow(log, LogGrowth(), np.random.default_rng(0), [2, 2, 0, 3]).log
    work = work_by_period(periods, log)
    again = work_by_period(periods_of(found) or periods, found)
    slots = (found.submit_s - log.submit_s[0]) // WEEK_S
    totals = np.bincount(slots, work_of(found), minlength=4)
    assert totals.tolist() == [work[2], work[2], work[0], work[3]]
    assert len(again) in (3, 4)
    assert found.number.tolist() == list(range(1, len(found) + 1))
    two = grow(log, LogGrowth(1.5), np.random.default_rng(0), [2, 2, 0, 3])
    assert two.reached == pytest.approx(1.5, rel=0.05)


def test_periods_are_weeks_then_days_then_none() -> None:
    weeks, days = periods_of(weekly(3)), periods_of(log_of([(0, 1, 1, 0), (4 * DAY_S, 1, 1, 0)]))
    assert weeks is not None
    assert (weeks.word, weeks.whole, weeks.rest_s) == ("week", 3, 0)
    assert days is not None
    assert (days.word, days.whole) == ("day", 4)
    assert periods_of(log_of([(0, 1, 1, 0), (3 * DAY_S - 1, 1, 1, 0)])) is None
    assert periods_of(log_of([])) is None


def test_every_week_in_its_own_slot_is_the_log() -> None:
    log = weekly(5, rest_s=DAY_S)
    periods = periods_of(log)
    assert periods is not None
    laid = periods.laid(own(periods))
    assert laid.rows.tolist() == list(range(len(log)))
    assert laid.submit_s.tolist() == log.submit_s.tolist()


def test_units_are_taken_until_the_target_and_one_more_where_that_is_nearer() -> None:
    # units of work 10 each: of a target of 24 two are nearer than three, of 26 three
    units = Units(np.repeat(np.arange(5), 2), np.full(10, 5.0))
    rng = np.random.default_rng(0)
    assert chosen(units, 24, rng).sum() == 4
    assert chosen(units, 26, rng).sum() == 6
    assert chosen(units, 1000, rng).all()
    assert not chosen(units, 0, rng).any()


@pytest.mark.parametrize("factor", [0, -1, float("nan"), float("inf"), 101, 0.009])
def test_absurd_factors_are_refused(factor: float) -> None:
    with pytest.raises(InputError, match=r"is not between 0\.01 and 100"):
        LogGrowth(factor)


@pytest.mark.parametrize(
    ("log", "factor", "message"),
    [
        (log_of([]), 1.0, "made has no jobs"),
        (log_of([(0, 0, 1, 0)] * 3), 1.5, "every job runs for 0 s"),
        (log_of([(0, 5, 1, 0), (99, 5, 1, 0)]), 1.5, "less than three whole days; use --growth-by"),
        (weekly(4), 5.5, "takes copies of 5 other weeks, but made has only 4 whole ones"),
    ],
)
def test_logs_that_cannot_grow_are_refused(log: JobLog, factor: float, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        grow(log, LogGrowth(factor), np.random.default_rng(0))


def test_users_that_leave_no_numbers_are_refused() -> None:
    log = weekly(3)
    log.user[:] = 2**31 - 2
    with pytest.raises(InputError, match="leaves none for users of copies"):
        grown(log, 2)


@pytest.mark.parametrize("thin_by", ["user", "job"])
@pytest.mark.parametrize("jobs", [1, 3])
def test_a_growth_that_leaves_no_job_is_refused(jobs: int, thin_by: ThinBy) -> None:
    small = log_of([(100 * job, 100, 4, job) for job in range(jobs)])
    growth = LogGrowth(0.01, thin_by=thin_by)
    with pytest.raises(InputError, match=f"a growth of 0.01 leaves none of {jobs} job"):
        grow(small, growth, np.random.default_rng(0))


@pytest.mark.parametrize("factor", [1, 2, 0.01])
def test_weeks_in_which_nothing_runs_are_an_empty_log_and_no_error(factor: float) -> None:
    log = log_of([(0, 60, 1, 7), (5, 60, 1, 8), (4 * WEEK_S, 60, 1, 7)])
    drawn = grow(log, LogGrowth(factor), np.random.default_rng(0), np.array([2, 1, 3, 1]))
    if factor <= 1:  # copies take other weeks, which may have jobs
        assert (len(drawn.log), drawn.added) == (0, 0)
    assert np.isfinite(drawn.reached)
