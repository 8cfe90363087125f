"""How a question is solved, and what came out of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from planner.formulations.by_method import ENGINE
from planner.procurement.plan import Plan
from planner.procurement.program import Program
from solvers import Certificate, Level, Result, Status

GAP = 1e-4
"""Gap in log S, so a ten-thousandth of performance."""

FLOOR_TOLERANCE = 1e-6
"""What a later goal may give up of log S: a millionth, and as much again in tolerance."""


@dataclass(frozen=True)
class Options:
    """How to solve.

    Attributes
    ----------
    solver
        ``"highs"``, ``"cbc"``, or ``"both"``: the decision by each of the two for itself, and
        every other question by HiGHS.
    gap, seed, time_limit_s
        As in :func:`solvers.solve`.
    method
        Who decides: ``"engine"``, ``"reference"``, or one of
        :data:`planner.procurement.heuristics.BY_OPTION`.
    """

    solver: str = "highs"
    gap: float = GAP
    seed: int = 0
    time_limit_s: float | None = None
    method: str = ENGINE


@dataclass(frozen=True)
class Outcome:
    """The best plan with the bound that no plan can pass.

    ``objective`` and ``bound`` are in the goal's own unit (log S; money; watts). ``proved`` is a
    bound that holds in exact arithmetic, where that was asked for: often a weaker one.
    """

    plan: Plan | None
    status: Status
    objective: float | None
    bound: float | None
    certificate: Certificate
    rounds: int
    last: tuple[Program, Result] | None = field(default=None, repr=False, compare=False)
    proved: float | None = None

    @property
    def guaranteed(self) -> float | None:
        """The bound to rely on: the proved one where there is one, even if it is weaker."""
        return self.bound if self.proved is None else self.proved

    @property
    def level(self) -> Level:
        """How far ``bound`` is shown: proved only where the proved bound is as strong.

        The bound may be another solver's than the one that the certificate speaks of.
        """
        level = self.certificate.level
        if level is not Level.PROVED or self.bound is None:
            return level
        is_weaker = self.proved is not None and self.proved > self.bound
        return Level.VERIFIED if is_weaker else level

    @property
    def gap(self) -> float | None:
        """Distance of objective and bound."""
        if self.objective is None or self.bound is None:
            return None
        return abs(self.bound - self.objective)
