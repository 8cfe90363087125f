"""Exact arithmetic: points, bounds, boxes, and what is proved from them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers import Milp, MilpBuilder, brute_force
from solvers.model.milp import Sense
from solvers.proofs.branching import prove
from solvers.proofs.check import check_point, round_integers
from solvers.proofs.exact import ExactModel
from solvers.proofs.rational import solve_rational
from tests.sizes import few
from tests.solvers.random_models import SHAPES, random_model

SEEDS = st.integers(0, 10_000)
FAST = settings(max_examples=few(60), deadline=None, derandomize=True)


def half(row_upper: float = 1.0, *, integer: bool = True) -> Milp:
    """Maximise x + y over 2x + 2y <= 2 * row_upper in the unit square."""
    build = MilpBuilder("max")
    x = build.add_columns(2, cost=1.0, upper=1.0, integer=integer)
    build.add_rows([0, 0], x, 2.0, upper=2.0 * row_upper)
    return build.model()


def exact_optimum(model: Milp) -> Fraction | None:
    """Enumerated optimum, minimised."""
    result = brute_force(model).objective
    return result if result is None or model.sense == "min" else -result


@given(shape=st.sampled_from(SHAPES), seed=SEEDS, data=st.data())
@FAST
def test_no_multipliers_whatever_give_a_bound_beyond_the_optimum(
    shape: str, seed: int, data: st.DataObject
) -> None:
    model = random_model(shape, seed)
    exact = ExactModel(model)
    number = st.floats(-1e6, 1e6, allow_subnormal=False)
    weights = np.array(data.draw(st.lists(number, min_size=model.rows, max_size=model.rows)))
    optimum = exact_optimum(model)
    bound = exact.dual_bound(weights, exact.lower, exact.upper)
    assert bound is not None  # the box is finite
    if optimum is not None:
        assert bound <= optimum
        box = exact.implied_box(optimum)
        within = exact.dual_bound(weights, *box)
        assert within is not None
        assert within <= optimum
        farkas = exact.dual_bound(weights, exact.lower, exact.upper, with_cost=False)
        assert farkas is not None
        assert farkas <= 0


@given(shape=st.sampled_from(SHAPES), seed=SEEDS)
@FAST
def test_proof_reaches_the_enumerated_optimum(shape: str, seed: int) -> None:
    model = random_model(shape, seed)
    proof, optimum = prove(model), brute_force(model).objective
    assert proof.complete
    assert not proof.unbounded
    assert proof.infeasible == (optimum is None)
    assert proof.objective == optimum
    if optimum is not None:
        assert proof.point is not None
        assert ExactModel(model).is_feasible(proof.point)


@given(shape=st.sampled_from(SHAPES), seed=SEEDS, node_limit=st.integers(0, 6))
@FAST
def test_interrupted_proof_is_still_true(shape: str, seed: int, node_limit: int) -> None:
    model = random_model(shape, seed)
    proof, optimum = prove(model, node_limit=node_limit), brute_force(model).objective
    sign = 1 if model.sense == "min" else -1
    if proof.infeasible:
        assert optimum is None
    if optimum is not None and proof.bound is not None:
        assert sign * proof.bound <= sign * optimum
    if proof.objective is not None:
        assert optimum is not None
        assert sign * proof.objective >= sign * optimum


def test_bound_by_hand() -> None:
    # min -x - y, row 2x + 2y <= 2, y = -1/2: bound -1 and no reduced cost is left
    exact = ExactModel(half(integer=False))
    box = exact.lower, exact.upper
    assert exact.dual_bound(np.array([-0.5]), *box) == -1
    assert exact.dual_bound(np.array([0.0]), *box) == -2
    assert exact.dual_bound(np.array([3.0]), *box) == -2  # no lower side: worth nothing
    assert exact.dual_bound(np.array([-1.0]), *box) == -2  # -2 + min(x + y) = -2


def test_a_column_without_an_upper_side_has_a_bound_unless_its_reduced_cost_is_negative() -> None:
    # min x + y over x + y >= 2 with x, y >= 0: reduced costs are 1 - weight
    build = MilpBuilder()
    columns = build.add_columns(2, cost=1.0)
    build.add_rows([0, 0], columns, 1.0, lower=2.0)
    exact = ExactModel(build.model())
    bounds = [exact.dual_bound(np.array([w]), exact.lower, exact.upper) for w in (0, 0.5, 1, 2)]
    assert bounds == [0, 1, 2, None]


def test_a_column_without_any_side_has_a_bound_only_at_a_reduced_cost_of_zero() -> None:
    # min x over x + y >= 2 and x - y >= -4 with x >= 0 and y free: at weights (1/2, 1/2) y drops
    build = MilpBuilder()
    x, y = build.add_columns(2, cost=[1.0, 0.0], lower=[0.0, -np.inf])
    build.add_rows([0, 0, 1, 1], [x, y, x, y], [1.0, 1.0, 1.0, -1.0], lower=[2.0, -4.0])
    exact = ExactModel(build.model())
    weights = ([0.0, 0.0], [0.5, 0.5], [1.0, 0.0], [0.0, 1.0])
    bounds = [exact.dual_bound(np.array(w), exact.lower, exact.upper) for w in weights]
    assert bounds == [0, -1, None, None]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_multipliers_that_are_no_numbers_give_no_bound(bad: float) -> None:
    exact = ExactModel(half())
    assert exact.dual_bound(np.array([bad]), exact.lower, exact.upper) is None


def test_bound_over_whole_columns_is_lifted_to_the_next_possible_value() -> None:
    # x + y <= 1.5 relaxed, but whole x and y reach whole sums only
    continuous, whole = (ExactModel(half(1.5, integer=flag)) for flag in (False, True))
    y = np.array([-0.5])
    assert continuous.dual_bound(y, continuous.lower, continuous.upper) == Fraction(-3, 2)
    assert whole.lattice == 1
    assert whole.dual_bound(y, whole.lower, whole.upper) == -1


def test_lattice_is_the_common_measure_of_the_costs() -> None:
    build = MilpBuilder(constant=0.1)
    build.add_columns(3, cost=[0.75, 1.25, 0.5], upper=3, integer=True)
    assert ExactModel(build.model()).lattice == Fraction(1, 4)
    build.add_columns(1, cost=0.01)
    assert ExactModel(build.model()).lattice is None


def test_numbers_mean_their_decimals() -> None:
    # 3 * 0.1 is 0.30000000000000004 as a double and three tenths as a decimal
    build = MilpBuilder()
    x = build.add_columns(1, upper=9, integer=True)
    build.add_rows([0], x, 0.1, lower=3 * 0.1, upper=3 * 0.1)
    exact = ExactModel(build.model())
    assert exact.is_feasible([Fraction(3)])
    assert not exact.is_feasible([Fraction(2)])


def test_a_hair_outside_is_outside() -> None:
    exact = ExactModel(half(integer=False))
    hair = Fraction(1, 10**30)
    assert exact.is_feasible([Fraction(1, 2), Fraction(1, 2)])
    assert not exact.is_feasible([Fraction(1, 2) + hair, Fraction(1, 2)])
    assert not exact.is_feasible([-hair, Fraction(0)])
    assert not ExactModel(half()).is_feasible([Fraction(1, 2), Fraction(0)])


def test_implied_box_follows_from_rows_and_cutoff() -> None:
    # x >= 0 without upper bound, 2x + y <= 7, y in [1, 4]: x <= 3; cost x + y <= 2: x <= 1
    build = MilpBuilder()
    x = build.add_columns(1, cost=1.0)
    y = build.add_columns(1, cost=1.0, lower=1.0, upper=4.0)
    build.add_rows([0, 0], np.r_[x, y], [2.0, 1.0], upper=7.0)
    exact = ExactModel(build.model())
    assert exact.upper[0] is None
    assert exact.implied_box(None)[1][0] == 3 * exact.scale
    free = MilpBuilder()
    free.add_columns(1, cost=1.0)
    free.add_columns(1, cost=1.0, lower=1.0, upper=4.0)
    cut = ExactModel(free.model())
    assert cut.implied_box(None)[1][0] is None
    assert cut.implied_box(Fraction(2))[1][0] == 1 * cut.scale


@given(shape=st.sampled_from(SHAPES), seed=SEEDS)
@FAST
def test_implied_box_keeps_the_optimum(shape: str, seed: int) -> None:
    model = random_model(shape, seed)
    optimum = brute_force(model)
    if optimum.point is None or optimum.objective is None:
        return
    sign = 1 if model.sense == "min" else -1
    open_sides = Milp(
        **{name: getattr(model, name) for name in model.__dataclass_fields__}
        | {"column_upper": np.full(model.columns, np.inf)}
    )
    exact = ExactModel(open_sides)
    lower, upper = exact.implied_box(sign * optimum.objective)
    for value, low, high in zip(optimum.point, lower, upper, strict=True):
        assert low is None or low <= value * exact.scale
        assert high is None or value * exact.scale <= high


def test_row_that_cannot_be_met_in_a_box_is_seen() -> None:
    exact = ExactModel(half())
    ones = [exact.scale] * 2
    assert exact.excludes(ones, ones)
    assert not exact.excludes(exact.lower, exact.upper)
    assert not exact.excludes([None, None], ones)


def test_square_system_is_solved_in_fractions() -> None:
    # 2a + b = 1 and a - 3b = 0: a = 3/7, b = 1/7
    rows = [{0: Fraction(2), 1: Fraction(1)}, {0: Fraction(1), 1: Fraction(-3)}]
    assert solve_rational(rows, [Fraction(1), Fraction(0)]) == [Fraction(3, 7), Fraction(1, 7)]
    assert solve_rational([], []) == []


def test_singular_system_has_no_solution() -> None:
    rows = [{0: Fraction(2), 1: Fraction(4)}, {0: Fraction(1), 1: Fraction(2)}]
    assert solve_rational(rows, [Fraction(1), Fraction(1)]) is None
    assert solve_rational([{}], [Fraction(0)]) is None


@given(st.integers(1, 7), SEEDS)
@FAST
def test_solution_of_a_random_system_fits_it(size: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-5, 6, (size, size)) * (rng.random((size, size)) < 0.6)
    right = [Fraction(int(v)) for v in rng.integers(-9, 10, size)]
    rows = [{j: Fraction(int(a)) for j, a in enumerate(line) if a} for line in matrix]
    solved = solve_rational(rows, right)
    if solved is None:
        assert abs(np.linalg.det(matrix)) < 0.5  # a whole determinant
        return
    for row, value in zip(rows, right, strict=True):
        assert sum((a * solved[j] for j, a in row.items()), Fraction(0)) == value


def test_point_is_measured_by_its_worst_row_or_bound() -> None:
    model = half(integer=False)
    assert check_point(model, np.array([0.5, 0.5])).violation == 0.0
    assert check_point(model, np.array([0.75, 0.75])).violation == pytest.approx(1.0)
    assert check_point(model, np.array([-0.25, 0.0])).violation == pytest.approx(0.25)
    assert check_point(model, np.array([0.5, 0.5])).objective == 1.0


def test_tolerance_does_not_grow_to_whole_units_on_large_numbers() -> None:
    # x <= 1e6 z allows half a unit too much only if a tolerance of 1e-6 is taken of 1e6
    build = MilpBuilder("max")
    x = build.add_columns(2, cost=[1.0, 0.0], upper=[2e6, 1.0], integer=[False, True])
    build.add_rows([0, 0], x, [1.0, -1e6], upper=0.0)
    assert not check_point(build.model(), np.array([1e6 + 0.5, 1.0])).feasible
    assert check_point(build.model(), np.array([1e6, 1.0])).feasible


def test_integers_are_rounded_only_when_close() -> None:
    model = half()
    rounded = round_integers(model, np.array([1.0 - 1e-7, 1e-7]))
    assert rounded is not None
    assert rounded.tolist() == [1.0, 0.0]
    assert round_integers(model, np.array([0.9, 0.0])) is None
    assert round_integers(model, np.array([np.nan, 0.0])) is None


def test_two_columns_without_bound_in_one_row_bound_neither() -> None:
    # x - y <= 3 says nothing of x while y is free upwards
    build = MilpBuilder("min")
    x = build.add_columns(2, cost=[-1.0, 1.0])
    build.add_rows([0, 0], x, [1.0, -1.0], upper=[3.0])
    assert ExactModel(build.model()).implied_box(None)[1] == [None, None]


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("constant", [7.0, -7.0])
def test_the_constant_is_part_of_point_and_bound(sense: Sense, constant: float) -> None:
    sign = 1.0 if sense == "min" else -1.0
    build = MilpBuilder(sense, constant=constant)
    x = build.add_columns(2, cost=[sign, 2 * sign], upper=5, integer=True)
    build.add_rows([0, 0], x, [2.0, 2.0], lower=[3.0])
    proof = prove(build.model())
    assert proof.objective == proof.bound == Fraction(2) * int(sign) + Fraction(int(constant))


def test_a_bound_lies_on_the_lattice_of_the_objective() -> None:
    # costs 3 and 6: a relaxation of 4.5 means at least 6
    build = MilpBuilder("min")
    x = build.add_columns(2, cost=[3.0, 6.0], upper=5, integer=True)
    build.add_rows([0, 0], x, [2.0, 4.0], lower=[3.0])
    exact = ExactModel(build.model())
    assert exact.dual_bound(np.array([1.5]), exact.lower, exact.upper) == 6


def test_a_search_cut_short_is_not_complete_and_its_bound_still_holds() -> None:
    model = next(
        m for m in (random_model("modes", seed) for seed in range(99)) if prove(m).nodes > 5
    )
    cut, whole = prove(model, node_limit=2), prove(model)
    assert whole.objective is not None
    assert cut.complete == (model.columns <= 20)  # those are finished by enumeration
    assert cut.bound is None or cut.bound <= whole.objective
    shut = prove(model, node_limit=2, time_limit_s=60.0)  # with a clock nothing is enumerated
    assert not shut.complete
    assert shut.bound is None or shut.bound <= whole.objective


def test_a_wide_gap_closes_nodes_early() -> None:
    model = max((random_model("modes", seed) for seed in range(60)), key=lambda m: prove(m).nodes)
    narrow, wide = prove(model), prove(model, gap=0.5)
    assert wide.nodes < narrow.nodes
    assert wide.complete
    assert wide.bound is not None
    assert narrow.objective is not None
    assert wide.bound <= narrow.objective
