"""Days that are valid and hardly meant are warnings, and the day of today is not asked."""

from __future__ import annotations

from pathlib import Path

from tests.scenarios.sample_changes import REQUEST, faults, remarked
from tests.scenarios.test_impossible_values import DECIDED


def test_probability_0_of_a_price_is_valid(tmp_path: Path) -> None:
    prices = [(REQUEST, "probability = 0.7 }", "probability = 1 }"),
              (REQUEST, "probability = 0.3 }", "probability = 0.0 }")]  # fmt: skip
    assert remarked(tmp_path, prices) == []


def test_not_everything_may_weigh_nothing(tmp_path: Path) -> None:
    nothing = [(REQUEST, f"weight = {n}\n", "weight = 0\n") for n in (40, 35, 25)]
    (found,) = faults(tmp_path, nothing)
    assert found.endswith("the weights of all workloads are 0; give at least one of them a weight")
    (found,) = faults(tmp_path, [(REQUEST, DECIDED, f"{DECIDED}weights = {{ energy = 0 }}\n")])
    assert "weights: all weights are 0; give at least one criterion a weight" in found


def test_a_demand_without_any_weighed_work_is_refused(tmp_path: Path) -> None:
    changes = [(REQUEST, "weight = 40\n", "weight = 0\n"),
               (REQUEST, '{ "molecular dynamics" = 2 }',
                '{ climate = 0, "electronic structure" = 0 }')]  # fmt: skip
    found = faults(tmp_path, changes)
    assert [
        each for each in found if "the factors of all workloads are 0; correct at least one" in each
    ]
