"""Sound schedules pass, and each planted fault is found and named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.errors import InputError
from planner.scheduling.policies.problem import Unavailable
from planner.scheduling.simulation.checker import violations
from planner.scheduling.simulation.schedule import NEVER, JobSchedule
from planner.scheduling.violation import Violation
from tests.planner.scheduling.simulation.literal import (
    conservative,
    drawn_log,
    easy,
    made_log,
    schedule_of,
)
from tests.planner.scheduling.simulation.published import published
from tests.shared_data import needs_data
from tests.sizes import few

ORDERS = ("reference", "batch")
LITERAL: dict[str, Callable[..., JobSchedule]] = {
    "fcfs": lambda log, machine, order: easy(log, machine, order, backfill=False),
    "easy": easy,
    "conservative": conservative,
}


def kinds(violated: list[Violation]) -> list[str]:
    return [violation.kind for violation in violated]


# --- sound schedules -----------------------------------------------------------------------------


@needs_data
@pytest.mark.parametrize(
    ("name", "policy", "jobs"),
    [
        ("SDSC-SP2-10k_fcfs_pyss-2007", "fcfs", 10_000),
        ("SDSC-SP2-10k_fcfs_accasim-1.1.3", "fcfs", 10_000),
        ("SDSC-SP2-10k_easy_pyss-2007", "easy", 10_000),
        ("SDSC-SP2-10k_cons_pyss-2007", "conservative", 10_000),
        ("SDSC-SP2_EASY_pyss-predictsim-2015", "easy", 54_006),
        ("SDSC-SP2_EASY-clairvoyant_pyss-predictsim-2015", "easy", 54_006),
        ("SDSC-BLUE_EASY_pyss-predictsim-2015", "easy", 232_542),
        ("SDSC-BLUE_EASY-clairvoyant_pyss-predictsim-2015", "easy", 232_542),
    ],
)
def test_published_schedules_keep_their_policy(name: str, policy: str, jobs: int) -> None:
    schedule = published(name)
    assert len(schedule) == jobs
    assert violations(schedule, policy=policy, within_request=True) == []


@needs_data
@pytest.mark.parametrize("order", ORDERS)
def test_with_perfect_estimates_the_event_order_changes_nothing(order: str) -> None:
    schedule = published("SDSC-SP2_EASY-clairvoyant_pyss-predictsim-2015")
    assert violations(schedule, policy="easy", event_order=order) == []


@needs_data
@pytest.mark.parametrize(
    ("name", "idle", "broken"),
    [("SDSC-SP2-10k_easy_cqsim", 85, 74), ("SDSC-SP2-10k_easy_accasim-1.1.3", 184, 196)],
)
def test_two_simulators_leave_heads_idle_and_break_promises(
    name: str, idle: int, broken: int
) -> None:
    result = Counter(kinds(violations(published(name), policy="easy")))
    assert result["idle"] == idle
    assert result["beyond its promise"] == broken
    assert result["delays the head"] > 900


@needs_data
def test_one_policy_is_not_another() -> None:
    schedule = published("SDSC-SP2-10k_easy_pyss-2007")
    assert "overtakes" in kinds(violations(schedule, policy="fcfs"))
    assert "beyond its reservation" in kinds(violations(schedule, policy="conservative"))
    fcfs = published("SDSC-SP2-10k_fcfs_pyss-2007")
    assert set(kinds(violations(fcfs, policy="easy"))) == {"not backfilled"}


def test_no_jobs_break_no_rule() -> None:
    empty = schedule_of(made_log([]), 4, np.zeros(0, np.int64))
    for policy in (None, *LITERAL):
        assert violations(empty, policy=policy) == []


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("policy", LITERAL)
@pytest.mark.parametrize("least_run", [0, 1])
def test_small_logs_pass_exactly_if_they_are_what_the_literal_policy_makes(
    policy: str, order: str, least_run: int
) -> None:
    """Policies leave no choice, so any other start is a violation: nothing is missed."""
    others = 0
    for seed in range(few(60)):
        rng = np.random.default_rng(seed)
        log = drawn_log(rng, int(rng.integers(1, 14)), 6, least_run=least_run)
        right = LITERAL[policy](log, 6, order)
        candidates = [LITERAL[name](log, 6, item) for name in LITERAL for item in ORDERS]
        for _ in range(4):
            moved = np.zeros(len(log), np.int64)
            moved[rng.integers(len(log))] = rng.integers(-3, 4)
            candidates.append(replace(right, start_s=right.start_s + moved))
        for schedule in [right, *candidates]:
            violated = violations(schedule, policy=policy, event_order=order, log=log)
            same = bool((schedule.start_s == right.start_s).all())
            assert (violated == []) is same, (seed, [str(violation) for violation in violated])
            others += not same
    assert others > few(100)


def test_nobody_is_blamed_while_a_job_outlives_its_estimate() -> None:
    """The head was promised 5; the job before it ends at 9, and nothing could be done."""
    log = made_log([(0, 9, 4, 5), (1, 3, 4, 3)])
    assert violations(schedule_of(log, 4, np.array([0, 9])), policy="easy") == []
    late = violations(schedule_of(log, 4, np.array([0, 10])), policy="easy")
    assert [(item.kind, item.job, item.time_s, item.by) for item in late] == [("idle", 2, 9, 1)]


# --- planted faults ------------------------------------------------------------------------------

DAY = 86_400
SOUND = made_log(
    [
        (0, 100, 3, 100),  # 1 runs 0-100
        (10, 50, 4, 60),  # 2 runs 100-150
        (20, 80, 1, 80),  # 3 is backfilled: 20-100, ends as 2 was promised to start
        (30, 10, 2, 20),  # 4 runs 150-160
        (DAY - 50, 100, 3, 100),  # 5 runs across midnight
        (DAY - 40, 20, 1, 30),  # 6 runs beside it
        (DAY, 10, 4, 10),  # 7 runs when 5 has ended
    ]
)
STARTS = np.array([0, 100, 20, 150, DAY - 50, DAY - 40, DAY + 50])


def sound() -> JobSchedule:
    return schedule_of(SOUND, 4, STARTS)


def test_the_schedule_that_faults_are_planted_in_is_sound() -> None:
    for order in ORDERS:
        for policy in (None, "easy", "conservative"):
            violated = violations(sound(), policy=policy, event_order=order, log=SOUND)
            assert violated == []


def changed(**arrays: dict[int, Any]) -> JobSchedule:
    """The sound schedule with some values of some jobs changed."""
    schedule = sound()
    for name, values in arrays.items():
        array = getattr(schedule, name).copy()
        for job, value in values.items():
            array[job - 1] = value
        schedule = replace(schedule, **{name: array})
    return schedule


def without(job: int) -> JobSchedule:
    return sound().take(SOUND.number != job)


def twice(job: int) -> JobSchedule:
    return sound().take(np.sort(np.append(np.arange(len(SOUND)), job - 1)))


PLANTED: dict[str, tuple[JobSchedule, str | None, str, int, int]] = {
    "start before submission": (
        changed(start_s={7: DAY - 1}),
        None,
        "start before submission",
        7,
        1,
    ),
    "negative start": (changed(start_s={1: -20}), None, "negative start", 1, 20),
    "one processor too many for one second": (
        changed(start_s={2: 99}),
        None,
        "too little room",
        2,
        4,
    ),
    "one processor too many": (changed(processors={6: 2}), None, "too little room", 6, 1),
    "overlap across midnight": (changed(start_s={7: DAY + 49}), None, "too little room", 7, 3),
    "missing": (without(4), None, "missing", 4, 1),
    "twice": (twice(3), None, "job twice", 3, 1),
    "changed run time": (changed(run_s={4: 11}), None, "changed run time", 4, 1),
    "changed processors": (changed(processors={4: 1}), None, "changed processors", 4, 1),
    "changed submit time": (changed(submit_s={4: 31}), None, "changed submit time", 4, 1),
    "changed request": (changed(requested_s={4: 25}), None, "changed requested time", 4, 5),
    "unknown": (changed(number={4: 99}), None, "unknown", 99, 1),
    "never starts": (changed(start_s={4: NEVER}), None, "never started", 4, 1),
    "rejected though it fits": (
        replace(changed(start_s={4: NEVER}), rejected={4: "no start in the file"}),
        None,
        "never started",
        4,
        1,
    ),
    "rejected and started": (
        replace(sound(), rejected={4: "too large"}),
        None,
        "rejected and started",
        4,
        1,
    ),
    "killed after its limit": (
        changed(killed={4: True}, run_s={4: 23}),
        None,
        "beyond its limit",
        4,
        3,
    ),
    "negative run": (changed(run_s={4: -7}), None, "negative run", 4, 7),
    "no processors": (changed(processors={4: 0}), None, "no processors", 4, 1),
    "larger than the machine": (
        changed(processors={4: 6}),
        None,
        "larger than the machine",
        4,
        2,
    ),
    "out of order": (sound().take(np.array([0, 2, 1, 3, 4, 5, 6])), None, "order", 2, 10),
    "idle machine": (changed(start_s={7: DAY + 60}), "fcfs", "idle", 7, 10),
    "overtaking": (sound(), "fcfs", "overtakes", 3, 80),
    "idle head": (changed(start_s={7: DAY + 60}), "easy", "idle", 7, 10),
    "not backfilled": (changed(start_s={3: 150}), "easy", "not backfilled", 3, 130),
    "beyond its promise": (
        changed(start_s={2: 101, 4: 151}),
        "easy",
        "beyond its promise",
        2,
        1,
    ),
    "delayed reservation": (
        changed(start_s={2: 102, 4: 152}),
        "conservative",
        "beyond its reservation",
        2,
        2,
    ),
    "late": (changed(start_s={4: 155}), "conservative", "late", 4, 5),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_faults_are_found_and_named(name: str) -> None:
    schedule, policy, kind, job, by = PLANTED[name]
    violated = violations(schedule, policy=policy, log=None if policy else SOUND)
    assert (kind, job, by) in [
        (violation.kind, violation.job, violation.by) for violation in violated
    ]
    sentence = next(
        str(violation) for violation in violated if (violation.kind, violation.job) == (kind, job)
    )
    assert f"job {job}: " in sentence


def test_a_backfill_that_puts_the_head_off_is_blamed_and_so_is_what_follows() -> None:
    """3 asks for 90 s and so reaches 10 s beyond the promise of job 2, which then starts late."""
    log = made_log([(0, 100, 3, 100), (10, 50, 4, 60), (20, 90, 1, 90)])
    schedule = schedule_of(log, 4, np.array([0, 110, 20]))
    violated = violations(schedule, policy="easy")
    assert [
        (violation.time_s, violation.kind, violation.job, violation.by) for violation in violated
    ] == [
        (20, "delays the head", 3, 10),
        (110, "beyond its promise", 2, 10),
    ]
    assert str(violated[0]) == (
        "at 20 s, job 3: starts ahead of the head and by its estimate delays it by up to 10 s"
    )
    violated = violations(schedule, policy="conservative")
    assert [(violation.kind, violation.job) for violation in violated] == [
        ("overtakes", 3),
        ("beyond its reservation", 2),
    ]


def test_a_start_before_the_planned_one_may_harm_nobody() -> None:
    """Moved up, job 10 leaves a hole that job 6, before it in the queue, was not offered.

    At 5 s, of 6 processors, job 1 ends. Job 6 moves up from 9 to 7 and no further, for job 10 still
    holds 6 to 7; then job 10 moves up to 5. The rule asks nobody twice, so 6 may not start at 5.
    """
    log = made_log(
        [
            (0, 5, 2, 9),
            (0, 8, 1, 8),
            (0, 3, 3, 4),
            (1, 7, 4, 7),
            (1, 3, 3, 3),
            (2, 3, 1, 5),
            (2, 6, 4, 6),
            (2, 4, 2, 7),
            (3, 7, 1, 10),
            (4, 1, 1, 1),
        ]
    )
    right = conservative(log, 6, "batch")
    assert violations(right, policy="conservative", event_order="batch") == []
    early = easy(log, 6, "batch")
    violated = violations(early, policy="conservative", event_order="batch")
    assert [
        (violation.time_s, violation.kind, violation.job, violation.by) for violation in violated
    ] == [(5, "early", 6, 2)]


def test_who_follows_a_late_start_is_not_late_as_well() -> None:
    """Job 2 starts 2 s after its reservation; job 3 starts as soon as job 2 has ended."""
    log = made_log([(0, 10, 4, 10), (1, 5, 4, 5), (2, 5, 4, 5)])
    violated = violations(schedule_of(log, 4, np.array([0, 12, 17])), policy="conservative")
    assert [
        (violation.time_s, violation.kind, violation.job, violation.by) for violation in violated
    ] == [
        (10, "late", 2, 2),
        (12, "beyond its reservation", 2, 2),
        (17, "beyond its reservation", 3, 2),
    ]


def test_a_backfill_that_starts_late_is_blamed_once() -> None:
    """Job 3 fits beside the head at 2 and starts at 3, when nothing happens."""
    log = made_log([(0, 100, 4, 100), (1, 9, 6, 9), (2, 200, 2, 200)])
    schedule = schedule_of(log, 8, np.array([0, 100, 3]))
    violated = violations(schedule, policy="easy")
    assert [
        (violation.time_s, violation.kind, violation.job, violation.by) for violation in violated
    ] == [(2, "not backfilled", 3, 1)]


def test_who_overtakes_is_told_whom() -> None:
    """Job 4 overtakes job 3, and not job 2, which starts with it."""
    log = made_log([(0, 5, 4, 5), (0, 5, 2, 5), (1, 5, 4, 5), (2, 5, 2, 5)])
    violated = violations(schedule_of(log, 4, np.array([0, 5, 10, 5])), policy="fcfs")
    assert [str(violation) for violation in violated] == [
        "at 5 s, job 4: overtakes job 3, listed before it, which starts 5 s later"
    ]


def test_processors_that_the_head_leaves_are_given_once() -> None:
    """Of 8, job 1 holds 4 until 100; the head needs 6, so 2 are left beside it from 100 on.

    Jobs 3 and 4 reach beyond 100 with 2 processors each: the first may, the second may not.
    """
    log = made_log([(0, 100, 4, 100), (1, 9, 6, 9), (2, 200, 2, 200), (2, 200, 2, 200)])
    right = easy(log, 8, "batch")
    assert right.start_s.tolist() == [0, 100, 2, 109]
    for order in ORDERS:
        assert violations(right, policy="easy", event_order=order) == []
        both = schedule_of(log, 8, np.array([0, 202, 2, 2]))
        violated = violations(both, policy="easy", event_order=order)
        assert [(violation.kind, violation.job, violation.by) for violation in violated] == [
            ("delays the head", 4, 102),
            ("beyond its promise", 2, 102),
        ]


def test_a_backfill_may_be_harmless_in_one_event_order_only() -> None:
    """At 5 job 4 arrives and job 2 ends, long before its estimate of 30.

    Submissions first: the head, job 3, is promised 30, so 4 may run until 15. Ends first: job 3
    starts at 5 on the 3 free processors, and nothing is left for 4 until 10.
    """
    log = made_log([(0, 20, 1, 20), (0, 5, 2, 30), (1, 5, 3, 5), (5, 10, 1, 10)])
    starts = {"reference": [0, 0, 15, 5], "batch": [0, 0, 5, 10]}
    for order in ORDERS:
        for other in ORDERS:
            schedule = schedule_of(log, 4, np.array(starts[other]))
            violated = violations(schedule, policy="easy", event_order=order)
            assert (violated == []) is (order == other)


def test_a_submission_that_does_not_fit_makes_no_pass() -> None:
    """At 10 s, 5 processors: job 5 arrives and needs 4, of which 3 are free; job 1 ends.

    A pass at the arrival would start job 4 on 2 of those 3, for the head, job 2, is promised 20 by
    the estimate of job 1. So the first pass is that of the end of job 1, and starts job 2.
    """
    log = made_log([(0, 10, 2, 20), (1, 2, 4, 2), (2, 8, 3, 8), (6, 2, 2, 2), (10, 4, 4, 24)])
    schedule = schedule_of(log, 5, np.array([0, 10, 2, 12, 14]))
    assert violations(schedule, policy="easy", event_order="reference") == []


def test_jobs_that_end_together_end_in_the_order_of_their_starts() -> None:
    """At 20 s jobs 2 and 4 end, which both started at 10: job 4 first, on its submission.

    With job 4 gone, job 5 fits before the 40 that job 3 is promised; with job 2 gone first, job 3
    would have started.
    """
    log = made_log([(0, 10, 4, 20), (6, 10, 3, 30), (8, 4, 4, 8), (10, 10, 1, 20), (10, 2, 2, 2)])
    schedule = schedule_of(log, 5, np.array([0, 10, 22, 10, 20]))
    assert violations(schedule, policy="easy", event_order="reference") == []


def test_too_little_room_names_the_time_the_peak_and_its_end() -> None:
    violated = violations(changed(start_s={2: 99}))
    assert str(violated[0]) == (
        "at 99 s, job 2: from its start to 100 s up to 8 processors are in use of 4"
    )
    assert len(violated) == 1


def test_a_job_without_length_needs_room_beside_those_that_run_across_it() -> None:
    log = made_log([(0, 10, 3, 10), (0, 0, 2, 1), (0, 0, 4, 1)])
    violated = violations(schedule_of(log, 4, np.array([0, 5, 10])))
    assert [(violation.kind, violation.job, violation.by) for violation in violated] == [
        ("too little room", 2, 1)
    ]
    assert violations(schedule_of(log, 4, np.array([0, 10, 10]))) == []
    assert violations(schedule_of(log, 4, np.array([0, 0, 0]))) == []


def test_runs_beyond_the_request_are_blamed_if_asked_for() -> None:
    log = made_log([(0, 10, 1, 7)])
    schedule = schedule_of(log, 4, np.array([0]))
    assert violations(schedule) == []
    violated = violations(schedule, within_request=True)
    assert [(violation.kind, violation.by) for violation in violated] == [("beyond its limit", 3)]
    assert violations(schedule, policy="conservative") == violated


def test_killed_jobs_may_be_shorter_than_in_the_log() -> None:
    log = made_log([(0, 10, 1, 7)])
    schedule = replace(schedule_of(log, 4, np.array([0])), run_s=np.array([7]))
    assert kinds(violations(schedule, log=log)) == ["changed run time"]
    killed = replace(schedule, killed=np.array([True]))
    assert violations(killed, log=log) == []
    longer = replace(killed, run_s=np.array([12]), requested_s=np.array([12]))
    assert "changed run time" in kinds(violations(longer, log=log))


def test_rejected_jobs_are_no_fault_and_hold_nobody_up() -> None:
    log = made_log([(0, 5, 9, 5), (0, 5, 4, 5)])
    schedule = replace(schedule_of(log, 4, np.array([NEVER, 0])), rejected={1: "too large"})
    for policy in (None, *LITERAL):
        assert violations(schedule, policy=policy, log=log) == []


# Of 4 processors 2 are gone from 10 s to 20 s; job 1 runs on 3 across that, job 2 for an instant.
GONE = Unavailable(10, 20, 2)


def beside(windows: list[Unavailable], **other: Any) -> list[tuple[float | None, int, str, int]]:
    log = made_log([(0, 30, 3, 30), (0, 0, 3, 5), (0, 5, 1, 5)])
    schedule = replace(schedule_of(log, 4, np.array([0, 40, 15])), **other)
    violated = violations(schedule, unavailable=windows)
    return [
        (violation.time_s, violation.job, violation.kind, violation.by) for violation in violated
    ]


def test_who_runs_when_processors_are_taken_away_is_named() -> None:
    log = made_log([(0, 30, 3, 30), (0, 5, 1, 5)])
    schedule = schedule_of(log, 4, np.array([0, 5]))
    (violated,) = violations(schedule, unavailable=[GONE])  # job 2, started last, ends at 10 s
    assert (violated.time_s, violated.job, violated.by) == (10, 1, 1)
    message = "from 10 s to 20 s up to 5 processors are in use or taken away of 4"
    assert str(violated) == f"at 10 s, job 1: {message}"


def test_a_job_without_a_start_is_accused_once() -> None:
    log = made_log([(0, 5, 4, 5)])
    never = schedule_of(log, 4, np.array([NEVER]))
    (violated,) = violations(never)
    assert str(violated) == "job 1: neither starts nor is rejected"
    (violated,) = violations(replace(never, rejected={1: "no start in the file"}))
    assert str(violated) == "job 1: never starts, though its 4 processors fit the machine of 4"
    assert violations(replace(never, machine_processors=3, rejected={1: "too large"})) == []


@pytest.mark.parametrize("announced", [True, False])
def test_processors_taken_away_are_left_free(announced: bool) -> None:
    gone = replace(GONE, announced=announced)
    assert beside([]) == []
    assert beside([replace(gone, begin_s=30, end_s=40)]) == []  # nobody runs then
    # from 10 s job 1 has one too many, from 15 s with job 3 two: one stretch, with its most
    assert beside([gone]) == [(10, 1, "too little room", 2)]
    assert beside([replace(gone, begin_s=30, end_s=41)]) == [(40, 2, "too little room", 1)]
    # two windows that take 8 of 4 processors take all four, not more
    whole = replace(gone, begin_s=30, end_s=40, processors=4)
    assert beside([whole, whole]) == []
    assert beside([replace(whole, begin_s=29)] * 2) == [(29, 1, "too little room", 3)]


def test_a_job_that_an_outage_kills_ends_where_it_begins() -> None:
    killed = {"run_s": np.array([10, 0, 5]), "killed": np.array([True, False, False])}
    outage = replace(GONE, announced=False)
    assert beside([outage], **killed) == []
    assert beside([GONE], **killed) == [(10, 1, "killed for nothing", 20)]
    later = replace(outage, begin_s=11)
    assert beside([later], **killed) == [(10, 1, "killed for nothing", 20)]
    at_its_limit = killed | {"requested_s": np.array([10, 5, 5])}
    assert beside([later], **at_its_limit) == []


def test_policies_are_judged_on_possible_schedules_only() -> None:
    violated = violations(changed(start_s={7: DAY + 60}, processors={4: 0}), policy="easy")
    assert kinds(violated) == ["no processors"]


row = st.tuples(*(st.integers(low, 9) for low in (0, -2, 0, -2, -1)), st.booleans())


@settings(max_examples=few(300), deadline=None)
@given(st.lists(row, max_size=7), st.sampled_from([None, *LITERAL]), st.sampled_from(ORDERS))
def test_any_numbers_are_judged(rows: list[Any], policy: str | None, order: str) -> None:
    """Whatever the numbers, the checker answers; without room for a job it always says so."""
    table = np.array([row[:5] for row in rows], np.int64).reshape(-1, 5)
    killed = np.array([row[5] for row in rows], np.bool_)
    submit, run, processors, start, requested = table.T
    log = made_log([(0, 0, 0, 0)] * len(rows))
    schedule = replace(
        schedule_of(log, 4, start),
        submit_s=submit,
        run_s=run,
        processors=processors,
        requested_s=requested,
        killed=killed,
    )
    violated = violations(schedule, policy=policy, event_order=order)
    second = [processors[(start <= t) & (t < start + run) & (start >= 0)].sum() for t in range(20)]
    if max(second) > 4 and (processors > 0).all():
        assert "too little room" in kinds(violated)
    assert violated == sorted(
        violated, key=lambda item: (item.time_s is not None, item.time_s or 0)
    )


def test_estimates_other_than_the_requests_can_be_given() -> None:
    log = made_log([(0, 10, 3, 30), (1, 5, 4, 5), (2, 9, 1, 9)])
    blind = schedule_of(log, 4, np.array([0, 11, 2]))
    assert violations(blind, policy="easy") == []
    violated = violations(blind, policy="easy", estimated_s=log.run_s)
    assert kinds(violated) == ["delays the head", "beyond its promise"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"policy": "sjf"}, "policy 'sjf' has no rules to check; choose one of fcfs, easy"),
        ({"event_order": "x"}, "event order 'x' is not known; choose reference or batch"),
        ({"estimated_s": np.zeros(2, np.int64)}, "has 2 values for 7 jobs"),
        (
            {"estimated_s": np.zeros(7, np.int64), "policy": "conservative"},
            "needs estimates that no run exceeds",
        ),
    ],
)
def test_questions_that_cannot_be_answered_are_refused(options: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        violations(sound(), **options)
