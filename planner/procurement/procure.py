"""Answer a request for proposals: every question in its turn, over one pool of cuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from planner.errors import InputError, PlanError
from planner.procurement import alternatives as different
from planner.procurement.checker import violations
from planner.procurement.cost import cost_summary
from planner.procurement.from_scenario import problem_from
from planner.procurement.heuristics import BID, all_heuristics
from planner.procurement.infeasible import diagnose
from planner.procurement.layout import layout
from planner.procurement.losing import losing_quotes
from planner.procurement.optimise import FLOOR_TOLERANCE, Optimiser, Options, Outcome
from planner.procurement.plan import Plan, renamed
from planner.procurement.plane import pareto, plane
from planner.procurement.problem import REGIMES, Problem, Regime
from planner.procurement.program import MOST_NODES, Goal, most_nodes
from planner.procurement.ranking import Ranking, points, rank
from planner.procurement.sensitivity import Uncertainty, monte_carlo, tornado
from planner.procurement.study import Compared, ProcurementStudy
from planner.procurement.worth import STEPS, Worth, worths
from scenarios.models import Scenario
from solvers import Status

WORTH_RESOURCES = ("it_power_w", "capital", "racks")
DRAWS = 100
PLANE_FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5)

Progress = Callable[[str], None]


def steps(*, full: bool) -> int:
    """How often progress is told of: what a bar counts to."""
    short = 8
    return short + (3 + len(PLANE_FACTORS) ** 2 + DRAWS if full else 0)


def procure(
    scenario: Scenario,
    options: Options,
    *,
    full: bool = False,
    progress: Progress = lambda _: None,
) -> ProcurementStudy:
    """Answer a request for proposals.

    Parameters
    ----------
    full
        Ask the long questions too: alternatives, losing quotes, the budget-power plane,
        sensitivity.

    Raises
    ------
    InputError
        The scenario gives too little for a decision.
    PlanError
        No quote can be bought, or the time limit left the question open.
    """
    problem = problem_from(scenario)
    _refuse_endless(problem)
    optimiser = Optimiser(problem, options)
    progress("heuristics")
    compared = all_heuristics(optimiser)
    progress("optimum")
    sound = [plan for plan in compared if not violations(problem, plan)]
    start = max(sound, key=lambda plan: plan.objective, default=None)
    optimum = optimiser.solve(incumbent=start, proof="auto")
    if optimum.plan is None:
        _refuse_undecided(optimum)
        progress("why there is no plan")
        prices = dict(scenario.procurement.repair_prices) if scenario.procurement else {}
        why = diagnose(optimiser, {str(name): price for name, price in prices.items()})
        return ProcurementStudy(scenario, options, full, problem, optimum, diagnosis=why)
    _refuse_wrong(problem, optimum.plan)
    answers = _Answers(scenario, options, optimiser, optimum, progress)
    plan, cheapest, thriftiest = answers.lexicographic()
    study = ProcurementStudy(
        scenario,
        options,
        full,
        problem,
        optimum,
        plan=plan,
        cheapest=cheapest,
        thriftiest=thriftiest,
        regimes=answers.regimes(),
        heuristics=answers.compared(compared),
        cost=cost_summary(problem, plan),
        worths=answers.worths(),
        ranking=answers.ranking(plan, compared),
        **(answers.long_ones() if full else {}),
    )
    optimiser.close()
    return study


def _refuse_endless(problem: Problem) -> None:
    """Counts beyond the program's range are taken for a mistake of units."""
    for offer, most in zip(problem.offers, most_nodes(problem, layout(problem)), strict=True):
        if most >= MOST_NODES and offer.most > MOST_NODES:
            raise InputError(
                f"money and power allow {MOST_NODES:,} or more nodes of {offer.name}; check the "
                "units of capital, price and watts, or give a maximum_quantity"
            )


def _refuse_undecided(outcome: Outcome) -> None:
    """That no plan was found does not say that there is none."""
    if outcome.status is not Status.INFEASIBLE:
        raise PlanError(
            f"none was found, nor that there is none ({outcome.status}, "
            f"{outcome.certificate.stop}); raise the time limit or the gap"
        )


