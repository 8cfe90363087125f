"""Named algebra over blocks: the same arrays as by hand, and names from labels."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from solvers import Milp, MilpBuilder, ModelError, solve
from solvers.choice.dominance import filtered
from solvers.choice.problem import Choice
from solvers.choice.program import formulate
from solvers.model.expressions import AlgebraicModel
from solvers.model.model_file import model_file
from solvers.model.names import Names

PRICES = np.array([3.0, 2.0])


def by_algebra() -> Milp:
    """max 3 a + 2 b: 2 a + b <= 7 of capital, a + 1 <= 3 of each, b = 2 c, 1 <= a - b + 4."""
    m = AlgebraicModel("max", name="small")
    bought = m.variables("bought", 2, cost=PRICES, upper=10, integer=True)
    c = m.variables("c", 1)
    m.add("capital", np.array([2.0, 1.0]) @ bought <= 7)
    m.add("room", bought + 1 <= [3.0, 5.0])
    m.add("twice", bought[[1]].equals(2 * c))
    m.add("apart", bought[[0]] - bought[[1]] + 4 >= 1)
    return m.model()


def by_arrays() -> Milp:
    build = MilpBuilder("max", name="small")
    a, b = build.add_columns(2, cost=PRICES, upper=10, integer=True)
    (c,) = build.add_columns(1)
    build.add_rows([0, 0], [a, b], [2.0, 1.0], upper=7)
    build.add_rows([0, 1], [a, b], [1.0, 1.0], upper=[2.0, 4.0])
    build.add_rows([0, 0], [b, c], [1.0, -2.0], lower=0.0, upper=0.0)
    build.add_rows([0, 0], [a, b], [1.0, -1.0], lower=-3.0)
    return build.model()


def test_algebra_gives_the_arrays_that_are_written_by_hand() -> None:
    model = by_algebra()
    assert model.digest == by_arrays().digest
    assert list(model.column_names) == ["bought_0", "bought_1", "c"]
    assert list(model.row_names) == ["capital", "room_0", "room_1", "twice", "apart"]
    result = solve(model)  # a = 2 of room; b = 3 of capital
    assert result.objective == pytest.approx(3 * 2 + 2 * 3)


def test_names_go_into_files_and_messages() -> None:
    text = model_file(by_algebra(), ".lp")
    assert " capital: + 2.0 bought_0 + 1.0 bought_1 <= 7.0" in text
    m = AlgebraicModel()
    x = m.variables("x", 2)
    m.add("nonsense", np.array([1.0, np.inf]) @ x <= 1)
    with pytest.raises(ModelError, match="a coefficient of row nonsense is not finite"):
        m.model()


def test_sums_by_group_and_sides_that_are_expressions() -> None:
    """Rows x_0 + x_2 <= 1 + y and x_1 <= 1 + y: constants and columns change sides."""
    m = AlgebraicModel()
    x, y = m.variables("x", 3), m.variables("y", 1)
    both = y[np.array([0, 0])]
    m.add("of", x.sum_by([0, 1, 0], 2) <= 1.0 + both)
    model = m.model()
    assert model.row_upper.tolist() == [1.0, 1.0]
    dense = np.zeros((2, 4))
    dense[model.row_of_nonzero, model.column_indices] = model.coefficients
    assert dense.tolist() == [[1.0, 0.0, 1.0, -1.0], [0.0, 1.0, 0.0, -1.0]]
    assert (3.0 - x).constant.tolist() == [3.0] * 3
    assert (x * [1.0, 2.0, 3.0]).sum().values.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    "wrong",
    [
        lambda x: x + x.sum(),
        lambda x: x <= [1.0, 2.0],
        lambda x: x.sum()[[0, 1]],
        lambda x: (x + 1)[[0]],
    ],
)
def test_shapes_that_do_not_match_are_refused(wrong: object) -> None:
    m = AlgebraicModel()
    x = m.variables("x", 3)
    assert callable(wrong)
    with pytest.raises(ModelError, match=r"rows|indexed"):
        wrong(x)


def test_names_are_made_when_they_are_read() -> None:
    names = Names([("capital", 1), ("", 2), ("one", 3)], "r")
    assert list(names) == ["capital", "r1", "r2", "one_0", "one_1", "one_2"]
    assert (len(names), names[-1], names[1:3]) == (6, "one_2", ["r1", "r2"])
    assert list(pickle.loads(pickle.dumps(names))) == list(names)
    with pytest.raises(IndexError, match="there are 6 names"):
        names[6]


@pytest.mark.parametrize("name", ["x1", "x2"])
def test_a_label_that_is_a_name_without_a_label_is_refused(name: str) -> None:
    for blocks in ([(name, 1), ("", 2)], [("a", 1), ("", 2), (name, 1)]):
        with pytest.raises(ValueError, match=f"'{name}' is a name without a label too"):
            Names(blocks, "x")
    assert list(Names([("x", 1), ("x01", 1), ("", 1), ("x2_", 1)], "x"))[2] == "x2"


@pytest.mark.parametrize("blocks", [[("a", 1), ("a", 2)], [("a", 2), ("a_1", 1)]])
def test_two_blocks_of_one_name_are_refused(blocks: list[tuple[str, int]]) -> None:
    with pytest.raises(ValueError, match="'a"):
        Names(blocks, "x")
    m = AlgebraicModel()
    for label, count in blocks:
        m.variables(label, count)
    with pytest.raises(ModelError, match=r"model: .*'a"):
        m.model()


def test_names_and_labels_are_not_mixed() -> None:
    build = MilpBuilder()
    build.add_columns(1, names=["a"])
    build.add_columns(1, label="b")
    with pytest.raises(ModelError, match="names and labels are mixed"):
        build.model()


def test_the_program_of_a_choice_has_the_names_of_its_docstring() -> None:
    problem = Choice(
        np.array([0, 2, 4]), np.array([3.0, 1.0, 4.0, 2.0]),
        np.array([[1.0, 2.0, 1.0, 3.0]]).T, np.array([4.0]),
    )  # fmt: skip
    model = formulate(problem)
    assert len(filtered(problem).item) == model.columns
    assert list(model.row_names) == ["class_0", "class_1", "budget_0"]
    assert model.column_name(0) == "x_0"
