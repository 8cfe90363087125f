"""Reader of jobs in JSON: workloads of Batsim, and what ``sacct --json`` prints."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.job_table import SLURM, TABLE
from scenarios.job_logs.log_file import LogFile

_OF_BATSIM = ("id", "subtime", "walltime", "res", "run")
_OF_SACCT = (
    "JobID", "Submit", "Start", "End", "ElapsedRaw", "TimelimitRaw", "AllocCPUS", "ReqCPUS",
    "State", "User", "Account", "QOS", "Partition", "AllocNodes", "AllocTRES",
)  # fmt: skip
_STATED = ("delay", "parallel_homogeneous")
_OTHER_PROFILE = "a profile whose length depends on a simulated platform"

Cells = Mapping[str, str]


def read_json(file: LogFile) -> JobLog:
    """Read the jobs of a Batsim workload, or of ``sacct --json``.

    A job of Batsim runs as long as its profile of the type ``delay`` says, and on ``res``
    processors; jobs of profiles without a stated length are left out and counted. Places are the
    jobs' positions in the file, from 1.
    """
    content = _parsed(file)
    profiles = content.get("profiles")
    keys, dialect = (_OF_BATSIM, TABLE) if isinstance(profiles, dict) else (_OF_SACCT, SLURM)
    table, file.gathered.place = file.table(keys, dialect=dialect), "job"
    for place, job in enumerate(content["jobs"], 1):
        if not isinstance(job, dict):
            message = "is not an object; give the file as it was written"
            file.gathered.fault(place, "jobs", message)
            continue
        if isinstance(profiles, dict):
            values = _batsim(job, profiles, file.gathered)
        else:
            values = _sacct(job)
        if values is not None:
            table.read([values.get(key, "") for key in keys], place, file.gathered)
    log = file.log(table)
    size = content.get("nb_res") if isinstance(profiles, dict) else None
    known = isinstance(size, int) and not isinstance(size, bool) and 0 < size < 1 << 31
    return replace(log, machine_processors=size) if known else log


def _parsed(file: LogFile) -> dict[str, Any]:
    data = b"".join(file.blocks)
    if file.blocks.error:
        raise ScenarioError([Fault(file.file_name, 0, "", file.blocks.error)])
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        line, message = getattr(error, "lineno", 0), str(error)[:120]
        fault = Fault(file.file_name, line, "", f"is not valid JSON ({message}); write it again")
        raise ScenarioError([fault]) from None
    if not isinstance(content, dict) or not isinstance(content.get("jobs"), list):
        message = 'has no list "jobs"; give a workload of Batsim, or what sacct --json prints'
        raise ScenarioError([Fault(file.file_name, 0, "", message)])
    return content


def _text(value: Any) -> str:
    """What a cell of a table would hold; empty for objects and lists."""
    if isinstance(value, bool) or value is None:
        return ""
    return str(value) if isinstance(value, int | float | str) else ""


def _batsim(
    job: Mapping[str, Any], profiles: Mapping[str, Any], gathered: Gathered
) -> Cells | None:
    profile = profiles.get(_text(job.get("profile")))
    kind = profile.get("type") if isinstance(profile, dict) else None
    if not isinstance(profile, dict) or kind not in _STATED or "delay" not in profile:
        gathered.leave_out(_OTHER_PROFILE)
        return None
    number = _text(job.get("id")).rpartition("!")[2]
    return {key: _text(job.get(key)) for key in _OF_BATSIM} | {
        "id": number, "run": _text(profile["delay"]),
    }  # fmt: skip


def _sacct(job: Mapping[str, Any]) -> Cells:
    """The cells that ``sacct -P`` would print; versions of Slurm nest them differently."""
    time = _object(job, "time")
    tres = [each for each in _list(_object(job, "tres").get("allocated")) if isinstance(each, dict)]
    allocated = {_text(each.get("type")): _text(each.get("count")) for each in tres}
    state = _object(job, "state").get("current", job.get("state"))
    association = _object(job, "association")
    resources = ",".join(
        "/".join(filter(None, (_text(each.get("type")), _text(each.get("name")))))
        + f"={_text(each.get('count'))}"
        for each in tres
    )
    return {
        "JobID": _text(job.get("job_id")),
        "Submit": _text(time.get("submission")),
        "Start": _text(time.get("start")),
        "End": _text(time.get("end")),
        "ElapsedRaw": _text(time.get("elapsed")),
        "TimelimitRaw": _number(time.get("limit")),
        "AllocCPUS": allocated.get("cpu", ""),
        "ReqCPUS": _number(_object(job, "required").get("CPUs")),
        "State": " ".join(map(_text, state)) if isinstance(state, list) else _text(state),
        "User": _text(job.get("user")) or _text(association.get("user")),
        "Account": _text(job.get("account")),
        "QOS": _text(job.get("qos")),
        "Partition": _text(job.get("partition")),
        "AllocNodes": _text(job.get("allocation_nodes")),
        "AllocTRES": resources,
        "NodeList": _text(job.get("nodes")),
    }


def _object(job: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = job.get(key)
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _number(value: Any) -> str:
    """A number as Slurm writes it: plain, or as ``{"set": true, "number": 60}``."""
    if not isinstance(value, dict):
        return _text(value)
    usable = value.get("set", True) and not value.get("infinite", False)
    return _text(value.get("number")) if usable else ""
