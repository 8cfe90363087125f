"""Partition functions: equal groups, against brute force, and what they refuse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planner.aggregation.engine import GROUPINGS, Engine
from planner.aggregation.grouping import Floats
from planner.errors import InputError
from tests.sizes import few


def symmetric(seed: int, tasks: int) -> Floats:
    """Weights of either sign, some pairs silent."""
    rng = np.random.default_rng(seed)
    half = np.triu(rng.normal(size=(tasks, tasks)) * (rng.random((tasks, tasks)) < 0.6), 1)
    answer: Floats = half + half.T
    return answer


def apart(weights: Floats, groups: list[list[int]]) -> float:
    """Weight between groups."""
    return float(weights.sum() - sum(weights[np.ix_(g, g)].sum() for g in groups)) / 2


def partitions(left: tuple[int, ...], size: int) -> Iterator[list[list[int]]]:
    if not left:
        yield []
        return
    first, *rest = left
    for others in combinations(rest, size - 1):
        remaining = tuple(v for v in rest if v not in others)
        for more in partitions(remaining, size):
            yield [[first, *others], *more]


@pytest.mark.parametrize("name", GROUPINGS)
@settings(max_examples=few(8), deadline=None)
@given(seed=st.integers(0, 10**6), size=st.sampled_from([2, 4]))
def test_groups_are_equal_and_hold_each_task_once(name: str, seed: int, size: int) -> None:
    weights = symmetric(seed, 8)
    groups = Engine(name, starts=2)(weights, size)
    assert [len(g) for g in groups] == [size] * (8 // size)
    assert sorted(v for g in groups for v in g) == list(range(8))
    assert groups == sorted(sorted(g) for g in groups)


@pytest.mark.parametrize("seed", range(5))
def test_the_exact_one_is_the_best_of_all(seed: int) -> None:
    weights = symmetric(seed, 8)
    best = min(apart(weights, each) for each in partitions(tuple(range(8)), 4))
    assert apart(weights, Engine("dynamic")(weights, 4)) == pytest.approx(best)
    order = apart(weights, Engine("order")(weights, 4))
    assert best - 1e-12 <= apart(weights, Engine("kl")(weights, 4)) <= order + 1e-12


def test_heavy_pairs_share_a_group_and_negative_ones_do_not() -> None:
    # 0-3 and 1-2 gain together; 0-1 and 2-3, neighbours in rank order, lose
    weights = np.zeros((4, 4))
    for a, b, w in ((0, 3, 5.0), (1, 2, 4.0), (0, 1, -3.0), (2, 3, -3.0)):
        weights[a, b] = weights[b, a] = w
    for name in GROUPINGS[1:]:
        assert Engine(name)(weights, 2) == [[0, 3], [1, 2]]
    assert Engine("order")(weights, 2) == [[0, 1], [2, 3]]


@pytest.mark.parametrize("name", GROUPINGS)
def test_who_exchanges_nothing_stays_in_rank_order(name: str) -> None:
    assert Engine(name)(np.zeros((6, 6)), 2) == [[0, 1], [2, 3], [4, 5]]


def test_what_cannot_be_grouped_is_refused() -> None:
    with pytest.raises(InputError, match="unknown grouping 'metis'; give one of order, kl, multi"):
        Engine("metis")
    with pytest.raises(InputError, match=r"grouping dynamic: .*20.*; use kl or portfolio"):
        Engine("dynamic")(symmetric(0, 24), 4)
