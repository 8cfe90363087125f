"""Runs needed and bounds broken, from rows made up by hand."""

from __future__ import annotations

import pytest

from planner.configurations.prediction.compare import ModelDecisions
from planner.configurations.prediction.curves import CurvePoint
from planner.configurations.prediction.needed import needed, share_broken


def point(runs: int, median: float | None, no_answer: float = 0.0) -> CurvePoint:
    return CurvePoint("code", "sequential", runs, median, median, median, 0.0, 0.0, no_answer, 10)


def decided(guard: float, violations: float, no_answer: float) -> ModelDecisions:
    regret = None if no_answer == 1 else 0.01
    return ModelDecisions("code", "log-polynomial", "12 runs", guard, regret, regret, regret,
                          regret, 0.0, violations, 0.1, no_answer, 20)  # fmt: skip


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


def test_decisions_without_an_answer_break_nothing() -> None:
    """20 decisions, half of them answered, of which a fifth breaks; and 20, of which none does."""
    assert share_broken([decided(0, 0.2, 0.5), decided(0, 0.0, 0.0)]) == pytest.approx(2 / 30)
    assert share_broken([decided(0, 0.0, 1.0)]) is None
