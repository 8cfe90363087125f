"""Seeded small tenders, and every purchase of one, billed and limited in plain loops of its own.

What a purchase costs, takes and must hold is worked out from the document alone. Its rating is a
linear program of :mod:`tests.planner.procurement.enumeration`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from planner.procurement.problem import Problem
from tests.planner.procurement import enumeration
from tests.planner.procurement.catalogues import Document, document
from tests.planner.procurement.enumeration import Best, Machine

ORIGINS = ("EU", "US")


def tender(seed: int) -> Document:
    """A scenario with lots, packages and terms, small enough to look at every purchase."""
    rng = np.random.default_rng([17, seed])
    raw = document(int(rng.integers(400)))
    raw["name"] = f"tender-{seed}"
    for entry in raw["node_types"]:
        entry["attributes"] = {"origin": ORIGINS[int(rng.integers(2))]}
        entry["maximum_quantity"] = min(3, entry["maximum_quantity"])
        entry["minimum_quantity"] = 1
        if rng.random() < 0.25:
            entry["sold_in"] = 2
    for key in ("time_to_solution_s", *(["throughput"] if rng.random() < 0.6 else [])):
        raw["requirements"].pop(key, None)
    if rng.random() < 0.7:
        raw["procurement"].pop("most_vendors", None)
        raw["procurement"].pop("most_node_types", None)
    _in_thousands(raw)
    if rng.random() < 0.9:
        raw["budget"]["capital"] = float(round(raw["budget"]["capital"] * rng.uniform(2, 6)))
        raw["power"]["bound_w"] = float(round(raw["power"]["bound_w"] * rng.uniform(1.5, 4)))
    lots = [_lot(rng, name) for name in ("L", "M", "N")[: int(rng.integers(1, 4))]]
    raw["lots"] = lots
    raw["packages"] = [
        _package(rng, f"{lot['name']}-{number}", lot["name"], raw["node_types"])
        for lot in lots
        for number in range(int(rng.integers(1, 5 if len(lots) < 3 else 3)))
    ]
    raw["vendor_terms"] = [_terms(rng, vendor) for vendor in ("V", "W") if rng.random() < 0.7]
    if rng.random() < 0.3:
        share = {"where": {"origin": "EU"}, "of": _pick(rng, "spend", "nodes")}
        raw["requirements"]["shares"] = [share | {"least": 0.3}]
    return raw


def _in_thousands(raw: Document) -> None:
    """Money times 1,000, so that rounding to cents moves no score that is compared."""
    budget, network = raw["budget"], raw.get("network", {})
    for entry in (*raw["node_types"], *budget["energy_prices"], raw.get("rack", {})):
        for key in ("price", "price_per_kwh"):
            if key in entry:
                entry[key] = round(entry[key] * 1000, 4)
    for key in ("capital", "staff_per_year", "fixed_capital", "operating_per_year"):
        if key in budget:
            budget[key] = round(budget[key] * 1000, 4)
    for key in network:
        if "price" in key:
            network[key] *= 1000


def _pick(rng: np.random.Generator, *values: Any) -> Any:
    return values[int(rng.integers(len(values)))]


def _lot(rng: np.random.Generator, name: str) -> Document:
    lot: Document = {"name": name, "optional": bool(rng.random() < 0.3)}
    if rng.random() < 0.2:
        lot["capital"] = float(1000 * rng.integers(200, 1500))
    if rng.random() < 0.2:
        lot["nodes"] = int(rng.integers(1, 3))
    if rng.random() < 0.2:
        lot["total_memory_gb"] = float(rng.integers(2, 9))
    if rng.random() < 0.2:
        share = _pick(rng, {"kind": "cpu"}, {"where": {"origin": "EU"}})
        lot["shares"] = [share | {"of": _pick(rng, "nodes", "spend"), "most": 0.7}]
    return lot


def _package(rng: np.random.Generator, name: str, lot: str, types: list[Document]) -> Document:
    whole = bool(rng.random() < 0.5)
    names = [str(entry["name"]) for entry in types]
    chosen = sorted({str(_pick(rng, *names)) for _ in range(int(rng.integers(0, 3)))})
    lines = [
        _nodes(rng, next(entry for entry in types if entry["name"] == each), whole=whole)
        for each in chosen
    ]
    package: Document = {
        "name": name, "vendor": _pick(rng, "V", "W", "X"), "lot": lot, "all_or_nothing": whole,
        "rounding": _pick(rng, "unit", "line", "total"),
    }  # fmt: skip
    if chosen and rng.random() < 0.4:
        rack = {"kind": "rack", "item": "Rack", "name": "r", "price": 20125.125,
                "per": f"node:{chosen[0]}", "every": 2}  # fmt: skip
        lines += [rack, {"kind": "other", "item": "PDU", "price": 3000.0, "quantity": 1.5,
                         "per": "rack:r", "watts": 5.0}]  # fmt: skip
    if rng.random() < 0.3:
        lines.append({"kind": "network", "item": "Network", "price": 30333.333, "watts": 12.5})
    if rng.random() < 0.3:
        lines.append({"kind": "service", "item": "Service", "price": 4500.5, "per_year": True})
    if rng.random() < 0.2:
        lines.append({"kind": "installation", "item": "Installation", "price": 11000.0})
    if chosen and rng.random() < 0.3:
        lines.append({"kind": "other", "item": "Rebate", "price": -2345.345,
                      "per": f"node:{chosen[-1]}", "every": 2})  # fmt: skip
    if not lines or rng.random() < 0.3:
        price, watts = 1000.0 * int(rng.integers(20, 90)), float(rng.integers(0, 60))
        lines.append({"kind": "storage", "item": "Store", "price": price, "watts": watts})
    package["lines"] = lines
    if rng.random() < 0.3:
        package["discount"] = 0.035
    if rng.random() < 0.3:
        package |= {"currency": "USD", "rate": 0.9237}
    if rng.random() < 0.2:
        package["vat"] = 0.19
    if rng.random() < 0.4:
        package["group"] = _pick(rng, "g", "h")
    return package


def _nodes(rng: np.random.Generator, entry: Document, *, whole: bool) -> Document:
    step = entry.get("sold_in", 1)
    quantity = step * int(rng.integers(1, 4 if step == 1 else 2))
    line = {"kind": "node", "item": f"Node {entry['name']}", "name": entry["name"],
            "price": round(entry["price"] * float(rng.uniform(0.6, 1.1)), 3),
            "quantity": quantity}  # fmt: skip
    if not whole:
        line["minimum_quantity"] = int(rng.integers(0, quantity + 1))
        line["maximum_quantity"] = quantity + int(rng.integers(0, 2)) * step
    return line


def _terms(rng: np.random.Generator, vendor: str) -> Document:
    terms: Document = {"vendor": vendor}
    if rng.random() < 0.5:
        terms["minimum_total"] = float(1000 * rng.integers(50, 400))
    starts = sorted({float(1000 * rng.integers(50, 600)) for _ in range(int(rng.integers(0, 3)))})
    terms["discounts"] = [
        {"from_total": start, "fraction": 0.02 + 0.05 * place} for place, start in enumerate(starts)
    ]
    return terms


def best_tender(raw: Document, problem: Problem) -> Best:
    """The best purchase of all, by looking at every one."""
    lower, upper, result = -math.inf, -math.inf, None
    for machine, yearly in purchases(raw, problem):
        staff = problem.prices.staff + yearly
        own = replace(problem, prices=replace(problem.prices, staff=staff, maintenance=0.0))
        if not all(enumeration._place(own, machine)):
            continue
        for rating in range(len(own.demand)):
            enumeration._rate(own, [machine], rating)
        if not all(theta > 0 for theta in machine.thetas):
            continue
        bound = enumeration._objective(own, machine, machine.thetas)
        if result is not None and bound <= lower:
            continue
        truth = enumeration._with_energy(own, machine, bound)
        if truth is None:
            continue
        if result is None or truth[0] > lower:
            result, lower = machine, truth[0]
        upper = max(upper, truth[1])
    return Best(None, None, None) if result is None else Best(lower, upper, result)


def purchases(raw: Document, problem: Problem) -> Iterator[tuple[Machine, float]]:
    """Every purchase that counts, money and installed watts allow, with its cost of a year.

    That cost is without staff and energy.
    """
    lots = {
        lot["name"]: [package for package in raw["packages"] if package["lot"] == lot["name"]]
        for lot in raw["lots"]
    }
    every = [
        [*packages, None] if lot["optional"] else packages
        for lot, packages in zip(raw["lots"], lots.values(), strict=True)
    ]
    for choice in itertools.product(*every):
        bought = [package for package in choice if package is not None]
        groups = [package["group"] for package in bought if "group" in package]
        if len(groups) != len(set(groups)):
            continue
        ranges = [_range(raw, package, line) for package in bought for line in _node_lines(package)]
        free = [_free_range(offer_type) for offer_type in free_types(raw)]
        for numbers in itertools.product(*ranges, *free):
            yield from _purchase(raw, problem, bought, list(numbers))


def free_types(raw: Document) -> list[Document]:
    packed = {line["name"] for package in raw["packages"] for line in _node_lines(package)}
    return [entry for entry in raw["node_types"] if entry["name"] not in packed]


def _free_range(entry: Document) -> list[int]:
    return [n for n in range(entry["maximum_quantity"] + 1) if n % entry.get("sold_in", 1) == 0]


def _node_lines(package: Document) -> list[Document]:
    return [line for line in package["lines"] if line["kind"] == "node"]


def _type(raw: Document, name: str) -> Document:
    return next(entry for entry in raw["node_types"] if entry["name"] == name)


def _range(raw: Document, package: Document, line: Document) -> list[int]:
    if package["all_or_nothing"]:
        return [line["quantity"]]
    step = _type(raw, line["name"]).get("sold_in", 1)
    every = range(line["minimum_quantity"], line["maximum_quantity"] + 1)
    return [n for n in every if n % step == 0]


def half_up(amount: Fraction) -> Fraction:
    whole = math.floor(abs(amount) * 100 + Fraction(1, 2))
    return Fraction(whole if amount >= 0 else -whole, 100)


def exact(number: float) -> Fraction:
    return Fraction(str(number))


def billed(package: Document, counts: dict[str, int]) -> Document:
    """Money once and per year, racks and watts of a package."""
    units: dict[int, int] = {}
    known: dict[str, int] = {}
    for place, line in enumerate(package["lines"]):
        if line["kind"] == "node":
            units[place] = counts[line["name"]]
            known[f"node:{line['name']}"] = units[place]
    for place, line in enumerate(package["lines"]):  # a rack stands before what follows it
        if line["kind"] != "node":
            number = exact(line.get("quantity", 1))
            if "per" in line:
                number = number * known[line["per"]] / line.get("every", 1)
            units[place] = math.ceil(number)
            if line["kind"] == "rack":
                known[f"rack:{line['name']}"] = units[place]
    sums = {False: Fraction(0), True: Fraction(0)}
    for place, line in enumerate(package["lines"]):
        price = exact(line["price"])
        price = half_up(price) if package["rounding"] == "unit" else price
        amount = price * units[place]
        amount = half_up(amount) if package["rounding"] == "line" else amount
        sums[line.get("per_year", False)] += amount
    result = {}
    for yearly, amount in sums.items():
        total = half_up(amount * (1 - exact(package.get("discount", 0))))
        result[yearly] = half_up(total * in_budget(package))
    lines = list(enumerate(package["lines"]))
    return {
        "once": result[False],
        "yearly": result[True],
        "racks": sum(units[place] for place, line in lines if line["kind"] == "rack"),
        "watts": sum(units[place] * exact(line.get("watts", 0)) for place, line in lines),
    }


def in_budget(package: Mapping[str, Any]) -> Fraction:
    """Net money of the budget for one of a package's prices."""
    return exact(package.get("rate", 1)) / (1 + exact(package.get("vat", 0)))


