"""Tables of points, of the evaluators and of benchmarks, with the formulas between their cells."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from planner.award import from_scenario
from planner.award.formulas import AGREED, end_of_line
from planner.award.judge import Lot
from planner.award.numbers import criterion_number, group_number, package_numbers, rounded_formula
from planner.award.result import AwardResult
from planner.decimals import decimal
from planner.table import Column, Table, table
from scenarios.model.scheme import Criterion, TimesBest


def points_sheet(result: AwardResult) -> Table:
    """Points of each admissible package for each criterion."""
    rows = [row for lot in result.award.lots for row in _points_of(result, lot)]
    of_group = "{value:all},{group:all},{group}"
    formulas = {
        "best": f"IF({{less}}=1,_xlfn.MINIFS({of_group}),_xlfn.MAXIFS({of_group}))",
        "worst": f"IF({{less}}=1,_xlfn.MAXIFS({of_group}),_xlfn.MINIFS({of_group}))",
    }
    unit = result.points_unit
    units: dict[str, str | Column] = {
        "lot": "text", "package": "text", "criterion": "text", "most": "given",
        "value": Column("value", "given", unit_at="unit", formula_at="value_formula"),
        "best": Column("best", "given", unit_at="unit", formula=formulas["best"]),
        "worst": Column("worst", "given", shown=False, unit_at="unit", formula=formulas["worst"]),
        "points": Column("points", unit, formula_at="formula"),
        "full": Column("full", "number", shown=False, formula_at="full_formula"),
        "zero": Column("zero", "number", shown=False, formula_at="zero_formula"),
        "total": Column("total", unit, shown=False), "less": "count", "of_price": "count",
        "package_number": "count", "criterion_number": "count", "group": "count", "unit": "id",
        "formula": "id", "value_formula": "id", "full_formula": "id", "zero_formula": "id",
    }  # fmt: skip
    seen = ("lot", "package", "criterion", "most")
    return table("points", units, rows, hidden=[name for name in units if name not in seen])


_FORMULAS = {
    ("ratio", "less"): "{most}*{best}/{value}",
    ("ratio", "more"): "{most}*{value}/{best}",
    "linear": "MAX(0,MIN({most},{most}*({zero}-{value})/({zero}-{full})))",
    "two_sided": "IF({worst}={best},{most},{most}*({worst}-{value})/({worst}-{best}))",
    "as_given": "{value}",
}


def _points_of(result: AwardResult, lot: Lot) -> Iterator[dict[str, Any]]:
    for each in lot.ranked:
        for at, criterion in enumerate(lot.scheme.criteria):
            values = [other.values[at] for other in lot.judged]
            is_less = criterion.better == "less"
            best, worst = (min(values), max(values))[:: 1 if is_less else -1]
            formula = (
                _FORMULAS.get(criterion.formula)
                or _FORMULAS[criterion.formula, criterion.better or ""]
            )
            whole = result.scheme.rounding == "criterion"
            yield {
                "lot": lot.name, "package": each.candidate.title, "criterion": criterion.name,
                "most": criterion.points, "value": float(each.values[at]),
                "best": float(best), "worst": float(worst), "points": float(each.points[at]),
                "total": float(each.total),
                **_ends(criterion, best), "less": int(is_less),
                "of_price": int(criterion.counts_price),
                "package_number": package_numbers(result)[each.candidate.name],
                "criterion_number": criterion_number(result, criterion.name),
                "group": group_number(result, lot.name, criterion.name),
                "unit": value_unit(result, criterion),
                "formula": rounded_formula(result, formula) if whole else formula,
                "value_formula": _value_formula(criterion), "exact": str(each.points[at]),
            }  # fmt: skip


def _ends(criterion: Criterion, best: Fraction) -> dict[str, Any]:
    """Where a linear formula gives all points and none."""
    found: dict[str, Any] = {}
    for name, end in (("full", criterion.full_at), ("zero", criterion.zero_at)):
        if isinstance(end, TimesBest):
            found[f"{name}_formula"] = f"{end.times_best!r}*{{best}}"
        if end is not None:
            found[name] = float(end_of_line(end, best))
    return found


def performance_texts(result: AwardResult) -> tuple[str, ...]:
    """What explains values of the model next to points, where a criterion judges these."""
    judged = any(each.value_from == "performance" for each in result.scheme.criteria)
    return ("performance",) if judged else ()


def value_unit(result: AwardResult, criterion: Criterion) -> str:
    """Unit of the values of a criterion."""
    if criterion.value_from == "people":
        return result.points_unit
    return from_scenario.value_unit(result.scenario, criterion)


def _value_formula(criterion: Criterion) -> str:
    number = "{package_number}"
    source = criterion.value_from
    place = {"price": "prices.price", "total cost": "operation.total_cost",
             "energy": "operation.energy_kwh"}.get(source)  # fmt: skip
    if place:
        sheet = place.partition(".")[0]
        return f"SUMIFS({{{place}:all}},{{{sheet}.package_number:all}},{number})"
    if source == "people":
        return (
            "AVERAGEIFS({evaluations.points:all},{evaluations.package_number:all},"
            f"{number},{{evaluations.criterion_number:all}},{{criterion_number}},"
            "{evaluations.counts:all},1)"
        )
    if source == "benchmarks":
        ours = (
            f"{{figures.package_number:all}},{number},{{figures.criterion_number:all}},"
            "{criterion_number}"
        )
        return f"SUMIFS({{figures.weighted:all}},{ours})/SUMIFS({{figures.weight:all}},{ours})"
    return ""


def criteria_sheet(result: AwardResult) -> Table:
    """How each criterion turns values into points."""
    rows = []
    for each in result.scheme.criteria:
        formula = {
            "ratio": f"ratio-{each.better}", "linear": "linear", "two_sided": "two_sided",
            "as_given": each.combine,
        }[each.formula]  # fmt: skip
        row: dict[str, Any] = {
            "criterion": each.name, "lots": list(each.lots) or None, "most": each.points,
            "value_from": each.value_from, "formula": formula,
            "least": each.least, "most_value": each.most, "least_points": each.least_points,
        }  # fmt: skip
        for name, end in (("full", each.full_at), ("zero", each.zero_at)):
            if end is not None:
                of_best = isinstance(end, TimesBest)
                row[name] = end.times_best if isinstance(end, TimesBest) else end
                row[f"{name}_unit"] = "best" if of_best else "given"
        rows.append(row)
    units: dict[str, str | Column] = {
        "criterion": "text", "lots": "text", "most": "given", "value_from": "value-from",
        "formula": "points-formula",
        "full": Column("full", "given", unit_at="full_unit"),
        "zero": Column("zero", "given", unit_at="zero_unit"),
        "least": "given", "most_value": "given", "least_points": "given",
        "full_unit": "id", "zero_unit": "id",
    }  # fmt: skip
    labels = {"least": "least_value"}
    return table("criteria", units, rows, hidden=("full_unit", "zero_unit"), labels=labels)


def matrices(result: AwardResult) -> tuple[Table, Table]:
    """Values and points of all packages: a column for each criterion."""
    criteria = result.scheme.criteria
    keys = {each.name: f"criterion_{at}" for at, each in enumerate(criteria, start=1)}
    values, points = list[dict[str, Any]](), list[dict[str, Any]]()
    for lot in result.award.lots:
        for each in lot.ranked:
            number = package_numbers(result)[each.candidate.name]
            own = {"lot": lot.name, "package": each.candidate.title, "package_number": number}
            names = [keys[criterion.name] for criterion in lot.scheme.criteria]
            values.append(own | dict(zip(names, map(float, each.values), strict=True)))
            given = dict(zip(names, map(float, each.points), strict=True))
            points.append(own | given | {"total": float(each.total)})
    head: dict[str, str | Column] = {"lot": "text", "package": "text"}
    last: dict[str, str | Column] = {"package_number": Column("package_number", shown=False)}
    cells = (
        "SUMIFS({{points.{}:all}},{{points.package_number:all}},{{package_number}},"
        "{{points.criterion_number:all}},{})"
    )
    of_values: dict[str, str | Column] = {
        key: Column(
            key, value_unit(result, each), each.name, formula=cells.format("value", at), quoted=True
        )
        for at, (each, key) in enumerate(zip(criteria, keys.values(), strict=True), start=1)
    }
    unit = result.points_unit
    of_points: dict[str, str | Column] = {
        key: Column(key, unit, name, formula=cells.format("points", at), quoted=True)
        for at, (name, key) in enumerate(keys.items(), start=1)
    }
    every = "SUMIFS({ranking.total:all},{ranking.package_number:all},{package_number})"
    total: dict[str, str | Column] = {"total": Column("total", unit, formula=every)}
    return (
        table("values", head | of_values | last, values),
        table("points_matrix", head | of_points | total | last, points),
    )


def figures_sheet(result: AwardResult) -> Table:
    """Committed figures relative to the largest of each lot."""
    rows, number = [], 0
    for lot in result.award.lots:
        for criterion in lot.scheme.criteria:
            for name, weight in criterion.benchmarks.items():
                number += 1
                at = lot.scheme.criteria.index(criterion)
                most = max((e.candidate.figures[name] for e in lot.judged), default=Fraction(1))
                rows += [
                    {
                        "lot": lot.name, "criterion": criterion.name, "figure": name,
                        "package": each.candidate.title, "weight": float(weight),
                        "committed": float(each.candidate.figures[name]), "most": float(most),
                        "weighted": float(decimal(weight) * each.candidate.figures[name] / most),
                        "value": float(each.values[at]),
                        "package_number": package_numbers(result)[each.candidate.name],
                        "criterion_number": criterion_number(result, criterion.name),
                        "group": number,
                    }
                    for each in lot.ranked
                ]  # fmt: skip
    units = {
        "lot": "text", "criterion": "text", "figure": "text", "package": "text",
        "weight": "given", "committed": "given", "most": "given", "weighted": "score",
        "value": "score",
        "package_number": "count", "criterion_number": "count", "group": "count",
    }  # fmt: skip
    ours = "{package_number:all},{package_number},{criterion_number:all},{criterion_number}"
    formulas = {
        "most": "_xlfn.MAXIFS({committed:all},{group:all},{group})",
        "weighted": "{weight}*{committed}/{most}",
        "value": f"SUMIFS({{weighted:all}},{ours})/SUMIFS({{weight:all}},{ours})",
    }
    hidden = ("package_number", "criterion_number", "group")
    return table("figures", units, rows, hidden=hidden, formulas=formulas,
                 labels={"most": "most_committed"})  # fmt: skip


def evaluations_sheet(result: AwardResult) -> Table:
    """Every row of the evaluators; those that give the value of a median are marked."""
    rows = []
    for criterion in result.scheme.criteria:
        for each in result.ordered:
            given = each.given.get(criterion.name, ())
            order = sorted(range(len(given)), key=lambda at: given[at].points)
            middle = {order[(len(order) - 1) // 2], order[len(order) // 2]} if order else set()
            for at, one in enumerate(given):
                counts = {
                    "mean": True, "median": at in middle, "agreed": one.evaluator == AGREED,
                }[criterion.combine]  # fmt: skip
                rows.append({
                    "package": each.title, "criterion": criterion.name,
                    "evaluator": one.evaluator, "points": one.points,
                    "reason": one.reason or None, "counts": int(counts), "counted": counts,
                    "taken": criterion.combine if counts else None,
                    "package_number": package_numbers(result)[each.name],
                    "criterion_number": criterion_number(result, criterion.name),
                })  # fmt: skip
    units = {
        "package": "text", "criterion": "text", "evaluator": "text", "points": "given",
        "reason": "text", "taken": "taken", "counted": "flag", "counts": "count",
        "package_number": "count", "criterion_number": "count",
    }  # fmt: skip
    hidden = ["counted", "counts", "package_number", "criterion_number"]
    hidden += [] if any(not row["counts"] for row in rows) else ["taken"]
    return table("evaluations", units, rows, hidden=hidden)
