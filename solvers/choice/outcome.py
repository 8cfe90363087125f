"""The outcome of a choice has the best choice found, and says how far one can trust it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import numpy as np

from solvers.choice.exact import over_budget, total
from solvers.choice.problem import Choice
from solvers.model.milp import Floats, Indices
from solvers.model.note import Note
from solvers.model.result import Certificate, Level, Result, Status, Stop, gaps, relative_gap


@dataclass(frozen=True, eq=False)
class ChoiceResult:
    """A certificate with the choice that it speaks of.

    Attributes
    ----------
    chosen
        Per class the index of its item among all items of the problem, shape ``(classes,)``;
        ``None`` if there is none.
    multipliers
        Prices of the resources behind the Lagrangian bound, at least 0, shape ``(resources,)``:
        about what one unit more of a budget saves. ``None`` where none were computed.
    """

    certificate: Certificate
    chosen: Indices | None
    problem: Choice = field(repr=False)
    multipliers: Floats | None = None

    @property
    def status(self) -> Status:
        """Shorthand for ``certificate.status``."""
        return self.certificate.status

    @property
    def objective(self) -> float | None:
        """Shorthand for ``certificate.objective``."""
        return self.certificate.objective

    @property
    def bound(self) -> float | None:
        """Shorthand for ``certificate.bound``."""
        return self.certificate.bound

    @property
    def rows(self) -> Indices | None:
        """Per class the row of its item in cost and weights of the problem, ``(classes,)``."""
        return None if self.chosen is None else self.problem.rows_of(self.chosen)

    @property
    def totals(self) -> Floats | None:
        """Use of each resource, shape ``(resources,)``."""
        return None if self.chosen is None else self.problem.weights_of(self.chosen).sum(axis=0)


@dataclass
class Evidence:
    """What is known so far; everything as a minimisation, in exact decimals.

    ``offer`` and ``raise_bound`` keep the better; a choice over a budget is refused.
    """

    problem: Choice
    chosen: Indices | None = None
    cost: Decimal | None = None
    bound: Decimal | None = None
    exact_bound: bool = False
    infeasible: bool = False
    stop: Stop = Stop.FINISHED
    multipliers: Floats | None = None
    nodes: int = 0
    solver: str = "choice"
    options: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)

    def offer(self, chosen: Indices) -> bool:
        """Take a choice if it is feasible and better."""
        value = total(self.problem.costs_of(chosen).tolist())
        cost = value if self.problem.sense == "min" else value.copy_negate()  # -1 x would round
        if self.cost is not None and cost >= self.cost:
            return False
        if over_budget(self.problem, chosen) > 0:
            return False
        self.chosen, self.cost = chosen, cost
        return True

    def raise_bound(self, bound: Decimal, *, exact: bool) -> None:
        """Take a bound if it is higher; never above the cost of a choice that was found."""
        if self.cost is not None:
            bound = min(bound, self.cost)
        if self.bound is None or bound > self.bound:
            self.bound, self.exact_bound = bound, exact

    def learn(self, answer: Result, chosen: Indices | None, *, exact: bool) -> None:
        """Take what a program of this problem found: a choice, its bound, or that nothing fits."""
        certificate = answer.certificate
        self.nodes += certificate.nodes + certificate.proof_nodes
        if chosen is not None:
            self.offer(chosen)
        proved = exact and certificate.level is Level.PROVED
        if certificate.status is Status.INFEASIBLE and self.cost is None:
            self.infeasible, self.exact_bound = True, proved
        if certificate.bound is not None and np.isfinite(certificate.bound):
            self.raise_bound(Decimal(certificate.bound), exact=proved)

    def closed(self, gap: float) -> bool:
        """Whether cost and bound lie within the relative gap."""
        if self.cost is None or self.bound is None:
            return False
        return relative_gap(float(self.cost), float(self.bound)) <= gap

    def certificate(self, gap: float, seed: int, wall_s: float, cpu_s: float) -> Certificate:
        """Put what is known into the words of the solver layer."""
        sign = 1 if self.problem.sense == "min" else -1
        objective = None if self.cost is None else float(sign * self.cost)
        bound = None if self.bound is None else float(sign * self.bound)
        absolute, relative = gaps(objective, bound)
        status = Status.UNKNOWN
        if self.infeasible:
            status, bound = Status.INFEASIBLE, None
        elif self.cost is not None:
            status = Status.OPTIMAL if self.closed(gap) else Status.FEASIBLE
        level = Level.PROVED if self.exact_bound else Level.VERIFIED
        if status is Status.UNKNOWN:
            level = Level.CLAIMED
        return Certificate(
            status=status,
            level=level,
            stop=self.stop,
            objective=objective,
            bound=bound,
            gap_absolute=absolute,
            gap_relative=relative,
            max_violation=None if self.chosen is None else 0.0,
            solver=self.solver,
            options=self.options,
            seed=seed,
            model=self.problem.name,
            model_digest=self.problem.digest,
            nodes=self.nodes,
            notes=tuple(self.notes),
            wall_s=wall_s,
            cpu_s=cpu_s,
        )

    def result(self, gap: float, seed: int, wall_s: float, cpu_s: float) -> ChoiceResult:
        """Everything that is known."""
        certified = self.certificate(gap, seed, wall_s, cpu_s)
        chosen = None if self.chosen is None else np.asarray(self.chosen, dtype=np.int64)
        return ChoiceResult(certified, chosen, self.problem, self.multipliers)
