"""Prices, fairness, and tariffs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from planner.errors import InfeasibleError, InputError
from planner.pricing.fairness import fairness, jain_index
from planner.pricing.month import draw_favourites, draw_month, next_month
from planner.pricing.neutrality import neutral_tariff, problem_of, violations
from planner.pricing.prices import (
    Usage,
    by_run_time,
    undisturbed_s,
)
from planner.pricing.samples import Floats
from planner.pricing.tariff import Tariff, hats
from tests.sizes import few


def test_prices_by_hand() -> None:
    # 16 cores for 100 s at 0.01 SU
    usage = Usage(0.01, np.array([16.0]), np.array([100.0]))
    assert by_run_time(usage) == pytest.approx([16.0])


def test_what_measuring_cost_and_saved_is_not_charged() -> None:
    # 100 s of work together at 0.8: 90 s together, 8 s alone (worth 10 s), 5 s paused.
    one = np.array([1.0])
    result = undisturbed_s(103 * one, 5 * one, 8 * one, 0.8 * one)
    assert result == pytest.approx([100.0])


@pytest.mark.parametrize("rate", [0.0, -0.01, float("nan")])
def test_a_rate_that_is_not_above_0_is_refused(rate: float) -> None:
    with pytest.raises(InputError, match=r"the rate is .*; give a number above 0"):
        Usage(rate, np.ones(1), np.ones(1))


def test_a_run_time_of_0_is_refused_with_its_job() -> None:
    with pytest.raises(InputError, match="co_s of job 2 is 0"):
        Usage(1.0, np.ones(2), np.array([1.0, 0.0]))


def test_fair_prices_leave_no_envy_and_others_are_measured_by_hand() -> None:
    alone, fair = np.array([100.0, 100.0]), np.array([80.0, 100.0])
    just = fairness(fair, alone, fair)
    assert (just.jain, just.largest_envy, just.price_error) == pytest.approx((1.0, 0.0, 0.0))
    assert just.mean_discount == pytest.approx(0.1)
    assert just.phantom_discount == pytest.approx(0.0)
    # by run time: 125 and 100, relative prices 1.5625 and 1
    usual = fairness(np.array([125.0, 100.0]), alone, fair)
    assert usual.jain == pytest.approx(2.5625**2 / (2 * (1.5625**2 + 1)))
    assert (usual.largest_envy, usual.mean_envy) == pytest.approx((0.5625, 0.28125))
    assert (usual.envious, usual.mean_discount) == pytest.approx((0.5, -0.125))
    assert usual.revenue_ratio == pytest.approx(1.125)


def test_a_phantom_discount_is_that_of_undisturbed_jobs_only() -> None:
    alone, fair = np.array([100.0, 100.0]), np.array([80.0, 100.0])
    assert fairness(np.array([70.0, 97.0]), alone, fair).phantom_discount == pytest.approx(0.03)
    assert np.isnan(fairness(np.array([70.0]), alone[:1], fair[:1]).phantom_discount)


def test_prices_of_nobody_are_refused() -> None:
    with pytest.raises(InputError, match="at least one job"):
        fairness(np.empty(0), np.empty(0), np.empty(0))
    with pytest.raises(InputError, match="0 or less"):
        fairness(np.ones(1), np.zeros(1), np.ones(1))


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=20))
def test_jains_index_lies_between_one_share_and_1(shares: list[float]) -> None:
    values = np.array(shares)
    assert 1 / len(values) - 1e-12 <= jain_index(values) <= 1 + 1e-12
    assert jain_index(7 * values) == pytest.approx(jain_index(values))


@given(st.lists(st.floats(-1.0, 3.0), min_size=1, max_size=10))
def test_weights_of_knots_interpolate(perf: list[float]) -> None:
    knots, factor = np.array([0.4, 0.7, 0.9, 1.0]), np.array([0.5, 0.6, 1.0, 1.1])
    weights = hats(np.array(perf), knots)
    assert weights.sum(axis=1) == pytest.approx(np.ones(len(perf)))
    assert weights @ factor == pytest.approx(np.interp(perf, knots, factor))


def test_knots_that_do_not_ascend_are_refused() -> None:
    with pytest.raises(InputError, match="do not ascend"):
        hats(np.array([0.5]), np.array([0.5, 0.5]))


def mix(jobs: int = 400, seed: int = 0) -> tuple[Usage, Floats, NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    cores = 16 * rng.integers(1, 9, jobs).astype(np.float64)
    usage = Usage(0.01, cores, rng.lognormal(7, 1, jobs))
    return usage, np.clip(1 - rng.gamma(1.2, 0.1, jobs), 0.45, 1.0), rng.integers(0, 12, jobs)


def test_without_floors_a_neutral_tariff_is_fair_prices_times_one_factor() -> None:
    usage, perf, user = mix()
    problem = problem_of(usage, perf, user)
    result = neutral_tariff(problem)
    assert violations(problem, result) == []
    assert result.distance == pytest.approx(0.0, abs=1e-6)
    assert result.tariff.factor == pytest.approx(result.level * problem.knots, rel=1e-5)
    paid = result.tariff.prices(usage, perf).sum()
    assert paid == pytest.approx((by_run_time(usage) * perf).sum(), rel=1e-6)


def test_floors_hold_and_cost_distance_and_solvers_agree() -> None:
    usage, perf, user = mix()
    problem = problem_of(usage, perf, user, least=0.97, most=1.02)
    result = {solver: neutral_tariff(problem, solver=solver) for solver in ("cbc", "highs")}
    for each in result.values():
        assert violations(problem, each) == []
    assert result["cbc"].distance > 0.001
    objective = [each.certificate.objective for each in result.values()]
    assert objective[0] == pytest.approx(objective[1], rel=1e-6)
    share = result["cbc"].bills_su / problem.alone_su.sum(axis=1)
    assert 0.97 - 1e-6 <= share.min() <= share.max() <= 1.02 + 1e-6


def test_a_revenue_that_users_may_not_pay_is_infeasible() -> None:
    usage, perf, user = mix()
    with pytest.raises(InfeasibleError, match="change the revenue"):
        neutral_tariff(problem_of(usage, perf, user, revenue_su=1e9, most=1.1))
    with pytest.raises(InputError, match="users pay from"):
        problem_of(usage, perf, user, least=1.2, most=1.1)
    with pytest.raises(InputError, match="revenue to reach"):
        problem_of(usage, perf, user, revenue_su=0.0)


def test_violations_are_found() -> None:
    usage, perf, user = mix()
    problem = problem_of(usage, perf, user, least=0.9, most=1.1)
    result = neutral_tariff(problem)
    steep = Tariff(problem.knots, result.tariff.factor[::-1].copy())
    wrong = violations(problem, type(result)(steep, 1.0, 0.0, result.bills_su, result.certificate))
    assert any("revenue is" in each for each in wrong)
    assert any("slowed down more pays more" in each for each in wrong)


def test_a_tariff_of_one_month_brings_the_revenue_of_the_next() -> None:
    rng = np.random.default_rng(0)
    hidden = np.clip(1 - rng.gamma(1.2, 0.1, (12, 13)), 0.5, 1.0)
    estimated = hidden * (1 + rng.normal(0, 0.015, (5, 12, 13)))
    taste = draw_favourites(rng, 12)
    off, plain = [], []
    for _ in range(few(20, 5)):
        months = [draw_month(rng, hidden, estimated, favourites=taste) for _ in range(2)]
        result = next_month(*months)
        off.append(result.next_ratio - 1)
        plain.append(result.unadjusted_ratio)
    assert np.sqrt(np.mean(np.square(off))) < 0.01
    assert max(plain) < 0.95
