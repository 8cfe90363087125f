"""Section 4.4.2: racks and switches bought whole."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.designs.racks import RackPrices, rack_study
from planner.designs.study import DesignStudy


def test_the_example_of_section_4_4_2(thesis: DesignStudy) -> None:
    racks = thesis.racks
    assert racks is not None
    assert (racks.high_end_rack_cost, racks.high_end_cost_per_node) == (64_800, 4_050)
    assert (racks.older_rack_cost, racks.older_cost_per_node) == (39_200, 2_450)
    assert (racks.further_nodes, racks.further_cost_per_node) == (8, 3_200)
    assert racks.average_cost_per_node == 2_700  # printed 2,800; 64,800 / 24 [F41]
    assert racks.cost_ratio_one_rack == 1.5  # printed 1.45
    assert racks.cost_ratio_full_racks == pytest.approx(1.653, abs=5e-4)  # printed 1.7 [F42]
    assert racks.nodes_without_racks == 31


def test_the_exact_cost_ratio_grows_with_the_system(thesis: DesignStudy) -> None:
    assert thesis.racks is not None
    ratios = {
        row.racks: row.cost_ratio for row in thesis.racks.sizes if row.high_end_nodes % 16 == 0
    }
    expected = {1: 1.50, 2: 1.50, 4: 1.61, 10: 1.63, 50: 1.65, 100: 1.65}
    assert ratios == pytest.approx(expected, abs=5e-3)


def test_the_design_at_hand_has_its_row(thesis: DesignStudy) -> None:
    assert thesis.racks is not None
    (row,) = [row for row in thesis.racks.sizes if row.high_end_nodes == 18]
    assert (row.racks, row.money, row.older_nodes) == (2, 83_400, 32)


def test_dear_older_nodes_leave_the_example_out_but_not_the_plan() -> None:
    prices = RackPrices(1, Fraction(0), Fraction(100), Fraction(250))
    assert rack_study(prices, (None, None), 28) is None
    assert prices.affordable_older(prices.cost(28, prices.high_end)) == 11


@given(
    size=st.integers(1, 64),
    empty=st.integers(0, 50_000),
    high=st.integers(500, 50_000),
    older=st.integers(500, 50_000),
    nodes=st.integers(1, 500),
)
def test_no_further_older_node_could_be_bought(
    size: int, empty: int, high: int, older: int, nodes: int
) -> None:
    prices = RackPrices(size, Fraction(empty), Fraction(high), Fraction(older))
    money = prices.cost(nodes, prices.high_end)
    bought = prices.affordable_older(money)
    assert prices.cost(bought, prices.older) <= money
    assert prices.cost(bought + 1, prices.older) > money
