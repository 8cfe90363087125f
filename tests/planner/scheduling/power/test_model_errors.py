"""Errors of the job details table, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from planner.scheduling.power.inputs.model_errors import model_errors
from planner.scheduling.power.problem import JobDetails
from planner.scheduling.power.truth import PowerTruth


def details(time_ms: list[int], charge_mw: list[int]) -> JobDetails:
    ones = np.ones(5, np.int64)
    first, times, charges = np.array([0, 4, 5]), np.array(time_ms), np.array(charge_mw)
    return JobDetails(("a", "b"), first, ones, ones, np.full(5, 80.0), times, charges, "model")


def test_errors_are_shares_of_the_truth() -> None:
    table = details([110, 80, 100, 96, 50], [1000, 900, 850, 1100, 990])
    truth = PowerTruth(np.full(5, 100), np.full(5, 1000))
    a, b, both = model_errors(table, truth)
    # a: times off by 10, 20, 0 and 4 %; power 0, 10 and 15 % low, and 10 % high
    assert (a.application, a.rows) == ("a", 4)
    assert a.time_mean == pytest.approx(0.085)
    assert a.time_median == pytest.approx(0.07)
    assert a.time_third_quartile == pytest.approx(0.125)
    assert a.time_max == pytest.approx(0.2)
    assert a.power_within == pytest.approx(0.75)
    assert a.power_lowest == pytest.approx(0.15)
    assert a.charged_low == pytest.approx(0.5)
    assert (b.time_max, both.time_max) == (0.5, 0.5)
    assert both.rows == 5
    assert both.charged_low == pytest.approx(0.6)


def test_a_guard_is_taken_off_before_power_is_compared() -> None:
    # charged 1000 with a guard of 15 %: 850 W predicted, 15 % below the truth, and not too little
    truth = PowerTruth(np.full(5, 100), np.full(5, 1000))
    *_, both = model_errors(details([100] * 5, [1000] * 5), truth, guard=0.15)
    assert both.power_lowest == pytest.approx(0.15)
    assert (both.power_within, both.charged_low) == (0.0, 0.0)
