"""Tables of an award. In the workbook each number follows from others by a formula.

Each package, lot and criterion has a number, by which the formulas find rows of other sheets. A
cell holds the double next to the exact value; where a table has a column ``difference``, that is
what the formula gives in doubles, less the exact value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from planner.award.bill_sheets import (
    lines_sheet,
    operation_sheet,
    prices_sheet,
    scope_sheet,
)
from planner.award.delivered_sheets import delivered_sheet, penalties_sheet
from planner.award.doubles import Doubles
from planner.award.judge import PER_PRICE, POINTS, Judged, Lot, key
from planner.award.leads import lead, rival
from planner.award.lots import Decision
from planner.award.numbers import (
    criterion_number,
    lot_number,
    package_numbers,
    rounded_formula,
)
from planner.award.result import AwardResult
from planner.award.sheets import (
    criteria_sheet,
    evaluations_sheet,
    figures_sheet,
    matrices,
    points_sheet,
)
from planner.award.together_sheets import (
    checks_sheet,
    conditions_by_lot,
    conditions_sheet,
    successors_sheet,
    vendors_sheet,
)
from planner.decimals import decimal
from planner.finding import cell
from planner.table import Column, Row, Table, table


def award_row(result: AwardResult, lot: Lot, decision: Decision) -> Row:
    """What a lot is awarded, and how far the next package is behind."""
    row: dict[str, Any] = {"lot": lot.name, "outcome": outcome(lot, decision)}
    if decision.winner is None:
        return row | {"package": list(result.titles(decision.winners)) or None}
    winner = lot.named(decision.winner)
    others = lot.behind(winner)
    of_rival = rival(lot, winner)
    row |= {
        "package": [result.title(decision.winner)], "vendor": winner.candidate.vendor,
        "nodes": result.tender.bills[decision.winner].units("node") or None,
        "price": float(winner.candidate.price), "points": float(shown_points(lot, winner)),
        "quotient": per_price(winner),
    }  # fmt: skip
    for name, other in (("second", next(iter(others), None)), ("rival", of_rival)):
        if other is not None:
            row[name] = result.title(other.candidate.name)
            row |= _lead(lot, name, winner, other)
    for each in result.successions:
        if each.lot == lot.name and each.successors:
            row["successor"] = result.title(each.successors[0].package)
    return row


def _lead(lot: Lot, name: str, winner: Judged, other: Judged) -> dict[str, Any]:
    """By how much a winner is ahead, in what ranks."""
    points = shown_points(lot, winner) - shown_points(lot, other)
    row: dict[str, Any] = {f"{name}_lead": float(points)}
    if winner.quotient is not None and other.quotient is not None:
        row[f"{name}_quotient_lead"] = float(lead(winner, other))
    return row


def outcome(lot: Lot, decision: Decision) -> str:
    """How a lot ends, as a word of the catalogue."""
    if decision.winner is not None:
        return "awarded"
    if decision.winners:
        return "tie"
    if lot.judged:
        return "limit"
    return "none" if lot.excluded else "empty"


def shown_points(lot: Lot, judged: Judged) -> Fraction:
    """The sum of points that the method uses."""
    return judged.total if lot.scheme.method == "points" else judged.without_price


def per_price(judged: Judged) -> float | None:
    """Points per million of the currency."""
    return None if judged.quotient is None else float(judged.quotient * PER_PRICE)


def tables(result: AwardResult) -> tuple[Table, ...]:
    """All tables, those with formulas with what doubles make of them."""
    makers = (
        lines_sheet,
        prices_sheet,
        operation_sheet,
        figures_sheet,
        evaluations_sheet,
        points_sheet,
        _ranking,
    )
    sheets = [make(result) for make in makers]
    doubles = Doubles(sheets)
    lines, prices, operation, figures, evaluations, points, ranking = sheets
    prices = _with_difference(prices, doubles, "price")
    points = _with_difference(points, doubles, "points")
    ranking = _doubled(result, _with_difference(ranking, doubles, "score"), doubles)
    every = (
        _award(result), checks_sheet(result), ranking, criteria_sheet(result), *matrices(result),
        points, _excluded(result), conditions_sheet(result),
        conditions_by_lot(result), successors_sheet(result),
        vendors_sheet(result), _withdrawals(result), delivered_sheet(result),
        penalties_sheet(result), _weights(result), evaluations, scope_sheet(result), prices,
        operation, lines, figures,
    )  # fmt: skip
    return tuple(each for each in every if each.rows)


def _with_difference(sheet: Table, doubles: Doubles, name: str) -> Table:
    """The table with what the formula of a column gives in doubles, less the exact value."""
    rows = tuple(
        {**row, "difference": float(Fraction(doubles.value(sheet.name, name, at))
                                    - Fraction(str(row["exact"])))}
        for at, row in enumerate(sheet.rows)
    )  # fmt: skip
    more = (Column("exact", "id", shown=False), Column("difference", "number", shown=False))
    return replace(sheet, rows=rows, columns=(*sheet.columns, *more))


def _doubled(result: AwardResult, ranking: Table, doubles: Doubles) -> Table:
    """Mark packages that doubles rank otherwise than fractions against another one of the lot."""
    places = {str(row["name"]): at for at, row in enumerate(ranking.rows)}
    keys = [column.key for column in ranking.columns if column.key.startswith("key_")]
    marked: set[str] = set()
    for lot in result.award.lots:
        exact = {e.candidate.name: key(lot.scheme, e) for e in lot.judged}
        double = {
            name: tuple(doubles.value("ranking", each, places[name]) for each in keys)
            for name in exact
        }
        for one, other in combinations(exact, 2):
            order = (exact[one] > exact[other], exact[one] == exact[other])
            if order != (double[one] > double[other], double[one] == double[other]):
                marked |= {one, other}
    rows = tuple({**row, "doubles_differ": row["name"] in marked} for row in ranking.rows)
    more = Column("doubles_differ", "flag", shown=bool(marked))
    return replace(ranking, rows=rows, columns=(*ranking.columns, more))


def _award(result: AwardResult) -> Table:
    rows = [award_row(result, lot, decision) for lot, decision in result.award.pairs()]
    unit = result.points_unit
    others = {
        f"{name}{what}": of
        for name in ("second", "rival")
        for what, of in (("", "text"), ("_lead", unit), ("_quotient_lead", "value"))
    }
    columns = {
        "lot": "text", "outcome": "outcome", "package": "text", "vendor": "text", "nodes": "count",
        "price": result.money, "points": unit, "quotient": "value", **others,
        "successor": "text",
    }  # fmt: skip
    hidden = set() if any(row["outcome"] != "awarded" for row in rows) else {"outcome"}
    has_rivals = all("rival" in row for row in rows if "second" in row)
    other = "second" if has_rivals else "rival"
    hidden |= {name for name in columns if name.startswith(other)}
    if result.scheme.method != "points":
        hidden |= {"second_lead", "rival_lead"}
    if result.scheme.method == "corridor":  # quotients do not decide
        hidden |= {"second_quotient_lead", "rival_quotient_lead"}
    labels = {"rival_lead": "second_lead", "rival_quotient_lead": "second_quotient_lead",
              "successor": "first_successor"}  # fmt: skip
    return table("award", columns, rows, hidden=hidden, labels=labels)


def _ranking(result: AwardResult) -> Table:
    rows = [row for lot, decision in result.award.pairs() for row in _ranks(result, lot, decision)]
    method = result.scheme.method
    number = "{package_number}"
    formulas = {
        "total": rounded_formula(
            result, f"SUMIFS({{points.points:all}},{{points.package_number:all}},{number})"
        ),
        "without_price": rounded_formula(
            result,
            "SUMIFS({points.points:all},{points.package_number:all},{package_number},"
            "{points.of_price:all},0)",
        ),
        "price": f"SUMIFS({{prices.price:all}},{{prices.package_number:all}},{number})",
    }
    by_method: dict[str, str] = {}
    if method != "points":
        by_method["quotient"] = "value"
        formulas["quotient"] = f"{{without_price}}/{{price}}*{PER_PRICE}"
    if method == "corridor":
        by_method["stays"] = "count"
        least = float(1 - decimal(result.scheme.corridor or 0.0))
        formulas["stays"] = (
            f"IF({{quotient}}>={least!r}*_xlfn.MAXIFS({{quotient:all}},{{lot_number:all}},"
            "{lot_number}),1,0)"
        )
    formulas["score"] = "{total}" if method == "points" else "{quotient}"
    keys = _key_formulas(result)
    formulas |= keys
    ahead = "0"
    for name in reversed(keys):
        ahead = f"({{{name}:all}}>{{{name}}})+({{{name}:all}}={{{name}}})*({ahead})"
    formulas["rank"] = f"1+SUMPRODUCT(({{lot_number:all}}={{lot_number}})*({ahead}))"
    unit = result.points_unit
    units = {
        "lot": "text", "rank": "count", "package": "text", "vendor": "text",
        "price": result.money, "total": unit, "without_price": unit, **by_method,
        "wins": "flag", "score": "number", **dict.fromkeys(keys, "number"),
        "name": "id", "package_number": "count", "lot_number": "count",
    }  # fmt: skip
    hidden = {"name", "package_number", "lot_number", "score", *keys}
    hidden.add("without_price" if method == "points" else "total")
    return table("ranking", units, rows, hidden=hidden, formulas=formulas)


def _key_formulas(result: AwardResult) -> dict[str, str]:
    """What packages are ranked by, the first key first: a larger one is better."""
    scheme = result.scheme
    ties = [_tie_formula(result, name) for name in scheme.ties]
    if scheme.method == "corridor":
        decides = _tie_formula(result, scheme.decides or POINTS)
        first = ["{stays}", f"IF({{stays}}=1,{decides},{{quotient}})"]
    else:
        first = ["{score}"]
    return {f"key_{at}": text for at, text in enumerate((*first, *ties), start=1)}


def _tie_formula(result: AwardResult, name: str) -> str:
    if name == POINTS:
        return "{without_price}"
    criterion = next(each for each in result.scheme.criteria if each.name == name)
    number = criterion_number(result, name)
    value = (
        "SUMIFS({points.value:all},{points.package_number:all},{package_number},"
        f"{{points.criterion_number:all}},{number})"
    )
    return f"-{value}" if criterion.better == "less" else value


def _ranks(result: AwardResult, lot: Lot, decision: Decision) -> Iterator[dict[str, Any]]:
    numbers = package_numbers(result)
    for each in lot.ranked:
        keys = key(lot.scheme, each)
        quotient = each.quotient
        score = each.total if quotient is None else quotient * PER_PRICE
        in_millions = _in_millions(result, each, keys)
        yield {
            "lot": lot.name, "rank": each.rank, "package": each.candidate.title,
            "vendor": each.candidate.vendor, "price": float(each.candidate.price),
            "total": float(each.total), "without_price": float(each.without_price),
            "quotient": per_price(each), "stays": int(each.stays),
            "wins": each.candidate.name == decision.winner, "score": float(score),
            **{f"key_{at}": float(value) for at, value in enumerate(in_millions, start=1)},
            "name": each.candidate.name, "package_number": numbers[each.candidate.name],
            "lot_number": lot_number(result, lot.name), "exact": str(score),
        }  # fmt: skip


def _in_millions(result: AwardResult, judged: Judged, keys: Sequence[Fraction]) -> list[Fraction]:
    """The keys as the workbook has them: quotients per million."""
    method = result.scheme.method
    at = {"points": None, "points_per_price": 0, "corridor": None if judged.stays else 1}[method]
    return [value * PER_PRICE if place == at else value for place, value in enumerate(keys)]


def _excluded(result: AwardResult) -> Table:
    rows = [
        {"lot": lot.name, "package": each.title, "vendor": each.vendor,
         "reasons": [cell(reason) for reason in each.excluded]}
        for lot in result.award.lots
        for each in lot.excluded
    ]  # fmt: skip
    units = {"lot": "text", "package": "text", "vendor": "text", "reasons": "finding"}
    return table("excluded", units, rows)


def _withdrawals(result: AwardResult) -> Table:
    rows = [
        {"package": result.title(each.package), "name": each.package, "lot": each.lot,
         "before": list(result.titles(each.before)) or None,
         "after": list(result.titles(each.after)) or None, "changes": each.before != each.after}
        for each in result.withdrawals
    ]  # fmt: skip
    units = {"lot": "text", "package": "text", "before": "text", "after": "text", "changes": "flag",
             "name": "id"}  # fmt: skip
    labels = {"package": "withdrawn"}
    return table("withdrawals", units, rows, labels=labels, hidden=("name",))


def _weights(result: AwardResult) -> Table:
    """Intervals of points, and who wins next to them."""
    rows = [
        {
            "lot": each.lot, "criterion": each.criterion, "points": float(each.points),
            "low": float(interval.low), "stays": (float(interval.low), high), "high": high,
            "exact_low": str(interval.low),
            "exact_high": "" if interval.high is None else str(interval.high),
            "holds_low": interval.holds_low, "holds_high": interval.holds_high,
            "own": interval is each.own,
            "next_low": list(result.titles(interval.next_low)) or None,
            "next_high": list(result.titles(interval.next_high)) or None,
        }
        for each in result.ranges
        for interval in each.intervals
        for high in [None if interval.high is None else float(interval.high)]
    ]  # fmt: skip
    units = {
        "lot": "text", "criterion": "text", "points": "given", "next_low": "text",
        "stays": "inside:number", "next_high": "text", "low": "number", "high": "number",
        "exact_low": "id", "exact_high": "id", "holds_low": "flag", "holds_high": "flag",
        "own": "flag",
    }  # fmt: skip
    seen = ("lot", "criterion", "points", "next_low", "stays", "next_high")
    hidden = [name for name in units if name not in seen]
    return table("weights", units, rows, hidden=hidden, labels={"stays": "winner_stays"})
