"""The enumeration against a second one that shares nothing with it."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from solvers import Milp, MilpBuilder, ModelError, brute_force
from tests.sizes import few
from tests.solvers.random_models import random_model


def plain_enumeration(model: Milp) -> Fraction | None:
    """Loop over every whole point in plain Python fractions."""

    def decimal(value: float) -> Fraction:
        return Fraction(format(value, ".12g"))

    ranges = [
        range(int(np.ceil(low)), int(np.floor(high)) + 1)
        for low, high in zip(model.column_lower, model.column_upper, strict=True)
    ]
    dense = [[Fraction(0)] * model.columns for _ in range(model.rows)]
    for row, column, value in zip(
        model.row_of_nonzero, model.column_indices, model.coefficients, strict=True
    ):
        dense[row][column] = decimal(value)
    values = []
    for point in itertools.product(*ranges):
        for line, low, high in zip(dense, model.row_lower, model.row_upper, strict=True):
            activity = sum((a * x for a, x in zip(line, point, strict=True)), Fraction(0))
            if (low > -np.inf and activity < decimal(low)) or (
                high < np.inf and activity > decimal(high)
            ):
                break
        else:
            terms = (decimal(c) * x for c, x in zip(model.cost, point, strict=True))
            values.append(sum(terms, decimal(model.constant)))
    if not values:
        return None
    return min(values) if model.sense == "min" else max(values)


@pytest.mark.parametrize("shape", ["integer", "procurement"])
def test_enumeration_equals_plain_loops(shape: str) -> None:
    compared = infeasible = 0
    for seed in range(few(400, 80)):
        model = random_model(shape, seed)
        if np.prod(model.column_upper + 1) > 300:
            continue
        expected = plain_enumeration(model)
        assert brute_force(model).objective == expected, f"{shape} {seed}"
        compared += 1
        infeasible += expected is None
    assert compared >= 30
    assert shape == "procurement" or infeasible >= 1  # procurement may always buy nothing


def test_continuous_columns_are_taken_at_their_vertices() -> None:
    # max 2x + 3y + z: x + y <= 1.5, y + z <= 1, z whole in 0..1, x and y in [0, 2]
    # z = 0: y = 1, x = 0.5: 4; z = 1: y = 0, x = 1.5: 4; so 4
    build = MilpBuilder("max")
    x = build.add_columns(
        3, cost=[2.0, 3.0, 1.0], upper=[2.0, 2.0, 1.0], integer=[False, False, True]
    )
    build.add_rows([0, 0, 1, 1], x[[0, 1, 1, 2]], 1.0, upper=[1.5, 1.0])
    assert brute_force(build.model()).objective == 4


def test_a_third_is_a_third() -> None:
    build = MilpBuilder("max")
    x = build.add_columns(1, cost=1.0, upper=1.0)
    build.add_rows([0], x, 3.0, upper=1.0)
    result = brute_force(build.model())
    assert result.objective == Fraction(1, 3)
    assert result.point == (Fraction(1, 3),)


def test_no_feasible_point_is_none() -> None:
    build = MilpBuilder()
    x = build.add_columns(1, upper=5.0, integer=True)
    build.add_rows([0], x, 2.0, lower=3.0, upper=3.0)
    assert brute_force(build.model()).objective is None


@pytest.mark.parametrize(
    ("columns", "upper", "integer", "message"),
    [
        (21, 1.0, True, r"2\.1e\+06 assignments"),
        (1, np.inf, True, "finite box"),
        (4, 1.0, False, "4 continuous columns"),
    ],
)
def test_what_is_too_large_is_refused(
    columns: int, upper: float, integer: bool, message: str
) -> None:
    build = MilpBuilder()
    build.add_columns(columns, upper=upper, integer=integer)
    with pytest.raises(ModelError, match=message):
        brute_force(build.model())
