"""The jobs of a table: what each column holds, and what its cells say."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from scenarios.faults import Fault
from scenarios.job_logs.cell_values import (
    Seconds,
    count,
    duration,
    energy_j,
    in_range,
    is_unknown,
    repeated_s,
    time_limit,
    unix_time,
    zone_named,
)
from scenarios.job_logs.gathered import NAMED, Gathered
from scenarios.job_logs.held_nodes import BELOW_NODES, held_nodes, node_columns
from scenarios.job_logs.job_fields import FIELDS, MOMENTS, slurm_family
from scenarios.job_logs.raw_jobs import refusal
from scenarios.job_logs.slurm_jobs import job_number, reason_left_out, status_in_table, status_of
from scenarios.job_logs.unused import unused_bits, unused_columns
from scenarios.remark import Remark, remark
from scenarios.tables.cell_text import CellError, quoted
from scenarios.tables.columns import lay_out
from scenarios.tables.decimal_marks import FileMark, mark_of_beginning, number_and_unit
from scenarios.tables.field import scale
from scenarios.tables.field_table import excess
from scenarios.understood import SAMPLES, ReadColumn

MOST_COLUMNS = 1000
_BY_NAME = {each.name: each for each in FIELDS}
MOMENT_NAMES = tuple(each.name for each in MOMENTS)
_LOOSE = re.compile(r"\s*[+-]?[0-9][0-9.,'\u2019 ]*[^\W0-9_]*\s*")
"""A number that may have decimals after a comma, groups of digits, or a unit."""

_TRES_CPUS = re.compile(r"(?:^|,)(?:cpu|1)=([0-9]+[KMGTPE]?)")
"""Processors in AllocTRES, as in ``billing=16,cpu=16``, or by number as in the database."""

_FLOAT = re.compile(r"\s*-?[0-9]+\.0\s*")
"""A whole number as pandas writes it where others of its column are missing."""

_Read = Callable[[str], Seconds | float]


@dataclass(frozen=True)
class Dialect:
    """What a scheduler means by the cells that programs write differently.

    Attributes
    ----------
    limits
        Unit of bare numbers under a heading of time limits.
    identity, state
        What read the number and the state of a job.
    steps
        Whether lines of steps and of waiting arrays are among those of jobs.
    """

    limits: str
    identity: Callable[[str], int]
    state: Callable[[str], int]
    steps: bool = False


def _number_in_table(text: str) -> int:
    """Return a job's number; tables of other programs write it as ``7.0`` too."""
    return count(text) if "." in text else job_number(text)


SLURM = Dialect("min", _number_in_table, status_in_table, steps=True)
DATABASE = Dialect("min", _number_in_table, status_of, steps=True)
TABLE = Dialect("s", _number_in_table, status_in_table)


@dataclass(frozen=True)
class Column:
    """A column: its place, heading and unit, and what reads its cells."""

    index: int
    heading: str
    unit: str
    read: _Read


