"""The document on power-aware scheduling: questions with figures, long tables at the end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.formatting import percent, plural, power, words
from planner.scheduling.power.question import schedule_of
from planner.scheduling.power.study import ScheduleStudy
from planner.scheduling.power.tables import LONG
from planner.table import Table
from reports.blocks import Drawn, Page, bullets, figures, grid, partly
from reports.grid import table_of
from reports.skeleton import paged, provenance_page, title_page
from reports.style import Picture

_MOST_ROWS = 40
_BOOK = "schedule.xlsx"


def document(study: ScheduleStudy, pictures: Sequence[Picture]) -> dict[str, Any]:
    """Return everything that the template shows."""
    return paged(_front, _turnaround, _users, _watts, _fair, _details, _hindsight, _method,
                 _appendix, _provenance)(study, pictures)  # fmt: skip


def _front(study: ScheduleStudy) -> dict[str, Any]:
    first, *_ = study.shown
    table = table_of(first.columns, first.rows)
    return title_page(study, study.title, study.title, table=table)


def _table(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return a table by its name; none where it is empty."""
    table = next(item for item in study.shown if item.name == name)
    return [_grid(table)] if table.rows else []


def _grid(table: Table) -> dict[str, Any]:
    caption = partly(table.caption, _MOST_ROWS, len(table.rows), _BOOK)
    return grid(table_of(table.columns, table.rows[:_MOST_ROWS]), caption)


def _short(study: ScheduleStudy, name: str) -> list[dict[str, Any]]:
    """Return a long table where it is short enough to stand in the text."""
    table = next(item for item in study.shown if item.name == name)
    return [_grid(table)] if 0 < len(table.rows) <= _MOST_ROWS // 2 else []


def _turnaround(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    table = _table(study, "turnaround_by_policy") or _short(study, "turnaround")
    answer = (
        f"Mean turnaround compared with {study.reference}, on the same jobs under the same bound."
    )
    blocks = (*figures(drawings, "turnaround"), *table)
    return Page("How long do jobs take?", answer, blocks) if blocks else None


def _users(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    blocks = (*figures(drawings, "users"), *_short(study, "users"))
    answer = "The mean hides jobs that wait for others. jobs.csv has the gain of each job."
    return Page("Who gains, and who loses?", answer, blocks) if blocks else None


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
    return Page("Do the watts keep the bound?", answer, blocks)


def _fair(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del study
    blocks = tuple(figures(drawings, "fairness"))
    answer = "Jain's index of requested time over turnaround is 1 where all jobs are served alike."
    return Page("Are the policies fair?", answer, blocks) if blocks else None


def _details(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del drawings
    if not study.errors:
        return None
    every = study.errors[-1]
    answer = (
        f"Predicted run times are {percent(every.time_mean)} off on average; power is at most "
        f"{percent(every.power_lowest)} too low."
    )
    blocks = tuple(_table(study, "details"))
    return Page("How good is the job details table?", answer, blocks)


def _hindsight(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    del drawings
    blocks = tuple(_table(study, "hindsight"))
    answer = "No schedule passes the proven limit, even if it knows all jobs in advance."
    return Page("How much better could any schedule be?", answer, blocks) if blocks else None


def _method(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    settings = schedule_of(study.scenario)
    synthetic_logs = any(log.drawn for log in settings.logs if log.name in study.logs)
    lines = (
        f"{_SAME} {_SOURCES[settings.details.method]}.",
        _CHARGES[settings.charge],
        *_RULES,
        *(_TESTS if study.seeds > 1 else ()),
        *(_ARRIVALS if synthetic_logs else ()),
    )
    return Page("How was this computed?", "", (bullets(lines),))


_SAME = "All policies get the same jobs and the same job details table, which is"
_SOURCES = {
    "model": "predicted by a regression that few runs trained",
    "measured": "measured",
    "oracle": "known exactly",
}
_CHARGES = {
    "package": "Jobs are charged package power, as in the thesis.",
    "node": "Jobs are charged package and memory power; idle watts are taken off the bound first.",
}
_RULES = (
    "A job is charged the watts of its configuration.",
    "A job without a configuration within its fair share gets the cheapest one, and is counted.",
    "Schedules are scored on true times and watts, which no policy sees.",
    "A program that shares no code with a policy checks every schedule.",
)
_TESTS = (
    "Turnarounds are compared seed by seed, by Student's paired test.",
    "Shown differences are corrected for all comparisons of their table (Holm, 5 %).",
)
_ARRIVALS = ("Another arrival rate may change the order of the policies: see docs/schedule.md.",)


def _appendix(study: ScheduleStudy, drawings: Drawn) -> Page | None:
    """Return long tables that fit the document; the workbook has the others."""
    del drawings
    tables = [item for item in study.shown if item.name in LONG and item.rows]
    longer = [table for table in tables if len(table.rows) > _MOST_ROWS]
    middle = [table for table in tables if _MOST_ROWS // 2 < len(table.rows) <= _MOST_ROWS]
    names = words(item.name for item in longer)
    note = [f"Every log, bound and policy: sheets {names} of {_BOOK}."] if longer else []
    blocks = (*([bullets(note)] if note else []), *map(_grid, middle))
    return Page("Appendix: every case", "", blocks) if blocks else None


def _provenance(study: ScheduleStudy, drawings: Drawn) -> Page:
    del drawings
    rows = [(_LABELS.get(name, name), _text(value)) for name, value in study.settings.items()]
    return provenance_page(study, [*rows, *study.provenance])


_LABELS = {"bounds_w": "power bounds", "reference": "reference policy", "details": "job details"}


def _text(value: Any) -> str:
    return words(map(power, value)) if isinstance(value, list) else str(value)
