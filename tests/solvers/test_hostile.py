"""Inputs that the layer was not made for, and a relaxation that lies to the proof."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_matrix

from solvers import SOLVERS, Level, Milp, MilpBuilder, Status, brute_force, solve
from solvers.backends.highs import Relaxation, RelaxationAnswer
from solvers.model.milp import Flags, Floats
from solvers.proofs import branching as proof
from solvers.proofs import lazy_bound, vertex
from solvers.proofs.check import check_point
from tests.sizes import few
from tests.solvers.random_models import SHAPES, random_model
from tests.solvers.test_battery import two_columns

INF = np.inf
PROVED = few(60, 24)
"""Random models of a shape that are proved, and enumerated."""
ROOT = Path(__file__).parent.parent.parent


def scipy_optimum(model: Milp) -> float | None:
    """Ask scipy's own build of HiGHS: an oracle that shares no code with the layer."""
    matrix = csr_matrix(
        (model.coefficients, model.column_indices, model.row_starts),
        shape=(model.rows, model.columns),
    )
    sign = 1.0 if model.sense == "min" else -1.0
    result = milp(
        sign * model.cost,
        integrality=model.is_integer.astype(int),
        bounds=Bounds(model.column_lower, model.column_upper),
        constraints=LinearConstraint(matrix, model.row_lower, model.row_upper),
        options={"mip_rel_gap": 1e-9},
    )
    return None if result.fun is None else sign * float(result.fun) + model.constant


def random_program(
    columns: int, rows: int, density: float, seed: int, *, integer: bool = False, slack: int = 20
) -> Milp:
    """Rows hold at a random point, with no room to spare where ``slack`` is 0."""
    rng = np.random.default_rng(seed)
    build = MilpBuilder("min" if seed % 2 else "max", name=f"program {seed}")
    x = build.add_columns(
        columns,
        cost=np.round(rng.normal(size=columns) * 10, 2),
        upper=rng.integers(1, 20, columns),
        integer=integer,
    )
    row, column = np.nonzero(rng.random((rows, columns)) < density)
    value = np.round(rng.normal(size=len(row)) * 5, 1)
    point = rng.integers(0, 2, columns)
    activity = np.bincount(row, value * point[column], minlength=rows)
    room = rng.integers(0, slack + 1, rows)
    build.add_rows(row, x[column], value, upper=np.round(activity + room, 6))
    return build.model()


def opening(big: float) -> Milp:
    """Ship 2.5 through the cheapest of 8 gates, opened by binaries behind a big-M: 5."""
    build = MilpBuilder("min", name=f"big-M {big:g}")
    gate = np.arange(8)
    flow = build.add_columns(8, upper=1e5)
    is_open = build.add_columns(8, cost=5.0 + gate, upper=1.0, integer=True)
    values = np.r_[np.ones(8), np.full(8, -big)]
    build.add_rows(np.r_[gate, gate], np.r_[flow, is_open], values, upper=0.0)
    build.add_rows(np.zeros(8, dtype=int), flow, 1.0, lower=2.5)
    return build.model()


SOLVED: dict[str, tuple[Callable[[], Milp], float]] = {
    # 3x + 7y = 101 in whole x, y >= 0: (1, 14), (8, 11), ... by 7 and -3; the first costs 73
    "equality of decimals": (
        lambda: two_columns((3, 5), [(0.3, 0.7, 10.1, 10.1)], integer=True),
        73.0,
    ),
    # 3x + 5y >= 7.5 and |x - y| <= 100 over all whole numbers: y - x = 100, 8x >= -492.5, x = -61
    "free integers": (
        lambda: two_columns(
            (1, 1), [(3, 5, 7.5, INF), (1, -1, -100, 100)], lower=(-INF, -INF), integer=True
        ),
        -22.0,
    ),
    # 3x <= 1e12 in whole x
    "integers of thirteen digits": (
        lambda: two_columns((-1, 0), [(3, 0, -INF, 1e12)], upper=(1e12, 0), integer=True),
        -333333333333.0,
    ),
    "coefficients that HiGHS would drop": (
        lambda: two_columns((1, 1), [(1e-10, 1e-11, 1, INF)], upper=(1e13, 1e13)),
        1e10,
    ),
    "a bound that is 3 * 0.1 against one that is 0.3": (
        lambda: two_columns((1, 0), [], lower=(3 * 0.1, 0), upper=(0.3, 0)),
        0.3,
    ),
    "rows without entries": (lambda: two_columns((1, 1), [(0, 0, -1, 1), (1, 1, 2, 3)]), 2.0),
    "the same row many times": (lambda: two_columns((1, 2), [(1, 1, 2, 2)] * 30), 2.0),
    "big-M of 1e4": (lambda: opening(1e4), 5.0),
    "big-M of 1e6": (lambda: opening(1e6), 5.0),
    "big-M of 1e9": (lambda: opening(1e9), 5.0),  # CBC calls this one infeasible
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("name", SOLVED)
def test_unusual_models_are_solved_and_proved(solver: str, name: str) -> None:
    make, objective = SOLVED[name]
    result = solve(make(), solver=solver)
    assert (result.status, result.certificate.level) == (Status.OPTIMAL, Level.PROVED)
    assert result.objective == pytest.approx(objective, rel=1e-12)


def test_equality_of_decimals_agrees_with_enumeration() -> None:
    model = two_columns((3, 5), [(0.3, 0.7, 10.1, 10.1)], upper=(40, 40), integer=True)
    assert brute_force(model).objective == 73


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("rows", "integer"),
    [
        ([(1, 1, 1, 1), (1, 1, 2, 2)], False),  # clashing equalities
        ([(1, 1, 1, 1), (1, -1, 3, 3), (1, 0, 3, INF)], False),  # x = 2 by the first two
        ([(3, -3, 1, 1)], True),  # parity: a relaxation without end
        ([(6, 10, 7, 7.9)], True),  # even sums only
    ],
)
def test_infeasible_models_with_free_columns_are_proved_infeasible(
    solver: str, rows: list[tuple[float, float, float, float]], integer: bool
) -> None:
    model = two_columns((1, 1), rows, lower=(-INF, -INF), integer=integer)
    result = solve(model, solver=solver, time_limit_s=3.0)
    assert (result.status, result.certificate.level) == (Status.INFEASIBLE, Level.PROVED)


