"""Runs needed, from rows made up by hand."""

from __future__ import annotations

import pytest

from planner.configurations.prediction.curves import CurvePoint
from planner.configurations.prediction.needed import needed


def point(runs: int, median: float | None, no_answer: float = 0.0) -> CurvePoint:
    return CurvePoint("code", "sequential", runs, median, median, median, 0.0, 0.0, no_answer, 10)


@pytest.mark.parametrize(
    ("points", "runs"),
    [
        ([point(8, 0.02), point(12, 0.0)], 8),
        ([point(12, 0.0), point(8, 0.021)], 12),
        ([point(8, 0.0), point(12, 0.03)], None),
        ([point(8, 0.0, 0.1), point(12, 0.0)], 12),
        ([point(8, None, 1.0), point(12, 0.0, 0.1)], None),
    ],
)
def test_runs_needed_stay_enough_and_answer_always(
    points: list[CurvePoint], runs: int | None
) -> None:
    needs = needed(points)
    assert (needs.runs, needs.most_runs) == (runs, 12)
