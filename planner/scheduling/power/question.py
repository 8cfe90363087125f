"""The question of a scenario about power-aware scheduling."""

from __future__ import annotations

from planner.question import refuse_other_question
from scenarios.model.scenario import Scenario
from scenarios.model.schedule import Schedule


def schedule_of(scenario: Scenario) -> Schedule:
    """Give the question about scheduling.

    Raises
    ------
    InputError
        The scenario asks another question.
    """
    if scenario.schedule is None:
        refuse_other_question(scenario, "schedule")
    return scenario.schedule
