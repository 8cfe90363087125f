"""The part of docs/tables.md that lists every field: ``python -m tests.reader_table`` writes it.

The lists of fields are those that the readers use, so what a reader accepts is what the page says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from planner.scheduling.simulation import schedule_reader
from scenarios.aggregation import reader as aggregation
from scenarios.communication import edges, ping_pong
from scenarios.fields import LARGEST
from scenarios.job_logs import job_fields
from scenarios.measurements import fields as measurements
from scenarios.model import line_fields as lines
from scenarios.model import quote_fields as quotes
from scenarios.pairs import listed, matrix, needs
from scenarios.tables import curves, points
from scenarios.tables.field import Field
from scenarios.tables.units import _UNITS

PAGE = Path(__file__).parents[1] / "docs" / "tables.md"
BEGIN = "<!-- fields: written by python -m tests.reader_table -->"
END = "<!-- end of the fields -->"
TABLES: dict[str, Sequence[Field]] = {
    "Vendors' quotes (`[[quotes]]`; the mapping names the headings)": quotes.FIELDS,
    "Lines of a package (`[packages.sheet]`; the mapping names the headings)": lines.FIELDS,
    "Measured runs (`configure`, `share`)": measurements.FIELDS,
    "Run times of a workload (`file` in a scenario)": curves.TIMES,
    "Figures of merit (`file` in a scenario)": curves.MERITS,
    "Points of a tender (`points_file` of `[scheme]`)": points.POINTS,
    "Pairs of jobs, one pair a row (`colocate`)": listed.FIELDS,
    "Pairs of jobs as a matrix (`colocate`): each cell": (matrix.CELL,),
    "Pairs of jobs as a matrix (`colocate`): further columns": needs.MATRIX_FIELDS,
    "Jobs (`simulate`, form `csv`)": job_fields.FIELDS,
    "Schedule (`check-schedule`)": schedule_reader.FIELDS,
    "List of communication (`place`, form `edges`)": edges.FIELDS,
    "Matrix of communication (`place`, form `matrix`): each cell": (edges.BYTES,),
    "Ping-pong table (`place`)": ping_pong.FIELDS,
    **{f"`{name}` of a node (`aggregate`)": field for name, field in aggregation.FIELDS.items()},
}


def units_table() -> Iterator[str]:
    """The units of each dimension, ours with the value 1 first."""
    yield "| dimension | units |"
    yield "|---|---|"
    for dimension, units in _UNITS.items():
        yield f"| {dimension} | {', '.join(sorted(units, key=lambda unit: units[unit] != '1'))} |"
    yield "| money | the scenario's currency, with k or M for 1,000 or 1,000,000 |"


def field_row(field: Field) -> str:
    """A field as a row of a table."""
    names = ", ".join(f"`{name}`" for group in field.aliases for name in group.split())
    where = "required" if field.required else "optional"
    where += f"; a blank cell means {field.blank}" if field.blank else ""
    return f"| `{field.name}` | {names} | {field.meaning} | {accepted(field)} | {where} |"


def accepted(field: Field) -> str:
    """What the cells of a field may hold, in words."""
    words = ", ".join(f"`{word}`" for word in field.choices)
    if field.kind == "choice":
        return words
    if field.kind == "text":
        return f"text of {field.least:g} to {field.most:g} characters"
    if field.kind == "special":
        unit = f"; numbers in {field.unit}" if field.unit else ""
        return words or f"as in the meaning{unit}"
    kind = "whole number" if field.kind == "whole" else "number"
    least = "above 0" if field.least or field.above else "0 or more"
    least = "of either sign" if field.least == -LARGEST else least
    unit = {"money": "the scenario's currency", "fraction": "parts of 1 or %"}.get(
        field.quantity, field.unit
    )
    unbounded = f"{least}, in {unit}" if unit else least
    bounded = unbounded if field.most == LARGEST else field.range_text()
    bounded = bounded.replace(f"{2**38:,}", "2^38")
    return f"{kind}, {bounded}" + (f", or {words}" if words else "")


def with_fields(page: str) -> str:
    """The page with its tables as the readers have them."""
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    lines = ["## Units", "", *units_table()]
    for title, fields in TABLES.items():
        lines += ["", f"## {title}", "", "| column | other names | meaning | cells | presence |"]
        lines += ["|---|---|---|---|---|", *map(field_row, fields)]
    return f"{before}{BEGIN}\n\n" + "\n".join(lines) + f"\n\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(with_fields(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
