"""A figure of a study: what to draw from which table, and nothing of how it looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from planner.finding import STRICT, Finding


@dataclass(frozen=True)
class Limit:
    """A straight line across a figure.

    Attributes
    ----------
    axis, value
        The value on this axis.
    label
        Its name in the catalogue.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    axis: Literal["x", "y"]
    value: float
    label: str = "limit"


@dataclass(frozen=True)
class Panel:
    """A part of the range of x, drawn once more in a panel of its own."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    low: float
    high: float


@dataclass(frozen=True)
class Figure:
    """What to draw.

    Attributes
    ----------
    name
        Its title and its note in the catalogue, and its file.
    kind
        One of the kinds that :mod:`reports.figures` draws.
    table
        The table with the values.
    x, y
        Columns of the axes; several columns on y are several lines.
    series
        Column whose values are drawn apart.
    across
        Column of the second key where a value belongs to two: of a matrix, of a graph; of stacks
        that of their groups.
    low, high
        Columns with the ends of an interval; of bars that of the last y;
        ``high`` of stacks is written at their ends.
    marked
        Column that tells which points are marked; an interval that is marked goes on to the right.
    dots
        A second table, drawn as dots, with the columns ``x`` and ``series``.
    limits, panels
        Lines across the figure; ranges that are drawn once more.
    scale
        ``log`` or ``time`` by axis, or by ``colour`` of a map; else linear.
    finding
        What the figure shows.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    name: str
    kind: str
    table: str
    x: str
    y: tuple[str, ...] = ()
    series: str = ""
    across: str = ""
    low: str = ""
    high: str = ""
    marked: str = ""
    dots: str = ""
    limits: tuple[Limit, ...] = ()
    panels: tuple[Panel, ...] = ()
    scale: Mapping[str, str] = field(default_factory=dict)
    finding: Finding | None = None
