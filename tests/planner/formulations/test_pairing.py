"""The readable pairing model: CBC, HiGHS, engine and brute force find the same gain."""

from __future__ import annotations

import numpy as np
import pytest

import solvers
from planner.errors import TooLargeError
from planner.formulations.pairing import formulate, pair
from planner.sharing_nodes.pairs.decide import matched
from planner.sharing_nodes.pairs.plan import violations
from tests.planner.sharing_nodes.pairs.cases import best_gain, drawn, problem_from
from tests.sizes import few


@pytest.mark.parametrize("number", range(few(200)))
def test_cbc_highs_engine_and_brute_force_agree(number: int) -> None:
    problem = drawn(number)
    best = best_gain(problem)
    plans = [pair(problem, solver=solver).plan for solver in ("cbc", "highs")]
    plans.append(matched(problem, engine="built-in")[0])
    for plan in plans:
        assert violations(problem, plan) == []
        assert plan.gain == pytest.approx(best, rel=1e-9, abs=1e-12)


def test_three_jobs_share_one_node_and_the_relaxation_takes_halves() -> None:
    # All speeds are 0.8: a pair gains 0.6. Half of each of three pairs would gain 0.9.
    problem = problem_from(np.full((3, 3), 0.8))
    pairing = pair(problem)
    assert pairing.plan.gain == pytest.approx(0.6)
    assert pairing.certificate.status == "optimal"
    model, x = formulate(problem)
    for variable in x.values():
        variable.cat = "Continuous"
    assert solvers.solve(solvers.from_pulp(model)).objective == pytest.approx(0.9)


def test_rows_and_variables_have_the_names_of_the_docstring() -> None:
    model, x = formulate(problem_from(np.full((3, 3), 0.8)))
    assert solvers.from_pulp(model).row_names == ("one_0", "one_1", "one_2")
    assert x[0, 2].name == "x_0_2"


def test_a_model_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooLargeError, match="pairing would have"):
        formulate(problem_from(np.full((500, 500), 0.8)))
