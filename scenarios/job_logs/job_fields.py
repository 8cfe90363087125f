"""What a table of jobs may hold, by the headings that schedulers and simulators give it."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.tables.cell_text import LONGEST_LABEL
from scenarios.tables.field import Field


def _moment(name: str, meaning: str, aliases: str, *, required: bool = False) -> Field:
    meaning = f"{meaning}: a date with time, or seconds"
    names = tuple(aliases.split())
    return Field(name, meaning, "special", names, unit="s", required=required, blank="not known")


def _span(name: str, meaning: str, aliases: str) -> Field:
    meaning = f"{meaning}: as 1-02:03:04, or seconds"
    names = tuple(aliases.split())
    return Field(name, meaning, "special", names, unit="s", required=False, blank="not known")


def _name(name: str, meaning: str, *aliases: str) -> Field:
    return Field(
        name, meaning, "text", aliases, most=LONGEST_LABEL, required=False, blank="not known"
    )


SUBMIT = _moment(
    "submit_s", "Submit time",
    "submit submittime submitted timesubmit submissiontime subtime eligibletime", required=True,
)  # fmt: skip
START = _moment("start_s", "Start", "start starttime started timestart startingtime")
END = _moment("end_s", "End", "end endtime ended timeend finishtime")
RUN = _span("run_s", "Run time; start and end give it too",
            "elapsedraw run runtime elapsed executiontime")  # fmt: skip
REQUESTED = _span(
    "requested_s", "Requested time; bare numbers are minutes in a table of Slurm's",
    "timelimitraw req requested requestedtime timelimit estimate walltime",
)  # fmt: skip
PROCESSORS = Field(
    "processors",
    "Cores of the job; K stands for 1,024",
    "special",
    ("procs", "cores", "alloccpus", "cpusalloc", "cpus", "numcpus", "ncpus", "proccnt", "alloctres",
     "tresalloc", "reqcpus", "cpusreq", "requestednumberofresources", "res"),
    least=1,
    most=2**31 - 1,
    blank="not known",
)  # fmt: skip
NUMBER = Field(
    "number",
    "Number of the job, as 123 or 123_4",
    "special",
    ("jobidraw", "job", "jobid", "jobnumber", "id idjob"),
    required=False,
    blank="not known",
)
STATE = Field(
    "state",
    "State as Slurm calls it, or its number in Slurm's database; elsewhere numbers as in SWF",
    "special",
    ("state", "jobstate", "status", "finalstate"),
    required=False,
    blank="not known",
)
ENERGY = Field(
    "energy_j",
    "Energy of the job",
    "special",
    ("energy", "consumedenergyraw", "consumedenergy"),
    unit="J",
    required=False,
    blank="not known",
)
NAMES = (
    _name("user", "Name or number of the user", "userid iduser", "username", "uid"),
    _name("group", "Name or number of the group", "groupid idgroup", "gid", "account"),
    _name("queue", "Name or number of the queue", "qos", "qosraw idqos"),
    _name("partition", "Name or number of the partition"),
)
MOMENTS = (SUBMIT, START, END)
SPANS = (_span("wait_s", "Wait", "wait waittime waitingtime"), RUN, REQUESTED)
FIELDS = (NUMBER, *MOMENTS, *SPANS, PROCESSORS, STATE, *NAMES, ENERGY)
"""What a table of jobs may hold; of several columns, the first with a value above 0 counts."""

_SLURM = {
    "sacct": ("JobID", "Timelimit", "AllocCPUS NCPUS AllocTRES ReqCPUS Elapsed ElapsedRaw State"),
    "api": ("job_id", "submit_time", "start_time", "end_time"),
    "database": ("id_job", "time_submit"),
}
"""Headings of sacct, of Slurm's API and of its database: one of each text has to be there."""


def slurm_family(headings: Sequence[str]) -> str:
    """Which names of Slurm a table has; empty for those of other programs.

    Examples
    --------
    >>> slurm_family(["JobID", "NCPUS", "Timelimit"]), slurm_family(["job", "timelimit"])
    ('sacct', '')
    """
    present = {heading.strip().lower() for heading in headings}
    families = (
        name
        for name, family in _SLURM.items()
        if all(present & {*names.lower().split()} for names in family)
    )
    return next(families, "")
