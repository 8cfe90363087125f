"""Reader of tables of jobs as text: CSV of any program, and what ``sacct`` of Slurm prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.counted import counted_from_the_first
from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.job_fields import FIELDS
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.job_table import (
    SLURM,
    Dialect,
    JobTable,
    job_table,
    minutes_remarks,
    with_mark,
)
from scenarios.job_logs.lines import Lines
from scenarios.job_logs.raw_jobs import refusal
from scenarios.job_logs.slurm_jobs import job_number, status_of
from scenarios.tables.cell_text import CellError
from scenarios.tables.columns import known_headings
from scenarios.tables.delimiters import cells_of, delimiter_of
from scenarios.tables.records import NotCsvError, records

FORMAT = (
    "JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,AllocNodes,ReqMem,AllocTRES,State,User,"
    "Account,QOS,Partition"
)
SACCT = f"sacct -a -X -P -S 2026-01-01 -E now --format={FORMAT} > jobs.txt"
"""Prints a table that is read, without steps and job names."""

_ASK = (
    "request it with sacct -P "
    "--format=JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,State,User"
)
_SHIFTED = "a name may contain the delimiter: leave JobName and Comment out of --format"
_ID = re.compile(r"(?<![A-Za-z])JobID(?:Raw)?(?![A-Za-z])", re.IGNORECASE)
_HEADING = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_OF_CSV = (",", ";", "\t")
_RULE = re.compile(r"-{3,}(?: +-{3,})+ *")

Rows = Iterator[tuple[int, list[str]]]


def sacct_delimiter(line: str) -> str:
    """What separates the headings of a line that ``sacct`` may have printed; else empty.

    Examples
    --------
    >>> sacct_delimiter("JobID|Submit|Elapsed"), sacct_delimiter("JobID^|^State")
    ('|', '^|^')
    """
    if not _ID.search(line):
        return ""
    between = set(_HEADING.sub(" ", line.strip()).split())
    signs = between.pop() if len(between) == 1 else ""
    cells = line.strip().removesuffix(signs).split(signs) if signs else []
    return signs if signs not in _OF_CSV and all(map(_HEADING.fullmatch, cells)) else ""


def widths_of(lines: Sequence[str]) -> list[tuple[int, int]]:
    """Begin and end of the columns of a table of fixed width, as ``sacct`` prints one without -P.

    Examples
    --------
    >>> widths_of(["JobID   State", "------- -----"])
    [(0, 7), (8, 13)]
    """
    if len(lines) < 2 or not _ID.search(lines[0]) or not _RULE.fullmatch(lines[1].rstrip()):
        return []
    return [found.span() for found in re.finditer("-+", lines[1])]


def without_headings(line: str) -> bool:
    """Whether a line is a job of ``sacct --noheader``.

    Examples
    --------
    >>> without_headings("12|COMPLETED|2026-03-09T12:00:00")
    True
    """
    cells = line.strip().split("|")
    try:
        job_number(cells[0])
    except CellError:
        return False
    return any(status_of(cell) not in (-1, 9) for cell in cells[1:] if not cell[:1].isdigit())


def read_delimited(
    path: Path,
    *,
    form: str = "csv",
    columns: Mapping[str, str] | None = None,
    clean: Cleaning | None = None,
    zone: str = "UTC",
    file_name: str = "",
) -> JobLog:
    """Read a table of jobs of the :data:`~scenarios.job_logs.job_fields.FIELDS`.

    Submit times and processors have to be there, and run times or start and end. Times are seconds,
    or dates as in ``2026-03-09T12:00:00``; spans of time are seconds, or as in ``1-02:03:04``; a
    heading may say another unit, as in ``run [min]``. Blank cells and -1 are missing values. Jobs
    without a column of numbers are numbered from 1. Other columns are left alone, and so are lines
    of CSV that begin with ``#``.

    In the form ``sacct``, any signs separate cells, or columns have fixed widths. Left out and
    counted are steps, tasks of an array that wait, jobs that wait or run still, and those that
    never started. Tasks of arrays and components of heterogeneous jobs are jobs of their own.

    Parameters
    ----------
    path, columns, clean, zone, file_name
        As in :func:`scenarios.job_logs.reader.read_job_log`.
    form
        ``csv`` or ``sacct``.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with line and column.
    """
    file_name = file_name or str(path)
    blocks = LogBlocks(path, file_name)
    lines = Lines(blocks)
    gathered = Gathered(file_name, lenient=bool(clean and clean.unreadable == "leave out"))
    beginning = blocks.beginning().decode("utf-8-sig", "replace").split("\n")
    dialect: Dialect | None = None
    delimiter = ""
    sample: list[list[str]] = []
    if form == "sacct":
        dialect = SLURM
        rows = _printed(lines, [line for line in beginning if line.strip()])
    else:
        delimiter = delimiter_of(beginning, lambda cells: known_headings(cells, FIELDS, columns))
        numbered = ((lines.number, line) for line in lines)
        rows = iter(records(numbered, delimiter, file_name))
    table: JobTable | None = None
    try:
        for number, cells in rows:
            if table is None:
                table = job_table(
                    cells, file_name, columns=columns, line=number, zone=zone, dialect=dialect,
                    remedy=_ASK if form == "sacct" else "",
                    shifted=_SHIFTED if form == "sacct" else "",
                )  # fmt: skip
                if delimiter:
                    sample = [cells_of(line, delimiter) for line in beginning[number:-1]]
                    table = with_mark(table, sample, delimiter)
                gathered.present = table.columns.keys()
            else:
                table.read(cells, number, gathered)
    except NotCsvError as error:
        raise refusal(file_name, [*gathered.faults, *error.faults]) from None
    raw = gathered.jobs(lines.error, lines.number)
    if table is not None:
        remarks = (*raw.remarks, *minutes_remarks(table, sample))
        raw = replace(raw, remarks=remarks, columns=table.understood(gathered.samples))
    return counted_from_the_first(raw, clean, path, file_name, blocks.sha256)


def _printed(lines: Lines, beginning: Sequence[str]) -> Rows:
    """Cells of what ``sacct`` printed, between signs or at fixed places."""
    filled = ((lines.number, line) for line in lines if line.strip())
    if spans := widths_of(beginning):
        return _fixed(filled, spans)
    signs = sacct_delimiter(beginning[0]) if beginning else ""
    return ((number, line.split(signs or "|")) for number, line in filled)


def _fixed(lines: Iterable[tuple[int, str]], spans: Sequence[tuple[int, int]]) -> Rows:
    """Cells of fixed width. A ``+`` at the end of a full one says that the rest was cut."""
    for number, line in lines:
        if not _RULE.fullmatch(line.rstrip()):
            yield number, [line[begin:end].strip() for begin, end in spans]
