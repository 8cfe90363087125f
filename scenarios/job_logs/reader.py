"""Read job logs of any form from files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from scenarios.faults import Fault, ScenarioError
from scenarios.formatting import nearest
from scenarios.job_logs.arrow_log import SIGN, read_parquet
from scenarios.job_logs.blocks import LogBlocks
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.delimited import read_csv, read_printed, sacct_delimiter, widths_of
from scenarios.job_logs.foreign import foreign_form
from scenarios.job_logs.job_fields import FIELDS
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.json_log import read_json
from scenarios.job_logs.key_values import JOBCOMP, RECORD, read_jobcomp, read_pbs
from scenarios.job_logs.log_file import LogFile
from scenarios.job_logs.swf import read_swf
from scenarios.tables.columns import known_headings

Form = Literal["swf", "sacct", "jobcomp", "pbs", "csv", "json", "parquet"]
FORM_TEXTS: Mapping[Form, str] = {
    "swf": "Standard Workload Format 2.2, as in the Parallel Workloads Archive",
    "sacct": "what `sacct` of Slurm prints: headings, and cells between any signs (`-P`, "
    "`--delimiter`), or of fixed width",
    "jobcomp": "the log of Slurm's `jobcomp/filetxt`: `JobId=1 UserId=ann(1000) ...`",
    "pbs": "accounting of PBS Professional, OpenPBS or Torque: "
    "`03/09/2026 13:01:00;E;1.server;user=ann ...`",
    "csv": "a table with the fields of a job: of any program, of Slurm's database, of Batsim's "
    "results",
    "json": "a workload of Batsim, or what `sacct --json` prints",
    "parquet": "the same table as `csv`, in Parquet",
}
"""What each form is."""

FORMS = tuple(FORM_TEXTS)

_SUFFIXES: dict[str, Form] = {
    ".swf": "swf",
    ".csv": "csv",
    ".tsv": "csv",
    ".json": "json",
    ".parquet": "parquet",
}
_READERS: Mapping[Form, Callable[[LogFile], JobLog]] = {
    "sacct": read_printed,
    "jobcomp": read_jobcomp,
    "pbs": read_pbs,
    "csv": read_csv,
    "json": read_json,
    "parquet": read_parquet,
}
_SWF_LINE = re.compile(r"\s*-?[0-9][0-9.eE+-]*(?:\s+-?[0-9][0-9.eE+-]*){9,}\s*")


def read_job_log(
    path: Path | str,
    *,
    form: Form | None = None,
    columns: Mapping[str, str] | None = None,
    clean: Cleaning | None = None,
    zone: str = "UTC",
    file_name: str = "",
) -> JobLog:
    """Read a log in the Standard Workload Format, or as Slurm, PBS, Batsim or a table has it.

    Parameters
    ----------
    path
        The log.
    form
        ``swf``, ``sacct`` (the output of ``sacct``), ``jobcomp`` (of ``jobcomp/filetxt``),
        ``pbs`` (accounting), ``csv``, ``json`` (Batsim, ``sacct --json``) or ``parquet``. By
        default the first lines decide, or else the suffix.
    columns
        Headings by what the columns hold; for ``sacct``, ``csv`` and ``parquet``.
    clean
        What is done with jobs that cannot be simulated unchanged; by default ``Cleaning()``.
    zone
        Time zone of times without one, which ``swf`` does not have. Where clocks go back and a
        local time occurs twice, the order of the job's times decides.
    file_name
        What to call the file in messages; by default its path.

    Returns
    -------
    JobLog
        The jobs in order of submission. Its ``counts`` say what was left out or changed, and why.

    Raises
    ------
    ScenarioError
        The file cannot be used; at most a hundred errors are listed, each with its place.

    Examples
    --------
    >>> read_job_log("no-such.swf")
    Traceback (most recent call last):
        ...
    scenarios.faults.ScenarioError: no-such.swf: does not exist; give the path of a job log
    """
    path = Path(path)
    file_name = file_name or str(path)
    if form is not None and form not in FORMS:
        message = f"{form!r} is not a form of job logs; {nearest(str(form), [*FORMS])}"
        raise ScenarioError([Fault(file_name, 0, "form", message)])
    detected = form or form_of(path, file_name, columns)
    if columns and detected not in ("sacct", "csv", "parquet"):
        message = f"a log of the form {detected} has no headings; delete --column"
        raise ScenarioError([Fault(file_name, 0, "columns", message)])
    if detected == "swf":
        return read_swf(path, clean=clean, file_name=file_name)
    file = LogFile(path, file_name, columns, clean or Cleaning(), zone)
    try:
        return _READERS[detected](file)
    except ScenarioError as error:
        raise ScenarioError([file.placed(fault) for fault in error.faults]) from None


def form_of(path: Path, file_name: str, columns: Mapping[str, str] | None = None) -> Form:
    """Return the form of a log by its first lines, or else by its suffix.

    Raises
    ------
    ScenarioError
        Neither tells; or the file cannot be read.
    """
    beginning = LogBlocks(path, file_name).beginning()
    if beginning.startswith(SIGN):
        return "parquet"
    text = beginning.decode("utf-8-sig", "replace")
    lines = [line for line in text.split("\n") if line.strip()]
    if remedy := foreign_form(lines):
        raise ScenarioError([Fault(file_name, 0, "", remedy)])
    content = _by_content(lines, columns)
    if content is not None:
        return content
    name = path.name.lower().removesuffix(".gz")
    by_suffix = next((form for suffix, form in _SUFFIXES.items() if name.endswith(suffix)), None)
    if by_suffix is not None:
        return by_suffix
    forms = ", ".join(FORMS)
    message = (
        f"the form of the log is unknown from its first lines; give it with --form, one of {forms}"
    )
    raise ScenarioError([Fault(file_name, 0, "", message if lines else "is empty; give a job log")])


def _by_content(lines: list[str], columns: Mapping[str, str] | None) -> Form | None:
    if not lines:
        return None
    if lines[0].lstrip().startswith("{"):
        return "json"
    if JOBCOMP.match(lines[0].strip()):
        return "jobcomp"
    if RECORD.fullmatch(lines[0].strip()):
        return "pbs"
    if sacct_delimiter(lines[0]) or widths_of(lines):
        return "sacct"
    first = next((line for line in lines if line.lstrip()[:1] not in ("#", ";")), "")
    if lines[0].lstrip().startswith(";") and (not first or _SWF_LINE.fullmatch(first)):
        return "swf"
    if _SWF_LINE.fullmatch(first):
        return "swf"
    cells = re.split(r"[,;\t|]", first)
    return "csv" if len(cells) > 2 and known_headings(cells, FIELDS, columns) > 2 else None
