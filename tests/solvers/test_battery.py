"""One battery for every back end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from solvers import SOLVERS, Level, Milp, MilpBuilder, Status, Stop, solve
from solvers.model.result import Result
from solvers.proofs.check import check_point
from tests.solvers.hard_models import market_split

pytestmark = pytest.mark.parametrize("solver", SOLVERS)


def knapsack(sense: str = "max", constant: float = 0.0) -> Milp:
    # worth 10, 13, 7 at weights 3, 4, 2 within 6: the second and third, worth 20
    sign = 1.0 if sense == "max" else -1.0
    build = MilpBuilder("max" if sense == "max" else "min", constant=constant)
    x = build.add_columns(3, cost=sign * np.array([10.0, 13.0, 7.0]), upper=1.0, integer=True)
    build.add_rows([0, 0, 0], x, [3.0, 4.0, 2.0], upper=6.0)
    return build.model()


def two_columns(
    cost: tuple[float, float],
    rows: Sequence[tuple[float, float, float, float]],
    *,
    lower: tuple[float, float] = (0.0, 0.0),
    upper: tuple[float, float] = (np.inf, np.inf),
    integer: bool = False,
) -> Milp:
    """Minimise over two columns; rows are ``(a, b, row_lower, row_upper)``."""
    build = MilpBuilder("min")
    x = build.add_columns(2, cost=cost, lower=lower, upper=upper, integer=integer)
    for a, b, low, high in rows:
        build.add_rows([0, 0], x, [a, b], lower=low, upper=high)
    return build.model()


def assert_optimal(result: Result, objective: float) -> None:
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(objective, rel=1e-9, abs=1e-12)
    assert result.certificate.bound == pytest.approx(objective, rel=1e-6, abs=1e-9)
    assert result.x is not None
    assert check_point(result.model, result.x).feasible


MODES = ("auto", "never")


@pytest.mark.parametrize("proof", MODES)
def test_maximum_is_found(solver: str, proof: str) -> None:
    result = solve(knapsack(), solver=solver, proof=proof)  # type: ignore[arg-type]
    assert_optimal(result, 20.0)
    assert result.x is not None
    assert result.x.tolist() == [0.0, 1.0, 1.0]
    assert result.certificate.level is (Level.PROVED if proof == "auto" else Level.VERIFIED)


@pytest.mark.parametrize("proof", MODES)
def test_minimum_is_the_negated_maximum(solver: str, proof: str) -> None:
    assert_optimal(solve(knapsack("min"), solver=solver, proof=proof), -20.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("sense", ["min", "max"])
def test_constant_is_part_of_objective_and_bound(solver: str, sense: str) -> None:
    result = solve(knapsack(sense, constant=100.5), solver=solver, proof="never")
    assert_optimal(result, 120.5 if sense == "max" else 80.5)


@pytest.mark.parametrize("proof", MODES)
@pytest.mark.parametrize("integer", [False, True])
def test_infeasible_model_is_called_infeasible_by_two(
    solver: str, integer: bool, proof: str
) -> None:
    # 2x + 2y = 3 has no whole solution; x + y >= 5 and <= 4 has none at all
    rows = [(2.0, 2.0, 3.0, 3.0)]
    if not integer:
        rows = [(1.0, 1.0, 5.0, np.inf), (1.0, 1.0, -np.inf, 4.0)]
    model = two_columns((1, 1), rows, upper=(9, 9), integer=integer)
    result = solve(model, solver=solver, proof=proof)  # type: ignore[arg-type]
    assert result.status is Status.INFEASIBLE
    assert result.certificate.level is (Level.PROVED if proof == "auto" else Level.VERIFIED)
    assert (result.x, result.objective, result.certificate.bound) == (None, None, None)


@pytest.mark.parametrize("proof", MODES)
@pytest.mark.parametrize("integer", [False, True])
def test_unbounded_model_is_called_unbounded(solver: str, integer: bool, proof: str) -> None:
    model = two_columns((-1.0, 0.0), [(1.0, -1.0, -np.inf, 2.0)], integer=integer)
    result = solve(model, solver=solver, proof=proof)  # type: ignore[arg-type]
    assert result.status is Status.UNBOUNDED
    assert result.certificate.level is (Level.PROVED if proof == "auto" else Level.VERIFIED)
    assert (result.x, result.certificate.bound) == (None, None)


def test_relaxation_unbounded_but_no_whole_point_is_infeasible(solver: str) -> None:
    # 2x - 2y = 1 has no whole solution, although its relaxation improves for ever
    model = two_columns((-1.0, 0.0), [(2.0, -2.0, 1.0, 1.0)], integer=True)
    result = solve(model, solver=solver)
    assert (result.status, result.certificate.level) == (Status.INFEASIBLE, Level.PROVED)
    assert result.x is None


def test_time_limit_with_incumbent_reads_feasible(solver: str) -> None:
    result = solve(market_split(), solver=solver, time_limit_s=0.7, proof="never")
    certificate = result.certificate
    assert result.status is Status.FEASIBLE
    assert certificate.stop is Stop.TIME
    assert certificate.gap_relative is not None
    assert certificate.gap_relative > 1e-6
    assert result.x is not None
    assert result.objective == pytest.approx(result.model.objective(result.x))


def test_time_limit_without_incumbent_reads_unknown(solver: str) -> None:
    result = solve(market_split(with_slack=False), solver=solver, time_limit_s=0.7, proof="never")
    assert (result.status, result.x) == (Status.UNKNOWN, None)
    assert result.certificate.stop is Stop.TIME


def test_node_limit_stops_and_repeats(solver: str) -> None:
    results = [
        solve(market_split(3, 30), solver=solver, node_limit=20, proof="never") for _ in range(2)
    ]
    assert results[0].certificate.stop is Stop.NODES
    assert results[0].status is Status.FEASIBLE
    assert results[0].certificate.to_dict() == results[1].certificate.to_dict()
    assert results[0].x is not None
    assert results[1].x is not None
    assert results[0].x.tobytes() == results[1].x.tobytes()


def test_node_limit_without_incumbent_reads_unknown(solver: str) -> None:
    model = market_split(with_slack=False)
    result = solve(model, solver=solver, node_limit=5, proof="never")
    assert (result.status, result.x) == (Status.UNKNOWN, None)
    assert result.certificate.stop is Stop.NODES


EASY: dict[str, tuple[Callable[[], Milp], float]] = {
    # equality: x + y = 3, cheapest all in x
    "equality": (lambda: two_columns((1, 2), [(1, 1, 3, 3)]), 3.0),
    # one tenth thrice is three tenths
    "decimal equality": (
        lambda: two_columns((1, 1), [(0.1, 0.0, 0.3, 0.3)], upper=(9, 9), integer=True),
        3.0,
    ),
    # free columns: (1.5, 1) = 1.25 (1, 1) + 0.25 (1, -1), so at least 1.25 * -4 + 0.25 * -2
    "free columns": (
        lambda: two_columns(
            (1.5, 1),
            [(1, 1, -4, np.inf), (1, -1, -2, np.inf)],
            lower=(-np.inf, -np.inf),
        ),
        -5.5,
    ),
    # range row: 2 <= x + y <= 5, maximise x + y
    "range row": (lambda: two_columns((-1, -1), [(1, 1, 2, 5)]), -5.0),
    "range row from below": (lambda: two_columns((1, 1), [(1, 1, 2, 5)]), 2.0),
    "negative bounds": (
        lambda: two_columns((1, -1), [], lower=(-7, -9), upper=(-2, -4), integer=True),
        -3.0,
    ),
    "no upper bound, negative lower": (
        lambda: two_columns((1, 1), [(1, 1, -3, np.inf)], lower=(-5, -5), integer=True),
        -3.0,
    ),
    # 1e-7 x >= 2e-7 and 1e-7 y >= 5e-7
    "tiny coefficients": (
        lambda: two_columns((1, 1), [(1e-7, 0, 2e-7, np.inf), (0, 1e-7, 5e-7, np.inf)]),
        7.0,
    ),
    # 1e9 x + y >= 3e9 with y at most 5
    "huge coefficients": (
        lambda: two_columns((1, 0), [(1e9, 1, 3e9, np.inf)], upper=(9, 5), integer=True),
        3.0,
    ),
    "mixed sizes": (
        lambda: two_columns((1e-6, 1e6), [(1, 1e4, 2e4, np.inf)], upper=(1e5, 9)),
        0.02,
    ),
    "fixed columns": (
        lambda: two_columns((2, 3), [(1, 1, 0, 9)], lower=(2, 1), upper=(2, 1)),
        7.0,
    ),
    "no rows": (lambda: two_columns((1, -1), [], upper=(4, 4)), -4.0),
    "no objective": (lambda: two_columns((0, 0), [(1, 1, 3, 3)], integer=True), 0.0),
}


@pytest.mark.parametrize("proof", MODES)
@pytest.mark.parametrize("name", EASY)
def test_small_shapes_are_solved(solver: str, name: str, proof: str) -> None:
    make, objective = EASY[name]
    result = solve(make(), solver=solver, proof=proof)  # type: ignore[arg-type]
    assert_optimal(result, objective)
    assert result.certificate.level is (Level.PROVED if proof == "auto" else Level.VERIFIED)


def test_model_without_columns_is_its_constant(solver: str) -> None:
    result = solve(MilpBuilder(constant=2.5).model(), solver=solver)
    assert (result.status, result.objective) == (Status.OPTIMAL, 2.5)
    assert result.certificate.level is Level.PROVED


def test_model_without_columns_and_an_impossible_row_is_infeasible(solver: str) -> None:
    build = MilpBuilder()
    build.add_rows([], [], [], lower=1.0)
    assert solve(build.model(), solver=solver).status is Status.INFEASIBLE


def test_row_without_entries_that_excludes_zero_is_infeasible(solver: str) -> None:
    build = MilpBuilder()
    build.add_columns(1, upper=1.0)
    build.add_rows([], [], [], lower=1.0)
    assert solve(build.model(), solver=solver).status is Status.INFEASIBLE


def test_crossed_bounds_are_infeasible_and_the_note_names_them(solver: str) -> None:
    result = solve(two_columns((1, 1), [], lower=(0, 5), upper=(1, 4)), solver=solver)
    assert result.status is Status.INFEASIBLE
    assert [dict(each.values) for each in result.certificate.notes] == [
        {"part": "column", "name": "x1", "why": "crossing"}
    ]


def test_start_solution_counts_as_incumbent(solver: str) -> None:
    model = market_split(with_slack=True)
    start = np.zeros(model.columns)
    start[40:45] = model.row_lower  # nothing chosen: the whole half is missing
    result = solve(model, solver=solver, node_limit=0, start=start, proof="never")
    assert result.x is not None
    assert result.objective is not None
    assert result.objective <= model.objective(start)


def test_start_that_breaks_the_model_is_not_believed(solver: str) -> None:
    assert_optimal(solve(knapsack(), solver=solver, start=[1.0, 1.0, 1.0], proof="never"), 20.0)


@pytest.mark.parametrize("seed", [0, 1, 7])
def test_every_seed_gives_the_optimum_and_repeats(solver: str, seed: int) -> None:
    model = market_split(2, 12)
    results = [solve(model, solver=solver, seed=seed, proof="never") for _ in range(2)]
    assert results[0].status is Status.OPTIMAL
    assert results[0].certificate.seed == seed
    assert results[0].certificate.to_dict() == results[1].certificate.to_dict()
    assert results[0].x is not None
    assert results[1].x is not None
    assert results[0].x.tobytes() == results[1].x.tobytes()
    assert results[0].objective == pytest.approx(solve(model, solver="both").objective)
