from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from solvers.model.milp import Indices
from solvers.partition import BY_NAME, Graph, Request, columns, equal_parts, pins
from solvers.partition.column_check import Columns, faults, most_sets
from solvers.partition.columns import _pricing, best_columns, by_columns
from solvers.partition.connected import NONE, _counted, _subsets, by_vertex, least_sets, priced
from solvers.partition.graph import Parts
from solvers.partition.outcome import Partition
from solvers.partition.triples import broken_triples
from tests.shared_data import COMMUNICATION, needs_data
from tests.sizes import few
from tests.solvers.partition.instances import brute_force, drawn, grid

_SIZES = [[4, 4], [3, 3, 2], [2, 2, 2, 2], [5, 2, 1], [6, 2], [1, 3, 4], [7, 1], [2, 2, 3]]


def proof(request: Request) -> tuple[Partition, Columns]:
    """A partition in order, and the certificate that is found from there."""
    start = BY_NAME["kl"].partition(request)
    found = best_columns(request, start.part, start.cut)
    assert found is not None
    return start, found


@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.booleans(),
    st.sampled_from(_SIZES),
    st.sampled_from([0.2, 0.4, 1.0]),
    st.dictionaries(st.integers(0, 6), st.integers(0, 1), max_size=2),
)
@settings(max_examples=few(500))
def test_columns_never_bound_above_the_optimum(
    seed: int,
    negative: bool,
    real: bool,
    sizes: list[int],
    density: float,
    pinned: dict[int, int],
) -> None:
    count = sum(sizes)
    graph = drawn(count, seed, negative=negative, real=real, density=density)
    held = np.bincount([*pinned.values()], minlength=len(sizes))
    fixed = pins(count, pinned if (held <= sizes).all() else {})
    request = Request(graph, np.array(sizes), fixed=fixed, starts=1)
    start, found = proof(request)
    assert faults(graph, request.capacities, found) == []
    least = brute_force(request)
    assert found.bound <= Fraction(least) + Fraction(1e-9)
    assert by_columns(request, start.part, start.cut) <= least + 1e-9


def _some_triples(rng: np.random.Generator, count: int) -> tuple[Parts, Indices]:
    every = [*combinations(range(count), 3)]
    chosen = rng.permutation(len(every))[: rng.integers(0, 6)]
    triples = np.array([every[place] for place in chosen], dtype=np.int32).reshape(-1, 3)
    return triples, rng.integers(0, 5, len(triples))


@given(st.integers(0, 10**6), st.booleans(), st.sampled_from(_SIZES))
@settings(max_examples=few(200))
def test_any_prices_charges_and_fees_bound_the_optimum(
    seed: int, negative: bool, sizes: list[int]
) -> None:
    rng, count = np.random.default_rng(seed), sum(sizes)
    request = Request(drawn(count, seed, negative=negative, density=0.5), np.array(sizes))
    pricing = _pricing(request.graph, most_sets(request.capacities))
    triples, fees = _some_triples(rng, count)
    paid = rng.integers(-2, 5, count), rng.integers(0, 2, max(sizes)), fees
    duals = np.concatenate(paid) * pricing.largest / 9
    found, _ = pricing.at(duals, [tuple(each) for each in triples.tolist()])
    assert faults(request.graph, request.capacities, found) == []
    assert found.bound <= Fraction(brute_force(request)) + Fraction(1e-9)


