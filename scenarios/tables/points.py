"""Points that evaluators give packages of a tender: one package, criterion and evaluator a row."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from scenarios.faults import Fault
from scenarios.files import TextFile
from scenarios.tables.curves import every_row
from scenarios.tables.field import Field

POINTS = (
    Field("package", "Name of the package", "text", least=1, most=120),
    Field("criterion", "Name of the criterion", "text", least=1, most=120),
    Field(
        "evaluator", "Who gave the points; agreed for the agreed ones", "text", least=1, most=120
    ),
    Field("points", "The points, from 0 to those of the criterion"),
    Field("reason", "Reason, for letters", "text", most=4000, required=False, blank="no reason"),
)


def read_points(file: TextFile) -> tuple[dict[str, Any], list[Fault]]:
    """Read the columns of :data:`POINTS` (any order, others ignored).

    Returns
    -------
    columns, errors
        ``evaluations``: one mapping per row, with ``origin``, its line.
    """
    table, rows = every_row(file, POINTS)
    place = Path(file.name).name
    found = [
        {key: value for key, value in row.items() if value is not None}
        | {"origin": f"{place}:{line}"}
        for line, row in rows
    ]
    return {"evaluations": found}, table.faults
