"""Many jobs: reference by both solvers, engine and enumeration reach the same value."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest

from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import Goal, SharedJob, SharingProblem, violations
from planner.configurations.sharing.share import share
from planner.configurations.table import Configuration, ConfigurationTable
from planner.decimals import decimal
from planner.errors import InputError, PlanError
from planner.formulations import sharing
from solvers import Status
from tests.planner.formulations.cases import CASES, KINDS, random_table, solvers_of
from tests.sizes import few

GOALS: tuple[Goal, ...] = ("weighted time", "makespan")


def random_problem(seed: int) -> SharingProblem:
    rng, kind = np.random.default_rng([19, seed]), seed % KINDS
    first = random_table(rng, kind, most=5)
    tables = [first] + [random_table(rng, kind, most=5) for _ in range(int(rng.integers(0, 3)))]
    if kind == 3:
        tables = [first] * len(tables)  # equal jobs of equal configurations
    jobs = tuple(
        SharedJob(f"job {j}", table, 1.0 if kind == 3 else float(np.round(rng.uniform(0.1, 3), 2)))
        for j, table in enumerate(tables)
    )
    chosen = [int(rng.integers(len(table))) for table in tables]
    total = sum(float(t.power_w[k]) for t, k in zip(tables, chosen, strict=True))
    bound = {5: Bound(round(total, 9)), 6: Bound(total - 1e-7)}.get(
        kind, Bound(total * float(rng.uniform(0.7, 1.3)), float(rng.choice([0.0, 0.03])))
    )
    nodes = sum(int(t.nodes[k]) for t, k in zip(tables, chosen, strict=True))
    return SharingProblem(jobs, bound, nodes if kind % 2 else nodes + int(rng.integers(0, 9)))


def enumerated(problem: SharingProblem, goal: Goal) -> tuple[float, float] | None:
    """Value, and of a makespan the least weighted time that reaches it, in exact decimals."""
    rows = [job.table.rows(np.arange(len(job.table))) for job in problem.jobs]
    usable = decimal(problem.bound.usable_w)

    def values(chosen: Sequence[Configuration]) -> tuple[Fraction, Fraction]:
        pairs = zip(problem.jobs, chosen, strict=True)
        weighted = sum((decimal(j.weight) * decimal(c.time_s) for j, c in pairs), Fraction())
        longest = max(decimal(c.time_s) for c in chosen)
        return (longest, weighted) if goal == "makespan" else (weighted, weighted)

    inside = [
        values(chosen)
        for chosen in itertools.product(*rows)
        if sum(decimal(c.power_w) for c in chosen) <= usable
        and sum(c.nodes for c in chosen) <= problem.nodes
    ]
    return None if not inside else (float(min(inside)[0]), float(min(inside)[1]))


def table(times: list[float], powers: list[float], nodes: list[int]) -> ConfigurationTable:
    caps = np.arange(len(times), dtype=float) + 51
    return ConfigurationTable(
        "x", np.array(nodes), np.full(len(times), 16), caps, np.array(times), np.array(powers)
    )


A = table([10.0, 6.0, 5.0], [30.0, 60.0, 75.0], [2, 4, 4])
B = table([20.0, 12.0], [30.0, 40.0], [2, 4])


def test_two_jobs_by_hand() -> None:
    # 6 nodes, 100 W: (a on 2, b on 4) 10 + 12 s at 70 W; (4, 2) 26 s at 90 W; (4, 4) too many
    problem = SharingProblem((SharedJob("a", A), SharedJob("b", B)), Bound(100), 6)
    assert sharing.share(problem).weighted_time_s == 22.0
    assert sharing.share(problem, goal="makespan").makespan_s == 12.0
    heavy = SharingProblem((SharedJob("a", A, 10.0), SharedJob("b", B)), Bound(100), 6)
    assert sharing.share(heavy).weighted_time_s == 80.0  # 60 + 20 is below 100 + 12
    model, x = sharing.formulate(problem, "makespan")
    sides = {c.name: -c.constant for c in model.constraints()}
    assert (sides["power"], sides["nodes"]) == (100, 6)
    assert [c.name for c in model.constraints()] == [
        "end_0", "end_1", "one_0", "one_1", "power", "nodes",
    ]  # fmt: skip
    assert x[1][0].name == "x_1_0"


def test_of_equal_makespans_the_least_weighted_time_is_taken() -> None:
    problem = SharingProblem((SharedJob("a", A), SharedJob("b", B)), Bound(200), 8)
    plan = sharing.share(problem, goal="makespan")
    assert [configuration.time_s for configuration in plan.configurations] == [5.0, 12.0]
    assert plan.certificate is not None
    assert plan.within_deadline is not None
    assert (plan.certificate.objective, plan.within_deadline.objective) == (12.0, 17.0)


@pytest.mark.parametrize("seed", range(few(CASES)))
@pytest.mark.parametrize("goal", GOALS)
def test_reference_engine_and_enumeration_agree(goal: Goal, seed: int) -> None:
    problem = random_problem(seed)
    expected = enumerated(problem, goal)
    if expected is None:
        with pytest.raises(PlanError, match="cannot run at once"):
            share(problem, goal=goal)
        for solver in solvers_of(seed):
            with pytest.raises(PlanError, match="no choice satisfies all constraints"):
                sharing.share(problem, goal=goal, solver=solver)
        return
    plans = [share(problem, goal=goal, gap=1e-9)]
    plans += [sharing.share(problem, goal=goal, solver=solver) for solver in solvers_of(seed)]
    for plan in plans:
        assert violations(plan) == []
        assert (plan.value, plan.weighted_time_s) == pytest.approx(expected, rel=1e-9)
        assert plan.certificate is not None
        assert plan.certificate.status is Status.OPTIMAL


def test_a_choice_that_only_the_tolerance_lets_pass_is_excluded() -> None:
    # both fast at once draw 135 W, a ten-millionth of a watt too much
    both = SharingProblem((SharedJob("a", A), SharedJob("b", A)), Bound(135 - 1e-7), 8)
    for solver in ("cbc", "highs"):
        plan = sharing.share(both, solver=solver)
        assert plan.weighted_time_s == 12.0
        assert plan.power_w == 120.0


def test_wrong_questions_are_refused() -> None:
    problem = SharingProblem((SharedJob("a", A),), Bound(100), 6)
    with pytest.raises(InputError, match="unknown goal 'glory'"):
        sharing.share(problem, goal="glory")  # type: ignore[arg-type]
    with pytest.raises(PlanError, match=r"no choice satisfies all constraints, by cbc; loosen"):
        sharing.share(SharingProblem((SharedJob("a", A),), Bound(29), 6))
    many = SharingProblem(tuple(SharedJob(f"j{j}", A) for j in range(17_000)), Bound(100), 6)
    with pytest.raises(PlanError, match="sharing would have 204,000 nonzeros"):
        sharing.formulate(many)
