"""What a scenario asks about prices of shared nodes."""

from __future__ import annotations

from planner.errors import InputError
from scenarios.models import Scenario
from scenarios.price import Price


def price_group_of(scenario: Scenario) -> Price:
    """Give the question about prices.

    Raises
    ------
    InputError
        The scenario asks another question.
    """
    if scenario.price is None:
        raise InputError(
            f"{scenario.name} asks nothing about prices; use it with headroom plan, or add [price]"
        )
    return scenario.price
