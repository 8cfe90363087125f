"""What the columns of a vendor's sheet mean, as the scenario says it."""

from __future__ import annotations

import datetime as dt
import difflib
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, field_validator, model_validator

from scenarios.alike import alike
from scenarios.fields import (
    LARGEST,
    Count,
    Currency,
    Group,
    Identifier,
    Label,
    NotNegative,
    Positive,
    Shown,
    Text,
)
from scenarios.formatting import nearest, short, text_error
from scenarios.model.quote_fields import BY_NAME, PRICES
from scenarios.model.quote_layouts import (
    FirstAndLast,
    FurtherTable,
    Options,
    Orientation,
    Parts,
    Rows,
)
from scenarios.tables.cell_text import LONGEST_LABEL, quoted
from scenarios.tables.cells import Cell
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
    column: Label | None = Field(
        default=None,
        description="Letters of the column, where its heading is blank or not unique; the number "
        "of the row if node types are in columns.",
    )
    unit: Label | None = Field(default=None, description="Unit of cells that do not state one.")
    value: Annotated[
        Label | _Whole | float | bool | dt.date | None, BeforeValidator(_of_a_cell)
    ] = Field(default=None, description="Value of all rows, instead of a heading.")
    table: Label | None = Field(
        default=None,
        description="Name of the table under 'also' that has the column; by default the quotes.",
    )
    values: dict[Shown, _Meaning] = Field(
        default={},
        description="Meaning of cells, by their text, as in { Luft = 'air' }. Other cells are "
        "read unchanged; an empty text stands for a blank cell.",
    )

    @property
    def cell(self) -> Cell:
        """The value of all rows, as a cell that holds it."""
        return float(self.value) if type(self.value) is int else self.value

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if sum(each is not None for each in (self.heading, self.column, self.value)) != 1:
            raise ValueError("give one of heading, column and value")
        if self.table is not None and self.value is not None:
            raise ValueError("'table' says where a column is; give its heading")
        if self.values and self.value is not None:
            raise ValueError(
                "'values' translates the cells of a column; give the heading of that column"
            )
        for each in alike((text, 0) for text in self.values):
            raise ValueError(each.message("in values too"))
        return self


def _as_column(given: object) -> object:
    return {"heading": given} if isinstance(given, str) else given


class DiscountColumn(Group):
    """A column of discounts in per cent that hold from one quantity on."""

    from_quantity: Count = Field(description="Number of nodes from which the discount holds.")
    heading: Label | None = Field(default=None, description="Heading of the column.")
    column: Label | None = Field(
        default=None, description="Letters of the column, as in the columns of fields."
    )
    values: dict[Label, _Meaning] = Field(
        default={}, description="Meaning of cells, by their text, as in { 'n/a' = '' }."
    )

    @property
    def place(self) -> Column:
        """The column, as that of a field."""
        return Column(heading=self.heading, column=self.column, values=self.values)

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.heading is None) == (self.column is None):
            raise ValueError("give either heading or column")
        return self


