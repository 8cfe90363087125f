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
