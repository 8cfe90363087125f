"""Schedules read from tables that anybody may have written."""

from __future__ import annotations

import csv
import io
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from planner.plain_numbers import plain_decimal
from planner.scheduling.simulation.schedule import NEVER, Integers, Schedule
from planner.scheduling.simulation.schedule_file import COLUMNS
from scenarios.faults import MOST_FAULTS, Fault, ScenarioError, foremost
from scenarios.files import read_bytes, with_line_feeds
from scenarios.job_logs.job_log import LATEST_S, MISSING, MOST_JOBS
from scenarios.tables.delimiters import delimiter_of
from scenarios.wording import clipped

LARGEST_BYTES = 256 << 20
LARGEST_UNPACKED = 1 << 30
NOT_ACCEPTED = "no start in the file"

_PARQUET = b"PAR1"
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
    data = _unpacked(read_bytes(path, shown, "a schedule", LARGEST_BYTES, "split it"), shown)
    if data.startswith(_PARQUET):
        message = "is Parquet; give CSV, as headroom simulate --schedule FILE.csv writes it"
        raise ScenarioError([Fault(shown, 0, "", message)])
    try:
        text = with_line_feeds(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8"
        raise ScenarioError([Fault(shown, line, "", message)]) from error
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


def _unpacked(data: bytes, shown: str) -> bytes:
    if not data.startswith(b"\x1f\x8b"):
        return data
    parts, much = [], 0
    try:
        while data:
            stream = zlib.decompressobj(zlib.MAX_WBITS | 16)
            parts.append(stream.decompress(data, LARGEST_UNPACKED + 1 - much))
            much += len(parts[-1])
            if much > LARGEST_UNPACKED:
                message = f"unpacks to more than {LARGEST_UNPACKED >> 20} MiB; split it"
                raise ScenarioError([Fault(shown, 0, "", message)])
            if not stream.eof:
                message = "ends in the middle of its compressed data; copy it anew"
                raise ScenarioError([Fault(shown, 0, "", message)])
            data = stream.unused_data.lstrip(b"\0")
    except zlib.error as error:
        message = f"is damaged ({error}); compress it anew with gzip"
        raise ScenarioError([Fault(shown, 0, "", message)]) from error
    return b"".join(parts)


def _columns(text: str, shown: str) -> dict[str, Integers]:
    """The columns by our names: fast where all is well, else cell by cell."""
    import pandas as pd

    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = delimiter_of([first], lambda cells: len(_KNOWN & {c.lower() for c in cells}))
    headings = next(csv.reader([first], delimiter=delimiter), [])
    places = _places(headings, shown)
    if not _rectangular(text, delimiter, len(headings)):
        return _cell_by_cell(text, delimiter, places, shown)
    try:
        with np.errstate(invalid="ignore"):  # of numbers beyond int64, which are refused below
            table: Any = pd.read_csv(
                io.StringIO(text),
                sep=delimiter,
                header=0,
                names=None,
                usecols=sorted(places.values()),
                dtype="int64",
                na_filter=False,
                index_col=False,
            )
    except (ValueError, OverflowError, pd.errors.ParserError, pd.errors.EmptyDataError):
        return _cell_by_cell(text, delimiter, places, shown)
    order = {place: column for column, place in enumerate(sorted(places.values()))}
    columns = {
        name: table.iloc[:, order[place]].to_numpy(np.int64) for name, place in places.items()
    }
    within = all((abs(values.clip(-LATEST_S - 1)) <= LATEST_S).all() for values in columns.values())
    if within and len(table) <= MOST_JOBS:
        return columns
    return _cell_by_cell(text, delimiter, places, shown)


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


def _places(headings: list[str], shown: str) -> dict[str, int]:
    names = [heading.strip().lower() for heading in headings]
    places: dict[str, int] = {}
    faults = []
    for place, name in enumerate(names):
        ours = _OTHER_NAMES.get(name, name)
        if ours not in {*COLUMNS, "user", "killed"}:
            continue
        if ours in places:
            message = f"column {clipped(name)!r} is there twice; leave one out"
            faults.append(Fault(shown, 1, "", message))
        places[ours] = place
    missing = [name for name in COLUMNS if name not in places]
    if missing:
        listed = ", ".join(clipped(repr(heading)) for heading in headings[:20]) or "nothing"
        message = f"no column {', '.join(missing)} among {listed}; name the columns {_NAMES}"
        faults.append(Fault(shown, 1, "", message))
    if faults:
        raise ScenarioError(foremost(faults, shown))
    return places


_NAMES = ",".join(COLUMNS)
_KNOWN = frozenset({*COLUMNS, *_OTHER_NAMES, "user", "killed"})


def _cell_by_cell(
    text: str, delimiter: str, places: dict[str, int], shown: str
) -> dict[str, Integers]:
    """Read every cell, and tell what is wrong with each that is no whole number."""
    faults: list[Fault] = []
    values: dict[str, list[int]] = {name: [] for name in places}
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    wanted = 0
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if not wanted:
                wanted = len(row)
                continue
            if len(row) != wanted:
                message = f"{len(row)} cells where the headings have {wanted}; give one per column"
                faults.append(Fault(shown, reader.line_num, "", message))
            for name, place in places.items() if len(row) == wanted else ():
                value, trouble = _number(row[place].strip(), name)
                values[name].append(value)
                if trouble:
                    faults.append(Fault(shown, reader.line_num, name, trouble))
            if len(faults) > MOST_FAULTS:
                break
    except csv.Error as error:
        message = f"is no CSV from here on ({error}); save it as plain CSV"
        faults.append(Fault(shown, reader.line_num, "", message))
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
