"""Mean errors of the oracle: by hand, and as plain values."""

from __future__ import annotations

import json

import pytest

from planner.scheduling.estimates.binning import PLACEMENTS
from planner.scheduling.estimates.oracle_errors import oracle_errors
from tests.planner.scheduling.simulation.literal import made_log

LOG = made_log([(0, 10, 1, 20), (0, 11, 8, 20), (5, 20, 9, 20), (6, 30, 20, 90), (6, 0, 36, 9)])


def test_mean_errors_worked_by_hand() -> None:
    # 10 and 11 share a class at 10 %, 20 and 30 at 50 %; the run of 0 s is part of no mean
    result = oracle_errors(LOG.run_s, most_error_percent=(10, 50))
    assert result.zero_runs == 1
    row = result.by_placement[0]
    assert row.placement == "from-below"
    assert row.mean_error_percent == pytest.approx((100 * 0.1 / 4, 100 * (0.1 + 0.5) / 4))
    assert row.largest_error_percent == pytest.approx((10, 50))
    assert row.classes == (4, 3)


def test_rows_are_plain_values_by_placement_and_bound() -> None:
    rows = oracle_errors(LOG.run_s).rows()
    assert json.loads(json.dumps(rows, allow_nan=False)) == rows
    assert [(row["placement"], row["most_error_percent"]) for row in rows] == [
        (placement, bound) for placement in PLACEMENTS for bound in range(10, 101, 10)
    ]


def test_runs_of_no_length_have_no_mean_error() -> None:
    result = oracle_errors(made_log([(0, 0, 1, 1)]).run_s)
    assert not result.are_known
    assert set(result.by_placement[0].mean_error_percent) == {None}
