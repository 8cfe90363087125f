"""The decision by CBC and by HiGHS, each for itself, and whether the two agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.formatting import percent
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import Outcome
from planner.procurement.plan import Plan
from solvers import Status

SOLVERS = {"highs": "HiGHS", "cbc": "CBC"}
"""The solvers that decide where both are asked, with their names."""

_ROUNDING = 1e-9


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
        found = self.outcome
        return {
            "solver": self.solver,
            "status": found.status.value,
            "level": found.certificate.level.value,
            "objective": found.objective,
            "bound": found.bound,
            "gap": found.gap,
            "rounds": found.rounds,
            "nodes": found.certificate.nodes,
            "purchases": ", ".join(f"{nodes:,} x {name}" for name, nodes, _ in self.bought),
        }


def decided(
    optimiser: Optimiser, solver: str, incumbent: Plan | None
) -> tuple[Outcome, tuple[SolverAnswer, ...]]:
    """The decision, and what each solver that was asked says of it.

    Both solvers begin with the same plan of a heuristic and the same cuts, which hold whoever
    solves. Neither sees the other's plan or bound. The second one is asked for no exact proof,
    since a proof does not depend on who suggests it.

    Parameters
    ----------
    solver
        ``"both"``, or the one solver to ask; then there is nothing to compare.
    incumbent
        A plan to begin with.
    """
    if solver != "both":
        return optimiser.solve(incumbent=incumbent, proof="auto"), ()
    answers = tuple(
        SolverAnswer(name, optimiser.variant(optimiser.problem, solver=each).solve(
            incumbent=incumbent, proof="never" if number else "auto"
        ))
        for number, (each, name) in enumerate(SOLVERS.items())
    )  # fmt: skip
    return _together([answer.outcome for answer in answers], optimiser.options.gap), answers


def _together(outcomes: Sequence[Outcome], gap: float) -> Outcome:
    """The better plan, of equal ones the first, with the better bound."""
    planned = [each for each in outcomes if each.objective is not None]
    if not planned:
        closed = [each for each in outcomes if each.status is Status.INFEASIBLE]
        return (*closed, *outcomes)[0]
    best = max(planned, key=lambda each: each.objective or 0.0)
    bounds = [each.bound for each in outcomes if each.bound is not None]
    proofs = [each.proved for each in outcomes if each.proved is not None]
    if best.objective is None or not bounds:
        return best
    bound = max(min(bounds), best.objective)
    status = Status.OPTIMAL if bound - best.objective <= gap else best.status
    return replace(best, bound=bound, status=status, proved=min(proofs, default=None))


def agree(answers: Sequence[SolverAnswer]) -> bool:
    """Whether all finished, and no plan scores more than another solver's bound allows."""
    if len(answers) < 2 or not all(each.finished for each in answers):
        return False
    values = [each.outcome.objective for each in answers]
    bounds = [each.outcome.bound for each in answers]
    if None in values:
        return all(value is None for value in values)
    return all(
        value <= bound + _ROUNDING
        for value in values
        for bound in bounds
        if value is not None and bound is not None
    )


def in_words(answers: Sequence[SolverAnswer], gap: float) -> str:
    """What the solvers say of each other, in a sentence or two; empty where one was asked."""
    if len(answers) < 2:
        return ""
    names = " and ".join(each.solver for each in answers)
    if agree(answers):
        if len({each.bought for each in answers}) == 1:
            return f"{names} agree."
        return f"{names} agree: their purchases differ and are tied within the gap allowed."
    if all(each.finished for each in answers):
        return f"{names} contradict each other: see the table of solvers."
    parts = []
    for each in answers:
        left = each.outcome.gap
        if each.finished:
            parts.append(f"{each.solver} closed the gap of {percent(gap)}.")
        elif left is None:
            parts.append(f"{each.solver} ended without a plan or a bound.")
        else:
            parts.append(f"{each.solver} ended with a gap of {percent(left, 'up')}.")
    return " ".join(parts)
