"""Run times inside and outside the measured range."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planner.designs.run_time import Outside, pieces, run_time, zero_crossing
from planner.errors import OutsideMeasuredError
from scenarios.model.run_times import LinearTime, TableTime

TABLE = TableTime(kind="table", node_type="a", nodes=(8, 16, 32), time_s=(40.0, 24.0, 16.0))


def test_a_table_is_exact_at_its_points_and_straight_between() -> None:
    times = [run_time(TABLE, n, "refuse").time_s for n in (8, 12, 16, 24, 32)]
    assert times == [40.0, 32.0, 24.0, 20.0, 16.0]


def test_a_table_continues_its_last_segment() -> None:
    result = run_time(TABLE, 40, "extrapolate")  # 16 - 0.5 x 8
    assert (result.time_s, result.origin) == (12.0, "extrapolated")
    assert run_time(TABLE, 4, "extrapolate").time_s == 48.0  # 40 + 2 x 4
    assert zero_crossing(TABLE) == 64.0
    with pytest.raises(OutsideMeasuredError, match="would be 0 s"):
        run_time(TABLE, 64, "extrapolate")


def test_one_measurement_is_a_constant_that_never_reaches_zero() -> None:
    single = TableTime(kind="table", node_type="a", nodes=(8,), time_s=(40.0,))
    assert run_time(single, 99, "extrapolate").time_s == 40.0
    assert zero_crossing(single) is None


LINE = LinearTime(
    kind="linear", node_type="a", slope_s_per_node=-0.5, intercept_s=20.0, measured_nodes=(8, 32)
)


@given(
    model=st.sampled_from(
        [TABLE, LINE, TableTime(kind="table", node_type="a", nodes=(9,), time_s=(7.0,))]
    ),
    outside=st.sampled_from(["refuse", "clamp", "extrapolate"]),
    most=st.integers(1, 90),
)
def test_the_pieces_are_the_curve_at_every_count(
    model: LinearTime | TableTime, outside: Outside, most: int
) -> None:
    expected, result = {}, {}
    for nodes in range(1, most + 1):
        try:
            expected[nodes] = run_time(model, nodes, outside).time_s
        except OutsideMeasuredError:
            continue
    for piece in pieces(model, outside, most):
        for nodes in range(piece.first, piece.last + 1):
            assert nodes not in result
            result[nodes] = piece.slope * nodes + piece.intercept
    assert result.keys() == expected.keys()
    assert [result[n] for n in expected] == pytest.approx(list(expected.values()), rel=1e-12)


def test_pieces_begin_where_a_rising_line_is_positive() -> None:
    # 10 s on 18 nodes, 20 s on 30: 10 + 5/6 (n - 18) is 0 at 6 nodes, 5/6 s at 7
    model = TableTime(kind="table", node_type="old", nodes=(18, 30), time_s=(10.0, 20.0))
    (piece,) = pieces(model, "extrapolate", 40)
    assert (piece.first, piece.last) == (7, 40)
    assert run_time(model, 7, "extrapolate").exact_s == Fraction(5, 6)
    with pytest.raises(OutsideMeasuredError):
        run_time(model, 6, "extrapolate")