def _refuse_wrong(problem: Problem, plan: Plan) -> None:
    wrong = violations(problem, plan)
    if wrong:
        raise PlanError(f"the program's plan is wrong: {'; '.join(wrong)}")


@dataclass(frozen=True)
class _Answers:
    """The questions that follow a decision."""

    scenario: Scenario
    options: Options
    optimiser: Optimiser
    optimum: Outcome
    progress: Progress

    @property
    def problem(self) -> Problem:
        return self.optimiser.problem

    def lexicographic(self) -> tuple[Plan, Outcome, Outcome | None]:
        """Among plans of the best score the cheapest, among those the one that draws least."""
        best = self.optimum.plan
        if best is None:
            raise PlanError("there is no plan to refine")
        self.progress("least cost")
        floor = best.objective - FLOOR_TOLERANCE
        cheapest = self.optimiser.solve(Goal.COST, floor=floor, incumbent=best, method="optimum")
        plan = cheapest.plan or best
        self.progress("least power")
        thriftiest = self.optimiser.solve(
            Goal.POWER,
            floor=floor,
            incumbent=plan,
            method="optimum",
            extend=lambda program: program.require_cost(plan.total_cost * (1 + 1e-9)),
        )
        last = thriftiest.plan or plan
        _refuse_wrong(self.problem, last)
        return renamed(last, "optimum"), cheapest, thriftiest

    def regimes(self) -> dict[Regime, Outcome]:
        found: dict[Regime, Outcome] = {}
        for name in REGIMES:
            self.progress(f"{name} provisioning")
            found[name] = self.optimum
            if name != self.problem.regime:
                other = Optimiser(self.problem.under(name), self.options)
                found[name] = other.solve(method=name)
                other.close()
        return found

    def compared(self, plans: list[Plan]) -> tuple[Compared, ...]:
        best = self.optimum.plan
        return tuple(
            Compared(
                plan,
                tuple(violations(self.problem, plan)),
                1 - plan.score / best.score if best and best.score else None,
            )
            for plan in plans
        )

    def worths(self) -> tuple[Worth, ...]:
        self.progress("worth of power, money and racks")
        return tuple(worths(self.optimiser, self.optimum, WORTH_RESOURCES, STEPS))

    def ranking(self, plan: Plan, plans: list[Plan]) -> Ranking:
        """The optimum and every vendor's bid, by weighted criteria."""
        shown = [plan, *(p for p in plans if p.score > 0 and p.method.startswith(BID))]
        question = self.scenario.procurement
        weights = {str(k): v for k, v in question.weights.items()} if question else {}
        weeks = [self._lead_weeks(each) for each in shown]
        given = points(shown, weeks)
        names = ["optimum", *(p.method for p in shown[1:])]
        return rank(names, given, weights) if weights else rank(names, given)

    def _lead_weeks(self, plan: Plan) -> float | None:
        weeks = [self.scenario.node_type(each.name).lead_weeks for each in plan.purchases]
        known = [w for w in weeks if w is not None]
        return max(known, default=0.0) if len(known) == len(weeks) else None

    def long_ones(self) -> dict[str, Any]:
        question = self.scenario.procurement
        if question is None:
            return {}
        widths = Uncertainty(
            question.uncertain_price, question.uncertain_power, question.uncertain_performance
        )
        self.progress("alternatives")
        alternatives = different.alternatives(
            self.optimiser, self.optimum, within=question.alternatives_within
        )
        self.progress("losing quotes")
        losing = losing_quotes(self.optimiser, self.optimum)
        free = self.problem.without_mandates()
        sides = {name: Optimiser(free.under(name), self.options) for name in REGIMES}
        cells = plane(sides, PLANE_FACTORS, progress=self.progress)
        for side in sides.values():
            side.close()
        self.progress("tornado")
        bars = tornado(self.optimiser, self.optimum, widths)
        simulated = monte_carlo(
            self.optimiser,
            self.optimum,
            widths,
            draws=DRAWS,
            seed=self.options.seed,
            progress=self.progress,
        )
        return {
            "alternatives": tuple(alternatives),
            "losing": tuple(losing),
            "cells": tuple(cells),
            "pareto": tuple(pareto(cells)),
            "tornado": tuple(bars),
            "monte_carlo": simulated,
        }
