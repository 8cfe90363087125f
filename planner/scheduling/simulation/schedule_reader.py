"""Schedules read from tables that anybody may have written."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from planner.plain_numbers import plain_decimal
from planner.scheduling.simulation.schedule import NEVER, Integers, Schedule
from planner.scheduling.simulation.schedule_file import COLUMNS
from scenarios.faults import MOST_FAULTS, Fault, ScenarioError, foremost
from scenarios.job_logs.job_log import LATEST_S, MISSING, MOST_JOBS
from scenarios.tables.csv_cells import CsvText, open_csv
from scenarios.wording import clipped

LARGEST_BYTES = 256 << 20
NOT_ACCEPTED = "no start in the file"

_OTHER_NAMES = {"procs": "processors", "req": "requested"}


def read_schedule(path: Path, machine_processors: int, shown: str | None = None) -> Schedule:
    """Read a schedule from a CSV file, compressed or not.

    The columns ``job, submit, start, run, processors, requested`` are found by their names in any
    order; ``procs`` and ``req`` are names of the last two as well. Columns ``user`` and ``killed``
    are taken where they are. Rows that are not in order of submission are put into it, ties by the
    job's number. Whether the schedule is possible is not asked here: that is for the checker.

    Parameters
    ----------
    path
        Of the file.
    machine_processors
        Processors of the machine, which no such file tells.
    shown
        What to call the file in messages.

    Returns
    -------
    The schedule; a job whose start is -1 or blank is rejected as ``NOT_ACCEPTED``.

    Raises
    ------
    ScenarioError
        The file cannot be read or holds no jobs, a column is missing or there twice, or a cell
        holds no whole number: line, value and remedy of the first hundred.
    """
    shown = shown or path.name
    text = open_csv(path, shown, _known, most=LARGEST_BYTES, remedy="split it", kind="a schedule")
    columns = _columns(text, shown)
    if not len(columns["job"]):
        raise ScenarioError([Fault(shown, 0, "", "holds no jobs; give a row for each job")])
    return _schedule(columns, machine_processors, shown)


def _schedule(columns: dict[str, Integers], machine_processors: int, shown: str) -> Schedule:
    submit, number = columns["submit"], columns["job"]
    if (np.diff(submit) < 0).any():
        order = np.lexsort((number, submit))
        columns = {name: values[order] for name, values in columns.items()}
    number, start = columns["job"], columns["start"]
    missing = np.full(len(number), MISSING, np.int64)
    never = number[start == NEVER].tolist()
    return Schedule(
        name=shown,
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


def _columns(text: CsvText, shown: str) -> dict[str, Integers]:
    """The columns by our names: fast where all is well, else cell by cell."""
    import pandas as pd

    line, headings = next(text.records(), (1, []))
    places = _places(headings, shown, line)
    if line > 1 or not _rectangular(text.file.text, text.delimiter, len(headings)):
        return _cell_by_cell(text, places)
    try:
        with np.errstate(invalid="ignore"):  # of numbers beyond int64, which are refused below
            table: Any = pd.read_csv(
                io.StringIO(text.file.text),
                sep=text.delimiter,
                header=0,
                names=None,
                usecols=sorted(places.values()),
                dtype="int64",
                na_filter=False,
                index_col=False,
            )
    except (ValueError, OverflowError, pd.errors.ParserError, pd.errors.EmptyDataError):
        return _cell_by_cell(text, places)
    order = {place: column for column, place in enumerate(sorted(places.values()))}
    columns = {
        name: table.iloc[:, order[place]].to_numpy(np.int64) for name, place in places.items()
    }
    within = all((abs(values.clip(-LATEST_S - 1)) <= LATEST_S).all() for values in columns.values())
    if within and len(table) <= MOST_JOBS:
        return columns
    return _cell_by_cell(text, places)


def _rectangular(text: str, delimiter: str, columns: int) -> bool:
    """Whether every line surely has so many cells: pandas drops or shifts cells where not."""
    if '"' in text:
        return False
    data = np.frombuffer(text.encode(), dtype=np.uint8)
    ends = np.append(np.flatnonzero(data == ord("\n")), len(data))
    if len(data) and data[-1] == ord("\n"):
        ends = ends[:-1]
    parted = np.searchsorted(np.flatnonzero(data == ord(delimiter)), ends)
    return bool((np.diff(parted, prepend=0) == columns - 1).all())


def _places(headings: list[str], shown: str, line: int) -> dict[str, int]:
    names = [heading.strip().lower() for heading in headings]
    places: dict[str, int] = {}
    faults = []
    for place, name in enumerate(names):
        ours = _OTHER_NAMES.get(name, name)
        if ours not in {*COLUMNS, "user", "killed"}:
            continue
        if ours in places:
            message = f"column {clipped(name)!r} is there twice; leave one out"
            faults.append(Fault(shown, line, "", message))
        places[ours] = place
    missing = [name for name in COLUMNS if name not in places]
    if missing:
        listed = ", ".join(clipped(repr(heading)) for heading in headings[:20]) or "nothing"
        message = f"no column {', '.join(missing)} among {listed}; name the columns {_NAMES}"
        faults.append(Fault(shown, line, "", message))
    if faults:
        raise ScenarioError(foremost(faults, shown))
    return places


_NAMES = ",".join(COLUMNS)
_KNOWN = frozenset({*COLUMNS, *_OTHER_NAMES, "user", "killed"})


def _known(cells: Sequence[str]) -> int:
    return len(_KNOWN & {cell.strip().lower() for cell in cells})


def _cell_by_cell(text: CsvText, places: dict[str, int]) -> dict[str, Integers]:
    """Read every cell, and tell what is wrong with each that is no whole number."""
    faults: list[Fault] = []
    values: dict[str, list[int]] = {name: [] for name in places}
    shown, wanted = text.file.name, 0
    try:
        for line, cells in text.records():
            if not wanted:
                wanted = len(cells)
                continue
            if len(cells) != wanted:
                message = (
                    f"{len(cells)} cells where the headings have {wanted}; give one per column"
                )
                faults.append(Fault(shown, line, "", message))
                continue
            for name, place in places.items():
                value, trouble = _number(cells[place].strip(), name)
                values[name].append(value)
                if trouble:
                    faults.append(Fault(shown, line, name, trouble))
            if len(faults) > MOST_FAULTS:
                break
    except ScenarioError as error:
        faults += error.faults
    if len(values["job"]) > MOST_JOBS:
        message = f"holds more than {MOST_JOBS} jobs; split it"
        faults.append(Fault(shown, 0, "", message))
    if faults:
        raise ScenarioError(foremost(faults, shown))
    return {name: np.array(column, np.int64) for name, column in values.items()}


def _number(cell: str, name: str) -> tuple[int, str]:
    """A cell's whole number, and what is wrong with it."""
    if not cell:
        if name == "start":
            return NEVER, ""
        if name in {"user", "killed"}:
            return (MISSING if name == "user" else 0), ""
        return 0, "is blank; give a whole number"
    try:
        number = plain_decimal(cell)
    except ValueError:
        return 0, f"{clipped(cell)!r} is no number; give a whole one, in plain digits"
    if not abs(number) <= LATEST_S:
        return 0, f"{clipped(cell)} lies beyond {LATEST_S}; count times in seconds from the first"
    if number != int(number):
        unit = "" if name in {"job", "processors", "user", "killed"} else " of seconds"
        return 0, f"{clipped(cell)} is no whole number{unit}; round it"
    return int(number), ""
