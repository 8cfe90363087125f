from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from solvers.model.milp import ModelError
from solvers.partition import BY_NAME, Graph, Request, equal_parts, violations
from solvers.partition.metis import small_integers
from tests.solvers.partition.instances import drawn, grid


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """A module that answers as METIS does, with sizes that are out by a few."""
    request: list[dict[str, Any]] = []

    def part_graph(parts: int, **given: Any) -> tuple[int, list[int]]:
        request.append(given)
        vertices = len(given["adjacency"][0]) - 1
        return 0, [min(parts - 1, v * parts // (vertices + 3)) for v in range(vertices)]

    module = ModuleType("pymetis")
    module.__spec__ = ModuleSpec("pymetis", None)
    module.part_graph = part_graph  # type: ignore[attr-defined]
    module.CSRAdjacency = lambda starts, ends: (starts, ends)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pymetis", module)
    return request


def test_loose_sizes_become_exact(stand_in: list[dict[str, Any]]) -> None:
    graph = grid(6, 6)
    answer = BY_NAME["metis"].partition(Request(graph, equal_parts(graph, 6)))
    assert violations(graph, answer, [6] * 6) == []
    assert stand_in[0]["adjacency"][0].tolist() == graph.starts.tolist()
    assert stand_in[0]["eweights"].tolist() == [1] * (2 * graph.edges)


def test_what_it_cannot_take_is_refused(stand_in: list[dict[str, Any]]) -> None:
    for graph, sizes, message in (
        (drawn(6, 1, negative=True), [3, 3], "negative"),
        (drawn(6, 1), [4, 2], "equal"),
    ):
        with pytest.raises(ModelError, match=message):
            BY_NAME["metis"].partition(Request(graph, np.array(sizes)))


@pytest.mark.skipif(find_spec("pymetis") is not None, reason="pymetis is installed")
def test_without_it_the_extra_is_named() -> None:
    unsuited = BY_NAME["metis"].suits(Request(grid(2, 2), np.array([2, 2])))
    assert unsuited is not None
    assert (unsuited.why, unsuited.most) == ("missing", None)
    assert "fast" in str(unsuited)


def test_weights_become_integers_that_fit() -> None:
    graph = Graph.from_edges(3, [0, 1], [1, 2], [1e12, 0.25])
    assert sorted(small_integers(graph, 1000).tolist()) == [1, 1, 998, 998]
    coarse = Graph.from_edges(3, [0, 1], [1, 2], [12.0, 18.0])
    assert sorted(small_integers(coarse, 1000).tolist()) == [2, 2, 3, 3]


@pytest.mark.skipif(find_spec("pymetis") is None, reason="needs the extra 'fast'")
def test_the_real_one_answers() -> None:
    graph = grid(16, 16)
    answer = BY_NAME["metis"].partition(Request(graph, equal_parts(graph, 16)))
    assert violations(graph, answer, [16] * 16) == []
