"""The title page: the answer, the warnings, and the sizes next to it."""

from __future__ import annotations

from typing import Any

from planner.formatting import capitalised, clipped, count, plural, words
from planner.scheduling.policies.display import in_prose, in_table
from planner.scheduling.policies.rules import briefly
from planner.scheduling.simulation.wait_text import jobs, own_unit, share
from planner.scheduling.sizing.sizing import Sizing
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.summary import FEW, factor, how_grown, scaled, sized_in, unit_of
from planner.scheduling.sizing.tables import around
from planner.worded_table import Column
from reports.first_page import FirstPage
from reports.grid import Table, table_of
from reports.job_log_facts import log_facts, short_name
from reports.report import Facts
from reports.skeleton import first_sheet, title_page
from reports.warning_boxes import boxed
from scenarios.job_logs.origin import synthetic_words

BOOK = "size.xlsx"
POLICY = Column("policy", "Policy", in_table, width=1.1)
_FEW = 2
"""With more policies than this, the title page has the answers only."""


def front(study: SizingStudy) -> dict[str, Any]:
    """Return what the title page shows."""
    first = FirstPage(
        reasons=summary(study),
        alternatives=_alternatives(study),
        risks=boxed(study.warnings),
        robustness=_robustness(study),
        assumptions=_assumptions(study),
        next_steps=_next_steps(study),
        balanced=True,
        table=sizes(study) if len(study.sizings) > 1 or not study.ranking else None,
    )
    return title_page(
        study, title(study), log_name(study), description=_description(study), first=first
    )


def title(study: SizingStudy) -> str:
    """The question: the log and its growth."""
    growth = study.settings.growth.factor
    work = "the jobs" if growth == 1 else f"{factor(growth)} times the work"
    log = clipped(study.log.file or log_name(study)) if study.log.sha256 else "this log"
    return f"How large must a machine be for {work} of {log}?"


def log_name(study: SizingStudy) -> str:
    """The log's name, short enough for a footer."""
    return short_name(study.log)


def pairs(study: SizingStudy) -> Facts:
    """The first sheet of the workbook."""
    bounds, machine = study.bounds, study.log.machine_processors
    units = f"{unit_of(study.rules.node_processors)}s"
    rows = [
        *log_facts(study.log, study.files, study.command),
        ("service level", study.settings.level.words),
        ("growth requested", study.settings.growth.factor),
        ("growth reached", study.grown.reached),
        ("growth by", study.settings.growth.by),
        ("jobs", len(study.log)),
        ("jobs grown", len(study.grown.log)),
        ("processors of a node", study.rules.node_processors),
        ("processors of the log's machine", machine),
        ("answer over the log's machine", study.capacity),
        (f"{units} of the largest job", bounds.fewest),
        (f"{units} for all work in the time of the log", bounds.work),
        (f"{units} if every job starts at once", bounds.largest),
        ("seed", study.settings.seed),
    ]
    return first_sheet(study, title(study), rows)


def _description(study: SizingStudy) -> str:
    own = study.log.machine_processors
    own_machine = f"; its own machine has {plural(own, 'processor')}" if own else ""
    under = words([in_prose(sizing.policy) for sizing in study.sizings])
    target = f"Target: {study.settings.level.words} under {under}"
    return f"{jobs(len(study.log))}{own_machine}. {target}."


def summary(study: SizingStudy) -> list[str]:
    """Return why the answer is recommended."""
    level = study.settings.level
    lines = [*study.findings[:1]]
    if study.ranking and (answer := study.sizings[study.ranking[0]].answer) is not None:
        value = f"{capitalised(level.quantity)} is {level.text(answer.value)}"
        lines = [f"{value} (limit {level.limit_text})."]
    todays = [(sizing.policy, sizing.today) for sizing in study.sizings if sizing.today is not None]
    if todays:
        text = ", ".join(
            f"{level.text(one.value)} under {in_prose(policy)}"
            f"{'' if one.keeps else ' (misses the target)'}"
            for policy, one in todays
        )
        machine = plural(todays[0][1].processors, "processor")
        lines.append(f"The unchanged log on its own machine ({machine}): {text}.")
    if study.capacity is not None:
        lines.append(
            f"The answer under {in_prose(study.sizings[0].policy)} is {study.capacity:.2f} times "
            "the processors of the log's own machine."
        )
    return [*lines, *_bounds(study)]


