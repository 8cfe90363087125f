"""What all reference formulations share: solving, reading, excluding, breaking ties."""

from __future__ import annotations

import pulp
import pytest

import headroom as hr
import planner.formulations
from planner.errors import InputError, PlanError
from planner.formulations.choices import choose_one, solve_exactly
from planner.formulations.solved import SolvedModel, solve
from solvers import Level, Status


def one_of(count: int) -> tuple[pulp.LpProblem, list[pulp.LpVariable]]:
    model = pulp.LpProblem("one_of", pulp.LpMinimize)
    x = [model.add_variable(f"x_{k}", cat="Binary") for k in range(count)]
    model += pulp.lpSum(x)
    model += pulp.lpSum(x) == 1, "one"
    return model, x


@pytest.mark.parametrize("solver", ["cbc", "highs", "both"])
def test_values_are_read_with_a_verified_certificate(solver: str) -> None:
    model = pulp.LpProblem("by_hand", pulp.LpMaximize)
    a = model.add_variable("a", 0, 4)
    b = model.add_variable("b", 0, 9, cat="Integer")
    model += 3 * a + b + 1
    model += a + 2 * b <= 7.5, "room"
    solved = solve(model, solver=solver)  # a = 4, b = 1: 12 + 1 + 1
    assert (solved.value(a), solved.value(b), solved.value(a + b - 2)) == (4, 1, 3)
    assert solved.certificate.objective == 14
    assert (solved.certificate.status, solved.certificate.level) == (
        Status.OPTIMAL,
        Level.VERIFIED,
    )


def test_a_model_without_a_solution_says_which_and_by_whom() -> None:
    model, x = one_of(2)
    model += x[0] + x[1] >= 2, "both"
    with pytest.raises(PlanError, match=r"^one_of: no choice satisfies all constraints, by highs"):
        solve(model, solver="highs")
    with pytest.raises(InputError, match="unknown solver 'abacus'; choose one of highs, cbc, both"):
        solve(model, solver="abacus")
    with pytest.raises(InputError, match="gap = -1"):
        solve(model, gap=-1)


def test_orders_break_ties_one_after_the_other() -> None:
    orders = [[1.0, 2.0, 1.0, 1.0], [5.0, 0.0, 3.0, 3.0], [0.0, 1.0, 3.0, 2.0]]
    for solver in ("cbc", "highs"):
        chosen, certificate = choose_one(*one_of(4), orders, lambda _: [], solver=solver)
        assert (chosen, certificate.objective) == (3, 1.0)


def test_choices_that_only_the_tolerance_lets_pass_are_excluded_until_none_is_left() -> None:
    orders = [[1.0, 2.0, 3.0]]
    chosen, _ = choose_one(*one_of(3), orders, lambda k: ["too hot"] if k < 2 else [])
    assert chosen == 2
    with pytest.raises(PlanError, match="no choice satisfies all constraints"):
        choose_one(*one_of(3), orders, lambda _: ["too hot"])


def test_a_model_without_choices_cannot_exclude_and_says_what_is_broken() -> None:
    model = pulp.LpProblem("flow", pulp.LpMinimize)
    flow = model.add_variable("flow", 1, 2)
    model += flow

    def value(solved: SolvedModel) -> float:
        return solved.value(flow)

    with pytest.raises(
        PlanError, match=r"flow: cbc satisfies the constraints only within its tolerance"
    ):
        solve_exactly(model, value, lambda _: ["too little"])


def test_every_formulation_is_reached_from_headroom_and_says_what_it_leaves_out() -> None:
    for name in planner.formulations.__all__:
        module = getattr(hr.formulations, name)
        if name != "kernighan_lin":  # a heuristic, no program
            assert module.formulate.__doc__
            assert "Left out" in module.__doc__
    with pytest.raises(AttributeError, match="no attribute 'prices'"):
        hr.formulations.prices  # noqa: B018
    assert {*planner.formulations.__all__} <= {*dir(hr.formulations)}
