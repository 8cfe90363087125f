"""What the columns and rows of a package's price sheet mean, as the scenario says it."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, field_validator

from scenarios.fields import Count, Group, Identifier, Label, NotNegative, Text
from scenarios.formatting import nearest, short
from scenarios.model.line_fields import BY_NAME, Followed, LineKind
from scenarios.model.quote_layouts import FirstAndLast, Rows
from scenarios.model.quote_mapping import Column, HeadingOrColumn
from scenarios.tables.number_grammar import Mark


class TotalCell(Group):
    """The cell of a package's sheet with the total that the vendor printed."""

    cell: Annotated[str, Field(pattern=r"^[A-Z]{1,3}[1-9][0-9]{0,6}$")] = Field(
        description="Its letters and number, as F27."
    )


class Following(Group):
    """How the quantity of a line follows nodes or racks."""

    per: Followed = Field(description="What it follows: node:NAME or rack:NAME.")
    quantity: NotNegative = Field(default=1.0, description="Units for each 'every' of them.")
    every: Count = Field(default=1, description="How many nodes or racks share the quantity.")


def _as_following(given: object) -> object:
    return {"per": given} if isinstance(given, str) else given


def _target(given: str) -> str:
    if given not in BY_NAME:
        raise ValueError(f"unknown field {short(given)}; {nearest(given, [*BY_NAME])}")
    return given


_Following = Annotated[
    Following, BeforeValidator(_as_following, json_schema_input_type=Followed | Following)
]


class PackageSheet(Group):
    """A vendor's price sheet from which the lines of a package are read.

    Where keys are texts of rows, a text is the beginning of the line's item (case and blanks do not
    count; the longest one holds), and a number is that of the row.
    """

    file: Text = Field(description="XLSX, XLS, ODS or CSV file in the scenario's folder.")
    sheet: Text | None = Field(
        default=None, description="Name of the sheet; by default the only one with values."
    )
    decimal: Mark = Field(default="point", description="Decimal mark in texts.")
    header_row: Count | None = Field(
        default=None,
        description="Row of the headings; by default the first row that contains all of them.",
    )
    rows: FirstAndLast | None = Field(
        default=None, description="First and last row of the lines; by default all rows."
    )
    skip_rows: Rows = Field(default=(), description="Rows below the headings that are not lines.")
    units_row: Count | None = Field(default=None, description="Row with the units of the columns.")
    columns: dict[Annotated[str, AfterValidator(_target)], HeadingOrColumn] = Field(
        description="Field of a line = heading in the sheet, or { heading, unit, values }, or "
        "{ value }."
    )
    kinds: dict[Label, LineKind] = Field(
        default={}, description="Kind of a line, by the text or number of its row."
    )
    names: dict[Label, Identifier] = Field(
        default={},
        description="Node type of a line of nodes, or name of another line, by the text or number "
        "of its row.",
    )
    per: dict[Label, _Following] = Field(
        default={},
        description="What a line follows, by the text or number of its row: node:NAME, or { per, "
        "quantity, every }. It must give the quantity in the sheet.",
    )
    per_year: Annotated[tuple[Label, ...], Field(strict=False, max_length=500)] = Field(
        default=(), description="Texts or numbers of rows whose price is due in every year."
    )
    years: Annotated[tuple[Label, ...], Field(strict=False, max_length=500)] = Field(
        default=(),
        description="The same of rows whose quantity is a number of years: it becomes 1.",
    )
    answers: Text | None = Field(
        default=None,
        description="File with the vendor's answers (columns: line, field, question, found at, "
        "answer), which replace what the sheet states.",
    )

    @field_validator("columns")
    @classmethod
    def _has_prices(cls, columns: dict[str, Column]) -> dict[str, Column]:
        for names, what in ((("item",), "texts"), (("price", "total"), "prices")):
            mapped = [columns[name] for name in names if name in columns]
            if all(column.value is not None for column in mapped):
                message = f"there is no column of {what}; give the heading for {names[0]}"
                raise ValueError(message)
        for name, column in columns.items():
            if column.table is not None:
                raise ValueError(f"{name} has the key table, but there is one table; delete it")
        return columns