def _alternatives(study: SizingStudy) -> list[str]:
    if not study.ranking:
        return []
    best = study.sizings[study.ranking[0]]
    level, lines = study.settings.level, list(study.findings[1:])
    unit = unit_of(study.rules.node_processors)
    if best.below is not None:
        verb = "meets" if best.below.keeps else "misses"
        lines.append(f"One {unit} less {verb} the target: {level.text(best.below.value)}.")
    elif best.nodes == study.bounds.fewest:
        lines.append(f"One {unit} less is too small for job {study.bounds.largest_job}.")
    if best.above is not None:
        lines.append(f"One {unit} more: {level.text(best.above.value)}.")
    return [*lines, *([text] if (text := scaled(study)) else [])]


def _bounds(study: SizingStudy) -> list[str]:
    """The least size for the largest job and for all work, and the size at which no job waits."""
    bounds = study.bounds
    return [
        (
            f"The largest job needs {sized_in(bounds.fewest, study)}; all the work in the time of "
            f"the log needs {sized_in(bounds.work, study)}, always in use."
        ),
        f"With {sized_in(bounds.largest, study)} every job starts at once.",
    ]


def _robustness(study: SizingStudy) -> list[str]:
    """In which share of the resampled logs the answer suffices."""
    if not study.ranking or not study.resampled:
        return []
    index = study.ranking[0]
    nodes, draws = study.sizings[index].nodes, study.resampled[index].nodes
    if not nodes or not draws:
        return []
    enough = sum(draw is not None and draw <= nodes for draw in draws)
    word = study.periods.word if study.periods else "week"
    logs = plural(len(draws), "log")
    return [
        (
            f"{sized_in(nodes, study)} {'suffices' if nodes == 1 else 'suffice'} for {enough:,} of "
            f"{logs} of resampled {word}s."
        )
    ]


def _assumptions(study: SizingStudy) -> list[str]:
    node = plural(study.rules.node_processors, "processor")
    machine = f"Each node has {node}, as fast as those of the log's machine."
    if study.rules.node_processors == 1:
        machine = "Processors are as fast as those of the log's machine."
    return [
        *how_grown(study)[:1],
        machine,
        *briefly([each.policy for each in study.sizings], [each.rule for each in study.sizings]),
        "Users do not submit more jobs when waits are shorter.",
    ]


def _next_steps(study: SizingStudy) -> list[str]:
    if not study.ranking:
        return ["Relax the target, or use larger nodes, and size again."]
    lines = []
    if study.settings.growth.factor == 1:
        lines.append("Repeat with the growth that you expect over the machine's life.")
    if not study.resampled:
        lines.append("Resample weeks of the log to see how uncertain the answer is.")
    elif study.periods is not None and study.periods.whole < FEW:
        lines.append(f"Use a log of {FEW} weeks or more for a reliable interval.")
    if synthetic_words(study.log.header):
        lines.append("Repeat with an accounting log of your own machine.")
    units = f"{unit_of(study.rules.node_processors)}s"
    lines.append(f"Add spare {units} for failures and maintenance, which are not simulated.")
    return lines


def sizes(study: SizingStudy) -> Table:
    """For each policy the answer and its neighbours."""
    size = Column("what", "Size", width=1.5)
    rows = [row for sizing in study.sizings for row in _rows(study, sizing)]
    policies = (POLICY,) if len(study.sizings) > 1 else ()
    return table_of((*policies, size, *measures(study)), rows)


def _rows(study: SizingStudy, sizing: Sizing) -> list[dict[str, Any]]:
    few = len(study.sizings) <= _FEW or sizing.answer is None
    return [row for row in around(sizing) if few or row["what"] == "answer"]


def measures(study: SizingStudy) -> tuple[Column, ...]:
    """Columns of a size and of what it gives; no column of nodes where a node has one processor."""
    level = study.settings.level
    nodes = Column("nodes", "Nodes", count, number=True, width=0.8)
    mean = Column("mean_wait_s", "Mean wait", own_unit, number=True)
    heading = capitalised(level.quantity.removeprefix("the "))
    return (
        *(() if study.rules.node_processors == 1 else (nodes,)),
        Column("processors", "Processors", count, number=True),
        Column("value", heading, level.text, number=True, width=1.5),
        *(() if level.name == "mean-wait" else (mean,)),
        Column("utilisation", "Utilis\u00adation", share, number=True, width=0.9),
    )
