"""Packages of a tender: names that must exist, terms that must fit, totals that must follow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scenarios.formatting import nearest, short
from scenarios.model.tender import Package
from scenarios.package_bill import PackageError, package_bill, written
from scenarios.positions import KeyPath
from scenarios.reading.groups import Groups, Rows, entries, table_of, texts_of, whole

Faults = Iterator[tuple[KeyPath, str]]


def package_faults(groups: Groups) -> Faults:
    """Check lots, packages and terms, on data that may still be wrong otherwise."""
    raw = groups.raw
    lots, packages, terms = (entries(raw, key) for key in ("lots", "packages", "vendor_terms"))
    yield from _twice(lots, "lots", "name")
    yield from _twice(packages, "packages", "name")
    yield from _twice(terms, "vendor_terms", "vendor")
    types = {str(entry.get("name")): entry for entry in groups.node_types}
    for index, entry in enumerate(packages):
        where: KeyPath = ("packages", index)
        yield from _known(entry.get("lot"), (*where, "lot"), texts_of(lots, "name"), "lot")
        if isinstance(entry.get("name"), str) and entry["name"] in types:
            message = f"{short(entry['name'])} is also the name of a node type; change one of them"
            yield (*where, "name"), message
        yield from _node_lines(where, entry, types)
        yield from _currency(where, entry, table_of(raw, "budget").get("currency", "USD"))
        package = whole(Package, entry)
        if package is not None:
            yield from _total(where, package)
    vendors = texts_of(packages, "vendor")
    for index, entry in enumerate(terms):
        yield from _known(entry.get("vendor"), ("vendor_terms", index, "vendor"), vendors, "vendor")
    for index, lot in enumerate(lots):
        for place, share in enumerate(entries(lot, "shares")):
            yield from _share(groups, share, ("lots", index, "shares", place), vendors)
    for place, share in enumerate(groups.shares):
        yield from _attributes(groups, share, ("requirements", "shares", place))
    yield from _offered(groups, packages)


def _offered(groups: Groups, packages: Rows) -> Faults:
    """Figures that workloads have their performance from are stated by some package."""
    stated = [text for each in packages for text in texts_of(entries(each, "figures"), "name")]
    for index, workload in enumerate(groups.workloads):
        model = table_of(workload, "performance")
        if model.get("kind") != "offered":
            continue
        where: KeyPath = ("workloads", index, "performance")
        name = model.get("figure", workload.get("name"))
        if not packages:
            yield where, "kind = 'offered' needs packages with figures; add [[packages]]"
        elif isinstance(name, str) and name not in stated:
            remedy = nearest(name, list(dict.fromkeys(stated)))
            yield where, f"no package states a figure {short(name)}; {remedy}"


def packed(groups: Groups, bringing: str | None = None) -> set[str]:
    """Names of node types that packages offer; or only packages with lines of some kind.

    Where a sheet could not be read, they are those that its mapping names.
    """
    names: set[str] = set()
    for package in entries(groups.raw, "packages"):
        lines = entries(package, "lines")
        if bringing is None or any(line.get("kind") == bringing for line in lines):
            names |= {str(line.get("name")) for line in lines if line.get("kind") == "node"}
            if not any("cells" in line for line in lines):
                names |= {*map(str, table_of(table_of(package, "sheet"), "names").values())}
    return names


def _twice(rows: Rows, group: str, key: str) -> Faults:
    seen: dict[str, int] = {}
    for index, entry in enumerate(rows):
        name = entry.get(key)
        if isinstance(name, str) and name in seen:
            message = f"{short(name)} is also the {key} of entry {seen[name] + 1}; name each once"
            yield (group, index, key), message
        elif isinstance(name, str):
            seen[name] = index


def _known(name: Any, where: KeyPath, known: list[str], what: str) -> Faults:
    if isinstance(name, str) and name not in known:
        remedy = nearest(name, known) if known else f"the scenario has no {what}s"
        yield where, f"there is no {what} {short(name)}; {remedy}"


def _node_lines(where: KeyPath, entry: dict[str, Any], types: dict[str, dict[str, Any]]) -> Faults:
    """Lines of nodes name a node type each, of the package's vendor, at a price and a number."""
    seen: set[str] = set()
    for index, line in enumerate(entries(entry, "lines")):
        name = line.get("name")
        place: KeyPath = (*where, "lines", index)
        if line.get("kind") != "node" or not isinstance(name, str):
            continue
        yield from _known(name, (*place, "name"), [*types], "node type")
        if name in seen:
            message = f"{short(name)} has two lines in this package; write one with their sum"
            yield (*place, "name"), message
        seen.add(name)
        yield from _sold(place, entry, line, types.get(name, {}))


