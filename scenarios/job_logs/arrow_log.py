"""Reader of jobs from Parquet, as pandas and data sets have them."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from scenarios.faults import Fault, ScenarioError
from scenarios.files import read_bytes
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.counted import counted_from_the_first
from scenarios.job_logs.gathered import Gathered
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.job_table import MOST_COLUMNS, job_table, minutes_remarks
from scenarios.tables.cell_references import Limits
from scenarios.tables.limited_child import ask

SIGN = b"PAR1"
"""What a Parquet file begins with."""

_LIMITS = Limits(
    what="jobs",
    files="Parquet files",
    choose_sheet="",
    rows=5_000_000,
    columns=MOST_COLUMNS,
    file_bytes=1 << 30,
    unpacked_bytes=4 << 30,
    elements=0,
    characters=0,
    memory_bytes=12 << 30,
    cpu_s=300,
    time_s=600,
)


def read_parquet(
    path: Path,
    *,
    columns: Mapping[str, str] | None = None,
    clean: Cleaning | None = None,
    zone: str = "UTC",
    file_name: str = "",
) -> JobLog:
    """Read a table of jobs from Parquet; places are its rows, from 1.

    Parameters
    ----------
    path, columns, clean, zone, file_name
        As in :func:`scenarios.job_logs.reader.read_job_log`.

    Raises
    ------
    ScenarioError
        pyarrow is not installed, or the file cannot be used.
    """
    file_name = file_name or str(path)
    if importlib.util.find_spec("pyarrow") is None:
        message = "Parquet needs pyarrow: pip install 'headroom-planner[parquet]'; or use .csv"
        raise ScenarioError([Fault(file_name, 0, "", message)])
    data = read_bytes(path, file_name, "a Parquet file", _LIMITS.file_bytes, "split it")
    first, *rows = ask("scenarios.job_logs.parquet_child", data, _LIMITS, file_name).split(b"\n")
    headings = json.loads(first)
    if isinstance(headings, dict):
        raise ScenarioError([Fault(file_name, 0, "", headings["error"])])
    gathered = Gathered(file_name, lenient=bool(clean and clean.unreadable == "leave out"))
    table = job_table(headings, file_name, columns=columns, zone=zone)
    gathered.present = table.columns.keys()
    for place, row in enumerate(rows, 1):
        table.read(json.loads(row), place, gathered)
    raw = gathered.jobs("", len(rows))
    remarks = (*raw.remarks, *minutes_remarks(table, gathered.samples))
    raw = replace(raw, remarks=remarks, columns=table.understood(gathered.samples))
    return counted_from_the_first(raw, clean, path, file_name, hashlib.sha256(data).hexdigest())
