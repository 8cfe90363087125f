"""Equal classes counted: the program of kinds against every choice."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from solvers.choice import Choice, solve_choice, violations
from solvers.choice.dominance import filtered
from solvers.choice.kinds import kinds_of, solve_kinds
from solvers.choice.outcome import ChoiceResult, Evidence
from solvers.choice.request import Request
from solvers.model.result import Level, Status
from solvers.proofs.exact import decimal
from tests.sizes import few
from tests.solvers.choice.instances import SHAPES, enumerated, random_choice


def repeated(seed: int, shape: str, classes: int = 6) -> Choice:
    """Classes of two tables; the first also at twice its cost, which makes it another kind."""
    base = random_choice(seed, shape, classes=2)
    rng = np.random.default_rng(seed)
    tables = [(base.cost[a:b], base.weights[a:b]) for a, b in itertools.pairwise(base.starts)]
    tables.append((2 * tables[0][0], tables[0][1]))
    drawn = rng.integers(0, 3, classes)
    budgets = np.round(base.budgets * classes / 2, 3)
    return Choice.from_tables([tables[t] for t in drawn], budgets)


def by_kinds(problem: Choice, gap: float = 1e-9) -> ChoiceResult | None:
    """The answer of the program alone; ``None`` where too few classes are equal."""
    remaining = filtered(problem)
    kinds = kinds_of(remaining)
    if kinds is None or (np.diff(remaining.starts) == 0).any():
        return None
    evidence = Evidence(problem)
    solve_kinds(evidence, remaining, kinds, Request(gap, None, 0, True, None, True))
    return evidence.result(gap, 0, 0.0, 0.0)


@pytest.mark.parametrize("shape", SHAPES)
def test_counts_equal_enumeration(shape: str) -> None:
    """Chosen items cost what the best of all choices costs, and fit; or nothing fits."""
    counted = 0
    for seed in range(few(50, least=12)):
        problem = repeated(seed, shape)
        best = enumerated(problem)
        every = [solve_choice(problem, gap=0), by_kinds(problem)]
        counted += every[1] is not None
        for result in filter(None, every):
            if best is None:
                assert result.status is Status.INFEASIBLE, (shape, seed)
                continue
            assert result.chosen is not None, (shape, seed)
            assert not violations(problem, result.chosen)
            cost = sum(map(Fraction, map(decimal, problem.cost[result.chosen].tolist())))
            assert cost - best <= abs(best) * Fraction(1, 10**8), (shape, seed)
    assert counted >= few(50, least=12) // 2


@pytest.mark.parametrize("shape", SHAPES)
def test_no_choice_is_better_than_the_bound_of_a_search_that_ends_early(shape: str) -> None:
    for seed in range(few(50, least=12)):
        problem = repeated(seed, shape)
        best, result = enumerated(problem), by_kinds(problem, gap=0.5)
        if best is not None and result is not None and result.bound is not None:
            assert Fraction(result.bound) <= best + abs(best) * Fraction(1, 10**9), (shape, seed)


def test_equal_jobs_are_proved_where_permutations_hide_the_optimum() -> None:
    """Two hundred classes of four kinds: samples of changes left a gap of 1e-4 here."""
    rng = np.random.default_rng(3)
    nodes = np.arange(2.0, 12.0)
    tables = [
        (1000 / nodes ** rng.uniform(0.5, 1), np.column_stack([nodes, nodes * watts]))
        for watts in rng.uniform(100, 300, (4, 10))
    ]
    drawn = rng.integers(0, 4, 200)
    problem = Choice.from_tables([tables[t] for t in drawn], [1000, 200_000])
    result = solve_choice(problem, gap=1e-6)
    assert (result.status, result.certificate.level) == (Status.OPTIMAL, Level.PROVED)
    assert result.chosen is not None
    assert not violations(problem, result.chosen)


def test_classes_that_differ_are_no_kinds() -> None:
    assert kinds_of(filtered(random_choice(1, "free", classes=40))) is None
