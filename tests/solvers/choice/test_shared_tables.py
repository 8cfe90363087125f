"""Classes that share tables against the same problem with a table for each class."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from solvers.choice import Choice, problem, solve_choice, violations
from tests.sizes import few
from tests.solvers.choice.instances import SHAPES, enumerated, random_choice


def pair(seed: int, shape: str, resources: int = 2, classes: int = 6) -> tuple[Choice, Choice]:
    """Classes of three tables, each with its costs times 1, 2, 2.5 or -1: shared, and expanded."""
    three = random_choice(seed, shape, classes=3, resources=resources)
    rng = np.random.default_rng([seed, resources])
    tables = [(three.cost[a:b], three.weights[a:b]) for a, b in itertools.pairwise(three.starts)]
    drawn, factor = rng.integers(0, 3, classes), rng.choice([1.0, 2.0, 2.5, -1.0], classes)
    budgets = np.round(three.budgets * classes / 3, 3)
    shared = Choice.from_tables(tables, budgets, table=drawn, factor=factor, sense=three.sense)
    each = [(f * tables[t][0], tables[t][1]) for t, f in zip(drawn, factor, strict=True)]
    return shared, Choice.from_tables(each, budgets, sense=three.sense)


@pytest.mark.parametrize("resources", [1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_answers_are_those_of_the_expanded_problem(shape: str, resources: int) -> None:
    for seed in range(few(40, least=8)):
        shared, expanded = pair(seed, shape, resources)
        best = enumerated(expanded)
        for proof in ("always", "never"):
            one = solve_choice(shared, proof=proof)
            two = solve_choice(expanded, proof=proof)
            assert (best is None) == (one.chosen is None), (shape, seed)
            for name in ("status", "objective", "bound", "level", "nodes", "model_digest"):
                values = [getattr(result.certificate, name) for result in (one, two)]
                assert values[0] == values[1], (shape, seed, name)
            if one.chosen is None or two.chosen is None:
                continue
            assert one.chosen.tolist() == two.chosen.tolist()
            np.testing.assert_array_equal(one.totals, two.totals)
            assert violations(shared, one.chosen) == []
            assert one.rows is not None
            assert shared.cost[one.rows] @ shared.factor == pytest.approx(one.objective)


def test_a_choice_over_a_budget_is_found_in_shared_tables() -> None:
    # Two classes of one table: its second items weigh 3 each, within 5 only one of them.
    shared = Choice.from_tables([([2, 1], [[0], [3]])], [5], table=[0, 0], factor=[1, 4])
    assert violations(shared, [1, 3]) == ["resource 0: 6 is 1 over 5"]
    # 1 x 2 + 4 x 1 is less than 1 x 1 + 4 x 2
    assert solve_choice(shared).objective == 6.0


def test_chunks_of_shared_tables_are_the_items_in_their_order() -> None:
    shared, expanded = pair(3, "free")
    assert not shared.plain
    assert expanded.plain
    for first, last in ((0, 6), (2, 4), (5, 6)):
        part = slice(expanded.starts[first], expanded.starts[last])
        assert np.array_equal(shared.costs_between(first, last), expanded.cost[part])
        assert np.array_equal(shared.weights_between(first, last), expanded.weights[part])
    every = np.arange(shared.items)
    assert np.array_equal(shared.costs_of(every), expanded.cost)
    assert np.array_equal(shared.weights_of(every), expanded.weights)


def test_a_table_of_one_class_is_not_plain_if_its_costs_are_multiplied() -> None:
    scaled = Choice.from_tables([([3, 1], [[0], [2]])], [3], factor=[2])
    assert scaled.costs_between(0, 1).tolist() == [6.0, 2.0]
    assert scaled.digest == Choice.from_tables([([6, 2], [[0], [2]])], [3]).digest


@pytest.mark.parametrize("chunk", [1, 9])
def test_chunks_hold_every_class_once(monkeypatch: pytest.MonkeyPatch, chunk: int) -> None:
    digest = pair(3, "free")[0].digest
    monkeypatch.setattr(problem, "_CHUNK", chunk)
    shared, _ = pair(3, "free")
    assert len([*shared.chunks()]) > 1
    assert [j for first, last in shared.chunks() for j in range(first, last)] == [*range(6)]
    assert shared.digest == digest
