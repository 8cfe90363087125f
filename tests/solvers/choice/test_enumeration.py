"""Small instances of every shape against enumeration."""

from __future__ import annotations

import pytest

import solvers.choice.lagrangian as search
from solvers import Level, Status
from solvers.choice import solve_choice, violations
from tests.solvers.choice.instances import SHAPES, enumerated, random_choice


@pytest.mark.parametrize("resources", [0, 1, 2, 3])
@pytest.mark.parametrize("shape", SHAPES)
def test_small_choices_are_solved_to_the_enumerated_optimum(shape: str, resources: int) -> None:
    for seed in range(12):
        problem = random_choice(seed, shape, resources=resources)
        best = enumerated(problem)
        result = solve_choice(problem, gap=1e-9)
        if best is None:
            assert result.status is Status.INFEASIBLE, (seed, result.certificate)
            assert result.chosen is None
            continue
        assert result.status is Status.OPTIMAL, (seed, result.certificate)
        assert result.certificate.level is Level.PROVED
        assert result.chosen is not None
        assert violations(problem, result.chosen) == []
        assert result.objective == pytest.approx(float(best), rel=1e-12, abs=1e-12)
        assert result.bound == pytest.approx(float(best), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("shape", SHAPES)
def test_rounds_that_begin_with_one_change_end_at_the_same_optimum(
    shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_FIRST_CHANGES", 1)
    for seed in range(30):
        problem = random_choice(seed, shape, resources=2)
        best, result = enumerated(problem), solve_choice(problem, gap=1e-9)
        assert (best is None) == (result.status is Status.INFEASIBLE)
        if best is not None:
            assert result.objective == pytest.approx(float(best), rel=1e-9, abs=1e-9)
