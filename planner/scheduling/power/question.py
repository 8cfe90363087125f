"""What a scenario asks about power-aware scheduling."""

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
