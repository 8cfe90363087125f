"""Break-even points: enumerated steps and the closed form in r_p."""

from __future__ import annotations

from dataclasses import replace

import pytest

import scenarios
from planner.designs.break_even import (
    MIX,
    break_even,
    cost_ratio_steps,
    power_steps,
    sensitivity_row,
)
from planner.designs.decision import around
from planner.designs.overprovisioning import DesignCase, compare, design_cases, other_speed_ratio
from planner.designs.study import DesignStudy
from scenarios.model.run_times import TableTime


def cases() -> tuple[DesignCase, ...]:
    return design_cases(scenarios.load("thesis-7kw"))


def test_break_even_node_counts_and_cost_ratios(thesis: DesignStudy) -> None:
    # SPhot: (73.07 - 38.703) / 1.114 = 30.85, so 31 nodes, 31/18 = 1.722
    assert [even.nodes for even in thesis.break_even] == [31, 31, 47, 27]
    ratios = [even.cost_ratio for even in thesis.break_even]
    assert ratios[0] == pytest.approx(31 / 18)
    assert ratios[1] == pytest.approx(31 / 18)
    assert ratios[2] is None  # 47 nodes, but 7 kW keep only 38 alive
    assert ratios[3] == pytest.approx(1.5)


def test_linear_times_reach_zero_where_the_specification_says(thesis: DesignStudy) -> None:
    zeros = [even.zero_time_nodes for even in thesis.break_even]
    assert zeros == pytest.approx([65.6, 62.5, 123.2, 47.84], abs=0.05)


@pytest.mark.parametrize("place", range(4))
def test_at_the_break_even_r_p_both_designs_are_equally_fast(place: int) -> None:
    given = cases()[place]
    for case in (given, other_speed_ratio(given)):
        even = break_even((case,), case.application)
        there = compare(replace(case, performance_fraction=even.performance_fraction))
        assert there.speedup == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("place", range(4))
def test_steps_agree_with_the_comparison_just_right_of_each_edge(place: int) -> None:
    case = cases()[place]
    for step in cost_ratio_steps((case,), 2.4):
        assert compare(replace(case, cost_ratio=step.start + 1e-9)).speedup == step.speedup
    for step in power_steps((case,), 4000, 9000):
        comparison = compare(replace(case, power_bound_w=step.start + 1e-6))
        assert comparison.speedup == step.speedup
        inside = compare(replace(case, power_bound_w=step.end - 1e-6))
        assert inside.speedup == step.speedup


def test_above_the_last_paying_power_no_run_time_is_known(thesis: DesignStudy) -> None:
    # LU-MZ at 11,020 W: 29 x 1.7 = 49 older nodes, beyond the zero of its line
    last = thesis.break_even[3].power_bound_pays_w[-1]
    assert last.end == pytest.approx(11_020)


def test_saturation_sets_in_where_the_node_limit_binds() -> None:
    # n_lim = 38: from r_c = 38/18 = 2.11 on, more money buys nothing
    steps = cost_ratio_steps(cases()[:1], 3.0)
    assert {s.nodes_overprovisioned for s in steps if s.start >= 38 / 18 - 1e-9} == {38}


def test_an_unknown_run_time_is_a_row_with_a_reason() -> None:
    row = sensitivity_row((replace(cases()[3], outside="refuse"),), "LU-MZ", "cost_ratio", 2.0)
    assert row.speedup is None
    assert row.beneficial is None
    assert "36 nodes lie outside" in row.reason


def test_the_mix_breaks_even_close_to_where_it_is(thesis: DesignStudy) -> None:
    mix = thesis.mix_break_even
    assert mix is not None
    # 31 older nodes; 19 high-end nodes need 19 x 380 W = 7,220 W
    assert mix.cost_ratio == pytest.approx(31 / 18)
    assert mix.power_bound_pays_w[0].start == pytest.approx(7220)
    # (1 - r_p) R = 1 with R = 0.99537 / 0.73
    assert mix.performance_fraction == pytest.approx(1 - 0.73 / 0.9953740, abs=1e-6)
    turns = [
        (t.parameter, t.side, t.threshold, t.limit) for t in thesis.turning if t.application == MIX
    ]
    assert turns == [
        ("performance_fraction", "below", 0.2666, None),
        ("cost_ratio", "from", 1.723, None),
        ("power_bound_w", "from", 7220, 11_020),  # from there on no run time of LU-MZ is known
    ]


def test_thresholds_are_rounded_to_the_side_on_which_they_hold(thesis: DesignStudy) -> None:
    changes = {(t.application, t.parameter, t.side, t.threshold) for t in thesis.turning}
    assert ("LU-MZ", "cost_ratio", "below", 1.5) in changes
    assert ("LU-MZ", "power_bound_w", "below", 5700) in changes
    assert ("BT-MZ", "power_bound_w", "from", 13_300) in changes
    assert ("SPhot", "cost_ratio", "from", 1.723) in changes  # 31/18 is 1.7222...
    by_name = {case.application: case for case in cases()}
    for name, parameter, side, threshold in changes - {c for c in changes if c[0] == MIX}:
        now = compare(by_name[name]).beneficial
        value = threshold * (1 - 1e-9 if side == "below" else 1 + 1e-9)
        row = sensitivity_row((by_name[name],), name, parameter, value)
        assert row.beneficial is not now, (name, parameter, side)


def test_a_curve_that_turns_twice_is_told_on_both_sides() -> None:
    # fastest at 26 nodes: more money pays first and then no longer
    table = TableTime(
        kind="table", node_type="a", nodes=(8, 18, 26, 34, 40), time_s=(60, 50, 30, 38, 60)
    )
    case = replace(cases()[0], time=table, outside="clamp", cost_ratio=1.7)
    even = break_even((case,), "x")
    below, above = around(even.cost_ratio_loses, 1.7)
    assert below is not None
    assert above is not None
    assert (below.start, above.end) == (1.0, None)
    assert around(even.cost_ratio_pays, 2.0) == (even.cost_ratio_pays[0], None)
    assert even.cost_ratio_pays[0].start == below.end
    assert even.cost_ratio_pays[0].end == above.start
    assert compare(replace(case, cost_ratio=above.start + 1e-9)).speedup <= 1
    assert compare(replace(case, cost_ratio=above.start - 1e-9)).speedup > 1
    assert compare(replace(case, cost_ratio=even.cost_ratio_pays[0].start + 1e-9)).speedup > 1


def test_older_nodes_idle_power_moves_the_power_curve_too() -> None:
    # r_c = 3: n_lim binds, so s_ovp steps at multiples of 180 W
    steps = power_steps((replace(cases()[0], cost_ratio=3.0),), 7000, 7400)
    assert [round(step.start) for step in steps] == [7000, 7020, 7200, 7220, 7380]
    assert [step.nodes_overprovisioned for step in steps] == [38, 39, 40, 40, 41]


def test_drawn_curves_of_large_machines_span_the_whole_range() -> None:
    wide = replace(cases()[0], power_bound_w=3e6, outside="clamp")
    steps = power_steps((wide,), 2e6, 4e6, limit=50)
    assert len(steps) == 50
    assert steps[0].start == 2e6
    assert steps[-1].start > 3.9e6
