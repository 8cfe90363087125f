"""The decision by CBC and by HiGHS, each for itself, and whether the two agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.errors import InfeasibleError, PlanError
from planner.formulations.by_method import SOLVERS, TITLES
from planner.formulations.procurement import procure
from planner.procurement.checker import violations
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan
from solvers import Level, Status

_ROUNDING = 1e-6
"""Tolerance on log S, a millionth of the score: rows hold to the solvers' tolerances only."""


@dataclass(frozen=True)
class SolverAnswer:
    """What one solver makes of the decision.

    Attributes
    ----------
    solver
        Its name, as people write it.
    outcome
        Its best plan with its own bound.
    """

    solver: str
    outcome: Outcome

    @property
    def finished(self) -> bool:
        """Whether it closed the gap that was asked for."""
        return self.outcome.status in (Status.OPTIMAL, Status.INFEASIBLE)

    @property
    def bought(self) -> tuple[tuple[str, int, float | None], ...]:
        """Name, count and cap of every node type that its plan buys."""
        plan = self.outcome.plan
        return () if plan is None else tuple((p.name, p.nodes, p.cap_w) for p in plan.purchases)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        outcome = self.outcome
        return {
            "solver": self.solver,
            "status": outcome.status.value,
            "level": outcome.certificate.level.value,
            "objective": outcome.objective,
            "bound": outcome.bound,
            "gap": outcome.gap,
            "rounds": outcome.rounds,
            "nodes": outcome.certificate.nodes,
            "purchases": ", ".join(f"{nodes:,} x {name}" for name, nodes, _ in self.bought),
        }


def decided(
    optimiser: Optimiser, solver: str, incumbent: Plan | None
) -> tuple[Outcome, tuple[SolverAnswer, ...]]:
    """The decision, and the answer of each solver that was used.

    HiGHS solves the engine's program, CBC the reference formulation, which has nothing of the
    engine. So the two share no cut, no filter and no start. On the engine's program CBC 2.10.3
    gives false bounds (by 1e-4 of the score of ``rfp-center``). So CBC solves that program only
    where the reference is too large or finds no plan. The engine's program leaves out machines
    that do less than a ten-thousandth of some work; where it has no plan, the reference may.

    Parameters
    ----------
    solver
        ``"both"``, or the one solver to use; then there is nothing to compare.
    incumbent
        A plan for the engine to begin with.
    """
    first = optimiser.solve(incumbent=incumbent, proof="auto")
    if solver != "both":
        return first, ()
    optimiser.progress("other solver")
    other = _by_reference(optimiser)
    if other is None:
        other = optimiser.variant(optimiser.problem, solver="cbc").solve(incumbent=incumbent)
    else:
        optimiser.ledger.add(other.certificate)
    answers = (SolverAnswer("HiGHS", first), SolverAnswer("CBC", other))
    return _together(optimiser, first, other), answers


def by_reference(optimiser: Optimiser, solver: str) -> tuple[Outcome, tuple[SolverAnswer, ...]]:
    """The decision by the reference formulation alone, and what each solver says of it.

    Where there is no plan, the engine must find none either: it can explain why.

    Parameters
    ----------
    solver
        ``"cbc"``, ``"highs"`` or ``"both"``; of both, the better plan and the better bound.

    Raises
    ------
    PlanError
        The model is too large, no plan was found in time, or the engine contradicts it.
    """
    names = SOLVERS[solver]
    try:
        answers = tuple(SolverAnswer(TITLES[name], _reference(optimiser, name)) for name in names)
    except InfeasibleError as none:
        outcome = optimiser.solve(proof="auto")
        if outcome.plan is None:
            return outcome, ()
        raise PlanError(f"{none}; the engine has a plan: use --method engine") from None
    for solver_answer in answers:
        optimiser.ledger.add(solver_answer.outcome.certificate)
    outcomes = [_as_the_engines(optimiser, answer.outcome) for answer in answers]
    available = [outcome for outcome in outcomes if outcome is not None]
    if not available:
        raise PlanError(
            "the reference buys node types that the engine leaves out, so nothing further can be "
            "answered; use --method engine"
        )
    best = max(available, key=lambda outcome: outcome.objective or 0.0)
    for solver_answer in answers:
        best = _together(optimiser, best, solver_answer.outcome)
    return best, answers if answers[1:] else ()


def _by_reference(optimiser: Optimiser) -> Outcome | None:
    """The reference formulation by CBC; ``None`` where it is too large or finds no plan."""
    try:
        return _reference(optimiser, "cbc")
    except PlanError:
        return None


def _reference(optimiser: Optimiser, solver: str) -> Outcome:
    options = optimiser.options
    return procure(
        optimiser.problem,
        solver=solver,
        gap=options.gap,
        seed=options.seed,
        time_limit_s=options.time_limit_s,
    )


def _together(optimiser: Optimiser, first: Outcome, other: Outcome) -> Outcome:
    """The better plan, of equal ones the engine's, with the best bound that no plan exceeds."""
    if first.objective is None:
        return (_as_the_engines(optimiser, other) if other.plan else None) or first
    best = first
    if other.objective is not None and other.objective > first.objective + _ROUNDING:
        best = _as_the_engines(optimiser, other) or first
    value = first.objective if best.objective is None else best.objective
    bound = _tightest(value, first.bound, other.bound)
    proved = _tightest(value, _proved(first), _proved(other))
    if bound is None:
        return replace(best, bound=None, status=Status.FEASIBLE, proved=proved)
    status = Status.OPTIMAL if bound - value <= optimiser.options.gap else best.status
    return replace(best, bound=bound, status=status, proved=proved)


def _tightest(value: float, *bounds: float | None) -> float | None:
    """The best bound that a plan of this value does not exceed."""
    true = [bound for bound in bounds if bound is not None and bound >= value - _ROUNDING]
    return max(min(true), value) if true else None


def _proved(outcome: Outcome) -> float | None:
    """The bound that holds in exact arithmetic; a reference proves its own bound or none."""
    own = outcome.certificate.level is Level.PROVED
    return outcome.bound if outcome.proved is None and own else outcome.proved


def _as_the_engines(optimiser: Optimiser, outcome: Outcome) -> Outcome | None:
    """The same machine in the engine's slots, rated by the engine; ``None`` if it has no such."""
    problem, lay = optimiser.problem, optimiser.layout
    nodes = [0] * lay.slots
    for bought in outcome.plan.purchases if outcome.plan else ():
        slots = [
            slot
            for slot in range(lay.slots)
            if lay.slot_offer[slot] == bought.offer
            and (bought.cap_w is None or problem.modes[lay.slot_mode[slot]].cap_w == bought.cap_w)
        ]
        if len(slots) != 1:
            return None
        nodes[slots[0]] = bought.nodes
    for number in outcome.plan.bill.packages if outcome.plan else ():
        nodes[lay.slot_offer.tolist().index(problem.packages[number].carrier)] = 1
    plan = optimiser.evaluate(nodes, "optimum")
    return None if violations(problem, plan) else replace(
        outcome, plan=plan, objective=plan.objective
    )  # fmt: skip


def agree(answers: Sequence[SolverAnswer]) -> bool:
    """Whether all finished, and no plan scores more than another solver's bound allows."""
    if len(answers) < 2 or not all(answer.finished for answer in answers):
        return False
    values = [answer.outcome.objective for answer in answers]
    bounds = [answer.outcome.bound for answer in answers]
    if None in values:
        return all(value is None for value in values)
    return all(
        value <= bound + _ROUNDING
        for value in values
        for bound in bounds
        if value is not None and bound is not None
    )
