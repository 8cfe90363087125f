"""Both laws: against a literal solution, and as laws of nature that every pair must keep."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import brentq

from scenarios.simulated.shared_node.applications import NULL, TWELVE, find_shared_application
from scenarios.simulated.shared_node.demand import (
    Floats,
    InterferenceLaw,
    PhaseDemand,
    Rates,
    demand_of,
)
from scenarios.simulated.shared_node.law import CacheAndBandwidth
from scenarios.simulated.shared_node.second_law import SensitivityAndPressure
from tests.sizes import few

LAWS: tuple[InterferenceLaw, ...] = (CacheAndBandwidth(), SensitivityAndPressure())
BOTH = pytest.mark.parametrize("law", LAWS, ids=["cache and bandwidth", "sensitivity"])


def sampled(rng: np.random.Generator, jobs: int) -> PhaseDemand:
    """Phases from wide ranges."""
    return PhaseDemand(
        rng.uniform(0.02, 0.7, jobs),
        rng.uniform(0.01, 0.9, jobs),
        np.exp(rng.uniform(np.log(0.05), np.log(3), jobs)),
        rng.uniform(0, 0.2, jobs),
        rng.choice([0.5, 1.0, 2.0], jobs),
    )


def some(demand: PhaseDemand, jobs: slice | list[int]) -> PhaseDemand:
    return PhaseDemand(*(column[jobs] for column in demand))


def literal(
    demand: PhaseDemand, bandwidth_scale: float, miss_scale: float
) -> tuple[Floats, Floats]:
    """Stretch and cache share, from the formulas of the docstring and a root finder."""
    jobs = range(len(demand.stall))
    b = [bandwidth_scale * share for share in demand.bandwidth]
    w, s, t = demand.width, demand.stall, demand.transfer
    most = [w[i] * demand.llc[i] for i in jobs]
    whole = [w[i] * min(demand.llc[i], 1) for i in jobs]

    def misses(i: int, a: float) -> float:
        return float(1 + miss_scale * (math.sqrt(whole[i] / a) - 1))

    def share(i: int, theta: float) -> float:
        def excess(a: float) -> float:
            return float(a - theta * b[i] * w[i] * misses(i, a))

        if excess(most[i]) <= 0:
            return float(most[i])
        return float(brentq(excess, 1e-14, most[i], xtol=1e-15))

    held = most
    if sum(most) > 1:
        theta = brentq(lambda x: sum(share(i, x) for i in jobs) - 1, 1e-9, 1e6, xtol=1e-13)
        held = [share(i, theta) for i in jobs]
    m = [misses(i, held[i]) for i in jobs]

    def delay(load: float) -> float:
        return 1 + load**2 / (1 - load)

    def stretch(i: int, load: float) -> float:
        return float(1 - s[i] + s[i] * m[i] * delay(load) / delay(b[i]))

    def carried(load: float) -> float:
        rates = [1 / ((1 - t[i]) * stretch(i, load) + t[i]) for i in jobs]
        return float(sum(b[i] * w[i] * m[i] * rates[i] for i in jobs))

    load = brentq(lambda x: carried(x) - x, 0, 1 - 1e-13, xtol=1e-15)
    return np.array([stretch(i, load) for i in jobs]), np.array(held)


@pytest.mark.parametrize("seed", range(few(40)))
def test_the_law_is_the_solution_of_its_two_equations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    demand = sampled(rng, int(rng.integers(1, 5)))
    law = CacheAndBandwidth(rng.uniform(0.3, 1), rng.choice([0.0, 0.4, 1.0, 1.5]))
    rates = law.rates(demand)
    stretch, resident = literal(demand, law.bandwidth_scale, law.miss_scale)
    np.testing.assert_allclose(rates.stretch, stretch, rtol=1e-7)
    np.testing.assert_allclose(rates.resident, resident, rtol=1e-7)


def test_two_equal_streams_by_hand() -> None:
    """Two phases that only wait for memory, each with b = 0.5, in a cache that holds both.

    No misses change, so x = lambda(D) / lambda(0.5) with lambda(0.5) = 1.5, and D = 1 / x. Hence
    1.5 / D = 1 + D^2 / (1 - D), or D^2 - D + 1 = 1.5 / D - 1.5, whose root is 0.6592.
    """
    ones = np.ones(2)
    stalled = PhaseDemand(0.999999 * ones, 0.5 * ones, 0.4 * ones, 0 * ones, ones)
    rates = CacheAndBandwidth(1.0, 0.5).rates(stalled)
    load = 1 / rates.stretch[0]
    assert load**2 - load + 1 == pytest.approx(1.5 / load - 1.5, rel=1e-5)
    assert rates.stretch == pytest.approx(1 / 0.6592, rel=1e-4)
    assert rates.resident.tolist() == [0.4, 0.4]


def test_cache_is_shared_by_fetched_lines_by_hand() -> None:
    """Footprints of the whole cache, traffic 4:1, and C = 1: a is in proportion to b sqrt(1/a).

    So a^1.5 is in proportion to b, and the shares are as 4^(2/3) to 1.
    """
    ones = np.ones(2)
    demand = PhaseDemand(0.1 * ones, np.array([0.4, 0.1]), ones, 0 * ones, ones)
    held = CacheAndBandwidth(1.0, 1.0).rates(demand).resident
    assert held[0] / held[1] == pytest.approx(4 ** (2 / 3), rel=1e-9)
    assert held.sum() == pytest.approx(1)


@BOTH
def test_alone_at_the_reference_width_everything_is_as_stated(law: InterferenceLaw) -> None:
    for code in (*TWELVE, NULL):
        for phase in code.phases:
            rates = law.rates(demand_of([(code, phase)]))
            assert rates.stretch == pytest.approx([1], abs=1e-9)
            assert rates.resident == pytest.approx([min(phase.llc_share, 1)], abs=1e-9)


@BOTH
@pytest.mark.parametrize("seed", range(few(200)))
def test_one_more_job_never_makes_another_faster(law: InterferenceLaw, seed: int) -> None:
    rng = np.random.default_rng(seed)
    demand = sampled(rng, int(rng.integers(2, 5)))
    fewer = law.rates(some(demand, slice(0, -1))).stretch
    assert (law.rates(demand).stretch[:-1] >= fewer - 1e-9).all()


@pytest.mark.parametrize("seed", range(few(100)))
def test_no_socket_carries_more_than_its_bandwidth_or_holds_more_than_its_cache(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rates = LAWS[0].rates(sampled(rng, int(rng.integers(1, 5))))
    assert rates.traffic.sum() <= 1
    assert rates.resident.sum() <= 1 + 1e-9 or len(rates.resident) == 1


@BOTH
def test_the_order_of_jobs_does_not_matter(law: InterferenceLaw) -> None:
    demand = sampled(np.random.default_rng(5), 4)
    order = [2, 0, 3, 1]
    for one, other in zip(law.rates(demand), law.rates(some(demand, order)), strict=True):
        np.testing.assert_allclose(one[order], other, rtol=1e-9)


@BOTH
def test_the_busy_loop_disturbs_nobody(law: InterferenceLaw) -> None:
    milc = find_shared_application("MILC")
    rates: Rates = law.rates(demand_of([(milc, milc.phases[0]), (NULL, NULL.phases[0])]))
    assert rates.stretch == pytest.approx([1, 1], abs=1e-9)


@pytest.mark.parametrize("scales", [(0, 0.4), (1.1, 0.4), (float("nan"), 0.4), (0.7, -1)])
def test_a_scale_out_of_range_is_named(scales: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match=r"_scale = .*; give"):
        CacheAndBandwidth(*scales)
