from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.model.result import Status
from solvers.partition import BY_NAME, Graph, Request, bounds, equal_parts, violations
from solvers.partition.bounds import (
    by_blocks,
    by_eigenvalues,
    by_neighbours,
    lower_bound,
    rounded_up,
)
from solvers.partition.outcome import outcome
from solvers.partition.semidefinite import by_entries
from tests.sizes import few
from tests.solvers.partition.instances import drawn, grid


@given(
    st.integers(0, 10**6),
    st.booleans(),
    st.booleans(),
    st.sampled_from([[6, 6], [4, 4, 4], [2] * 6, [1, 2, 3, 6], [11, 1], [1] * 12]),
    st.sampled_from([0.1, 0.4, 1.0]),
)
@settings(max_examples=few(30))
def test_no_bound_is_above_the_optimum(
    seed: int, negative: bool, real: bool, sizes: list[int], density: float
) -> None:
    request = Request(
        drawn(12, seed, negative=negative, real=real, density=density), np.array(sizes)
    )
    least = BY_NAME["dynamic"].partition(request).cut + 1e-12 * request.graph.size
    assert by_neighbours(request) <= least
    assert by_eigenvalues(request) <= least
    assert lower_bound(request) <= least
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bounds, "_BLOCK", 5)
        assert by_blocks(request) <= least
    for target in (least, 2.0 * least + 1.0):
        assert by_entries(request, target) <= least


def test_neighbours_of_a_star_by_hand() -> None:
    # Weights 5, 4, 3 at the centre, parts of two: the centre keeps 5 and loses 4 + 3, the ends
    # keep all: (7 + 0) / 2 = 3.5, which integers round up to 4; the optimum is 7.
    star = Graph.from_edges(4, [0, 0, 0], [1, 2, 3], [5, 4, 3])
    request = Request(star, np.array([2, 2]))
    assert by_neighbours(request) == pytest.approx(3.5)
    assert rounded_up(star, 3.5) == 4.0
    assert BY_NAME["dynamic"].partition(request).cut == 7.0


def test_a_forced_negative_edge_is_counted() -> None:
    # All edges of four vertices weigh -1: each keeps one, loses two: (4 * -2) / 2 = -4, the cut.
    all_negative = Graph.from_matrix(-np.triu(np.ones((4, 4)), 1))
    request = Request(all_negative, np.array([2, 2]))
    assert by_neighbours(request) == pytest.approx(-4.0)
    assert BY_NAME["order"].partition(request).status == "optimal"


def test_eigenvalues_of_a_complete_graph_and_a_hypercube_are_tight() -> None:
    # K8 has eigenvalues 0 and 8 (seven times): two parts of 4 cut 4 / 2 * 8 = 16, all do.
    complete = Request(Graph.from_matrix(np.triu(np.ones((8, 8)), 1)), np.array([4, 4]))
    assert by_eigenvalues(complete) == pytest.approx(16.0, abs=1e-6)
    # The hypercube of 16 has eigenvalue 2 next to 0: halves of 8 cut at least 8 / 2 * 2 = 8.
    vertex = np.arange(16)
    tails = np.concatenate([vertex[vertex & bit == 0] for bit in (1, 2, 4, 8)])
    heads = np.concatenate([vertex[vertex & bit == 0] | bit for bit in (1, 2, 4, 8)])
    cube = Request(Graph.from_edges(16, tails, heads), np.array([8, 8]))
    assert BY_NAME["order"].partition(cube).bound == 8.0
    assert BY_NAME["order"].partition(cube).status == "optimal"


def test_rounding_up_never_jumps_over_a_cut() -> None:
    graph = Graph.from_edges(3, [0, 1], [1, 2], [6.0, 4.0])
    assert rounded_up(graph, 4.0) == 4.0
    assert rounded_up(graph, 4.0 + 1e-7, 1e-6) == 4.0 + 1e-7
    assert rounded_up(graph, 4.1) == 6.0
    assert rounded_up(graph, -0.1) == 0.0
    assert rounded_up(graph, 1.9, 1e-6) == 2.0
    real = Graph.from_edges(3, [0, 1], [1, 2], [6.5, 4.0])
    assert rounded_up(real, 4.1) == 4.1


def test_one_part_and_no_edges_cut_nothing() -> None:
    for graph in (grid(3, 3), Graph.from_edges(9, [], [], [])):
        for sizes in ([9], [3, 3, 3]):
            for name in ("order", "kl", "dynamic"):
                answer = BY_NAME[name].partition(Request(graph, np.array(sizes)))
                if graph.edges == 0 or len(sizes) == 1:
                    assert (answer.cut, answer.bound, answer.status) == (0.0, 0.0, "optimal")
                    assert answer.gap == 0.0


def test_an_answer_within_the_bound_is_called_optimal() -> None:
    graph = grid(8, 8)
    answer = BY_NAME["order"].partition(Request(graph, equal_parts(graph, 32)))
    assert answer.cut == 8.0
    assert answer.bound <= 8.0


def test_blocks_of_a_large_grid_give_a_bound_that_is_worth_having() -> None:
    # 48 x 48 in blocks of 4 x 4: 2 * 11 * 48 = 1056 edges between them.
    graph = grid(48, 48)
    answer = BY_NAME["order"].partition(Request(graph, equal_parts(graph, 16)))
    assert 300.0 <= answer.bound <= 1056.0


def test_entries_prove_the_blocks_of_a_stencil() -> None:
    # 8 x 8 in blocks of 2 x 2: each keeps 4 edges, 112 - 16 * 4 = 48 are cut; eigenvalues give 35.
    request = Request(grid(8, 8), np.array([4] * 16), starts=2)
    assert lower_bound(request) == 35.0
    assert by_entries(request, 48.0) == 48.0
    answer = BY_NAME["portfolio"].partition(request)
    assert (answer.cut, answer.status) == (48.0, "optimal")


def test_entries_have_nothing_to_say_of_unequal_parts() -> None:
    assert by_entries(Request(grid(2, 3), np.array([4, 2])), 2.0) == -np.inf


def test_a_short_time_leaves_the_bound_by_neighbours() -> None:
    graph = drawn(60, 2, density=0.1)
    quick = lower_bound(Request(graph, equal_parts(graph, 6), time_limit_s=0.0))
    request = Request(graph, equal_parts(graph, 6))
    assert quick == rounded_up(graph, by_neighbours(request)) < lower_bound(request)
    answer = BY_NAME["portfolio"].partition(
        Request(graph, equal_parts(graph, 6), time_limit_s=1e-3)
    )
    assert answer.bound >= quick


def test_optimal_is_said_only_where_cut_and_bound_meet() -> None:
    ring = Graph.from_edges(6, range(6), [1, 2, 3, 4, 5, 0])
    request = Request(ring, np.array([3, 3]))
    halves = np.array([0, 0, 0, 1, 1, 1], dtype=np.int32)
    for bound, status in (
        (2.0, Status.OPTIMAL),
        (1.5, Status.FEASIBLE),
        (-np.inf, Status.FEASIBLE),
    ):
        answer = outcome(ring, halves, request.capacities, bound, "by hand")
        assert answer.status is status
        assert violations(ring, answer, [3, 3]) == []
    claimed = replace(answer, status=Status.OPTIMAL)
    assert "optimal is said" in " ".join(violations(ring, claimed, [3, 3]))
