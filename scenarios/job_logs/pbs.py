"""Reader of the accounting logs of PBS Professional, OpenPBS and Torque."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.cell_values import (
    Seconds,
    duration,
    is_unknown,
    unix_time,
    zone_named,
)
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.finished import counted_from_the_first
from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.jobcomp import AMBIGUOUS
from scenarios.job_logs.lines import Lines
from scenarios.job_logs.pbs_processors import allocation_warnings, processors_of
from scenarios.job_logs.raw_jobs import COMPLETED, FAILED
from scenarios.job_logs.slurm_jobs import NEVER_STARTED
from scenarios.job_logs.unset_times import known_moments
from scenarios.job_logs.unused import unused_bits
from scenarios.tables.cell_text import CellError, quoted

RECORD = re.compile(
    r"[0-9]{2}/[0-9]{2}/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2};([A-Za-z]);([^;]*);(.*)"
)
_ENDED = "E"
_WHOLE_ARRAY = "a job array, whose tasks have their own records"
_NO_END = "records other than the end of a job"
_PAIR = re.compile(r"(?:^| )([A-Za-z_][A-Za-z0-9_.]*)=")
_NUMBER = re.compile(r"([0-9]{1,10})(?:\[([0-9]{1,7})\])?(?:\..*)?")
_PART = 10**10
_UNUSED = {
    "Resource_List.ngpus": "gpus",
    "resources_used.ngpus": "gpus",
    "Resource_List.mem": "memory",
    "Resource_List.nodect": "nodes",
    "depend": "dependency",
}
_MEMORY_UNIT = re.compile(r"([0-9]+)[kmgt]?[bw]", re.IGNORECASE)


def read_pbs(
    path: Path | str, *, clean: Cleaning | None = None, zone: str = "UTC", file_name: str = ""
) -> JobLog:
    """Read the records of ended jobs (``E``); all other records are left out and counted.

    Processors are those of :func:`scenarios.job_logs.pbs_processors.processors_of`. The submit
    time is ``qtime``, else ``ctime``; the requested time is ``Resource_List.walltime``. Any exit
    status but 0 is a failure. A job that ended twice, since it was queued again, has two records:
    ``Cleaning(duplicates="last")``. Task ``t`` of an array ``j[]`` has the number
    ``j + (t + 1) 10**10``.

    Parameters
    ----------
    path
        The log, plain or gzipped; several days one after the other.
    clean, zone, file_name
        As in ``read_sacct``.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with line and key.

    References
    ----------
    PBS Professional Administrator's Guide, chapter "Accounting": "E" records.
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
    raw = replace(raw, warnings=allocation_warnings(raw.counts))
    return counted_from_the_first(raw, clean, path, file_name, blocks.sha256)


def _read_line(line: str, number: int, zone: dt.tzinfo, gathered: Gathered) -> None:
    matched = RECORD.fullmatch(line)
    if matched is None:
        message = "is not an accounting record of PBS; give the log as PBS writes it"
        gathered.fault(number, "", message)
        return
    if matched[1] != _ENDED or "[]" in matched[2]:
        gathered.leave_out(_NO_END if matched[1] != _ENDED else _WHOLE_ARRAY)
        return
    places = list(_PAIR.finditer(matched[3]))
    if not places:
        gathered.fault(number, "", "has no key=value after the job; give the log as PBS writes it")
        return
    ends = [match.start() for match in places[1:]] + [len(matched[3])]
    values = {
        match[1]: matched[3][match.end() : end].strip()
        for match, end in zip(places, ends, strict=True)
    }
    if len(values) < len(places):
        gathered.leave_out(AMBIGUOUS)
        return
    _add(matched[2], values, number, zone, gathered)


def _add(
    job: str, values: Mapping[str, str], number: int, zone: dt.tzinfo, gathered: Gathered
) -> None:
    key = "job id"
    try:
        identity = _job_number(job)
        moments: dict[str, Seconds | None] = {}
        for key in ("qtime", "ctime", "start", "end"):
            text = values.get(key, "")
            moments[key] = None if is_unknown(text) else unix_time(text, zone)
        key = "Resource_List.ncpus"
        processors, remark = processors_of(values)
        key = "Resource_List.walltime"
        limit = duration(values[key]) if key in values else MISSING
        key = "Exit_status"
        status = _status(values.get(key, ""))
    except CellError as error:
        gathered.fault(number, key, str(error))
        return
    moments = known_moments(moments)
    start, end = moments["start"], moments["end"]
    submit = moments["ctime"] if moments["qtime"] is None else moments["qtime"]
    if start is None or end is None:
        gathered.leave_out(NEVER_STARTED)
        return
    if remark:
        gathered.note(remark)
    times = {"run_s": end - start, "requested_s": limit}
    if submit is not None:
        times |= {"submit_s": submit, "wait_s": max(start - submit, 0)}
    names = {name: values.get(name, "") for name in ("user", "group", "queue", "partition")}
    cells = ((name, _plain(values.get(key, ""))) for key, name in _UNUSED.items())
    numbers = {"line": number, "number": identity, "processors": processors, "status": status}
    gathered.add(numbers, times, names, float("nan"), unused_bits(cells))


def _job_number(text: str) -> int:
    """A number of its own for ``123.server`` and for task 4 of an array, ``123[4].server``."""
    matched = _NUMBER.fullmatch(text.strip())
    if matched is None:
        raise CellError(f"{quoted(text)} is not a job of PBS; write it as in 123.server")
    return int(matched[1]) + (0 if matched[2] is None else (int(matched[2]) + 1) * _PART)


def _status(text: str) -> int:
    if not text:
        return MISSING
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise CellError(f"{quoted(text)} is not an exit status; write a whole number")
    return COMPLETED if int(text) == 0 else FAILED


def _plain(text: str) -> str:
    """Return an amount of memory without its unit, so that 0kb is none."""
    matched = _MEMORY_UNIT.fullmatch(text)
    return matched[1] if matched is not None else text
