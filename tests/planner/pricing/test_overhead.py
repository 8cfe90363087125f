"""Equations 9 and 10."""

from __future__ import annotations

import pytest

from planner.errors import InputError
from planner.pricing.overhead import Shutter, dilation, dilation_limit, gap_for, sleep_fraction


def test_overhead_of_the_paper_at_two_jobs_is_0_769_per_cent() -> None:
    # Z = 3,200 / (2 (9,600 + 200,000)) = 0.007634; Z / (1 - Z) = 0.007692
    assert sleep_fraction(Shutter()) == pytest.approx(0.0076336, abs=5e-8)
    assert dilation(Shutter()) == pytest.approx(0.00769231, abs=5e-9)


@pytest.mark.parametrize(
    ("shutter", "percent"),
    [
        (Shutter(25_600), 4.85),
        (Shutter(200), 0.05),
        (Shutter(204_800), 14.38),
        (Shutter(409_600), 16.73),
        (Shutter(jobs=3), 1.028),
        (Shutter(jobs=4), 1.158),
    ],
)
def test_overhead_at_other_settings_is_that_of_the_specification(
    shutter: Shutter, percent: float
) -> None:
    digits = 3 if percent in {1.028, 1.158} else 2
    assert round(100 * dilation(shutter), digits) == percent


@pytest.mark.parametrize(("jobs", "limit"), [(2, 0.2), (3, 2 / 7), (4, 1 / 3)])
def test_overhead_flattens_at_its_limit(jobs: int, limit: float) -> None:
    assert dilation_limit(jobs) == pytest.approx(limit)
    assert dilation(Shutter(1e12, jobs=jobs)) == pytest.approx(limit, rel=1e-6)


@pytest.mark.parametrize("jobs", [2, 3, 4])
@pytest.mark.parametrize("doubling", range(12))
def test_equation_10_equals_its_printed_form(jobs: int, doubling: int) -> None:
    s, p = 200.0 * 2**doubling, 200_000.0
    printed = jobs * (3 * s + p) / (2 * jobs * s + jobs * p + s)
    assert 1 + dilation(Shutter(s, p, jobs=jobs)) == pytest.approx(printed, rel=1e-13)


def test_the_literal_loop_takes_longer_rounds() -> None:
    assert (Shutter().round_us, Shutter(literal=True).round_us) == (209_600, 216_000)
    assert Shutter(jobs=3, literal=True).round_us == 200_000 + 7 * 3_200


def test_repeats_and_base_cost_lengthen_the_pause() -> None:
    # K S = 6,400 and a base cost of 130: Z = 6,530 / (2 (19,200 + 130 + 200,000))
    shutter = Shutter(repeats=2, base_us=130)
    assert sleep_fraction(shutter) == pytest.approx(6_530 / (2 * 219_330))


@pytest.mark.parametrize("budget", [0.001, 0.01, 0.05])
@pytest.mark.parametrize("shutter", [Shutter(), Shutter(800, jobs=4, repeats=3, base_us=200)])
def test_the_gap_for_a_budget_meets_it_exactly(budget: float, shutter: Shutter) -> None:
    gap_us = gap_for(budget, shutter)
    chosen = Shutter(shutter.measure_us, gap_us, shutter.repeats, shutter.jobs, shutter.base_us)
    assert dilation(chosen) <= budget * (1 + 1e-12)
    assert gap_us == 0 or dilation(chosen) == pytest.approx(budget)


def test_any_gap_keeps_to_a_budget_above_the_limit() -> None:
    assert gap_for(0.25, Shutter()) == 0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"measure_us": 0.0}, "measure_us is 0; give microseconds, above 0"),
        ({"gap_us": -1.0}, "gap_us is -1"),
        ({"base_us": float("nan")}, "base_us is nan"),
        ({"jobs": 1}, "jobs is 1; give at least 2"),
        ({"repeats": 0}, "repeats is 0; give at least 1"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, float], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Shutter(**settings)  # type: ignore[arg-type]


def test_a_budget_of_nothing_is_refused() -> None:
    with pytest.raises(InputError, match="overhead budget is 0"):
        gap_for(0.0, Shutter())