@given(st.integers(0, 10**6), st.integers(2, 9), st.integers(1, 5), st.sampled_from([0.2, 0.5]))
@settings(max_examples=few(100))
def test_every_connected_set_is_counted_once_and_priced(
    seed: int, count: int, most: int, density: float
) -> None:
    graph = drawn(count, seed, density=density, negative=True)
    rng = np.random.default_rng(seed)
    prices, charges = rng.integers(-9, 9, count), np.cumsum(rng.integers(0, 4, most))
    triples, fees = _some_triples(rng, count)
    entered, ties = by_vertex(triples, count)

    def paid(group: ArrayLike) -> int:
        return int(fees[np.isin(triples, group).sum(axis=1) >= 2].sum())

    weights = graph.weights.astype(np.int64)
    rows = graph.starts.copy(), graph.neighbours.copy()
    best, members = priced(*rows, weights, prices, charges, triples, fees, entered, ties)
    square = graph.dense()
    whole = nx.from_numpy_array(square != 0)
    expected, number = np.full((count, most), NONE), 0
    for size in range(1, most + 1):
        for group in combinations(range(count), size):
            if not nx.is_connected(whole.subgraph(group)):
                continue
            number += 1
            value = square[np.ix_(group, group)].sum() / 2 - prices[[*group]].sum()
            value -= charges[size - 1] + paid(group)
            expected[group[0], size - 1] = max(expected[group[0], size - 1], value)
    assert least_sets(*rows, most, number) == number
    assert number - 1 < least_sets(*rows, most, number - 1) <= number
    assert (best == expected).all()
    for vertex, size in np.argwhere(best > NONE).tolist():
        chosen = members[vertex, size, : size + 1]
        value = square[np.ix_(chosen, chosen)].sum() / 2 - prices[chosen].sum() - charges[size]
        assert (chosen.min(), len({*chosen.tolist()})) == (vertex, size + 1)
        assert value - paid(chosen) == best[vertex, size]


def test_sets_of_a_ring_by_hand() -> None:
    # Ring of 6, parts of 3: a part of 3 neighbours holds 2 of the 6 edges, so 2 are cut. Of the 12
    # sets of 2 or 3 and the 6 of 1 none holds more than 2/3 for each vertex.
    ring = Graph.from_edges(6, range(6), [1, 2, 3, 4, 5, 0])
    request = Request(ring, np.array([3, 3]))
    start, found = proof(request)
    assert by_columns(request, start.part, start.cut) == 2.0
    assert most_sets(request.capacities).tolist() == [6, 2, 2]
    assert faults(ring, request.capacities, found) == []


def triangles() -> Request:
    """Two triangles, parts of two: half of each edge would hold 3, but each triangle holds one."""
    graph = Graph.from_edges(6, [0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3])
    return Request(graph, np.array([2, 2, 2]))


def test_a_triangle_lies_in_one_pair_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    request = triangles()
    start, found = proof(request)
    assert start.cut == 4.0
    assert found.triples.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert by_columns(request, start.part, start.cut) == 4.0
    monkeypatch.setattr(columns, "broken_triples", lambda *_: [])
    assert by_columns(request, start.part, start.cut) == 3.0


@given(st.integers(0, 10**6), st.integers(3, 9), st.integers(1, 12))
@settings(max_examples=few(100))
def test_broken_triples_are_in_more_than_one_set(seed: int, count: int, number: int) -> None:
    rng = np.random.default_rng(seed)
    drawn_sets = {tuple(np.flatnonzero(rng.random(count) < 0.5).tolist()) for _ in range(number)}
    sets = sorted({(0,), *drawn_sets} - {()})
    shares = rng.random(len(sets))
    for triple in broken_triples(sets, shares, []):
        assert list(triple) == sorted({*triple})
        held = [len({*triple} & {*each}) >= 2 for each in sets]
        assert shares[held].sum() > 1.0
    assert broken_triples(sets, np.ones(len(sets)) / len(sets), []) == []


def test_columns_prove_what_eigenvalues_leave_open() -> None:
    # 8 x 8 in blocks of 2 x 4: each holds 10 of 112 edges. Eigenvalues and entries say 25.
    graph = grid(8, 8)
    answer = BY_NAME["portfolio"].partition(Request(graph, equal_parts(graph, 8), starts=2))
    assert (answer.cut, answer.bound, answer.status) == (32.0, 32.0, "optimal")


