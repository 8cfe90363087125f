"""The packages of a scenario as its scheme judges them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.award.candidate import Candidate, Condition
from planner.award.conditions import by_lot, by_points, by_statements, by_values
from planner.award.operation import energy_kwh_per_year, total_cost
from planner.decimals import decimal
from planner.errors import InputError
from scenarios.formatting import nearest
from scenarios.model.scenario import Budget, Scenario
from scenarios.model.scheme import Criterion, Evaluation, Scheme
from scenarios.model.tender import Lot, OfferedFigure, Package, told_apart
from scenarios.package_bill import PackageBill, PackageError, package_bill


@dataclass(frozen=True)
class Tender:
    """Everything that an award follows from.

    Attributes
    ----------
    lots
        Names of the lots, in their published order.
    candidates
        All packages, in the order of the scenario.
    bills
        Bill of each package by its name.
    """

    scenario: Scenario
    scheme: Scheme
    lots: tuple[str, ...]
    candidates: tuple[Candidate, ...]
    bills: Mapping[str, PackageBill]

    @property
    def currency(self) -> str:
        """The currency of all prices."""
        return (self.scenario.budget or Budget()).currency


def tender_of(scenario: Scenario) -> Tender:
    """Bill and measure every package.

    Raises
    ------
    InputError
        The scenario has no scheme, or a package lacks what a criterion or a condition needs.
    """
    scheme = scenario.scheme
    if scheme is None or not scenario.packages or not scenario.lots:
        missing = "[scheme]" if scheme is None else "[[lots]] and [[packages]]"
        raise InputError(f"{scenario.name} has nothing to award: it lacks {missing}; add them")
    scenario = scenario.model_copy(update={"packages": told_apart(scenario.packages)})
    try:
        bills = {each.name: package_bill(each) for each in scenario.packages}
    except PackageError as error:
        raise InputError(str(error)) from None
    lots = {lot.name: lot for lot in scenario.lots}
    for package in scenario.packages:
        if package.lot not in lots:
            raise InputError(
                f"package {package.name!r} is for lot {package.lot!r}; "
                f"{nearest(package.lot, [*lots])}"
            )
    scores = _scores(scenario, scheme)
    candidates = tuple(
        _candidate(
            scenario,
            scheme.for_lot(package.lot),
            package,
            lots[package.lot],
            bills[package.name],
            scores,
        )
        for package in scenario.packages
    )
    return Tender(scenario, scheme, tuple(lots), candidates, bills)


def _scores(scenario: Scenario, scheme: Scheme) -> Mapping[str, Fraction]:
    """The model's score of each package, where a criterion needs it."""
    if all(criterion.value_from != "performance" for criterion in scheme.criteria):
        return {}
    from planner.award.model_score import package_scores

    return package_scores(scenario, scenario.packages)


def _candidate(
    scenario: Scenario, scheme: Scheme, package: Package, lot: Lot, bill: PackageBill,
    scores: Mapping[str, Fraction],
) -> Candidate:  # fmt: skip
    conditions = [*by_statements(scheme.exclusions, package), *by_lot(scenario, lot, package, bill)]
    barred = any(each.missed for each in conditions)
    values, figures = dict[str, Fraction](), dict[str, Fraction]()
    for criterion in scheme.criteria:
        try:
            if criterion.value_from not in ("people", "benchmarks"):
                values[criterion.name] = _value(scenario, criterion, package, bill, scores)
            for name in criterion.benchmarks:
                figures[name] = decimal(_committed(package, name).value)
        except InputError:
            if not barred:  # an excluded package may lack what nobody judges
                raise
    given = {
        criterion.name: _given(scheme, criterion, package.name)
        for criterion in scheme.criteria
        if criterion.value_from == "people"
    }
    conditions += _by_criteria(scenario, scheme.criteria, package.name, values, given, conditions)
    return Candidate(
        name=package.name,
        vendor=package.vendor,
        lot=package.lot,
        price=Fraction(bill.total),
        values=values,
        figures=figures,
        given=given,
        conditions=tuple(conditions),
        group=package.group,
        title=package.title,
    )


def package_of(tender: Tender, name: str) -> Package:
    """The package of a name."""
    return next(each for each in tender.scenario.packages if each.name == name)


def delivering(
    scenario: Scenario, offered: Candidate, criteria: Sequence[Criterion],
    factors: Mapping[str, Fraction],
) -> Candidate:  # fmt: skip
    """A package that is admissible as offered, with its figures multiplied by factors.

    Thresholds are judged anew.
    """
    values = dict(offered.values)
    for each in criteria:
        if each.figure is not None:
            values[each.name] *= factors.get(each.figure, 1)
    conditions = _by_criteria(scenario, criteria, offered.name, values, offered.given)
    figures = {each: value * factors.get(each, 1) for each, value in offered.figures.items()}
    return replace(offered, values=values, figures=figures, conditions=conditions)


def _by_criteria(
    scenario: Scenario, criteria: Sequence[Criterion], package: str,
    values: Mapping[str, Fraction], given: Mapping[str, tuple[Evaluation, ...]],
    others: Sequence[Condition] = (),
) -> tuple[Condition, ...]:  # fmt: skip
    """Thresholds; those of points only where the package meets all else."""
    units = {each.name: value_unit(scenario, each) for each in criteria}
    found = tuple(by_values(criteria, values, units))
    if any(each.missed for each in (*others, *found)):
        return found
    return (*found, *by_points(criteria, package, values, given))


def value_unit(scenario: Scenario, criterion: Criterion) -> str:
    """Unit of the values of a criterion; points of people have that of all points."""
    return {
        "price": f"price {(scenario.budget or Budget()).currency}",
        "total cost": f"price {(scenario.budget or Budget()).currency}",
        "energy": "kWh", "delivery": "week", "performance": "value", "benchmarks": "score",
    }.get(criterion.value_from, "given")  # fmt: skip


def _given(scheme: Scheme, criterion: Criterion, package: str) -> tuple[Evaluation, ...]:
    return tuple(
        each
        for each in scheme.evaluations
        if (each.criterion, each.package) == (criterion.name, package)
    )


def _value(
    scenario: Scenario, criterion: Criterion, package: Package, bill: PackageBill,
    scores: Mapping[str, Fraction],
) -> Fraction:  # fmt: skip
    source = criterion.value_from
    if source == "price":
        return Fraction(bill.total)
    if source == "total cost":
        return total_cost(scenario, [bill])
    if source == "energy":
        return energy_kwh_per_year(scenario, package, bill)
    if source == "performance":
        return scores[package.name]
    if source == "delivery":
        if package.delivery_weeks is None:
            raise InputError(
                f"package {package.name!r} states no delivery_weeks, which criterion "
                f"{criterion.name!r} judges; add them"
            )
        return decimal(package.delivery_weeks)
    return decimal(_figure(package, criterion.figure or "").value)


def _figure(package: Package, name: str) -> OfferedFigure:
    figure = package.figure(name)
    if figure is not None:
        return figure
    remedy = nearest(name, [figure.name for figure in package.figures])
    raise InputError(f"package {package.name!r} states no figure {name!r}; add it, or: {remedy}")


def _committed(package: Package, name: str) -> OfferedFigure:
    figure = _figure(package, name)
    if figure.basis != "committed":
        raise InputError(
            f"package {package.name!r} states {name!r} as {figure.basis}; benchmarks compare "
            "committed figures, so ask the vendor to commit to it"
        )
    return figure
