"""Every policy against the literal event loop, and against itself under laws."""

from __future__ import annotations

import random
from typing import get_args

import pytest

from planner.errors import InputError, PlanError
from planner.scheduling.policies.lookahead import look_ahead
from planner.scheduling.policies.problem import EventOrder, Unavailable
from planner.scheduling.policies.registry import POLICIES, find_policy
from tests.planner.scheduling.policies import oracle
from tests.planner.scheduling.policies.tasks import Row, problem_of, random_rows, starts_of
from tests.sizes import few

ORDERS: tuple[EventOrder, ...] = get_args(EventOrder)

AT_EVENTS = [name for name in POLICIES if name != "maui"]
"""Policies that act at events; maui acts at iterations of 30 s."""

CASES = [
    ("fcfs", "fcfs", "user", None),
    ("easy", "easy", "user", None),
    ("easy", "easy", "perfect", None),
    ("easy", "easy", "tsafrir", None),
    ("easy", "easy", "user", 3),
    ("easy", "easy", "user", 0),
    ("conservative", "conservative", "user", None),
    ("conservative", "conservative", "perfect", None),
    ("easy++", "easy++", "user", None),
    ("easy++", "easy++", "perfect", None),
    ("easy++", "easy++", "tsafrir", None),
    ("easy++-pass", "easy++-pass", "user", None),
    ("easy++-pass", "easy++-pass", "tsafrir", None),
    ("sjf", "sjf", "user", None),
    ("sjf-easy", "sjf+easy", "user", None),
    ("largest", "largest", "user", None),
    ("largest-easy", "largest+easy", "user", 2),
]


@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize(("policy", "literal", "estimates", "reservations"), CASES)
def test_every_start_is_the_literal_loop_s(
    policy: str, literal: str, estimates: str, reservations: int | None, event_order: EventOrder
) -> None:
    for seed in range(few(60)):
        rng = random.Random(seed)
        machine = rng.randint(1, 12)
        rows = random_rows(rng, machine)
        started = starts_of(policy, machine, rows, event_order, estimates, reservations)
        depth = 1 if reservations is None else reservations
        exact = [(s, r, p, r if estimates == "perfect" else e, u) for s, r, p, e, u in rows]
        expected = oracle.starts(machine, exact, literal, event_order, estimates, depth)
        assert started == expected, (seed, machine, rows)


def test_easy_by_predictions_is_the_literal_loop_s_in_the_order_of_the_queue() -> None:
    rows: list[Row] = [(0, 10, 1, 100, 0), (11, 10, 1, 100, 0), (30, 100, 2, 100, 1)]
    rows += [(31, 5, 3, 50, 1), (32, 30, 1, 100, 0), (33, 5, 1, 100, 1)]
    # The two last wait behind the 3 processors of job 3, reserved at 130. Job 4 is predicted to
    # take (10 + 10) / 2 = 10 s and starts, and so does job 5, which is believed to take 100 s,
    # only if it ends by 130: it does not, and no processor is left over.
    assert starts_of("easy", 3, rows, "reference", "tsafrir") == [0, 11, 30, 130, 32, 135]
    assert starts_of("easy", 3, rows) == [0, 11, 30, 130, 135, 135]


@pytest.mark.parametrize("policy", AT_EVENTS)
@pytest.mark.parametrize("event_order", ORDERS)
def test_schedules_do_not_depend_on_when_time_begins_nor_on_its_unit(
    policy: str, event_order: EventOrder
) -> None:
    for seed in range(few(20)):
        rng = random.Random(seed)
        rows = [(s, r, p, max(e, 1), u) for s, r, p, e, u in random_rows(rng, 8)]
        plain = starts_of(policy, 8, rows, event_order)
        shift, scale = rng.randint(1, 10**9), rng.randint(2, 1000)
        moved = [(s + shift, r, p, e, u) for s, r, p, e, u in rows]
        scaled = [(scale * s, scale * r, p, scale * e, u) for s, r, p, e, u in rows]
        assert starts_of(policy, 8, moved, event_order) == [start + shift for start in plain]
        if policy != "moldable":  # which rounds times up to whole seconds
            assert starts_of(policy, 8, scaled, event_order) == [scale * start for start in plain]


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
def test_perfect_estimates_make_both_orders_of_events_one(policy: str) -> None:
    for seed in range(few(100)):
        rng = random.Random(seed)
        rows = random_rows(rng, 8)
        both = [starts_of(policy, 8, rows, order, "perfect") for order in ORDERS]
        assert both[0] == both[1]


