"""Memory that a job of each application needs on its node, in columns of a pair table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from scenarios.faults import Fault
from scenarios.formatting import short
from scenarios.pairs.cells import Row, Sheet, value
from scenarios.tables.cell_text import CellError
from scenarios.tables.columns import Layout, lay_out
from scenarios.tables.decimal_marks import FileMark
from scenarios.tables.field import Field

MemoryKind = Literal["memory", "GPU memory"]
"""Main memory, or that of all GPUs of a node."""
KINDS: tuple[MemoryKind, ...] = get_args(MemoryKind)
_MOST_GB = 1e9


@dataclass(frozen=True)
class Need:
    """Memory of a job of one application on its node.

    Attributes
    ----------
    gb
        At least 0 [GB].
    place
        File, line and column that give it.
    """

    gb: float
    place: str


Needs = dict[MemoryKind, dict[str, Need]]
"""Needs that a table gives, by kind of memory and by application."""


def _field(name: str, meaning: str, blank: str) -> Field:
    return Field(
        name, f"{meaning} on its node", unit="GB", most=_MOST_GB, required=False, blank=blank
    )


def _listed(name: str, kind: MemoryKind, job: str) -> Field:
    meaning = f"{kind[0].upper()}{kind[1:]} of a job of the {job} application"
    return _field(name, meaning, "given in another row or by an option, if at all")


OF_LIST: Mapping[str, MemoryKind] = {
    "memory_a_gb": "memory",
    "memory_b_gb": "memory",
    "gpu_memory_a_gb": "GPU memory",
    "gpu_memory_b_gb": "GPU memory",
}
"""Kind of memory by the column of a list of pairs."""
LIST_FIELDS = tuple(
    _listed(name, kind, "first" if "_a_" in name else "second") for name, kind in OF_LIST.items()
)
OF_MATRIX: Mapping[str, MemoryKind] = {"memory_gb": "memory", "gpu_memory_gb": "GPU memory"}
"""The same of a matrix, in which each application has one row."""
MATRIX_FIELDS = tuple(
    _field(name, f"{kind[0].upper()}{kind[1:]} of a job of the row's application",
           "given by an option, if at all")
    for name, kind in OF_MATRIX.items()
)  # fmt: skip


def noted(needs: Needs, kind: MemoryKind, name: str, need: Need) -> None:
    """Note the need of an application.

    Raises
    ------
    CellError
        Another row gives another number.
    """
    first = needs.setdefault(kind, {}).setdefault(name, need)
    if first.gb != need.gb:
        raise CellError(
            f"{need.gb:.15g} GB for {short(name)}, but {first.gb:.15g} GB in {first.place}; "
            "make them equal, or leave one blank"
        )


def memory_columns(sheet: Sheet) -> Layout:
    """Where a matrix has columns of memory: a heading that also names a row is an application."""
    _, headings = sheet.rows[0]
    rows = {cells[0] for _, cells in sheet.rows[1:]}
    free = ["" if heading in rows else heading for heading in headings[1:]]
    return lay_out(["", *free], MATRIX_FIELDS, careful=False)


def without_columns(sheet: Sheet, columns: Sequence[int]) -> Sheet:
    """The sheet without some of its columns."""
    left_out = {*columns}
    rows = [
        (line, [cell for at, cell in enumerate(cells) if at not in left_out])
        for line, cells in sheet.rows
    ]
    return Sheet(sheet.file_name, sheet.sha256, rows, sheet.delimiter)


def needs_of_rows(
    sheet: Sheet, rows: Mapping[str, Row], layout: Layout, mark: FileMark, faults: list[Fault]
) -> Needs:
    """The needs of the applications of a matrix, by their rows; errors are added to ``faults``."""
    needs: Needs = {}
    for field in (each for each in MATRIX_FIELDS if each.name in layout.places):
        at, unit = layout.places[field.name], layout.units[field.name]
        for name, (line, cells) in rows.items():
            try:
                gb = value(cells[at] if at < len(cells) else "", field, mark, unit)
            except CellError as error:
                faults.append(sheet.fault(line, f"{error} ({short(name)})", field.name))
                continue
            if gb is not None:
                need = Need(gb, f"{sheet.file_name}:{line}: {field.name}")
                noted(needs, OF_MATRIX[field.name], name, need)
    return needs
