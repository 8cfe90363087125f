"""Measurements from Parquet, by way of a limited process: pyarrow may crash on hostile files."""

from __future__ import annotations

import hashlib
import importlib.util
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from scenarios.faults import Fault, ScenarioError
from scenarios.files import read_bytes
from scenarios.measurements.fields import laid_out
from scenarios.measurements.table import MOST_COLUMNS, MOST_ROWS, OPTION, Cells, RunTable
from scenarios.tables.cell_references import Limits
from scenarios.tables.limited_child import ask

PARQUET = Limits(
    what="measurements",
    files="Parquet files",
    choose_sheet="",
    rows=MOST_ROWS,
    columns=MOST_COLUMNS,
    file_bytes=256 << 20,
    unpacked_bytes=1 << 30,
    elements=0,
    characters=256 << 20,
    memory_bytes=6 << 30,
    cpu_s=60,
    time_s=90,
)


def parquet_runs(
    path: Path,
    file_name: str,
    columns: Mapping[str, str] | None,
    units: Mapping[str, str] | None,
) -> RunTable:
    """Read the columns of a Parquet file; places are its rows, from 1.

    Raises
    ------
    ScenarioError
        pyarrow is not installed, or the file as a whole cannot be used.
    """
    if importlib.util.find_spec("pyarrow") is None:
        message = (
            "Parquet needs pyarrow: pip install 'headroom-planner[parquet]'; or use a .csv file"
        )
        raise _error(file_name, message)
    remedy = "delete columns, or split it"
    data = read_bytes(path, file_name, "a Parquet file", PARQUET.file_bytes, remedy)
    question = json.dumps([dict(columns or {}), dict(units or {})]).encode()
    reply = ask("scenarios.measurements.parquet_child", question + b"\n" + data, PARQUET, file_name)
    head, _, body = reply.partition(b"\n")
    answer: dict[str, Any] = json.loads(head)
    if "error" in answer:
        raise _error(file_name, answer["error"])
    layout = laid_out(answer["headings"], columns, units, option=OPTION)
    runs: dict[str, Cells] = {}
    for target, cells in answer["cells"].items():
        if cells is None:
            numbers, body = body[: 8 * answer["rows"]], body[8 * answer["rows"] :]
            cells = np.frombuffer(numbers, dtype="<f8")  # noqa: PLW2901
        runs[target] = cells
    digest = hashlib.sha256(data).hexdigest()
    lines = range(1, answer["rows"] + 1)
    return RunTable(
        file_name,
        digest,
        answer["headings"],
        0,
        layout,
        runs,
        lines,
        row_word="row",
        others=answer.get("others", {}),
    )


def _error(file_name: str, message: str) -> ScenarioError:
    return ScenarioError([Fault(file_name, 0, "", message)])
