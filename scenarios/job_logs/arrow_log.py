"""Reader of jobs from Parquet, as pandas and data sets have them."""

from __future__ import annotations

import hashlib
import importlib.util
import json

from scenarios.faults import Fault, ScenarioError
from scenarios.files import read_bytes
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.job_table import MOST_COLUMNS
from scenarios.job_logs.lines import Lines, LinesInMemory
from scenarios.job_logs.log_file import LogFile
from scenarios.job_logs.parquet_child import SEPARATOR, row_cells
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


def read_parquet(file: LogFile) -> JobLog:
    """Read a table of jobs from Parquet; places are its rows, from 1.

    Raises
    ------
    ScenarioError
        pyarrow is not installed, or the file cannot be used.
    """
    name = file.file_name
    if importlib.util.find_spec("pyarrow") is None:
        message = "Parquet needs pyarrow: pip install 'headroom-planner[parquet]'; or use .csv"
        raise ScenarioError([Fault(name, 0, "", message)])
    data = read_bytes(file.path, name, "a Parquet file", _LIMITS.file_bytes, "split it")
    answer = ask("scenarios.job_logs.parquet_child", data, _LIMITS, name)
    first, _, rows = answer.partition(b"\n")
    headings = json.loads(first)
    if isinstance(headings, dict):
        raise ScenarioError([Fault(name, 0, "", headings["error"])])
    table, file.gathered.place = file.table(headings, columns=file.columns), "row"
    file.lines = Lines(LinesInMemory(rows))
    file.read_blocks(table, SEPARATOR, row_cells, size=len(rows))
    for row in file.lines:
        table.read(row_cells(row), file.lines.number, file.gathered)
    return file.log(table, sha256=hashlib.sha256(data).hexdigest())
