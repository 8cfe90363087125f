"""Reader of the Standard Workload Format, version 2.2."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scenarios.faults import Fault, printable
from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.cleaning import Cleaning, cleaned
from scenarios.job_logs.gathered import UNREADABLE, unreadable_lines
from scenarios.job_logs.job_log import MOST_JOBS, JobLog
from scenarios.job_logs.raw_jobs import MOST_FAULTS, RawJobs, refusal
from scenarios.job_logs.swf_faults import line_faults
from scenarios.job_logs.swf_header import (
    MOST_LINES,
    machine_size,
    name_codes,
    parse_header,
    size_remarks,
)
from scenarios.job_logs.time_rules import ROUNDED
from scenarios.tables.cell_text import one_line

_TIMES = ("submit_s", "wait_s", "run_s", "requested_s")
_IDS = ("number", "line", "processors")
_CODES = ("user", "group", "queue", "partition")
_FIRST_CAPACITY = 1 << 19  # only what is written to becomes memory
_GROWTH = 1.25


def read_swf(path: Path | str, *, clean: Cleaning | None = None, file_name: str = "") -> JobLog:
    """Read a log in the Standard Workload Format, plain or gzipped.

    A job's processors are those that it requested (field 8) if they are above 0, else those that
    it was given (field 5). Its requested time is field 9 if it is above 0, else its run time.
    Any blanks and tabs separate fields, lines end with CR, LF or CRLF, and comments may occur
    anywhere. Times with a fraction are rounded, halves up, and counted. Fields that are not kept
    (CPU time, memory, executable, preceding job, think time) have to be numbers.

    Users, groups, queues and partitions are called as header lines ``; Queue: 1 night`` name them
    (``User`` and ``Group`` likewise, which the standard does not know).

    Parameters
    ----------
    path
        The log.
    clean
        What is done with jobs that cannot be simulated unchanged; by default ``Cleaning()``.
    file_name
        What to call the file in messages; by default its path.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with line and column.

    References
    ----------
    Chapin, S. J. et al. (1999). Benchmarks and standards for the evaluation of parallel job
    schedulers. JSSPP, 67-90. Section 3; version 2.2 in the Parallel Workloads Archive.
    """
    path = Path(path)
    file_name = file_name or str(path)
    blocks = LogBlocks(path, file_name)
    rules = clean or Cleaning()
    raw, header = _read(blocks, lenient=rules.unreadable == "leave out")
    return cleaned(
        raw,
        rules,
        file_name=file_name,
        name=log_name(path),
        header=header,
        machine_processors=machine_size(header),
        sha256=blocks.sha256,
        file=printable(one_line(path.name)),
    )


def log_name(path: Path) -> str:
    """Return what a log is called: its file's name without ``.swf.gz``."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.stem


@dataclass
class _SwfTable:
    """Columns that grow; memory is moved, not copied."""

    capacity: int
    columns: dict[str, NDArray[Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        kinds = dict.fromkeys((*_TIMES, *_IDS), np.int64) | dict.fromkeys(_CODES, np.int32)
        for name, kind in {**kinds, "status": np.int8, "unused": np.int8}.items():
            self.columns[name] = np.empty(self.capacity, kind)

    def tuple_of(self, names: tuple[str, ...]) -> tuple[NDArray[Any], ...]:
        return tuple(self.columns[name] for name in names)

    def reserve(self, rows: int) -> None:
        if rows > self.capacity:
            self.resize(max(rows, int(self.capacity * _GROWTH)))

    def resize(self, rows: int) -> None:
        self.capacity = rows
        for column in self.columns.values():
            column.resize(rows, refcheck=False)


def _read(blocks: LogBlocks, *, lenient: bool) -> tuple[RawJobs, dict[str, str]]:
    """Scan all blocks: jobs and header."""
    from scenarios.job_logs import swf_scan as scanner

    table = _SwfTable(_FIRST_CAPACITY)
    tally = np.zeros(5, dtype=np.int64)
    notes = np.empty((MOST_FAULTS + 1, 3), dtype=np.int64)
    remarks = np.empty((MOST_LINES, 3), dtype=np.int64)
    comments: list[tuple[int, bytes]] = []
    faults: list[Fault] = []
    faulty = 0
    for block in blocks:
        jobs = int(tally[scanner.JOBS])
        table.reserve(jobs + len(block) // scanner.SHORTEST_LINE + 1)
        room = MOST_LINES - len(comments)
        scanner.scan(
            np.frombuffer(block, dtype=np.uint8),
            table.tuple_of(_TIMES),
            table.tuple_of(_IDS),
            table.tuple_of(_CODES),
            table.columns["status"],
            table.columns["unused"],
            notes,
            remarks[:room],
            tally,
        )
        for line, start, stop in remarks[: min(tally[scanner.COMMENTS], room)].tolist():
            comments.append((line, block[start:stop]))
        faulty += int(tally[scanner.FAULTS])
        for line, start, stop in notes[: tally[scanner.FAULTS]].tolist():
            if len(faults) <= MOST_FAULTS:
                faults += line_faults(blocks.file_name, line, block[start:stop])
        tally[[scanner.COMMENTS, scanner.FAULTS]] = 0
        if len(faults) > MOST_FAULTS and not lenient:
            raise refusal(blocks.file_name, faults, unreadable=bool(tally[scanner.JOBS]))
        if tally[scanner.JOBS] > MOST_JOBS:
            message = f"contains more than {MOST_JOBS} jobs; split it"
            raise refusal(blocks.file_name, [Fault(blocks.file_name, 0, "", message)])
    if blocks.error:
        line = int(tally[scanner.LINES])
        faults.append(Fault(blocks.file_name, line + 1 if line else 0, "", blocks.error))
    if blocks.error or (faults and not lenient):
        unreadable = bool(tally[scanner.JOBS]) and not blocks.error
        raise refusal(blocks.file_name, faults, unreadable=unreadable)
    table.resize(int(tally[scanner.JOBS]))
    header = parse_header(comment for _, comment in comments)
    codes = {name: table.columns[name] for name in _CODES}
    names, codes = name_codes(header, codes)
    rounded = int(tally[scanner.ROUNDED])
    counts = {words: much for words, much in ((ROUNDED, rounded), (UNREADABLE, faulty)) if much}
    doubts = (*size_remarks(header, comments), *unreadable_lines(faulty, faults))
    columns: dict[str, Any] = {**table.columns, **codes}
    raw = RawJobs(**columns, names=names, counts=counts, remarks=doubts)
    return raw, header
