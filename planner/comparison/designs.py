"""The two designs of the thesis by every method: which nodes run an application fastest."""

from __future__ import annotations

from functools import partial
from typing import Any

from planner.comparison.method import Answer, Decision, Instance, Kind, Method, answer
from planner.designs import design
from planner.designs.design import Problem
from planner.formulations import best_design
from planner.formulations.legends import of_best_design
from planner.formulations.model_files import NamedModel

DECISION = Decision("High-end or overprovisioned design", "run time (s)", "nodes")
EXACT_GAP = 1e-9


def instance(problem: Problem, **limits: Any) -> Instance:
    """All methods for one application; ``limits`` hold for the reference formulations.

    The closed form is the engine; it proves nothing by itself, so its bound is not shown.
    """
    size = max(design.most_nodes(problem, offer) for offer in problem.offers)
    methods = [
        *(Method(f"reference ({name})", Kind.REFERENCE,
                 partial(_by_reference, problem, solver, **limits))
          for solver, name in (("cbc", "CBC"), ("highs", "HiGHS"))),
        Method("closed form", Kind.HEURISTIC, partial(_better, problem)),
        *(Method(f"always {offer.name} nodes", Kind.HEURISTIC,
                 partial(_always, problem, offer.name))
          for offer in problem.offers),
    ]  # fmt: skip
    return Instance(
        problem.application,
        size,
        None,
        tuple(methods),
        NamedModel(lambda: best_design.formulate(problem)[0], of_best_design(problem)),
    )


def _by_reference(problem: Problem, solver: str, **limits: Any) -> Answer:
    found = best_design.solve(problem, solver=solver, gap=EXACT_GAP, proof="never", **limits)
    wrong = design.violations(problem, found.plan)
    return answer(found.plan.time_s, found.certificate, wrong)


def _always(problem: Problem, offer: str) -> Answer:
    plan = design.closed_form(design.forced(problem, offer))
    return answer(plan.time_s, None, design.violations(problem, plan))


def _better(problem: Problem) -> Answer:
    answers = [_always(problem, offer.name) for offer in problem.offers]
    return min(answers, key=lambda each: each.objective or 0.0)