def _target(given: str) -> str:
    if given in BY_NAME:
        return given
    close = difflib.get_close_matches(given[:80], list(BY_NAME), n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"use {', '.join(BY_NAME)}"
    raise ValueError(f"unknown field {quoted(given)}; {hint}")


HeadingOrColumn = Annotated[
    Column, BeforeValidator(_as_column, json_schema_input_type=Label | Column)
]
"""A column, or its heading alone."""


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
    file: Text = Field(description="XLSX, XLS, ODS or CSV file in the scenario's folder.")
    sheet: Text | None = Field(
        default=None, description="Name of the sheet; by default the only one with values."
    )
    orientation: Orientation = Field(
        default="rows",
        description="'rows': a node type per row. 'columns': a node type per column, with the "
        "headings at the left; keys of rows then count columns (A is 1). 'blocks': a node type "
        "per block of rows with a label and its values; keys of rows give its first row.",
    )
    decimal: Mark = Field(
        default="point",
        description="Decimal mark in texts: 'point' as in 1,234.5 or 'comma' as in 1.234,5.",
    )
    header_row: Count | None = Field(
        default=None,
        description="Row of the headings; by default the first row that contains all of them.",
    )
    rows: FirstAndLast | None = Field(
        default=None, description="First and last row of the quotes; by default all rows."
    )
    skip_rows: Rows = Field(default=(), description="Rows below the headings that are not quotes.")
    units_row: Count | None = Field(
        default=None,
        description="Row with the units of the columns; a column, where node types are in columns.",
    )
    columns: dict[Annotated[str, AfterValidator(_target)], HeadingOrColumn] = Field(
        description="Field of Headroom = heading in the sheet, or { heading, unit }, or { value }."
    )
    attributes: dict[Identifier, HeadingOrColumn] = Field(
        default={},
        description="What else is stated of a node type, for 'attributes' of the node type: "
        "name = heading, or { value }.",
    )
    also: Annotated[tuple[FurtherTable, ...], Field(strict=False, max_length=10)] = Field(
        default=(), description="Further tables with figures of the same node types."
    )
    parts: Parts | None = Field(
        default=None, description="Given if a node type is a bill of several rows."
    )
    options: Options | None = Field(default=None, description="Where options are.")
    discount_columns: Annotated[tuple[DiscountColumn, ...], Field(strict=False, max_length=20)] = (
        Field(default=(), description="Columns of discounts, one for each quantity.")
    )
    currency: Currency | None = Field(
        default=None, description="Currency of the prices; by default that of the budget."
    )
    rate: Positive | None = Field(
        default=None,
        description="Money of the budget for one unit of 'currency', where the two differ.",
    )
    rate_date: dt.date | None = Field(default=None, description="Day of the rate.")
    vat: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        default=None,
        description="Value-added tax in the prices, as a fraction; the net price counts.",
    )
    support_years: Annotated[NotNegative, Field(le=50)] | None = Field(
        default=None, description="Years of support that the price of a node includes."
    )
    answers: Text | None = Field(
        default=None,
        description="File with the vendor's answers (columns: node type, field, question, found "
        "at, answer), which replace what the sheets state.",
    )

    @field_validator("columns")
    @classmethod
    def _each_named(cls, columns: dict[str, Column]) -> dict[str, Column]:
        if "name" in columns and columns["name"].value is not None:
            raise ValueError("each row needs its own name; give the heading of the column of names")
        return columns

    @model_validator(mode="after")
    def _sound(self) -> Self:
        columns = self.columns
        if "name" not in columns and self.parts is None:
            raise ValueError("there is no column for name; give its heading")
        if "name" in columns and columns["name"].table is not None:
            raise ValueError("the column of names must be in the table of quotes; delete table")
        for pair in (
            ("vector_bits", "flops_per_cycle"),
            ("support_per_year", "support_percent"),
            PRICES,
            ("total_price", "nodes_per_unit"),
        ):
            if columns.keys() >= {*pair}:
                raise ValueError(f"there are columns for both {' and '.join(pair)}; keep one")
        if "total_price" in columns and (self.parts or self.options):
            raise ValueError("total_price is of one node type; delete parts and options")
        if "total_price" in columns and columns["total_price"].value is not None:
            raise ValueError("each row has its own total_price; give the heading of the column")
        if self.orientation == "blocks" and (self.header_row or self.units_row):
            raise ValueError("blocks have no row of headings or units; delete its number")
        if self.discount_columns and "discounts" in columns:
            raise ValueError("discounts are in columns and in discount_columns; keep one")
        starts = [each.from_quantity for each in self.discount_columns]
        if starts != sorted(set(starts)):
            raise ValueError(
                "discount_columns are not in ascending order; list each from_quantity once"
            )
        support = columns.keys() & {"support_per_year", "support_percent"}
        if bool(support) != (self.support_years is not None):
            raise ValueError(
                "support_years belongs to a column support_per_year or support_percent; give both "
                "or neither"
            )
        if (self.rate is None) != (self.rate_date is None):
            raise ValueError("a rate has its day; give both rate and rate_date, or neither")
        self._check_tables()
        return self

    def place_of(self, also: FurtherTable) -> tuple[str, str | None, Orientation]:
        """File, sheet and orientation of a further table; by default those of this one."""
        same = also.file in {None, self.file}
        sheet = self.sheet if also.sheet is None and same else also.sheet
        return also.file or self.file, sheet, also.orientation or self.orientation

    def _check_tables(self) -> None:
        if self.parts is not None and (bare := {*self.parts.per_part} - self.columns.keys()):
            raise ValueError(f"per_part has {min(bare)}, which has no column; give its heading")
        names = [each.name for each in self.also]
        if len({*names}) < len(names):
            raise ValueError("two tables under also have the same name; rename one of them")
        columns = [*self.columns.values(), *self.attributes.values()]
        for given in {each.table: None for each in columns if each.table is not None}:
            if given not in names:
                raise ValueError(f"there is no table {short(given)}; {nearest(given, names)}")