@pytest.mark.parametrize(
    ("columns", "rows", "density", "slack"),
    [(60, 80, 0.2, 0), (200, 100, 0.05, 20), (500, 300, 0.02, 20), (40, 120, 0.3, 0)],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_linear_programs_agree_with_scipy_and_are_proved(
    columns: int, rows: int, density: float, slack: int, seed: int
) -> None:
    model = random_program(columns, rows, density, seed, slack=slack)
    result = solve(model, solver="both")
    assert result.status is Status.OPTIMAL
    assert result.certificate.level is Level.PROVED
    assert result.objective == pytest.approx(scipy_optimum(model), rel=1e-7)


@pytest.mark.parametrize("solver", SOLVERS)
def test_five_hundred_integer_columns_keep_bound_and_point_apart(solver: str) -> None:
    model = random_program(500, 20, 0.1, 3, integer=True)
    result = solve(model, solver=solver, node_limit=50, proof="never")
    assert result.status in (Status.OPTIMAL, Status.FEASIBLE)
    assert result.x is not None
    assert check_point(model, result.x).feasible
    assert result.objective is not None
    assert result.certificate.bound is not None
    assert result.certificate.bound <= result.objective + 1e-6 * abs(result.objective)


@pytest.mark.parametrize("solver", SOLVERS)
def test_coefficient_too_large_for_the_solvers_is_never_called_optimal_wrongly(
    solver: str,
) -> None:
    model = two_columns((1, 1), [(1e16, 1, 1, INF)], upper=(9, 9))
    result = solve(model, solver=solver)
    if result.status is Status.OPTIMAL:
        assert result.objective == pytest.approx(1e-16, abs=1e-6)
    else:
        assert any("1e15" in str(note) for note in result.certificate.notes)


def test_contradiction_by_rounding_alone_is_never_proved_optimal() -> None:
    # 1/3 is no decimal: x = 0.333333333333333 and 3x = 1 hold to 1e-15, not exactly
    model = two_columns((1, 0), [(1, 0, 1 / 3, 1 / 3), (3, 0, 1, 1)], upper=(9, 9))
    result = solve(model, solver="both")
    assert (result.status, result.certificate.level) != (Status.OPTIMAL, Level.PROVED)


def test_point_that_only_rounded_data_deny_is_kept_as_verified_with_a_note() -> None:
    # the same contradiction with whole columns: x + y = 3 in thirds
    third = 1 / 3
    build = MilpBuilder("max")
    x = build.add_columns(3, cost=[1.0, 2.0, 1.5], upper=2, integer=True)
    build.add_rows([0, 0, 0], x, [third] * 3, lower=[1.0], upper=[1.0])
    result = solve(build.model(), solver="both")
    assert (result.status, result.certificate.level) == (Status.OPTIMAL, Level.VERIFIED)
    assert result.objective == 5.5  # y = 2, z = 1
    assert any(note.kind == "within-rounding" for note in result.certificate.notes)


def test_twenty_binaries_are_finished_by_enumeration_when_nodes_run_out() -> None:
    rng = np.random.default_rng(11)
    build = MilpBuilder("min")
    x = build.add_columns(20, upper=1, integer=True)
    for _ in range(3):  # market split: hardly any bound, hardly any solution
        weights = rng.integers(1, 100, 20).astype(float)
        half = np.floor(weights.sum() / 2)
        build.add_rows(np.zeros(20, dtype=int), x, weights, lower=half, upper=half)
    result = proof.prove(build.model(), node_limit=50)
    expected = brute_force(build.model())
    assert result.complete
    assert result.infeasible == (expected.point is None)


class _Liar:
    """A relaxation that tells the truth every other time and else answers at random."""

    rng = np.random.default_rng(0)

    def __init__(self, model: Milp) -> None:
        self._model = model
        self._truth = Relaxation(model)

    def solve(self, lower: Floats, upper: Floats) -> RelaxationAnswer:
        rng, columns, rows = self.rng, self._model.columns, self._model.rows
        truth = self._truth.solve(lower, upper)
        if rng.random() < 0.5:
            return truth
        status = list(Status)[rng.integers(len(Status))]
        x = lower + (np.minimum(upper, lower + 5.0) - lower) * rng.random(columns)
        x = np.where(rng.random(columns) < 0.7, np.round(x), x)
        y = rng.normal(size=rows) * 10.0 ** rng.integers(-3, 4)
        return RelaxationAnswer(
            status, x if rng.random() < 0.7 else None, y if rng.random() < 0.7 else None
        )

    def basis_later(self) -> Callable[[], tuple[Flags, Flags]]:
        basis = self.basis()
        return lambda: basis

    def basis(self) -> tuple[Flags, Flags]:
        if self.rng.random() < 0.5:
            return self._truth.basis()
        columns, rows = self._model.columns, self._model.rows
        basic = np.zeros(columns + rows, dtype=np.bool_)
        basic[self.rng.permutation(columns + rows)[:rows]] = True
        return basic[:columns], basic[columns:]


def some_shapes(*chosen: str) -> list[Any]:
    """All shapes of random programs; those that are not chosen only in ``make slow``."""
    return [
        pytest.param(shape, marks=[pytest.mark.slow] * (shape not in chosen)) for shape in SHAPES
    ]


@pytest.mark.parametrize("shape", some_shapes("procurement", "modes"))
def test_proof_is_true_whatever_the_relaxation_answers(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(proof, "Relaxation", _Liar)
    monkeypatch.setattr(vertex, "Relaxation", _Liar)
    monkeypatch.setattr(_Liar, "rng", np.random.default_rng(11))
    assert true_proofs(shape) >= PROVED * 25 // 60  # or the test would say little


@pytest.mark.parametrize("shape", some_shapes("modes", "mixed"))
@pytest.mark.parametrize("claimed", [-1e9, pytest.param(1e9, marks=pytest.mark.slow)])
def test_proof_is_true_whatever_the_estimates_say(
    shape: str, claimed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every node seems closed and is opened again, or none seems to close at all."""
    monkeypatch.setattr(lazy_bound.Estimator, "bound", lambda *_, **__: (claimed, 0.0))
    closed = true_proofs(shape)
    assert closed >= PROVED // 2 or claimed < 0


def true_proofs(shape: str) -> int:
    """How many proofs of random models are complete; all must agree with enumeration."""
    closed = 0
    for seed in range(PROVED):
        model = random_model(shape, seed)
        best = brute_force(model).objective
        result = proof.prove(model, node_limit=300)
        sign = 1 if model.sense == "min" else -1
        assert not result.unbounded
        if result.infeasible:
            assert best is None
        if result.bound is not None and best is not None:
            assert sign * result.bound <= sign * best
        if result.complete and not result.infeasible:
            assert best is not None
            assert result.objective is not None
            assert abs(result.objective - best) <= proof.GAP * max(Fraction(1), abs(best))
        closed += result.complete
    return closed


def test_ray_without_a_known_point_leaves_the_model_open() -> None:
    # a start is known, the relaxation is unbounded, and the ray is exact: unbounded, not optimal
    model = two_columns((-1, 0), [(1, -1, -INF, 2)], integer=True)
    result = proof.prove(model, [np.array([2.0, 0.0])])
    assert result.unbounded
    assert result.bound is None
    assert not result.infeasible
    bounded = two_columns((1, 0), [(1, -1, -INF, 2)], integer=True)
    assert not proof.prove(bounded).unbounded


CHATTY = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import numpy as np
from solvers import MilpBuilder, solve
build = MilpBuilder("min")
x = build.add_columns(
    6,
    cost=[-1.019765, 0.000374, 0.003653, 0.0, 1.680683, -0.293703],
    lower=[-np.inf, 1.0, -np.inf, -1e6, 1.0, 0.0],
    upper=[1.0, np.inf, np.inf, 1.0, 1.3, 0.3],
    integer=[True, True, True, False, False, False],
)
build.add_rows([0] * 5, x[[0, 2, 3, 4, 5]], [-92030.402228, 0.743095, 0.059471, 1.940706, 5.356057],
               lower=92063.640329)
build.add_rows([0] * 5, x[[0, 1, 3, 4, 5]], [0.28562, 0.67425, 1.79437, -7.7345, 1e-05],
               lower=-13.8974, upper=-11.8974)
build.add_rows([0], x[[4]], -0.2, lower=-1.4, upper=0.6)
print(solve(build.model()).status)
"""


def test_solver_that_prints_does_not_reach_the_standard_output() -> None:
    # HiGHS 1.15.1 writes a line of its own for this model, although its output is switched off
    run = subprocess.run([sys.executable, "-c", CHATTY], capture_output=True, text=True, check=True)
    assert run.stdout == "unbounded\n"
