from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from solvers.model.milp import ModelError
from solvers.partition import BY_NAME, FREE, Graph, Request, cut, equal_parts, pins, violations
from tests.solvers.partition.instances import drawn, grid


def test_a_triangle_and_a_tail_by_hand() -> None:
    # 0-1: 4, 1-2: 3, 0-2: 2, 2-3: 1. {0, 1} against {2, 3} cuts 3 + 2; {0, 1, 2} alone cuts 1.
    graph = Graph.from_edges(4, [0, 1, 0, 2], [1, 2, 2, 3], [4, 3, 2, 1])
    assert cut(graph, [0, 0, 1, 1]) == 5.0
    assert cut(graph, [0, 0, 0, 1]) == 1.0
    assert cut(graph, [0, 0, 0, 0]) == 0.0
    assert (graph.edges, graph.total, graph.step) == (4, 10.0, 1.0)


def test_a_matrix_counts_both_directions_and_repeated_edges_add_up() -> None:
    graph = Graph.from_matrix([[7.0, 1.0, 0.0], [2.0, 0.0, -3.0], [0.0, 3.0, 0.0]])
    assert graph.edges == 1
    assert graph.dense()[0, 1] == graph.dense()[1, 0] == 3.0
    again = Graph.from_edges(3, [0, 1, 2], [1, 0, 2], [1.0, 2.0, 5.0])
    assert again.digest == graph.digest


def test_the_cut_is_correctly_rounded_over_twenty_four_orders_of_magnitude() -> None:
    graph = Graph.from_edges(4, [0, 0, 0], [1, 2, 3], [1e12, -1e12, 1e-12])
    assert cut(graph, [0, 1, 1, 1]) == 1e-12


def test_integers_are_exact_for_every_float() -> None:
    graph = drawn(7, 3, real=True)
    counts, unit = graph.integers()
    assert [Fraction(w) for w in graph.weights.tolist()] == [count * unit for count in counts]


def test_the_step_divides_every_weight_or_is_none() -> None:
    assert Graph.from_edges(3, [0, 1], [1, 2], [12.0, -18.0]).step == 6.0
    assert Graph.from_edges(3, [0, 1], [1, 2], [12.0, 0.5]).step == 0.0
    assert Graph.from_edges(2, [], [], []).step == 0.0


BROKEN: dict[str, Callable[[], object]] = {
    "vertex": lambda: Graph([0], [], []),  # type: ignore[arg-type]
    "to itself": lambda: Graph([0, 1], [0], [1.0]),  # type: ignore[arg-type]
    "both ends": lambda: Graph([0, 1, 1], [1], [1.0]),  # type: ignore[arg-type]
    "same weight": lambda: Graph([0, 1, 2], [1, 0], [1.0, 2.0]),  # type: ignore[arg-type]
    "weighs nan": lambda: Graph([0, 1, 2], [1, 0], [np.nan, 1.0]),  # type: ignore[arg-type]
    "infinity": lambda: Graph.from_edges(3, [0, 1], [1, 2], [1.7e308, 1.7e308]),
    "outside": lambda: Graph.from_edges(2, [0], [2]),
    "square": lambda: Graph.from_matrix([[1.0, 2.0]]),
    "ascend": lambda: Graph([0, 2, 1], [1], [1.0]),  # type: ignore[arg-type]
    "add up to 3": lambda: Request(grid(2, 2), np.array([2, 1])),
    "at least 1": lambda: Request(grid(2, 2), np.array([4, 0])),
    "pinned to part 1": lambda: Request(grid(2, 2), np.array([3, 1]), fixed=pins(4, {0: 1, 2: 1})),
    "pinned outside": lambda: Request(grid(2, 2), np.array([4]), fixed=pins(4, {0: 1})),
    "starts": lambda: Request(grid(2, 2), np.array([4]), starts=0),
    "time_limit_s": lambda: Request(grid(2, 2), np.array([4]), time_limit_s=-1.0),
    "parts of 3": lambda: equal_parts(grid(2, 2), 3),
    "shape": lambda: Request(grid(2, 2), np.array([4]), fixed=np.zeros(3, dtype=np.int32)),
}


@pytest.mark.parametrize("place", BROKEN)
def test_bad_input_is_refused_where_it_stands(place: str) -> None:
    with pytest.raises(ModelError, match=place):
        BROKEN[place]()


def test_the_checker_finds_every_kind_of_fault() -> None:
    graph = grid(2, 2)
    good = BY_NAME["order"].partition(Request(graph, equal_parts(graph, 2)))
    assert violations(graph, good, [2, 2]) == []
    assert "holds" in violations(graph, good, [1, 3])[0]
    assert "pinned" in violations(graph, good, [2, 2], [1, FREE, FREE, FREE])[0]
    assert "the cut is" in violations(graph, replace(good, cut=good.cut + 1), [2, 2])[0]
    assert "bound" in violations(graph, replace(good, bound=good.cut + 1), [2, 2])[0]
    short = replace(good, part=good.part[:3])
    assert "3 vertices" in violations(graph, short, [2, 2])[0]
    outside = replace(good, part=np.array([0, 0, 1, 2], dtype=np.int32))
    assert "outside" in violations(graph, outside, [2, 2])[0]
