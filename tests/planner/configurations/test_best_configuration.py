"""The answer for one application: by hand, on the thesis's raw data, against enumeration."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.configurations.best_configuration import Question, configure
from planner.configurations.bounds import at_bounds, round_bounds
from planner.configurations.curve import curve
from planner.configurations.degree import degree, line_fit, mix_curve, node_curve
from planner.configurations.prediction.families import MODELS
from planner.configurations.provisioning import NodeMaximum, canonical, worst_case
from planner.configurations.selection import Bound, allowed, best, near_optimal
from planner.configurations.study import study
from planner.configurations.table import ConfigurationTable, table_of
from planner.errors import InputError, PlanError
from scenarios.measurements.runs import Measurements, Runs
from tests.planner.configurations.rzmerl import rzmerl
from tests.shared_data import needs_data

Rows = list[tuple[int, int, float, float, float]]


def table(rows: Rows, application: str = "toy") -> ConfigurationTable:
    n, c, p, t, w = zip(*rows, strict=True)
    return ConfigurationTable(
        application, np.array(n), np.array(c), np.array(p), np.array(t), np.array(w)
    )


# nodes x cores, cap: time, power. 2 and 4 nodes, 4 and 8 cores, 50 and 100 W.
TOY: Rows = [
    (2, 4, 50.0, 40.0, 150.0),
    (2, 4, 100.0, 38.0, 160.0),
    (2, 8, 50.0, 30.0, 190.0),
    (2, 8, 100.0, 20.0, 300.0),
    (4, 4, 50.0, 22.0, 300.0),
    (4, 4, 100.0, 21.0, 320.0),
    (4, 8, 50.0, 16.0, 380.0),
    (4, 8, 100.0, 11.0, 600.0),
]


def runs(rows: Rows, repetitions: int = 1) -> Runs:
    grown = [row for row in rows for _ in range(repetitions)]
    n, c, p, t, w = zip(*grown, strict=True)
    number = [1 + index % repetitions for index in range(len(grown))]
    return Runs(
        "toy",
        np.array(n),
        np.array(c),
        np.array(p),
        np.array(number),
        np.array(t),
        np.array(w),
    )


def test_the_best_is_the_fastest_within_the_bound() -> None:
    result = {bound: str(best(table(TOY), Bound(bound))) for bound in (150, 299, 300, 380, 600)}
    assert result == {
        150: "(2 x 4, 50 W)",
        299: "(2 x 8, 50 W)",
        300: "(2 x 8, 100 W)",
        380: "(4 x 8, 50 W)",
        600: "(4 x 8, 100 W)",
    }


def test_a_guard_band_is_left_free() -> None:
    assert str(best(table(TOY), Bound(600, 0.01))) == "(4 x 8, 50 W)"


def test_of_equally_fast_ones_the_least_power_wins() -> None:
    twins = [(4, 8, 50.0, 10.0, 300.0), (2, 8, 100.0, 10.0, 299.0)]
    assert best(table(twins), Bound(400)).nodes == 2


def test_a_bound_below_everything_names_the_cheapest_and_the_remedy() -> None:
    with pytest.raises(PlanError, match=r"150 W, of \(2 x 4, 50 W\). Raise the bound to 150 W"):
        best(table(TOY), Bound(149.9))
    with pytest.raises(PlanError, match=r"Raise the bound to 154\.7 W"):
        best(table(TOY), Bound(152, 0.03))


@pytest.mark.parametrize("bound", [0.0, -1.0, float("nan"), float("inf")])
def test_a_bound_must_be_above_zero(bound: float) -> None:
    with pytest.raises(InputError, match="power bound"):
        Bound(bound)


@pytest.mark.parametrize("guard", [-0.01, 1.0, float("nan")])
def test_a_guard_is_a_share(guard: float) -> None:
    with pytest.raises(InputError, match="the guard is"):
        Bound(100.0, guard)


def test_canonical_configurations_grow_until_the_bound() -> None:
    result = {rule.name: str(rule.configuration) for rule in canonical(table(TOY), Bound(320))}
    assert result == {
        "packed-max": "(2 x 8, 100 W)",
        "packed-min": "(2 x 8, 50 W)",
        "spread-max": "(4 x 4, 100 W)",
        "spread-min": "(4 x 4, 50 W)",
    }


def test_a_canonical_configuration_stops_at_the_first_that_does_not_fit() -> None:
    rows: Rows = [(2, 8, 100.0, 9.0, 90.0), (4, 8, 100.0, 5.0, 120.0), (6, 8, 100.0, 4.0, 95.0)]
    assert canonical(table(rows), Bound(100))[0].configuration == table(rows).row(0)


def test_a_canonical_configuration_that_does_not_fit_says_why() -> None:
    packed = canonical(table(TOY), Bound(200))[0]
    assert packed.configuration is None
    assert packed.reason == "over-bound"
    rows: Rows = [(2, 8, 50.0, 9.0, 90.0), (2, 4, 100.0, 9.0, 90.0)]
    assert canonical(table(rows), Bound(200))[0].reason == "not-measured"


def test_the_worst_case_counts_nodes_by_rating() -> None:
    node = NodeMaximum(sockets=2, tdp_w=100.0, dram_max_w=10.0)  # 220 W
    provisioned = worst_case(table(TOY), Bound(660), node)
    assert provisioned.nodes_by_rating == 3  # 660 / 220, and 2 is the largest measured count below
    assert str(provisioned.configuration) == "(2 x 8, 100 W)"


def test_a_worst_case_takes_the_largest_count_measured_at_full_power() -> None:
    rows: Rows = [(8, 16, 115.0, 9.0, 900.0), (12, 16, 51.0, 8.0, 700.0)]
    provisioned = worst_case(table(rows), Bound(3480), NodeMaximum())
    assert (provisioned.nodes_by_rating, str(provisioned.configuration)) == (12, "(8 x 16, 115 W)")


def test_a_worst_case_leaves_the_guard_band_free_too() -> None:
    rows: Rows = [(n, 16, 115.0, 100.0 / n, 290.0 * n) for n in (6, 7, 8)]
    guarded = worst_case(table(rows), Bound(2320, 0.05), NodeMaximum())  # 2,204 W: 7 x 290 fit
    assert guarded.nodes_by_rating == 7


def test_sums_of_watts_meet_their_bound() -> None:
    assert Bound(1000, 0.07).usable_w == 930.0
    rows: Rows = [(8, 16, 115.0, 9.0, 0.1)]
    both = replace(runs(rows), dram_power_w=np.array([0.2]))
    assert table_of(both).power_w.tolist() == [0.3]
    assert best(table_of(both), Bound(0.3)).nodes == 8


def test_of_equally_fast_repetitions_the_one_of_least_power_speaks() -> None:
    rows: Rows = [(8, 16, 115.0, 10.0, 1005.0), (8, 16, 115.0, 10.0, 905.0)]
    assert best(table_of(runs(rows), "best"), Bound(950)).power_w == 905.0


def test_a_line_tells_its_points_and_its_largest_error() -> None:
    rows: Rows = [(n, 16, 115.0, t, 90.0) for n, t in ((2, 10.0), (4, 4.0), (6, 4.0))]
    line = line_fit(node_curve(table(rows), Bound(100)), 0)
    assert line is not None  # slope -1.5, intercept 12: 9, 6, 3 s
    assert (line.points, line.slope_s_per_node, line.intercept_s) == pytest.approx((3, -1.5, 12))
    assert line.largest_error == pytest.approx(0.5)


def test_node_counts_are_floored_in_decimals() -> None:
    node = NodeMaximum(sockets=1, tdp_w=0.1, dram_max_w=0.0)
    assert worst_case(table(TOY), Bound(0.3), node).nodes_by_rating == 3


def test_a_worst_case_below_all_measured_counts_has_none() -> None:
    provisioned = worst_case(table(TOY), Bound(400), NodeMaximum())
    assert (provisioned.nodes_by_rating, provisioned.configuration) == (1, None)
    assert provisioned.reason == "over-rating"
    rows: Rows = [(2, 8, 50.0, 9.0, 90.0), (2, 4, 100.0, 9.0, 90.0)]
    assert worst_case(table(rows), Bound(400), NodeMaximum()).reason == "not-measured"


def test_near_optimal_configurations_are_within_the_tolerance_fastest_first() -> None:
    near = near_optimal(table(TOY), Bound(320), 0.1)
    assert [str(near_one.configuration) for near_one in near] == [
        "(2 x 8, 100 W)",
        "(4 x 4, 100 W)",
        "(4 x 4, 50 W)",
    ]
    assert [near_one.slowdown for near_one in near] == pytest.approx([0.0, 0.05, 0.1])
    assert [near_one.unused_w for near_one in near] == [20.0, 0.0, 20.0]


def test_every_repetition_can_speak_for_its_configuration() -> None:
    three = Runs(
        "toy",
        nodes=np.full(3, 2),
        cores_per_node=np.full(3, 4),
        package_cap_w=np.full(3, 50.0),
        repetition=np.array([1, 2, 3]),
        time_s=np.array([5.0, 9.0, 4.0]),
        package_power_w=np.array([101.0, 90.0, 102.0]),
    )
    result = {
        repetition: table_of(three, repetition).row(0) for repetition in ("best", "median", "worst")
    }
    assert [(result[e].time_s, result[e].power_w) for e in result] == [
        (4.0, 102.0),
        (5.0, 101.0),
        (9.0, 102.0),
    ]
    answer = configure(three, Question(Bound(101.5), NodeMaximum(), repetition="median"))
    assert answer.risk is not None
    assert (answer.risk.runs_over_bound, answer.risk.worst_s) == (1, 9.0)


def test_the_degree_reads_three_node_counts_off_the_curve() -> None:
    # 2 -> 4 nodes: 20 -> 11 s; 8: 10.9 s, 0.2 % per node, below 1 %
    rows: Rows = [(2, 8, 50.0, 20.0, 9.0), (4, 8, 50.0, 11.0, 9.0), (8, 8, 50.0, 10.9, 9.0)]
    degrees = degree(node_curve(table(rows), Bound(10)), 2, fixed_cost_nodes=0.0)
    assert (degrees.fastest_nodes, degrees.marginal_nodes, degrees.money_nodes) == (8, 4, 2)
    # time x money: (6 + 2) 20 = 160, (6 + 4) 11 = 110, (6 + 8) 10.9 = 152.6
    assert degree(node_curve(table(rows), Bound(10)), 2, fixed_cost_nodes=6).money_nodes == 4
    assert degrees.degree(degrees.fastest_nodes) == 4.0


def test_a_flat_step_does_not_end_the_search_for_the_knee() -> None:
    rows: Rows = [(2, 8, 50.0, 20.0, 9.0), (4, 8, 50.0, 20.0, 9.0), (6, 8, 50.0, 10.0, 9.0)]
    assert degree(node_curve(table(rows), Bound(10)), 2).marginal_nodes == 6


def test_the_mix_is_a_weighted_geometric_mean() -> None:
    one = node_curve(table([(2, 8, 50.0, 8.0, 9.0), (4, 8, 50.0, 2.0, 9.0)], "one"), Bound(10))
    two = node_curve(table([(2, 8, 50.0, 5.0, 9.0), (4, 8, 50.0, 9.0, 9.0)], "two"), Bound(10))
    mix = mix_curve([one, two], {"one": 3.0, "two": 1.0})
    assert mix.time_s == pytest.approx([1.0, 0.25**0.75])  # two stays on 2 nodes


def test_weights_of_a_mix_are_not_negative() -> None:
    one = node_curve(table(TOY), Bound(600))
    for weights in ({"toy": -1.0}, {"toy": 0.0}, {"toy": float("nan")}):
        with pytest.raises(InputError, match="weight"):
            mix_curve([one], weights)


@needs_data
def test_bt_mz_at_3500_w_is_the_thesis_s_row() -> None:
    answer = configure(rzmerl("BT-MZ"), Question(Bound(3500), NodeMaximum(), repetition="best"))
    packed, rated = answer.canonical[0].configuration, answer.worst_case
    assert packed is not None
    assert rated.configuration is not None
    best_one = answer.best
    assert str(best_one) == "(30 x 14, 51 W)"
    assert (round(best_one.time_s, 2), round(best_one.power_w)) == (6.05, 3418)
    assert str(packed) == "(16 x 16, 115 W)"
    assert (round(packed.time_s, 2), round(packed.power_w)) == (7.26, 3232)
    assert rated.nodes_by_rating == rated.configuration.nodes == 12
    assert (round(rated.configuration.time_s, 2), round(rated.configuration.power_w)) == (9.9, 2398)


@needs_data
def test_the_line_of_the_cost_model_depends_on_the_bound() -> None:
    whole = table_of(rzmerl("BT-MZ"), "best")
    lines = {bound: line_fit(node_curve(whole, Bound(bound)), 14) for bound in (2500, 3500, 6500)}
    result = {b: (line.slope_s_per_node, line.intercept_s) for b, line in lines.items() if line}
    assert result[3500] == pytest.approx((-0.0693, 8.479), abs=5e-4)
    assert result[2500][0] == pytest.approx(0.375, abs=5e-4)
    assert result[6500][0] == pytest.approx(-0.236, abs=5e-4)


@needs_data
@pytest.mark.parametrize("application", ["BT-MZ", "NSC", "NSM", "SM", "SC"])
def test_every_bound_agrees_with_enumeration_on_real_tables(application: str) -> None:
    whole = table_of(rzmerl(application))
    staircase = curve(whole)
    for bound in np.linspace(whole.power_w.min(), whole.power_w.max(), 97):
        inside = [(t, w) for t, w in zip(whole.time_s, whole.power_w, strict=True) if w <= bound]
        chosen = best(whole, Bound(float(bound)))
        assert (chosen.time_s, chosen.power_w) == min(inside)
        winner = staircase.at(float(bound))
        assert winner is not None
        assert winner.time_s == chosen.time_s


counts = st.sampled_from([1, 2, 4, 8])
caps = st.sampled_from([50.0, 80.0, 115.0])
positive = st.floats(1.0, 100.0).map(lambda value: round(value, 6))
tables = st.dictionaries(
    st.tuples(counts, counts, caps), st.tuples(positive, positive), min_size=1, max_size=20
).map(lambda found: table([(*key, *value) for key, value in found.items()]))


@given(tables, st.floats(1.0, 120.0), st.floats(1.0, 2.0))
def test_a_looser_bound_never_hurts(whole: ConfigurationTable, bound: float, factor: float) -> None:
    if bound < whole.power_w.min():
        with pytest.raises(PlanError):
            best(whole, Bound(bound))
        return
    assert best(whole, Bound(bound * factor)).time_s <= best(whole, Bound(bound)).time_s


@given(tables, st.floats(1.0, 120.0))
def test_nothing_within_the_bound_beats_the_best(whole: ConfigurationTable, bound: float) -> None:
    inside = whole.power_w <= bound
    if not inside.any():
        return
    chosen = best(whole, Bound(bound))
    assert chosen.power_w <= bound
    assert chosen.time_s == whole.time_s[inside].min()
    others = [rule.configuration for rule in canonical(whole, Bound(bound))]
    rated = worst_case(whole, Bound(bound), NodeMaximum(1, float(whole.power_w.max()), 0.0))
    for other in (*others, rated.configuration):
        if other is not None and other.power_w <= bound:
            assert other.time_s >= chosen.time_s
    reached = node_curve(whole, Bound(bound))
    assert reached.at_most_s[-1] == chosen.time_s
    assert set(allowed(whole, Bound(bound))) == set(np.flatnonzero(inside))


@given(tables, st.randoms())
def test_the_order_of_the_rows_does_not_matter(whole: ConfigurationTable, random: object) -> None:
    order = np.random.default_rng(len(whole)).permutation(len(whole))
    shuffled = whole.take(order)
    assert curve(shuffled).to_dicts() == curve(whole).to_dicts()


@given(tables)
def test_the_curve_is_a_falling_staircase_of_the_best(whole: ConfigurationTable) -> None:
    staircase = curve(whole)
    times = [entry.time_s for entry in staircase.winners]
    assert (np.diff(staircase.from_w) > 0).all()
    assert all(later < earlier for earlier, later in itertools.pairwise(times))
    for bound, winner in zip(staircase.from_w, staircase.winners, strict=True):
        assert best(whole, Bound(float(bound))).time_s == winner.time_s
    assert staircase.at(float(whole.power_w.min()) * 0.999) is None


def test_a_winner_is_faster_and_not_only_as_fast() -> None:
    rows: Rows = [(2, 8, 50.0, 9.0, 100.0), (4, 8, 50.0, 9.0, 200.0), (6, 8, 50.0, 8.0, 300.0)]
    staircase = curve(table(rows), guard=0.2)
    assert [winner.nodes for winner in staircase.winners] == [2, 6]
    assert staircase.from_w.tolist() == [125.0, 375.0]  # 100 and 300 W with a fifth left free


def test_round_bounds_are_at_most_twelve_and_reach_beyond_the_table() -> None:
    for optimum, largest in ((689.0, 6290.0), (0.02, 0.9), (99.0, 101.0), (1.0, 1e6), (5.0, 5.0)):
        rows: Rows = [(2, 8, 50.0, 9.0, optimum), (4, 8, 50.0, 8.0, largest)]
        bounds = round_bounds(table(rows))
        assert 1 <= len(bounds) <= 12
        assert bounds[0] >= optimum
        assert bounds[-1] >= largest


def test_what_is_doubtful_is_warned_of() -> None:
    lines: Rows = [(8, 16, 80.0, t, w) for t, w in ((10.0, 1000.0), (12.5, 1100.0))]
    two = Measurements("t", "", {"toy": replace(runs(lines), repetition=np.array([1, 2]))})
    node = NodeMaximum(2, 50.0, 0.0)  # 100 W a node by rating; 125 W were measured

    def warned(bound: float, cap: float) -> str:
        rated = replace(node, tdp_w=cap)
        result = study(two, Question(Bound(bound), rated, repetition="best")).warnings
        return " ".join(result)

    assert "node rating is too low" not in warned(1050.0, 50.0)
    over = "Runs of toy (8 x 16, 80 W) above 1,050 W: 1 of 2, up to 1,100 W."
    assert over in warned(1050.0, 50.0)
    assert "took 10.0 s to 12.5 s." in warned(2000.0, 50.0)
    assert "cap of toy is 80 W, below the TDP of 115 W" in warned(2000.0, 115.0)
    assert "below the TDP" not in warned(2000.0, 80.0)
    cheap: Rows = [(8, 16, 80.0, 10.0, 1000.0), (2, 4, 51.0, 50.0, 90.0)]
    low = study(Measurements("t", "", {"toy": runs(cheap)}), Question(Bound(800.0), node))
    assert "toy (8 x 16, 80 W), provisioned by rating, draws 1,000 W, more than" in low.warnings[0]


def test_the_same_question_at_many_bounds_gives_gains_over_both_baselines() -> None:
    node = NodeMaximum(2, 100.0, 10.0)
    answers = at_bounds(table(TOY), (100.0, 320.0, 660.0), node)
    assert [answer.bound_w for answer in answers] == [320.0, 660.0]
    gains = [answer.gain for answer in answers]
    assert [gain and gain.speedup for gain in gains] == [1.0, 1.0]
    over = answers[1].gain_over_worst_case
    assert over is not None
    assert over.speedup == pytest.approx(20 / 11)
    assert over.time_reduction == pytest.approx(9 / 20)


def test_an_application_without_an_answer_leaves_one_to_the_others() -> None:
    """The 48 values of nodes, cores and caps of one span a grid that is too large."""
    wide = runs([(k, k, 50.0 + k, 100.0 / k, 60.0 * k) for k in range(1, 49)])
    grid = [(n, c, p, 100 / n / c**0.5, 60.0 * n + c) for n in (1, 2, 4) for c in (2, 4) for p in
            (50.0, 65.0, 80.0)]  # fmt: skip
    both = Measurements("runs.csv", "", {"wide": replace(wide, application="wide"),
                                         "toy": runs(grid)})  # fmt: skip
    found = study(both, Question(Bound(2000.0), NodeMaximum()), model=MODELS["log-polynomial"])
    assert [answer.application for answer in found.answers] == ["toy"]
    ((name, stated),) = found.refused
    assert (name, stated.kind) == ("wide", "not-answered")
    assert "the grid has 110,592 configurations" in str(stated.values["why"])
