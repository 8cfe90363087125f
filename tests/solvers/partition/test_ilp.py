from __future__ import annotations

import numpy as np
import pytest

from solvers.model.milp import ModelError
from solvers.partition import BY_NAME, Request, equal_parts, ilp, pins, violations
from solvers.partition.ilp import _equal, _point, _read, _unequal
from tests.solvers.partition.instances import drawn, grid

CASES = [
    ([5, 5], False, {}),
    ([5, 5], True, {0: 1, 3: 1, 4: 0}),
    ([2] * 5, True, {}),
    ([3, 3, 3, 1], False, {}),
    ([3, 3, 2, 2], True, {7: 0, 1: 1}),
    ([1, 2, 3, 4], True, {}),
    ([10], True, {}),
    ([1] * 10, False, {}),
]


@pytest.mark.parametrize(("sizes", "negative", "places"), CASES)
def test_the_program_finds_what_dynamic_programming_finds(
    sizes: list[int], negative: bool, places: dict[int, int]
) -> None:
    graph = drawn(10, 3, negative=negative, density=0.5)
    request = Request(graph, np.array(sizes), fixed=pins(10, places), starts=1)
    best = BY_NAME["dynamic"].partition(request)
    result = BY_NAME["ilp"].partition(request)
    assert (result.cut, result.status) == (best.cut, "optimal")
    assert violations(graph, result, sizes, request.fixed.tolist()) == []


def test_the_limit_of_unequal_parts_is_one_of_edges() -> None:
    """20,000 edges times parts: 740 edges of 27 parts, and here are 780."""
    graph = drawn(40, 1, density=1.0)
    assert graph.edges == 780
    parts = np.array([2] * 13 + [1] * 14)
    why_not = BY_NAME["ilp"].suits(Request(graph, parts))
    assert why_not is not None
    assert (why_not.why, why_not.most) == ("unequal", 740)
    assert BY_NAME["ilp"].suits(Request(graph, np.array([2] * 15 + [1] * 10))) is None


@pytest.mark.parametrize(
    ("sizes", "words"),
    [([4, 4, 4], {"together", "mates", "triangle"}),
     ([5, 4, 2, 1], {"x", "y", "one", "size", "tail", "head", "both"})],
)  # fmt: skip
def test_rows_and_columns_have_the_names_of_the_docstring(
    sizes: list[int], words: set[str]
) -> None:
    request = Request(drawn(12, 8, negative=True), np.array(sizes))
    model, _ = (_equal if request.equal else _unequal)(request, 4.0)
    names = {name.split("_")[0] for name in (*model.row_names, *model.column_names)}
    assert names == words
    assert all(f"*{word}*" in (ilp.__doc__ or "") for word in words - {"x", "y"})


@pytest.mark.parametrize("sizes", [[4, 4, 4], [5, 4, 2, 1]])
def test_a_partition_and_its_point_say_the_same(sizes: list[int]) -> None:
    graph = drawn(12, 8, negative=True)
    request = Request(graph, np.array(sizes))
    part = BY_NAME["dynamic"].partition(request)
    model, columns = (_equal if request.equal else _unequal)(request, 4.0)
    point = _point(request, model, columns, part.part)
    assert model.objective(point) * 4.0 == pytest.approx(part.cut)
    activity = model.row_activity(point)
    assert ((model.row_lower <= activity) & (activity <= model.row_upper)).all()
    again = _read(request, columns, point)
    assert ((again[:, None] == again) == (part.part[:, None] == part.part)).all()


def test_no_time_gives_the_start_with_the_quick_bound() -> None:
    graph = drawn(30, 1, density=0.3)
    request = Request(graph, equal_parts(graph, 6), time_limit_s=0.0)
    result = BY_NAME["ilp"].partition(request)
    assert violations(graph, result, [6] * 5) == []
    assert result.bound > 0.0


def test_too_large_a_graph_is_refused() -> None:
    graph = grid(9, 9)
    with pytest.raises(ModelError, match="81 vertices"):
        BY_NAME["ilp"].partition(Request(graph, equal_parts(graph, 9)))
