"""The title page: the answer, the warnings, and the sizes next to it."""

from __future__ import annotations

from typing import Any

from planner.formatting import count, seconds, words
from planner.scheduling.simulation.wait_text import jobs, share, source
from planner.scheduling.sizing.sizing import Sizing
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import factor, how_grown
from planner.scheduling.sizing.tables import around
from planner.table import Column
from reports.grid import Table, table_of
from reports.job_log_facts import log_facts, short_name
from reports.report import Facts
from reports.skeleton import first_sheet, title_page

BOOK = "size.xlsx"
POLICY = Column("policy", "Policy", width=1.1)
_FEW = 2
"""Of more policies the title page has the answers only."""


def front(study: SizingStudy) -> dict[str, Any]:
    """Return what the title page shows."""
    return title_page(
        study,
        title(study),
        log_name(study),
        description=_description(study),
        summary=summary(study),
        table=sizes(study),
    )


def title(study: SizingStudy) -> str:
    """The log, its growth and who plays it."""
    under = words([sizing.policy for sizing in study.sizings])
    growth = study.settings.growth.factor
    work = "" if growth == 1 else f" with {factor(growth)} times its work"
    return f"How large a machine for {log_name(study)}{work} under {under}"


def log_name(study: SizingStudy) -> str:
    """The log's name, short enough for a footer."""
    return short_name(study.log)


def pairs(study: SizingStudy) -> Facts:
    """The first sheet of the workbook."""
    bounds, machine = study.bounds, study.log.machine_processors
    rows = [
        *log_facts(study.log, study.files, study.command),
        ("service level", study.settings.level.words),
        ("growth asked", study.settings.growth.factor),
        ("growth reached", study.grown.reached),
        ("growth by", study.settings.growth.by),
        ("jobs", len(study.log)),
        ("jobs grown", len(study.grown.log)),
        ("processors of a node", study.rules.node_processors),
        ("processors of the log's machine", machine),
        ("answer over the log's machine", study.capacity),
        ("nodes of the largest job", bounds.fewest),
        ("nodes for all work without a pause", bounds.work),
        ("nodes if all jobs started at once", bounds.largest),
        ("seed", study.settings.seed),
    ]
    return first_sheet(study, title(study), rows)


def _description(study: SizingStudy) -> str:
    own = study.log.machine_processors
    beside = f"; its own machine has {own:,} processors" if own else ""
    return (
        f"{jobs(len(study.log))}, {source(study.log)}{beside}. Asked: {study.settings.level.words}"
        f", on nodes of {study.rules.node_processors:,} "
        f"processor{'' if study.rules.node_processors == 1 else 's'}."
    )


def summary(study: SizingStudy) -> list[str]:
    """Return what a board reads first."""
    lines = list(how_grown(study)[:1])
    level = study.settings.level
    todays = [(sizing.policy, sizing.today) for sizing in study.sizings if sizing.today is not None]
    if todays:
        text = ", ".join(
            f"{level.text(one.value)} under {policy}{'' if one.keeps else ', beyond the limit'}"
            for policy, one in todays
        )
        machine = todays[0][1].processors
        lines.append(f"The log as it is, on its own {machine:,} processors: {text}.")
    if study.capacity is not None:
        lines.append(
            f"The answer under {study.sizings[0].policy} is {study.capacity:.2f} times the "
            "processors of the log's own machine."
        )
    bounds = study.bounds
    lines.append(
        f"On fewer than {bounds.fewest:,} nodes the largest job would be rejected; on fewer than "
        f"{bounds.work:,} the work does not fit in the time; on {bounds.largest:,} every job could "
        "start at once."
    )
    return lines


def sizes(study: SizingStudy) -> Table:
    """For each policy the answer and its neighbours."""
    size = Column("what", "Size", width=1.5)
    rows = [row for sizing in study.sizings for row in _rows(study, sizing)]
    return table_of((POLICY, size, *measures(study)), rows)


def _rows(study: SizingStudy, sizing: Sizing) -> list[dict[str, Any]]:
    few = len(study.sizings) <= _FEW or sizing.answer is None
    return [row for row in around(sizing) if few or row["what"] == "answer"]


def measures(study: SizingStudy) -> tuple[Column, ...]:
    """Columns of a size and of what it gives."""
    level = study.settings.level
    return (
        Column("nodes", "Nodes", count, number=True, width=0.8),
        Column("processors", "Processors", count, number=True),
        Column("value", level.heading, level.text, number=True, width=1.5),
        Column("mean_wait_s", "Mean wait", seconds, number=True),
        Column("utilisation", "Used", share, number=True, width=0.9),
    )
