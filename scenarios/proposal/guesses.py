"""What columns may be whose headings no word explains: by their units and values."""

from __future__ import annotations

from collections.abc import Sequence

from scenarios.proposal.cell_numbers import amounts
from scenarios.proposal.columns import Column, is_number
from scenarios.proposal.words import has_word, plain, words_of

SCORE = 0.4
"""Score of a guess, below that of any word."""

_OTHER_THINGS = (
    "accelerator", "cap", "core", "discount", "option", "rack", "socket", "storage",
    "support", "total", "unit_box", "year",
)  # fmt: skip
"""Concepts of headings whose amounts are not those of a node."""

_BY_DIMENSION = {"memory": "memory_gb", "bandwidth": "bandwidth_gb_s", "time": "lead_weeks"}
_LEAST_PRICE = 500.0

Chosen = dict[str, tuple[Column, float, tuple[Column, ...]]]


def guesses(columns: Sequence[Column], chosen: dict[str, Column]) -> Chosen:
    """Columns for targets that no heading names, each with its score and others that may be it.

    Parameters
    ----------
    columns
        All columns of a table.
    chosen
        The columns that words have chosen, by their targets.
    """
    taken = {each.place for each in chosen.values()}
    free = [each for each in columns if each.place not in taken and _may_be_of_a_node(each)]
    found: Chosen = {}
    for dimension, target in _BY_DIMENSION.items():
        _take(found, target, [each for each in free if each.unit.dimension == dimension])
    prices = [each for each in free if _is_price(each)]
    prices = [each for each in prices if not is_total(each, prices, columns)]
    _take(found, "price", by_size(prices)[::-1])
    if "price" in chosen:  # a total explains sums, whatever its heading
        _take(found, "line_total", [
            each for each in columns
            if each.place not in taken and is_total(each, [chosen["price"]], columns)
        ])  # fmt: skip
    _take_powers(found, [each for each in free if each.unit.dimension == "power"], chosen)
    return {target: each for target, each in found.items() if target not in chosen}


def _may_be_of_a_node(column: Column) -> bool:
    concepts = words_of("concepts")
    text = plain(column.heading)
    barred = any(has_word(text, concepts.get(each, ())) for each in _OTHER_THINGS)
    if is_number(column.lowest or column.heading):
        return False  # the row is one of values
    return not barred and column.numbers > 0.5 and bool(column.unit.name)


def _take(found: Chosen, target: str, columns: Sequence[Column]) -> None:
    if columns:
        found[target] = (columns[0], SCORE, tuple(columns[1:]))


def _is_price(column: Column) -> bool:
    numbers = list(amounts(column).values())
    return column.unit.dimension == "money" and min(numbers, default=0.0) >= _LEAST_PRICE


def is_total(column: Column, prices: Sequence[Column], columns: Sequence[Column]) -> bool:
    """Whether a column is another price times a number of pieces in every row."""
    totals = amounts(column)
    counts = [amounts(each) for each in columns if not each.unit.name and each.numbers > 0.5]
    for price in prices:
        of_one = amounts(price)
        for count in counts if price is not column else ():
            rows = sorted(totals.keys() & of_one.keys() & count.keys())
            fits = (
                abs(of_one[row] * count[row] - totals[row]) < 0.0001 * totals[row] for row in rows
            )
            if rows and all(fits):
                return True
    return False


def by_size(columns: Sequence[Column]) -> list[Column]:
    """The columns by the sums of their numbers, the smallest first."""
    return sorted(columns, key=lambda each: (sum(amounts(each).values()), each.place))


def _take_powers(found: Chosen, columns: Sequence[Column], chosen: dict[str, Column]) -> None:
    """The smaller power of every row is that of an idle node, the larger the highest."""
    idle, peak = chosen.get("idle_w"), chosen.get("peak_w")
    if peak is not None:
        _take(found, "idle_w", [each for each in columns if _below(each, peak)])
    elif idle is not None:
        _take(found, "peak_w", [each for each in columns if _below(idle, each)])
    elif len(columns) == 1:
        _take(found, "peak_w", columns)
    else:
        order = by_size(columns)
        if order and _below(order[0], order[-1]):
            _take(found, "idle_w", [order[0], *order[1:-1]])
            _take(found, "peak_w", [order[-1], *order[1:-1]])


def _below(smaller: Column, larger: Column) -> bool:
    """Whether a column has smaller numbers in every row in which both have one."""
    low, high = amounts(smaller), amounts(larger)
    rows = low.keys() & high.keys()
    return bool(rows) and all(low[row] < high[row] for row in rows)


def net_price(listed: Column, rebate: Column, columns: Sequence[Column]) -> Column | None:
    """The column with the price less the rebate in every row; ``None`` without one."""
    prices, rebates = amounts(listed), amounts(rebate)
    for each in columns:
        net = amounts(each) if each.unit.dimension in {"money", ""} else {}
        rows = sorted(prices.keys() & rebates.keys() & net.keys())
        fits = (abs(prices[row] * (1 - rebates[row]) - net[row]) < 0.002 * net[row] for row in rows)
        if each.place != listed.place and rows and all(fits):
            return each
    return None
