"""Reader of jobs from CSV: any columns, found by their headings."""

from __future__ import annotations

import csv
import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from scenarios.faults import Fault
from scenarios.job_logs.blocks import Blocks
from scenarios.job_logs.cell_values import (
    Seconds,
    count,
    duration,
    energy_j,
    is_unknown,
    unix_time,
    zone_named,
)
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.finished import counted_from_the_first
from scenarios.job_logs.gathered import NAMED, Gathered
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lines import Lines
from scenarios.job_logs.log_headings import (
    Known,
    find_columns,
    known_among,
    missing_column,
    seconds_in_unit,
)
from scenarios.job_logs.raw_jobs import refusal
from scenarios.job_logs.slurm_jobs import job_number
from scenarios.job_logs.unused import unused_bits, unused_columns
from scenarios.tables.cell_text import CellError
from scenarios.tables.delimiters import delimiter_of

COLUMNS: Known = {
    "number": ("number", "job", "job_id", "job_number", "id"),
    "submit_s": ("submit_s", "submit", "submit_time", "submitted"),
    "start_s": ("start_s", "start", "start_time", "started"),
    "end_s": ("end_s", "end", "end_time", "ended"),
    "wait_s": ("wait_s", "wait", "wait_time"),
    "run_s": ("run_s", "run", "run_time", "elapsed"),
    "processors": ("processors", "procs", "cores", "cpus", "ncpus"),
    "requested_s": ("requested_s", "req", "requested", "requested_time", "time_limit", "estimate"),
    "user": ("user", "user_id", "user_name"),
    "group": ("group", "group_id", "account"),
    "queue": ("queue", "qos"),
    "partition": ("partition",),
    "energy_j": ("energy_j", "energy"),
}
"""Headings by what the column holds."""

_MOMENTS = ("submit_s", "start_s", "end_s")
_SPANS = ("wait_s", "run_s", "requested_s")
_Records = Iterator[tuple[int, list[str]]]


def read_csv_log(
    path: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    clean: Cleaning | None = None,
    zone: str = "UTC",
    shown: str = "",
) -> JobLog:
    """Read a table of jobs: comma, semicolon or tab, plain or gzipped.

    Submit times and processors have to be there, and run times or start and end. Times are seconds,
    or dates as in ``2026-03-09T12:00:00``; spans of time are seconds, or as in ``1-02:03:04``; a
    heading may say another unit, as in ``run [min]``. Blank cells and -1 are missing values. Jobs
    without a column of numbers are numbered from 1. Other columns are left alone, and so are lines
    that begin with ``#``.

    Parameters
    ----------
    path
        The table.
    columns
        The heading by what the column holds, as in ``{"submit_s": "Queued at"}``; goes before
        ``COLUMNS``.
    clean, zone, shown
        As in ``read_sacct``.

    Raises
    ------
    ScenarioError
        The file cannot be used; its faults, at most a hundred, each with line and column.
    """
    path = Path(path)
    shown = shown or str(path)
    blocks = Blocks(path, shown)
    gathered = Gathered(shown)
    lines = Lines(blocks)
    local = zone_named(zone, shown)
    table: _Table | None = None
    beginning = blocks.beginning().decode("utf-8-sig", "replace").split("\n")
    delimiter = delimiter_of(beginning, lambda cells: known_among(cells, COLUMNS, columns))
    for number, cells in _records(lines, delimiter, gathered):
        if table is None:
            table = _table(cells, columns, shown, number, local)
        else:
            table.read(cells, number, gathered)
    raw = gathered.jobs(lines.trouble, lines.number)
    return counted_from_the_first(raw, clean, path, shown, blocks.sha256)


def _records(lines: Lines, delimiter: str, gathered: Gathered) -> _Records:
    """Yield the first line of each record with a filled cell, and its cells."""
    begins = 0
    fresh = True

    def kept() -> Iterator[str]:
        nonlocal begins, fresh
        for line in lines:
            if fresh and (not line.strip() or line.lstrip()[:1] == "#"):
                continue
            if fresh:
                begins = lines.number
                fresh = False
            yield line + "\n"

    try:
        for cells in csv.reader(kept(), delimiter=delimiter, strict=True):
            fresh = True
            if any(cell.strip() for cell in cells):
                yield begins, cells
    except csv.Error as error:
        message = f"is not CSV ({error}); close its quotation marks, or shorten the cell"
        gathered.fault(begins, "", message)


