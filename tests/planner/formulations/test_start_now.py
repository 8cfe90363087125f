"""What starts now: reference by both solvers, engine and enumeration reach the same value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from planner.errors import InputError, PlanError
from planner.formulations import start_now
from planner.scheduling.power.events.moment import Choice, PowerJob, PowerMoment
from planner.scheduling.power.ilp.budget import DecisionBudget
from planner.scheduling.power.ilp.knapsack import KnapsackPolicy
from planner.scheduling.power.problem import JobDetails
from solvers import Status
from tests.planner.formulations.cases import CASES, solvers_of
from tests.planner.scheduling.power.ilp.passes import enumerated, passes, value_of_choices
from tests.sizes import few


def moment(free_nodes: int = 8, free_mw: int = 100_000) -> PowerMoment:
    """Rows: 40 s at 30 W, 20 s at 60 W; 20 s at 40 W, 16 s at 70 W; 4 nodes each."""
    details = JobDetails(
        ("a", "b"),
        np.array([0, 2, 4]),
        np.full(4, 4),
        np.full(4, 16),
        np.array([51.0, 115.0, 51.0, 115.0]),
        np.array([40_000, 20_000, 20_000, 16_000]),
        np.array([30_000, 60_000, 40_000, 70_000]),
    )
    jobs = tuple(PowerJob(j, j, 4, 60_000, 50_000, 0) for j in range(2))
    return PowerMoment(10_000, 8, free_nodes, 100_000, free_mw, jobs, (), (), details)


@pytest.mark.parametrize("solver", ["cbc", "highs"])
def test_two_jobs_by_hand(solver: str) -> None:
    # after 10 s: (1 + 10/40) 40/20 + (1 + 10/20) 1 = 4 at 100 W; rows 0 and 3: 1.25 + 1.875
    decision = start_now.start(moment(), fair_share=False, solver=solver)
    assert [(job.id, row) for job, row in decision.plan] == [(0, 1), (1, 2)]
    assert decision.certificate.objective == pytest.approx(4.0)
    fair = start_now.start(moment(), solver=solver)  # 50 W each: rows 0 and 2
    assert [row for _, row in fair.plan] == [0, 2]
    alone = start_now.start(moment(free_nodes=4), fair_share=False, ageing=0.0, solver=solver)
    assert [row for _, row in alone.plan] == [1]


@pytest.mark.parametrize("case", range(few(CASES)))
def test_reference_engine_and_enumeration_agree(case: int) -> None:
    now, fair_share, ageing = passes(CASES)[case], case % 2 == 0, float(case % 3)
    rules: dict[str, Any] = {"threshold": (0.0, 0.2, None)[case % 3], "reserved": case % 4 > 1}
    best = enumerated(now, fair_share=fair_share, ageing=ageing, **rules)
    exact = DecisionBudget(gap=1e-9)
    engine = KnapsackPolicy("engine", fair_share, ageing, exact, **rules).decide(now)
    assert value_of_choices(now, engine, ageing) == pytest.approx(best, rel=1e-9)
    for solver in solvers_of(case):
        decision = start_now.start(
            now, fair_share=fair_share, ageing=ageing, solver=solver, **rules
        )
        assert start_now.violations(now, decision.plan) == []
        assert value_of_choices(now, decision.plan, ageing) == pytest.approx(best, rel=1e-9)
        assert decision.certificate.status is Status.OPTIMAL


@pytest.mark.parametrize("solver", ["cbc", "highs"])
def test_no_configuration_takes_longer_than_requested_but_the_fastest(solver: str) -> None:
    # without a rule rows 0 and 2 start in 50 W each; requests of 30 s rule row 0 out, so job 0
    # has none within its share that ends in time, and row 0 is its fastest there
    now = moment()
    short = replace(now, waiting=tuple(job._replace(requested_ms=30_000) for job in now.waiting))
    assert start_now.configurations(short, short.waiting[0], threshold=0.0) == [0]
    unfair: dict[str, Any] = {"fair_share": False, "solver": solver}
    assert start_now.configurations(short, short.waiting[0], fair_share=False, threshold=0.0) == [1]
    few_watts = replace(short, free_mw=50_000)  # row 1 of 60 W does not fit
    assert [row for _, row in start_now.start(few_watts, threshold=None, **unfair).plan] in (
        [0],
        [2],
    )
    assert [row for _, row in start_now.start(few_watts, **unfair).plan] == [2]


def test_what_is_reserved_for_the_first_waiting_job_is_kept() -> None:
    # 4 nodes are free. The first job needs 8 nodes from 20 s on; another one that runs for 16 s
    # from 10 s on would delay it
    now = moment(free_nodes=4)
    details = replace(now.details, nodes=np.array([8, 8, 4, 4]))
    busy = replace(now, details=details, occupied=((20_000, 4, 0),))
    head = start_now.reservation(busy, start_now.configurations(busy, busy.waiting[0]))
    assert (head.start_ms, head.row, head.free_nodes, head.free_mw) == (20_000, 0, 8, 100_000)
    free = start_now.start(busy, fair_share=False)
    assert [job.id for job, _ in free.plan] == [1]
    kept = start_now.start(busy, fair_share=False, reserved=True)
    assert kept.plan == ()
    wide = start_now.reservation(busy, [0, 1])
    assert start_now.violations(busy, free.plan, wide) == [
        "the jobs will need 12 nodes, and 8 are free at 20.000 s",
        "the jobs will draw 130 W, and 100 W are free at 20.000 s",
    ]
    empty = replace(busy, free_nodes=8, occupied=())
    begins = start_now.reservation(empty, [0, 1])
    assert begins.start_ms == empty.time_ms
    assert start_now.violations(empty, (), begins) == ["the first waiting job has to start"]


@pytest.mark.parametrize("solver", ["cbc", "highs"])
def test_the_first_waiting_job_does_not_start_where_it_would_end_late(solver: str) -> None:
    # on 4 nodes it would take from 10 s to 50 s; on the 8 that are free at 20 s it ends at 40 s
    now = moment(free_nodes=4)
    details = replace(now.details, nodes=np.array([4, 8, 4, 4]))
    alone = replace(now, details=details, occupied=((20_000, 4, 0),), waiting=now.waiting[:1])
    slow = start_now.start(alone, solver=solver, threshold=None, fair_share=False)
    assert [row for _, row in slow.plan] == [0]
    rules: dict[str, Any] = {"threshold": None, "fair_share": False, "reserved": True}
    assert start_now.start(alone, solver=solver, **rules).plan == ()
    head = start_now.reservation(alone, [0, 1])
    assert start_now.violations(alone, slow.plan, head) == ["the first waiting job ends late"]


def test_the_program_has_every_row_by_hand() -> None:
    """The check of the answer would exclude what a missing row lets through."""
    now = moment(free_nodes=4)
    details = replace(now.details, nodes=np.array([4, 8, 4, 4]))
    alone = replace(now, details=details, occupied=((20_000, 4, 0),), waiting=now.waiting[:1])
    rules: dict[str, Any] = {"threshold": None, "fair_share": False, "reserved": True}
    later, _ = start_now.formulate(alone, **rules)
    assert [str(row) for row in later.constraints()] == [
        "w_0 + x_0_0 + x_0_1 = 1.0",
        "30.0*x_0_0 + 60.0*x_0_1 <= 100.0",
        "4*x_0_0 + 8*x_0_1 <= 4.0",
        "x_0_0 = 0",
        "60.0*w_0 + 30.0*x_0_0 + 60.0*x_0_1 <= 100.0",
        "8*w_0 + 4*x_0_0 + 8*x_0_1 <= 8.0",
    ]
    at_once, _ = start_now.formulate(replace(alone, free_nodes=8, occupied=()), **rules)
    assert [row.name for row in at_once.constraints()] == [
        "one_0", "power", "nodes", "planned_end_0", "head",
    ]  # fmt: skip


def test_a_milliwatt_too_little_is_too_little() -> None:
    now = moment()
    slack = PowerMoment(
        now.time_ms, 8, 8, 100_000, 99_999, now.waiting, (), (), now.details
    )  # 1 mW too little for rows 1 and 2
    for solver in ("cbc", "highs"):
        decision = start_now.start(slack, fair_share=False, solver=solver)
        assert [row for _, row in decision.plan] == [0, 2]


def test_what_is_used_beyond_the_free_is_listed() -> None:
    now = moment(free_nodes=4, free_mw=60_000)
    both = tuple(Choice(job, row) for job, row in zip(now.waiting, (1, 2), strict=True))
    broken = start_now.violations(now, both)
    assert broken == [
        "the jobs need 8 nodes, and 4 are free",
        "the jobs draw 100 W, and 60 W are free",
    ]


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(InputError, match="unknown solver 'glory'"):
        start_now.start(moment(), solver="glory")
    now = moment()
    many = tuple(PowerJob(j, 0, 4, 60_000, 50_000, 0) for j in range(26_000))
    crowd = PowerMoment(0, 8, 8, 100_000, 100_000, many, (), (), now.details)
    with pytest.raises(PlanError, match="start now would have 208,000 nonzeros"):
        start_now.formulate(crowd, fair_share=False)
