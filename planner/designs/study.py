"""Compare the two designs of a scenario: answers with certificates, ready to be shown."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from planner.decimals import decimal
from planner.designs import design, summary
from planner.designs.break_even import (
    MIX,
    BreakEven,
    Cases,
    Parameter,
    SensitivityRow,
    break_even,
    curves,
    sensitivity_row,
)
from planner.designs.core_hour import CoreHourCost, core_hour_cost
from planner.designs.decision import (
    decide,
    turning_points,
    with_reading,
)
from planner.designs.design import DesignPlan
from planner.designs.overprovisioning import (
    DesignCase,
    DesignComparison,
    compare,
    compare_all,
    design_cases,
    other_speed_ratio,
)
from planner.designs.printed import PrintedDesignRow, compare_printed, published_reading
from planner.designs.racks import rack_prices, rack_study
from planner.designs.result import DesignCheck, DesignOptions, DesignResult
from planner.errors import PlanError
from planner.formulations import best_design
from planner.question import refuse_question_of_another_command
from planner.version import head
from planner.worded_study import Study
from scenarios.catalogue import load
from scenarios.model.scenario import Scenario
from solvers.backends.protocol import BACKENDS
from solvers.model.result import Status, Stop


@dataclass(frozen=True, repr=False)
class DesignStudy(DesignResult, Study):
    """All answers to one scenario, ready to be shown."""

    @property
    def headline(self) -> str:
        """The decision in one sentence."""
        return summary.headline(self)

    @property
    def confidence(self) -> str:
        """State what would reverse the decision; empty if nothing near does."""
        return summary.certificate(self)

    @property
    def exceptions(self) -> str:
        """Which applications would be faster with the other design; empty where none would."""
        return summary.exceptions(self)

    @property
    def warnings(self) -> tuple[str, ...]:
        """List what a board must know before it trusts the numbers."""
        return summary.warnings(self)

    @property
    def stopped_by_time(self) -> bool:
        """Whether any solve ended by its time limit: then another run may differ."""
        return any(check.certificate.stop is Stop.TIME for check in self.designs)

    @cached_property
    def printed(self) -> tuple[PrintedDesignRow, ...]:
        """Compare published numbers with ours."""
        return compare_printed(self.scenario.printed, self._results())

    def to_dict(self) -> dict[str, Any]:
        """Exactly what plan.json holds: no times, no paths, no host."""
        return {
            **head(self.scenario),
            "options": self.options.to_dict(),
            "summary": self.headline,
            "stopped_by_time": self.stopped_by_time,
            **self._results(),
            "printed": [row.to_dict() for row in self.printed],
            "inputs": self.scenario.model_dump(mode="json", exclude={"printed"}),
        }

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

    def _break_evens(self) -> tuple[BreakEven, ...]:
        """Return the break-evens of the applications, and of the mix of several."""
        return self.break_even + (() if self.mix_break_even is None else (self.mix_break_even,))

    def _results(self) -> dict[str, Any]:
        results: dict[str, Any] = {}
        if self.decision is not None:
            results = {
                "decision": self.decision.to_dict(),
                "overprovisioning": [
                    comparison.to_dict()
                    | {
                        "break_even_performance_fraction": even.performance_fraction,
                        "break_even_nodes": even.nodes,
                        "break_even_cost_ratio": even.cost_ratio,
                        "speedup_other_reading": None if other is None else other.speedup,
                    }
                    for comparison, even, other in zip(
                        self.overprovisioning, self.break_even, self.other_reading, strict=True
                    )
                ],
                "break_even": [even.to_dict() for even in self._break_evens()],
                "warnings": list(self.warnings),
                "turning_points": [point.to_dict() for point in self.turning],
                "sensitivity": [row.to_dict() for row in self.sensitivity],
                "designs": [check.to_dict() for check in self.designs],
            }
        if self.racks is not None:
            results["racks"] = self.racks.to_dict()
        if self.core_hour is not None:
            results["cost_per_core_hour"] = self.core_hour.to_dict()
        if self.curves:
            results["curves"] = [curve.to_dict() for curve in self.curves]
        return results

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table as rows of plain values, by name; as in the workbook."""
        plain = self.to_dict()
        tables = {
            name: list(plain.get(name, []))
            for name in ("overprovisioning", "sensitivity", "turning_points", "printed")
        }
        tables["break_even"] = [_flat_break_even(point) for point in self._break_evens()]
        tables["designs"] = [_flat_check(check) for check in self.designs]
        if self.racks is not None:
            sizes = [dict(row) for row in self.racks.to_dict()["sizes"]]
            tables["racks"] = _pairs(self.racks.to_dict(), without={"sizes"})
            tables["rack_sizes"] = sizes
        if self.core_hour is not None:
            tables["cost_per_core_hour"] = _pairs(self.core_hour.to_dict(), without=set())
        return {name: rows for name, rows in tables.items() if rows}


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
    compared, names = study.overprovisioning, summary.node_titles(study)
    decision = with_reading(study.decision, reading, study.cases, compared, names)
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
    decision = decide(cases, comparisons, (high_end.title, older.title), node_prices)
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
    solved = best_design.solve(
        problem,
        solver=options.solver,
        time_limit_s=options.time_limit_s,
        gap=options.gap,
        seed=options.seed,
    )
    broken = design.violations(problem, solved.plan)
    if broken:
        raise PlanError(f"{case.application}: the program's plan is wrong: {'; '.join(broken)}")
    agrees = solved.certificate.status is Status.OPTIMAL and _close(solved.plan, closed)
    return DesignCheck(case.application, name, closed, solved.plan, solved.certificate, agrees)


def _close(plan: DesignPlan, closed: DesignPlan) -> bool:
    return abs(plan.time_s - closed.time_s) <= 1e-9 * max(1.0, abs(closed.time_s))


def _flat_break_even(even: BreakEven) -> dict[str, Any]:
    return {
        "application": even.application,
        "nodes": even.nodes,
        "cost_ratio": even.cost_ratio,
        "cost_ratio_pays": _ranges(even.cost_ratio_pays),
        "power_bound_pays_w": _ranges(even.power_bound_pays_w),
        "power_looked_at_from_w": even.power_range_w[0],
        "power_looked_at_to_w": even.power_range_w[1],
        "performance_fraction": even.performance_fraction,
        "zero_time_nodes": even.zero_time_nodes,
    }


def _ranges(intervals: Sequence[Any]) -> str:
    why = {"slower": "", "unknown": " (beyond: run time unknown)", "range": " (looked no further)"}
    texts = [
        f"from {interval.start:.6g}"
        if interval.end is None
        else f"{interval.start:.6g} to {interval.end:.6g}{why[interval.ended_by]}"
        for interval in intervals
    ]
    return "; ".join(texts) or "never"


def _flat_check(check: DesignCheck) -> dict[str, Any]:
    certificate = check.certificate
    return {
        "application": check.application,
        "design": check.design,
        "node_type": check.plan.node_type,
        "nodes": check.plan.nodes,
        "time_s": check.plan.time_s,
        "closed_form_nodes": check.closed_form.nodes,
        "closed_form_time_s": check.closed_form.time_s,
        "agrees": check.agrees,
        "status": certificate.status.value,
        "level": certificate.level.value,
        "bound_s": certificate.bound,
        "gap_relative": certificate.gap_relative,
        "solver": certificate.solver,
        "model_digest": certificate.model_digest,
    }


def _pairs(plain: dict[str, Any], *, without: set[str]) -> list[dict[str, Any]]:
    return [{"quantity": k, "value": v} for k, v in plain.items() if k not in without]
