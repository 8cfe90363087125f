"""Answer a request for proposals: every question in its turn, over one pool of cuts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from planner.errors import InputError, PlanError
from planner.formulations.by_method import REFERENCE, check_method
from planner.parts import files_of, name_of, refuse_namesakes
from planner.procurement import alternatives as different
from planner.procurement.as_sold import as_sold
from planner.procurement.awarded import awarded
from planner.procurement.budget_power_grid import grid_cells
from planner.procurement.by_solver import by_reference, decided
from planner.procurement.checked_reach import reach_faults
from planner.procurement.checker import violations
from planner.procurement.columns import Goal
from planner.procurement.combinations import Combination, combinations
from planner.procurement.compared import Compared
from planner.procurement.cost import cost_summary
from planner.procurement.deciding import Deciding, deciding
from planner.procurement.delivered import delivered_figures
from planner.procurement.from_scenario import problem_from
from planner.procurement.front import pareto
from planner.procurement.given import at_its_best
from planner.procurement.heuristics import BID, BY_OPTION, all_heuristics, bid_faults
from planner.procurement.infeasible import diagnose
from planner.procurement.layout import layout
from planner.procurement.ledger import Ledger
from planner.procurement.losing_quotes import losing_quotes
from planner.procurement.marginal_value import STEPS, MarginalValue, marginal_values
from planner.procurement.model_error import misjudged
from planner.procurement.not_bought import never_better, replaced_by
from planner.procurement.optimise import Optimiser
from planner.procurement.outcome import FLOOR_TOLERANCE, Options, Outcome
from planner.procurement.own import ProcurementHeuristic, nodes_by
from planner.procurement.package_heuristics import package_plans
from planner.procurement.plan import Plan, renamed
from planner.procurement.power_value import PowerValue, power_value
from planner.procurement.problem import REGIME_NAMES, REGIMES, RESOURCES, Problem, Regime
from planner.procurement.quantities import MOST_NODES, most_nodes
from planner.procurement.ranking import Ranking, points, rank
from planner.procurement.sensitivity import monte_carlo, tornado
from planner.procurement.study import ProcurementStudy
from planner.procurement.varied import Uncertainty
from scenarios.model.scenario import Scenario
from scenarios.model.tender import told_apart
from solvers import Status

DRAWS = 100
GRID_FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5)

Progress = Callable[[str], None]


def procure(
    scenario: Scenario,
    options: Options,
    *,
    full: bool = False,
    heuristics: Sequence[ProcurementHeuristic] = (),
    progress: Progress = lambda _: None,
) -> ProcurementStudy:
    """Answer a request for proposals.

    Parameters
    ----------
    full
        Also compute alternatives, losing quotes, the grid of budget and power, and sensitivity.
    heuristics
        Heuristics of the user, to compare with the optimum. They change nothing else.

    Raises
    ------
    InputError
        The scenario gives too little for a decision, a heuristic of the user fails, or ``full`` is
        set while a heuristic decides.
    PlanError
        The heuristic that decides breaks a rule, no quote states what is needed, or the time limit
        left the question open.
    """
    _check_method(options, full=full)
    packages = told_apart(scenario.packages)
    scenario = as_sold(scenario.model_copy(update={"packages": packages}))
    _refuse_heuristic(scenario, options)
    problem, buyable = asked_problem(scenario)
    _refuse_endless(problem)
    ledger = Ledger()
    first = replace(options, solver="highs") if options.solver == "both" else options
    optimiser = Optimiser(problem, first, ledger=ledger, progress=progress)

    def ask(question: str) -> None:
        progress(question)
        ledger.ask(question)

    ask("heuristics")
    heuristic_plans = package_plans if problem.packages else all_heuristics
    compared = heuristic_plans(optimiser) if buyable else []
    names = [*(comparison.method for comparison in compared), *map(name_of, heuristics)]
    refuse_namesakes(names, "heuristic")
    ask("optimum")
    sound = [plan for plan in compared if not violations(problem, plan)]
    start = max(sound, key=lambda plan: plan.objective, default=None)
    if options.method == REFERENCE:
        optimum, by_solver = by_reference(optimiser, options.solver)
    else:
        solver = "highs" if options.method in BY_OPTION else options.solver
        optimum, by_solver = decided(optimiser, solver, start)
    if optimum.plan is None:
        _refuse_undecided(optimum)
        ask("why no plan exists")
        prices = dict(scenario.procurement.repair_prices) if scenario.procurement else {}
        unit_prices = {str(name): price for name, price in prices.items()}
        why = diagnose(optimiser, unit_prices, scenario)
        optimiser.close()
        return ProcurementStudy(
            scenario,
            options,
            full,
            problem,
            optimum,
            by_solver,
            diagnosis=why,
            solved=ledger.closed(),
        )
    _refuse_wrong(problem, optimum.plan)
    answers = _Answers(scenario, first, optimiser, optimum, progress, ask)
    plan, cheapest, least_power = answers.decision(compared)
    combined = answers.combinations(plan) if problem.packages else ()
    ask("heuristics")
    others = [comparison for comparison in compared if comparison.method != plan.method]
    rated = (*answers.compared(others), *answers.own(heuristics))
    if options.method in BY_OPTION:
        rated = (Compared(renamed(optimum.plan, "optimum"), (), 0.0), *rated)
    study = ProcurementStudy(
        scenario,
        options,
        full,
        problem,
        optimum,
        by_solver,
        plan=plan,
        cheapest=cheapest,
        least_power=least_power,
        regimes=answers.regimes(),
        heuristics=rated,
        cost=cost_summary(problem, plan),
        marginal_values=answers.marginal_values(),
        power_value=answers.power_value(plan),
        files=files_of(heuristics),
        delivered=delivered_figures(problem, plan),
        combinations=combined,
        misjudged=misjudged(problem, scenario, combined),
        awarded=awarded(scenario),
        **(answers.long_ones(plan) if full else {"deciding": answers.deciding(plan)}),
    )
    optimiser.close()
    ranking = None
    if scenario.scheme is None:  # a tender is ranked by its published scheme alone
        ranking = answers.ranking(plan, study.alternatives, rated)
    return replace(study, ranking=ranking, solved=ledger.closed())


def asked_problem(scenario: Scenario) -> tuple[Problem, bool]:
    """The problem, and whether its quotes can be bought at all.

    If some work runs only on excluded quotes, the excluded quotes stay among the offers, unsold.
    The rules that exclude them can then be explained.
    """
    try:
        return problem_from(scenario), True
    except InputError:
        raise
    except PlanError as nothing:
        try:
            return problem_from(scenario, barred=True), False
        except PlanError:
            raise nothing from None


def _check_method(options: Options, *, full: bool) -> None:
    check_method(options.method, list(BY_OPTION))
    if full and options.method in BY_OPTION:
        raise InputError(
            "--full answers all questions about the optimum, not about the plan of "
            f"{options.method}; leave --full out, or use --method engine"
        )


def _refuse_heuristic(scenario: Scenario, options: Options) -> None:
    """The heuristics that may decide choose nodes one by one, not packages."""
    if scenario.packages and options.method in BY_OPTION:
        raise InputError(
            f"--method {options.method} chooses nodes and does not handle packages; use --method "
            "engine, which compares packages as quoted with the optimum"
        )


def _refuse_endless(problem: Problem) -> None:
    """Counts beyond the program's range are taken for a mistake of units."""
    for offer, maximum in zip(problem.offers, most_nodes(problem, layout(problem)), strict=True):
        if maximum >= MOST_NODES and offer.most > MOST_NODES:
            raise InputError(
                f"money and power allow {MOST_NODES:,} or more nodes of {offer.name}; check the "
                "units of capital, price and watts, or give a maximum_quantity"
            )


