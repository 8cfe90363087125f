"""Find days of a procurement that are valid but implausible when compared with each other.

Today's date is not used, so the same input gives the same output on every day.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from scenarios.model.scenario import Scenario
from scenarios.positions import KeyPath
from scenarios.remark import Remark, remark

EARLIEST, LATEST = 2000, 2100
"""Years between which a decision is plausible."""

FARTHEST_YEARS = 5
"""From the decision to any other day; delivery and building take less."""

_LONGEST_WEEKS = 156.0
_DAYS_PER_YEAR = 365.25

Remarks = Iterator[tuple[KeyPath, Remark]]


def date_remarks(scenario: Scenario) -> Remarks:
    """Every doubtful day with its key path."""
    question = scenario.procurement
    decided = question.decided_on if question else None
    for index, each in enumerate(scenario.node_types):
        if each.lead_weeks is not None and each.lead_weeks > _LONGEST_WEEKS:
            where: KeyPath = ("node_types", index, "lead_weeks")
            yield where, remark("scenario-lead", weeks=(each.lead_weeks, "week"))
    if decided is None:
        return
    here: KeyPath = ("procurement", "decided_on")
    if not EARLIEST <= decided.year < LATEST:
        yield here, remark("scenario-year", day=(str(decided), "date"))
    yield from _far_away(scenario, decided)
    ends = [
        node_type.valid_until
        for node_type in scenario.node_types
        if node_type.valid_until is not None
    ]
    if ends and len(ends) == len(scenario.node_types) and max(ends) < decided:
        latest = (str(max(ends)), "date")
        yield here, remark("scenario-expired", day=(str(decided), "date"), latest=latest)


def _far_away(scenario: Scenario, decided: dt.date) -> Remarks:
    """Days that lie years from the decision."""
    stated: list[tuple[KeyPath, dt.date | None]] = [
        (("requirements", "delivered_by"), scenario.requirements.delivered_by),
        (("power", "available_on"), scenario.power.available_on if scenario.power else None),
        *(
            (("node_types", index, "valid_until"), node_type.valid_until)
            for index, node_type in enumerate(scenario.node_types)
        ),
    ]
    for where, day in stated:
        years = abs((day - decided).days) / _DAYS_PER_YEAR if day else 0.0
        if day and years > FARTHEST_YEARS:
            yield (
                where,
                remark(
                    "scenario-years-apart",
                    day=(str(day), "date"),
                    decided=(str(decided), "date"),
                    years=(round(years), "year"),
                ),
            )
