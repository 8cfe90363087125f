"""The procurement decision as numbers: its problem and plan, and what a heuristic needs."""

from planner.procurement.from_scenario import problem_from
from planner.procurement.own import filled, machine
from planner.procurement.plan import Plan, Purchase
from planner.procurement.problem import Problem

__all__ = ["Plan", "Problem", "Purchase", "filled", "machine", "problem_from"]
