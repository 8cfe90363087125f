"""Outages and reservations, worked by hand."""

from __future__ import annotations

import pytest

from planner.errors import PlanError
from planner.scheduling.policies.problem import EventOrder, Unavailable
from planner.scheduling.policies.registry import POLICIES, find_policy
from tests.planner.scheduling.policies.tasks import Row, problem_of


def answer(
    policy: str, machine: int, rows: list[Row], *unavailable: Unavailable
) -> tuple[list[int], list[int]]:
    starts = find_policy(policy).schedule(problem_of(machine, rows, unavailable=unavailable))
    return starts.start_s.tolist(), starts.run_s.tolist()


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative"])
def test_nobody_runs_into_a_reservation(policy: str) -> None:
    # 4 processors, none from 100 to 200. Job 0 would end at 110 and waits for 200; a job that
    # ends at 100 overtakes it unless nobody overtakes; fcfs keeps it behind: 200.
    rows: list[Row] = [(0, 110, 2, 110, 0), (1, 50, 2, 99, 0)]
    starts, runs = answer(policy, 4, rows, Unavailable(100, 200, 4))
    assert runs == [110, 50]
    assert starts == ([200, 200] if policy == "fcfs" else [200, 1])


def test_half_a_machine_runs_on_beside_a_reservation() -> None:
    rows: list[Row] = [(0, 500, 2, 500, 0), (0, 10, 3, 10, 0), (95, 10, 2, 10, 0)]
    # Job 1 cannot start before job 0 has ended; job 2 would meet the reservation of 2 of the 4
    # processors and starts when it is over, at 200.
    starts, _ = answer("easy", 4, rows, Unavailable(100, 200, 2))
    assert starts == [0, 500, 200]


def test_an_outage_ends_the_latest_jobs_and_its_end_is_known_then() -> None:
    rows: list[Row] = [(0, 300, 1, 300, 0), (5, 300, 2, 300, 0), (10, 300, 1, 300, 0)]
    rows += [(20, 50, 3, 50, 0), (21, 20, 1, 20, 0)]
    # At 100 two of 4 processors fail: the job of 10 ends (90 s), then that of 5 (95 s), since
    # one processor was not enough. One is free: job 3 waits for 3 until 150, when they are back,
    # and job 4 ends before: 100.
    starts, runs = answer("easy", 4, rows, Unavailable(100, 150, 2, announced=False))
    assert starts == [0, 5, 10, 150, 100]
    assert runs == [300, 95, 90, 50, 20]


def test_an_outage_of_free_processors_ends_nobody() -> None:
    rows: list[Row] = [(0, 100, 2, 100, 0), (20, 10, 2, 10, 0)]
    starts, runs = answer("easy", 4, rows, Unavailable(10, 40, 2, announced=False))
    assert starts == [0, 40]
    assert runs == [100, 10]


def test_a_window_that_closes_as_another_opens_leaves_the_machine_as_it_is() -> None:
    rows: list[Row] = [(0, 100, 2, 100, 0)]
    windows = Unavailable(10, 40, 2, announced=False), Unavailable(40, 60, 2, announced=False)
    assert answer("easy", 4, rows, *windows) == ([0], [100])


def test_predictions_and_outages_do_not_go_together() -> None:
    with pytest.raises(PlanError, match="predictions do not work with outages"):
        answer("easy++", 4, [(0, 1, 1, 1, 0)], Unavailable(0, 1, 1))


@pytest.mark.parametrize("event_order", ["reference", "batch"])
@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "sjf", "largest-easy"])
def test_nobody_slips_between_windows_that_touch(policy: str, event_order: EventOrder) -> None:
    rows: list[Row] = [(0, 30, 8, 30, 0), (0, 30, 4, 30, 0)]
    windows = Unavailable(0, 100, 8), Unavailable(100, 200, 8)
    problem = problem_of(8, rows, event_order, unavailable=windows)
    starts = find_policy(policy).schedule(problem)
    assert starts.run_s.tolist() == [30, 30]
    assert sorted(starts.start_s.tolist()) == [200, 230]


def test_a_reservation_long_past_changes_nothing() -> None:
    rows: list[Row] = [(1000 + 7 * n, 50 + 31 * n % 90, 1 + n % 5, 150, 0) for n in range(40)]
    for policy in POLICIES:
        if policy not in ("easy++", "easy++-pass", "maui", "moldable"):
            plain = find_policy(policy).schedule(problem_of(8, rows)).start_s.tolist()
            assert answer(policy, 8, rows, Unavailable(0, 1, 1))[0] == plain


def test_conservative_plans_anew_beside_an_outage() -> None:
    # Job 1 is planned for 100. At 50 two of the four processors fail until 300 and job 0 is ended.
    # Job 1, which wants all four, is planned for 300; job 2 would run until 450 and waits for it.
    rows: list[Row] = [(0, 100, 3, 100, 0), (1, 10, 4, 10, 0), (2, 60, 1, 400, 0)]
    starts, runs = answer("conservative", 4, rows, Unavailable(50, 300, 2, announced=False))
    assert runs == [50, 10, 60]
    assert starts == [0, 300, 310]
