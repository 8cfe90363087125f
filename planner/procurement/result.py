"""All answers to one request for proposals, and what follows from them without words."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field

from planner.procurement.alternatives import Alternative
from planner.procurement.budget_power_grid import Cell
from planner.procurement.by_solver import SolverAnswer
from planner.procurement.combinations import Combination
from planner.procurement.compared import Compared, Refused
from planner.procurement.cost import CostSummary
from planner.procurement.deciding import Deciding
from planner.procurement.delivered import DeliveredFigure
from planner.procurement.from_scenario import delivery_day
from planner.procurement.front import ParetoPoint
from planner.procurement.heuristics import BY_OPTION, bid_faults
from planner.procurement.infeasible import Diagnosis
from planner.procurement.ledger import Solved
from planner.procurement.losing_quotes import LosingQuote
from planner.procurement.mandates import Mandate, mandates
from planner.procurement.marginal_value import MarginalValue
from planner.procurement.model_error import Misjudged
from planner.procurement.outcome import Options, Outcome
from planner.procurement.plan import Plan
from planner.procurement.power_value import PowerValue
from planner.procurement.problem import Problem, Regime
from planner.procurement.ranking import Ranking
from planner.procurement.sensitivity import Bar, MonteCarlo
from planner.procurement.used import binding
from scenarios.model.scenario import Scenario


@dataclass(frozen=True, repr=False)
class ProcurementResult:
    """All answers to one request for proposals.

    Attributes
    ----------
    plan
        What to buy: the best score; among equal scores the least cost, then the least power.
    optimum, cheapest, least_power
        The three programs behind it.
    by_solver
        The decision by each solver, where more than one ran.
    regimes
        The best plan under each power regime.
    full
        Whether the long form was computed; what was not computed is empty.
    deciding
        Rules that keep quotes out of the best plan; empty with ``full``, which tests discounts.
    diagnosis
        Where there is no plan: why, and what would make one.
    solved
        The certificates of every program, by question.
    combinations
        What the plan buys, then the other combinations of packages; none without packages.
    misjudged
        Errors of modelled performance with which another combination is best; ``None`` where none
        is tried.
    awarded
        Names of the packages that win by the published scheme; empty where this is not known.
    files
        Name and SHA-256 of the files that heuristics of the user's own were read from.
    """

    scenario: Scenario
    options: Options
    full: bool
    problem: Problem
    optimum: Outcome
    by_solver: tuple[SolverAnswer, ...] = ()
    plan: Plan | None = None
    cheapest: Outcome | None = None
    least_power: Outcome | None = None
    regimes: dict[Regime, Outcome] = field(default_factory=dict)
    heuristics: tuple[Compared, ...] = ()
    cost: CostSummary | None = None
    marginal_values: tuple[MarginalValue, ...] = ()
    power_value: PowerValue | None = None
    deciding: tuple[Deciding, ...] = ()
    ranking: Ranking | None = None
    alternatives: tuple[Alternative, ...] = ()
    losing_quotes: tuple[LosingQuote, ...] = ()
    cells: tuple[Cell, ...] = ()
    pareto: tuple[ParetoPoint, ...] = ()
    tornado: tuple[Bar, ...] = ()
    monte_carlo: MonteCarlo | None = None
    diagnosis: Diagnosis | None = None
    solved: tuple[Solved, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    delivered: tuple[DeliveredFigure, ...] = ()
    combinations: tuple[Combination, ...] = ()
    misjudged: tuple[Misjudged, ...] | None = None
    awarded: tuple[str, ...] = ()

    @property
    def reference_name(self) -> str:
        """What scores 1."""
        return self.scenario.reference.name if self.scenario.reference else "the reference"

    @property
    def by_heuristic(self) -> bool:
        """Whether the plan is a heuristic's, not the optimum."""
        return self.options.method in BY_OPTION

    @property
    def plan_name(self) -> str:
        """The name of the plan in tables and figures."""
        return "optimum" if self.plan is None or not self.by_heuristic else self.plan.method

    @property
    def binding_limits(self) -> tuple[str, ...]:
        """Resources whose limit binds, in their order; none without a plan."""
        if self.plan is None:
            return ()
        return binding(self.problem, self.plan, self.marginal_values)

    def delivered_on(self, name: str) -> dt.date | None:
        """When a node type is delivered; ``None`` where lead time or decision day is not given."""
        question = self.scenario.procurement
        decided = question.decided_on if question else None
        return delivery_day(self.scenario.node_type(name), decided)

    @property
    def refused(self) -> tuple[Refused, ...]:
        """Systems as quoted that cannot be compared, since they cannot be bought as quoted."""
        listed_methods = {heuristic.plan.method for heuristic in self.heuristics}
        if self.plan is None:
            return ()
        return tuple(
            Refused(method, reasons)
            for method, reasons in bid_faults(self.scenario, self.problem).items()
            if method not in listed_methods
        )

    @property
    def mandates(self) -> tuple[Mandate, ...]:
        """Every requirement and policy, with what the plan reaches."""
        return () if self.plan is None else mandates(self.scenario, self.problem, self.plan)

    @property
    def compared(self) -> tuple[Compared, ...]:
        """The plan, then every heuristic and every system as quoted, best first."""
        ours = () if self.plan is None else (Compared(self.plan, (), self._below_optimum),)
        others = sorted(
            self.heuristics, key=lambda heuristic: (bool(heuristic.wrong), -heuristic.plan.score)
        )
        return (*ours, *others)

    @property
    def _below_optimum(self) -> float:
        best = None if self.optimum.plan is None else self.optimum.plan.score
        return max(0.0, 1 - self.plan.score / best) if self.plan and best else 0.0

    @property
    def stopped_by_time(self) -> bool:
        """Whether any program ended by its time limit: then another run may differ."""
        return any(solve.stopped_by_time for solve in self.solved)
