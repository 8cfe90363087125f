"""Constraints of lots, groups and orders in the board's language: each may be given up alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from planner.formatting import money
from planner.procurement.groups import Group
from planner.procurement.problem import Problem

LOT, GROUP, ORDER = "lot", "group", "order"
KINDS = (LOT, "lot capital", "lot nodes", "lot memory", "lot shares", GROUP, ORDER)
"""Kinds of constraints; the subject is a lot, a group of packages, or a vendor."""


_LOT_LIMITS: dict[str, tuple[str, Any]] = {
    "lot capital": ("capital", None),
    "lot nodes": ("nodes", 0),
    "lot memory": ("total_memory_gb", 0.0),
    "lot shares": ("shares", ()),
}


def package_groups(problem: Problem) -> Iterator[Group]:
    """Every constraint of packages: lots with their limits, groups, least orders."""
    for index, lot in enumerate(problem.lots):
        if not lot.optional:
            yield Group(f"{LOT}: {lot.name}", partial(with_lot, index, "optional", value=True))
        for kind, (key, nothing) in _LOT_LIMITS.items():
            if getattr(lot, key) != nothing:
                yield Group(f"{kind}: {lot.name}", partial(with_lot, index, key, value=nothing))
    names = dict.fromkeys(offer.package.group for offer in problem.packages)
    for name in (group for group in names if group is not None):
        if sum(offer.package.group == name for offer in problem.packages) > 1:
            yield Group(f"{GROUP}: {name}", partial(_without_group, name))
    for terms in problem.vendor_terms:
        if terms.minimum_total:
            yield Group(f"{ORDER}: {terms.vendor}", partial(with_least_order, terms.vendor, 0.0))


def with_lot(index: int, key: str, problem: Problem, *, value: Any) -> Problem:
    """The problem with another value of a key of one lot."""
    changed = problem.lots[index].model_copy(update={key: value})
    return replace(problem, lots=(*problem.lots[:index], changed, *problem.lots[index + 1 :]))


def with_least_order(vendor: str, value: float, problem: Problem) -> Problem:
    """The problem in which a vendor sells orders from another sum on."""
    terms = tuple(
        each.model_copy(update={"minimum_total": value}) if each.vendor == vendor else each
        for each in problem.vendor_terms
    )
    return replace(problem, vendor_terms=terms)


def _without_group(name: str, problem: Problem) -> Problem:
    packages = tuple(
        replace(offer, package=offer.package.model_copy(update={"group": None}))
        if offer.package.group == name
        else offer
        for offer in problem.packages
    )
    return replace(problem, packages=packages)


def package_row(problem: Problem, group: str) -> dict[str, Any]:
    """A constraint of packages as cells: its kind, what it is about, its amount and unit."""
    kind, _, subject = group.partition(": ")
    row: dict[str, Any] = {"rule": kind, "subject": subject}
    lot = next((lot for lot in problem.lots if lot.name == subject), None)
    terms = problem.terms_of(subject)
    currency = f"money {problem.prices.currency}"
    if kind == "lot capital" and lot is not None:
        return row | {"amount": lot.capital, "unit": currency}
    if kind == "lot nodes" and lot is not None:
        return row | {"amount": lot.nodes, "unit": "node"}
    if kind == "lot memory" and lot is not None:
        return row | {"amount": lot.total_memory_gb, "unit": "GB"}
    if kind == ORDER and terms is not None:
        return row | {"amount": terms.minimum_total, "unit": currency}
    return row


def package_words(problem: Problem, group: str) -> str:
    """A constraint of packages in words, with its amount."""
    kind, _, subject = group.partition(": ")
    row, currency = package_row(problem, group), problem.prices.currency
    return {
        LOT: lambda: f"that lot {subject} needs a package",
        "lot capital": lambda: f"{money(row['amount'], currency)} of capital for lot {subject}",
        "lot nodes": lambda: f"the {row['amount']:,} nodes of lot {subject}",
        "lot memory": lambda: f"the {row['amount']:,.12g} GB of memory of lot {subject}",
        "lot shares": lambda: f"the shares within lot {subject}",
        GROUP: lambda: f"that of group {subject} at most one package is bought",
        ORDER: lambda: f"the least order from {subject}, {money(row['amount'], currency)}",
    }[kind]()
