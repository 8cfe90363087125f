"""The bias of Algorithm 4 on stationary blocks: recorded, simulated and integrated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.pricing.bias_table import CASES, RECORDED, bias_table, table

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "pricing-estimators.md"

pytestmark = pytest.mark.slow


def test_the_table_of_biases_is_reproduced() -> None:
    for row, (plain, filtered, selected) in zip(bias_table(), RECORDED, strict=True):
        error = 5 * row.sigma / np.sqrt(4_000)  # of a mean over kept blocks, with room
        assert row.unfiltered == pytest.approx(plain, abs=error)
        assert row.filtered == pytest.approx(filtered, abs=error)
        assert row.filtered == pytest.approx(row.expected, abs=4 * row.spread)
        assert row.kept == pytest.approx(selected, abs=0.025)
        assert row.expected_kept == pytest.approx(row.kept, abs=0.025)


def test_the_filter_is_biased_on_quiet_jobs_and_not_on_disturbed_ones() -> None:
    bias = [row.expected - perf for row, (_, perf) in zip(bias_table(), CASES, strict=True)]
    assert bias[2] < bias[1] < bias[0] < -0.012
    assert abs(bias[4]) < 1e-6


def test_the_page_shows_the_table() -> None:
    assert "\n".join(table()) in PAGE.read_text(encoding="utf-8")
