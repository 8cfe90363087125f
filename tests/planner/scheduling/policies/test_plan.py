"""Steps of a plan and what was freed in it: by hand, second by second, and in long queues."""

from __future__ import annotations

import random

import numpy as np
import pytest

from planner.scheduling.policies import conservative
from planner.scheduling.policies.freed import (
    FreedStretch,
    freed_between,
    from_there_on,
    no_moves,
    note_move,
)
from planner.scheduling.policies.holes import holes_from, no_holes, note_freed, size_of
from planner.scheduling.policies.plan import (
    NEVER,
    ProcessorPlan,
    add,
    back_from,
    begin_plan,
    earlier,
    earliest,
    empty_plan,
)
from planner.scheduling.policies.problem import EventOrder
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.simulation.checker import violations
from planner.scheduling.simulation.simulate import simulate
from scenarios.job_logs.lublin import lublin_log
from tests.planner.scheduling.policies import oracle
from tests.planner.scheduling.policies.tasks import random_rows, starts_of
from tests.sizes import few


def plan_of(*steps: tuple[int, int]) -> ProcessorPlan:
    """Steps (time, free), the last one's lasting for ever."""
    plan = empty_plan(len(steps) + 1)
    times, free = zip(*steps, (NEVER, steps[-1][1]), strict=True)
    plan.time[: len(times)], plan.free[: len(free)] = times, free
    return plan


def test_what_was_freed_is_a_stretch_and_the_most_that_is_free_in_it() -> None:
    plan = plan_of((0, 2), (10, 5), (20, 1), (30, 8))
    assert freed_between(plan, 5, 0, 10) == FreedStretch(0, 10, 2)
    assert freed_between(plan, 5, 9, 30) == FreedStretch(9, 30, 5)
    assert freed_between(plan, 5, 20, 31) == FreedStretch(20, 31, 8)
    assert freed_between(plan, 5, 7, 7) == FreedStretch(NEVER, 0, 0)


def test_what_the_jobs_behind_freed_is_added_up_from_the_last_one() -> None:
    moves = no_moves(3)
    for index, (begin, end, most) in enumerate([(5, 9, 1), (40, 50, 7), (20, 60, 3)]):
        note_move(moves, index, 10 + index, FreedStretch(begin, end, most))
    from_there_on(moves, 3)
    assert moves.begin.tolist() == [5, 20, 20]
    assert moves.end.tolist() == [60, 60, 60]
    assert moves.largest.tolist() == [7, 7, 3]


def test_a_start_is_the_earliest_of_all_seconds() -> None:
    for seed in range(few(300)):
        rng = random.Random(seed)
        times = sorted({0, *(rng.randint(1, 30) for _ in range(rng.randint(0, 8)))})
        plan = plan_of(*((time, rng.randint(0, 4)) for time in times[:-1]), (times[-1], 4))
        free = np.repeat(plan.free[: len(times)], np.diff([*times, 80]))
        processors, length = rng.randint(1, 4), rng.randint(0, 12)
        planned = rng.randint(0, 40)

        def fits(at: int, until: int, free: object = free, least: int = processors) -> bool:
            return bool((np.asarray(free)[at : max(until, at + 1)] >= least).all())

        first = next(at for at in range(80) if fits(at, at + length))
        assert earliest(plan, processors, length) == first
        own = (at for at in range(planned) if fits(at, min(at + length, planned)))
        assert earlier(plan, processors, length, planned, 0, NEVER) == next(own, planned)


def test_runs_that_meet_nothing_freed_are_not_tried() -> None:
    plan = plan_of((0, 4), (10, 0), (20, 4), (30, 0), (40, 4))
    # Four processors for 10 s: free at 0, 20 and 40. Of what was freed from 20 to 25 no run that
    # begins before 10 uses anything; of what was freed until 20, none that begins at 20.
    assert earlier(plan, 4, 10, 40, 0, NEVER) == 0
    assert earlier(plan, 4, 10, 40, 20, 25) == 20
    assert earlier(plan, 4, 10, 40, 20, 20) == 40


