"""Which question a scenario asks: power-aware scheduling, or another one."""

from __future__ import annotations

from planner.errors import InputError
from scenarios.models import Scenario
from scenarios.schedule import Schedule


def schedule_of(scenario: Scenario) -> Schedule:
    """Give the question about scheduling.

    Raises
    ------
    InputError
        The scenario asks another question.
    """
    if scenario.schedule is None:
        raise InputError(
            f"{scenario.name} asks nothing about scheduling; use it with headroom plan, or add "
            "[schedule]"
        )
    return scenario.schedule


def refuse_scheduling(scenario: Scenario) -> None:
    """See that a scenario does not ask about scheduling.

    Raises
    ------
    InputError
        It does; says which command answers it.
    """
    if scenario.schedule is not None:
        raise InputError(
            f"{scenario.name} asks how to schedule jobs under power bounds; use it with headroom "
            "schedule"
        )