def _purchase(
    raw: Document, problem: Problem, bought: list[Document], numbers: list[int]
) -> Iterator[tuple[Machine, float]]:
    index = {offer.name: place for place, offer in enumerate(problem.offers)}
    counts, bills = [0] * len(problem.offers), []
    held: Held = []
    rest = list(numbers)
    packed = {line["name"]: 0 for package in raw["packages"] for line in _node_lines(package)}
    for package in raw["packages"]:
        for line in _node_lines(package):
            packed[line["name"]] += 1
    for package in bought:
        mine: dict[str, int] = {}
        kinds = {line["kind"] for line in package["lines"]}
        for line in _node_lines(package):
            name = line["name"]
            mine[name] = rest.pop(0)
            sold = name if packed[name] == 1 else f"{name}.{package['name']}"
            counts[index[sold]] = mine[name]
            price = exact(line["price"]) * in_budget(package)
            held.append((_type(raw, name), mine[name], price, package, kinds))
        counts[index[package["name"]]] = 1
        bills.append((package, billed(package, mine)))
    for entry in free_types(raw):
        number = rest.pop(0)
        counts[index[entry["name"]]] = number
        price = exact(entry["price"])
        for each in entry.get("discounts", ()):
            if number >= each["from_quantity"]:
                price = exact(entry["price"]) * (1 - Fraction(each["fraction"]))
        held.append((entry, number, price, None, set()))
    held = [each for each in held if each[1]]
    if not _kept(raw, problem, held, bills):
        return
    money = _money(raw, problem, held, bills)
    if money is None:
        return
    yearly, watts = money
    for modes in itertools.product(*enumeration._mode_choices(problem, tuple(counts))):
        machine = enumeration._provisioned(problem, tuple(counts), modes, 0.0, watts)
        limits = problem.limits
        bounds = (limits.it_power_w, limits.liquid_w, limits.air_w)
        slack = 1 + enumeration.SLACK
        if all(w <= b * slack for w, b in zip(machine.base_w, bounds, strict=True)):
            yield machine, yearly


