"""The whole answer to a request for proposals, ready to be shown."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from planner.errors import InputError, PlanError
from planner.procurement import alternatives as different
from planner.procurement.alternatives import Alternative
from planner.procurement.checker import violations
from planner.procurement.cost import CostSummary, cost_summary
from planner.procurement.heuristics import BID, all_heuristics
from planner.procurement.infeasible import Diagnosis, diagnose, in_words
from planner.procurement.layout import layout
from planner.procurement.losing import LosingQuote, losing_quotes
from planner.procurement.optimise import FLOOR_TOLERANCE, Optimiser, Options, Outcome
from planner.procurement.plan import Plan, renamed
from planner.procurement.plane import Cell, ParetoPoint, pareto, plane
from planner.procurement.problem import REGIMES, Problem, Regime, delivery_day, problem_from
from planner.procurement.program import MOST_NODES, Goal, most_nodes
from planner.procurement.ranking import Ranking, points, rank
from planner.procurement.sensitivity import (
    Bar,
    MonteCarlo,
    Uncertainty,
    monte_carlo,
    tornado,
)
from planner.procurement.worth import STEPS, Worth, worths
from planner.version import FORMAT, headroom_version
from scenarios.models import Scenario
from solvers.result import Status, Stop

if TYPE_CHECKING:
    import pandas as pd

WORTH_RESOURCES = ("it_power_w", "capital", "racks")
DRAWS = 100
PLANE_FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5)

Progress = Callable[[str], None]


def steps(*, full: bool) -> int:
    """How often progress is told of: what a bar counts to."""
    short = 8
    return short + (3 + len(PLANE_FACTORS) ** 2 + DRAWS if full else 0)


@dataclass(frozen=True)
class Compared:
    """A plan beside the optimum, and what is wrong with it."""

    plan: Plan
    wrong: tuple[str, ...]
    below_optimum: float | None

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return self.plan.to_dict() | {
            "violations": list(self.wrong),
            "below_optimum": self.below_optimum,
        }


@dataclass(frozen=True)
class ProcurementStudy:
    """All answers to one request for proposals.

    Attributes
    ----------
    plan
        What to buy: the best score, then the least cost, then the least power among its equals.
    optimum, cheapest, thriftiest
        The three programs behind it.
    regimes
        The best plan under each power regime.
    full
        Whether the long questions were asked; what was not asked is empty.
    diagnosis
        Where there is no plan: why, and what would make one.
    """

    scenario: Scenario
    options: Options
    full: bool
    problem: Problem
    optimum: Outcome
    plan: Plan | None = None
    cheapest: Outcome | None = None
    thriftiest: Outcome | None = None
    regimes: dict[Regime, Outcome] = field(default_factory=dict)
    heuristics: tuple[Compared, ...] = ()
    cost: CostSummary | None = None
    worths: tuple[Worth, ...] = ()
    ranking: Ranking | None = None
    alternatives: tuple[Alternative, ...] = ()
    losing: tuple[LosingQuote, ...] = ()
    cells: tuple[Cell, ...] = ()
    pareto: tuple[ParetoPoint, ...] = ()
    tornado: tuple[Bar, ...] = ()
    monte_carlo: MonteCarlo | None = None
    diagnosis: Diagnosis | None = None

    @property
    def sentence(self) -> str:
        """The decision in one sentence."""
        if self.plan is None:
            groups = self.diagnosis.clashing if self.diagnosis else ()
            clash = [in_words(self.problem, group) for group in groups] or ["its limits"]
            listed = " and ".join(([", ".join(clash[:-1])] if clash[1:] else []) + clash[-1:])
            together = " together" if clash[1:] else ""
            return f"No plan exists: {listed} cannot be met{together}."
        bought = ", ".join(
            f"{each.nodes:,} x {each.name} ({each.vendor})" for each in self.plan.purchases
        )
        money = f"{self.plan.bill.capital / 1e6:,.1f} M {self.problem.prices.currency}"
        reference = self.scenario.reference.name if self.scenario.reference else "the reference"
        return (
            f"Buy {bought} for {money}: {self.plan.score:.3f} times the throughput of {reference}."
        )

    @property
    def certainty(self) -> str:
        """How much better any plan could be, in one sentence."""
        outcome = self.optimum
        if outcome.bound is None or outcome.objective is None:
            return ""
        better = max(0.0, math.expm1(outcome.bound - outcome.objective))
        text = (
            f"No plan scores more than {math.exp(outcome.bound):.4f}: {better:.3%} above this one "
            f"at most ({outcome.status.value}, {outcome.certificate.level.value})."
        )
        if outcome.proved is not None and outcome.proved > outcome.bound:
            proved = math.expm1(outcome.proved - outcome.objective)
            text += f" Proved in exact arithmetic: at most {proved:.2%} above."
        return text

    @property
    def compared(self) -> tuple[Compared, ...]:
        """The plan, then every heuristic and bid, best first."""
        ours = () if self.plan is None else (Compared(self.plan, (), 0.0),)
        others = sorted(self.heuristics, key=lambda each: (bool(each.wrong), -each.plan.score))
        return (*ours, *others)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a board must know before it believes the numbers."""
        found = []
        power = self.scenario.power
        question = self.scenario.procurement
        if self.plan is not None and power is not None and question is not None:
            for each in self.plan.purchases:
                day = delivery_day(self.scenario.node_type(each.name), question.decided_on)
                if day and power.available_on and day < power.available_on:
                    weeks = (power.available_on - day).days // 7
                    found.append(
                        f"{each.name} is delivered on {day}, {weeks} weeks before the feed "
                        f"carries the bound ({power.available_on})."
                    )
        found += [f"{e.name} cannot be bought: {e.reason}." for e in self.problem.excluded]
        if self.optimum.status is Status.FEASIBLE:
            found.append(f"The gap of {self.optimum.gap:.2g} in log S was not closed.")
        return tuple(found)

    @property
    def stopped_by_time(self) -> bool:
        """Whether a solve of the decision ended by its time limit: then another run may differ."""
        solved = [self.optimum, self.cheapest, self.thriftiest, *self.regimes.values()]
        return any(o is not None and o.certificate.stop is Stop.TIME for o in solved)

    def to_dict(self) -> dict[str, Any]:
        """Exactly what plan.json holds: no times, no paths, no host."""
        return {
            "format": FORMAT,
            "headroom": headroom_version(),
            "scenario": {
                "name": self.scenario.name,
                "title": self.scenario.title,
                "files": [
                    {"name": name, "sha256": digest}
                    for name, digest in self.scenario.provenance.files
                ],
            },
            "options": {
                "solver": self.options.solver,
                "gap": self.options.gap,
                "seed": self.options.seed,
                "time_limit_s": self.options.time_limit_s,
                "full": self.full,
            },
            "summary": self.sentence,
            "stopped_by_time": self.stopped_by_time,
            "warnings": list(self.warnings),
            **self._results(),
            "inputs": self.scenario.model_dump(mode="json", exclude={"printed"}),
        }

    def _results(self) -> dict[str, Any]:
        """Every answer, in the order of the report."""
        results: dict[str, Any] = {"decision": self._decision()}
        if self.plan is not None:
            results["bill_of_materials"] = [
                {
                    "item": line.item,
                    "vendor": line.vendor,
                    "quantity": line.quantity,
                    "unit_price": line.unit_price,
                    "amount": line.amount,
                }
                for line in self.plan.bill.lines
            ]
            results["allocation"] = allocation(self.problem, self.plan)
            results["capability"] = placements(self.problem, self.plan)
        if self.cost is not None:
            results["cost"] = self.cost.to_dict()
        results["regimes"] = [
            solved_dict(outcome) | {"regime": name} for name, outcome in self.regimes.items()
        ]
        results["heuristics"] = [each.to_dict() for each in self.heuristics]
        results["worth"] = [each.to_dict() for each in self.worths]
        if self.ranking is not None:
            results["ranking"] = self.ranking.to_dict()
        if self.diagnosis is not None:
            results["infeasible"] = self.diagnosis.to_dict()
        if self.full:
            results["alternatives"] = [each.to_dict() for each in self.alternatives]
            results["losing_quotes"] = [each.to_dict() for each in self.losing]
            results["plane"] = [each.to_dict() for each in self.cells]
            results["pareto"] = [each.to_dict() for each in self.pareto]
            results["tornado"] = [each.to_dict() for each in self.tornado]
            if self.monte_carlo is not None:
                results["monte_carlo"] = self.monte_carlo.to_dict()
        return results

    def _decision(self) -> dict[str, Any]:
        decision = solved_dict(self.optimum)
        decision["plan"] = None if self.plan is None else self.plan.to_dict()
        decision["scores"] = (
            []
            if self.plan is None
            else [
                {"demand": name, "probability": float(p), "score": score}
                for name, p, score in zip(
                    self.problem.scenario_names,
                    self.problem.probability,
                    self.plan.scores,
                    strict=True,
                )
            ]
        )
        if self.plan is not None:
            decision |= expectations(self.problem, self.plan)
        for name, outcome in (("least_cost", self.cheapest), ("least_power", self.thriftiest)):
            decision[name] = None if outcome is None else solved_dict(outcome)
        return decision

    def frames(self) -> dict[str, pd.DataFrame]:
        """Every table as a pandas frame, by name."""
        import pandas as pd

        return {name: pd.DataFrame(rows) for name, rows in self.tables().items()}

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table as rows of plain values, by name; as in the workbook."""
        results = self._results()
        tables = {
            name: [flat(row) for row in rows]
            for name, rows in results.items()
            if isinstance(rows, list) and rows
        }
        if self.plan is not None:
            tables["purchases"] = [dict(each) for each in self.plan.to_dict()["purchases"]]
        for name in ("cost", "monte_carlo"):
            if name in results:
                tables[name] = [
                    {"quantity": key, "value": value}
                    for key, value in results[name].items()
                    if not isinstance(value, list | tuple)
                ]
        if self.ranking is not None:
            tables["ranking"] = [flat(each) for each in results["ranking"]["candidates"]]
            tables["reversals"] = [flat(each) for each in results["ranking"]["reversals"]]
        if self.diagnosis is not None:
            tables["repairs"] = [flat(each.to_dict()) for each in self.diagnosis.repairs]
        return {name: rows for name, rows in tables.items() if rows}


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """One row without nesting: inner tables by dotted name, lists as text."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            found |= {f"{key}.{inner}": each for inner, each in flat(value).items()}
        elif isinstance(value, list | tuple):
            found[key] = "; ".join(_text(each) for each in value)
        else:
            found[key] = value
    return found


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {each}" for key, each in value.items() if each is not None)
    return str(value)


