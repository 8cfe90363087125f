"""Why jobs waited: by hand, as a law, and on a published log."""

from __future__ import annotations

import random

import numpy as np
import pandas as pd
import pytest

from planner.errors import InputError
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.explain import EXPLAINED, Explanation, explain
from planner.scheduling.simulation.schedule import JobSchedule
from planner.scheduling.simulation.simulate import Estimates, plans_of, simulate
from planner.scheduling.simulation.state import state_at
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.policies.tasks import Row, random_rows
from tests.shared_data import TRACES, needs_data


def log_of(rows: list[Row], machine: int) -> JobLog:
    submit, run, processors, requested, user = np.array(rows, np.int64).T.copy()
    codes = user.astype(np.int32)
    number = np.arange(1, len(rows) + 1)
    missing = np.full(len(rows), -1, np.int64)
    return JobLog(
        "rows", number, submit, run, processors, requested, codes, codes, codes, codes, missing,
        machine_processors=machine,
    )  # fmt: skip


def played(
    rows: list[Row], machine: int, policy: str, estimates: Estimates | None = None
) -> JobSchedule:
    return simulate(log_of(rows, machine), find_policy(policy), estimates=estimates).schedule


def why(schedule: JobSchedule, job: int) -> Explanation:
    return explain(schedule, job, plans_of(schedule, job))


ROWS: list[Row] = [
    (0, 100, 3, 100, 0),  # 1 runs from 0 on 3 of 4 processors
    (10, 50, 4, 50, 0),  # 2 wants all: first in the queue, reserved at 100
    (20, 95, 1, 95, 0),  # 3 fits, but would end at 115 and leave 0 over
    (30, 40, 1, 60, 0),  # 4 fits and is to end at 90: overtakes 2 and 3
    (40, 10, 2, 10, 0),  # 5 is short
]


def test_a_small_queue_by_hand() -> None:
    result = played(ROWS, 4, "easy")
    assert result.start_s.tolist() == [0, 100, 150, 30, 150]
    head = why(result, 2)
    assert [look.time_s for look in head.looks] == [10, 20, 30, 40, 70]
    assert {look.reason for look in head.looks} == {"short"}
    assert [(look.free, look.reserved_s) for look in head.looks[:3]] == [
        (1, 100),
        (1, 100),
        (0, 100),
    ]
    assert head.looks[0].sentence == (
        "first in the queue; needs 4 processors, 1 is free; by the estimates enough are free at "
        "100 s"
    )
    assert [item.job for item in head.overtaken_by] == [4]
    assert head.started.sentence == (
        "first in the queue, and 4 processors were free after the end of job 1"
    )
    third = why(result, 3)
    assert [(look.time_s, look.reason) for look in third.looks] == [
        (20, "delays"), (30, "short"), (40, "short"), (70, "delays"), (100, "short"),
    ]  # fmt: skip
    assert third.looks[0].sentence == (
        "job 2 has a reservation at 100 s; this job would end at 115 s and needs 1, but only 0 are "
        "spare then"
    )
    backfilled = why(result, 4)
    assert backfilled.looks == ()
    assert backfilled.started.sentence == (
        "backfilled: job 2, first in the queue, has a reservation at 100 s, and this job was to "
        "end "
        "by 90 s"
    )
    assert [period.looks for period in head.periods] == [5]


def test_one_free_processor_is_singular() -> None:
    rows: list[Row] = [(0, 100, 4, 100, 0), (10, 50, 1, 50, 0)]
    assert why(played(rows, 4, "easy"), 2).started.sentence == (
        "first in the queue, and 1 processor was free after the end of job 1"
    )


def test_nobody_overtakes_the_head_of_a_queue_without_backfilling() -> None:
    explanation = why(played(ROWS, 4, "fcfs"), 4)
    assert [look.reason for look in explanation.looks] == ["behind"] * 3
    assert explanation.looks[0].sentence == (
        "job 2 is first and does not fit; no job may overtake it"
    )


def test_plans_of_conservative_backfilling_are_told() -> None:
    explanation = why(
        played([(0, 50, 4, 100, 0), (1, 10, 2, 10, 0), (2, 10, 3, 10, 0)], 4, "conservative"), 3
    )
    # Planned for 110 behind job 2, which is planned for 100; when job 1 ends at 50, not 100, job 2
    # moves to 50 and this one to 60.
    assert [(look.time_s, look.reason, look.reserved_s) for look in explanation.looks] == [
        (2, "short", 110), (50, "short", 60),
    ]  # fmt: skip
    assert [look.head for look in explanation.looks] == [None, None]  # both times are its own
    assert explanation.started.sentence == "its planned start, 60 s, was reached"


def test_planned_starts_are_those_of_the_run_where_a_job_requests_no_time() -> None:
    schedule = played([(0, 10, 1, 10, 0), (1, 0, 1, 0, 0), (2, 10, 1, 10, 0)], 1, "conservative")
    assert schedule.start_s.tolist() == [0, 10, 10]
    # A job holds its processors for at least 1 s of its request: 10 to 11 s, until it ends at once.
    assert plans_of(schedule, 3) == [(2, 11), (10, 10)]


