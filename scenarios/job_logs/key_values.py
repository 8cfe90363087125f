"""Readers of accounting in lines of ``key=value``: Slurm's jobcomp/filetxt, PBS and Torque."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.job_table import SLURM, Dialect
from scenarios.job_logs.log_file import LogFile
from scenarios.job_logs.pbs_processors import processors_of
from scenarios.job_logs.raw_jobs import COMPLETED, FAILED
from scenarios.job_logs.slurm_jobs import status_in_table
from scenarios.tables.cell_text import CellError, quoted

Cells = Mapping[str, str]
Record = Callable[[str, int, Gathered], Cells | None]
"""Values of a line by key; ``None`` where it is not a job, which is counted."""

AMBIGUOUS = "a key is listed twice (perhaps within a job's name)"
_READ_OF_SLURM = (
    "JobId", "UserId", "GroupId", "JobState", "Partition", "TimeLimit", "StartTime", "EndTime",
    "NodeList", "NodeCnt", "ProcCnt", "Gres", "Tres", "QOS", "SubmitTime", "EligibleTime",
)  # fmt: skip
_KEYS = (
    *_READ_OF_SLURM, "Name", "WorkDir", "ReservationName", "Account", "WcKey",
    "Cluster", "ArrayJobId", "ArrayTaskId", "HetJobId", "HetJobOffset", "PackJobId",
    "PackJobOffset", "DerivedExitCode", "ExitCode",
)  # fmt: skip
_KEY = re.compile(rf"(?:^|(?<=[ \t]))({'|'.join(_KEYS)})=")
_NAME_WITH_NUMBER = re.compile(r"(.*)\([0-9]+\)")
_NEEDED = ("JobId", "JobState", "StartTime", "EndTime", "ProcCnt")

RECORD = re.compile(
    r"(?:[^;=]*?[:-])?"  # grep says the file and the line before it
    r"[0-9]{2}/[0-9]{2}/[0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2};([A-Za-z]);([^;]*);(.*)"
)
JOBCOMP = re.compile(r"(?:[^=\s]*[:-])?JobId=")
_ENDED = "E"
_PAIR = re.compile(r"(?:^| )([A-Za-z_][A-Za-z0-9_.]*)=")
_NUMBER = re.compile(r"([0-9]{1,10})(?:\[([0-9]{1,7})\]|-([0-9]{1,7}))?(?:\..*)?")
_PART = 10**10
_PROCESSORS = "Resource_List.ncpus"
_NOTED = ""
"""Where the values of a record say how its processors were chosen; no key is empty."""

_OF_PBS = {
    "job id": "number",
    "qtime": "submit",
    "ctime": "submitted",
    "start": "start",
    "end": "end",
    _PROCESSORS: "processors",
    "Resource_List.walltime": "walltime",
    "Exit_status": "state",
    "user": "user",
    "group": "group",
    "queue": "queue",
    "partition": "partition",
    "Resource_List.ngpus": "gpus",
    "resources_used.ngpus": "ngpus",
    "Resource_List.mem": "memory",
    "Resource_List.nodect": "nodes",
    "depend": "dependency",
}
"""What the keys of PBS and Torque hold, by the names of a table of jobs."""

_MEMORY_UNIT = re.compile(r"([0-9]+)[kmgt]?[bw]", re.IGNORECASE)


def read_jobcomp(file: LogFile) -> JobLog:
    """Read the log of finished jobs that ``JobCompType=jobcomp/filetxt`` writes.

    Values may hold blanks. Jobs whose name or folder holds a key of the log have this key twice.
    They are left out and counted. The submit time is ``SubmitTime`` (``EligibleTime`` where an old
    Slurm does not write it), the queue is ``QOS``.
    """
    return _read(file, _jobcomp, _READ_OF_SLURM, _READ_OF_SLURM, SLURM)


def read_pbs(file: LogFile) -> JobLog:
    """Read the records of ended jobs (``E``); all other records are counted apart.

    Processors are those of :func:`scenarios.job_logs.pbs_processors.processors_of`. The submit
    time is ``qtime``, else ``ctime``; the requested time is ``Resource_List.walltime``. Any exit
    status but 0 is a failure. Task ``t`` of an array ``j[]`` has the number ``j + (t + 1) 10**10``.

    References
    ----------
    PBS Professional Administrator's Guide, chapter "Accounting": "E" records.
    """
    dialect = Dialect("s", _number_of_pbs, status_in_table)
    return _read(file, _pbs, [*_OF_PBS], [*_OF_PBS.values()], dialect)


def _read(
    file: LogFile, record: Record, keys: Sequence[str], headings: Sequence[str], dialect: Dialect
) -> JobLog:
    """Read records whose keys hold what the headings say."""
    table = file.table(headings, dialect=dialect, shown=keys)
    for line in file.lines:
        number = file.lines.number
        values = record(line.strip(), number, file.gathered) if line.strip() else None
        if values is not None:
            cells = [values.get(key, "") for key in keys]
            table.read(cells, number, file.gathered, noted=values.get(_NOTED, ""))
    return file.log(table)


def _pairs(places: Sequence[re.Match[str]], text: str) -> Cells | None:
    """Values by key, up to the next key; ``None`` where one is there twice."""
    ends = [match.start() for match in places[1:]] + [len(text)]
    values = {
        match[1]: text[match.end() : end].strip() for match, end in zip(places, ends, strict=True)
    }
    return values if len(values) == len(places) else None


def _jobcomp(line: str, number: int, gathered: Gathered) -> Cells | None:
    begin = JOBCOMP.match(line)
    if begin is None:
        message = "does not begin with JobId=; give a log of Slurm's jobcomp/filetxt"
        gathered.fault(number, "", message)
        return None
    line = line[begin.end() - len("JobId=") :]
    values = _pairs(list(_KEY.finditer(line)), line)
    if values is None:
        gathered.leave_out(AMBIGUOUS)
        return None
    missing = [key for key in _NEEDED if key not in values]
    if not {"SubmitTime", "EligibleTime"} & values.keys():
        missing.append("SubmitTime")
    if missing:
        message = f"no {', '.join(missing)}; give the log as Slurm writes it"
        gathered.fault(number, "", message)
        return None
    names = {
        key: _NAME_WITH_NUMBER.sub(r"\1", values.get(key, "")) for key in ("UserId", "GroupId")
    }
    return {**values, **names}


def _pbs(line: str, number: int, gathered: Gathered) -> Cells | None:
    matched = RECORD.fullmatch(line)
    if matched is None:
        message = "is not an accounting record of PBS; give the log as PBS writes it"
        gathered.fault(number, "", message)
        return None
    if matched[1] != _ENDED or "[]" in matched[2]:
        gathered.no_job(
            "a record other than the end of a job"
            if matched[1] != _ENDED
            else "a job array, whose tasks have their own records"
        )
        return None
    places = list(_PAIR.finditer(matched[3]))
    if not places:
        gathered.fault(number, "", "has no key=value after the job; give the log as PBS writes it")
        return None
    values = _pairs(places, matched[3])
    if values is None:
        gathered.leave_out(AMBIGUOUS)
        return None
    if "end" not in values:
        gathered.fault(number, "", "no end; give the log as PBS writes it")
        return None
    key = _PROCESSORS
    try:
        processors, noted = processors_of(values)
        key = "Exit_status"
        status = _exit_status(values.get(key, ""))
    except CellError as error:
        gathered.fault(number, key, str(error))
        return None
    memory = _MEMORY_UNIT.sub(r"\1", values.get("Resource_List.mem", ""))
    read = {_PROCESSORS: str(processors), "Exit_status": str(status), _NOTED: noted}
    return {**values, "job id": matched[2], "Resource_List.mem": memory, **read}


def _number_of_pbs(text: str) -> int:
    """A number of its own for ``123.server`` and task 4 of an array, ``123[4].server``.

    Old versions of Torque write ``123-4.server``.
    """
    matched = _NUMBER.fullmatch(text.strip())
    if matched is None:
        raise CellError(f"{quoted(text)} is not a job of PBS; write it as in 123.server")
    task = matched[2] or matched[3]
    return int(matched[1]) + (0 if task is None else (int(task) + 1) * _PART)


def _exit_status(text: str) -> int:
    if not text:
        return MISSING
    if not re.fullmatch(r"-?[0-9]{1,9}", text):
        raise CellError(f"{quoted(text)} is not an exit status; write a whole number")
    return COMPLETED if int(text) == 0 else FAILED
