"""Reader of the log that Slurm's plugin ``jobcomp/filetxt`` writes: ``key=value`` lines."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from pathlib import Path

from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.cell_values import (
    Seconds,
    count,
    is_unknown,
    time_limit,
    unix_time,
    zone_named,
)
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.finished import counted_from_the_first
from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.lines import Lines
from scenarios.job_logs.raw_jobs import OTHER_STATUS
from scenarios.job_logs.slurm_jobs import NEVER_STARTED, UNFINISHED, job_number, status_of
from scenarios.job_logs.unset_times import known_moments
from scenarios.job_logs.unused import unused_bits
from scenarios.tables.cell_text import CellError

_KEYS = (
    "JobId UserId GroupId Name JobState Partition TimeLimit StartTime EndTime NodeList NodeCnt "
    "ProcCnt WorkDir ReservationName Gres Tres Account QOS WcKey Cluster SubmitTime EligibleTime "
    "ArrayJobId ArrayTaskId HetJobId HetJobOffset PackJobId PackJobOffset DerivedExitCode ExitCode"
)
_KEY = re.compile(rf"(?:^|(?<=[ \t]))({'|'.join(_KEYS.split())})=")
_NAME_WITH_NUMBER = re.compile(r"(.*)\([0-9]+\)")
_NEEDED = ("JobId", "JobState", "StartTime", "EndTime", "ProcCnt")
_UNUSED = ("Gres", "Tres", "NodeCnt")
_SUBMITTED = ("SubmitTime", "EligibleTime")
AMBIGUOUS = "a key is listed twice (perhaps within a job's name)"


def read_jobcomp(
    path: Path | str, *, clean: Cleaning | None = None, zone: str = "UTC", file_name: str = ""
) -> JobLog:
    """Read the log of finished jobs that ``JobCompType=jobcomp/filetxt`` writes.

    Values may hold blanks. Jobs whose name or folder holds a key of the log have this key twice.
    They are left out and counted, as are jobs that never started. Processors are ``ProcCnt``,
    the submit time is ``SubmitTime`` (``EligibleTime`` where an old Slurm does not write it), the
    queue is ``QOS``. Submit times are counted from the earliest.

    Parameters
    ----------
    path
        The log, plain or gzipped.
    clean, zone, file_name
        As in ``read_sacct``.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with line and key.
    """
    path = Path(path)
    file_name = file_name or str(path)
    blocks = LogBlocks(path, file_name)
    lines = Lines(blocks)
    gathered = Gathered(file_name)
    local = zone_named(zone, file_name)
    for line in lines:
        if line.strip():
            _read_line(line.strip(), lines.number, local, gathered)
    raw = gathered.jobs(lines.error, lines.number)
    return counted_from_the_first(raw, clean, path, file_name, blocks.sha256)


def _read_line(line: str, number: int, zone: dt.tzinfo, gathered: Gathered) -> None:
    matches = list(_KEY.finditer(line))
    if not matches or matches[0][1] != "JobId" or matches[0].start():
        message = "does not begin with JobId=; give a log of Slurm's jobcomp/filetxt"
        gathered.fault(number, "", message)
        return
    ends = [match.start() for match in matches[1:]] + [len(line)]
    pairs = [
        (match[1], line[match.end() : end].strip())
        for match, end in zip(matches, ends, strict=True)
    ]
    values = dict(pairs)
    if len(values) < len(pairs):
        gathered.leave_out(AMBIGUOUS)
        return
    missing = [key for key in _NEEDED if key not in values]
    if not any(key in values for key in _SUBMITTED):
        missing.append("SubmitTime")
    if missing:
        message = f"no {', '.join(missing)}; give the log as Slurm writes it"
        gathered.fault(number, "", message)
        return
    _add(values, number, zone, gathered)


def _add(values: Mapping[str, str], number: int, zone: dt.tzinfo, gathered: Gathered) -> None:
    key = ""
    try:
        key = "JobState"
        status = status_of(values[key])
        moments: dict[str, Seconds | None] = {}
        for key in ("StartTime", "EndTime", "SubmitTime", "EligibleTime"):
            text = values.get(key, "")
            moments[key] = None if is_unknown(text) else unix_time(text, zone)
        key = "JobId"
        job = job_number(values[key])
        key = "ProcCnt"
        processors = count(values[key])
        key = "TimeLimit"
        limit = time_limit(values.get(key, ""))
    except CellError as error:
        gathered.fault(number, key, str(error))
        return
    moments = known_moments(moments)
    start, end = moments["StartTime"], moments["EndTime"]
    if status is None or (end is None and start is not None):
        gathered.leave_out(UNFINISHED)
        return
    if start is None or end is None:
        gathered.leave_out(NEVER_STARTED)
        return
    if status == OTHER_STATUS:
        gathered.unknown_state(values["JobState"], number)
    times = {"run_s": end - start, "requested_s": limit}
    submit = moments["SubmitTime"] if "SubmitTime" in values else moments["EligibleTime"]
    if submit is not None:
        times |= {"submit_s": submit, "wait_s": max(start - submit, 0)}
    names = {
        "user": _name(values.get("UserId", "")),
        "group": _name(values.get("GroupId", "")),
        "queue": values.get("QOS", ""),
        "partition": values.get("Partition", ""),
    }
    numbers = {"line": number, "number": job, "processors": processors, "status": status}
    bits = unused_bits((key.lower(), values.get(key, "")) for key in _UNUSED)
    gathered.add(numbers, times, names, float("nan"), bits)


def _name(text: str) -> str:
    """Return a name without the number behind it, as in ``ann(1000)``."""
    matched = _NAME_WITH_NUMBER.fullmatch(text)
    return matched[1] if matched is not None else text
