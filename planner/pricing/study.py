"""Prices of shared nodes, ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass

from planner.answer import Answer
from planner.pricing.facts import study_of
from planner.pricing.result import PriceResult
from planner.study import Study
from scenarios.model.scenario import Scenario


@dataclass(frozen=True, eq=False, repr=False)
class PriceStudy(Answer):
    """What users pay under each pricing policy, and how well interference is measured.

    Attributes
    ----------
    scenario
        The scenario that was read.
    result
        The numbers that were computed.
    command
        Words of the command that gives the study again; none if it was run from Python.
    """

    scenario: Scenario
    result: PriceResult
    command: tuple[str, ...] = ()

    def _made(self) -> Study:
        return study_of(self.scenario, self.result, self.command)