Held = list[tuple[Document, int, Fraction, Document | None, set[str]]]


def _share_kept(share: Document, held: Held) -> bool:
    parts = [
        (number if share["of"] == "nodes" else number * price) for _, number, price, *_ in held
    ]
    total = sum(parts, Fraction(0))
    counted = Fraction(0)
    for part, (entry, _, _, package, _) in zip(parts, held, strict=True):
        vendor = entry["vendor"] if package is None else package["vendor"]
        if "where" in share:
            mine = all(entry["attributes"][key] == value for key, value in share["where"].items())
        else:
            mine = share.get("kind", entry["kind"]) == entry["kind"]
            mine &= share.get("vendor", vendor) == vendor
        counted += part if mine else 0
    least, most = (exact(share.get(key, default)) for key, default in (("least", 0), ("most", 1)))
    return least * total <= counted <= most * total


def _kept(
    raw: Document, problem: Problem, held: Held, bills: list[tuple[Document, Document]]
) -> bool:
    """Nodes, memory, shares, vendors, types, lots."""
    needed = raw["requirements"]
    if sum(number for _, number, *_ in held) < needed.get("nodes", 0):
        return False
    if sum(entry["memory_gb"] * n for entry, n, *_ in held) < needed.get("total_memory_gb", 0):
        return False
    if not all(_share_kept(share, held) for share in needed.get("shares", ())):
        return False
    vendors = {entry["vendor"] for entry, _, _, package, _ in held if package is None}
    vendors |= {package["vendor"] for package, _ in bills}
    if len(vendors) > (problem.most_vendors or 99):
        return False
    if len(held) > (problem.most_node_types or 99):
        return False
    for lot in raw["lots"]:
        mine = [each for each in held if each[3] is not None and each[3]["lot"] == lot["name"]]
        paid = [bill["once"] for package, bill in bills if package["lot"] == lot["name"]]
        if not paid:
            continue
        if sum(paid) > exact(lot.get("capital", 10**9)):
            return False
        if sum(number for _, number, *_ in mine) < lot.get("nodes", 0):
            return False
        memory = sum(entry["memory_gb"] * number for entry, number, *_ in mine)
        if memory < lot.get("total_memory_gb", 0):
            return False
        if not all(_share_kept(share, mine) for share in lot.get("shares", ())):
            return False
    return True