def _altered(found: Columns) -> list[Columns]:
    """Certificates that claim too much, each in its own way."""

    def less(values: Indices, place: int) -> Indices:
        changed = values.copy()
        changed[place] -= 10**12
        return changed

    much = Fraction(1, 1000)
    tight = int(found.prices.argmax())
    return [
        replace(found, bound=found.bound + much),
        replace(found, prices=less(found.prices, tight)),
        replace(found, prices=np.zeros_like(found.prices)),
        replace(found, prices=found.prices[:-1]),
        replace(found, charges=less(0 * found.charges, 0)),
        replace(found, charges=np.append(found.charges, 0)),
        replace(found, surplus=less(found.surplus, 0)),
        replace(found, weights=less(found.weights, 0)),
        replace(found, weights=found.weights + (np.arange(len(found.weights)) == 0)),
        replace(found, unit=found.unit * Fraction(99, 100)),
        replace(found, unit=-found.unit),
        replace(found, prices=found.prices + 2**55),
    ]


def test_altered_certificates_are_rejected() -> None:
    request = Request(drawn(12, 3, negative=True), np.array([5, 4, 3]))
    _, found = proof(request)
    assert faults(request.graph, request.capacities, found) == []
    for index, other in enumerate(_altered(found)):
        assert faults(request.graph, request.capacities, other), index
    assert faults(request.graph, np.array([6, 6]), found)
    richer = Graph(request.graph.starts, request.graph.neighbours, request.graph.weights + 20.0)
    assert faults(richer, request.capacities, found)


def test_altered_fees_are_rejected() -> None:
    request = triangles()
    _, found = proof(request)
    assert faults(request.graph, request.capacities, found) == []
    for triples, fees in [
        (found.triples, 0 * found.fees),
        (found.triples, -found.fees),
        (found.triples, found.fees[:-1]),
        (found.triples[:, [0, 1, 1]], found.fees),
        (found.triples + 1, found.fees),
        (found.triples - 1, found.fees),
        (found.triples[:, :2], found.fees),
    ]:
        other = replace(found, triples=triples, fees=fees)
        assert faults(request.graph, request.capacities, other), triples


def test_more_sets_than_the_limit_leave_the_other_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    # 96,063 connected sets of up to 8 cells of a board of 8 x 8.
    graph = grid(8, 8)
    request = Request(graph, equal_parts(graph, 8), starts=1)
    start = BY_NAME["order"].partition(request)
    assert best_columns(request, start.part, start.cut, 96_062) is None
    assert best_columns(request, start.part, start.cut, 96_063) is not None
    monkeypatch.setattr(columns, "SETS", 96_062)
    assert by_columns(request, start.part, start.cut) == -math.inf
    assert BY_NAME["portfolio"].partition(request).bound == 25.0


def test_sets_are_counted_before_they_reach_the_largest_size() -> None:
    # Two complete graphs of 20 have 2 (2^20 - 1) sets; none has 30 vertices.
    block = np.triu(np.ones((20, 20)), 1)
    graph = Graph.from_matrix(np.kron(np.eye(2), block))
    rows = graph.starts.copy(), graph.neighbours.copy()
    sets = 2 * (2**20 - 1)
    assert least_sets(*rows, 30, sets) == sets
    assert least_sets(*rows, 30, sets - 1) == sets
    assert _counted(*rows, _subsets(40, 30, 10_001), 1, 10_000) > 10_000


def test_little_time_seeks_no_columns() -> None:
    graph = grid(8, 8)
    request = Request(graph, equal_parts(graph, 8), time_limit_s=0.5)
    assert by_columns(request, BY_NAME["order"].partition(request).part, 32.0) == -math.inf


@needs_data
@pytest.mark.parametrize("kind", ["p2p.bytes", "p2p.msgs", "internal.bytes"])
def test_measured_programs_on_nodes_of_eight_are_proved(kind: str) -> None:
    sent = np.loadtxt(COMMUNICATION / f"lu.W.64.{kind}.csv", delimiter=",")
    np.fill_diagonal(sent, 0.0)
    graph = Graph.from_matrix(sent)
    answer = BY_NAME["portfolio"].partition(Request(graph, equal_parts(graph, 8)))
    assert answer.status == "optimal"