def _table(
    headings: Sequence[str],
    columns: Mapping[str, str] | None,
    shown: str,
    line: int,
    zone: dt.tzinfo,
) -> _Table:
    places = find_columns(headings, COLUMNS, columns, shown, line)
    ask = "add it, or say which it is: --column {}=HEADING"
    faults = [
        missing_column(name, headings, shown, line, ask.format(name))
        for name in ("submit_s", "processors")
        if name not in places
    ]
    if "run_s" not in places and not {"start_s", "end_s"} <= places.keys():
        name = "run_s, nor start_s and end_s"
        faults.append(missing_column(name, headings, shown, line, ask.format("run_s")))
    factors: dict[str, Seconds] = {}
    for name in (*_MOMENTS, *_SPANS):
        for place in places.get(name, ())[:1]:
            try:
                unit = seconds_in_unit(headings[place])
                factors[name] = int(unit) if unit == int(unit) else unit
            except CellError as error:
                faults.append(Fault(shown, line, headings[place], str(error)))
    if faults:
        raise refusal(shown, faults)
    taken = {name: found[0] for name, found in places.items()}
    unused = tuple(
        unused_column
        for unused_column in unused_columns(headings)
        if unused_column[0] not in taken.values()
    )
    return _Table(headings, taken, factors, zone, unused)


@dataclass(frozen=True)
class _Table:
    headings: Sequence[str]
    places: Mapping[str, int]
    factors: Mapping[str, Seconds]
    zone: dt.tzinfo
    unused: tuple[tuple[int, str], ...]

    def read(self, cells: Sequence[str], line: int, gathered: Gathered) -> None:
        """Add the job of a record, or what is wrong with it."""
        wanted = len(self.headings)
        if len(cells) != wanted:
            message = f"{len(cells)} cells where the headings have {wanted}; give one per column"
            gathered.fault(line, "", message)
            return
        if cells == self.headings:
            gathered.leave_out("the headings once more")
            return
        before = len(gathered.faults)

        def value(target: str, read: Callable[[str], Seconds]) -> Seconds | None:
            place = self.places.get(target)
            if place is None or is_unknown(cells[place]):
                return None
            try:
                return read(cells[place])
            except CellError as error:
                gathered.fault(line, self.headings[place].strip(), str(error))
                return None

        times = {name: value(name, self._moment(name)) for name in _MOMENTS}
        times |= {name: value(name, self._span(name)) for name in _SPANS}
        number = value("number", _identity)
        processors = value("processors", count)
        energy = value("energy_j", lambda text: Decimal(energy_j(text)))
        if len(gathered.faults) > before:
            return
        _complete(times)
        names = {name: cells[self.places[name]] for name in NAMED if name in self.places}
        numbers = {
            "line": line,
            "number": len(gathered.energy_j) + 1 if "number" not in self.places else _whole(number),
            "processors": _whole(processors),
        }
        kept = {name: each for name, each in times.items() if each is not None}
        used_j = float("nan") if energy is None else float(energy)
        bits = unused_bits((name, cells[place]) for place, name in self.unused)
        gathered.add(numbers, kept, names, used_j, bits)

    def _moment(self, target: str) -> Callable[[str], Seconds]:
        scale = self.factors.get(target, 1)
        return lambda text: unix_time(text, self.zone) * scale

    def _span(self, target: str) -> Callable[[str], Seconds]:
        scale = self.factors.get(target, 1)
        return lambda text: duration(text) * (1 if ":" in text else scale)


def _complete(times: dict[str, Seconds | None]) -> None:
    """Turn start and end into wait and run time, where these are not given."""
    submit, start, end = times["submit_s"], times.pop("start_s"), times.pop("end_s")
    if times["run_s"] is None and start is not None and end is not None:
        times["run_s"] = end - start
    if times["wait_s"] is None and start is not None and submit is not None:
        times["wait_s"] = max(start - submit, 0)


def _identity(text: str) -> int:
    """A job's number; tables of other programs write it as ``7.0`` too."""
    return count(text) if "." in text else job_number(text)


def _whole(value: Seconds | None) -> int:
    return MISSING if value is None else int(value)
