"""Columns that Headroom does not know: whether runs that differ in them are repetitions.

Runs of equal nodes, cores and cap are repetitions only where nothing else was set differently. A
column such as the power cap of GPUs says that something was. Columns of what was measured, of
names and of numbers of runs differ between repetitions, too. Headroom recognises these columns by
their headings and by their values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from scenarios.faults import Fault
from scenarios.formatting import clipped, nearest
from scenarios.measurements.checks import described, grouped
from scenarios.measurements.runs import Floats, Indices
from scenarios.measurements.table import RunTable, refuse
from scenarios.tables.cell_text import quoted
from scenarios.tables.cells import Cell, Unreadable
from scenarios.tables.columns import known_by, words_of

_LIMIT = re.compile("caps?|limit")
_SET = re.compile(
    "clock|freq|frequency|governor|turbo|boost|gpus?|version|compiler|problem|size|input|threads|"
    "smt|ht|numa|binding|library|mpi|flags|mode|policy"
)
_MEASURED = re.compile(
    "power|watts?|energy|joules?|temperature|temp|ipc|g?flops|bandwidth|speed|performance|error|"
    "std|deviation|min|max|mean|avg|average|median|time|seconds"
)
_LABEL = re.compile(
    "id|no|nr|number|index|date|day|timestamp|start|started|end|ended|begin|submit|hosts?|hostname|"
    "node|nodelist|nodenames|hostlist|comments?|notes?|remarks?|user|account|seed|jobid|job|run"
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d\d")
_UNIQUE = 0.8  # of the values, in a column of what was measured
_DIGITS = 4  # that a measured number has, and a setting seldom
_LEAST = 8  # runs in which values that are all different say something


def separated(
    table: RunTable,
    names: Sequence[str],
    which: Indices,
    values: Mapping[str, Floats],
    group_by: Sequence[str],
    ignore: Sequence[str],
) -> tuple[list[str], Indices]:
    """Applications with each group of settings as one of its own; names, and the index of each run.

    Raises
    ------
    ScenarioError
        A heading that there is not. Runs of one configuration differ in a column that looks like
        a setting and is named in neither: names the column, two places and the remedies.
    """
    chosen = [_column(table, heading, "--group-by") for heading in group_by]
    ignored = {_column(table, heading, "--ignore") for heading in ignore}
    names, which = _split(table, names, which, chosen)
    faults = []
    for heading, cells in table.others.items():
        if heading not in ignored and heading not in chosen:
            fault = _differing(table, heading, cells, names, which, values)
            faults += [fault] if fault is not None else []
    if faults:
        raise refuse(table.name, faults)
    return names, which


def _column(table: RunTable, heading: str, option: str) -> str:
    name = known_by(heading, table.others)
    if name is None:
        headings = list(table.others)
        remedy = (
            nearest(heading, headings)
            if headings
            else "the table has no further columns; delete the option"
        )
        message = (
            f"{option} {quoted(heading)}: there is no further column with this heading; {remedy}"
        )
        raise refuse(table.name, [table.heading_fault(None, message)])
    return name


def _split(
    table: RunTable, names: Sequence[str], which: Indices, headings: Sequence[str]
) -> tuple[list[str], Indices]:
    if not headings:
        return list(names), which
    labels: dict[str, int] = {}
    codes = np.empty(len(which), dtype=np.int64)
    columns = [[_text(cell) for cell in table.others[heading]] for heading in headings]
    for run, application in enumerate(which.tolist()):
        settings = ", ".join(
            f"{heading} = {clipped(column[run]) or 'blank'}"
            for heading, column in zip(headings, columns, strict=True)
        )
        label = f"{names[application]} ({settings})"
        codes[run] = labels.setdefault(label, len(labels))
    return list(labels), codes


def _differing(
    table: RunTable,
    heading: str,
    cells: Sequence[Cell],
    names: Sequence[str],
    which: Indices,
    values: Mapping[str, Floats],
) -> Fault | None:
    texts = [_text(cell) for cell in cells]
    _, codes = np.unique(np.array(texts, dtype=object).astype(str), return_inverse=True)
    group = grouped(which, values)
    order = np.lexsort((np.arange(len(group)), group))
    same = group[order][1:] == group[order][:-1]
    other = codes[order][1:] != codes[order][:-1]
    rows = np.flatnonzero(same & other)
    if not len(rows) or not _is_setting(heading, texts):
        return None
    before, run = int(order[rows[0]]), int(order[rows[0] + 1])
    run_text = described(names[which[run]], values, run)
    message = (
        f"{quoted(heading)} is {clipped(texts[run]) or 'blank'} here and "
        f"{clipped(texts[before]) or 'blank'} in {table.position(before)}, both for {run_text}: "
        f"these runs are not repetitions. Add --group-by {quoted(heading)} to choose for each "
        f"value, or --ignore {quoted(heading)} if it does not matter"
    )
    return replace(table.fault(run, "time_s", message), where=clipped(heading))


def _is_setting(heading: str, texts: Sequence[str]) -> bool:
    """Whether a column that differs between runs of a configuration is something that was set."""
    limit, setting, measured, label = (
        any(map(words.fullmatch, words_of(heading))) for words in (_LIMIT, _SET, _MEASURED, _LABEL)
    )
    if limit or (setting and not measured):
        return True
    if measured or label:
        return False
    filled = [text for text in texts if text]
    if all(_DATE.match(text) for text in filled):
        return False
    if len(filled) < _LEAST or len(set(filled)) < _UNIQUE * len(filled):
        return True
    numbers = [_number(text) for text in filled]
    if any(number is None for number in numbers):
        return False  # texts that are all different are names
    counted = sorted(number for number in numbers if number is not None)
    steps = set(np.diff(counted).tolist())
    digits = [len(f"{number:.15g}".replace(".", "").strip("-0")) for number in counted]
    return steps != {1.0} and float(np.median(digits)) < _DIGITS


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Unreadable):
        return cell.text.strip()
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell).strip()
