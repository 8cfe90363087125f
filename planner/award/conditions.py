"""What a package must meet before it is compared: statements, its lot, thresholds of criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from planner.award.candidate import Condition
from planner.award.formulas import combined, shares
from planner.award.nodes import memory_gb, share_of_nodes
from planner.decimals import decimal
from planner.errors import InputError
from scenarios.formatting import nearest
from scenarios.model.scenario import Budget, Scenario
from scenarios.model.scheme import Criterion, Evaluation, Exclusion
from scenarios.model.tender import Lot, Package
from scenarios.package_bill import PackageBill


def by_statements(exclusions: Sequence[Exclusion], package: Package) -> Iterator[Condition]:
    """Conditions on what the vendor states.

    Raises
    ------
    InputError
        A statement is missing, or a text where a number is judged.
    """
    for each in exclusions:
        if each.statement not in package.statements:
            remedy = nearest(each.statement, [*package.statements])
            raise InputError(
                f"package {package.name!r} does not state {each.statement!r}, which exclusion "
                f"{each.name!r} judges; add it to its statements, or: {remedy}"
            )
        stated = package.statements[each.statement]
        if each.must_be is not None:
            yield Condition(each.name, stated, required=each.must_be)
        elif isinstance(stated, bool | str):
            raise InputError(
                f"package {package.name!r} states {each.statement!r} as {stated!r}, and exclusion "
                f"{each.name!r} needs a number; correct it"
            )
        else:
            yield Condition(each.name, decimal(stated), each.least, each.most)


def by_lot(scenario: Scenario, lot: Lot, package: Package, bill: PackageBill
) -> Iterator[Condition]:  # fmt: skip
    """Requirements of the lot; a package without nodes has no shares.

    Raises
    ------
    InputError
        The lot requires memory, and a node type states none.
    """
    if lot.capital is not None:
        money = f"price {(scenario.budget or Budget()).currency}"
        price = Fraction(bill.total)
        yield Condition("capital", price, None, lot.capital, unit=money, name_unit="of-lot")
    if lot.nodes:
        nodes = Fraction(bill.units("node"))
        yield Condition("nodes", nodes, float(lot.nodes), name_unit="of-lot")
    if lot.total_memory_gb:
        memory = memory_gb(scenario, [bill])
        if isinstance(memory, str):
            raise InputError(
                f"node type {memory!r} states no memory_gb, which lot {lot.name!r} requires of "
                f"package {package.name!r}; add it"
            )
        yield Condition("memory", memory, lot.total_memory_gb, unit="GB", name_unit="of-lot")
    for share in lot.shares:
        counted = share_of_nodes(scenario, share, [bill])
        if counted is not None:
            yield Condition(share.subject, counted, share.least, share.most, unit="share given")


def by_values(
    criteria: Sequence[Criterion], values: Mapping[str, Fraction], units: Mapping[str, str]
) -> Iterator[Condition]:
    """Thresholds of values."""
    for each in criteria:
        if each.name in values and (each.least is not None or each.most is not None):
            value, unit = values[each.name], units.get(each.name, "given")
            yield Condition(each.name, value, each.least, each.most, unit=unit)


def by_points(
    criteria: Sequence[Criterion], package: str, values: Mapping[str, Fraction],
    given: Mapping[str, tuple[Evaluation, ...]],
) -> Iterator[Condition]:  # fmt: skip
    """Thresholds of points that no other package moves."""
    for each in criteria:
        if each.least_points is None:
            continue
        if each.value_from == "people":
            points = combined(each, given[each.name], package)
        else:
            (share,) = shares(each, [values[each.name]], [package])
            points = decimal(each.points) * share
        yield Condition(each.name, points, each.least_points, of_points=True)