def _money(
    raw: Document, problem: Problem, held: Held, bills: list[tuple[Document, Document]]
) -> tuple[float, float] | None:
    """Cost of a year and watts of everything but nodes; ``None`` where a limit is broken."""
    prices = raw["budget"]
    site = _site_goods(raw, problem, held)
    paid = _paid_to_vendors(raw, bills)
    if site is None or paid is None:
        return None
    goods, racks, watts = site
    if racks + sum(bill["racks"] for _, bill in bills) > problem.limits.racks:
        return None
    installed, maintained, yearly = goods, goods, Fraction(0)
    for package, bill in bills:
        kinds = {(line["kind"], line.get("per_year", False)) for line in package["lines"]}
        installed += 0 if ("installation", False) in kinds else bill["once"]
        maintained += 0 if ("service", True) in kinds else bill["once"]
        yearly += bill["yearly"]
    capital = goods + paid + installed * exact(prices["installation_fraction"])
    if capital + exact(prices["fixed_capital"]) > exact(prices["capital"]):
        return None
    maintenance = maintained * exact(prices["maintenance_fraction_per_year"])
    own = sum((bill["watts"] for _, bill in bills), Fraction(0))
    return float(maintenance + yearly), watts + float(own)


def _site_goods(raw: Document, problem: Problem, held: Held) -> tuple[Fraction, int, float] | None:
    """Money for what is not in packages, racks of the site, watts of its switches."""
    rack, network, racks, ports = raw.get("rack"), problem.network, 0, 0
    goods = sum((n * price for _, n, price, package, _ in held if package is None), Fraction(0))
    for entry, number, _, _, kinds in held:
        if rack is not None and "rack" not in kinds:
            fit = rack["nodes"]
            if "rack_w" in raw.get("facility", {}):
                fit = min(fit, math.floor(raw["facility"]["rack_w"] / entry["peak_w"]))
            racks += math.ceil(number / fit)
        if "network" not in kinds:
            ports += entry["ports"] * number
    goods += racks * exact(rack["price"]) if rack is not None else 0
    if network is None or not ports:
        return goods, racks, 0.0
    leaves = math.ceil(ports / network.leaf_node_ports)
    uplinks = leaves * network.leaf_uplinks if leaves > 1 else 0
    spines = math.ceil(uplinks / network.spine_ports)
    goods += leaves * exact(network.leaf_price) + spines * exact(network.spine_price)
    goods += ports * exact(network.node_cable_price)
    goods += uplinks * exact(network.uplink_cable_price)
    watts = leaves * network.leaf_w + spines * network.spine_w
    return None if leaves > network.spine_ports else (goods, racks, watts)


def _paid_to_vendors(raw: Document, bills: list[tuple[Document, Document]]) -> Fraction | None:
    """Money for packages after discounts; ``None`` where a vendor sells no order so small."""
    gross = dict[str, Fraction]()
    for package, bill in bills:
        vendor = package["vendor"]
        gross[vendor] = gross.get(vendor, Fraction(0)) + bill["once"]
    paid = Fraction(0)
    for vendor, total in gross.items():
        kept = Fraction(1)
        for terms in (each for each in raw["vendor_terms"] if each["vendor"] == vendor):
            if total < exact(terms.get("minimum_total", 0)):
                return None
            for each in terms["discounts"]:
                kept = 1 - exact(each["fraction"]) if total >= exact(each["from_total"]) else kept
        paid += half_up(total * kept)
    return paid
