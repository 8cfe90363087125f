"""Equations 4.1 to 4.7 against the thesis's tables and the recomputed specification values."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import scenarios
from planner.designs.overprovisioning import (
    DesignCase,
    compare,
    compare_all,
    design_cases,
    mix_speedup,
    node_counts,
    other_speed_ratio,
)
from planner.designs.study import DesignStudy
from planner.errors import OutsideMeasuredError, PlanError
from scenarios.model.run_times import LinearTime

APPLICATIONS = ("SPhot", "SP-MZ", "BT-MZ", "LU-MZ")


def cases() -> tuple[DesignCase, ...]:
    return design_cases(scenarios.load("thesis-7kw"))


def case(name: str = "SPhot") -> DesignCase:
    return next(candidate for candidate in cases() if candidate.application == name)


@pytest.mark.parametrize(
    ("name", "t_ovp", "t_wc", "s_ovp", "r_p"),
    [
        # t_ovp = m 30 + c;  t_wc = (m 18 + c) 0.73
        ("SPhot", 39.65, 38.70314, 0.97612, 0.25214),
        ("SP-MZ", 3.64, 3.63832, 0.99954, 0.26966),
        ("BT-MZ", 6.43, 5.29834, 0.82400, 0.11408),
        ("LU-MZ", 9.67, 11.80702, 1.22099, 0.40213),
    ],
)
def test_table_4_9_recomputed(
    thesis: DesignStudy, name: str, t_ovp: float, t_wc: float, s_ovp: float, r_p: float
) -> None:
    index = APPLICATIONS.index(name)
    result = thesis.overprovisioning[index]
    assert result.application == name
    assert (result.nodes_worst_case, result.node_limit, result.nodes_overprovisioned) == (
        18,
        38,
        30,
    )
    assert result.cost_worst_case == 30.6
    assert result.time_overprovisioned_s == pytest.approx(t_ovp, abs=1e-9)
    assert result.time_worst_case_s == pytest.approx(t_wc, abs=1e-9)
    assert result.speedup == pytest.approx(s_ovp, abs=1e-5)
    assert result.beneficial is (s_ovp > 1)
    assert thesis.break_even[index].performance_fraction == pytest.approx(r_p, abs=1e-5)


def test_plan_json_carries_the_keys_that_others_read(thesis: DesignStudy) -> None:
    first = thesis.to_dict()["overprovisioning"][0]
    assert first["application"] == "SPhot"
    assert first["nodes_worst_case"] == 18
    assert first["break_even_performance_fraction"] == pytest.approx(0.252, abs=5e-4)
    for key in (
        "node_limit", "cost_worst_case", "nodes_overprovisioned", "time_overprovisioned_s",
        "time_worst_case_s", "speedup", "beneficial",
    ):  # fmt: skip
        assert key in first


@pytest.mark.parametrize(
    ("parameter", "value", "expected"),
    [
        ("cost_ratio", 1.5, (0.900, 0.915, 0.798, 1.045)),
        ("cost_ratio", 1.75, (1.004, 1.031, 0.833, 1.293)),
        ("cost_ratio", 2.0, (1.174, 1.226, 0.881, 1.840)),
        ("cost_ratio", 2.25, (1.259, 1.326, 0.901, 2.214)),
        ("power_bound_w", 5000, (0.881, 0.892, 0.795, 0.984)),
        ("power_bound_w", 6000, (0.910, 0.925, 0.804, 1.050)),
        ("power_bound_w", 8000, (1.064, 1.102, 0.846, 1.526)),
        ("power_bound_w", 9000, (1.169, 1.227, 0.869, 2.051)),
        ("performance_fraction", 0.1, (1.203, 1.232, 1.016, 1.505)),
        ("performance_fraction", 0.2, (1.070, 1.095, 0.903, 1.338)),
        ("performance_fraction", 0.4, (0.802, 0.822, 0.677, 1.004)),
    ],
)
def test_the_sensitivity_table(
    thesis: DesignStudy, parameter: str, value: float, expected: tuple[float, ...]
) -> None:
    rows = [r for r in thesis.sensitivity if (r.parameter, r.value) == (parameter, value)]
    assert [r.application for r in rows] == [*APPLICATIONS, "whole mix"]
    assert [r.speedup for r in rows[:4]] == pytest.approx(expected, abs=5.1e-4)


def test_the_other_reading_turns_two_verdicts_and_the_decision(thesis: DesignStudy) -> None:
    # 1/(1 + 0.27) instead of 0.73 [F47]: 0.976 x 0.7874 / 0.73 = 1.053, and so on
    speedups = [c.speedup for c in thesis.other_reading if c]
    assert speedups == pytest.approx([1.0529, 1.0781, 0.8888, 1.3170], abs=5e-5)
    assert thesis.decision is not None
    assert thesis.decision.design == "worst-case"
    assert thesis.decision.turns_with_reading


def test_floors_are_exact_where_floating_point_is_not() -> None:
    # 10 x 2.3 is 23 exactly; 4.1 / 0.1 is 41 exactly; both are short of it in binary
    exact = replace(
        case(), power_bound_w=4.1, high_end_peak_w=0.41, older_idle_w=0.1, cost_ratio=2.3
    )
    counts = node_counts(exact)
    assert (counts.worst_case, counts.limit, counts.cost) == (10, 41, Fraction(23))
    assert counts.overprovisioned == 23


def test_an_exact_tie_is_a_tie() -> None:
    # 0.73 (16.86 - 0.27 x 18) = 16.86 - 0.27 x 30 = 8.76 s exactly
    line = LinearTime(
        kind="linear", node_type="a", slope_s_per_node=-0.27, intercept_s=16.86,
        measured_nodes=(8, 32),
    )  # fmt: skip
    comparison = compare(replace(case(), time=line))
    assert (comparison.speedup, comparison.beneficial) == (1.0, False)
    assert comparison.time_worst_case_s == comparison.time_overprovisioned_s == 8.76


def test_eq_4_1_is_floored_exactly() -> None:
    # 0.7 / 0.1 is 6.999... in binary
    exact = replace(case(), power_bound_w=0.7, high_end_peak_w=0.1, older_idle_w=0.1)
    assert node_counts(exact).worst_case == 7


def test_a_bound_below_one_node_says_which_and_what_to_do() -> None:
    with pytest.raises(
        PlanError, match=r"bound_w = 90 is below the peak power .* \(380 W\); raise"
    ):
        node_counts(replace(case(), power_bound_w=90.0))


def test_a_mistake_of_units_is_found_before_it_costs_memory() -> None:
    with pytest.raises(PlanError, match=r"3.88889e\+10 older nodes.*check the units"):
        node_counts(replace(case(), power_bound_w=7e12))


def test_refusing_names_the_count_and_the_range() -> None:
    wide = replace(case(), cost_ratio=2.0, outside="refuse")
    with pytest.raises(OutsideMeasuredError, match=r"36 nodes lie outside .* \[8, 32\]"):
        compare(wide)


def test_clamping_takes_the_nearest_measured_count() -> None:
    comparison = compare(replace(case(), cost_ratio=2.0, outside="clamp"))
    assert comparison.time_overprovisioned_s == pytest.approx(-1.114 * 32 + 73.07)
    assert comparison.overprovisioned_origin == "clamped"


def test_extrapolation_ends_where_the_line_reaches_zero(thesis: DesignStudy) -> None:
    # LU-MZ: 25.93 / 0.542 = 47.84 nodes, inside its declared range of 48 [F46]
    assert thesis.break_even[3].zero_time_nodes == pytest.approx(47.84, abs=5e-3)
    steep = replace(case("LU-MZ"), power_bound_w=12_000.0)
    with pytest.raises(OutsideMeasuredError, match="would be"):
        compare(steep)


def test_r_p_above_one_needs_the_other_reading() -> None:
    fast = replace(case(), performance_fraction=1.5, speed_ratio="1/(1 + r_p)")
    assert compare(fast).time_worst_case_s == pytest.approx(53.018 / 2.5)
    with pytest.raises(PlanError, match="leaves no run time"):
        compare(other_speed_ratio(fast))


def test_every_application_without_a_run_time_is_named() -> None:
    refused = tuple(replace(original, cost_ratio=2.0, outside="refuse") for original in cases())
    with pytest.raises(PlanError, match="SPhot: 36 nodes") as caught:
        compare_all(refused)
    assert len(str(caught.value).splitlines()) == 4


def test_the_mix_is_the_weighted_geometric_mean(thesis: DesignStudy) -> None:
    product = math.prod(c.speedup for c in thesis.overprovisioning)
    assert mix_speedup(thesis.overprovisioning) == pytest.approx(product**0.25)
    heavy = tuple(replace(c, weight=1e6 if c.application == "LU-MZ" else 1e-6)
                  for c in thesis.overprovisioning)  # fmt: skip
    assert mix_speedup(heavy) == pytest.approx(thesis.overprovisioning[3].speedup, rel=1e-9)


@given(
    bound=st.integers(1_000, 50_000),
    ratio=st.integers(100, 400),
    fraction=st.floats(0, 0.9),
    slope=st.floats(-1.0, 0.0),
)
def test_laws_of_the_closed_form(bound: int, ratio: int, fraction: float, slope: float) -> None:
    line = LinearTime(
        kind="linear", node_type="a", slope_s_per_node=slope, intercept_s=300.0,
        measured_nodes=(1, 290),
    )  # fmt: skip
    this = DesignCase("x", line, float(bound), 380.0, 180.0, fraction, ratio / 100, outside="clamp")
    comparison = compare(this)
    assert comparison.nodes_worst_case * 380 <= bound < (comparison.nodes_worst_case + 1) * 380
    assert comparison.nodes_overprovisioned * 180 <= bound
    assert comparison.nodes_overprovisioned * 100 <= comparison.nodes_worst_case * ratio
    assert comparison.nodes_overprovisioned >= comparison.nodes_worst_case
    # more money never hurts, and the literal reading never favours the high-end node
    assert (
        compare(replace(this, cost_ratio=ratio / 100 + 0.5)).speedup >= comparison.speedup - 1e-12
    )
    assert compare(other_speed_ratio(this)).speedup >= comparison.speedup - 1e-12
    assert comparison.time_reduction == pytest.approx(1 - 1 / comparison.speedup)
