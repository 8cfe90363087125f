"""Answers that rest on one solver do not hang on the unit of the rows: 6,000 models, stored."""

from __future__ import annotations

import pytest

from solvers import brute_force
from tests.sizes import few
from tests.solvers.random_models import SHAPES, random_model
from tests.solvers.small_rows import FACTORS, SEEDS, SOLVERS, Row, read, rows
from tests.solvers.test_scales import with_rows_of


def test_stored_answers_break_no_row_and_call_no_model_infeasible_that_has_a_point() -> None:
    stored = read()
    assert [(each.shape, each.solver, each.factor) for each in stored] == [
        (shape, solver, factor) for shape in SHAPES for solver in SOLVERS for factor in FACTORS
    ]
    assert sum(each.models for each in stored) == 4 * 6_000
    assert sum(each.violated + each.falsely_infeasible for each in stored) == 0
    assert sum(each.claimed_infeasible for each in stored) == 72  # the solvers' own words
    assert sum(each.falsely_optimal for each in stored) == 1  # by HiGHS, without a proof


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_first_models_are_answered_as_the_stored_ones(solver: str) -> None:
    row = Row("mixed", solver, FACTORS[1])
    for seed in range(few(100)):
        model = random_model("mixed", seed)
        row.count(model, with_rows_of(model, row.factor), brute_force(model))
    assert row.violated + row.falsely_infeasible + row.falsely_optimal == 0
    assert row.claimed_infeasible > 0


@pytest.mark.release
def test_six_thousand_models_come_to_what_is_stored() -> None:
    assert list(rows(SEEDS)) == read()
