"""What vendors offer in a tender: lots, packages with their lines and figures, terms of a vendor.

A *package* is one vendor's offer for one lot. (A *package cap* is the cap of a socket.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, ValidationError, model_validator

from scenarios.fields import (
    LONGEST_LEAD,
    Count,
    Currency,
    Fraction01,
    Group,
    Identifier,
    Label,
    NotNegative,
    Positive,
    Signed,
    Text,
)
from scenarios.model.line_fields import Followed, LineKind
from scenarios.model.package_sheet import PackageSheet, TotalCell
from scenarios.model.procurement import ShareLimit, Stated

Rounding = Literal["unit", "line", "total"]
_SHOWN = 50
"""Letters of a label that every table shows."""

Cells = dict[Label, Text]
CELLS = "File, sheet and cell of each number that was read from a sheet, by its key."


class Lot(Group):
    """A part of the tender for which vendors offer packages."""

    name: Label = Field(description="Name.")
    optional: bool = Field(default=False, description="Whether the lot may stay without a package.")
    capital: Positive | None = Field(
        default=None, description="Most that the package of this lot may cost."
    )
    nodes: Annotated[int, Field(ge=0, le=10**9)] = Field(
        default=0, description="Minimum number of nodes in the lot."
    )
    total_memory_gb: NotNegative = Field(
        default=0.0, description="Minimum total memory of the lot, in GB."
    )
    shares: Annotated[tuple[ShareLimit, ...], Field(strict=False, max_length=100)] = Field(
        default=(), description="Minimum and maximum shares within the lot."
    )


class PackageLine(Group):
    """One line of a package's price sheet."""

    kind: LineKind = Field(description="What the line is.")
    item: Label = Field(description="Text of the line.")
    name: Identifier | None = Field(
        default=None,
        description="Name of the line, for 'per' of others. A line of nodes has the name of its "
        "node type.",
    )
    price: Signed = Field(description="Price of one unit; negative for a rebate.")
    watts: NotNegative = Field(
        default=0.0,
        description="IT power of one unit, in watts, drawn all the time. Nodes have theirs in the "
        "node type.",
    )
    quantity: NotNegative = Field(
        default=1.0,
        description="Number of units; with 'per', the number for each 'every' of what it names.",
    )
    per: Followed | None = Field(
        default=None,
        description="What the quantity follows: node:NAME or rack:NAME. The product is rounded "
        "up to whole units.",
    )
    every: Count = Field(
        default=1, description="With 'per': how many nodes or racks share the quantity."
    )
    minimum_quantity: Annotated[int, Field(ge=0, le=10**9)] | None = Field(
        default=None,
        description="Least number of nodes, where the package is not all or nothing; by default "
        "the quantity.",
    )
    maximum_quantity: Count | None = Field(
        default=None,
        description="Largest number of nodes, where the package is not all or nothing; by default "
        "the quantity.",
    )
    per_year: bool = Field(
        default=False, description="Whether the price is due in every year of service."
    )
    cells: Cells = Field(default={}, description=CELLS)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.kind == "node" and self.name is None:
            raise ValueError("a line of nodes needs name, the name of its node type; add it")
        if self.kind == "node" and self.per is not None:
            raise ValueError("a line of nodes has a quantity of its own; delete per")
        if self.every != 1 and self.per is None:
            raise ValueError("every belongs to per; add per, or delete every")
        if self.per is None and self.quantity != int(self.quantity):
            raise ValueError(
                f"quantity = {self.quantity:g} is not whole; write a whole number, or give per"
            )
        bounds = (self.minimum_quantity, self.maximum_quantity)
        if self.kind != "node" and any(bound is not None for bound in bounds):
            raise ValueError("only the number of nodes may vary; delete the minimum and maximum")
        low, high = self.least, self.most
        if not low <= self.quantity <= high:
            raise ValueError(
                f"quantity = {self.quantity:g} is outside {low:g} to {high:g}; correct one of them"
            )
        return self

    @property
    def least(self) -> float:
        """Least number of units where the package is not all or nothing."""
        return self.quantity if self.minimum_quantity is None else float(self.minimum_quantity)

    @property
    def most(self) -> float:
        """Largest number of units where the package is not all or nothing."""
        return self.quantity if self.maximum_quantity is None else float(self.maximum_quantity)


class Penalty(Group):
    """What a vendor pays where it misses a committed figure."""

    per_percent: NotNegative = Field(
        description="Money for each per cent of the committed figure by which the delivered one is "
        "worse; parts of a per cent count in proportion."
    )
    most: NotNegative = Field(description="Largest penalty.")


class OfferedFigure(Group):
    """A figure that a vendor states of its package as a whole."""

    name: Label = Field(description="Name of the figure or benchmark, or of a workload.")
    value: Positive = Field(
        description="Its value for the whole package, at the quoted quantities."
    )
    basis: Literal["measured", "projected", "committed"] = Field(
        default="committed",
        description="'measured' on 'nodes' nodes, 'projected' by the vendor, or 'committed': "
        "the vendor must deliver it.",
    )
    nodes: Count | None = Field(default=None, description="Nodes on which it was measured.")
    half_width: Fraction01 | None = Field(
        default=None,
        description="Uncertainty (half width), as a fraction; by default not stated.",
    )
    penalty: Penalty | None = Field(
        default=None,
        description="Penalty if a worse figure is delivered; only for a committed one.",
    )

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.basis == "measured" and self.nodes is None:
            raise ValueError("basis = 'measured' needs nodes, the nodes of the measurement; add it")
        if self.penalty is not None and self.basis != "committed":
            raise ValueError(
                f"basis = {self.basis!r} has no penalty; delete it, or write basis = 'committed'"
            )
        return self


