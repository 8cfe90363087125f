"""The least cut of several partitions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from solvers.partition.graph import Graph, Parts
from solvers.partition.request import Request
from solvers.partition.starts import least_cut

PATH = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [5.0, 1.0, 5.0])  # halved in the middle: cut 1
WORST, MIDDLE, SAME = ([0, 1, 0, 1], [0, 0, 1, 1], [1, 1, 0, 0])  # cuts 11, 1 and 1


def partitions(*parts: list[int]) -> Iterator[Parts]:
    return (np.array(part, dtype=np.int32) for part in parts)


def test_the_least_cut_is_taken_and_of_equal_ones_the_first() -> None:
    request = Request(PATH, np.array([2, 2]))
    result = least_cut(request, partitions(WORST, MIDDLE, SAME), "by hand")
    assert (result.cut, result.part.tolist(), result.method) == (1.0, MIDDLE, "by hand")


def test_once_the_time_is_over_no_further_one_is_made() -> None:
    request = replace(Request(PATH, np.array([2, 2])), time_limit_s=0.0)
    made = partitions(WORST, MIDDLE)
    assert least_cut(request, made, "by hand").cut == 11
    assert next(made).tolist() == MIDDLE


def test_nothing_made_is_refused() -> None:
    with pytest.raises(ValueError, match="by hand made no partition"):
        least_cut(Request(PATH, np.array([2, 2])), iter([]), "by hand")
