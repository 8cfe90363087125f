"""Who chooses a pattern: the engine, the readable program, or a rule of thumb.

The engine sorts all tolerable patterns. So the best one is always known, and a rule of thumb is
shown next to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from planner import formulations
from planner.aggregation.patterns import REFERENCE as ONE_TASK
from planner.aggregation.patterns import by_energy
from planner.aggregation.selection import Candidate, by_joules, by_rank, violations
from planner.errors import PlanError
from planner.formulations.by_method import (
    ENGINE,
    REFERENCE,
    CertifiedChoice,
    by_reference,
    check_method,
)

Choose = Literal["rank", "joules"]
HEURISTICS = ("packed", "one")
"""Most tasks on a node, as batch systems fill nodes; one task on each node."""


@dataclass(frozen=True, eq=False)
class Decided:
    """A choice next to the best one.

    Attributes
    ----------
    method
        ``engine``, ``reference``, or one of :data:`HEURISTICS`.
    choice
        The pattern, with the certificate of each solver that was used.
    best
        The engine's choice: no tolerable pattern comes before it.
    """

    method: str
    choice: CertifiedChoice[Candidate]
    best: Candidate

    @property
    def plan(self) -> Candidate:
        """What is chosen."""
        return self.choice.plan

    @property
    def more_energy(self) -> float | None:
        """Predicted energy above that of the best, as a share; ``None`` without known power."""
        if self.plan.energy_j is None or self.best.energy_j is None:
            return None
        return self.plan.energy_j / self.best.energy_j - 1

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON; nothing for the engine's choice."""
        if self.method == ENGINE:
            return {}
        return {
            "decision": {
                "method": self.method,
                "pattern": self.plan.pattern.id,
                "best_pattern": self.best.pattern.id,
                "more_energy_than_best": self.more_energy,
                "certificates": {
                    name: certificate.to_dict() for name, certificate in self.choice.certificates
                },
            }
        }


def chosen(
    candidates: Sequence[Candidate],
    threshold: float,
    choose: Choose,
    method: str = ENGINE,
    solver: str = "cbc",
) -> Decided:
    """Choose a pattern.

    Parameters
    ----------
    choose
        What makes the best of the tolerable patterns: the paper's rank, or predicted joules.
    method
        ``engine``, ``reference`` or one of :data:`HEURISTICS`.
    solver
        Solver of the reference: ``cbc``, ``highs``, or ``both``, which must agree.

    Raises
    ------
    InputError
        An unknown method or solver, or energy is not known.
    PlanError
        The rule's pattern is too slow, or the reference and the engine contradict each other.
    """
    check_method(method, HEURISTICS)
    best = (by_rank if choose == "rank" else by_joules)(candidates, threshold)
    choice = CertifiedChoice(best)
    if method == REFERENCE:
        ask = formulations.aggregation.choose
        choice = by_reference(lambda name: ask(candidates, threshold, choose, solver=name), solver)
        if choice.plan is not best:
            raise PlanError(
                f"the reference formulation chooses pattern {choice.plan.pattern.id}, the engine "
                f"{best.pattern.id}; one of them is wrong: report this case"
            )
    elif method != ENGINE:
        choice = CertifiedChoice(_by_rule(candidates, method))
    wrong = violations(candidates, choice.plan, threshold)
    if wrong:
        raise PlanError(f"{method}: {'; '.join(wrong)}; use --method engine, or raise --threshold")
    return Decided(method, choice, best)


def _by_rule(candidates: Sequence[Candidate], method: str) -> Candidate:
    offered = {candidate.pattern.id: candidate for candidate in candidates}
    if method == "one":
        return offered[ONE_TASK]
    return offered[by_energy(tuple(candidate.pattern for candidate in candidates))[0].id]
