"""Matrices whose rows begin with the last rank: what is refused, what warned of, what silent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scenarios import ScenarioError
from scenarios.communication.reader import read_communication
from tests.scenarios.test_read_falsely import written
from tests.shared_data import COMMUNICATION, needs_data


def grid(*sides: int, wrapped: bool = False, one_way: bool = False) -> np.ndarray[Any, Any]:
    """Neighbours on a grid send the same amount: a chain, a ring, a sweep, a stencil."""
    ranks = np.arange(np.prod(sides)).reshape(sides)
    matrix = np.zeros((ranks.size, ranks.size), dtype=int)
    for axis, side in enumerate(sides):
        lines = np.moveaxis(ranks, axis, 0)
        for here in range(side if wrapped else side - 1):
            first, second = lines[here].ravel(), lines[(here + 1) % side].ravel()
            matrix[first, second] = 100
            matrix[second, first] = matrix[second, first] if one_way else 100
    return matrix


def butterfly(ranks: int) -> np.ndarray[Any, Any]:
    distance = np.bitwise_xor.outer(np.arange(ranks), np.arange(ranks))
    return np.where((distance > 0) & (distance & (distance - 1) == 0), 100, 0)


def tree(ranks: int) -> np.ndarray[Any, Any]:
    matrix = np.zeros((ranks, ranks), dtype=int)
    children = np.arange(1, ranks)
    matrix[(children - 1) // 2, children] = 100
    return matrix + matrix.T


def unequal(matrix: np.ndarray[Any, Any], *, both_ways: bool) -> np.ndarray[Any, Any]:
    """The same pairs with other amounts, equal both ways or off by up to 5 %."""
    extra = np.random.default_rng(0).integers(0, 5, matrix.shape)
    extra = np.maximum(extra, extra.T) if both_ways else extra
    return np.where(matrix > 0, matrix + extra, 0)


def seen(folder: Path, matrix: np.ndarray[Any, Any]) -> str:
    """What a reader does about the order of the rows."""
    try:
        remarks = read_communication(written(folder, matrix)).remarks
    except ScenarioError as error:
        assert "use --row-order reversed" in str(error)  # noqa: PT017 - the only error
        return "refused"
    assert {each.kind for each in remarks} <= {"ranks-row-order", "ranks-distances"}
    return "warned" if remarks else "silent"


STENCIL, CUBE = grid(4, 4), grid(3, 3, 4)


@pytest.mark.parametrize(
    ("right", "expected"),
    [
        (unequal(STENCIL, both_ways=True), "refused"),
        (unequal(CUBE, both_ways=True), "refused"),
        (unequal(grid(9), both_ways=True), "refused"),
        (unequal(grid(5, 6, wrapped=True), both_ways=True), "refused"),
        (unequal(butterfly(16), both_ways=True), "refused"),
        (tree(16), "warned"),
        (unequal(STENCIL, both_ways=False), "warned"),
        (unequal(CUBE, both_ways=False), "warned"),
        (STENCIL, "warned"),
        (STENCIL + np.diag(np.arange(16)), "warned"),
        (grid(8, wrapped=True, one_way=True), "warned"),
        (grid(4, 4, one_way=True), "warned"),
        (grid(17, one_way=True), "warned"),
    ],
)
def test_a_sparse_matrix_that_is_upside_down_is_seen_without_entries_on_its_diagonal(
    right: np.ndarray[Any, Any], expected: str, tmp_path: Path
) -> None:
    assert seen(tmp_path, right[::-1]) == expected
    assert seen(tmp_path, right) == "silent"


@pytest.mark.parametrize(
    "right",
    [grid(ranks, one_way=True) for ranks in (2, 3, 5, 16)]
    + [grid(ranks, wrapped=True, one_way=True) for ranks in (3, 4, 9)]
    + [grid(2, 2, one_way=True), grid(4, 4, one_way=True) + np.diag([9] * 3 + [0] * 13)]
    + [grid(8, 8, one_way=True) + 2 * grid(8, 8, one_way=True).T]
    + [np.kron(np.eye(4, dtype=int), np.eye(1, 16).reshape(4, 4).astype(int) + np.eye(4, k=-1))],
)
def test_one_way_messages_that_are_symmetric_from_the_last_row_up_are_read_as_they_are(
    right: np.ndarray[Any, Any], tmp_path: Path
) -> None:
    assert seen(tmp_path, right) == "silent"


@needs_data
@pytest.mark.parametrize("name", ["bt.W.16", "cg.W.32", "lu.W.64", "mg.W.16"])
def test_measured_matrices_are_read_silently_and_upside_down_ones_are_seen(
    name: str, tmp_path: Path
) -> None:
    right = np.loadtxt(COMMUNICATION / f"{name}.p2p.bytes.csv", delimiter=",")
    assert seen(tmp_path, right) == "silent"
    assert seen(tmp_path, right[::-1]) != "silent"
