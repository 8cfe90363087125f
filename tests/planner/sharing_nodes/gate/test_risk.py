"""Conformal risk control: by hand, against brute force, and on exchangeable sites."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest
from numpy.typing import NDArray

from planner.errors import InputError
from planner.sharing_nodes.gate.risk import (
    certified_threshold,
    least_alpha,
    left_out_co_runs,
)
from tests.sizes import few


def test_the_threshold_worked_by_hand() -> None:
    """Nine applications with a bad pair each, at scores 1 to 9: (k + 1) / 10 <= 0.35 for k = 2."""
    scores = np.arange(1.0, 10.0)
    result = certified_threshold(scores, np.ones(9, dtype=bool), np.arange(9), 0.35)
    assert result.threshold == 3.0
    assert result.loss == pytest.approx(2 / 9)
    assert result.least_alpha == pytest.approx(0.1)


def test_a_loss_that_falls_again_counts_by_its_largest_value() -> None:
    """One bad pair first: the share of bad co-runs is 1, then 1/2; the loss stays 1."""
    scores = np.array([1.0, 2.0, 1.5])
    bad = np.array([True, False, False])
    result = certified_threshold(scores, bad, np.array([0, 0, 1]), 0.5)
    assert result.threshold == 1.0  # (1 + 1) / 3 > 0.5
    assert certified_threshold(scores, bad, np.array([0, 0, 1]), 0.7).threshold == inf


def test_an_application_that_shares_nothing_lowers_the_mean_and_not_the_rate_of_co_runs() -> None:
    """Two applications have four co-runs each, one of them bad; two have none: 2 of 8, mean 1/8.

    Each left-out application sees 1/4 or 2/4 of a loss in three others: (1/2 + 1) / 4 < 0.5.
    """
    scores = np.array([0.1, 0.2, 0.3, 0.4] * 2 + [inf] * 8)
    bad = np.array([False, False, False, True] * 2 + [True] * 8)
    result = left_out_co_runs(scores, bad, np.repeat(np.arange(4), 4), 0.5)
    assert (result.number, result.bad, result.rate) == (8, 2, 0.25)
    assert result.mean_share == 0.125
    assert left_out_co_runs(scores, bad, np.zeros(16), 0.5).rate is None  # no others certify


def test_too_few_applications_certify_nothing() -> None:
    scores, bad = np.array([1.0, 2.0]), np.array([False, False])
    result = certified_threshold(scores, bad, np.array([0, 1]), 0.2)
    assert not result.possible
    assert result.threshold == -inf
    assert certified_threshold(scores, bad, np.array([0, 1]), 1 / 3).threshold == inf


def test_five_known_applications_certify_no_rate_below_a_sixth() -> None:
    assert least_alpha(5) == pytest.approx(1 / 6)


def test_thresholds_are_those_of_brute_force() -> None:
    rng = np.random.default_rng(0)
    for _ in range(few(200)):
        units = rng.integers(0, 6, size=25)
        scores = rng.choice([0.1, 0.2, 0.3, 0.4, 0.5, inf], size=25)
        bad = rng.random(25) < 0.3
        alpha = float(rng.uniform(0.15, 0.6))
        result = certified_threshold(scores, bad, units, alpha)
        names = np.unique(units)
        best = -inf
        for threshold in (0.1, 0.2, 0.3, 0.4, 0.5, inf):
            losses = []
            for name in names:
                own = units == name
                tried = [each for each in (0.1, 0.2, 0.3, 0.4, 0.5, inf) if each <= threshold]
                losses.append(max(_bad_share(bad[own], scores[own] < each) for each in tried))
            if (sum(losses) + 1) / (len(names) + 1) <= alpha:
                best = threshold
        admitted = scores < result.threshold
        assert (admitted == (scores < best)).all()


def _bad_share(bad: NDArray[np.bool_], admitted: NDArray[np.bool_]) -> float:
    """Share of an application's co-runs that are bad; 0 without a co-run."""
    return float(bad[admitted].mean()) if admitted.any() else 0.0


def test_the_rule_keeps_alpha_on_new_applications_and_is_not_slack() -> None:
    """Each application has one bad pair with a uniform score, so the rate is exactly 2 / 41."""
    rng = np.random.default_rng(1)
    rates, uncorrected = [], []
    for _ in range(few(2500)):
        scores = rng.random(41)
        result = certified_threshold(scores[:40], np.ones(40, dtype=bool), np.arange(40), 0.05)
        rates.append(scores[40] < result.threshold)
        uncorrected.append(scores[40] < np.sort(scores[:40])[2])
    error = np.std(rates) / np.sqrt(len(rates))
    assert np.mean(rates) == pytest.approx(2 / 41, abs=4 * error)
    assert np.mean(rates) <= 0.05 + 2 * error
    assert np.mean(uncorrected) > 0.05 + error  # without the 1 / (n + 1)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.1, float("nan")])
def test_an_alpha_that_is_no_rate_is_refused(alpha: float) -> None:
    with pytest.raises(InputError, match="bad_share"):
        certified_threshold(np.zeros(1), np.zeros(1, dtype=bool), np.zeros(1), alpha)


def test_missing_calibration_is_refused() -> None:
    none = np.zeros(0)
    with pytest.raises(InputError, match="no calibration"):
        certified_threshold(none, none.astype(bool), none, 0.1)