def test_no_hole_begins_before_the_time_that_is_kept_for_its_size() -> None:
    for seed in range(few(200)):
        rng = random.Random(seed)
        plan = empty_plan(40)
        steps = begin_plan(plan, 0, 9)
        holes = no_holes(9)
        runs = [(rng.randint(0, 60), rng.randint(1, 30), rng.randint(1, 3)) for _ in range(12)]
        for begin, length, processors in runs:
            steps = add(plan, steps, begin, begin + length, -processors)
        exact = True
        for begin, length, processors in runs:
            for needed, least in ((1, 1), (2, 9), (5, 4), (9, 33)):
                found = holes_from(plan, holes, size_of(needed, least), 7)
                first = earliest(plan, needed, least)
                assert found <= first
                if exact and needed in (1, 2) and least == 1:
                    assert found == first
            exact = False
            # Some processors come back, as when a job moves.
            steps = add(plan, steps, begin, begin + length, processors)
            note_freed(plan, steps, holes, begin, begin + length, processors, 7)


def test_a_job_slides_back_over_what_is_free_before_it() -> None:
    plan = plan_of((0, 4), (10, 1), (20, 3), (30, 2), (40, 0), (50, 4))
    assert back_from(plan, 6, 2, 40) == 20
    assert back_from(plan, 6, 1, 40) == 0
    assert back_from(plan, 6, 3, 40) == 40
    assert back_from(plan, 6, 2, 35) == 20


@pytest.mark.parametrize("event_order", ["reference", "batch"])
@pytest.mark.parametrize("estimates", ["user", "perfect"])
@pytest.mark.parametrize("long_queue", [1, conservative.LONG_QUEUE])
def test_long_queues_are_planned_as_by_the_literal_loop(
    monkeypatch: pytest.MonkeyPatch, event_order: EventOrder, estimates: str, long_queue: int
) -> None:
    monkeypatch.setattr(conservative, "LONG_QUEUE", long_queue)
    for seed in range(4):
        rng = random.Random(seed)
        machine = rng.randint(2, 6)
        drawn = random_rows(rng, machine, most=90)
        rows = [
            (submit // 4, run, wide, requested, user)
            for submit, run, wide, requested, user in drawn
        ]
        exact = [(s, r, p, r if estimates == "perfect" else e, u) for s, r, p, e, u in rows]
        expected = oracle.starts(machine, exact, "conservative", event_order, estimates)
        assert starts_of("conservative", machine, rows, event_order, estimates) == expected


def test_a_job_starts_at_the_begin_of_a_hole_that_widens_after_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Three processors. The second job ends at 1, 4 s early: one processor is free from 1, two from
    # 2, until the fourth job takes all at 5. The fifth needs one for 4 s: from 1, not from 6.
    monkeypatch.setattr(conservative, "LONG_QUEUE", 1)
    rows = [(0, 2, 1, 2, 0), (0, 1, 1, 5, 0), (0, 5, 1, 5, 0), (0, 1, 3, 1, 0), (0, 4, 1, 4, 0)]
    assert starts_of("conservative", 3, rows, "batch", "user") == [0, 0, 0, 5, 1]


def test_each_pass_looks_for_holes_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    # Four processors, all taken until 6, then by the sixth job. At 1 the fourth job ends and the
    # fifth takes its place: no hole of 4 s begins before 7. At 2 the third job ends, 4 s early.
    monkeypatch.setattr(conservative, "LONG_QUEUE", 1)
    jobs = [(6, 1, 6), (6, 1, 6), (2, 1, 6), (1, 1, 2), (4, 1, 4), (1, 4, 1), (4, 1, 4)]
    rows = [(0, run, processors, estimate, 0) for run, processors, estimate in jobs]
    assert starts_of("conservative", 4, rows, "batch", "user") == [0, 0, 0, 0, 1, 6, 2]


@pytest.mark.parametrize("event_order", ["reference", "batch"])
def test_overloaded_logs_keep_the_rules_of_conservative_backfilling(
    event_order: EventOrder,
) -> None:
    for seed in range(6):
        log = lublin_log(1_000, 64, seed, load=1.5, estimate_factor=(0.3, 1.0, 3.0)[seed % 3])
        made = simulate(log, find_policy("conservative"), event_order=event_order).schedule
        assert violations(made, policy="conservative", event_order=event_order) == []