@dataclass(frozen=True)
class JobTable:
    """The columns of a table, each with what reads its cells.

    Attributes
    ----------
    headings
        The row of headings.
    columns, names
        Those of each property, and those of each name, the better one first.
    unused
        Columns that a simulation does not use.
    nodes
        Columns that count or name the nodes of a job.
    zone
        That of dates without one.
    mark
        What decimals follow; ``None`` where a program writes numbers in one way.
    steps
        As in :class:`Dialect`.
    shifted
        Why a record may have more cells than headings, with the remedy.
    in_minutes
        Columns of limits whose bare numbers are minutes, since the headings are Slurm's.
    """

    headings: Sequence[str]
    columns: Mapping[str, Sequence[Column]]
    names: Mapping[str, Sequence[int]]
    unused: Sequence[tuple[int, str]]
    nodes: Sequence[int]
    zone: dt.tzinfo
    mark: FileMark | None = None
    steps: bool = False
    shifted: str = ""
    in_minutes: Sequence[int] = ()

    def read(self, cells: Sequence[str], line: int, gathered: Gathered, noted: str = "") -> None:
        """Add the job of a record, or what is wrong with it; ``noted`` counts what was chosen."""
        if len(cells) != len(self.headings) and (trouble := excess(cells, self.headings)):
            if self.shifted:
                trouble = f"{len(cells)} cells, but {len(self.headings)} headings; {self.shifted}"
            gathered.fault(line, "", trouble)
            return
        if cells == self.headings:
            gathered.no_job("repeated headings")
            return
        if self.steps:
            ids = (cells[column.index] for column in self.columns.get("number", ()))
            if words := next(filter(None, map(reason_left_out, ids)), ""):
                gathered.no_job(words)
                return
        before = gathered.faulty
        values = self._values(cells, line, gathered)
        if gathered.faulty > before:
            return
        names = {name: self._name(cells, places) for name, places in self.names.items()}
        bits = unused_bits((name, cells[index]) for index, name in self.unused)
        repeated = {
            name: much for name, text in self._moments(cells)
            if (much := repeated_s(text, self.zone))
        } if self.zone is not dt.UTC else {}  # fmt: skip
        if len(gathered.samples) < SAMPLES:
            gathered.samples.append(cells)
        if 0 < values.get("processors", 0) < held_nodes(cells[index] for index in self.nodes):
            noted = noted or BELOW_NODES
        states = (cells[column.index] for column in self.columns.get("state", ()))
        state = next((text for text in states if not is_unknown(text)), "")
        gathered.add(line, values, names, bits, repeated, state, noted)

    def minutes(self, bare: Collection[int]) -> tuple[Remark, ...]:
        """Columns of bare limits that the headings alone say to be in minutes."""
        return tuple(
            remark("log-limits-in-minutes", column=(self.headings[index].strip(), "text"))
            for index in sorted(bare)
        )

    def understood(self, samples: Sequence[Sequence[str]]) -> tuple[ReadColumn, ...]:
        """What was read from which column, with the cells of the first jobs."""
        values = [
            (name, column.index, column.heading, column.unit)
            for name, columns in self.columns.items()
            for column in columns
        ]
        names = [
            (name, index, self.headings[index], "")
            for name, places in self.names.items()
            for index in places
        ]
        return tuple(
            ReadColumn(name, heading.strip(), unit, tuple(row[index].strip() for row in samples))
            for name, index, heading, unit in (*values, *names)
        )

    def _values(
        self, cells: Sequence[str], line: int, gathered: Gathered
    ) -> dict[str, Seconds | float]:
        """What the cells of a record hold: of several, the first above 0, else the first."""
        values: dict[str, Seconds | float] = {}
        for name, columns in self.columns.items():
            for column in columns:
                text = cells[column.index]
                try:
                    value = self.value(name, column, text)
                except CellError as error:
                    gathered.fault(line, column.heading.strip(), str(error))
                    break
                if value is None:
                    continue
                if column.index in self.in_minutes and text.strip().isdecimal():
                    gathered.bare.add(column.index)
                values.setdefault(name, value)
                if value > 0 or name == "state":
                    values[name] = value
                    break
        return values

    def value(self, name: str, column: Column, text: str) -> Seconds | float | None:
        """What a cell holds; ``None`` where it says that there is no value.

        Raises
        ------
        CellError
            It cannot be read.
        """
        if self.mark and _FLOAT.fullmatch(text):
            text = text.strip().removesuffix(".0")
        return None if is_unknown(text) else self._value(name, text, column.read)

    def _value(self, name: str, text: str, read: _Read) -> Seconds | float:
        if self.mark == "comma":
            return self._loosely(name, text, self.mark, read)
        try:
            return read(text)
        except CellError:
            if not self.mark or name in ("number", "state"):
                raise
            return self._loosely(name, text, self.mark, read)

    def _loosely(self, name: str, text: str, mark: FileMark, read: _Read) -> Seconds | float:
        """Return what a cell holds that has a comma or a unit, read as in every table.

        Raises
        ------
        CellError
            It holds no number, or one that may be two.
        """
        if not _LOOSE.fullmatch(text):
            return read(text)
        number, unit = number_and_unit(text.strip(), mark)
        if not unit:
            return read(f"{number:f}")
        if not _BY_NAME[name].dimension:
            raise CellError(f"{quoted(text)} is not a plain number; write only the number")
        return in_range(number * scale(_BY_NAME[name], unit), text)

    def _name(self, cells: Sequence[str], places: Sequence[int]) -> str:
        return next((text for place in places if not is_unknown(text := cells[place])), "")

    def _moments(self, cells: Sequence[str]) -> list[tuple[str, str]]:
        return [
            (name, text)
            for name in MOMENT_NAMES
            for column in self.columns.get(name, ())[:1]
            if not is_unknown(text := cells[column.index])
        ]


