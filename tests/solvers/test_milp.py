"""The model itself and its two construction routes."""

from __future__ import annotations

import dataclasses
import warnings

import numpy as np
import pulp
import pytest

from solvers import SOLVERS, Milp, MilpBuilder, ModelError, Status, from_pulp, solve


def transport_in_pulp() -> pulp.LpProblem:
    """Two plants, two sites; one road is all or nothing."""
    problem = pulp.LpProblem("transport", pulp.LpMaximize)
    a = problem.add_variable("a", 0, 7)
    b = problem.add_variable("b", -2, None, cat="Integer")
    c = problem.add_variable("c", cat="Binary")
    free = problem.add_variable("free", None, None)
    problem += 3 * a - b + 0.5 * c + 4
    problem += a + b - free <= 6, "supply"
    problem += 2 * a - c >= -1.5, "demand"
    problem += free + c == 0.25, "balance"
    problem += b <= 5, "cap"
    return problem


def transport_in_arrays() -> Milp:
    build = MilpBuilder("max", name="transport", constant=4)
    columns = build.add_columns(
        4,
        cost=[3, -1, 0.5, 0],
        lower=[0, -2, 0, -np.inf],
        upper=[7, np.inf, 1, np.inf],
        integer=[False, True, True, False],
        names=["a", "b", "c", "free"],
    )
    a, b, c, free = columns
    build.add_rows(
        [0, 0, 0, 1, 1, 2, 2, 3],
        [free, b, a, a, c, c, free, b],
        [-1, 1, 1, 2, -1, 1, 1, 1],
        lower=[-np.inf, -1.5, 0.25, -np.inf],
        upper=[6, np.inf, 0.25, 5],
        names=["supply", "demand", "balance", "cap"],
    )
    return build.model()


def test_both_routes_give_the_same_model() -> None:
    algebra, arrays = from_pulp(transport_in_pulp()), transport_in_arrays()
    assert algebra.digest == arrays.digest
    assert algebra.column_names == arrays.column_names
    assert algebra.row_names == arrays.row_names
    assert (algebra.sense, algebra.constant, algebra.name) == ("max", 4.0, "transport")


def test_columns_come_in_the_order_asked_for() -> None:
    problem = transport_in_pulp()
    order = sorted(problem.variables(), key=lambda variable: variable.name, reverse=True)
    model = from_pulp(problem, order)
    assert model.column_names == ("free", "c", "b", "a")
    assert model.cost.tolist() == [0.0, 0.5, -1.0, 3.0]


