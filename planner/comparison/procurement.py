"""What to buy, by every method."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
from planner.formulations.legends import of_procurement
from planner.formulations.model_files import NamedModel
from planner.formulations.procurement import formulate
from planner.formulations.procurement import procure as reference
from planner.parts import name_of
from planner.procurement import heuristics as known
from planner.procurement.checker import violations
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import GAP, Options
from planner.procurement.own import ProcurementHeuristic, nodes_by
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from solvers.portable import expm1


def _below(objective: float, bound: float) -> float:
    """How much of the best possible score a plan gives up; objective and bound are logarithms."""
    return max(0.0, -expm1(objective - bound))


DECISION = ComparedDecision(
    "What to buy", "logarithm of the score", "quotes", minimised=False, gap=_below,
)  # fmt: skip


def instance(
    problem: Problem,
    *,
    heuristics: Sequence[ProcurementHeuristic] = (),
    gap: float = GAP,
    **limits: Any,
) -> Instance:
    """All methods for one problem; ``limits`` hold for the exact ones."""
    methods = [
        *(Method(f"reference ({name})", MethodKind.REFERENCE,
                 partial(_by_reference, problem, solver, gap=gap, **limits), gap)
          for solver, name in (("cbc", "CBC"), ("highs", "HiGHS"))),
        Method("engine", MethodKind.ENGINE,
               partial(_by_engine, problem, gap, limits.get("time_limit_s")), gap),
        *(Method(name,
                 MethodKind.ROUNDING if name == "rounded relaxation" else MethodKind.HEURISTIC,
                 partial(_by_heuristic, problem, name))
          for name in known.NAMES),
        *(Method(name_of(own), MethodKind.OWN, partial(_by_own, problem, own))
          for own in heuristics),
    ]  # fmt: skip
    return Instance(
        problem.name,
        len(problem.offers),
        None,
        tuple(methods),
        NamedModel(lambda: formulate(problem)[0], of_procurement(problem)),
    )


def _by_reference(problem: Problem, solver: str, **limits: Any) -> MethodAnswer:
    solved = reference(problem, solver=solver, **limits)
    return answer(solved.objective, solved.certificate, _wrong(problem, solved.plan))


def _by_engine(problem: Problem, gap: float, time_limit_s: float | None) -> MethodAnswer:
    def solved(optimiser: Optimiser) -> MethodAnswer:
        result = optimiser.solve()
        return answer(result.objective, result.certificate, _wrong(problem, result.plan))

    return _alone(problem, solved, Options(gap=gap, time_limit_s=time_limit_s))


def _by_heuristic(problem: Problem, name: str) -> MethodAnswer:
    return _alone(problem, lambda optimiser: _of(problem, known.by_name(optimiser, name)))


def _by_own(problem: Problem, own: ProcurementHeuristic) -> MethodAnswer:
    nodes = nodes_by(own, problem)
    return _alone(problem, lambda optimiser: _of(problem, optimiser.evaluate(nodes, name_of(own))))


def _alone(
    problem: Problem, ask: Callable[[Optimiser], MethodAnswer], options: Options | None = None
) -> MethodAnswer:
    """Ask with an optimiser that no other method has taught a cut."""
    optimiser = Optimiser(problem, options or Options())
    try:
        return ask(optimiser)
    finally:
        optimiser.close()


def _of(problem: Problem, plan: Plan | None) -> MethodAnswer:
    if plan is None or plan.objective == -math.inf:
        return MethodAnswer(None)
    return answer(plan.objective, None, _wrong(problem, plan))


def _wrong(problem: Problem, plan: Plan | None) -> list[str]:
    return [] if plan is None else violations(problem, plan)
