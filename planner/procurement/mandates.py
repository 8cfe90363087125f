"""What was mandatory, what the plan reaches, and how much slack is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from planner.procurement.from_scenario import delivery_day
from planner.procurement.plan import Plan, throughputs
from planner.procurement.problem import Problem
from planner.procurement.used import left
from scenarios.model.scenario import Scenario


@dataclass(frozen=True)
class Mandate:
    """One requirement or policy, and the value that the plan reaches.

    Attributes
    ----------
    what, subject, demand
        Its kind, the workload or the share that it is about, and of throughputs the demand.
    unit
        Unit of both values; a delivery counts days after the day required.
    at_least
        Whether the bound is a minimum; otherwise it is a maximum.
    """

    what: str
    asked: float
    reached: float
    unit: str
    at_least: bool
    subject: str = ""
    demand: str = ""

    @property
    def slack(self) -> float:
        """How far the bound is from what is reached; below zero where it is missed."""
        if self.at_least:
            return left(self.asked, self.reached)
        return left(self.reached, self.asked)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        reached = self.unit.removesuffix(" given")
        return asdict(self) | {"slack": self.slack, "unit_reached": reached}


def mandates(scenario: Scenario, problem: Problem, plan: Plan) -> tuple[Mandate, ...]:
    """Every requirement and policy of a request, with the value that the plan reaches."""
    return (
        *_machine(scenario, problem, plan),
        *_lots(problem, plan),
        *_work(scenario, problem, plan),
        *_shares(problem, plan),
        *_policy(problem, plan),
        *_delivery(scenario, plan),
    )


def _machine(scenario: Scenario, problem: Problem, plan: Plan) -> Iterator[Mandate]:
    requirements = scenario.requirements
    sizes = [
        (problem.offers[purchase.offer].memory_gb, purchase.nodes) for purchase in plan.purchases
    ]
    if requirements.nodes:
        yield Mandate("nodes", requirements.nodes, sum(n for _, n in sizes), "node", at_least=True)
    if requirements.total_memory_gb:
        total = sum(gb * n for gb, n in sizes)
        yield Mandate("memory", requirements.total_memory_gb, total, "GB", at_least=True)
    if requirements.node_memory_gb:
        minimum = min((gb for gb, _ in sizes), default=0.0)
        yield Mandate("node memory", requirements.node_memory_gb, minimum, "GB", at_least=True)


def _lots(problem: Problem, plan: Plan) -> Iterator[Mandate]:
    """Requirements of each lot that has a package."""
    for number, bill in plan.bill.packages.items():
        offer = problem.packages[number]
        lot = problem.lots[offer.lot]
        mine = [purchase for purchase in plan.purchases if purchase.offer in offer.nodes]
        if lot.capital is not None:
            unit = f"price {problem.prices.currency}"
            yield Mandate("capital", lot.capital, float(bill.total), unit, at_least=False,
                          subject=lot.name)  # fmt: skip
        if lot.nodes:
            nodes = sum(purchase.nodes for purchase in mine)
            yield Mandate("nodes", lot.nodes, nodes, "node", at_least=True, subject=lot.name)
        if lot.total_memory_gb:
            total = sum(problem.offers[each.offer].memory_gb * each.nodes for each in mine)
            yield Mandate("memory", lot.total_memory_gb, total, "GB", at_least=True,
                          subject=lot.name)  # fmt: skip


def _work(scenario: Scenario, problem: Problem, plan: Plan) -> Iterator[Mandate]:
    alone = scenario.procurement is not None and scenario.procurement.workload_mode != "shared"
    for rating, name in enumerate(problem.rating_names):
        reached = throughputs(problem, plan, rating)
        for workload, minimum, value in zip(
            problem.workloads, problem.least_work[rating], reached, strict=True
        ):
            if minimum > 0:
                mixed = not alone and name in problem.scenario_names
                yield Mandate("throughput", float(minimum), float(value), "factor", at_least=True,
                              subject=workload, demand=name if mixed else "")  # fmt: skip
    for capability, pick in zip(problem.capabilities, plan.partitions, strict=True):
        maximum = scenario.requirements.time_to_solution_s.get(capability.name)
        if maximum is not None and pick is not None:
            yield Mandate("time", maximum, pick.time_s, "s given", at_least=False,
                          subject=capability.name)  # fmt: skip


def _shares(problem: Problem, plan: Plan) -> Iterator[Mandate]:
    for share in problem.shares:
        parts = [
            (problem.offers[purchase.offer], purchase.nodes * (purchase.unit_price if spent else 1))
            for spent in [share.of == "spend"]
            for purchase in plan.purchases
        ]
        mine = sum(
            part
            for offer, part in parts
            if share.counts(offer.kind, offer.vendor, offer.attributes)
        )
        reached = mine / (sum(part for _, part in parts) or 1.0)
        if share.least > 0:
            yield Mandate("share", share.least, reached, "share given", at_least=True,
                          subject=share.subject)  # fmt: skip
        if share.most < 1:
            yield Mandate("share", share.most, reached, "share given", at_least=False,
                          subject=share.subject)  # fmt: skip


def _policy(problem: Problem, plan: Plan) -> Iterator[Mandate]:
    if problem.most_vendors is not None:
        vendors = len({purchase.vendor for purchase in plan.purchases} | set(plan.bill.vendors))
        yield Mandate("vendors", problem.most_vendors, vendors, "vendor", at_least=False)
    if problem.most_node_types is not None:
        types = len(plan.purchases)
        yield Mandate("node types", problem.most_node_types, types, "type", at_least=False)


def _delivery(scenario: Scenario, plan: Plan) -> Iterator[Mandate]:
    latest = scenario.requirements.delivered_by
    decided = scenario.procurement.decided_on if scenario.procurement else None
    days = [delivery_day(scenario.node_type(purchase.name), decided) for purchase in plan.purchases]
    present = [day for day in days if day is not None]
    if latest is not None and present:
        late = (max(present) - latest).days
        yield Mandate("delivery", 0, late, "day", at_least=False)
