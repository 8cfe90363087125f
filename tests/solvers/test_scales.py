"""The unit of an objective or of a row changes no answer: tolerances are relative to both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike

from solvers import Level, Milp, MilpBuilder, Session, Status, brute_force, certify, solve
from solvers.backends.protocol import Claim
from solvers.backends.scaling import scaled
from solvers.model.milp import Floats
from solvers.model.result import Result, Stop, relative_gap
from solvers.proofs.check import check_point
from tests.sizes import few
from tests.solvers.random_models import SHAPES, random_model
from tests.solvers.test_battery import two_columns

INF = np.inf
BACK_ENDS = ("highs", "cbc")
SAMPLE = few(15)


def decimals(values: Floats, factor: float) -> Floats:
    """Multiply so that each value stays the decimal that it was, in other units."""
    return np.array([float(f"{v * factor:.15g}") if np.isfinite(v) else v for v in values])


def with_costs_of(model: Milp, factor: float) -> Milp:
    return replace(model, cost=decimals(model.cost, factor))


def with_rows_of(model: Milp, factor: float) -> Milp:
    return replace(
        model,
        coefficients=decimals(model.coefficients, factor),
        row_lower=decimals(model.row_lower, factor),
        row_upper=decimals(model.row_upper, factor),
    )


def models() -> list[Milp]:
    return [random_model(shape, seed) for shape in SHAPES for seed in range(SAMPLE)]


@pytest.mark.parametrize(
    ("objective", "bound", "share"),
    [(1e-10, 18e-10, 17.0), (0.0, 0.0, 0.0), (0.0, -1e-12, 1.0), (200.0, 199.0, 0.005)],
)
def test_gap_is_a_share_of_the_objective_however_small(
    objective: float, bound: float, share: float
) -> None:
    assert relative_gap(objective, bound) == pytest.approx(share)


@pytest.mark.parametrize("factor", [1e-5, 1e-10, 1e-20])
def test_small_costs_are_proved_to_the_optimum_of_enumeration(factor: float) -> None:
    for model in models():
        small = with_costs_of(model, factor)
        best, result = brute_force(model).objective, solve(small)
        assert result.certificate.level is Level.PROVED
        if best is None:
            assert result.status is Status.INFEASIBLE
            continue
        assert result.status is Status.OPTIMAL
        assert result.objective == pytest.approx(float(best) * factor, rel=1e-9, abs=0.0)


@pytest.mark.parametrize("solver", BACK_ENDS)
@pytest.mark.parametrize("factor", [1e-5, 1e-10])
def test_small_costs_without_proof_give_the_answer_of_ordinary_ones(
    factor: float, solver: str
) -> None:
    for model in models():
        ordinary = solve(model, solver=solver, proof="never")
        result = solve(with_costs_of(model, factor), solver=solver, proof="never")
        assert result.status is ordinary.status
        if ordinary.objective is not None:
            assert result.objective == pytest.approx(
                ordinary.objective * factor, rel=1e-6, abs=1e-12 * factor
            )


@pytest.mark.parametrize("solver", BACK_ENDS)
@pytest.mark.parametrize("factor", [1e-6, 1e-8, 1e-11])
def test_small_rows_are_kept_without_proof(factor: float, solver: str) -> None:
    for model in models():
        small = with_rows_of(model, factor)
        best, result = brute_force(model).objective, solve(small, solver=solver, proof="never")
        if best is None:
            assert result.status is not Status.OPTIMAL
            continue
        assert result.status is Status.OPTIMAL
        assert result.x is not None
        assert check_point(model, result.x).feasible  # in the units that it was made in
        if solver == "cbc":  # HiGHS 1.15 misses one of these at ordinary size, too
            assert result.objective == pytest.approx(float(best), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("factor", [1e-6, 1e-9])
def test_enumeration_finds_vertices_of_small_rows(factor: float) -> None:
    for seed in range(few(60)):
        model = random_model("mixed", seed)
        assert brute_force(with_rows_of(model, factor)) == brute_force(model)


def one_dear_column(proof: str, cost: float = 1.0) -> Result:
    """18 units of a cheap column or 1 of another do; a dear one, never needed, sets the scale."""
    build = MilpBuilder("min")
    x = build.add_columns(3, cost=[cost, 18e-10, 1e-10], upper=20, integer=True)
    build.add_rows([0, 0, 0], x, [1.0, 1.0, 1.0], lower=[1.0])
    return solve(build.model(), proof=proof)  # type: ignore[arg-type]


@pytest.mark.parametrize("proof", ["auto", "never"])
def test_small_optimum_next_to_a_dear_column_is_found(proof: str) -> None:
    result = one_dear_column(proof)
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(1e-10, rel=1e-6)


def test_bound_is_not_believed_where_the_costs_span_more_than_a_solver_can_tell() -> None:
    result = one_dear_column("never", cost=1e12)
    assert result.status is Status.OPTIMAL or result.certificate.bound is None
    if result.status is Status.OPTIMAL:
        assert result.objective == pytest.approx(1e-10, rel=1e-6)
    assert one_dear_column("auto", cost=1e12).objective == pytest.approx(1e-10, rel=1e-9)


@pytest.mark.parametrize("proof", ["auto", "never"])
def test_small_side_is_no_rounding(proof: str) -> None:
    # x >= 1e-10 is not met by 0, though a solver's tolerance is a thousand times as much
    model = two_columns((1, 0), [(1, 0, 1e-10, INF)], upper=(1, 1))
    result = solve(model, proof=proof)  # type: ignore[arg-type]
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(1e-10, rel=1e-6)


def rows(coefficients: ArrayLike, lower: float) -> Milp:
    build = MilpBuilder("min")
    x = build.add_columns(2, upper=9)
    build.add_rows([0, 0], x, coefficients, lower=[lower])
    return build.model()


@pytest.mark.parametrize(
    ("model", "x", "holds"),
    [
        (rows([1e-7, 0.0], 2e-7), [0.0, 0.0], False),  # 2 units of x are missing
        (rows([1e-7, 0.0], 2e-7), [2.0 - 1e-7, 0.0], True),
        (rows([1.0, 1.0], 1e-9), [0.0, 0.0], False),  # all of the side is missing
        (rows([1.0, 1.0], 1e-9), [1e-9 - 1e-13, 0.0], True),
        (rows([1.0, -1.0], 0.0), [0.0, 5e-7], True),
        (rows([1e6, 1.0], 3e6), [3.0 - 1e-9, 0.0], True),
        (rows([1.0, 1.0], 1e-17), [0.0, 0.0], True),  # the side itself is rounding
    ],
)
def test_violation_is_measured_in_the_size_of_the_row(
    model: Milp, x: list[float], holds: bool
) -> None:
    assert check_point(model, np.array(x)).feasible is holds


def test_model_of_ordinary_size_is_handed_over_as_it_is() -> None:
    for model in models():
        assert scaled(model).model is model


def test_side_that_only_guards_against_rounding_makes_no_row_small() -> None:
    # enlarged, the coefficients passed 1e8, and HiGHS ended with an error on some processors
    model = rows([-2600.0, 1.0], 1e-12)
    assert scaled(model).model is model
    assert scaled(rows([-2600.0, 1.0], 1e-5)).model is not model


def test_duals_and_bound_come_back_in_the_units_of_the_caller() -> None:
    # min 1e-9 x with 1e-9 x >= 3e-9: one unit of the side, 1e9 of x, costs 1
    model = two_columns((1e-9, 0), [(1e-9, 0, 3e-9, INF)], upper=(9, 9))
    result = solve(model, proof="never")
    assert result.certificate.bound == pytest.approx(3e-9, rel=1e-9)
    assert result.duals is not None
    assert result.duals.tolist() == pytest.approx([1.0])


def test_session_keeps_small_costs_apart() -> None:
    model = two_columns((18e-10, 1e-10), [(1, 1, 1, INF)], upper=(1, 1))
    with Session(model) as session:
        first = session.solve()
        assert first.status is Status.OPTIMAL
        assert first.objective == pytest.approx(1e-10, rel=1e-6)
        session.change_costs([0, 1], [2e-10, 3e-10])
        assert session.solve().objective == pytest.approx(2e-10, rel=1e-6)


def test_claimed_point_that_breaks_a_small_row_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    model = two_columns((1, 0), [(1e-7, 0, 2e-7, INF)], upper=(9, 9))

    def lie(name: str, *_asked: Any, **_how: Any) -> Claim:
        return Claim(Status.OPTIMAL, Stop.FINISHED, name, np.zeros(2), 0.0)

    monkeypatch.setattr(certify, "ask_backend", lie)
    result = solve(model, proof="never")
    assert result.status is Status.UNKNOWN
    assert any(note.kind == "point-dropped" for note in result.certificate.notes)
