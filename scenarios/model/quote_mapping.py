"""What the columns of a vendor's sheet mean, as the scenario says it."""

from __future__ import annotations

import datetime as dt
import difflib
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from scenarios.alike import alike
from scenarios.fields import LARGEST, Count, Group, Label, Text
from scenarios.formatting import short, text_error
from scenarios.model.quote_fields import BY_NAME, REQUIRED
from scenarios.tables.cell_text import LONGEST_LABEL, quoted
from scenarios.tables.number_grammar import Mark

_Whole = Annotated[int, Field(ge=0, le=LARGEST)]


def _of_a_cell(given: object) -> object:
    """Refuse a value that a cell cannot hold, with one error; the union below gives five."""
    trouble = ""
    if isinstance(given, dt.datetime):
        trouble = f"{given} contains a time of day; write only the date"
    elif isinstance(given, str):
        trouble = text_error(given, LONGEST_LABEL)
    elif isinstance(given, int | float):
        if not abs(given) <= LARGEST:
            trouble = f"{short(given)} is too large to be a quantity; correct it"
    elif not isinstance(given, dt.date | None):
        trouble = (
            f"{short(given)} cannot be the content of a cell; write a text, a number, true, "
            "false or a date"
        )
    if trouble:
        raise ValueError(trouble)
    return given


def _meaning(given: object) -> object:
    """What a cell may stand for: what a cell may hold, or nothing."""
    return given if given == "" else _of_a_cell(given)


_Meaning = Annotated[Any, AfterValidator(_meaning)]


class Column(Group):
    """Where one field comes from."""

    heading: Label | None = Field(default=None, description="Heading of the column in the sheet.")
    unit: Label | None = Field(default=None, description="Unit of cells that do not state one.")
    value: Annotated[
        Label | _Whole | float | bool | dt.date | None, BeforeValidator(_of_a_cell)
    ] = Field(default=None, description="Value of all rows, instead of a heading.")
    values: dict[Label, _Meaning] = Field(
        default={},
        description="Meaning of cells, by their text, as in { Luft = 'air' }. Other cells are "
        "read unchanged; an empty text stands for a blank cell.",
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.heading is None) == (self.value is None):
            raise ValueError("give either heading or value")
        if self.values and self.heading is None:
            raise ValueError(
                "'values' translates the cells of a column; give the heading of that column"
            )
        for each in alike((text, 0) for text in self.values):
            raise ValueError(each.message("in values too"))
        return self


def _as_column(given: object) -> object:
    return {"heading": given} if isinstance(given, str) else given


def _target(given: str) -> str:
    if given in BY_NAME:
        return given
    close = difflib.get_close_matches(given[:80], list(BY_NAME), n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"use {', '.join(BY_NAME)}"
    raise ValueError(f"unknown field {quoted(given)}; {hint}")


class QuoteTable(Group):
    """A vendor's quotes in a spreadsheet, and what its columns mean."""

    name: Label | None = Field(
        default=None, description="Name of this table, to which later tables can refer in 'like'."
    )
    like: Label | None = Field(
        default=None,
        description="Name of an earlier table; its file, sheet, decimal and columns apply here "
        "unless given.",
    )
    file: Text = Field(description="XLSX or CSV file in the scenario's folder.")
    sheet: Text | None = Field(
        default=None, description="Name of the sheet; by default the only one with values."
    )
    decimal: Mark = Field(
        default="point",
        description="Decimal mark in texts: 'point' as in 1,234.5 or 'comma' as in 1.234,5.",
    )
    header_row: Count | None = Field(
        default=None,
        description="Row of the headings; by default the first row that contains all of them.",
    )
    rows: Annotated[tuple[Count, ...], Field(strict=False, min_length=2, max_length=2)] | None = (
        Field(default=None, description="First and last row of the quotes; by default all rows.")
    )
    skip_rows: Annotated[tuple[Count, ...], Field(strict=False, max_length=1000)] = Field(
        default=(), description="Rows below the headings that are not quotes."
    )
    columns: dict[
        Annotated[str, AfterValidator(_target)],
        Annotated[Column, BeforeValidator(_as_column, json_schema_input_type=Label | Column)],
    ] = Field(
        description="Field of Headroom = heading in the sheet, or { heading, unit }, or { value }."
    )

    @field_validator("columns")
    @classmethod
    def _complete(cls, columns: dict[str, Column]) -> dict[str, Column]:
        missing = [target for target in REQUIRED if target not in columns]
        if missing:
            raise ValueError(
                f"there is no column for {', '.join(missing)}; give its heading or its value"
            )
        if columns["name"].heading is None:
            raise ValueError("each row needs its own name; give the heading of the column of names")
        return columns

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        if self.rows is not None and self.rows[0] > self.rows[1]:
            raise ValueError(
                f"rows = {list(self.rows)} are in the wrong order; give the first row, then "
                "the last"
            )
        return self