@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize(
    ("policy", "literal"),
    [("fcfs", "fcfs"), ("easy", "easy"), ("conservative", "conservative"), ("sjf", "sjf")],
)
def test_reservations_are_kept_as_in_the_literal_loop(
    policy: str, literal: str, event_order: EventOrder
) -> None:
    for seed in range(few(60)):
        rng = random.Random(seed)
        machine = rng.randint(2, 12)
        rows = random_rows(rng, machine)
        half, last = machine // 2, max(row[0] for row in rows) + 60
        windows = []
        for begin in sorted(rng.randint(0, last) for _ in range(4)):
            windows.append((begin, begin + rng.randint(1, 40), rng.choice([1, half])))
            if sum(p for _, e, p in windows if e > begin) > machine:
                windows.pop()
        starts = find_policy(policy).schedule(
            problem_of(machine, rows, event_order, unavailable=[Unavailable(*w) for w in windows])
        )
        expected = oracle.starts(machine, rows, literal, event_order, windows=windows)
        assert starts.start_s.tolist() == expected, (seed, machine, rows, windows)
        assert starts.run_s.tolist() == [row[1] for row in rows]


@pytest.mark.parametrize("event_order", ORDERS)
def test_the_general_loop_is_the_fast_one(event_order: EventOrder) -> None:
    import numpy as np

    for seed in range(few(100)):
        rng = random.Random(seed)
        machine = rng.randint(1, 40)
        rows = random_rows(rng, machine, most=200)
        rank = np.zeros(len(rows), np.int64)
        problem = problem_of(machine, rows, event_order)
        for name, reservations in (("easy", 1), ("fcfs", -1)):
            general = look_ahead(problem, rank, reservations).start_s.tolist()
            assert general == starts_of(name, machine, rows, event_order)


@pytest.mark.parametrize("policy", AT_EVENTS)
def test_nothing_and_one_job_are_scheduled(policy: str) -> None:
    assert starts_of(policy, 4, []) == []
    assert starts_of(policy, 4, [(7, 0, 4, 0, 0)]) == [7]
    assert starts_of(policy, 4, [(7, 5, 4, 9, 0), (7, 0, 4, 0, 0)])[0] in (7, 7 + 5)


def test_two_hundred_jobs_behind_a_wide_one_start_in_their_blocks() -> None:
    # Job 0 holds 3 of 4 processors for 1000 s; job 1 wants all. Of the 200 behind it those of
    # 1 processor that end by 1000 backfill one after the other: 10 s each, the last at 10 * 99.
    rows: list[Row] = [(0, 1000, 3, 1000, 0), (0, 10, 4, 10, 0)]
    rows += [(0, 10, 1, 10, 0) if index % 2 else (0, 10, 2, 10, 0) for index in range(200)]
    started = starts_of("easy", 4, rows)
    assert started[1] == 1000
    assert started[3::2] == [10 * index for index in range(100)]
    assert min(started[2::2]) == 1010


def test_unknown_names_and_options_that_do_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'easy'"):
        find_policy("eazy")
    with pytest.raises(InputError, match="fcfs has no number of reservations"):
        find_policy("fcfs", 2)
    for reservations in (0, 2):
        with pytest.raises(PlanError, match="more or fewer than one reservation, does not plan"):
            starts_of("easy", 4, [(0, 1, 1, 1, 0)], "reference", "tsafrir", reservations)
    with pytest.raises(PlanError, match="conservative does not plan with predictions"):
        starts_of("conservative", 4, [(0, 1, 1, 1, 0)], "reference", "tsafrir")


