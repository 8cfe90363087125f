"""Whether bought packages keep to what limits them from above; requirements are not checked."""

from __future__ import annotations

from collections import Counter

from planner.procurement.bill import Bill
from planner.procurement.problem import Problem
from scenarios.package_bill import written


def packages_fit(problem: Problem, paid: Bill) -> bool:
    """Whether packages keep to lots, groups, capital of lots and least orders."""
    bought = [problem.packages[number].package for number in paid.packages]
    lots = Counter(package.lot for package in bought)
    groups = Counter(package.group for package in bought if package.group is not None)
    capital = {lot.name: lot.capital for lot in problem.lots if lot.capital is not None}
    return (
        all(count == 1 for count in (*lots.values(), *groups.values()))
        and all(not each.missing for each in paid.vendors.values())
        and all(
            each.total <= written(capital[each.package.lot])
            for each in paid.packages.values()
            if each.package.lot in capital
        )
    )
