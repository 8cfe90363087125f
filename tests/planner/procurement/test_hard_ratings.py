"""Ratings that one run of one solver does not settle: of zero, tiny ones, and without duals."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import scenarios
import solvers
from planner.procurement.from_scenario import problem_from
from planner.procurement.heuristics import all_heuristics
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options
from planner.procurement.problem import Problem
from solvers import SolverError
from solvers.model.result import Result
from solvers.session import Session
from tests.planner.cli.commands import ran
from tests.planner.procurement.catalogues import random_problem
from tests.shared_data import CASES, needs_cases


def test_a_machine_with_a_rating_of_zero_is_rated(tmp_path: Path) -> None:
    ran("init", str(tmp_path / "own"))
    path = tmp_path / "own" / "procurement.toml"
    text = path.read_text(encoding="utf-8")
    assert "\ncompute_rate = 96 " in text
    path.write_text(text.replace("\ncompute_rate = 96 ", "\ncompute_rate = 9.6e-05 "), "utf-8")
    optimiser = Optimiser(problem_from(scenarios.load(path)), Options())
    methods = {plan.method for plan in all_heuristics(optimiser)}
    optimiser.close()
    assert "rounded relaxation" in methods


@needs_cases
def test_a_rating_without_answer_is_solved_again() -> None:
    case = CASES / "procurement" / "01b-rating-not-set" / "scenario.toml"
    done = ran("plan", str(case), "--no-report", "--solver", "highs", "--json")
    assert done.exit_code == 1
    answer = json.loads(done.stdout)
    assert answer["study"]["headline"]["kind"].startswith("no-plan")
    assert answer["repairs"] or answer["ways"]


@pytest.fixture
def problem() -> Problem:
    return random_problem(3)


def bare(session: Session, **_: object) -> Result:
    """What a session answers where another solver than HiGHS had to help."""
    return replace(solvers.solve(session.model, proof="never"), duals=None)


def test_a_rating_without_duals_is_solved_again(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    ordinary = all_heuristics(Optimiser(problem, Options()))
    monkeypatch.setattr(Session, "solve", bare)
    again = all_heuristics(Optimiser(problem, Options()))
    assert [plan.score for plan in again] == pytest.approx([plan.score for plan in ordinary])


def test_a_rating_that_no_solver_settles_is_a_failure_in_words(
    problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsolved = replace(solvers.solve(solvers.MilpBuilder("max").model()), x=None)
    monkeypatch.setattr(Session, "solve", bare)
    monkeypatch.setattr("planner.procurement.rating.solve_equilibrated", lambda _: unsolved)
    with pytest.raises(SolverError, match="has no solution"):
        all_heuristics(Optimiser(problem, Options()))
