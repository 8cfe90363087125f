"""What is refused, and where importing and compiling must not fail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solvers import ModelError
from solvers.choice import Choice, solve_choice

ROOT = Path(__file__).parents[3]


def given(**changed: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "starts": np.array([0, 2, 3]),
        "cost": np.array([1.0, 2.0, 3.0]),
        "weights": np.array([[1.0], [2.0], [3.0]]),
        "budgets": np.array([5.0]),
    }
    return plain | changed


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"cost": np.array([1.0, np.nan, 3.0])}, "item 1 of class 0 costs nan"),
        ({"weights": np.array([[1.0], [2.0], [-3.0]])}, "item 0 of class 1 weighs -3.0"),
        ({"weights": np.array([[1.0], [np.inf], [3.0]])}, "item 1 of class 0 weighs inf"),
        ({"weights": np.array([[np.nan], [1.0], [3.0]])}, "item 0 of class 0 weighs nan"),
        ({"weights": np.array([1.0, 2.0, 3.0])}, r"shape \(3,\), not \(3, 1\)"),
        ({"starts": np.array([0, 0, 3])}, "class 0 has no items"),
        ({"starts": np.array([0, 2])}, "end with the number of items, 3"),
        ({"budgets": np.array([np.nan])}, "budget of resource 0 is not a number"),
        ({"sense": "least"}, "use 'min' or 'max'"),
        ({"resources": ("a", "b")}, "2 names were given for 1 resources"),
    ],
)
def test_what_is_no_choice_is_refused_with_its_place(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Choice(**given(**changed))


def test_tables_of_unequal_length_are_refused() -> None:
    with pytest.raises(ModelError, match="class 1: 1 costs but 2 weights"):
        Choice.from_tables([([1], [[1]]), ([1], [[1], [2]])], [1])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"table": np.array([0, 2])}, "class 1 has the rows 2 to 3; .* there are 3"),
        ({"table": np.array([-1, 0])}, "class 0 has the rows -1 to 0"),
        ({"table": np.array([0])}, r"table has shape \(1,\), not \(2,\)"),
        ({"factor": np.array([1.0])}, r"factor has shape \(1,\), not \(2,\)"),
        ({"factor": np.array([1.0, np.nan])}, "costs of class 1 are multiplied by nan"),
        ({"factor": np.array([1e308, 1.0])}, "costs of class 0 are multiplied by 1e\\+308"),
        (
            {"cost": np.full(3, -1e308), "factor": np.array([1.0, 10.0])},
            "class 1 are multiplied by",
        ),
        ({"cost": np.array([1.0, np.inf, 3.0])}, "item 1 of class 0 costs inf"),
        ({"cost": np.array([1.0, 2.0, np.inf])}, "row 2 .of no class. costs inf"),
    ],
)
def test_shared_tables_that_cannot_be_are_refused(changed: dict[str, Any], message: str) -> None:
    shared = {"starts": np.array([0, 2, 4]), "table": np.array([0, 0]), "factor": np.ones(2)}
    with pytest.raises(ModelError, match=message):
        Choice(**given(**shared | changed))


def test_from_tables_refuses_a_table_that_is_not_there() -> None:
    with pytest.raises(
        ModelError, match="class 1 has table 2; tables are counted from 0, and there are 1"
    ):
        Choice.from_tables([([1], [[1]])], [1], table=[0, 2])
    with pytest.raises(ModelError, match="table 0: 1 costs but 2 weights"):
        Choice.from_tables([([1], [[1], [2]])], [1], table=[0, 0])


def test_a_hundred_thousand_classes_hold_each_table_once() -> None:
    tables = [(np.arange(1.0, 201.0), np.ones((200, 2))), (np.ones(100), np.ones((100, 2)))]
    problem = Choice.from_tables(tables, [1e6, 1e6], table=np.arange(100_000) % 2)
    assert problem.items == 50_000 * 300
    arrays = (problem.starts, problem.cost, problem.weights, problem.table, problem.factor)
    assert sum(array.nbytes for array in arrays) < 100_000 * 3 * 8 + 300 * 3 * 8 + 9


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"method": "simulated annealing"}, "choose one of lagrangian"),
        ({"gap": -1.0}, "gap = -1"),
        ({"gap": float("nan")}, "gap = nan"),
        ({"time_limit_s": -1.0}, "time_limit_s"),
        ({"proof": "sometimes"}, "choose auto, always or never"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve_choice(Choice(**given()), **asked)


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_numba_is_imported_by_the_first_solve() -> None:
    code = "import sys, solvers; solvers.partition; print('numba' in sys.modules)"
    assert run(code).strip() == "False"


def test_a_folder_that_cannot_be_written_only_costs_compilation() -> None:
    code = (
        "import os\n"
        "os.environ['NUMBA_CACHE_DIR'] = '/proc/none'\n"
        "from solvers.compiled import compiled_entry\n"
        "print(compiled_entry(lambda x: x + 1)(2))"
    )
    assert run(code).strip() == "3"
