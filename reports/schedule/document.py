"""The document on power-aware scheduling: questions with figures, then method and long tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from planner.formatting import percent, plural, power, words
from planner.scheduling.power.explanation import ARRIVALS, CHARGES, SOURCES
from planner.scheduling.power.headline import label
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.study import ScheduleStudy
from planner.scheduling.power.tables import LONG
from planner.table import Table
from reports.blocks import Drawn, Page, bullets, figures, grid, partly
from reports.grid import table_of
from reports.skeleton import paged, provenance_page, title_page
from reports.standard import first_page
from reports.style import Picture

_MOST_ROWS = 40
_MOST_POLICIES = 4
"""Policies in the table of the first page; the table of more is on the second."""
_BOOK = "schedule.xlsx"


def document(study: ScheduleStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front_with(pictures), _turnaround, _users, _watts, _fair, _details,
                 _hindsight, _method, _appendix, _provenance)(study, pictures)  # fmt: skip


def _front_with(pictures: Sequence[Picture]) -> Callable[[ScheduleStudy], dict[str, Any]]:
    def front(study: ScheduleStudy) -> dict[str, Any]:
        first = first_page(study, pictures)
        if len(study.policies) > _MOST_POLICIES:
            first = replace(first, table=None)
        return title_page(study, study.title, study.title, first=first)

    return front


def _table(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return a table by its name; none where it is empty."""
    table = next(item for item in study.shown if item.name == name)
    return [_grid(table)] if table.rows else []


def _grid(table: Table) -> dict[str, Any]:
    caption = partly(table.caption, _MOST_ROWS, len(table.rows), _BOOK)
    return grid(table_of(table.columns, table.rows[:_MOST_ROWS]), caption)


def _short(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return one of the long tables if it has few enough rows for the text."""
    table = next(item for item in study.shown if item.name == name)
    return [_grid(table)] if 0 < len(table.rows) <= _MOST_ROWS // 2 else []


def _turnaround(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    few = len(study.policies) <= _MOST_POLICIES
    overall = [] if few else _table(study, "policies_overall")
    table = [*overall, *(_table(study, "turnaround_by_policy") or _short(study, "turnaround"))]
    answer = (
        "Turnaround is the time from submission to end. Each ratio compares a policy with "
        f"{label(study.reference)} on the same jobs under the same bound."
    )
    blocks = (*figures(drawings, "turnaround"), *table)
    return Page("How long do jobs take?", answer, blocks) if blocks else None


def _users(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    blocks = (*figures(drawings, "users"), *_short(study, "users"))
    answer = "A shorter mean can hide jobs that end later. jobs.csv lists the gain of each job."
    return Page("Which jobs end sooner, and which later?", answer, blocks) if blocks else None


def _watts(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    blocks = (
        *figures(drawings, "watts"),
        *figures(drawings, "power_utilisation"),
        *_short(study, "power"),
    )
    broken = sum(outcome.bound_violations > 0 for outcome in study.outcomes)
    answer = (
        f"True power exceeds the bound in {broken:,} of {plural(len(study.outcomes), 'run')}."
        if broken
        else "True power never exceeds the bound."
    )
    return Page("Does power stay within the bound?", answer, blocks)


def _fair(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del study
    blocks = tuple(figures(drawings, "fairness"))
    answer = (
        "Jain's index of requested time divided by turnaround is 1 if all jobs are delayed in "
        "proportion to their requested time."
    )
    return Page("Are the policies fair?", answer, blocks) if blocks else None


def _details(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.errors:
        return None
    every = study.errors[-1]
    answer = (
        f"Predicted run times are {percent(every.time_mean)} off on average. Predicted power is "
        f"too low by at most {percent(every.power_lowest)}."
    )
    blocks = tuple(_table(study, "details"))
    return Page("How accurate are predicted run times and power?", answer, blocks)


def _hindsight(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del drawings
    blocks = tuple(_table(study, "hindsight"))
    answer = "No schedule beats the proven limit, even if it knows all jobs in advance."
    return Page("How much better could any schedule be?", answer, blocks) if blocks else None


def _method(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    settings = schedule_of(study.scenario)
    lines = (
        "All policies get the same jobs and the same job details table.",
        SOURCES[settings.details.method],
        CHARGES[settings.charge],
        *_RULES,
        *(_TESTS if study.seeds > 1 else ()),
        *((ARRIVALS,) if study.synthetic else ()),
    )
    return Page("Appendix: method", "", (bullets(lines),))


_RULES = (
    "A job that has no configuration within its fair share gets the cheapest one, and is counted.",
    "Schedules are scored on true run times and true power, which no policy sees.",
    "An independent checker verifies every schedule; it shares no code with the policies.",
)
_TESTS = (
    "Turnarounds are compared seed by seed, by Student's paired test.",
    "Significance is corrected for all comparisons of a table (Holm, 5 %).",
)


def _appendix(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    """Return long tables that fit the document; the workbook has the others."""
    del drawings
    tables = [item for item in study.shown if item.name in LONG and item.rows]
    longer = [table for table in tables if len(table.rows) > _MOST_ROWS]
    middle = [table for table in tables if _MOST_ROWS // 2 < len(table.rows) <= _MOST_ROWS]
    names = words(item.name for item in longer)
    note = [f"{_BOOK} lists every log, bound and policy in the sheets {names}."] if longer else []
    blocks = (*([bullets(note)] if note else []), *map(_grid, middle))
    return Page("Appendix: every case", "", blocks) if blocks else None


def _provenance(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    rows = [(_LABELS.get(name, name), _text(value)) for name, value in study.settings.items()]
    return provenance_page(study, [*rows, *study.provenance])


_LABELS = {
    "bounds_w": "power bounds",
    "reference": "reference policy",
    "charge": "charged power",
    "details": "job details table",
    "jobs_of_files": "jobs of log files",
}


def _text(value: Any) -> str:
    return words(map(power, value)) if isinstance(value, list) else str(value)