def _number(given: object) -> object:
    """Refuse a cell: it becomes a number when the sheet is read."""
    if not isinstance(given, dict):
        return given
    try:
        TotalCell.model_validate(given)
    except ValidationError:
        message = "printed_total is neither a number nor a cell; write it as in { cell = 'F27' }"
        raise ValueError(message) from None
    raise ValueError("a cell is one of the package's sheet; add sheet, or write the number")


class Package(Group):
    """One vendor's offer for one lot."""

    name: Identifier = Field(description="Short name, used in files and references.")
    label: Label | None = Field(
        default=None, description="Name shown in reports; by default the name."
    )
    vendor: Label = Field(description="Name of the vendor.")
    lot: Label = Field(description="Name of the lot.")
    lines: Annotated[tuple[PackageLine, ...], Field(strict=False, min_length=1, max_length=500)] = (
        Field(default=(), description="Lines of the price sheet; they follow those of 'sheet'.")
    )
    sheet: PackageSheet | None = Field(
        default=None, description="Price sheet from which lines are read."
    )
    currency: Currency | None = Field(
        default=None, description="Currency of the prices; by default that of the budget."
    )
    rate: Positive | None = Field(
        default=None,
        description="Money of the budget for one unit of 'currency', where the two differ.",
    )
    vat: Annotated[float, Field(gt=0, lt=1)] | None = Field(
        default=None,
        description="Value-added tax in the prices, as a fraction; the net total counts.",
    )
    rounding: Rounding = Field(
        default="line",
        description="What is rounded to cents, half up: each unit price, each line, or the total.",
    )
    discount: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0.0, description="Discount on the sum of the lines, as a fraction."
    )
    printed_total: Annotated[
        NotNegative | None,
        BeforeValidator(_number, json_schema_input_type=NotNegative | TotalCell | None),
    ] = Field(
        default=None,
        description="Total that the vendor printed, at the quoted quantities and after discounts "
        "of the package, or { cell } of the sheet; an error if it does not follow from the lines.",
    )
    all_or_nothing: bool = Field(
        default=True,
        description="Whether the package is bought as quoted or not at all. Otherwise the number "
        "of nodes may vary within the limits of their lines.",
    )
    group: Label | None = Field(
        default=None, description="Name of a group of packages of which at most one is bought."
    )
    delivery_weeks: Annotated[float, Field(ge=0, le=LONGEST_LEAD)] | None = Field(
        default=None, description="Weeks from order to delivery."
    )
    figures: Annotated[tuple[OfferedFigure, ...], Field(strict=False, max_length=200)] = Field(
        default=(), description="Figures that the vendor states of the whole package."
    )
    statements: dict[Label, Stated] = Field(
        default={},
        description="What the vendor states, by the names that the scheme uses, as in "
        "{ insolvent = false, turnover_eur = 3_000_000 }.",
    )
    cells: Cells = Field(default={}, description=CELLS)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.lines and self.sheet is None:
            raise ValueError("the package has no lines; add lines, or the sheet that has them")
        stated = [(figure.name, figure.basis) for figure in self.figures]
        for name, basis in stated:
            if stated.count((name, basis)) > 1:
                raise ValueError(f"states the {basis} figure {name!r} twice; delete one of them")
        return self

    @property
    def title(self) -> str:
        """The label, or the name where there is none."""
        return self.label or self.name

    def figure(self, name: str) -> OfferedFigure | None:
        """The figure of a name: the committed one, else the measured, else the projected."""
        of_name = {figure.basis: figure for figure in self.figures if figure.name == name}
        return of_name.get("committed") or of_name.get("measured") or of_name.get("projected")

    @property
    def node_lines(self) -> tuple[PackageLine, ...]:
        """Lines of nodes."""
        return tuple(line for line in self.lines if line.kind == "node")

    def limits(self, line: PackageLine) -> tuple[int, int]:
        """Least and largest number of nodes of a line, where the package is bought."""
        if self.all_or_nothing:
            return int(line.quantity), int(line.quantity)
        return int(line.least), int(line.most)


def told_apart(packages: Sequence[Package]) -> tuple[Package, ...]:
    """The packages; where tables would show two alike, the label of each begins with its name."""
    seen = Counter(each.title[:_SHOWN] for each in packages)
    return tuple(
        each
        if seen[each.title[:_SHOWN]] == 1
        else each.model_copy(update={"label": f"{each.name} ({each.title})"})
        for each in packages
    )


class TotalDiscount(Group):
    """A discount on all that is bought from a vendor."""

    from_total: Positive = Field(
        description="Sum of the vendor's packages, before this discount, from which it holds."
    )
    fraction: Annotated[float, Field(ge=0, lt=1)] = Field(
        description="Discount on the whole sum, as a fraction."
    )


class VendorTerms(Group):
    """Terms of a vendor on the sum of its packages, over all lots."""

    vendor: Label = Field(description="Name of the vendor.")
    minimum_total: NotNegative = Field(
        default=0.0, description="Least sum of an order, before discounts; nothing else is sold."
    )
    discounts: Annotated[tuple[TotalDiscount, ...], Field(strict=False, max_length=20)] = Field(
        default=(), description="Discounts on the sum, in ascending order."
    )

    @model_validator(mode="after")
    def _ascending(self) -> Self:
        starts = [discount.from_total for discount in self.discounts]
        if starts != sorted(set(starts)):
            raise ValueError("discounts are not ascending; list each from_total once")
        return self
