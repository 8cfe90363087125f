"""Which question a scenario asks, and which command answers it."""

from __future__ import annotations

from typing import NoReturn

from planner.errors import InputError
from scenarios.model.scenario import Scenario

_QUESTIONS = {
    "schedule": "how to schedule jobs under power bounds",
    "price": "what users pay for shared nodes",
}
"""Groups of a scenario that have a command of their own, which is called like the group."""
_OTHERWISE = "what to buy"


def refuse_other_question(scenario: Scenario, group: str) -> NoReturn:
    """Refuse a scenario that has not the group of a command.

    Raises
    ------
    InputError
        Always; the message names the command that answers the scenario's own question.
    """
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
