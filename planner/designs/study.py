"""Compare the two designs of a scenario: answers with certificates, ready to be shown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from planner.answer import Answer
from planner.decimals import decimal
from planner.designs import design
from planner.designs.break_even import (
    MIX,
    Cases,
    Parameter,
    SensitivityRow,
    break_even,
    curves,
    sensitivity_row,
)
from planner.designs.core_hour import CoreHourCost, core_hour_cost
from planner.designs.decision import decide, turning_points
from planner.designs.design import DesignPlan
from planner.designs.facts import study_of
from planner.designs.overprovisioning import (
    DesignCase,
    DesignComparison,
    compare,
    compare_all,
    design_cases,
    other_speed_ratio,
)
from planner.designs.printed import published_reading
from planner.designs.racks import rack_prices, rack_study
from planner.designs.result import DesignCheck, DesignOptions, DesignResult
from planner.errors import PlanError
from planner.formulations import best_design
from planner.question import refuse_question_of_another_command
from planner.study import Study
from scenarios.catalogue import load
from scenarios.model.scenario import Scenario
from solvers.backends.protocol import BACKENDS
from solvers.model.result import Status


@dataclass(frozen=True, repr=False)
class DesignStudy(DesignResult, Answer):
    """All answers to one scenario, ready to be shown."""

    def _made(self) -> Study:
        return study_of(self)

    def numbers(self) -> dict[str, Any]:
        """Nodes of both designs, the speedups of overprovisioning, the cost of a core-hour."""
        row: dict[str, Any] = {}
        if self.decision is not None:
            first = self.overprovisioning[0]
            row = {
                "design": self.decision.design,
                "mix_speedup": self.decision.mix_speedup,
                "nodes_worst_case": first.nodes_worst_case,
                "nodes_overprovisioned": first.nodes_overprovisioned,
                "programs_agree": all(check.agrees for check in self.designs),
            }
            row |= {
                f"speedup.{comparison.application}": comparison.speedup
                for comparison in self.overprovisioning
            }
        if self.core_hour is not None:
            row["cost_per_core_hour"] = self.core_hour.cost_per_core_hour
        return row

    def scenario_paths(self) -> tuple[str, ...]:
        """Return the paths of the scenario that was read."""
        return self.scenario.provenance.paths

    def solve_times(self) -> list[dict[str, Any]]:
        """Return names and seconds of what was solved, which differ from run to run."""
        return [
            {
                "application": check.application,
                "design": check.design,
                "wall_s": check.certificate.wall_s,
                "cpu_s": check.certificate.cpu_s,
            }
            for check in self.designs
        ]


def compare_designs(
    scenario: Scenario | str | os.PathLike[str],
    *,
    solver: str = "highs",
    gap: float = 1e-6,
    seed: int = 0,
    time_limit_s: float | None = None,
) -> DesignStudy:
    """Compare the two designs of a scenario, and price a core-hour.

    Parameters
    ----------
    scenario
        A scenario, the name of a bundled one, or a path.
    solver, gap, seed, time_limit_s
        As in :func:`solvers.solve`. Without a time limit the result repeats to the byte.

    Raises
    ------
    PlanError
        There is no plan; says why and what would help.
    ScenarioError
        The scenario cannot be read.

    Examples
    --------
    >>> study = compare_designs("hopper-2010")
    >>> round(study.core_hour.cost_per_core_hour, 6)
    0.018472
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    refuse_question_of_another_command(scenario)
    options = DesignOptions(solver, gap, seed, time_limit_s)
    core_hour = None
    if scenario.machine is not None and scenario.budget is not None:
        core_hour = core_hour_cost(scenario.budget, scenario.machine)
    if scenario.overprovisioning is None:
        study = DesignStudy(scenario, options, core_hour=core_hour)
    else:
        study = _compare_designs(scenario, options, core_hour)
    return _with_published_reading(study)


def _with_published_reading(study: DesignStudy) -> DesignStudy:
    """Return a study whose decision counts published speedups as a reading of the inputs.

    Raises
    ------
    PlanError
        The scenario names a published quantity that no result has.
    """
    reading = published_reading(study.printed, study.overprovisioning)
    if reading is None or study.decision is None:
        return study
    decision = replace(study.decision, readings=(*study.decision.readings, reading))
    return replace(study, decision=decision)