@pytest.mark.parametrize("solver", SOLVERS)
def test_both_routes_and_pulp_itself_agree_without_a_warning(solver: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        problem = transport_in_pulp()
        result = solve(from_pulp(problem), solver=solver)
    # a = 7, c = 1, free = -0.75: b is at most 6 - 7 - 0.75, so -2; 21 + 2 + 0.5 + 4
    assert (result.status, result.objective) == (Status.OPTIMAL, 27.5)
    assert [result.value(name) for name in ("a", "b", "c", "free")] == [7.0, -2.0, 1.0, -0.75]


def test_special_ordered_sets_are_refused() -> None:
    problem = transport_in_pulp()
    problem.sos1["one road"] = {"a": 1, "b": 2}
    with pytest.raises(ModelError, match="special ordered sets"):
        from_pulp(problem)


def test_missing_objective_is_refused() -> None:
    problem = pulp.LpProblem("bare", pulp.LpMinimize)
    problem += problem.add_variable("a", 0, 1) <= 1
    with pytest.raises(ModelError, match="objective is missing"):
        from_pulp(problem)


def test_unlisted_variable_is_refused_by_name() -> None:
    problem = transport_in_pulp()
    some = [variable for variable in problem.variables() if variable.name != "free"]
    with pytest.raises(ModelError, match="variable free is used"):
        from_pulp(problem, some)


def test_variables_of_one_name_are_refused() -> None:
    problem = transport_in_pulp()
    twice = [*problem.variables(), problem.variables()[0]]
    with pytest.raises(ModelError, match="share a name"):
        from_pulp(problem, twice)


def test_rows_without_a_name_get_one_each() -> None:
    problem = pulp.LpProblem("unnamed", pulp.LpMinimize)
    a = problem.add_variable("a", 0, 9)
    problem += a
    problem += a >= 1
    problem += a <= 5, "cap"
    problem += 2 * a >= 3
    assert from_pulp(problem).row_names == ("_C1", "cap", "_C3")


def test_objective_alone_converts() -> None:
    problem = pulp.LpProblem("alone", pulp.LpMinimize)
    problem += 2 * problem.add_variable("a", 1.5, 4)
    model = from_pulp(problem)
    assert (model.rows, model.columns) == (0, 1)
    assert solve(model).objective == 3.0


def small(**changes: object) -> Milp:
    fields: dict[str, object] = {
        "cost": [1.0, 2.0],
        "row_starts": [0, 2],
        "column_indices": [0, 1],
        "coefficients": [1.0, -1.0],
        "row_lower": [-np.inf],
        "row_upper": [4.0],
        "column_lower": [0.0, 0.0],
        "column_upper": [np.inf, 1.0],
        "is_integer": [False, True],
    }
    return Milp(**(fields | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cost": [1.0, np.nan]}, "cost of column x1 is not finite"),
        ({"coefficients": [1.0, np.inf]}, "a coefficient of row r0 is not finite"),
        ({"row_upper": [np.nan]}, "row r0 has nan as its upper bound"),
        ({"row_lower": [np.inf]}, "row r0 has inf as its lower bound"),
        ({"column_upper": [-np.inf, 1.0]}, "column x0 has -inf as its upper bound"),
        ({"constant": np.inf}, "constant is not finite"),
        ({"column_indices": [0, 2]}, r"outside 0\.\.1"),
        ({"column_indices": [0, -1]}, r"outside 0\.\.1"),
        ({"column_indices": [1, 0]}, "must ascend within each row"),
        ({"column_indices": [1, 1]}, "must ascend within each row"),
        ({"coefficients": [1.0, 0.0]}, "a stored coefficient is zero"),
        ({"row_starts": [0, 1]}, "row_starts must begin"),
        ({"row_starts": [0]}, "row_starts has shape"),
        ({"is_integer": [True]}, "is_integer has shape"),
        ({"cost": [[1.0], [2.0]]}, "cost has shape"),
        ({"sense": "maximise"}, "use 'min' or 'max'"),
        ({"column_names": ("a",)}, "1 names were given for 2"),
        ({"column_names": ("a", "a")}, "share a name"),
    ],
)
def test_what_is_no_model_is_refused_with_its_place(
    changes: dict[str, object], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        small(**changes)


def test_descending_row_starts_are_refused() -> None:
    with pytest.raises(ModelError, match="must ascend"):
        small(row_starts=[0, 3, 2], row_lower=[0.0, 0.0], row_upper=[1.0, 1.0])


def test_model_cannot_be_changed_afterwards() -> None:
    cost = np.array([1.0, 2.0])
    model = small(cost=cost)
    cost[0] = 99.0
    assert model.cost.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        model.cost[0] = 5.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        model.sense = "max"  # type: ignore[misc]


def test_digest_sees_the_mathematics_and_not_the_names() -> None:
    model = small()
    assert small(column_names=("a", "b"), name="other").digest == model.digest
    assert small(constant=-0.0, row_lower=[-np.inf]).digest == model.digest
    changed = [
        small(cost=[1.0, 2.5]),
        small(sense="max"),
        small(constant=1.0),
        small(is_integer=[True, True]),
        small(row_upper=[5.0]),
        small(column_upper=[np.inf, 2.0]),
        small(coefficients=[1.0, -2.0]),
    ]
    assert len({model.digest, *(other.digest for other in changed)}) == len(changed) + 1


def test_triplets_may_come_in_any_order_and_add_up() -> None:
    build = MilpBuilder()
    x = build.add_columns(3)
    build.add_rows([1, 0, 1, 0, 0], [x[2], x[1], x[0], x[0], x[1]], [4, 2, 1, 3, -2], upper=[9, 9])
    model = build.model()
    assert model.row_starts.tolist() == [0, 1, 3]  # 2 - 2 = 0 is dropped
    assert model.column_indices.tolist() == [0, 0, 2]
    assert model.coefficients.tolist() == [3.0, 1.0, 4.0]
    assert model.row_activity(np.array([1.0, 5.0, 2.0])).tolist() == [3.0, 9.0]


@pytest.mark.parametrize(("rows", "columns"), [([0, 0], [0]), ([-1], [0])])
def test_triplets_that_do_not_fit_are_refused(rows: list[int], columns: list[int]) -> None:
    build = MilpBuilder()
    build.add_columns(1)
    build.add_rows([0], [0], [1.0])
    with pytest.raises(ModelError, match="as long as each other"):
        build.add_rows(rows, columns, 1.0)


def test_value_by_name_explains_what_is_missing() -> None:
    result = solve(transport_in_arrays())
    with pytest.raises(LookupError, match="no column 'z'"):
        result.value("z")
    infeasible = solve(small(row_upper=[-9.0], row_lower=[-9.0], column_upper=[1.0, 1.0]))
    with pytest.raises(LookupError, match="status is infeasible"):
        infeasible.value(0)


def test_rows_and_columns_added_one_by_one_make_the_same_model() -> None:
    """Between blocks, with a repeated place, an empty row and a side that is absent."""
    blocks, single = MilpBuilder("max"), MilpBuilder("max")
    for build in (blocks, single):
        build.add_columns(2, cost=[3.0, 2.0], upper=10)
    assert blocks.add_columns(1, cost=1.0, lower=-1.0, integer=True).tolist() == [2]
    assert single.add_column(cost=1.0, lower=-1.0, integer=True) == 2
    for build in (blocks, single):
        assert build.add_columns(1, upper=[4.0]).tolist() == [3]
        build.add_rows([0, 1], [0, 3], [1.0, 2.0], upper=[7.0, 8.0])
    assert blocks.add_rows([0, 0, 0], [2, 0, 2], [1.0, 5.0, 0.5], lower=[1.0]).tolist() == [2]
    assert single.add_row([2, 0, 2], [1.0, 5.0, 0.5], lower=1.0) == 2
    blocks.add_rows([], [], [], lower=[0.0], upper=[3.0])
    single.add_row([], [], lower=0.0, upper=3.0)
    for build in (blocks, single):
        assert build.add_rows([0], [1], [1.0], lower=[-2.0]).tolist() == [4]
    assert single.model().digest == blocks.model().digest
    assert single.model().digest == single.model().digest  # asked twice, gathered once


def test_a_single_row_whose_parts_do_not_fit_is_refused() -> None:
    with pytest.raises(ModelError, match="2 columns and 1 values"):
        MilpBuilder().add_row([0, 1], [1.0])


@pytest.mark.parametrize(
    "arrays",
    [
        {"column_lower": [-1.0, -3.0, 0.0, -0.0], "column_upper": [1.0, 2.0, 1.0, 9.0]},
        {"cost": [0.0, -0.0, 2.0, 1.0], "is_integer": [False] * 4},
        {"coefficients": np.arange(1.0, 9.0), "row_upper": [1.0, 2.0, 3.0, 4.0]},
    ],
)
def test_a_changed_model_is_the_one_built_anew(arrays: dict[str, list[float]]) -> None:
    model = transport_in_arrays()
    before = model.digest
    changed, anew = model.changed(**arrays), dataclasses.replace(model, **arrays)  # type: ignore[arg-type]
    assert changed.digest == anew.digest
    assert changed.column_names == model.column_names
    assert (changed.row_of_nonzero == anew.row_of_nonzero).all()
    assert (changed.largest_of_row == anew.largest_of_row).all()
    assert model.digest == before
    with pytest.raises(ValueError, match="read-only"):
        changed.column_lower[0] = 5.0


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"cost": [1.0]}, "shape"),
        ({"cost": [np.nan, 0.0, 0.0, 0.0]}, "cost of column"),
        ({"column_lower": [np.inf, 0.0, 0.0, 0.0]}, "lower bound"),
        ({"coefficients": np.zeros(8)}, "is zero"),
    ],
)
def test_a_change_that_makes_no_model_is_refused(
    arrays: dict[str, list[float]], message: str
) -> None:
    with pytest.raises(ModelError, match=message):
        transport_in_arrays().changed(**arrays)  # type: ignore[arg-type]
