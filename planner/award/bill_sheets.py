"""Tables of the packages' bills and of their operation, with the formulas between their cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from planner.award.numbers import package_numbers
from planner.award.operation import annuity, energy_price, kwh_per_watt, mean_w, powers_w
from planner.award.result import AwardResult
from planner.table import Column, Table, table
from scenarios.model.line_fields import LINE_KINDS
from scenarios.model.scenario import Budget


def prices_sheet(result: AwardResult) -> Table:
    """The bill of each package."""
    rows = []
    for each in result.ordered:
        bill = result.tender.bills[each.name]
        package = bill.package
        rows.append({
            "package": each.title, "vendor": each.vendor, "lot": each.lot,
            "gross": float(bill.stated_gross), "discount": package.discount,
            "stated": float(bill.stated_total), "currency": package.currency,
            "rate": package.rate or 1.0, "vat": package.vat or 0.0, "price": float(bill.total),
            "per_year": float(bill.per_year), "package_number": package_numbers(result)[each.name],
            "exact": str(Fraction(bill.total)),
        })  # fmt: skip
    own = "{lines.package_number:all},{package_number},{lines.yearly:all}"
    formulas = {
        "gross": f"SUMIFS({{lines.amount:all}},{own},0)",
        "stated": "ROUND({gross}*(1-{discount}),2)",
        "price": "ROUND({stated}*{rate}/(1+{vat}),2)",
        "per_year": f"ROUND(ROUND(SUMIFS({{lines.amount:all}},{own},1)*(1-{{discount}}),2)"
                    "*{rate}/(1+{vat}),2)",
    }  # fmt: skip
    units = {
        "package": "text", "vendor": "text", "lot": "text", "gross": "value",
        "discount": "share given", "stated": "value", "currency": "id", "rate": "given",
        "vat": "share given", "price": result.money, "per_year": result.money,
        "package_number": "count",
    }  # fmt: skip
    hidden = {"package_number", "stated"}
    if all(row["rate"] == 1 for row in rows):
        hidden |= {"currency", "rate"}
    hidden |= {
        name for name in ("discount", "vat", "per_year") if not any(row[name] for row in rows)
    }
    hidden |= {"gross"} if {"discount", "rate", "vat"} <= hidden else {"vendor"}
    return table("prices", units, rows, hidden=hidden, formulas=formulas)


def scope_sheet(result: AwardResult) -> Table:
    """What each package costs once, by the kinds of its lines, and every year."""
    rows, used = [], set[str]()
    for each in result.ordered:
        bill = result.tender.bills[each.name]
        amounts: dict[str, Any] = {}
        for line in bill.lines:
            if not line.line.per_year:
                key = f"kind_{line.line.kind}"
                amounts[key] = amounts.get(key, Fraction(0)) + Fraction(line.amount)
        used |= {*amounts}
        rows.append({
            "package": each.title, **{key: float(amount) for key, amount in amounts.items()},
            "gross": float(bill.stated_gross), "price": float(bill.total),
            "per_year": float(bill.per_year) or None,
            "package_number": package_numbers(result)[each.name],
        })  # fmt: skip
    of_package = "{lines.package_number:all},{package_number}"
    kinds = {
        f"kind_{kind}": f"SUMIFS({{lines.amount:all}},{of_package},{{lines.kind_number:all}},{at},"
        "{lines.yearly:all},0)"
        for at, kind in enumerate(LINE_KINDS, start=1)
        if f"kind_{kind}" in used
    }
    of_price = "{prices.package_number:all},{package_number}"
    formulas = kinds | {
        name: f"SUMIFS({{prices.{name}:all}},{of_price})" for name in ("gross", "price", "per_year")
    }
    shown = (row[key] or 0 for row in rows for key in ("price", "gross", "per_year"))
    is_whole = all(amount == int(amount) for amount in shown)
    money = "value" if is_whole else result.money  # narrow where no cents are cut
    units = {
        "package": "text", **dict.fromkeys(kinds, "value"), "gross": "value", "price": money,
        "per_year": money, "package_number": "count",
    }  # fmt: skip
    hidden = {"package_number"}
    if all(row["gross"] == row["price"] for row in rows):
        hidden.add("gross")
    return table("scope", units, rows, hidden=hidden, formulas=formulas)


def operation_sheet(result: AwardResult) -> Table:
    """Energy and total cost of each package, where a criterion judges them."""
    budget, rows = result.scenario.budget or Budget(), []
    for each in result.ordered:
        sources: dict[str, Fraction] = {
            criterion.value_from: each.values[criterion.name]
            for criterion in result.scheme.for_lot(each.lot).criteria
            if criterion.value_from in ("energy", "total cost") and criterion.name in each.values
        }
        if sources:
            bill = result.tender.bills[each.name]
            rows.append({
                "package": each.title, "lot": each.lot, "price": float(bill.total),
                "per_year": float(bill.per_year),
                "maintenance": budget.maintenance_fraction_per_year,
                "kwh_price": float(energy_price(budget)), "annuity": float(annuity(budget)),
                "kwh_per_watt": float(kwh_per_watt(result.scenario)),
                "package_number": package_numbers(result)[each.name],
                **_operation(result, each.name, sources),
            })  # fmt: skip
    of_price = "{prices.package_number:all},{package_number}"
    formulas = {
        "price": f"SUMIFS({{prices.price:all}},{of_price})",
        "per_year": f"SUMIFS({{prices.per_year:all}},{of_price})",
        "mean_w": "SUMIFS({lines.mean_w:all},{lines.package_number:all},{package_number})",
        "energy_kwh": "{mean_w}*{kwh_per_watt}",
        "total_cost": "{price}+{annuity}*({per_year}+{maintenance}*{price}"
                      "+{kwh_price}*{energy_kwh})",
    }  # fmt: skip
    money = result.money
    units = {
        "package": "text", "lot": "text", "price": money, "per_year": money, "mean_w": "W in W",
        "energy_kwh": "kWh",
        "total_cost": money, "maintenance": "share given", "kwh_price": "number",
        "annuity": "number", "kwh_per_watt": "number", "package_number": "count",
    }  # fmt: skip
    hidden = ("price", "per_year", "maintenance", "kwh_price", "annuity", "kwh_per_watt",
              "package_number")  # fmt: skip
    return table("operation", units, rows, hidden=hidden, formulas=formulas)


def _operation(result: AwardResult, name: str, sources: Mapping[str, Fraction]) -> dict[str, float]:
    """Energy and total cost of a package, as far as a criterion needs them."""
    watts = [mean_w(result.scenario, line) for line in result.tender.bills[name].lines]
    known = [each for each in watts if each is not None]
    row: dict[str, float] = {}
    if len(known) == len(watts):
        row["mean_w"] = float(sum(known, Fraction(0)))
        row["energy_kwh"] = float(sum(known, Fraction(0)) * kwh_per_watt(result.scenario))
    if "total cost" in sources:
        row["total_cost"] = float(sources["total cost"])
    return row


def lines_sheet(result: AwardResult) -> Table:
    """Every line of every package."""
    rows = []
    utilisation = (result.scenario.budget or Budget()).utilisation
    for name in (each.name for each in result.ordered):
        bill = result.tender.bills[name]
        rounding = bill.package.rounding
        for each in bill.lines:
            idle, peak = powers_w(result.scenario, each)
            mean = mean_w(result.scenario, each)
            rows.append({
                "package": result.title(name), "kind": each.line.kind, "item": each.line.item,
                "quantity": each.quantity, "unit_price": each.line.price,
                "amount": float(each.amount), "yearly": int(each.line.per_year),
                ("a_year" if each.line.per_year else "once"): float(each.amount),
                "once_formula": "" if each.line.per_year else "{amount}",
                "a_year_formula": "{amount}" if each.line.per_year else "",
                "idle_w": idle, "peak_w": peak,
                "mean_w": None if mean is None else float(mean), "utilisation": utilisation,
                "package_number": package_numbers(result)[name],
                "kind_number": 1 + LINE_KINDS.index(each.line.kind),
                "formula": {"unit": "ROUND({unit_price},2)*{quantity}",
                            "line": "ROUND({unit_price}*{quantity},2)",
                            "total": "{unit_price}*{quantity}"}[rounding],
            })  # fmt: skip
    units: dict[str, str | Column] = {
        "package": "text", "kind": "line-kind", "item": "text", "quantity": "count",
        "unit_price": "value",
        "amount": Column("amount", "value", shown=False, formula_at="formula"),
        "once": Column("once", "value", formula_at="once_formula"),
        "a_year": Column("a_year", "value", "per_year", formula_at="a_year_formula"),
        "yearly": "count", "idle_w": "W in W", "peak_w": "W in W", "mean_w": "W in W",
        "utilisation": "share given", "package_number": "count", "kind_number": "count",
        "formula": "id", "once_formula": "id", "a_year_formula": "id",
    }  # fmt: skip
    formulas = {"mean_w": "{quantity}*({utilisation}*{peak_w}+(1-{utilisation})*{idle_w})"}
    seen = ("package", "kind", "item", "quantity", "unit_price")
    hidden = [name for name in units if name not in seen]
    return replace(table("lines", units, rows, formulas=formulas, hidden=hidden), whole=True)
