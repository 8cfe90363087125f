"""Schedules read from tables that anybody may have written."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from planner.scheduling.simulation.schedule import NEVER, Integers, JobSchedule
from scenarios.faults import ScenarioError, foremost
from scenarios.job_logs.job_log import LATEST_S, MISSING, MOST_JOBS
from scenarios.tables.columns import lay_out
from scenarios.tables.csv_cells import CsvText, open_csv
from scenarios.tables.field import Field
from scenarios.tables.field_table import field_table, heading_counter

LARGEST_BYTES = 256 << 20
NOT_ACCEPTED = "no start in the file"


def _whole(name: str, meaning: str, *aliases: str, required: bool = True, blank: str = "") -> Field:
    return Field(
        name, meaning, "whole", aliases, least=-LATEST_S, most=LATEST_S, required=required,
        blank=blank
    )  # fmt: skip


def _seconds(name: str, meaning: str, *aliases: str, blank: str = "") -> Field:
    return replace(_whole(name, meaning, *aliases, blank=blank), unit="s")


FIELDS = (
    _whole("job", "Number of the job"),
    _seconds("submit", "Submit time"),
    _seconds("start", "Start; -1 for a job that was not accepted", blank="not accepted"),
    _seconds("run", "Run time"),
    _whole("processors", "Cores of the job", "procs"),
    _seconds("requested", "Requested time", "req"),
    _whole("user", "Number of the user", required=False, blank="not known"),
    _whole("killed", "1 for a job that was stopped at its limit", required=False, blank="0"),
)
_BLANK = {"start": NEVER, "user": MISSING, "killed": 0}


def read_schedule(path: Path, machine_processors: int, source: str | None = None) -> JobSchedule:
    """Read a schedule from a CSV file, compressed or not.

    The columns are the :data:`FIELDS`, in any order. Rows are sorted by submission, ties by the
    job's number. Only the checker tests whether the schedule is possible.

    Parameters
    ----------
    path
        Path of the file.
    machine_processors
        Processors of the machine; the file does not contain them.
    source
        Name of the file in messages.

    Returns
    -------
    The schedule; a job whose start is -1 or blank is rejected as ``NOT_ACCEPTED``.

    Raises
    ------
    ScenarioError
        The file cannot be read or has no jobs, a column is missing or listed twice, or a cell is
        not a whole number. The message has line, value and remedy of the first hundred errors.
    """
    source = source or path.name
    field_of = heading_counter(FIELDS)
    text = open_csv(
        path, source, field_of, most=LARGEST_BYTES, remedy="split it", kind="a schedule"
    )
    return _schedule(_columns(text), machine_processors, source)


def _schedule(columns: dict[str, Integers], machine_processors: int, source: str) -> JobSchedule:
    submit, number = columns["submit"], columns["job"]
    if (np.diff(submit) < 0).any():
        order = np.lexsort((number, submit))
        columns = {name: values[order] for name, values in columns.items()}
    number, start = columns["job"], columns["start"]
    missing = np.full(len(number), MISSING, np.int64)
    never = number[start == NEVER].tolist()
    return JobSchedule(
        name=source,
        machine_processors=machine_processors,
        number=number,
        submit_s=columns["submit"],
        start_s=start,
        run_s=columns["run"],
        processors=columns["processors"],
        requested_s=columns["requested"],
        user=columns.get("user", missing).astype(np.int32),
        killed=columns.get("killed", np.zeros(len(number), np.int64)) != 0,
        rejected=dict.fromkeys(never, NOT_ACCEPTED),
    )


def _columns(text: CsvText) -> dict[str, Integers]:
    """The columns by our names: fast where all is well, else cell by cell."""
    line, headings = next(text.records(), (0, []))
    layout = lay_out([heading.strip() for heading in headings], FIELDS, careful=False)
    plain = line == 1 and not layout.problems and set(layout.units.values()) == {"s"}
    if plain and _rectangular(text.file.text, text.delimiter, len(headings)):
        columns = _all_at_once(text, layout.places)
        if columns is not None:
            return columns
    return _cell_by_cell(text)


def _all_at_once(text: CsvText, places: Mapping[str, int]) -> dict[str, Integers] | None:
    """The columns of a table of plain whole numbers; ``None`` where any cell is in doubt."""
    import pandas as pd

    order = sorted(places.values())
    try:
        with np.errstate(invalid="ignore"):  # of numbers beyond int64, which are refused below
            table: Any = pd.read_csv(
                io.StringIO(text.file.text),
                sep=text.delimiter,
                header=0,
                names=None,
                usecols=order,
                dtype="int64",
                na_filter=False,
                index_col=False,
            )
    except (ValueError, OverflowError, pd.errors.ParserError, pd.errors.EmptyDataError):
        return None
    columns = {
        name: table.iloc[:, order.index(heading)].to_numpy(np.int64)
        for name, heading in places.items()
    }
    # Clipped before `abs`, since the least 64-bit number has no positive counterpart.
    within = all((abs(values.clip(-LATEST_S - 1)) <= LATEST_S).all() for values in columns.values())
    return columns if within and 0 < len(table) <= MOST_JOBS else None


def _rectangular(text: str, delimiter: str, columns: int) -> bool:
    """Return whether each line has ``columns`` cells; otherwise pandas drops or shifts cells."""
    if '"' in text:
        return False
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    ends = np.append(np.flatnonzero(data == ord("\n")), len(data))
    if len(data) and data[-1] == ord("\n"):
        ends = ends[:-1]
    parted = np.searchsorted(np.flatnonzero(data == ord(delimiter)), ends)
    return bool((np.diff(parted, prepend=0) == columns - 1).all())


def _cell_by_cell(text: CsvText) -> dict[str, Integers]:
    """Read every cell, and say what is wrong with each that holds no whole number."""
    source = text.file.name
    table = field_table(text, FIELDS, careful=False, what="jobs")
    if len(table.records) > MOST_JOBS:
        table.fault(0, f"holds more than {MOST_JOBS} jobs; split it")
        table.records.clear()
    rows = [row for _, row in table.rows()]
    if table.faults:
        raise ScenarioError(foremost(table.faults, source))
    return {
        name: np.array([_BLANK[name] if row[name] is None else row[name] for row in rows], np.int64)
        for name in table.layout.places
    }
