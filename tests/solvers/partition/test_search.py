from __future__ import annotations

from itertools import count

import numpy as np
import pytest

import solvers.partition.request
import solvers.partition.search
from solvers.partition import BY_NAME, Graph, Request, cut, equal_parts, pins, violations
from solvers.partition.order import in_order
from solvers.partition.search import Incumbent, Search
from tests.solvers.partition.instances import drawn, grid


@pytest.fixture
def ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that goes on by a second each time that it is read."""
    seconds = count()
    monkeypatch.setattr(solvers.partition.request, "clock", lambda: float(next(seconds)))


def begun(asked: Request) -> Search:
    start = in_order(asked, np.arange(asked.graph.vertices))
    return Search(asked, Incumbent(start, cut(asked.graph, start), "order"))


@pytest.mark.usefixtures("ticks")
@pytest.mark.parametrize("vertices", [48, 480])
def test_more_time_never_cuts_more(vertices: int) -> None:
    graph = drawn(vertices, 5, density=6 / vertices, real=True)
    cuts = []
    for limit in (0.0, 1.0, 2.0, 4.0, 7.0, 12.0, 20.0, 40.0):
        instance = Request(graph, equal_parts(graph, 6), seed=3, time_limit_s=limit)
        search = begun(instance)
        search.until(-np.inf)
        assert search.best.weight == cut(graph, search.best.part)
        assert np.bincount(search.best.part).tolist() == [6] * (vertices // 6)
        cuts.append(search.best.weight)
    assert cuts == sorted(cuts, reverse=True)
    assert cuts[-1] < cuts[0]


@pytest.mark.usefixtures("ticks")
def test_the_time_is_kept() -> None:
    # Whoever looks at the clock once more after the limit has begun something too late.
    graph = drawn(60, 5, density=0.1)
    instance = Request(graph, equal_parts(graph, 6), time_limit_s=30.0)
    BY_NAME["portfolio"].partition(instance)
    assert solvers.partition.request.clock() - instance.began <= 40


def test_rounds_end_once_the_bound_is_met() -> None:
    # 4 x 6 in blocks of 4 x 2 cuts 8.
    graph = grid(4, 6)
    search = begun(Request(graph, equal_parts(graph, 8), time_limit_s=60.0))
    search.until(8.0)
    assert search.best.weight == 8.0


def test_effort_grows_with_the_starts_and_never_hurts() -> None:
    graph = drawn(90, 2, density=0.08, real=True)
    cuts = []
    for starts in (1, 10, 40):
        search = begun(Request(graph, equal_parts(graph, 9), starts=starts))
        search.run()
        cuts.append(search.best.weight)
    assert cuts[0] >= cuts[1] >= cuts[2]


def test_near_a_cut_of_nothing_exchanges_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    # 02|13 cuts 100 - 100 = 0, and 01|23 cuts 0.3, which is near beside weights of 200.3.
    graph = Graph.from_edges(4, [0, 2, 0], [1, 3, 2], [100.0, -100.0, 0.3])
    instance = Request(graph, np.array([2, 2]))
    part = np.array([0, 1, 0, 1], dtype=np.int32)
    near = np.array([0, 0, 1, 1], dtype=np.int32)
    refined: list[list[int]] = []

    def seen(_: Request, found: np.ndarray) -> np.ndarray:
        refined.append(found.tolist())
        return found

    monkeypatch.setattr(solvers.partition.search, "annealed", lambda *_: near)
    monkeypatch.setattr(solvers.partition.search, "refine", seen)
    Search(instance, Incumbent(part, cut(graph, part), "order")).run()
    assert near.tolist() in refined


def test_a_run_can_be_continued() -> None:
    graph = drawn(90, 2, density=0.08, real=True)
    once = begun(Request(graph, equal_parts(graph, 9), starts=12))
    once.run()
    twice = begun(Request(graph, equal_parts(graph, 9), starts=1))
    twice.run()
    weight = twice.best.weight
    twice.run()
    assert once.best.weight <= twice.best.weight <= weight


@pytest.mark.parametrize("negative", [False, True])
def test_the_portfolio_keeps_pins_and_sizes_of_larger_graphs(negative: bool) -> None:
    graph = drawn(450, 7, density=0.01, negative=negative)
    sizes = [30, 60, 10, 100, 250]
    instance = Request(graph, np.array(sizes), starts=1, fixed=pins(450, {0: 4, 100: 2, 449: 0}))
    answer = BY_NAME["portfolio"].partition(instance)
    assert violations(graph, answer, sizes, instance.fixed.tolist()) == []
    assert answer.cut < BY_NAME["order"].partition(instance).cut


def test_what_is_found_in_the_time_left_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    # 6 x 8 in blocks of 3 x 4 cuts 8 + 6; they are found in the last rounds only.
    graph = grid(6, 8)
    blocks = np.kron([[0, 1], [2, 3]], np.ones((3, 4), dtype=np.int32)).ravel().astype(np.int32)
    monkeypatch.setattr(Search, "run", lambda _: None)
    monkeypatch.setattr(
        Search, "until", lambda self, _: self.best.offer(self.request, blocks, "until")
    )
    instance = Request(graph, equal_parts(graph, 12), time_limit_s=60.0)
    assert BY_NAME["portfolio"].partition(instance).cut == 14.0


def test_a_shuffled_grid_is_cut_into_squares() -> None:
    # 16 x 16 in squares of 4 x 4: 2 * 3 * 16 = 96.
    label = np.random.default_rng(2).permutation(256)
    plain = grid(16, 16)
    graph = Graph.from_edges(256, label[plain.tails], label[plain.neighbours], 0.5)
    answer = BY_NAME["portfolio"].partition(Request(graph, equal_parts(graph, 16), starts=10))
    assert answer.cut == 96.0
