"""Which runs the report is based on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from planner.configurations.best_configuration import ConfigurationAnswer
from planner.configurations.study import ConfigurationStudy
from planner.configurations.table import ConfigurationTable, groups, table_of
from planner.formatting import clipped, plural, seconds, watts, words
from reports.blocks import Block, Drawn, Page, grid, text
from reports.compact import compact, without_constants
from reports.configuration.pages.front import file_name
from reports.configuration.summary import answers, name
from reports.grid import table
from scenarios.measurements.runs import Floats, Runs

_MOST_VALUES, _FEW_VALUES = 13, 4
_LONGEST_NAME, _USUAL_NAME = 40, 16
_COLUMNS = (
    ("Application", False), ("Runs", True), ("Configurations", True), ("Nodes", False),
    ("Cores per node", False), ("Caps (W)", False), ("Time", False), ("Power", False),
    ("Memory power", False),
)  # fmt: skip
_WIDTHS = (1, 0.6, 1.3, 1.2, 1, 1.1, 1, 1, 0.95)


def page(study: ConfigurationStudy, _pictures: Drawn) -> Page:
    """The range of every application."""
    total = sum(len(groups(run)) for run in study.runs)
    memory = words(sorted({_memory(run) for run in study.runs}))
    blocks = measured_runs([_measured(study, answer) for answer in answers(study)])
    if any(answer.of_model for answer in study.answers):
        ranges = [_ranges(answer.table, name(answer)) for answer in answers(study)]
        shared = table((_COLUMNS[0], *_COLUMNS[2:8]), (_WIDTHS[0], *_WIDTHS[2:8]), ranges)
        blocks += compact(shared, f"Run, or predicted by {study.model}", small=True)
    runs = plural(sum(len(run) for run in study.runs), study.measurements.run_word)
    return Page(
        "Which runs is this based on?",
        f"{file_name(study)} holds {runs} of {plural(total, 'configuration')} and "
        f"{plural(len(study.answers), 'application')}; memory power is {memory}.",
        tuple(blocks),
    )


def _memory(runs: Runs) -> str:
    return "not included" if runs.dram_power_w is None else "included"


def _measured(
    study: ConfigurationStudy, answer: ConfigurationAnswer
) -> tuple[Runs, ConfigurationTable]:
    runs = study.measurements.runs[answer.application]
    return runs, table_of(runs, study.question.repetition) if answer.of_model else answer.table


def measured_runs(measured: Sequence[tuple[Runs, ConfigurationTable]]) -> list[Block]:
    """Return each application's runs and the ranges of their settings."""
    rows = []
    widths = _WIDTHS
    if any(len(runs.application) > _USUAL_NAME for runs, _ in measured):
        widths = (2 * _WIDTHS[0], *_WIDTHS[1:])
    for runs, configurations in measured:
        who, *ranges = _ranges(configurations, clipped(runs.application, _LONGEST_NAME))
        rows.append((who, f"{len(runs):,}", *ranges, _memory(runs)))
    whole, caption = table(_COLUMNS, widths, rows), "Runs by application"
    if len(rows) == 1:  # the answer of the page has its first cells
        nodes, cores, caps, time, power = rows[0][3:8]
        return [
            text(
                f"Nodes: {nodes}; cores per node: {cores}; caps: {caps} W. Time: {time}; power: "
                f"{power}."
            )
        ]
    shown, same = without_constants(whole)
    every = [text(f"Every application: {same}.")] if same else []
    return [*every, grid(shown, caption, small=True)]


def _ranges(table: ConfigurationTable, who: str) -> tuple[str, ...]:
    return (
        who,
        f"{len(table):,}",
        _values(table.nodes),
        _values(table.cores_per_node),
        _values(table.package_cap_w),
        _range(seconds, table.time_s),
        _range(watts, table.power_w),
    )


def _range(formatted: Callable[[float], str], column: Floats) -> str:
    ends = dict.fromkeys(formatted(float(end)) for end in (column.min(), column.max()))
    return " to ".join(ends)


def _values(column: NDArray[np.integer | np.floating]) -> str:
    distinct = np.unique(column)
    steps = np.unique(np.diff(distinct))
    if len(distinct) > _FEW_VALUES and len(steps) == 1:
        step = "" if steps[0] == 1 else f" in steps of {steps[0]:g}"
        return f"{distinct[0]:g} to {distinct[-1]:g}{step}"
    if len(distinct) <= _MOST_VALUES:
        return ", ".join(f"{value:g}" for value in distinct)
    return f"{len(distinct)} from {distinct[0]:g} to {distinct[-1]:g}"
