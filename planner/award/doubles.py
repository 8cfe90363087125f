"""The formulas of a workbook worked out in doubles, as a spreadsheet does, next to the fractions.

Formulas are those of :class:`planner.table.Column`. ``ROUND`` rounds half up in decimals of 15
digits, as spreadsheets do.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

from planner.table import Table

_CELL = re.compile(r"\{(?:(\w+)\.)?(\w+)(:all)?\}")
_ALONE = re.compile(r"(?<![<>])=")
_ARITHMETIC: Mapping[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.Eq: operator.eq, ast.GtE: operator.ge, ast.Gt: operator.gt,
}  # fmt: skip
Named = Mapping[str, tuple[str, str, bool]]


class Doubles:
    """Values of the cells of some tables in doubles; each formula is worked out once.

    Parameters
    ----------
    tables
        Tables whose rows they hold themselves. A cell without a value counts as 0.
    """

    def __init__(self, tables: Iterable[Table]) -> None:
        self._tables = {table.name: table for table in tables}
        self._formulas = {
            (table.name, column.key): column for table in self._tables.values()
            for column in table.columns if column.formula or column.formula_at
        }  # fmt: skip
        self._known: dict[tuple[str, str, int], float] = {}
        self._indices: dict[tuple[str, tuple[str, ...]], dict[tuple[float, ...], list[int]]] = {}

    def value(self, table: str, key: str, row: int) -> float:
        """The value of a cell."""
        place = (table, key, row)
        if place not in self._known:
            plain = self._tables[table].rows[row]
            column = self._formulas.get((table, key))
            formula = column and (column.formula or plain.get(column.formula_at))
            given: Any = plain.get(key)
            if isinstance(formula, str) and formula:
                self._known[place] = self._worked_out(formula, table, row)
            else:
                self._known[place] = float(given) if isinstance(given, int | float) else 0.0
        return self._known[place]

    def _worked_out(self, formula: str, table: str, row: int) -> float:
        tree, named = _parsed(formula)
        return float(self._node(tree, named, table, row))

    def _node(self, node: ast.expr, named: Named, table: str, row: int) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            of, key, _ = named[node.id]
            return self.value(of or table, key, row)
        if isinstance(node, ast.UnaryOp):
            return -self._node(node.operand, named, table, row)
        if isinstance(node, ast.BinOp):
            left, right = (self._node(e, named, table, row) for e in (node.left, node.right))
            return _ARITHMETIC[type(node.op)](left, right)
        if isinstance(node, ast.Compare):
            left, right = (
                self._node(each, named, table, row) for each in (node.left, *node.comparators)
            )
            return _ARITHMETIC[type(node.ops[0])](left, right)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self._called(node.func.id, node.args, named, table, row)
        raise ValueError(f"a formula has no {type(node).__name__}")

    def _called(
        self, name: str, given: Sequence[ast.expr], named: Named, table: str, row: int
    ) -> float:
        if name == "IF":
            first = self._node(given[0], named, table, row)
            return float(self._node(given[1 if first else 2], named, table, row))
        if name in _OF_COLUMNS:
            return self._conditional(name, given, named, table, row)
        values = [self._node(each, named, table, row) for each in given]
        if name == "ROUND":
            return rounded(values[0], int(values[1]))
        return float({"MIN": min, "MAX": max}[name](values))

    def _conditional(
        self, name: str, given: Sequence[ast.expr], named: Named, table: str, row: int
    ) -> float:
        """A function of the cells of a column whose rows fulfil conditions."""
        columns = [
            named[each.id] for each in (given[0], *given[1::2]) if isinstance(each, ast.Name)
        ]
        of = columns[0][0] or table
        keys = tuple(key for _, key, _ in columns[1:])
        wanted = tuple(float(self._node(each, named, table, row)) for each in given[2::2])
        rows = self._index(of, keys).get(wanted, [])
        values = [self.value(of, columns[0][1], place) for place in rows]
        return float(_OF_COLUMNS[name](values)) if values else 0.0

    def _index(self, table: str, keys: tuple[str, ...]) -> dict[tuple[float, ...], list[int]]:
        """Rows of a table by their values in some columns."""
        if (table, keys) not in self._indices:
            found: dict[tuple[float, ...], list[int]] = {}
            for place in range(len(self._tables[table].rows)):
                own = tuple(self.value(table, key, place) for key in keys)
                found.setdefault(own, []).append(place)
            self._indices[table, keys] = found
        return self._indices[table, keys]


_OF_COLUMNS: Mapping[str, Callable[[list[float]], float]] = {
    "SUMIFS": sum,
    "AVERAGEIFS": lambda values: sum(values) / len(values),
    "MINIFS": min,
    "MAXIFS": max,
}


@cache
def _parsed(formula: str) -> tuple[ast.expr, Named]:
    """The syntax tree of a formula, and what its names stand for."""
    named: dict[str, tuple[str, str, bool]] = {}

    def name(found: re.Match[str]) -> str:
        named[f"cell{len(named)}"] = (found[1] or "", found[2], bool(found[3]))
        return f"cell{len(named) - 1}"

    text = _CELL.sub(name, formula.replace("_xlfn.", ""))
    return ast.parse(_ALONE.sub("==", text), mode="eval").body, named


def rounded(value: float, places: int) -> float:
    """A number rounded half up, as spreadsheets round.

    Examples
    --------
    >>> rounded(1.005, 2), rounded(33000.165, 2)
    (1.01, 33000.17)
    """
    unit = Decimal(1).scaleb(-places)
    return float(Decimal(f"{value:.15g}").quantize(unit, rounding=ROUND_HALF_UP))