def solved_dict(outcome: Outcome) -> dict[str, Any]:
    """One program's answer with its certificate."""
    return {
        "status": outcome.status.value,
        "objective": outcome.objective,
        "bound": outcome.bound,
        "proved_bound": outcome.proved,
        "gap": outcome.gap,
        "score": None if outcome.plan is None else outcome.plan.score,
        "purchases": "; ".join(
            f"{each.nodes} x {each.name}" + (f" at {each.cap_w:g} W" if each.cap_w else "")
            for each in (outcome.plan.purchases if outcome.plan else ())
        ),
        "rounds": outcome.rounds,
        "certificate": outcome.certificate.to_dict(),
    }


def expectations(problem: Problem, plan: Plan) -> dict[str, float]:
    """E and CVaR of S itself, beside those of log S that were optimised."""
    import numpy as np

    from planner.procurement.risk import cvar

    chance = problem.probability
    return {
        "expected_score": float(np.dot(chance, plan.scores)),
        "cvar_score": cvar(plan.scores, chance, problem.cvar_level),
        "cvar_level": problem.cvar_level,
        "cvar_weight": problem.cvar_weight,
    }


def allocation(problem: Problem, plan: Plan) -> list[dict[str, Any]]:
    """Nodes at work per rating, node type, cap and workload."""
    return [
        {
            "rating": problem.rating_names[rating],
            "node_type": problem.offers[problem.modes[each.mode].offer].name,
            "cap_w": problem.modes[each.mode].cap_w,
            "workload": problem.workloads[each.workload],
            "nodes": each.nodes,
        }
        for rating, at_work in enumerate(plan.at_work)
        for each in at_work
    ]


