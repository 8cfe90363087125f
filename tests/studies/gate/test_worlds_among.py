"""200 synthetic sites with pairs of calibration applications: the stored results and their page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.studies.gate.risk_among import certified_threshold_among
from benchmarks.studies.gate.worlds import ALPHAS, CALIBRATION, NEW, WORLDS
from benchmarks.studies.gate.worlds_among import stored, summary, table, world

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "gate.md"


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_average_rate_keeps_alpha(alpha: float) -> None:
    result = summary(stored(), alpha)
    assert result["worlds"] == WORLDS == 200
    assert 0 < result["rate"] <= alpha + 2 * result["error"]


def test_the_certificate_has_the_pairs_that_it_needs() -> None:
    """All 780 pairs of 40 applications certify no rate below 2/41."""
    pairs = CALIBRATION * (CALIBRATION - 1) // 2
    result = certified_threshold_among(np.zeros(pairs), np.zeros(pairs, bool), CALIBRATION, 0.04)
    assert (pairs, result.possible) == (780, False)
    assert result.least_alpha == 2 / 41 < min(ALPHAS)


def test_rows_are_counts_of_the_pairs_of_new_applications() -> None:
    pairs = NEW * CALIBRATION
    for row in stored():
        assert 0 <= row["bad"] <= row["co_runs"] <= pairs
        assert row["rate"] == pytest.approx(row["bad"] / pairs, abs=1e-6)


def test_the_page_shows_the_table() -> None:
    assert "\n".join(table()) in PAGE.read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_worlds_are_the_stored_ones(seed: int) -> None:
    expected = [row for row in stored() if row["seed"] == seed]
    for row, other in zip(world(seed), expected, strict=True):
        assert row == pytest.approx(other, abs=1e-3)
