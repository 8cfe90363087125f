"""Which question a scenario asks, and which command answers it."""

from __future__ import annotations

from planner.errors import InputError
from scenarios.models import Scenario

_QUESTIONS = {
    "schedule": "how to schedule jobs under power bounds",
    "price": "what users pay for shared nodes",
}
"""Groups of a scenario that have a command of their own, which is called like the group."""


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
