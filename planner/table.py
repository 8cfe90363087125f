"""A table of a study: plain rows under columns that say how their values are shown."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any, ClassVar

from planner.finding import STRICT, Value

Row = Mapping[str, Value]


@dataclass(frozen=True)
class Column:
    """One column.

    Attributes
    ----------
    key
        Name of the value in a row, with its physical unit: ``power_w``.
    unit
        Unit of the values, as of a finding.
    label
        Heading in the catalogue; by default that of the key.
    limit
        A limit: values have digits enough to tell on which side of it they are.
    shown
        Whether people see it; the data and the workbook have it in any case.
    unit_at
        Key of the unit of each row, where these differ.
    limit_at
        Key of the limit of each row, where these differ.
    formula
        How a workbook works the values out anew: ``{price}`` is the value of the row under that
        key, ``{price:all}`` are those of all rows, ``{lines.price:all}`` those of another table.
    formula_at
        Key of the formula of each row, where these differ.
    quoted
        Whether the label is what a user wrote.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    key: str
    unit: str = "number"
    label: str = ""
    limit: float | None = None
    shown: bool = True
    unit_at: str = ""
    limit_at: str = ""
    formula: str = ""
    formula_at: str = ""
    quoted: bool = False


@dataclass(frozen=True)
class Table:
    """Rows under columns.

    Attributes
    ----------
    name
        Name of the sheet, and of the caption in the catalogue.
    columns
        In their order.
    rows
        The values by key; a missing one is not known.
    at
        Where the rows are in the data: keys after slashes, ``*`` for every element of
        a list. A row has the values of the elements around it, too.
    total
        Rows that there are, if the study holds the first of them only.
    summed
        Keys of the columns that have their sum below them in the workbook.
    whole
        Whether paper has more rows than of other tables, as many as a book can hold.
    """

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT

    name: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...] = ()
    at: str = ""
    total: int = 0
    summed: tuple[str, ...] = ()
    whole: bool = False


_NONE: Mapping[str, Any] = {}


def table(
    name: str,
    units: Mapping[str, str | Column],
    rows: Iterable[Any] = (),
    *,
    at: str = "",
    hidden: Collection[str] = (),
    labels: Mapping[str, str] = _NONE,
    limits: Mapping[str, float] = _NONE,
    units_at: Mapping[str, str] = _NONE,
    formulas: Mapping[str, str] = _NONE,
    total: int = 0,
    summed: tuple[str, ...] = (),
) -> Table:
    """A table from the units of its columns.

    Parameters
    ----------
    units
        By key, in the order of the columns; a column that has more than a unit as it is.
    rows
        Values by key, or objects with attributes of these names; ``a.b`` is one of an attribute.
    hidden
        Keys of the columns that people do not see.
    labels, limits, units_at, formulas
        What some columns have, by key.

    Examples
    --------
    >>> sizes = table("sizes", {"nodes": "node", "seed": "id"}, [{"nodes": 3}], hidden=["seed"])
    >>> [(column.key, column.unit, column.shown) for column in sizes.columns]
    [('nodes', 'node', True), ('seed', 'id', False)]
    """
    made = tuple(
        each
        if isinstance(each, Column)
        else Column(
            key,
            each,
            labels.get(key, ""),
            limits.get(key),
            key not in hidden,
            units_at.get(key, ""),
            formula=formulas.get(key, ""),
        )
        for key, each in units.items()
    )
    found = tuple(
        row if isinstance(row, Mapping) else {key: attrgetter(key)(row) for key in units}
        for row in rows
    )
    return Table(name, made, found, at, total, summed)


def filled(tables: Iterable[Table]) -> tuple[Table, ...]:
    """The tables that have rows."""
    return tuple(each for each in tables if each.rows or each.at)


def in_data(tables: Iterable[Table], *names: str) -> tuple[dict[str, Any], tuple[Table, ...]]:
    """Members of the data with the rows of some tables, and all tables.

    Parameters
    ----------
    names
        Tables whose rows are in the data, under the name of the table, if there are any.
    """
    found = [each for each in tables if each.rows or each.name not in names]
    members = {each.name: list(each.rows) for each in found if each.name in names}
    pointing = (
        replace(each, rows=(), at=f"/{each.name}") if each.name in members else each
        for each in found
    )
    return members, tuple(pointing)


def rows_at(data: Any, pointer: str) -> list[dict[str, Any]]:
    """The rows that a pointer names in the data of a study.

    Examples
    --------
    >>> data = {"sizes": [{"policy": "easy", "tried": [{"nodes": 3}, {"nodes": 4}]}]}
    >>> rows_at(data, "/sizes/*/tried")
    [{'policy': 'easy', 'nodes': 3}, {'policy': 'easy', 'nodes': 4}]

    Raises
    ------
    LookupError
        Nothing is there.
    """
    return list(_rows(data, pointer.strip("/").split("/"), {}))


def _rows(data: Any, path: Sequence[str], around: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    if not path:
        for row in data:
            yield {**around, **row}
        return
    step, *rest = path
    if step != "*":
        yield from _rows(data[step], rest, around)
        return
    for each in data:
        single = {key: value for key, value in each.items() if not isinstance(value, list | dict)}
        yield from _rows(each, rest, {**around, **single})


_SUFFIXES = {"_s": "s", "_w": "W", "_kw": "number", "_fraction": "share", "_share": "share"}
"""Unit of a column by the end of its key."""


def columns(
    rows: Sequence[Mapping[str, Any]], shown: Mapping[str, str], **units: str
) -> tuple[Column, ...]:
    """The columns of some rows: first those that people see, then all others.

    Parameters
    ----------
    shown
        Keys in their order, with their units.
    units
        Units of further keys; by default by the ends of their names, else ``number``.

    Examples
    --------
    >>> [(c.key, c.unit, c.shown) for c in columns([{"a": 1, "b_s": 2.0}], {"a": "count"})]
    [('a', 'count', True), ('b_s', 's', False)]
    """
    keys = dict.fromkeys(key for row in rows for key in row if key not in shown)
    return (
        *(Column(key, unit) for key, unit in shown.items()),
        *(Column(key, units.get(key) or _unit_by(rows, key), shown=False) for key in keys),
    )


def _unit_by(rows: Sequence[Mapping[str, Any]], key: str) -> str:
    values = [row[key] for row in rows if row.get(key) is not None]
    if values and isinstance(values[0], bool):
        return "flag"
    if values and isinstance(values[0], str):
        return "text"
    named = next((unit for end, unit in _SUFFIXES.items() if key.endswith(end)), None)
    whole = bool(values) and all(isinstance(value, int) for value in values)
    return named or ("count" if whole else "number")


def wide(
    name: str, rows: Iterable[Mapping[str, Any]], shown: Mapping[str, str], **units: str
) -> Table:
    """A table of all keys of its rows, of which people see some; as :func:`columns`."""
    found = tuple(rows)
    return Table(name, columns(found, shown, **units), found)
