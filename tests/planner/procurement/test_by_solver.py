"""The decision by CBC and by HiGHS: when they agree, and what is stated where they do not."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import headroom as hr
from planner.designs.study import compare_designs
from planner.finding import Finding
from planner.formulations import solved
from planner.procurement import by_solver
from planner.procurement.by_solver import SolverAnswer, agree, decided
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Options, Outcome
from planner.procurement.problem import Problem
from planner.procurement.procure import procure
from planner.procurement.study import ProcurementStudy
from solvers import Level, Status
from tests.planner.procurement.catalogues import (
    Document,
    asked,
    merits,
    node,
    random_problem,
    request,
    scenario,
)
from tests.planner.procurement.enumeration import best
from tests.sizes import few


def request_for_three() -> Document:
    """Money for three of a type that costs 300: three are bought, whoever solves."""
    work = merits("w", ("a", None, 1.0))
    return request([node("a", 100.0)], [work], 300.0, 900.0)


def three_nodes() -> Problem:
    return asked(request_for_three())


@pytest.fixture(scope="module")
def answer() -> Outcome:
    outcome, _ = decided(Optimiser(three_nodes(), Options()), "highs", None)
    return outcome


@pytest.fixture(scope="module")
def study() -> ProcurementStudy:
    return procure(scenario(request_for_three()), Options("highs"))


def answers(first: Outcome, other: Outcome) -> tuple[SolverAnswer, SolverAnswer]:
    return SolverAnswer("HiGHS", first), SolverAnswer("CBC", other)


def stated(study: ProcurementStudy, both: tuple[SolverAnswer, ...]) -> dict[str, Finding]:
    """What a study with these answers states on its solvers."""
    shown = replace(study, by_solver=both).study
    (certificates,) = (each for each in shown.questions if each.name == "certificates")
    every = (*shown.confidence, *certificates.findings)
    return {each.kind: each for each in every if each.kind.startswith("solver")}


def test_each_solver_decides_for_itself() -> None:
    outcome, both = decided(Optimiser(three_nodes(), Options()), "both", None)
    assert [answer.solver for answer in both] == ["HiGHS", "CBC"]
    names = [answer.outcome.certificate.solver.partition(" ")[0] for answer in both]
    assert names == ["HiGHS", "CBC"]
    assert all(answer.bought == (("a", 3, None),) for answer in both)
    assert agree(both)
    assert outcome.plan is not None
    assert outcome.plan.nodes == (3,)


def test_a_machine_that_one_requirement_takes_nearly_whole_is_found() -> None:
    """Two nodes of power; x needs 1.99998 of them, so y gets 2e-5 of one: little, but a plan.

    The engine's program does not go so low. A requirement may be missed by a millionth, which is
    5 % of what is left for y.
    """
    work = [merits("x", ("a", None, 1.0)), merits("y", ("a", None, 1.0))]
    needed: Document = {"throughput": {"x": 3.99996}}
    raw_scenario = request([node("a", 10.0)], work, 20.0, 1e5, requirements=needed)
    outcome, both = decided(Optimiser(asked(raw_scenario), Options()), "both", None)
    truth = best(asked(raw_scenario))
    assert truth.lower is not None
    assert truth.upper is not None
    assert outcome.objective is not None
    assert truth.lower - 1e-3 <= outcome.objective <= truth.upper + 0.06
    assert not agree(both)
    study = procure(scenario(raw_scenario), Options("both")).study
    assert (study.headline.kind, study.headline.values["first"]) == ("buy-1", 2)
    assert "optimal" in {each.kind for each in study.confidence}


def test_one_solver_has_nobody_to_agree_with(study: ProcurementStudy) -> None:
    _, both = decided(Optimiser(three_nodes(), Options()), "cbc", None)
    assert both == ()
    assert stated(study, both) == {}


@pytest.mark.parametrize("seed", range(few(40)))
def test_both_solvers_agree_with_enumeration_on_random_requests(seed: int) -> None:
    problem = random_problem(seed)
    truth = best(problem)
    outcome, both = decided(Optimiser(problem, Options()), "both", None)
    assert agree(both)
    if truth.lower is None or truth.upper is None:
        assert outcome.status is Status.INFEASIBLE
        return
    assert outcome.objective is not None
    assert outcome.bound is not None
    assert outcome.objective <= truth.upper + 1e-6
    assert outcome.bound >= truth.lower - 1e-6


def test_the_limit_of_a_solver_is_not_called_proved_for_that_of_another(
    answer: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer.objective is not None
    assert answer.certificate.level is Level.PROVED
    value = answer.objective
    loose = replace(answer, bound=value + 0.01, proved=value + 0.01)
    word = replace(answer.certificate, level=Level.VERIFIED)
    tight = replace(answer, bound=value, proved=None, certificate=word)
    monkeypatch.setattr(Optimiser, "solve", lambda *_a, **_k: loose)
    monkeypatch.setattr(by_solver, "procure", lambda *_a, **_k: tight)
    outcome, _ = decided(Optimiser(three_nodes(), Options()), "both", None)
    assert (outcome.bound, outcome.guaranteed) == (value, value + 0.01)
    assert (outcome.level, loose.level) == (Level.VERIFIED, Level.PROVED)


def test_the_same_purchases_agree(answer: Outcome, study: ProcurementStudy) -> None:
    result = stated(study, answers(answer, answer))
    assert result.keys() == {"solvers-agree"}
    assert result["solvers-agree"].values["solvers"] == ("HiGHS", "CBC")


def test_other_purchases_within_the_gap_are_a_tie(answer: Outcome, study: ProcurementStudy) -> None:
    assert answer.plan is not None
    bought = replace(answer.plan.purchases[0], nodes=2)
    other = replace(answer, plan=replace(answer.plan, purchases=(bought,)))
    both = answers(answer, other)
    assert agree(both)
    assert stated(study, both).keys() == {"solvers-tied"}


def test_a_plan_above_the_other_bound_is_a_contradiction(
    answer: Outcome, study: ProcurementStudy
) -> None:
    assert answer.objective is not None
    low = replace(answer, objective=answer.objective - 0.2, bound=answer.objective - 0.1)
    both = answers(answer, low)
    assert not agree(both)
    assert stated(study, both).keys() == {"solvers-contradict"}


def test_a_solver_that_did_not_finish_agrees_with_nobody(
    answer: Outcome, study: ProcurementStudy
) -> None:
    assert answer.objective is not None
    late = replace(answer, status=Status.FEASIBLE, bound=answer.objective + 0.003)
    both = answers(answer, late)
    assert not agree(both)
    result = stated(study, both)
    assert result.keys() == {"solver-ended"}
    values = result["solver-ended"].values
    assert values["solver"] == "CBC"
    assert values["gap"] == pytest.approx(math.expm1(0.003))


def test_the_better_bound_makes_the_decision(
    answer: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer.objective is not None
    value = answer.objective
    monkeypatch.setattr(
        Optimiser, "solve", lambda *_a, **_k: replace(answer, bound=value + 0.5,
                                                      status=Status.FEASIBLE)
    )  # fmt: skip
    monkeypatch.setattr(by_solver, "procure", lambda *_a, **_k: replace(answer, bound=value))
    outcome, both = decided(Optimiser(three_nodes(), Options()), "both", None)
    assert (outcome.objective, outcome.bound, outcome.status) == (value, value, Status.OPTIMAL)
    assert len(both) == 2


def test_a_bound_that_a_plan_exceeds_is_dropped_from_the_decision(
    answer: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer.objective is not None
    false = replace(answer, objective=answer.objective - 0.2, bound=answer.objective - 0.1)
    monkeypatch.setattr(by_solver, "procure", lambda *_a, **_k: false)
    outcome, both = decided(Optimiser(three_nodes(), Options()), "both", None)
    assert (outcome.objective, outcome.bound) == (answer.objective, answer.bound)
    assert not agree(both)


def test_a_better_plan_of_cbc_is_the_decision_in_the_engines_slots(
    answer: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer.objective is not None
    worse = replace(answer, objective=answer.objective - 0.1)
    monkeypatch.setattr(Optimiser, "solve", lambda *_a, **_k: worse)
    outcome, _ = decided(Optimiser(three_nodes(), Options()), "both", None)
    assert outcome.objective == pytest.approx(answer.objective, abs=1e-9)
    assert outcome.plan is not None
    assert outcome.plan.nodes == (3,)


def test_what_is_too_large_for_the_reference_is_solved_on_the_engines_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(solved, "LARGEST", 5)
    _, both = decided(Optimiser(three_nodes(), Options()), "both", None)
    assert both[1].outcome.certificate.solver.startswith("CBC")
    assert agree(both)


def test_the_plan_of_a_scenario_names_both_solvers_unless_one_is_asked_for() -> None:
    study, alone = (compare_designs("thesis-7kw", solver=name) for name in ("both", "highs"))
    solvers = {design.certificate.solver.partition(" ")[0] for design in study.designs}
    assert solvers == {"HiGHS", "CBC"}
    assert 2 * len(alone.designs) == len(study.designs)
    assert hr.plan("thesis-7kw").to_dict()["options"]["solver"] == "both"
