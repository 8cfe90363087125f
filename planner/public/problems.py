"""Data of the other decisions, as the formulations and heuristics of your own take them."""

from planner.aggregation.patterns import Pattern, patterns
from planner.aggregation.selection import Candidate
from planner.configurations.selection import Bound
from planner.configurations.sharing.problem import Goal, SharedJob, SharingPlan, SharingProblem
from planner.configurations.socket_caps import SocketCaps, SocketCapsProblem
from planner.configurations.table import ConfigurationTable, table_of
from planner.designs.design import HIGH_END, OLDER, DesignProblem, forced, thesis_problem
from planner.designs.overprovisioning import DesignCase, design_cases
from planner.sharing_nodes.pairs.problem import PairingProblem
from scenarios.aggregation.task_layout import Layout

__all__ = [
    "HIGH_END",
    "OLDER",
    "Bound",
    "Candidate",
    "ConfigurationTable",
    "DesignCase",
    "DesignProblem",
    "Goal",
    "Layout",
    "PairingProblem",
    "Pattern",
    "SharedJob",
    "SharingPlan",
    "SharingProblem",
    "SocketCaps",
    "SocketCapsProblem",
    "design_cases",
    "forced",
    "patterns",
    "table_of",
    "thesis_problem",
]