@pytest.mark.parametrize("policy", EXPLAINED)
def test_every_look_at_every_job_finds_a_reason(policy: str) -> None:
    looks = 0
    for seed in range(25):
        rng = random.Random(seed)
        rows = random_rows(rng, 8, most=20)
        result = played(rows, 8, policy)
        for number in result.number.tolist():
            explained = why(result, number)
            looks += len(explained.looks)
            assert all(look.reason != "nothing" for look in explained.looks), (seed, number)
            assert explained.wait_s == 0 or explained.looks
    assert looks > 1000


def test_a_schedule_that_breaks_the_rule_shows_as_a_look_without_a_reason() -> None:
    result = played([(0, 10, 2, 10, 0), (0, 10, 2, 10, 0), (5, 1, 1, 1, 0)], 4, "easy")
    late = JobSchedule(**{**vars(result), "start_s": np.array([0, 4, 14])})
    assert [look.reason for look in why(late, 2).looks] == ["nothing"]


def test_who_would_end_as_the_head_starts_was_kept_by_nothing() -> None:
    rows: list[Row] = [(0, 100, 3, 100, 0), (10, 50, 4, 50, 0), (20, 80, 1, 80, 0)]
    result = played(rows, 4, "easy")
    assert result.start_s.tolist() == [0, 100, 20]
    late = JobSchedule(**{**vars(result), "start_s": np.array([0, 100, 150])})
    assert why(late, 3).looks[0].reason == "nothing"


def test_an_outlived_prediction_is_corrected_at_the_very_instant() -> None:
    # Believed to take 10 s, then 70, 310 and 910 s, each from the second at which it is outlived.
    rows: list[Row] = [(0, 10, 1, 50, 0), (20, 10, 1, 50, 0), (100, 4000, 1, 5000, 0)]
    result = played(rows, 1, "easy++")
    expected = {109: 110, 110: 170, 169: 170, 170: 410, 409: 410, 410: 1010}
    for time, end in expected.items():
        assert state_at(result, time).expected_end_s.tolist() == [end]


def test_what_cannot_be_explained_is_said() -> None:
    result = played(ROWS, 4, "easy")
    with pytest.raises(InputError, match="has no job 99; it has 5 jobs, numbered 1 to 5"):
        explain(result, 99)
    with pytest.raises(InputError, match="sjf-easy cannot be explained"):
        explain(played(ROWS, 4, "sjf-easy"), 2)
    larger = [*ROWS, (50, 1, 9, 1, 0)]
    with pytest.raises(InputError, match="job 6 never started: it takes 9 processors"):
        explain(played(larger, 4, "easy"), 6)


@needs_data
def test_three_jobs_of_a_published_log() -> None:
    """Each statement is worked out anew from the reference's own starts."""
    schedule = simulate(read_job_log(TRACES / "SDSC-SP2.swf.gz"), find_policy("easy")).schedule
    table = pd.read_csv(TRACES / "SDSC-SP2_EASY_pyss-predictsim-2015.csv.gz").sort_values("job")
    table["end"] = table["start"] + table["run"]
    table["expected"] = table["start"] + table["req"]
    waits = (table["start"] - table["submit"]).to_numpy()
    longest = int(table["job"].to_numpy()[waits.argmax()])
    assert longest == 54974
    for job in (longest, 14814, 14850):  # the longest wait; overtaken; backfilled
        row = table[table["job"] == job].iloc[0]
        explanation = explain(schedule, job)
        assert explanation.wait_s == row["start"] - row["submit"]
        later = table[
            ((table["submit"] > row["submit"]) | (table["job"] > job))
            & (table["submit"] >= row["submit"])
            & (table["start"] < row["start"])
        ]
        assert {item.job for item in explanation.overtaken_by} == set(later["job"])
        for look in explanation.looks:
            here = table[(table["start"] <= look.time_s) & (table["end"] > look.time_s)]
            queue = table[(table["submit"] <= look.time_s) & (table["start"] > look.time_s)]
            free = 128 - int(here["procs"].sum())
            first = queue.sort_values(["submit", "job"]).iloc[0]
            assert (look.free, look.head) == (free, first["job"])
            if look.reason == "short":
                assert row["procs"] > free
                continue
            assert look.reason == "delays"
            ends = here.groupby("expected")["procs"].sum().sort_index().cumsum() + free
            shadow = int(ends.index[ends >= first["procs"]][0])
            assert look.reserved_s == shadow
            assert look.extra == ends[shadow] - first["procs"] < row["procs"]
            assert look.expected_end_s == look.time_s + row["req"] > shadow
    assert explain(schedule, 14850).started.sentence.startswith(
        "backfilled: job 14844, first in the queue"
    )
