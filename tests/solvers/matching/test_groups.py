"""Groups against brute force, and the bound of column generation."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, combinations_with_replacement

import numpy as np
import pytest

from solvers.matching import groups as module
from solvers.matching.groups import Groups, choose
from tests.sizes import few


def drawn(number: int, vertices: int, rows: int = 1) -> Groups:
    rng = np.random.default_rng([2106, number])
    every = [each for k in (2, 3) for each in combinations(range(vertices), k)]
    members = np.array([(*each, -1)[:3] for each in every], dtype=np.int64)
    worth = rng.uniform(0.0, 1.0, len(every)) * np.array([len(each) for each in every])
    coefficients = rng.uniform(-1.0, 1.0, (rows, len(every)))
    return Groups(
        np.ones(vertices, dtype=np.int64), members, worth, coefficients, np.full(rows, -0.5)
    )


def of_kinds(number: int) -> Groups:
    """Multisets of kinds of which there are several copies."""
    rng = np.random.default_rng([711, number])
    copies = rng.integers(1, 4, 3)
    every = [e for k in (2, 3) for e in combinations_with_replacement(range(3), k)
             if all(e.count(kind) <= copies[kind] for kind in e)]  # fmt: skip
    members = np.array([(*each, -1)[:3] for each in every], dtype=np.int64)
    worth = np.round(rng.uniform(0.0, 1.0, len(every)), 1 + number % 3)
    coefficients = rng.uniform(-1.0, 1.0, (1, len(every)))
    return Groups(copies, members, worth, coefficients, np.full(1, -0.5))


def best(groups: Groups) -> float:
    """By trying all choices, group by group, each as often as it fits."""

    def extend(first: int, left: np.ndarray, worth: float, sums: np.ndarray) -> float:
        result = worth if (sums >= groups.lower - 1e-9).all() else -np.inf
        for g in range(first, len(groups.worth)):
            members = groups.members[g]
            rest = left - np.bincount(members[members >= 0], minlength=len(left))
            if (rest >= 0).all():
                further = sums + groups.rows[:, g]
                result = max(result, extend(g, rest, worth + groups.worth[g], further))
        return result

    return extend(0, groups.copies, 0.0, np.zeros(len(groups.lower)))


@pytest.mark.parametrize("solver", ["highs", "cbc"])
@pytest.mark.parametrize("number", range(few(20)))
def test_groups_are_worth_as_much_as_by_brute_force(solver: str, number: int) -> None:
    groups = drawn(number, 3 + number % 4)
    result = choose(groups, solver=solver)
    assert result.certificate.objective == pytest.approx(best(groups), abs=1e-7)
    assert result.certificate.status == "optimal"


@pytest.mark.parametrize("number", range(few(300)))
def test_copies_of_kinds_are_used_as_often_as_by_brute_force(number: int) -> None:
    groups = of_kinds(number)
    result = choose(groups)
    assert result.certificate.objective == pytest.approx(best(groups), abs=1e-7)
    assert result.groups is not None
    used = groups.members[result.groups]
    assert (np.bincount(used[used >= 0], minlength=3) <= groups.copies).all()


@pytest.mark.parametrize("number", range(few(10)))
def test_column_generation_finds_the_same_and_bounds_it(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = drawn(number, 12)
    whole = choose(groups).certificate
    for name, value in {"MOST_AT_ONCE": 10, "_FIRST": 5, "_NEW": 7}.items():
        monkeypatch.setattr(module, name, value)
    generated = choose(groups).certificate
    assert generated.objective == pytest.approx(whole.objective, rel=1e-6)
    assert generated.bound is not None
    assert whole.objective is not None
    assert generated.bound >= whole.objective - 1e-7


def test_any_prices_bound_every_choice() -> None:
    groups = drawn(1, 6)
    rng = np.random.default_rng(0)
    optimum = best(groups)
    for _ in range(50):
        assert groups.bound(rng.uniform(0.0, 2.0, 7)) >= optimum - 1e-9


def test_rows_that_nothing_satisfies_are_infeasible() -> None:
    groups = drawn(0, 4)
    result = choose(replace(groups, rows=-np.abs(groups.rows), lower=np.ones(1)))
    assert result.groups is None
    assert result.certificate.status == "infeasible"