def _refuse_undecided(outcome: Outcome) -> None:
    """That no plan was found does not say that there is none."""
    if outcome.status is not Status.INFEASIBLE:
        raise PlanError(
            f"the search ended before a plan was found or ruled out ({outcome.status}, "
            f"{outcome.certificate.stop}); "
            f"{outcome.certificate.stop.remedy or 'use the other solver'}, or raise the gap"
        )


def _refuse_wrong(problem: Problem, plan: Plan) -> None:
    wrong = violations(problem, plan)
    if wrong:
        raise PlanError(f"the plan failed the independent check: {'; '.join(wrong)}")


@dataclass(frozen=True)
class _Answers:
    """The questions that follow a decision."""

    scenario: Scenario
    options: Options
    optimiser: Optimiser
    optimum: Outcome
    progress: Progress
    ask: Progress

    @cached_property
    def informed(self) -> Optimiser:
        """The optimiser for questions about other sites, prices and machines."""
        return self.optimiser.informed(self.optimum)

    @property
    def problem(self) -> Problem:
        return self.optimiser.problem

    def _fresh(self, problem: Problem) -> Optimiser:
        """An optimiser that begins without cuts."""
        return Optimiser(problem, self.options, ledger=self.optimiser.ledger)

    def decision(self, compared: Sequence[Plan]) -> tuple[Plan, Outcome | None, Outcome | None]:
        """What to buy: by the programs, or by the heuristic that was to decide."""
        name = BY_OPTION.get(self.options.method)
        if name is None:
            return self.lexicographic()
        plan = next((comparison for comparison in compared if comparison.method == name), None)
        wrong = ["it finds no machine"] if plan is None else violations(self.problem, plan)
        if plan is None or wrong:
            raise PlanError(f"{name}: {'; '.join(wrong)}; use --method engine")
        return plan, None, None

    def lexicographic(self) -> tuple[Plan, Outcome, Outcome | None]:
        """Among plans of the best score the cheapest, among those the one that draws least."""
        best = self.optimum.plan
        if best is None:
            raise PlanError("the search found no plan to refine")
        self.ask("least cost")
        floor = best.objective - FLOOR_TOLERANCE
        cheapest = self.optimiser.solve(Goal.COST, floor=floor, incumbent=best, method="optimum")
        plan = cheapest.plan or best
        self.ask("least power")
        least_power = self.optimiser.solve(
            Goal.POWER,
            floor=min(floor, plan.objective),  # the cheapest plan itself must be allowed
            slack=FLOOR_TOLERANCE / 10,
            incumbent=plan,
            method="optimum",
            extend=lambda program: program.require_cost(plan.total_cost * (1 + 1e-9)),
        )
        last = least_power.plan or plan
        _refuse_wrong(self.problem, last)
        return renamed(last, "optimum"), cheapest, least_power

    def regimes(self) -> dict[Regime, Outcome]:
        outcomes: dict[Regime, Outcome] = {}
        for name in REGIMES:
            self.ask(REGIME_NAMES[name])
            outcomes[name] = self.optimum
            if name != self.problem.regime:
                other = self._fresh(self.problem.under(name))
                outcomes[name] = other.solve(method=name)
                other.close()
        return outcomes

    def compared(self, plans: list[Plan]) -> tuple[Compared, ...]:
        """Every machine at its best; where it misses work, with what it reaches of each."""
        faults = bid_faults(self.scenario, self.problem)
        return tuple(
            self._judged(self.optimiser, plan.nodes, plan.method, faults.get(plan.method, ()))
            for plan in plans
        )

    def own(self, heuristics: Sequence[ProcurementHeuristic]) -> tuple[Compared, ...]:
        """Machines of the user's own heuristics; apart, so that no cut of theirs is used."""
        apart = self._fresh(self.problem)
        own_plans = tuple(
            self._judged(apart, nodes_by(heuristic, self.problem), name_of(heuristic), ())
            for heuristic in heuristics
        )
        apart.close()
        return own_plans

    def _judged(
        self, optimiser: Optimiser, nodes: Sequence[int], method: str, faults: Sequence[str]
    ) -> Compared:
        best = self.optimum.plan
        plan, reach = at_its_best(optimiser, nodes, method)
        if reach is not None and (wrong := reach_faults(self.problem, plan, reach)):
            raise PlanError(
                f"the results of {plan.method} failed the independent check: {'; '.join(wrong)}"
            )
        below = 1 - plan.score / best.score if best and best.score else None
        return Compared(plan, (*faults, *violations(self.problem, plan)), below, reach)

    def combinations(self, plan: Plan) -> tuple[Combination, ...]:
        self.ask("combinations of packages")
        return combinations(
            self.optimiser,
            plan,
            lambda nodes: self._judged(self.optimiser, nodes, "combination", ()),
        )

    def marginal_values(self) -> tuple[MarginalValue, ...]:
        self.ask("marginal value of each resource")
        return tuple(marginal_values(self.informed, self.optimum, RESOURCES, STEPS))

    def power_value(self, plan: Plan) -> PowerValue | None:
        self.ask("power in money")
        return power_value(self.informed, self.optimum, plan)

    def deciding(self, plan: Plan) -> tuple[Deciding, ...]:
        """Which rules keep quotes out that may be better than others."""
        self.ask("why quotes are not bought")
        best = self.optimum.plan
        bought = {p.offer for p in (*plan.purchases, *(best.purchases if best else ()))}
        lay, offers = self.optimiser.layout, range(len(self.problem.offers))
        explained = never_better(self.problem, lay, bought)
        replaced = replaced_by(self.problem, lay, bought)
        quotes = {
            index: [other for other in offers if replaced.get(other) == index]
            for index in offers
            if index not in bought
            and index not in explained
            and self.problem.offers[index].package is None
        }
        return deciding(self.optimiser, self.optimum, quotes, self.scenario)

    def ranking(
        self,
        plan: Plan,
        alternatives: Sequence[different.Alternative],
        plans: Sequence[Compared],
    ) -> Ranking:
        """The optimum, its alternatives and every valid quoted system, by weighted criteria."""
        bids = [plan for plan in plans if plan.plan.method.startswith(BID)]
        sound = [
            bid.plan
            for bid in bids
            if not bid.wrong and bid.plan.score > 0 and bid.plan.nodes != plan.nodes
        ]
        listed = [plan, *(alternative.plan for alternative in alternatives), *sound]
        names = [plan.method, *(f"alternative {i + 1}" for i in range(len(alternatives)))]
        names += [ranked.method for ranked in sound]
        question = self.scenario.procurement
        weights = {str(k): v for k, v in question.weights.items()} if question else {}
        given = points(listed, [self._lead_weeks(ranked) for ranked in listed])
        ranking = rank(names, given, weights) if weights else rank(names, given)
        broken = {bid.plan.method for bid in bids if bid.wrong or not bid.plan.score > 0}
        left_out = tuple(sorted({*bid_faults(self.scenario, self.problem), *broken} - {*names}))
        return replace(ranking, left_out=left_out)

    def _lead_weeks(self, plan: Plan) -> float | None:
        weeks = [self.scenario.node_type(purchase.name).lead_weeks for purchase in plan.purchases]
        stated_weeks = [w for w in weeks if w is not None]
        return max(stated_weeks, default=0.0) if len(stated_weeks) == len(weeks) else None

    def long_ones(self, plan: Plan) -> dict[str, Any]:
        """The long questions about the plan that was chosen: of equal ones the cheapest."""
        question = self.scenario.procurement
        if question is None:
            return {}
        widths = Uncertainty(
            question.uncertain_price, question.uncertain_power, question.uncertain_performance
        )
        chosen = replace(self.optimum, plan=plan)
        self.ask("alternatives")
        alternatives = different.alternatives(
            self.informed, chosen, within=question.alternatives_within
        )
        self.ask("losing quotes")
        losing = losing_quotes(self.informed, chosen)
        free = self.problem.without_mandates()
        sides = {name: self._fresh(free.under(name)).informed(self.optimum) for name in REGIMES}
        self.ask("grid of budget and power")
        cells = grid_cells(sides, GRID_FACTORS, progress=self.progress)
        for side in sides.values():
            side.close()
        self.ask("front of cost, score and power")
        front = pareto(self.informed, GRID_FACTORS, progress=self.progress, decided=plan)
        self.ask("tornado")
        bars = tornado(self.informed, chosen, widths, self.scenario)
        self.ask("simulated draws")
        simulated = monte_carlo(
            self.informed,
            chosen,
            widths,
            draws=DRAWS,
            seed=self.options.seed,
            progress=self.progress,
        )
        return {
            "alternatives": tuple(alternatives),
            "losing_quotes": tuple(losing),
            "cells": tuple(cells),
            "pareto": tuple(front),
            "tornado": tuple(bars),
            "monte_carlo": simulated,
        }
