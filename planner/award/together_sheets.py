"""Tables of the award as one purchase, of who follows a winner, and of conditions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from planner.award.findings import lowest_price
from planner.award.result import AwardResult
from planner.award.together import Purchase, reason, shown
from planner.decimals import decimal
from planner.finding import cell, finding
from planner.table import Column, Table, table

_MEETS = {True: "yes", False: "no", None: "open"}


def checks_sheet(result: AwardResult) -> Table:
    """Every limit of the scenario, and what the awarded packages come to together."""
    rows = [
        {
            "what": each.subject or each.what,
            "what_unit": "text" if each.subject else "together",
            "value": shown(each.value), each.side: shown(each.limit), "unit": each.unit,
            "limit": None if each.unit == "date" else shown(each.limit),
            "meets": _MEETS[each.met],
        }
        for each in result.purchase.checks
    ]  # fmt: skip
    units: dict[str, str | Column] = {
        "what": Column("what", "text", "condition", unit_at="what_unit"),
        **{
            key: Column(key, "number", label, unit_at="unit", limit_at=limit_at)
            for key, label, limit_at in (
                ("value", "reached", "limit"), ("least", "", ""), ("most", "most_limit", "")
            )
        },
        "meets": "meets", "what_unit": "id", "unit": "id", "limit": "number",
    }  # fmt: skip
    return table("checks", units, rows, hidden=("what_unit", "unit", "limit"))


def _meets(purchase: Purchase) -> dict[str, Any]:
    """What a purchase costs, and whether it meets the limits."""
    return {
        "net": float(purchase.net), "meets": _MEETS[purchase.meets],
        "missed": [cell(reason(each)) for each in purchase.unmet],
    }  # fmt: skip


def successors_sheet(result: AwardResult) -> Table:
    """Who wins each lot once the packages before have withdrawn."""
    rows = [
        {
            "lot": each.lot, "withdrawn": list(result.titles((each.winner, *before))),
            "package": result.title(successor.package), "vendor": result.vendor(successor.package),
            **_meets(successor.purchase), "name": successor.package,
        }
        for each in result.successions
        for at, successor in enumerate(each.successors)
        for before in [tuple(earlier.package for earlier in each.successors[:at])]
    ]  # fmt: skip
    units = {
        "lot": "text", "withdrawn": "text", "package": "text", "vendor": "text",
        "net": result.money, "meets": "meets", "missed": "finding", "name": "id",
    }  # fmt: skip
    return table("successors", units, rows, hidden=("name",), labels={"package": "successor"})


def vendors_sheet(result: AwardResult) -> Table:
    """The award without each vendor that wins."""
    rows = [
        {
            "vendor": each.vendor,
            "winners": list(result.titles(each.purchase.packages)) or None,
            "without_award": [
                lot
                for lot, winners in zip(result.tender.lots, each.winners, strict=True)
                if len(winners) != 1
            ]
            or None,
            **(_meets(each.purchase) if each.purchase.packages else {}),
        }
        for each in result.without_vendors
    ]  # fmt: skip
    units = {"vendor": "text", "winners": "text", "without_award": "text", "net": result.money,
             "meets": "meets", "missed": "finding"}  # fmt: skip
    labels = {"vendor": "withdrawn"}
    return table("vendors", units, rows, labels=labels)


def conditions_sheet(result: AwardResult) -> Table:
    """Every condition of every package, with what it states."""
    rows = [
        {
            "lot": candidate.lot, "package": candidate.title, "condition": each.name,
            "name_unit": each.name_unit, "value": each.stated[0], "unit": each.stated[1],
            "side": side, "limit": limit, "met": not each.missed,
        }
        for candidate in result.ordered
        for each in candidate.conditions
        for side, limit in each.limits
    ]  # fmt: skip
    rows += _low_prices(result)
    units: dict[str, str | Column] = {
        "lot": "text", "package": "text",
        "condition": Column("condition", "text", unit_at="name_unit"),
        "value": Column("value", "given", unit_at="unit", limit_at="limit"),
        "side": "side",
        "limit": Column("limit", "given", unit_at="unit"), "met": "flag",
        "name_unit": "id", "unit": "id",
    }  # fmt: skip
    return table("conditions", units, rows, hidden=("lot", "name_unit", "unit"))


def conditions_by_lot(result: AwardResult) -> Table:
    """Every condition of a lot, with what each package states."""
    groups = dict[tuple[Any, ...], list[dict[str, Any]]]()
    for row in conditions_sheet(result).rows:
        keys = ("lot", "condition", "name_unit", "side", "limit", "unit")
        groups.setdefault(tuple(row[key] for key in keys), []).append(dict(row))
    rows = []
    for stated in groups.values():
        packages, values = zip(*((row["package"], row["value"]) for row in stated), strict=True)
        found = finding("note", "stated", packages=(packages, "text"),
                        values=(values, stated[0]["unit"]))  # fmt: skip
        every = all(row["met"] for row in stated)
        rows.append({**stated[0], "stated": cell(found), "met": every})
    units: dict[str, str | Column] = {
        "lot": "text", "condition": Column("condition", "text", unit_at="name_unit"),
        "side": "side", "limit": Column("limit", "given", unit_at="unit"), "met": "flag",
        "stated": "finding", "name_unit": "id", "unit": "id",
    }  # fmt: skip
    labels = {"stated": "value"}
    return table("conditions_by_lot", units, rows, hidden=("name_unit", "unit"), labels=labels)


def _low_prices(result: AwardResult) -> Iterator[dict[str, Any]]:
    """How far the lowest price of each lot is below the next one."""
    for lot in result.award.lots:
        lowest = lowest_price(lot)
        if lowest is not None and result.scheme.low_price is not None:
            package, below = lowest
            yield {
                "lot": lot.name, "package": package.title, "condition": "low-price",
                "name_unit": "of-lot", "value": float(below), "unit": "share",
                "side": "below", "limit": result.scheme.low_price,
                "met": below < decimal(result.scheme.low_price),
            }  # fmt: skip
