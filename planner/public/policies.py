"""Scheduling policies: built-in ones by name or class, and what a policy gets and returns."""

from planner.scheduling.policies.easy import Easy
from planner.scheduling.policies.event_driven import Reservation, Started
from planner.scheduling.policies.moldable import Moldable
from planner.scheduling.policies.problem import Policy, SchedulingProblem, Starts
from planner.scheduling.policies.registry import find_policy
from planner.scheduling.policies.speedup import scaled, speedup_of
from planner.scheduling.power.events.moment import PowerJob, PowerMoment
from planner.scheduling.power.problem import JobDetails

__all__ = [
    "Easy",
    "JobDetails",
    "Moldable",
    "Policy",
    "PowerJob",
    "PowerMoment",
    "Reservation",
    "SchedulingProblem",
    "Started",
    "Starts",
    "find_policy",
    "scaled",
    "speedup_of",
]
