"""Which question a scenario asks, which command answers it, and the group that asks it."""

from __future__ import annotations

from typing import NoReturn

from planner.errors import InputError
from scenarios.model.price import Price
from scenarios.model.scenario import Scenario
from scenarios.model.schedule import Schedule

_QUESTIONS = {
    "schedule": "how to schedule jobs under power bounds",
    "price": "what users pay for shared nodes",
}
"""Groups of a scenario that have a command of their own, which is called like the group."""
_OTHERWISE = "what to buy"


def schedule_of(scenario: Scenario) -> Schedule:
    """Return the question about power-aware scheduling.

    Raises
    ------
    InputError
        The scenario asks another question; the message names the command that answers it.
    """
    if scenario.schedule is None:
        _refuse(scenario, "schedule")
    return scenario.schedule


def price_group_of(scenario: Scenario) -> Price:
    """Return the question about prices of shared nodes.

    Raises
    ------
    InputError
        The scenario asks another question; the message names the command that answers it.
    """
    if scenario.price is None:
        _refuse(scenario, "price")
    return scenario.price


def _refuse(scenario: Scenario, group: str) -> NoReturn:
    """Refuse a scenario that has not the group of a command."""
    other = next(
        (question for question in _QUESTIONS if getattr(scenario, question) is not None), "plan"
    )
    raise InputError(
        f"{scenario.name} asks {_QUESTIONS.get(other, _OTHERWISE)}, not {_QUESTIONS[group]}; use "
        f"it with headroom {other}, or add [{group}]"
    )


def refuse_question_of_another_command(scenario: Scenario) -> None:
    """See that a scenario asks what to buy, or nothing yet.

    Raises
    ------
    InputError
        It asks another question; the message names the command that answers it.
    """
    for group, question in _QUESTIONS.items():
        if getattr(scenario, group) is not None:
            raise InputError(f"{scenario.name} asks {question}; use it with headroom {group}")
    decided = (scenario.procurement, scenario.overprovisioning, scenario.machine)
    if scenario.scheme is not None and not any(decided):
        raise InputError(f"{scenario.name} asks which packages win; use headroom plan --award")