def _compare_designs(
    scenario: Scenario, options: DesignOptions, core_hour: CoreHourCost | None
) -> DesignStudy:
    cases = design_cases(scenario)
    comparisons = compare_all(cases)
    evens = tuple(break_even((case,), case.application) for case in cases)
    mix = break_even(cases, MIX) if len(cases) > 1 else None
    question = scenario.overprovisioning
    if question is None:
        raise PlanError("no comparison was asked for")
    high_end, older = scenario.node_type(question.high_end), scenario.node_type(question.older)
    node_prices = None
    if high_end.price is not None and older.price is not None:
        node_prices = (decimal(high_end.price), decimal(older.price))
    decision = decide(cases, comparisons, node_prices)
    prices = rack_prices(scenario)
    scores = (high_end.benchmark_score, older.benchmark_score)
    return DesignStudy(
        scenario,
        options,
        decision=decision,
        cases=cases,
        overprovisioning=comparisons,
        break_even=evens,
        mix_break_even=mix,
        turning=turning_points(cases, comparisons, evens, mix),
        sensitivity=_sensitivity(scenario, cases),
        other_reading=tuple(_compared(other_speed_ratio(case)) for case in cases),
        curves=tuple(curves(case) for case in cases),
        designs=tuple(
            check
            for case in cases
            for alone in _each_alone(options)
            for check in check_designs(case, alone)
        ),
        racks=None
        if prices is None
        else rack_study(prices, scores, comparisons[0].nodes_worst_case),
        core_hour=core_hour,
    )


def _sensitivity(scenario: Scenario, cases: Sequence[DesignCase]) -> tuple[SensitivityRow, ...]:
    question, power = scenario.overprovisioning, scenario.power
    if question is None or power is None:
        return ()
    sweep = question.sweep
    bounds = sweep.power_bounds_w or tuple(
        power.bound_w * percent / 100 for percent in (70, 85, 115, 130)
    )
    values: tuple[tuple[Parameter, tuple[float, ...]], ...] = (
        ("cost_ratio", sweep.cost_ratios),
        ("power_bound_w", bounds),
        ("performance_fraction", sweep.performance_fractions),
    )
    groups: list[tuple[Cases, str]] = [((case,), case.application) for case in cases]
    if len(cases) > 1:
        groups.append((tuple(cases), MIX))
    return tuple(
        sensitivity_row(group, name, parameter, value)
        for parameter, swept in values
        for value in swept
        for group, name in groups
    )


def _compared(case: DesignCase) -> DesignComparison | None:
    """The comparison, if there is one."""
    try:
        return compare(case)
    except PlanError:
        return None


def _each_alone(options: DesignOptions) -> list[DesignOptions]:
    """The options of each solver that is to solve the designs for itself."""
    names = BACKENDS if options.solver == "both" else (options.solver,)
    return [replace(options, solver=name) for name in names]


def check_designs(case: DesignCase, options: DesignOptions) -> list[DesignCheck]:
    """Compare the closed form with the program: each type forced, then both on offer."""
    problem = design.thesis_problem(case)
    checks = []
    closed = []
    for offer in (design.HIGH_END, design.OLDER):
        alone = design.forced(problem, offer)
        closed.append(design.closed_form(alone))
        checks.append(_check(case, offer, alone, closed[-1], options))
    better = min(closed, key=lambda plan: plan.time_s)
    checks.append(_check(case, "free", problem, better, options))
    return checks


def _check(
    case: DesignCase,
    name: str,
    problem: design.DesignProblem,
    closed: DesignPlan,
    options: DesignOptions,
) -> DesignCheck:
    solved = best_design.solve(problem, **vars(options))
    broken = design.violations(problem, solved.plan)
    if broken:
        raise PlanError(f"{case.application}: the program's plan is wrong: {'; '.join(broken)}")
    agrees = solved.certificate.status is Status.OPTIMAL and _close(solved.plan, closed)
    return DesignCheck(case.application, name, closed, solved.plan, solved.certificate, agrees)


def _close(plan: DesignPlan, closed: DesignPlan) -> bool:
    return abs(plan.time_s - closed.time_s) <= 1e-9 * max(1.0, abs(closed.time_s))
