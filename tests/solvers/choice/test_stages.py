"""Stages that small problems rarely reach, each on its own."""

from __future__ import annotations

import itertools
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from solvers import Level, Milp, Result, Status, certify, solve
from solvers.choice import Choice, solve_choice
from solvers.choice.dominance import filtered
from solvers.choice.feasibility import show_clash
from solvers.choice.greedy import greedy
from solvers.choice.lattice import lattice
from solvers.choice.outcome import Evidence
from solvers.choice.request import Request
from solvers.choice.residual import solve_residual
from solvers.choice.vertex import null_vector, unmix
from tests.solvers.choice.instances import enumerated, random_choice
from tests.solvers.choice.test_rounds import prepared


def test_of_equal_items_the_first_is_kept_in_many_resources() -> None:
    rows = [[5.0, 5, 5], [5, 5, 5], [9, 9, 9], [5, 5, 5]]  # the heavy one makes budgets bind
    same = Choice(np.array([0, 4]), np.array([1.0, 1, 0, 1]), np.array(rows), np.full(3, 8.9))
    filtered_problem = filtered(same)
    assert (filtered_problem.item.tolist(), filtered_problem.resource.tolist()) == ([0], [0, 1, 2])


def test_a_null_vector_is_one() -> None:
    rng = np.random.default_rng(0)
    for rows in (1, 2, 3, 6):
        matrix = rng.normal(size=(rows, rows + 1))
        z = null_vector(matrix.copy())
        assert np.abs(z).max() >= 1.0
        assert matrix @ z == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("resources", [1, 2, 4])
def test_a_mixture_is_rounded_to_within_a_few_items_of_its_totals(resources: int) -> None:
    rng = np.random.default_rng(resources)
    classes, items = 400, 5
    weights = rng.uniform(0, 10, (resources, classes * items))
    count = resources + 1
    picks = rng.integers(0, items, (count, classes)) + np.arange(classes) * items
    shares = rng.dirichlet(np.ones(count))
    chosen = unmix(picks, shares, weights, np.full(resources, 0.1))
    assert (chosen // items == np.arange(classes)).all()
    mixed = sum(s * weights[:, p].sum(axis=1) for s, p in zip(shares, picks, strict=True))
    assert np.abs(weights[:, chosen].sum(axis=1) - mixed).max() <= 10 * resources


def test_budgets_that_can_be_held_do_not_clash() -> None:
    for seed in range(20):
        problem = random_choice(seed, "whole")
        if enumerated(problem) is not None:
            prices = np.where(np.isfinite(problem.budgets), 1.0, 0.0)
            assert not show_clash(Evidence(problem), prices)


def test_what_reduced_costs_leave_holds_the_optimum() -> None:
    tried = 0
    for seed in range(40):
        ready = prepared(seed, "free", 3)
        if ready is None:
            continue
        remaining, start, _, best = ready
        problem = random_choice(seed, "free", resources=3)
        evidence = Evidence(problem)
        if (poor := greedy(remaining)) is None or not evidence.offer(remaining.item[poor]):
            continue
        assert evidence.cost is not None
        if float(evidence.cost) <= float(best) + 1e-3:
            continue
        tried += 1
        bound = solve_choice(problem, method="greedy").bound
        assert bound is not None
        sign = 1 if problem.sense == "min" else -1
        evidence.raise_bound(Decimal(sign * bound), exact=True)
        assert evidence.bound is not None
        solve_residual(
            evidence, remaining, start, evidence.bound, Request(1e-9, None, 0, exact=True)
        )
        assert float(evidence.cost) == pytest.approx(float(best), abs=1e-9)
    assert tried >= 3


@pytest.mark.parametrize("exact", [False, True])
def test_what_reduced_costs_leave_is_proved_only_if_that_was_asked_for(
    exact: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels = []

    def proving(model: Milp, **options: Any) -> Result:
        answer = solve(model, **{**options, "proof": "always"})
        levels.append(answer.certificate.level)
        return answer

    monkeypatch.setattr(certify, "solve", proving)
    raised = 0
    for seed in range(12):
        ready = prepared(seed, "whole", 3)
        if ready is None:
            continue
        remaining, start, least, _ = ready
        evidence = Evidence(random_choice(seed, "whole", resources=3))
        evidence.raise_bound(Decimal(float(least) - 1.0), exact=not exact)
        assert evidence.bound is not None
        request = Request(1e-9, None, 0, exact=exact)
        solve_residual(evidence, remaining, start, evidence.bound, request)
        if evidence.bound > float(least) - 1.0:
            raised += 1
            assert evidence.exact_bound == (exact and levels[-1] is Level.PROVED)
    assert raised >= 3
    assert Level.PROVED in levels


def test_infeasibility_of_what_is_left_is_proved_only_if_that_was_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ready = prepared(3, "whole", 2)
    assert ready is not None
    remaining, start, least, _ = ready
    remaining = replace(remaining, budgets=remaining.weights.min(axis=1) - 1.0)
    monkeypatch.setattr(
        certify,
        "solve",
        lambda model, **options: solve(model, **{**options, "proof": "always"}),
    )
    for exact in (False, True):
        evidence = Evidence(random_choice(3, "whole"))
        solve_residual(
            evidence, remaining, start, Decimal(float(least)), Request(1e-9, None, 0, exact)
        )
        assert (evidence.infeasible, evidence.exact_bound) == (True, exact)


def test_without_proof_nothing_that_was_searched_for_is_proved() -> None:
    for seed in range(20):
        problem = random_choice(seed, "free", resources=3)
        result = solve_choice(problem, gap=1e-9, proof="never")
        if result.status is Status.OPTIMAL:
            assert result.certificate.level is Level.VERIFIED


def test_a_lattice_holds_every_total_and_its_neighbours_only() -> None:
    # differences 6 and 4 within the first class, 10 within the second: steps of 2 from 0.3 + 0.1
    starts, numbers = np.array([0, 3, 5]), np.array([0.3, 0.9, 0.7, 0.1, 1.1])
    result = lattice(starts, numbers)
    assert result is not None
    assert (result.offset, result.step, result.unit) == (4, 2, 10)
    totals = {round(a + b, 9) for a, b in itertools.product(numbers[:3], numbers[3:])}
    for total in totals:
        assert result.floor(total) == pytest.approx(total)
        assert result.floor(total + 0.19) == pytest.approx(total)
    assert lattice(starts, numbers * np.pi) is None