def test_conservative_plans_anew_once_after_all_ends_of_an_instant() -> None:
    # Jobs 1 and 2 end early at 50. Job 3 wants both halves of the machine and is planned for 100,
    # job 4 one half: with one pass after both ends job 3 moves to 50; with a pass after each, the
    # first half goes to job 4 and job 3 waits for it until 90.
    rows: list[Row] = [(0, 50, 2, 100, 0), (0, 50, 2, 100, 0), (1, 10, 4, 10, 0), (2, 40, 2, 40, 0)]
    assert starts_of("conservative", 4, rows, "batch") == [0, 0, 50, 60]
    assert starts_of("conservative", 4, rows, "reference") == [0, 0, 90, 50]


def test_an_outlived_prediction_grows_from_the_first_one() -> None:
    # User 0 ran 10 s twice, so job 2 is believed to take 10 s. It starts at 100, is outlived at 110
    # (10 + 60) and at 170 (10 + 300): at 180 it is expected to end at 410, when job 3 can have both
    # processors. A job of 230 s backfills then, and one of 231 s does not.
    begin: list[Row] = [(0, 10, 1, 50, 0), (20, 10, 1, 50, 0), (100, 4000, 1, 5000, 0)]
    begin += [(105, 10, 2, 10, 1)]
    for length, start in ((230, 180), (231, 4120)):
        # the job of 150 s makes an event between the two corrections, and waits for the last
        rows: list[Row] = [*begin, (150, 10, 2, 10, 3), (180, 5, 1, length, 2)]
        assert starts_of("easy++", 2, rows, "reference", "tsafrir")[-1] == start


@pytest.mark.parametrize("policy", ["easy++", "easy++-pass"])
def test_a_prediction_outlived_by_more_than_100_h_becomes_the_request(policy: str) -> None:
    # User 0 ran 10 s twice: job 2 is predicted to take 10 s, takes 500,000 s and asks for 600,000.
    # At 450,000 s all steps to 10 + 360,000 are outlived, so that it is expected to end at 600,100:
    # job 3 waits for both processors, job 4 ends before that and starts, and so does job 5.
    rows: list[Row] = [(0, 10, 1, 20, 0), (0, 10, 1, 20, 0), (100, 500_000, 1, 600_000, 0)]
    rows += [(450_000, 5, 2, 5, 1), (450_000, 5, 1, 150_000, 2), (450_010, 5, 1, 150_090, 2)]
    started = starts_of(policy, 2, rows, "reference", "tsafrir")
    assert started == [0, 0, 100, 500_100, 450_000, 450_010]
    assert started == oracle.starts(2, rows, policy, "reference", "tsafrir")


def test_as_published_a_job_that_fits_starves_until_the_next_event() -> None:
    # Job 2 is predicted to end at 110. Job 3 is first and needs both processors; job 4 fits next to
    # job 2, but takes 200 s: beyond 110. At 170 the end of job 2 moves to 100 + 310, and job 4
    # would end at 370. As published nothing looks until job 2 ends at 4,100 s; then job 3 is first.
    rows: list[Row] = [(0, 10, 1, 50, 0), (20, 10, 1, 50, 0), (100, 4000, 1, 5000, 0)]
    rows += [(105, 10, 2, 10, 1), (105, 200, 1, 200, 2)]
    assert starts_of("easy++", 2, rows, "reference", "tsafrir")[3:] == [4100, 4110]
    for order in ORDERS:
        assert starts_of("easy++-pass", 2, rows, order, "tsafrir")[3:] == [4100, 170]


def test_a_job_moves_into_what_a_later_one_left_though_its_run_begins_before() -> None:
    # Job 0 ends at 10, not 19. Jobs 1 and 3 move from 19 to 10, job 2 from 21 to 12; job 4 stays at
    # 26, behind jobs 2 and 5; then job 5 moves from 21 to 12 and leaves 21 to 26. Job 1 ends at 12
    # as estimated, which frees nothing; but job 4 can move to 17, to run into what job 5 left.
    rows: list[Row] = [(0, 10, 6, 19, 0), (1, 2, 5, 2, 0), (1, 5, 2, 5, 0), (1, 8, 1, 8, 0)]
    rows += [(1, 9, 5, 9, 0), (1, 5, 3, 5, 0)]
    assert starts_of("conservative", 6, rows) == [0, 10, 12, 10, 17, 12]
