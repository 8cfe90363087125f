"""Reader of jobs from CSV: any columns, found by their headings."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from scenarios.faults import Fault
from scenarios.job_logs.blocks import LogBlocks
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
from scenarios.job_logs.log_headings import MOST_COLUMNS, missing_column
from scenarios.job_logs.raw_jobs import refusal
from scenarios.job_logs.slurm_jobs import NEVER_STARTED, job_number
from scenarios.job_logs.unset_times import LONGEST_RUN_S, known_moments
from scenarios.job_logs.unused import unused_bits, unused_columns
from scenarios.tables.cell_text import LONGEST_LABEL, CellError, quoted
from scenarios.tables.columns import known_headings, lay_out
from scenarios.tables.decimal_marks import FileMark, mark_of_beginning, number_and_unit
from scenarios.tables.delimiters import cells_of, delimiter_of
from scenarios.tables.field import Field, scale
from scenarios.tables.field_table import excess
from scenarios.tables.records import NotCsvError, records


def _moment(name: str, meaning: str, *aliases: str, required: bool = False) -> Field:
    return Field(
        name,
        f"{meaning}: a date with time, or seconds",
        "special",
        aliases,
        unit="s",
        required=required,
        blank="not known",
    )


def _span(name: str, meaning: str, *aliases: str) -> Field:
    return Field(
        name,
        f"{meaning}: as 1-02:03:04, or seconds",
        "special",
        aliases,
        unit="s",
        required=False,
        blank="not known",
    )


def _name(name: str, meaning: str, *aliases: str) -> Field:
    return Field(
        name, meaning, "text", aliases, most=LONGEST_LABEL, required=False, blank="not known"
    )


FIELDS = (
    Field(
        "number",
        "Number of the job, as 123 or 123_4",
        "special",
        ("job", "jobid", "jobnumber", "id"),
        required=False,
        blank="not known",
    ),
    _moment("submit_s", "Submit time", "submit", "submittime", "submitted", required=True),
    _moment("start_s", "Start", "start", "starttime", "started"),
    _moment("end_s", "End", "end", "endtime", "ended"),
    _span("wait_s", "Wait", "wait", "waittime"),
    _span("run_s", "Run time; start and end give it too", "run", "runtime", "elapsed"),
    Field(
        "processors",
        "Cores of the job; K stands for 1,024",
        "special",
        ("procs", "cores", "cpus", "ncpus"),
        least=1,
        most=2**31 - 1,
        blank="not known",
    ),
    _span(
        "requested_s",
        "Requested time",
        "req",
        "requested",
        "requestedtime",
        "timelimit",
        "estimate",
    ),
    _name("user", "Name or number of the user", "userid", "username"),
    _name("group", "Name or number of the group", "groupid", "account"),
    _name("queue", "Name or number of the queue", "qos"),
    _name("partition", "Name or number of the partition"),
    Field(
        "energy_j",
        "Energy of the job",
        "special",
        ("energy",),
        unit="J",
        required=False,
        blank="not known",
    ),
)
"""What a table of jobs may hold; of several names, an earlier one goes before a later one."""

_BY_NAME = {field.name: field for field in FIELDS}
_MOMENTS = ("submit_s", "start_s", "end_s")
_SPANS = ("wait_s", "run_s", "requested_s")
_Read = Callable[[str], Seconds]
_LOOSE = re.compile(r"\s*[+-]?[0-9][0-9.,'\u2019 ]*[^\W0-9_]*\s*")
"""A number that may have decimals after a comma, groups of digits, or a unit."""


def read_csv_log(
    path: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    clean: Cleaning | None = None,
    zone: str = "UTC",
    file_name: str = "",
) -> JobLog:
    """Read a table of jobs of the :data:`FIELDS`, plain or gzipped.

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
        the names of the fields.
    clean, zone, file_name
        As in ``read_sacct``.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with line and column.
    """
    path = Path(path)
    file_name = file_name or str(path)
    blocks = LogBlocks(path, file_name)
    gathered = Gathered(file_name)
    lines = Lines(blocks)
    local = zone_named(zone, file_name)
    table: _CsvTable | None = None
    beginning = blocks.beginning().decode("utf-8-sig", "replace").split("\n")
    delimiter = delimiter_of(beginning, lambda cells: known_headings(cells, FIELDS, columns))
    numbered = ((lines.number, line) for line in lines)
    try:
        for number, cells in records(numbered, delimiter, file_name):
            if table is None:
                sample = [cells_of(line, delimiter) for line in beginning[number:-1]]
                table = _table(cells, columns, file_name, number, local)
                table = replace(table, mark=_mark(table, sample, delimiter))
            else:
                table.read(cells, number, gathered)
    except NotCsvError as error:
        gathered.faults += error.faults
    raw = gathered.jobs(lines.error, lines.number)
    return counted_from_the_first(raw, clean, path, file_name, blocks.sha256)


def _mark(table: _CsvTable, sample: Sequence[Sequence[str]], delimiter: str) -> FileMark:
    """Return the mark of decimals by the first rows; times of day have colons and do not count."""
    places = [column for name, column in table.places.items() if name not in NAMED]
    cells = (row[column] for row in sample for column in places if column < len(row))
    return mark_of_beginning((cell for cell in cells if ":" not in cell), delimiter)


def _table(
    headings: Sequence[str],
    columns: Mapping[str, str] | None,
    file_name: str,
    line: int,
    zone: dt.tzinfo,
) -> _CsvTable:
    if len(headings) > MOST_COLUMNS:
        message = f"{len(headings)} columns, more than {MOST_COLUMNS}; delete some"
        raise refusal(file_name, [Fault(file_name, line, "", message)])
    layout = lay_out(headings, FIELDS, columns, option="--column", careful=False)
    faults = [
        Fault(file_name, line, "" if index is None else headings[index].strip(), message)
        for index, message in layout.problems
    ]
    places = layout.places
    if "run_s" not in places and not {"start_s", "end_s"} <= places.keys():
        ask = "add it, or assign it with --column run_s=HEADING"
        name = "run_s, nor start_s and end_s"
        faults.append(missing_column(name, headings, file_name, line, ask))
    if faults:
        raise refusal(file_name, faults)
    scales = {name: scale(_BY_NAME[name], unit) for name, unit in layout.units.items()}
    factors = {name: int(by) if by == int(by) else by for name, by in scales.items()}
    unused = tuple(
        column for column in unused_columns(headings) if column[0] not in places.values()
    )
    return _CsvTable(headings, places, _readers(places, factors, zone), unused)


@dataclass(frozen=True)
class _CsvTable:
    headings: Sequence[str]
    places: Mapping[str, int]
    readers: tuple[tuple[str, int, _Read], ...]
    unused: tuple[tuple[int, str], ...]
    mark: FileMark = "point"

    def read(self, cells: Sequence[str], line: int, gathered: Gathered) -> None:
        """Add the job of a record, or what is wrong with it."""
        if len(cells) != len(self.headings) and (error := excess(cells, self.headings)):
            gathered.fault(line, "", error)
            return
        if cells == self.headings:
            gathered.leave_out("repeated headings")
            return
        before = len(gathered.faults)
        values = self._values(cells, line, gathered)
        if len(gathered.faults) > before:
            return
        times = {name: values.get(name) for name in (*_MOMENTS, *_SPANS)}
        times |= known_moments({name: times[name] for name in _MOMENTS})
        run = times["run_s"]
        ran = run is not None and run < LONGEST_RUN_S
        if "start_s" in self.places and times["start_s"] is None and not ran:
            gathered.leave_out(NEVER_STARTED)
            return
        _complete(times)
        names = {name: cells[self.places[name]] for name in NAMED if name in self.places}
        number = values.get("number")
        numbers = {
            "line": line,
            "number": len(gathered.energy_j) + 1 if "number" not in self.places else _whole(number),
            "processors": _whole(values.get("processors")),
        }
        present = {name: value for name, value in times.items() if value is not None}
        used_j = float(values.get("energy_j", "nan"))
        bits = unused_bits((name, cells[index]) for index, name in self.unused)
        gathered.add(numbers, present, names, used_j, bits)

    def _values(self, cells: Sequence[str], line: int, gathered: Gathered) -> dict[str, Seconds]:
        """Return what the cells of a record hold, without those that say that there is no value."""
        values: dict[str, Seconds] = {}
        comma = self.mark == "comma"
        for target, index, read in self.readers:
            text = cells[index]
            if is_unknown(text):
                continue
            try:
                values[target] = read(text) if not comma else self._loosely(target, text, read)
            except CellError:
                try:
                    values[target] = self._loosely(target, text, read)
                except CellError as error:
                    gathered.fault(line, self.headings[index].strip(), str(error))
        return values

    def _loosely(self, target: str, text: str, read: _Read) -> Seconds:
        """Return what a cell holds that has a comma or a unit, read as in every table.

        Raises
        ------
        CellError
            It holds no number, or one that may be two.
        """
        if not _LOOSE.fullmatch(text):
            return read(text)
        number, unit = number_and_unit(text.strip(), self.mark)
        field = _BY_NAME[target]
        if not unit:
            return read(f"{number:f}")
        if not field.dimension:
            raise CellError(f"{quoted(text)} is not a plain number; write only the number")
        return number * scale(field, unit)


def _readers(
    places: Mapping[str, int], factors: Mapping[str, Seconds], zone: dt.tzinfo
) -> tuple[tuple[str, int, _Read], ...]:
    """Field, column, and what reads a cell, of every column but those of names."""
    reads: dict[str, _Read] = {"number": _identity, "processors": count}
    reads |= {name: _moment_reader(factors.get(name, 1), zone) for name in _MOMENTS}
    reads |= {name: _span_reader(factors.get(name, 1)) for name in _SPANS}
    reads["energy_j"] = lambda text: Decimal(energy_j(text)) * factors.get("energy_j", 1)
    return tuple((name, places[name], read) for name, read in reads.items() if name in places)


def _moment_reader(by: Seconds, zone: dt.tzinfo) -> _Read:
    return lambda text: unix_time(text, zone) * by


def _span_reader(by: Seconds) -> _Read:
    return lambda text: duration(text) * (1 if ":" in text else by)


def _complete(times: dict[str, Seconds | None]) -> None:
    """Turn start and end into wait and run time, where these are not given."""
    submit, start, end = times["submit_s"], times.pop("start_s"), times.pop("end_s")
    if times["run_s"] is None and start is not None and end is not None:
        times["run_s"] = end - start
    if times["wait_s"] is None and start is not None and submit is not None:
        times["wait_s"] = max(start - submit, 0)


def _identity(text: str) -> int:
    """Return a job's number; tables of other programs write it as ``7.0`` too."""
    return count(text) if "." in text else job_number(text)


def _whole(value: Seconds | None) -> int:
    return MISSING if value is None else int(value)
