"""Reader of tables of jobs as text: CSV of any program, and what ``sacct`` of Slurm prints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from scenarios.job_logs.job_fields import FIELDS
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.job_table import (
    SLURM,
    JobTable,
    with_mark,
)
from scenarios.job_logs.log_file import LogFile
from scenarios.job_logs.raw_jobs import refusal
from scenarios.job_logs.slurm_jobs import job_number, status_of
from scenarios.remark import Remark, remark
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


def read_printed(file: LogFile) -> JobLog:
    """Read what ``sacct`` printed, between any signs or in columns of fixed width.

    Steps and tasks of an array that wait are not jobs. Tasks of arrays and components of
    heterogeneous jobs are jobs of their own.
    """
    beginning = [line for line in file.beginning() if line.strip()]
    spans = widths_of(beginning)
    signs = (sacct_delimiter(beginning[0]) if beginning else "") or "|"
    lines = ((file.lines.number, line) for line in file.lines if line.strip())
    rows = _fixed(lines, spans) if spans else ((at, line.split(signs)) for at, line in lines)
    first = next(rows, None)
    if first is None:
        return file.log(None)
    number, headings = first
    how = {"dialect": SLURM, "remedy": _ASK, "shifted": _SHIFTED}
    table = file.table(headings, columns=file.columns, line=number, **how)
    if not spans and len(signs) == 1:
        file.read_blocks(
            table, signs, lambda line: line.split(signs) if line.strip() else None, size=file.size
        )
    for number, cells in rows:
        table.read(cells, number, file.gathered)
    log = file.log(table)
    return replace(log, remarks=(*log.remarks, *_cut(log))) if spans else log


def _cut(log: JobLog) -> Iterator[Remark]:
    """What is remarked on names that a column of fixed width had no room for."""
    cut = sorted(each for names in log.names.values() for each in names if each.endswith("+"))
    if cut:
        yield remark("log-names-cut", names=(tuple(cut), "text"))


def read_csv(file: LogFile) -> JobLog:
    """Read a table of jobs of the :data:`~scenarios.job_logs.job_fields.FIELDS`.

    Submit times and processors have to be there, and run times or start and end. Times are seconds,
    or dates as in ``2026-03-09T12:00:00``; spans of time are seconds, or as in ``1-02:03:04``; a
    heading may say another unit, as in ``run [min]``. Jobs without a column of numbers are numbered
    from 1. Other columns are left alone, and so are lines that begin with ``#``.
    """
    beginning, lines = file.beginning(), file.lines
    delimiter = delimiter_of(beginning, lambda cells: known_headings(cells, FIELDS, file.columns))
    rows = records(((lines.number, line) for line in lines), delimiter, file.file_name)
    table: JobTable | None = None
    try:
        for number, cells in rows:
            if table is None:
                sample = [cells_of(line, delimiter) for line in beginning[number:-1]]
                table = file.table(cells, columns=file.columns, line=number)
                table = with_mark(table, sample, delimiter)
                cells_in = partial(_of_csv, delimiter=delimiter)
                file.read_blocks(table, delimiter, cells_in, size=file.size, quotes=True)
            else:
                table.read(cells, number, file.gathered)
    except NotCsvError as error:
        raise refusal(file.file_name, [*file.gathered.faults, *error.faults]) from None
    return file.log(table)


def _of_csv(line: str, delimiter: str) -> list[str] | None:
    """Cells of a line without quotation marks; none of a comment, or where all are blank."""
    return next((cells for _, cells in records([(1, line)], delimiter, "")), None)


def _fixed(lines: Iterable[tuple[int, str]], spans: Sequence[tuple[int, int]]) -> Rows:
    """Cells of fixed width. A ``+`` at the end of a full one says that the rest was cut."""
    for number, line in lines:
        if not _RULE.fullmatch(line.rstrip()):
            yield number, [line[begin:end].strip() for begin, end in spans]
