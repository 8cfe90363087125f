"""The whole answer to a request for proposals, as results, tables and sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from planner.errors import PlanError
from planner.procurement import by_solver, summary
from planner.procurement.bill import every_line
from planner.procurement.compared import Compared, Refused
from planner.procurement.gains import gains_in_json
from planner.procurement.heuristics import bid_faults
from planner.procurement.infeasible import Diagnosis
from planner.procurement.mandates import Mandate, mandates
from planner.procurement.not_bought import NotBought, not_bought
from planner.procurement.outcome import Outcome
from planner.procurement.plain import flat, tidy
from planner.procurement.plan import Plan
from planner.procurement.problem import Problem
from planner.procurement.result import ProcurementResult
from planner.procurement.risk import cvar
from planner.procurement.used import overspent, used
from planner.stop_warning import nodes_warning
from planner.version import head
from planner.worded_study import Study
from solvers.portable import product

if TYPE_CHECKING:
    import networkx as nx


@dataclass(frozen=True, repr=False)
class ProcurementStudy(ProcurementResult, Study):
    """All answers to one request for proposals, ready to be shown."""

    @property
    def headline(self) -> str:
        """The decision in at most 20 words, with labels."""
        return summary.headline(self)

    @property
    def not_bought(self) -> tuple[NotBought, ...]:
        """Every quote that is not bought, and why."""
        return not_bought(self)

    @property
    def confidence(self) -> str:
        """How much better any plan could be, in one sentence."""
        return summary.confidence(self)

    def conflict_graph(self) -> nx.Graph[str]:
        """Which rules clash and what would undo it, as a graph of networkx.

        Its nodes and attributes are those of
        :func:`planner.procurement.conflict_graph.conflict_graph`. Where there is a plan, the graph
        is empty.
        """
        from planner.procurement.conflict_graph import conflict_graph

        return conflict_graph(self.problem, self.diagnosis or Diagnosis((), (), ()))

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
    def warnings(self) -> tuple[str, ...]:
        """What a board must know before it trusts the numbers: risks, then remarks on the input."""
        lines = summary.risks(self)
        lines += self.unbuyable
        lines += [f"{warning}." for warning in self.scenario.warnings]
        lines += nodes_warning(sum(solve.stopped_by_nodes for solve in self.solved))
        return tuple(lines)

    @property
    def unbuyable(self) -> list[str]:
        """Quotes that a rule excludes, one sentence each."""
        return [
            f"The quote {exclusion.name} is excluded: {exclusion.reason}."
            for exclusion in self.problem.excluded
        ]

    def to_dict(self) -> dict[str, Any]:
        """Exactly what plan.json holds: no times, no paths, no host."""
        return {
            **head(self.scenario),
            "options": asdict(self.options) | {"full": self.full},
            "summary": self.headline,
            "stopped_by_time": self.stopped_by_time,
            "warnings": list(self.warnings),
            **({"files": dict(self.files)} if self.files else {}),
            **self._results(),
            "inputs": self.scenario.model_dump(mode="json", exclude={"printed"}),
        }

    def numbers(self) -> dict[str, Any]:
        """The plan's score with its certificate, what it takes, and the nodes of each type.

        Raises
        ------
        PlanError
            There is no plan; says why.
        """
        decision = tidy(self._decision())
        plan = decision["plan"]
        if plan is None:
            raise PlanError(self.headline)
        bought = Counter({offer.name: 0 for offer in self.problem.offers})
        for row in plan["purchases"]:
            bought[row["name"]] += row["nodes"]
        return {
            "score": plan["score"],
            "status": decision["status"],
            "gap": decision["gap"],
            **{name: plan[name] for name in ("capital", "total_cost", "it_power_w", "nodes")},
            "binding_limits": ", ".join(decision["binding_limits"]),
            **{f"gain.{row['over']}": row["value"] for row in tidy(gains_in_json(self.regimes))},
            **{f"nodes.{name}": nodes for name, nodes in bought.items()},
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
                for line in every_line(self.problem, self.plan.bill)
            ]
            results["mandates"] = [mandate.to_dict() for mandate in self.mandates]
            results["allocation"] = allocation(self.problem, self.plan)
            results["capability"] = placements(self.problem, self.plan)
        if self.cost is not None:
            results["cost"] = self.cost.to_dict()
        results["regimes"] = [
            solved_dict(outcome) | {"regime": name} for name, outcome in self.regimes.items()
        ]
        results["overprovisioning_gains"] = gains_in_json(self.regimes)
        results["heuristics"] = [heuristic.to_dict() for heuristic in self.heuristics]
        results["requirements"] = [
            {"method": heuristic.plan.method, **first.to_dict()}
            for heuristic in self.heuristics
            for first in (heuristic.reach.requirements if heuristic.reach else ())
        ]
        results["refused_bids"] = [refusal.to_dict() for refusal in self.refused]
        results["marginal_values"] = [effect.to_dict() for effect in self.marginal_values]
        results["power_value"] = None if self.power_value is None else self.power_value.to_dict()
        results["not_bought"] = [quote.to_dict() for quote in self.not_bought]
        results["deciding_rules"] = [found.to_dict() for found in self.deciding]
        if self.ranking is not None:
            results["ranking"] = self.ranking.to_dict()
        if self.diagnosis is not None:
            results["infeasible"] = self.diagnosis.to_dict()
        if self.full:
            results["alternatives"] = [alternative.to_dict() for alternative in self.alternatives]
            results["losing_quotes"] = [quote.to_dict() for quote in self.losing_quotes]
            results["budget_power_grid"] = [cell.to_dict() for cell in self.cells]
            results["pareto"] = [point.to_dict() for point in self.pareto]
            results["tornado"] = [bar.to_dict() for bar in self.tornado]
            if self.monte_carlo is not None:
                results["monte_carlo"] = self.monte_carlo.to_dict()
        results["programs"] = [row for solve in self.solved for row in solve.to_rows()]
        plain: dict[str, Any] = tidy(results)
        return plain

    def _decision(self) -> dict[str, Any]:
        decision = solved_dict(self.optimum)
        decision["agree"] = by_solver.agree(self.by_solver) if self.by_solver else None
        decision["solvers"] = [answer.to_dict() for answer in self.by_solver]
        for name in ("score", "purchases"):  # of the optimum, before cost and power broke ties
            decision[f"optimum_{name}"] = decision.pop(name)
        if self.plan is not None:
            over = overspent(self.problem, self.plan)
            decision["resources_used"] = used(self.plan)
            decision["binding_limits"] = list(self.binding_limits)
            decision["operating_budget_overspent"] = None if over is None else asdict(over)
        decision["plan"] = None if self.plan is None else self._plan_dict(self.plan)
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
        for name, outcome in (("least_cost", self.cheapest), ("least_power", self.least_power)):
            decision[name] = None if outcome is None else solved_dict(outcome)
        return decision

    def _plan_dict(self, plan: Plan) -> dict[str, Any]:
        """The plan, with the day on which each purchase is delivered."""
        plain = plan.to_dict()
        for purchase in plain["purchases"]:
            day = self.delivered_on(purchase["name"])
            purchase["delivered_on"] = None if day is None else str(day)
        return plain

    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Every table as rows of plain values, by name; as in the workbook."""
        results = self._results()
        tables = {
            name: [flat(row) for row in rows]
            for name, rows in results.items()
            if isinstance(rows, list) and rows
        }
        tables["solvers"] = results["decision"]["solvers"]
        if self.plan is not None:
            tables["purchases"] = results["decision"]["plan"]["purchases"]
        for name in ("cost", "monte_carlo"):
            if name in results:
                tables[name] = [
                    {"quantity": key, "value": value}
                    for key, value in results[name].items()
                    if not isinstance(value, list | tuple)
                ]
        if self.ranking is not None:
            tables["ranking"] = [flat(result) for result in results["ranking"]["candidates"]]
            tables["reversals"] = [flat(result) for result in results["ranking"]["reversals"]]
        if self.diagnosis is not None:
            for name in ("repairs", "useful", "ways"):
                tables[name] = [flat(result) for result in results["infeasible"][name]]
        return {name: rows for name, rows in tables.items() if rows}


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
    """Nodes in use per rating, node type, cap and workload."""
    return [
        {
            "rating": problem.rating_names[rating],
            "node_type": problem.offers[problem.modes[group.mode].offer].name,
            "cap_w": problem.modes[group.mode].cap_w,
            "workload": problem.workloads[group.workload],
            "nodes": group.nodes,
        }
        for rating, at_work in enumerate(plan.at_work)
        for group in at_work
    ]


def placements(problem: Problem, plan: Plan) -> list[dict[str, Any]]:
    """Where each capability workload runs, and how fast."""
    rows = []
    for capability, pick in zip(problem.capabilities, plan.partitions, strict=True):
        if pick is None:
            continue
        mode = problem.modes[pick.mode]
        rows.append(
            {
                "workload": capability.name,
                "node_type": problem.offers[mode.offer].name,
                "cap_w": mode.cap_w,
                "nodes": pick.nodes,
                "time_s": pick.time_s,
                "speedup": capability.reference_time_s / pick.time_s,
            }
        )
    return rows
