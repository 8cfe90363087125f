"""Watts among sockets: reference by both solvers, engine and exact search reach the same time."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from benchmarks.studies.distribution.distribution import distribute as by_engine
from planner.configurations.socket_caps import SocketCapsProblem, violations
from planner.decimals import decimal
from planner.errors import PlanError
from planner.formulations import sockets
from solvers import Status
from tests.planner.formulations.cases import CASES, solvers_of
from tests.sizes import few

KINDS = 6
PAIR = SocketCapsProblem(
    np.array([[50.0, 100.0]] * 2), np.array([[20.0, 10.0], [40.0, 20.0]]), 150.0
)
Curve = list[tuple[Fraction, Fraction]]


def random_problem(seed: int) -> SocketCapsProblem:
    """Kind 1: convex; 2: steps; 3: equal sockets; 4: one point; 5: less than the lowest caps."""
    rng, kind = np.random.default_rng([23, seed]), seed % KINDS
    ranks, points = int(rng.integers(1, 5)), 1 if kind == 4 else int(rng.integers(2, 5))
    caps = np.round(20 + np.cumsum(rng.uniform(1, 20, (ranks, points)), axis=1), 2)
    times = np.round(np.cumsum(rng.uniform(0.5, 30, (ranks, points)), axis=1)[:, ::-1], 3)
    if kind == 1:
        caps = np.tile(20.0 + 10 * np.arange(points), (ranks, 1))
        falls = np.sort(rng.uniform(0.1, 5, (ranks, points)), axis=1)
        times = 1 + np.cumsum(falls, axis=1)[:, ::-1]
    if kind == 2:
        times = np.sort(rng.integers(1, 4, (ranks, points)), axis=1)[:, ::-1].astype(float)
    if kind == 3:
        caps, times = np.tile(caps[0], (ranks, 1)), np.tile(times[0], (ranks, 1))
    low, high = float(caps[:, 0].sum()), float(caps[:, -1].sum())
    share = float(rng.choice([0.0, rng.uniform(0, 1), 1.2]))
    bound = low - 1 if kind == 5 else low + share * (high - low)
    return SocketCapsProblem(caps, times, bound)


def least_cap(curve: Curve, time: Fraction) -> Fraction:
    """The lowest cap at which a falling curve is at most ``time``, along its straight pieces."""
    if curve[0][1] <= time:
        return curve[0][0]
    for (p, start), (q, end) in pairwise(curve):
        if end <= time:
            return p + (start - time) / (start - end) * (q - p)
    raise ValueError


def searched(problem: SocketCapsProblem) -> float | None:
    """The least time of the slowest rank, exactly: watts needed are linear between known times."""
    curves: list[Curve] = [
        [(decimal(p), decimal(t)) for p, t in zip(caps, times, strict=True)]
        for caps, times in zip(problem.cap_w.tolist(), problem.time_s.tolist(), strict=True)
    ]
    bound = decimal(problem.power_bound_w)

    def needed(time: Fraction) -> Fraction:
        return sum((least_cap(curve, time) for curve in curves), Fraction())

    fastest = max(curve[-1][1] for curve in curves)
    slowest = max(curve[0][1] for curve in curves)
    times = sorted({t for curve in curves for _, t in curve if fastest <= t <= slowest})
    if needed(slowest) > bound:
        return None
    if needed(fastest) <= bound:
        return float(fastest)
    low, high = next((a, b) for a, b in pairwise(times) if needed(b) <= bound)
    first, second = low + (high - low) / 3, low + 2 * (high - low) / 3
    slope = (needed(second) - needed(first)) / (second - first)
    if slope == 0:
        return float(high)
    meets = first + (bound - needed(first)) / slope
    return float(min(max(meets, low), high))


def test_two_ranks_by_hand() -> None:
    # 20 - (a - 50)/5 and 40 - (b - 50) 2/5 under a + b = 150: a = 50, b = 100, both 20 s
    caps = sockets.distribute(PAIR)
    assert caps.cap_w == pytest.approx([50, 100])
    assert caps.slowest_s == pytest.approx(20.0)
    model, power = sockets.formulate(PAIR)
    assert [c.name for c in model.constraints()][-5:] == [
        "least_1_0", "most_1_0", "one_1", "rank_1", "bound",
    ]  # fmt: skip
    assert power[1][0].name == "power_1_0"


def test_a_curve_that_is_not_convex_is_solved_exactly() -> None:
    # nothing gained up to 90 W; 150 W cannot take both beyond: 20 s, where envelopes say 15 s
    steep = SocketCapsProblem(
        np.array([[50.0, 90.0, 100.0]] * 2), np.array([[20.0, 20.0, 10.0]] * 2), 150.0
    )
    for solver in ("cbc", "highs"):
        caps = sockets.distribute(steep, solver=solver)
        assert caps.certificate is not None
        assert caps.certificate.status is Status.OPTIMAL
        assert caps.certificate.bound == pytest.approx(20.0)


@pytest.mark.parametrize("seed", range(few(CASES)))
def test_reference_engine_and_exact_search_agree(seed: int) -> None:
    problem = random_problem(seed)
    expected = searched(problem)
    if expected is None:
        with pytest.raises(PlanError, match="less than the lowest caps"):
            by_engine(problem)
        for solver in solvers_of(seed):
            with pytest.raises(PlanError, match="no choice satisfies all constraints"):
                sockets.distribute(problem, solver=solver)
        return
    plans = [by_engine(problem)]
    plans += [sockets.distribute(problem, solver=solver) for solver in solvers_of(seed)]
    for plan in plans:
        assert violations(problem, plan) == []
        assert plan.slowest_s == pytest.approx(expected, rel=1e-9)
    for plan in plans[1:]:
        assert plan.certificate is not None
        assert plan.certificate.status is Status.OPTIMAL


def test_a_large_problem_is_refused_with_its_size() -> None:
    caps = np.tile(np.arange(50.0, 55.0), (6_000, 1))
    with pytest.raises(PlanError, match="sockets would have 240,000 nonzeros"):
        sockets.formulate(SocketCapsProblem(caps, 100 / caps, 1e6))
