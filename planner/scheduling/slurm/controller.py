"""Queries to Slurm's controller for watts, nodes and waiting jobs, and changes of jobs."""

from __future__ import annotations

import math
import re
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from planner.configurations.table import Configuration
from planner.scheduling.slurm.data_files import number
from planner.scheduling.slurm.decision import PartitionLimits, SlurmChoice, SlurmRequest
from scenarios.job_logs.cell_values import duration

Run = Callable[[tuple[str, ...]], str]
"""Runs a command of Slurm and returns what it prints."""

_PATIENCE_S = 60
_MINUTE_S = 60
_UNLIMITED = "UNLIMITED"
_ID, _REASON, _RECORD, _LICENCES, _NAMES = 40, 30, 300, 2000, 500
_LICENSES = ("scontrol", "--oneliner", "show", "licenses")
_PARTITIONS = ("scontrol", "--all", "--oneliner", "show", "partition")
_NODES = ("sinfo", "--noheader", "--Node", "--format=%N %T")
# Fixed widths, as names and comments may hold any separator; in Slurm's order of priority.
_QUEUE = (
    "squeue", "--noheader", "--array", "--states=PENDING", "--sort=-p,i",
    (f"--Format=JobArrayID:{_ID},Reason:{_REASON},admin_comment:{_RECORD},Licenses:{_LICENCES},"
     f"Partition:{_NAMES}"),
)  # fmt: skip
_IDLE = frozenset({"idle", "planned"})
_STARTABLE = "~#%-"
"""Marks of sinfo behind the state of a node that Slurm gives to jobs: it is powered down, up or
being powered, or planned for a job. Others say that it does not respond, is reserved or reboots."""

# Reasons that nodes, watts or time can end; others hold a job in any configuration.
_WAITING = frozenset({"Licenses", "None", "Priority", "Resources"})
_FREE = re.compile(r"^LicenseName=watt .*\bFree=(\d+)", re.MULTILINE)
_JOB = re.compile(r"\d+(_\d+)?")
_WRITTEN = re.compile(
    r"headroom:application=(?P<application>[^,]+),requested_nodes=(?P<requested_nodes>\d+),"
    r"requested_minutes=(?P<requested_minutes>\d+),nodes=(?P<nodes>\d+),"
    r"cores_per_node=(?P<cores>\d+),package_cap_w=(?P<cap>[0-9.e+-]+),note=\w+"
)


@dataclass(frozen=True)
class WaitingJob:
    """A pending job that waits for nodes, watts or its turn.

    Attributes
    ----------
    job_id
        As Slurm writes it, ``12`` or ``12_3``.
    request
        As the user submitted it.
    configuration
        Nodes, cores per node and package cap [W] that it has now.
    other_licences
        Its licences but for watts.
    """

    job_id: str
    request: SlurmRequest
    configuration: tuple[int, int, float]
    other_licences: tuple[str, ...] = ()


@dataclass(frozen=True)
class ControllerState:
    """Free licences [W], idle nodes, and waiting jobs in Slurm's order of priority."""

    available_w: int
    free_nodes: int
    waiting: tuple[WaitingJob, ...]


def run_command(words: tuple[str, ...]) -> str:
    """Return what a command prints.

    Raises
    ------
    subprocess.SubprocessError
        It failed or took longer than a minute.
    OSError
        It cannot be started.
    """
    return subprocess.run(
        words, capture_output=True, text=True, check=True, timeout=_PATIENCE_S, errors="replace"
    ).stdout


def state_of(run: Run) -> ControllerState:
    """Ask the controller.

    Raises
    ------
    LookupError
        It has no licence ``watt``.
    """
    free = _FREE.search(run(_LICENSES))
    if free is None:
        raise LookupError("slurm.conf has no licence watt; merge headroom_slurm.conf into it")
    limits = _limits(run(_PARTITIONS))
    jobs = (_job(line, limits) for line in run(_QUEUE).splitlines())
    return ControllerState(
        int(free[1]), _idle(run(_NODES)), tuple(job for job in jobs if job is not None)
    )


