"""What a scenario asks about prices of shared nodes."""

from __future__ import annotations

from planner.question import refuse_other_question
from scenarios.model.price import Price
from scenarios.model.scenario import Scenario


def price_group_of(scenario: Scenario) -> Price:
    """Give the question about prices.

    Raises
    ------
    InputError
        The scenario asks another question.
    """
    if scenario.price is None:
        refuse_other_question(scenario, "price")
    return scenario.price
