"""Tables that a scenario names: run times over node counts, and figures of merit."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scenarios.faults import Fault, ScenarioError
from scenarios.files import TextFile
from scenarios.formatting import nearest, short
from scenarios.tables.csv_cells import csv_of
from scenarios.tables.field import Field
from scenarios.tables.field_table import FieldTable, field_table, heading_counter

COLUMNS = ("nodes", "time_s")
TIMES = (
    Field("nodes", "Nodes of the run", "whole", most=10**9, above=True),
    Field("time_s", "Run time", unit="s", above=True),
)
MERITS = (
    Field("node_type", "Name of the node type", "text", most=120),
    Field("figure_of_merit", "Figure of merit of one node", above=True),
    Field(
        "cap_w",
        "Power cap of each package",
        unit="W",
        above=True,
        required=False,
        blank="the largest permitted",
    ),
    Field(
        "drawn_w",
        "Power that the node draws",
        unit="W",
        above=True,
        required=False,
        blank="all that the cap permits",
    ),
    Field("workload", "Name of the workload", "text", most=120, required=False),
)


def read_times(file: TextFile) -> tuple[dict[str, list[float]], list[Fault]]:
    """Read the columns of :data:`TIMES` (any order, others ignored).

    Returns
    -------
    columns, errors
        Lists of numbers by column name; node counts are whole numbers and ascend.
    """
    columns: dict[str, list[float]] = {name: [] for name in COLUMNS}
    table, rows = every_row(file, TIMES)
    for line, row in rows:
        if columns["nodes"] and row["nodes"] <= columns["nodes"][-1]:
            message = f"{row['nodes']} follows {columns['nodes'][-1]}; list each node count once"
            table.fault(line, f"{message}, in ascending order", "nodes")
        for name, values in columns.items():
            values.append(row[name])
    return columns, table.faults


def read_merits(
    file: TextFile, workload: str, known: Sequence[str]
) -> tuple[dict[str, Any], list[Fault]]:
    """Read the columns of :data:`MERITS` (any order, others ignored).

    Where there is a column ``workload``, only the rows of this workload are taken, so that one
    file may serve many; each must name one of the ``known``.

    Returns
    -------
    columns, errors
        ``rows``: one mapping per row, with ``origin``, its line.
    """
    table, rows = every_row(file, MERITS)
    found, place = [], Path(file.name).name
    for line, row in rows:
        name = row.pop("workload", workload)
        if name not in known:
            message = f"{short(name)} is not a workload; {nearest(name, [*known])}"
            table.fault(line, message, "workload")
        elif name == workload:
            given = {key: value for key, value in row.items() if value is not None}
            found.append(given | {"origin": f"{place}:{line}"})
    if not found and not table.faults:
        message = f"contains no row of workload {short(workload)}; add rows, or correct the name"
        table.fault(0, message, "workload")
    return {"rows": found}, table.faults


def every_row(
    file: TextFile, fields: Sequence[Field]
) -> tuple[FieldTable, list[tuple[int, dict[str, Any]]]]:
    """Return a table with all its rows; it also holds its errors, if any."""
    text = csv_of(file, heading_counter(fields))
    table = FieldTable(text, fields)
    try:
        table = field_table(text, fields)
        return table, [(line, dict(row)) for line, row in table.rows()]
    except ScenarioError as error:
        table.faults += error.faults
        return table, []