def placements(problem: Problem, plan: Plan) -> list[dict[str, Any]]:
    """Where each capability workload runs, and how fast."""
    found = []
    for capability, pick in zip(problem.capabilities, plan.partitions, strict=True):
        if pick is None:
            continue
        mode = problem.modes[pick.mode]
        found.append(
            {
                "workload": capability.name,
                "node_type": problem.offers[mode.offer].name,
                "cap_w": mode.cap_w,
                "nodes": pick.nodes,
                "time_s": pick.time_s,
                "speedup": capability.reference_time_s / pick.time_s,
            }
        )
    return found


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
    PlanError
        The scenario gives too little for a decision.
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
        progress("why there is no plan")
        prices = dict(scenario.procurement.repair_prices) if scenario.procurement else {}
        why = diagnose(optimiser, {str(name): price for name, price in prices.items()})
        return ProcurementStudy(scenario, options, full, problem, optimum, diagnosis=why)
    _refuse_wrong(problem, optimum.plan)
    answers = _Answers(scenario, options, optimiser, optimum, progress)
    plan, cheapest, thriftiest = answers.lexicographic()
    return ProcurementStudy(
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


def _refuse_endless(problem: Problem) -> None:
    """Counts beyond the program's range are taken for a mistake of units."""
    for offer, most in zip(problem.offers, most_nodes(problem, layout(problem)), strict=True):
        if most >= MOST_NODES and offer.most > MOST_NODES:
            raise InputError(
                f"money and power allow {MOST_NODES:,} or more nodes of {offer.name}; check the "
                "units of capital, price and watts, or give a maximum_quantity"
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
