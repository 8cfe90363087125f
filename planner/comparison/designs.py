"""The two designs of the thesis by every method: which nodes run an application fastest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from planner.comparison.method import (
    ComparedDecision,
    Instance,
    Method,
    MethodAnswer,
    MethodKind,
    answer,
)
from planner.designs import design
from planner.designs.design import OLDER, DesignOffer, DesignProblem
from planner.formatting import plural
from planner.formulations import best_design
from planner.formulations.legends import of_best_design
from planner.formulations.model_files import NamedModel

DECISION = ComparedDecision(
    "High-end or overprovisioned design", "run time (s)", "nodes",
    case="application",
)  # fmt: skip
EXACT_GAP = 1e-9


def instance(problem: DesignProblem, **limits: Any) -> Instance:
    """All methods for one application; ``limits`` hold for the reference formulations.

    The closed form is the engine; it proves nothing by itself, so its bound is not shown.
    """
    size = max(design.most_nodes(problem, offer) for offer in problem.offers)
    methods = [
        *(Method(f"reference ({name})", MethodKind.REFERENCE,
                 partial(_by_reference, problem, solver, **limits), EXACT_GAP)
          for solver, name in (("cbc", "CBC"), ("highs", "HiGHS"))),
        Method("closed form", MethodKind.HEURISTIC, partial(_better, problem)),
        *(Method(f"always {offer.name} nodes", MethodKind.HEURISTIC,
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


def common_data(problems: Sequence[DesignProblem]) -> dict[str, str]:
    """Return the power bound and what money and power allow, where all applications share them."""
    given = {
        (
            f"{problem.power_bound_w:,.10g} W",
            " or ".join(
                plural(design.most_nodes(problem, offer), f"{offer.name} node") + _design(offer)
                for offer in problem.offers
            ),
        )
        for problem in problems
    }
    if len(given) != 1:
        return {}
    ((bound, counts),) = given
    return {"power bound": bound, "money and power allow": counts}


def _design(offer: DesignOffer) -> str:
    """Say which nodes the overprovisioned design of the title has."""
    return " (the overprovisioned design)" if offer.name == OLDER else ""


def _by_reference(problem: DesignProblem, solver: str, **limits: Any) -> MethodAnswer:
    solved = best_design.solve(problem, solver=solver, gap=EXACT_GAP, proof="never", **limits)
    broken = design.violations(problem, solved.plan)
    return answer(solved.plan.time_s, solved.certificate, broken)


def _always(problem: DesignProblem, offer: str) -> MethodAnswer:
    plan = design.closed_form(design.forced(problem, offer))
    return answer(plan.time_s, None, design.violations(problem, plan))


def _better(problem: DesignProblem) -> MethodAnswer:
    answers = [_always(problem, offer.name) for offer in problem.offers]
    return min(answers, key=lambda answer: answer.objective or 0.0)
