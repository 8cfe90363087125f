"""What was measured."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from planner.configuration.answer import ConfigurationAnswer
from planner.configuration.study import ConfigurationStudy
from reports.configuration.pages.front import file_name
from reports.configuration.wording import MOST_APPLICATIONS, count, name, seconds, watts
from reports.grid import table
from reports.numbers import words
from reports.pages.blocks import Drawn, Page, grid
from scenarios.measurements import Floats, Runs

_MOST_VALUES = 13


def page(study: ConfigurationStudy, _drawn: Drawn) -> Page:
    """The range of every application."""
    columns = (
        ("Application", False), ("Runs", True), ("Configurations", True), ("Nodes", False),
        ("Cores per node", False), ("Caps (W)", False), ("Time", False), ("Power", False),
        ("Memory", False),
    )  # fmt: skip
    rows = [
        _row(answer, study.measurements.runs[answer.application])
        for answer in study.answers[:MOST_APPLICATIONS]
    ]
    total = sum(len(answer.table) for answer in study.answers)
    known = words(sorted({_memory(study.measurements.runs[a.application]) for a in study.answers}))
    return Page(
        "What was measured?",
        f"{file_name(study)} holds {count(total, 'configuration')} of "
        f"{count(len(study.answers), 'application')}; power of the memory is {known}.",
        (
            grid(table(columns, (1, 0.6, 1.3, 1.2, 1, 1.1, 1, 1, 0.95), rows), "Measured runs",
                 small=True),
        ),
    )  # fmt: skip


def _memory(runs: Runs) -> str:
    return "not measured" if runs.dram_power_w is None else "measured"


def _row(answer: ConfigurationAnswer, runs: Runs) -> tuple[str, ...]:
    found = answer.table
    return (
        name(answer),
        f"{len(runs):,}",
        f"{len(found):,}",
        _values(found.nodes),
        _values(found.cores_per_node),
        _values(found.package_cap_w),
        _range(seconds, found.time_s),
        _range(watts, found.power_w),
        _memory(runs),
    )


def _range(told: Callable[[float], str], column: Floats) -> str:
    ends = dict.fromkeys(told(float(end)) for end in (column.min(), column.max()))
    return " to ".join(ends)


def _values(column: NDArray[np.integer | np.floating]) -> str:
    distinct = np.unique(column)
    if len(distinct) <= _MOST_VALUES:
        return ", ".join(f"{value:g}" for value in distinct)
    return f"{len(distinct)} from {distinct[0]:g} to {distinct[-1]:g}"
