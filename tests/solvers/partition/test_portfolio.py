from __future__ import annotations

import numpy as np
import pytest

from solvers.partition import BY_NAME, Request, equal_parts, pins, violations
from solvers.partition.graph import inner
from tests.solvers.partition.instances import drawn, grid


@pytest.mark.parametrize("name", [name for name in BY_NAME if name != "ilp"])
@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize("sizes", [[4, 4, 4], [2] * 6, [5, 4, 3], [12], [1] * 12])
def test_every_partitioner_lies_between_bound_and_baseline(
    name: str, negative: bool, sizes: list[int]
) -> None:
    graph = drawn(12, 11, negative=negative, density=0.5)
    for places in ({}, {5: 0}, {0: len(sizes) - 1, 11: 0}):
        request = Request(graph, np.array(sizes), fixed=pins(12, places), starts=2)
        if BY_NAME[name].suits(request):
            continue
        least = BY_NAME["dynamic"].partition(request).cut
        answer = BY_NAME[name].partition(request)
        assert violations(graph, answer, sizes, request.fixed.tolist()) == []
        assert answer.bound <= least <= answer.cut
        if name not in {"order", "multilevel"}:
            assert answer.cut <= BY_NAME["order"].partition(request).cut


def test_the_portfolio_is_exact_where_that_is_quick() -> None:
    for graph, size, method in (
        (drawn(16, 1), 4, "dynamic"),
        (drawn(60, 1, density=0.1), 2, "matching"),
    ):
        answer = BY_NAME["portfolio"].partition(Request(graph, equal_parts(graph, size)))
        assert (answer.status, answer.method) == ("optimal", method)


def test_the_portfolio_proves_a_grid_of_24() -> None:
    # 4 x 6 in three blocks of 4 x 2: 2 * 4 = 8 edges between them.
    graph = grid(4, 6)
    answer = BY_NAME["portfolio"].partition(Request(graph, equal_parts(graph, 8), starts=2))
    assert (answer.cut, answer.status) == (8.0, "optimal")


def test_the_inner_graph_is_that_of_the_matrix() -> None:
    graph = drawn(15, 9, negative=True)
    some = np.array([1, 4, 5, 9, 14])
    assert (inner(graph, some).dense() == graph.dense()[np.ix_(some, some)]).all()


def test_no_time_still_gives_a_sound_answer() -> None:
    graph = drawn(60, 2, density=0.1)
    for name in ("portfolio", "multilevel", "kl", "order", "ilp"):
        request = Request(graph, equal_parts(graph, 5), time_limit_s=0.0)
        answer = BY_NAME[name].partition(request)
        assert violations(graph, answer, [5] * 12) == []


def test_the_same_request_has_the_same_answer() -> None:
    graph = drawn(60, 6, density=0.1)
    answers = [
        BY_NAME["portfolio"].partition(Request(graph, equal_parts(graph, 6), seed=4, starts=2))
        for _ in range(2)
    ]
    assert answers[0].part.tolist() == answers[1].part.tolist()
