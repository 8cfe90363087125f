"""What plan.json holds of a procurement besides its study."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from planner.procurement import by_solver, combination_rows, rows
from planner.procurement.bill import every_line
from planner.procurement.gains import gains_in_json
from planner.procurement.labels import label_of
from planner.procurement.not_bought import not_bought
from planner.procurement.performance import reference_partition
from planner.procurement.plain import tidy
from planner.procurement.risk import cvar
from planner.procurement.rules import rule_row
from planner.procurement.total_costs import total_costs
from planner.procurement.used import overspent, used
from planner.version import head
from solvers.portable import product

if TYPE_CHECKING:
    from planner.procurement.outcome import Outcome
    from planner.procurement.plan import Plan
    from planner.procurement.problem import Problem
    from planner.procurement.result import ProcurementResult


def data_of(result: ProcurementResult) -> dict[str, Any]:
    """Every member: no times, no paths, no host; numbers in twelve digits."""
    return {
        "scenario": head(result.scenario)["scenario"],
        "options": asdict(result.options) | {"full": result.full},
        "stopped_by_time": result.stopped_by_time,
        **({"files": dict(result.files)} if result.files else {}),
        **tidy(_results(result)),
        "inputs": result.scenario.model_dump(mode="json", exclude={"printed"}),
    }


def _results(result: ProcurementResult) -> dict[str, Any]:
    """Every answer, in the order of the report."""
    problem, plan = result.problem, result.plan
    results: dict[str, Any] = {"decision": decision(result)}
    if plan is not None:
        results |= _of_plan(result, plan)
    if result.cost is not None:
        results["cost"] = result.cost.to_dict()
        results["cost_parts"] = rows.cost_parts(result)
        results["total_costs"] = total_costs(result)
    results["regimes"] = [
        solved(outcome) | {"regime": name} | rows.regime_row(result, name)
        for name, outcome in result.regimes.items()
    ]
    results["overprovisioning_gains"] = gains_in_json(result.regimes)
    results["heuristics"] = [other.to_dict() for other in result.heuristics]
    results["requirements"] = [
        {"method": other.plan.method, **each.to_dict()}
        for other in result.heuristics
        for each in (other.reach.requirements if other.reach else ())
    ]
    refused = [refusal.to_dict() for refusal in result.refused]
    results["refused_bids"] = refused
    results["compared"] = rows.compared(result, result.compared, refused)
    results["machines_compared"] = rows.merged(results["compared"], "method")
    results["violations"] = rows.violations(result.compared, refused)
    results["marginal_values"] = [
        effect.to_dict() | {"interval": _pair(effect.low, effect.high)}
        for effect in result.marginal_values
    ]
    value = result.power_value
    results["power_value"] = None if value is None else value.to_dict()
    if result.combinations:
        results["combinations"] = combination_rows.combined(result)
        results["packages_left"] = combination_rows.packages_left(result)
    left = not_bought(result)
    results["not_bought"] = [quote.to_dict() for quote in left]
    if plan is not None:
        reasons = {quote.name: quote.reason for quote in left}
        results["vendor_comparison"] = rows.vendor_comparison(result, reasons)
    results["excluded"] = [
        {
            "quote": each.name,
            "vendor": each.vendor,
            "rules": list(each.rules),
            "why": each.reason,
            "against": rows.against(result.scenario, each),
        }
        for each in problem.excluded
    ]
    results["deciding_rules"] = [
        {"quotes": list(found.quotes), "score": found.score, **rule_row(problem, found.rule)}
        for found in result.deciding
    ]
    if result.ranking is not None:
        results["ranking"] = result.ranking.to_dict()
        results["ranking_points"], results["ranking_weights"] = rows.ranking(result)
    if result.diagnosis is not None:
        results["infeasible"] = result.diagnosis.to_dict()
        results["clashing"] = [rule_row(problem, name) for name in result.diagnosis.clashing]
        results["impossible"] = [rule_row(problem, name) for name in result.diagnosis.impossible]
        results["repairs"] = rows.repairs(result, result.diagnosis)
        results["ways"] = rows.ways(result, result.diagnosis)
    if result.full:
        results |= _long(result)
    results["quotes"] = rows.quotes(result)
    if result.problem.vendor_terms:
        results["vendor_terms"] = rows.vendor_terms(result)
    results |= {"workloads": list(rows.workloads(result)), "rates": rows.rates(result),
                "demands": rows.demands(result)}  # fmt: skip
    results["sources"] = rows.sources(result)
    results["certificates"] = rows.certificates(result)
    results["solved"] = rows.solved(result)
    results["programs"] = [row for solve in result.solved for row in solve.to_rows()]
    return results


def _of_plan(result: ProcurementResult, plan: Plan) -> dict[str, Any]:
    problem = result.problem
    delivered = [each.to_dict() for each in result.delivered]
    return {
        **({"packages": rows.packages(result)} if problem.packages else {}),
        **({"delivered": delivered} if delivered else {}),
        "bill_of_materials": [
            {
                "item": line.item, "vendor": line.vendor, "quantity": line.quantity,
                "unit_price": line.unit_price, "amount": line.amount,
                **({"package": line.package or None} if problem.packages else {}),
            }
            for line in every_line(problem, plan.bill)
        ],
        "limits": rows.limits(result),
        "power_parts": rows.power_parts(result),
        "stocks": rows.stocks(result),
        "mandates": [mandate.to_dict() for mandate in result.mandates],
        "types": rows.types(result),
        "work_by_type": rows.work_by_type(result),
        "allocation": allocation(problem, plan),
        "capability": placements(result, plan),
    }  # fmt: skip


def _long(result: ProcurementResult) -> dict[str, Any]:
    """The long questions."""
    problem = result.problem
    plain: dict[str, Any] = {
        "alternatives": [
            each.to_dict()
            | {
                "number": number, "score": each.plan.score, "capital": each.plan.bill.capital,
                "bought": rows.bought_by(problem, each.plan),
            }
            for number, each in enumerate(result.alternatives, 1)
        ],
        "losing_quotes": [
            quote.to_dict() | rows.losing(problem, quote) for quote in result.losing_quotes
        ],
        "budget_power_grid": [cell.to_dict() for cell in result.cells],
        "pareto": [
            point.to_dict()
            | {
                "number": number, "beyond": list(point.beyond),
                "reach": "beyond" if point.beyond else "inside",
                "bought": rows.bought(problem, ((name, n, None) for name, n in point.purchases)),
            }
            for number, point in enumerate(result.pareto, 1)
        ],
        "tornado": [rows.bar(problem, bar) for bar in result.tornado],
    }  # fmt: skip
    if result.monte_carlo is not None:
        plain["monte_carlo"] = result.monte_carlo.to_dict()
        plain["regret_quantiles"] = rows.regrets(result.monte_carlo)
    return plain


def _pair(low: float | None, high: float | None) -> list[float] | None:
    return None if low is None or high is None else [low, high]


def decision(result: ProcurementResult) -> dict[str, Any]:
    """The plan, and the programs behind it."""
    plain, plan = solved(result.optimum), result.plan
    plain["agree"] = by_solver.agree(result.by_solver) if result.by_solver else None
    plain["solvers"] = [
        answer.to_dict() | {"bought": rows.bought(result.problem, answer.bought)}
        for answer in result.by_solver
    ]
    for name in ("score", "purchases"):  # of the optimum, before cost and power broke ties
        plain[f"optimum_{name}"] = plain.pop(name)
    if plan is not None:
        over = overspent(result.problem, plan)
        plain["resources_used"] = used(plan)
        plain["binding_limits"] = list(result.binding_limits)
        plain["operating_budget_overspent"] = None if over is None else asdict(over)
    plain["plan"] = None
    plain["scores"] = []
    if plan is not None:
        plain["plan"] = plan.to_dict() | {"purchases": rows.purchases(result, plan)}
        plain["scores"] = [
            {"demand": name, "probability": float(p), "score": score}
            for name, p, score in zip(
                result.problem.scenario_names, result.problem.probability, plan.scores, strict=True
            )
        ]
        plain |= expectations(result.problem, plan)
    for name, outcome in (("least_cost", result.cheapest), ("least_power", result.least_power)):
        plain[name] = None if outcome is None else solved(outcome)
    return plain


def solved(outcome: Outcome) -> dict[str, Any]:
    """One program's answer with its certificate."""
    return {
        "status": outcome.status.value,
        "objective": outcome.objective,
        "bound": outcome.bound,
        "proved_bound": outcome.proved,
        "gap": outcome.gap,
        "score": None if outcome.plan is None else outcome.plan.score,
        "purchases": "; ".join(
            f"{purchase.nodes} x {purchase.name}"
            + (f" at {purchase.cap_w:g} W" if purchase.cap_w else "")
            for purchase in (outcome.plan.purchases if outcome.plan else ())
        ),
        "rounds": outcome.rounds,
        "certificate": outcome.certificate.to_dict(),
    }


