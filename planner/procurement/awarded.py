"""Which packages the published scheme of a tender awards."""

from __future__ import annotations

from planner.errors import PlanError
from scenarios.model.scenario import Scenario


def awarded(scenario: Scenario) -> tuple[str, ...]:
    """Names of the packages that win, in the order of the lots.

    Empty without a scheme, and while it cannot award every lot: points are missing, a package
    lacks what is judged, or packages tie.
    """
    if scenario.scheme is None or not scenario.packages:
        return ()
    from planner.award.award import award
    from planner.award.from_scenario import tender_of

    try:
        won = award(tender_of(scenario)).won()
    except PlanError:
        return ()
    required = {lot.name for lot in scenario.lots if not lot.optional}
    if not required <= {lot.name for lot, _ in won}:
        return ()
    return tuple(judged.candidate.name for _, judged in won)