def _sold(
    place: KeyPath, entry: dict[str, Any], line: dict[str, Any], node_type: dict[str, Any]
) -> Faults:
    name, price = short(line["name"]), line.get("price")
    if isinstance(price, int | float) and price <= 0:
        message = f"price = {price:g} of nodes is not above 0; write rebates in a line of their own"
        yield (*place, "price"), message
    quantity = line.get("quantity", 1)
    if isinstance(quantity, int | float) and quantity < 1:
        yield (*place, "quantity"), "a line of nodes needs at least one node; delete the line"
    vendor, own = node_type.get("vendor"), entry.get("vendor")
    if isinstance(vendor, str) and isinstance(own, str) and vendor != own:
        message = f"the package is of {short(own)}, but {name} is of {short(vendor)}; correct one"
        yield (*place, "name"), message
    bounds = ("minimum_quantity", "maximum_quantity")
    if entry.get("all_or_nothing", True) is True and any(key in line for key in bounds):
        message = "the package is all or nothing; write all_or_nothing = false, or delete the limit"
        yield (*place, next(key for key in bounds if key in line)), message
    step = node_type.get("sold_in", 1)
    for key in ("quantity", *bounds):
        number = line.get(key, 0)
        if isinstance(step, int) and step > 1 and isinstance(number, int | float) and number % step:
            yield (*place, key), f"{key} = {number:g} is no multiple of sold_in = {step} of {name}"


def _currency(where: KeyPath, entry: dict[str, Any], budget: Any) -> Faults:
    currency, rate = entry.get("currency"), entry.get("rate")
    foreign = currency is not None and currency != budget
    if foreign and rate is None:
        message = f"prices in {currency} need rate, the {budget} for one {currency}; add it"
        yield (*where, "currency"), message
    if not foreign and rate is not None:
        message = f"the prices are in {budget} already; delete rate, or give their currency"
        yield (*where, "rate"), message


def _total(where: KeyPath, package: Package) -> Faults:
    """The bill exists, is not negative, and comes to what the vendor printed."""
    try:
        bill = package_bill(package)
    except PackageError as error:
        yield (*where, "lines"), str(error)
        return
    if bill.stated_total < 0:
        yield (*where, "lines"), f"the lines sum to {bill.stated_total:,}, below 0; correct them"
    printed = package.printed_total
    if printed is None or written(printed) == bill.stated_total:
        return
    apart = bill.stated_total - written(printed)
    more = "more" if apart > 0 else "less"
    yield (
        (*where, "printed_total"),
        (
            f"the lines come to {bill.stated_total:,.2f}, {abs(apart):,.2f} {more} than "
            f"printed_total = {written(printed):,.2f}; correct a line, discount or rounding, or "
            "ask the vendor"
        ),
    )


def _share(groups: Groups, share: dict[str, Any], where: KeyPath, vendors: list[str]) -> Faults:
    kinds = texts_of(groups.node_types, "kind")
    yield from _known(share.get("vendor"), (*where, "vendor"), vendors, "vendor")
    yield from _known(share.get("kind"), (*where, "kind"), kinds, "kind")
    yield from _attributes(groups, share, where)


def _attributes(groups: Groups, share: dict[str, Any], where: KeyPath) -> Faults:
    """Attributes that a share judges are stated by some node type."""
    stated = [name for entry in groups.node_types for name in table_of(entry, "attributes")]
    for name in table_of(share, "where"):
        yield from _known(name, (*where, "where", name), list(dict.fromkeys(stated)), "attribute")
