"""Node type and count together: by both solvers and by trying every count."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from planner.decimals import decimal
from planner.designs.design import (
    HIGH_END,
    OLDER,
    DesignProblem,
    closed_form,
    forced,
    thesis_problem,
    violations,
)
from planner.designs.overprovisioning import DesignCase
from planner.designs.run_time import Outside, run_time
from planner.errors import OutsideMeasuredError, PlanError
from planner.formulations import best_design, solved
from scenarios.model.run_times import LinearTime, TableTime
from solvers import Status
from tests.planner.formulations.cases import CASES, solvers_of
from tests.sizes import few

KINDS = 6
OUTSIDE: tuple[Outside, ...] = ("clamp", "refuse", "extrapolate")


def random_problem(seed: int) -> DesignProblem:
    """Kind 1: times rise again; 2: all times alike; 3: one type on offer; 4: one count measured."""
    rng, kind = np.random.default_rng([21, seed]), seed % KINDS
    nodes = np.arange(4, int(rng.integers(12, 60)), 4)
    times = 100 * np.exp(-nodes / float(rng.uniform(20, 300)))
    if kind == 1:
        times += 0.05 * (nodes - 4.0) ** 2
    if kind == 2:
        times[:] = 7.5
    if kind == 4:
        nodes, times = nodes[:1], times[:1]
    time: LinearTime | TableTime = TableTime(
        kind="table", node_type="old", nodes=tuple(nodes.tolist()),
        time_s=tuple(np.round(times, 3).tolist()),
    )  # fmt: skip
    if kind == 5:
        time = LinearTime(
            kind="linear", node_type="old", slope_s_per_node=-0.2, intercept_s=200.0,
            measured_nodes=(4, 50),
        )  # fmt: skip
    peak = float(rng.integers(300, 900))
    case = DesignCase(
        application=f"random {seed}",
        time=time,
        power_bound_w=peak * float(rng.integers(1, 40)) + float(rng.integers(0, 200)),
        high_end_peak_w=peak,
        older_idle_w=float(rng.integers(90, 280)),
        performance_fraction=round(float(rng.uniform(0, 0.6)), 2),
        cost_ratio=round(float(rng.uniform(1, 3)), 2),
        outside=OUTSIDE[seed // KINDS % 3] if kind != 1 else "clamp",
    )
    problem = thesis_problem(case)
    return forced(problem, (HIGH_END, OLDER)[seed // KINDS % 2]) if kind == 3 else problem


def enumerated(problem: DesignProblem) -> float | None:
    """The least time over every type and every count that power and money allow."""
    times = []
    for offer in problem.offers:
        by_power = math.floor(decimal(problem.power_bound_w) / decimal(offer.running_w))
        for nodes in range(1, min(by_power, problem.budget // offer.price) + 1):
            try:
                time = run_time(problem.time, nodes, problem.outside).time_s
            except OutsideMeasuredError:
                continue
            times.append(offer.time_factor * time)
    return min(times, default=None)


@pytest.mark.parametrize("seed", range(few(CASES)))
def test_reference_and_enumeration_agree_and_so_does_the_closed_form(seed: int) -> None:
    problem = random_problem(seed)
    expected = enumerated(problem)
    for solver in solvers_of(seed):
        if expected is None:
            with pytest.raises(PlanError, match="no affordable node count has a known run time"):
                best_design.solve(problem, solver=solver, proof="never")
            continue
        solution = best_design.solve(problem, solver=solver, gap=1e-9, proof="never")
        assert violations(problem, solution.plan) == []
        assert solution.certificate.status is Status.OPTIMAL
        assert solution.plan.time_s == pytest.approx(expected, rel=1e-9)
    if expected is None or seed % KINDS in (1, 4):
        return
    closed = []
    for offer in problem.offers:  # the engine: all nodes of one type, where their time is known
        try:
            closed.append(closed_form(forced(problem, offer.name)).time_s)
        except PlanError:
            continue
    if len(closed) == len(problem.offers):
        assert min(closed) == pytest.approx(expected, rel=1e-9)


def test_where_run_times_rise_the_best_degree_is_below_what_money_buys() -> None:
    # 100 s on 4 nodes, 50 s on 8, 80 s on 16: 18 x 1.7 = 30 nodes can be bought, 8 are best
    case = DesignCase(
        "rising", TableTime(kind="table", node_type="old", nodes=(4, 8, 16), time_s=(100, 50, 80)),
        7000.0, 380.0, 180.0, 0.27, 1.7, outside="clamp",
    )  # fmt: skip
    problem = forced(thesis_problem(case), OLDER)
    assert closed_form(problem).nodes == 30
    result = best_design.solve(problem).plan
    assert (result.nodes, result.time_s) == (8, 50.0)


def test_names_of_the_docstring_are_those_of_the_model() -> None:
    problem = replace(random_problem(5), application="a b")
    model, columns = best_design.formulate(problem)
    names = [c.name for c in model.constraints()]
    assert [v.name for v in columns[:2]] == ["use_0_0", "nodes_0_0"]
    assert names[:2] == ["least_0_0", "most_0_0"]
    assert names[-3:] == ["one_design", "power", "money"]


def test_very_many_pieces_and_offers_are_refused_with_their_size(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = replace(random_problem(5), power_bound_w=1e9, budget=10**12)
    many = replace(problem, offers=problem.offers * 50)
    monkeypatch.setattr(solved, "LARGEST", 1_000)
    with pytest.raises(
        PlanError, match=r"best design would have .* nonzeros, more than 1,000; use"
    ):
        best_design.formulate(many)
