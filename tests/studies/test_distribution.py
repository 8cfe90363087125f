"""Watts for unequal sockets: by hand, against a fine grid, and the laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.studies.distribution.distribution import (
    distribute,
    in_proportion,
    uniform,
    water_filling,
)
from planner.configurations.socket_caps import SocketCapsProblem, violations
from planner.errors import InputError, PlanError
from solvers import Level, Status
from tests.sizes import few

# Two ranks between 50 and 100 W: one takes 20 -> 10 s, the other 40 -> 20 s.
PAIR = SocketCapsProblem(
    np.array([[50.0, 100.0]] * 2), np.array([[20.0, 10.0], [40.0, 20.0]]), 150.0
)


def test_two_ranks_by_hand() -> None:
    # both lines: 20 - (a - 50)/5 and 40 - (b - 50) 2/5; a = 50 at 20 s, then b = 100 gives 20 s
    found = distribute(PAIR)
    assert found.cap_w == pytest.approx([50, 100])
    assert found.slowest_s == pytest.approx(20.0)
    assert uniform(PAIR).time_s == pytest.approx([15.0, 30.0])  # 75 W each
    assert found.certificate is not None
    assert found.certificate.status is Status.OPTIMAL
    assert found.certificate.level is Level.PROVED


def test_power_in_proportion_to_load_may_do_worse_than_the_same_for_all() -> None:
    # rank 0 has twice the load but gains nothing from power; rank 1 gains all
    problem = SocketCapsProblem(
        np.array([[50.0, 100.0]] * 2), np.array([[21.0, 20.0], [30.0, 20.0]]), 150.0
    )
    assert in_proportion(problem, [2.0, 1.0]).slowest_s > uniform(problem).slowest_s
    assert uniform(problem).slowest_s > distribute(problem).slowest_s


def test_proportion_shares_what_one_socket_cannot_take() -> None:
    problem = SocketCapsProblem(np.tile([10.0, 60.0], (3, 1)), np.tile([9.0, 3.0], (3, 1)), 120.0)
    assert in_proportion(problem, [8.0, 1.0, 1.0]).cap_w == pytest.approx([60.0, 30.0, 30.0])


def test_a_curve_that_is_not_convex_leaves_an_honest_gap() -> None:
    # nothing gained up to 90 W, all of it in the last 10 W
    steep = np.array([[50.0, 90.0, 100.0]] * 2)
    problem = SocketCapsProblem(steep, np.array([[20.0, 20.0, 10.0]] * 2), 150.0)
    found = distribute(problem)
    assert found.slowest_s == 20.0  # 150 W cannot take both beyond 90 W
    assert found.certificate is not None
    assert found.certificate.status is Status.FEASIBLE
    assert found.certificate.bound == pytest.approx(15.0)  # of the straight line from end to end


def test_watts_that_save_nothing_raise_all_caps_alike() -> None:
    problem = SocketCapsProblem(PAIR.cap_w, PAIR.time_s, 1000.0)
    assert distribute(problem).slowest_s == 20.0
    assert distribute(problem).cap_w == pytest.approx([100.0, 100.0])
    assert uniform(problem).cap_w == pytest.approx([100.0, 100.0])


def test_where_more_power_was_slower_the_lower_cap_counts() -> None:
    problem = SocketCapsProblem(np.array([[50.0, 60.0, 70.0]]), np.array([[9.0, 6.0, 7.0]]), 70.0)
    assert problem.time_s.tolist() == [[9.0, 6.0, 6.0]]
    assert distribute(problem).slowest_s == 6.0


def test_left_watts_are_shared_as_far_as_the_curves_reach() -> None:
    # rank 1 is slowest at its best, 20 s at 100 W; 20 W more than the 150 W go to rank 0
    problem = SocketCapsProblem(PAIR.cap_w, PAIR.time_s, 170.0)
    assert distribute(problem).cap_w == pytest.approx([70.0, 100.0])
    assert distribute(problem).slowest_s == 20.0


def test_less_than_the_lowest_caps_is_no_plan() -> None:
    problem = SocketCapsProblem(PAIR.cap_w, PAIR.time_s, 99.0)
    for method in (distribute, uniform, water_filling):
        with pytest.raises(PlanError, match="less than the lowest caps of all 2 sockets"):
            method(problem)


@pytest.mark.parametrize(
    ("caps", "times", "bound", "message"),
    [
        ([[50.0, 50.0]], [[2.0, 1.0]], 60.0, "ascend"),
        ([[50.0, 60.0]], [[2.0, 0.0]], 60.0, "a run time is 0 s; give one above 0"),
        ([[50.0, 60.0]], [[2.0, 1.0, 1.0]], 60.0, "one row per rank"),
        ([[50.0, 60.0]], [[2.0, float("nan")]], 60.0, "a run time is nan s; give one above 0"),
        ([[50.0, 60.0]], [[2.0, 1.0]], float("nan"), "power bound"),
    ],
)
def test_broken_curves_are_refused(
    caps: list[list[float]], times: list[list[float]], bound: float, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        SocketCapsProblem(np.array(caps), np.array(times), bound)


steps = st.lists(st.floats(0.5, 20.0), min_size=2, max_size=4)


@st.composite
def problems(draw: st.DrawFn) -> SocketCapsProblem:
    ranks, points = draw(st.integers(1, 5)), draw(st.integers(1, 5))
    generator = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    caps = 20 + np.cumsum(generator.uniform(1, 20, (ranks, points)), axis=1)
    times = generator.uniform(1, 30, (ranks, points)).cumsum(axis=1)[:, ::-1]
    if draw(st.booleans()):  # convex: falling in ever smaller steps over equal caps
        caps = np.tile(20.0 + 10 * np.arange(points), (ranks, 1))
        falls = np.sort(generator.uniform(0.1, 5, (ranks, points)), axis=1)
        times = 1 + np.cumsum(falls, axis=1)[:, ::-1]
    low, high = caps[:, 0].sum(), caps[:, -1].sum()
    share = draw(st.floats(0.0, 1.2))
    return SocketCapsProblem(caps, times, float(low + share * (high - low)))


@settings(max_examples=few(40))
@given(problems())
def test_no_rule_beats_the_optimum_and_no_optimum_its_bound(problem: SocketCapsProblem) -> None:
    best = distribute(problem)
    rules = [uniform(problem), in_proportion(problem, problem.time_s[:, 0])]
    for found in (best, *rules):
        assert violations(problem, found) == []
        assert best.slowest_s <= found.slowest_s * (1 + 1e-9)
    assert best.certificate is not None
    assert best.certificate.bound is not None
    assert best.certificate.bound <= best.slowest_s * (1 + 1e-9)


@settings(max_examples=few(40))
@given(problems())
def test_no_grid_of_caps_beats_the_optimum(problem: SocketCapsProblem) -> None:
    if problem.ranks > 3:
        return
    best = water_filling(problem).slowest_s
    axes = [np.linspace(c[0], c[-1], 9) for c in problem.cap_w]
    for caps in itertools.product(*axes):
        if sum(caps) <= problem.power_bound_w:
            assert problem.times_at(caps).max() >= best * (1 - 1e-9)


@settings(max_examples=few(40))
@given(problems(), st.floats(1.0, 1.5))
def test_more_power_never_hurts(problem: SocketCapsProblem, factor: float) -> None:
    more = SocketCapsProblem(problem.cap_w, problem.time_s, problem.power_bound_w * factor)
    assert water_filling(more).slowest_s <= water_filling(problem).slowest_s * (1 + 1e-12)


def test_the_checker_sees_what_is_wrong() -> None:
    found = distribute(PAIR)
    tight = SocketCapsProblem(PAIR.cap_w, PAIR.time_s, 149.0)
    assert "add up to 150 W" in violations(tight, found)[0]
    slower = SocketCapsProblem(PAIR.cap_w, PAIR.time_s * 2, 150.0)
    assert "is not its time" in violations(slower, found)[0]
    narrow = SocketCapsProblem(np.array([[60.0, 90.0]] * 2), PAIR.time_s, 150.0)
    assert "is outside 60 to 90 W" in violations(narrow, found)[0]


def test_on_the_simulated_cluster_unequal_watts_help_where_load_is_unequal() -> None:
    from benchmarks.studies.distribution.study import study

    rows = study(["BT-MZ", "LU-MZ"], sockets=16, mean_caps_w=[55.0], imbalances=[0.0, 0.15],
                 seeds=range(3))  # fmt: skip
    gained = {(r.setting.application, r.setting.imbalance, r.method): r for r in rows}
    unequal = gained["BT-MZ", 0.15, "optimal"]
    assert unequal.least > 1.05  # CPU-bound: power buys time
    assert unequal.median > gained["BT-MZ", 0.15, "in proportion to load"].median
    assert unequal.median > gained["BT-MZ", 0.0, "optimal"].median
    assert gained["LU-MZ", 0.15, "optimal"].largest < 1.02  # memory-bound: it does not
    assert gained["BT-MZ", 0.0, "in proportion to load"].median == pytest.approx(1.0)
    assert unequal.to_dict()["application"] == "BT-MZ"
