"""Small tenders for tests: packages of one line, as dictionaries of a scenario."""

from __future__ import annotations

from typing import Any

from planner.award.award import Award, award
from planner.award.from_scenario import tender_of
from scenarios.model.scenario import Scenario


def package(name: str, price: float = 1.0, lot: str = "L", **more: Any) -> dict[str, Any]:
    """A package that costs ``price``; figures and statements as mappings."""
    figures = [{"name": key, "value": value} for key, value in more.pop("figures", {}).items()]
    line = {"kind": "other", "item": "All", "price": price}
    return {"vendor": name, "name": name, "lot": lot, "lines": [line], "figures": figures, **more}


def tender(
    packages: list[dict[str, Any]], criteria: list[dict[str, Any]], **scheme: Any
) -> Scenario:
    """A scenario with these packages; points of people as (package, criterion, evaluator, n)."""
    rows = [
        {"package": package, "criterion": criterion, "evaluator": evaluator, "points": points}
        for package, criterion, evaluator, points in scheme.pop("points", ())
    ]
    lots = scheme.pop("tender_lots", None) or [
        {"name": name} for name in dict.fromkeys(each["lot"] for each in packages)
    ]
    more = scheme.pop("more", {})
    return Scenario.model_validate(
        {
            "format": 1, "name": "tender", "title": "A tender", "lots": lots,
            "packages": packages, "scheme": {"criteria": criteria, "evaluations": rows, **scheme},
            **more,
        }
    )  # fmt: skip


def price(points: float, **more: Any) -> dict[str, Any]:
    """The criterion of the price."""
    return {"name": "Price", "points": points, "value_from": "price", "better": "less", **more}


def figure(name: str, points: float, **more: Any) -> dict[str, Any]:
    """A criterion of the figure of its name, where more is better."""
    return {"name": name, "points": points, "value_from": "figure", "figure": name,
            "better": "more", **more}  # fmt: skip


def people(name: str, points: float, **more: Any) -> dict[str, Any]:
    """A criterion whose points people give."""
    return {"name": name, "points": points, "value_from": "people", "formula": "as_given", **more}


def awarded(scenario: Scenario) -> Award:
    """What is awarded."""
    return award(tender_of(scenario))


def points_of(found: Award, lot: int = 0) -> dict[str, list[str]]:
    """Points of each package of a lot by criterion, then their sum, as fractions."""
    return {
        each.candidate.name: [*map(str, each.points), str(each.total)]
        for each in found.lots[lot].judged
    }


def winners(found: Award) -> list[tuple[str, ...]]:
    """Winners of each lot; several are tied."""
    return [decision.winners for decision in found.decisions]
