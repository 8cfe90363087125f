"""Guards with which policies are above the bound for equally long: how they are chosen."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.studies.schedule.ilp_grid import COUNTS
from benchmarks.studies.schedule.ilp_guards import (
    CHOICE,
    GUARDS,
    POLICIES,
    SCORE,
    by_seed,
    choices,
    chosen,
    stored,
)
from tests.planner.scheduling.power.test_study import above


def test_a_guard_is_interpolated_and_never_larger_than_needed() -> None:
    # 100 s without a guard, 25 s with 2 %: 50 s lie half-way, as a quarter is a half of a half
    above_s = np.array([100.0, 25.0, 5.0, 2.0])
    assert chosen(above_s, 100.0) == 0.0
    assert chosen(above_s, 50.0) == pytest.approx(GUARDS[1] / 2)
    none_left = np.array([100.0, 0.0, 0.0, 0.0])
    assert chosen(none_left, 50.0) == pytest.approx(GUARDS[1] / 2)  # no logarithm of 0
    assert chosen(above_s, 1.0) == GUARDS[-1]


def test_the_reference_needs_no_guard_and_the_spread_is_over_seeds() -> None:
    none = [[0.0] * 3] * 2
    adaptive = np.array([[10.0, 10.0, 10.0], [0.0] * 3, *none])
    even = np.array([[20.0] * 3, [5.0] * 3, *none])  # half-way in every seed
    # all of the excess is in one seed: without it there is none
    uneven = np.array([[60.0, 0.0, 0.0], [15.0, 0.0, 0.0], *none])
    found = choices({"adaptive": adaptive, "even": even, "uneven": uneven})
    assert found["adaptive"] == {"guard": 0.0, "low": 0.0, "high": 0.0}
    assert found["even"] == dict.fromkeys(("guard", "low", "high"), GUARDS[1] / 2)
    assert found["uneven"]["low"] == 0.0 < found["uneven"]["guard"] < found["uneven"]["high"]


def test_guards_are_scored_on_other_seeds_than_they_are_chosen_on() -> None:
    ranges = [range(first, first + count) for first, count in (CHOICE, SCORE)]
    assert not set(ranges[0]) & set(ranges[1])


def test_a_seed_has_the_sums_of_its_runs() -> None:
    runs = [above("a", 0, 50.0, 10.0), above("a", 0, 0.0, 0.0), above("b", 0, 9.0, 1.0)]
    assert by_seed(runs, "a") == [
        {"above_s": 10.0, "span_s": 200.0, "runs_above": 1, "runs": 2, "largest_w": 50.0,
         "turnaround_s": 5.0}
    ]  # fmt: skip


@pytest.mark.parametrize("counts", COUNTS)
def test_stored_guards_are_those_of_the_stored_times_above_the_bound(counts: str) -> None:
    rows = stored()[counts]["policies"]
    assert [row["policy"] for row in rows] == [*POLICIES]
    found = choices({row["policy"]: np.array(row["tried_s"]) for row in rows})
    for row in rows:
        assert {name: row[name] for name in ("guard", "low", "high")} == found[row["policy"]]
        assert len(row["with"]) == len(row["without"]) == SCORE[1]
