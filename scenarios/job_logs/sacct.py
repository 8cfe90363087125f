"""Reader of Slurm's accounting, as ``sacct -P`` prints it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.cell_values import (
    Seconds,
    count,
    duration,
    energy_j,
    is_unknown,
    time_limit,
    unix_time,
    zone_named,
)
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.finished import counted_from_the_first
from scenarios.job_logs.gathered import NAMED, Gathered
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.lines import Lines
from scenarios.job_logs.log_headings import Known, find_columns, missing_column
from scenarios.job_logs.raw_jobs import OTHER_STATUS, refusal
from scenarios.job_logs.slurm_jobs import (
    NEVER_STARTED,
    UNFINISHED,
    job_number,
    reason_left_out,
    status_of,
)
from scenarios.job_logs.unset_times import known_moments
from scenarios.job_logs.unused import unused_bits, unused_columns
from scenarios.tables.cell_text import CellError

COLUMNS: Known = {
    "job": ("JobID",),
    "number": ("JobIDRaw", "JobID"),
    "submit_s": ("Submit",),
    "start_s": ("Start",),
    "end_s": ("End",),
    "run_s": ("ElapsedRaw", "Elapsed"),
    "requested_s": ("TimelimitRaw", "Timelimit"),
    "processors": ("AllocCPUS", "NCPUS", "AllocTRES", "ReqCPUS"),
    "user": ("User", "UID"),
    "group": ("Group", "GID", "Account"),
    "queue": ("QOS", "QOSRaw"),
    "partition": ("Partition",),
    "state": ("State",),
    "energy_j": ("ConsumedEnergyRaw", "ConsumedEnergy"),
}
"""Fields of sacct by what is read from them; of several, the first with a value."""

_ASK = (
    "request it with sacct -P "
    "--format=JobID,Submit,Start,End,Elapsed,Timelimit,AllocCPUS,State,User"
)
_Value = TypeVar("_Value")
_TRES_CPUS = re.compile(r"(?:^|,)cpu=([0-9]+[KMGTPE]?)")
"""Where AllocTRES holds the processors, as in ``billing=16,cpu=16,mem=8G``; ReqCPUS may be 1."""


def read_sacct(
    path: Path | str,
    *,
    columns: Mapping[str, str] | None = None,
    clean: Cleaning | None = None,
    zone: str = "UTC",
    file_name: str = "",
) -> JobLog:
    """Read what ``sacct -P`` prints: a line of headings, then cells between ``|``, any order.

    Left out and counted are steps, tasks of an array that wait, jobs that wait or run still, and
    those that never started. Tasks of arrays and components of heterogeneous jobs are jobs of
    their own. A time limit of the partition or none at all is a missing one. Submit times are
    counted from the earliest, which the header gives as ``UnixStartTime``.

    Parameters
    ----------
    path
        The text, plain or gzipped.
    columns
        The field by what is read from it, as in ``{"submit_s": "Eligible", "group": "Account",
        "processors": "AllocNodes"}``; goes before ``COLUMNS``.
    clean
        As in ``read_swf``. Where ``sacct -D`` prints a job that was queued again under one number
        twice, say which one to keep: ``Cleaning(duplicates="last")``.
    zone
        Time zone of the times; sacct prints local ones. Those that occur twice when clocks go
        back are the earlier ones.
    file_name
        What to call the file in messages; by default its path.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with line and field.
    """
    path = Path(path)
    file_name = file_name or str(path)
    blocks = LogBlocks(path, file_name)
    lines = Lines(blocks)
    gathered = Gathered(file_name)
    table: _SacctTable | None = None
    for line in lines:
        if not line.strip():
            continue
        if table is None:
            table = _table(line, columns, file_name, lines.number, zone)
            continue
        table.read(line, lines.number, gathered)
    raw = gathered.jobs(lines.error, lines.number)
    return counted_from_the_first(raw, clean, path, file_name, blocks.sha256)


def _table(
    line: str, columns: Mapping[str, str] | None, file_name: str, number: int, zone: str
) -> _SacctTable:
    headings = line.split("|")
    places = find_columns(headings, COLUMNS, columns, file_name, number)
    faults = [
        missing_column(name, headings, file_name, number, _ASK)
        for name, target in (
            ("JobID", "number"),
            ("Submit", "submit_s"),
            ("AllocCPUS, NCPUS or ReqCPUS", "processors"),
        )
        if target not in places
    ]
    if "run_s" not in places and not {"start_s", "end_s"} <= places.keys():
        faults.append(
            missing_column("Elapsed, nor Start and End", headings, file_name, number, _ASK)
        )
    if faults:
        raise refusal(file_name, faults)
    return _SacctTable(headings, places, zone_named(zone, file_name), unused_columns(headings))


@dataclass(frozen=True)
class _SacctTable:
    headings: Sequence[str]
    places: Mapping[str, list[int]]
    zone: dt.tzinfo
    unused: tuple[tuple[int, str], ...]

    def read(self, line: str, number: int, gathered: Gathered) -> None:
        """Add the job of a line, or what is wrong with it."""
        cells = line.split("|")
        if len(cells) != len(self.headings):
            expected = len(self.headings)
            message = f"{len(cells)} cells, but {expected} headings; a name may contain '|': "
            gathered.fault(number, "", message + "leave JobName and Comment out of --format")
            return
        if cells == self.headings:
            gathered.leave_out("repeated headings")
            return
        ids = self.places.get("job", []) + self.places["number"]
        if words := next(filter(None, (reason_left_out(cells[index]) for index in ids)), ""):
            gathered.leave_out(words)
            return
        self._job(_Row(cells, self, number, gathered))

    def _job(self, row: _Row) -> None:
        before = len(row.gathered.faults)
        unfinished: int | None = MISSING
        no_limit: Seconds = MISSING
        status = row.value("state", status_of, unfinished)
        moments = known_moments(
            {name: row.value(name, self._time, None) for name in ("start_s", "end_s", "submit_s")}
        )
        start, end, submit = moments.values()
        run = row.value("run_s", duration, None)
        limit = row.value("requested_s", time_limit, no_limit)
        number = row.value("number", job_number, MISSING)
        energy = row.value("energy_j", energy_j, float("nan"))
        processors = row.processors()
        if len(row.gathered.faults) > before:
            return
        if status is None or (end is None and "end_s" in self.places and start is not None):
            row.gathered.leave_out(UNFINISHED)
            return
        if start is None and "start_s" in self.places:
            row.gathered.leave_out(NEVER_STARTED if status != MISSING else UNFINISHED)
            return
        if run is None and start is not None and end is not None:
            run = end - start
        if status == OTHER_STATUS:
            row.gathered.unknown_state(row.text("state"), row.number)
        times = {"submit_s": submit, "run_s": run, "requested_s": limit}
        if start is not None and submit is not None:
            times["wait_s"] = max(start - submit, 0)
        row.gathered.add(
            {"line": row.number, "number": number, "processors": processors, "status": status},
            {name: value for name, value in times.items() if value is not None},
            {name: row.text(name) for name in NAMED},
            energy,
            unused_bits((name, row.cells[index]) for index, name in self.unused),
        )

    def _time(self, text: str) -> Seconds:
        return unix_time(text, self.zone)


@dataclass(frozen=True)
class _Row:
    cells: Sequence[str]
    table: _SacctTable
    number: int
    gathered: Gathered

    def text(self, target: str) -> str:
        """Return the first cell with a value."""
        places = self.table.places.get(target, ())
        return next((t for p in places if not is_unknown(t := self.cells[p])), "")

    def value(self, target: str, read: Callable[[str], _Value], absent: _Value) -> _Value:
        """Return what a cell holds; ``absent`` if there is no cell or it has an error."""
        for index in self.table.places.get(target, ()):
            if not is_unknown(self.cells[index]):
                try:
                    return read(self.cells[index])
                except CellError as error:
                    self.gathered.fault(self.number, self.table.headings[index], str(error))
                    return absent
        return absent

    def processors(self) -> int:
        """Return the first number above 0 of those allocated and requested."""
        for index in self.table.places["processors"]:
            if not is_unknown(self.cells[index]):
                cpus = _TRES_CPUS.search(self.cells[index])
                if cpus is None and "=" in self.cells[index]:
                    continue
                try:
                    much = count(cpus[1] if cpus else self.cells[index])
                except CellError as error:
                    self.gathered.fault(self.number, self.table.headings[index], str(error))
                    return MISSING
                if much > 0:
                    return much
        return MISSING
