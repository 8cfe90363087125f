"""The title page: the answer, the warnings, and the sizes next to it."""

from __future__ import annotations

from typing import Any

from planner.formatting import DASH, clipped, seconds, words
from planner.scheduling.simulation.wording import jobs, share, source
from planner.scheduling.sizing.sizing import Sizing, Tried
from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.wording import factor, how_grown
from reports.grid import Table, table
from reports.report import Facts
from reports.skeleton import command_line, title_page
from scenarios.job_logs.origin import header_words

BOOK = "size.xlsx"
_FEW = 2
"""Of more policies the title page has the answers only."""


def front(study: SizingStudy) -> dict[str, Any]:
    """What the title page shows."""
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
    under = words([each.policy for each in study.sizings])
    growth = study.asked.growth.factor
    work = "" if growth == 1 else f" with {factor(growth)} times its work"
    return f"How large a machine for {log_name(study)}{work} under {under}"


def log_name(study: SizingStudy) -> str:
    """The log's name, short enough for a footer."""
    return clipped(study.log.name, 80)


def pairs(study: SizingStudy) -> Facts:
    """The first sheet of the workbook."""
    bounds, machine = study.bounds, study.log.machine_processors
    return [
        ("title", title(study)),
        ("answer", study.headline),
        ("how sure", study.confidence),
        ("log", study.log.name),
        ("SHA-256 of the log", study.log.sha256 or "none: not read from a file"),
        ("source", source(study.log)),
        ("origin of the jobs", header_words(study.log.header)),
        ("command", command_line(study.command) or None),
        ("service level", study.asked.level.words),
        ("growth asked", study.asked.growth.factor),
        ("growth reached", study.grown.reached),
        ("growth by", study.asked.growth.by),
        ("jobs", len(study.log)),
        ("jobs grown", len(study.grown.log)),
        ("processors of a node", study.rules.node_processors),
        ("processors of the log's machine", machine),
        ("answer over the log's machine", study.capacity),
        ("nodes of the largest job", bounds.least),
        ("nodes for all work without a pause", bounds.work),
        ("nodes if all jobs started at once", bounds.most),
        ("seed", study.asked.seed),
        *(("warning", warning) for warning in study.warnings),
    ]


def _description(study: SizingStudy) -> str:
    own = study.log.machine_processors
    beside = f"; its own machine has {own:,} processors" if own else ""
    return (
        f"{jobs(len(study.log))}, {source(study.log)}{beside}. Asked: {study.asked.level.words}, "
        f"on nodes of {study.rules.node_processors:,} "
        f"processor{'' if study.rules.node_processors == 1 else 's'}."
    )


def summary(study: SizingStudy) -> list[str]:
    """What a board reads first."""
    lines = list(how_grown(study)[:1])
    level = study.asked.level
    todays = [(each.policy, each.today) for each in study.sizings if each.today is not None]
    if todays:
        told = ", ".join(
            f"{level.shown(one.value)} under {policy}{'' if one.keeps else ', beyond the limit'}"
            for policy, one in todays
        )
        machine = todays[0][1].processors
        lines.append(f"The log as it is, on its own {machine:,} processors: {told}.")
    if study.capacity is not None:
        lines.append(
            f"The answer under {study.sizings[0].policy} is {study.capacity:.2f} times the "
            "processors of the log's own machine."
        )
    bounds = study.bounds
    lines.append(
        f"On fewer than {bounds.least:,} nodes the largest job would be rejected; on fewer than "
        f"{bounds.work:,} the work does not fit in the time; on {bounds.most:,} every job could "
        "start at once."
    )
    return lines


def sizes(study: SizingStudy) -> Table:
    """For each policy the answer and its neighbours."""
    columns = (
        ("Policy", False), ("Size", False), ("Nodes", True), ("Processors", True),
        (study.asked.level.heading, True), ("Mean wait", True), ("Used", True),
    )  # fmt: skip
    rows = [row for each in study.sizings for row in _rows(study, each)]
    return table(columns, (1.1, 1.5, 0.8, 1, 1.5, 1, 0.9), rows)


def _rows(study: SizingStudy, sizing: Sizing) -> list[tuple[str, ...]]:
    if sizing.answer is not None and len(study.sizings) > _FEW:
        return [_row(study, sizing.policy, "answer", sizing.answer)]
    if sizing.answer is None:
        return [_row(study, sizing.policy, "largest tried", sizing.largest)]
    kinds = (
        ("one node less", sizing.below), ("answer", sizing.answer), ("one node more", sizing.above)
    )  # fmt: skip
    return [_row(study, sizing.policy, words, each) for words, each in kinds if each]


def _row(study: SizingStudy, policy: str, what: str, each: Tried) -> tuple[str, ...]:
    return (policy, what, *cells(study, each))


def cells(study: SizingStudy, each: Tried) -> tuple[str, ...]:
    """A size in a table: nodes, processors, the level's value, mean wait, utilisation."""
    return (
        f"{each.nodes:,}",
        f"{each.processors:,}",
        DASH if each.value is None else study.asked.level.shown(each.value),
        DASH if each.mean_wait_s is None else seconds(each.mean_wait_s),
        DASH if each.utilisation is None else share(each.utilisation),
    )
