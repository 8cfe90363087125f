"""The packages of a scenario as its scheme judges them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from planner.award.candidate import Candidate
from planner.award.formulas import combined, shares
from planner.award.operation import energy_kwh_per_year, total_cost
from planner.decimals import decimal
from planner.errors import InputError
from planner.finding import Finding, finding
from scenarios.formatting import nearest
from scenarios.model.scenario import Budget, Scenario
from scenarios.model.scheme import Criterion, Evaluation, Exclusion, Scheme
from scenarios.model.tender import Lot, OfferedFigure, Package
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
    barred = [*_by_statements(scheme.exclusions, package), *_by_lot(scenario, lot, package, bill)]
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
    barred += _by_values(scheme.criteria, values)
    barred += [] if barred else _by_points(scheme.criteria, package.name, values, given)
    return Candidate(
        name=package.name,
        vendor=package.vendor,
        lot=package.lot,
        price=Fraction(bill.total),
        values=values,
        figures=figures,
        given=given,
        excluded=tuple(barred),
        group=package.group,
        title=package.title,
    )


def package_of(tender: Tender, name: str) -> Package:
    """The package of a name."""
    return next(each for each in tender.scenario.packages if each.name == name)


def delivering(
    offered: Candidate, criteria: Sequence[Criterion], factors: Mapping[str, Fraction]
) -> Candidate:
    """A package that is admissible as offered, with its figures multiplied by factors.

    Thresholds are judged anew.
    """
    values = dict(offered.values)
    for each in criteria:
        if each.figure is not None:
            values[each.name] *= factors.get(each.figure, 1)
    barred = [*_by_values(criteria, values)]
    barred += [] if barred else _by_points(criteria, offered.name, values, offered.given)
    figures = {each: value * factors.get(each, 1) for each, value in offered.figures.items()}
    return replace(offered, values=values, figures=figures, excluded=tuple(barred))


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
        return total_cost(scenario, package, bill)
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


def _by_statements(exclusions: Sequence[Exclusion], package: Package) -> Iterator[Finding]:
    for each in exclusions:
        if each.statement not in package.statements:
            remedy = nearest(each.statement, [*package.statements])
            raise InputError(
                f"package {package.name!r} does not state {each.statement!r}, which exclusion "
                f"{each.name!r} judges; add it to its statements, or: {remedy}"
            )
        stated = package.statements[each.statement]
        name = (each.name, "text")
        if each.must_be is not None:
            if type(stated) is not type(each.must_be) or stated != each.must_be:
                yield finding("reason", "not-as-required", condition=name,
                              stated=_shown(stated), required=_shown(each.must_be))  # fmt: skip
        elif isinstance(stated, bool | str):
            raise InputError(
                f"package {package.name!r} states {each.statement!r} as {stated!r}, and exclusion "
                f"{each.name!r} needs a number; correct it"
            )
        else:
            yield from _outside(name, decimal(stated), each.least, each.most)


def _shown(stated: float | str | bool) -> tuple[float | str | bool, str]:  # noqa: FBT001
    unit = "flag" if isinstance(stated, bool) else "text" if isinstance(stated, str) else "given"
    return stated, unit


def _outside(
    name: tuple[str, str], value: Fraction, least: float | None, most: float | None,
    unit: str = "given",
) -> Iterator[Finding]:  # fmt: skip
    if least is not None and value < decimal(least):
        yield finding("reason", "below-least", condition=name, value=(float(value), unit),
                      least=(float(least), unit))  # fmt: skip
    if most is not None and value > decimal(most):
        yield finding("reason", "above-most", condition=name, value=(float(value), unit),
                      most=(float(most), unit))  # fmt: skip


def _by_lot(scenario: Scenario, lot: Lot, package: Package, bill: PackageBill) -> Iterator[Finding]:
    """Requirements of the lot; a package without nodes has no shares."""
    money = f"price {(scenario.budget or Budget()).currency}"
    price = Fraction(bill.total)
    yield from _outside(("capital", "of-lot"), price, None, lot.capital, money)
    if lot.nodes:
        nodes = Fraction(bill.units("node"))
        yield from _outside(("nodes", "of-lot"), nodes, float(lot.nodes), None)
    if lot.total_memory_gb:
        memory = Fraction(0)
        for each in bill.lines:
            if each.line.kind == "node":
                stated = scenario.node_type(each.line.name or "").memory_gb
                if stated is None:
                    raise InputError(
                        f"node type {each.line.name!r} states no memory_gb, which lot "
                        f"{lot.name!r} requires of package {package.name!r}; add it"
                    )
                memory += each.quantity * decimal(stated)
        yield from _outside(("memory", "of-lot"), memory, lot.total_memory_gb, None, "GB")
    for share in lot.shares:
        whole, counted = Fraction(0), Fraction(0)
        for each in bill.lines:
            if each.line.kind == "node":
                part = each.quantity * (decimal(each.line.price) if share.of == "spend" else 1)
                node = scenario.node_type(each.line.name or "")
                whole += part
                counted += part * share.counts(node.kind or "", package.vendor, node.attributes)
        if whole:
            subject = (share.subject, "text")
            yield from _outside(subject, counted / whole, share.least, share.most, "share given")


def _by_values(criteria: Sequence[Criterion], values: Mapping[str, Fraction]) -> Iterator[Finding]:
    for each in criteria:
        if each.name in values:
            yield from _outside((each.name, "text"), values[each.name], each.least, each.most)


def _by_points(
    criteria: Sequence[Criterion], package: str, values: Mapping[str, Fraction],
    given: Mapping[str, tuple[Evaluation, ...]],
) -> Iterator[Finding]:  # fmt: skip
    """Thresholds of points that no other package moves."""
    for each in criteria:
        if each.least_points is None:
            continue
        if each.value_from == "people":
            points = combined(each, given[each.name], package)
        else:
            (share,) = shares(each, [values[each.name]], [package])
            points = decimal(each.points) * share
        if points < decimal(each.least_points):
            yield finding("reason", "too-few-points", condition=(each.name, "text"),
                          points=(float(points), "given"),
                          least=(each.least_points, "given"))  # fmt: skip
