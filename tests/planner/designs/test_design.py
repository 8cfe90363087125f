"""The designs as programs: equal to the closed form, and never wrong about themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import solvers
from planner.designs.design import (
    HIGH_END,
    OLDER,
    DesignPlan,
    DesignProblem,
    closed_form,
    forced,
    thesis_problem,
    violations,
)
from planner.designs.overprovisioning import DesignCase, compare
from planner.designs.run_time import Outside
from planner.designs.study import DesignStudy
from planner.errors import PlanError
from planner.formulations.best_design import formulate, solve
from scenarios.model.run_times import LinearTime, TableTime
from solvers import Level, Status


def random_case(seed: int) -> DesignCase:
    """Two node types and one application, falling line or falling table."""
    rng = np.random.default_rng([4, seed])
    high = int(rng.integers(20, 60))
    outside: Outside = "extrapolate" if seed % 2 else "clamp"
    if seed % 3:
        slope = -round(float(rng.uniform(0.01, 1.0)), 3)
        time: LinearTime | TableTime = LinearTime(
            kind="linear", node_type="old", slope_s_per_node=slope,
            intercept_s=round(-slope * 400 + float(rng.uniform(1, 50)), 2),
            measured_nodes=(4, high),
        )  # fmt: skip
    else:
        nodes = np.arange(4, high, 4)
        falling = 100 * np.exp(-nodes / float(rng.uniform(200, 900)))
        time = TableTime(
            kind="table", node_type="old", nodes=tuple(nodes.tolist()),
            time_s=tuple(np.round(falling, 3).tolist()),
        )  # fmt: skip
        outside = "clamp"
    peak = float(rng.integers(300, 900))
    return DesignCase(
        application=f"random {seed}",
        time=time,
        power_bound_w=peak * float(rng.integers(3, 40)) + float(rng.integers(0, 200)),
        high_end_peak_w=peak,
        older_idle_w=float(rng.integers(90, 280)),
        performance_fraction=round(float(rng.uniform(0, 0.6)), 2),
        cost_ratio=round(float(rng.uniform(1, 3)), 2),
        speed_ratio=("1 - r_p", "1/(1 + r_p)")[seed // 2 % 2],
        outside=outside,
    )


def assert_program_equals_closed_form(case: DesignCase) -> None:
    comparison, problem = compare(case), thesis_problem(case)
    times = {}
    for offer in (HIGH_END, OLDER):
        alone = forced(problem, offer)
        expected, result = closed_form(alone), solve(alone)
        assert result.certificate.status is Status.OPTIMAL
        assert result.certificate.level is Level.PROVED
        assert violations(alone, result.plan) == []
        assert violations(alone, expected) == []
        assert result.plan.time_s == pytest.approx(expected.time_s, rel=1e-12)
        times[offer] = expected.time_s
    assert times[HIGH_END] == pytest.approx(comparison.time_worst_case_s, rel=1e-12)
    assert times[OLDER] == pytest.approx(comparison.time_overprovisioned_s, rel=1e-12)
    free = solve(problem)
    assert violations(problem, free.plan) == []
    assert free.plan.time_s == pytest.approx(min(times.values()), rel=1e-12)


@pytest.mark.parametrize("seed", range(24))
def test_the_program_equals_the_closed_form(seed: int) -> None:
    assert_program_equals_closed_form(random_case(seed))


@pytest.mark.release
def test_the_program_equals_the_closed_form_on_a_thousand_cases() -> None:
    for seed in range(1000):
        assert_program_equals_closed_form(random_case(seed))


def test_the_thesis_case_is_proved_for_every_application(thesis: DesignStudy) -> None:
    assert len(thesis.designs) == 12
    assert all(check.agrees for check in thesis.designs)
    assert {check.certificate.level for check in thesis.designs} == {Level.PROVED}
    free = {c.application: c.plan.node_type for c in thesis.designs if c.design == "free"}
    assert free == {"SPhot": HIGH_END, "SP-MZ": HIGH_END, "BT-MZ": HIGH_END, "LU-MZ": OLDER}


def test_the_budget_in_whole_units_is_the_thesis_budget(thesis: DesignStudy) -> None:
    problem = thesis_problem(thesis.cases[0])
    # r_c = 17/10: the high-end node costs 17 units, the older 10, and 18 x 17 = 306 units
    assert [offer.price for offer in problem.offers] == [17, 10]
    assert problem.budget == 306


@pytest.mark.parametrize(("bound_w", "ratio"), [(7e5, 33 / 17), (7e3, 1.234567890123457)])
def test_a_cost_ratio_of_many_digits_is_proved_all_the_same(bound_w: float, ratio: float) -> None:
    line = LinearTime(
        kind="linear", node_type="a", slope_s_per_node=-0.01, intercept_s=90.0,
        measured_nodes=(8, 4000),
    )  # fmt: skip
    case = DesignCase("x", line, bound_w, 380.0, 180.0, 0.27, ratio)
    assert_program_equals_closed_form(case)


def test_all_back_ends_find_the_same_design(thesis: DesignStudy) -> None:
    problem = thesis_problem(thesis.cases[3])
    plans = {solver: solve(problem, solver=solver).plan for solver in solvers.SOLVERS}
    assert {(plan.node_type, plan.nodes) for plan in plans.values()} == {(OLDER, 30)}


def test_violations_name_power_money_and_time(thesis: DesignStudy) -> None:
    problem: DesignProblem = thesis_problem(thesis.cases[0])
    problems = violations(problem, DesignPlan("SPhot", "by hand", HIGH_END, 19, 1.0))
    assert problems[0] == "7220 W exceed the bound of 7000 W"
    assert problems[1] == "323 exceed the budget of 306"
    assert problems[2].startswith("time_s is 1.0, recomputed")
    assert violations(problem, DesignPlan("SPhot", "by hand", "newest", 1, 1.0)) == [
        "node type 'newest' is not on offer"
    ]


def test_a_problem_without_any_design_says_so(thesis: DesignStudy) -> None:
    problem = replace(thesis_problem(thesis.cases[0]), power_bound_w=10.0)
    with pytest.raises(PlanError, match="no affordable node count"):
        formulate(problem)
