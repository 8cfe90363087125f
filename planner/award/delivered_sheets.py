"""Tables of delivered figures: how little keeps the winner, and what a shortfall is to cost."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from planner.award.delivered import Delivery, judged_figures
from planner.award.from_scenario import package_of
from planner.award.result import AwardResult
from planner.award.together import required_work
from planner.decimals import decimal
from planner.procurement.penalties import expected_penalty
from planner.table import Column, Table, table


def delivered_sheet(result: AwardResult) -> Table:
    """How little of its committed figures each winner may deliver."""
    rows = [
        {
            "lot": each.lot, "package": result.title(each.package),
            "figure": each.figure or "all", "figure_unit": "text" if each.figure else "figures",
            "required": None if required is None else float(required),
            "threshold": None if each.threshold is None else float(each.threshold),
            "end": None if each.end is None else float(each.end),
            **_values(result, each), "holds": each.holds,
            "is_exact": each.is_exact, "name": each.package,
            "exact_threshold": "" if each.threshold is None else str(each.threshold),
            "exact_end": str(each.end) if each.end is not None and each.is_exact else "",
        }
        for each in result.deliveries
        for required in [least_for_requirements(result, each.package, each.figure)]
    ]  # fmt: skip
    units: dict[str, str | Column] = {
        "lot": "text", "package": "text", "figure": Column("figure", "text", unit_at="figure_unit"),
        "required": "share up", "threshold": "share up",
        "threshold_value": Column("threshold_value", shown=False, formula_at="threshold_formula"),
        "end": "share up",
        "end_value": Column("end_value", unit_at="safe_side", formula_at="end_formula"),
        "holds": "flag", "committed": "number", "is_exact": "flag", "name": "id",
        "exact_threshold": "id", "exact_end": "id", "figure_unit": "id",
        "threshold_formula": "id", "end_formula": "id", "safe_side": "id",
    }  # fmt: skip
    hidden = {"holds", "committed", "is_exact", "name", "exact_threshold", "exact_end",
              "figure_unit", "threshold_formula", "end_formula", "safe_side"}  # fmt: skip
    hidden |= set() if any(row["threshold"] is not None for row in rows) else {"threshold"}
    labels = {"end": "wins_above", "holds": "wins_there"}
    return table("delivered", units, rows, hidden=hidden, labels=labels)


def least_for_requirements(
    result: AwardResult, package: str, figure: str | None = None
) -> Fraction | None:
    """The smallest fraction with which the award meets its throughputs; none without a limit.

    It is of one committed figure of a package, or of all of them.
    """
    judged = judged_figures(result.tender, package)
    least = [
        work.least(package, required)
        for work, required in required_work(result.tender, result.purchase.packages)
        for name, counted in work.figures
        if name == package and counted.basis == "committed"
        and judged.get(counted.name) != "less" and figure in (None, counted.name)
    ]  # fmt: skip
    found = max(least, default=Fraction(0))
    return found if 0 < found <= 1 else None


def _values(result: AwardResult, delivery: Delivery) -> dict[str, Any]:
    """What one figure is at its fractions, with the formulas; nothing for all figures at once."""
    offer = package_of(result.tender, delivery.package)
    figure = offer.figure(delivery.figure) if delivery.figure is not None else None
    if figure is None:
        return {}
    is_less = judged_figures(result.tender, delivery.package)[figure.name] == "less"
    found: dict[str, Any] = {
        "committed": figure.value, "safe_side": "number down" if is_less else "number up",
    }  # fmt: skip
    for name, fraction in (("threshold", delivery.threshold), ("end", delivery.end)):
        if fraction is not None:
            value = decimal(figure.value) * (1 / fraction if is_less else fraction)
            found[f"{name}_value"] = float(value)
            found[f"{name}_formula"] = f"{{committed}}{'/' if is_less else '*'}{{{name}}}"
    return found


def penalties_sheet(result: AwardResult) -> Table:
    """Every penalty that a winner offers, with its expectation by the model."""
    rows = []
    for _, winner in result.award.won():
        for each in package_of(result.tender, winner.candidate.name).figures:
            if each.penalty is not None:
                expected = expected_penalty(each)
                rows.append({
                    "package": winner.candidate.title, "figure": each.name,
                    "committed": each.value, "half_width": each.half_width or 0.0,
                    "per_percent": each.penalty.per_percent, "most_penalty": each.penalty.most,
                    "expected_penalty": float(expected), "exact": str(expected),
                })  # fmt: skip
    largest = "100*{per_percent}*{half_width}"
    formulas = {
        "expected_penalty": f"IF({{most_penalty}}>={largest},25*{{per_percent}}*{{half_width}},"
        f"{{most_penalty}}/2*(1-{{most_penalty}}/(2*{largest})))"
    }
    units = {
        "package": "text", "figure": "text", "committed": "number", "half_width": "share given",
        "per_percent": result.money, "most_penalty": result.money,
        "expected_penalty": result.money, "exact": "id",
    }  # fmt: skip
    return table("penalties", units, rows, hidden=("exact",), formulas=formulas)
