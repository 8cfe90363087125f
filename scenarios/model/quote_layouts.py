"""Layouts of vendors' tables beyond one row for each node type, as the scenario says them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from scenarios.fields import Count, Group, Label, Text
from scenarios.tables.number_grammar import Mark

Orientation = Literal["rows", "columns", "blocks"]
"""Whether a node type is a row of the sheet, a column, or a block of rows."""


def _in_order(rows: tuple[int, ...]) -> tuple[int, ...]:
    if rows[0] > rows[1]:
        raise ValueError(
            f"rows = {list(rows)} are in the wrong order; give the first row, then the last"
        )
    return rows


PerPart = Literal["cores", "sockets", "memory_gb"]
"""Fields that a part of a node may have."""
FirstAndLast = Annotated[
    tuple[Count, ...], Field(strict=False, min_length=2, max_length=2), AfterValidator(_in_order)
]
Rows = Annotated[tuple[Count, ...], Field(strict=False, max_length=1000)]


class FurtherTable(Group):
    """A further table with figures of the same node types, joined by a key."""

    name: Label = Field(description="Name, to which columns refer in 'table'.")
    key: Label = Field(description="Heading, in this table, of the key that joins the two.")
    own_key: Label | None = Field(
        default=None, description="Heading of the key in the table of quotes; by default 'key'."
    )
    file: Text | None = Field(default=None, description="File; by default that of the quotes.")
    sheet: Text | None = Field(
        default=None,
        description="Name of the sheet; by default that of the quotes if the file is the same.",
    )
    orientation: Orientation | None = Field(
        default=None, description="'rows', 'columns' or 'blocks'; by default that of the quotes."
    )
    decimal: Mark | None = Field(
        default=None, description="Decimal mark in texts; by default that of the quotes."
    )
    header_row: Count | None = Field(default=None, description="Row of the headings.")
    rows: FirstAndLast | None = Field(default=None, description="First and last row that is read.")
    skip_rows: Rows = Field(default=(), description="Rows below the headings that are not read.")
    units_row: Count | None = Field(default=None, description="Row with the units of the columns.")


class Parts(Group):
    """A bill of materials: the rows of one node type are summed to its price."""

    of: Label = Field(
        description="Heading of the column that names the node type; a merged or blank cell "
        "continues the type above."
    )
    quantity: Label | None = Field(
        default=None, description="Heading of the number of parts per node; by default 1."
    )
    total: Literal["each", "line"] = Field(
        default="each",
        description="What the price is of: 'each' part, or the whole 'line' with its quantity.",
    )
    per_part: Annotated[tuple[PerPart, ...], Field(strict=False, max_length=3)] = Field(
        default=(),
        description="Fields of which a row states what one part has, as the cores of a processor: "
        "they are multiplied by 'quantity', and summed.",
    )


class Options(Group):
    """Options of node types: each becomes an alternative node type at the added price."""

    heading: Label | None = Field(
        default=None,
        description="Heading of texts such as '+ 3,800.00 for 1,536 GB', separated by ';'.",
    )
    rows: Rows = Field(
        default=(),
        description="Rows that are options of the node type above them: their price is added, and "
        "what they state replaces what it states.",
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.heading is None) == (not self.rows):
            raise ValueError("give either heading or rows")
        return self