def job_table(
    headings: Sequence[str],
    file_name: str,
    *,
    columns: Mapping[str, str] | None = None,
    line: int = 0,
    zone: str = "UTC",
    dialect: Dialect | None = None,
    remedy: str = "",
    shifted: str = "",
    shown: Sequence[str] = (),
) -> JobTable:
    """The columns of a table of jobs by its headings.

    Parameters
    ----------
    headings
        The row of headings.
    file_name, line
        Where they are.
    columns
        The heading by what the column holds; goes before the names of the fields.
    zone
        Time zone of dates without one.
    dialect
        How the program writes cells; by default the headings tell.
    remedy
        What to do where a column is missing.
    shifted
        As in :class:`JobTable`.
    shown
        What the columns are called in messages; by default their headings.

    Raises
    ------
    ScenarioError
        A column is missing or doubtful; or there is no such zone.
    """
    local = zone_named(zone, file_name)
    if len(headings) > MOST_COLUMNS:
        message = f"{len(headings)} columns, more than {MOST_COLUMNS}; delete some"
        raise refusal(file_name, [Fault(file_name, line, "", message)])
    layout = lay_out(headings, FIELDS, columns, option="--column", careful=False)
    faults = [
        Fault(
            file_name,
            line,
            "" if index is None else headings[index].strip(),
            _asked(message, remedy) if index is None else message,
        )
        for index, message in layout.problems
    ]
    places = layout.places
    if "run_s" not in places and not {"start_s", "end_s"} <= places.keys():
        listed = ", ".join(quoted(text) for text in headings[:20] if text.strip()) or "none"
        message = f"there is no column run_s, nor start_s and end_s (columns: {listed})"
        remedy = remedy or "add it, or assign it with --column run_s=HEADING"
        faults.append(Fault(file_name, line, "", f"{message}; {remedy}"))
    if faults:
        raise refusal(file_name, faults)
    guessed = dialect is None
    families = {"": TABLE, "sacct": SLURM, "api": SLURM, "database": DATABASE}
    dialect = dialect or families[slurm_family(headings)]
    taken = {index for index in places.values() if "tres" not in headings[index].lower()}
    return JobTable(
        headings,
        {
            name: [
                _column(name, index, (shown or headings)[index], stated, local, dialect)
                for index, stated in found
            ]
            for name, found in layout.found.items()
            if name not in NAMED
        },
        {
            name: [index for index, _ in found]
            for name, found in layout.found.items()
            if name in NAMED
        },
        tuple(each for each in unused_columns(headings) if each[0] not in taken),
        tuple(index for index in node_columns(headings) if index not in taken),
        local,
        steps=dialect.steps,
        shifted=shifted,
        in_minutes=[
            index
            for index, unit in layout.found.get("requested_s", ())
            if dialect is not TABLE and guessed and not unit and "limit" in headings[index].lower()
        ],
    )


def _column(
    name: str, index: int, heading: str, stated: str, zone: dt.tzinfo, dialect: Dialect
) -> Column:
    """A column with its unit: the stated one, that of the program, or that of the field."""
    limit = name == "requested_s" and "limit" in heading.lower()
    unit = stated or (dialect.limits if limit else _BY_NAME[name].unit)
    return Column(index, heading, unit, _reader(name, unit, zone, dialect))


def _reader(name: str, unit: str, zone: dt.tzinfo, dialect: Dialect) -> _Read:
    """What reads the cells of a column."""
    by = scale(_BY_NAME[name], unit) if unit else Decimal(1)
    bare = int(by) if by == int(by) else by
    if name in MOMENT_NAMES:
        return lambda text: unix_time(text, zone, bare)
    if name == "requested_s":
        return lambda text: time_limit(text, bare)
    if name == "energy_j":
        return lambda text: energy_j(text) * float(by)
    reads = {"number": dialect.identity, "state": dialect.state, "processors": _processors}
    return reads.get(name) or (lambda text: duration(text, bare))


def _processors(text: str) -> int:
    cpus = _TRES_CPUS.search(text)
    return 0 if cpus is None and "=" in text else count(cpus[1] if cpus else text)


def _asked(message: str, remedy: str) -> str:
    """The error of a missing column, with the remedy of a program."""
    what = message.partition("; ")[0]
    return f"{what}; {remedy}" if remedy and what.endswith(")") else message


def with_mark(table: JobTable, sample: Sequence[Sequence[str]], delimiter: str) -> JobTable:
    """The table with the mark of decimals by its first rows.

    Times of day have colons, and resources equals signs; neither counts. If all numbers of jobs
    end with ``.0``, pandas wrote them, and they are not steps.
    """
    places = [column.index for columns in table.columns.values() for column in columns]
    cells = (row[place] for row in sample for place in places if place < len(row))
    numbers = (cell for cell in cells if ":" not in cell and "=" not in cell)
    ids = [row[column.index] for row in sample for column in table.columns.get("number", ())
           if column.index < len(row) and not is_unknown(row[column.index])]  # fmt: skip
    steps = table.steps and not (ids and all(map(_FLOAT.fullmatch, ids)))
    return replace(table, mark=mark_of_beginning(numbers, delimiter), steps=steps)
