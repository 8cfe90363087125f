"""A linear program whose numbers lie far apart is solved in units of its columns' ranges."""

from __future__ import annotations

import numpy as np
import pytest

from solvers import Milp, MilpBuilder, Status
from solvers.equilibrated import column_units, solve_equilibrated

FEW = 3.8e-4


def rating(*, share: float = 1.0) -> Milp:
    """The most of theta with ``share theta <= x``, ``theta <= 8e-6 y`` and ``x + y <= FEW``."""
    build = MilpBuilder("max")
    theta, x, y, given = build.add_columns(
        4, cost=np.array([1.0, 0, 0, 0]), lower=[0, 0, 0, FEW], upper=[np.inf, np.inf, np.inf, FEW]
    )
    build.add_rows(
        [0, 0, 1, 1, 2, 2, 2],
        [theta, x, theta, y, x, y, given],
        [share, -1.0, 1.0, -8e-6, 1.0, 1.0, -1.0],
        upper=np.zeros(3),
    )
    return build.model()


@pytest.mark.parametrize("share", [1.0, 1e-12, 1e6])
def test_point_and_duals_are_in_the_units_of_the_model(share: float) -> None:
    model = rating(share=share)
    result = solve_equilibrated(model)
    theta = FEW / (share + 1 / 8e-6)
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(theta, rel=1e-6)
    assert result.x is not None
    assert result.x[0] == pytest.approx(theta, rel=1e-6)
    assert result.duals is not None
    # one node more is worth theta / FEW: weak duality closes
    assert result.duals[2] * FEW == pytest.approx(theta, rel=1e-6)


def test_units_are_powers_of_two_near_the_largest_values() -> None:
    units = column_units(rating())
    assert np.frexp(units)[0].tolist() == [0.5] * 4
    assert units[1:].tolist() == [2.0**-12] * 3  # 2.4e-4 <= FEW < 4.9e-4
    assert units[0] == 2.0**-29  # theta <= 8e-6 FEW = 3.04e-9


def test_a_column_that_can_only_be_zero_makes_no_row_large() -> None:
    model = rating()
    closed = model.changed(column_upper=np.array([np.inf, 0.0, np.inf, FEW]))
    assert column_units(closed)[1] == column_units(closed).min()
