"""What a user gains by gaming the measurement, by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.studies.pricing.strategic import (
    polling_gain,
    short_phase_gain,
    splitting_gain,
    stalling_gain,
    table,
)
from planner.errors import InputError
from planner.pricing.estimators.registry import ESTIMATORS

PAGE = Path(__file__).parents[3] / "docs" / "evidence" / "pricing-estimators.md"

pytestmark = pytest.mark.slow


def test_polling_costs_the_user_and_stalling_saves_what_it_wastes() -> None:
    # r = 0.9, a tenth of the cycles, IPC 1.5: seen (0.81 + 0.15) / (0.9 + 0.15) = 0.9143
    result = polling_gain(0.9, 0.1, 1.5, corrected=False)
    assert result.price == pytest.approx((0.96 / 1.05) ** 2 / 0.81 / 0.9)
    assert polling_gain(0.9, 0.1, 1.5, corrected=True).price == pytest.approx(1 / 0.9)
    for corrected in (False, True):
        stalled = stalling_gain(0.9, 0.1, 0.0, corrected=corrected)
        assert (stalled.price, stalled.run_time) == pytest.approx((0.9, 1 / 0.9))


def test_phases_as_short_as_a_window_trick_algorithm_4_and_not_ours() -> None:
    gain = {
        name: short_phase_gain(ESTIMATORS[name], 0.9, 1.0, count=1_500).price
        for name in ("algorithm-4", "unfiltered", "spin")
    }
    assert gain["algorithm-4"] < 0.7
    assert gain["unfiltered"] == pytest.approx(1.0, abs=0.03)
    assert gain["spin"] == pytest.approx(1.0, abs=0.05)


def test_splitting_is_punished_by_squaring_and_not_by_the_unbiased_price() -> None:
    poppa = [each.price for each in splitting_gain(0.9, 0.06, 100, (1, 10, 100), unbiased=False)]
    # one block each: (0.81 + 0.0036) / (0.81 + 0.000036)
    assert poppa == pytest.approx([1.0, (0.81 + 3.6e-4) / 0.810036, 0.8136 / 0.810036])
    ours = [each.price for each in splitting_gain(0.9, 0.06, 100, (1, 10, 50), unbiased=True)]
    assert ours == pytest.approx([1.0, 1.0, 1.0])
    missed = splitting_gain(0.9, 0.06, 100, (200,), unbiased=True)[0].price
    assert missed == pytest.approx((0.5 + 0.5 * 0.8136) / 0.81)


def test_a_speed_above_that_alone_is_refused() -> None:
    with pytest.raises(InputError, match="normalised performance"):
        polling_gain(1.2, 0.1, 1.0, corrected=True)


def test_the_page_shows_the_table() -> None:
    assert "\n".join(table()) in PAGE.read_text(encoding="utf-8")
