"""Adaptive rounds: the target is reached, noisy jobs are measured more, late changes count."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.pricing.adaptive import (
    AdaptiveRule,
    measured_rounds,
    table,
    weighted_estimate,
)
from planner.errors import InputError
from tests.sizes import few

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "pricing-estimators.md"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("seconds", [60, 600, 6_000])
def test_adaptive_rounds_reach_the_target_whenever_the_job_ends(seconds: int) -> None:
    rule, rng = AdaptiveRule(0.03), np.random.default_rng(seconds)
    time_us = np.arange(0, seconds * 1e6, 420e3)
    covered, widths, counts = [], [], []
    for _ in range(few(100, 30)):
        ratios = 0.9 * (1 + rng.normal(0, 0.06, len(time_us)))
        chosen = measured_rounds(rule, ratios, time_us)
        result = weighted_estimate(ratios[chosen], time_us[chosen], seconds * 1e6)
        covered.append(result.covers(0.9))
        widths.append((result.high**2 - result.low**2) / 2 / 0.81)
        counts.append(len(chosen))
    assert np.mean(covered) > 0.85
    assert np.mean(widths) < (0.045 if seconds == 60 else 0.034)
    assert np.mean(counts) < 250


def test_noisy_jobs_are_measured_more() -> None:
    rng = np.random.default_rng(0)
    time_us = np.arange(0, 3_600e6, 420e3)
    counts = [
        len(measured_rounds(AdaptiveRule(), 0.9 + rng.normal(0, sigma, len(time_us)), time_us))
        for sigma in (0.03, 0.06, 0.12)
    ]
    assert counts[0] < counts[1] < counts[2] < len(time_us)


def test_a_job_that_changes_late_is_estimated_without_bias() -> None:
    rng, result = np.random.default_rng(0), []
    time_us = np.arange(0, 1_800e6, 420e3)
    true = np.where(time_us < 900e6, 1.0, 0.7)
    for _ in range(few(60, 15)):
        ratios = true * (1 + rng.normal(0, 0.06, len(time_us)))
        chosen = measured_rounds(AdaptiveRule(), ratios, time_us)
        result.append(weighted_estimate(ratios[chosen], time_us[chosen], 1_800e6).perf)
    assert np.mean(result) == pytest.approx(0.85, abs=0.01)


def test_bad_rules_are_refused() -> None:
    with pytest.raises(InputError, match="the target is 0"):
        AdaptiveRule(0.0)
    with pytest.raises(InputError, match="at least 3 first blocks"):
        AdaptiveRule(first=1)
    with pytest.raises(InputError, match="clock of the blocks goes backwards"):
        weighted_estimate(np.ones(3), np.array([1.0, 3.0, 2.0]), 4.0)


def test_the_page_shows_the_table() -> None:
    assert "\n".join(table()) in PAGE.read_text(encoding="utf-8")
