"""Read the rows of a text table by its list of fields; every error has a line and heading."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from scenarios.faults import MOST_FAULTS, Fault
from scenarios.formatting import nearest
from scenarios.tables.cell_text import CellError, quoted
from scenarios.tables.columns import Layout, ambiguous, known_headings, lay_out
from scenarios.tables.csv_cells import CsvText
from scenarios.tables.decimal_marks import FileMark, mark_of
from scenarios.tables.delimiters import Known
from scenarios.tables.field import Field, field_names

Values = Mapping[str, Any]
"""What the cells of a row hold, by the name of the field; absent columns are left out."""

NUMBERS = ("number", "whole")


def heading_counter(fields: Sequence[Field]) -> Known:
    """Count the headings that are those of fields, to find the delimiter by them."""
    return partial(known_headings, fields=fields)


def excess(cells: Sequence[str], headings: Sequence[str], spare: int = 0) -> str:
    """What is wrong with a record that is not as wide as the headings; empty if nothing is.

    A cell right of all headings means that a delimiter inside a cell has shifted the others.

    Parameters
    ----------
    cells
        Cells of the record.
    headings
        The row of headings, which may end with blank cells.
    spare
        How many blank cells more a record may have at its end: some programs write a delimiter
        there. In a table of whole numbers, it may come from groups of digits.
    """
    if len(cells) == len(headings) and headings[-1].strip():
        return ""
    width = max((i for i, cell in enumerate(headings) if cell.strip()), default=-1) + 1
    remedy = "give one cell for each heading, in quotation marks where it contains the delimiter"
    if len(cells) < width:
        return f"{len(cells)} cells, but {width} headings; {remedy}"
    beyond = next((cell for cell in cells[width:] if cell.strip()), None)
    if beyond is not None:
        return f"{quoted(beyond)} is to the right of the last heading; {remedy}"
    if len(cells) > max(len(headings), width + spare):
        return f"{len(cells)} cells, but {len(headings)} headings; {remedy}"
    return ""


@dataclass
class FieldTable:
    """A table whose headings are found, and the errors of its rows so far.

    Attributes
    ----------
    text
        Its text and delimiter.
    fields
        What it may hold.
    headings, line
        The row of headings and its line; empty and 0 where the text holds no row.
    layout
        Where the columns are.
    faults
        Errors of the headings, and of the rows that are read so far.
    source
        What the file says after ``# source:``.
    records
        Lines and cells below the headings.
    """

    text: CsvText
    fields: Sequence[Field]
    headings: list[str] = field(default_factory=list)
    line: int = 0
    layout: Layout = field(default_factory=lambda: Layout({}, {}))
    faults: list[Fault] = field(default_factory=list)
    source: str = ""
    records: list[tuple[int, list[str]]] = field(default_factory=list)

    def rows(self) -> Iterator[tuple[int, Values]]:
        """Yield the line and the values of each valid row; note the errors of the others."""
        mark = self._mark()
        for line, cells in self.records:
            if trouble := excess(cells, self.headings):
                self.fault(line, trouble)
            elif cells != self.headings:
                values = self._values(line, cells, mark)
                if values is not None:
                    yield line, values
            if len(self.faults) > MOST_FAULTS:
                return

    def fault(self, line: int, message: str, where: str = "") -> None:
        """Note an error of a line, or of the whole file if the line is 0."""
        self.faults.append(Fault(self.text.file.name, line, where, message))

    def _mark(self) -> FileMark:
        numbers = {f.name for f in self.fields if f.kind in NUMBERS}
        places = [place for name, place in self.layout.places.items() if name in numbers]
        cells = (row[place] for _, row in self.records for place in places if place < len(row))
        return mark_of(cells, self.text.delimiter)

    def _values(self, line: int, cells: Sequence[str], mark: FileMark) -> Values | None:
        values: dict[str, Any] = {}
        before = len(self.faults)
        for each in self.fields:
            place = self.layout.places.get(each.name)
            if place is None:
                continue
            try:
                unit = self.layout.units.get(each.name, "")
                values[each.name] = each.read(cells[place].strip(), mark, unit)
            except CellError as error:
                self.fault(line, str(error), self.headings[place])
        return values if len(self.faults) == before else None


def field_table(
    text: CsvText,
    fields: Sequence[Field],
    *,
    others: Callable[[str], Field] | bool = True,
    careful: bool = True,
    what: str = "rows",
) -> FieldTable:
    """Find the headings of a table: its first row.

    Parameters
    ----------
    text
        The table.
    fields
        What it may hold.
    others
        Whether columns without a field are ignored; otherwise each is an error. Or a function that
        makes a field from the heading of such a column.
    careful
        Whether a heading that is nearly that of an optional field is an error.
    what
        What its rows are called in messages.

    Returns
    -------
    table
        Without rows where its ``faults`` say that the headings cannot be used.
    """
    table = FieldTable(text, fields)
    records = text.records(partial(_note_source, table))
    table.line, headings = next(records, (0, []))
    table.headings = [cell.strip() for cell in headings]
    if not table.line:
        table.fault(
            0, f"contains no {what}; write the headings {field_names(fields)}, then the {what}"
        )
        return table
    table.layout = lay_out(table.headings, fields, careful=careful)
    for place, message in table.layout.problems:
        table.fault(table.line, message, "" if place is None else table.headings[place])
    for message in ambiguous(table.layout):
        table.fault(table.line, message)
    if callable(others):
        _add_fields(table, others)
    elif not others:
        _refuse_others(table)
    if not table.faults:
        stripped = ((line, [cell.strip() for cell in cells]) for line, cells in records)
        table.records = list(stripped)
        if not table.records:
            table.fault(0, f"contains no {what} below the headings; add them")
    return table


def _refuse_others(table: FieldTable) -> None:
    names = [each.name for each in table.fields]
    for heading in table.layout.others:
        message = f"column {quoted(heading)} is unknown; {nearest(heading, names)}"
        table.fault(table.line, message)


def _add_fields(table: FieldTable, make: Callable[[str], Field]) -> None:
    """Make a field of each column without one; two columns of one heading are an error."""
    taken = set(table.layout.places.values())
    names = [cell.lower() for place, cell in enumerate(table.headings) if place not in taken]
    for name in {name for name in names if name and names.count(name) > 1}:
        table.fault(table.line, f"{quoted(name)} is the heading of two columns; rename one", name)
    more = {heading: make(heading) for heading in table.layout.others}
    table.fields = (*table.fields, *more.values())
    places = {more[heading].name: place for heading, place in table.layout.others.items()}
    table.layout = replace(table.layout, places={**table.layout.places, **places})


def _note_source(table: FieldTable, _line: int, comment: str) -> None:
    key, _, value = comment.lstrip("# ").partition(":")
    if key.strip().lower() == "source" and not table.source:
        table.source = value.strip()
