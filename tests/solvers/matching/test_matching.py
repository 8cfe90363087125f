"""Matchings against brute force and networkx, and the check of their dual values."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import pytest

from solvers.matching.assignment import assignment
from solvers.matching.bottleneck import bottleneck
from solvers.matching.check import dual_bound, dual_violations, matching_violations
from solvers.matching.duals import Duals, proved
from solvers.matching.engines import Engine
from solvers.matching.solve import match
from solvers.matching.weights import Weights
from tests.sizes import few

KINDS = ("real", "few values", "sparse", "plane", "blocks", "negative")


def drawn(number: int, least: int = 0, most: int = 24) -> Weights:
    """A symmetric matrix of weights; the kinds take turns."""
    rng = np.random.default_rng([2105, number])
    count = int(rng.integers(least, most + 1))
    kind = KINDS[number % len(KINDS)]
    weight = rng.random((count, count))
    if kind == "few values":
        weight = rng.integers(0, 4, (count, count)).astype(np.float64)
    elif kind == "sparse":
        weight[rng.random((count, count)) < 0.8] = 0.0
    elif kind == "plane":  # near ones weigh most: many odd sets, one in the other
        at = rng.random((count, 2)) * [1.0, 0.2]
        weight = 2.0 - np.hypot(*(at[:, None, :] - at[None, :, :]).transpose(2, 0, 1))
    elif kind == "blocks":  # odd groups within which all weigh much
        group = rng.integers(0, max(1, count // 5), count)
        weight = weight + 5.0 * (group[:, None] == group[None, :])
    elif kind == "negative":
        weight = weight - 0.6
    upper = np.triu(weight, 1)
    return Weights(upper + upper.T)


def by_networkx(weights: Weights) -> float:
    graph: Any = nx.Graph()
    whole = weights.whole
    first, second = np.nonzero(np.triu(whole))
    graph.add_weighted_edges_from(
        (a, b, int(whole[a, b])) for a, b in zip(first.tolist(), second.tolist(), strict=True)
    )
    return sum(int(whole[a, b]) for a, b in nx.max_weight_matching(graph))


@pytest.mark.parametrize("number", range(few(300)))
def test_the_matching_weighs_as_much_as_that_of_networkx_and_is_proved(number: int) -> None:
    weights = drawn(number)
    pairs, duals = proved(weights)
    assert matching_violations(weights, pairs) == []
    assert dual_violations(weights, duals) == []
    total = sum(weights.whole[pairs[:, 0], pairs[:, 1]].tolist())
    assert total == by_networkx(weights)
    assert dual_bound(duals) == 2 * total


@pytest.mark.parametrize("engine", ["networkx", "built-in", "auto"])
@pytest.mark.parametrize("number", range(6))
def test_every_engine_is_proved_optimal(engine: Engine, number: int) -> None:
    weights = drawn(number, 5, 15)
    result = match(weights, engine=engine)
    assert result.certificate.status == "optimal"
    assert result.certificate.level == "proved"
    assert result.certificate.objective == weights.pair_weight(result.pairs)


def test_rustworkx_agrees_where_it_is_installed() -> None:
    pytest.importorskip("rustworkx")
    for number in range(12):
        weights = drawn(number)
        result = match(weights, engine="rustworkx")
        assert result.certificate.solver == "rustworkx"
        assert result.certificate.notes == ()
        assert result.certificate.status == "optimal" or not weights.vertices


def test_500_vertices_are_proved_optimal() -> None:
    result = match(drawn(3, 500, 500), engine="built-in")
    assert result.certificate.status == "optimal"
    assert result.certificate.gap_relative is not None
    assert result.certificate.gap_relative < 1e-11
    assert len(result.duals.sets) > 0


@pytest.mark.slow
@pytest.mark.parametrize("number", range(6))
def test_2000_vertices_of_every_kind_are_proved_optimal(number: int) -> None:
    certificate = match(drawn(number, 2000, 2000)).certificate
    assert (certificate.status, certificate.level) == ("optimal", "proved")


def test_the_compiled_phases_agree_with_the_same_lines_in_python() -> None:
    import subprocess
    import sys

    code = (
        "from tests.solvers.matching.test_matching import drawn, proved, dual_bound\n"
        "print([dual_bound(proved(drawn(n))[1]) for n in range(18)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={"NUMBA_DISABLE_JIT": "1"}, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == str([dual_bound(proved(drawn(n))[1]) for n in range(18)])


def test_two_triangles_need_an_odd_set() -> None:
    # One pair of each triangle fits: 2 is best. Vertex values alone prove 3 at best.
    weights = Weights(np.kron(np.eye(2), np.ones((3, 3))).astype(np.float64))
    pairs, duals = proved(weights)
    assert len(pairs) == 2
    assert {members for members, _ in duals.sets} & {(0, 1, 2), (3, 4, 5)}
    assert dual_violations(weights, replace(duals, sets=())) != []


def test_dual_values_that_prove_nothing_are_refused() -> None:
    weights = Weights(np.ones((4, 4)))
    unit = int(weights.whole[0, 1])
    good = Duals((unit,) * 4, ())
    assert dual_violations(weights, good) == []
    assert dual_bound(good) == 2 * 2 * unit
    for bad in (
        Duals((unit - 2, *(unit,) * 3), ()),
        Duals((unit,) * 3, ()),
        Duals((unit,) * 4, (((0, 1, 2), -1),)),
        Duals((unit,) * 4, (((0, 1), 1),)),
        Duals((unit,) * 4, (((0, 1, 7), 1),)),
    ):
        assert dual_violations(weights, bad) != []


def test_pairs_that_are_no_matching_are_refused() -> None:
    weights = Weights(np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]))
    assert matching_violations(weights, np.array([[0, 1]])) == []
    for pairs in ([[0, 1], [1, 2]], [[0, 2]], [[0, 5]]):
        assert matching_violations(weights, np.array(pairs)) != []


def test_rounding_to_whole_numbers_is_in_the_bound() -> None:
    weights = Weights(np.array([[0.0, 1 / 3], [1 / 3, 0.0]]))
    certificate = match(weights, engine="built-in").certificate
    assert certificate.objective == 1 / 3
    assert certificate.bound is not None
    assert 1 / 3 < certificate.bound < 1 / 3 * (1 + 1e-12)


@pytest.mark.parametrize("weight", [np.zeros((0, 0)), np.zeros((1, 1)), np.zeros((5, 5))])
def test_nothing_to_pair_is_optimal_with_0(weight: np.ndarray) -> None:
    result = match(Weights(weight), engine="built-in")
    assert (result.certificate.objective, result.certificate.bound) == (0.0, 0.0)
    assert result.pairs.shape == (0, 2)


@pytest.mark.parametrize(
    "weight", [np.zeros((2, 3)), np.full((2, 2), math.nan), np.array([[0.0, 1.0], [2.0, 0.0]])]
)
def test_weights_that_are_no_graph_are_refused(weight: np.ndarray) -> None:
    with pytest.raises(ValueError, match=r"square|finite|symmetric"):
        Weights(weight)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="choose one of"):
        match(Weights(np.zeros((2, 2))), engine="other")  # type: ignore[arg-type]


@pytest.mark.parametrize("number", range(few(40)))
def test_prices_of_the_assignment_are_feasible_and_tight(number: int) -> None:
    whole = drawn(number, 2, 12).whole
    column, rows, columns = assignment(whole)
    off = ~np.eye(len(whole), dtype=np.bool_)
    assert sorted(column.tolist()) == list(range(len(whole)))
    assert (rows[:, None] + columns[None, :] >= whole)[off].all()
    assert rows.sum() + columns.sum() == whole[np.arange(len(whole)), column].sum()
    assert (column != np.arange(len(whole))).all()


@pytest.mark.parametrize("number", range(few(40)))
def test_the_bottleneck_is_the_least_over_all_values(number: int) -> None:
    weights = drawn(number, 2, 9)
    rng = np.random.default_rng(number)
    bad = rng.integers(1, 6, weights.weight.shape).astype(np.float64)
    bad = np.maximum(bad, bad.T)
    best = match(weights, engine="built-in").certificate.objective or 0.0
    if not best:
        return
    floor = 0.9 * best
    result, most = bottleneck(weights, bad, floor)
    assert (result.certificate.objective or 0.0) >= floor
    for value in range(1, int(most)):
        less = Weights(np.where(bad <= value, weights.weight, 0.0))
        assert by_networkx(less) < floor * 2.0**weights.exponent


def test_a_floor_above_the_optimum_is_refused() -> None:
    with pytest.raises(ValueError, match="lower the floor"):
        bottleneck(Weights(np.ones((2, 2))), np.ones((2, 2)), 1.5)
