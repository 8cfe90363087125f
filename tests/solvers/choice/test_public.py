"""Known optima of the public set."""

from __future__ import annotations

import pytest

from solvers import Level, Status
from solvers.choice import solve_choice, violations
from tests.shared_data import KNAPSACK, needs_data
from tests.solvers.choice.instances_public import read_public

pytestmark = needs_data


@pytest.mark.parametrize(
    ("name", "value"), [("I01", 173.0), ("I02", 364.0), ("I05", 3905.7), ("I06", 4799.3)]
)
def test_small_instances_reach_their_known_optimum_with_a_proof(name: str, value: float) -> None:
    problem = read_public(KNAPSACK / name)
    result = solve_choice(problem, gap=1e-9)
    assert result.chosen is not None
    assert violations(problem, result.chosen) == []
    assert (result.status, result.certificate.level) == (Status.OPTIMAL, Level.PROVED)
    assert result.objective == pytest.approx(value, abs=1e-9)


def test_the_bound_of_the_largest_is_that_of_its_linear_relaxation() -> None:
    result = solve_choice(read_public(KNAPSACK / "I13"), method="greedy")
    assert result.bound == 98448.0  # 98,448.6, and values are whole
    assert result.objective is not None
    assert 0.9 * 98448 < result.objective <= 98448


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("I03", 1602), ("I04", 3597), ("I13", 98396)])
def test_harder_instances_reach_known_values(name: str, value: float) -> None:
    problem = read_public(KNAPSACK / name)
    result = solve_choice(problem, gap=1e-9, time_limit_s=30)
    assert result.objective is not None
    assert result.bound is not None
    assert value <= result.objective <= result.bound