def _idle(text: str) -> int:
    """Return how many nodes have no job. A node of several partitions is listed several times."""
    lines = (line.split() for line in text.splitlines())
    return len(
        {words[0] for words in lines if len(words) == 2 and words[1].rstrip(_STARTABLE) in _IDLE}
    )


def _limits(text: str) -> dict[str, PartitionLimits]:
    """Return the limits of each partition, as ``scontrol`` shows them on one line."""
    found = {}
    for line in text.splitlines():
        values = dict(word.split("=", 1) for word in line.split() if "=" in word)
        if {"PartitionName", "MinNodes", "MaxNodes", "TotalNodes", "MaxTime"} <= values.keys():
            total = int(values["TotalNodes"])
            most = total if values["MaxNodes"] == _UNLIMITED else int(values["MaxNodes"])
            time = values["MaxTime"]
            # Down: Slurm counts limits in whole minutes, and a job beyond one waits for ever.
            minutes = math.inf if time == _UNLIMITED else int(duration(time)) // _MINUTE_S
            cpus = values.get("MaxCPUsPerNode", _UNLIMITED)
            found[values["PartitionName"]] = PartitionLimits(
                int(values["MinNodes"]),
                min(most, total),
                minutes,
                math.inf if cpus == _UNLIMITED else int(cpus),
            )
    return found


def _job(line: str, limits: Mapping[str, PartitionLimits]) -> WaitingJob | None:
    """Return the job of a line of the queue; ``None`` if the script has not configured it."""
    job_id, reason = line[:_ID].strip(), line[_ID : _ID + _REASON].strip()
    start = _ID + _REASON
    written = _WRITTEN.fullmatch(line[start : start + _RECORD].strip())
    end = start + _RECORD + _LICENCES
    licences, names = line[start + _RECORD : end], line[end:].strip().split(",")
    # A list that fills its column may be cut; an update would then drop licences.
    whole = len(licences.rstrip()) < _LICENCES
    if written is None or reason not in _WAITING or not _JOB.fullmatch(job_id) or not whole:
        return None
    counts = [int(written[name]) for name in ("requested_nodes", "requested_minutes")]
    return WaitingJob(
        job_id,
        SlurmRequest(
            written["application"],
            counts[0],
            counts[1],
            tuple(limits[name] for name in names if name in limits),
        ),
        (int(written["nodes"]), int(written["cores"]), float(written["cap"])),
        tuple(name for name in licences.strip().split(",") if not _watts(name)),
    )


def _watts(licence: str) -> bool:
    return re.split("[:@*]", licence)[0] in {"watt", "(null)", ""}


def update(job: WaitingJob, choice: SlurmChoice, note: str) -> tuple[str, ...]:
    """Return the command that gives a waiting job another configuration, all in one request.

    Slurm checks it by ``slurm_job_modify`` of the script while it holds the job: a job that has
    started meanwhile keeps what it runs on.
    """
    row = choice.configuration
    ranks = row.nodes * row.cores_per_node
    licences = ",".join((f"watt:{choice.charge_w}", *job.other_licences))
    return (
        "scontrol", "update", f"JobId={job.job_id}", f"NumNodes={row.nodes}-{row.nodes}",
        f"NumTasks={ranks}", f"NumCPUs={ranks}", f"TasksPerNode={row.cores_per_node}",
        f"MinCPUsNode={row.cores_per_node}", f"TimeLimit={choice.minutes}",
        f"Licenses={licences}", f"AdminComment={_record(job, row, note)}",
    )  # fmt: skip


def _record(job: WaitingJob, row: Configuration, note: str) -> str:
    request = job.request
    return (
        f"headroom:application={request.application},requested_nodes={request.nodes},"
        f"requested_minutes={request.minutes},nodes={row.nodes},"
        f"cores_per_node={row.cores_per_node},package_cap_w={number(row.package_cap_w)},note={note}"
    )
