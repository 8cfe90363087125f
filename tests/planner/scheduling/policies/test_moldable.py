"""Moldable jobs: by hand, against a literal loop, and as EASY where there is no choice."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import get_args

import numpy as np
import pytest

from planner.errors import InputError, PlanError
from planner.scheduling.policies.job_queue import BLOCK
from planner.scheduling.policies.moldable import Moldable
from planner.scheduling.policies.problem import EventOrder, Starts, Unavailable
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.policies.speedup import Amdahl, Downey
from planner.scheduling.simulation.checker import violations
from planner.scheduling.simulation.simulate import Estimates, simulate
from scenarios.job_logs.lublin import lublin_log
from scenarios.job_logs.reader import read_job_log
from tests.planner.scheduling.policies import moldable_oracle
from tests.planner.scheduling.policies.tasks import Row, problem_of, random_rows, starts_of
from tests.shared_data import TRACES, needs_data
from tests.sizes import few

ORDERS: tuple[EventOrder, ...] = get_args(EventOrder)
LINEAR = Amdahl(0)
ALL = (0.25, 0.5, 1.0, 2.0)


def amdahl(f: Fraction) -> moldable_oracle.Time:
    return lambda taken, requested: (f + (1 - f) / taken) / (f + (1 - f) / requested)


def downey(taken: int, requested: int) -> Fraction:
    """A is the request, sigma 1, for which both formulas hold."""

    def speedup(n: int) -> Fraction:
        return (
            Fraction(requested)
            if n >= 2 * requested - 1
            else Fraction(2 * n * requested, n + 2 * requested - 1)
        )

    return speedup(requested) / speedup(taken)


MODELS: dict[str, tuple[Amdahl | Downey, Callable[[int, int], Fraction]]] = {
    "linear": (LINEAR, amdahl(Fraction(0))),
    "amdahl": (Amdahl(0.2), amdahl(Fraction(1, 5))),
    "flat": (Amdahl(1), amdahl(Fraction(1))),
    "downey": (Downey(), downey),
}


def played(
    policy: Moldable, machine: int, rows: list[Row], order: EventOrder = "reference"
) -> tuple[list[int], list[int], list[int]]:
    starts = policy.schedule(problem_of(machine, rows, order))
    assert starts.processors is not None
    return starts.start_s.tolist(), starts.processors.tolist(), starts.run_s.tolist()


def by_hand(machine: int, rows: list[Row], choices: tuple[float, ...] = ALL) -> list[int]:
    """Starts and processors, one after the other, under linear speedup."""
    starts, taken, _ = played(Moldable(LINEAR, choices), machine, rows)
    return [number for pair in zip(starts, taken, strict=True) for number in pair]


@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("choices", [ALL, (0.5, 1.0), (1.0, 2.0, 3.0), (0.5, 1.0, 1.5, 4.0)])
def test_every_start_and_every_number_is_the_literal_loop_s(
    choices: tuple[float, ...], model: str, event_order: EventOrder
) -> None:
    ours, theirs = MODELS[model]
    changed = 0
    for seed in range(30):
        rng = random.Random(seed)
        machine = rng.randint(2, 16)
        rows = random_rows(rng, machine)
        result = played(Moldable(ours, choices), machine, rows, event_order)
        exact = [Fraction(choice) for choice in choices]
        assert result == moldable_oracle.starts(machine, rows, theirs, exact, event_order), seed
        changed += sum(taken != row[2] for taken, row in zip(result[1], rows, strict=True))
    nothing_gained = model == "flat" and min(choices) == 1
    assert changed == 0 if nothing_gained else changed > 20


@pytest.mark.parametrize("event_order", ORDERS)
def test_a_queue_of_several_blocks_starts_as_by_the_literal_loop(event_order: EventOrder) -> None:
    """Most jobs wait at once, so blocks of the queue are passed over and gaps are closed."""
    changed = 0
    for seed in range(few(12, 3)):
        rng = random.Random(seed)
        machine = rng.randint(8, 24)
        rows: list[Row] = []
        while len(rows) < 5 * BLOCK:
            rows += [(s // 20, r, p, e, u) for s, r, p, e, u in random_rows(rng, machine)]
        rows.sort(key=lambda row: row[0])
        result = played(Moldable(choices=ALL), machine, rows, event_order)
        exact = [Fraction(choice) for choice in ALL]
        assert result == moldable_oracle.starts(machine, rows, downey, exact, event_order), seed
        assert sum(start > row[0] for start, row in zip(result[0], rows, strict=True)) > 3 * BLOCK
        changed += sum(taken != row[2] for taken, row in zip(result[1], rows, strict=True))
    assert changed > 20


@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("estimates", ["user", "perfect"])
def test_without_a_choice_it_is_easy(estimates: str, event_order: EventOrder) -> None:
    for seed in range(150):
        rng = random.Random(seed)
        machine = rng.randint(1, 40)
        rows = random_rows(rng, machine, most=120)
        problem = problem_of(machine, rows, event_order, estimates)
        starts = Moldable(Amdahl(), (1.0,)).schedule(problem)
        assert starts.start_s.tolist() == starts_of("easy", machine, rows, event_order, estimates)
        assert starts.run_s.tolist() == [row[1] for row in rows]


@needs_data
def test_without_a_choice_a_real_log_is_scheduled_as_by_easy() -> None:
    log = read_job_log(TRACES / "SDSC-SP2-10k.swf.gz")
    easy = simulate(log, find_policy("easy")).schedule
    schedule = simulate(log, Moldable(choices=(1.0,))).schedule
    assert (schedule.start_s == easy.start_s).all()
    assert (schedule.run_s == easy.run_s).all()
    assert schedule.wait_s.mean() == pytest.approx(6_719.4663, abs=5e-5)


def test_a_head_starts_smaller_if_it_is_to_end_no_later() -> None:
    # 3 of 4 processors are held until 100 by estimate. Job 1 wants 4 for 40 s: by waiting it ends
    # at 140, on the one free processor it would at 1 + 160; if the others were held until 121, by
    # waiting at 161 too, and it starts.
    rows: list[Row] = [(0, 100, 3, 100, 0), (1, 40, 4, 40, 0)]
    assert by_hand(4, rows, (0.25, 1)) == [0, 3, 100, 4]
    rows[0] = (0, 121, 3, 121, 0)
    assert by_hand(4, rows, (0.25, 1)) == [0, 3, 1, 1]
    rows[0] = (0, 10, 3, 121, 0)  # decided by estimates: it would have had all 4 at 10
    assert by_hand(4, rows, (0.25, 1)) == [0, 3, 1, 1]


def test_a_later_job_takes_what_makes_it_end_before_the_reservation() -> None:
    # Job 0 holds 5 of 9 until 100, job 1 wants 9 and has 100 reserved. Job 2 wants 2 for 120 s:
    # too long, but on 4 it ends at 62.
    rows: list[Row] = [(0, 100, 5, 100, 0), (1, 50, 9, 50, 0), (2, 120, 2, 120, 0)]
    assert by_hand(9, rows, (1, 2)) == [0, 5, 100, 9, 2, 4]
    assert by_hand(9, rows, (1,)) == [0, 5, 100, 9, 150, 2]
    # Not if somebody behind could use them: job 3 wants 2 for 60 s. One pass sees both.
    rows.append((2, 60, 2, 60, 0))
    starts, taken, _ = played(Moldable(LINEAR, (1, 2)), 9, rows, "batch")
    # Job 3 takes 4 for 30 s; at 32 nobody is behind job 2, whose 60 s on 4 end at 92.
    assert (starts, taken) == ([0, 100, 32, 2], [5, 9, 4, 4])


def test_a_later_job_starts_smaller_only_if_it_could_not_end_sooner_by_waiting() -> None:
    # Job 0 holds 6 of 8 until 100. Job 1 wants 7, which has no half, and has 100 reserved. Job 2
    # wants 4 for 30 s: it could have them at 100 + 50, to end at 180; on 2 it ends at 62.
    rows: list[Row] = [(0, 100, 6, 100, 0), (1, 50, 7, 50, 0), (2, 30, 4, 30, 0)]
    assert by_hand(8, rows, (0.5, 1)) == [0, 6, 100, 7, 2, 2]
    # Job 0 in two halves, of which one ends at 20 by estimate: on 4 from 20 it ends at 50.
    rows = [(0, 20, 3, 20, 0), (0, 100, 3, 100, 0), *rows[1:]]
    assert by_hand(8, rows, (0.5, 1))[-2:] == [20, 4]


def test_more_than_asked_for_is_taken_where_nobody_is_behind() -> None:
    assert by_hand(8, [(0, 100, 2, 100, 0)]) == [0, 4]
    assert played(Moldable(LINEAR), 8, [(0, 101, 2, 101, 0)])[2] == [51]
    # One instant, one pass: job 1 could use what job 0 would take beyond its request.
    rows: list[Row] = [(0, 100, 4, 100, 0), (0, 100, 4, 100, 0)]
    starts, taken, _ = played(Moldable(LINEAR), 8, rows, "batch")
    assert (starts, taken) == ([0, 0], [4, 4])


def test_more_is_not_taken_at_the_cost_of_the_next_reservation() -> None:
    # Job 0 holds 6 of 11 until 40. Job 1 wants 2 until 101, and on 4 ends at 51; job 2 wants 9,
    # which it has at 40 beside the 2 of job 1, not beside 4 until 51. If it wants 10 it has them at
    # 101 beside job 1 on 2, and at 51 beside 4: then job 1 takes 4. So it does if it wants 60 s and
    # ends at 31, which is all the same to job 2.
    for length, wide, taken, start in ((100, 9, 2, 40), (100, 10, 4, 51), (60, 9, 4, 40)):
        rows: list[Row] = [(0, 40, 6, 40, 0), (1, length, 2, length, 0), (1, 10, wide, 10, 0)]
        result = played(Moldable(LINEAR, (1, 2)), 11, rows, "batch")
        assert result[1][1:] == [taken, wide]
        assert result[0][2] == start


def test_a_flat_speedup_leaves_processors_free() -> None:
    starts, taken, runs = played(Moldable(Amdahl(1)), 8, [(0, 10, 8, 20, 0), (1, 10, 6, 20, 0)])
    assert (starts, taken, runs) == ([0, 1], [2, 3], [10, 10])


def test_numbers_are_whole_and_of_whole_nodes() -> None:
    problem = problem_of(24, [(0, 9, 6, 9, 0), (0, 9, 16, 9, 0), (0, 9, 1, 9, 0)])
    result = Moldable(LINEAR).shapes(problem).processors.T.tolist()
    assert result == [[0, 3, 6, 12], [4, 8, 16, 0], [0, 0, 1, 2]]
    log = lublin_log(300, 64, 1, load=1.1)
    made = simulate(log, find_policy("moldable"), node_processors=8).schedule
    assert set((made.processors % 8).tolist()) == {0}
    assert (made.processors != made.asked_processors).any()
    assert violations(made) == []


@pytest.mark.parametrize("event_order", ORDERS)
def test_whole_seconds_in_another_unit_give_the_same_schedule(event_order: EventOrder) -> None:
    for seed in range(30):
        rng = random.Random(seed)
        rows = [(s, r, p, max(e, 1), u) for s, r, p, e, u in random_rows(rng, 8)]
        scale = rng.randint(2, 1000)
        larger = [(scale * s, scale * r, p, scale * e, u) for s, r, p, e, u in rows]
        policy = Moldable(LINEAR, (0.25, 0.5, 1.0))
        plain, found = (played(policy, 8, item, event_order) for item in (rows, larger))
        assert found[0] == [scale * start for start in plain[0]]
        assert found[1] == plain[1]


@pytest.mark.parametrize("event_order", ORDERS)
@pytest.mark.parametrize("model", MODELS)
def test_schedules_hold_and_keep_what_jobs_asked_for(model: str, event_order: EventOrder) -> None:
    log = lublin_log(600, 64, 4, load=1.2, estimate_factor=2.0)
    policy = Moldable(MODELS[model][0])
    for estimates in get_args(Estimates)[:2]:
        schedule = simulate(log, policy, event_order=event_order, estimates=estimates).schedule
        assert violations(schedule, within_request=True) == []
        assert (schedule.asked_processors == log.processors).all()
        assert (schedule.asked_run_s == log.run_s).all()
        ratio = schedule.processors / log.processors
        assert set(ratio.tolist()) <= {0.25, 0.5, 1.0, 2.0}
        same = ratio == 1
        assert 0 < same.sum() < len(log)
        assert (schedule.run_s[same] == log.run_s[same]).all()
        assert (schedule.requested_s[same] == log.requested_s[same]).all()
        assert (schedule.run_s[ratio < 1] >= log.run_s[ratio < 1]).all()
        if estimates == "perfect":
            assert schedule.estimate_s is not None
            assert (schedule.estimate_s == np.maximum(schedule.run_s, 1)).all()


def test_run_times_decide_nothing_before_their_jobs_have_ended() -> None:
    changed = 0
    for seed in range(60):
        rng = random.Random(seed)
        rows = random_rows(rng, 8)
        policy = Moldable(Amdahl(), ALL)
        starts, taken, runs = played(policy, 8, rows)
        ends = [start + run for start, run in zip(starts, runs, strict=True)]
        until = rng.choice(ends)
        # whoever runs at that instant runs on, as long as its estimate lets it
        other: list[Row] = [
            (s, e if end >= until else r, p, e, u)
            for (s, r, p, e, u), end in zip(rows, ends, strict=True)
        ]
        result = played(policy, 8, other)
        before = [index for index, start in enumerate(starts) if start < until]
        assert [result[0][index] for index in before] == [starts[index] for index in before]
        assert [result[1][index] for index in before] == [taken[index] for index in before]
        changed += sum(taken[index] != rows[index][2] for index in before)
    assert changed > 20


def test_what_it_cannot_do_is_refused() -> None:
    rows: list[Row] = [(0, 1, 1, 1, 0)]
    with pytest.raises(PlanError, match="moldable does not plan with predictions"):
        Moldable().schedule(problem_of(4, rows, estimates="tsafrir"))
    with pytest.raises(PlanError, match="moldable does not plan around outages or reservations"):
        Moldable().schedule(problem_of(4, rows, unavailable=[Unavailable(0, 1, 1)]))
    for choices in ((0.5, 2.0), (0.0, 1.0), (1.0, float("inf"))):
        with pytest.raises(InputError, match="must be numbers above 0 and include 1"):
            Moldable(choices=choices)
    # on 1 processor 2^37 s each, of which two fit in 2^38 s beside an estimate of 2^37 s
    long: list[Row] = [(0, 1 << 35, 4, 1 << 35, 0)] * 2
    with pytest.raises(PlanError, match="may end after 274,877,906,944 s"):
        Moldable(LINEAR).schedule(problem_of(8, long))
    assert Moldable(LINEAR, (0.5, 1.0)).schedule(problem_of(8, long)).start_s.tolist() == [0, 0]


def test_starts_carry_nothing_of_this_for_other_policies() -> None:
    starts: Starts = find_policy("easy").schedule(problem_of(4, [(0, 1, 1, 1, 0)]))
    assert starts.processors is None
    assert starts.requested_s is None