def expectations(problem: Problem, plan: Plan) -> dict[str, float]:
    """E and CVaR of S itself; the optimisation uses those of log S."""
    chance = problem.probability
    return {
        "expected_score": float(product(chance, plan.scores)),
        "cvar_score": cvar(plan.scores, chance, problem.cvar_level),
        "cvar_level": problem.cvar_level,
        "cvar_weight": problem.cvar_weight,
    }


def allocation(problem: Problem, plan: Plan) -> list[dict[str, Any]]:
    """Nodes in use per rating, node type, cap and workload, and how much of it they do."""
    return [
        {
            "rating": problem.rating_names[rating],
            "node_type": problem.offers[problem.modes[group.mode].offer].name,
            "cap_w": problem.modes[group.mode].cap_w,
            "workload": problem.workloads[group.workload],
            "nodes": group.nodes,
            "label": label_of(problem, problem.offers[problem.modes[group.mode].offer].name),
            "share": float(problem.demand[rating, group.workload]),
            "merit": float(problem.merit[group.mode, group.workload]),
            "throughput": float(
                problem.merit[group.mode, group.workload]
                * group.nodes
                / (problem.demand[rating, group.workload] * problem.reference_nodes)
            ),
        }
        for rating, at_work in enumerate(plan.at_work)
        for group in at_work
    ]


def placements(result: ProcurementResult, plan: Plan) -> list[dict[str, Any]]:
    """Where each capability workload runs, and how fast."""
    placed, problem = [], result.problem
    runs = {each.name: each for each in result.scenario.workloads}
    for capability, pick in zip(problem.capabilities, plan.partitions, strict=True):
        if pick is None:
            continue
        mode = problem.modes[pick.mode]
        placed.append(
            {
                "workload": capability.name,
                "node_type": problem.offers[mode.offer].name,
                "label": label_of(problem, problem.offers[mode.offer].name),
                "cap_w": mode.cap_w,
                "nodes": pick.nodes,
                "time_s": pick.time_s,
                "reference_nodes": reference_partition(runs[capability.name]),
                "reference_time_s": capability.reference_time_s,
                "speedup": capability.reference_time_s / pick.time_s,
            }
        )
    return placed
